//! Small models for the tests of file formats: solutions by brute force, rows as text, random
//! models and texts.

#![allow(dead_code, reason = "no test file needs everything")]

pub(crate) mod family;

use pbsolve::formats::ReadError;
use pbsolve_model::{Assignment, Linear, Lit, Model, Objective, RowId, Sense, Term, Var};
use proptest::prelude::*;
use std::collections::{BTreeMap, HashSet};

/// All assignments that satisfy the model.
pub(crate) fn satisfying(model: &Model) -> Vec<Assignment> {
    let n = model.num_decisions();
    let assignments = (0..1usize << n).map(|bits| (0..n).map(|i| bits >> i & 1 == 1).collect());
    let assignments = assignments.map(Assignment::from_values);
    assignments.filter(|assignment| model.check(assignment).is_ok()).collect()
}

/// The values of integers and of the other variables, `x=1 n=-3`, in the order of the variables.
/// Only integers that are `whole` are shown as such, the others by their bits.
fn values(
    model: &Model,
    assignment: &Assignment,
    whole: impl Fn(&str) -> bool,
) -> BTreeMap<String, i128> {
    let whole: Vec<_> = model.integers().iter().filter(|integer| whole(&integer.name)).collect();
    let bits: HashSet<Var> = whole.iter().flat_map(|integer| integer.bits.clone()).collect();
    let vars = (0..model.num_decisions()).map(Var::new).filter(|var| !bits.contains(var));
    let values = vars.map(|var| (model.variable_name(var), i128::from(assignment.value(var))));
    let integers = whole.iter().map(|integer| (integer.name.clone(), integer.value(assignment)));
    values.chain(integers).collect()
}

fn joined(values: &BTreeMap<String, i128>) -> String {
    let values: Vec<String> =
        values.iter().map(|(name, value)| format!("{name}={value}")).collect();
    values.join(" ")
}

/// The solutions, as `n=-3 x=1`, sorted.
pub(crate) fn solutions(model: &Model) -> Vec<String> {
    let satisfying = satisfying(model);
    let solutions =
        satisfying.iter().map(|assignment| joined(&values(model, assignment, |_| true)));
    let mut solutions: Vec<String> = solutions.collect();
    solutions.sort();
    solutions
}

/// The best value of the objective as a fraction, and the solutions that have it.
pub(crate) fn optimum(model: &Model) -> (String, Vec<String>) {
    let objective = model.objective().expect("an objective");
    let sign = if objective.sense == Sense::Minimize { 1 } else { -1 };
    let satisfying = satisfying(model);
    let value = |assignment: &&Assignment| sign * objective.value(assignment).expect("small");
    let best = satisfying.iter().map(|assignment| value(&assignment)).min().expect("a solution");
    let solutions = satisfying.iter().filter(|assignment| value(assignment) == best);
    let solutions = solutions.map(|assignment| joined(&values(model, assignment, |_| true)));
    let value = sign * best;
    let value = match objective.divisor {
        divisor if value % divisor == 0 => (value / divisor).to_string(),
        divisor => format!("{value}/{divisor}"),
    };
    (value, solutions.collect())
}

fn sum(terms: impl Iterator<Item = Term>, model: &Model) -> String {
    let term = |Term { coefficient, lit }: Term| {
        let sign = if lit.is_negative() { "~" } else { "" };
        format!("{coefficient:+} {sign}{}", model.variable_name(lit.var()))
    };
    terms.map(term).collect::<Vec<_>>().join(" ")
}

/// The rows, as `name: +1 x -2 y >= 3`.
pub(crate) fn rows(model: &Model) -> Vec<String> {
    let row = |i: usize| {
        let row = model.explicit_row(i);
        let name = model.row_name(RowId(i as u64)).map_or_else(String::new, |name| name + ": ");
        let sum = sum(row.terms(), model);
        match (row.lower, row.upper) {
            (Some(lower), Some(upper)) if lower == upper => format!("{name}{sum} = {lower}"),
            (Some(lower), Some(upper)) => format!("{name}{lower} <= {sum} <= {upper}"),
            (Some(lower), None) => format!("{name}{sum} >= {lower}"),
            (None, Some(upper)) => format!("{name}{sum} <= {upper}"),
            (None, None) => format!("{name}{sum} free"),
        }
    };
    (0..model.num_explicit_rows()).map(row).collect()
}

