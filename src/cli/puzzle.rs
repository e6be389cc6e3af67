//! `pbsolve binox FILE` and its like: the board, and whether it is the only one.

use super::board_output::{BoardFormat, BoardJson, counted_from_one, list_cells, symbols};
use super::error::CliError;
use super::exit_code::ExitCode;
use super::input::{parse_puzzle, read_bytes};
use super::interrupt::{self, LastWords};
use super::options::{BlockArgs, FormulationName, StrategyArgs, UniqueArgs};
use super::progress::ProgressLine;
use super::proof::{self, Claim};
use super::{note, output, statistics};
use clap::{ArgMatches, Args, Command, FromArgMatches, ValueEnum};
use pbsolve::{
    Ended, Grid, Lazy, MiniSudoku, Puzzle, PuzzleAnswer, PuzzleSearch, Strategy, Uniqueness,
};
use pbsolve_puzzles::{Formulation, ParseOptions, PuzzleKind};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

#[derive(Clone, Debug, Args)]
#[allow(clippy::option_option, reason = "an option that may have a value")]
struct PuzzleArgs {
    /// The board; - for standard input.
    #[arg(value_name = "FILE")]
    file: Option<String>,
    /// Count the solutions, up to LIMIT if there is one.
    #[arg(long, value_name = "LIMIT", num_args = 0..=1, require_equals = true)]
    count: Option<Option<u64>>,
    /// Print all solutions.
    #[arg(long)]
    all: bool,
    /// Fail (exit code 1) unless there is exactly one solution.
    #[arg(long, value_name = "WHAT", conflicts_with_all = ["count", "all"])]
    expect: Option<Expect>,
    /// How the answer is printed.
    #[arg(long, value_enum, default_value_t = BoardFormat::Text)]
    format: BoardFormat,
    /// How the puzzle is stated to the solver; every answer is checked against the document's
    /// formulation.
    #[arg(long, value_enum, default_value_t = FormulationName::Lazy)]
    formulation: FormulationName,
    #[command(flatten)]
    strategy: StrategyArgs,
    /// Print the board and nothing else.
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Expect {
    /// Exactly one solution.
    Unique,
}

/// The document's own way to give a board.
#[derive(Clone, Debug, Default, Args)]
struct FilledArgs {
    /// The given cells as a dictionary: '{(1,1): 1, (2,2): 2}'.
    #[arg(long, value_name = "DICTIONARY", conflicts_with = "file")]
    filled: Option<String>,
}

fn takes_dictionary(kind: &PuzzleKind) -> bool {
    kind.name == "mini-sudoku"
}

/// The command of a puzzle, with the options that mean something to it.
pub(crate) fn command(kind: &PuzzleKind) -> Command {
    let mut command = PuzzleArgs::augment_args(Command::new(kind.name));
    if kind.has_blocks {
        command = BlockArgs::augment_args(command);
    }
    if kind.has_uniqueness {
        command = UniqueArgs::augment_args(command);
    }
    command = if takes_dictionary(kind) {
        let command = FilledArgs::augment_args(command);
        command.mut_arg("file", |file| file.required_unless_present("filled"))
    } else {
        command.mut_arg("file", |file| file.required(true))
    };
    // The doc comments of flattened arguments would take the place of the description.
    command.about(kind.about).long_about(None)
}

/// The options of a puzzle that may lack them.
fn optional<A: FromArgMatches + Default>(present: bool, matches: &ArgMatches) -> A {
    let parsed = present.then(|| A::from_arg_matches(matches).expect("clap has checked them"));
    parsed.unwrap_or_default()
}

/// Solves a board.
pub(crate) fn start(kind: &PuzzleKind, matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let arguments = PuzzleArgs::from_arg_matches(matches).expect("clap has checked them");
    let block: BlockArgs = optional(kind.has_blocks, matches);
    let unique: UniqueArgs = optional(kind.has_uniqueness, matches);
    let filled: FilledArgs = optional(takes_dictionary(kind), matches);
    let options = ParseOptions { block: block.block, unique: !unique.no_unique };

    if arguments.all && arguments.format == BoardFormat::Svg {
        let why = "--format svg draws one board; leave out --all";
        return Err(CliError::Usage(why.to_owned()));
    }
    interrupt::watch(arguments.strategy.timeout, LastWords { text: "", code: ExitCode::Limit });
    let lazy = match arguments.formulation {
        FormulationName::Lazy => Lazy::Violated,
        FormulationName::Document | FormulationName::Lean => Lazy::Never,
    };
    let strategy = arguments.strategy.strategy(lazy)?;
    let started = Instant::now();
    let puzzle: Box<dyn Puzzle> = match (&filled.filled, &arguments.file) {
        (Some(dictionary), _) => {
            let told = |error| CliError::Parse { path: "--filled".to_owned(), error };
            Box::new(MiniSudoku::parse_filled(dictionary).map_err(told)?)
        }
        (None, Some(path)) => parse_puzzle(kind, path, &read_bytes(path)?, &options)?,
        (None, None) => unreachable!("clap requires the file where there is no dictionary"),
    };
    proof::remove_old(&arguments.strategy)?;
    let reading = started.elapsed();
    let session = Session { puzzle: puzzle.as_ref(), arguments: &arguments, strategy, reading };
    if arguments.all || arguments.count.is_some() {
        return session.enumerate();
    }
    session.solve()
}

struct Session<'a> {
    puzzle: &'a dyn Puzzle,
    arguments: &'a PuzzleArgs,
    /// With the one deadline of the answer and of its diagnosis.
    strategy: Strategy,
    reading: Duration,
}

