//! Optimisation: two searches take turns, each with a solver of its own, and share their bounds.
//! One improves the best solution until nothing is better; the other raises the lower bound by
//! unsatisfiable cores. Turns are amounts of work, not times, so that runs are the same.

mod bounds;
mod cores;
mod improve;
mod local_search;
mod weighted_sum;

pub use bounds::Progress;

use crate::limits::Reason;
use crate::outcome::SolveError;
use crate::search::{Search, Statistics};
use crate::strategy::Strategy;
use bounds::{Bounds, Turn};
use cores::Cores;
use improve::Improve;
use pbsolve_model::{Assignment, Model};
use weighted_sum::WeightedSum;

/// What optimisation came to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Optimum {
    /// No solution is better; its value in the sense of the model.
    Optimal(Assignment),
    /// There is no solution.
    Unsatisfiable,
    /// Stopped before the end, with the best solution so far.
    Unknown(Reason, Option<Assignment>),
}

/// The work of the first turn; each round has twice as much.
const FIRST_TURN: u64 = 1 << 17;

/// Finds the best solution of a model with an objective. `report` hears of every better solution
/// and every better bound.
///
/// # Errors
/// If a row is one that no encoder takes, or an answer fails its check.
///
/// # Panics
/// If the model has no objective.
pub fn optimize(
    model: &Model,
    strategy: &Strategy,
    report: &mut dyn FnMut(&Progress<'_>),
) -> Result<(Optimum, Statistics), SolveError> {
    let objective = model.objective().expect("a model with an objective");
    let sum = WeightedSum::new(objective, model.num_decisions());
    let mut bounds = Bounds::new(model, objective, &sum, report);
    let mut improve = Improve::new(Search::new(model, model, strategy)?, &sum);
    let mut cores: Option<Cores<'_>> = None;
    let mut work = FIRST_TURN;
    let ended = loop {
        match improve.turn(work, &mut bounds)? {
            Turn::Over => break None,
            Turn::Ended(reason) => break Some(reason),
            Turn::Next => {}
        }
        let cores = match &mut cores {
            Some(cores) => cores,
            None => cores.insert(Cores::new(Search::new(model, model, strategy)?, &sum)),
        };
        match cores.turn(work, &mut bounds)? {
            Turn::Over => break None,
            Turn::Ended(reason) => break Some(reason),
            Turn::Next => {}
        }
        work = work.saturating_mul(2);
    };
    let mut statistics = improve.statistics();
    if let Some(cores) = &cores {
        statistics.add(&cores.statistics());
    }
    let best = bounds.into_best();
    let optimum = match (ended, best) {
        (None, Some(best)) => Optimum::Optimal(best),
        (None, None) => Optimum::Unsatisfiable,
        (Some(reason), best) => Optimum::Unknown(reason, best),
    };
    Ok((optimum, statistics))
}
