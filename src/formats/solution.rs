//! Solutions of a model, by the names of its variables: `v` lines as pseudo-Boolean solvers print
//! them, or a line with name and value for each variable, or what integer programming solvers
//! write.

use super::ilp_solution::{IlpAnswer, is_ilp_solution, read_ilp_solution};
use super::lines::{Line, Word, lines};
use super::named_values::{Aliases, NamedValues};
use pbsolve_model::{Assignment, Integer, Model, Objective, ParseError, Var};
use std::collections::HashMap;
use std::io::{self, Write};

/// Reads `s SATISFIABLE` or `s OPTIMUM FOUND` with `v x1 -x2 x3` (also `~x2`), or lines
/// `name value` or `name = value` with a value of 0 or 1, or any value of an integer, which may
/// have zeros after a point. The `s` line may be missing; `c`, `o` and `#` lines are passed over.
/// In a text without `v` lines, `c 1` is a value if a variable is called so. Where no variable of
/// the model has such a name, `x1`, `x2`, ... are its variables in order, as its OPB file numbers
/// them. Or reads a solution file of `HiGHS` or CBC: see [`read_ilp_solution`].
///
/// Values of indicators are not looked at: they follow from the decision variables.
///
/// # Errors
/// At a name that the model lacks, at a second value for a variable, at a line of another kind,
/// at a verdict without a solution, and when a decision variable has no value.
pub fn read_solution(text: &[u8], model: &Model) -> Result<Assignment, ParseError> {
    if is_ilp_solution(text) {
        return match read_ilp_solution(text, model)? {
            IlpAnswer::Solution(assignment) => Ok(assignment),
            IlpAnswer::Infeasible { at } | IlpAnswer::Unknown { at } => {
                let message = "by this verdict the text holds no solution";
                Err(ParseError::at_offset(text, at, message))
            }
        };
    }
    let values = NamedValues::new(text, model, Aliases::Allowed);
    let mut reader = Reader { values, verdict: None };
    let has_v_line = lines(text).any(|line| reader.is_v_line(line));
    for line in lines(text) {
        match reader.named_value(line) {
            Some((name, value, number)) if !has_v_line => reader.values.set(name, value, number)?,
            _ => reader.line(line)?,
        }
    }
    reader.values.into_assignment()
}

/// Writes a line `name value` for each decision variable, with integers by their values instead
/// of their binary digits; before them, if the model has an objective, a comment with its value:
///
/// ```text
/// # objective 7
/// a 1
/// n -3
/// ```
///
/// # Errors
/// If `out` fails.
pub fn write_solution(
    model: &Model,
    assignment: &Assignment,
    out: &mut dyn Write,
) -> io::Result<()> {
    let objective = model.objective().filter(|objective| !objective.is_constant());
    let value = objective.and_then(|objective| shown_objective(objective, assignment));
    if let Some(value) = value {
        writeln!(out, "# objective {value}")?;
    }
    let lowest_digits = model.integers().iter().filter_map(|integer| {
        let lowest = integer.bits.first()?;
        Some((lowest.index(), integer))
    });
    let integers: HashMap<usize, &Integer> = lowest_digits.collect();
    let mut index = 0;
    while index < assignment.num_vars() {
        if let Some(integer) = integers.get(&index) {
            writeln!(out, "{} {}", integer.name, integer.value(assignment))?;
            index += integer.bits.len();
        } else {
            let var = Var::new(index);
            let value = u8::from(assignment.value(var));
            writeln!(out, "{} {value}", model.variable_name(var))?;
            index += 1;
        }
    }
    for integer in model.integers().iter().filter(|integer| integer.bits.is_empty()) {
        writeln!(out, "{} {}", integer.name, integer.lower)?;
    }
    Ok(())
}

/// The value of the objective; `None` if it is beyond 128 bits.
fn shown_objective(objective: &Objective, assignment: &Assignment) -> Option<String> {
    Some(shown_value(objective.value(assignment)?, objective.divisor))
}

/// The value of an objective, whose sum is a multiple of one over the divisor: as a decimal where
/// it ends, else as a fraction.
pub fn shown_value(numerator: i128, divisor: i128) -> String {
    if divisor == 1 {
        return numerator.to_string();
    }
    let (whole, mut rest) = (numerator / divisor, (numerator % divisor).unsigned_abs());
    if rest == 0 {
        return whole.to_string();
    }
    let sign = if numerator < 0 { "-" } else { "" };
    let mut digits = String::new();
    for _ in 0..30 {
        let Some(shifted) = rest.checked_mul(10) else { break };
        digits.push_str(&(shifted / divisor.unsigned_abs()).to_string());
        rest = shifted % divisor.unsigned_abs();
        if rest == 0 {
            return format!("{sign}{}.{digits}", whole.unsigned_abs());
        }
    }
    format!("{numerator}/{divisor}")
}

#[derive(Debug)]
struct Reader<'t> {
    values: NamedValues<'t>,
    /// The offset of the `s` line.
    verdict: Option<usize>,
}

