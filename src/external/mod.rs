//! Solvers that are programs of their own, whatever they read: a command line without a shell, a
//! folder for the files of a call, a process group that ends with it.

mod call;
mod command_line;
mod folder;
mod process_group;
mod within_limits;

pub(crate) use call::{Call, Ended};
pub use command_line::CommandError;
pub(crate) use command_line::CommandLine;
pub(crate) use folder::Folder;
pub(crate) use within_limits::create;

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// Ends the external solvers of all threads and removes their files, for a process that is about
/// to exit without waiting for them. Calls of external solvers do not return after this.
pub fn end_external_solvers() {
    process_group::end_all();
    folder::remove_all();
}

/// The text of a file that a solver wrote.
pub(crate) fn read_answer(path: &Path, max_bytes: usize) -> Result<Vec<u8>, String> {
    let unreadable = |error| format!("leaves an answer file that cannot be read: {error}");
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_file() => {}
        // Opening a named pipe, for one, would wait for ever.
        Ok(_) => return Err("leaves an answer file that is none".to_owned()),
        Err(_) => return Err("writes no answer file".to_owned()),
    }
    let mut text = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(max_bytes as u64 + 1).read_to_end(&mut text).map_err(unreadable)?;
    if text.len() > max_bytes {
        return Err(format!("writes an answer file of more than {max_bytes} bytes"));
    }
    Ok(text)
}
