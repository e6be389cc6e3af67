//! Runs this program on an input in a configuration, as a user would, and records what it came to.

use super::super::error::CliError;
use super::super::run_report::{microseconds, peak_of_this_process};
use super::answer;
use super::measure::{Stopped, measure};
use super::record::{Configuration, InputFile, Run, Settings};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// What runs.
#[derive(Debug)]
pub(super) struct Runner<'s> {
    program: PathBuf,
    settings: &'s Settings,
}

impl<'s> Runner<'s> {
    pub(super) fn new(settings: &'s Settings) -> Result<Runner<'s>, CliError> {
        let told = |error| CliError::Read { path: "this program".to_owned(), error };
        Ok(Runner { program: std::env::current_exe().map_err(told)?, settings })
    }

    /// One run; `None` if it was interrupted.
    pub(super) fn run(
        &self,
        input: &InputFile,
        configuration: &Configuration,
        repeat: u32,
    ) -> Result<Option<Run>, CliError> {
        let timeout = Duration::from_micros(self.settings.timeout_us);
        let mut command = Command::new(&self.program);
        command.args(["solve", "--report", "--timeout"]).arg(timeout.as_secs_f64().to_string());
        command.args(&self.settings.input_options).args(&configuration.options);
        command.arg("--").arg(&input.path);
        let told = |error| CliError::Read { path: self.program.display().to_string(), error };
        let floor = peak_of_this_process();
        let measured = measure(&mut command, timeout).map_err(told)?;
        if measured.stopped == Some(Stopped::Interrupted) {
            return Ok(None);
        }
        let (answer, report) = answer::read(&measured, configuration, timeout).map_err(told)?;
        let of_itself = report.as_ref().and_then(|report| report.peak_bytes);
        let peak_bytes = match (floor, of_itself) {
            (Some(floor), Some(told)) if measured.peak_bytes <= floor => told,
            _ => measured.peak_bytes,
        };
        Ok(Some(Run {
            input: input.path.clone(),
            hash: input.hash.clone(),
            configuration: configuration.name.clone(),
            repeat,
            answer,
            cpu_us: microseconds(measured.cpu),
            wall_us: microseconds(measured.wall),
            peak_bytes,
            report,
        }))
    }
}
