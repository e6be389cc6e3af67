//! The seam between encoders and everything that takes clauses.

mod adapters;
mod cnf;
mod dimacs;
mod proof_log;

pub use adapters::{Budget, Conditional, Counter};
pub use cnf::Cnf;
pub use dimacs::{DimacsComments, write_dimacs};
pub use proof_log::{ConstraintId, ProofLog, ProofTerm};
pub(crate) use proof_log::{Derivation, defining, from_side, justified, justified_definition};

use crate::Size;
use pbsolve_model::{Lit, RowId, Var};
use std::fmt;
use std::ops::ControlFlow;

/// The place of a clause in the order in which the sink took them, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClauseId(pub u64);

/// Why a sink takes no more clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The encoding is larger than was allowed.
    Budget,
    /// A time limit, a conflict limit or an interrupt.
    Limit,
    /// Writing failed; the sink has kept the error.
    Io,
    /// No encoder takes a row; whoever encodes the model has kept which.
    Unsupported,
}

/// What a variable stands for: the name of its group in the encoder's paper and two places in it,
/// printed `s[3,2]`, or `x[4]` when `j` is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Role {
    /// The letter or word of the paper.
    pub name: &'static str,
    /// First place.
    pub i: u32,
    /// Second place; 0 when there is one place only.
    pub j: u32,
}

impl Role {
    /// A role with two places.
    ///
    /// # Panics
    /// If a place is beyond 32 bits.
    pub fn new(name: &'static str, i: usize, j: usize) -> Role {
        let place = |number: usize| u32::try_from(number).expect("places fit 32 bits");
        Role { name, i: place(i), j: place(j) }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.j {
            0 => write!(f, "{}[{}]", self.name, self.i),
            j => write!(f, "{}[{},{j}]", self.name, self.i),
        }
    }
}

/// Takes clauses, and is the only one who makes variables. A contradiction is the empty clause.
pub trait ClauseSink {
    /// The clauses from here on, up to the next call, state this row with this encoder.
    fn begin(&mut self, row: RowId, encoder: &'static str) {
        let _ = (row, encoder);
    }

    /// What the row named by [`begin`](ClauseSink::begin) will come to, where that is known before.
    ///
    /// # Errors
    /// Breaks when the sink will not take so much.
    fn expect(&mut self, size: Size) -> ControlFlow<Stop> {
        let _ = size;
        ControlFlow::Continue(())
    }

    /// A new variable. Numbers are consecutive.
    fn new_var(&mut self, role: Role) -> Var;

    /// Adds a clause.
    ///
    /// # Errors
    /// Breaks when the sink takes no more.
    fn clause(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId>;

    /// Adds a clause that does not restrict the inputs: it, together with all others added this
    /// way, can be met by the auxiliary variables whatever the inputs are. Conditional rows leave
    /// such clauses unconditional, which makes them propagate better.
    ///
    /// # Errors
    /// Breaks when the sink takes no more.
    fn define(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        self.clause(lits)
    }

    /// The proof that is written beside the clauses, if there is one. An encoder that can justify
    /// its clauses does so right after it added each.
    fn proof(&mut self) -> Option<&mut dyn ProofLog> {
        None
    }
}

impl<S: ClauseSink + ?Sized> ClauseSink for &mut S {
    fn begin(&mut self, row: RowId, encoder: &'static str) {
        (**self).begin(row, encoder);
    }

    fn expect(&mut self, size: Size) -> ControlFlow<Stop> {
        (**self).expect(size)
    }

    fn new_var(&mut self, role: Role) -> Var {
        (**self).new_var(role)
    }

    fn clause(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        (**self).clause(lits)
    }

    fn define(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        (**self).define(lits)
    }

    fn proof(&mut self) -> Option<&mut dyn ProofLog> {
        (**self).proof()
    }
}
