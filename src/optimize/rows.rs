//! The rows of a model by variable, and an assignment with the sums of the rows under it.

use pbsolve_model::{Assignment, Lit, Model, RowView, Term, Var};
use std::ops::ControlFlow;

/// Models with more terms than this are left to the solver.
const MAX_TERMS: usize = 5_000_000;

/// The rows by number and by variable.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    /// The terms of row `i` are `terms[ends[i - 1]..ends[i]]`.
    terms: Vec<Term>,
    ends: Vec<usize>,
    lower: Vec<i128>,
    upper: Vec<i128>,
    /// For each variable, the rows it occurs in, with what its sum gains when the variable becomes
    /// true.
    occurrences: Vec<Vec<(u32, i128)>>,
}

impl Rows {
    /// `None` where the model is too large, or has rows with indicators.
    pub(crate) fn new(model: &Model) -> Option<Rows> {
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

    pub(super) fn terms(&self, row: usize) -> &[Term] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.terms[start..self.ends[row]]
    }

    /// Number of variables.
    pub(super) fn num_variables(&self) -> usize {
        self.occurrences.len()
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The rows of a variable, with what their sums gain when it becomes true.
    pub(super) fn occurrences(&self, var: Var) -> &[(u32, i128)] {
        &self.occurrences[var.index()]
    }

    /// What a sum of a row misses its bounds by.
    pub(super) fn miss(&self, row: usize, sum: i128) -> i128 {
        let (lower, upper) = (self.lower[row], self.upper[row]);
        if sum < lower { lower.saturating_sub(sum) } else { sum.saturating_sub(upper).max(0) }
    }
}

/// An assignment with the sums of all rows under it.
#[derive(Clone, Debug)]
pub(super) struct Walk<'a> {
    pub(super) rows: &'a Rows,
    pub(super) values: Vec<bool>,
    pub(super) sums: Vec<i128>,
    /// Sums that were changed so far.
    pub(super) num_changes: u64,
}

impl Walk<'_> {
    pub(crate) fn new<'a>(rows: &'a Rows, solution: &Assignment) -> Walk<'a> {
        let sum = |row: usize| -> i128 {
            let terms = rows.terms(row).iter().filter(|term| solution.satisfies(term.lit));
            terms.map(|term| term.coefficient).sum()
        };
        let sums = (0..rows.ends.len()).map(sum).collect();
        Walk { rows, values: solution.values().to_vec(), sums, num_changes: 0 }
    }

    pub(super) fn satisfies(&self, lit: Lit) -> bool {
        self.values[lit.var().index()] != lit.is_negative()
    }

    pub(super) fn flip(&mut self, var: Var) {
        self.num_changes += 1 + self.rows.occurrences[var.index()].len() as u64;
        let value = &mut self.values[var.index()];
        *value = !*value;
        for &(row, gain) in &self.rows.occurrences[var.index()] {
            self.sums[row as usize] += if *value { gain } else { -gain };
        }
    }

    pub(super) fn is_violated(&self, row: usize) -> bool {
        !(self.rows.lower[row]..=self.rows.upper[row]).contains(&self.sums[row])
    }

    /// A row of this variable that is violated.
    pub(super) fn violated(&self, var: Var) -> Option<usize> {
        let rows = self.rows.occurrences[var.index()].iter().map(|&(row, _)| row as usize);
        rows.into_iter().find(|&row| self.is_violated(row))
    }
}
