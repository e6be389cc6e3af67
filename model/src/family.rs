//! Families: rows that are generated on demand, with the indicator variables that they define.

use crate::{Assignment, RowView, Var};
use std::fmt;
use std::ops::ControlFlow;

/// The rows of one group and the indicator variables they define, as places within the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// Rows of the family before this group.
    pub first_row: u64,
    /// Rows of this group.
    pub num_rows: u64,
    /// Indicators of the family before this group.
    pub first_indicator: u64,
    /// Indicators that this group defines.
    pub num_indicators: usize,
}

/// A family of rows, such as "no three in a row" or "rows differ". It yields its rows group by
/// group and stores none of them. A group is what is added to a running solver at once: a pair of
/// board rows with its indicator variables, or a single row without any.
pub trait Family: fmt::Debug + Send + Sync {
    /// What the family states, in a few words.
    fn name(&self) -> &'static str;

    /// Whether a solver may start without the family and add violated groups as it meets them:
    /// worth it where there are many groups, few of them matter, and [`separate`](Family::separate)
    /// is cheap.
    fn is_lazy(&self) -> bool {
        false
    }

    /// Number of groups.
    fn num_groups(&self) -> usize;

    /// The sizes and places of a group; one row and no indicators unless said otherwise.
    fn group(&self, group: usize) -> Group {
        Group { first_row: group as u64, num_rows: 1, first_indicator: 0, num_indicators: 0 }
    }

    /// Passes the rows of a group to `visit`, in order, until it breaks. The group's indicators
    /// are the variables from `first_indicator` on.
    ///
    /// # Errors
    /// Breaks when `visit` does.
    fn for_each_row(
        &self,
        group: usize,
        first_indicator: Var,
        visit: &mut dyn FnMut(RowView<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// The name of a row, by its place in the family: letters, digits and `_`.
    fn row_name(&self, row: u64) -> String;

    /// What a row says, as a sentence for the listing.
    fn row_sentence(&self, row: u64) -> String {
        self.row_name(row)
    }

    /// The name of an indicator, by its place in the family.
    fn indicator_name(&self, indicator: u64) -> String {
        unreachable!("family {} has no indicator {indicator}", self.name())
    }

    /// Appends the values of a group's indicators, by their definition, to `values`, which holds
    /// the decision variables and nothing else.
    fn complete(&self, group: usize, values: &mut Vec<bool>) {
        debug_assert_eq!(self.group(group).num_indicators, 0, "{} in {values:?}", self.name());
    }

    /// Groups with a row that the decision variables violate: at least one if there are any, and all
    /// but such as say the same as one that is there.
    fn separate(&self, decisions: &Assignment) -> Vec<usize> {
        let num_decisions = decisions.num_vars();
        let mut values = decisions.clone();
        let mut violated = Vec::new();
        for group in 0..self.num_groups() {
            values.extend_from(num_decisions, |values| self.complete(group, values));
            let holds = self.for_each_row(group, Var::new(num_decisions), &mut |row| match row
                .sum(|lit| values.satisfies(lit))
            {
                Some(sum) if row.allows(sum) => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            });
            if holds.is_break() {
                violated.push(group);
            }
        }
        violated
    }

    /// Number of rows.
    fn num_rows(&self) -> u64 {
        let last = self.num_groups().checked_sub(1).map(|last| self.group(last));
        last.map_or(0, |group| group.first_row + group.num_rows)
    }

    /// Number of indicators.
    fn num_indicators(&self) -> u64 {
        let last = self.num_groups().checked_sub(1).map(|last| self.group(last));
        last.map_or(0, |group| group.first_indicator + group.num_indicators as u64)
    }
}
