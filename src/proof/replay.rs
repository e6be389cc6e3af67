//! The proof that a SAT solver wrote, taken over into ours step by step.
//!
//! Clauses of LRAT keep their hints. Those of DRAT have none, so that the checker has to search for
//! each of them: slower by an order of magnitude or more on long proofs.

use super::writer::ProofWriter;
use crate::formats::{ClausalError, ClausalFormat, ClausalProof, ClausalStep};
use crate::limits::{Limits, Reason};
use pbsolve_encodings::ConstraintId;
use pbsolve_model::Lit;
use std::collections::HashMap;
use std::io::BufRead;

/// Steps between two looks at the limits.
const STEPS_BETWEEN_LOOKS: u64 = 1 << 10;

/// Takes the steps of a proof over.
#[derive(Debug)]
pub(crate) struct Replay<'w> {
    writer: &'w mut ProofWriter,
    /// The constraints of the clauses that the solver was given, in order.
    given: &'w [ConstraintId],
    /// Variables of these clauses.
    num_variables: usize,
    /// Learnt clauses, by their numbers in LRAT.
    numbered: HashMap<u64, ConstraintId>,
    /// Learnt clauses in DRAT, by their sorted literals. The same clause may be there twice.
    learnt: HashMap<Vec<Lit>, Vec<ConstraintId>>,
}

impl<'w> Replay<'w> {
    pub(crate) fn new(
        writer: &'w mut ProofWriter,
        given: &'w [ConstraintId],
        num_variables: usize,
    ) -> Replay<'w> {
        Replay { writer, given, num_variables, numbered: HashMap::new(), learnt: HashMap::new() }
    }

    /// Takes all steps over; the constraint that is a contradiction.
    pub(crate) fn all(
        mut self,
        mut proof: ClausalProof<impl BufRead>,
        limits: &Limits,
    ) -> Result<ConstraintId, Reason> {
        let format = proof.format();
        let told = |error: ClausalError| failed(&error.to_string());
        let mut num_steps = 0u64;
        while let Some(step) = proof.next().map_err(told)? {
            num_steps += 1;
            if num_steps.is_multiple_of(STEPS_BETWEEN_LOOKS)
                && let Some(reason) = limits.reached()
            {
                return Err(reason);
            }
            let in_step = |message: String| failed(&format!("step {num_steps}: {message}"));
            if let Some(contradiction) = self.step(step).map_err(in_step)? {
                return Ok(contradiction);
            }
        }
        if format == ClausalFormat::Drat {
            // Solvers may leave out the empty clause where propagation finds it.
            return Ok(self.writer.rup_without_hints(&[]));
        }
        Err(failed("it ends without the empty clause"))
    }

    /// Takes a step over; the constraint of the empty clause, which ends the proof.
    fn step(&mut self, step: ClausalStep) -> Result<Option<ConstraintId>, String> {
        match step {
            ClausalStep::Add { lits, lrat } => {
                let is_new = |lit: &&Lit| lit.var().index() >= self.num_variables;
                if let Some(lit) = lits.iter().find(is_new) {
                    return Err(format!(
                        "variable {} is in no clause that the solver was given: a RAT step, which \
                         defines it; only steps by unit propagation can be taken over",
                        lit.var().index() + 1
                    ));
                }
                let is_empty = lits.is_empty();
                let constraint = match lrat {
                    Some((number, hints)) => self.add_numbered(number, &lits, &hints)?,
                    None => self.add(lits),
                };
                Ok(is_empty.then_some(constraint))
            }
            ClausalStep::DeleteClause(lits) => {
                self.delete(lits);
                Ok(None)
            }
            ClausalStep::DeleteNumbers(numbers) => {
                // Constraints of the encoding may stand for more than one clause, and stay.
                let learnt = numbers.iter().filter_map(|number| self.numbered.remove(number));
                let learnt: Vec<ConstraintId> = learnt.collect();
                self.writer.del(&learnt);
                Ok(None)
            }
        }
    }

    fn add_numbered(
        &mut self,
        number: u64,
        lits: &[Lit],
        hints: &[u64],
    ) -> Result<ConstraintId, String> {
        let constraints: Result<Vec<ConstraintId>, String> =
            hints.iter().map(|&hint| self.constraint(hint)).collect();
        if self.is_given(number).is_some() || self.numbered.contains_key(&number) {
            return Err(format!("a second clause with number {number}"));
        }
        let constraint = self.writer.rup(lits, constraints?);
        self.numbered.insert(number, constraint);
        Ok(constraint)
    }

    fn is_given(&self, number: u64) -> Option<ConstraintId> {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        self.given.get(place).copied()
    }

    fn constraint(&self, number: u64) -> Result<ConstraintId, String> {
        let learnt = || self.numbered.get(&number).copied();
        let constraint = self.is_given(number).or_else(learnt);
        constraint.ok_or_else(|| format!("hint {number}: there is no such clause"))
    }

    fn add(&mut self, mut lits: Vec<Lit>) -> ConstraintId {
        let constraint = self.writer.rup_without_hints(&lits);
        lits.sort_unstable();
        lits.dedup();
        self.learnt.entry(lits).or_default().push(constraint);
        constraint
    }

    /// Deletions of what was given, or of clauses that are not there, change nothing: more
    /// constraints than the solver had do no harm. Unit clauses stay, as with `drat-trim`.
    fn delete(&mut self, mut lits: Vec<Lit>) {
        lits.sort_unstable();
        lits.dedup();
        if lits.len() < 2 {
            return;
        }
        let Some(constraints) = self.learnt.get_mut(&lits) else { return };
        let deleted = constraints.pop();
        if constraints.is_empty() {
            self.learnt.remove(&lits);
        }
        self.writer.del(deleted.as_slice());
    }
}

fn failed(what: &str) -> Reason {
    Reason::Failed(format!("its proof cannot be taken over: {what}"))
}
