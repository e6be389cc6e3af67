//! `--stats`: times and sizes of a search, on standard error.

use super::options::StrategyArgs;
use super::run_report::RunReport;
use pbsolve::{Model, Statistics};
use std::time::Duration;

/// Prints what is asked for.
pub(crate) fn tell(
    arguments: &StrategyArgs,
    model: &Model,
    reading: Duration,
    statistics: &Statistics,
) {
    if arguments.stats {
        print(reading, statistics);
    }
    if arguments.report {
        RunReport::new(model, reading, statistics).print();
    }
}

/// Prints what a search came to, with the time that reading took.
pub(crate) fn print(reading: Duration, statistics: &Statistics) {
    let milliseconds = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1000.0);
    let lines = [
        ("variables", statistics.num_variables.to_string()),
        ("clauses", statistics.num_clauses.to_string()),
        ("fixed before the search", statistics.num_fixed.to_string()),
        ("groups added lazily", statistics.num_lazy_groups.to_string()),
        ("solver calls", statistics.num_calls.to_string()),
        ("unsatisfiable cores", statistics.num_cores.to_string()),
        ("reading", milliseconds(reading)),
        ("encoding", milliseconds(statistics.encoding)),
        ("solving", milliseconds(statistics.solving)),
        ("checking", milliseconds(statistics.checking)),
    ];
    let effort = &statistics.effort;
    let told = [
        ("conflicts", effort.conflicts),
        ("decisions", effort.decisions),
        ("propagations", effort.propagations),
    ];
    let told = told.into_iter().filter_map(|(name, number)| Some((name, number?.to_string())));
    for (name, figure) in lines.into_iter().chain(told) {
        super::note(&format!("c {name:<24} {figure}"));
    }
}
