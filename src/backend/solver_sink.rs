//! A running solver as a clause sink: numbers the variables and asks the limits while loading.

use super::SatSolver;
use crate::limits::Limits;
use pbsolve_encodings::{ClauseId, ClauseSink, Role, Stop};
use pbsolve_model::{Lit, Var};
use std::ops::ControlFlow;

/// Clauses between two looks at the clock.
const CLAUSES_PER_POLL: u64 = 4096;

/// Passes clauses to a solver.
pub struct SolverSink<'a> {
    /// Where the clauses go.
    pub solver: &'a mut dyn SatSolver,
    /// When to stop loading.
    pub limits: &'a Limits,
    /// Variables made so far; those of earlier sinks of the same solver included.
    pub num_variables: &'a mut usize,
    /// Clauses passed on so far.
    pub num_clauses: &'a mut u64,
}

impl std::fmt::Debug for SolverSink<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (variables, clauses) = (*self.num_variables, *self.num_clauses);
        write!(f, "SolverSink({}, {variables} variables, {clauses} clauses)", self.solver.name())
    }
}

impl ClauseSink for SolverSink<'_> {
    fn new_var(&mut self, _: Role) -> Var {
        *self.num_variables += 1;
        Var::new(*self.num_variables - 1)
    }

    fn clause(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        let id = *self.num_clauses;
        if id.is_multiple_of(CLAUSES_PER_POLL) && self.limits.reached().is_some() {
            return ControlFlow::Break(Stop::Limit);
        }
        *self.num_clauses += 1;
        self.solver.add_clause(lits);
        ControlFlow::Continue(ClauseId(id))
    }
}
