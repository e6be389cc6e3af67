//! Where encoders write why their clauses follow: the rules of a cutting-planes proof.

use pbsolve_model::Lit;

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
}
