//! Optimisation: two searches take turns, each with a solver of its own, and share their bounds.
//! One improves the best solution until nothing is better; the other raises the lower bound by
//! unsatisfiable cores. Turns are amounts of work, not times, so that runs are the same.

mod bounds;
mod cores;
mod explore;
mod improve;
mod local_search;
mod rows;
mod weighted_sum;

pub use bounds::Progress;
pub(crate) use bounds::{Bounds, Tip};
pub(crate) use rows::Rows;
pub(crate) use weighted_sum::WeightedSum;

use crate::ilp::{IlpSolver, for_each_checked};
use crate::limits::Reason;
use crate::outcome::SolveError;
use crate::portfolio;
use crate::search::{Search, Statistics};
use crate::strategy::{Optimization, Strategy};
use bounds::Turn;
use cores::Cores;
use explore::Explore;
use improve::Improve;
use pbsolve_model::{Assignment, Model};
use std::ops::ControlFlow;
use std::sync::mpsc::Receiver;
use std::time::Instant;

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

/// A search that takes turns.
trait Take {
    /// What it does, in a word or two.
    fn name(&self) -> &'static str;

    /// Searches until the work of a turn is done.
    fn turn(&mut self, work: u64, bounds: &mut Bounds<'_>) -> Result<Turn, SolveError>;

    /// What it came to so far.
    fn statistics(&self) -> Statistics;
}

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
    assert!(model.objective().is_some(), "a model with an objective");
    match strategy.members(model) {
        Some(members) => portfolio::optimize(model, &members, strategy, report),
        None => optimize_alone(model, strategy, None, report),
    }
}

/// The same by one back-end, which may get tips from others.
pub(crate) fn optimize_alone(
    model: &Model,
    strategy: &Strategy,
    tips: Option<Receiver<Tip>>,
    report: &mut dyn FnMut(&Progress<'_>),
) -> Result<(Optimum, Statistics), SolveError> {
    let objective = model.objective().expect("the caller has looked");
    let sum = WeightedSum::new(objective, model);
    let rows = Rows::new(model);
    let mut bounds = Bounds::new(model, objective, &sum, rows.as_ref(), report);
    bounds.listen(tips);
    if let Some(start) = &strategy.start
        && model.check(start).is_ok()
    {
        bounds.offer(start);
    }
    if let Some(mut solver) = strategy.new_ilp_solver()? {
        let started = Instant::now();
        let reason = improve_as_program(solver.as_mut(), model, strategy, &mut bounds)?;
        let statistics = Statistics { solving: started.elapsed(), ..Statistics::default() };
        return Ok((optimum(reason, bounds.into_best()), statistics));
    }
    let mut searches: Vec<Box<dyn Take + '_>> = Vec::new();
    let alternates = strategy.optimization == Optimization::Alternate;
    let mut work = strategy.first_turn;
    if let Some(rows) = rows.as_ref().filter(|_| alternates) {
        // A first solution may be found in less time than an encoding takes.
        let mut explore = Explore::new(rows, &sum, &strategy.limits);
        bounds.begin_turn(explore.name());
        explore.turn(work, &mut bounds)?;
        searches.push(Box::new(explore));
    }
    let mut improves = None;
    if strategy.optimization != Optimization::Cores {
        improves = Some(searches.len());
        searches.push(Box::new(Improve::new(Search::new(model, model, strategy)?, &sum)));
    }
    // What the first turns solve needs no second encoding.
    let mut lacks_cores = strategy.optimization != Optimization::Improve;
    if strategy.optimization == Optimization::Cores {
        searches.push(Box::new(Cores::new(Search::new(model, model, strategy)?, &sum)));
        lacks_cores = false;
    }
    let ended = 'rounds: loop {
        if let (true, Some(place)) = (bounds.hears_that_none_is_better(), improves) {
            // Whatever it is asking, there is a better question now.
            let search = Search::new(model, model, strategy)?;
            searches[place] = Box::new(Improve::new(search, &sum));
        }
        for search in &mut searches {
            bounds.begin_turn(search.name());
            match search.turn(work, &mut bounds)? {
                Turn::Over => break 'rounds None,
                Turn::Ended(reason) => break 'rounds Some(reason),
                Turn::Next => {}
            }
        }
        if std::mem::take(&mut lacks_cores) {
            searches.push(Box::new(Cores::new(Search::new(model, model, strategy)?, &sum)));
        } else {
            work = work.saturating_mul(2);
        }
    };
    let mut statistics = Statistics::default();
    for search in &searches {
        statistics.add(&search.statistics());
    }
    drop(searches);
    Ok((optimum(ended, bounds.into_best()), statistics))
}

/// What a search came to that ended for this reason, or because the bounds have met.
fn optimum(ended: Option<Reason>, best: Option<Assignment>) -> Optimum {
    match (ended, best) {
        (None, Some(best)) => Optimum::Optimal(best),
        (None, None) => Optimum::Unsatisfiable,
        (Some(reason), best) => Optimum::Unknown(reason, best),
    }
}

/// Offers what an integer programming solver finds. Its own word ends nothing: there is no reason
/// only where a solution is as good as the objective can be, whatever the rows are.
fn improve_as_program(
    solver: &mut dyn IlpSolver,
    model: &Model,
    strategy: &Strategy,
    bounds: &mut Bounds<'_>,
) -> Result<Option<Reason>, SolveError> {
    bounds.begin_turn("integer programming");
    let start = strategy.start.as_ref();
    let mut offer = |assignment: Assignment| {
        bounds.offer(&assignment);
        if bounds.have_met() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    Ok(for_each_checked(solver, model, start, &strategy.limits, &mut offer)?)
}
