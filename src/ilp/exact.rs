//! The numbers of a model as floating-point numbers, where these are exact, and back.

use super::LoadError;
use crate::formats::WriteError;
use crate::formats::ilp_solution::close_integer;
use crate::formats::program::Columns;
use crate::limits::{Limits, Reason};
use pbsolve_model::{Assignment, Model, Sense};

/// The largest number up to which all integers are doubles.
const MOST: i128 = 1 << 53;

/// Rows that are translated between two looks at the clock.
const ROWS_PER_POLL: u64 = 1 << 10;

/// Why there is no program to solve.
#[derive(Debug)]
pub(super) enum NotLoaded {
    Limit(Reason),
    Error(LoadError),
}

impl From<WriteError> for NotLoaded {
    fn from(error: WriteError) -> NotLoaded {
        NotLoaded::Error(LoadError::Write(error))
    }
}

/// A row of columns and exact numbers; without a bound, that is infinite.
#[derive(Debug)]
pub(super) struct FloatingRow {
    pub(super) terms: Vec<(usize, f64)>,
    pub(super) lower: f64,
    pub(super) upper: f64,
}

/// A model in numbers that `solver` takes.
#[derive(Debug)]
pub(super) struct Floating<'m> {
    pub(super) solver: &'m str,
    pub(super) model: &'m Model,
    pub(super) columns: Columns<'m>,
}

impl Floating<'_> {
    fn number(&self, number: i128, place: impl FnOnce() -> String) -> Result<f64, NotLoaded> {
        exact(number).ok_or_else(|| {
            let (solver, place) = (self.solver.to_owned(), place());
            NotLoaded::Error(LoadError::Inexact { solver, place, number })
        })
    }

    /// Bounds of a column.
    #[cfg(feature = "highs")]
    pub(super) fn bounds(&self, column: usize) -> Result<(f64, f64), NotLoaded> {
        let (lower, upper) = self.columns.bounds(column).unwrap_or((0, 1));
        let place = || format!("a bound of {}", self.columns.name_in_model(column));
        Ok((self.number(lower, place)?, self.number(upper, place)?))
    }

    /// The sense and a cost for each column. The value of the objective is their sum, divided by
    /// its divisor, with its constant.
    pub(super) fn costs(&self) -> Result<(Sense, Vec<f64>), NotLoaded> {
        let (sense, terms) = self.columns.integer_objective()?;
        let mut costs = vec![0.0; self.columns.len()];
        for (coefficient, column) in terms {
            let name = || self.columns.name_in_model(column);
            costs[column] = self.number(coefficient, || {
                format!("the coefficient of {} in the objective", name())
            })?;
        }
        Ok((sense, costs))
    }

    /// Visits all rows.
    pub(super) fn for_each_row(
        &self,
        limits: &Limits,
        mut visit: impl FnMut(FloatingRow),
    ) -> Result<(), NotLoaded> {
        self.columns.for_each_row(|id, row| {
            if id.0 % ROWS_PER_POLL == 0
                && let Some(reason) = limits.reached()
            {
                return Err(NotLoaded::Limit(reason));
            }
            let shown = || match self.model.row_name(id) {
                Some(name) => format!("row {} ({name})", id.0 + 1),
                None => format!("row {}", id.0 + 1),
            };
            let mut terms = Vec::with_capacity(row.terms.len());
            for (coefficient, column) in row.terms {
                let name = || self.columns.name_in_model(column);
                let place = || format!("{}, the coefficient of {}", shown(), name());
                terms.push((column, self.number(coefficient, place)?));
            }
            let bound = |bound: Option<i128>, infinity: f64| match bound {
                Some(bound) => self.number(bound, || format!("{}, its bound", shown())),
                None => Ok(infinity),
            };
            let lower = bound(row.lower, f64::NEG_INFINITY)?;
            let upper = bound(row.upper, f64::INFINITY)?;
            visit(FloatingRow { terms, lower, upper });
            Ok(())
        })
    }

    /// The assignment with these values, rounded; or what is wrong with them.
    pub(super) fn assignment(&self, values: &[f64]) -> Result<Assignment, String> {
        let strange = |column: usize| {
            let (name, value) = (self.columns.name_in_model(column), values[column]);
            format!("{}'s value {value} of {name} is none that it can have", self.solver)
        };
        let mut rounded = Vec::with_capacity(values.len());
        for (column, &value) in values.iter().enumerate() {
            rounded.push(close_integer(value).ok_or_else(|| strange(column))?);
        }
        self.columns.assignment(&rounded).map_err(strange)
    }
}

/// The number, if a double holds it and all smaller ones.
#[allow(clippy::cast_precision_loss, reason = "checked to lose none")]
fn exact(number: i128) -> Option<f64> {
    (number.unsigned_abs() <= MOST.unsigned_abs()).then_some(number as f64)
}
