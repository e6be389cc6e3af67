//! microlp, written in Rust: a dual simplex with branch and bound. For small models; part of every
//! build.

use super::exact::{Floating, NotLoaded};
use super::in_thread::{Message, Worker};
use super::{Claim, IlpSolver, LoadError};
use crate::formats::program::{Columns, Integers};
use crate::limits::{Limits, Reason};
use microlp::{
    ComparisonOp, Error, OptimizationDirection, Problem, ResumeOptions, SolveOptions, SolveOutcome,
    TerminationReason, Variable,
};
use pbsolve_model::{Assignment, Model, Sense};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// Nodes of the search between two looks at the flag and two reports: the same in every run,
/// unlike a time.
const NODES_PER_REPORT: u64 = 16;

/// See the module.
#[derive(Debug, Default)]
pub struct Microlp {}

impl Microlp {
    /// Its one and only setting is that it has none.
    pub fn new() -> Microlp {
        Microlp {}
    }
}

impl IlpSolver for Microlp {
    fn name(&self) -> &'static str {
        "microlp"
    }

    fn solve(
        &mut self,
        model: &Model,
        start: Option<&Assignment>,
        limits: &Limits,
        visit: &mut dyn FnMut(Assignment) -> ControlFlow<()>,
    ) -> Result<Claim, LoadError> {
        let columns = Columns::numbered(model, integers(model))?;
        let floating = Floating { solver: self.name(), model, columns };
        let (problem, variables) = match load(&floating, limits) {
            Ok(loaded) => loaded,
            Err(NotLoaded::Limit(reason)) => return Ok(Claim::Unknown(reason)),
            Err(NotLoaded::Error(error)) => return Err(error),
        };
        let mut options = SolveOptions::default();
        options.node_limit = Some(NODES_PER_REPORT);
        options.time_limit = time_left(limits.deadline);
        options.warm_start = start.map(|start| {
            let known = variables.iter().zip(floating.columns.values(start));
            let known = known.filter_map(|(&variable, value)| Some((variable, value?)));
            known.map(|(variable, value)| (variable, to_double(value))).collect()
        });
        let deadline = limits.deadline;
        let worker = Worker::start(self.name(), move |messages, is_abandoned| {
            search(&problem, &variables, options, deadline, messages, is_abandoned)
        });
        Ok(worker.wait(&floating, limits, &mut Vec::new, visit))
    }
}

/// Integers as such, unless their bounds are beyond what microlp takes.
fn integers(model: &Model) -> Integers {
    let fits = |bound: i128| i32::try_from(bound).is_ok();
    let all_fit = model.integers().iter().all(|n| fits(n.lower) && fits(n.upper));
    if all_fit { Integers::Whole } else { Integers::Bits }
}

#[allow(clippy::cast_precision_loss, reason = "a value of a column with exact bounds")]
fn to_double(value: i128) -> f64 {
    value as f64
}

fn load(floating: &Floating<'_>, limits: &Limits) -> Result<(Problem, Vec<Variable>), NotLoaded> {
    let (sense, costs) = floating.costs()?;
    let mut problem = Problem::new(match sense {
        Sense::Minimize => OptimizationDirection::Minimize,
        Sense::Maximize => OptimizationDirection::Maximize,
    });
    let mut variables = Vec::with_capacity(costs.len());
    for (column, cost) in costs.into_iter().enumerate() {
        let bounds = floating.columns.bounds(column).map(|(lower, upper)| {
            let narrow = |bound| i32::try_from(bound).expect("`integers` has looked");
            (narrow(lower), narrow(upper))
        });
        variables.push(match bounds {
            None => problem.add_binary_var(cost),
            Some(bounds) => problem.add_integer_var(cost, bounds),
        });
    }
    floating.for_each_row(limits, |row| {
        let terms = || row.terms.iter().map(|&(column, number)| (variables[column], number));
        if row.lower.to_bits() == row.upper.to_bits() {
            problem.add_constraint(terms(), ComparisonOp::Eq, row.lower);
            return;
        }
        for (relation, bound) in [(ComparisonOp::Ge, row.lower), (ComparisonOp::Le, row.upper)] {
            if bound.is_finite() {
                problem.add_constraint(terms(), relation, bound);
            }
        }
    })?;
    Ok((problem, variables))
}

/// A little later than the deadline, which the waiting thread looks at.
fn time_left(deadline: Option<Instant>) -> Option<Duration> {
    const LATER: Duration = Duration::from_millis(200);
    deadline.map(|at| at.saturating_duration_since(Instant::now()) + LATER)
}

fn search(
    problem: &Problem,
    variables: &[Variable],
    options: SolveOptions,
    deadline: Option<Instant>,
    messages: &Sender<Message>,
    is_abandoned: &AtomicBool,
) -> Claim {
    let mut sent: Option<f64> = None;
    let mut solved = problem.solve_with(options);
    loop {
        let outcome = match solved {
            Ok(outcome) => outcome,
            Err(Error::Infeasible) => return Claim::Infeasible,
            Err(error) => return Claim::Unknown(Reason::Failed(format!("microlp: {error}"))),
        };
        if let SolveOutcome::Solution(solution) = &outcome
            && sent.is_none_or(|objective| objective.to_bits() != solution.objective().to_bits())
        {
            sent = Some(solution.objective());
            let values = variables.iter().map(|&variable| solution.var_value(variable)).collect();
            drop(messages.send(Message::Values(values)));
        }
        match outcome.termination_reason() {
            TerminationReason::ProvenOptimal | TerminationReason::MipGap => return Claim::Optimal,
            _ if is_abandoned.load(Ordering::Relaxed) => return Claim::Stopped,
            TerminationReason::TimeLimit => return Claim::Unknown(Reason::Timeout),
            _ => {}
        }
        let mut again = ResumeOptions::default();
        again.node_limit = Some(NODES_PER_REPORT);
        again.time_limit = time_left(deadline);
        solved = outcome.resume_with(again);
    }
}
