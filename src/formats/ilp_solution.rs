//! The solution files of `HiGHS` and CBC.
//!
//! Both print floating-point numbers, with values that are integers only up to a tolerance. So here,
//! and nowhere else, a number within 1e-6 of an integer is that integer.

use super::lines::{Line, Word, lines};
use super::named_values::{Aliases, NamedValues};
use pbsolve_model::{Assignment, Model, ParseError};

/// What an integer programming solver wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IlpAnswer {
    /// Values for the decision variables, not checked.
    Solution(Assignment),
    /// It says that there is no solution.
    Infeasible {
        /// The offset of these words.
        at: usize,
    },
    /// It found none.
    Unknown {
        /// The offset of the words that say so.
        at: usize,
    },
}

/// Whether a text begins as a solution file of `HiGHS` or CBC.
pub fn is_ilp_solution(text: &[u8]) -> bool {
    first_line(text).is_some_and(|line| is_of_highs(line) || cbc_verdict(line).is_some())
}

/// Reads a solution file of `HiGHS`, raw or sparse, or of CBC, as they are written for an exported
/// model: values of variables and of integers by name. CBC leaves out zeros, as sparse files of
/// `HiGHS` do; what is missing in them is 0. Where no variable of the model has such a name and
/// there are no integers, `x1`, `x2`, ... are its variables in order.
///
/// # Errors
/// If the text is neither, at a name that the model lacks or that comes twice, at a value that is
/// not close to an integer or not one of its variable, and when a value is missing.
pub fn read_ilp_solution(text: &[u8], model: &Model) -> Result<IlpAnswer, ParseError> {
    // Columns are numbered otherwise than variables where a column is an integer.
    let aliases = if model.integers().is_empty() { Aliases::Allowed } else { Aliases::Refused };
    let values = NamedValues::new(text, model, aliases);
    let rest = lines(text).filter(|line| !line.trimmed().is_empty());
    match first_line(text) {
        Some(line) if is_of_highs(line) => read_highs(values, rest),
        Some(line) if cbc_verdict(line).is_some() => read_cbc(values, rest),
        _ => Err(values.wrong(0, "a solution of HiGHS or CBC is expected")),
    }
}

fn first_line(text: &[u8]) -> Option<Line<'_>> {
    lines(text).find(|line| !line.trimmed().is_empty())
}

fn is_of_highs(line: Line<'_>) -> bool {
    line.trimmed() == b"Model status"
}

/// The words of CBC before `- objective value 7.00000000`.
fn cbc_verdict(line: Line<'_>) -> Option<&[u8]> {
    const BEFORE_VALUE: &[u8] = b" - objective value ";
    let line = line.trimmed();
    let at = line.windows(BEFORE_VALUE.len()).rposition(|words| words == BEFORE_VALUE)?;
    Some(&line[..at])
}

/// The verdict, `# Primal solution values` with `Feasible`, and a line for each column.
fn read_highs<'t>(
    mut values: NamedValues<'t>,
    mut lines: impl Iterator<Item = Line<'t>>,
) -> Result<IlpAnswer, ParseError> {
    let status = lines.nth(1);
    let Some(status) = status else { return Err(values.cut_short("the status")) };
    if status.trimmed() == b"Infeasible" {
        return Ok(IlpAnswer::Infeasible { at: status.at() });
    }
    if !lines.any(|line| line.trimmed() == b"# Primal solution values") {
        return Err(values.cut_short("`# Primal solution values`"));
    }
    let Some(kind) = lines.next() else { return Err(values.cut_short("`Feasible`")) };
    if kind.trimmed() != b"Feasible" {
        return Ok(IlpAnswer::Unknown { at: kind.at() });
    }
    let heading = lines.find(|line| line.trimmed().starts_with(b"# Columns "));
    let Some(heading) = heading else { return Err(values.cut_short("`# Columns`")) };
    let number = heading.words().nth(2).and_then(|word| std::str::from_utf8(word.bytes).ok());
    let Some(number) = number.and_then(|number| number.parse::<i64>().ok()) else {
        return Err(values.wrong(heading.at(), "the number of columns is expected"));
    };
    // A negative number announces a sparse list, with the number of the column behind each value.
    let is_sparse = number < 0;
    for _ in 0..number.unsigned_abs() {
        let Some(line) = lines.next() else { return Err(values.cut_short("a column")) };
        let named = if is_sparse { line.split_last_word().map(|(named, _)| named) } else { None };
        let named = named.map_or(line, Line::from_word);
        match named.split_last_word() {
            Some((name, value)) if !name.bytes.starts_with(b"#") => {
                values.set_close(name, value)?;
            }
            _ => return Err(values.wrong(line.at(), "a column is a name and a value")),
        }
    }
    if is_sparse {
        values.set_missing_to_0(heading.at())?;
    }
    values.into_assignment().map(IlpAnswer::Solution)
}

