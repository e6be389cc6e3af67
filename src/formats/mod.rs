//! File formats: readers and writers side by side. Everything that is read is read whole or
//! refused with its line and column; integers are exact or refused.

pub mod compressed;
pub mod json;
pub mod lp;
pub mod model_format;
pub mod mps;
pub mod opb;

mod clausal_proof;
pub(crate) mod ilp_solution;
mod lines;
mod listing;
mod named_values;
pub(crate) mod program;
mod rational;
mod read_error;
mod solution;
mod solver_output;
mod write_error;

pub use clausal_proof::{ClausalError, ClausalFormat, ClausalProof, ClausalStep};
pub use ilp_solution::{IlpAnswer, is_ilp_solution, read_ilp_solution};
pub use listing::write_listing;
pub use model_format::{ModelFormat, SolutionForm};
pub use read_error::ReadError;
pub use solution::{read_solution, shown_value, write_solution};
pub use solver_output::{MissingValues, SolverOutput, decision_values, read_solver_output};
pub use write_error::WriteError;
