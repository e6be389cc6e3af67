//! The writer: row by row, in the grammar that every competition solver reads.

use crate::decimal::decimal;
use crate::formats::WriteError;
use crate::formats::write_error::numbered_variables;
use pbsolve_model::{Assignment, Model, RowView, Sense, Term, Var};
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

/// Writes a model, indicators included, as variables `x1` to `xN`.
///
/// A variable with another name has it in a comment, `* map x1 NAME`. A row whose bounds differ
/// becomes two constraints, one without bounds none. `c ~x` is written as `c - c x`, and `<=` as
/// `>=` of the negated row. Coefficients are neither merged nor dropped.
///
/// An objective without terms is not written. A maximised one is negated, since the format knows
/// only `min:`; a comment before it says so and states the constant, which the format lacks.
///
/// # Errors
/// If `out` fails, if there are more than 2^31 - 1 variables, or if a bound leaves 128 bits when
/// it is moved or negated.
pub fn write(model: &Model, out: &mut dyn Write) -> Result<(), WriteError> {
    write_with(model, out, |out| write_objective(model, out))
}

/// Writes a model without an objective, with the number of literals that agree with an assignment as
/// the objective instead.
///
/// # Errors
/// As [`write`].
pub(crate) fn write_agreeing(
    model: &Model,
    assignment: &Assignment,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    write_with(model, out, |out| {
        out.write_all(b"min:")?;
        let mut number = itoa::Buffer::new();
        for lit in assignment.lits() {
            out.write_all(if lit.is_negative() { b" +1 ~x" } else { b" +1 x" })?;
            out.write_all(number.format(lit.var().index() + 1).as_bytes())?;
        }
        Ok(writeln!(out, " ;")?)
    })
}

fn write_with<W: Write>(
    model: &Model,
    out: W,
    write_objective: impl FnOnce(&mut BufWriter<W>) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let num_variables = numbered_variables(model)?;
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let num_constraints = num_constraints(model);
    writeln!(out, "* #variable= {num_variables} #constraint= {num_constraints}")?;
    write_map(model, num_variables, &mut out)?;
    write_objective(&mut out)?;
    let mut text = Vec::new();
    let flow = model.for_each_row(|id, row| {
        text.clear();
        if append_row(row, num_variables, &mut text).is_none() {
            return ControlFlow::Break(WriteError::NumberTooWide(model.row_sentence(id)));
        }
        match out.write_all(&text) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(WriteError::Io(error)),
        }
    });
    if let ControlFlow::Break(error) = flow {
        return Err(error);
    }
    Ok(out.flush()?)
}

fn num_constraints(model: &Model) -> u64 {
    let mut count = 0;
    let flow: ControlFlow<()> = model.for_each_row(|_, row| {
        count += match (row.lower, row.upper) {
            (None, None) => 0,
            (Some(lower), Some(upper)) if lower != upper => 2,
            _ => 1,
        };
        ControlFlow::Continue(())
    });
    debug_assert!(flow.is_continue(), "all rows are counted");
    count
}

fn write_map(model: &Model, num_variables: usize, out: &mut impl Write) -> io::Result<()> {
    let mut number = itoa::Buffer::new();
    for index in 0..num_variables {
        let name = model.variable_name(Var::new(index));
        let number = number.format(index + 1);
        if name.strip_prefix('x').is_none_or(|digits| digits != number) {
            out.write_all(b"* map x")?;
            out.write_all(number.as_bytes())?;
            out.write_all(b" ")?;
            // A name must not end its comment.
            if name.contains(char::is_control) {
                out.write_all(name.replace(char::is_control, "?").as_bytes())?;
            } else {
                out.write_all(name.as_bytes())?;
            }
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}

fn write_objective(model: &Model, out: &mut impl Write) -> Result<(), WriteError> {
    let Some(objective) = model.objective().filter(|objective| !objective.is_constant()) else {
        return Ok(());
    };
    let too_wide = || WriteError::NumberTooWide("objective".to_owned());
    let constant = moved_bound(objective.terms.iter().copied(), 0);
    let constant = constant.and_then(|moved| objective.constant.checked_sub(moved));
    let constant = constant.ok_or_else(too_wide)?;
    let is_negated = objective.sense == Sense::Maximize;
    if is_negated {
        writeln!(out, "* maximize {constant} minus the sum that is minimized here")?;
    } else if constant != 0 {
        writeln!(out, "* minimize {constant} plus the sum that is minimized here")?;
    }
    write!(out, "min:")?;
    for &term in &objective.terms {
        let (coefficient, var) = over_variable(term, is_negated).ok_or_else(too_wide)?;
        write!(out, " {coefficient:+} x{}", var.index() + 1)?;
    }
    Ok(writeln!(out, " ;")?)
}

/// Appends the constraints of a row; `None` if a bound is beyond 128 bits.
fn append_row(row: RowView<'_>, num_variables: usize, text: &mut Vec<u8>) -> Option<()> {
    let moved = |bound: i128| moved_bound(row.terms(), bound);
    match (row.lower, row.upper) {
        (Some(lower), Some(upper)) if lower == upper => {
            append_sum(row, false, num_variables, text);
            append_bound(b"= ", moved(lower)?, text);
        }
        (lower, upper) => {
            if let Some(lower) = lower {
                append_sum(row, false, num_variables, text);
                append_bound(b">= ", moved(lower)?, text);
            }
            if let Some(upper) = upper {
                append_sum(row, true, num_variables, text);
                append_bound(b">= ", moved(upper)?.checked_neg()?, text);
            }
        }
    }
    Some(())
}

fn append_bound(relation: &[u8], bound: i128, text: &mut Vec<u8>) {
    text.extend_from_slice(relation);
    text.extend_from_slice(decimal(&mut itoa::Buffer::new(), bound).as_bytes());
    text.extend_from_slice(b" ;\n");
}

fn append_sum(row: RowView<'_>, is_negated: bool, num_variables: usize, text: &mut Vec<u8>) {
    // The grammar wants a term in every sum.
    if row.is_empty() && num_variables > 0 {
        return text.extend_from_slice(b"+0 x1 ");
    }
    let mut number = itoa::Buffer::new();
    for term in row.terms() {
        let (coefficient, var) =
            over_variable(term, is_negated).expect("model rows can be negated");
        match coefficient {
            1 => text.extend_from_slice(b"+1 x"),
            -1 => text.extend_from_slice(b"-1 x"),
            _ => {
                text.extend_from_slice(if coefficient >= 0 { b"+" } else { b"" });
                text.extend_from_slice(decimal(&mut number, coefficient).as_bytes());
                text.extend_from_slice(b" x");
            }
        }
        text.extend_from_slice(number.format(var.index() + 1).as_bytes());
        text.push(b' ');
    }
}

/// The bound when negated literals are rewritten: `c ~x >= b` is `-c x >= b - c`.
fn moved_bound(terms: impl Iterator<Item = Term>, bound: i128) -> Option<i128> {
    let mut negated = terms.filter(|term| term.lit.is_negative()).map(|term| term.coefficient);
    bound.checked_sub(negated.try_fold(0, i128::checked_add)?)
}

/// The coefficient of the term's variable, in the sum or the negated sum.
fn over_variable(term: Term, is_negated: bool) -> Option<(i128, Var)> {
    let Term { coefficient, lit } = term;
    let keeps_sign = lit.is_negative() == is_negated;
    let coefficient = if keeps_sign { Some(coefficient) } else { coefficient.checked_neg() };
    Some((coefficient?, lit.var()))
}
