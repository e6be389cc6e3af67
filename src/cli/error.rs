//! What goes wrong on the command line, and how it is told.

use pbsolve::SolveError;
use pbsolve::formats::WriteError;
use pbsolve_model::ParseError;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// An error that ends the command.
#[derive(Debug)]
pub(crate) enum CliError {
    /// The arguments do not go together.
    Usage(String),
    /// A file cannot be read.
    Read { path: String, error: io::Error },
    /// A file is not what it should be.
    Parse { path: String, error: ParseError },
    /// A file holds what is well-formed but beyond this program.
    Unsupported { path: String, error: ParseError },
    /// A file is well-formed but does not fit the rest of the input.
    Unfit { path: String, message: String },
    /// The model cannot be solved, or a check failed.
    Solve(SolveError),
    /// An output file cannot be written.
    Create { path: PathBuf, error: io::Error },
    /// Standard output cannot be written.
    Output(io::Error),
}

impl CliError {
    /// Whether whoever read our output has had enough, which is nobody's mistake.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, CliError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl From<SolveError> for CliError {
    fn from(error: SolveError) -> CliError {
        CliError::Solve(error)
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> CliError {
        CliError::Output(error)
    }
}

impl From<WriteError> for CliError {
    fn from(error: WriteError) -> CliError {
        match error {
            WriteError::Io(error) => CliError::Output(error),
            other => CliError::Usage(other.to_string()),
        }
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CliError::Usage(message) => write!(f, "error: {message}"),
            CliError::Read { path, error } => write!(f, "error: {path}: {error}"),
            CliError::Parse { path, error } => write!(f, "{path}:{error}\n{}", error.excerpt()),
            CliError::Unsupported { path, error } => {
                write!(f, "{path}:{error} (not supported)\n{}", error.excerpt())
            }
            CliError::Unfit { path, message } => write!(f, "error: {path}: {message}"),
            CliError::Solve(error) => write!(f, "error: {error}"),
            CliError::Create { path, error } => write!(f, "error: {}: {error}", path.display()),
            CliError::Output(error) => write!(f, "error: writing the answer: {error}"),
        }
    }
}
