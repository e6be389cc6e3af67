//! For tests of encoders, one's own included: a readable view of clauses for snapshot tests, and
//! the table tests that every encoder of this crate passes.
//!
//! A snapshot names variables by their role and prints the same for the same clauses. The order of
//! the clauses is part of what this crate promises; a change of it is a line of the changelog.
//!
//! ```
//! use pbsolve_encodings::testing::{Snapshot, conformance};
//! use pbsolve_encodings::{Ladder, Row};
//! use pbsolve_model::{Lit, Var};
//!
//! let lits: Vec<Lit> = (0..3).map(|i| Var::new(i).positive()).collect();
//! let snapshot = Snapshot::of(&Ladder, &Row::AtMostOne(&lits));
//! let text = "\
//! ladder: 3 inputs, 2 auxiliary variables, 5 clauses, 10 literals
//! ~x[1] | s[1]
//! ~x[2] | s[2]
//! ~s[1] | s[2]
//! ~s[1] | ~x[2]
//! ~s[2] | ~x[3]
//! ";
//! assert_eq!(snapshot.to_string(), text);
//!
//! let conformance = conformance(&Ladder).unwrap_or_else(|error| panic!("{error}"));
//! assert!(conformance.rows > 0);
//! ```

mod compare;
mod conformance;
mod feasible;
mod snapshot;
mod unit_propagation;

pub use compare::{ComparedSizes, SizeComparison, Sizes, compare_sizes};
pub use conformance::{Check, Conformance, ConformanceError, check_row, conformance};
pub use snapshot::Snapshot;
pub use unit_propagation::Propagator;
