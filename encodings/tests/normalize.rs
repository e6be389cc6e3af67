//! The normal form: same meaning, the invariants that encoders rely on, steps that replay.

use pbsolve_encodings::{Cardinality, Normalized, Normalizer, Row, Step};
use pbsolve_model::{Coefficients, Lit, RowView, Var};
use proptest::prelude::*;

/// A row as it is written: terms with bounds, and values that are known.
#[derive(Clone, Debug)]
struct Written {
    coefficients: Vec<i128>,
    lits: Vec<Lit>,
    lower: Option<i128>,
    upper: Option<i128>,
    fixed: Vec<Option<bool>>,
}

impl Written {
    fn new(terms: &[(i128, Lit)], lower: Option<i128>, upper: Option<i128>) -> Written {
        let (coefficients, lits) = terms.iter().copied().unzip();
        Written { coefficients, lits, lower, upper, fixed: Vec::new() }
    }

    fn view(&self) -> RowView<'_> {
        let coefficients = Coefficients::Wide(&self.coefficients);
        RowView { lits: &self.lits, coefficients, lower: self.lower, upper: self.upper }
    }

    fn known(&self, var: Var) -> Option<bool> {
        self.fixed.get(var.index()).copied().flatten()
    }

    fn vars(&self) -> Vec<Var> {
        let mut vars: Vec<Var> = self.lits.iter().map(|lit| lit.var()).collect();
        vars.sort();
        vars.dedup();
        vars
    }
}

/// Every assignment of these variables, as a test of literals.
fn assignments(vars: &[Var]) -> impl Iterator<Item = impl Fn(Lit) -> bool + '_> + '_ {
    (0..1usize << vars.len()).map(move |bits| {
        move |lit: Lit| {
            let place = vars.binary_search(&lit.var()).expect("a variable of the row");
            (bits >> place & 1 == 1) != lit.is_negative()
        }
    })
}

fn assert_normalizes_right(written: &Written) {
    let mut normalizer = Normalizer::default();
    let normalized = normalizer.normalize(written.view(), |var| written.known(var));
    assert_same_meaning(written, normalized);
    if let Normalized::Row { row: Some(row), .. } = normalized {
        assert_is_normal(written, &row);
    }
    assert_steps_replay(written, &mut normalizer);
}

fn assert_same_meaning(written: &Written, normalized: Normalized<'_>) {
    let vars = written.vars();
    for is_true in assignments(&vars) {
        if vars.iter().any(|&v| written.known(v) == Some(!is_true(v.positive()))) {
            continue;
        }
        let is_met = written.view().allows(written.view().sum(&is_true).expect("sums fit"));
        let holds = match normalized {
            Normalized::Contradiction => false,
            Normalized::Row { forced, row } => {
                forced.iter().all(|&lit| is_true(lit)) && row.is_none_or(|row| row.holds(&is_true))
            }
        };
        let input: Vec<bool> = vars.iter().map(|v| is_true(v.positive())).collect();
        assert_eq!(holds, is_met, "{written:?}, input {input:?}: {normalized:?}");
    }
}

