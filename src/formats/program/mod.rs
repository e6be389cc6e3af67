//! Integer programs: columns with bounds and rows of fractions, as LP and MPS files state them,
//! and their exact translation into 0-1 models ([`Program`]) and back ([`Columns`]).
//!
//! An integer column `n` from `lower` to `upper` is `lower + sum of 2^i * bit i`. In rows and in
//! the objective it is replaced by that sum, and written back where the coefficients of the bits
//! are in that proportion.

mod of_model;
mod to_model;

pub(super) use of_model::ObjectiveOverColumns;
pub(crate) use of_model::{Columns, Integers, RowOverColumns};
pub(super) use to_model::{Advice, ColumnKind, Limit, Program, ProgramRow, ProgramTerm};

/// Bounds of columns from here on mean "none" in these formats.
const INFINITY: i128 = 10i128.pow(20);
