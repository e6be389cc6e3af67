//! Any incremental solver of RustSAT as a [`SatSolver`].

use super::{Capabilities, SatSolver, Verdict};
use crate::limits::{Limits, Reason};
use pbsolve_model::{Lit, Var};
use rustsat::solvers::{SolveIncremental, SolverResult};
use rustsat::types::{Clause, TernaryVal};

/// A solver of RustSAT behind [`SatSolver`]. RustSAT has no time limit common to its solvers, so
/// limits are looked at before each call only.
#[derive(Debug)]
pub struct RustsatSolver<S> {
    solver: S,
    core: Vec<Lit>,
    failure: Option<String>,
}

impl<S: SolveIncremental> RustsatSolver<S> {
    /// Takes over a solver.
    pub fn new(solver: S) -> RustsatSolver<S> {
        RustsatSolver { solver, core: Vec::new(), failure: None }
    }
}

pub(super) fn to_rustsat(lit: Lit) -> rustsat::types::Lit {
    let index = u32::try_from(lit.var().index()).expect("variables are below 2^31");
    rustsat::types::Lit::new(index, lit.is_negative())
}

pub(super) fn from_rustsat(lit: rustsat::types::Lit) -> Lit {
    Var::new(lit.vidx()).lit(lit.is_pos())
}

impl<S: SolveIncremental> SatSolver for RustsatSolver<S> {
    fn name(&self) -> &'static str {
        self.solver.signature()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { keeps_limits: false, survives_limits: true, pauses: false }
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        let clause: Clause = lits.iter().map(|&lit| to_rustsat(lit)).collect();
        if let Err(error) = self.solver.add_clause(clause) {
            self.failure = Some(error.to_string());
        }
    }

    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Verdict {
        if let Some(reason) = limits.reached() {
            return Verdict::Unknown(reason);
        }
        if let Some(failure) = &self.failure {
            return Verdict::Unknown(Reason::Failed(failure.clone()));
        }
        let assumed: Vec<_> = assumptions.iter().map(|&lit| to_rustsat(lit)).collect();
        let failed = |error: anyhow::Error| Verdict::Unknown(Reason::Failed(error.to_string()));
        match self.solver.solve_assumps(&assumed) {
            Ok(SolverResult::Sat) => Verdict::Satisfiable,
            Ok(SolverResult::Unsat) => match self.solver.core() {
                Ok(core) => {
                    // RustSAT's core is a clause of negated assumptions.
                    self.core = core.into_iter().map(|lit| !from_rustsat(lit)).collect();
                    Verdict::Unsatisfiable
                }
                Err(error) => failed(error),
            },
            Ok(SolverResult::Interrupted) => Verdict::Unknown(Reason::Interrupted),
            Err(error) => failed(error),
        }
    }

    fn value(&self, var: Var) -> bool {
        let value = self.solver.lit_val(to_rustsat(var.positive()));
        matches!(value, Ok(TernaryVal::True))
    }

    fn failed_core(&self) -> &[Lit] {
        &self.core
    }
}
