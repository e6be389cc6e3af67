//! The objective as a sum of positive weights to be minimised.

use pbsolve_model::{Assignment, Lit, Objective, Sense, Var};

/// `offset + sum of weights of true literals`, to be minimised; distinct variables, weights
/// positive. The value of the model's objective is this number, negated where it is maximised.
#[derive(Clone, Debug)]
pub(super) struct WeightedSum {
    pub(super) terms: Vec<(i128, Lit)>,
    pub(super) offset: i128,
}

impl WeightedSum {
    /// # Panics
    /// If the sums of the objective are beyond `i128`, which readers refuse.
    pub(super) fn new(objective: &Objective, num_decisions: usize) -> WeightedSum {
        const FITS: &str = "the sums of an objective fit 128 bits";
        let sign = match objective.sense {
            Sense::Minimize => 1,
            Sense::Maximize => -1,
        };
        let mut offset = sign * objective.constant;
        let mut coefficients = vec![0i128; num_decisions];
        for term in &objective.terms {
            let coefficient = sign * term.coefficient;
            let slot = &mut coefficients[term.lit.var().index()];
            if term.lit.is_negative() {
                // c ~x = c - c x
                offset = offset.checked_add(coefficient).expect(FITS);
                *slot = slot.checked_sub(coefficient).expect(FITS);
            } else {
                *slot = slot.checked_add(coefficient).expect(FITS);
            }
        }
        let mut terms = Vec::new();
        for (index, &coefficient) in coefficients.iter().enumerate() {
            let var = Var::new(index);
            if coefficient < 0 {
                // c x = c + |c| ~x
                offset = offset.checked_add(coefficient).expect(FITS);
                terms.push((-coefficient, var.negative()));
            } else if coefficient > 0 {
                terms.push((coefficient, var.positive()));
            }
        }
        WeightedSum { terms, offset }
    }

    /// The sum of weights, without the offset.
    pub(super) fn weight(&self, assignment: &Assignment) -> i128 {
        let violated = self.terms.iter().filter(|(_, lit)| assignment.satisfies(*lit));
        violated.map(|(weight, _)| weight).sum()
    }

    /// The largest number that divides all weights.
    pub(super) fn divisor(&self) -> i128 {
        self.terms.iter().fold(0, |gcd, &(weight, _)| greatest_common_divisor(gcd, weight)).max(1)
    }
}

fn greatest_common_divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
