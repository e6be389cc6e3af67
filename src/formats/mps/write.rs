//! The writer: the free format, column by column.

use crate::formats::WriteError;
use crate::formats::program::{Columns, ObjectiveOverColumns, RowOverColumns};
use crate::formats::rational::Rational;
use pbsolve_model::{Model, Sense};
use std::collections::HashSet;
use std::io::{BufWriter, Write};

/// Writes a model, indicators included, in the free format.
///
/// The terms of a row are merged, and `c ~x` is written as `c - c x`. A row whose bounds differ is
/// of kind `G` with a range; if no sum is allowed or the range leaves 128 bits, it becomes two,
/// `NAME_lo` and `NAME_up`. A row without bounds is an `N` row after the objective, which is called
/// `obj`. Rows without a name, with one that MPS does not allow or that occurs twice are called
/// `R1`, `R2`, ... by their place. If that is so for a variable, all variables are called `x1`,
/// `x2`, ... and a comment `* map x1 NAME` tells the name of each. A maximized objective has
/// `OBJSENSE`, which some programs (glpsol) refuse; its constant is the negated right-hand side,
/// which some (glpsol again) do not negate.
///
/// An integer variable is written as such where the objective and all rows use its bits in
/// proportion, as they do in every model that was read from LP or MPS; otherwise, and with bounds
/// of `1e20` or more, by its bits. An objective with a divisor is written in decimals or, if they
/// do not end, in integers with the divisor in a comment.
///
/// # Errors
/// If `out` fails, if there are more than 2^31 - 1 variables, or if a number leaves 128 bits when
/// terms are merged or moved.
pub fn write(model: &Model, out: &mut dyn Write) -> Result<(), WriteError> {
    let columns = Columns::new(model, is_legal)?;
    let objective = columns.objective()?;
    write_columns(model, &columns, &objective, out)
}

/// Writes a model for a solver whose answer is read by the numbers of the columns, which are all
/// called `x1`, `x2`, ...; minimised, and without the constant of the objective, which solvers read
/// differently.
///
/// # Errors
/// As [`write()`].
pub(crate) fn write_numbered(
    model: &Model,
    columns: &Columns<'_>,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let objective = columns.objective()?;
    let too_wide = || WriteError::NumberTooWide("objective".to_owned());
    let minimized = |&(coefficient, column): &(Rational, usize)| match objective.sense {
        Sense::Minimize => Some((coefficient, column)),
        Sense::Maximize => Some((coefficient.checked_neg()?, column)),
    };
    let terms: Option<Vec<_>> = objective.terms.iter().map(minimized).collect();
    let objective = ObjectiveOverColumns {
        sense: Sense::Minimize,
        terms: terms.ok_or_else(too_wide)?,
        constant: Rational::ZERO,
        divisor: objective.divisor,
    };
    write_columns(model, columns, &objective, out)
}

fn write_columns(
    model: &Model,
    columns: &Columns<'_>,
    objective: &ObjectiveOverColumns,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let (rows, entries) = rows(model, columns)?;
    let objective_name = objective_name(&rows);
    let mut out = BufWriter::new(out);

    for (written, name) in columns.replaced_names() {
        writeln!(out, "* map {written} {name}")?;
    }
    if objective.divisor > 1 {
        writeln!(out, "* the value of the objective is this sum divided by {}", objective.divisor)?;
    }
    writeln!(out, "NAME pbsolve")?;
    if objective.sense == Sense::Maximize {
        writeln!(out, "OBJSENSE\n    MAX")?;
    }
    writeln!(out, "ROWS\n N {objective_name}")?;
    for row in &rows {
        writeln!(out, " {} {}", row.kind, row.name)?;
    }

    writeln!(out, "COLUMNS")?;
    if columns.len() > 0 {
        writeln!(out, " MARKER 'MARKER' 'INTORG'")?;
    }
    let mut costs = vec![Rational::ZERO; columns.len()];
    for &(coefficient, column) in &objective.terms {
        costs[column] = coefficient;
    }
    let mut entries = entries.as_slice();
    for (column, &cost) in costs.iter().enumerate() {
        let name = columns.name(column);
        let end = entries.partition_point(|entry| entry.column == column);
        let (of_column, others) = entries.split_at(end);
        entries = others;
        // Every column has an entry.
        if !cost.is_zero() || of_column.is_empty() {
            writeln!(out, " {name} {objective_name} {}", decimal(cost))?;
        }
        for entry in of_column {
            writeln!(out, " {name} {} {}", rows[entry.row].name, entry.coefficient)?;
        }
    }
    if columns.len() > 0 {
        writeln!(out, " MARKER 'MARKER' 'INTEND'")?;
    }

    writeln!(out, "RHS")?;
    if !objective.constant.is_zero() {
        let negated = objective.constant.checked_neg();
        let negated = negated.ok_or_else(|| WriteError::NumberTooWide("objective".to_owned()))?;
        writeln!(out, " RHS {objective_name} {}", decimal(negated))?;
    }
    for row in rows.iter().filter(|row| row.right_side != 0) {
        writeln!(out, " RHS {} {}", row.name, row.right_side)?;
    }
    if rows.iter().any(|row| row.range.is_some()) {
        writeln!(out, "RANGES")?;
    }
    for row in &rows {
        if let Some(range) = row.range {
            writeln!(out, " RNG {} {range}", row.name)?;
        }
    }
    if columns.len() > 0 {
        writeln!(out, "BOUNDS")?;
    }
    for column in 0..columns.len() {
        let name = columns.name(column);
        match columns.bounds(column) {
            // In the places of the fixed format: CBC takes this line without a value for one of it.
            None => writeln!(out, " BV BND       {name}")?,
            Some((lower, upper)) if lower == upper => writeln!(out, " FX BND {name} {lower}")?,
            Some((lower, upper)) => {
                writeln!(out, " LO BND {name} {lower}\n UP BND {name} {upper}")?;
            }
        }
    }
    writeln!(out, "ENDATA")?;
    Ok(out.flush()?)
}

