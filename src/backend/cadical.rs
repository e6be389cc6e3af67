//! CaDiCaL, for hard models: it simplifies the clauses before and during its search.
//!
//! A. Biere, T. Faller, K. Fazekas, M. Fleury, N. Froleyks, F. Pollitt: CaDiCaL 2.0. CAV 2024.

use super::Effort;
use super::rustsat_solver::{from_rustsat, to_rustsat};
use super::threaded::{Answer, Gate, Threaded, Worker};
use pbsolve_model::{Lit, Var};
use rustsat::solvers::{
    ControlSignal, GetInternalStats, Learn, Solve, SolveIncremental, SolverResult, Terminate,
};
use rustsat::types::TernaryVal;
use rustsat_cadical::CaDiCaL;
use std::cell::Cell;
use std::rc::Rc;

/// CaDiCaL behind [`SatSolver`](super::SatSolver). Its work is counted in literals learnt.
pub type Cadical = Threaded<CadicalWorker>;

/// CaDiCaL as its thread runs it.
#[derive(Debug)]
pub struct CadicalWorker {
    solver: CaDiCaL<'static, 'static>,
    /// Whether a variable is in a clause: CaDiCaL gives the others any value.
    is_used: Vec<bool>,
    lits: Vec<rustsat::types::Lit>,
    failure: Option<String>,
}

/// The longest clauses that are told to the learner.
const ANY_LENGTH: usize = i32::MAX as usize;

impl Worker for CadicalWorker {
    const NAME: &'static str = "cadical";
    const TELLS_EFFORT: bool = true;

    fn new(gate: Gate) -> CadicalWorker {
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
        CadicalWorker { solver, is_used: Vec::new(), lits: Vec::new(), failure }
    }

    fn add_clause(&mut self, lits: &[Lit]) {
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

    fn solve(&mut self, assumptions: &[Lit]) -> Answer {
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

    fn effort(&self) -> Effort {
        let told = |number: usize| Some(number as u64);
        Effort {
            conflicts: told(self.solver.conflicts()),
            decisions: told(self.solver.decisions()),
            propagations: told(self.solver.propagations()),
        }
    }
}

impl CadicalWorker {
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
