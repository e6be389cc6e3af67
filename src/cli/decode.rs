//! `pbsolve decode INPUT SOLVER_OUTPUT`: from what an external SAT solver printed to a checked
//! answer.

use super::error::CliError;
use super::exit_code::ExitCode;
use super::input::{Input, read_bytes, shown};
use super::options::PuzzleInputArgs;
use super::solve::write_values;
use super::{Entry, note, output};
use clap::{ArgMatches, Args, FromArgMatches};
use pbsolve::formats::{SolverOutput, decision_values, read_solver_output};
use pbsolve_puzzles::Formulation;

pub(crate) const COMMAND: Entry = Entry {
    name: "decode",
    about: "Read what a SAT solver printed for an encoded input, check it, print the answer",
    augment: DecodeArgs::augment_args,
    start,
};

#[derive(Clone, Debug, Args)]
struct DecodeArgs {
    /// The input that was encoded (with the name of its puzzle), and the solver's output.
    #[arg(value_name = "[PUZZLE] INPUT SOLVER_OUTPUT", required = true)]
    input: Vec<String>,
    #[command(flatten)]
    puzzle: PuzzleInputArgs,
}

fn start(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let arguments = DecodeArgs::from_arg_matches(matches).expect("clap has checked them");
    let usage = "pbsolve decode [PUZZLE] INPUT SOLVER_OUTPUT";
    let (kind, paths) = arguments.puzzle.split(&arguments.input, 2, usage)?;
    let input = Input::read(&paths[0], kind, &arguments.puzzle.parse_options())?;
    let path = shown(&paths[1]);
    let text = read_bytes(&paths[1])?;
    let told = |error| CliError::Parse { path: path.clone(), error };
    let lits = match read_solver_output(&text).map_err(told)? {
        SolverOutput::Satisfiable(lits) => lits,
        SolverOutput::Unsatisfiable => {
            let line = match input {
                Input::Model(_) => "s UNSATISFIABLE",
                Input::Puzzle(_) => "no solution",
            };
            note("note: that there is no solution is the solver's word; it was not checked");
            output::answer(|out| Ok(writeln!(out, "{line}")?))?;
            return Ok(ExitCode::Negative);
        }
        SolverOutput::Unknown => {
            output::answer(|out| Ok(writeln!(out, "s UNKNOWN")?))?;
            return Ok(ExitCode::Limit);
        }
    };
    let (puzzle, model) = match input {
        Input::Model(model) => (None, model),
        Input::Puzzle(puzzle) => {
            let model = puzzle.model(Formulation::Document);
            (Some(puzzle), model)
        }
    };
    let unfit = |message: String| CliError::Unfit { path: path.clone(), message };
    let values = decision_values(&lits, &model).map_err(|error| unfit(error.to_string()))?;
    if let Err(violation) = model.check(&values) {
        output::answer(|out| Ok(writeln!(out, "violated: {violation}")?))?;
        return Ok(ExitCode::Negative);
    }
    let Some(puzzle) = puzzle else {
        output::answer(|out| {
            writeln!(out, "s SATISFIABLE")?;
            write_values(&model, &values, out)
        })?;
        return Ok(ExitCode::Done);
    };
    let board = puzzle.decode(&values);
    puzzle.check(&board).map_err(pbsolve::SolveError::BrokenRules)?;
    output::answer(|out| Ok(out.write_all(puzzle.render(&board).as_bytes())?))?;
    Ok(ExitCode::Done)
}
