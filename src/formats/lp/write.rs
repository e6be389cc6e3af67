//! The writer: one-sided rows, merged terms and plain names, which every reader of LP knows.

use super::scan::{is_sign_of_names, section_word};
use crate::formats::WriteError;
use crate::formats::program::{Columns, ObjectiveOverColumns, RowOverColumns};
use crate::formats::rational::Rational;
use pbsolve_model::{Model, Sense};
use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, BufWriter, Write};

/// Writes a model, indicators included.
///
/// The terms of a row are merged, and `c ~x` is written as `c - c x`. A row whose bounds differ
/// becomes two, `NAME_lo` and `NAME_up`, one without bounds none. Names that LP does not allow, or
/// that occur twice, are left out for rows; for variables, all are called `x1`, `x2`, ... and a
/// comment `\ map x1 NAME` tells the name of each. Variables in no row are in the objective, times
/// 0.
///
/// An integer variable is written as such where the objective and all rows use its bits in
/// proportion, as they do in every model that was read from LP or MPS; otherwise, and with bounds
/// of `1e20` or more, by its bits. An objective with a divisor is written in decimals or, if they
/// do not end, in integers with the divisor in a comment. A constant in the objective is written as
/// such, though some programs (glpsol) refuse it.
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
/// called `x1`, `x2`, ...; without the constant of the objective.
///
/// # Errors
/// As [`write()`].
pub(crate) fn write_numbered(
    model: &Model,
    columns: &Columns<'_>,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let objective = ObjectiveOverColumns { constant: Rational::ZERO, ..columns.objective()? };
    write_columns(model, columns, &objective, out)
}

fn write_columns(
    model: &Model,
    columns: &Columns<'_>,
    objective: &ObjectiveOverColumns,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let appearance = Appearance::new(columns, objective)?;
    let filler = appearance.columns.first().map(|&column| columns.name(column));
    let filler = filler.as_deref();
    let mut out = Lines { out: BufWriter::new(out), length: 0 };

    for (written, name) in columns.replaced_names() {
        out.line(&format!("\\ map {written} {name}"))?;
    }
    if objective.divisor > 1 {
        let divisor = objective.divisor;
        out.line(&format!("\\ the value of the objective is this sum divided by {divisor}"))?;
    }
    let is_minimized = objective.sense == Sense::Minimize;
    out.line(if is_minimized { "Minimize" } else { "Maximize" })?;
    out.word(" obj:")?;
    let zeros = appearance.unused.iter().map(|&column| (Rational::ZERO, column));
    let terms = objective.terms.iter().copied().chain(zeros);
    let terms = terms.map(|(coefficient, column)| (coefficient, columns.name(column)));
    out.sum(terms, objective.constant, filler)?;
    out.line("")?;

    out.line("Subject To")?;
    let mut row_names = RowNames::default();
    columns.for_each_row(|id, row| {
        for (suffix, relation, bound) in relations(&row) {
            let name = model.row_name(id).and_then(|name| row_names.legal(name + suffix));
            out.word(&name.map_or_else(String::new, |name| format!(" {name}:")))?;
            let terms = row.terms.iter().map(|&(coefficient, column)| {
                (Rational::from_integer(coefficient), columns.name(column))
            });
            out.sum(terms, Rational::ZERO, filler)?;
            out.word(&format!("{relation} {bound}"))?;
            out.line("")?;
        }
        Ok::<(), WriteError>(())
    })?;

    let (binaries, generals): (Vec<usize>, Vec<usize>) =
        appearance.columns.iter().partition(|&&column| columns.bounds(column).is_none());
    if !generals.is_empty() {
        out.line("Bounds")?;
    }
    for &column in &generals {
        let name = columns.name(column);
        match columns.bounds(column) {
            Some((lower, upper)) if lower == upper => out.line(&format!(" {name} = {lower}"))?,
            Some((lower, upper)) => out.line(&format!(" {lower} <= {name} <= {upper}"))?,
            None => {}
        }
    }
    for (word, declared) in [("Binary", binaries), ("General", generals)] {
        if !declared.is_empty() {
            out.line(word)?;
            declared.into_iter().try_for_each(|column| out.word(&columns.name(column)))?;
            out.line("")?;
        }
    }
    out.line("End")?;
    Ok(out.out.flush()?)
}

/// The columns in the order in which the text names them: a reader numbers them so.
#[derive(Debug)]
struct Appearance {
    columns: Vec<usize>,
    /// Those that neither the objective nor a row has.
    unused: Vec<usize>,
}

