//! The claims that can be proved, each from the model to the end of its proof.

use super::encoding::ModelProof;
use super::writer::Conclusion;
use crate::formats::{WriteError, opb};
use crate::limits::Reason;
use crate::outcome::SolveError;
use crate::search::{Found, Search, Statistics};
use crate::strategy::Strategy;
use crate::whole_file::WholeFile;
use pbsolve_encodings::ConstraintId;
use pbsolve_model::{Assignment, Coefficients, Lit, Model, Objective, RowView, Sense, Var};
use std::io::{self, Write};
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

/// A search that writes a proof of what it finds as it goes. It uses certified encoders only, and the
/// back-end of the strategy. A search that is dropped leaves no file.
#[derive(Debug)]
pub struct ProvingSearch<'m> {
    model: &'m Model,
    search: Search<'m>,
    /// The last one that was found, and so checked.
    found: Option<Assignment>,
}

impl<'m> ProvingSearch<'m> {
    /// Encodes a model. The proof is about the model's OPB file, and is written to `proof` when it
    /// ends.
    ///
    /// # Errors
    /// If there can be no file, if the back-end gives no proofs, or if no encoder with a proof takes
    /// a row.
    pub fn new(
        model: &'m Model,
        strategy: &Strategy,
        proof: &Path,
    ) -> Result<ProvingSearch<'m>, ProofError> {
        let proof = ModelProof::create(model, proof)?;
        let search = Search::proving(model, strategy, proof)?;
        Ok(ProvingSearch { model, search, found: None })
    }

    /// The next solution that is not excluded.
    ///
    /// # Errors
    /// As [`Search::next`].
    #[allow(clippy::should_implement_trait, reason = "as the search's")]
    pub fn next(&mut self) -> Result<Found, ProofError> {
        let found = self.search.next()?;
        if let Found::Solution(solution) = &found {
            self.found = Some(solution.clone());
        }
        Ok(found)
    }

    /// What the search came to so far.
    pub fn statistics(&self) -> Statistics {
        self.search.statistics()
    }

    /// Excludes the one solution that the proof is about; it can be excluded once. From here on the
    /// proof is about the OPB file with the number of literals that agree with the solution as its
    /// objective, see [`ProvingSearch::end_unique`].
    ///
    /// # Errors
    /// If the model has an objective, or this is no solution.
    pub fn exclude(&mut self, solution: &Assignment) -> Result<(), ProofError> {
        if has_objective(self.model) {
            return Err(ProofError::Objective);
        }
        let differs = self.log_solution(solution)?;
        Ok(self.search.exclude_logged(solution, differs)?)
    }

    /// Logs a solution; the constraint is that the objective is less than its value.
    fn log_solution(&mut self, solution: &Assignment) -> Result<ConstraintId, ProofError> {
        self.check(solution)?;
        let logged = completed(self.model, solution);
        Ok(self.proof().log_solution(&logged))
    }

    fn proof(&mut self) -> &mut ModelProof {
        self.search.proof().expect("a search that proves")
    }

    /// Ends the proof after [`Found::NoMore`] where nothing was excluded: there is no solution.
    ///
    /// # Errors
    /// If writing fails.
    pub fn end_unsatisfiable(self) -> Result<ProofSize, ProofError> {
        // With an objective, "no solution" is a bound.
        let has_objective = has_objective(self.model);
        self.end(|id| {
            let id = id.expect("a contradiction, since there is no more");
            if has_objective { Conclusion::Infeasible(id) } else { Conclusion::Unsatisfiable(id) }
        })
    }

    /// Ends the proof after [`Found::NoMore`] where this solution was excluded: there is no other.
    /// The proof is about the OPB file that is written to `opb`: that of the model, with the number
    /// of literals that agree with the solution as the objective. Its best value is the number of
    /// variables.
    ///
    /// # Errors
    /// If writing fails.
    pub fn end_unique(self, solution: &Assignment, opb: &Path) -> Result<ProofSize, ProofError> {
        let mut text = WholeFile::create(opb)?;
        write_unique_opb(self.model, solution, &mut text)?;
        text.finish()?;
        let value =
            i128::try_from(solution.num_vars()).expect("variables are numbered with 32 bits");
        self.end(|id| {
            Conclusion::Optimal(value, id.expect("a contradiction, since there is no more"))
        })
    }

    /// Ends the proof with a solution.
    ///
    /// # Errors
    /// If writing fails, or if it is no solution.
    pub fn end_satisfiable(self, solution: &Assignment) -> Result<ProofSize, ProofError> {
        self.check(solution)?;
        let logged = completed(self.model, solution);
        self.end(|_| Conclusion::Satisfiable(&logged))
    }

    fn check(&self, solution: &Assignment) -> Result<(), ProofError> {
        if self.found.as_ref() == Some(solution) { Ok(()) } else { check(self.model, solution) }
    }

    fn end<'c>(
        self,
        conclude: impl FnOnce(Option<ConstraintId>) -> Conclusion<'c>,
    ) -> Result<ProofSize, ProofError> {
        let proof = self.search.into_proof().expect("a search that proves");
        let (encoding_bytes, num_clauses, num_lits) = proof.encoding_size();
        let num_bytes = proof.finish(conclude)?;
        Ok(ProofSize { num_bytes, encoding_bytes, num_clauses, num_lits })
    }

    /// What becomes of the claim that there is no more.
    fn prove(
        mut self,
        end: impl FnOnce(Self) -> Result<ProofSize, ProofError>,
    ) -> Result<Proved, ProofError> {
        match self.next()? {
            Found::NoMore => Ok(Proved::Yes(end(self)?)),
            Found::Solution(solution) => Ok(Proved::No(solution)),
            Found::Unknown(reason) => Ok(Proved::Unknown(reason)),
        }
    }
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
    ProvingSearch::new(model, strategy, proof)?.prove(ProvingSearch::end_unsatisfiable)
}

