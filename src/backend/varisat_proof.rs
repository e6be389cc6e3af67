//! Varisat with a proof: what its own checker accepts, step by step, becomes part of a proof.
//!
//! Varisat's checker runs beside the solver and names for each learnt clause the clauses that
//! propagate, in order: the hints of a proof step. A step that fails ends the search, which is how
//! limits are kept: it does once the proof is given up. A phase without conflicts is covered by the
//! thread that waits.

use super::threaded::{Batch, answer_within};
use super::{Capabilities, SatSolver, Verdict};
use crate::limits::{Limits, Reason};
use crate::proof::{ProofWriter, SharedLog, StepWriter};
use pbsolve_encodings::ConstraintId;
use pbsolve_model::{Lit, Var};
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use varisat::ExtendFormula;
use varisat::checker::{CheckedProofStep, CheckerData, ProofProcessor};

/// Varisat whose clauses have constraints in a proof, and which adds to the proof what it learns.
/// All clauses are justified by the time it is called; what follows from assumptions is no part of
/// a proof, so it takes none.
pub(crate) struct VarisatWithProof<W = ProofWriter> {
    log: SharedLog<W>,
    commands: Sender<Batch>,
    answers: Receiver<Answer>,
    batch: Batch,
    /// The place of the empty clause among those that it was given.
    empty_clause: Option<usize>,
    num_clauses: usize,
    values: Vec<bool>,
    ended: Option<Reason>,
}

enum Answer {
    Satisfiable(Vec<bool>),
    Unsatisfiable,
    Failed(String),
}

impl<W: StepWriter> VarisatWithProof<W> {
    /// A solver without clauses; starts its thread.
    ///
    /// # Panics
    /// If the system starts no thread.
    pub(crate) fn new(log: SharedLog<W>) -> VarisatWithProof<W> {
        let (commands, incoming) = channel();
        let (outgoing, answers) = sync_channel(1);
        let log_of_worker = log.clone();
        let named = thread::Builder::new().name("varisat with proof".to_owned());
        let worker = move || work(&incoming, log_of_worker, &outgoing);
        named.spawn(worker).expect("the system starts a thread");
        let (batch, values) = (Batch::default(), Vec::new());
        let (empty_clause, num_clauses, ended) = (None, 0, None);
        VarisatWithProof { log, commands, answers, batch, empty_clause, num_clauses, values, ended }
    }

    fn end(&mut self, reason: Reason) -> Verdict {
        // The worker ends at its next step.
        drop(self.log.lock().writer.take());
        self.ended = Some(reason.clone());
        Verdict::Unknown(reason)
    }
}

impl<W: StepWriter> SatSolver for VarisatWithProof<W> {
    fn name(&self) -> &'static str {
        "varisat"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { keeps_limits: true, survives_limits: false, pauses: false }
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        // Varisat does not pass an empty clause on.
        if lits.is_empty() {
            self.empty_clause.get_or_insert(self.num_clauses);
        }
        self.num_clauses += 1;
        self.batch.push(lits);
    }

    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Verdict {
        assert!(assumptions.is_empty(), "a proof has no assumptions");
        if let Some(reason) = self.ended.clone().or_else(|| limits.reached()) {
            return Verdict::Unknown(reason);
        }
        if let Some(place) = self.empty_clause {
            let mut log = self.log.lock();
            log.contradiction = Some(log.clauses[place]);
            return Verdict::Unsatisfiable;
        }
        if self.commands.send(std::mem::take(&mut self.batch)).is_err() {
            return self.end(Reason::Failed("its thread ended".to_owned()));
        }
        match answer_within(&self.answers, limits) {
            Ok(Answer::Satisfiable(values)) => {
                self.values = values;
                Verdict::Satisfiable
            }
            Ok(Answer::Unsatisfiable) if self.log.lock().contradiction.is_some() => {
                Verdict::Unsatisfiable
            }
            Ok(Answer::Unsatisfiable) => {
                let lost = "it found no solution, but its proof has no end";
                self.end(Reason::Failed(lost.to_owned()))
            }
            Ok(Answer::Failed(why)) => self.end(Reason::Failed(why)),
            Err(reason) => self.end(reason),
        }
    }

    fn value(&self, var: Var) -> bool {
        self.values.get(var.index()).copied().unwrap_or(false)
    }

    fn failed_core(&self) -> &[Lit] {
        &[]
    }
}

/// Consecutive numbers for the variables that are in clauses. Varisat and its checker keep all up
/// to the highest one, and a proof has the numbers of the model, most of whose indicators may be in
/// no clause.
#[derive(Default)]
struct Numbers {
    /// The number of each variable, by its index.
    numbers: Vec<Option<usize>>,
    /// The variable of each number, which the steps read.
    vars: Rc<RefCell<Vec<Var>>>,
}

impl Numbers {
    fn number(&mut self, lit: Lit) -> varisat::Lit {
        let index = lit.var().index();
        if index >= self.numbers.len() {
            self.numbers.resize(index + 1, None);
        }
        let number = *self.numbers[index].get_or_insert_with(|| {
            let mut vars = self.vars.borrow_mut();
            vars.push(lit.var());
            vars.len() - 1
        });
        varisat::Lit::from_index(number, !lit.is_negative())
    }

