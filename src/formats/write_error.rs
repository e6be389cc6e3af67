//! What a writer says when a model cannot be written.

use pbsolve_model::{Model, Var};
use std::io;

/// Why a model could not be written. What was written before is incomplete.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The text could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Variables are numbered up to 2^31 - 1.
    #[error("the model has {0} variables, more than the 2147483647 that can be numbered")]
    TooManyVariables(u64),
    /// A number of this row, or of the objective, is beyond 128 bits in the form to be written.
    #[error("{0}: a number is beyond 128 bits when the row is written in this format")]
    NumberTooWide(String),
    /// The format tells variables apart by names, and this one does not do.
    #[error("the name {0:?} is empty, occurs twice, has control characters, or is another with ~")]
    Name(String),
}

/// The number of variables, indicators included, if all of them can be numbered.
pub(super) fn numbered_variables(model: &Model) -> Result<usize, WriteError> {
    let num_variables = model.num_variables();
    let number = usize::try_from(num_variables).ok().filter(|&n| n <= Var::MAX_INDEX + 1);
    number.ok_or(WriteError::TooManyVariables(num_variables))
}
