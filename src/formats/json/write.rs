//! The writer: one variable and one constraint a line.

use crate::formats::WriteError;
use crate::formats::write_error::numbered_variables;
use pbsolve_model::{Integer, Model, Objective, RowId, RowView, Sense, Term, Var};
use std::collections::HashSet;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

/// Writes a model, indicators included.
///
/// Terms are written as they are, in order, neither merged nor dropped. An integer variable is
/// written as such in every sum in which its binary digits follow one another in proportion, and
/// elsewhere by its digits, so that reading the text gives the same rows; the rows that keep
/// integers in range follow from their bounds and are not written. An integer from 0 to 1 is
/// written as a 0-1 variable, one with a single value after all variables. Of rows with the same name, only the first gets it.
///
/// # Errors
/// If `out` fails, if there are more than 2^31 - 1 variables, and if names cannot be told apart:
/// two are the same, or one is that of another with `~` before it, or has control characters.
pub fn write(model: &Model, out: &mut dyn Write) -> Result<(), WriteError> {
    let names = Names::new(model)?;
    let mut out = BufWriter::new(out);
    write!(out, "{{\n  \"version\": 1,\n  \"variables\": [")?;
    write_variables(&names, &mut out)?;
    writeln!(out, "],")?;
    if let Some(objective) = model.objective() {
        write!(out, "  \"objective\": ")?;
        write_objective(objective, &names, &mut out)?;
        writeln!(out, ",")?;
    }
    write!(out, "  \"constraints\": [")?;
    let mut separation = "\n    ";
    let mut row_names = HashSet::new();
    let flow = model.for_each_row(|id, row| {
        if names.is_range(id, row) {
            return ControlFlow::Continue(());
        }
        let name = model.row_name(id).filter(|name| {
            let is_legal = !name.is_empty() && !name.contains(char::is_control);
            is_legal && row_names.insert(name.clone())
        });
        let written = write!(out, "{separation}")
            .and_then(|()| write_row(name.as_deref(), row, &names, &mut out));
        separation = ",\n    ";
        written.map_or_else(ControlFlow::Break, ControlFlow::Continue)
    });
    if let ControlFlow::Break(error) = flow {
        return Err(error.into());
    }
    let end = if separation.starts_with(',') { "\n  " } else { "" };
    write!(out, "{end}]\n}}\n")?;
    Ok(out.flush()?)
}

/// How variables are called, in quotes, and which of them are digits of integers.
#[derive(Debug)]
struct Names<'m> {
    model: &'m Model,
    of_variables: Vec<String>,
    /// Empty for integers that are written as 0-1 variables.
    of_integers: Vec<String>,
    /// The integer of which a variable is the lowest digit.
    begins: Vec<Option<usize>>,
}

impl<'m> Names<'m> {
    fn new(model: &'m Model) -> Result<Names<'m>, WriteError> {
        let num_variables = numbered_variables(model)?;
        let mut of_variables: Vec<String> =
            (0..num_variables).map(|index| model.variable_name(Var::new(index))).collect();
        let mut of_integers = Vec::new();
        let mut begins = vec![None; num_variables];
        for (i, integer) in model.integers().iter().enumerate() {
            let mut name = integer.name.clone();
            if is_binary(integer) {
                of_variables[integer.bits[0].index()] = std::mem::take(&mut name);
            } else if let Some(lowest) = integer.bits.first() {
                begins[lowest.index()] = Some(i);
            }
            of_integers.push(name);
        }
        check_names(
            &of_variables.iter().chain(of_integers.iter().filter(|name| !name.is_empty())),
        )?;
        for name in of_variables.iter_mut().chain(&mut of_integers) {
            *name = serde_json::to_string(name).map_err(io::Error::from)?;
        }
        Ok(Names { model, of_variables, of_integers, begins })
    }

    /// The integer whose digits, in proportion, these terms begin with.
    fn integer(&self, terms: &[Term]) -> Option<usize> {
        let first = terms.first()?;
        let i = self.begins[first.lit.var().index()]?;
        let digits = &self.model.integers()[i].bits;
        let terms = terms.get(..digits.len())?;
        let mut places = terms.iter().zip(digits).enumerate();
        let is_whole = places.all(|(place, (term, digit))| {
            let expected = first.coefficient.checked_mul(1 << place);
            term.lit == digit.positive() && Some(term.coefficient) == expected
        });
        is_whole.then_some(i)
    }

    /// Whether a row is the one that an integer gets when it is read.
    fn is_range(&self, id: RowId, row: RowView<'_>) -> bool {
        let (Some(upper), None, Some(first)) = (row.upper, row.lower, row.lits.first()) else {
            return false;
        };
        let Some(i) = self.begins.get(first.var().index()).copied().flatten() else { return false };
        let integer = &self.model.integers()[i];
        let terms: Vec<Term> = row.terms().collect();
        let range = integer.upper - integer.lower;
        terms.len() == integer.bits.len()
            && terms[0].coefficient == 1
            && self.integer(&terms) == Some(i)
            && upper == range
            && (range + 1).count_ones() != 1
            && self.model.row_name(id) == Some(format!("range of {}", integer.name))
    }
}

fn is_binary(integer: &Integer) -> bool {
    (integer.lower, integer.upper) == (0, 1)
}

fn check_names<'n>(names: &(impl Iterator<Item = &'n String> + Clone)) -> Result<(), WriteError> {
    let mut known = HashSet::new();
    let repeated = names.clone().find(|name| !known.insert(name.as_str()));
    let illegal = |name: &&String| {
        name.is_empty()
            || name.contains(char::is_control)
            || name.strip_prefix('~').is_some_and(|negated| known.contains(negated))
    };
    match repeated.or_else(|| names.clone().find(illegal)) {
        Some(name) => Err(WriteError::Name(name.clone())),
        None => Ok(()),
    }
}