/// The objective, as `min (+1 x -2 y + 3) / 1`.
pub(crate) fn objective(model: &Model) -> Option<String> {
    let Objective { sense, terms, constant, divisor } = model.objective()?.clone();
    let word = if sense == Sense::Minimize { "min" } else { "max" };
    Some(format!("{word} ({} {constant:+}) / {divisor}", sum(terms.into_iter(), model)))
}

/// How a text that is not in the format is refused.
pub(crate) fn parse_error(read: Result<Model, ReadError>) -> String {
    match read {
        Err(ReadError::Parse(error)) => format!("{error}\n{}", error.excerpt()),
        other => panic!("{other:?}"),
    }
}

/// How a text that needs more than is supported is refused.
pub(crate) fn unsupported(read: Result<Model, ReadError>) -> String {
    match read {
        Err(ReadError::Unsupported(error)) => format!("{error}\n{}", error.excerpt()),
        other => panic!("{other:?}"),
    }
}

// Random models.

fn coefficient() -> impl Strategy<Value = i128> {
    prop_oneof![
        6 => -3..=3i128,
        1 => Just(i128::from(i64::MAX)),
        1 => -(1i128 << 90)..(1i128 << 90),
    ]
}

fn terms() -> impl Strategy<Value = Vec<(i128, Lit)>> {
    let lit = (0..4usize, any::<bool>()).prop_map(|(index, sign)| Var::new(index).lit(sign));
    prop::collection::vec((coefficient(), lit), 0..5)
}

/// Multiples of the integers, and whether the bits get them in proportion.
fn multiples() -> impl Strategy<Value = Vec<(i128, usize, bool)>> {
    let is_whole = prop::bool::weighted(0.9);
    prop::collection::vec((-3..=3i128, 0..3usize, is_whole), 0..3)
}

fn row_name() -> impl Strategy<Value = Option<String>> {
    let names = ["c", "c_lo", "obj", "R2", "two words", "end", "a:b", "ünïcode"];
    prop::option::of(prop::sample::select(names.to_vec()).prop_map(str::to_owned))
}

/// Terms, and multiples of integers.
type AnySum = (Vec<(i128, Lit)>, Vec<(i128, usize, bool)>);

fn any_sum() -> impl Strategy<Value = AnySum> {
    (terms(), multiples())
}

/// A sum, its bounds, and its name.
fn any_row() -> impl Strategy<Value = (AnySum, [Option<i128>; 2], Option<String>)> {
    let bound = || prop::option::of(coefficient());
    let equal = bound().prop_map(|bound| [bound, bound]);
    let bounds = prop_oneof![(bound(), bound()).prop_map(|(lower, upper)| [lower, upper]), equal];
    (any_sum(), bounds, row_name())
}

/// Models of four 0-1 variables and three integers.
pub(crate) fn any_model() -> impl Strategy<Value = Model> {
    let bounds = prop::array::uniform3((-4..=4i128, 0..=5i128));
    let divisor = prop::sample::select(vec![1, 1, 2, 20, 3]);
    let objective = (any_sum(), any::<bool>(), coefficient(), divisor);
    let rows = prop::collection::vec(any_row(), 0..5);
    (bounds, rows, prop::option::of(objective)).prop_map(|(bounds, rows, objective)| {
        let mut model = Model::default();
        for name in ["x", "y_1", "z", "w"] {
            model.new_var(name);
        }
        for (name, (lower, range)) in ["k", "n", "m"].into_iter().zip(bounds) {
            model.new_integer(name, lower, lower + range);
        }
        let all_terms = |model: &Model, (mut terms, multiples): AnySum| {
            for (factor, integer, is_whole) in multiples {
                for (i, bit) in model.integers()[integer].bits.iter().enumerate() {
                    let weight = if is_whole { factor << i } else { factor };
                    terms.push((weight, bit.positive()));
                }
            }
            terms
        };
        for (sum, [lower, upper], name) in rows {
            let row = Linear { lower, upper, name, ..Linear::sum(all_terms(&model, sum)) };
            model.add(row);
        }
        if let Some((sum, is_minimized, constant, divisor)) = objective {
            let sense = if is_minimized { Sense::Minimize } else { Sense::Maximize };
            let term = |(coefficient, lit)| Term { coefficient, lit };
            let terms = all_terms(&model, sum).into_iter().map(term).collect();
            model.set_objective(Objective { sense, terms, constant, divisor });
        }
        model
    })
}