fn assert_is_normal(written: &Written, row: &Row<'_>) {
    let broken = |what: &str| panic!("{what}: {written:?} came to {row:?}");
    let n = row.lits().len();
    for (i, lit) in row.lits().iter().enumerate() {
        if row.lits()[i + 1..].iter().any(|other| other.var() == lit.var()) {
            broken("a variable is repeated");
        }
        if written.known(lit.var()).is_some() {
            broken("a variable with a known value is there");
        }
    }
    match *row {
        Row::Clause(_) | Row::ExactlyOne(_) if n < 2 => broken("fewer than two literals"),
        Row::AtMostOne(_) if n < 3 => broken("fewer than three literals"),
        Row::Clause(_) | Row::ExactlyOne(_) | Row::AtMostOne(_) => {}
        Row::Cardinality(Cardinality { lo, hi, .. }) => {
            let is_active = lo > 0 || hi < n;
            if lo > hi || hi > n || !is_active || lo == n || hi == 0 {
                broken("a bound is inactive or forces literals");
            }
            if [(0, 1), (1, 1), (1, n), (0, n - 1)].contains(&(lo, hi)) || lo == n - 1 {
                broken("these bounds have a class of their own");
            }
        }
        Row::Grouped(_) => panic!("a single row has no groups"),
        Row::PseudoBoolean(sum) => {
            let total: i128 = sum.coefficients.iter().sum();
            let largest = *sum.coefficients.iter().max().expect("at least one term");
            let smallest = *sum.coefficients.iter().min().expect("at least one term");
            if smallest < 1 || smallest == largest {
                broken("coefficients are not positive, or are all the same");
            }
            if (2..=smallest.min(9)).any(|d| sum.coefficients.iter().all(|c| c % d == 0)) {
                broken("coefficients have a common divisor");
            }
            let (lower_active, upper_active) = (sum.lo > 0, sum.hi < total);
            if sum.lo < 0 || sum.lo > sum.hi || sum.hi > total || !(lower_active || upper_active) {
                broken("bounds are not 0 <= lo <= hi <= sum with one active");
            }
            if largest > sum.hi || largest > total - sum.lo {
                broken("a literal is forced");
            }
            let is_saturated = match (lower_active, upper_active) {
                (true, false) => largest <= sum.lo,
                (false, true) => largest <= total - sum.hi,
                _ => true,
            };
            if !is_saturated {
                broken("a coefficient is larger than the only bound");
            }
        }
    }
}

/// Positive terms with bounds, as a proof has them at hand.
struct Replay {
    terms: Vec<(i128, Lit)>,
    lo: i128,
    hi: i128,
}

impl Replay {
    /// The row moved to positive coefficients, known values and repetitions folded in.
    fn start(written: &Written) -> Option<Replay> {
        let mut terms: Vec<(i128, Lit)> = Vec::new();
        let mut offset = 0;
        for term in written.view().terms() {
            // As a multiple of the variable: c ~x = c - c x.
            let sign = if term.lit.is_negative() { -1 } else { 1 };
            offset += if term.lit.is_negative() { term.coefficient } else { 0 };
            let (coefficient, var) = (sign * term.coefficient, term.lit.var());
            match written.known(var) {
                Some(value) => offset += coefficient * i128::from(value),
                None => match terms.iter_mut().find(|(_, lit)| lit.var() == var) {
                    Some(known) => known.0 += coefficient,
                    None => terms.push((coefficient, var.positive())),
                },
            }
        }
        for (coefficient, lit) in &mut terms {
            if *coefficient < 0 {
                offset += *coefficient;
                (*coefficient, *lit) = (-*coefficient, !*lit);
            }
        }
        terms.retain(|&(coefficient, _)| coefficient != 0);
        let sum: i128 = terms.iter().map(|(coefficient, _)| coefficient).sum();
        let lo = written.lower.map_or(Some(0), |lower| lower.checked_sub(offset))?;
        let hi = written.upper.map_or(Some(sum), |upper| upper.checked_sub(offset))?;
        Some(Replay { terms, lo, hi })
    }

    fn sum(&self) -> i128 {
        self.terms.iter().map(|(coefficient, _)| coefficient).sum()
    }

    fn clamp(&mut self) {
        self.lo = self.lo.max(0);
        self.hi = self.hi.min(self.sum());
    }

