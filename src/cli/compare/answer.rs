//! What a run answered, from its exit code and what it printed.

use super::super::exit_code::ExitCode;
use super::super::run_report::{PREFIX, RunReport};
use super::measure::{Measured, Stopped};
use super::record::{Answer, Configuration, Status};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::time::Duration;

/// Lines for this program are short; of others the beginning is enough.
const KEPT: usize = 1 << 16;

/// How near the time limit a run without an answer must end for the limit to be the reason.
const NEAR: Duration = Duration::from_millis(50);

/// The answer, and what the run told of itself.
pub(super) fn read(
    measured: &Measured,
    configuration: &Configuration,
    timeout: Duration,
) -> io::Result<(Answer, Option<RunReport>)> {
    let printed = Printed::read(&measured.stdout)?;
    let told = Told::read(&measured.stderr)?;
    let is_late = measured.stopped == Some(Stopped::Timeout) || measured.wall + NEAR >= timeout;
    let code = measured.exit.code();
    let is_code = |wanted: ExitCode| code == Some(i32::from(wanted.number()));
    let status = match printed.verdict.as_deref() {
        Some("SATISFIABLE") if is_code(ExitCode::Satisfiable) => match told.claim {
            // What has no value has no optimum.
            Some(Claim::Optimal) if printed.value.is_some() => Status::Optimal,
            _ => Status::Satisfiable,
        },
        Some("OPTIMUM FOUND") if is_code(ExitCode::Optimal) => Status::Optimal,
        Some("UNSATISFIABLE") if is_code(ExitCode::Unsatisfiable) => Status::Unsatisfiable,
        Some("UNSUPPORTED") if is_code(ExitCode::Done) => Status::Unsupported,
        Some("UNKNOWN") if told.claim == Some(Claim::NoSolution) => Status::Unsatisfiable,
        _ if is_late => Status::Timeout,
        Some("UNKNOWN") if is_code(ExitCode::Done) => Status::Unknown,
        None if is_code(ExitCode::Refused) => Status::Unreadable,
        _ => Status::Failed,
    };
    let why = match status {
        Status::Unknown | Status::Unsupported | Status::Unreadable => told.why,
        Status::Failed => Some(failure(measured, printed.verdict.as_deref(), told.why.as_deref())),
        _ => None,
    };
    let is_claim = matches!(status, Status::Optimal | Status::Unsatisfiable);
    let counts = matches!(status, Status::Satisfiable | Status::Optimal | Status::Timeout);
    let answer = Answer {
        status,
        value: printed.value.filter(|_| counts),
        is_unchecked: is_claim && configuration.is_word_only,
        refuted: told.refuted,
        why,
    };
    Ok((answer, told.report))
}

/// How a run ended that makes no sense.
fn failure(measured: &Measured, verdict: Option<&str>, said: Option<&str>) -> String {
    let code = measured.exit.code().map(|code| format!("exit code {code}"));
    let ended = code.unwrap_or_else(|| measured.exit.to_string());
    let verdict = verdict.map(|verdict| format!(", s {verdict}"));
    let said = said.map(|line| format!(": {line}"));
    [Some(ended), verdict, said].into_iter().flatten().collect()
}

/// Of standard output: the `s` line, which must be the only one, and the last `o` line.
#[derive(Debug, Default)]
struct Printed {
    verdict: Option<String>,
    value: Option<String>,
}

impl Printed {
    fn read(file: &File) -> io::Result<Printed> {
        let mut printed = Printed::default();
        for_each_line(file, |line| {
            if let Some(verdict) = line.strip_prefix("s ") {
                printed.verdict = Some(verdict.to_owned());
            } else if let Some(value) = line.strip_prefix("o ") {
                printed.value = Some(value.to_owned());
            }
        })?;
        Ok(printed)
    }
}

/// Of standard error: the report, what an ILP solver says of all assignments, a solution that was
/// not believed, and the first line for people.
#[derive(Debug, Default)]
struct Told {
    report: Option<RunReport>,
    claim: Option<Claim>,
    refuted: Option<String>,
    why: Option<String>,
}

/// What is told as somebody's word and is no verdict of `solve`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    Optimal,
    NoSolution,
}

impl Told {
    fn read(file: &File) -> io::Result<Told> {
        let mut told = Told::default();
        for_each_line(file, |line| told.add(line.trim()))?;
        Ok(told)
    }

    fn add(&mut self, line: &str) {
        if let Some(json) = line.strip_prefix(PREFIX) {
            self.report = serde_json::from_str(json).ok();
            return;
        }
        let line = line.strip_prefix("c ").unwrap_or(line);
        match line.strip_suffix(": not checked") {
            Some(claim) if claim.ends_with(" says that this is optimal") => {
                self.claim = Some(Claim::Optimal);
            }
            Some(claim) if claim.ends_with(" says that there is no solution") => {
                self.claim = Some(Claim::NoSolution);
            }
            _ => {}
        }
        if line.contains(" solution is not believed: it violates ") {
            self.refuted = Some(line.to_owned());
        }
        if self.why.is_none() && !line.is_empty() {
            self.why = Some(line.to_owned());
        }
    }
}

/// Visits the beginnings of all lines; a text may have one line of any length.
fn for_each_line(file: &File, mut visit: impl FnMut(&str)) -> io::Result<()> {
    let mut reader = BufReader::with_capacity(1 << 14, file);
    let mut line: Vec<u8> = Vec::new();
    loop {
        let chunk = match reader.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        line.extend_from_slice(&part[..part.len().min(KEPT - line.len())]);
        let (used, is_last) = (part.len() + usize::from(end.is_some()), chunk.is_empty());
        reader.consume(used);
        if end.is_some() || (is_last && !line.is_empty()) {
            visit(&String::from_utf8_lossy(&line));
            line.clear();
        }
        if is_last {
            return Ok(());
        }
    }
}
