//! CaDiCaL with a proof: it names for each clause that it learns the clauses that propagate, in
//! order, which are the hints of a proof step.
//!
//! F. Pollitt, M. Fleury, A. Biere: Faster LRAT Checking Than Solving with CaDiCaL. SAT 2023.

use super::rustsat_solver::from_rustsat;
use crate::proof::{SharedLog, StepWriter};
use pbsolve_encodings::ConstraintId;
use pbsolve_model::Lit;
use rustsat_cadical::{CaDiCaLClause, ClauseId, TraceProof};
use std::collections::{HashMap, HashSet};

/// Takes the steps of CaDiCaL over into a proof.
#[derive(Debug)]
pub(super) struct Tracer<W> {
    log: SharedLog<W>,
    /// Clauses that the solver was given so far.
    num_given: usize,
    /// The constraint of each of its clauses, and whether it was learnt.
    constraints: HashMap<ClauseId, (ConstraintId, bool)>,
    /// Learnt clauses that it put aside and may take up again, under the same number.
    put_aside: HashSet<ClauseId>,
    lits: Vec<Lit>,
}

impl<W> Tracer<W> {
    pub(super) fn new(log: SharedLog<W>) -> Tracer<W> {
        let (constraints, put_aside) = (HashMap::new(), HashSet::new());
        Tracer { log, num_given: 0, constraints, put_aside, lits: Vec::new() }
    }

    /// Gives the proof up: without it, the search ends.
    fn give_up(&self) {
        drop(self.log.lock().writer.take());
    }
}

impl<W: StepWriter> TraceProof for Tracer<W> {
    fn add_original_clause(
        &mut self,
        id: ClauseId,
        _redundant: bool,
        _clause: &CaDiCaLClause<'_>,
        restored: bool,
    ) {
        if restored {
            return;
        }
        if let Some(&constraint) = self.log.lock().clauses.get(self.num_given) {
            self.constraints.insert(id, (constraint, false));
        }
        self.num_given += 1;
    }

    fn add_derived_clause(
        &mut self,
        id: ClauseId,
        _redundant: bool,
        clause: &CaDiCaLClause<'_>,
        antecedents: &[ClauseId],
    ) {
        self.lits.clear();
        self.lits.extend(clause.iter().map(from_rustsat));
        let hints = antecedents.iter().map(|hint| self.constraints.get(hint).map(|known| known.0));
        let Some(hints) = hints.collect::<Option<Vec<ConstraintId>>>() else {
            // No panic may pass through CaDiCaL.
            return self.give_up();
        };
        let mut log = self.log.lock();
        let Some(writer) = &mut log.writer else { return };
        let constraint = writer.learn(&self.lits, &mut hints.into_iter());
        self.constraints.insert(id, (constraint, true));
        if self.lits.is_empty() {
            log.contradiction = Some(constraint);
        }
    }

    fn weaken_minus(&mut self, id: ClauseId, _clause: &CaDiCaLClause<'_>) {
        self.put_aside.insert(id);
    }

    fn delete_clause(&mut self, id: ClauseId, _redundant: bool, clause: &CaDiCaLClause<'_>) {
        if self.put_aside.contains(&id) {
            return;
        }
        // Constraints of the encoding may stand for more than one clause, and stay.
        if let Some((constraint, true)) = self.constraints.remove(&id)
            && let Some(writer) = &mut self.log.lock().writer
        {
            self.lits.clear();
            self.lits.extend(clause.iter().map(from_rustsat));
            writer.forget(constraint, &self.lits);
        }
    }
}
