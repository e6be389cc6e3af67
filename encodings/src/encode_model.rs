//! A whole model, or one group of a family, to clauses, row by row.

use crate::exclusive::ExclusiveSets;
use crate::normalize::{Move, Normalized, Normalizer};
use crate::replay::Sides;
use crate::state_row::StateRow;
use crate::{
    ClauseSink, ConstraintId, Fixed, Fixing, Planner, ProofLog, PseudoBoolean, Role, Row, Size,
    Stop, UnsupportedRow,
};
use pbsolve_model::{Model, RowId, RowView, Var};
use std::ops::ControlFlow;

/// The rows of one class that one encoder stated, and what they came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowSizes {
    /// The class of the rows in normal form.
    pub class_name: &'static str,
    /// The encoder; `-` for rows that need none.
    pub encoder: &'static str,
    /// Number of rows.
    pub rows: u64,
    /// Auxiliary variables and clauses of all of them.
    pub size: Size,
    /// Literals in these clauses.
    pub num_lits: u64,
    /// Why this encoder.
    pub reason: &'static str,
}

/// What an encoding came to, class by class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    /// One entry for each class and encoder, in order of appearance.
    pub rows: Vec<RowSizes>,
}

impl Encoded {
    pub(crate) fn add(&mut self, entry: RowSizes) {
        let same = |known: &&mut RowSizes| {
            known.encoder == entry.encoder && known.class_name == entry.class_name
        };
        match self.rows.iter_mut().find(same) {
            Some(known) => {
                known.rows += entry.rows;
                known.size += entry.size;
                known.num_lits += entry.num_lits;
            }
            None => self.rows.push(entry),
        }
    }
}

/// Encodes rows of a model with a planner's choices. Variables whose value is known can be folded
/// into the rows: their rows shrink, and the clauses speak of the other variables only.
#[derive(Debug, Default)]
pub struct EncodeModel {
    /// The planner.
    pub planner: Planner,
    /// Values of variables that are the same in all solutions looked for.
    pub fixed: Fixed,
    /// Literals that exclude each other by rows that are stated as well: weighted rows are stated
    /// over groups of them, which takes fewer clauses. Not used where there is a proof.
    pub exclusive: ExclusiveSets,
    normalizer: Normalizer,
    /// For what becomes of a row that is rewritten.
    rewriter: Normalizer,
    encoded: Encoded,
    unsupported: Option<(RowId, UnsupportedRow)>,
}

impl EncodeModel {
    /// Nothing encoded yet, no value known.
    pub fn new(planner: Planner) -> EncodeModel {
        EncodeModel { planner, ..EncodeModel::default() }
    }

    /// What was encoded so far.
    pub fn encoded(&self) -> &Encoded {
        &self.encoded
    }

    /// The row that no encoder took, after a [`Stop::Unsupported`].
    pub fn unsupported(&self) -> Option<&(RowId, UnsupportedRow)> {
        self.unsupported.as_ref()
    }

    /// Makes the decision variables, which are the first variables of the sink.
    pub fn decisions(&mut self, model: &Model, sink: &mut dyn ClauseSink) {
        variables("x", 0, model.num_decisions(), sink);
    }

    /// Makes all variables of a model: the decision variables, then the indicators in the model's
    /// order.
    pub fn variables(&mut self, model: &Model, sink: &mut dyn ClauseSink) {
        self.decisions(model, sink);
        let all = usize::try_from(model.num_variables()).expect("64-bit machines");
        variables("indicator", model.num_decisions(), all, sink);
    }

    /// Fixes variables that one row forces by what is known, if it forces no others than it may.
    /// Their values are folded into the rows that are stated after this.
    pub fn fix(
        &mut self,
        id: RowId,
        row: RowView<'_>,
        may_fix: impl Fn(Var) -> bool,
        proof: Option<&mut dyn ProofLog>,
    ) -> Fixing {
        self.fixed.fix(id, row, may_fix, &mut self.normalizer, proof)
    }

    /// Makes all variables and states all rows, those of families included: decision variables
    /// first, then the indicators in the model's order, then the auxiliary variables.
    ///
    /// # Errors
    /// Breaks when the sink does, or with [`Stop::Unsupported`] at a row that no encoder takes.
    ///
    /// # Panics
    /// If the model has more than 2^31 - 1 variables.
    pub fn model(&mut self, model: &Model, sink: &mut dyn ClauseSink) -> ControlFlow<Stop> {
        if self.planner.group_exclusive && self.exclusive.is_empty() {
            self.exclusive = ExclusiveSets::for_rows(model, self.fixed.values());
        }
        self.variables(model, sink);
        model.for_each_row(|id, row| self.row(id, row, sink))
    }

