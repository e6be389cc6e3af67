//! Cardinality network: sorts the literals in unary, up to one more than the bound, by halves that
//! are merged; small pieces directly, large ones by odd-even merging, whichever is smaller.
//!
//! R. Asín, R. Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell: Cardinality Networks: a
//! Theoretical and Empirical Study. Constraints 2011.
//! I. Abío, R. Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell: A Parametric Approach for Smaller
//! and Better Encodings of Cardinality Constraints. CP 2013.
//!
//! - *auxiliary variables*, *clauses*: `O(n log^2 k)`; the exact numbers are computed from the plan
//!   before anything is built
//! - *propagation*: complete (Asín et al.)
//! - *proof*: outputs are thresholds of sums, see the network; they add up to the row
//! - *prefer when*: n and k are large
//!
//! A row with two sides is two networks, one over the negated literals.

use super::{bounds_of, counts};
use crate::sink::{Derivation, justified};
use crate::unary_network::{UnaryNetwork, Wanted};
use crate::{Class, ClauseSink, Encoder, Outputs, Row, Size, Stop, Strength};
use pbsolve_model::Lit;
use std::ops::ControlFlow;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct CardinalityNetwork;

impl Encoder for CardinalityNetwork {
    fn name(&self) -> &'static str {
        "cardinality-network"
    }

    fn class(&self) -> Class {
        Class::Cardinality
    }

    fn about(&self) -> &'static str {
        "sorts in unary up to the bound (Asín 2011, Abío 2013)"
    }

    fn supports(&self, row: &Row<'_>) -> bool {
        counts(row)
    }

    fn size(&self, row: &Row<'_>) -> Option<Size> {
        let row = bounds_of(row);
        let n = row.lits.len();
        let mut network = UnaryNetwork::default();
        let mut size = Size::default();
        let upper = (row.hi < n).then_some(row.hi);
        let lower = (row.lo > 0).then_some(n - row.lo);
        for bound in [upper, lower].into_iter().flatten() {
            size += network.sort_size(n, bound + 1, Wanted::Last);
            size += Size::new(0, 1);
        }
        Some(size)
    }

    fn strength(&self, _: &Row<'_>) -> Strength {
        Strength::Complete
    }

    fn keeps_model_count(&self, _: &Row<'_>) -> bool {
        false
    }

    fn is_certified(&self) -> bool {
        true
    }

    fn encode(&self, row: &Row<'_>, sink: &mut dyn ClauseSink) -> ControlFlow<Stop, Outputs> {
        let row = bounds_of(row);
        let n = row.lits.len();
        let mut network = UnaryNetwork::default();
        if row.hi < n {
            at_most(&mut network, row.lits, row.hi, true, sink)?;
        }
        if row.lo > 0 {
            let negated: Vec<Lit> = row.lits.iter().map(|&lit| !lit).collect();
            at_most(&mut network, &negated, n - row.lo, false, sink)?;
        }
        ControlFlow::Continue(Outputs::default())
    }
}

/// Not more than `bound` of the literals, which is the upper side of the row or, of the negated
/// literals, the lower one.
fn at_most(
    network: &mut UnaryNetwork,
    x: &[Lit],
    bound: usize,
    is_upper: bool,
    sink: &mut dyn ClauseSink,
) -> ControlFlow<Stop> {
    let outputs = network.sort(x, bound + 1, Wanted::Last, sink)?;
    let over = outputs.lits[bound].expect("the last output is wanted");
    justified(sink, &[!over], |proof| {
        let count = i128::try_from(bound + 1).expect("counts are far below 2^127");
        let counted = outputs.counted.as_ref().expect("made with the proof");
        let side = proof.row_side(is_upper);
        let reached = counted.sum.reaches(count, Derivation::default());
        let sum = counted.below.iter().copied().chain(side).fold(reached, Derivation::plus);
        sum.divided(count).write(proof)
    })
}
