//! What a comparison consists of: settings, configurations, inputs, runs. It is what `--format
//! json` prints, what `--results` keeps and what `--merge` reads. Times are whole microseconds and
//! sizes bytes, so that what is read equals what was written.

use super::super::run_report::{Goal, RunReport};
use super::machine::Machine;
use serde::{Deserialize, Serialize};

/// The version of the files; others are refused.
pub(super) const FORMAT: &str = "pbsolve compare 1";

/// All there is to know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Comparison {
    pub(super) format: String,
    pub(super) settings: Settings,
    pub(super) configurations: Vec<Configuration>,
    /// Where it was run; several after `--merge`.
    pub(super) machines: Vec<Machine>,
    /// Which shards these are; none if it is the whole.
    pub(super) shards: Vec<Shard>,
    /// The inputs of the whole, of which the shards have a part.
    pub(super) num_inputs: usize,
    pub(super) inputs: Vec<InputFile>,
    pub(super) runs: Vec<Run>,
}

/// What all runs have in common. Comparisons that differ here do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Settings {
    pub(super) pbsolve: String,
    pub(super) timeout_us: u64,
    pub(super) repeat: u32,
    /// Options that say what the inputs are: `--puzzle`, `--formulation`, `--from` and the like.
    pub(super) input_options: Vec<String>,
}

/// A way of solving.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Configuration {
    /// Unique, for people.
    pub(super) name: String,
    pub(super) kind: Kind,
    /// Whether its word about all assignments counts less than a check: it calculates with
    /// floating-point numbers, or is a program that we know nothing of.
    pub(super) is_word_only: bool,
    /// The options of `pbsolve solve` that choose it.
    pub(super) options: Vec<String>,
    /// The encoder that it insists on, if it is one of `--all-encodings`.
    pub(super) encoder: Option<String>,
}

/// What a configuration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Sat,
    Ilp,
    /// Neither, or both.
    Other,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Sat => "sat",
            Kind::Ilp => "ilp",
            Kind::Other => "other",
        }
    }
}

/// A part of a comparison: `index` of `of`, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shard {
    pub(super) index: usize,
    pub(super) of: usize,
}

/// A model file or a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InputFile {
    /// Its place among the inputs of the whole, from 1.
    pub(super) number: usize,
    pub(super) path: String,
    pub(super) bytes: u64,
    /// Of the bytes; see `inputs.rs`.
    pub(super) hash: String,
}

/// One run of one configuration on one input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Run {
    /// The path and the hash of the input.
    pub(super) input: String,
    pub(super) hash: String,
    pub(super) configuration: String,
    /// From 1.
    pub(super) repeat: u32,
    pub(super) answer: Answer,
    /// Of the process and all that it waited for; user and system time.
    pub(super) cpu_us: u64,
    pub(super) wall_us: u64,
    /// The largest resident set among these processes.
    pub(super) peak_bytes: u64,
    /// What the run told of itself, if it came so far.
    pub(super) report: Option<RunReport>,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Answer {
    pub(super) status: Status,
    /// The value of the best solution that was found and checked, as the file means it.
    pub(super) value: Option<String>,
    /// Whether `optimal` or `unsatisfiable` is somebody's word, not checked.
    pub(super) is_unchecked: bool,
    /// What shows that the solver is wrong, whatever the others say: its solution fails the check.
    pub(super) refuted: Option<String>,
    /// What was said about it, where the status needs an explanation.
    pub(super) why: Option<String>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    /// A solution, checked. With an objective: one that was not shown to be the best.
    Satisfiable,
    /// A solution, checked, and the claim that none is better.
    Optimal,
    /// The claim that there is none.
    Unsatisfiable,
    /// The time limit was reached.
    Timeout,
    /// No answer, for another reason.
    Unknown,
    /// The input is beyond this configuration.
    Unsupported,
    /// The process crashed or made no sense.
    Failed,
    /// The input cannot be read.
    Unreadable,
    /// No row needs the encoder of this configuration; it was not run.
    Inapplicable,
}

impl Status {
    /// Whether there was something to solve.
    pub(super) fn is_attempt(self) -> bool {
        !matches!(self, Status::Unreadable | Status::Inapplicable)
    }

    /// As tables show it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Status::Satisfiable => "satisfiable",
            Status::Optimal => "optimal",
            Status::Unsatisfiable => "unsatisfiable",
            Status::Timeout => "timeout",
            Status::Unknown => "unknown",
            Status::Unsupported => "unsupported",
            Status::Failed => "failed",
            Status::Unreadable => "unreadable",
            Status::Inapplicable => "not applicable",
        }
    }
}

impl Run {
    /// Whether nothing more can be asked for.
    pub(super) fn is_solved(&self) -> bool {
        match self.answer.status {
            Status::Optimal | Status::Unsatisfiable => true,
            Status::Satisfiable => self.answer.value.is_none(),
            _ => false,
        }
    }

    /// Whether it found a solution, which was checked.
    pub(super) fn has_solution(&self) -> bool {
        let is_found = matches!(self.answer.status, Status::Satisfiable | Status::Optimal);
        is_found || self.answer.value.is_some()
    }

    pub(super) fn goal(&self) -> Goal {
        self.report.as_ref().map_or(Goal::Any, |report| report.goal)
    }
}

impl Comparison {
    /// The runs of one configuration on one input, by repetition.
    pub(super) fn runs_of<'c>(
        &'c self,
        input: &'c InputFile,
        configuration: &'c Configuration,
    ) -> impl Iterator<Item = &'c Run> {
        self.runs_on(input).filter(move |run| run.configuration == configuration.name)
    }

    /// The runs on one input.
    pub(super) fn runs_on<'c>(&'c self, input: &'c InputFile) -> impl Iterator<Item = &'c Run> {
        self.runs.iter().filter(move |run| run.input == input.path)
    }
}
