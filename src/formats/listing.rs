//! The listing: the concrete model as a person would write it down, each row with its sentence.

use super::WriteError;
use super::write_error::numbered_variables;
use pbsolve_model::{Model, RowId, RowView, Sense, Term, Var};
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

/// Writes the model for people:
///
/// ```text
/// # digits differ
/// x_1_1 + x_1_2 = 1   (Digit 1 on Row 1)
/// 1 <= x_1_1 + 2 x_2_1 - x_2_2 <= 2   (...)
///
/// # domains
/// x_1_1, ..., x_2_2 in {0, 1}
/// ```
///
/// A negated literal `~x` is written as the number it is, `(1 - x)`.
///
/// # Errors
/// If `out` fails, or if there are more than 2^31 - 1 variables.
pub fn write_listing(model: &Model, out: &mut dyn Write) -> Result<(), WriteError> {
    numbered_variables(model)?;
    let mut out = BufWriter::new(out);
    write_objective(model, &mut out)?;
    // Headings and the rows that they stand before.
    let mut first_row = model.num_explicit_rows() as u64;
    let mut headings = vec![(0, "rows", first_row)];
    for family in model.families() {
        headings.push((first_row, family.name(), family.num_rows()));
        first_row += family.num_rows();
    }
    let mut headings = headings.into_iter().filter(|&(_, _, num_rows)| num_rows > 0).peekable();
    let flow = model.for_each_row(|id, row| {
        let written = match headings.next_if(|&(first_row, _, _)| first_row == id.0) {
            Some((_, heading, _)) => write_heading(id, heading, &mut out),
            None => Ok(()),
        };
        match written.and_then(|()| write_row(model, id, row, &mut out)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    });
    if let ControlFlow::Break(error) = flow {
        return Err(error.into());
    }
    write_domains(model, &mut out)?;
    Ok(out.flush()?)
}

fn write_objective(model: &Model, out: &mut impl Write) -> io::Result<()> {
    let Some(objective) = model.objective() else { return Ok(()) };
    let sense = match objective.sense {
        Sense::Minimize => "minimize",
        Sense::Maximize => "maximize",
    };
    write!(out, "{sense} ")?;
    if objective.is_constant() {
        write!(out, "{}", objective.constant)?;
    } else {
        write_sum(model, objective.terms.iter().copied(), out)?;
        write_signed(objective.constant, out)?;
    }
    writeln!(out, "\n")
}

fn write_signed(constant: i128, out: &mut impl Write) -> io::Result<()> {
    match constant {
        0 => Ok(()),
        1.. => write!(out, " + {constant}"),
        _ => write!(out, " - {}", constant.unsigned_abs()),
    }
}

fn write_heading(first_row: RowId, heading: &str, out: &mut impl Write) -> io::Result<()> {
    if first_row.0 > 0 {
        writeln!(out)?;
    }
    writeln!(out, "# {heading}")
}

fn write_row(model: &Model, id: RowId, row: RowView<'_>, out: &mut impl Write) -> io::Result<()> {
    let is_equation = row.lower == row.upper;
    if let (Some(lower), Some(_), false) = (row.lower, row.upper, is_equation) {
        write!(out, "{lower} <= ")?;
    }
    write_sum(model, row.terms(), out)?;
    match (row.lower, row.upper) {
        (Some(bound), Some(_)) if is_equation => write!(out, " = {bound}")?,
        (_, Some(upper)) => write!(out, " <= {upper}")?,
        (Some(lower), None) => write!(out, " >= {lower}")?,
        (None, None) => write!(out, " is free")?,
    }
    writeln!(out, "   ({})", model.row_sentence(id))
}

fn write_sum(
    model: &Model,
    terms: impl Iterator<Item = Term>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut is_first = true;
    for Term { coefficient, lit } in terms {
        let sign = match (is_first, coefficient < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        write!(out, "{sign}")?;
        match coefficient.unsigned_abs() {
            1 => {}
            weight => write!(out, "{weight} ")?,
        }
        let name = model.variable_name(lit.var());
        if lit.is_negative() {
            write!(out, "(1 - {name})")?;
        } else {
            write!(out, "{name}")?;
        }
        is_first = false;
    }
    if is_first {
        write!(out, "0")?;
    }
    Ok(())
}

/// Writes the decision variables, then the indicators of each family, by the first and the last.
fn write_domains(model: &Model, out: &mut impl Write) -> io::Result<()> {
    if model.num_rows() > 0 {
        writeln!(out)?;
    }
    writeln!(out, "# domains")?;
    let mut first = 0;
    let indicators = model.families().iter().map(|family| family.num_indicators());
    for length in std::iter::once(model.num_decisions() as u64).chain(indicators) {
        let end = first + usize::try_from(length).expect("all variables can be numbered");
        let name = |index| model.variable_name(Var::new(index));
        if end - first > 3 {
            writeln!(out, "{}, ..., {} in {{0, 1}}", name(first), name(end - 1))?;
        } else if end > first {
            let names: Vec<String> = (first..end).map(name).collect();
            writeln!(out, "{} in {{0, 1}}", names.join(", "))?;
        }
        first = end;
    }
    Ok(())
}
