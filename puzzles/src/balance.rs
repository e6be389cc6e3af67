//! Half of the cells of each line are 1.

use crate::lines::Lines;
use pbsolve_model::{Coefficients, Family, Lit, RowView, Var};
use std::ops::ControlFlow;

/// A group is a line, and has one row.
#[derive(Debug)]
pub(crate) struct Balance {
    lines: Lines,
}

impl Balance {
    pub(crate) fn new(lines: Lines) -> Balance {
        Balance { lines }
    }
}

impl Family for Balance {
    fn name(&self) -> &'static str {
        self.lines.family_name("balance of rows", "balance of columns")
    }

    fn num_groups(&self) -> usize {
        self.lines.number()
    }

    fn for_each_row(
        &self,
        group: usize,
        _first_indicator: Var,
        visit: &mut dyn FnMut(RowView<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let length = self.lines.length();
        let lits = (0..length).map(|position| self.lines.var(group, position).positive());
        let lits: Vec<Lit> = lits.collect();
        let half = Some(length as i128 / 2);
        visit(RowView { lits: &lits, coefficients: Coefficients::Ones, lower: half, upper: half })
    }

    fn row_name(&self, row: u64) -> String {
        format!("{}_{}_balance", self.lines.word(), row + 1)
    }

    fn row_sentence(&self, row: u64) -> String {
        format!("{} {} is balanced", self.lines.title(), row + 1)
    }
}
