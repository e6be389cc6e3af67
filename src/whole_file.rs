//! A file that appears whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Files of this process so far: each has a temporary name of its own.
static NUM_CREATED: AtomicU64 = AtomicU64::new(0);

/// A buffered file that is written beside its place, and put there when it is finished: whoever
/// opens the place sees what was there before, or all that is new. One that is dropped unfinished is
/// removed, and the temporary name of one that stays behind, when the process is killed, does not
/// end like its place.
///
/// A symbolic link is followed, and what it points at replaced. A device or a pipe, which nothing
/// can be moved to, is written in place.
#[derive(Debug)]
pub struct WholeFile {
    out: Option<BufWriter<File>>,
    /// Where it is written; `None`: in its place.
    unfinished: Option<PathBuf>,
    place: PathBuf,
}

impl WholeFile {
    /// Begins a file.
    ///
    /// # Errors
    /// If no file can be made beside the place, or one that is there must not be written.
    pub fn create(path: &Path) -> io::Result<WholeFile> {
        const CAPACITY: usize = 1 << 16;
        let place = followed(path)?;
        let (mut unfinished, mut permissions) = (None, None);
        match fs::metadata(&place) {
            Ok(metadata) if !metadata.is_file() => {}
            found => {
                if let Ok(metadata) = found {
                    // Moving needs no leave of the file that it replaces, but people expect so.
                    OpenOptions::new().write(true).open(&place)?;
                    permissions = Some(metadata.permissions());
                }
                unfinished = Some(beside(&place));
            }
        }
        let file = File::create(unfinished.as_deref().unwrap_or(&place))?;
        let out = Some(BufWriter::with_capacity(CAPACITY, file));
        let whole = WholeFile { out, unfinished, place };
        if let (Some(permissions), Some(path)) = (permissions, whole.unfinished()) {
            fs::set_permissions(path, permissions)?;
        }
        Ok(whole)
    }

    /// Where it is until it is finished; `None` where it is written in place.
    pub fn unfinished(&self) -> Option<&Path> {
        self.unfinished.as_deref()
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// If it cannot be written to its end or not be put there. Nothing is changed then.
    pub fn finish(mut self) -> io::Result<()> {
        let out = self.out.take().expect("open until it is finished");
        let moved = out.into_inner().map_err(io::IntoInnerError::into_error).and_then(|file| {
            let Some(unfinished) = &self.unfinished else { return Ok(()) };
            // Else the name could survive a crash of the system without the text.
            file.sync_all()?;
            fs::rename(unfinished, &self.place)
        });
        if moved.is_ok() {
            self.unfinished = None;
        }
        moved
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.as_mut().expect("open until it is finished").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().expect("open until it is finished").flush()
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        // What is buffered would go to a full disk once more.
        drop(self.out.take().map(BufWriter::into_parts));
        if let Some(unfinished) = &self.unfinished {
            // Nothing can be done about a file that stays behind; its name says what it is.
            drop(fs::remove_file(unfinished));
        }
    }
}

/// Removes a file of an earlier run, so that nobody takes it for the result of this one. What is no
/// file stays, and so does a link to one.
///
/// # Errors
/// If it is there and stays.
pub fn remove_old(path: &Path) -> io::Result<()> {
    let place = followed(path)?;
    if fs::metadata(&place).is_ok_and(|metadata| metadata.is_file()) {
        fs::remove_file(&place)?;
    }
    Ok(())
}

/// What a path leads to through symbolic links, be it there or not.
fn followed(path: &Path) -> io::Result<PathBuf> {
    const MOST_LINKS: usize = 40;
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        if !fs::symlink_metadata(&place).is_ok_and(|metadata| metadata.is_symlink()) {
            return Ok(place);
        }
        let target = fs::read_link(&place)?;
        // A target is told from the folder of its link.
        place = place.parent().unwrap_or(Path::new("")).join(target);
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

fn beside(place: &Path) -> PathBuf {
    let mut name = place.file_name().unwrap_or_default().to_owned();
    let number = NUM_CREATED.fetch_add(1, Ordering::Relaxed);
    name.push(format!(".{}-{number}.unfinished", std::process::id()));
    place.with_file_name(name)
}
