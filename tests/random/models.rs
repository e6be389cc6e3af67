//! Random small models, and their solutions by brute force.

use super::Random;
use pbsolve::formats::opb;
use pbsolve::{Linear, Lit, Model, Var};
use std::collections::BTreeSet;

const MAX_VARIABLES: usize = 8;
const MAX_ROWS: usize = 5;

/// What models are made of.
pub(crate) struct Generator {
    pub(crate) random: Random,
    /// Draws a coefficient.
    pub(crate) coefficient: fn(&mut Random) -> i128,
}

impl Generator {
    pub(crate) fn model(&mut self) -> Model {
        let num_variables = 1 + self.random.below(MAX_VARIABLES);
        let mut model = Model::default();
        for i in 1..=num_variables {
            model.new_var(&format!("x{i}"));
        }
        for _ in 0..=self.random.below(MAX_ROWS) {
            let row = self.row(num_variables);
            model.add(row);
        }
        model
    }

    /// A sum with bounds of which most, but not all, are within its reach.
    fn row(&mut self, num_variables: usize) -> Linear {
        let terms = self.terms(num_variables);
        let least: i128 = terms.iter().map(|&(coefficient, _)| coefficient.min(0)).sum();
        let most: i128 = terms.iter().map(|&(coefficient, _)| coefficient.max(0)).sum();
        let reach = usize::try_from(most - least).expect("the sums are small");
        let mut bound = || least - 2 + self.random.below(reach + 5) as i128;
        let (one, other) = (bound(), bound());
        let sum = Linear::sum(terms);
        match self.random.below(5) {
            0 => sum.with_lower(one),
            1 => sum.with_upper(one),
            2 => sum.with_lower(one).with_upper(one),
            3 => sum.with_lower(one.min(other)).with_upper(one.max(other)),
            // Most often without a solution.
            _ => sum.with_lower(one).with_upper(other),
        }
    }

    /// Mostly different variables, sometimes with repeated and complementary literals.
    pub(crate) fn terms(&mut self, num_variables: usize) -> Vec<(i128, Lit)> {
        if self.random.below(4) == 0 {
            let length = self.random.below(num_variables + 2);
            let coefficient = self.coefficient;
            let term = |_| (coefficient(&mut self.random), self.random.lit(num_variables));
            return (0..length).map(term).collect();
        }
        let mut terms = Vec::new();
        for index in 0..num_variables {
            if self.random.below(4) > 0 {
                let lit = Var::new(index).lit(self.random.below(2) == 0);
                terms.push(((self.coefficient)(&mut self.random), lit));
            }
        }
        terms
    }
}

/// The model as OPB, to be pasted into a regression.
pub(crate) fn text(model: &Model) -> String {
    let mut text = Vec::new();
    opb::write(model, &mut text).expect("a small model can be written");
    String::from_utf8(text).expect("OPB is text")
}

/// All assignments that satisfy the rows, by substitution into the terms.
pub(crate) fn brute_force(model: &Model) -> BTreeSet<Vec<bool>> {
    let num_variables = model.num_decisions();
    let assignments = (0..1u32 << num_variables)
        .map(|bits| (0..num_variables).map(|i| bits >> i & 1 == 1).collect::<Vec<bool>>());
    assignments
        .filter(|values| {
            (0..model.num_explicit_rows()).all(|i| {
                let row = model.explicit_row(i);
                let holds = |lit: Lit| values[lit.var().index()] != lit.is_negative();
                let counted = row.terms().filter(|term| holds(term.lit));
                let sum: i128 = counted.map(|term| term.coefficient).sum();
                row.lower.is_none_or(|lower| sum >= lower)
                    && row.upper.is_none_or(|upper| sum <= upper)
            })
        })
        .collect()
}
