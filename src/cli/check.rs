//! `pbsolve check INPUT SOLUTION`: substitutes a solution and names what it violates.

use super::error::CliError;
use super::exit_code::ExitCode;
use super::input::{Input, in_either_formulation, read_bytes, shown};
use super::options::PuzzleInputArgs;
use super::{Entry, output};
use clap::{ArgMatches, Args, FromArgMatches};
use pbsolve::formats::{is_ilp_solution, read_solution};
use pbsolve::{Assignment, Model, Puzzle};
use pbsolve_model::ParseError;
use pbsolve_puzzles::Formulation;

pub(crate) const COMMAND: Entry = Entry {
    name: "check",
    about: "Check a solution against a model, and for a board against its rules",
    augment: CheckArgs::augment_args,
    start,
};

#[derive(Clone, Debug, Args)]
struct CheckArgs {
    /// A model or (with the name of its puzzle) a board, and the solution: v lines, `name value`
    /// lines, a solution file of HiGHS or CBC, or for a board the full board.
    #[arg(value_name = "[PUZZLE] INPUT SOLUTION", required = true)]
    input: Vec<String>,
    #[command(flatten)]
    puzzle: PuzzleInputArgs,
}

fn start(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let arguments = CheckArgs::from_arg_matches(matches).expect("clap has checked them");
    let usage = "pbsolve check [PUZZLE] INPUT SOLUTION";
    let (kind, paths) = arguments.puzzle.split(&arguments.input, 2, usage)?;
    let input = Input::read(&paths[0], kind, &arguments.puzzle)?;
    let text = read_bytes(&paths[1])?;
    let told = |error: ParseError| CliError::Parse { path: shown(&paths[1]), error };
    let violations = match input {
        Input::Model(model, _) => {
            let values = read_solution(&text, &model).map_err(told)?;
            model_violation(&model, &values).into_iter().collect()
        }
        Input::Puzzle(puzzle) => {
            let model = puzzle.model(Formulation::Document);
            let values = board_values(puzzle.as_ref(), &model, &text).map_err(told)?;
            let broken = puzzle.check(&puzzle.decode(&values)).err();
            let broken = broken.map(|broken| format!("violated: {broken}"));
            let violations = model_violation(&model, &values).into_iter().chain(broken);
            violations.collect::<Vec<_>>()
        }
    };
    output::answer(|out| {
        for violation in &violations {
            writeln!(out, "{violation}")?;
        }
        if violations.is_empty() {
            writeln!(out, "valid")?;
        }
        Ok(())
    })?;
    Ok(if violations.is_empty() { ExitCode::Done } else { ExitCode::Negative })
}

fn model_violation(model: &Model, values: &Assignment) -> Option<String> {
    model.check(values).err().map(|violation| format!("violated: {violation}"))
}

/// The cells of a full board, or the values of the variables.
fn board_values(puzzle: &dyn Puzzle, model: &Model, text: &[u8]) -> Result<Assignment, ParseError> {
    let has_values = text
        .split(|&byte| byte == b'\n')
        .any(|line| line.starts_with(b"v ") || line.starts_with(b"s ") || line.starts_with(b"x_"));
    if has_values || is_ilp_solution(text) {
        return in_either_formulation(puzzle, model, |model| read_solution(text, model));
    }
    Ok(puzzle.to_assignment(&puzzle.parse_solution(text)?))
}
