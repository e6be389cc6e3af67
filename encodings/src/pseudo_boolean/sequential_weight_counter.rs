//! Sequential weight counter: `s[i,j]` says that the first `i` literals sum to at least `j`.
//!
//! S. Hölldobler, N. Manthey, P. Steinke: A Compact Encoding of Pseudo-Boolean Constraints into
//! SAT. KI 2012.
//!
//! One side, `sum <= k` with weights `w` (a side that is a lower bound is an upper bound on the
//! negated literals):
//!
//! - *auxiliary variables*: `(n - 1) k`
//! - *clauses*: `(n - 2) k + (sum of w) + (n - 2) k - (sum of w_2 to w_(n-1)) + n - 1 - w_n` and no
//!   more; precisely, for each `1 < i < n`: `k` to carry on, `w_i` to start, `k - w_i` to add; for
//!   `i = 1`: `w_1`; and `n - 1` to forbid
//! - *propagation*: complete for each side (Hölldobler et al.)
//! - *prefer when*: the bound is small
//!
//! The paper's variables of the last literal are left out, as nothing reads them.

use super::{AtMost, for_each_side, is_weighted, sides, weighted};
use crate::{Class, ClauseSink, Encoder, Outputs, Role, Row, Size, Stop, Strength};
use pbsolve_model::Lit;
use std::ops::ControlFlow;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct SequentialWeightCounter;

/// Bounds beyond this make a counter that fits no memory.
const MAX_BOUND: i128 = 1 << 24;

fn size_of(side: &AtMost) -> Option<Size> {
    let n = side.lits.len() as u64;
    let k = u64::try_from(side.bound).ok().filter(|_| side.bound <= MAX_BOUND)?;
    let weight = |i: usize| u64::try_from(side.coefficients[i]).expect("at most the bound");
    let inner: u64 = (1..side.lits.len() - 1).map(|i| k + weight(i) + (k - weight(i))).sum();
    Some(Size { variables: (n - 1) * k, clauses: weight(0) + inner + n - 1 })
}

impl Encoder for SequentialWeightCounter {
    fn name(&self) -> &'static str {
        "sequential-weight-counter"
    }

    fn class(&self) -> Class {
        Class::PseudoBoolean
    }

    fn about(&self) -> &'static str {
        "the first i sum to at least j (Hölldobler 2012)"
    }

    fn supports(&self, row: &Row<'_>) -> bool {
        is_weighted(row) && sides(&weighted(row)).all(|side| side.bound <= MAX_BOUND)
    }

    fn size(&self, row: &Row<'_>) -> Option<Size> {
        let mut size = Size::default();
        for side in sides(&weighted(row)) {
            size += size_of(&side)?;
        }
        Some(size)
    }

    fn strength(&self, _: &Row<'_>) -> Strength {
        Strength::Complete
    }

    fn keeps_model_count(&self, _: &Row<'_>) -> bool {
        false
    }

    fn encode(&self, row: &Row<'_>, sink: &mut dyn ClauseSink) -> ControlFlow<Stop, Outputs> {
        for_each_side(row, |side| at_most(&side, sink))?;
        ControlFlow::Continue(Outputs::default())
    }
}

fn at_most(side: &AtMost, sink: &mut dyn ClauseSink) -> ControlFlow<Stop> {
    let k = usize::try_from(side.bound).expect("supported rows have small bounds");
    let n = side.lits.len();
    let mut before: Vec<Lit> = Vec::new();
    for (i, (&input, &weight)) in side.lits.iter().zip(&side.coefficients).enumerate() {
        let w = usize::try_from(weight).expect("at most the bound");
        if i > 0 {
            // x_i -> not (the sum before is at least k + 1 - w_i)
            sink.clause(&[!input, !before[k - w]])?;
        }
        if i + 1 == n {
            break;
        }
        let new_var = |j| sink.new_var(Role::new("s", i + 1, j)).positive();
        let s: Vec<Lit> = (1..=k).map(new_var).collect();
        for &s in &s[..w] {
            // x_i -> s_{i,j} for j <= w_i
            sink.define(&[!input, s])?;
        }
        if i > 0 {
            for j in 0..k {
                // s_{i-1,j} -> s_{i,j}
                sink.define(&[!before[j], s[j]])?;
            }
            for j in 0..k - w {
                // x_i and s_{i-1,j} -> s_{i,j+w_i}
                sink.define(&[!input, !before[j], s[j + w]])?;
            }
        }
        before = s;
    }
    ControlFlow::Continue(())
}
