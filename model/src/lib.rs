//! The vocabulary of pbsolve and its checker: literals, linear rows, families of rows, models,
//! assignments, and [`Model::check`], which substitutes an assignment into every row.
//!
//! This crate depends on nothing, in particular on no encoder, solver or puzzle, so that a mistake
//! in one of those cannot hide in the check.
//!
//! ```
//! use pbsolve_model::{Assignment, Linear, Model};
//!
//! let mut model = Model::default();
//! let [a, b, c] = ["a", "b", "c"].map(|name| model.new_var(name).positive());
//! model.add(Linear::exactly(2, [a, b, c]));
//! model.add(Linear::at_most(1, [a, b]));
//!
//! assert!(model.check(&Assignment::from_values(vec![true, false, true])).is_ok());
//! let violation = model.check(&Assignment::from_values(vec![true, true, false])).unwrap_err();
//! assert_eq!(violation.to_string(), "row 2: the sum is 2, but must be at most 1");
//! ```

mod assignment;
mod check;
mod family;
mod integer;
mod literal;
mod model;
mod names;
mod objective;
mod parse_error;
mod row;

pub use assignment::Assignment;
pub use check::Violation;
pub use family::{Family, Group};
pub use integer::Integer;
pub use literal::{Lit, Var};
pub use model::{Model, RowId};
pub use objective::{Objective, Sense};
pub use parse_error::ParseError;
pub use row::{Coefficients, Linear, NumberTooWide, RowView, Term};