    /// The values that the solver found, by the index of the variable.
    fn values(&self, solver: &varisat::Solver<'_>) -> Vec<bool> {
        let mut values = vec![false; self.numbers.len()];
        for lit in solver.model().unwrap_or_default() {
            values[self.vars.borrow()[lit.index()].index()] = lit.is_positive();
        }
        values
    }
}

/// The worker: adds clauses and solves until the channel closes or a step fails.
fn work<W: StepWriter>(
    commands: &Receiver<Batch>,
    log: SharedLog<W>,
    answers: &SyncSender<Answer>,
) {
    let mut numbers = Numbers::default();
    let mut steps = Steps::new(log, Rc::clone(&numbers.vars));
    let mut solver = varisat::Solver::new();
    solver.add_proof_processor(&mut steps);
    let mut lits: Vec<varisat::Lit> = Vec::new();
    while let Ok(batch) = commands.recv() {
        for clause in batch.clauses() {
            lits.clear();
            lits.extend(clause.iter().map(|&lit| numbers.number(lit)));
            solver.add_clause(&lits);
        }
        let answer = match solver.solve() {
            Ok(true) => Answer::Satisfiable(numbers.values(&solver)),
            Ok(false) => Answer::Unsatisfiable,
            Err(error) => Answer::Failed(error.to_string()),
        };
        let failed = matches!(answer, Answer::Failed(_));
        // The other side may have given up waiting.
        if answers.send(answer).is_err() || failed {
            break;
        }
    }
}

/// Spreads ids that are nearly consecutive.
#[derive(Default)]
struct ConsecutiveHasher(u64);

impl Hasher for ConsecutiveHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, id: u64) {
        // The golden ratio, as in Fibonacci hashing.
        self.0 = (self.0 ^ id).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32);
    }
}

/// The steps of the solver on their way to the proof.
struct Steps<W> {
    log: SharedLog<W>,
    /// Clauses that the solver was given so far.
    num_given: usize,
    /// The constraint of each of Varisat's clauses, and whether it was learnt. Ids of deleted
    /// clauses do not come back.
    constraints: HashMap<u64, (ConstraintId, bool), BuildHasherDefault<ConsecutiveHasher>>,
    /// See [`Numbers`].
    vars: Rc<RefCell<Vec<Var>>>,
    lits: Vec<Lit>,
}

impl<W: StepWriter> Steps<W> {
    fn new(log: SharedLog<W>, vars: Rc<RefCell<Vec<Var>>>) -> Steps<W> {
        Steps { log, num_given: 0, constraints: HashMap::default(), vars, lits: Vec::new() }
    }

    fn give(&mut self, id: Option<u64>) {
        if let Some(id) = id {
            let constraint = self.log.lock().clauses[self.num_given];
            self.constraints.insert(id, (constraint, false));
        }
        self.num_given += 1;
    }

    fn learn(
        &mut self,
        id: u64,
        clause: &[varisat::Lit],
        hints: &[u64],
        data: CheckerData<'_, '_>,
    ) -> Result<(), anyhow::Error> {
        self.read(clause, data);
        let mut hints = hints.iter().map(|hint| self.constraints[hint].0);
        let mut log = self.log.lock();
        let writer = log.writer.as_mut().ok_or_else(|| anyhow::anyhow!("stopped"))?;
        let constraint = writer.learn(&self.lits, &mut hints);
        if clause.is_empty() {
            log.contradiction = Some(constraint);
        }
        drop(log);
        self.constraints.insert(id, (constraint, true));
        Ok(())
    }

    /// Forgets a learnt clause; constraints of the encoding may stand for more than one clause.
    fn forget(&mut self, id: u64, clause: &[varisat::Lit], data: CheckerData<'_, '_>) {
        if let Some((constraint, true)) = self.constraints.remove(&id) {
            self.read(clause, data);
            if let Some(writer) = &mut self.log.lock().writer {
                writer.forget(constraint, &self.lits);
            }
        }
    }

    fn read(&mut self, clause: &[varisat::Lit], data: CheckerData<'_, '_>) {
        self.lits.clear();
        for &lit in clause {
            // The checker has its own numbers for variables.
            let number = data.user_from_proof_var(lit.var()).unwrap_or(lit.var()).index();
            self.lits.push(self.vars.borrow()[number].lit(lit.is_positive()));
        }
    }
}

impl<W: StepWriter> ProofProcessor for Steps<W> {
    fn process_step(
        &mut self,
        step: &CheckedProofStep<'_>,
        data: CheckerData<'_, '_>,
    ) -> Result<(), anyhow::Error> {
        match *step {
            CheckedProofStep::AddClause { id, .. } => self.give(Some(id)),
            CheckedProofStep::DuplicatedClause { .. }
            | CheckedProofStep::TautologicalClause { .. } => self.give(None),
            CheckedProofStep::AtClause { id, clause, propagations, .. } => {
                self.learn(id, clause, propagations, data)?;
            }
            CheckedProofStep::DeleteClause { id, clause }
            | CheckedProofStep::DeleteAtClause { id, clause, keep_as_redundant: false, .. } => {
                self.forget(id, clause, data);
            }
            _ => {}
        }
        Ok(())
    }
}
