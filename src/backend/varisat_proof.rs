//! Varisat with a proof: what its own checker accepts, step by step, becomes the end of a proof.
//!
//! Varisat's checker runs beside the solver and names for each learnt clause the clauses that
//! propagate, in order: the hints of a proof step. A step that fails ends the search, which is how
//! limits are kept; a phase without conflicts is covered by the thread that waits.

use super::threaded::answer_within;
use super::varisat::{from_varisat, to_varisat, values};
use crate::limits::{Limits, Reason};
use crate::proof::ProofWriter;
use pbsolve_encodings::ConstraintId;
use pbsolve_encodings::sink::Cnf;
use pbsolve_model::Lit;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use varisat::ExtendFormula;
use varisat::checker::{CheckedProofStep, CheckerData, ProofProcessor};

/// What came of refuting clauses.
pub(crate) enum Refutation {
    /// They have no solution: the proof so far, and the constraint that is a contradiction.
    Refuted(ProofWriter, ConstraintId),
    /// They have one: the values of the variables, false where one is missing.
    Satisfied(Vec<bool>),
    /// Not decided, and why.
    Unknown(Reason),
}

/// Refutes clauses, each of which has a constraint in the proof.
pub(crate) fn refute(
    cnf: Cnf,
    constraints: Vec<ConstraintId>,
    writer: ProofWriter,
    limits: &Limits,
) -> Refutation {
    let (outgoing, answers) = sync_channel(1);
    let stop = Arc::new(AtomicBool::new(false));
    let steps = Steps::new(constraints, writer, Arc::clone(&stop));
    let named = thread::Builder::new().name("varisat with proof".to_owned());
    let spawned = named.spawn(move || work(&cnf, steps, &outgoing));
    if let Err(error) = spawned {
        return Refutation::Unknown(Reason::Failed(error.to_string()));
    }
    answer_within(&answers, limits).unwrap_or_else(|reason| {
        // The worker ends at its next step and removes the unfinished proof.
        stop.store(true, Ordering::Relaxed);
        Refutation::Unknown(reason)
    })
}

fn work(cnf: &Cnf, mut steps: Steps, answers: &SyncSender<Refutation>) {
    // The solver does not pass an empty clause on.
    if let Some(place) = cnf.clauses().position(<[Lit]>::is_empty) {
        let contradiction = steps.given[place];
        drop(answers.send(Refutation::Refuted(steps.writer, contradiction)));
        return;
    }
    let solved = {
        let mut solver = varisat::Solver::new();
        solver.add_proof_processor(&mut steps);
        let mut lits: Vec<varisat::Lit> = Vec::new();
        for clause in cnf.clauses() {
            lits.clear();
            lits.extend(clause.iter().map(|&lit| to_varisat(lit)));
            solver.add_clause(&lits);
        }
        match solver.solve() {
            Ok(true) => Ok(Some(values(&solver))),
            Ok(false) => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    };
    let Steps { writer, contradiction, .. } = steps;
    let answer = match (solved, contradiction) {
        (Ok(None), Some(contradiction)) => Refutation::Refuted(writer, contradiction),
        (Ok(Some(values)), _) => {
            // Removes the unfinished proof before the answer.
            drop(writer);
            Refutation::Satisfied(values)
        }
        (Ok(None), None) => {
            let lost = "it found no solution, but its proof has no end";
            Refutation::Unknown(Reason::Failed(lost.to_owned()))
        }
        (Err(error), _) => Refutation::Unknown(Reason::Failed(error)),
    };
    // The other side may have given up waiting.
    drop(answers.send(answer));
}

/// The steps of the solver on their way to the proof.
struct Steps {
    /// The constraints of the clauses that the solver is given, in order.
    given: Vec<ConstraintId>,
    num_given: usize,
    writer: ProofWriter,
    /// The constraint of each of Varisat's clauses. Its ids are consecutive until clauses are
    /// deleted, and ids of deleted ones do not come back.
    constraints: HashMap<u64, ConstraintId>,
    contradiction: Option<ConstraintId>,
    stop: Arc<AtomicBool>,
    lits: Vec<Lit>,
}

impl Steps {
    fn new(given: Vec<ConstraintId>, writer: ProofWriter, stop: Arc<AtomicBool>) -> Steps {
        let (constraints, lits) = (HashMap::new(), Vec::new());
        Steps { given, num_given: 0, writer, constraints, contradiction: None, stop, lits }
    }

    fn next_given(&mut self) -> ConstraintId {
        self.num_given += 1;
        self.given[self.num_given - 1]
    }

    fn learn(
        &mut self,
        id: u64,
        clause: &[varisat::Lit],
        hints: &[u64],
        data: CheckerData<'_, '_>,
    ) {
        self.lits.clear();
        for &lit in clause {
            // The checker has its own numbers for variables.
            let var = data.user_from_proof_var(lit.var()).unwrap_or(lit.var());
            self.lits.push(from_varisat(var.lit(lit.is_positive())));
        }
        let hints = hints.iter().map(|hint| self.constraints[hint]);
        let constraint = self.writer.rup(&self.lits, hints);
        self.constraints.insert(id, constraint);
        if clause.is_empty() {
            self.contradiction = Some(constraint);
        }
    }

    /// Forgets a learnt clause; constraints of the encoding may stand for more than one clause.
    fn forget(&mut self, id: u64) {
        let is_learnt = id >= self.given.len() as u64;
        if let Some(constraint) = self.constraints.remove(&id)
            && is_learnt
        {
            self.writer.del(&[constraint]);
        }
    }
}

impl ProofProcessor for Steps {
    fn process_step(
        &mut self,
        step: &CheckedProofStep<'_>,
        data: CheckerData<'_, '_>,
    ) -> Result<(), anyhow::Error> {
        anyhow::ensure!(!self.stop.load(Ordering::Relaxed), "stopped");
        match *step {
            CheckedProofStep::AddClause { id, .. } => {
                let constraint = self.next_given();
                self.constraints.insert(id, constraint);
            }
            CheckedProofStep::DuplicatedClause { .. }
            | CheckedProofStep::TautologicalClause { .. } => {
                self.next_given();
            }
            CheckedProofStep::AtClause { id, clause, propagations, .. } => {
                self.learn(id, clause, propagations, data);
            }
            CheckedProofStep::DeleteClause { id, .. }
            | CheckedProofStep::DeleteAtClause { id, keep_as_redundant: false, .. } => {
                self.forget(id);
            }
            _ => {}
        }
        Ok(())
    }
}
