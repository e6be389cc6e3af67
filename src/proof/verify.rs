//! The verdict of the independent checker `veripb`, read strictly.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use std::process::Command;

/// What a proof was found to show.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verified {
    /// There is no solution.
    Unsatisfiable,
    /// There is a solution.
    Satisfiable,
    /// The best value of the objective is between these, which are numbers, or `INF` where there is
    /// no solution.
    Bounds {
        /// No solution has less.
        lower: String,
        /// A solution has this.
        upper: String,
    },
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verified::Unsatisfiable => f.write_str("no solution"),
            Verified::Satisfiable => f.write_str("a solution"),
            Verified::Bounds { lower, upper } if lower == "INF" && upper == "INF" => {
                f.write_str("no solution")
            }
            Verified::Bounds { lower, upper } if lower == upper => write!(f, "best value {upper}"),
            Verified::Bounds { lower, upper } => {
                write!(f, "best value between {lower} and {upper}")
            }
        }
    }
}

/// Why a proof was not accepted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The checker could not be started.
    #[error(
        "{checker} cannot be started ({error}); it is installed by \
         `cargo install veripb --version 3.0.2 --locked`"
    )]
    NoChecker {
        /// Its name or path.
        checker: String,
        /// Why.
        error: std::io::Error,
    },
    /// It did not accept the proof, or not all of it.
    #[error("the proof is not accepted: {0}")]
    Refused(String),
}

/// Has a proof about an OPB file checked by `veripb`, or another program that takes and says the
/// same.
///
/// # Errors
/// If the checker cannot be started, or unless it ends with code 0, one line `s VERIFIED ...` and no
/// word of unchecked assumptions.
pub fn verify(checker: &OsStr, opb: &Path, proof: &Path) -> Result<Verified, VerifyError> {
    let ended = Command::new(checker).arg(opb).arg(proof).output();
    let ended = ended.map_err(|error| VerifyError::NoChecker {
        checker: checker.to_string_lossy().into_owned(),
        error,
    })?;
    let said = String::from_utf8_lossy(&ended.stdout);
    let warned = String::from_utf8_lossy(&ended.stderr);
    verdict(ended.status.success(), &said, &warned).map_err(VerifyError::Refused)
}

/// Reads what the checker said; otherwise why that is no acceptance.
fn verdict(is_success: bool, said: &str, warned: &str) -> Result<Verified, String> {
    if !is_success {
        let last =
            |text: &str| text.lines().rev().find(|line| !line.trim().is_empty()).map(str::to_owned);
        return Err(last(warned).or(last(said)).unwrap_or_else(|| "it said nothing".to_owned()));
    }
    if warned.to_lowercase().contains("unchecked assumption") {
        return Err("it uses unchecked assumptions".to_owned());
    }
    let verdicts: Vec<&str> = said.lines().filter(|line| line.starts_with("s ")).collect();
    let &[verdict] = &verdicts[..] else {
        return Err(format!("{} verdicts instead of one", verdicts.len()));
    };
    let words: Vec<&str> = verdict.split(' ').collect();
    match words[..] {
        ["s", "VERIFIED", "UNSATISFIABLE"] => Ok(Verified::Unsatisfiable),
        ["s", "VERIFIED", "SATISFIABLE"] => Ok(Verified::Satisfiable),
        ["s", "VERIFIED", "BOUNDS", lower, "<=", "obj", "<=", upper] => {
            Ok(Verified::Bounds { lower: lower.to_owned(), upper: upper.to_owned() })
        }
        _ => Err(format!("the verdict is `{verdict}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Verified, verdict};

    #[test]
    fn a_verdict_counts_only_with_success_and_without_assumptions() {
        let line = "s VERIFIED UNSATISFIABLE\n";
        assert_eq!(verdict(true, line, ""), Ok(Verified::Unsatisfiable));
        assert!(verdict(false, line, "").is_err());
        assert!(verdict(true, line, "Warning: used unchecked assumptions").is_err());
        assert!(verdict(true, "s VERIFIED UNSATISFIABLE, almost\n", "").is_err());
        assert!(verdict(true, "", "").is_err());
        assert!(verdict(true, "s VERIFIED SATISFIABLE\ns VERIFIED UNSATISFIABLE\n", "").is_err());
    }

    #[test]
    fn bounds_are_read() {
        let found = verdict(true, "s VERIFIED BOUNDS 3 <= obj <= 3\n", "").unwrap();
        assert_eq!(found.to_string(), "best value 3");
        let found = verdict(true, "s VERIFIED BOUNDS INF <= obj <= INF\n", "").unwrap();
        assert_eq!(found.to_string(), "no solution");
    }
}
