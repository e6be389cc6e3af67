//! The inputs: files as they are named, and of folders all model files below them, by name.

use super::super::error::CliError;
use super::record::{InputFile, Shard};
use pbsolve::formats::compressed;
use pbsolve::formats::model_format;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The files that these paths stand for. A folder yields the files with a known end of the name,
/// or all files where they are boards; a file that is named twice counts once.
pub(super) fn find(paths: &[String], are_boards: bool) -> Result<Vec<String>, CliError> {
    let mut found = Vec::new();
    for path in paths {
        if path == "-" {
            let why = "standard input can be read once only, and each input is read by every run; \
                       give files or folders";
            return Err(CliError::Usage(why.to_owned()));
        }
        let told = |error| CliError::Read { path: path.clone(), error };
        if fs::metadata(path).map_err(told)?.is_dir() {
            let before = found.len();
            walk(path, are_boards, &mut found)?;
            if found.len() == before {
                let what = if are_boards { "file" } else { "model file" };
                let message = format!("there is no {what} in this folder");
                return Err(CliError::Unfit { path: path.clone(), message });
            }
        } else {
            found.push(path.clone());
        }
    }
    let mut known = HashSet::new();
    found.retain(|path| known.insert(path.clone()));
    Ok(found)
}

fn walk(folder: &str, are_boards: bool, found: &mut Vec<String>) -> Result<(), CliError> {
    let told = |error| CliError::Read { path: folder.to_owned(), error };
    let mut entries =
        fs::read_dir(folder).map_err(told)?.collect::<io::Result<Vec<_>>>().map_err(told)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let Some(name) = name.to_str() else {
            let shown = entry.path().display().to_string();
            let message = "the name is not UTF-8, and results are text".to_owned();
            return Err(CliError::Unfit { path: shown, message });
        };
        if name.starts_with('.') {
            continue;
        }
        let path = format!("{}/{name}", folder.trim_end_matches('/'));
        // A link to a folder above would lead round in circles.
        let kind = entry.file_type().map_err(told)?;
        let is_file = kind.is_file() || (kind.is_symlink() && Path::new(&path).is_file());
        if kind.is_dir() {
            walk(&path, are_boards, found)?;
        } else if is_file && (are_boards || is_model(name)) {
            found.push(path);
        }
    }
    Ok(())
}

fn is_model(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let ends = compressed::ALL.iter().map(|compression| compression.extension);
    let stem = ends.into_iter().find_map(|end| name.strip_suffix(end)?.strip_suffix('.'));
    let extension = stem.unwrap_or(&name).rsplit_once('.');
    extension.is_some_and(|(_, extension)| model_format::with_extension(extension).is_some())
}

/// The inputs of a shard, each with its size and its hash.
pub(super) fn describe(paths: &[String], shard: Option<Shard>) -> Result<Vec<InputFile>, CliError> {
    let is_here =
        |number: usize| shard.is_none_or(|shard| (number - 1) % shard.of == shard.index - 1);
    let numbered = paths.iter().enumerate().map(|(i, path)| (i + 1, path));
    let here = numbered.filter(|&(number, _)| is_here(number));
    here.map(|(number, path)| {
        let told = |error| CliError::Read { path: path.clone(), error };
        let (bytes, hash) = fingerprint(File::open(path).map_err(told)?).map_err(told)?;
        Ok(InputFile { number, path: path.clone(), bytes, hash })
    })
    .collect()
}

/// The length of a text and its 64-bit FNV-1a hash, which tells whether a file is still the one
/// that results speak of.
fn fingerprint(mut text: impl Read) -> io::Result<(u64, String)> {
    const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let (mut length, mut hash) = (0u64, OFFSET_BASIS);
    // Not the whole file: the memory of this process is a lower bound of what can be measured.
    let mut chunk = [0; 1 << 14];
    loop {
        let read = match text.read(&mut chunk) {
            Ok(0) => return Ok((length, format!("{hash:016x}"))),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        length += read as u64;
        for &byte in &chunk[..read] {
            hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{fingerprint, is_model};

    #[test]
    fn the_hash_is_the_published_one() {
        for (text, hash) in
            [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")]
        {
            let told = fingerprint(text.as_bytes()).unwrap();
            assert_eq!(told, (text.len() as u64, hash.to_owned()), "{text}");
        }
    }

    #[test]
    fn model_files_are_known_by_the_ends_of_their_names() {
        for name in ["a.opb", "A.OPB", "a.lp.gz", "a.mps.xz", "b.c.json", "a.pb"] {
            assert!(is_model(name), "{name}");
        }
        for name in ["opb", "a.txt", "a.gz", "a.opb.zip", "README.md"] {
            assert!(!is_model(name), "{name}");
        }
    }
}
