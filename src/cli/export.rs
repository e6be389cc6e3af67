//! `pbsolve export INPUT --to FORMAT`: the linear model itself.

use super::error::CliError;
use super::exit_code::ExitCode;
use super::input::Input;
use super::interrupt::{self, LastWords};
use super::options::{FormulationName, PuzzleInputArgs, format_values, written_formulation};
use super::{Entry, output};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{ArgMatches, Args, FromArgMatches};
use pbsolve::formats::{model_format, write_listing};
use std::path::PathBuf;

pub(crate) const COMMAND: Entry = Entry {
    name: "export",
    about: "Write the linear model of a board or a file",
    augment: ExportArgs::augment_args,
    start,
};

#[derive(Clone, Debug, Args)]
struct ExportArgs {
    /// A model, or a board with --puzzle NAME, or the name of a puzzle and a board.
    #[arg(value_name = "[PUZZLE] INPUT", required = true)]
    input: Vec<String>,
    #[command(flatten)]
    puzzle: PuzzleInputArgs,
    /// The format.
    #[arg(long, value_name = "FORMAT", value_parser = written_forms())]
    to: String,
    /// How a board is stated.
    #[arg(long, value_enum, default_value_t = FormulationName::Document)]
    formulation: FormulationName,
    /// Write to this file.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The formats that can be read, and the listing, which cannot.
fn written_forms() -> PossibleValuesParser {
    let listing = PossibleValue::new("listing").help("Equations with a sentence each, for people");
    PossibleValuesParser::new(format_values().chain([listing]))
}

fn start(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let arguments = ExportArgs::from_arg_matches(matches).expect("clap has checked them");
    interrupt::watch(None, LastWords { text: "", code: ExitCode::Limit });
    let usage = "pbsolve export [PUZZLE] INPUT --to FORMAT";
    let (kind, paths) = arguments.puzzle.split(&arguments.input, 1, usage)?;
    let formulation = written_formulation(arguments.formulation)?;
    let input = Input::read(&paths[0], kind, &arguments.puzzle)?;
    let model = input.into_model(formulation);
    let write = model_format::find(&arguments.to).map_or(write_listing as _, |format| format.write);
    output::to_file(arguments.output.as_deref(), |out| Ok(write(&model, out)?))?;
    Ok(ExitCode::Done)
}
