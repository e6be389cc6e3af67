//! File formats: readers and writers side by side. Everything that is read is read whole or
//! refused with its line and column; integers are exact or refused.

pub mod lp;
pub mod mps;
pub mod opb;

mod lines;
mod listing;
mod program;
mod rational;
mod read_error;
mod solution;
mod solver_output;
mod write_error;

pub use listing::write_listing;
pub use read_error::ReadError;
pub use solution::read_solution;
pub use solver_output::{MissingValues, SolverOutput, decision_values, read_solver_output};
pub use write_error::WriteError;
