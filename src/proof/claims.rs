//! The claims that can be proved, each from the model to the end of its proof.

use super::encoding::ProofSink;
use super::writer::Conclusion;
use crate::backend::{Refutation, refute};
use crate::formats::{WriteError, opb};
use crate::limits::Reason;
use crate::outcome::SolveError;
use crate::strategy::Strategy;
use crate::whole_file::WholeFile;
use pbsolve_encodings::{ClauseSink, ConstraintId, EncodeModel, Planner, ProofLog, Stop};
use pbsolve_model::{Assignment, Coefficients, Lit, Model, Objective, RowView, Sense, Var};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

/// What became of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Proved {
    /// The proof is written.
    Yes(ProofSize),
    /// The claim is wrong: this is a solution (another one, a better one) that it excludes. Checked
    /// against the model.
    No(Assignment),
    /// Not decided, and why. There is no proof.
    Unknown(Reason),
}

/// How much a proof came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProofSize {
    /// Bytes of the file.
    pub num_bytes: u64,
    /// Bytes of the part that derives the clauses.
    pub encoding_bytes: u64,
    /// Clauses of the encoding.
    pub num_clauses: usize,
    /// Literals in these clauses.
    pub num_lits: usize,
}

/// Why there is no proof, apart from limits and wrong claims.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProofError {
    /// Writing failed.
    #[error("the proof cannot be written: {0}")]
    Io(#[from] io::Error),
    /// The OPB file that the proof is about cannot be written.
    #[error("the OPB file of the proof cannot be written: {0}")]
    Opb(#[from] WriteError),
    /// The model cannot be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A number of the objective is beyond 128 bits.
    #[error("the objective is beyond 128 bits")]
    ObjectiveTooWide,
    /// The model has an objective, with which uniqueness is not stated.
    #[error("uniqueness is proved of models without an objective only")]
    Objective,
}

/// Proves that a model has no solution. The OPB file of the model is what the proof is about; an
/// objective in it does not matter.
///
/// # Errors
/// If writing fails, or if no encoder with a proof takes a row.
pub fn prove_unsatisfiable(
    model: &Model,
    strategy: &Strategy,
    proof: &Path,
) -> Result<Proved, ProofError> {
    let sink = ProofSink::create(model, proof)?;
    // With an objective, "no solution" is a bound.
    let has_objective = model.objective().is_some_and(|objective| !objective.is_constant());
    let conclude = |id| {
        if has_objective { Conclusion::Infeasible(id) } else { Conclusion::Unsatisfiable(id) }
    };
    Claim { model, strategy, sink, encode: encoder(strategy) }.prove(None, conclude)
}

/// Proves that a model has this solution and no other. The proof is about the OPB file `opb`, which
/// is written here: that of the model, with the number of literals that agree with the solution as
/// the objective. Its best value is the number of variables, so that the only solution is this one.
///
/// # Errors
/// As [`prove_unsatisfiable`]; if the model has an objective.
pub fn prove_unique(
    model: &Model,
    solution: &Assignment,
    strategy: &Strategy,
    opb: &Path,
    proof: &Path,
) -> Result<Proved, ProofError> {
    if model.objective().is_some_and(|objective| !objective.is_constant()) {
        return Err(ProofError::Objective);
    }
    check(model, solution)?;
    let agreeing: Vec<Lit> = solution.lits().collect();
    let mut text = WholeFile::create(opb)?;
    write_unique_opb(model, solution, &mut text)?;
    text.finish()?;
    let mut sink = ProofSink::create(model, proof)?;
    let is_other = sink.writer.soli(&completed(model, solution));
    let clause: Vec<Lit> = agreeing.iter().map(|&lit| !lit).collect();
    let value = i128::try_from(agreeing.len()).expect("variables are numbered with 32 bits");
    let encode = encoder(strategy);
    let other = Extra::Clause(clause, is_other);
    Claim { model, strategy, sink, encode }.prove(Some(&other), |id| Conclusion::Optimal(value, id))
}

/// Proves that no solution of a model is better than this one.
///
/// # Errors
/// As [`prove_unsatisfiable`]; if the objective has numbers beyond 128 bits.
///
/// # Panics
/// If the model has no linear objective.
pub fn prove_optimal(
    model: &Model,
    optimum: &Assignment,
    strategy: &Strategy,
    proof: &Path,
) -> Result<Proved, ProofError> {
    check(model, optimum)?;
    let objective = model.objective().expect("a model with an objective");
    let minimized = Minimized::of(objective).ok_or(ProofError::ObjectiveTooWide)?;
    let value = minimized.value(optimum).ok_or(ProofError::ObjectiveTooWide)?;
    let mut sink = ProofSink::create(model, proof)?;
    let is_better = sink.writer.soli(&completed(model, optimum));
    let encode = encoder(strategy);
    let better = Extra::Row(minimized, value - 1, is_better);
    Claim { model, strategy, sink, encode }
        .prove(Some(&better), |id| Conclusion::Optimal(value, id))
}

/// Proves that a model is satisfiable, by this solution.
///
/// # Errors
/// If writing fails, or if it is no solution.
pub fn prove_satisfiable(
    model: &Model,
    solution: &Assignment,
    proof: &Path,
) -> Result<ProofSize, ProofError> {
    check(model, solution)?;
    let sink = ProofSink::create(model, proof)?;
    let conclusion = Conclusion::Satisfiable(&completed(model, solution));
    Ok(ProofSize { num_bytes: sink.writer.finish(conclusion)?, ..ProofSize::default() })
}

fn encoder(strategy: &Strategy) -> EncodeModel {
    EncodeModel::new(Planner { require_certified: true, ..strategy.planner })
}

fn check(model: &Model, solution: &Assignment) -> Result<(), ProofError> {
    model.check(solution).map_err(|violation| SolveError::WrongAnswer(violation).into())
}

/// What a solution that refutes the claim meets besides the model.
enum Extra {
    /// A clause and its constraint.
    Clause(Vec<Lit>, ConstraintId),
    /// An upper bound on the objective and its constraint.
    Row(Minimized, i128, ConstraintId),
}

struct Claim<'a> {
    model: &'a Model,
    strategy: &'a Strategy,
    sink: ProofSink,
    encode: EncodeModel,
}