    fn take(&mut self, step: Step) {
        self.clamp();
        match step {
            Step::Merged(_) | Step::Fixed(_) => {}
            Step::Forced(lit) => {
                let place = self.terms.iter().position(|term| term.1.var() == lit.var());
                let (coefficient, own) = self.terms.remove(place.expect("a forced term"));
                if own == lit {
                    self.lo -= coefficient;
                    self.hi -= coefficient;
                }
            }
            Step::Divided(divisor) => {
                assert!(self.terms.iter().all(|(coefficient, _)| coefficient % divisor == 0));
                self.terms.iter_mut().for_each(|(coefficient, _)| *coefficient /= divisor);
                self.lo = (self.lo + divisor - 1) / divisor;
                self.hi /= divisor;
            }
            Step::Saturated { lit, from, to } => {
                let is_lower = self.lo > 0;
                let term = self.terms.iter_mut().find(|term| **term == (from, lit));
                term.expect("the saturated term").0 = to;
                self.hi = if is_lower { self.sum() } else { self.hi - (from - to) };
            }
        }
    }
}

/// The steps lead from the row as written to what came out.
fn assert_steps_replay(written: &Written, normalizer: &mut Normalizer) {
    let mut normalizer = std::mem::take(normalizer);
    let outcome = normalizer.normalize(written.view(), |var| written.known(var));
    let mut expected = match outcome {
        Normalized::Row { row: Some(row), .. } => {
            let (coefficients, lo, hi) = if let Row::PseudoBoolean(sum) = row {
                (sum.coefficients.to_vec(), sum.lo, sum.hi)
            } else {
                let bounds = row.as_cardinality().expect("it counts");
                let number = |bound: usize| i128::try_from(bound).expect("small");
                (vec![1; row.lits().len()], number(bounds.lo), number(bounds.hi))
            };
            let terms: Vec<_> = coefficients.into_iter().zip(row.lits().iter().copied()).collect();
            (terms, lo, hi)
        }
        _ => return,
    };
    let Some(mut replay) = Replay::start(written) else {
        return;
    };
    for &step in normalizer.steps() {
        replay.take(step);
    }
    replay.clamp();
    replay.terms.sort_by_key(|(_, lit)| lit.var());
    expected.0.sort_by_key(|(_, lit)| lit.var());
    if expected.0 != replay.terms {
        // Counting rows with bounds next to n are turned around.
        let n = i128::try_from(replay.terms.len()).expect("small");
        replay.terms.iter_mut().for_each(|term| term.1 = !term.1);
        (replay.lo, replay.hi) = (n - replay.hi, n - replay.lo);
    }
    assert_eq!((replay.terms, replay.lo, replay.hi), expected, "{written:?}");
}

fn lit(number: i32) -> Lit {
    Lit::from_dimacs(number).expect("not 0")
}

#[test]
fn every_row_of_up_to_two_terms_keeps_its_meaning() {
    let terms: Vec<(i128, Lit)> =
        (-3..=3).flat_map(|c| [1, -1, 2].map(|number| (c, lit(number)))).collect();
    let bounds: Vec<Option<i128>> =
        (-8..=8).map(Some).chain([None, Some(-100), Some(100)]).collect();
    for &first in &terms {
        for &second in &terms {
            for &lower in &bounds {
                for &upper in &bounds {
                    for row in [&[first, second][..], &[first]] {
                        assert_normalizes_right(&Written::new(row, lower, upper));
                    }
                }
            }
        }
    }
}

#[test]
fn rows_without_terms_are_trivial_or_contradictory() {
    for (lower, upper, is_met) in
        [(Some(1), None, false), (Some(0), None, true), (None, Some(-1), false), (None, None, true)]
    {
        let written = Written::new(&[], lower, upper);
        assert_normalizes_right(&written);
        let mut normalizer = Normalizer::default();
        let normalized = normalizer.normalize(written.view(), |_| None);
        assert_eq!(normalized != Normalized::Contradiction, is_met, "{written:?}");
    }
}

