//! Small changes to a solution that make it better: one variable, or two at once, changed without
//! violating a row.

use super::rows::{Rows, Walk};
use super::weighted_sum::WeightedSum;
use pbsolve_model::{Assignment, Var};

/// Sums that one improvement may change: some milliseconds, so that limits are kept on rows of any
/// length.
const MAX_CHANGES: u64 = 2_000_000;

/// The rows and the sum to be made smaller.
#[derive(Debug)]
pub(super) struct LocalSearch<'a> {
    sum: &'a WeightedSum,
    rows: Option<&'a Rows>,
}

impl<'a> LocalSearch<'a> {
    pub(super) fn new(rows: Option<&'a Rows>, sum: &'a WeightedSum) -> LocalSearch<'a> {
        LocalSearch { sum, rows }
    }

    /// A solution that is at least as good.
    pub(super) fn improve(&self, solution: &Assignment) -> Assignment {
        let Some(rows) = self.rows else { return solution.clone() };
        let mut walk = Walk::new(rows, solution);
        let mut terms = self.sum.terms.clone();
        terms.sort_by_key(|&(weight, _)| std::cmp::Reverse(weight));
        let mut weights = vec![0i128; walk.values.len()];
        for &(weight, lit) in &terms {
            // What becomes worse when the variable becomes true.
            weights[lit.var().index()] = if lit.is_negative() { -weight } else { weight };
        }
        let mut is_better = true;
        while is_better && walk.num_changes < MAX_CHANGES {
            is_better = false;
            for &(weight, lit) in &terms {
                if walk.num_changes >= MAX_CHANGES {
                    break;
                }
                if walk.satisfies(lit) && walk.change_for_less(lit.var(), weight, &weights) {
                    is_better = true;
                }
            }
        }
        Assignment::from_values(walk.values)
    }
}

impl Walk<'_> {
    /// Changes a variable that costs `weight`, together with a second one that costs less where a
    /// row asks for it; whether that was possible.
    fn change_for_less(&mut self, var: Var, weight: i128, weights: &[i128]) -> bool {
        self.flip(var);
        let Some(row) = self.violated(var) else { return true };
        for place in 0..self.rows.terms(row).len() {
            let other = self.rows.terms(row)[place].lit.var();
            let cost = weights[other.index()];
            let cost = if self.values[other.index()] { -cost } else { cost };
            if other == var || cost >= weight {
                continue;
            }
            self.flip(other);
            if !self.is_violated(row)
                && self.violated(other).is_none()
                && self.violated(var).is_none()
            {
                return true;
            }
            self.flip(other);
        }
        self.flip(var);
        false
    }
}
