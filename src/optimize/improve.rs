//! Solution-improving search: asks for a solution better than the best, until there is none.

use super::Take;
use super::bounds::{Bounds, Turn};
use super::weighted_sum::WeightedSum;
use crate::limits::Reason;
use crate::outcome::SolveError;
use crate::search::{Found, Search, Statistics};
use pbsolve_encodings::{ObjectiveSum, Stop};
use pbsolve_model::Lit;
use std::ops::ControlFlow;

/// The search and the sum that it bounds.
#[derive(Debug)]
pub(super) struct Improve<'m> {
    search: Search<'m>,
    /// The terms that the rows do not fix, those that exclude each other together, and the weight
    /// of those that are fixed to true.
    groups: Vec<Vec<(i128, Lit)>>,
    fixed_weight: i128,
    sum: Option<ObjectiveSum>,
    asked: Asked,
}

/// What the solver was asked for last: assumptions that a paused call goes on with.
#[derive(Clone, Debug)]
struct Asked {
    assumptions: Vec<Lit>,
    /// The greatest weight that the assumptions allow.
    bound: Option<i128>,
    is_open: bool,
    /// Whether bounds are still those that leave the tare open, which take large steps.
    is_coarse: bool,
}

impl Take for Improve<'_> {
    fn name(&self) -> &'static str {
        "improving"
    }

    fn statistics(&self) -> Statistics {
        self.search.statistics()
    }

    fn turn(&mut self, work: u64, bounds: &mut Bounds<'_>) -> Result<Turn, SolveError> {
        bounds.raise_lower(self.fixed_weight);
        loop {
            bounds.take_tips();
            if bounds.have_met() {
                return Ok(Turn::Over);
            }
            if !self.asked.is_open {
                self.ask(bounds)?;
            }
            let found = self.search.next_under(&self.asked.assumptions, Some(work))?;
            self.asked.is_open = found == Found::Unknown(Reason::Paused);
            match found {
                Found::Solution(solution) => bounds.offer(&solution),
                Found::Unknown(Reason::Paused) => return Ok(Turn::Next),
                Found::Unknown(reason) => return Ok(Turn::Ended(reason)),
                Found::NoMore => match self.asked.bound {
                    None => return Ok(Turn::Over),
                    Some(bound) => {
                        bounds.raise_lower(bound + 1);
                        self.asked.is_coarse = false;
                    }
                },
            }
        }
    }
}

impl<'m> Improve<'m> {
    pub(super) fn new(search: Search<'m>, sum: &WeightedSum) -> Improve<'m> {
        let mut fixed_weight = 0;
        for &(weight, lit) in &sum.terms {
            if search.fixed(lit.var()).is_some_and(|value| value != lit.is_negative()) {
                fixed_weight += weight;
            }
        }
        let groups = sum.groups(|lit| search.fixed(lit.var()).is_none());
        let asked = Asked { assumptions: Vec::new(), bound: None, is_open: false, is_coarse: true };
        Improve { search, groups, fixed_weight, sum: None, asked }
    }

    /// Chooses the next bound to ask for.
    fn ask(&mut self, bounds: &Bounds<'_>) -> Result<(), SolveError> {
        let Some(upper) = bounds.upper() else {
            return Ok(());
        };
        // The best solution weighs at least what is fixed.
        let wanted = upper - 1 - self.fixed_weight;
        let sum = match self.sum.take() {
            Some(sum) => sum,
            None => self.encode(wanted)?,
        };
        let coarse = sum.coarse_below(wanted + 1).filter(|&(bound, _)| {
            self.asked.is_coarse
                && !bounds.is_claimed_best()
                && bound + self.fixed_weight >= bounds.lower()
        });
        let (bound, assumptions) = if let Some((bound, lit)) = coarse {
            (bound, vec![lit])
        } else {
            self.asked.is_coarse = false;
            (wanted, sum.at_most(wanted))
        };
        self.asked.bound = Some(bound + self.fixed_weight);
        self.asked.assumptions = assumptions;
        self.sum = Some(sum);
        Ok(())
    }

    fn encode(&mut self, max_bound: i128) -> Result<ObjectiveSum, SolveError> {
        let mut encoded = None;
        let groups = &self.groups;
        self.search.state(|sink| {
            match ObjectiveSum::encode(groups, max_bound, sink) {
                ControlFlow::Continue(sum) => encoded = Some(sum),
                ControlFlow::Break(stop) => return ControlFlow::<Stop>::Break(stop),
            }
            ControlFlow::Continue(())
        })?;
        // A sum that was cut off by a limit is never asked about: the search is over.
        Ok(encoded.unwrap_or_else(ObjectiveSum::unbounded))
    }
}
