//! A weighted sum whose upper bound is lowered again and again: for objectives.
//!
//! With equal weights the literals are sorted in unary, and a bound is one output. Otherwise a
//! dynamic polynomial watchdog is built: the tare, which makes a bound a multiple of the highest
//! power of two, is a variable for each bit instead of a constant, so that every bound is a set of
//! assumptions. Of literals that exclude each other, all that have a bit of the weight in common are
//! one literal of the bit's bucket.
//!
//! T. Paxian, S. Reimer, B. Becker: Dynamic Polynomial Watchdog Encoding for Solving Weighted
//! MaxSAT. SAT 2018.
//! M. Bofill, J. Coll, P. Nightingale, J. Suy, F. Ulrich-Oltean, M. Villaret: SAT Encodings for
//! Pseudo-Boolean Constraints Together With At-Most-One Constraints. Artificial Intelligence 2022.

use crate::pseudo_boolean::any_of;
use crate::unary_network::{Sorted, UnaryNetwork, Wanted};
use crate::{ClauseSink, Role, Stop};
use pbsolve_model::Lit;
use std::ops::ControlFlow;

/// The sum of positive weights of true literals, with literals to bound it.
#[derive(Clone, Debug)]
pub struct ObjectiveSum {
    /// The weight of one unit of the last bucket.
    unit: i128,
    /// Bits of the tare, the lowest first.
    tare: Vec<Lit>,
    /// `outputs[m - 1]` is implied when sum and tare are at least `m * unit`.
    outputs: Vec<Option<Lit>>,
}

impl ObjectiveSum {
    /// Encodes the sum of `(weight, literal)` pairs over distinct variables, for bounds up to
    /// `max_bound`. At most one literal of each group is true, which the caller has stated
    /// elsewhere; a literal that excludes none is a group of its own.
    ///
    /// # Errors
    /// Breaks when the sink does.
    ///
    /// # Panics
    /// If a weight is not positive, or the sum is beyond `i128`.
    pub fn encode(
        groups: &[Vec<(i128, Lit)>],
        max_bound: i128,
        sink: &mut dyn ClauseSink,
    ) -> ControlFlow<Stop, ObjectiveSum> {
        let weights = || groups.iter().flatten().map(|&(weight, _)| weight);
        assert!(weights().all(|weight| weight > 0), "weights are positive");
        let mut network = UnaryNetwork::default();
        let largest = weights().max().unwrap_or(1);
        let to_units = |sum: i128| usize::try_from(sum).unwrap_or(usize::MAX);
        if weights().all(|weight| weight == largest) {
            let lits = representatives(groups, 0, |_| true, sink)?;
            let units = to_units(max_bound / largest).saturating_add(1);
            let outputs = network.sort(&lits, units, Wanted::All, sink)?.lits;
            let (unit, tare) = (largest, Vec::new());
            return ControlFlow::Continue(ObjectiveSum { unit, tare, outputs });
        }
        let top = largest.ilog2();
        let mut tare = Vec::new();
        let mut carry = Sorted::default();
        for bit in 0..=top {
            let has_bit = |weight: i128| (weight >> bit) & 1 == 1;
            let mut bucket = representatives(groups, bit, has_bit, sink)?;
            if bit < top {
                let role = Role::new("tare", to_units(i128::from(bit)) + 1, 0);
                tare.push(sink.new_var(role).positive());
                bucket.push(tare[tare.len() - 1]);
            }
            // The largest bound, the tare and one unit more.
            let units = (max_bound >> bit).saturating_add(1 << (top - bit)).saturating_add(2);
            let units = to_units(units);
            let sorted = network.sort(&bucket, units, Wanted::All, sink)?;
            if bit == top {
                let outputs = network.merge(sorted, carry, units, Wanted::All, sink)?.lits;
                return ControlFlow::Continue(ObjectiveSum { unit: 1 << top, tare, outputs });
            }
            let sums = network.merge(sorted, carry, units, Wanted::Parity(0), sink)?.lits;
            let lits = sums.into_iter().skip(1).step_by(2).collect();
            carry = Sorted { lits, ..Sorted::default() };
        }
        unreachable!("the loop ends at the last bit")
    }

    /// A sum without literals, which bounds nothing.
    pub fn unbounded() -> ObjectiveSum {
        ObjectiveSum { unit: 1, tare: Vec::new(), outputs: Vec::new() }
    }

    /// The literals that, assumed together, keep the sum to `bound`; empty if every sum is within.
    ///
    /// # Panics
    /// If the bound is negative.
    pub fn at_most(&self, bound: i128) -> Vec<Lit> {
        assert!(bound >= 0, "the sum is never below 0");
        let multiple = bound / self.unit + 1;
        let Some(over) = self.output(multiple) else { return Vec::new() };
        // The product is at most the bound and a unit, which may be one bit beyond `i128`.
        let product = multiple.unsigned_abs() * self.unit.unsigned_abs();
        let tare = product - 1 - bound.unsigned_abs();
        let bits = self.tare.iter().enumerate();
        let tare = bits.map(|(bit, &lit)| if (tare >> bit) & 1 == 1 { lit } else { !lit });
        tare.chain([!over]).collect()
    }

    /// The largest bound below `bound` that is one literal, the tare left open, with that literal;
    /// `None` where there is none that excludes anything.
    pub fn coarse_below(&self, bound: i128) -> Option<(i128, Lit)> {
        let multiple = bound / self.unit;
        let over = self.output(multiple)?;
        Some((multiple * self.unit - 1, !over))
    }

    fn output(&self, multiple: i128) -> Option<Lit> {
        let place = usize::try_from(multiple.checked_sub(1)?).ok()?;
        *self.outputs.get(place)?
    }
}

/// For each group a literal that is implied by those of its literals whose weight counts.
fn representatives(
    groups: &[Vec<(i128, Lit)>],
    bit: u32,
    counts: impl Fn(i128) -> bool,
    sink: &mut dyn ClauseSink,
) -> ControlFlow<Stop, Vec<Lit>> {
    let mut lits = Vec::new();
    for (place, group) in groups.iter().enumerate() {
        let counting = group.iter().filter(|&&(weight, _)| counts(weight)).map(|&(_, lit)| lit);
        let role = Role::new("group", place + 1, bit as usize + 1);
        lits.extend(any_of(counting, role, sink)?);
    }
    ControlFlow::Continue(lits)
}