impl Appearance {
    fn new(
        columns: &Columns<'_>,
        objective: &ObjectiveOverColumns,
    ) -> Result<Appearance, WriteError> {
        let mut is_known = vec![false; columns.len()];
        let mut is_new = |column: usize| !std::mem::replace(&mut is_known[column], true);
        let mut order: Vec<usize> = objective.terms.iter().map(|&(_, column)| column).collect();
        order.retain(|&column| is_new(column));
        let mut of_rows = Vec::new();
        columns.for_each_row(|_, row| {
            let has_bounds = row.lower.is_some() || row.upper.is_some();
            let terms = row.terms.iter().filter(|_| has_bounds);
            of_rows.extend(terms.map(|&(_, column)| column).filter(|&column| is_new(column)));
            Ok::<(), WriteError>(())
        })?;
        let unused: Vec<usize> = (0..columns.len()).filter(|&column| is_new(column)).collect();
        order.extend(&unused);
        order.extend(of_rows);
        Ok(Appearance { columns: order, unused })
    }
}

/// The relations that state the bounds of a row, with the ends of their names.
fn relations(row: &RowOverColumns) -> impl Iterator<Item = (&'static str, &'static str, i128)> {
    let (lower, upper) = (row.lower, row.upper);
    let relations = match (lower, upper) {
        (Some(lower), Some(upper)) if lower == upper => [Some(("", "=", lower)), None],
        (Some(lower), Some(upper)) => [Some(("_lo", ">=", lower)), Some(("_up", "<=", upper))],
        _ => [lower.map(|lower| ("", ">=", lower)), upper.map(|upper| ("", "<=", upper))],
    };
    relations.into_iter().flatten()
}

/// The names of rows that were written.
#[derive(Debug, Default)]
struct RowNames(HashSet<String>);

impl RowNames {
    /// The name, if it may be written.
    fn legal(&mut self, name: String) -> Option<String> {
        let may_be_written = is_legal(&name) && self.0.insert(name.clone());
        may_be_written.then_some(name)
    }
}

/// Whether all programs read this as a name.
fn is_legal(name: &str) -> bool {
    const MAX_LENGTH: usize = 255;
    const OTHER_WORDS: [&str; 7] = ["subject", "such", "lazy", "user", "free", "inf", "infinity"];
    let bytes = name.as_bytes();
    // After a coefficient it could be taken for an exponent.
    let is_exponent = matches!(bytes, [b'e' | b'E'] | [b'e' | b'E', b'0'..=b'9' | b'e' | b'E', ..]);
    !matches!(bytes, [] | [b'0'..=b'9' | b'.', ..])
        && !is_exponent
        && bytes.len() <= MAX_LENGTH
        && bytes.iter().all(|&byte| byte.is_ascii_alphanumeric() || is_sign_of_names(byte))
        && section_word(name).is_none()
        && !OTHER_WORDS.iter().any(|word| name.eq_ignore_ascii_case(word))
}

/// Lines of limited length.
#[derive(Debug)]
struct Lines<W: Write> {
    out: BufWriter<W>,
    /// Of the line that was begun.
    length: usize,
}

impl<W: Write> Lines<W> {
    /// Ends the line after this text.
    fn line(&mut self, text: &str) -> io::Result<()> {
        self.length = 0;
        writeln!(self.out, "{text}")
    }

    /// Continues the line, or the next one where this is full, after a blank.
    fn word(&mut self, word: &str) -> io::Result<()> {
        const WIDTH: usize = 80;
        if self.length > 0 && self.length + 1 + word.len() > WIDTH {
            write!(self.out, "\n ")?;
            self.length = 1;
        }
        let blank = if word.is_empty() || word.starts_with(' ') { "" } else { " " };
        self.length += blank.len() + word.len();
        write!(self.out, "{blank}{word}")
    }

    /// Writes a sum; an empty one as 0 times the filler.
    fn sum<'n>(
        &mut self,
        terms: impl Iterator<Item = (Rational, Cow<'n, str>)>,
        constant: Rational,
        filler: Option<&'n str>,
    ) -> io::Result<()> {
        let mut terms = terms.peekable();
        let filler = if terms.peek().is_none() { filler } else { None };
        let mut is_first = true;
        let filler = filler.map(|name| (Rational::ZERO, Cow::Borrowed(name)));
        for (coefficient, name) in terms.chain(filler) {
            let (sign, magnitude) = sign_and_magnitude(coefficient, is_first);
            let magnitude = if magnitude == "1" { String::new() } else { magnitude + " " };
            self.word(&format!("{sign}{magnitude}{name}"))?;
            is_first = false;
        }
        if is_first || !constant.is_zero() {
            let (sign, magnitude) = sign_and_magnitude(constant, is_first);
            self.word(&format!("{sign}{magnitude}"))?;
        }
        Ok(())
    }
}

fn sign_and_magnitude(number: Rational, is_first: bool) -> (&'static str, String) {
    let decimal = number.to_decimal().expect("numbers are written that have a decimal notation");
    match decimal.strip_prefix('-') {
        Some(magnitude) => ("- ", magnitude.to_owned()),
        None => (if is_first { "" } else { "+ " }, decimal),
    }
}
