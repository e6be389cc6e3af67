//! `--format csv`: a line for each run, times in seconds.

use super::agreement::WrongAnswer;
use super::record::Run;
use super::report::Report;
use std::io::{self, Write};

const TITLES: [&str; 26] = [
    "input",
    "configuration",
    "kind",
    "repeat",
    "status",
    "value",
    "checked",
    "wrong",
    "model_variables",
    "model_rows",
    "cnf_variables",
    "clauses",
    "fixed",
    "solver_calls",
    "conflicts",
    "decisions",
    "propagations",
    "reading_s",
    "encoding_s",
    "solving_s",
    "checking_s",
    "cpu_s",
    "wall_s",
    "peak_bytes",
    "solved",
    "why",
];

/// Writes all runs.
pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record(TITLES)?;
    for run in &report.comparison.runs {
        table.write_record(cells(report, run))?;
    }
    table.flush()
}

fn cells(report: &Report<'_>, run: &Run) -> Vec<String> {
    let told = run.report.as_ref();
    let number = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
    let seconds = |time: u64| format!("{}.{:06}", time / 1_000_000, time % 1_000_000);
    let phase = |time: Option<u64>| time.map_or_else(String::new, seconds);
    let is_this =
        |wrong: &WrongAnswer| wrong.input == run.input && wrong.configuration == run.configuration;
    let is_wrong = report.wrong.iter().any(is_this);
    let known = &report.comparison.configurations;
    let kind = known.iter().find(|known| known.name == run.configuration).map(|known| known.kind);
    let answer = &run.answer;
    vec![
        run.input.clone(),
        run.configuration.clone(),
        kind.map_or("", super::record::Kind::name).to_owned(),
        run.repeat.to_string(),
        answer.status.name().to_owned(),
        answer.value.clone().unwrap_or_default(),
        (!answer.is_unchecked).to_string(),
        is_wrong.to_string(),
        number(told.map(|told| told.model_variables)),
        number(told.map(|told| told.model_rows)),
        number(told.map(|told| told.variables as u64)),
        number(told.map(|told| told.clauses)),
        number(told.map(|told| told.fixed as u64)),
        number(told.map(|told| told.solver_calls)),
        number(told.and_then(|told| told.conflicts)),
        number(told.and_then(|told| told.decisions)),
        number(told.and_then(|told| told.propagations)),
        phase(told.map(|told| told.reading_us)),
        phase(told.map(|told| told.encoding_us)),
        phase(told.map(|told| told.solving_us)),
        phase(told.map(|told| told.checking_us)),
        seconds(run.cpu_us),
        seconds(run.wall_us),
        run.peak_bytes.to_string(),
        (run.is_solved() && !is_wrong).to_string(),
        answer.why.clone().unwrap_or_default(),
    ]
}
