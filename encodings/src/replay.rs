//! The normal form of a row in the proof: the steps of the normalisation, done to its two sides.

use crate::fixed::Fixed;
use crate::normalize::Move;
use crate::sink::{ConstraintId, Derivation, ProofLog};
use pbsolve_model::Lit;

/// The two sides of a row, as far as they are derived: what follows is written when it is needed.
#[derive(Debug)]
pub(crate) struct Sides {
    /// `sum >= lo`.
    lower: Option<Derivation>,
    /// `sum <= hi`.
    upper: Option<Derivation>,
    /// One unit clause for each literal that the bounds force.
    pub(crate) units: Vec<ConstraintId>,
}

impl Sides {
    /// The sides as the model states them.
    pub(crate) fn given([lower, upper]: [Option<ConstraintId>; 2]) -> Sides {
        let [lower, upper] = [lower, upper].map(|side| side.map(Derivation::of));
        Sides { lower, upper, units: Vec::new() }
    }

    /// The constraint of a side, if it is there.
    pub(crate) fn write(&mut self, upper: bool, proof: &mut dyn ProofLog) -> Option<ConstraintId> {
        let side = if upper { &mut self.upper } else { &mut self.lower };
        let id = side.take()?.write(proof);
        *side = Some(Derivation::of(id));
        Some(id)
    }

    fn write_both(&mut self, proof: &mut dyn ProofLog) -> Vec<ConstraintId> {
        [false, true].into_iter().filter_map(|upper| self.write(upper, proof)).collect()
    }

    /// The empty clause, from sides that no assignment meets.
    pub(crate) fn contradiction(&mut self, proof: &mut dyn ProofLog) -> ConstraintId {
        let both = self.write_both(proof);
        let sum = both.iter().fold(Derivation::default(), |sum, &side| sum.plus(side));
        let mut hints = vec![sum.write(proof)];
        hints.extend(both);
        proof.rup(&[], &hints)
    }

    /// Does to the sides what the normalisation did to the row.
    pub(crate) fn replay(&mut self, moves: &[Move], fixed: &Fixed, proof: &mut dyn ProofLog) {
        for &step in moves {
            match step {
                Move::Know { lit, coefficient, is_negated } => {
                    let unit = fixed.unit(lit.var()).expect("known by a unit clause");
                    self.take_out(lit, coefficient, is_negated, unit);
                }
                Move::Force { lit, coefficient, is_negated } => {
                    let hints = self.write_both(proof);
                    let unit = proof.rup(&[lit], &hints);
                    self.units.push(unit);
                    self.take_out(lit, coefficient, is_negated, unit);
                }
                Move::Divide(by) => {
                    replace(&mut self.lower, |side| side.divided(by));
                    replace(&mut self.upper, |side| side.divided(by));
                }
                Move::Saturate { upper } => {
                    let (active, other) = if upper {
                        (&mut self.upper, &mut self.lower)
                    } else {
                        (&mut self.lower, &mut self.upper)
                    };
                    replace(active, Derivation::saturated);
                    *other = None;
                }
                Move::Negate => std::mem::swap(&mut self.lower, &mut self.upper),
            }
        }
    }

    /// A true literal is weakened away where it stands, and taken out as true where its negation
    /// stands.
    fn take_out(&mut self, lit: Lit, coefficient: i128, is_negated: bool, unit: ConstraintId) {
        let (stands, opposes) = if is_negated {
            (&mut self.upper, &mut self.lower)
        } else {
            (&mut self.lower, &mut self.upper)
        };
        replace(stands, |side| side.plus_lit(coefficient, !lit));
        replace(opposes, |side| side.plus_times(coefficient, unit));
    }
}

fn replace(side: &mut Option<Derivation>, derive: impl FnOnce(Derivation) -> Derivation) {
    *side = side.take().map(derive);
}
