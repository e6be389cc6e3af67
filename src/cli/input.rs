//! Inputs: a model file, or with the name of a puzzle a board.

use super::error::CliError;
use pbsolve::formats::{ReadError, lp, mps, opb};
use pbsolve_model::Model;
use pbsolve_puzzles::{Formulation, ParseOptions, Puzzle, PuzzleKind};
use std::io::Read;

/// What a command works on.
#[derive(Debug)]
pub(crate) enum Input {
    /// A model as it was read.
    Model(Model),
    /// A board.
    Puzzle(Box<dyn Puzzle>),
}

impl Input {
    /// Reads a board of this kind, or a model if there is none.
    pub(crate) fn read(
        path: &str,
        kind: Option<&PuzzleKind>,
        options: &ParseOptions,
    ) -> Result<Input, CliError> {
        let text = read_bytes(path)?;
        match kind {
            Some(kind) => Ok(Input::Puzzle(parse_puzzle(kind, path, &text, options)?)),
            None => read_model(path, &text).map(Input::Model),
        }
    }

    /// The model: a board's in this formulation.
    pub(crate) fn into_model(self, formulation: Formulation) -> Model {
        match self {
            Input::Model(model) => model,
            Input::Puzzle(puzzle) => puzzle.model(formulation),
        }
    }
}

/// Reads a board and tells where it is not one.
pub(crate) fn parse_puzzle(
    kind: &PuzzleKind,
    path: &str,
    text: &[u8],
    options: &ParseOptions,
) -> Result<Box<dyn Puzzle>, CliError> {
    (kind.parse)(text, options).map_err(|error| CliError::Parse { path: shown(path), error })
}

fn read_model(path: &str, text: &[u8]) -> Result<Model, CliError> {
    let name = path.to_ascii_lowercase();
    let extension = name.rsplit('/').next().and_then(|name| name.rsplit_once('.'));
    let read = match extension.map(|(_, extension)| extension) {
        None | Some("opb" | "pb" | "pbo") => opb::read,
        Some("lp") => lp::read,
        Some("mps") => mps::read,
        Some(other) => {
            let hint = "models are .opb, .lp or .mps files; for a board give --puzzle NAME";
            return Err(CliError::Usage(format!("{path}: .{other} is not a model file: {hint}")));
        }
    };
    read(text).map_err(|error| match error {
        ReadError::Unsupported(error) => CliError::Unsupported { path: shown(path), error },
        other => CliError::Parse { path: shown(path), error: other.place().clone() },
    })
}

/// The bytes of a file, or of standard input for `-`.
pub(crate) fn read_bytes(path: &str) -> Result<Vec<u8>, CliError> {
    let told = |error| CliError::Read { path: shown(path), error };
    if path != "-" {
        return std::fs::read(path).map_err(told);
    }
    let mut text = Vec::new();
    std::io::stdin().lock().read_to_end(&mut text).map_err(told)?;
    Ok(text)
}

/// How a path is told in messages.
pub(crate) fn shown(path: &str) -> String {
    if path == "-" { "standard input".to_owned() } else { path.to_owned() }
}
