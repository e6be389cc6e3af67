//! The solution files of `HiGHS`, CBC, glpsol and SCIP.
//!
//! All print floating-point numbers, with values that are integers only up to a tolerance. So here,
//! and nowhere else among the formats, a number within 1e-6 of an integer is that integer.

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

/// Whether a text begins as a solution file of `HiGHS`, CBC, glpsol or SCIP.
pub fn is_ilp_solution(text: &[u8]) -> bool {
    writer_of(text).is_some()
}

/// Reads a solution file of `HiGHS`, raw or sparse, of CBC, of glpsol (option `-o`) or of SCIP, as
/// they are written for an exported model: values of variables and of integers by name. CBC and
/// SCIP leave out zeros, as sparse files of `HiGHS` do; what is missing in them is 0. Where no
/// variable of the model has such a name and there are no integers, `x1`, `x2`, ... are its
/// variables in order.
///
/// # Errors
/// If the text is none of them, at a name that the model lacks or that comes twice, at a value that
/// is not close to an integer or not one of its variable, and when a value is missing.
pub fn read_ilp_solution(text: &[u8], model: &Model) -> Result<IlpAnswer, ParseError> {
    // Columns are numbered otherwise than variables where a column is an integer.
    let aliases = if model.integers().is_empty() { Aliases::Allowed } else { Aliases::Refused };
    let file = SolutionFile::parse(text)?;
    let at = file.at;
    match file.claim {
        Claim::Infeasible => return Ok(IlpAnswer::Infeasible { at }),
        Claim::Nothing => return Ok(IlpAnswer::Unknown { at }),
        Claim::Optimal | Claim::Feasible => {}
    }
    let mut values = NamedValues::new(text, model, aliases);
    for &(name, value) in &file.columns {
        match to_close_integer(value) {
            Some(number) => values.set(name, value, number)?,
            None => return Err(values.wrong_value(name, value)),
        }
    }
    if file.leaves_out_zeros {
        values.set_missing_to_0(at)?;
    }
    values.into_assignment().map(IlpAnswer::Solution)
}

/// What a solver says of its values, or instead of them. None of it is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// No solution is better.
    Optimal,
    /// It is a solution.
    Feasible,
    /// There is none.
    Infeasible,
    /// It found none.
    Nothing,
}

/// Reads a solution file for a program whose columns are called `x1`, `x2`, ... in order; the
/// values are empty unless the claim is that of a solution.
///
/// # Errors
/// As [`read_ilp_solution`].
pub(crate) fn read_numbered_solution(
    text: &[u8],
    num_columns: usize,
) -> Result<(Claim, Vec<i128>), ParseError> {
    let file = SolutionFile::parse(text)?;
    if !matches!(file.claim, Claim::Optimal | Claim::Feasible) {
        return Ok((file.claim, Vec::new()));
    }
    let wrong = |at: usize, message: String| Err(ParseError::at_offset(text, at, message));
    let mut values = vec![None; num_columns];
    for &(name, value) in &file.columns {
        let number = std::str::from_utf8(name.bytes).ok().and_then(|name| name.strip_prefix('x'));
        let column = number.and_then(|number| number.parse::<usize>().ok()?.checked_sub(1));
        let Some(place) = column.and_then(|column| values.get_mut(column)) else {
            return wrong(name.at, format!("{} is no column of the program", name.quoted()));
        };
        let Some(number) = to_close_integer(value) else {
            return wrong(value.at, format!("{} is not close to an integer", value.quoted()));
        };
        if place.replace(number).is_some() {
            return wrong(name.at, format!("{} has a second value", name.quoted()));
        }
    }
    let missing = values.iter().position(Option::is_none).filter(|_| !file.leaves_out_zeros);
    if let Some(column) = missing {
        let end = text.trim_ascii_end().len();
        return wrong(end, format!("no value is given for x{}", column + 1));
    }
    Ok((file.claim, values.into_iter().map(Option::unwrap_or_default).collect()))
}

/// The solvers whose files are told by their first line.
#[derive(Clone, Copy, Debug)]
enum Writer {
    Highs,
    Cbc,
    Glpsol,
    Scip,
}

