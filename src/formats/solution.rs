//! Solutions of a model, by the names of its variables: `v` lines as pseudo-Boolean solvers print
//! them, or a line with name and value for each variable.

use super::lines::{Line, Word, lines};
use pbsolve_model::{Assignment, Family, Model, ParseError, Var};
use std::collections::HashMap;

/// The names of indicators are looked through for this many of them, however few names of the
/// text are to be found there.
const MAX_INDICATORS: u64 = 10_000_000;

/// Reads `s SATISFIABLE` or `s OPTIMUM FOUND` with `v x1 -x2 x3` (also `~x2`), or lines
/// `name value` or `name = value` with a value of 0 or 1, which may have zeros after a point. The
/// `s` line may be missing; `c`, `o` and `#` lines are passed over. In a text without `v` lines,
/// `c 1` is a value if a variable is called so. Where no variable of the model has such a name,
/// `x1`, `x2`, ... are its variables in order, as its OPB file numbers them.
///
/// Values of indicators are not looked at: they follow from the decision variables.
///
/// # Errors
/// At a name that the model lacks, at a second value for a variable, at a line of another kind,
/// at a verdict without a solution, and when a decision variable has no value.
pub fn read_solution(text: &[u8], model: &Model) -> Result<Assignment, ParseError> {
    let vars = (0..model.num_decisions()).map(Var::new);
    let mut vars: HashMap<Vec<u8>, Var> =
        vars.map(|var| (model.variable_name(var).into_bytes(), var)).collect();
    let has_aliases = !vars.keys().any(|name| opb_number(name).is_some());
    if has_aliases {
        for index in 0..model.num_decisions() {
            vars.insert(format!("x{}", index + 1).into_bytes(), Var::new(index));
        }
    }
    let values = vec![None; model.num_decisions()];
    let (unknown, verdict) = (HashMap::new(), None);
    let mut reader = Reader { text, model, vars, has_aliases, values, unknown, verdict };
    let has_v_line = lines(text).any(|line| reader.is_v_line(line));
    for line in lines(text) {
        match reader.named_value(line) {
            Some((name, value)) if !has_v_line => reader.set(name, value)?,
            _ => reader.line(line)?,
        }
    }
    reader.refuse_unknown()?;
    reader.assignment()
}

#[derive(Debug)]
struct Reader<'t> {
    text: &'t [u8],
    model: &'t Model,
    vars: HashMap<Vec<u8>, Var>,
    /// Whether variables are also known by their numbers in OPB.
    has_aliases: bool,
    values: Vec<Option<bool>>,
    /// Names that are not those of decision variables, with their first offsets.
    unknown: HashMap<&'t [u8], usize>,
    /// The offset of the `s` line.
    verdict: Option<usize>,
}

impl<'t> Reader<'t> {
    fn wrong(&self, at: usize, message: impl Into<String>) -> ParseError {
        ParseError::at_offset(self.text, at, message)
    }

