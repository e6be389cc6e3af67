//! What a reader says when it refuses a text.

use pbsolve_model::ParseError;

/// Why a text was refused. Every reader of a model returns this type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The text is not in the format.
    #[error("{0}")]
    Parse(ParseError),
    /// The text is in the format, but beyond what is supported.
    #[error("{0}")]
    Unsupported(ParseError),
}

impl ReadError {
    /// Where, and what is wrong there.
    pub fn place(&self) -> &ParseError {
        match self {
            ReadError::Parse(place) | ReadError::Unsupported(place) => place,
        }
    }

    /// The error that the text is not in the format.
    pub(super) fn parse(text: &[u8], at: usize, message: impl Into<String>) -> ReadError {
        ReadError::Parse(ParseError::at_offset(text, at, message))
    }

    /// The error that the text is beyond what is supported.
    pub(super) fn unsupported(text: &[u8], at: usize, message: impl Into<String>) -> ReadError {
        ReadError::Unsupported(ParseError::at_offset(text, at, message))
    }
}
