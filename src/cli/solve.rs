//! `pbsolve solve MODEL`: competition lines.

use super::error::CliError;
use super::exit_code::ExitCode;
use super::input::{Input, read_bytes, shown};
use super::interrupt::{self, LastWords};
use super::options::{FormulationName, PuzzleInputArgs, StrategyArgs};
use super::progress::ProgressLine;
use super::proof::{self, Claim};
use super::solution_output::{SolutionOutput, write_v_lines};
use super::{Entry, note, output, statistics};
use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};
use pbsolve::formats::{SolutionForm, read_solution, shown_value};
use pbsolve::proof::ProvingSearch;
use pbsolve::{
    Assignment, Backend, Found, Lazy, Model, Optimization, Optimum, Outcome, Progress, Reason,
    Search, SolveError, Statistics, Strategy, optimize,
};
use pbsolve_encodings::ExclusiveSets;
use pbsolve_puzzles::Formulation;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(crate) const COMMAND: Entry = Entry {
    name: "solve",
    about: "Solve or optimise a 0-1 linear model; prints competition lines",
    augment: SolveArgs::augment_args,
    start,
};

#[derive(Clone, Debug, Args)]
#[allow(clippy::option_option, reason = "an option that may have a value")]
struct SolveArgs {
    /// The model; - for standard input.
    #[arg(value_name = "MODEL")]
    model: String,
    #[command(flatten)]
    input: PuzzleInputArgs,
    /// How the board of a puzzle is stated.
    #[arg(long, value_enum, requires = "puzzle", default_value_t = FormulationName::Document)]
    formulation: FormulationName,
    /// Write the solution to this file, a line `name value` for each variable.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["count", "all"])]
    solution: Option<PathBuf>,
    /// Count the solutions, up to LIMIT if there is one.
    #[arg(long, value_name = "LIMIT", num_args = 0..=1, require_equals = true)]
    count: Option<Option<u64>>,
    /// Print all solutions, one set of v lines each.
    #[arg(long)]
    all: bool,
    /// How an optimum is looked for.
    #[arg(long, value_enum, value_name = "SEARCH", default_value_t = OptimizationName::Alternate)]
    optimization: OptimizationName,
    /// Begin an optimisation with the solution in this file.
    #[arg(long, value_name = "FILE")]
    start: Option<String>,
    #[command(flatten)]
    strategy: StrategyArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OptimizationName {
    /// Both in turns, sharing their bounds.
    Alternate,
    /// Better and better solutions only.
    Improve,
    /// Unsatisfiable cores only.
    Cores,
}

fn start(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let arguments = SolveArgs::from_arg_matches(matches).expect("clap has checked them");
    let words = match arguments.count {
        Some(_) => LastWords { text: "at least 0 solutions", code: ExitCode::Limit },
        None => LastWords { text: "s UNKNOWN", code: ExitCode::Done },
    };
    interrupt::watch(arguments.strategy.timeout, words);
    let mut strategy = arguments.strategy.strategy(arguments.lazy())?;
    strategy.optimization = match arguments.optimization {
        OptimizationName::Alternate => Optimization::Alternate,
        OptimizationName::Improve => Optimization::Improve,
        OptimizationName::Cores => Optimization::Cores,
    };
    let started = Instant::now();
    let read = arguments.read();
    proof::remove_old(&arguments.strategy)?;
    let (model, form) = match read {
        Ok(read) => read,
        Err(error @ CliError::Unsupported { .. }) => return unsupported(&error.to_string()),
        Err(error) => return Err(error),
    };
    let reading = started.elapsed();
    let file = arguments.solution.as_deref();
    let solutions = SolutionOutput { model: &model, form, file };
    let has_objective = model.objective().is_some_and(|objective| !objective.is_constant());
    if let Some(path) = &arguments.start {
        strategy.start = Some(read_start(path, &model)?);
    }
    if has_objective && !arguments.all && arguments.count.is_none() {
        return best(solutions, &strategy, reading, &arguments.strategy);
    }
    let enumerates = arguments.all || arguments.count.is_some();
    let is_race = matches!(strategy.backend, Backend::Portfolio(_));
    if strategy.backend.is_ilp() || is_race && !enumerates {
        if enumerates {
            let why = "--count and --all need a SAT solver: an ILP solver finds one solution";
            return Err(CliError::Usage(why.to_owned()));
        }
        return solve_without_search(solutions, &strategy, reading, &arguments.strategy);
    }
    let is_one = !arguments.all && arguments.count.is_none();
    if let (Some(path), true) = (&arguments.strategy.proof, is_one)
        && !is_solved_faster_without_proof(&model, &strategy)
        && let Some(search) = proof::begin(&model, &strategy, path)?
    {
        return prove_one(solutions, search, reading, &strategy, &arguments.strategy, path);
    }
    let mut search = match Search::new(&model, &model, &strategy) {
        Ok(search) => search,
        Err(error @ SolveError::UnsupportedRow { .. }) => return unsupported(&error.to_string()),
        Err(error) => return Err(error.into()),
    };
    let enumeration = if enumerates {
        enumerate(&model, &mut search, &arguments)
    } else {
        let line = ProgressLine::start("solving");
        let found = search.next()?;
        drop(line);
        end_one(&found, solutions, &strategy, &arguments.strategy)
    };
    statistics::tell(&arguments.strategy, &model, reading, &search.statistics());
    enumeration
}

/// Whether weighted rows are stated by groups of literals that exclude each other, which no proof
/// justifies, and which may make all the difference. A solution is then found first, without a
/// proof, since its own is short; only that there is none is found once more.
fn is_solved_faster_without_proof(model: &Model, strategy: &Strategy) -> bool {
    let is_built_in = strategy.backend.entry().is_some();
    let has_groups = || !ExclusiveSets::for_rows(model, &[]).is_empty();
    is_built_in && strategy.planner.group_exclusive && has_groups()
}

impl SolveArgs {
    /// Families are those of puzzles, and lazy only where that is asked for.
    fn lazy(&self) -> Lazy {
        match self.formulation {
            FormulationName::Lazy => Lazy::Violated,
            FormulationName::Document | FormulationName::Lean => Lazy::Never,
        }
    }

