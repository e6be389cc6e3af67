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
    let told = |error| CliError::Create { path: path.to_owned(), error };
    if in_place {
        let file = File::create(path).map_err(told)?;
        return write_whole(file, write).map_err(|error| of_file(error, path));
    }
    let beside = beside(path);
    interrupt::set_unfinished(Some(beside.clone()));
    let file = File::create(&beside).map_err(told)?;
    let ended = write_whole(file, write).map_err(|error| of_file(error, path));
    let ended = ended.and_then(|()| fs::rename(&beside, path).map_err(told));
    if ended.is_err() {
        // The first error is the one to tell.
        drop(fs::remove_file(&beside));
    }
    interrupt::set_unfinished(None);
    ended
}

fn write_whole(
    file: File,
    write: impl FnOnce(&mut dyn Write) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    write(&mut out)?;
    out.flush().map_err(CliError::Output)
}

/// An error of writing that names the file.
fn of_file(error: CliError, path: &Path) -> CliError {
    match error {
        CliError::Output(error) => CliError::Create { path: path.to_owned(), error },
        other => other,
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
