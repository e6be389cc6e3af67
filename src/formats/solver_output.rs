//! What a SAT solver prints: the lines of the SAT competitions, or the two lines of `MiniSat`.

use super::lines::{Line, Word, lines};
use pbsolve_model::{Assignment, Lit, Model, ParseError, Var};
use std::fmt;

/// The answer of a SAT solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolverOutput {
    /// The true literals, in the order of the variables, each once.
    Satisfiable(Vec<Lit>),
    /// There is no assignment.
    Unsatisfiable,
    /// The solver gave up.
    Unknown,
}

/// Reads `s SATISFIABLE`, `s UNSATISFIABLE` or `s UNKNOWN` with `v` lines of literals that end in
/// 0, where `c` and `o` lines are passed over; or `SAT`, `UNSAT` or `INDET` with bare literals.
///
/// # Errors
/// At the first line that is none of these, at a second verdict, at contradictory literals, and
/// when the verdict, the values or the final 0 are missing.
pub fn read_solver_output(text: &[u8]) -> Result<SolverOutput, ParseError> {
    let mut reader = Reader { text, verdict: None, values: Vec::new(), end: None };
    for line in lines(text) {
        reader.line(line)?;
    }
    reader.finish()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Satisfiable,
    Unsatisfiable,
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Competition,
    MiniSat,
}

#[derive(Debug)]
struct Reader<'t> {
    text: &'t [u8],
    verdict: Option<(Verdict, Style)>,
    /// The literals and their offsets.
    values: Vec<(Lit, usize)>,
    /// The offset of the final 0.
    end: Option<usize>,
}

impl Reader<'_> {
    fn wrong(&self, at: usize, message: impl Into<String>) -> ParseError {
        ParseError::at_offset(self.text, at, message)
    }

    fn line(&mut self, line: Line<'_>) -> Result<(), ParseError> {
        let mut words = line.words();
        let Some(first) = words.next() else { return Ok(()) };
        let bare_values = matches!(self.verdict, Some((Verdict::Satisfiable, Style::MiniSat)));
        match first.bytes {
            b"c" | b"o" => Ok(()),
            b"s" => {
                let status: Vec<&[u8]> = words.map(|word| word.bytes).collect();
                let verdict = match status[..] {
                    [b"SATISFIABLE"] => Verdict::Satisfiable,
                    [b"UNSATISFIABLE"] => Verdict::Unsatisfiable,
                    [b"UNKNOWN" | b"INDETERMINATE"] => Verdict::Unknown,
                    _ => {
                        let expected = "`s` is followed by SATISFIABLE, UNSATISFIABLE or UNKNOWN";
                        return Err(self.wrong(first.at, expected));
                    }
                };
                self.decide(first, verdict, Style::Competition)
            }
            b"SAT" => self.decide(first, Verdict::Satisfiable, Style::MiniSat),
            b"UNSAT" => self.decide(first, Verdict::Unsatisfiable, Style::MiniSat),
            b"INDET" => self.decide(first, Verdict::Unknown, Style::MiniSat),
            b"v" if !bare_values => words.try_for_each(|word| self.value(word)),
            _ if bare_values => line.words().try_for_each(|word| self.value(word)),
            _ => {
                let found = first.quoted();
                let message =
                    format!("a line of a SAT solver begins with c, s, v or o, not {found}");
                Err(self.wrong(first.at, message))
            }
        }
    }

    fn decide(&mut self, word: Word<'_>, verdict: Verdict, style: Style) -> Result<(), ParseError> {
        if self.verdict.is_some() {
            return Err(self.wrong(word.at, "a second verdict: there can be only one"));
        }
        self.verdict = Some((verdict, style));
        Ok(())
    }

    fn value(&mut self, word: Word<'_>) -> Result<(), ParseError> {
        if self.end.is_some() {
            let message = format!("{} after the 0 that ends the values", word.quoted());
            return Err(self.wrong(word.at, message));
        }
        if word.bytes == b"0" {
            self.end = Some(word.at);
            return Ok(());
        }
        let digits = word.bytes.strip_prefix(b"-").unwrap_or(word.bytes);
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) || digits[0] == b'0' {
            let message = format!("a literal such as 3 or -3 is expected, found {}", word.quoted());
            return Err(self.wrong(word.at, message));
        }
        let number = std::str::from_utf8(word.bytes).ok().and_then(|text| text.parse().ok());
        let Some(lit) = number.and_then(Lit::from_dimacs) else {
            let message = format!("{}: literals go up to 2147483647", word.quoted());
            return Err(self.wrong(word.at, message));
        };
        self.values.push((lit, word.at));
        Ok(())
    }

    fn finish(mut self) -> Result<SolverOutput, ParseError> {
        let end_of_text = self.text.trim_ascii_end().len();
        let first_value = self.values.first().map(|&(_, at)| at).or(self.end);
        let missing = match self.verdict {
            Some((Verdict::Satisfiable, _)) if self.end.is_some() => {
                return self.literals().map(SolverOutput::Satisfiable);
            }
            Some((Verdict::Satisfiable, _)) => "the 0 that ends the values is missing",
            None => "a verdict is missing: `s SATISFIABLE`, `s UNSATISFIABLE` or `s UNKNOWN`",
            Some((verdict, _)) => {
                return match (first_value, verdict) {
                    (Some(at), _) => {
                        Err(self.wrong(at, "values, though the verdict is not SATISFIABLE"))
                    }
                    (None, Verdict::Unsatisfiable) => Ok(SolverOutput::Unsatisfiable),
                    (None, _) => Ok(SolverOutput::Unknown),
                };
            }
        };
        Err(self.wrong(end_of_text, missing))
    }

    /// The literals in order, each once; never two of one variable.
    fn literals(&mut self) -> Result<Vec<Lit>, ParseError> {
        self.values.sort_unstable();
        self.values.dedup_by_key(|&mut (lit, _)| lit);
        let clash = self.values.windows(2).find(|pair| pair[0].0 == !pair[1].0);
        if let Some(&[(_, one), (lit, other)]) = clash {
            let message = format!("variable {} has both values", lit.var().index() + 1);
            return Err(self.wrong(one.max(other), message));
        }
        Ok(self.values.iter().map(|&(lit, _)| lit).collect())
    }
}

/// Decision variables without a value in a solver's answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct MissingValues {
    /// The first of them.
    pub first: Var,
    /// Its name.
    pub name: String,
    /// How many there are.
    pub num_missing: usize,
}

impl fmt::Display for MissingValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.first.index() + 1;
        write!(f, "the solver's answer has no value for {} (CNF variable {number})", self.name)?;
        match self.num_missing - 1 {
            0 => Ok(()),
            others => write!(f, " and {others} more"),
        }
    }
}

/// The values of the decision variables, which are the first of the CNF. What the literals say
/// of later variables is not looked at.
///
/// # Errors
/// If a decision variable has no value.
pub fn decision_values(lits: &[Lit], model: &Model) -> Result<Assignment, MissingValues> {
    let mut values = vec![None; model.num_decisions()];
    for lit in lits {
        if let Some(value) = values.get_mut(lit.var().index()) {
            *value = Some(!lit.is_negative());
        }
    }
    let num_missing = values.iter().filter(|value| value.is_none()).count();
    if let Some(first) = values.iter().position(Option::is_none) {
        let first = Var::new(first);
        return Err(MissingValues { first, name: model.variable_name(first), num_missing });
    }
    Ok(Assignment::from_values(values.into_iter().flatten().collect()))
}
