//! From a 0-1 model to the columns and rows of a file.

use super::INFINITY;
use crate::formats::WriteError;
use crate::formats::rational::Rational;
use crate::formats::write_error::numbered_variables;
use pbsolve_model::{Assignment, Model, Objective, RowId, RowView, Sense, Term, Var};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::ControlFlow;

/// The columns of a model: its variables in order, and instead of the bits of an integer the
/// integer, where every row and the objective use its bits in proportion.
#[derive(Debug)]
pub(crate) struct Columns<'m> {
    model: &'m Model,
    meanings: Vec<Meaning>,
    names: Names,
    /// The column of each variable.
    column_of: Vec<usize>,
}

/// What becomes of the integers of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Integers {
    /// A column each, where every row and the objective use the bits in proportion.
    Whole,
    /// A column for each bit.
    Bits,
}

/// How columns are called.
#[derive(Debug)]
enum Names {
    /// As in the model.
    Given(Vec<String>),
    /// `x1`, `x2`, ...
    Numbered {
        /// The names in the model that are not legal in the file; empty if nobody asks.
        replaced: Vec<String>,
    },
}

/// What a column stands for.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    Variable(Var),
    /// The place of the integer in the model.
    Integer(usize),
}

/// A row in terms of columns, each at most once.
#[derive(Debug)]
pub(crate) struct RowOverColumns {
    pub(crate) terms: Vec<(i128, usize)>,
    pub(crate) lower: Option<i128>,
    pub(crate) upper: Option<i128>,
}

/// The objective in terms of columns, each at most once, with its numbers as they are written.
#[derive(Debug)]
pub(in crate::formats) struct ObjectiveOverColumns {
    pub(in crate::formats) sense: Sense,
    /// Without those of coefficient 0.
    pub(in crate::formats) terms: Vec<(Rational, usize)>,
    pub(in crate::formats) constant: Rational,
    /// What the written values are to be divided by, above 1 where fractions have no decimal
    /// notation.
    pub(in crate::formats) divisor: i128,
}

