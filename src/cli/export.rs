//! `pbsolve export INPUT --to opb|listing`: the linear model itself.

use super::error::CliError;
use super::exit_code::ExitCode;
use super::input::Input;
use super::interrupt::{self, LastWords};
use super::options::{FormulationName, PuzzleInputArgs, written_formulation};
use super::{Entry, output};
use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};
use pbsolve::formats::{opb, write_listing};
use std::path::PathBuf;

pub(crate) const COMMAND: Entry = Entry {
    name: "export",
    about: "Write the linear model of a board or a file",
    augment: ExportArgs::augment_args,
    start,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The pseudo-Boolean competition format.
    Opb,
    /// Equations with a sentence each, for people.
    Listing,
}

#[derive(Clone, Debug, Args)]
struct ExportArgs {
    /// A model, or a board with --puzzle NAME, or the name of a puzzle and a board.
    #[arg(value_name = "[PUZZLE] INPUT", required = true)]
    input: Vec<String>,
    #[command(flatten)]
    puzzle: PuzzleInputArgs,
    /// The format.
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Format,
    /// How a board is stated.
    #[arg(long, value_enum, default_value_t = FormulationName::Document)]
    formulation: FormulationName,
    /// Write to this file.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn start(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let arguments = ExportArgs::from_arg_matches(matches).expect("clap has checked them");
    interrupt::watch(None, LastWords { text: "", code: ExitCode::Limit });
    let usage = "pbsolve export [PUZZLE] INPUT --to FORMAT";
    let (kind, paths) = arguments.puzzle.split(&arguments.input, 1, usage)?;
    let formulation = written_formulation(arguments.formulation)?;
    let input = Input::read(&paths[0], kind, &arguments.puzzle.parse_options())?;
    let model = input.into_model(formulation);
    output::to_file(arguments.output.as_deref(), |out| match arguments.to {
        Format::Opb => Ok(opb::write(&model, out)?),
        Format::Listing => Ok(write_listing(&model, out)?),
    })?;
    Ok(ExitCode::Done)
}
