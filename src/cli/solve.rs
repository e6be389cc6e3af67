//! `pbsolve solve MODEL`: competition lines.

use super::error::CliError;
use super::exit_code::ExitCode;
use super::input::Input;
use super::interrupt::{self, LastWords};
use super::options::StrategyArgs;
use super::{Entry, note, output, statistics};
use clap::{ArgMatches, Args, FromArgMatches};
use pbsolve::{
    Assignment, Found, Lazy, Model, Optimum, Progress, Reason, Search, SolveError, Strategy,
    optimize,
};
use pbsolve_puzzles::ParseOptions;
use std::io::Write;
use std::time::{Duration, Instant};

pub(crate) const COMMAND: Entry = Entry {
    name: "solve",
    about: "Solve or optimise a 0-1 linear model (OPB, LP, MPS); prints competition lines",
    augment: SolveArgs::augment_args,
    start,
};

#[derive(Clone, Debug, Args)]
struct SolveArgs {
    /// The model; - for standard input.
    #[arg(value_name = "MODEL")]
    model: String,
    /// Count the solutions, up to LIMIT if there is one.
    #[arg(long, value_name = "LIMIT", num_args = 0..=1, require_equals = true)]
    count: Option<Option<u64>>,
    /// Print all solutions, one set of v lines each.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    strategy: StrategyArgs,
}

fn start(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let arguments = SolveArgs::from_arg_matches(matches).expect("clap has checked them");
    let words = match arguments.count {
        Some(_) => LastWords { text: "at least 0 solutions", code: ExitCode::Limit },
        None => LastWords { text: "s UNKNOWN", code: ExitCode::Done },
    };
    interrupt::watch(arguments.strategy.timeout, words);
    let strategy = arguments.strategy.strategy(Lazy::Violated);
    let started = Instant::now();
    let model = match Input::read(&arguments.model, None, &ParseOptions::default()) {
        Ok(input) => input.into_model(pbsolve_puzzles::Formulation::Document),
        Err(error @ CliError::Unsupported { .. }) => return unsupported(&error.to_string()),
        Err(error) => return Err(error),
    };
    let reading = started.elapsed();
    let has_objective = model.objective().is_some_and(|objective| !objective.is_constant());
    if has_objective && !arguments.all && arguments.count.is_none() {
        return best(&model, &strategy, reading, arguments.strategy.stats);
    }
    let mut search = match Search::new(&model, &model, &strategy) {
        Ok(search) => search,
        Err(error) => return unsupported(&error.to_string()),
    };
    let enumeration = if arguments.all || arguments.count.is_some() {
        enumerate(&model, &mut search, &arguments)
    } else {
        solve_one(&model, &mut search)
    };
    if arguments.strategy.stats {
        statistics::print(reading, &search.statistics());
    }
    enumeration
}

fn unsupported(why: &str) -> Result<ExitCode, CliError> {
    note(why);
    output::answer(|out| Ok(writeln!(out, "s UNSUPPORTED")?))?;
    Ok(ExitCode::Done)
}

/// The best solution, each better one with its `o` line at once.
fn best(
    model: &Model,
    strategy: &Strategy,
    reading: Duration,
    stats: bool,
) -> Result<ExitCode, CliError> {
    let objective = model.objective().expect("the caller has looked");
    let mut printed = Ok(());
    let mut report = |progress: &Progress<'_>| {
        if let (Some(_), Some(best), Ok(())) = (progress.solution, progress.best, &printed) {
            let mut out = std::io::stdout().lock();
            let line = writeln!(out, "o {}", shown_value(best, objective.divisor));
            printed = line.and_then(|()| out.flush());
        }
    };
    let (optimum, found) = match optimize(model, strategy, &mut report) {
        Ok(ended) => ended,
        Err(error @ SolveError::UnsupportedRow { .. }) => return unsupported(&error.to_string()),
        Err(error) => return Err(error.into()),
    };
    printed?;
    let (line, solution, code) = match &optimum {
        Optimum::Optimal(best) => ("s OPTIMUM FOUND", Some(best), ExitCode::Optimal),
        Optimum::Unknown(_, Some(best)) => ("s SATISFIABLE", Some(best), ExitCode::Satisfiable),
        Optimum::Unsatisfiable => ("s UNSATISFIABLE", None, ExitCode::Unsatisfiable),
        _ => ("s UNKNOWN", None, ExitCode::Done),
    };
    output::answer(|out| {
        writeln!(out, "{line}")?;
        solution.map_or(Ok(()), |solution| write_values(model, solution, out))
    })?;
    if let Optimum::Unknown(reason, _) = &optimum {
        tell(reason);
    }
    if stats {
        statistics::print(reading, &found);
    }
    Ok(code)
}

/// The value of an objective, whose sum is a multiple of one over the divisor: as a decimal where
/// it ends, else as a fraction.
fn shown_value(numerator: i128, divisor: i128) -> String {
    if divisor == 1 {
        return numerator.to_string();
    }
    let (whole, mut rest) = (numerator / divisor, (numerator % divisor).unsigned_abs());
    if rest == 0 {
        return whole.to_string();
    }
    let sign = if numerator < 0 { "-" } else { "" };
    let mut digits = String::new();
    for _ in 0..30 {
        let Some(shifted) = rest.checked_mul(10) else { break };
        digits.push_str(&(shifted / divisor.unsigned_abs()).to_string());
        rest = shifted % divisor.unsigned_abs();
        if rest == 0 {
            return format!("{sign}{}.{digits}", whole.unsigned_abs());
        }
    }
    format!("{numerator}/{divisor}")
}

fn solve_one(model: &Model, search: &mut Search<'_>) -> Result<ExitCode, CliError> {
    let found = search.next()?;
    output::answer(|out| match &found {
        Found::Solution(assignment) => {
            writeln!(out, "s SATISFIABLE")?;
            write_values(model, assignment, out)
        }
        Found::NoMore => Ok(writeln!(out, "s UNSATISFIABLE")?),
        Found::Unknown(_) => Ok(writeln!(out, "s UNKNOWN")?),
    })?;
    Ok(match found {
        Found::Solution(_) => ExitCode::Satisfiable,
        Found::NoMore => ExitCode::Unsatisfiable,
        Found::Unknown(reason) => {
            tell(&reason);
            ExitCode::Done
        }
    })
}

fn tell(reason: &Reason) {
    note(&format!("c {reason}"));
}

/// The values of the decision variables, on lines of bearable length.
pub(crate) fn write_values(
    model: &Model,
    assignment: &Assignment,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    const WIDTH: usize = 78;
    let mut line = String::from("v");
    for lit in assignment.lits() {
        let name = model.variable_name(lit.var());
        let sign = if lit.is_negative() { "-" } else { "" };
        if line.len() + 1 + sign.len() + name.len() > WIDTH && line.len() > 1 {
            writeln!(out, "{line}")?;
            line.truncate(1);
        }
        line.push(' ');
        line.push_str(sign);
        line.push_str(&name);
    }
    Ok(writeln!(out, "{line}")?)
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
                    write_values(model, &assignment, &mut out)?;
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
