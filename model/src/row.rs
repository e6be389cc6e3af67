//! Linear rows: `lower <= sum of coefficient * literal <= upper`, stored flat.

use crate::Lit;
use std::fmt;

/// One summand of a row: `coefficient * lit`, where a literal counts 1 when it is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// Any integer.
    pub coefficient: i128,
    /// The literal; negated ones and repetitions are allowed.
    pub lit: Lit,
}

/// The coefficients of a row, in the narrowest form that holds them.
#[derive(Clone, Copy, Debug)]
pub enum Coefficients<'a> {
    /// All are 1.
    Ones,
    /// One 64-bit integer a literal.
    Narrow(&'a [i64]),
    /// One 128-bit integer a literal.
    Wide(&'a [i128]),
}

/// A borrowed row. At least one bound may be absent; a row without any is always satisfied.
#[derive(Clone, Copy, Debug)]
pub struct RowView<'a> {
    /// The literals, in order; repetitions and complementary pairs are allowed.
    pub lits: &'a [Lit],
    /// Their coefficients.
    pub coefficients: Coefficients<'a>,
    /// The sum must be at least this.
    pub lower: Option<i128>,
    /// The sum must be at most this.
    pub upper: Option<i128>,
}

impl<'a> RowView<'a> {
    /// Number of terms.
    pub fn len(&self) -> usize {
        self.lits.len()
    }

    /// Whether the row has no terms.
    pub fn is_empty(&self) -> bool {
        self.lits.is_empty()
    }

    /// The coefficient of the `i`-th literal.
    pub fn coefficient(&self, i: usize) -> i128 {
        match self.coefficients {
            Coefficients::Ones => 1,
            Coefficients::Narrow(numbers) => i128::from(numbers[i]),
            Coefficients::Wide(numbers) => numbers[i],
        }
    }

    /// The terms, in order.
    pub fn terms(&self) -> impl Iterator<Item = Term> + use<'a> {
        let row = *self;
        let term = move |(i, &lit)| Term { coefficient: row.coefficient(i), lit };
        row.lits.iter().enumerate().map(term)
    }

    /// The sum of the coefficients whose literal is true; `None` if it is beyond `i128`.
    pub fn sum(&self, is_true: impl Fn(Lit) -> bool) -> Option<i128> {
        if let Coefficients::Ones = self.coefficients {
            return i128::try_from(self.lits.iter().filter(|&&lit| is_true(lit)).count()).ok();
        }
        let mut true_terms = self.terms().filter(|term| is_true(term.lit));
        true_terms.try_fold(0i128, |sum, term| sum.checked_add(term.coefficient))
    }

    /// Whether a sum meets both bounds.
    pub fn allows(&self, sum: i128) -> bool {
        self.lower.is_none_or(|lower| lower <= sum) && self.upper.is_none_or(|upper| sum <= upper)
    }
}

/// A row under construction, for callers that have terms at hand; models store rows flat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linear {
    /// The summands.
    pub terms: Vec<Term>,
    /// The sum must be at least this.
    pub lower: Option<i128>,
    /// The sum must be at most this.
    pub upper: Option<i128>,
    /// A name for messages and exports.
    pub name: Option<String>,
}

impl Linear {
    /// A sum of weighted literals, without bounds yet.
    pub fn sum(terms: impl IntoIterator<Item = (i128, Lit)>) -> Linear {
        let term = |(coefficient, lit)| Term { coefficient, lit };
        Linear { terms: terms.into_iter().map(term).collect(), ..Linear::default() }
    }

    fn count(lits: impl IntoIterator<Item = Lit>) -> Linear {
        Linear::sum(lits.into_iter().map(|lit| (1, lit)))
    }

    /// At least `bound` of the literals are true.
    pub fn at_least(bound: i128, lits: impl IntoIterator<Item = Lit>) -> Linear {
        Linear { lower: Some(bound), ..Linear::count(lits) }
    }

    /// At most `bound` of the literals are true.
    pub fn at_most(bound: i128, lits: impl IntoIterator<Item = Lit>) -> Linear {
        Linear { upper: Some(bound), ..Linear::count(lits) }
    }

    /// Exactly `bound` of the literals are true.
    pub fn exactly(bound: i128, lits: impl IntoIterator<Item = Lit>) -> Linear {
        Linear { lower: Some(bound), upper: Some(bound), ..Linear::count(lits) }
    }

    /// The same sum with this lower bound.
    #[must_use]
    pub fn with_lower(self, lower: i128) -> Linear {
        Linear { lower: Some(lower), ..self }
    }

    /// The same sum with this upper bound.
    #[must_use]
    pub fn with_upper(self, upper: i128) -> Linear {
        Linear { upper: Some(upper), ..self }
    }

    /// The same row with a name.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Linear {
        Linear { name: Some(name.into()), ..self }
    }
}

/// The absolute values of a row's coefficients sum to more than `i128` holds, so its sums could
/// not be computed exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberTooWide;

impl fmt::Display for NumberTooWide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the coefficients of this row sum to more than 128-bit integers hold")
    }
}

impl std::error::Error for NumberTooWide {}

/// How the numbers of one stored row are kept.
#[derive(Clone, Copy, Debug)]
enum Numbers {
    /// No coefficients; both bounds fit beside the row.
    Ones,
    /// Coefficients from this place of `narrow`; both bounds fit beside the row.
    Narrow(u32),
    /// Coefficients from this place of `wide`, after the two bounds.
    Wide(u32),
}

