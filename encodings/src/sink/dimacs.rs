//! Streaming DIMACS: one pass counts for the header, a second one writes; nothing is kept.

use super::{ClauseId, ClauseSink, Counter, Role, Stop};
use pbsolve_model::{Lit, Var};
use std::io::{self, Write};
use std::ops::ControlFlow;

/// What stands before and after the clauses.
#[derive(Debug, Default)]
pub struct DimacsComments {
    /// Lines without their `c `, before the header.
    pub before: Vec<String>,
    /// Variables `1..=n` are the ones to project on (`c p show`).
    pub show: usize,
}

/// Writes what `encode` states as DIMACS. `encode` is called twice and must state the same both
/// times.
///
/// # Errors
/// What writing says. `encode` should pass on the breaks of its sink.
///
/// # Panics
/// If the two passes differ, which would make the header wrong.
pub fn write_dimacs(
    out: &mut dyn Write,
    comments: &DimacsComments,
    mut encode: impl FnMut(&mut dyn ClauseSink) -> ControlFlow<Stop>,
) -> io::Result<()> {
    let mut counter = Counter::default();
    if encode(&mut counter).is_break() {
        return Err(io::Error::other("the encoding was stopped"));
    }
    let counted = counter.size;
    for line in &comments.before {
        writeln!(out, "c {line}")?;
    }
    writeln!(out, "p cnf {} {}", counted.variables, counted.clauses)?;
    let mut writer =
        DimacsWriter { out, written: Counter::default(), error: None, line: Vec::new() };
    let flow = encode(&mut writer);
    if let Some(error) = writer.error {
        return Err(error);
    }
    let same = flow.is_continue() && writer.written == counter;
    assert!(same, "two passes of an encoding are the same: {counter:?}, {:?}", writer.written);
    if comments.show > 0 {
        // Solvers read whole lines; a million numbers on one line is more than some of them take.
        for first in (1..=comments.show).step_by(1000) {
            let numbers = (first..=comments.show).take(1000).map(|number| number.to_string());
            writeln!(out, "c p show {} 0", numbers.collect::<Vec<_>>().join(" "))?;
        }
    }
    out.flush()
}

struct DimacsWriter<'a> {
    out: &'a mut dyn Write,
    written: Counter,
    error: Option<io::Error>,
    line: Vec<u8>,
}

impl ClauseSink for DimacsWriter<'_> {
    fn new_var(&mut self, role: Role) -> Var {
        self.written.new_var(role)
    }

    fn clause(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        self.line.clear();
        for lit in lits {
            push_number(&mut self.line, lit.to_dimacs());
            self.line.push(b' ');
        }
        self.line.extend_from_slice(b"0\n");
        if let Err(error) = self.out.write_all(&self.line) {
            self.error = Some(error);
            return ControlFlow::Break(Stop::Io);
        }
        self.written.clause(lits)
    }
}

/// Decimal digits; several times faster than the formatting machinery, which dominates otherwise.
fn push_number(line: &mut Vec<u8>, number: i32) {
    if number < 0 {
        line.push(b'-');
    }
    let mut digits = [0; 10];
    let mut start = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        start -= 1;
        digits[start] = b'0' + u8::try_from(rest % 10).expect("a digit");
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    line.extend_from_slice(&digits[start..]);
}
