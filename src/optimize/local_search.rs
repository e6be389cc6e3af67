//! Small changes to a solution that make it better: one variable, or two at once, changed without
//! violating a row.

use super::weighted_sum::WeightedSum;
use pbsolve_model::{Assignment, Lit, Model, RowView, Term, Var};
use std::ops::ControlFlow;

/// Models with more terms than this are left to the solver.
const MAX_TERMS: usize = 5_000_000;

/// Steps of one improvement.
const MAX_STEPS: usize = 100_000;

/// The rows of a model by variable.
#[derive(Debug)]
pub(super) struct LocalSearch<'a> {
    sum: &'a WeightedSum,
    /// `None` where the model is too large, or has rows with indicators.
    rows: Option<Rows>,
}

#[derive(Debug, Default)]
struct Rows {
    /// The terms of row `i` are `terms[ends[i - 1]..ends[i]]`.
    terms: Vec<Term>,
    ends: Vec<usize>,
    lower: Vec<i128>,
    upper: Vec<i128>,
    /// For each variable, the rows it occurs in, with what its sum gains when the variable becomes
    /// true.
    occurrences: Vec<Vec<(u32, i128)>>,
}

/// The state of an improvement.
struct Walk<'a> {
    rows: &'a Rows,
    values: Vec<bool>,
    sums: Vec<i128>,
}

impl<'a> LocalSearch<'a> {
    pub(super) fn new(model: &Model, sum: &'a WeightedSum) -> LocalSearch<'a> {
        LocalSearch { sum, rows: Rows::new(model) }
    }

    /// A solution that is at least as good.
    pub(super) fn improve(&self, solution: &Assignment) -> Assignment {
        let Some(rows) = &self.rows else { return solution.clone() };
        let mut walk = Walk::new(rows, solution);
        let mut terms = self.sum.terms.clone();
        terms.sort_by_key(|&(weight, _)| std::cmp::Reverse(weight));
        let mut weights = vec![0i128; walk.values.len()];
        for &(weight, lit) in &terms {
            // What becomes worse when the variable becomes true.
            weights[lit.var().index()] = if lit.is_negative() { -weight } else { weight };
        }
        let mut steps = 0;
        let mut is_better = true;
        while is_better && steps < MAX_STEPS {
            is_better = false;
            for &(weight, lit) in &terms {
                steps += 1;
                if walk.satisfies(lit) && walk.change_for_less(lit.var(), weight, &weights) {
                    is_better = true;
                }
            }
        }
        Assignment::from_values(walk.values)
    }
}

impl Rows {
    fn new(model: &Model) -> Option<Rows> {
        let mut rows =
            Rows { occurrences: vec![Vec::new(); model.num_decisions()], ..Rows::default() };
        if model.num_variables() > model.num_decisions() as u64 {
            return None;
        }
        let flow = model.for_each_row(|_, row| {
            if rows.terms.len() + row.len() > MAX_TERMS {
                return ControlFlow::Break(());
            }
            rows.push(row);
            ControlFlow::Continue(())
        });
        flow.is_continue().then_some(rows)
    }

    fn push(&mut self, row: RowView<'_>) {
        let place = u32::try_from(self.ends.len()).expect("fewer rows than terms");
        for term in row.terms() {
            let gain = if term.lit.is_negative() { -term.coefficient } else { term.coefficient };
            let occurrences = &mut self.occurrences[term.lit.var().index()];
            match occurrences.last_mut() {
                Some((row, known)) if *row == place => *known += gain,
                _ => occurrences.push((place, gain)),
            }
            self.terms.push(term);
        }
        self.ends.push(self.terms.len());
        self.lower.push(row.lower.unwrap_or(i128::MIN));
        self.upper.push(row.upper.unwrap_or(i128::MAX));
    }

    fn terms(&self, row: usize) -> &[Term] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.terms[start..self.ends[row]]
    }
}

impl Walk<'_> {
    fn new<'a>(rows: &'a Rows, solution: &Assignment) -> Walk<'a> {
        let sum = |row: usize| -> i128 {
            let terms = rows.terms(row).iter().filter(|term| solution.satisfies(term.lit));
            terms.map(|term| term.coefficient).sum()
        };
        let sums = (0..rows.ends.len()).map(sum).collect();
        Walk { rows, values: solution.values().to_vec(), sums }
    }

    fn satisfies(&self, lit: Lit) -> bool {
        self.values[lit.var().index()] != lit.is_negative()
    }

    fn flip(&mut self, var: Var) {
        let value = &mut self.values[var.index()];
        *value = !*value;
        for &(row, gain) in &self.rows.occurrences[var.index()] {
            self.sums[row as usize] += if *value { gain } else { -gain };
        }
    }

    fn is_violated(&self, row: usize) -> bool {
        !(self.rows.lower[row]..=self.rows.upper[row]).contains(&self.sums[row])
    }

    /// A row of this variable that is violated.
    fn violated(&self, var: Var) -> Option<usize> {
        let rows = self.rows.occurrences[var.index()].iter().map(|&(row, _)| row as usize);
        rows.into_iter().find(|&row| self.is_violated(row))
    }

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