impl Session<'_> {
    fn search<'p>(&self, puzzle: &'p dyn Puzzle) -> PuzzleSearch<'p> {
        PuzzleSearch::new(
            puzzle,
            match self.arguments.formulation {
                FormulationName::Document => Formulation::Document,
                FormulationName::Lean | FormulationName::Lazy => Formulation::Lean,
            },
        )
    }

    fn solve(&self) -> Result<ExitCode, CliError> {
        let line = ProgressLine::start("solving");
        let search = self.search(self.puzzle);
        let begun = match &self.arguments.strategy.proof {
            None => None,
            Some(path) => proof::begin(search.document(), &self.strategy, path)?,
        };
        let (answer, statistics, proved) = if let (Some(begun), Some(path)) =
            (begun, &self.arguments.strategy.proof)
        {
            let proved = search.prove(begun, &proof::unique_opb(path));
            let (answer, statistics, proved) = proved.or_else(|error| proof::unfit(error, path))?;
            (answer, statistics, Some(proved))
        } else {
            let (answer, statistics) = search.solve(&self.strategy)?;
            (answer, statistics, None)
        };
        let diagnosis = self.diagnose(&answer)?;
        drop(line);
        output::answer(|out| match self.arguments.format {
            BoardFormat::Text => self.print_text(&answer, out),
            BoardFormat::Json => self.print_json(&answer, out),
            BoardFormat::Svg => self.print_svg(&answer, out),
        })?;
        if let Some(diagnosis) = diagnosis.filter(|_| !self.arguments.quiet) {
            note(&diagnosis);
        }
        if self.arguments.strategy.stats {
            statistics::print(self.reading, &statistics);
        }
        if answer.is_unique() || matches!(answer, PuzzleAnswer::NoSolution) {
            self.arguments.strategy.tell_whose_word();
        }
        let code = self.code(&answer);
        match (&self.arguments.strategy.proof, proved) {
            (Some(path), Some(proved)) => match proved.transpose() {
                Some(size) => {
                    let code = proof::tell(size, path, code)?;
                    self.prove(&answer, None, code)
                }
                None => Ok(without_proof(code)),
            },
            (path, _) => self.prove(&answer, path.as_deref(), code),
        }
    }

    /// The proof of an answer that another solver gave, and those about clauses.
    fn prove(
        &self,
        answer: &PuzzleAnswer,
        path: Option<&Path>,
        code: ExitCode,
    ) -> Result<ExitCode, CliError> {
        let clausal = &self.arguments.strategy.clausal;
        if path.is_none() && clausal.files().next().is_none() {
            return Ok(code);
        }
        let only;
        let claim = match answer {
            PuzzleAnswer::NoSolution => Claim::NoSolution,
            PuzzleAnswer::Solved { board, uniqueness: Uniqueness::Unique, .. } => {
                only = self.puzzle.to_assignment(board);
                Claim::OnlySolution(&only)
            }
            _ => return Ok(without_proof(code)),
        };
        let document = self.puzzle.model(Formulation::Document);
        let code = match path {
            None => code,
            Some(path) => proof::write(&document, claim, &self.strategy, path, code)?,
        };
        proof::write_clausal(&document, claim, &self.strategy, clausal, code)
    }

    fn code(&self, answer: &PuzzleAnswer) -> ExitCode {
        let expects_unique = self.arguments.expect == Some(Expect::Unique);
        match answer {
            PuzzleAnswer::NoSolution => ExitCode::Negative,
            PuzzleAnswer::Undecided(_)
            | PuzzleAnswer::Solved { uniqueness: Uniqueness::Undecided(_), .. } => ExitCode::Limit,
            PuzzleAnswer::Solved { uniqueness: Uniqueness::Unique, .. } => ExitCode::Done,
            PuzzleAnswer::Solved { uniqueness: Uniqueness::Several(_), .. } => {
                if expects_unique {
                    ExitCode::Negative
                } else {
                    ExitCode::Done
                }
            }
        }
    }

    fn print_text(&self, answer: &PuzzleAnswer, out: &mut dyn Write) -> Result<(), CliError> {
        let PuzzleAnswer::Solved { board, text, .. } = answer else {
            writeln!(out, "{answer}")?;
            return Ok(());
        };
        out.write_all(text.as_bytes())?;
        if !self.arguments.quiet {
            writeln!(out, "{}", verdict(answer, board))?;
        }
        Ok(())
    }

    fn print_json(&self, answer: &PuzzleAnswer, out: &mut dyn Write) -> Result<(), CliError> {
        let solutions = match answer {
            PuzzleAnswer::NoSolution => "none",
            PuzzleAnswer::Undecided(_)
            | PuzzleAnswer::Solved { uniqueness: Uniqueness::Undecided(_), .. } => "undecided",
            PuzzleAnswer::Solved { uniqueness: Uniqueness::Unique, .. } => "unique",
            PuzzleAnswer::Solved { uniqueness: Uniqueness::Several(_), .. } => "several",
        };
        let puzzle = self.puzzle.name();
        let (board, another, differing_cells) = (None, None, Vec::new());
        let mut json = BoardJson { puzzle, solutions, board, another, differing_cells };
        if let PuzzleAnswer::Solved { board, uniqueness, .. } = answer {
            json.board = Some(symbols(self.puzzle, board));
            if let Uniqueness::Several(another) = uniqueness {
                json.another = Some(symbols(self.puzzle, another));
                json.differing_cells = counted_from_one(&board.differing_cells(another));
            }
        }
        serde_json::to_writer(&mut *out, &json).map_err(std::io::Error::from)?;
        writeln!(out)?;
        Ok(())
    }

    fn print_svg(&self, answer: &PuzzleAnswer, out: &mut dyn Write) -> Result<(), CliError> {
        let PuzzleAnswer::Solved { board, .. } = answer else {
            note(&answer.to_string());
            return Ok(());
        };
        out.write_all(self.puzzle.render_svg(board).as_bytes())?;
        if !self.arguments.quiet {
            note(&verdict(answer, board));
        }
        Ok(())
    }

    /// Whether the rule that rows and columns differ makes the difference, where it might.
    fn diagnose(&self, answer: &PuzzleAnswer) -> Result<Option<String>, CliError> {
        let rule = "the rule that rows and columns differ";
        let (other, told) = match answer {
            PuzzleAnswer::NoSolution => {
                (self.puzzle.without_uniqueness(), format!("no solution with {rule}; "))
            }
            PuzzleAnswer::Solved { uniqueness: Uniqueness::Several(_), .. } => {
                (self.puzzle.with_uniqueness(), format!("several solutions without {rule}; "))
            }
            _ => return Ok(None),
        };
        let Some(other) = other else { return Ok(None) };
        let (other_answer, _) = self.search(other.as_ref()).solve(&self.strategy)?;
        let without = matches!(answer, PuzzleAnswer::NoSolution);
        let preposition = if without { "without" } else { "with" };
        let number = match other_answer {
            PuzzleAnswer::NoSolution if !without => "none",
            PuzzleAnswer::Solved { uniqueness: Uniqueness::Unique, .. } => "1",
            PuzzleAnswer::Solved { .. } if without => "several",
            // The rule makes no difference, or it was not decided.
            _ => return Ok(None),
        };
        Ok(Some(format!("{told}{number} {preposition} it")))
    }

    /// `--count` and `--all`.
    fn enumerate(&self) -> Result<ExitCode, CliError> {
        let limit = self.arguments.count.flatten();
        let mut number = 0u64;
        let mut printed = Ok(());
        let visit = |board: Grid| {
            number += 1;
            if self.arguments.all {
                printed = self.print_one(number, &board);
            }
            printed.is_ok() && Some(number) != limit
        };
        let (ended, statistics) = if limit == Some(0) {
            (Ended::Stopped, pbsolve::Statistics::default())
        } else {
            self.search(self.puzzle).for_each_solution(&self.strategy, visit)?
        };
        printed?;
        let count = output::count_line(number, ended == Ended::All);
        if self.arguments.count.is_some() {
            output::answer(|out| Ok(writeln!(out, "{count}")?))?;
        } else if !self.arguments.quiet {
            note(&count);
        }
        if self.arguments.strategy.stats {
            statistics::print(self.reading, &statistics);
        }
        Ok(match (ended, number) {
            (Ended::Undecided(_) | Ended::Stopped, _) => ExitCode::Limit,
            (Ended::All, 0) if self.arguments.count.is_none() => ExitCode::Negative,
            _ => ExitCode::Done,
        })
    }

    fn print_one(&self, number: u64, board: &Grid) -> Result<(), CliError> {
        let mut out = std::io::stdout().lock();
        match self.arguments.format {
            BoardFormat::Text => {
                let separation = if number > 1 { "\n" } else { "" };
                write!(out, "{separation}{}", self.puzzle.render(board))?;
            }
            BoardFormat::Json => {
                let rows = symbols(self.puzzle, board);
                serde_json::to_writer(&mut out, &rows).map_err(std::io::Error::from)?;
                writeln!(out)?;
            }
            BoardFormat::Svg => unreachable!("refused at the start"),
        }
        Ok(out.flush()?)
    }
}

fn without_proof(code: ExitCode) -> ExitCode {
    note("c no proof: only that there is no solution, or only one, is proved");
    code
}

fn verdict(answer: &PuzzleAnswer, board: &Grid) -> String {
    match answer {
        PuzzleAnswer::Solved { uniqueness: Uniqueness::Unique, .. } => "unique".to_owned(),
        PuzzleAnswer::Solved { uniqueness: Uniqueness::Several(another), .. } => {
            let cells = counted_from_one(&board.differing_cells(another));
            format!("at least two solutions, which differ at (row,column) {}", list_cells(&cells))
        }
        PuzzleAnswer::Solved { uniqueness: Uniqueness::Undecided(reason), .. } => {
            format!("uniqueness not decided: {reason}")
        }
        other => other.to_string(),
    }
}
