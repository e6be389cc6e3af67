//! Where answers go: standard output, or a file that appears whole or not at all.

use super::error::CliError;
use super::interrupt;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Passes a buffered standard output to `write`, and flushes it.
pub(crate) fn answer(
    write: impl FnOnce(&mut dyn Write) -> Result<(), CliError>,
) -> Result<(), CliError> {
    interrupt::begin_answer();
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    write(&mut out)?;
    out.flush().map_err(CliError::Output)
}

/// Passes a writer to the file to `write`, or to standard output if there is no path. The file is
/// written beside its place and moved there when it is complete.
pub(crate) fn to_file(
    path: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let Some(path) = path else {
        let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
        write(&mut out)?;
        return out.flush().map_err(CliError::Output);
    };
    // A device or a pipe cannot be moved to; it is written in place.
    let in_place = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
    let written = if in_place { path.to_owned() } else { beside(path) };
    let told = |error| CliError::Create { path: path.to_owned(), error };
    let file = File::create(&written).map_err(told)?;
    let mut out = BufWriter::with_capacity(1 << 16, file);
    let ended = write(&mut out).and_then(|()| out.flush().map_err(CliError::Output));
    match ended {
        Ok(()) if in_place => Ok(()),
        Ok(()) => fs::rename(&written, path).map_err(told),
        Err(error) => {
            if !in_place {
                // The first error is the one to tell.
                drop(fs::remove_file(&written));
            }
            Err(match error {
                CliError::Output(error) => told(error),
                other => other,
            })
        }
    }
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

/// The line that `--count` prints: the number is exact, or what was counted up to a limit.
pub(crate) fn count_line(number: u64, complete: bool) -> String {
    let prefix = if complete { "" } else { "at least " };
    let noun = if number == 1 { "solution" } else { "solutions" };
    format!("{prefix}{number} {noun}")
}