/// A row without its terms, as it is written.
#[derive(Debug)]
struct WrittenRow {
    kind: char,
    name: String,
    right_side: i128,
    range: Option<i128>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    column: usize,
    row: usize,
    coefficient: i128,
}

/// The rows, and their entries by columns.
fn rows(model: &Model, columns: &Columns<'_>) -> Result<(Vec<WrittenRow>, Vec<Entry>), WriteError> {
    let mut rows: Vec<WrittenRow> = Vec::new();
    let mut entries = Vec::new();
    columns.for_each_row(|id, row| {
        let name = model.row_name(id);
        for (suffix, written) in written_rows(&row) {
            let terms = row.terms.iter();
            let row = rows.len();
            entries.extend(terms.map(|&(coefficient, column)| Entry { column, row, coefficient }));
            let name = name.as_ref().map_or_else(String::new, |name| format!("{name}{suffix}"));
            rows.push(WrittenRow { name, ..written });
        }
        Ok::<(), WriteError>(())
    })?;
    entries.sort_by_key(|entry| entry.column);
    name_all(&mut rows);
    Ok((rows, entries))
}

/// The rows that state the bounds of a row, with the ends of their names.
fn written_rows(row: &RowOverColumns) -> impl Iterator<Item = (&'static str, WrittenRow)> {
    let written =
        |kind, right_side, range| WrittenRow { kind, name: String::new(), right_side, range };
    let rows = match (row.lower, row.upper) {
        (None, None) => [Some(("", written('N', 0, None))), None],
        (Some(lower), Some(upper)) if lower == upper => {
            [Some(("", written('E', lower, None))), None]
        }
        (Some(lower), Some(upper)) => {
            let range = upper.checked_sub(lower).filter(|&range| range > 0);
            match range {
                Some(_) => [Some(("", written('G', lower, range))), None],
                None => [
                    Some(("_lo", written('G', lower, None))),
                    Some(("_up", written('L', upper, None))),
                ],
            }
        }
        (lower, upper) => [
            lower.map(|lower| ("", written('G', lower, None))),
            upper.map(|upper| ("", written('L', upper, None))),
        ],
    };
    rows.into_iter().flatten()
}

/// Gives every row a name of its own.
fn name_all(rows: &mut [WrittenRow]) {
    let mut known = HashSet::with_capacity(rows.len());
    for row in rows.iter_mut() {
        if !is_legal(&row.name) || !known.insert(row.name.clone()) {
            row.name.clear();
        }
    }
    for (i, row) in rows.iter_mut().enumerate() {
        if row.name.is_empty() {
            row.name = format!("R{}", i + 1);
            while !known.insert(row.name.clone()) {
                row.name.push('_');
            }
        }
    }
}

/// A name for the objective that no row has.
fn objective_name(rows: &[WrittenRow]) -> String {
    let mut name = "obj".to_owned();
    let taken: HashSet<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    while taken.contains(name.as_str()) {
        name.push('_');
    }
    name
}

/// Whether all programs read this as a name.
fn is_legal(name: &str) -> bool {
    const MAX_LENGTH: usize = 255;
    let bytes = name.as_bytes();
    // Some take these for the beginning of a comment or of a marker.
    let may_begin = !matches!(bytes, [] | [b'*' | b'$' | b'\'', ..]);
    may_begin && bytes.len() <= MAX_LENGTH && bytes.iter().all(u8::is_ascii_graphic)
}

fn decimal(number: Rational) -> String {
    number.to_decimal().expect("numbers are written that have a decimal notation")
}
