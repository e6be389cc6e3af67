//! `--proof FILE`: the proof of an answer, written after the answer. `--drat FILE` and `--lrat FILE`:
//! proofs about the clauses alone.

use super::error::CliError;
use super::exit_code::ExitCode;
use super::options::{ClausalArgs, StrategyArgs};
use super::{interrupt, note};
use pbsolve::proof::{
    CnfClaim, ProofError, ProofSize, Proved, ProvingSearch, prove_optimal, prove_satisfiable,
    prove_unique, prove_unsatisfiable, refute_cnf,
};
use pbsolve::{Assignment, Model, SolveError, Strategy, whole_file};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What is claimed of a model.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Claim<'a> {
    NoSolution,
    Solution(&'a Assignment),
    OnlySolution(&'a Assignment),
    BestSolution(&'a Assignment),
}

/// The OPB file beside a proof of uniqueness.
pub(crate) fn unique_opb(proof: &Path) -> PathBuf {
    with_ending(proof, ".unique.opb")
}

/// The clauses that a proof about clauses refutes, beside it.
fn refuted_cnf(proof: &Path) -> PathBuf {
    with_ending(proof, ".cnf")
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(ending);
    PathBuf::from(name)
}

/// Removes the proofs of an earlier run, and the files beside them: whatever becomes of this run,
/// they are not what it proves.
pub(crate) fn remove_old(arguments: &StrategyArgs) -> Result<(), CliError> {
    arguments.proof.iter().try_for_each(|path| remove(path, unique_opb(path)))?;
    arguments.clausal.files().try_for_each(|(_, _, path)| remove(path, refuted_cnf(path)))
}

fn remove(proof: &Path, beside: PathBuf) -> Result<(), CliError> {
    for path in [proof.to_owned(), beside] {
        whole_file::remove_old(&path).map_err(|error| CliError::Create { path, error })?;
    }
    Ok(())
}

/// Writes all proofs of a claim that are asked for.
pub(crate) fn write_all(
    model: &Model,
    claim: Claim<'_>,
    strategy: &Strategy,
    arguments: &StrategyArgs,
    code: ExitCode,
) -> Result<ExitCode, CliError> {
    let code = match &arguments.proof {
        None => code,
        Some(path) => write(model, claim, strategy, path, code)?,
    };
    write_clausal(model, claim, strategy, &arguments.clausal, code)
}

/// Writes the proofs about clauses. The code is that of the answer, unless one of them is missing.
pub(crate) fn write_clausal(
    model: &Model,
    claim: Claim<'_>,
    strategy: &Strategy,
    arguments: &ClausalArgs,
    code: ExitCode,
) -> Result<ExitCode, CliError> {
    let claim = match claim {
        Claim::NoSolution => CnfClaim::Model,
        Claim::OnlySolution(only) => CnfClaim::Other(only),
        Claim::BestSolution(best) => CnfClaim::Better(best),
        Claim::Solution(_) => {
            if arguments.files().next().is_some() {
                note("c no proof about clauses: a solution is one itself");
            }
            return Ok(code);
        }
    };
    let mut ended = code;
    for (form, _, path) in arguments.files() {
        interrupt::resume();
        let cnf = refuted_cnf(path);
        let proved = refute_cnf(model, claim, strategy, form, &cnf, path);
        if !matches!(proved, Ok(Proved::Yes(_))) {
            remove(path, cnf)?;
        }
        ended = tell_proved(proved, path, ended)?;
    }
    Ok(ended)
}

/// Proves a claim; says on standard error what became of it. The code is that of the answer, unless
/// there is no proof.
pub(crate) fn write(
    model: &Model,
    claim: Claim<'_>,
    strategy: &Strategy,
    path: &Path,
    code: ExitCode,
) -> Result<ExitCode, CliError> {
    interrupt::resume();
    let opb = unique_opb(path);
    let proved = match claim {
        Claim::NoSolution => prove_unsatisfiable(model, strategy, path),
        Claim::Solution(solution) => prove_satisfiable(model, solution, path).map(Proved::Yes),
        Claim::OnlySolution(solution) => prove_unique(model, solution, strategy, &opb, path),
        Claim::BestSolution(solution) => prove_optimal(model, solution, strategy, path),
    };
    if !matches!(proved, Ok(Proved::Yes(_))) {
        // The OPB file is of use with its proof only.
        remove(path, opb)?;
    }
    tell_proved(proved, path, code)
}

fn tell_proved(
    proved: Result<Proved, ProofError>,
    path: &Path,
    code: ExitCode,
) -> Result<ExitCode, CliError> {
    match proved {
        Ok(Proved::Yes(size)) => tell(Ok(size), path, code),
        Ok(Proved::Unknown(reason)) => {
            note(&format!("c no proof: {reason}"));
            Ok(ExitCode::Limit)
        }
        Ok(_) => {
            let message = "the solver that writes the proof found what the answer excludes".into();
            Err(CliError::Unfit { path: path.display().to_string(), message })
        }
        Err(error) => tell(Err(error), path, code),
    }
}

/// Says that there is a proof. The code is that of the answer, unless there is none.
pub(crate) fn tell(
    size: Result<ProofSize, ProofError>,
    path: &Path,
    code: ExitCode,
) -> Result<ExitCode, CliError> {
    let shown = path.display().to_string();
    match size {
        Ok(size) => {
            note(&format!("c proof: {shown}, {} bytes", size.num_bytes));
            Ok(code)
        }
        Err(error) => Err(CliError::Unfit { path: shown, message: error.to_string() }),
    }
}

/// A search that proves as it solves, unless an encoder has no proof, which is told after the
/// answer.
pub(crate) fn begin<'m>(
    model: &'m Model,
    strategy: &Strategy,
    path: &Path,
) -> Result<Option<ProvingSearch<'m>>, CliError> {
    match ProvingSearch::new(model, strategy, path) {
        Ok(search) => Ok(Some(search)),
        Err(ProofError::Solve(SolveError::UnsupportedRow { .. })) => Ok(None),
        Err(error) => unfit(error, path),
    }
}

/// Why there is no answer with a proof.
pub(crate) fn unfit<T>(error: ProofError, path: &Path) -> Result<T, CliError> {
    match error {
        ProofError::Solve(error) => Err(error.into()),
        error => {
            Err(CliError::Unfit { path: path.display().to_string(), message: error.to_string() })
        }
    }
}
