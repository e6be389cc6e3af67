//! A file for a solver, whose writing ends when a limit is reached.

use crate::limits::Limits;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Bytes that are written between two looks at the clock.
const BYTES_PER_POLL: usize = 1 << 16;

/// A new file that fails to be written once a limit is reached.
pub(crate) fn create<'a>(
    path: &Path,
    limits: &'a Limits,
) -> io::Result<BufWriter<WithinLimits<'a>>> {
    let file = File::create_new(path)?;
    Ok(BufWriter::with_capacity(BYTES_PER_POLL, WithinLimits { file, limits }))
}

/// See [`create`].
#[derive(Debug)]
pub(crate) struct WithinLimits<'a> {
    file: File,
    limits: &'a Limits,
}

impl Write for WithinLimits<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.limits.reached() {
            Some(reason) => Err(io::Error::other(reason.to_string())),
            None => self.file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
