//! Inputs: a model file, or with the name of a puzzle a board; compressed or not.

use super::error::CliError;
use super::options::PuzzleInputArgs;
use pbsolve::formats::compressed::{self, Compression};
use pbsolve::formats::model_format::{self, ModelFormat};
use pbsolve::formats::{ReadError, SolutionForm};
use pbsolve_model::{Model, ParseError};
use pbsolve_puzzles::{Formulation, ParseOptions, Puzzle, PuzzleKind};
use std::io::Read;

/// What a command works on.
#[derive(Debug)]
pub(crate) enum Input {
    /// A model as it was read, and how its solutions are shown.
    Model(Box<Model>, SolutionForm),
    /// A board.
    Puzzle(Box<dyn Puzzle>),
}

impl Input {
    /// Reads a board of this kind, or a model if there is none.
    pub(crate) fn read(
        path: &str,
        kind: Option<&PuzzleKind>,
        arguments: &PuzzleInputArgs,
    ) -> Result<Input, CliError> {
        let from = arguments.from.format();
        match (kind, from) {
            (Some(_), Some(_)) => {
                let why = "--from is the format of a model, and the input is a board";
                Err(CliError::Usage(why.to_owned()))
            }
            (Some(kind), None) => {
                let text = read_bytes(path)?;
                parse_puzzle(kind, path, &text, &arguments.parse_options()).map(Input::Puzzle)
            }
            (None, from) => {
                let (model, form) = read_model(path, from)?;
                Ok(Input::Model(Box::new(model), form))
            }
        }
    }

    /// The model: a board's in this formulation.
    pub(crate) fn into_model(self, formulation: Formulation) -> Model {
        match self {
            Input::Model(model, _) => *model,
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

/// Reads values for a board's variables with the names of its model or, if those are not the ones
/// of the text, with those of the lean formulation: they differ in the indicators only.
pub(crate) fn in_either_formulation<T>(
    puzzle: &dyn Puzzle,
    model: &Model,
    read: impl Fn(&Model) -> Result<T, ParseError>,
) -> Result<T, ParseError> {
    read(model).or_else(|error| read(&puzzle.model(Formulation::Lean)).map_err(|_| error))
}

/// Reads a model in this format, or else in that of its name; and how its solutions are shown.
pub(crate) fn read_model(
    path: &str,
    from: Option<&'static ModelFormat>,
) -> Result<(Model, SolutionForm), CliError> {
    let format = from.map_or_else(|| format_of(path), Ok)?;
    let read = (format.read)(&read_bytes(path)?);
    let model = read.map_err(|error| match error {
        ReadError::Unsupported(error) => CliError::Unsupported { path: shown(path), error },
        other => CliError::Parse { path: shown(path), error: other.place().clone() },
    })?;
    Ok((model, format.solutions))
}

/// The format by the name of a file; that of the competitions if the name tells nothing.
fn format_of(path: &str) -> Result<&'static ModelFormat, CliError> {
    let name = path.to_ascii_lowercase();
    let name = name.rsplit('/').next().unwrap_or_default();
    let name = compression_of_name(name).map_or(name, |(_, stem)| stem);
    let Some((_, extension)) = name.rsplit_once('.') else { return Ok(&model_format::ALL[0]) };
    model_format::with_extension(extension).ok_or_else(|| {
        let formats = model_format::ALL.iter().flat_map(|format| format.extensions);
        let known: Vec<String> = formats.map(|extension| format!(".{extension}")).collect();
        let compressions = compressed::ALL.iter().map(|compression| compression.extension);
        let compressions: Vec<String> = compressions.map(|end| format!(".{end}")).collect();
        CliError::Usage(format!(
            "{path}: .{extension} is not a model file; models are {} files, also with {}; for \
             other names give --from FORMAT, for a board --puzzle NAME",
            known.join(", "),
            compressions.join(" or ")
        ))
    })
}

/// The compression that the end of a name tells, and the name without it.
fn compression_of_name(name: &str) -> Option<(&'static Compression, &str)> {
    let (stem, extension) = name.rsplit_once('.')?;
    let extension = extension.to_ascii_lowercase();
    let found = compressed::ALL.iter().find(|compression| compression.extension == extension)?;
    Some((found, stem))
}

/// The bytes of a file, or of standard input for `-`; of a compressed one its text.
pub(crate) fn read_bytes(path: &str) -> Result<Vec<u8>, CliError> {
    let bytes = read_raw(path)?;
    let unfit = |message: String| CliError::Unfit { path: shown(path), message };
    match (Compression::of(&bytes), compression_of_name(path)) {
        (Some(compression), _) => {
            let text = compression.decompress(&bytes, compressed::memory_limit());
            text.map_err(|error| unfit(error.to_string()))
        }
        (None, Some((compression, _))) => {
            let (name, extension) = (compression.name, compression.extension);
            Err(unfit(format!("no {name} stream, though the name ends in .{extension}")))
        }
        (None, None) => Ok(bytes),
    }
}

fn read_raw(path: &str) -> Result<Vec<u8>, CliError> {
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
