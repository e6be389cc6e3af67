//! Polynomial watchdog (global): the literals whose coefficient has bit `r` are counted in unary in
//! bucket `r`; half of each count is carried into the next bucket, where the literals of twice the
//! weight are. A constant, the tare, makes the bound a multiple of the highest power of two, so that
//! one output of the last bucket tells whether it is exceeded. Of literals that exclude each other
//! those with a bit in common are one literal of its bucket.
//!
//! O. Bailleux, Y. Boufkhad, O. Roussel: New Encodings of Pseudo-Boolean Constraints into CNF.
//! SAT 2009.
//!
//! - *auxiliary variables*, *clauses*: `O(n log^2 n log w)` with sorting and merging networks; the
//!   exact numbers by counting, before anything is built
//! - *propagation*: conflict-only for each side (Bailleux et al.)
//! - *proof*: outputs are thresholds of sums, see the network; each sum is at least twice what it
//!   carries on, and all sums, weighted, add up to the row
//! - *prefer when*: coefficients are large and differ

use super::{AtMost, any_of, for_each_side, is_weighted, sides};
use crate::sink::{Counter, Derivation, justified};
use crate::unary_network::{Counted, Sorted, UnaryNetwork, Wanted};
use crate::{
    Class, ClauseSink, ConstraintId, Encoder, Outputs, ProofLog, Role, Row, Size, Stop, Strength,
};
use pbsolve_model::Lit;
use std::ops::ControlFlow;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct PolynomialWatchdog;

impl Encoder for PolynomialWatchdog {
    fn name(&self) -> &'static str {
        "polynomial-watchdog"
    }

    fn class(&self) -> Class {
        Class::PseudoBoolean
    }

    fn about(&self) -> &'static str {
        "bits counted in unary, half of each count carried on (Bailleux 2009)"
    }

    fn supports(&self, row: &Row<'_>) -> bool {
        is_weighted(row)
    }

    fn size(&self, row: &Row<'_>) -> Option<Size> {
        let mut counter = Counter::default();
        let mut network = UnaryNetwork::default();
        let flow = sides(row).try_for_each(|side| at_most(&mut network, &side, &mut counter));
        debug_assert!(flow.is_continue(), "a counter takes everything");
        Some(counter.size)
    }

    fn strength(&self, _: &Row<'_>) -> Strength {
        Strength::ConflictOnly
    }

    fn keeps_model_count(&self, _: &Row<'_>) -> bool {
        false
    }

    fn is_certified(&self) -> bool {
        true
    }

    fn encode(&self, row: &Row<'_>, sink: &mut dyn ClauseSink) -> ControlFlow<Stop, Outputs> {
        let mut network = UnaryNetwork::default();
        for_each_side(row, sink, |side, sink| at_most(&mut network, &side, sink))?;
        ControlFlow::Continue(Outputs::default())
    }
}

