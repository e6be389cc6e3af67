//! Numbers that look random and are the same each time (Marsaglia, Xorshift RNGs, 2003).

#![allow(dead_code, reason = "each test program uses a part of this")]

pub(crate) mod models;

use pbsolve::backend;
use pbsolve::{Backend, Lit, Var};

/// The back-ends of this build that take clauses, the default first.
pub(crate) fn sat_backends() -> Vec<Backend> {
    let entries = backend::ALL.iter().filter(|entry| entry.solver.is_some());
    entries.map(|entry| entry.backend.clone()).collect()
}

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).expect("usize has 64 bits") % bound
    }

    /// A literal of one of the first variables.
    pub(crate) fn lit(&mut self, num_variables: usize) -> Lit {
        Var::new(self.below(num_variables)).lit(self.below(2) == 0)
    }
}
