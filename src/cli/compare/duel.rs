//! SAT against ILP: the best configuration of each kind; without both kinds, the first two
//! configurations.

use super::lines::{InputLines, Line};
use super::record::Kind;
use super::report::Report;
use super::shown;
use super::summary::Summary;
use std::cmp::Ordering;

/// Two configurations.
#[derive(Debug)]
pub(super) struct Duel<'c> {
    pair: [&'c Summary<'c>; 2],
    is_between_kinds: bool,
}

impl<'c> Duel<'c> {
    /// The two to set against each other; `None` if there is only one.
    pub(super) fn new(report: &'c Report<'_>) -> Option<Duel<'c>> {
        let best = |kind: Kind| {
            let of_kind = report.summaries.iter().filter(move |it| it.configuration.kind == kind);
            of_kind.min_by(|left, right| by_strength(left, right))
        };
        if let (Some(sat), Some(ilp)) = (best(Kind::Sat), best(Kind::Ilp)) {
            return Some(Duel { pair: [sat, ilp], is_between_kinds: true });
        }
        match report.summaries.as_slice() {
            [first, second, ..] => Some(Duel { pair: [first, second], is_between_kinds: false }),
            _ => None,
        }
    }

    /// The two for people.
    pub(super) fn names(&self) -> [String; 2] {
        self.pair.map(|summary| {
            let Summary { configuration, .. } = summary;
            match configuration.kind {
                Kind::Sat if self.is_between_kinds => format!("{} (SAT)", configuration.name),
                Kind::Ilp if self.is_between_kinds => format!("{} (ILP)", configuration.name),
                _ => configuration.name.clone(),
            }
        })
    }

    /// The inputs that both were run on, with the times of those that solved it.
    pub(super) fn points<'r>(
        &'r self,
        report: &'r Report<'_>,
    ) -> impl Iterator<Item = (&'r InputLines<'r>, [Option<u64>; 2])> {
        let line = |input: &'r InputLines<'_>, summary: &Summary<'_>| {
            input.lines.iter().find(|line| {
                line.configuration.name == summary.configuration.name
                    && line.run.answer.status.is_attempt()
            })
        };
        let time = |line: &Line<'_>| line.is_solved().then(|| line.times(report.clock).median);
        report.inputs.iter().filter_map(move |input| {
            let (left, right) = (line(input, self.pair[0])?, line(input, self.pair[1])?);
            Some((input, [time(left), time(right)]))
        })
    }

    /// Which is faster, in a sentence or two.
    pub(super) fn verdict(&self, report: &Report<'_>) -> String {
        let [left, right] = self.names();
        let [solved, other] = self.pair.map(|summary| summary.num_solved);
        let of = shown::counted(self.pair[0].num_inputs as u64, "input");
        let start = format!("{left} solves {solved} of {of}, {right} {other}.");
        let times = self.points(report).filter_map(|(_, [left, right])| {
            Some((left?.max(1) as f64 / right?.max(1) as f64).ln())
        });
        let ratios: Vec<f64> = times.collect();
        if ratios.is_empty() {
            return format!("{start} There is no input that both solve.");
        }
        let mean = (ratios.iter().sum::<f64>() / ratios.len() as f64).exp();
        let (faster, factor) = if mean <= 1.0 { (left, 1.0 / mean) } else { (right, mean) };
        let where_both = if ratios.len() == 1 {
            "Where both do (1 input)".to_owned()
        } else {
            format!("Where both do ({} inputs, geometric mean)", ratios.len())
        };
        let clock = report.clock.name();
        if factor < 1.05 {
            return format!("{start} {where_both}, they take the same {clock} time within 5 %.");
        }
        let factor = shown::ratio(factor);
        format!("{start} {where_both}, {faster} is {factor} times as fast by {clock} time.")
    }
}

/// More solved first, then less time.
fn by_strength(left: &Summary<'_>, right: &Summary<'_>) -> Ordering {
    let solved = right.num_solved.cmp(&left.num_solved);
    let time = |summary: &Summary<'_>| summary.par2_us.unwrap_or(f64::INFINITY);
    solved.then_with(|| time(left).total_cmp(&time(right)))
}
