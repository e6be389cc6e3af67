//! Exit codes: `solve` follows the solver competitions, every other command follows Unix.

use signal_hook::low_level;
use std::io::{self, Write};

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

    /// Ends the process.
    pub(crate) fn end(self) -> ! {
        // Whoever wrote an answer has flushed it and told of errors.
        drop(io::stdout().flush());
        end(self.number())
    }
}

/// Ends the process as a second Ctrl-C does; waits for nobody, not even for standard output.
pub(crate) fn end_interrupted() -> ! {
    end(130)
}

/// Ends the process without exit handlers. A thread may still run C++ code whose static objects
/// those destroy: `HiGHS` left behind by the time limit then brought the process down in one of
/// three runs.
fn end(code: u8) -> ! {
    low_level::exit(i32::from(code))
}
