//! From the normal form of one row to clauses, with the bookkeeping of what it came to.

use crate::encode_model::{Encoded, RowSizes};
use crate::exclusive::GroupedSide;
use crate::normalize::{Normalized, Normalizer};
use crate::pseudo_boolean::any_of;
use crate::sink::Counter;
use crate::{
    ClauseId, ClauseSink, ConstraintId, Grouped, Planner, ProofLog, Role, Row, Size, Stop,
    UnsupportedRow,
};
use pbsolve_model::{Coefficients, Lit, RowId, RowView, Var};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Where the clauses of one row go, and what they come to.
pub(crate) struct StateRow<'a> {
    pub(crate) planner: &'a Planner,
    pub(crate) encoded: &'a mut Encoded,
    /// Set where no encoder takes a row.
    pub(crate) unsupported: &'a mut Option<(RowId, UnsupportedRow)>,
    pub(crate) id: RowId,
}

impl StateRow<'_> {
    /// States what a row came to. In the proof, `units` say that the forced literals are true, and
    /// `contradiction` that nothing is.
    pub(crate) fn normalized(
        &mut self,
        normalized: Normalized<'_>,
        units: &[ConstraintId],
        contradiction: Option<ConstraintId>,
        sink: &mut dyn ClauseSink,
    ) -> ControlFlow<Stop> {
        let (forced, row) = match normalized {
            Normalized::Contradiction => {
                sink.begin(self.id, "-");
                sink.clause(&[])?;
                if let (Some(proof), Some(why)) = (sink.proof(), contradiction) {
                    proof.justify(why);
                }
                self.encoded.add(plain("contradiction", 1, 0));
                return ControlFlow::Continue(());
            }
            Normalized::Row { forced, row } => (forced, row),
        };
        self.forced(forced, units, sink)?;
        match row {
            None if forced.is_empty() => self.encoded.add(plain("trivial", 0, 0)),
            None => {}
            Some(Row::Clause(lits)) => {
                sink.begin(self.id, "-");
                // The lower side is the clause.
                sink.clause(lits)?;
                if let Some(proof) = sink.proof()
                    && let Some(side) = proof.row_side(false)
                {
                    proof.justify(side);
                }
                self.encoded.add(plain("clause", 1, lits.len()));
            }
            Some(row) => self.encoded_row(&row, sink)?,
        }
        ControlFlow::Continue(())
    }

    pub(crate) fn forced(
        &mut self,
        forced: &[Lit],
        units: &[ConstraintId],
        sink: &mut dyn ClauseSink,
    ) -> ControlFlow<Stop> {
        if !forced.is_empty() {
            sink.begin(self.id, "-");
            for (place, &lit) in forced.iter().enumerate() {
                sink.clause(&[lit])?;
                if let (Some(proof), Some(&why)) = (sink.proof(), units.get(place)) {
                    proof.justify(why);
                }
            }
            self.encoded.add(plain("unit", forced.len(), forced.len()));
        }
        ControlFlow::Continue(())
    }

    /// States a row that is not a clause by the encoder that the planner chooses.
    pub(crate) fn encoded_row(
        &mut self,
        row: &Row<'_>,
        sink: &mut dyn ClauseSink,
    ) -> ControlFlow<Stop> {
        let choice = match self.planner.choose(row) {
            Ok(choice) => choice,
            Err(unsupported) => {
                *self.unsupported = Some((self.id, unsupported));
                return ControlFlow::Break(Stop::Unsupported);
            }
        };
        let encoder = choice.encoder.name();
        sink.begin(self.id, encoder);
        choice.size.map_or(ControlFlow::Continue(()), |size| sink.expect(size))?;
        let mut counting = Counting { inner: sink, counted: Counter::default() };
        choice.encoder.encode(row, &mut counting)?;
        let Counter { size, num_lits } = counting.counted;
        let (class_name, reason) = (row.class_name(), choice.reason);
        self.encoded.add(RowSizes { class_name, encoder, rows: 1, size, num_lits, reason });
        ControlFlow::Continue(())
    }

    /// States one side of a weighted row over groups: literals of a group with the same coefficient
    /// become one, and what comes of it is brought to normal form again.
    pub(crate) fn grouped(
        &mut self,
        side: &GroupedSide,
        normalizer: &mut Normalizer,
        sink: &mut dyn ClauseSink,
    ) -> ControlFlow<Stop> {
        if side.is_met_always() {
            self.encoded.add(plain("trivial", 0, 0));
            return ControlFlow::Continue(());
        }
        sink.begin(self.id, "groups");
        let mut counting = Counting { inner: sink, counted: Counter::default() };
        let (mut lits, mut coefficients) = (Vec::new(), Vec::new());
        let mut group_of: HashMap<Lit, u32> = HashMap::new();
        for (number, group) in (0..).zip(&side.groups) {
            let mut group = group.clone();
            group.sort_by_key(|&(coefficient, _)| coefficient);
            for (place, equal) in (1..).zip(group.chunk_by(|a, b| a.0 == b.0)) {
                let role = Role::new("any", number as usize + 1, place);
                let equal_lits = equal.iter().map(|&(_, lit)| lit);
                if let Some(lit) = any_of(equal_lits, role, &mut counting)? {
                    lits.push(lit);
                    coefficients.push(equal[0].0);
                    group_of.insert(lit, number);
                }
            }
        }
        let Counter { size, num_lits } = counting.counted;
        if size.clauses > 0 {
            self.encoded.add(RowSizes { size, num_lits, ..plain("equal coefficients", 0, 0) });
        }
        let wide = Coefficients::Wide(&coefficients);
        let upper = Some(side.bound);
        let view = RowView { lits: &lits, coefficients: wide, lower: None, upper };
        let normalized = normalizer.normalize(view, |_| None);
        let Normalized::Row { forced, row: Some(Row::PseudoBoolean(sum)) } = normalized else {
            return self.normalized(normalized, &[], None, sink);
        };
        self.forced(forced, &[], sink)?;
        let mut groups: Vec<u32> = sum.lits.iter().map(|lit| group_of[lit]).collect();
        renumber(&mut groups);
        if sum.lits.len() == groups.iter().max().map_or(0, |&last| last as usize + 1) {
            return self.encoded_row(&Row::PseudoBoolean(sum), sink);
        }
        self.encoded_row(&Row::Grouped(Grouped { sum, groups: &groups }), sink)
    }
}

/// Numbers from 0 on without gaps, in the order of first appearance.
fn renumber(groups: &mut [u32]) {
    let mut known: HashMap<u32, u32> = HashMap::new();
    for group in groups {
        let next = u32::try_from(known.len()).expect("no more groups than before");
        *group = *known.entry(*group).or_insert(next);
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
