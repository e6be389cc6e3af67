//! The objective as a sum of positive weights to be minimised.

use pbsolve_encodings::{Normalized, Normalizer, Row};
use pbsolve_model::{Assignment, Lit, Model, Objective, RowView, Sense, Var};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

/// `offset + sum of weights of true literals`, to be minimised; distinct variables, weights
/// positive. The value of the model's objective is this number, negated where it is maximised.
#[derive(Clone, Debug)]
pub(super) struct WeightedSum {
    pub(super) terms: Vec<(i128, Lit)>,
    pub(super) offset: i128,
    /// Literals of the terms, at most one of each list true, no literal in two lists.
    pub(super) exclusive: Vec<Vec<Lit>>,
}

impl WeightedSum {
    /// The objective of a model, with what its exactly-one rows cost in any case paid at once: of
    /// the literals of such a row one is true, so that the least of their weights moves to the
    /// offset.
    ///
    /// # Panics
    /// If the sums of the objective are beyond `i128`, which readers refuse.
    pub(super) fn new(objective: &Objective, model: &Model) -> WeightedSum {
        let sign = match objective.sense {
            Sense::Minimize => 1,
            Sense::Maximize => -1,
        };
        let mut signed = Signed {
            offset: sign * objective.constant,
            total: 0,
            coefficients: vec![0; model.num_decisions()],
        };
        for term in &objective.terms {
            signed.add(sign * term.coefficient, term.lit);
        }
        let sizes = signed.coefficients.iter().map(|coefficient| coefficient.checked_abs());
        let total = sizes.into_iter().try_fold(0i128, |sum, size| sum.checked_add(size?));
        signed.total = total.expect(FITS);
        let mut exclusive = signed.pay_exactly_one(model);
        // Long lists first, each literal in the first list that has it.
        exclusive.sort_by_key(|lits| std::cmp::Reverse(lits.len()));
        let mut sum = signed.into_sum();
        let mut free: HashSet<Lit> = sum.terms.iter().map(|&(_, lit)| lit).collect();
        for lits in &mut exclusive {
            lits.retain(|lit| free.contains(lit));
            if lits.len() > 1 {
                for lit in lits {
                    free.remove(lit);
                }
            }
        }
        exclusive.retain(|lits| lits.len() > 1);
        sum.exclusive = exclusive;
        sum
    }

    /// The terms that `keep` keeps, those that exclude each other together.
    pub(super) fn groups(&self, keep: impl Fn(Lit) -> bool) -> Vec<Vec<(i128, Lit)>> {
        let mut weights: HashMap<Lit, i128> =
            self.terms.iter().filter(|(_, lit)| keep(*lit)).map(|&(w, lit)| (lit, w)).collect();
        let mut groups: Vec<Vec<(i128, Lit)>> = Vec::new();
        for lits in &self.exclusive {
            let taken = lits.iter().filter_map(|lit| Some((weights.remove(lit)?, *lit)));
            groups.push(taken.collect());
        }
        for (weight, lit) in &self.terms {
            if weights.contains_key(lit) {
                groups.push(vec![(*weight, *lit)]);
            }
        }
        groups.retain(|group| !group.is_empty());
        groups
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

/// The objective with one coefficient of either sign a variable.
struct Signed {
    offset: i128,
    /// At least the sum of the absolute values of all coefficients.
    total: i128,
    coefficients: Vec<i128>,
}

/// Rows with more literals are not looked at.
const MAX_EXCLUSIVE: usize = 10_000;

const FITS: &str = "the sums of an objective fit 128 bits";

impl Signed {
    fn add(&mut self, coefficient: i128, lit: Lit) {
        let slot = &mut self.coefficients[lit.var().index()];
        if lit.is_negative() {
            // c ~x = c - c x
            self.offset = self.offset.checked_add(coefficient).expect(FITS);
            *slot = slot.checked_sub(coefficient).expect(FITS);
        } else {
            *slot = slot.checked_add(coefficient).expect(FITS);
        }
    }

    /// What a literal costs when it is true, compared with when it is false.
    fn cost(&self, lit: Lit) -> i128 {
        let coefficient = self.coefficients[lit.var().index()];
        if lit.is_negative() { -coefficient } else { coefficient }
    }

    /// Moves the least cost of literals, of which exactly one is true, to the offset; unless the
    /// sums would come near the end of `i128`.
    fn pay(&mut self, lits: &[Lit]) {
        let least = lits.iter().map(|&lit| self.cost(lit)).min().unwrap_or(0);
        let after = lits.iter().map(|&lit| self.cost(lit).checked_sub(least));
        let after = after.into_iter().try_fold(0i128, |sum, cost| sum.checked_add(cost?));
        let total = after.and_then(|after| after.checked_add(self.total));
        let Some(total) = total.filter(|&total| total < i128::MAX / 4) else { return };
        self.total = total;
        for &lit in lits {
            self.add(-least, lit);
        }
        self.offset = self.offset.checked_add(least).expect(FITS);
    }

    /// Pays; returns the rows of which at most one literal is true.
    fn pay_exactly_one(&mut self, model: &Model) -> Vec<Vec<Lit>> {
        let num_decisions = model.num_decisions();
        let mut normalizer = Normalizer::default();
        let mut exclusive = Vec::new();
        let mut pay = |row: RowView<'_>| {
            // What is known of other rows is cheaper to look for than to normalise.
            let is_short = row.len() <= MAX_EXCLUSIVE;
            if !is_short || row.lits.iter().any(|lit| lit.var().index() >= num_decisions) {
                return;
            }
            match normalizer.normalize(row, |_| None) {
                Normalized::Row { row: Some(Row::ExactlyOne(lits)), .. } => {
                    self.pay(lits);
                    exclusive.push(lits.to_vec());
                }
                Normalized::Row { row: Some(Row::AtMostOne(lits)), .. } => {
                    exclusive.push(lits.to_vec());
                }
                _ => {}
            }
        };
        let visited = model.for_each_row(|_, row| {
            pay(row);
            ControlFlow::<()>::Continue(())
        });
        debug_assert!(visited.is_continue(), "nothing stops the visit");
        exclusive
    }

    fn into_sum(mut self) -> WeightedSum {
        let mut terms = Vec::new();
        for (index, &coefficient) in self.coefficients.iter().enumerate() {
            let var = Var::new(index);
            if coefficient < 0 {
                // c x = c + |c| ~x
                self.offset = self.offset.checked_add(coefficient).expect(FITS);
                terms.push((-coefficient, var.negative()));
            } else if coefficient > 0 {
                terms.push((coefficient, var.positive()));
            }
        }
        WeightedSum { terms, offset: self.offset, exclusive: Vec::new() }
    }
}

fn greatest_common_divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
