//! `pbsolve decode INPUT SOLVER_OUTPUT`: from what an external solver wrote to a checked answer.

use super::error::CliError;
use super::exit_code::ExitCode;
use super::input::{Input, in_either_formulation, read_bytes, shown};
use super::options::PuzzleInputArgs;
use super::solution_output::SolutionOutput;
use super::{Entry, note, output};
use clap::{ArgMatches, Args, FromArgMatches};
use pbsolve::formats::{
    IlpAnswer, SolutionForm, SolverOutput, decision_values, is_ilp_solution, read_ilp_solution,
    read_solver_output,
};
use pbsolve::{Assignment, Model, Puzzle};
use pbsolve_puzzles::Formulation;

pub(crate) const COMMAND: Entry = Entry {
    name: "decode",
    about: "Read what a solver made of an encoded or exported input, check it, print the answer",
    augment: DecodeArgs::augment_args,
    start,
};

#[derive(Clone, Debug, Args)]
struct DecodeArgs {
    /// The input (with the name of its puzzle), and the output of a SAT solver for its encoding, or
    /// the solution file of HiGHS or CBC for its export.
    #[arg(value_name = "[PUZZLE] INPUT SOLVER_OUTPUT", required = true)]
    input: Vec<String>,
    #[command(flatten)]
    puzzle: PuzzleInputArgs,
}

fn start(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let arguments = DecodeArgs::from_arg_matches(matches).expect("clap has checked them");
    let usage = "pbsolve decode [PUZZLE] INPUT SOLVER_OUTPUT";
    let (kind, paths) = arguments.puzzle.split(&arguments.input, 2, usage)?;
    let input = Input::read(&paths[0], kind, &arguments.puzzle)?;
    let (puzzle, model, form) = match input {
        Input::Model(model, form) => (None, *model, form),
        Input::Puzzle(puzzle) => {
            let model = puzzle.model(Formulation::Document);
            (Some(puzzle), model, SolutionForm::CompetitionLines)
        }
    };
    let values = match read_answer(&paths[1], puzzle.as_deref(), &model)? {
        Answer::Values(values) => values,
        Answer::Infeasible => {
            let line = if puzzle.is_some() { "no solution" } else { "s UNSATISFIABLE" };
            note("note: that there is no solution is the solver's word; it was not checked");
            output::answer(|out| Ok(writeln!(out, "{line}")?))?;
            return Ok(ExitCode::Negative);
        }
        Answer::Unknown => {
            output::answer(|out| Ok(writeln!(out, "s UNKNOWN")?))?;
            return Ok(ExitCode::Limit);
        }
    };
    if let Err(violation) = model.check(&values) {
        output::answer(|out| Ok(writeln!(out, "violated: {violation}")?))?;
        return Ok(ExitCode::Negative);
    }
    let Some(puzzle) = puzzle else {
        output::answer(|out| {
            writeln!(out, "s SATISFIABLE")?;
            SolutionOutput { model: &model, form, file: None }.print(&values, out)
        })?;
        return Ok(ExitCode::Done);
    };
    let board = puzzle.decode(&values);
    puzzle.check(&board).map_err(pbsolve::SolveError::BrokenRules)?;
    output::answer(|out| Ok(out.write_all(puzzle.render(&board).as_bytes())?))?;
    Ok(ExitCode::Done)
}

/// What a solver says.
enum Answer {
    Values(Assignment),
    Infeasible,
    Unknown,
}

fn read_answer(path: &str, puzzle: Option<&dyn Puzzle>, model: &Model) -> Result<Answer, CliError> {
    let text = read_bytes(path)?;
    let told = |error| CliError::Parse { path: shown(path), error };
    if is_ilp_solution(&text) {
        let read = |model: &Model| read_ilp_solution(&text, model);
        let answer = match puzzle {
            Some(puzzle) => in_either_formulation(puzzle, model, read),
            None => read(model),
        };
        return Ok(match answer.map_err(told)? {
            IlpAnswer::Solution(values) => Answer::Values(values),
            IlpAnswer::Infeasible { .. } => Answer::Infeasible,
            IlpAnswer::Unknown { .. } => Answer::Unknown,
        });
    }
    let unfit = |message: String| CliError::Unfit { path: shown(path), message };
    match read_solver_output(&text).map_err(told)? {
        SolverOutput::Satisfiable(lits) => {
            let values = decision_values(&lits, model);
            values.map(Answer::Values).map_err(|error| unfit(error.to_string()))
        }
        SolverOutput::Unsatisfiable => Ok(Answer::Infeasible),
        SolverOutput::Unknown => Ok(Answer::Unknown),
    }
}
