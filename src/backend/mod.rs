//! SAT solvers behind one trait.

#[cfg(feature = "cadical")]
mod cadical;
#[cfg(feature = "cadical")]
mod cadical_proof;
mod external;
mod external_proof;
mod rustsat_solver;
mod solver_sink;
mod table;
mod threaded;
mod varisat;
mod varisat_for_rustsat;
mod varisat_proof;

pub use crate::external::{CommandError, end_external_solvers};
#[cfg(feature = "cadical")]
pub(crate) use cadical::cadical_with_proof;
#[cfg(feature = "cadical")]
pub use cadical::{Cadical, CadicalWorker};
pub use external::External;
pub(crate) use external_proof::ExternalWithProof;
pub use rustsat_solver::RustsatSolver;
pub use solver_sink::{Loaded, SolverSink};
pub use table::{ALL, Entry, Feature, Kind, MissingBackend, find};
pub use threaded::{Answer, Gate, Threaded, Worker};
pub use varisat::{Varisat, VarisatWorker};
pub use varisat_for_rustsat::VarisatForRustsat;
pub(crate) use varisat_proof::VarisatWithProof;

use crate::limits::{Limits, Reason};
use pbsolve_model::{Lit, Var};

/// What a solver says about its clauses under the assumptions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is a satisfying assignment; [`SatSolver::value`] has it.
    Satisfiable,
    /// There is none; [`SatSolver::failed_core`] has the assumptions to blame.
    Unsatisfiable,
    /// Not decided, and why. A solver that was stopped may refuse to go on.
    Unknown(Reason),
}

/// What a back-end can do beyond the trait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Keeps to a deadline and a stop flag during `solve`.
    pub keeps_limits: bool,
    /// Can be asked again after a limit was reached.
    pub survives_limits: bool,
    /// Pauses when [`Limits::work`] is done.
    pub pauses: bool,
}

/// How much a solver did so far, as far as it tells: the same in every run, unlike a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Conflicts.
    pub conflicts: Option<u64>,
    /// Decisions.
    pub decisions: Option<u64>,
    /// Propagated literals.
    pub propagations: Option<u64>,
}

impl Effort {
    /// Adds what another solver did.
    pub fn add(&mut self, other: Effort) {
        let sum = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(a + b),
            (told, untold) => told.or(untold),
        };
        self.conflicts = sum(self.conflicts, other.conflicts);
        self.decisions = sum(self.decisions, other.decisions);
        self.propagations = sum(self.propagations, other.propagations);
    }
}

/// An incremental SAT solver.
pub trait SatSolver {
    /// Its name, as `--backend` spells it.
    fn name(&self) -> &'static str;

    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// Adds a clause; the empty one is a contradiction.
    fn add_clause(&mut self, lits: &[Lit]);

    /// Decides the clauses under assumptions, within limits.
    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Verdict;

    /// Goes on with a call that [paused](Reason::Paused), with the same clauses and assumptions.
    ///
    /// # Panics
    /// If the last call did not pause.
    fn resume(&mut self, limits: &Limits) -> Verdict {
        unreachable!("{} does not pause: {limits:?}", self.name())
    }

    /// The value of a variable after [`Verdict::Satisfiable`]; variables in no clause are false.
    fn value(&self, var: Var) -> bool;

    /// Assumptions that cannot hold together, after [`Verdict::Unsatisfiable`].
    fn failed_core(&self) -> &[Lit];

    /// What it did in all its calls.
    fn effort(&self) -> Effort {
        Effort::default()
    }
}
