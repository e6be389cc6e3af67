//! `pbsolve verify INPUT PROOF`: has a proof checked by `veripb`.

use super::error::CliError;
use super::exit_code::ExitCode;
use super::input::Input;
use super::options::PuzzleInputArgs;
use super::proof::unique_opb;
use super::{Entry, note, output};
use clap::{ArgMatches, Args, FromArgMatches};
use pbsolve::formats::{opb, shown_value};
use pbsolve::proof::{Verified, VerifyError, verify, write_unique_opb};
use pbsolve::{Assignment, Model, Sense};
use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) const COMMAND: Entry = Entry {
    name: "verify",
    about: "Have a proof checked by veripb",
    augment: VerifyArgs::augment_args,
    start,
};

#[derive(Clone, Debug, Args)]
struct VerifyArgs {
    /// The input that was solved (with the name of its puzzle), and the proof.
    #[arg(value_name = "[PUZZLE] INPUT PROOF", required = true, num_args = 1..)]
    input: Vec<String>,
    #[command(flatten)]
    puzzle: PuzzleInputArgs,
    /// The checker.
    #[arg(long, value_name = "PROGRAM", default_value = "veripb")]
    checker: String,
}

fn start(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let arguments = VerifyArgs::from_arg_matches(matches).expect("clap has checked them");
    let usage = "pbsolve verify [PUZZLE] INPUT PROOF";
    let (kind, paths) = arguments.puzzle.split(&arguments.input, 2, usage)?;
    let model = Input::read(&paths[0], kind, &arguments.puzzle)?
        .into_model(pbsolve_puzzles::Formulation::Document);
    let proof = Path::new(&paths[1]);
    if let Err(error) = fs::metadata(proof) {
        return Err(CliError::Read { path: paths[1].clone(), error });
    }
    let beside = unique_opb(proof);
    let is_unique = beside.exists();
    let mut text = Vec::new();
    if is_unique {
        let solution = unique_solution(&model, &beside)?;
        let unfit = |error: pbsolve::proof::ProofError| unfit(&beside, &error.to_string());
        write_unique_opb(&model, &solution, &mut text).map_err(unfit)?;
        let found = read(&beside)?;
        if found != text {
            return Err(unfit_text(&beside));
        }
    } else {
        opb::write(&model, &mut text)?;
    }
    // The checker is given what was written here, not what lies beside the proof.
    let subject = Temporary::write(&text)?;
    let verified = verify(OsStr::new(&arguments.checker), &subject.path, proof);
    drop(subject);
    match verified {
        Ok(verified) => {
            let line = told(&verified, is_unique, &model);
            output::answer(|out| Ok(writeln!(out, "{line}")?))?;
            Ok(ExitCode::Done)
        }
        Err(error @ VerifyError::NoChecker { .. }) => Err(CliError::Usage(error.to_string())),
        Err(error) => {
            output::answer(|out| Ok(writeln!(out, "not verified")?))?;
            note(&error.to_string());
            Ok(ExitCode::Negative)
        }
    }
}

/// A best value is told as the input has it; the checker's is that of the OPB file, which has neither
/// fractions nor constants and is always minimised.
fn told(verified: &Verified, is_unique: bool, model: &Model) -> String {
    let all = model.num_decisions().to_string();
    match (verified, model.objective()) {
        (Verified::Bounds { lower, upper }, Some(objective)) if lower == upper => {
            let none = Assignment::from_values(vec![false; model.num_decisions()]);
            let sign = match objective.sense {
                Sense::Minimize => 1,
                Sense::Maximize => -1,
            };
            let value = upper.parse().ok().zip(objective.value(&none));
            let value = value.and_then(|(opb, none): (i128, i128)| none.checked_add(sign * opb));
            match value {
                Some(value) => {
                    format!("verified: best value {}", shown_value(value, objective.divisor))
                }
                None => format!("verified: {verified}"),
            }
        }
        _ => told_without_objective(verified, is_unique, &all),
    }
}

fn told_without_objective(verified: &Verified, is_unique: bool, all: &str) -> String {
    match verified {
        Verified::Bounds { lower, upper } if is_unique && lower == all && upper == all => {
            "verified: exactly one solution".to_owned()
        }
        other => format!("verified: {other}"),
    }
}

fn unfit(path: &Path, message: &str) -> CliError {
    CliError::Unfit { path: path.display().to_string(), message: message.to_owned() }
}

fn unfit_text(path: &Path) -> CliError {
    unfit(path, "this is not the OPB file of the input with a solution as its objective")
}

fn read(path: &Path) -> Result<Vec<u8>, CliError> {
    let told = |error| CliError::Read { path: path.display().to_string(), error };
    fs::read(path).map_err(told)
}

/// The solution whose uniqueness the OPB file beside the proof states: the literals of its objective.
fn unique_solution(model: &Model, path: &Path) -> Result<Assignment, CliError> {
    let text = read(path)?;
    let lines = text.split(|&byte| byte == b'\n');
    let objective = lines.into_iter().find_map(|line| line.strip_prefix(b"min:"));
    let objective = objective.and_then(|line| std::str::from_utf8(line).ok());
    let words = objective.ok_or_else(|| unfit_text(path))?.split_whitespace();
    let lits = words.filter_map(|word| match word.strip_prefix('~') {
        Some(name) => Some((name.strip_prefix('x')?, false)),
        None => Some((word.strip_prefix('x')?, true)),
    });
    let mut values = Vec::with_capacity(model.num_decisions());
    for (number, value) in lits {
        if number.parse() != Ok(values.len() + 1) {
            return Err(unfit_text(path));
        }
        values.push(value);
    }
    if values.len() == model.num_decisions() {
        Ok(Assignment::from_values(values))
    } else {
        Err(unfit_text(path))
    }
}

/// A file that goes when it is dropped.
struct Temporary {
    path: PathBuf,
}

impl Temporary {
    fn write(text: &[u8]) -> Result<Temporary, CliError> {
        let name = format!("pbsolve-{}-verify.opb", std::process::id());
        let path = std::env::temp_dir().join(name);
        let told = |error| CliError::Create { path: path.clone(), error };
        let mut file = OpenOptions::new().write(true).create_new(true).open(&path).map_err(told)?;
        let temporary = Temporary { path: path.clone() };
        file.write_all(text).map_err(told)?;
        Ok(temporary)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Left behind, it does no harm.
        drop(fs::remove_file(&self.path));
    }
}
