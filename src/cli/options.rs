//! Options that several commands share.

use super::error::CliError;
use super::interrupt;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};
use pbsolve::formats::model_format::{self, ModelFormat};
use pbsolve::proof::ClausalForm;
use pbsolve::{Backend, Lazy, Limits, Planner, SolveError, Strategy, backend};
use pbsolve_encodings::{Encoder, at_most_one, cardinality, pseudo_boolean};
use pbsolve_puzzles::{Formulation, ParseOptions, PuzzleKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a puzzle is written and solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormulationName {
    /// As the puzzle's document states it.
    Document,
    /// Each pair of lines once, indicators bounded on one side.
    Lean,
    /// Lean, and pairs of lines only when a candidate has them equal.
    Lazy,
}

/// Options of everything that solves.
#[derive(Clone, Debug, Args)]
pub(crate) struct StrategyArgs {
    /// Give up after this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
    #[command(flatten)]
    pub(crate) encoders: EncoderArgs,
    #[command(flatten)]
    pub(crate) backends: BackendArgs,
    /// Write a proof of the answer to this file, for the checker veripb.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["count", "all"])]
    pub(crate) proof: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) clausal: ClausalArgs,
    /// The most memory for the clauses of a solver, estimated, in MB; half of what is free if left
    /// out.
    #[arg(long, value_name = "MB", value_parser = megabytes)]
    pub(crate) memory: Option<u64>,
    /// Print times and sizes to standard error.
    #[arg(long)]
    pub(crate) stats: bool,
    /// Print what the run came to as a line for `pbsolve compare` to standard error.
    #[arg(long, hide = true)]
    pub(crate) report: bool,
    /// Say who races, why, and who wins.
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

impl StrategyArgs {
    /// Says so where a claim about all assignments is the word of another solver, for which there is
    /// no proof either.
    pub(crate) fn tell_whose_word(&self) {
        for solver in self.backends.solver.iter().filter(|_| self.proof_option().is_none()) {
            super::note(&format!(
                "c what is said of all assignments is the word of `{solver}`, not checked"
            ));
        }
    }

    /// The first option that asks for a proof.
    fn proof_option(&self) -> Option<&'static str> {
        let clausal = || self.clausal.files().next().map(|(_, option, _)| option);
        self.proof.as_ref().map(|_| "--proof").or_else(clausal)
    }

    /// The strategy, with limits that start now and that Ctrl-C reaches.
    pub(crate) fn strategy(&self, lazy: Lazy) -> Result<Strategy, CliError> {
        let backend = self.backends.one_or_race()?;
        if let (Some(entry), Some(option)) = (backend.entry(), self.proof_option())
            && !entry.gives_proofs
        {
            let why = format!("{option}: {} gives no proofs; varisat does", entry.name);
            return Err(CliError::Usage(why));
        }
        if let (Backend::ExternalIlp(_) | Backend::Portfolio(_), Some(option)) =
            (&backend, self.proof_option())
        {
            let why = format!("{option}: an ILP solver, or a race, gives no proofs; varisat does");
            return Err(CliError::Usage(why));
        }
        let limits = self.timeout.map_or_else(Limits::default, Limits::timeout);
        let limits = Limits { stop: interrupt::flag(), memory: self.memory, ..limits };
        let planner = self.encoders.planner();
        let tell = self.verbose.then_some(tell as fn(&str));
        let strategy = Strategy { backend, planner, limits, lazy, tell, ..Strategy::default() };
        if self.proof.is_some() {
            strategy.require_proofs()?;
        }
        if let (Some((_, option, _)), Backend::External(_)) =
            (self.clausal.files().next(), &strategy.backend)
        {
            let why =
                format!("{option}: varisat and cadical write it, and another solver is chosen");
            return Err(CliError::Usage(why));
        }
        Ok(strategy)
    }
}

fn tell(line: &str) {
    super::note(&format!("c {line}"));
}

/// Proofs about the clauses alone.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ClausalArgs {
    /// Write a DRAT proof to this file, that the clauses written to FILE.cnf have no solution.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["count", "all"])]
    drat: Option<PathBuf>,
    /// The same as LRAT, with hints.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["count", "all"])]
    lrat: Option<PathBuf>,
}

