//! Bounds on a weighted sum.

pub mod adder;
pub mod decision_diagram;
pub mod generalized_totalizer;
pub mod polynomial_watchdog;
pub mod sequential_weight_counter;

pub use adder::Adder;
pub use decision_diagram::DecisionDiagram;
pub use generalized_totalizer::GeneralizedTotalizer;
pub use polynomial_watchdog::PolynomialWatchdog;
pub use sequential_weight_counter::SequentialWeightCounter;

use crate::row::PseudoBoolean;
use crate::{ConstraintId, Encoder, ProofLog, Row};
use pbsolve_model::Lit;
use std::ops::ControlFlow;

/// The encoders of this class.
pub const ALL: &[&dyn Encoder] = &[
    &SequentialWeightCounter,
    &GeneralizedTotalizer,
    &DecisionDiagram,
    &PolynomialWatchdog,
    &Adder,
];

/// What an encoder may build in memory before it gives up: nodes, or distinct sums.
const MAX_NODES: usize = 4_000_000;

/// One side of a row, as `sum <= bound` with positive coefficients, largest first.
#[derive(Clone, Debug)]
struct AtMost {
    lits: Vec<Lit>,
    coefficients: Vec<i128>,
    bound: i128,
    sum: i128,
    /// Whether the side is the row's lower one, over negated literals.
    is_negated: bool,
}

impl AtMost {
    fn new(row: &PseudoBoolean<'_>, negated: bool, bound: i128) -> AtMost {
        let sign = |lit: Lit| if negated { !lit } else { lit };
        let lits = row.lits.iter().map(|&lit| sign(lit));
        let mut terms: Vec<(i128, Lit)> = row.coefficients.iter().copied().zip(lits).collect();
        // Stable: equal coefficients keep the order of the row.
        terms.sort_by_key(|&(coefficient, _)| std::cmp::Reverse(coefficient));
        let (coefficients, lits): (Vec<i128>, Vec<Lit>) = terms.into_iter().unzip();
        let sum = coefficients.iter().sum();
        AtMost { lits, coefficients, bound, sum, is_negated: negated }
    }
}

impl AtMost {
    /// The constraint of this side.
    fn in_proof(&self, proof: &mut dyn ProofLog) -> Option<ConstraintId> {
        proof.row_side(!self.is_negated)
    }
}

/// The active sides of a row as upper bounds: a lower bound is an upper bound on the negated
/// literals.
fn sides(row: &PseudoBoolean<'_>) -> impl Iterator<Item = AtMost> + use<> {
    let sum: i128 = row.coefficients.iter().sum();
    let upper = (row.hi < sum).then(|| AtMost::new(row, false, row.hi));
    let lower = (row.lo > 0).then(|| AtMost::new(row, true, sum - row.lo));
    upper.into_iter().chain(lower)
}

fn is_weighted(row: &Row<'_>) -> bool {
    matches!(row, Row::PseudoBoolean(_))
}

/// The row, which the caller has made sure is of this class.
fn weighted<'a>(row: &Row<'a>) -> PseudoBoolean<'a> {
    match row {
        Row::PseudoBoolean(row) => *row,
        _ => unreachable!("a row of the class pseudo-Boolean"),
    }
}

/// Runs over the sides of a row until one breaks.
fn for_each_side<B>(row: &Row<'_>, encode: impl FnMut(AtMost) -> ControlFlow<B>) -> ControlFlow<B> {
    sides(&weighted(row)).try_for_each(encode)
}
