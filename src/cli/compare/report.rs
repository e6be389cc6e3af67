//! What the forms of output have in common: the figures, the headline, the notes.

use super::Clock;
use super::agreement::{self, WrongAnswer};
use super::lines::{self, InputLines, Line};
use super::record::{Comparison, Status};
use super::shown;
use super::summary::{self, Summary};

/// A comparison with all that follows from it.
#[derive(Debug)]
pub(super) struct Report<'c> {
    pub(super) comparison: &'c Comparison,
    pub(super) clock: Clock,
    /// The command that made it, for people.
    pub(super) command: String,
    pub(super) wrong: Vec<WrongAnswer>,
    pub(super) inputs: Vec<InputLines<'c>>,
    pub(super) summaries: Vec<Summary<'c>>,
    /// Shards that are missing after `--merge`.
    pub(super) missing: Vec<usize>,
    /// Whether it was ended before all runs were made.
    pub(super) is_interrupted: bool,
}

impl<'c> Report<'c> {
    pub(super) fn new(comparison: &'c Comparison, clock: Clock, command: String) -> Report<'c> {
        let wrong = agreement::wrong_answers(comparison);
        let inputs = lines::lines(comparison, &wrong, clock);
        let summaries = summary::summaries(comparison, &inputs, clock);
        let (missing, is_interrupted) = (Vec::new(), false);
        Report { comparison, clock, command, wrong, inputs, summaries, missing, is_interrupted }
    }

    /// The most important thing.
    pub(super) fn headline(&self) -> String {
        let inputs = shown::counted(self.inputs.len() as u64, "input");
        let configurations = shown::counted(self.summaries.len() as u64, "configuration");
        if self.wrong.is_empty() {
            return format!("The answers agree: {configurations} on {inputs}.");
        }
        let number = shown::counted(self.wrong.len() as u64, "wrong answer");
        format!("DISAGREEMENT: {number}; {configurations} on {inputs}.")
    }

    /// The lines below the headline.
    pub(super) fn details(&self) -> Vec<String> {
        let wrong = self.wrong.iter().map(|wrong| format!("{}: {}", wrong.input, wrong.told));
        let mut details: Vec<String> = wrong.collect();
        if self.is_interrupted {
            details.push("Interrupted: this is a part of what was asked for.".to_owned());
        }
        if !self.missing.is_empty() {
            let of = self.comparison.shards.first().map_or(0, |shard| shard.of);
            let missing: Vec<String> = self.missing.iter().map(usize::to_string).collect();
            details.push(format!("Not the whole: of {of} shards, {} missing.", missing.join(", ")));
        }
        let is_unreadable = |input: &&InputLines<'_>| input.is_unreadable();
        let unreadable: Vec<&InputLines<'_>> = self.inputs.iter().filter(is_unreadable).collect();
        if let Some(first) = unreadable.first() {
            let number = shown::counted(unreadable.len() as u64, "input");
            details.push(format!("Unreadable: {number}, such as {}.", first.input.path));
        }
        details
    }

    /// The folder, with its slash, that all inputs are below; empty if there is none.
    pub(super) fn common_folder(&self) -> &'c str {
        let paths = self.comparison.inputs.iter().map(|input| input.path.as_str());
        let folder = |path: &'c str| &path[..path.rfind('/').map_or(0, |at| at + 1)];
        let common = paths.map(folder).reduce(|left, right| {
            let is_same = |&(left, right): &(&str, &str)| left == right;
            let parts = left.split_inclusive('/').zip(right.split_inclusive('/'));
            &left[..parts.take_while(is_same).map(|(part, _)| part.len()).sum()]
        });
        common.unwrap_or_default()
    }

    /// What the figures mean.
    pub(super) fn notes(&self) -> Vec<String> {
        let first = &self.comparison.configurations[0].name;
        let limit = shown::microseconds(self.comparison.settings.timeout_us);
        let clock = self.clock.name();
        let mut notes = vec![format!(
            "Ratios are of {clock} time, to {first}; below 1 is faster. PAR2 is the mean {clock} \
             time, where what is not solved within {limit} counts twice the limit."
        )];
        let mut lines = self.inputs.iter().flat_map(|input| &input.lines);
        if lines.any(|line| line.run.answer.is_unchecked) {
            notes.push(
                "Every solution was checked against the model. \"Not checked\" are claims about \
                 all assignments (no solution, no better one) of solvers that calculate with \
                 floating-point numbers or are programs of their own."
                    .to_owned(),
            );
        }
        notes
    }

    /// Whether a back-end told its conflicts.
    pub(super) fn has_effort(&self) -> bool {
        let told = self.comparison.runs.iter().filter_map(|run| run.report.as_ref());
        told.map(|told| told.conflicts).any(|conflicts| conflicts.is_some())
    }
}

impl InputLines<'_> {
    /// Whether no run could read it.
    pub(super) fn is_unreadable(&self) -> bool {
        let is_unreadable = |line: &Line<'_>| line.run.answer.status == Status::Unreadable;
        !self.lines.is_empty() && self.lines.iter().all(is_unreadable)
    }
}
