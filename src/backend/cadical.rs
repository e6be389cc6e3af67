//! CaDiCaL, for hard models: it simplifies the clauses before and during its search.
//!
//! A. Biere, T. Faller, K. Fazekas, M. Fleury, N. Froleyks, F. Pollitt: CaDiCaL 2.0. CAV 2024.

use super::Effort;
use super::cadical_proof::Tracer;
use super::rustsat_solver::{from_rustsat, to_rustsat};
use super::threaded::{Answer, Batch, Gate, Threaded, Worker};
use crate::proof::{ProofWriter, SharedLog, StepWriter};
use pbsolve_model::{Lit, Var};
use rustsat::solvers::{
    ControlSignal, GetInternalStats, Learn, Solve, SolveIncremental, SolverResult, Terminate,
};
use rustsat::types::TernaryVal;
use rustsat_cadical::{CaDiCaL, ProofTracerHandle};
use std::cell::Cell;
use std::rc::Rc;

/// CaDiCaL behind [`SatSolver`](super::SatSolver). Its work is counted in literals learnt.
pub type Cadical = Threaded<CadicalWorker>;

/// CaDiCaL as its thread runs it.
#[derive(Debug)]
pub struct CadicalWorker<W = ProofWriter> {
    solver: CaDiCaL<'static, 'static>,
    /// Whether a variable is in a clause: CaDiCaL gives the others any value.
    is_used: Vec<bool>,
    lits: Vec<rustsat::types::Lit>,
    failure: Option<String>,
    proof: Option<Proof<W>>,
}

/// What a worker has that writes a proof.
#[derive(Debug)]
struct Proof<W> {
    log: SharedLog<W>,
    /// Lives as long as the solver, which is dropped before it.
    _tracer: ProofTracerHandle<Tracer<W>>,
    /// Clauses that wait for the next call: all are justified by then.
    waiting: Batch,
    num_clauses: usize,
    /// The place of the empty clause among those that were added.
    empty_clause: Option<usize>,
}

/// A solver whose clauses have constraints in a proof, and which adds to the proof what it learns.
/// What follows from assumptions is no part of a proof, so that it takes none.
pub(crate) fn cadical_with_proof<W: StepWriter>(log: SharedLog<W>) -> Threaded<CadicalWorker<W>> {
    Threaded::start(|gate| {
        let mut worker = CadicalWorker::new(gate);
        // It would define new variables, which does not follow by propagation.
        if let Err(error) = worker.solver.set_option("factor", 0) {
            worker.failure.get_or_insert(error.to_string());
        }
        let tracer = worker.solver.connect_proof_tracer(Tracer::new(log.clone()), true);
        let (waiting, num_clauses, empty_clause) = (Batch::default(), 0, None);
        worker.proof = Some(Proof { log, _tracer: tracer, waiting, num_clauses, empty_clause });
        worker
    })
}

/// The longest clauses that are told to the learner.
const ANY_LENGTH: usize = i32::MAX as usize;

impl<W: StepWriter> Worker for CadicalWorker<W> {
    const NAME: &'static str = "cadical";
    const TELLS_EFFORT: bool = true;

    fn new(gate: Gate) -> CadicalWorker<W> {
        let mut solver = CaDiCaL::default();
        // Most variables of a linear model are false in most of its solutions.
        let phase = solver.set_option("phase", 0);
        let failure = phase.err().map(|error| error.to_string());
        let learnt = Rc::new(Cell::new(0));
        let counter = Rc::clone(&learnt);
        solver.attach_learner(
            move |clause| counter.set(counter.get() + clause.len() as u64),
            ANY_LENGTH,
        );
        solver.attach_terminator(move || {
            let stops = gate.pass(learnt.take()).is_break();
            if stops { ControlSignal::Terminate } else { ControlSignal::Continue }
        });
        let (is_used, lits) = (Vec::new(), Vec::new());
        CadicalWorker { solver, is_used, lits, failure, proof: None }
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        if let Some(proof) = &mut self.proof {
            if lits.is_empty() {
                proof.empty_clause.get_or_insert(proof.num_clauses);
            }
            proof.num_clauses += 1;
            proof.waiting.push(lits);
        } else {
            self.pass_on(lits);
        }
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        if let Some(proof) = &mut self.proof {
            assert!(assumptions.is_empty(), "a proof has no assumptions");
            if let Some(place) = proof.empty_clause {
                let mut log = proof.log.lock();
                log.contradiction = Some(log.clauses[place]);
                return Answer::Unsatisfiable(Vec::new());
            }
            let waiting = std::mem::take(&mut proof.waiting);
            for clause in waiting.clauses() {
                self.pass_on(clause);
            }
        }
        let answer = self.ask(assumptions);
        let lost = |proof: &Proof<W>| proof.log.lock().contradiction.is_none();
        if matches!(answer, Answer::Unsatisfiable(_)) && self.proof.as_ref().is_some_and(lost) {
            return Answer::Failed("its proof has no end".to_owned());
        }
        answer
    }

    fn effort(&self) -> Effort {
        let told = |number: usize| Some(number as u64);
        Effort {
            conflicts: told(self.solver.conflicts()),
            decisions: told(self.solver.decisions()),
            propagations: told(self.solver.propagations()),
        }
    }
}

impl<W> CadicalWorker<W> {
    fn pass_on(&mut self, lits: &[Lit]) {
        self.lits.clear();
        self.lits.extend(lits.iter().map(|&lit| to_rustsat(lit)));
        for lit in lits {
            let index = lit.var().index();
            if self.is_used.len() <= index {
                self.is_used.resize(index + 1, false);
            }
            self.is_used[index] = true;
        }
        if let Err(error) = self.solver.add_clause_ref(self.lits.as_slice()) {
            self.failure.get_or_insert(error.to_string());
        }
    }

    fn ask(&mut self, assumptions: &[Lit]) -> Answer {
        if let Some(why) = &self.failure {
            return Answer::Failed(why.clone());
        }
        let assumed: Vec<_> = assumptions.iter().map(|&lit| to_rustsat(lit)).collect();
        let answer = match self.solver.solve_assumps(&assumed) {
            Ok(SolverResult::Sat) => self.values(assumptions).map(Answer::Satisfiable),
            Ok(SolverResult::Unsat) => self.core().map(Answer::Unsatisfiable),
            Ok(SolverResult::Interrupted) => return Answer::Failed("stopped".to_owned()),
            Err(error) => Err(error),
        };
        answer.unwrap_or_else(|error| Answer::Failed(error.to_string()))
    }

    fn values(&self, assumptions: &[Lit]) -> anyhow::Result<Vec<bool>> {
        let value = |(index, &is_used): (usize, &bool)| {
            let lit = to_rustsat(Var::new(index).positive());
            Ok(is_used && self.solver.lit_val(lit)? == TernaryVal::True)
        };
        let values: anyhow::Result<Vec<bool>> =
            self.is_used.iter().enumerate().map(value).collect();
        let mut values = values?;
        for lit in assumptions {
            let index = lit.var().index();
            if values.len() <= index {
                values.resize(index + 1, false);
            }
            values[index] = !lit.is_negative();
        }
        Ok(values)
    }

    /// RustSAT's core is a clause of negated assumptions.
    fn core(&mut self) -> anyhow::Result<Vec<Lit>> {
        let core = self.solver.core()?;
        Ok(core.into_iter().map(|lit| !from_rustsat(lit)).collect())
    }
}