impl Claim<'_> {
    /// Encodes the model, has the clauses refuted, and ends the proof.
    fn prove<'c>(
        mut self,
        extra: Option<&Extra>,
        conclude: impl FnOnce(ConstraintId) -> Conclusion<'c>,
    ) -> Result<Proved, ProofError> {
        if let Some(reason) = self.strategy.limits.reached() {
            return Ok(Proved::Unknown(reason));
        }
        let flow = self.encode(extra);
        if let ControlFlow::Break(stop) = flow {
            return self.stopped(stop);
        }
        assert!(self.sink.is_justified(), "certified encoders justify all their clauses");
        let size = ProofSize {
            encoding_bytes: self.sink.writer.num_bytes(),
            num_clauses: self.sink.cnf.num_clauses(),
            num_lits: self.sink.cnf.num_lits(),
            ..ProofSize::default()
        };
        let ProofSink { writer, cnf, constraints, .. } = self.sink;
        match refute(cnf, constraints, writer, &self.strategy.limits) {
            Refutation::Refuted(writer, contradiction) => {
                let num_bytes = writer.finish(conclude(contradiction))?;
                Ok(Proved::Yes(ProofSize { num_bytes, ..size }))
            }
            Refutation::Satisfied(values) => {
                let variables = (0..self.model.num_decisions()).map(Var::new);
                let value = |var: Var| values.get(var.index()).copied().unwrap_or(false);
                let solution = Assignment::from_values(variables.map(value).collect());
                check(self.model, &solution)?;
                Ok(Proved::No(solution))
            }
            Refutation::Unknown(reason) => Ok(Proved::Unknown(reason)),
        }
    }

    fn encode(&mut self, extra: Option<&Extra>) -> ControlFlow<Stop> {
        self.encode.model(self.model, &mut self.sink)?;
        match extra {
            None => {}
            Some(Extra::Clause(lits, why)) => {
                self.sink.clause(lits)?;
                self.sink.justify(*why);
            }
            Some(Extra::Row(objective, bound, why)) => {
                let id = self.sink.give_upper(*why);
                self.encode.row(id, objective.at_most(*bound), &mut self.sink)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn stopped(&self, stop: Stop) -> Result<Proved, ProofError> {
        if let (Stop::Unsupported, Some((row, why))) = (stop, self.encode.unsupported()) {
            let is_of_model = row.0 < self.model.num_rows();
            let name = if is_of_model { self.model.row_name(*row) } else { None };
            let why = why.clone();
            return Err(SolveError::UnsupportedRow { number: row.0 + 1, name, why }.into());
        }
        Ok(Proved::Unknown(Reason::Failed(format!("encoding stopped: {stop:?}"))))
    }
}

/// An objective as the OPB file has it: to be minimised, over positive literals, without constant.
struct Minimized {
    lits: Vec<Lit>,
    coefficients: Vec<i128>,
}

impl Minimized {
    fn of(objective: &Objective) -> Option<Minimized> {
        let mut minimized = Minimized { lits: Vec::new(), coefficients: Vec::new() };
        for term in &objective.terms {
            let is_negated = term.lit.is_negative() != (objective.sense == Sense::Maximize);
            let coefficient =
                if is_negated { term.coefficient.checked_neg()? } else { term.coefficient };
            minimized.lits.push(term.lit.var().positive());
            minimized.coefficients.push(coefficient);
        }
        // All sums of the row below must fit.
        let sizes = minimized.coefficients.iter().map(|coefficient| coefficient.checked_abs());
        sizes.into_iter().try_fold(0i128, |sum, size| sum.checked_add(size?))?;
        Some(minimized)
    }

    fn value(&self, assignment: &Assignment) -> Option<i128> {
        let terms = self.lits.iter().zip(&self.coefficients);
        let is_true = terms.filter(|(lit, _)| assignment.satisfies(**lit));
        is_true.map(|(_, &coefficient)| coefficient).try_fold(0, i128::checked_add)
    }

    fn at_most(&self, bound: i128) -> RowView<'_> {
        let coefficients = Coefficients::Wide(&self.coefficients);
        RowView { lits: &self.lits, coefficients, lower: None, upper: Some(bound) }
    }
}

/// The literals of a solution and of the indicators, by their definition.
fn completed(model: &Model, solution: &Assignment) -> Vec<Lit> {
    let decisions = solution.values();
    let mut values = decisions.to_vec();
    for family in model.families() {
        for group in 0..family.num_groups() {
            let mut with_group = decisions.to_vec();
            family.complete(group, &mut with_group);
            values.extend_from_slice(&with_group[decisions.len()..]);
        }
    }
    values.iter().enumerate().map(|(index, &value)| Var::new(index).lit(value)).collect()
}

/// Writes the OPB file that a proof of uniqueness is about: that of the model, with the number of
/// literals that agree with a solution as its objective.
///
/// # Errors
/// If the model cannot be written, or writing fails.
pub fn write_unique_opb(
    model: &Model,
    solution: &Assignment,
    out: &mut dyn Write,
) -> Result<(), ProofError> {
    let mut text = Vec::new();
    opb::write(model, &mut text)?;
    // The objective comes after the comments and before the constraints.
    let mut start = 0;
    while text[start..].first() == Some(&b'*') {
        let line = text[start..].iter().position(|&byte| byte == b'\n');
        start += line.map_or(text.len() - start, |end| end + 1);
    }
    out.write_all(&text[..start])?;
    write!(out, "min:")?;
    for lit in solution.lits() {
        let number = lit.var().index() + 1;
        write!(out, " +1 {}x{number}", if lit.is_negative() { "~" } else { "" })?;
    }
    writeln!(out, " ;")?;
    Ok(out.write_all(&text[start..])?)
}