/// The column that a file gives values, and what it says of them.
#[derive(Debug)]
struct SolutionFile<'t> {
    claim: Claim,
    /// The offset of the claim.
    at: usize,
    columns: Vec<(Word<'t>, Word<'t>)>,
    leaves_out_zeros: bool,
}

fn first_line(text: &[u8]) -> Option<Line<'_>> {
    lines(text).find(|line| !line.trimmed().is_empty())
}

fn writer_of(text: &[u8]) -> Option<Writer> {
    let line = first_line(text)?;
    match line.trimmed() {
        b"Model status" => Some(Writer::Highs),
        words if words.starts_with(SCIP_STATUS) => Some(Writer::Scip),
        words if words.starts_with(b"Problem:") => {
            let is_status = |line: Line<'_>| line.trimmed().starts_with(GLPSOL_STATUS);
            lines(text).take(6).any(is_status).then_some(Writer::Glpsol)
        }
        _ => cbc_verdict(line).map(|_| Writer::Cbc),
    }
}

const SCIP_STATUS: &[u8] = b"solution status:";
const GLPSOL_STATUS: &[u8] = b"Status:";

/// The words of CBC before `- objective value 7.00000000`.
fn cbc_verdict(line: Line<'_>) -> Option<&[u8]> {
    const BEFORE_VALUE: &[u8] = b" - objective value ";
    let line = line.trimmed();
    let at = line.windows(BEFORE_VALUE.len()).rposition(|words| words == BEFORE_VALUE)?;
    Some(&line[..at])
}

impl<'t> SolutionFile<'t> {
    fn parse(text: &'t [u8]) -> Result<SolutionFile<'t>, ParseError> {
        let reader = Reader { text };
        let rest = lines(text).filter(|line| !line.trimmed().is_empty());
        match writer_of(text) {
            Some(Writer::Highs) => reader.highs(rest),
            Some(Writer::Cbc) => reader.cbc(rest),
            Some(Writer::Glpsol) => reader.glpsol(rest),
            Some(Writer::Scip) => reader.scip(rest),
            None => Err(reader.wrong(0, "a solution of HiGHS, CBC, glpsol or SCIP is expected")),
        }
    }

    /// A file without values.
    fn without(claim: Claim, at: usize) -> SolutionFile<'t> {
        SolutionFile { claim, at, columns: Vec::new(), leaves_out_zeros: false }
    }
}

#[derive(Clone, Copy, Debug)]
struct Reader<'t> {
    text: &'t [u8],
}

impl<'t> Reader<'t> {
    fn wrong(self, at: usize, message: impl Into<String>) -> ParseError {
        ParseError::at_offset(self.text, at, message)
    }

    /// The error that the text ends too early.
    fn cut_short(self, expected: &str) -> ParseError {
        let end = self.text.trim_ascii_end().len();
        self.wrong(end, format!("the text ends here, where {expected} is expected"))
    }