    /// The model, or that of a board, and how its solutions are shown.
    fn read(&self) -> Result<(Model, SolutionForm), CliError> {
        let kind = self.input.puzzle.as_deref().and_then(pbsolve_puzzles::find);
        Ok(match Input::read(&self.model, kind, &self.input)? {
            Input::Model(model, form) => (*model, form),
            Input::Puzzle(puzzle) => {
                let formulation = match self.formulation {
                    FormulationName::Document => Formulation::Document,
                    FormulationName::Lean | FormulationName::Lazy => Formulation::Lean,
                };
                (puzzle.model(formulation), SolutionForm::CompetitionLines)
            }
        })
    }
}

/// The solution to begin with, which must be one.
fn read_start(path: &str, model: &Model) -> Result<Assignment, CliError> {
    let text = read_bytes(path)?;
    let told = |error| CliError::Parse { path: shown(path), error };
    let start = read_solution(&text, model).map_err(told)?;
    match model.check(&start) {
        Ok(()) => Ok(start),
        Err(violation) => {
            Err(CliError::Unfit { path: shown(path), message: format!("violated: {violation}") })
        }
    }
}

fn unsupported(why: &str) -> Result<ExitCode, CliError> {
    note(why);
    output::answer(|out| Ok(writeln!(out, "s UNSUPPORTED")?))?;
    Ok(ExitCode::Done)
}

/// The best solution, each better one with its `o` line at once.
fn best(
    solutions: SolutionOutput<'_>,
    strategy: &Strategy,
    reading: Duration,
    arguments: &StrategyArgs,
) -> Result<ExitCode, CliError> {
    let model = solutions.model;
    let objective = model.objective().expect("the caller has looked");
    let mut printed = Ok(());
    let line = ProgressLine::start("no solution yet");
    let mut report = |progress: &Progress<'_>| {
        line.clear();
        if let (Some(_), Some(best), Ok(())) = (progress.solution, progress.best, &printed) {
            let mut out = std::io::stdout().lock();
            let written = writeln!(out, "o {}", shown_value(best, objective.divisor));
            printed = written.and_then(|()| out.flush());
        }
        line.tell(shown_progress(progress, objective.divisor));
    };
    let (optimum, found) = match optimize(model, strategy, &mut report) {
        Ok(ended) => ended,
        Err(error @ (SolveError::UnsupportedRow { .. } | SolveError::Load(_))) => {
            return unsupported(&error.to_string());
        }
        Err(error) => return Err(error.into()),
    };
    drop(line);
    printed?;
    let (line, solution, code) = match &optimum {
        Optimum::Optimal(best) => ("s OPTIMUM FOUND", Some(best), ExitCode::Optimal),
        Optimum::Unknown(_, Some(best)) => ("s SATISFIABLE", Some(best), ExitCode::Satisfiable),
        Optimum::Unsatisfiable => ("s UNSATISFIABLE", None, ExitCode::Unsatisfiable),
        _ => ("s UNKNOWN", None, ExitCode::Done),
    };
    output::answer(|out| {
        writeln!(out, "{line}")?;
        solution.map_or(Ok(()), |solution| solutions.print(solution, out))
    })?;
    solution.map_or(Ok(()), |solution| solutions.save(solution))?;
    if let Optimum::Unknown(reason, _) = &optimum {
        tell(reason);
    }
    statistics::tell(arguments, model, reading, &found);
    if matches!(optimum, Optimum::Optimal(_) | Optimum::Unsatisfiable) {
        arguments.tell_whose_word();
    }
    let claim = match &optimum {
        Optimum::Optimal(best) => Claim::BestSolution(best),
        Optimum::Unsatisfiable => Claim::NoSolution,
        Optimum::Unknown(_, Some(solution)) => Claim::Solution(solution),
        _ => return Ok(code),
    };
    proof::write_all(model, claim, strategy, arguments, code)
}

