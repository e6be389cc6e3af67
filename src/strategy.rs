//! How to solve: encoders, limits, what is added lazily.

use crate::backend::{SatSolver, Varisat};
use crate::limits::Limits;
use crate::outcome::{Outcome, SolveError};
use crate::search::{Found, Search};
use pbsolve_encodings::Planner;
use pbsolve_model::Model;

/// When families that allow it are added to the solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lazy {
    /// With the other rows.
    Never,
    /// When a candidate violates them. The final answer meets the complete family all the same.
    #[default]
    Violated,
}

/// Encoders, limits and laziness; the default chooses and never gives up.
#[derive(Clone, Debug, Default)]
pub struct Strategy {
    /// Chooses the encoder of each row.
    pub planner: Planner,
    /// When to give up.
    pub limits: Limits,
    /// What is added lazily.
    pub lazy: Lazy,
}

impl Strategy {
    /// A new solver of the back-end.
    pub(crate) fn new_solver(&self) -> Box<dyn SatSolver> {
        Box::new(Varisat::new())
    }
}

/// Solves a feasibility problem. The solution was checked against the model.
///
/// # Errors
/// If the model has an objective, a row that no encoder takes, or too many variables.
pub fn solve(model: &Model, strategy: &Strategy) -> Result<Outcome, SolveError> {
    if model.objective().is_some_and(|objective| !objective.is_constant()) {
        return Err(SolveError::Objective);
    }
    Ok(match Search::new(model, model, strategy)?.next()? {
        Found::Solution(assignment) => Outcome::Satisfiable(assignment),
        Found::NoMore => Outcome::Unsatisfiable,
        Found::Unknown(reason) => Outcome::Unknown(reason),
    })
}