    /// The verdict, `# Primal solution values` with `Feasible`, and a line for each column.
    fn highs(
        self,
        mut lines: impl Iterator<Item = Line<'t>>,
    ) -> Result<SolutionFile<'t>, ParseError> {
        let status = lines.nth(1);
        let Some(status) = status else { return Err(self.cut_short("the status")) };
        let claim = match status.trimmed() {
            b"Infeasible" => return Ok(SolutionFile::without(Claim::Infeasible, status.at())),
            b"Optimal" => Claim::Optimal,
            _ => Claim::Feasible,
        };
        if !lines.any(|line| line.trimmed() == b"# Primal solution values") {
            return Err(self.cut_short("`# Primal solution values`"));
        }
        let Some(kind) = lines.next() else { return Err(self.cut_short("`Feasible`")) };
        if kind.trimmed() != b"Feasible" {
            return Ok(SolutionFile::without(Claim::Nothing, kind.at()));
        }
        let heading = lines.find(|line| line.trimmed().starts_with(b"# Columns "));
        let Some(heading) = heading else { return Err(self.cut_short("`# Columns`")) };
        let number = heading.words().nth(2).and_then(|word| std::str::from_utf8(word.bytes).ok());
        let Some(number) = number.and_then(|number| number.parse::<i64>().ok()) else {
            return Err(self.wrong(heading.at(), "the number of columns is expected"));
        };
        // A negative number announces a sparse list, with the number of the column behind each
        // value.
        let is_sparse = number < 0;
        let mut columns = Vec::new();
        for _ in 0..number.unsigned_abs() {
            let Some(line) = lines.next() else { return Err(self.cut_short("a column")) };
            let named =
                if is_sparse { line.split_last_word().map(|(named, _)| named) } else { None };
            let named = named.map_or(line, Line::from_word);
            match named.split_last_word() {
                Some((name, value)) if !name.bytes.starts_with(b"#") => columns.push((name, value)),
                _ => return Err(self.wrong(line.at(), "a column is a name and a value")),
            }
        }
        Ok(SolutionFile { claim, at: heading.at(), columns, leaves_out_zeros: is_sparse })
    }

    /// The verdict, and lines of an index, a name, a value and a reduced cost. If rows are listed
    /// too, they come first, and the indices begin again.
    fn cbc(
        self,
        mut lines: impl Iterator<Item = Line<'t>>,
    ) -> Result<SolutionFile<'t>, ParseError> {
        let Some(verdict) = lines.next() else { return Err(self.cut_short("the verdict")) };
        let at = verdict.at();
        let words = cbc_verdict(verdict).unwrap_or_default();
        let is_infeasible =
            words.starts_with(b"Infeasible") || words.starts_with(b"Integer infeasible");
        let lacks_integers = words.windows(10).any(|words| words == b"no integer");
        let claim = match words {
            _ if is_infeasible => return Ok(SolutionFile::without(Claim::Infeasible, at)),
            _ if lacks_integers => return Ok(SolutionFile::without(Claim::Nothing, at)),
            b"Optimal" => Claim::Optimal,
            _ if words.starts_with(b"Optimal") || words.starts_with(b"Stopped") => Claim::Feasible,
            _ => return Ok(SolutionFile::without(Claim::Nothing, at)),
        };
        let mut last_index = None;
        let mut columns = Vec::new();
        for line in lines {
            let Some((index, name, value)) = cbc_column(line) else {
                let message = "a column is an index, a name, a value and a reduced cost";
                let at = line.words().next().map_or(line.at(), |word| word.at);
                return Err(self.wrong(at, message));
            };
            if last_index.replace(index).is_some_and(|last| index <= last) {
                columns.clear();
            }
            columns.push((name, value));
        }
        self.refuse_rounded(&columns, "CBC", 8)?;
        Ok(SolutionFile { claim, at, columns, leaves_out_zeros: true })
    }

    /// `Status:`, and two tables, of rows and of columns. A name that is too long for its place has
    /// the values on the next line.
    fn glpsol(
        self,
        mut lines: impl Iterator<Item = Line<'t>>,
    ) -> Result<SolutionFile<'t>, ParseError> {
        let status = lines.find(|line| line.trimmed().starts_with(GLPSOL_STATUS));
        let Some(status) = status else { return Err(self.cut_short("`Status:`")) };
        let at = status.at();
        let claim = match status.trimmed()[GLPSOL_STATUS.len()..].trim_ascii() {
            b"INTEGER OPTIMAL" => Claim::Optimal,
            b"INTEGER NON-OPTIMAL" => Claim::Feasible,
            b"INTEGER EMPTY" => return Ok(SolutionFile::without(Claim::Infeasible, at)),
            _ => return Ok(SolutionFile::without(Claim::Nothing, at)),
        };
        let is_heading = |line: &Line<'_>| {
            let words: Vec<&[u8]> = line.words().map(|word| word.bytes).collect();
            words.starts_with(&[b"No.", b"Column", b"name"])
        };
        if !lines.any(|line| is_heading(&line)) {
            return Err(self.cut_short("the table of columns"));
        }
        let mut columns = Vec::new();
        // The line of dashes comes first.
        let mut lines = lines.skip(1).peekable();
        while let Some(line) =
            lines.next_if(|line| line.trimmed().first().is_some_and(u8::is_ascii_digit))
        {
            let mut words = line.words().skip(1);
            let column = words.next().and_then(|name| {
                let mut values: Vec<Word<'t>> = words.collect();
                if values.is_empty() {
                    values = lines.next()?.words().collect();
                }
                // `*` marks an integer.
                let place = usize::from(values.first()?.bytes == b"*");
                Some((name, *values.get(place)?))
            });
            let Some(column) = column else {
                return Err(self.wrong(line.at(), "a column is a number, a name and values"));
            };
            columns.push(column);
        }
        self.refuse_rounded(&columns, "glpsol", 6)?;
        Ok(SolutionFile { claim, at, columns, leaves_out_zeros: false })
    }

    /// `solution status:`, `objective value:`, and a name and a value for what is not 0.
    fn scip(
        self,
        mut lines: impl Iterator<Item = Line<'t>>,
    ) -> Result<SolutionFile<'t>, ParseError> {
        let Some(status) = lines.next() else { return Err(self.cut_short("the status")) };
        let at = status.at();
        let claim = match status.trimmed()[SCIP_STATUS.len()..].trim_ascii() {
            b"optimal solution found" => Claim::Optimal,
            b"infeasible" => return Ok(SolutionFile::without(Claim::Infeasible, at)),
            _ => Claim::Feasible,
        };
        let is_value = |line: &Line<'_>| line.trimmed().starts_with(b"objective value:");
        match lines.next() {
            Some(line) if is_value(&line) => {}
            Some(line) if line.trimmed() == b"no solution available" => {
                return Ok(SolutionFile::without(Claim::Nothing, at));
            }
            Some(line) => return Err(self.wrong(line.at(), "`objective value:` is expected")),
            None => return Err(self.cut_short("`objective value:`")),
        }
        let mut columns = Vec::new();
        for line in lines {
            let mut words = line.words();
            match (words.next(), words.next(), words.next()) {
                (Some(name), Some(value), Some(cost)) if cost.bytes.starts_with(b"(obj:") => {
                    columns.push((name, value));
                }
                _ => return Err(self.wrong(line.at(), "a column is a name, a value and `(obj:`")),
            }
        }
        Ok(SolutionFile { claim, at, columns, leaves_out_zeros: true })
    }

    /// Refuses numbers with an exponent: their last digits are lost.
    fn refuse_rounded(
        self,
        columns: &[(Word<'t>, Word<'t>)],
        writer: &str,
        num_digits: usize,
    ) -> Result<(), ParseError> {
        let is_rounded = |value: &Word<'_>| {
            value.bytes.contains(&b'e') && to_close_integer(*value).is_some_and(|n| n != 0)
        };
        match columns.iter().find(|(_, value)| is_rounded(value)) {
            None => Ok(()),
            Some((_, value)) => {
                let quoted = value.quoted();
                let message = format!("{writer} has rounded {quoted} to {num_digits} digits");
                Err(self.wrong(value.at, message))
            }
        }
    }
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

/// The integer that a number is within 1e-6 of. None beyond 2^53, where floating-point numbers do
/// not tell integers apart.
fn to_close_integer(word: Word<'_>) -> Option<i128> {
    let is_number =
        |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E');
    let text = std::str::from_utf8(word.bytes).ok().filter(|_| word.bytes.iter().all(is_number))?;
    close_integer(text.parse().ok()?)
}

/// The integer that a number is within 1e-6 of. None beyond 2^53.
#[allow(clippy::cast_possible_truncation, reason = "checked to be an integer below 2^53")]
pub(crate) fn close_integer(number: f64) -> Option<i128> {
    const TOLERANCE: f64 = 1e-6;
    const MOST: f64 = (1u64 << 53) as f64;
    let nearest = number.round();
    let is_close = (number - nearest).abs() <= TOLERANCE && nearest.abs() <= MOST;
    is_close.then_some(nearest as i128)
}
