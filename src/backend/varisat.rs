//! Varisat, the default solver.
//!
//! Varisat has neither a time limit nor a way to be interrupted. Its proof goes to a writer that
//! fails once the solver is to stop, which ends the search at the next flush of the proof buffer, and
//! that waits while the search pauses. A solver that was stopped is never called again: it would
//! panic.

use super::Effort;
use super::threaded::{Answer, Gate, Threaded, Worker};
use pbsolve_model::{Lit, Var};
use std::io;
use std::mem::ManuallyDrop;
use varisat::{ExtendFormula, ProofFormat};

/// Varisat behind [`SatSolver`](super::SatSolver). Its work is counted in bytes of proof.
pub type Varisat = Threaded<VarisatWorker>;

/// Varisat as its thread runs it.
pub struct VarisatWorker {
    /// Never dropped: closing the proof of a solver that was stopped would fail again, loudly, and
    /// there is nothing to save.
    solver: ManuallyDrop<varisat::Solver<'static>>,
    lits: Vec<varisat::Lit>,
}

impl std::fmt::Debug for VarisatWorker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VarisatWorker").finish_non_exhaustive()
    }
}

impl Worker for VarisatWorker {
    const NAME: &'static str = "varisat";
    const TELLS_EFFORT: bool = false;

    fn new(gate: Gate) -> VarisatWorker {
        let mut solver = varisat::Solver::new();
        solver.write_proof(GatedProof { gate }, ProofFormat::Varisat);
        VarisatWorker { solver: ManuallyDrop::new(solver), lits: Vec::new() }
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        self.lits.clear();
        self.lits.extend(lits.iter().map(|&lit| to_varisat(lit)));
        self.solver.add_clause(&self.lits);
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        let assumed: Vec<varisat::Lit> = assumptions.iter().map(|&lit| to_varisat(lit)).collect();
        self.solver.assume(&assumed);
        match self.solver.solve() {
            Ok(true) => Answer::Satisfiable(values(&self.solver)),
            Ok(false) => {
                let core = self.solver.failed_core().unwrap_or(&[]);
                Answer::Unsatisfiable(core.iter().copied().map(from_varisat).collect())
            }
            Err(error) => Answer::Failed(error.to_string()),
        }
    }

    /// It has no statistics.
    fn effort(&self) -> Effort {
        Effort::default()
    }
}

/// The values of the variables that it saw.
fn values(solver: &varisat::Solver<'_>) -> Vec<bool> {
    let mut values = Vec::new();
    for lit in solver.model().unwrap_or_default() {
        if values.len() <= lit.index() {
            values.resize(lit.index() + 1, false);
        }
        values[lit.index()] = lit.is_positive();
    }
    values
}

fn to_varisat(lit: Lit) -> varisat::Lit {
    varisat::Lit::from_index(lit.var().index(), !lit.is_negative())
}

fn from_varisat(lit: varisat::Lit) -> Lit {
    Var::new(lit.index()).lit(lit.is_positive())
}

/// Where Varisat's proof goes: nowhere.
struct GatedProof {
    gate: Gate,
}

impl io::Write for GatedProof {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let passed = self.gate.pass(bytes.len() as u64);
        if passed.is_break() { Err(io::Error::other("stopped")) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
