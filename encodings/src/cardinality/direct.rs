//! Direct (binomial) encoding: among every `hi + 1` literals one is false; among every
//! `n - lo + 1` one is true. Folklore; pairwise at most one is the case `hi = 1`.
//!
//! - *auxiliary variables*: 0
//! - *clauses*: `C(n, hi + 1) + C(n, lo - 1)`, each side only where active
//! - *propagation*: complete: every forbidden set of inputs has its own clause
//! - *prefer when*: n is very small, or a bound is next to its end of the range
//! - *proof*: each clause is one unit propagation step from the row

use super::{bounds_of, counts};
use crate::sink::{from_side, justified};
use crate::{Class, ClauseSink, Encoder, Outputs, Row, Size, Stop, Strength};
use pbsolve_model::Lit;
use std::ops::ControlFlow;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Direct;

/// `n` choose `k`; `u64::MAX` where that is larger.
fn binomial(n: usize, k: usize) -> u64 {
    let k = k.min(n - k) as u128;
    let mut number = 1u128;
    for i in 0..k {
        number = number * (n as u128 - i) / (i + 1);
        if number > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    u64::try_from(number).unwrap_or(u64::MAX)
}

impl Encoder for Direct {
    fn name(&self) -> &'static str {
        "direct"
    }

    fn class(&self) -> Class {
        Class::Cardinality
    }

    fn about(&self) -> &'static str {
        "a clause for every forbidden set of inputs (folklore)"
    }

    fn supports(&self, row: &Row<'_>) -> bool {
        counts(row)
    }

    fn size(&self, row: &Row<'_>) -> Option<Size> {
        let row = bounds_of(row);
        let n = row.lits.len();
        let upper = if row.hi < n { binomial(n, row.hi + 1) } else { 0 };
        let lower = if row.lo > 0 { binomial(n, row.lo - 1) } else { 0 };
        Some(Size { variables: 0, clauses: upper.saturating_add(lower) })
    }

    fn strength(&self, _: &Row<'_>) -> Strength {
        Strength::Complete
    }

    fn keeps_model_count(&self, _: &Row<'_>) -> bool {
        true
    }

    fn is_certified(&self) -> bool {
        true
    }

    fn encode(&self, row: &Row<'_>, sink: &mut dyn ClauseSink) -> ControlFlow<Stop, Outputs> {
        let row = bounds_of(row);
        let n = row.lits.len();
        if row.hi < n {
            let negated: Vec<Lit> = row.lits.iter().map(|&lit| !lit).collect();
            clause_of_every(&negated, row.hi + 1, true, sink)?;
        }
        if row.lo > 0 {
            clause_of_every(row.lits, n - row.lo + 1, false, sink)?;
        }
        ControlFlow::Continue(Outputs::default())
    }
}

/// Every clause of `length` of the literals, in lexicographic order.
fn clause_of_every(
    lits: &[Lit],
    length: usize,
    upper: bool,
    sink: &mut dyn ClauseSink,
) -> ControlFlow<Stop> {
    let mut chosen: Vec<usize> = (0..length).collect();
    let mut clause: Vec<Lit> = Vec::with_capacity(length);
    loop {
        clause.clear();
        clause.extend(chosen.iter().map(|&i| lits[i]));
        justified(sink, &clause, |proof| from_side(proof, &clause, upper))?;
        // The last place that can still move right; all after it follow it.
        let last_of = |place: usize| lits.len() - length + place;
        let Some(place) = (0..length).rev().find(|&place| chosen[place] < last_of(place)) else {
            return ControlFlow::Continue(());
        };
        let next = chosen[place] + 1;
        for (offset, choice) in chosen[place..].iter_mut().enumerate() {
            *choice = next + offset;
        }
    }
}
