//! Integer programming solvers behind one trait: they are given the model as it was read, row by
//! row, and no clauses.
//!
//! They compute with floating-point numbers. So a solution of theirs counts only after its values
//! were rounded and checked against the model, in integers; what they say of all assignments, that
//! there is no solution or none better, is passed on as their word
//! ([`Reason::Unchecked`]) and is never a verdict. A number that a double does not hold is refused,
//! with its row, and not rounded.

mod exact;
mod external;
#[cfg(feature = "highs")]
mod highs;
mod in_thread;
mod microlp;

pub use external::ExternalIlp;
#[cfg(feature = "highs")]
pub use highs::Highs;
pub use in_thread::join_searches;
pub use microlp::Microlp;

use crate::formats::WriteError;
use crate::limits::{Limits, Reason};
use pbsolve_model::{Assignment, Model};
use std::fmt;
use std::ops::ControlFlow;

/// What a solver says in the end. Nothing of it is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// No solution is better than its last one.
    Optimal,
    /// There is no solution.
    Infeasible,
    /// The visitor of solutions had enough.
    Stopped,
    /// A limit was reached, or it failed.
    Unknown(Reason),
}

/// A solver of integer programs.
pub trait IlpSolver: fmt::Debug {
    /// Its name, for messages.
    fn name(&self) -> &str;

    /// Looks for a solution of the model, or for better and better ones if it has an objective,
    /// beginning with `start` if it can. Each goes to `visit`, which checks it.
    ///
    /// # Errors
    /// If the model cannot be given to it.
    fn solve(
        &mut self,
        model: &Model,
        start: Option<&Assignment>,
        limits: &Limits,
        visit: &mut dyn FnMut(Assignment) -> ControlFlow<()>,
    ) -> Result<Claim, LoadError>;
}

/// Why a model cannot be given to a solver.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A number that floating-point numbers do not hold.
    #[error(
        "{place}: {number} is beyond 2^53, up to which the floating-point numbers of {solver} are \
         exact"
    )]
    Inexact {
        /// The solver.
        solver: String,
        /// Where the number stands.
        place: String,
        /// The number.
        number: i128,
    },
    /// The model cannot be stated as an integer program.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Passes the solutions that are ones to `visit`. Why there are no more, where that is not because
/// `visit` had enough.
///
/// # Errors
/// As [`IlpSolver::solve`].
pub(crate) fn for_each_checked(
    solver: &mut dyn IlpSolver,
    model: &Model,
    start: Option<&Assignment>,
    limits: &Limits,
    visit: &mut dyn FnMut(Assignment) -> ControlFlow<()>,
) -> Result<Option<Reason>, LoadError> {
    let mut num_solutions = 0u64;
    let mut violation = None;
    let claim =
        solver.solve(model, start, limits, &mut |assignment| match model.check(&assignment) {
            Ok(()) => {
                (num_solutions, violation) = (num_solutions + 1, None);
                visit(assignment)
            }
            Err(found) => {
                violation = Some(found);
                ControlFlow::Continue(())
            }
        })?;
    let name = solver.name();
    let failed = |why: String| Some(Reason::Failed(why));
    Ok(match (claim, violation) {
        (Claim::Stopped, _) => None,
        (Claim::Unknown(reason), _) => Some(reason),
        (_, Some(violation)) => {
            failed(format!("{name}'s solution is not believed: it violates {violation}"))
        }
        (Claim::Optimal, None) if num_solutions == 0 => {
            failed(format!("{name} says that it has solved the model, but gives no solution"))
        }
        (Claim::Infeasible, None) if num_solutions > 0 => {
            failed(format!("{name} gives a solution, and then says that there is none"))
        }
        (Claim::Optimal, None) => {
            Some(Reason::Unchecked(format!("{name} says that this is optimal")))
        }
        (Claim::Infeasible, None) => {
            Some(Reason::Unchecked(format!("{name} says that there is no solution")))
        }
    })
}
