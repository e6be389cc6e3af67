//! The best solution and the bounds that the searches share.

use super::local_search::LocalSearch;
use super::rows::Rows;
use super::weighted_sum::WeightedSum;
use crate::limits::Reason;
use pbsolve_model::{Assignment, Model, Objective, Sense};
use std::sync::mpsc::Receiver;

/// How a turn of a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// The bounds have met, or there is no solution.
    Over,
    /// The work of the turn is done.
    Next,
    /// A limit was reached.
    Ended(Reason),
}

/// What there is to report: a better solution or a better bound. Values are those of the model's
/// objective, times its divisor.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The value of the best solution so far.
    pub best: Option<i128>,
    /// No solution is better than this.
    pub bound: i128,
    /// The solution, when it is a new one.
    pub solution: Option<&'a Assignment>,
    /// The search whose turn it is.
    pub search: &'static str,
}

/// What other searches for the same answer found.
#[derive(Clone, Debug)]
pub(crate) enum Tip {
    /// A solution, checked.
    Solution(Assignment),
    /// Somebody who is not believed says that the best solution is so.
    NoneIsBetter,
}

/// Bounds of the weighted sum, without its offset.
pub(crate) struct Bounds<'a> {
    model: &'a Model,
    objective: &'a Objective,
    sum: &'a WeightedSum,
    local_search: LocalSearch<'a>,
    report: &'a mut dyn FnMut(&Progress<'_>),
    lower: i128,
    upper: Option<i128>,
    best: Option<Assignment>,
    /// All values are multiples of this.
    divisor: i128,
    /// The search whose turn it is.
    search: &'static str,
    tips: Option<Receiver<Tip>>,
    /// The best solution is said to be so.
    is_claimed: bool,
    /// That was said since it was last asked for.
    is_news: bool,
}

impl std::fmt::Debug for Bounds<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bounds({:?}..={:?})", self.lower, self.upper)
    }
}

impl<'a> Bounds<'a> {
    pub(crate) fn new(
        model: &'a Model,
        objective: &'a Objective,
        sum: &'a WeightedSum,
        rows: Option<&'a Rows>,
        report: &'a mut dyn FnMut(&Progress<'_>),
    ) -> Bounds<'a> {
        let local_search = LocalSearch::new(rows, sum);
        let divisor = sum.divisor();
        let (lower, upper, best) = (0, None, None);
        Bounds {
            model,
            objective,
            sum,
            local_search,
            report,
            lower,
            upper,
            best,
            divisor,
            search: "",
            tips: None,
            is_claimed: false,
            is_news: false,
        }
    }

    /// Names the search whose turn it is in what is reported from now on.
    pub(crate) fn begin_turn(&mut self, search: &'static str) {
        self.search = search;
        self.take_tips();
        self.tell(false);
    }

    /// From here on, what others find is taken in.
    pub(crate) fn listen(&mut self, tips: Option<Receiver<Tip>>) {
        self.tips = tips;
    }

    /// Takes in what others have found.
    pub(crate) fn take_tips(&mut self) {
        while let Some(tip) = self.tips.as_ref().and_then(|tips| tips.try_recv().ok()) {
            match tip {
                Tip::Solution(solution) => self.offer(&solution),
                Tip::NoneIsBetter => (self.is_claimed, self.is_news) = (true, true),
            }
        }
    }

    /// Whether the best solution is said, by somebody who is not believed, to be so.
    pub(crate) fn is_claimed_best(&self) -> bool {
        self.is_claimed
    }

    /// Whether that was said since the last time.
    pub(crate) fn hears_that_none_is_better(&mut self) -> bool {
        self.take_tips();
        std::mem::take(&mut self.is_news) && self.is_claimed
    }

    /// Whether no better solution is known.
    pub(crate) fn is_best(&self, solution: &Assignment) -> bool {
        self.upper.is_none_or(|upper| self.sum.weight(solution) <= upper)
    }

    pub(crate) fn lower(&self) -> i128 {
        self.lower
    }

    pub(crate) fn upper(&self) -> Option<i128> {
        self.upper
    }

    /// Whether no better solution can be found.
    pub(crate) fn have_met(&self) -> bool {
        self.upper.is_some_and(|upper| upper <= self.lower)
    }

    /// A solution was found: it and what small changes make of it may be the best so far.
    pub(crate) fn offer(&mut self, solution: &Assignment) {
        let weight = self.sum.weight(solution);
        if self.upper.is_some_and(|upper| upper <= weight) {
            return;
        }
        let improved = self.local_search.improve(solution);
        let holds = self.model.check(&improved).is_ok();
        debug_assert!(holds, "local search keeps to the rows");
        let better = if holds { improved } else { solution.clone() };
        let better_weight = self.sum.weight(&better);
        debug_assert!(better_weight <= weight, "local search never makes it worse");
        self.upper = Some(better_weight);
        self.is_claimed = false;
        self.best = Some(better);
        self.tell(true);
    }

    /// No solution has a smaller weight.
    pub(crate) fn raise_lower(&mut self, lower: i128) {
        let rounded = lower.div_euclid(self.divisor) * self.divisor;
        let rounded = if rounded < lower { rounded + self.divisor } else { rounded };
        if rounded > self.lower {
            self.lower = rounded;
            self.tell(false);
        }
    }

    /// There is no solution better than the best so far.
    pub(crate) fn close(&mut self) {
        if let Some(upper) = self.upper {
            self.raise_lower(upper);
        }
    }

    pub(crate) fn best(&self) -> Option<&Assignment> {
        self.best.as_ref()
    }

    pub(crate) fn into_best(self) -> Option<Assignment> {
        self.best
    }

    fn tell(&mut self, is_new: bool) {
        let sign = match self.objective.sense {
            Sense::Minimize => 1,
            Sense::Maximize => -1,
        };
        let value = |weight: i128| sign * (weight + self.sum.offset);
        let solution = self.best.as_ref().filter(|_| is_new);
        let (bound, search) = (value(self.lower), self.search);
        (self.report)(&Progress { best: self.upper.map(value), bound, solution, search });
    }
}
