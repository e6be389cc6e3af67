//! The objective as a sum of positive weights to be minimised.

use pbsolve_encodings::{ExclusiveSets, GroupedSum};
use pbsolve_model::{Assignment, Lit, Model, Objective, Sense};

/// `offset + sum of weights of true literals`, to be minimised; distinct variables, weights
/// positive. The value of the model's objective is this number, negated where it is maximised.
#[derive(Clone, Debug)]
pub(crate) struct WeightedSum {
    pub(super) terms: Vec<(i128, Lit)>,
    pub(crate) offset: i128,
    /// The terms, those together of which at most one literal is true.
    groups: Vec<Vec<(i128, Lit)>>,
}

impl WeightedSum {
    /// The objective of a model, with what its exactly-one rows cost in any case paid at once: of
    /// the literals of such a row one is true, so that the least of their weights moves to the
    /// offset.
    ///
    /// # Panics
    /// If the sums of the objective are beyond `i128`, which readers refuse.
    pub(crate) fn new(objective: &Objective, model: &Model) -> WeightedSum {
        let sign = match objective.sense {
            Sense::Minimize => 1,
            Sense::Maximize => -1,
        };
        let mut has_weight = vec![false; model.num_decisions()];
        for term in &objective.terms {
            has_weight[term.lit.var().index()] = true;
        }
        let exclusive = ExclusiveSets::among(model, &has_weight, &[]);
        let terms = objective.terms.iter().map(|term| (sign * term.coefficient, term.lit));
        let GroupedSum { groups, offset } = exclusive.group(terms);
        let mut terms: Vec<(i128, Lit)> = groups.iter().flatten().copied().collect();
        terms.sort_by_key(|(_, lit)| lit.var());
        let offset = offset.checked_add(sign * objective.constant);
        let offset = offset.expect("the sums of an objective fit 128 bits");
        WeightedSum { terms, offset, groups }
    }

    /// The terms that `keep` keeps, those that exclude each other together.
    pub(super) fn groups(&self, keep: impl Fn(Lit) -> bool) -> Vec<Vec<(i128, Lit)>> {
        let kept = |group: &Vec<(i128, Lit)>| -> Vec<(i128, Lit)> {
            group.iter().copied().filter(|&(_, lit)| keep(lit)).collect()
        };
        self.groups.iter().map(kept).filter(|group| !group.is_empty()).collect()
    }

    /// The sum of weights, without the offset.
    pub(crate) fn weight(&self, assignment: &Assignment) -> i128 {
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