impl ClausalArgs {
    /// The files that are wanted, with the options that ask for them.
    pub(crate) fn files(&self) -> impl Iterator<Item = (ClausalForm, &'static str, &Path)> {
        let drat = self.drat.iter().map(|path| (ClausalForm::Drat, "--drat", path.as_path()));
        let lrat = self.lrat.iter().map(|path| (ClausalForm::Lrat, "--lrat", path.as_path()));
        drat.chain(lrat)
    }
}

/// Which solvers answer.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct BackendArgs {
    /// Have this solver answer, varisat if left out; `pbsolve backends` says what each is for.
    /// Several, also of the two options below, race.
    #[arg(long, value_name = "NAME", value_parser = backend_names())]
    pub(crate) backend: Vec<String>,
    /// Have this SAT solver answer: a command line, in which {cnf} stands for the DIMACS file, {out}
    /// for a file to which the solver writes its answer, {proof} for one with a DRAT proof and
    /// {lrat} for one with an LRAT proof.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) solver: Vec<String>,
    /// Have this integer programming solver answer: a command line, in which {lp} or {mps} stands
    /// for the file with the model and {out} for the solution file that the solver writes.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) ilp_solver: Vec<String>,
}

fn backend_names() -> PossibleValuesParser {
    PossibleValuesParser::new(backend::ALL.iter().map(|entry| entry.name))
}

impl BackendArgs {
    /// The back-ends that are chosen, those with a name first; none if none is. Each is part of
    /// this build.
    pub(crate) fn chosen(&self) -> Result<Vec<Backend>, CliError> {
        let named = self.backend.iter().map(|name| {
            let entry = backend::find(name).expect("a name of the table");
            entry.require().map_err(SolveError::from)?;
            Ok(entry.backend.clone())
        });
        let external = self.solver.iter().cloned().map(Backend::External);
        let ilp_solvers = self.ilp_solver.iter().cloned().map(Backend::ExternalIlp);
        named.chain(external.chain(ilp_solvers).map(Ok)).collect()
    }

    /// The back-end: Varisat if none is chosen, a race if several are.
    pub(crate) fn one_or_race(&self) -> Result<Backend, CliError> {
        let mut chosen = self.chosen()?;
        match chosen.len() {
            0 | 1 => Ok(chosen.pop().unwrap_or_default()),
            _ if chosen.contains(&Backend::Portfolio(Vec::new())) => {
                let why = "--backend portfolio chooses who races; to choose yourself, leave it out";
                Err(CliError::Usage(why.to_owned()))
            }
            _ => Ok(Backend::Portfolio(chosen)),
        }
    }
}

/// Encoders that the planner must use.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct EncoderArgs {
    /// Encoder for at-most-one rows.
    #[arg(long, value_name = "ENCODER", value_parser = names(at_most_one::ALL))]
    pub(crate) amo: Option<String>,
    /// Encoder for cardinality rows.
    #[arg(long, value_name = "ENCODER", value_parser = names(cardinality::ALL))]
    pub(crate) card: Option<String>,
    /// Encoder for weighted rows.
    #[arg(long, value_name = "ENCODER", value_parser = names(pseudo_boolean::ALL))]
    pub(crate) pb: Option<String>,
    /// State each weighted row for itself: do not group its literals that exclude each other by
    /// other rows.
    #[arg(long)]
    pub(crate) no_groups: bool,
}

fn names(encoders: &'static [&'static dyn Encoder]) -> PossibleValuesParser {
    PossibleValuesParser::new(encoders.iter().map(|encoder| encoder.name()))
}

impl EncoderArgs {
    pub(crate) fn planner(&self) -> Planner {
        let chosen = [&self.amo, &self.card, &self.pb].into_iter().flatten();
        let encoder = |name: &String| pbsolve_encodings::find(name).expect("a name of the table");
        let planner = Planner { group_exclusive: !self.no_groups, ..Planner::default() };
        chosen.map(encoder).fold(planner, Planner::with)
    }
}

/// Options that say how a board is read.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct BlockArgs {
    /// Rows and columns of a block, such as 2x3; the flatter block if left out.
    #[arg(long = "box", value_name = "RxC", value_parser = block)]
    pub(crate) block: Option<(usize, usize)>,
}

