//! No three cells in a line are equal: `1 <= a + b + c <= 2` for each three neighbours.

use crate::lines::Lines;
use pbsolve_model::{Coefficients, Family, Group, RowView, Var};
use std::ops::ControlFlow;

/// A group is a line.
#[derive(Debug)]
pub(crate) struct NoThree {
    lines: Lines,
}

impl NoThree {
    pub(crate) fn new(lines: Lines) -> NoThree {
        NoThree { lines }
    }

    fn rows_a_line(&self) -> usize {
        self.lines.length().saturating_sub(2)
    }

    /// Line and first cell of a row, from 1.
    fn place(&self, row: u64) -> (u64, u64) {
        let rows_a_line = self.rows_a_line() as u64;
        (row / rows_a_line + 1, row % rows_a_line + 1)
    }
}

impl Family for NoThree {
    fn name(&self) -> &'static str {
        self.lines.family_name("no three in a row", "no three in a column")
    }

    fn num_groups(&self) -> usize {
        self.lines.number()
    }

    fn group(&self, group: usize) -> Group {
        let num_rows = self.rows_a_line() as u64;
        let first_row = group as u64 * num_rows;
        Group { first_row, num_rows, first_indicator: 0, num_indicators: 0 }
    }

    fn for_each_row(
        &self,
        group: usize,
        _first_indicator: Var,
        visit: &mut dyn FnMut(RowView<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for start in 0..self.rows_a_line() {
            let lits = [0, 1, 2].map(|i| self.lines.var(group, start + i).positive());
            let coefficients = Coefficients::Ones;
            visit(RowView { lits: &lits, coefficients, lower: Some(1), upper: Some(2) })?;
        }
        ControlFlow::Continue(())
    }

    fn row_name(&self, row: u64) -> String {
        let (line, start) = self.place(row);
        format!("{}_{line}_no_three_{start}", self.lines.word())
    }

    fn row_sentence(&self, row: u64) -> String {
        let (line, start) = self.place(row);
        let (title, crossing) = (self.lines.title(), self.lines.crossing_word());
        format!("{title} {line}, no three equal from {crossing} {start}")
    }
}
