//! Arguments, commands, messages, exit codes.

mod backends;
mod board_output;
mod check;
mod compare;
mod decode;
mod encode;
mod encodings;
mod error;
mod exit_code;
mod export;
mod input;
mod interrupt;
mod options;
mod output;
mod progress;
mod proof;
mod puzzle;
mod run_report;
mod solution_output;
mod solve;
mod statistics;
mod verify;

use clap::{ArgMatches, Command, Error as ClapError};
use error::CliError;
use exit_code::ExitCode;
use std::io::Write;

/// A command: its name, what it does, its arguments, and what it runs.
struct Entry {
    name: &'static str,
    about: &'static str,
    augment: fn(Command) -> Command,
    start: fn(&ArgMatches) -> Result<ExitCode, CliError>,
}

/// The commands beside those of the puzzles, in the order of the help text.
const COMMANDS: &[Entry] = &[
    solve::COMMAND,
    encode::COMMAND,
    export::COMMAND,
    decode::COMMAND,
    check::COMMAND,
    verify::COMMAND,
    compare::COMMAND,
    encodings::COMMAND,
    backends::COMMAND,
];

const AFTER_HELP: &str = "\
Exit codes: solve follows the solver competitions (10 satisfiable, 20 unsatisfiable, 30 optimum found, 0
unknown or unsupported); other commands return 0 when done, 1 for no solution, a violation or not unique
where that was expected, 3 at a limit. All return 2 for wrong usage or unreadable input.";

fn command() -> Command {
    let mut command = Command::new("pbsolve")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Solves 0-1 linear models and puzzles with SAT, and checks every answer")
        .after_help(AFTER_HELP)
        .subcommand_required(true)
        .arg_required_else_help(true);
    for kind in pbsolve_puzzles::ALL {
        command = command.subcommand(puzzle::command(kind));
    }
    for entry in COMMANDS {
        // The doc comments of flattened arguments would take the place of the description.
        let with_arguments = (entry.augment)(Command::new(entry.name));
        command = command.subcommand(with_arguments.about(entry.about).long_about(None));
    }
    command
}

/// Parses the arguments and does what they say.
pub(crate) fn main() -> ExitCode {
    let matches = match command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return end_without_command(&error),
    };
    let (name, arguments) = matches.subcommand().expect("clap requires a command");
    let ended = if let Some(kind) = pbsolve_puzzles::find(name) {
        puzzle::start(kind, arguments)
    } else {
        let entry = COMMANDS.iter().find(|entry| entry.name == name);
        (entry.expect("clap knows the commands of the table only").start)(arguments)
    };
    ended.unwrap_or_else(|error| refuse(&error))
}

/// Help and version are answers, wrong usage is not.
fn end_without_command(error: &ClapError) -> ExitCode {
    let printed = error.print();
    if error.use_stderr() {
        // Nobody is left to tell that telling failed.
        return ExitCode::Refused;
    }
    let printed = printed.and_then(|()| std::io::stdout().flush());
    printed.map_or_else(|error| refuse(&CliError::Output(error)), |()| ExitCode::Done)
}

fn refuse(error: &CliError) -> ExitCode {
    if error.is_closed_pipe() {
        return ExitCode::Done;
    }
    note(&error.to_string());
    ExitCode::Refused
}

/// A line for people, on standard error.
fn note(message: &str) {
    // As above.
    drop(writeln!(std::io::stderr().lock(), "{message}"));
}

/// Prints what a command says when it is ended without an answer.
fn print_last_words(text: &str) {
    if text.is_empty() {
        note("pbsolve: the limit was reached before there was an answer");
    } else {
        let mut out = std::io::stdout().lock();
        drop(writeln!(out, "{text}").and_then(|()| out.flush()));
    }
}
