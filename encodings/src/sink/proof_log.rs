//! Where encoders write why their clauses follow: the rules of a cutting-planes proof.

use super::{ClauseSink, Stop};
use pbsolve_model::{Lit, RowId};
use std::ops::ControlFlow;

/// The number of a constraint in the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstraintId(pub u64);

/// A step of a reverse-polish derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofTerm {
    /// Push a constraint.
    Constraint(ConstraintId),
    /// Push the axiom `lit >= 0`.
    Literal(Lit),
    /// Add the two on top.
    Add,
    /// Multiply the top.
    Multiply(i128),
    /// Divide the top, rounding up.
    Divide(i128),
    /// Saturate the top.
    Saturate,
}

/// A proof under construction, with the rules of VeriPB 3.0. Ids are given by the proof and by
/// nobody else; write errors are kept and reported at its end.
pub trait ProofLog {
    /// The constraint of a side of a row as the model states it: its upper side (`sum <= upper`) if
    /// `upper`, else its lower side. `None` where the row has no such side.
    fn given_side(&mut self, row: RowId, upper: bool) -> Option<ConstraintId>;

    /// The sides of the row that is encoded next, as its normal form states them.
    fn set_row_sides(&mut self, lower: Option<ConstraintId>, upper: Option<ConstraintId>);

    /// The constraint of the row that is being encoded, as the normal form states it: its upper
    /// side (`sum <= hi`) if `upper`, else its lower side. `None` where the row has no such side.
    fn row_side(&mut self, upper: bool) -> Option<ConstraintId>;

    /// Redundance-based strengthening: adds `sum of terms >= bound`, where `witness` maps the
    /// variable of a literal so that the literal becomes true.
    fn red(&mut self, terms: &[(i128, Lit)], bound: i128, witness: &[Lit]) -> ConstraintId;

    /// A derivation by addition, multiplication, division and saturation.
    fn pol(&mut self, steps: &[ProofTerm]) -> ConstraintId;

    /// A clause that follows by unit propagation from the hinted constraints.
    fn rup(&mut self, clause: &[Lit], hints: &[ConstraintId]) -> ConstraintId;

    /// Forgets constraints.
    fn del(&mut self, ids: &[ConstraintId]);

    /// The clause that the sink took last is this constraint. The constraint may be stronger, and
    /// may be the same for several clauses.
    fn justify(&mut self, clause: ConstraintId);
}

/// Adds a clause and, where there is a proof, says why it follows.
pub(crate) fn justified(
    sink: &mut dyn ClauseSink,
    lits: &[Lit],
    why: impl FnOnce(&mut dyn ProofLog) -> ConstraintId,
) -> ControlFlow<Stop> {
    sink.clause(lits)?;
    justify(sink, why);
    ControlFlow::Continue(())
}

/// As [`justified`], for a clause that only defines auxiliary variables.
pub(crate) fn justified_definition(
    sink: &mut dyn ClauseSink,
    lits: &[Lit],
    why: impl FnOnce(&mut dyn ProofLog) -> ConstraintId,
) -> ControlFlow<Stop> {
    sink.define(lits)?;
    justify(sink, why);
    ControlFlow::Continue(())
}

fn justify(sink: &mut dyn ClauseSink, why: impl FnOnce(&mut dyn ProofLog) -> ConstraintId) {
    if let Some(proof) = sink.proof() {
        let id = why(proof);
        proof.justify(id);
    }
}

/// A clause that one unit propagation of a side of the row shows.
pub(crate) fn from_side(proof: &mut dyn ProofLog, clause: &[Lit], upper: bool) -> ConstraintId {
    let side = proof.row_side(upper);
    proof.rup(clause, side.as_slice())
}

/// A clause of a definition: it contains `fresh`, and every clause about the variable of `fresh` so
/// far has the same literal, or follows with its negation.
pub(crate) fn defining(proof: &mut dyn ProofLog, clause: &[Lit], fresh: Lit) -> ConstraintId {
    let terms: Vec<(i128, Lit)> = clause.iter().map(|&lit| (1, lit)).collect();
    proof.red(&terms, 1, &[fresh])
}

/// A derivation that adds up multiples of constraints and literal axioms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Derivation {
    steps: Vec<ProofTerm>,
}

impl Derivation {
    pub(crate) fn of(id: ConstraintId) -> Derivation {
        Derivation::default().plus(id)
    }

    pub(crate) fn plus(self, id: ConstraintId) -> Derivation {
        self.plus_times(1, id)
    }

    pub(crate) fn plus_times(self, factor: i128, id: ConstraintId) -> Derivation {
        self.add(factor, ProofTerm::Constraint(id))
    }

    /// Adds `factor * lit >= 0`.
    pub(crate) fn plus_lit(self, factor: i128, lit: Lit) -> Derivation {
        self.add(factor, ProofTerm::Literal(lit))
    }

    fn add(mut self, factor: i128, what: ProofTerm) -> Derivation {
        if factor == 0 {
            return self;
        }
        let is_first = self.steps.is_empty();
        self.steps.push(what);
        if factor != 1 {
            self.steps.push(ProofTerm::Multiply(factor));
        }
        if !is_first {
            self.steps.push(ProofTerm::Add);
        }
        self
    }

    pub(crate) fn times(mut self, factor: i128) -> Derivation {
        if factor != 1 && !self.steps.is_empty() {
            self.steps.push(ProofTerm::Multiply(factor));
        }
        self
    }

    pub(crate) fn divided(mut self, divisor: i128) -> Derivation {
        if divisor != 1 && !self.steps.is_empty() {
            self.steps.push(ProofTerm::Divide(divisor));
        }
        self
    }

    pub(crate) fn saturated(mut self) -> Derivation {
        self.steps.push(ProofTerm::Saturate);
        self
    }

    /// Writes it; a lone constraint is itself.
    pub(crate) fn write(self, proof: &mut dyn ProofLog) -> ConstraintId {
        match self.steps[..] {
            [ProofTerm::Constraint(id)] => id,
            _ => proof.pol(&self.steps),
        }
    }
}
