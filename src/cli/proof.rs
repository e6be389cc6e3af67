//! `--proof FILE`: the proof of an answer, written after the answer.

use super::error::CliError;
use super::exit_code::ExitCode;
use super::{interrupt, note};
use pbsolve::proof::{
    ProofError, ProofSize, Proved, ProvingSearch, prove_optimal, prove_satisfiable, prove_unique,
    prove_unsatisfiable,
};
use pbsolve::{Assignment, Backend, Model, SolveError, Strategy, whole_file};
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
    let mut name = OsString::from(proof.as_os_str());
    name.push(".unique.opb");
    PathBuf::from(name)
}

/// Removes the proof of an earlier run, and the OPB file beside it: whatever becomes of this run,
/// they are not what it proves.
pub(crate) fn remove_old(path: Option<&Path>) -> Result<(), CliError> {
    let files = path.map(|path| [path.to_owned(), unique_opb(path)]);
    for path in files.into_iter().flatten() {
        whole_file::remove_old(&path).map_err(|error| CliError::Create { path, error })?;
    }
    Ok(())
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
        remove_old(Some(path))?;
    }
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

/// A search that proves as it solves, where that is what solves: neither with another solver nor
/// with an encoder that has no proof, which is told after the answer.
pub(crate) fn begin<'m>(
    model: &'m Model,
    strategy: &Strategy,
    path: &Path,
) -> Result<Option<ProvingSearch<'m>>, CliError> {
    if strategy.backend != Backend::Varisat {
        return Ok(None);
    }
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