impl<'m> Columns<'m> {
    /// The columns of a model. If a name is not legal, or one is used twice, the columns are
    /// called `x1`, `x2`, ...
    pub(crate) fn new(
        model: &'m Model,
        is_legal: impl Fn(&str) -> bool,
    ) -> Result<Columns<'m>, WriteError> {
        let mut columns = Columns::numbered(model, Integers::Whole)?;
        let name = |meaning: &Meaning| match *meaning {
            Meaning::Variable(var) => model.variable_name(var),
            Meaning::Integer(i) => model.integers()[i].name.clone(),
        };
        let names: Vec<String> = columns.meanings.iter().map(name).collect();
        let mut known = HashSet::with_capacity(names.len());
        let keeps_names = names.iter().all(|name| is_legal(name) && known.insert(name.as_str()));
        if keeps_names {
            columns.names = Names::Given(names);
        } else {
            columns.names = Names::Numbered { replaced: names };
        }
        Ok(columns)
    }

    /// The columns of a model, called `x1`, `x2`, ... whatever the model calls them.
    pub(crate) fn numbered(
        model: &'m Model,
        integers: Integers,
    ) -> Result<Columns<'m>, WriteError> {
        let num_variables = numbered_variables(model)?;
        let integer_of = match integers {
            Integers::Whole => written_integers(model, num_variables),
            Integers::Bits => vec![None; num_variables],
        };
        let mut meanings = Vec::new();
        let mut column_of = Vec::with_capacity(num_variables);
        for (index, integer) in integer_of.into_iter().enumerate() {
            match integer {
                None => meanings.push(Meaning::Variable(Var::new(index))),
                Some(integer) if index == model.integers()[integer].bits[0].index() => {
                    meanings.push(Meaning::Integer(integer));
                }
                Some(_) => {}
            }
            column_of.push(meanings.len() - 1);
        }
        // Integers with a single value have no bits.
        let constants = model.integers().iter().enumerate();
        let constants = constants.filter(|(_, n)| {
            integers == Integers::Whole && n.bits.is_empty() && is_finite(n.lower)
        });
        meanings.extend(constants.map(|(i, _)| Meaning::Integer(i)));
        let names = Names::Numbered { replaced: Vec::new() };
        Ok(Columns { model, meanings, names, column_of })
    }

    pub(crate) fn len(&self) -> usize {
        self.meanings.len()
    }

    pub(crate) fn name(&self, column: usize) -> Cow<'_, str> {
        match &self.names {
            Names::Given(names) => Cow::Borrowed(&names[column]),
            Names::Numbered { .. } => Cow::Owned(format!("x{}", column + 1)),
        }
    }

    /// The columns that have other names in the model, with those names as they fit a comment.
    pub(crate) fn replaced_names(&self) -> impl Iterator<Item = (String, String)> {
        let replaced = match &self.names {
            Names::Given(_) => [].as_slice(),
            Names::Numbered { replaced } => replaced,
        };
        let numbers = (1..).map(|number| format!("x{number}"));
        let pairs = numbers.zip(replaced).filter(|(written, name)| written != *name);
        // A name must not end its comment.
        pairs.map(|(written, name)| (written, name.replace(char::is_control, "?")))
    }

    /// What the model calls a column.
    pub(crate) fn name_in_model(&self, column: usize) -> String {
        match self.meanings[column] {
            Meaning::Variable(var) => self.model.variable_name(var),
            Meaning::Integer(i) => self.model.integers()[i].name.clone(),
        }
    }

    /// The decision variables where the columns have these values; the column whose value is none
    /// of it if there is one.
    pub(crate) fn assignment(&self, values: &[i128]) -> Result<Assignment, usize> {
        let mut bits = Vec::with_capacity(self.model.num_decisions());
        for (index, &column) in self.column_of.iter().enumerate().take(self.model.num_decisions()) {
            let value = values[column];
            let (lower, upper) = self.bounds(column).unwrap_or((0, 1));
            if !(lower..=upper).contains(&value) {
                return Err(column);
            }
            let place = match self.meanings[column] {
                Meaning::Variable(_) => 0,
                Meaning::Integer(i) => index - self.model.integers()[i].bits[0].index(),
            };
            bits.push((value - lower) >> place & 1 == 1);
        }
        Ok(Assignment::from_values(bits))
    }

    /// The values of the columns under an assignment of the decision variables; `None` for those
    /// of indicators.
    pub(crate) fn values<'a>(
        &'a self,
        assignment: &'a Assignment,
    ) -> impl Iterator<Item = Option<i128>> + 'a {
        self.meanings.iter().map(|meaning| match *meaning {
            Meaning::Variable(var) if var.index() < assignment.num_vars() => {
                Some(i128::from(assignment.value(var)))
            }
            Meaning::Variable(_) => None,
            Meaning::Integer(i) => Some(self.model.integers()[i].value(assignment)),
        })
    }

    /// The bounds of a column that is not 0-1.
    pub(crate) fn bounds(&self, column: usize) -> Option<(i128, i128)> {
        let Meaning::Integer(integer) = self.meanings[column] else { return None };
        let integer = &self.model.integers()[integer];
        Some((integer.lower, integer.upper)).filter(|&bounds| bounds != (0, 1))
    }

    /// Visits the rows in terms of columns, but for those that only keep an integer in its range,
    /// until `visit` breaks.
    ///
    /// # Errors
    /// What `visit` breaks with; [`WriteError::NumberTooWide`] if a bound leaves 128 bits.
    pub(crate) fn for_each_row<E: From<WriteError>>(
        &self,
        mut visit: impl FnMut(RowId, RowOverColumns) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut sums = Sums::new(self.column_of.len());
        let flow = self.model.for_each_row(|id, row| {
            let translated = self.row(row, &mut sums);
            let visited = match translated {
                None => Err(WriteError::NumberTooWide(self.model.row_sentence(id)).into()),
                Some(row) if self.is_range(id, &row) => Ok(()),
                Some(row) => visit(id, row),
            };
            visited.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        });
        flow.break_value().map_or(Ok(()), Err)
    }

    fn row(&self, row: RowView<'_>, sums: &mut Sums) -> Option<RowOverColumns> {
        let constant = sums.add(row.terms())?;
        let (terms, offset) = self.collect(sums)?;
        let moved = |bound: Option<i128>| match bound {
            Some(bound) => bound.checked_sub(constant)?.checked_add(offset).map(Some),
            None => Some(None),
        };
        Some(RowOverColumns { terms, lower: moved(row.lower)?, upper: moved(row.upper)? })
    }

    /// The sums in terms of columns; what the integers among them add at their lower bounds, so
    /// that the sum over the columns exceeds that over the variables by it.
    fn collect(&self, sums: &mut Sums) -> Option<(Vec<(i128, usize)>, i128)> {
        let mut terms = Vec::with_capacity(sums.touched.len());
        let mut offset = 0i128;
        for &var in &sums.touched {
            let coefficient = sums.coefficients[var.index()];
            let column = self.column_of[var.index()];
            if let Meaning::Integer(integer) = self.meanings[column] {
                let integer = &self.model.integers()[integer];
                // All other bits follow from the lowest.
                if var != integer.bits[0] {
                    continue;
                }
                offset = offset.checked_add(coefficient.checked_mul(integer.lower)?)?;
            }
            if coefficient != 0 {
                terms.push((coefficient, column));
            }
        }
        sums.clear();
        Some((terms, offset))
    }

    /// Whether a row is the one with which [`Model::new_integer`] keeps an integer in its range.
    fn is_range(&self, id: RowId, row: &RowOverColumns) -> bool {
        let ([(1, column)], None, Some(upper)) = (row.terms.as_slice(), row.lower, row.upper)
        else {
            return false;
        };
        let Meaning::Integer(integer) = self.meanings[*column] else { return false };
        let integer = &self.model.integers()[integer];
        let name = || self.model.row_name(id);
        upper == integer.upper && name().is_some_and(|name| names_range(&name, &integer.name))
    }

    /// The objective; that of a model without one has no terms.
    ///
    /// # Errors
    /// [`WriteError::NumberTooWide`] if a number leaves 128 bits.
    pub(in crate::formats) fn objective(&self) -> Result<ObjectiveOverColumns, WriteError> {
        let minimize_0 = ObjectiveOverColumns {
            sense: Sense::Minimize,
            terms: Vec::new(),
            constant: Rational::ZERO,
            divisor: 1,
        };
        let Some(objective) = self.model.objective() else { return Ok(minimize_0) };
        let translated = self.translated_objective(objective);
        let too_wide = || WriteError::NumberTooWide("objective".to_owned());
        let translated = translated.ok_or_else(too_wide)?;
        if translated.terms.is_empty() && translated.constant.is_zero() {
            return Ok(minimize_0);
        }
        Ok(translated)
    }

    /// The objective times its divisor, which makes its coefficients integers, without its
    /// constant.
    ///
    /// # Errors
    /// As [`Columns::objective`].
    pub(crate) fn integer_objective(&self) -> Result<(Sense, Vec<(i128, usize)>), WriteError> {
        let Some(objective) = self.model.objective() else {
            return Ok((Sense::Minimize, Vec::new()));
        };
        let terms = self.integer_terms(objective).map(|(terms, _)| terms);
        let too_wide = || WriteError::NumberTooWide("objective".to_owned());
        Ok((objective.sense, terms.ok_or_else(too_wide)?))
    }

    /// The terms and the constant of an objective times its divisor.
    fn integer_terms(&self, objective: &Objective) -> Option<(Vec<(i128, usize)>, i128)> {
        let mut sums = Sums::new(self.column_of.len());
        let constant =
            objective.constant.checked_add(sums.add(objective.terms.iter().copied())?)?;
        let (terms, offset) = self.collect(&mut sums)?;
        Some((terms, constant.checked_sub(offset)?))
    }

    fn translated_objective(&self, objective: &Objective) -> Option<ObjectiveOverColumns> {
        let (terms, constant) = self.integer_terms(objective)?;
        let with_divisor = |divisor: i128| {
            let terms = terms.iter().map(|&(coefficient, column)| {
                Some((Rational::quotient(coefficient, divisor)?, column))
            });
            let terms: Option<Vec<_>> = terms.collect();
            Some((terms?, Rational::quotient(constant, divisor)?))
        };
        let (fractions, fraction) = with_divisor(objective.divisor)?;
        let is_decimal = fractions
            .iter()
            .map(|(number, _)| number)
            .chain([&fraction])
            .all(|number| number.to_decimal().is_some());
        let sense = objective.sense;
        let (terms, constant, divisor) = if is_decimal {
            (fractions, fraction, 1)
        } else {
            let (terms, constant) = with_divisor(1)?;
            (terms, constant, objective.divisor)
        };
        Some(ObjectiveOverColumns { sense, terms, constant, divisor })
    }
}

