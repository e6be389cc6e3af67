//! The check: substitutes the decision variables into every row, with exact integers. Indicators
//! are completed from the decision variables by their family's definition.

use crate::{Assignment, Model, RowId, RowView, Var};
use std::fmt;
use std::ops::ControlFlow;

/// A row that an assignment violates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which row.
    pub row: RowId,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// What it says, for people.
    pub sentence: String,
    /// The sum under the assignment.
    pub sum: i128,
    /// The least sum allowed.
    pub lower: Option<i128>,
    /// The greatest sum allowed.
    pub upper: Option<i128>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}", self.row.0 + 1)?;
        if let Some(name) = &self.name {
            write!(f, " ({name})")?;
        }
        write!(f, ": the sum is {}, but must be ", self.sum)?;
        match (self.lower, self.upper) {
            (Some(lower), Some(upper)) if lower == upper => write!(f, "{lower}"),
            (Some(lower), Some(upper)) => write!(f, "from {lower} to {upper}"),
            (Some(lower), None) => write!(f, "at least {lower}"),
            (None, Some(upper)) => write!(f, "at most {upper}"),
            (None, None) => f.write_str("representable"),
        }
    }
}

impl Model {
    /// Substitutes an assignment of the decision variables into every row.
    ///
    /// # Errors
    /// The first row that is violated.
    ///
    /// # Panics
    /// If `decisions` does not have exactly one value for each decision variable.
    pub fn check(&self, decisions: &Assignment) -> Result<(), Box<Violation>> {
        let num_decisions = self.num_decisions();
        assert_eq!(decisions.num_vars(), num_decisions, "one value for each decision variable");
        for i in 0..self.num_explicit_rows() {
            let row = self.explicit_row(i);
            if let Some(sum) = violating_sum(row, decisions) {
                return Err(self.violation(RowId(i as u64), row.lower, row.upper, sum));
            }
        }
        let mut values = decisions.clone();
        let mut first_row = self.num_explicit_rows() as u64;
        for family in self.families() {
            for group in 0..family.num_groups() {
                let place = family.group(group);
                values.extend_from(num_decisions, |values| family.complete(group, values));
                let completed = num_decisions + place.num_indicators;
                assert_eq!(
                    values.num_vars(),
                    completed,
                    "{} completes group {group}",
                    family.name()
                );
                let mut id = first_row + place.first_row;
                let mut violation = None;
                let first_indicator = Var::new(num_decisions);
                let flow = family.for_each_row(group, first_indicator, &mut |row| {
                    id += 1;
                    let Some(sum) = violating_sum(row, &values) else {
                        return ControlFlow::Continue(());
                    };
                    violation = Some(self.violation(RowId(id - 1), row.lower, row.upper, sum));
                    ControlFlow::Break(())
                });
                if let Some(violation) = violation {
                    return Err(violation);
                }
                // A family that skips rows would leave them unchecked.
                let visited = id - first_row - place.first_row;
                let all = flow.is_continue() && visited == place.num_rows;
                assert!(all, "{} yields all rows of group {group}", family.name());
            }
            first_row += family.num_rows();
        }
        Ok(())
    }

    fn violation(
        &self,
        row: RowId,
        lower: Option<i128>,
        upper: Option<i128>,
        sum: i128,
    ) -> Box<Violation> {
        let (name, sentence) = (self.row_name(row), self.row_sentence(row));
        Box::new(Violation { row, name, sentence, sum, lower, upper })
    }
}

/// The sum, if the row does not allow it.
fn violating_sum(row: RowView<'_>, values: &Assignment) -> Option<i128> {
    let sum = row.sum(|lit| values.satisfies(lit));
    let sum = sum.expect("Model::try_add refuses rows whose sums are beyond 128 bits");
    (!row.allows(sum)).then_some(sum)
}