/// Proves that a model has this solution and no other, see [`ProvingSearch::end_unique`].
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
    let mut search = ProvingSearch::new(model, strategy, proof)?;
    search.exclude(solution)?;
    search.prove(|search| search.end_unique(solution, opb))
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
    let mut search = ProvingSearch::new(model, strategy, proof)?;
    let is_better = search.log_solution(optimum)?;
    let row = search.proof().give_upper(is_better);
    search.search.state_row(row, minimized.at_most(value - 1))?;
    search.prove(|search| {
        search.end(|id| {
            Conclusion::Optimal(value, id.expect("a contradiction, since there is no more"))
        })
    })
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
    let proof = ModelProof::create(model, proof)?;
    let logged = completed(model, solution);
    let num_bytes = proof.finish(|_| Conclusion::Satisfiable(&logged))?;
    Ok(ProofSize { num_bytes, ..ProofSize::default() })
}

pub(super) fn check(model: &Model, solution: &Assignment) -> Result<(), ProofError> {
    model.check(solution).map_err(|violation| SolveError::WrongAnswer(violation).into())
}

fn has_objective(model: &Model) -> bool {
    model.objective().is_some_and(|objective| !objective.is_constant())
}

/// An objective as the OPB file has it: to be minimised, over positive literals, without constant.
pub(super) struct Minimized {
    lits: Vec<Lit>,
    coefficients: Vec<i128>,
}

impl Minimized {
    pub(super) fn of(objective: &Objective) -> Option<Minimized> {
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

    pub(super) fn value(&self, assignment: &Assignment) -> Option<i128> {
        let terms = self.lits.iter().zip(&self.coefficients);
        let is_true = terms.filter(|(lit, _)| assignment.satisfies(**lit));
        is_true.map(|(_, &coefficient)| coefficient).try_fold(0, i128::checked_add)
    }

    pub(super) fn at_most(&self, bound: i128) -> RowView<'_> {
        let coefficients = Coefficients::Wide(&self.coefficients);
        RowView { lits: &self.lits, coefficients, lower: None, upper: Some(bound) }
    }
}

/// The literals of a solution and of the indicators, by their definition.
fn completed(model: &Model, solution: &Assignment) -> Vec<Lit> {
    let decisions = solution.values();
    let (mut values, mut with_group) = (decisions.to_vec(), decisions.to_vec());
    for family in model.families() {
        for group in 0..family.num_groups() {
            with_group.truncate(decisions.len());
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
    Ok(opb::write_agreeing(model, solution, out)?)
}
