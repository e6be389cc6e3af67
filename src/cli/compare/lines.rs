//! The lines of the tables: what the runs of one configuration on one input come to.

use super::Clock;
use super::agreement::WrongAnswer;
use super::record::{Comparison, Configuration, InputFile, Run, Status};

/// The runs of one input.
#[derive(Debug)]
pub(super) struct InputLines<'c> {
    pub(super) input: &'c InputFile,
    /// Variables and rows of the model, if a run came so far.
    pub(super) size: Option<(u64, u64)>,
    /// In the order of the configurations; those without a run are left out.
    pub(super) lines: Vec<Line<'c>>,
}

/// The runs of a configuration on an input: medians, and of a status the worst.
#[derive(Debug)]
pub(super) struct Line<'c> {
    pub(super) configuration: &'c Configuration,
    /// The run whose answer is shown: the first without one, or else the first.
    pub(super) run: &'c Run,
    pub(super) is_wrong: bool,
    pub(super) cpu: Times,
    pub(super) wall: Times,
    pub(super) peak_bytes: u64,
    /// Its time divided by that of the first configuration, if both have solved it.
    pub(super) ratio: Option<f64>,
}

/// Microseconds over the repetitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Times {
    pub(super) least: u64,
    pub(super) median: u64,
}

impl Times {
    fn of(mut times: Vec<u64>) -> Times {
        times.sort_unstable();
        let (lower, upper) = (times[(times.len() - 1) / 2], times[times.len() / 2]);
        Times { least: times[0], median: lower.midpoint(upper) }
    }
}

impl Line<'_> {
    /// Whether nothing more can be asked for, and nobody shows it to be wrong.
    pub(super) fn is_solved(&self) -> bool {
        self.run.is_solved() && !self.is_wrong
    }

    pub(super) fn times(&self, clock: Clock) -> Times {
        match clock {
            Clock::Cpu => self.cpu,
            Clock::Wall => self.wall,
        }
    }

    /// The status as tables show it, with the value of the best solution.
    pub(super) fn answer(&self) -> String {
        let answer = &self.run.answer;
        match &answer.value {
            Some(value) if answer.status == Status::Timeout => format!("timeout, best {value}"),
            Some(value) => format!("{} {value}", answer.status.name()),
            None => answer.status.name().to_owned(),
        }
    }

    /// What has to be said about the answer.
    pub(super) fn remark(&self) -> Option<String> {
        let answer = &self.run.answer;
        let wrong = self.is_wrong.then(|| "wrong".to_owned());
        let unchecked = answer.is_unchecked.then(|| "not checked".to_owned());
        let parts = [wrong, unchecked, answer.why.clone()];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// All lines, input by input.
pub(super) fn lines<'c>(
    comparison: &'c Comparison,
    wrong: &[WrongAnswer],
    clock: Clock,
) -> Vec<InputLines<'c>> {
    comparison.inputs.iter().map(|input| lines_of(comparison, input, wrong, clock)).collect()
}

fn lines_of<'c>(
    comparison: &'c Comparison,
    input: &'c InputFile,
    wrong: &[WrongAnswer],
    clock: Clock,
) -> InputLines<'c> {
    let of_configuration = |configuration| line(comparison, input, configuration, wrong);
    let mut lines: Vec<Line<'c>> =
        comparison.configurations.iter().filter_map(of_configuration).collect();
    let is_first = |line: &&Line<'_>| line.configuration.name == comparison.configurations[0].name;
    let first = lines.iter().find(is_first).filter(|line| line.is_solved());
    if let Some(unit) = first.map(|line| line.times(clock).median.max(1)) {
        for line in lines.iter_mut().filter(|line| line.is_solved()) {
            line.ratio = Some(line.times(clock).median.max(1) as f64 / unit as f64);
        }
    }
    let report = comparison.runs_on(input).find_map(|run| run.report.as_ref());
    let size = report.map(|report| (report.model_variables, report.model_rows));
    InputLines { input, size, lines }
}

fn line<'c>(
    comparison: &'c Comparison,
    input: &'c InputFile,
    configuration: &'c Configuration,
    wrong: &[WrongAnswer],
) -> Option<Line<'c>> {
    let runs: Vec<&Run> = comparison.runs_of(input, configuration).collect();
    let run = runs.iter().find(|run| !run.is_solved()).or(runs.first())?;
    let is_this = |wrong: &WrongAnswer| {
        wrong.input == input.path && wrong.configuration == configuration.name
    };
    Some(Line {
        configuration,
        run,
        is_wrong: wrong.iter().any(is_this),
        cpu: Times::of(runs.iter().map(|run| run.cpu_us).collect()),
        wall: Times::of(runs.iter().map(|run| run.wall_us).collect()),
        peak_bytes: runs.iter().map(|run| run.peak_bytes).max().unwrap_or(0),
        ratio: None,
    })
}

#[cfg(test)]
mod tests {
    use super::Times;

    #[test]
    fn the_median_of_an_even_number_is_between_the_two_in_the_middle() {
        assert_eq!(Times::of(vec![9]), Times { least: 9, median: 9 });
        assert_eq!(Times::of(vec![9, 1]), Times { least: 1, median: 5 });
        assert_eq!(Times::of(vec![9, 1, 2]), Times { least: 1, median: 2 });
        assert_eq!(Times::of(vec![9, 4, 1, 2]), Times { least: 1, median: 3 });
    }
}