/// `i64::MIN` and `i64::MAX` mean "no bound"; rows that need those numbers are kept wide.
#[derive(Clone, Copy, Debug)]
struct Header {
    end: u32,
    numbers: Numbers,
    lower: i64,
    upper: i64,
}

/// Rows in flat arrays: 4 bytes a term when all coefficients are 1, 12 when they fit 64 bits,
/// and 32 bytes a row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    lits: Vec<Lit>,
    narrow: Vec<i64>,
    wide: Vec<i128>,
    headers: Vec<Header>,
}

impl Rows {
    pub(crate) fn len(&self) -> usize {
        self.headers.len()
    }

    pub(crate) fn push(&mut self, row: RowView<'_>) -> Result<(), NumberTooWide> {
        let mut weights = row.terms().map(|term| term.coefficient.checked_abs());
        weights.try_fold(0i128, |sum, weight| sum.checked_add(weight?)).ok_or(NumberTooWide)?;

        let place = |length: usize| u32::try_from(length).expect("fewer than 2^32 terms");
        let stored_lower = row.lower.map_or(Some(i64::MIN), narrow_bound);
        let stored_upper = row.upper.map_or(Some(i64::MAX), narrow_bound);
        let fits = row.terms().all(|term| i64::try_from(term.coefficient).is_ok());
        let (numbers, lower, upper) = match (stored_lower, stored_upper) {
            (Some(lower), Some(upper)) if row.terms().all(|term| term.coefficient == 1) => {
                (Numbers::Ones, lower, upper)
            }
            (Some(lower), Some(upper)) if fits => {
                let start = place(self.narrow.len());
                let numbers = row.terms().map(|term| term.coefficient);
                let narrow = numbers.map(|c| i64::try_from(c).expect("fits, as tested above"));
                self.narrow.extend(narrow);
                (Numbers::Narrow(start), lower, upper)
            }
            _ => {
                let start = place(self.wide.len());
                self.wide.extend([row.lower.unwrap_or_default(), row.upper.unwrap_or_default()]);
                self.wide.extend(row.terms().map(|term| term.coefficient));
                let (has_lower, has_upper) = (row.lower.is_some(), row.upper.is_some());
                let lower = if has_lower { 0 } else { i64::MIN };
                (Numbers::Wide(start), lower, if has_upper { 0 } else { i64::MAX })
            }
        };
        self.lits.extend_from_slice(row.lits);
        self.headers.push(Header { end: place(self.lits.len()), numbers, lower, upper });
        Ok(())
    }

    pub(crate) fn get(&self, i: usize) -> RowView<'_> {
        let header = self.headers[i];
        let start = if i == 0 { 0 } else { self.headers[i - 1].end };
        let lits = &self.lits[start as usize..header.end as usize];
        let mut lower = (header.lower != i64::MIN).then_some(i128::from(header.lower));
        let mut upper = (header.upper != i64::MAX).then_some(i128::from(header.upper));
        let coefficients = match header.numbers {
            Numbers::Ones => Coefficients::Ones,
            Numbers::Narrow(start) => {
                Coefficients::Narrow(&self.narrow[start as usize..][..lits.len()])
            }
            Numbers::Wide(start) => {
                let start = start as usize;
                lower = lower.map(|_| self.wide[start]);
                upper = upper.map(|_| self.wide[start + 1]);
                Coefficients::Wide(&self.wide[start + 2..][..lits.len()])
            }
        };
        RowView { lits, coefficients, lower, upper }
    }
}

/// The bound in 64 bits, unless it is wide or one of the two numbers that mean "no bound".
fn narrow_bound(bound: i128) -> Option<i64> {
    i64::try_from(bound).ok().filter(|&bound| bound != i64::MIN && bound != i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Var;

    #[test]
    fn rows_come_back_as_they_were_stored() {
        let [x, y] = [0, 1].map(|i| Var::new(i).positive());
        let wide = i128::from(i64::MAX) + 1;
        let stored = [
            Linear::exactly(1, [x, y]),
            Linear::sum([(2, x), (-3, !y)]).with_lower(-7),
            Linear::sum([(wide, x), (-1, y)]).with_upper(wide * 2),
            Linear::at_least(i128::from(i64::MAX), [x]),
            Linear::at_most(i128::from(i64::MIN), [y]),
            Linear::sum([]),
        ];
        let mut rows = Rows::default();
        for linear in &stored {
            let lits: Vec<Lit> = linear.terms.iter().map(|term| term.lit).collect();
            let numbers: Vec<i128> = linear.terms.iter().map(|term| term.coefficient).collect();
            let coefficients = Coefficients::Wide(&numbers);
            let (lower, upper) = (linear.lower, linear.upper);
            rows.push(RowView { lits: &lits, coefficients, lower, upper }).unwrap();
        }
        for (i, linear) in stored.iter().enumerate() {
            let row = rows.get(i);
            assert_eq!(row.terms().collect::<Vec<_>>(), linear.terms, "row {i}");
            assert_eq!((row.lower, row.upper), (linear.lower, linear.upper), "row {i}");
        }
    }

    #[test]
    fn sums_beyond_128_bits_are_refused() {
        let lits = [0, 1].map(|i| Var::new(i).positive());
        let coefficients = Coefficients::Wide(&[i128::MAX, 1]);
        let row = RowView { lits: &lits, coefficients, lower: Some(0), upper: None };
        assert_eq!(Rows::default().push(row), Err(NumberTooWide));
    }
}
