//! The order of runs: input by input, on each the configurations in turn, and that as often as
//! asked for, so that what slows the machine down for a while slows all of them.
//!
//! Two things are not run: a configuration again on an input on which it ran out of time, and an
//! encoder of `--all-encodings` for which the model has no row.

use super::configurations::class_of;
use super::record::{Answer, Comparison, Configuration, InputFile, Run, Settings, Status};

/// A run that is to be made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Index of the input.
    pub(super) input: usize,
    /// Index of the configuration.
    pub(super) configuration: usize,
    /// From 1.
    pub(super) repeat: u32,
}

/// All steps in order.
pub(super) fn steps(comparison: &Comparison) -> Vec<Step> {
    let (inputs, configurations) = (comparison.inputs.len(), comparison.configurations.len());
    let repeat = comparison.settings.repeat;
    let of_input = |input| {
        (1..=repeat).flat_map(move |repeat| {
            (0..configurations).map(move |configuration| Step { input, configuration, repeat })
        })
    };
    (0..inputs).flat_map(of_input).collect()
}

/// What a step comes to without being run, by what is known.
#[derive(Debug)]
pub(super) enum Known {
    /// There is its run already, or it is left out.
    Nothing,
    /// This.
    Inapplicable(Box<Run>),
    /// It is to be run.
    Unknown,
}

pub(super) fn known(comparison: &Comparison, step: Step) -> Known {
    let input = &comparison.inputs[step.input];
    let configuration = &comparison.configurations[step.configuration];
    for run in comparison.runs_of(input, configuration) {
        let is_final = matches!(run.answer.status, Status::Timeout | Status::Inapplicable);
        if run.repeat == step.repeat || (run.repeat < step.repeat && is_final) {
            return Known::Nothing;
        }
    }
    let why = configuration
        .encoder
        .as_deref()
        .and_then(|encoder| is_without_rows(comparison, input, configuration, encoder));
    match why {
        Some(why) => Known::Inapplicable(Box::new(not_run(input, configuration, step.repeat, why))),
        None => Known::Unknown,
    }
}

/// Why an encoder has nothing to do, by the runs of the same solver with the planner's choice.
fn is_without_rows(
    comparison: &Comparison,
    input: &InputFile,
    configuration: &Configuration,
    encoder: &str,
) -> Option<String> {
    let class = class_of(encoder)?;
    let plain = configuration.name.strip_suffix(&format!(" {class}={encoder}"))?;
    let mut runs = comparison.runs_on(input).filter(|run| run.configuration == plain);
    let report = runs.find_map(|run| run.report.as_ref())?;
    let of_class = |name: &str| class_of(name) == Some(class);
    let is_needed = report.encoders.iter().any(|used| of_class(&used.encoder));
    (!is_needed).then(|| format!("no row needs an encoder of --{class}"))
}

fn not_run(input: &InputFile, configuration: &Configuration, repeat: u32, why: String) -> Run {
    Run {
        input: input.path.clone(),
        hash: input.hash.clone(),
        configuration: configuration.name.clone(),
        repeat,
        answer: Answer {
            status: Status::Inapplicable,
            value: None,
            is_unchecked: false,
            refuted: None,
            why: Some(why),
        },
        cpu_us: 0,
        wall_us: 0,
        peak_bytes: 0,
        report: None,
    }
}

/// A limit of `Settings` in seconds, for people.
pub(super) fn seconds(settings: &Settings) -> f64 {
    settings.timeout_us as f64 / 1e6
}
