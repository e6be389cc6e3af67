//! A folder for the files of one call, removed with them.

use std::collections::hash_map::RandomState;
use std::fs::{self, DirBuilder};
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Names to try before giving up; a second one is needed about never.
const TRIES: usize = 16;

/// The folders that are there.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn folders() -> MutexGuard<'static, Vec<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A new folder that only this user can enter.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Creates it in the system's place for temporary files, never taking one that exists.
    pub(crate) fn new() -> io::Result<Folder> {
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        let mut folders = folders();
        let mut tries = 0;
        loop {
            tries += 1;
            // Every `RandomState` has other keys.
            let number = RandomState::new().build_hasher().finish();
            let name = format!("pbsolve-{}-{number:016x}", std::process::id());
            let path = std::env::temp_dir().join(name);
            match builder.create(&path) {
                Ok(()) => {
                    folders.push(path.clone());
                    return Ok(Folder { path });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < TRIES => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // There is nobody to tell.
        drop(fs::remove_dir_all(&self.path));
        folders().retain(|path| *path != self.path);
    }
}

/// Removes the folders of all threads, and keeps them from making new ones.
pub(super) fn remove_all() {
    let folders = folders();
    for path in &*folders {
        drop(fs::remove_dir_all(path));
    }
    std::mem::forget(folders);
}
