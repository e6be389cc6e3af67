//! Bounds on a number of true literals. Encoders of this class also take at-most-one rows, and
//! they state both sides of a row over one structure.

pub mod cardinality_network;
mod counter_proof;
pub mod direct;
pub mod sequential_counter;
pub mod totalizer;

pub use cardinality_network::CardinalityNetwork;
pub use direct::Direct;
pub use sequential_counter::SequentialCounter;
pub use totalizer::{Directions, Totalizer};

use crate::row::Cardinality;
use crate::{Encoder, Row};
use pbsolve_model::Lit;

/// The encoders of this class.
pub const ALL: &[&dyn Encoder] = &[
    &Direct,
    &SequentialCounter::SINZ,
    &SequentialCounter::REDUCED,
    &Totalizer::CUT,
    &Totalizer::BOTH_DIRECTIONS,
    &CardinalityNetwork,
];

/// Whether a row counts literals and is more than a clause.
fn counts(row: &Row<'_>) -> bool {
    !matches!(row, Row::Clause(_)) && row.as_weighted().is_none()
}

/// The bounds of a row that the caller has made sure [`counts`].
fn bounds_of<'a>(row: &Row<'a>) -> Cardinality<'a> {
    row.as_cardinality().expect("a row that counts literals")
}

/// The inputs and bounds, with a lower bound alone turned into an upper bound on the negated
/// literals: `at least k of n` is `at most n - k` of their negations.
fn upper_first(row: Cardinality<'_>) -> (Vec<Lit>, usize, usize) {
    let n = row.lits.len();
    if row.hi == n {
        (row.lits.iter().map(|&lit| !lit).collect(), 0, n - row.lo)
    } else {
        (row.lits.to_vec(), row.lo, row.hi)
    }
}
