//! Exit codes: `solve` follows the solver competitions, every other command follows Unix.

use std::process::ExitCode as ProcessExitCode;

/// How the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitCode {
    /// Done and positive; for `solve`: unknown or unsupported.
    Done,
    /// Done and negative: no solution, violated, not unique where that was expected.
    Negative,
    /// Wrong usage or unreadable input.
    Refused,
    /// A limit was reached.
    Limit,
    /// `solve`: satisfiable.
    Satisfiable,
    /// `solve`: unsatisfiable.
    Unsatisfiable,
    /// `solve`: optimum found.
    Optimal,
}

impl ExitCode {
    pub(crate) fn number(self) -> u8 {
        match self {
            ExitCode::Done => 0,
            ExitCode::Negative => 1,
            ExitCode::Refused => 2,
            ExitCode::Limit => 3,
            ExitCode::Satisfiable => 10,
            ExitCode::Unsatisfiable => 20,
            ExitCode::Optimal => 30,
        }
    }
}

impl From<ExitCode> for ProcessExitCode {
    fn from(code: ExitCode) -> ProcessExitCode {
        ProcessExitCode::from(code.number())
    }
}
