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

use crate::row::{Grouped, PseudoBoolean};
use crate::{ClauseSink, ConstraintId, Encoder, ProofLog, Role, Row, Stop};
use pbsolve_model::Lit;
use std::cmp::Reverse;
use std::ops::{ControlFlow, Range};

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

/// One side of a row, as `sum <= bound` with positive coefficients: group by group, the group with
/// the largest coefficient first, and in each group the largest first. Most groups have one literal.
#[derive(Clone, Debug)]
struct AtMost {
    lits: Vec<Lit>,
    coefficients: Vec<i128>,
    /// Where each group ends.
    group_ends: Vec<usize>,
    bound: i128,
    /// The largest sum: that of the largest coefficient of each group.
    sum: i128,
    /// Whether the side is the row's lower one, over negated literals.
    is_negated: bool,
}

impl AtMost {
    fn new(row: &PseudoBoolean<'_>, is_negated: bool, bound: i128) -> AtMost {
        let sign = |lit: Lit| if is_negated { !lit } else { lit };
        let lits = row.lits.iter().map(|&lit| sign(lit));
        let mut terms: Vec<(i128, Lit)> = row.coefficients.iter().copied().zip(lits).collect();
        // Stable: equal coefficients keep the order of the row.
        terms.sort_by_key(|&(coefficient, _)| Reverse(coefficient));
        let (coefficients, lits): (Vec<i128>, Vec<Lit>) = terms.into_iter().unzip();
        let (sum, group_ends) = (coefficients.iter().sum(), (1..=lits.len()).collect());
        AtMost { lits, coefficients, group_ends, bound, sum, is_negated }
    }

    fn of_groups(row: &Grouped<'_>) -> AtMost {
        let sum = row.sum;
        let num_groups = row.groups.iter().max().map_or(0, |&group| group as usize + 1);
        let mut largest = vec![0; num_groups];
        for (&group, &coefficient) in row.groups.iter().zip(sum.coefficients) {
            let largest = &mut largest[group as usize];
            *largest = coefficient.max(*largest);
        }
        let mut places: Vec<usize> = (0..sum.lits.len()).collect();
        places.sort_by_key(|&place| {
            let group = row.groups[place];
            (Reverse(largest[group as usize]), group, Reverse(sum.coefficients[place]))
        });
        let is_last = |&end: &usize| {
            end == places.len() || row.groups[places[end - 1]] != row.groups[places[end]]
        };
        AtMost {
            lits: places.iter().map(|&place| sum.lits[place]).collect(),
            coefficients: places.iter().map(|&place| sum.coefficients[place]).collect(),
            group_ends: (1..=places.len()).filter(is_last).collect(),
            bound: sum.hi,
            sum: largest.iter().sum(),
            is_negated: false,
        }
    }

    fn num_groups(&self) -> usize {
        self.group_ends.len()
    }

    /// The places of the literals of a group.
    fn group(&self, number: usize) -> Range<usize> {
        let start = number.checked_sub(1).map_or(0, |before| self.group_ends[before]);
        start..self.group_ends[number]
    }

    /// The constraint of this side.
    fn in_proof(&self, proof: &mut dyn ProofLog) -> Option<ConstraintId> {
        proof.row_side(!self.is_negated)
    }
}

/// The active sides of a row as upper bounds: a lower bound is an upper bound on the negated
/// literals.
fn sides(row: &Row<'_>) -> impl Iterator<Item = AtMost> + use<> {
    let sides = match row {
        Row::Grouped(row) => [Some(AtMost::of_groups(row)), None],
        _ => sides_of_sum(&weighted(row)),
    };
    sides.into_iter().flatten().filter(|side| side.bound < side.sum)
}

fn sides_of_sum(row: &PseudoBoolean<'_>) -> [Option<AtMost>; 2] {
    let sum: i128 = row.coefficients.iter().sum();
    let upper = (row.hi < sum).then(|| AtMost::new(row, false, row.hi));
    let lower = (row.lo > 0).then(|| AtMost::new(row, true, sum - row.lo));
    [upper, lower]
}

fn is_weighted(row: &Row<'_>) -> bool {
    row.as_weighted().is_some()
}

/// The row, which the caller has made sure is of this class.
fn weighted<'a>(row: &Row<'a>) -> PseudoBoolean<'a> {
    row.as_weighted().expect("a row of the class pseudo-Boolean")
}

/// Runs over the sides of a row until one breaks. Where there is a proof, which knows of this row
/// only, literals exclude none.
fn for_each_side(
    row: &Row<'_>,
    sink: &mut dyn ClauseSink,
    mut encode: impl FnMut(AtMost, &mut dyn ClauseSink) -> ControlFlow<Stop>,
) -> ControlFlow<Stop> {
    if sink.proof().is_some() {
        let sides = sides_of_sum(&weighted(row));
        return sides.into_iter().flatten().try_for_each(|side| encode(side, sink));
    }
    sides(row).try_for_each(|side| encode(side, sink))
}

/// A literal that each of these literals implies; itself if it is the only one.
pub(crate) fn any_of(
    mut lits: impl Iterator<Item = Lit> + Clone,
    role: Role,
    sink: &mut dyn ClauseSink,
) -> ControlFlow<Stop, Option<Lit>> {
    let rest = lits.clone();
    let first = lits.next();
    if lits.next().is_none() {
        return ControlFlow::Continue(first);
    }
    let any = sink.new_var(role).positive();
    for lit in rest {
        // x -> any of the literals
        sink.define(&[!lit, any])?;
    }
    ControlFlow::Continue(Some(any))
}