    /// Makes the indicators of one group of a family and states its rows: for families that were
    /// left out at first.
    ///
    /// # Errors
    /// As [`EncodeModel::model`].
    pub fn group(
        &mut self,
        model: &Model,
        family: usize,
        group: usize,
        sink: &mut dyn ClauseSink,
    ) -> ControlFlow<Stop> {
        let num_indicators = model.families()[family].group(group).num_indicators;
        let place = |i: usize| Role::new("indicator", group + 1, i + 1);
        let mut made = (0..num_indicators).map(|i| sink.new_var(place(i)));
        let first = made.next().unwrap_or(Var::new(0));
        made.for_each(drop);
        self.group_from(first, model, family, group, sink)
    }

    /// States the rows of one group of a family, whose indicators are made, from this one on.
    ///
    /// # Errors
    /// As [`EncodeModel::model`].
    pub fn group_from(
        &mut self,
        first: Var,
        model: &Model,
        family: usize,
        group: usize,
        sink: &mut dyn ClauseSink,
    ) -> ControlFlow<Stop> {
        let is_indicator = {
            let indicators = model.families()[family].group(group).num_indicators;
            move |var: Var| (first.index()..first.index() + indicators).contains(&var.index())
        };
        // Indicators of which the known values decide.
        let flow: ControlFlow<()> = model.for_each_row_of_group(family, group, first, |id, row| {
            self.fix(id, row, is_indicator, sink.proof());
            ControlFlow::Continue(())
        });
        debug_assert!(flow.is_continue(), "all rows are visited");
        model.for_each_row_of_group(family, group, first, |id, row| self.row(id, row, sink))
    }

    /// States one row.
    ///
    /// # Errors
    /// As [`EncodeModel::model`].
    pub fn row(
        &mut self,
        id: RowId,
        row: RowView<'_>,
        sink: &mut dyn ClauseSink,
    ) -> ControlFlow<Stop> {
        let fixed = &self.fixed;
        let (normalized, moves) = self.normalizer.normalize_with_moves(row, |var| fixed.value(var));
        let Replayed { units, contradiction } = match sink.proof() {
            Some(proof) => replay(&normalized, moves, fixed, id, proof),
            None => Replayed::default(),
        };
        let mut out = StateRow {
            planner: &self.planner,
            encoded: &mut self.encoded,
            unsupported: &mut self.unsupported,
            id,
        };
        if let Normalized::Row { row: Some(Row::PseudoBoolean(sum)), forced } = normalized
            && sink.proof().is_none()
        {
            let sides = [true, false].map(|is_upper| self.exclusive.group_side(&sum, is_upper));
            if sides.iter().any(Option::is_some) {
                out.forced(forced, &[], sink)?;
                let total = sum.coefficients.iter().sum();
                let plain = [PseudoBoolean { lo: 0, ..sum }, PseudoBoolean { hi: total, ..sum }];
                for (side, plain) in sides.into_iter().zip(plain) {
                    match side {
                        Some(side) => out.grouped(&side, &mut self.rewriter, sink)?,
                        None if plain.lo > 0 || plain.hi < total => {
                            out.encoded_row(&Row::PseudoBoolean(plain), sink)?;
                        }
                        None => {}
                    }
                }
                return ControlFlow::Continue(());
            }
        }
        out.normalized(normalized, &units, contradiction, sink)
    }
}

/// What the proof has of a row besides its sides.
#[derive(Default)]
struct Replayed {
    /// The constraints of the forced literals.
    units: Vec<ConstraintId>,
    /// That of a contradiction.
    contradiction: Option<ConstraintId>,
}

/// Brings a row to normal form in the proof.
fn replay(
    normalized: &Normalized<'_>,
    moves: &[Move],
    fixed: &Fixed,
    id: RowId,
    proof: &mut dyn ProofLog,
) -> Replayed {
    if matches!(normalized, Normalized::Row { forced: [], row: None }) {
        return Replayed::default();
    }
    let mut sides = Sides::given([false, true].map(|upper| proof.given_side(id, upper)));
    sides.replay(moves, fixed, proof);
    let mut contradiction = None;
    match normalized {
        Normalized::Contradiction => contradiction = Some(sides.contradiction(proof)),
        Normalized::Row { row, .. } => {
            let [lower, upper] = row.map_or([false, false], |row| row.active_sides());
            let lower = lower.then(|| sides.write(false, proof)).flatten();
            let upper = upper.then(|| sides.write(true, proof)).flatten();
            proof.set_row_sides(lower, upper);
        }
    }
    Replayed { units: sides.units, contradiction }
}

fn variables(name: &'static str, from: usize, to: usize, sink: &mut dyn ClauseSink) {
    for index in from..to {
        let var = sink.new_var(Role::new(name, index - from + 1, 0));
        assert_eq!(var.index(), index, "the variables of the model are the first of the sink");
    }
}
