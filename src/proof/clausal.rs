//! Proofs about clauses alone, for the tools around SAT solvers: DRAT, and LRAT, which has hints.
//! That the clauses say what the model says is not part of them.

use super::claims::{Minimized, Proved, check};
use super::encoding::{SharedLog, StepWriter};
use super::{ProofError, ProofSize};
use crate::backend::{SatSolver, VarisatWithProof, Verdict};
use crate::limits::Reason;
use crate::outcome::SolveError;
use crate::strategy::{Backend, Strategy};
use crate::whole_file::WholeFile;
use pbsolve_encodings::sink::{Cnf, DimacsComments, write_dimacs};
use pbsolve_encodings::{ClauseSink, ConstraintId, EncodeModel, Role, Stop};
use pbsolve_model::{Assignment, Lit, Model, RowId, Var};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

/// The form of a proof about clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClausalForm {
    /// Clauses that are learnt and forgotten, in the textual form.
    Drat,
    /// The same with numbers and with the clauses that propagate.
    Lrat,
}

/// What has no solution.
#[derive(Clone, Copy, Debug)]
pub enum CnfClaim<'a> {
    /// The model.
    Model,
    /// The model with this solution excluded by a clause.
    Other(&'a Assignment),
    /// The model with a better value of the objective than that of this solution demanded.
    Better(&'a Assignment),
}

/// Proves that clauses have no solution: those of the whole model as it is, one row after the other,
/// with nothing folded in and nothing left out, and those of the claim. They are written to `cnf`.
///
/// # Errors
/// If writing fails, if no encoder takes a row, or if the back-end is neither Varisat nor CaDiCaL.
///
/// # Panics
/// If a better value is claimed to be impossible of a model without an objective.
pub fn refute_cnf(
    model: &Model,
    claim: CnfClaim<'_>,
    strategy: &Strategy,
    form: ClausalForm,
    cnf_path: &Path,
    proof_path: &Path,
) -> Result<Proved, ProofError> {
    require_clausal_proofs(strategy)?;
    let mut encode = EncodeModel::new(strategy.planner);
    let mut cnf = Cnf::default();
    let mut flow = encode.model(model, &mut cnf);
    match claim {
        CnfClaim::Model => {}
        CnfClaim::Other(solution) => {
            check(model, solution)?;
            let clause: Vec<Lit> = solution.lits().map(|lit| !lit).collect();
            if flow.is_continue() {
                flow = cnf.clause(&clause).map_continue(drop);
            }
        }
        CnfClaim::Better(solution) => {
            check(model, solution)?;
            let objective = model.objective().expect("a model with an objective");
            let minimized = Minimized::of(objective).ok_or(ProofError::ObjectiveTooWide)?;
            let value = minimized.value(solution).ok_or(ProofError::ObjectiveTooWide)?;
            if flow.is_continue() {
                let id = RowId(model.num_rows());
                flow = encode.row(id, minimized.at_most(value - 1), &mut cnf);
            }
        }
    }
    if let ControlFlow::Break(stop) = flow {
        return stopped(model, &encode, stop);
    }
    let size = ProofSize {
        num_clauses: cnf.num_clauses(),
        num_lits: cnf.num_lits(),
        ..ProofSize::default()
    };
    let mut file = WholeFile::create(cnf_path)?;
    let written = write_dimacs(&mut file, &DimacsComments::default(), |sink| state(&cnf, sink));
    written.and_then(|()| file.finish())?;
    let num_given = cnf.num_clauses() as u64;
    let log = SharedLog::new(ClausalWriter {
        out: WholeFile::create(proof_path)?,
        form,
        error: None,
        last_id: num_given,
        num_bytes: 0,
        line: Vec::new(),
    });
    log.lock().clauses = (1..=num_given).map(ConstraintId).collect();
    let mut solver = proving_solver(strategy, log.clone());
    cnf.clauses().for_each(|clause| solver.add_clause(clause));
    let verdict = solver.solve(&[], &strategy.limits);
    // Without a writer, a solver that is still at work ends.
    let writer = log.lock().writer.take();
    let contradiction = log.lock().contradiction;
    match (verdict, writer, contradiction) {
        (Verdict::Unsatisfiable, Some(writer), Some(contradiction)) => {
            let num_bytes = writer.finish(contradiction)?;
            Ok(Proved::Yes(ProofSize { num_bytes, ..size }))
        }
        (Verdict::Satisfiable, ..) => {
            let values = (0..model.num_decisions()).map(|index| solver.value(Var::new(index)));
            let solution = Assignment::from_values(values.collect());
            check(model, &solution)?;
            Ok(Proved::No(solution))
        }
        (Verdict::Unknown(reason), ..) => Ok(Proved::Unknown(reason)),
        (Verdict::Unsatisfiable, ..) => {
            let lost = "it found no solution, but its proof has no end";
            Ok(Proved::Unknown(Reason::Failed(lost.to_owned())))
        }
    }
}

/// Whether the back-end writes what it learns as such a proof.
fn require_clausal_proofs(strategy: &Strategy) -> Result<(), ProofError> {
    strategy.require_proofs()?;
    match strategy.backend {
        Backend::Varisat | Backend::Cadical => Ok(()),
        _ => Err(SolveError::NoProofs("a solver that is started as a process").into()),
    }
}

fn proving_solver(strategy: &Strategy, log: SharedLog<ClausalWriter>) -> Box<dyn SatSolver> {
    match strategy.backend {
        Backend::Varisat => Box::new(VarisatWithProof::new(log)),
        #[cfg(feature = "cadical")]
        Backend::Cadical => Box::new(crate::backend::cadical_with_proof(log)),
        _ => unreachable!("refused before a file is written"),
    }
}

fn stopped(model: &Model, encode: &EncodeModel, stop: Stop) -> Result<Proved, ProofError> {
    let Some((row, why)) = encode.unsupported() else {
        return Ok(Proved::Unknown(Reason::Failed(format!("encoding stopped: {stop:?}"))));
    };
    let is_of_model = row.0 < model.num_rows();
    let name = if is_of_model { model.row_name(*row) } else { None };
    Err(SolveError::UnsupportedRow { number: row.0 + 1, name, why: why.clone() }.into())
}

/// States clauses once more.
fn state(cnf: &Cnf, sink: &mut dyn ClauseSink) -> ControlFlow<Stop> {
    for index in 0..cnf.num_variables() {
        sink.new_var(Role::new("x", index + 1, 0));
    }
    for clause in cnf.clauses() {
        sink.clause(clause)?;
    }
    ControlFlow::Continue(())
}

/// Writes DRAT or LRAT. The first error is kept; nothing is written after it.
#[derive(Debug)]
struct ClausalWriter {
    out: WholeFile,
    form: ClausalForm,
    error: Option<io::Error>,
    last_id: u64,
    num_bytes: u64,
    line: Vec<u8>,
}

impl ClausalWriter {
    fn number(&mut self, number: impl std::fmt::Display) {
        write!(self.line, "{number} ").expect("vectors take all");
    }

    fn lits(&mut self, lits: &[Lit]) {
        for lit in lits {
            self.number(lit.to_dimacs());
        }
        self.number(0);
    }

    fn end_line(&mut self) {
        self.line.pop();
        self.line.push(b'\n');
        self.num_bytes += self.line.len() as u64;
        if self.error.is_none() {
            self.error = self.out.write_all(&self.line).err();
        }
        self.line.clear();
    }

    /// Puts the file in its place. A contradiction among the clauses themselves needs a step too.
    fn finish(mut self, contradiction: ConstraintId) -> Result<u64, ProofError> {
        let is_given = self.num_bytes == 0;
        if is_given {
            self.learn(&[], &mut [contradiction].into_iter());
        }
        if let Some(error) = self.error {
            return Err(error.into());
        }
        self.out.finish()?;
        Ok(self.num_bytes)
    }
}

impl StepWriter for ClausalWriter {
    fn learn(
        &mut self,
        clause: &[Lit],
        hints: &mut dyn Iterator<Item = ConstraintId>,
    ) -> ConstraintId {
        self.last_id += 1;
        if self.form == ClausalForm::Lrat {
            self.number(self.last_id);
        }
        self.lits(clause);
        if self.form == ClausalForm::Lrat {
            hints.for_each(|hint| self.number(hint.0));
            self.number(0);
        }
        self.end_line();
        ConstraintId(self.last_id)
    }

    fn forget(&mut self, id: ConstraintId, clause: &[Lit]) {
        match self.form {
            // Checkers differ on whether a unit clause can be forgotten.
            ClausalForm::Drat if clause.len() == 1 => return,
            ClausalForm::Drat => {
                self.line.extend_from_slice(b"d ");
                self.lits(clause);
            }
            ClausalForm::Lrat => {
                self.number(self.last_id);
                self.line.extend_from_slice(b"d ");
                self.number(id.0);
                self.number(0);
            }
        }
        self.end_line();
    }
}
