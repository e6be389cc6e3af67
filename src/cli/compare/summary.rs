//! Over all inputs: how many each configuration solves, its mean time, its ratio to the first.

use super::Clock;
use super::lines::{InputLines, Line};
use super::record::{Comparison, Configuration};

/// What a configuration comes to.
#[derive(Debug)]
pub(super) struct Summary<'c> {
    pub(super) configuration: &'c Configuration,
    /// Inputs with a run; those that it does not apply to, or that cannot be read, are left out.
    pub(super) num_inputs: usize,
    pub(super) num_solved: usize,
    pub(super) num_wrong: usize,
    /// PAR2, in microseconds: the mean time, where an input that is not solved counts as twice the
    /// time limit. `None` without inputs.
    pub(super) par2_us: Option<f64>,
    /// The geometric mean of the ratios to the first configuration, over the inputs that both have
    /// solved, and their number.
    pub(super) ratio: Option<(f64, usize)>,
}

/// A line for each configuration.
pub(super) fn summaries<'c>(
    comparison: &'c Comparison,
    inputs: &[InputLines<'c>],
    clock: Clock,
) -> Vec<Summary<'c>> {
    let penalty = 2.0 * comparison.settings.timeout_us as f64;
    let of_configuration = |configuration: &'c Configuration| {
        let lines = inputs.iter().flat_map(|input| &input.lines);
        let is_its = |line: &&Line<'_>| {
            line.configuration.name == configuration.name && line.run.answer.status.is_attempt()
        };
        let lines: Vec<&Line<'_>> = lines.filter(is_its).collect();
        let time = |line: &&Line<'_>| {
            if line.is_solved() { line.times(clock).median as f64 } else { penalty }
        };
        let num_inputs = lines.len();
        let total: f64 = lines.iter().map(time).sum();
        let ratios: Vec<f64> = lines.iter().filter_map(|line| line.ratio).collect();
        let logarithms: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
        let mean = || (logarithms / ratios.len() as f64).exp();
        Summary {
            configuration,
            num_inputs,
            num_solved: lines.iter().filter(|line| line.is_solved()).count(),
            num_wrong: lines.iter().filter(|line| line.is_wrong).count(),
            par2_us: (num_inputs > 0).then(|| total / num_inputs as f64),
            ratio: (!ratios.is_empty()).then(|| (mean(), ratios.len())),
        }
    };
    comparison.configurations.iter().map(of_configuration).collect()
}