fn write_variables(names: &Names<'_>, out: &mut impl Write) -> io::Result<()> {
    let model = names.model;
    let mut separation = "\n    ";
    let mut declare = |declaration: &str| -> io::Result<()> {
        write!(out, "{separation}{declaration}")?;
        separation = ",\n    ";
        Ok(())
    };
    let integer = |i: usize| {
        let Integer { lower, upper, .. } = model.integers()[i];
        let name = &names.of_integers[i];
        format!("{{\"name\": {name}, \"lower\": {}, \"upper\": {}}}", Number(lower), Number(upper))
    };
    let mut index = 0;
    while let Some(name) = names.of_variables.get(index) {
        if let Some(i) = names.begins[index] {
            declare(&integer(i))?;
            index += model.integers()[i].bits.len();
        } else {
            declare(name)?;
            index += 1;
        }
    }
    let integers = model.integers().iter().enumerate();
    for (i, _) in integers.filter(|(_, integer)| integer.bits.is_empty()) {
        declare(&integer(i))?;
    }
    if separation.starts_with(',') { write!(out, "\n  ") } else { Ok(()) }
}

fn write_objective(
    objective: &Objective,
    names: &Names<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let sense = match objective.sense {
        Sense::Minimize => "min",
        Sense::Maximize => "max",
    };
    let sum = Sum::new(&objective.terms, names);
    let constant = |sum: &Sum| objective.constant.checked_sub(sum.offset);
    let sum = sum.filter(|sum| constant(sum).is_some());
    let sum = sum.unwrap_or_else(|| Sum::by_digits(&objective.terms));
    let offset = constant(&sum).expect("digits add nothing");
    write!(out, "{{\"sense\": \"{sense}\", ")?;
    write_terms(&sum, names, out)?;
    write!(out, ", \"offset\": {}, \"divisor\": {}}}", Number(offset), Number(objective.divisor))
}

fn write_row(
    name: Option<&str>,
    row: RowView<'_>,
    names: &Names<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let terms: Vec<Term> = row.terms().collect();
    let moved = |sum: &Sum| {
        let bound = |bound: Option<i128>| match bound {
            Some(bound) => bound.checked_add(sum.offset).map(Some),
            None => Some(None),
        };
        bound(row.lower).zip(bound(row.upper))
    };
    let sum = Sum::new(&terms, names).filter(|sum| moved(sum).is_some());
    let sum = sum.unwrap_or_else(|| Sum::by_digits(&terms));
    let (lower, upper) = moved(&sum).expect("digits add nothing");
    write!(out, "{{")?;
    if let Some(name) = name {
        write!(out, "\"name\": {}, ", serde_json::to_string(name)?)?;
    }
    write_terms(&sum, names, out)?;
    for (field, bound) in [("lower", lower), ("upper", upper)] {
        match bound {
            Some(bound) => write!(out, ", \"{field}\": {}", Number(bound))?,
            None => write!(out, ", \"{field}\": null")?,
        }
    }
    write!(out, "}}")
}

/// A sum as it is written.
#[derive(Debug)]
struct Sum {
    terms: Vec<(i128, Operand)>,
    /// By how much it exceeds the sum over variables: what the integers are at least.
    offset: i128,
}

#[derive(Clone, Copy, Debug)]
enum Operand {
    Literal(pbsolve_model::Lit),
    Integer(usize),
}

impl Sum {
    /// With integers where their digits are in proportion; `None` if the offset is beyond 128 bits.
    fn new(mut terms: &[Term], names: &Names<'_>) -> Option<Sum> {
        let mut sum = Sum { terms: Vec::with_capacity(terms.len()), offset: 0 };
        while let Some((&Term { coefficient, lit }, rest)) = terms.split_first() {
            if let Some(i) = names.integer(terms) {
                let integer = &names.model.integers()[i];
                sum.offset = sum.offset.checked_add(coefficient.checked_mul(integer.lower)?)?;
                sum.terms.push((coefficient, Operand::Integer(i)));
                terms = &terms[integer.bits.len()..];
            } else {
                sum.terms.push((coefficient, Operand::Literal(lit)));
                terms = rest;
            }
        }
        Some(sum)
    }

    fn by_digits(terms: &[Term]) -> Sum {
        let literal = |term: &Term| (term.coefficient, Operand::Literal(term.lit));
        Sum { terms: terms.iter().map(literal).collect(), offset: 0 }
    }
}

fn write_terms(sum: &Sum, names: &Names<'_>, out: &mut impl Write) -> io::Result<()> {
    write!(out, "\"terms\": [")?;
    for (i, &(coefficient, operand)) in sum.terms.iter().enumerate() {
        let separation = if i == 0 { "" } else { ", " };
        write!(out, "{separation}[{}, ", Number(coefficient))?;
        match operand {
            Operand::Literal(lit) => {
                let name = &names.of_variables[lit.var().index()];
                let sign = if lit.is_negative() { "~" } else { "" };
                write!(out, "\"{sign}{}]", &name[1..])?;
            }
            Operand::Integer(i) => write!(out, "{}]", names.of_integers[i])?,
        }
    }
    write!(out, "]")
}

/// An integer as every JSON reader keeps it: beyond 2^53 in quotes.
struct Number(i128);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Number(number) = *self;
        let is_exact = number.unsigned_abs() <= 1 << 53;
        if is_exact { write!(f, "{number}") } else { write!(f, "\"{number}\"") }
    }
}