/// Rows without negated and repeated literals, by the names of the variables, a row with two
/// bounds as two; and without those that keep whole integers in their ranges.
fn canonical(
    model: &Model,
    whole: &HashSet<String>,
) -> Vec<(BTreeMap<String, i128>, &'static str, i128)> {
    // An integer from 0 to 1 comes back as a variable.
    let is_bit = |name: &str| {
        let mut integers = model.integers().iter();
        integers.any(|n| n.name == name && (n.lower, n.upper) == (0, 1)) && whole.contains(name)
    };
    let name = |var: Var| {
        let name = model.variable_name(var);
        match name.strip_suffix("@0") {
            Some(integer) if is_bit(integer) => integer.to_owned(),
            _ => name,
        }
    };
    let mut rows = Vec::new();
    for i in 0..model.num_explicit_rows() {
        let name_of_row = model.row_name(RowId(i as u64)).unwrap_or_default();
        if name_of_row.strip_prefix("range of ").is_some_and(|integer| whole.contains(integer)) {
            continue;
        }
        let row = model.explicit_row(i);
        let mut terms = BTreeMap::new();
        let mut constant = 0;
        for Term { coefficient, lit } in row.terms() {
            let (coefficient, moved) =
                if lit.is_negative() { (-coefficient, coefficient) } else { (coefficient, 0) };
            *terms.entry(name(lit.var())).or_insert(0) += coefficient;
            constant += moved;
        }
        terms.retain(|_, coefficient| *coefficient != 0);
        if row.lower == row.upper {
            rows.extend(row.lower.map(|bound| (terms, "=", bound - constant)));
            continue;
        }
        rows.extend(row.lower.map(|bound| (terms.clone(), ">=", bound - constant)));
        rows.extend(row.upper.map(|bound| (terms, "<=", bound - constant)));
    }
    rows
}

/// Fails unless reading the text gives the model again: its rows, its solutions and their values,
/// and, when it is written again, the text.
pub(crate) fn assert_comes_back(
    model: &Model,
    text: &str,
    read: fn(&[u8]) -> Result<Model, ReadError>,
    written: impl Fn(&Model) -> String,
) {
    let back = read(text.as_bytes()).unwrap_or_else(|error| panic!("{error} in:\n{text}"));
    let names = (0..back.num_decisions()).map(|i| back.variable_name(Var::new(i)));
    let integers = back.integers().iter().map(|integer| integer.name.clone());
    let known: HashSet<String> = names.chain(integers).collect();
    assert_eq!(canonical(&back, &known), canonical(model, &known), "{text}");
    let factor = if text.contains("divided by 3") { 3 } else { 1 };
    let solutions = |model: &Model, factor: i128| {
        let satisfying = satisfying(model);
        let solutions = satisfying.iter().map(|assignment| {
            let values = values(model, assignment, |name| known.contains(name));
            let value = model.objective().map_or(0, |objective| {
                // Over the denominator 60, which all divisors have.
                objective.value(assignment).expect("small") * factor * (60 / objective.divisor)
            });
            (values, value)
        });
        let mut solutions: Vec<_> = solutions.collect();
        solutions.sort();
        solutions
    };
    assert_eq!(solutions(&back, 1), solutions(model, factor), "{text}");
    // Comments are not read.
    let statements = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with(['\\', '*']));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(statements(&written(&back)), statements(text));
}

/// A small generator of pseudo-random numbers (xorshift64).
struct Random(u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).expect("below a usize")
    }
}

/// Reads random texts over an alphabet of words and mutations of a valid text; none may panic, and
/// every refusal has a place. Returns the number of those that were read.
pub(crate) fn read_mutations(
    valid: &str,
    words: &[&str],
    read: fn(&[u8]) -> Result<Model, ReadError>,
) -> usize {
    const BYTES: &[u8] = b"+-0123456789 xe.~;=<>*@[]:\n\r\t'$#\\_\xff\xef\xbb\xbf\0";
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut num_read = 0;
    for round in 0..20_000 {
        let mut text = Vec::new();
        if round % 4 == 0 {
            for _ in 0..random.below(25) {
                text.extend(words[random.below(words.len())].bytes());
            }
        } else {
            text.extend(valid.bytes());
            for _ in 0..=random.below(4) {
                let at = random.below(text.len());
                match random.below(4) {
                    0 => text[at] = BYTES[random.below(BYTES.len())],
                    1 => text.insert(at, BYTES[random.below(BYTES.len())]),
                    2 => drop(text.splice(at..at, words[random.below(words.len())].bytes())),
                    _ => drop(text.drain(at..(at + random.below(5)).min(text.len()))),
                }
            }
        }
        match read(&text) {
            Ok(_) => num_read += 1,
            Err(error) => assert!(error.place().excerpt().contains('^')),
        }
    }
    num_read
}