/// The verdict, and lines of an index, a name, a value and a reduced cost. If rows are listed too,
/// they come first, and the indices begin again.
fn read_cbc<'t>(
    mut values: NamedValues<'t>,
    mut lines: impl Iterator<Item = Line<'t>>,
) -> Result<IlpAnswer, ParseError> {
    let Some(verdict) = lines.next() else { return Err(values.cut_short("the verdict")) };
    let at = verdict.at();
    let words = cbc_verdict(verdict).unwrap_or_default();
    let is_infeasible =
        words.starts_with(b"Infeasible") || words.starts_with(b"Integer infeasible");
    let has_values = words.starts_with(b"Optimal") || words.starts_with(b"Stopped");
    let lacks_integers = words.windows(10).any(|words| words == b"no integer");
    if is_infeasible {
        return Ok(IlpAnswer::Infeasible { at });
    }
    if !has_values || lacks_integers {
        return Ok(IlpAnswer::Unknown { at });
    }
    let mut last_index = None;
    let mut columns = Vec::new();
    for line in lines {
        let Some((index, name, value)) = cbc_column(line) else {
            let message = "a column is an index, a name, a value and a reduced cost";
            let at = line.words().next().map_or(line.at(), |word| word.at);
            return Err(values.wrong(at, message));
        };
        if last_index.replace(index).is_some_and(|last| index <= last) {
            columns.clear();
        }
        columns.push((name, value));
    }
    for (name, value) in columns {
        if value.bytes.contains(&b'e') && to_close_integer(value).is_some_and(|n| n != 0) {
            let message = format!("CBC has rounded {} to 8 digits", value.quoted());
            return Err(values.wrong(value.at, message));
        }
        values.set_close(name, value)?;
    }
    values.set_missing_to_0(at)?;
    values.into_assignment().map(IlpAnswer::Solution)
}

/// Index, name and value; `**` marks a column whose value CBC itself finds infeasible.
fn cbc_column(line: Line<'_>) -> Option<(u64, Word<'_>, Word<'_>)> {
    let (before, _reduced_cost) = line.split_last_word()?;
    let (before, value) = Line::from_word(before).split_last_word()?;
    let mut words = Line::from_word(before).words();
    let mark_or_index = words.next()?;
    let index = if mark_or_index.bytes == b"**" { words.next()? } else { mark_or_index };
    let number = std::str::from_utf8(index.bytes).ok()?.parse().ok()?;
    // A name may have blanks.
    let name_at = words.next()?.at;
    Some((number, Word { at: name_at, bytes: &before.bytes[name_at - before.at..] }, value))
}

impl<'t> NamedValues<'t> {
    fn set_close(&mut self, name: Word<'t>, value: Word<'t>) -> Result<(), ParseError> {
        match to_close_integer(value) {
            Some(number) => self.set(name, value, number),
            None => Err(self.wrong_value(name, value)),
        }
    }
}

/// The integer that a number is within 1e-6 of. None beyond 2^53, where floating-point numbers do
/// not tell integers apart.
fn to_close_integer(word: Word<'_>) -> Option<i128> {
    const TOLERANCE: f64 = 1e-6;
    const MOST: f64 = (1u64 << 53) as f64;
    let is_number =
        |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E');
    let text = std::str::from_utf8(word.bytes).ok().filter(|_| word.bytes.iter().all(is_number))?;
    let number: f64 = text.parse().ok()?;
    let nearest = number.round();
    let is_close = (number - nearest).abs() <= TOLERANCE && nearest.abs() <= MOST;
    format!("{nearest:.0}").parse().ok().filter(|_| is_close)
}
