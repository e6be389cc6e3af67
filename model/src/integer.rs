//! Bounded integer variables, as sums of decision variables.

use crate::{Assignment, Var};

/// An integer variable of a file: `lower + sum of 2^i * bits[i]`, at most `upper`. The bits are
/// decision variables of the model; where `upper - lower + 1` is no power of two, a row of the
/// model keeps the sum in range, so that each value has exactly one representation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Integer {
    /// Its name in the file.
    pub name: String,
    /// The least value.
    pub lower: i128,
    /// The greatest value.
    pub upper: i128,
    /// The binary digits, the lowest first; empty if there is only one value.
    pub bits: Vec<Var>,
}

impl Integer {
    /// The value under an assignment.
    pub fn value(&self, assignment: &Assignment) -> i128 {
        let weight = |i: usize| 1i128 << i;
        let ones = self.bits.iter().enumerate().filter(|(_, bit)| assignment.value(**bit));
        self.lower + ones.map(|(i, _)| weight(i)).sum::<i128>()
    }
}