/// Options that say which rules hold.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct UniqueArgs {
    /// Drop the rule that rows and columns differ.
    #[arg(long)]
    pub(crate) no_unique: bool,
}

/// The format of a model.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct FromArgs {
    /// The format of the model; by the end of its name if left out, and OPB on standard input.
    #[arg(long, value_name = "FORMAT", value_parser = format_names())]
    from: Option<String>,
}

impl FromArgs {
    pub(crate) fn format(&self) -> Option<&'static ModelFormat> {
        self.from.as_deref().and_then(model_format::find)
    }
}

/// The names of the formats of models, with what they are.
pub(crate) fn format_values() -> impl Iterator<Item = PossibleValue> {
    model_format::ALL.iter().map(|format| PossibleValue::new(format.name).help(format.about))
}

fn format_names() -> PossibleValuesParser {
    PossibleValuesParser::new(format_values())
}

/// A model, or a board instead of one.
#[derive(Clone, Debug, Args)]
pub(crate) struct PuzzleInputArgs {
    #[command(flatten)]
    pub(crate) from: FromArgs,
    /// INPUT is a board of this puzzle.
    #[arg(long, value_name = "NAME", value_parser = puzzle_names())]
    pub(crate) puzzle: Option<String>,
    #[command(flatten)]
    pub(crate) block: BlockArgs,
    #[command(flatten)]
    pub(crate) unique: UniqueArgs,
}

fn puzzle_names() -> PossibleValuesParser {
    PossibleValuesParser::new(pbsolve_puzzles::ALL.iter().map(|kind| kind.name))
}

impl PuzzleInputArgs {
    pub(crate) fn parse_options(&self) -> ParseOptions {
        ParseOptions { block: self.block.block, unique: !self.unique.no_unique }
    }

    /// The puzzle and the paths among positional arguments: `[PUZZLE] PATH...`, where a path that
    /// is too many is the name of a puzzle.
    pub(crate) fn split<'a>(
        &self,
        positional: &'a [String],
        num_paths: usize,
        usage: &str,
    ) -> Result<(Option<&'static PuzzleKind>, &'a [String]), CliError> {
        let named = self.puzzle.as_deref().and_then(pbsolve_puzzles::find);
        if positional.len() == num_paths {
            return Ok((named, positional));
        }
        let refuse = |why: String| Err(CliError::Usage(format!("{why}; usage: {usage}")));
        match positional.split_first() {
            Some((name, paths)) if paths.len() == num_paths && named.is_none() => {
                match pbsolve_puzzles::find(name) {
                    Some(kind) => Ok((Some(kind), paths)),
                    None => refuse(format!("there is no puzzle '{name}'")),
                }
            }
            _ if positional.len() < num_paths => refuse("an argument is missing".to_owned()),
            _ => refuse(format!("{} arguments are too many", positional.len())),
        }
    }
}

/// The formulation that is written; writing knows no laziness.
pub(crate) fn written_formulation(name: FormulationName) -> Result<Formulation, CliError> {
    match name {
        FormulationName::Document => Ok(Formulation::Document),
        FormulationName::Lean => Ok(Formulation::Lean),
        FormulationName::Lazy => {
            let why = "--formulation lazy is a way of solving; what is written is document or lean";
            Err(CliError::Usage(why.to_owned()))
        }
    }
}

pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    let positive = number > 0.0;
    let duration = Duration::try_from_secs_f64(number).ok().filter(|_| positive);
    duration.ok_or_else(|| "expected a positive number of seconds".to_owned())
}

/// A number of megabytes, in bytes.
fn megabytes(text: &str) -> Result<u64, String> {
    let number = text.parse::<u64>().ok().and_then(|number| number.checked_mul(1_000_000));
    number.ok_or_else(|| "expected a number of megabytes".to_owned())
}

fn block(text: &str) -> Result<(usize, usize), String> {
    let parsed = text.split_once(['x', 'X']).and_then(|(rows, columns)| {
        let [rows, columns] = [rows, columns].map(|number| number.parse().ok());
        Some((rows?, columns?))
    });
    let positive = parsed.filter(|&(rows, columns): &(usize, usize)| rows > 0 && columns > 0);
    positive.ok_or_else(|| "expected rows x columns of a block, such as 2x3".to_owned())
}
