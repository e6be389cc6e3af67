//! Sinks that count, limit, or make clauses conditional.

use super::{ClauseId, ClauseSink, ProofLog, Role, Stop};
use crate::Size;
use pbsolve_model::{Lit, RowId, Var};
use std::ops::ControlFlow;

/// Counts variables, clauses and literals and keeps nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counter {
    /// Variables and clauses so far.
    pub size: Size,
    /// Literals in all clauses so far.
    pub num_lits: u64,
}

impl ClauseSink for Counter {
    fn new_var(&mut self, _: Role) -> Var {
        self.size.variables += 1;
        Var::new(usize::try_from(self.size.variables - 1).expect("64-bit machines"))
    }

    fn clause(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        self.size.clauses += 1;
        self.num_lits += lits.len() as u64;
        ControlFlow::Continue(ClauseId(self.size.clauses - 1))
    }
}

/// Passes everything on until a number of clauses is reached.
#[derive(Debug)]
pub struct Budget<S> {
    inner: S,
    clauses_left: u64,
}

impl<S: ClauseSink> Budget<S> {
    /// Lets at most `clauses` clauses through.
    pub fn new(inner: S, clauses: u64) -> Budget<S> {
        Budget { inner, clauses_left: clauses }
    }

    fn spend(&mut self) -> ControlFlow<Stop> {
        match self.clauses_left.checked_sub(1) {
            Some(left) => self.clauses_left = left,
            None => return ControlFlow::Break(Stop::Budget),
        }
        ControlFlow::Continue(())
    }
}

impl<S: ClauseSink> ClauseSink for Budget<S> {
    fn begin(&mut self, row: RowId, encoder: &'static str) {
        self.inner.begin(row, encoder);
    }

    fn expect(&mut self, size: Size) -> ControlFlow<Stop> {
        self.inner.expect(size)
    }

    fn new_var(&mut self, role: Role) -> Var {
        self.inner.new_var(role)
    }

    fn clause(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        self.spend()?;
        self.inner.clause(lits)
    }

    fn define(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        self.spend()?;
        self.inner.define(lits)
    }

    fn proof(&mut self) -> Option<&mut dyn ProofLog> {
        self.inner.proof()
    }
}

/// Makes a row conditional (half-reified): `condition -> row`. Clauses that restrict the inputs
/// get `!condition`; definitions stay as they are, so that a violated row propagates
/// `!condition` wherever the encoding detects the violation.
#[derive(Debug)]
pub struct Conditional<S> {
    inner: S,
    condition: Lit,
    buffer: Vec<Lit>,
}

impl<S: ClauseSink> Conditional<S> {
    /// Lets rows hold only where `condition` is true.
    pub fn new(inner: S, condition: Lit) -> Conditional<S> {
        Conditional { inner, condition, buffer: Vec::new() }
    }
}

impl<S: ClauseSink> ClauseSink for Conditional<S> {
    fn begin(&mut self, row: RowId, encoder: &'static str) {
        self.inner.begin(row, encoder);
    }

    fn expect(&mut self, size: Size) -> ControlFlow<Stop> {
        self.inner.expect(size)
    }

    fn new_var(&mut self, role: Role) -> Var {
        self.inner.new_var(role)
    }

    fn clause(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        self.buffer.clear();
        self.buffer.push(!self.condition);
        self.buffer.extend_from_slice(lits);
        self.inner.clause(&self.buffer)
    }

    fn define(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        self.inner.define(lits)
    }
}
