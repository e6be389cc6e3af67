//! A whole model, or one group of a family, to clauses, row by row.

use crate::normalize::{Normalized, Normalizer};
use crate::replay::Sides;
use crate::sink::Counter;
use crate::{
    ClauseId, ClauseSink, ConstraintId, Planner, ProofLog, Role, Row, Size, Stop, UnsupportedRow,
};
use pbsolve_model::{Lit, Model, RowId, RowView, Var};
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
    fn add(&mut self, entry: RowSizes) {
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
    /// Values of variables that are the same in all solutions looked for, by index; shorter than
    /// the model or empty where nothing is known.
    pub fixed: Vec<Option<bool>>,
    normalizer: Normalizer,
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

    /// Makes all variables and states all rows, those of families included: decision variables
    /// first, then the indicators in the model's order, then the auxiliary variables.
    ///
    /// # Errors
    /// Breaks when the sink does, or with [`Stop::Unsupported`] at a row that no encoder takes.
    ///
    /// # Panics
    /// If the model has more than 2^31 - 1 variables.
    pub fn model(&mut self, model: &Model, sink: &mut dyn ClauseSink) -> ControlFlow<Stop> {
        self.decisions(model, sink);
        let all = usize::try_from(model.num_variables()).expect("64-bit machines");
        variables("indicator", model.num_decisions(), all, sink);
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
        // What is known without a justification is not used where there is a proof.
        let known: &[Option<bool>] = if sink.proof().is_some() { &[] } else { &self.fixed };
        let fixed = |var: Var| known.get(var.index()).copied().flatten();
        let (units, contradiction) = match sink.proof() {
            Some(proof) => replay(&mut self.normalizer, id, row, proof),
            None => (Vec::new(), None),
        };
        let (forced, row) = match self.normalizer.normalize(row, fixed) {
            Normalized::Contradiction => {
                sink.begin(id, "-");
                sink.clause(&[])?;
                if let (Some(proof), Some(why)) = (sink.proof(), contradiction) {
                    proof.justify(why);
                }
                self.encoded.add(plain("contradiction", 1, 0));
                return ControlFlow::Continue(());
            }
            Normalized::Row { forced, row } => (forced, row),
        };
        if !forced.is_empty() {
            sink.begin(id, "-");
            for (place, &lit) in forced.iter().enumerate() {
                sink.clause(&[lit])?;
                if let (Some(proof), Some(&why)) = (sink.proof(), units.get(place)) {
                    proof.justify(why);
                }
            }
            self.encoded.add(plain("unit", forced.len(), forced.len()));
        }
        match row {
            None if forced.is_empty() => self.encoded.add(plain("trivial", 0, 0)),
            None => {}
            Some(Row::Clause(lits)) => {
                sink.begin(id, "-");
                // The lower side is the clause.
                sink.clause(lits)?;
                if let Some(proof) = sink.proof()
                    && let Some(side) = proof.row_side(false)
                {
                    proof.justify(side);
                }
                self.encoded.add(plain("clause", 1, lits.len()));
            }
            Some(row) => {
                let choice = match self.planner.choose(&row) {
                    Ok(choice) => choice,
                    Err(unsupported) => {
                        self.unsupported = Some((id, unsupported));
                        return ControlFlow::Break(Stop::Unsupported);
                    }
                };
                let encoder = choice.encoder.name();
                sink.begin(id, encoder);
                let mut counting = Counting { inner: sink, counted: Counter::default() };
                choice.encoder.encode(&row, &mut counting)?;
                let Counter { size, num_lits } = counting.counted;
                let (class_name, reason) = (row.class_name(), choice.reason);
                self.encoded.add(RowSizes { class_name, encoder, rows: 1, size, num_lits, reason });
            }
        }
        ControlFlow::Continue(())
    }
}

/// Brings a row to normal form in the proof. Returns the constraints of the forced literals, or of
/// the contradiction. Known values have no justification, so there must be none.
fn replay(
    normalizer: &mut Normalizer,
    id: RowId,
    row: RowView<'_>,
    proof: &mut dyn ProofLog,
) -> (Vec<ConstraintId>, Option<ConstraintId>) {
    let is_contradiction = normalizer.normalize(row, |_| None) == Normalized::Contradiction;
    let [lower, upper] = [false, true].map(|upper| proof.given_side(id, upper));
    let mut sides = Sides { lower, upper, units: Vec::new() };
    sides.replay(normalizer.moves(), proof);
    let contradiction = is_contradiction.then(|| sides.contradiction(proof));
    proof.set_row_sides(sides.lower, sides.upper);
    (sides.units, contradiction)
}

fn variables(name: &'static str, from: usize, to: usize, sink: &mut dyn ClauseSink) {
    for index in from..to {
        let var = sink.new_var(Role::new(name, index - from + 1, 0));
        assert_eq!(var.index(), index, "the variables of the model are the first of the sink");
    }
}

fn plain(class_name: &'static str, clauses: usize, lits: usize) -> RowSizes {
    let (size, num_lits) = (Size::new(0, clauses), lits as u64);
    RowSizes { class_name, encoder: "-", rows: 1, size, num_lits, reason: "needs no encoder" }
}

/// Counts what one row comes to while passing it on.
struct Counting<'a> {
    inner: &'a mut dyn ClauseSink,
    counted: Counter,
}

impl Counting<'_> {
    fn count(&mut self, lits: &[Lit]) {
        self.counted.size.clauses += 1;
        self.counted.num_lits += lits.len() as u64;
    }
}

impl ClauseSink for Counting<'_> {
    fn begin(&mut self, row: RowId, encoder: &'static str) {
        self.inner.begin(row, encoder);
    }

    fn new_var(&mut self, role: Role) -> Var {
        self.counted.size.variables += 1;
        self.inner.new_var(role)
    }

    fn clause(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        self.count(lits);
        self.inner.clause(lits)
    }

    fn define(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        self.count(lits);
        self.inner.define(lits)
    }

    fn proof(&mut self) -> Option<&mut dyn ProofLog> {
        self.inner.proof()
    }
}