/// Both bounds and the gap between them, in percent of the larger one.
#[allow(clippy::cast_precision_loss, reason = "a percentage for people")]
fn shown_progress(progress: &Progress<'_>, divisor: i128) -> String {
    let bound = shown_value(progress.bound, divisor);
    let search = progress.search;
    let Some(best) = progress.best else {
        return format!("{search}: no solution yet, bound {bound}");
    };
    let (a, b) = (best as f64, progress.bound as f64);
    let gap = 100.0 * (a - b).abs() / a.abs().max(b.abs()).max(1.0);
    format!("{search}: best {}, bound {bound}, gap {gap:.1} %", shown_value(best, divisor))
}

/// By a back-end that is given the model itself, or by a race.
fn solve_without_search(
    solutions: SolutionOutput<'_>,
    strategy: &Strategy,
    reading: Duration,
    arguments: &StrategyArgs,
) -> Result<ExitCode, CliError> {
    let line = ProgressLine::start("solving");
    let started = Instant::now();
    let outcome = match pbsolve::solve(solutions.model, strategy) {
        Ok(outcome) => outcome,
        Err(error @ (SolveError::UnsupportedRow { .. } | SolveError::Load(_))) => {
            return unsupported(&error.to_string());
        }
        Err(error) => return Err(error.into()),
    };
    let statistics = Statistics { solving: started.elapsed(), ..Statistics::default() };
    drop(line);
    let found = match outcome {
        Outcome::Satisfiable(assignment) => Found::Solution(assignment),
        Outcome::Unknown(reason) => Found::Unknown(reason),
        _ => Found::NoMore,
    };
    let ended = end_one(&found, solutions, strategy, arguments);
    statistics::tell(arguments, solutions.model, reading, &statistics);
    ended
}

