//! What the rule check says: the rule that a board breaks, and where.

use crate::Grid;
use std::fmt;

/// A rule that a board breaks. Rows and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleViolation {
    /// Which rule, and where.
    pub message: String,
}

impl RuleViolation {
    pub(crate) fn new(message: impl Into<String>) -> RuleViolation {
        RuleViolation { message: message.into() }
    }
}

impl fmt::Display for RuleViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RuleViolation {}

/// The rules of every puzzle: the board has the size of the givens, keeps them, and is full.
pub(crate) fn check_givens(
    givens: &Grid,
    solution: &Grid,
    symbol: impl Fn(u16) -> String,
) -> Result<(), RuleViolation> {
    if !solution.has_size_of(givens) {
        return Err(RuleViolation::new(format!(
            "the board has {} rows and {} columns instead of {} and {}",
            solution.num_rows(),
            solution.num_columns(),
            givens.num_rows(),
            givens.num_columns()
        )));
    }
    for row in 0..givens.num_rows() {
        for column in 0..givens.num_columns() {
            let (given, found) = (givens.get(row, column), solution.get(row, column));
            let place = || format!("row {}, column {}", row + 1, column + 1);
            match (given, found) {
                (_, None) => return Err(RuleViolation::new(format!("{} is empty", place()))),
                (Some(given), Some(found)) if given != found => {
                    let (given, found) = (symbol(given), symbol(found));
                    return Err(RuleViolation::new(format!(
                        "the given {given} at {} became {found}",
                        place()
                    )));
                }
                _ => {}
            }
        }
    }
    Ok(())
}