fn at_most(
    network: &mut UnaryNetwork,
    side: &AtMost,
    sink: &mut dyn ClauseSink,
) -> ControlFlow<Stop> {
    let largest = side.coefficients[0];
    let top = largest.ilog2();
    // sum >= bound + 1 iff sum + tare >= multiple * 2^top
    let over = side.bound + 1;
    let multiple = ((over - 1) >> top) + 1;
    let tare = (multiple << top) - over;
    let mut carry = Sorted::default();
    // In the proof: what is counted is not more than what it stands for, with its weight.
    let mut facts: Vec<(i128, ConstraintId)> = Vec::new();
    for bit in 0..=top {
        let mut bucket: Vec<Lit> = Vec::new();
        for group in 0..side.num_groups() {
            let has_bit = |place: &usize| side.coefficients[*place] >> bit & 1 == 1;
            let lits = side.group(group).filter(has_bit).map(|place| side.lits[place]);
            let role = Role::new("group", group + 1, bit as usize + 1);
            bucket.extend(any_of(lits, role, sink)?);
        }
        // More units of this weight than the bound has say nothing new.
        let units = usize::try_from(multiple << (top - bit)).unwrap_or(usize::MAX);
        let sorted = network.sort(&bucket, units, Wanted::All, sink)?;
        let with_tare = tare >> bit & 1 == 1;
        let wanted = if bit == top {
            debug_assert!(!with_tare, "the tare is below the highest power of two");
            Wanted::Last
        } else {
            // Half of the count, the tare's unit included: counts 2, 4, ... without, 1, 3, ... with.
            Wanted::Parity(usize::from(with_tare))
        };
        let sums = network.merge(sorted, carry, units, wanted, sink)?;
        let below = sums.counted.iter().flat_map(|counted| &counted.below);
        facts.extend(below.map(|&fact| (1 << bit, fact)));
        if bit == top {
            // Fewer units than the bound has: the side could not be exceeded.
            if let Some(Some(over)) = sums.lits.get(units - 1) {
                justified(sink, &[!*over], |proof| {
                    let counted = sums.counted.as_ref().expect("made with the proof");
                    let reached = counted.sum.reaches(multiple, Derivation::default());
                    let row = side.in_proof(proof).map(|row| (1, row));
                    let all = facts.iter().copied().chain(row);
                    let add = |sum: Derivation, (factor, fact)| sum.plus_times(factor, fact);
                    all.fold(reached.times(1 << top), add).divided(multiple << top).write(proof)
                })?;
            }
            break;
        }
        let first = usize::from(!with_tare);
        carry = sink.proof().map_or_else(Sorted::default, |proof| {
            let (half, fact) = half_of(&sums, first, proof);
            facts.extend(fact.map(|fact| (1 << bit, fact)));
            half
        });
        carry.lits = sums.lits.into_iter().skip(first).step_by(2).collect();
    }
    ControlFlow::Continue(())
}

/// In the proof: every second of the literals that count a sum, from this place on, and that the sum
/// is at least twice their number, or one less where the first of them stands for 1.
fn half_of(
    sums: &Sorted,
    first: usize,
    proof: &mut dyn ProofLog,
) -> (Sorted, Option<ConstraintId>) {
    let number = |count: usize| i128::try_from(count).expect("counts are far below 2^127");
    let every_second = (first..sums.lits.len()).step_by(2);
    let lits: Vec<(usize, Lit)> =
        every_second.filter_map(|place| Some((place + 1, sums.lits[place]?))).collect();
    let Some(Counted { sum, .. }) = &sums.counted else {
        return (Sorted::default(), None);
    };
    let Some(&(count, lit)) = lits.first() else {
        // Nothing is carried on, and the sum is not negative.
        let not_negative =
            (sum.num_terms() > 0).then(|| sum.reaches(0, Derivation::default()).write(proof));
        return (Sorted::default(), not_negative);
    };
    let order: Vec<ConstraintId> = lits
        .windows(2)
        .map(|two| {
            let [(less, _), (more, _)] = [two[0], two[1]];
            let both = sum.reaches(number(more), Derivation::default());
            let both = sum.stays_below(number(less), both);
            both.divided(2 * number(sum.num_terms() + 1)).write(proof)
        })
        .collect();
    // By induction, two units at a time: the sum is at least twice the number of the first literals.
    let mut twice = sum.reaches(number(count), Derivation::default());
    if count == 1 {
        twice = twice.plus_lit(1, !lit);
    }
    for two in lits.windows(2) {
        let [(_, before), (count, lit)] = [two[0], two[1]];
        let (less, count) = (number(count) - 2, number(count));
        let reached = sum.reaches(count, Derivation::default()).write(proof);
        twice = twice.times(less).plus(reached).plus_lit(1, lit).divided(less + 1);
        twice = twice.times(less + 1).plus(reached).divided(count);
        if less == 1 {
            // Rounded down from 2 on the way.
            twice = twice.plus_lit(1, !before);
        }
    }
    let lits: Vec<Lit> = lits.into_iter().map(|(_, lit)| lit).collect();
    let counted = Some(Counted::ordered(&lits, order, proof));
    (Sorted { lits: Vec::new(), counted }, Some(twice.write(proof)))
}
