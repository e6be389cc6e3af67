//! `--results FILE`: a line of JSON with what is compared, then a line for each run as soon as it
//! has ended. A comparison that was interrupted goes on where it stopped. A last line that was not
//! written whole is dropped; anything else that is not as it should be is refused.

use super::super::error::CliError;
use super::super::note;
use super::json_output::Kept;
use super::machine::Machine;
use super::record::{Comparison, FORMAT, Run};
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file, open for more runs.
#[derive(Debug)]
pub(super) struct ResultsFile {
    path: PathBuf,
    file: File,
}

impl ResultsFile {
    /// Opens or begins a file, and adds the runs that it has to the comparison.
    pub(super) fn open(path: &Path, comparison: &mut Comparison) -> Result<ResultsFile, CliError> {
        let shown = || path.display().to_string();
        let text = match fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(CliError::Read { path: shown(), error }),
        };
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        if whole < text.len() {
            note(&format!("{}: the last line was not written whole, and is dropped", shown()));
        }
        let told = |error| CliError::Create { path: path.to_owned(), error };
        let mut open = OpenOptions::new();
        let file = open.create(true).truncate(false).write(true).open(path).map_err(told)?;
        if !is_locked(&file) {
            let message = "is being written by another comparison".to_owned();
            return Err(CliError::Unfit { path: shown(), message });
        }
        let mut results = ResultsFile { path: path.to_owned(), file };
        if whole > 0 {
            let unfit = |message| CliError::Unfit { path: shown(), message };
            let known = parse(&text[..whole]).map_err(unfit)?;
            let of_shards = |known: &Comparison| format!("the shards {:?}", known.shards);
            let shards = (known.shards != comparison.shards)
                .then(|| format!("{}, not {}", of_shards(&known), of_shards(comparison)));
            if let Some(difference) = difference(&known, comparison).or(shards) {
                let message = format!("was begun with {difference}; give another --results file");
                return Err(unfit(message));
            }
            comparison.machines.clone_from(&known.machines);
            let here = Machine::here();
            if !comparison.machines.contains(&here) {
                comparison.machines.push(here);
            }
            comparison.runs = runs_that_fit(known.runs, comparison);
            let is_as_before = known.inputs == comparison.inputs
                && known.num_inputs == comparison.num_inputs
                && known.machines == comparison.machines;
            results.cut(whole).map_err(told)?;
            if is_as_before {
                return Ok(results);
            }
        }
        let head = Comparison { runs: Vec::new(), ..comparison.clone() };
        results.write(&head)?;
        Ok(results)
    }

    /// Drops what follows the whole lines.
    fn cut(&mut self, whole: usize) -> io::Result<()> {
        self.file.set_len(whole as u64)?;
        io::Seek::seek(&mut self.file, io::SeekFrom::Start(whole as u64)).map(drop)
    }

    /// Adds a run.
    pub(super) fn append(&mut self, run: &Run) -> Result<(), CliError> {
        self.write(run)
    }

    fn write(&mut self, line: &impl serde::Serialize) -> Result<(), CliError> {
        let mut line = serde_json::to_vec(line).expect("records are JSON");
        line.push(b'\n');
        // In one piece, so that a crash tears the last line at most.
        let written = self.file.write_all(&line);
        written.map_err(|error| CliError::Create { path: self.path.clone(), error })
    }
}

/// The comparison that a results file holds, without its last line if that is torn.
pub(super) fn read(path: &str) -> Result<Comparison, CliError> {
    let text = fs::read(path).map_err(|error| CliError::Read { path: path.to_owned(), error })?;
    let unfit = |message| CliError::Unfit { path: path.to_owned(), message };
    // A document of `--format json`.
    if let Ok(Kept { comparison }) = serde_json::from_slice(&text) {
        return check_format(comparison).map_err(unfit);
    }
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    parse(&text[..whole]).map_err(unfit)
}

/// A comparison may be begun several times, as inputs change; the last beginning counts.
fn parse(text: &[u8]) -> Result<Comparison, String> {
    let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let mut known: Option<Comparison> = None;
    let mut runs = Vec::new();
    for (i, line) in lines.enumerate() {
        let told = |error: serde_json::Error| {
            format!("line {}: no results of `pbsolve compare`: {error}", i + 1)
        };
        if known.is_none() || line.starts_with(b"{\"format\"") {
            known = Some(check_format(serde_json::from_slice(line).map_err(told)?)?);
        } else {
            runs.push(serde_json::from_slice(line).map_err(told)?);
        }
    }
    let mut comparison = known.ok_or_else(|| "is empty".to_owned())?;
    comparison.runs = runs_that_fit(runs, &comparison);
    Ok(comparison)
}

/// The runs on inputs as they are now.
fn runs_that_fit(runs: Vec<Run>, comparison: &Comparison) -> Vec<Run> {
    let inputs = comparison.inputs.iter().map(|input| (&input.path, &input.hash));
    let inputs: HashSet<(&String, &String)> = inputs.collect();
    runs.into_iter().filter(|run| inputs.contains(&(&run.input, &run.hash))).collect()
}

/// Whether no other process has the file; where there are no locks, none is looked for.
#[cfg(unix)]
fn is_locked(file: &File) -> bool {
    use rustix::fs::{FlockOperation, flock};
    flock(file, FlockOperation::NonBlockingLockExclusive) != Err(rustix::io::Errno::WOULDBLOCK)
}

#[cfg(not(unix))]
fn is_locked(_: &File) -> bool {
    true
}

fn check_format(comparison: Comparison) -> Result<Comparison, String> {
    if comparison.format == FORMAT {
        Ok(comparison)
    } else {
        Err(format!("has the format {:?}, not {FORMAT:?}", comparison.format))
    }
}

/// In what two comparisons differ that must not; as `what of the first, not of the second`.
pub(super) fn difference(left: &Comparison, right: &Comparison) -> Option<String> {
    let names = |comparison: &Comparison| {
        let names = comparison.configurations.iter().map(|known| known.name.as_str());
        names.collect::<Vec<&str>>().join(", ")
    };
    let seconds = |comparison: &Comparison| super::plan::seconds(&comparison.settings);
    let (old, new) = (&left.settings, &right.settings);
    if old.pbsolve != new.pbsolve {
        return Some(format!("version {}, not {}", old.pbsolve, new.pbsolve));
    }
    if old.timeout_us != new.timeout_us {
        return Some(format!("--timeout {}, not {}", seconds(left), seconds(right)));
    }
    if old.repeat != new.repeat {
        return Some(format!("--repeat {}, not {}", old.repeat, new.repeat));
    }
    if old.input_options != new.input_options {
        let told = |options: &[String]| {
            if options.is_empty() { "no options of inputs".to_owned() } else { options.join(" ") }
        };
        return Some(format!("{}, not {}", told(&old.input_options), told(&new.input_options)));
    }
    if left.configurations != right.configurations {
        return Some(format!("the configurations {}, not {}", names(left), names(right)));
    }
    None
}
