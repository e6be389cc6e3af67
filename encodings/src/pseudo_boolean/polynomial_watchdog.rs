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
//! - *prefer when*: coefficients are large and differ

use super::{AtMost, any_of, for_each_side, is_weighted, sides};
use crate::sink::Counter;
use crate::unary_network::{UnaryNetwork, Wanted};
use crate::{Class, ClauseSink, Encoder, Outputs, Role, Row, Size, Stop, Strength};
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
    let mut carry: Vec<Option<Lit>> = Vec::new();
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
        if bit == top {
            debug_assert!(!with_tare, "the tare is below the highest power of two");
            let sums = network.merge(&sorted, &carry, units, Wanted::Last, sink)?;
            // Fewer units than the bound has: the side could not be exceeded.
            if let Some(Some(over)) = sums.get(units - 1) {
                sink.clause(&[!*over])?;
            }
            break;
        }
        // Half of the count, the tare's unit included: counts 2, 4, ... without, 1, 3, ... with it.
        let parity = usize::from(with_tare);
        let sums = network.merge(&sorted, &carry, units, Wanted::Parity(parity), sink)?;
        let first = usize::from(!with_tare);
        carry = sums.into_iter().skip(first).step_by(2).collect();
    }
    ControlFlow::Continue(())
}
