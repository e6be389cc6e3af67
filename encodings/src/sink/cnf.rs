//! A formula in memory, flat.

use super::{ClauseId, ClauseSink, Role, Stop};
use pbsolve_model::{Lit, Var};
use std::ops::ControlFlow;

/// Clauses in one array.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    num_variables: usize,
    lits: Vec<Lit>,
    ends: Vec<usize>,
}

impl Cnf {
    /// An empty formula that knows this many variables.
    pub fn with_variables(num_variables: usize) -> Cnf {
        Cnf { num_variables, ..Cnf::default() }
    }

    /// Number of variables.
    pub fn num_variables(&self) -> usize {
        self.num_variables
    }

    /// Number of clauses.
    pub fn num_clauses(&self) -> usize {
        self.ends.len()
    }

    /// Number of literals in all clauses.
    pub fn num_lits(&self) -> usize {
        self.lits.len()
    }

    /// The clauses, in order.
    pub fn clauses(&self) -> impl Iterator<Item = &[Lit]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.lits[start..end])
    }

    /// The clauses as lists of DIMACS numbers, for programs that want nothing else.
    pub fn to_dimacs_lists(&self) -> Vec<Vec<i32>> {
        let list = |clause: &[Lit]| clause.iter().map(|lit| lit.to_dimacs()).collect();
        self.clauses().map(list).collect()
    }

    /// Forgets the clauses and all variables above `num_variables`, keeping the memory.
    pub fn clear(&mut self, num_variables: usize) {
        self.num_variables = num_variables;
        self.lits.clear();
        self.ends.clear();
    }
}

impl ClauseSink for Cnf {
    fn new_var(&mut self, _: Role) -> Var {
        self.num_variables += 1;
        Var::new(self.num_variables - 1)
    }

    fn clause(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        self.lits.extend_from_slice(lits);
        self.ends.push(self.lits.len());
        ControlFlow::Continue(ClauseId(self.ends.len() as u64 - 1))
    }
}
