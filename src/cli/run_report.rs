//! The line in which one run tells `pbsolve compare` what it came to: `c report {...}`, the last
//! one on standard error.

use pbsolve::{Model, Statistics};
use pbsolve_model::Sense;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How the line begins.
pub(crate) const PREFIX: &str = "c report ";

/// Sizes, amounts of work, and times in microseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunReport {
    /// Variables of the model, indicators included.
    pub(crate) model_variables: u64,
    /// Its rows.
    pub(crate) model_rows: u64,
    /// What is wanted: the least or the largest value, or any solution.
    pub(crate) goal: Goal,
    /// Variables and clauses given to a SAT solver; 0 where there is none.
    pub(crate) variables: usize,
    pub(crate) clauses: u64,
    /// Decision variables that the rows fix before the search.
    pub(crate) fixed: usize,
    pub(crate) solver_calls: u64,
    pub(crate) cores: u64,
    /// What the solver did, where it tells: the same in every run.
    pub(crate) conflicts: Option<u64>,
    pub(crate) decisions: Option<u64>,
    pub(crate) propagations: Option<u64>,
    /// The encoders that stated rows.
    pub(crate) encoders: Vec<EncoderUse>,
    pub(crate) reading_us: u64,
    pub(crate) encoding_us: u64,
    pub(crate) solving_us: u64,
    pub(crate) checking_us: u64,
    /// The peak of the memory of this process alone, where the system tells.
    pub(crate) peak_bytes: Option<u64>,
}

/// What a model asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Goal {
    #[default]
    Any,
    Minimum,
    Maximum,
}

/// Rows that an encoder stated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EncoderUse {
    pub(crate) encoder: String,
    pub(crate) rows: u64,
}

impl RunReport {
    pub(crate) fn new(model: &Model, reading: Duration, statistics: &Statistics) -> RunReport {
        let objective = model.objective().filter(|objective| !objective.is_constant());
        RunReport {
            model_variables: model.num_variables(),
            model_rows: model.num_rows(),
            goal: objective.map_or(Goal::Any, |objective| match objective.sense {
                Sense::Minimize => Goal::Minimum,
                Sense::Maximize => Goal::Maximum,
            }),
            variables: statistics.num_variables,
            clauses: statistics.num_clauses,
            fixed: statistics.num_fixed,
            solver_calls: statistics.num_calls,
            cores: statistics.num_cores,
            conflicts: statistics.effort.conflicts,
            decisions: statistics.effort.decisions,
            propagations: statistics.effort.propagations,
            encoders: encoders(statistics),
            reading_us: microseconds(reading),
            encoding_us: microseconds(statistics.encoding),
            solving_us: microseconds(statistics.solving),
            checking_us: microseconds(statistics.checking),
            peak_bytes: peak_of_this_process(),
        }
    }

    /// Prints the line.
    pub(crate) fn print(&self) {
        let json = serde_json::to_string(self).expect("numbers and names are JSON");
        super::note(&format!("{PREFIX}{json}"));
    }
}

/// One entry an encoder, in order of appearance; rows that need none are left out.
fn encoders(statistics: &Statistics) -> Vec<EncoderUse> {
    let mut uses: Vec<EncoderUse> = Vec::new();
    for sizes in statistics.encoded.rows.iter().filter(|sizes| sizes.encoder != "-") {
        match uses.iter_mut().find(|known| known.encoder == sizes.encoder) {
            Some(known) => known.rows += sizes.rows,
            None => uses.push(EncoderUse { encoder: sizes.encoder.to_owned(), rows: sizes.rows }),
        }
    }
    uses
}

/// A time as a whole number of microseconds.
pub(crate) fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// The largest resident set of this process since its program was started, in bytes.
pub(crate) fn peak_of_this_process() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}
