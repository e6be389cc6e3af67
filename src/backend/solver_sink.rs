//! A running solver as a clause sink: numbers the variables, and asks the limits while loading.

use super::SatSolver;
use crate::limits::Limits;
use crate::memory;
use pbsolve_encodings::{ClauseId, ClauseSink, Role, Size, Stop};
use pbsolve_model::{Lit, RowId, Var};
use std::ops::ControlFlow;

/// Clauses between two looks at the clock.
const CLAUSES_PER_POLL: u64 = 4096;

/// What a solver was given so far, by all sinks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Loaded {
    /// Variables.
    pub num_variables: usize,
    /// Clauses.
    pub num_clauses: u64,
    /// Literals of all clauses.
    pub num_lits: u64,
}

impl Loaded {
    /// What the solver needs for these and for a row that is to come, in bytes.
    fn bytes_with(&self, row: Size) -> u64 {
        let mut size = Size { variables: self.num_variables as u64, clauses: self.num_clauses };
        size += row;
        // Most clauses of encodings have three literals.
        let num_lits = self.num_lits.saturating_add(row.clauses.saturating_mul(3));
        memory::of_clauses(size, num_lits)
    }
}

/// Passes clauses to a solver.
pub struct SolverSink<'a> {
    /// Where the clauses go.
    pub solver: &'a mut dyn SatSolver,
    /// When to stop loading.
    pub limits: &'a Limits,
    /// What the solver has; counted on.
    pub loaded: &'a mut Loaded,
    /// The most memory that the clauses may take, estimated, in bytes.
    pub max_bytes: u64,
    /// The row that is stated, with its encoder and its size, where this is known.
    pub row: Option<(RowId, &'static str, Size)>,
}

impl std::fmt::Debug for SolverSink<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SolverSink({}, {:?})", self.solver.name(), self.loaded)
    }
}

impl ClauseSink for SolverSink<'_> {
    fn begin(&mut self, row: RowId, encoder: &'static str) {
        self.row = Some((row, encoder, Size::default()));
    }

    fn expect(&mut self, size: Size) -> ControlFlow<Stop> {
        if let Some((_, _, expected)) = &mut self.row {
            *expected = size;
        }
        if self.loaded.bytes_with(size) > self.max_bytes {
            return ControlFlow::Break(Stop::Budget);
        }
        ControlFlow::Continue(())
    }

    fn new_var(&mut self, _: Role) -> Var {
        self.loaded.num_variables += 1;
        Var::new(self.loaded.num_variables - 1)
    }

    fn clause(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        let id = self.loaded.num_clauses;
        if id.is_multiple_of(CLAUSES_PER_POLL) {
            if self.limits.reached().is_some() {
                return ControlFlow::Break(Stop::Limit);
            }
            if self.loaded.bytes_with(Size::default()) > self.max_bytes {
                return ControlFlow::Break(Stop::Budget);
            }
        }
        self.loaded.num_clauses += 1;
        self.loaded.num_lits += lits.len() as u64;
        self.solver.add_clause(lits);
        ControlFlow::Continue(ClauseId(id))
    }
}
