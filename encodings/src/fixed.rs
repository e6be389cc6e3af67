//! Values that variables have in all solutions that are looked for, found row by row. In a proof,
//! each is a unit clause.

use crate::normalize::{Move, Normalized, Normalizer};
use crate::{ConstraintId, ProofLog};
use pbsolve_model::{Lit, RowId, RowView, Term, Var};

/// Known values. Without a proof they may come from anywhere; with one, each has its unit clause.
#[derive(Clone, Debug, Default)]
pub struct Fixed {
    /// By index; shorter than the model where nothing is known.
    values: Vec<Option<bool>>,
    /// The unit clauses, by index, where there is a proof.
    units: Vec<Option<ConstraintId>>,
}

/// What a row says of the variables that were open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixing {
    /// It fixes none.
    Nothing,
    /// It fixed some.
    Fixed,
    /// It cannot be met.
    Contradiction,
}

impl Fixed {
    /// These values, by index, where there is no proof.
    pub fn without_proof(values: Vec<Option<bool>>) -> Fixed {
        Fixed { values, units: Vec::new() }
    }

    /// The value of a variable, if it is known.
    pub fn value(&self, var: Var) -> Option<bool> {
        self.values.get(var.index()).copied().flatten()
    }

    /// The known values by index; may be shorter than the model.
    pub fn values(&self) -> &[Option<bool>] {
        &self.values
    }

    /// Number of variables with a known value.
    pub fn num_fixed(&self) -> usize {
        self.values.iter().flatten().count()
    }

    /// The unit clause of a variable with a known value, if there is a proof.
    pub fn unit(&self, var: Var) -> Option<ConstraintId> {
        self.units.get(var.index()).copied().flatten()
    }

    /// What unit propagation of one row fixes, where it fixes no variable but such as it may fix.
    pub(crate) fn fix(
        &mut self,
        id: RowId,
        row: RowView<'_>,
        may_fix: impl Fn(Var) -> bool,
        normalizer: &mut Normalizer,
        mut proof: Option<&mut dyn ProofLog>,
    ) -> Fixing {
        if !self.may_force(row) {
            return Fixing::Nothing;
        }
        if normalizer.normalize(row, |var| self.value(var)) == Normalized::Contradiction {
            return Fixing::Contradiction;
        }
        let forces = normalizer.moves().iter().filter_map(|step| match *step {
            Move::Force { lit, is_negated, .. } => Some((lit, is_negated)),
            _ => None,
        });
        if !forces.clone().all(|(lit, _)| may_fix(lit.var())) {
            return Fixing::Nothing;
        }
        let mut fixing = Fixing::Nothing;
        for (lit, by_upper) in forces {
            let unit =
                proof.as_deref_mut().map(|proof| self.unit_of(lit, by_upper, id, row, proof));
            self.insert(lit, unit);
            fixing = Fixing::Fixed;
        }
        fixing
    }

    /// Whether the bounds of a row are near enough to its sum that it may force a literal, or be
    /// violated. Most rows are not, and this is much less than to normalize them. A row that has
    /// literals twice may force more than this sees.
    fn may_force(&self, row: RowView<'_>) -> bool {
        let (mut least, mut most, mut widest) = (0, 0, 0);
        for Term { coefficient, lit } in row.terms() {
            match self.value(lit.var()) {
                Some(value) if value == lit.is_negative() => {}
                Some(_) => {
                    least += coefficient;
                    most += coefficient;
                }
                None => {
                    let side = if coefficient > 0 { &mut most } else { &mut least };
                    *side += coefficient;
                    widest = widest.max(coefficient.abs());
                }
            }
        }
        row.lower.is_some_and(|lower| most.saturating_sub(lower) < widest)
            || row.upper.is_some_and(|upper| least.saturating_sub(upper) > -widest)
    }

    /// The unit clause of a literal that a side of a row forces, by the values that it knows: those
    /// of true literals fill its upper side, those of false ones empty its lower side.
    fn unit_of(
        &self,
        lit: Lit,
        by_upper: bool,
        id: RowId,
        row: RowView<'_>,
        proof: &mut dyn ProofLog,
    ) -> ConstraintId {
        let counts = |literal: Lit, coefficient: i128| {
            let is_true = self.value(literal.var())? != literal.is_negative();
            (coefficient != 0 && is_true == (by_upper == (coefficient > 0)))
                .then_some(literal.var())
        };
        let known = row.terms().filter_map(|term| counts(term.lit, term.coefficient));
        let mut hints: Vec<ConstraintId> = known.filter_map(|var| self.unit(var)).collect();
        hints.extend(proof.given_side(id, by_upper));
        proof.rup(&[lit], &hints)
    }

    fn insert(&mut self, lit: Lit, unit: Option<ConstraintId>) {
        let index = lit.var().index();
        if index >= self.values.len() {
            self.values.resize(index + 1, None);
        }
        self.values[index] = Some(!lit.is_negative());
        if unit.is_some() {
            if index >= self.units.len() {
                self.units.resize(index + 1, None);
            }
            self.units[index] = unit;
        }
    }
}