/// Prints what was found, and proves it if that is asked for.
fn end_one(
    found: &Found,
    solutions: SolutionOutput<'_>,
    strategy: &Strategy,
    arguments: &StrategyArgs,
) -> Result<ExitCode, CliError> {
    let code = print_found(found, solutions)?;
    let claim = match found {
        Found::Solution(assignment) => Claim::Solution(assignment),
        Found::NoMore => {
            arguments.tell_whose_word();
            Claim::NoSolution
        }
        Found::Unknown(_) => return Ok(code),
    };
    proof::write_all(solutions.model, claim, strategy, arguments, code)
}

/// One answer with a proof that is written on the way. A solution has a short one of its own.
fn prove_one(
    solutions: SolutionOutput<'_>,
    mut search: ProvingSearch<'_>,
    reading: Duration,
    strategy: &Strategy,
    arguments: &StrategyArgs,
    path: &Path,
) -> Result<ExitCode, CliError> {
    let line = ProgressLine::start("solving");
    let found = search.next().or_else(|error| proof::unfit(error, path))?;
    drop(line);
    let code = print_found(&found, solutions)?;
    statistics::tell(arguments, solutions.model, reading, &search.statistics());
    match &found {
        Found::Solution(assignment) => {
            drop(search);
            proof::write(solutions.model, Claim::Solution(assignment), strategy, path, code)
        }
        Found::NoMore => {
            let code = proof::tell(search.end_unsatisfiable(), path, code)?;
            let (model, clausal) = (solutions.model, &arguments.clausal);
            proof::write_clausal(model, Claim::NoSolution, strategy, clausal, code)
        }
        Found::Unknown(_) => Ok(code),
    }
}

fn print_found(found: &Found, solutions: SolutionOutput<'_>) -> Result<ExitCode, CliError> {
    output::answer(|out| match found {
        Found::Solution(assignment) => {
            writeln!(out, "s SATISFIABLE")?;
            solutions.print(assignment, out)
        }
        Found::NoMore => Ok(writeln!(out, "s UNSATISFIABLE")?),
        Found::Unknown(_) => Ok(writeln!(out, "s UNKNOWN")?),
    })?;
    Ok(match found {
        Found::Solution(assignment) => {
            solutions.save(assignment)?;
            ExitCode::Satisfiable
        }
        Found::NoMore => ExitCode::Unsatisfiable,
        Found::Unknown(reason) => {
            tell(reason);
            ExitCode::Done
        }
    })
}

fn tell(reason: &Reason) {
    note(&format!("c {reason}"));
}

/// `--count` and `--all`.
fn enumerate(
    model: &Model,
    search: &mut Search<'_>,
    arguments: &SolveArgs,
) -> Result<ExitCode, CliError> {
    let limit = arguments.count.flatten();
    let mut number = 0u64;
    let complete = loop {
        if Some(number) == limit {
            break false;
        }
        match search.next()? {
            Found::NoMore => break true,
            Found::Unknown(reason) => {
                tell(&reason);
                break false;
            }
            Found::Solution(assignment) => {
                number += 1;
                search.exclude(&assignment);
                if arguments.all {
                    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
                    write_v_lines(model, &assignment, &mut out)?;
                    out.flush()?;
                }
            }
        }
    };
    if arguments.count.is_some() {
        output::answer(|out| Ok(writeln!(out, "{}", output::count_line(number, complete))?))?;
        return Ok(if complete { ExitCode::Done } else { ExitCode::Limit });
    }
    let (line, code) = match (number, complete) {
        (0, true) => ("s UNSATISFIABLE", ExitCode::Unsatisfiable),
        (0, false) => ("s UNKNOWN", ExitCode::Done),
        _ => ("s SATISFIABLE", ExitCode::Satisfiable),
    };
    output::answer(|out| Ok(writeln!(out, "{line}")?))?;
    note(&format!("c {}", output::count_line(number, complete)));
    Ok(code)
}