fn bound() -> impl Strategy<Value = Option<i128>> {
    prop_oneof![
        1 => Just(None),
        6 => (-10..=10i128).prop_map(Some),
        1 => (-99..=99i128).prop_map(Some),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    /// Few variables, so that literals repeat and meet their negations.
    #[test]
    fn random_rows_keep_their_meaning(
        terms in prop::collection::vec((-3..=3i128, 1..=4i32, any::<bool>()), 0..=5),
        lower in bound(),
        upper in bound(),
        is_equality in prop::bool::weighted(0.3),
        fixed in prop::collection::vec(prop::option::weighted(0.2, any::<bool>()), 0..=4),
    ) {
        let term = |&(c, number, is_positive): &(i128, i32, bool)| {
            (c, lit(if is_positive { number } else { -number }))
        };
        let terms: Vec<_> = terms.iter().map(term).collect();
        let lower = if is_equality { upper } else { lower };
        assert_normalizes_right(&Written { fixed, ..Written::new(&terms, lower, upper) });
    }

    /// Distinct variables and larger numbers, so that divisors and saturation occur.
    #[test]
    fn random_weighted_rows_keep_their_meaning(
        coefficients in prop::collection::vec(
            prop::sample::select(vec![1, 2, 3, 4, 6, 9, 12, -2, -6, -5i128]),
            1..=6,
        ),
        lower in prop::option::of(-5..=40i128),
        upper in prop::option::of(-5..=40i128),
    ) {
        let terms: Vec<_> = coefficients.into_iter().zip((1..).map(lit)).collect();
        assert_normalizes_right(&Written::new(&terms, lower, upper));
    }
}

#[test]
fn numbers_next_to_the_end_of_the_range_are_exact() {
    const MAX: i128 = i128::MAX;
    let coefficients = [MAX, -MAX, MAX / 2, -(MAX / 2), MAX / 2 - 1, 1, -1, 2];
    let bounds = [
        i128::MIN,
        i128::MIN + 1,
        -MAX / 2,
        -2,
        -1,
        0,
        1,
        2,
        MAX / 2 - 1,
        MAX / 2,
        MAX / 2 + 1,
        MAX - 1,
        MAX,
    ];
    let bounds: Vec<Option<i128>> = bounds.into_iter().map(Some).chain([None]).collect();
    for &a in &coefficients {
        for &b in &coefficients {
            let total = a.abs().checked_add(b.abs());
            if total.is_none() {
                // Models refuse such a row.
                continue;
            }
            for literals in [[1, 2], [1, -2], [1, 1], [1, -1]] {
                let terms = [(a, lit(literals[0])), (b, lit(literals[1]))];
                for &lower in &bounds {
                    for &upper in &bounds {
                        assert_normalizes_right(&Written::new(&terms, lower, upper));
                    }
                }
            }
        }
    }
}

#[test]
fn steps_tell_what_was_done() {
    let steps = |terms: &[(i128, i32)], lower, upper, fixed: &[Option<bool>]| {
        let terms: Vec<_> = terms.iter().map(|&(c, number)| (c, lit(number))).collect();
        let written = Written { fixed: fixed.to_vec(), ..Written::new(&terms, lower, upper) };
        let mut normalizer = Normalizer::default();
        normalizer.normalize(written.view(), |var| written.known(var));
        normalizer.steps().to_vec()
    };
    let x = |number| lit(number);
    assert_eq!(
        steps(&[(2, 1), (1, -1), (1, 2), (1, 3)], Some(2), None, &[]),
        [Step::Merged(x(1).var())]
    );
    assert_eq!(steps(&[(2, 1), (2, 2), (4, 3)], Some(3), None, &[]), [Step::Divided(2)]);
    assert_eq!(
        steps(&[(5, 1), (1, 2), (1, 3)], Some(2), None, &[]),
        [Step::Saturated { lit: x(1), from: 5, to: 2 }]
    );
    // At most 3 of 5 + 1 + 1 + 2: the first must be false.
    assert_eq!(
        steps(&[(5, 1), (1, 2), (1, 3), (2, 4)], None, Some(3), &[]),
        [Step::Forced(x(-1)), Step::Saturated { lit: x(4), from: 2, to: 1 }]
    );
    assert_eq!(
        steps(&[(1, 1), (1, 2), (1, 3)], None, Some(1), &[Some(false)]),
        [Step::Fixed(x(-1))]
    );
}
