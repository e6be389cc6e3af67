//! What solving comes to, and what can go wrong.

use crate::limits::Reason;
use pbsolve_encodings::UnsupportedRow;
use pbsolve_model::{Assignment, Violation};
use std::fmt;

/// The answer to a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// A solution, checked against the model.
    Satisfiable(Assignment),
    /// There is none.
    Unsatisfiable,
    /// Not decided, and why.
    Unknown(Reason),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Satisfiable(_) => f.write_str("satisfiable"),
            Outcome::Unsatisfiable => f.write_str("unsatisfiable"),
            Outcome::Unknown(reason) => write!(f, "unknown: {reason}"),
        }
    }
}

/// Why a model could not be solved, apart from limits.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// No encoder takes a row of the model.
    #[error("row {number}{}: {why}", name.as_ref().map_or(String::new(), |n| format!(" ({n})")))]
    UnsupportedRow {
        /// The row, from 1.
        number: u64,
        /// Its name, if it has one.
        name: Option<String>,
        /// Why not.
        why: UnsupportedRow,
    },
    /// The command line of an external solver makes no sense.
    #[error("--solver: {0}")]
    Command(#[from] crate::backend::CommandError),
    /// The back-end is not part of this build.
    #[error(transparent)]
    MissingBackend(#[from] crate::backend::MissingBackend),
    /// The back-end gives no proofs.
    #[error("--proof: {0} gives no proofs; varisat does")]
    NoProofs(&'static str),
    /// The command of an external solver has no place for a proof.
    #[error(
        "--proof: the command of --solver writes no proof; {{proof}} stands for the file of a DRAT \
         proof, {{lrat}} for that of an LRAT proof as text"
    )]
    NoProof,
    /// The back-end takes no clauses.
    #[error("--backend {0}: no SAT solver, which is what this needs")]
    NoSatSolver(&'static str),
    /// The model cannot be given to an integer programming solver.
    #[error(transparent)]
    Load(#[from] crate::ilp::LoadError),
    /// The command line of an external integer programming solver makes no sense.
    #[error("--ilp-solver: {0}")]
    IlpCommand(crate::backend::CommandError),
    /// The model has an objective, which [`optimize`](crate::optimize()) is for.
    #[error("the model has an objective, which `optimize` is for; `solve` finds any solution")]
    Objective,
    /// The model has more variables than CNF can number.
    #[error("the model has {0} variables, more than the 2147483647 that CNF can number")]
    TooManyVariables(u64),
    /// An answer did not pass the check against the model: a mistake in pbsolve or its solver.
    #[error("an answer failed its check, which is a mistake in pbsolve: {0}")]
    WrongAnswer(Box<Violation>),
    /// A board did not pass the check of the puzzle's rules: a mistake in pbsolve.
    #[error("an answer broke the rules of the puzzle, which is a mistake in pbsolve: {0}")]
    BrokenRules(pbsolve_puzzles::RuleViolation),
}