/// Whether a row of this name keeps the integer of that name in its range.
fn names_range(row: &str, integer: &str) -> bool {
    row.strip_prefix("range of ") == Some(integer)
}

fn is_finite(bound: i128) -> bool {
    -INFINITY < bound && bound < INFINITY
}

/// The integer of each variable that is a bit of one that can be written as such: its bounds do
/// not mean infinity, and the objective and all rows use its bits in proportion.
fn written_integers(model: &Model, num_variables: usize) -> Vec<Option<usize>> {
    let mut integer_of = vec![None; num_variables];
    for (i, integer) in model.integers().iter().enumerate() {
        if is_finite(integer.lower) && is_finite(integer.upper) {
            for bit in &integer.bits {
                integer_of[bit.index()] = Some(i);
            }
        }
    }
    if integer_of.iter().all(Option::is_none) {
        return integer_of;
    }
    let mut sums = Sums::new(num_variables);
    let mut strip = |terms: &mut dyn Iterator<Item = Term>| {
        let is_exact = sums.add(terms).is_some();
        for &var in &sums.touched {
            let Some(i) = integer_of[var.index()] else { continue };
            let bits = &model.integers()[i].bits;
            let coefficient = |bit: &Var| sums.coefficients[bit.index()];
            let lowest = coefficient(&bits[0]);
            let expected = |place: usize| lowest.checked_mul(1 << place);
            let mut places = bits.iter().enumerate();
            // What was found for one bit is found again for the others, which is rarely many.
            if !is_exact || !places.all(|(place, bit)| Some(coefficient(bit)) == expected(place)) {
                for bit in bits {
                    integer_of[bit.index()] = None;
                }
            }
        }
        sums.clear();
    };
    if let Some(objective) = model.objective() {
        strip(&mut objective.terms.iter().copied());
    }
    let flow: ControlFlow<()> = model.for_each_row(|_, row| {
        strip(&mut row.terms());
        ControlFlow::Continue(())
    });
    debug_assert!(flow.is_continue(), "all rows are visited");
    integer_of
}

