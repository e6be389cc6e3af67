//! `--proof FILE`: the proof of an answer, written after the answer.

use super::error::CliError;
use super::exit_code::ExitCode;
use super::{interrupt, note};
use pbsolve::proof::{Proved, prove_optimal, prove_satisfiable, prove_unique, prove_unsatisfiable};
use pbsolve::{Assignment, Model, Strategy};
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
    if !matches!(claim, Claim::OnlySolution(_)) && opb.exists() {
        // It would be taken for the subject of this proof.
        let told = |error| CliError::Create { path: opb.clone(), error };
        std::fs::remove_file(&opb).map_err(told)?;
    }
    let proved = match claim {
        Claim::NoSolution => prove_unsatisfiable(model, strategy, path),
        Claim::Solution(solution) => prove_satisfiable(model, solution, path).map(Proved::Yes),
        Claim::OnlySolution(solution) => prove_unique(model, solution, strategy, &opb, path),
        Claim::BestSolution(solution) => prove_optimal(model, solution, strategy, path),
    };
    let shown = path.display().to_string();
    match proved {
        Ok(Proved::Yes(size)) => {
            note(&format!("c proof: {shown}, {} bytes", size.num_bytes));
            Ok(code)
        }
        Ok(Proved::Unknown(reason)) => {
            note(&format!("c no proof: {reason}"));
            Ok(ExitCode::Limit)
        }
        Ok(_) => {
            let message = "the solver that writes the proof found what the answer excludes".into();
            Err(CliError::Unfit { path: shown, message })
        }
        Err(error) => Err(CliError::Unfit { path: shown, message: error.to_string() }),
    }
}
