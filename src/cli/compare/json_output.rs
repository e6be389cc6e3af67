//! `--format json`: the comparison, and what follows from it.

use super::record::Comparison;
use super::report::Report;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// The document. Only the comparison is read again; the rest follows from it.
#[derive(Debug, Serialize)]
struct Document<'r> {
    comparison: &'r Comparison,
    headline: String,
    clock: &'static str,
    command: &'r str,
    interrupted: bool,
    wrong_answers: Vec<WrongJson<'r>>,
    summary: Vec<SummaryJson<'r>>,
}

#[derive(Debug, Serialize)]
struct WrongJson<'r> {
    input: &'r str,
    configuration: &'r str,
    told: &'r str,
}

#[derive(Debug, Serialize)]
struct SummaryJson<'r> {
    configuration: &'r str,
    inputs: usize,
    solved: usize,
    wrong: usize,
    par2_s: Option<f64>,
    ratio: Option<f64>,
    ratio_inputs: usize,
}

/// The part of a document that is read.
#[derive(Debug, Deserialize)]
pub(super) struct Kept {
    pub(super) comparison: Comparison,
}

/// Writes the document.
pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let document = Document {
        comparison: report.comparison,
        headline: report.headline(),
        clock: report.clock.name(),
        command: &report.command,
        interrupted: report.is_interrupted,
        wrong_answers: wrong_answers(report),
        summary: summary(report),
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

fn wrong_answers<'r>(report: &'r Report<'_>) -> Vec<WrongJson<'r>> {
    let wrong = report.wrong.iter().map(|wrong| WrongJson {
        input: &wrong.input,
        configuration: &wrong.configuration,
        told: &wrong.told,
    });
    wrong.collect()
}

fn summary<'r>(report: &'r Report<'_>) -> Vec<SummaryJson<'r>> {
    let summaries = report.summaries.iter().map(|summary| SummaryJson {
        configuration: &summary.configuration.name,
        inputs: summary.num_inputs,
        solved: summary.num_solved,
        wrong: summary.num_wrong,
        par2_s: summary.par2_us.map(|time| time / 1e6),
        ratio: summary.ratio.map(|(ratio, _)| ratio),
        ratio_inputs: summary.ratio.map_or(0, |(_, number)| number),
    });
    summaries.collect()
}