/// The coefficients of variables, summed over terms.
#[derive(Debug)]
struct Sums {
    coefficients: Vec<i128>,
    is_touched: Vec<bool>,
    /// The variables in order of appearance.
    touched: Vec<Var>,
}

impl Sums {
    fn new(num_variables: usize) -> Sums {
        Sums {
            coefficients: vec![0; num_variables],
            is_touched: vec![false; num_variables],
            touched: Vec::new(),
        }
    }

    /// Adds terms over variables, and returns the constant that negated literals leave: `c ~x` is
    /// `c - c x`. `None` if a number leaves 128 bits.
    fn add(&mut self, terms: impl Iterator<Item = Term>) -> Option<i128> {
        let mut constant = 0i128;
        for Term { coefficient, lit } in terms {
            let index = lit.var().index();
            if !self.is_touched[index] {
                self.is_touched[index] = true;
                self.touched.push(lit.var());
            }
            let sum = &mut self.coefficients[index];
            if lit.is_negative() {
                constant = constant.checked_add(coefficient)?;
                *sum = sum.checked_sub(coefficient)?;
            } else {
                *sum = sum.checked_add(coefficient)?;
            }
        }
        Some(constant)
    }

    fn clear(&mut self) {
        for var in self.touched.drain(..) {
            self.coefficients[var.index()] = 0;
            self.is_touched[var.index()] = false;
        }
    }
}
