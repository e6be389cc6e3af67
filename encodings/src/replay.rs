//! The normal form of a row in the proof: the steps of the normalisation, done to its two sides.

use crate::normalize::Move;
use crate::sink::{ConstraintId, Derivation, ProofLog};

/// The constraints of a row in the proof.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sides {
    /// `sum >= lo`.
    pub(crate) lower: Option<ConstraintId>,
    /// `sum <= hi`.
    pub(crate) upper: Option<ConstraintId>,
    /// One unit clause for each literal that the bounds force.
    pub(crate) units: Vec<ConstraintId>,
}

impl Sides {
    fn both(&self) -> impl Iterator<Item = ConstraintId> + use<> {
        self.lower.into_iter().chain(self.upper)
    }

    /// The empty clause, from sides that no assignment meets.
    pub(crate) fn contradiction(&self, proof: &mut dyn ProofLog) -> ConstraintId {
        let both = self.both().map(|side| (1, side));
        let sum = both.fold(Derivation::default(), |sum, (n, side)| sum.plus_times(n, side));
        let mut hints = vec![sum.write(proof)];
        hints.extend(self.both());
        proof.rup(&[], &hints)
    }

    /// Does to the sides what the normalisation did to the row.
    pub(crate) fn replay(&mut self, moves: &[Move], proof: &mut dyn ProofLog) {
        for &step in moves {
            match step {
                Move::Force { lit, coefficient, is_negated } => {
                    let hints: Vec<ConstraintId> = self.both().collect();
                    let unit = proof.rup(&[lit], &hints);
                    self.units.push(unit);
                    // The literal is weakened away where it stands, and taken out as true where its
                    // negation stands.
                    let (stands, opposes) = if is_negated {
                        (&mut self.upper, &mut self.lower)
                    } else {
                        (&mut self.lower, &mut self.upper)
                    };
                    replace(stands, |side| side.plus_lit(coefficient, !lit), proof);
                    replace(opposes, |side| side.plus_times(coefficient, unit), proof);
                }
                Move::Divide(by) => {
                    replace(&mut self.lower, |side| side.divided(by), proof);
                    replace(&mut self.upper, |side| side.divided(by), proof);
                }
                Move::Saturate { upper } => {
                    let (active, other) = if upper {
                        (&mut self.upper, &mut self.lower)
                    } else {
                        (&mut self.lower, &mut self.upper)
                    };
                    replace(active, Derivation::saturated, proof);
                    *other = None;
                }
                Move::Negate => std::mem::swap(&mut self.lower, &mut self.upper),
            }
        }
    }
}

fn replace(
    side: &mut Option<ConstraintId>,
    derive: impl FnOnce(Derivation) -> Derivation,
    proof: &mut dyn ProofLog,
) {
    *side = side.map(|side| derive(Derivation::of(side)).write(proof));
}