    /// Name and value of a line `name value`, `name=value` or the same with blanks.
    fn named_value(&self, line: Line<'t>) -> Option<(Word<'t>, bool)> {
        let (name, value) = name_and_value(line)?;
        // A variable may be called `c`, `o`, `s` or `v`.
        let names_variable = self.vars.contains_key(name.bytes) || !is_keyword(name);
        Some((name, to_bit(value)?)).filter(|_| names_variable)
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
            Some((_, value)) if to_bit(value).is_some() => {
                self.wrong(first.at, "a name with a value in a text with `v` lines")
            }
            Some((_, value)) => {
                self.wrong(value.at, format!("a value is 0 or 1, found {}", value.quoted()))
            }
            None => {
                let found = first.quoted();
                let message = format!(
                    "a line of a solution is `v` with literals or a name with a value, found {found}"
                );
                self.wrong(first.at, message)
            }
        }
    }

    fn verdict(&mut self, word: Word<'_>, status: &[&[u8]]) -> Result<(), ParseError> {
        if self.verdict.replace(word.at).is_some() {
            return Err(self.wrong(word.at, "a second `s` line: there can be only one"));
        }
        match status {
            [b"SATISFIABLE"] | [b"OPTIMUM", b"FOUND"] => Ok(()),
            [b"UNSATISFIABLE" | b"UNKNOWN" | b"UNSUPPORTED"] => {
                Err(self.wrong(word.at, "by this verdict the text holds no solution"))
            }
            _ => {
                let expected = "`s` is followed by SATISFIABLE or OPTIMUM FOUND";
                Err(self.wrong(word.at, expected))
            }
        }
    }

    fn literal(&mut self, word: Word<'t>) -> Result<(), ParseError> {
        let [b'-' | b'~', name @ ..] = word.bytes else { return self.set(word, true) };
        let name = Word { at: word.at + 1, bytes: name };
        match (self.vars.contains_key(word.bytes), self.vars.contains_key(name.bytes)) {
            (true, true) => {
                let message = format!(
                    "{} is a variable and the negation of another: write names with values",
                    word.quoted()
                );
                Err(self.wrong(word.at, message))
            }
            (true, false) => self.set(word, true),
            (false, _) => self.set(name, false),
        }
    }

    fn set(&mut self, name: Word<'t>, value: bool) -> Result<(), ParseError> {
        let Some(&var) = self.vars.get(name.bytes) else {
            self.unknown.entry(name.bytes).or_insert(name.at);
            return Ok(());
        };
        if let Some(before) = self.values[var.index()].replace(value) {
            let what = if before == value { "a second value" } else { "both values" };
            return Err(self.wrong(name.at, format!("{} has {what}", name.quoted())));
        }
        Ok(())
    }

    /// Refuses the names that are not those of indicators either.
    fn refuse_unknown(&mut self) -> Result<(), ParseError> {
        let mut unknown = std::mem::take(&mut self.unknown);
        if self.has_aliases {
            let is_of_opb = |number: u64| number <= self.model.num_variables();
            unknown.retain(|name, _| !opb_number(name).is_some_and(is_of_opb));
        }
        // Only a solution of all variables is worth the search among very many indicators.
        let most = MAX_INDICATORS.max(2 * unknown.len() as u64);
        for family in self.model.families() {
            if !unknown.is_empty() && family.num_indicators() <= most {
                remove_indicators(family.as_ref(), &mut unknown);
            }
        }
        let first = unknown.into_iter().min_by_key(|&(_, at)| at);
        let Some((bytes, at)) = first else { return Ok(()) };
        let name = Word { at, bytes }.quoted();
        Err(self.wrong(at, format!("{name} is no variable of the model")))
    }

    fn assignment(self) -> Result<Assignment, ParseError> {
        const SHOWN: usize = 3;
        let missing = || (0..self.values.len()).filter(|&i| self.values[i].is_none());
        let num_missing = missing().count();
        if num_missing == 0 {
            return Ok(Assignment::from_values(self.values.into_iter().flatten().collect()));
        }
        let names = missing().take(SHOWN).map(|i| self.model.variable_name(Var::new(i)));
        let names = names.collect::<Vec<_>>().join(", ");
        let more = match num_missing.saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let end = self.text.trim_ascii_end().len();
        Err(self.wrong(end, format!("no value is given for {names}{more}")))
    }
}

fn remove_indicators(family: &dyn Family, unknown: &mut HashMap<&[u8], usize>) {
    for indicator in 0..family.num_indicators() {
        unknown.remove(family.indicator_name(indicator).as_bytes());
        if unknown.is_empty() {
            return;
        }
    }
}

/// `17` for `x17`, which is how OPB calls the 17th variable.
fn opb_number(name: &[u8]) -> Option<u64> {
    let [b'x', digits @ ..] = name else { return None };
    let canonical = digits.first().is_some_and(|&digit| (b'1'..=b'9').contains(&digit));
    std::str::from_utf8(digits).ok().filter(|_| canonical)?.parse().ok()
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

/// 0 or 1, also as `0.000`.
fn to_bit(word: Word<'_>) -> Option<bool> {
    let (digit, rest) = word.bytes.split_first()?;
    let is_whole = match rest {
        [] => true,
        [b'.', zeros @ ..] => !zeros.is_empty() && zeros.iter().all(|&zero| zero == b'0'),
        _ => false,
    };
    match digit {
        b'0' if is_whole => Some(false),
        b'1' if is_whole => Some(true),
        _ => None,
    }
}