impl<'t> Reader<'t> {
    /// Name and value of a line `name value`, `name=value` or the same with blanks.
    fn named_value(&self, line: Line<'t>) -> Option<(Word<'t>, Word<'t>, i128)> {
        // A name may have blanks, or `=`, or be `c`, `o`, `s` or `v`.
        if let Some((name, value)) = line.split_last_word()
            && self.values.knows(name.bytes)
        {
            return Some((name, value, to_integer(value)?));
        }
        let (name, value) = name_and_value(line)?;
        let names_variable = self.values.knows(name.bytes) || !is_keyword(name);
        Some((name, value, to_integer(value)?)).filter(|_| names_variable)
    }

    fn is_v_line(&self, line: Line<'t>) -> bool {
        let begins_with_v = line.words().next().is_some_and(|word| word.bytes == b"v");
        begins_with_v && self.named_value(line).is_none()
    }

    fn line(&mut self, line: Line<'t>) -> Result<(), ParseError> {
        let mut words = line.words();
        let Some(first) = words.next() else { return Ok(()) };
        match first.bytes {
            b"c" | b"o" | [b'#', ..] => Ok(()),
            b"s" => self.verdict(first, &words.map(|word| word.bytes).collect::<Vec<_>>()),
            b"v" => words.try_for_each(|word| self.literal(word)),
            _ => Err(self.stray(line, first)),
        }
    }

    /// The error of a line that is none of those in a solution.
    fn stray(&self, line: Line<'_>, first: Word<'_>) -> ParseError {
        match name_and_value(line) {
            Some((_, value)) if to_integer(value).is_some() => {
                self.values.wrong(first.at, "a name with a value in a text with `v` lines")
            }
            Some((name, value)) => self.values.wrong_value(name, value),
            None => {
                let found = first.quoted();
                let message = format!(
                    "a line of a solution is `v` with literals or a name with a value, found {found}"
                );
                self.values.wrong(first.at, message)
            }
        }
    }

    fn verdict(&mut self, word: Word<'_>, status: &[&[u8]]) -> Result<(), ParseError> {
        if self.verdict.replace(word.at).is_some() {
            return Err(self.values.wrong(word.at, "a second `s` line: there can be only one"));
        }
        match status {
            [b"SATISFIABLE"] | [b"OPTIMUM", b"FOUND"] => Ok(()),
            [b"UNSATISFIABLE" | b"UNKNOWN" | b"UNSUPPORTED"] => {
                Err(self.values.wrong(word.at, "by this verdict the text holds no solution"))
            }
            _ => {
                let expected = "`s` is followed by SATISFIABLE or OPTIMUM FOUND";
                Err(self.values.wrong(word.at, expected))
            }
        }
    }

    fn literal(&mut self, word: Word<'t>) -> Result<(), ParseError> {
        let [b'-' | b'~', name @ ..] = word.bytes else { return self.values.set_bit(word, true) };
        let name = Word { at: word.at + 1, bytes: name };
        match (self.values.knows(word.bytes), self.values.knows(name.bytes)) {
            (true, true) => {
                let message = format!(
                    "{} is a variable and the negation of another: write names with values",
                    word.quoted()
                );
                Err(self.values.wrong(word.at, message))
            }
            (true, false) => self.values.set_bit(word, true),
            (false, _) => self.values.set_bit(name, false),
        }
    }
}

/// The two words of a line, with `=` between them or not.
fn name_and_value(line: Line<'_>) -> Option<(Word<'_>, Word<'_>)> {
    let mut words = line.words().flat_map(split_at_equals).filter(|word| !word.bytes.is_empty());
    let (name, second) = (words.next()?, words.next()?);
    let value = if second.bytes == b"=" { words.next()? } else { second };
    words.next().is_none().then_some((name, value))
}

/// The word before its first `=`, that sign, and what follows.
fn split_at_equals(word: Word<'_>) -> [Word<'_>; 3] {
    let length = word.bytes.len();
    let at = word.bytes.iter().position(|&byte| byte == b'=').unwrap_or(length);
    let after = (at + 1).min(length);
    [0..at, at..after, after..length]
        .map(|part| Word { at: word.at + part.start, bytes: &word.bytes[part] })
}

fn is_keyword(word: Word<'_>) -> bool {
    matches!(word.bytes, b"c" | b"o" | b"s" | b"v" | [b'#', ..])
}

/// An integer, also as `3.000`, but not `-0`.
fn to_integer(word: Word<'_>) -> Option<i128> {
    let point = word.bytes.iter().position(|&byte| byte == b'.');
    let (whole, zeros) = word.bytes.split_at(point.unwrap_or(word.bytes.len()));
    let has_zeros = zeros.len() != 1 && zeros.iter().skip(1).all(|&zero| zero == b'0');
    let is_plain = match whole {
        b"0" => true,
        [b'1'..=b'9', digits @ ..] | [b'-', b'1'..=b'9', digits @ ..] => {
            digits.iter().all(u8::is_ascii_digit)
        }
        _ => false,
    };
    std::str::from_utf8(whole).ok().filter(|_| has_zeros && is_plain)?.parse().ok()
}
