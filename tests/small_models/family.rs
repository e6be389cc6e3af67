//! A family with one row and one indicator.

use pbsolve_model::{Coefficients, Family, Group, RowView, Var};
use std::ops::ControlFlow;

/// `d[i] = 1` exactly when `a[i]` and `a[i + 1]` are equal, of which one direction is stated.
#[derive(Debug)]
pub(crate) struct Equal;

impl Family for Equal {
    fn name(&self) -> &'static str {
        "equal"
    }

    fn num_groups(&self) -> usize {
        1
    }

    fn group(&self, _: usize) -> Group {
        Group { first_row: 0, num_rows: 1, first_indicator: 0, num_indicators: 1 }
    }

    fn for_each_row(
        &self,
        _: usize,
        first_indicator: Var,
        visit: &mut dyn FnMut(RowView<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let lits = [first_indicator.positive(), Var::new(0).positive(), Var::new(1).positive()];
        visit(RowView {
            lits: &lits,
            coefficients: Coefficients::Ones,
            lower: Some(1),
            upper: None,
        })
    }

    fn row_name(&self, row: u64) -> String {
        format!("equal_{row}")
    }

    fn indicator_name(&self, indicator: u64) -> String {
        format!("d_{indicator}")
    }

    fn complete(&self, _: usize, values: &mut Vec<bool>) {
        values.push(values[0] == values[1]);
    }
}
