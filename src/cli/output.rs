//! Where answers go: standard output, or a file that appears whole or not at all.

use super::error::CliError;
use super::interrupt;
use pbsolve::whole_file::WholeFile;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Passes a buffered standard output to `write`, and flushes it.
pub(crate) fn answer(
    write: impl FnOnce(&mut dyn Write) -> Result<(), CliError>,
) -> Result<(), CliError> {
    interrupt::begin_answer();
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    write(&mut out)?;
    out.flush().map_err(CliError::Output)
}

/// Passes a writer to the file to `write`, or to standard output if there is no path. The file is a
/// [`WholeFile`].
pub(crate) fn to_file(
    path: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let Some(path) = path else {
        let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
        write(&mut out)?;
        return out.flush().map_err(CliError::Output);
    };
    let told = |error| CliError::Create { path: path.to_owned(), error };
    let mut file = WholeFile::create(path).map_err(told)?;
    interrupt::set_unfinished(file.unfinished().map(Path::to_owned));
    let ended = match write(&mut file) {
        Ok(()) => file.finish().map_err(told),
        Err(error) => Err(of_file(error, path)),
    };
    interrupt::set_unfinished(None);
    ended
}

/// An error of writing that names the file.
fn of_file(error: CliError, path: &Path) -> CliError {
    match error {
        CliError::Output(error) => CliError::Create { path: path.to_owned(), error },
        other => other,
    }
}

/// The line that `--count` prints: the number is exact, or what was counted up to a limit.
pub(crate) fn count_line(number: u64, complete: bool) -> String {
    let prefix = if complete { "" } else { "at least " };
    let noun = if number == 1 { "solution" } else { "solutions" };
    format!("{prefix}{number} {noun}")
}
