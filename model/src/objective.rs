//! The objective of a model: none, a constant, or a linear function.

use crate::{Assignment, Term};

/// Whether the objective is minimised or maximised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// The smallest value is wanted.
    Minimize,
    /// The largest value is wanted.
    Maximize,
}

/// `constant + sum of terms`, to be minimised or maximised. Without terms the model is a
/// feasibility problem ("minimise 0") and stays one through every format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objective {
    /// The direction.
    pub sense: Sense,
    /// The terms as they were given: literals may be negated and repeated.
    pub terms: Vec<Term>,
    /// What is added to the sum of the terms.
    pub constant: i128,
    /// Positive; the value of the file's objective is the sum divided by this. Above 1 where a
    /// file has fractions, which were scaled to integers.
    pub divisor: i128,
}

impl Objective {
    /// Whether the value is the same for every assignment by its form: there are no terms.
    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// The value under an assignment, times the divisor; `None` if it is beyond `i128`.
    pub fn value(&self, assignment: &Assignment) -> Option<i128> {
        let true_terms = self.terms.iter().filter(|term| assignment.satisfies(term.lit));
        true_terms.map(|term| term.coefficient).try_fold(self.constant, i128::checked_add)
    }
}
