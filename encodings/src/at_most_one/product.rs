//! Product at most one: the literals stand in a grid of `p` rows and `q` columns; a true literal
//! makes its row and its column selector true, and at most one selector of each kind is true,
//! stated in the same way again.
//!
//! J. Chen: A New SAT Encoding of the At-Most-One Constraint. ModRef 2010.
//!
//! - *auxiliary variables*: `P(n) = p + q + P(p) + P(q)` with `p = ceil(sqrt n)`, `q = ceil(n / p)`;
//!   0 for n <= 6, where pairwise is no larger
//! - *clauses*: `C(n) = 2 n + C(p) + C(q)`; `n (n - 1) / 2` for n <= 6; `2 n + O(sqrt n)` in all
//! - *propagation*: complete (Chen)
//! - *prefer when*: n is large: fewest clauses of the three and few auxiliary variables

use super::{at_most_one_lits, encode_clause, lits_of, with_clause};
use crate::sink::{Derivation, defining, justified, justified_definition};
use crate::{Class, ClauseSink, ConstraintId, Encoder, Outputs, Role, Row, Size, Stop, Strength};
use pbsolve_model::Lit;
use std::ops::ControlFlow;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Product;

/// Up to here pairwise takes no more clauses, and no variables.
const PAIRWISE_UP_TO: usize = 6;

/// Rows and columns of the grid for `n` literals.
fn grid(n: usize) -> (usize, usize) {
    let floor = n.isqrt();
    let p = floor + usize::from(floor * floor < n);
    (p, n.div_ceil(p))
}

fn size_for(n: usize) -> Size {
    if n <= PAIRWISE_UP_TO {
        return Size::new(0, n * n.saturating_sub(1) / 2);
    }
    let (p, q) = grid(n);
    let mut size = Size::new(p + q, 2 * n);
    size += size_for(p);
    size += size_for(q);
    size
}

impl Encoder for Product {
    fn name(&self) -> &'static str {
        "product"
    }

    fn class(&self) -> Class {
        Class::AtMostOne
    }

    fn about(&self) -> &'static str {
        "a grid with row and column selectors, recursive (Chen 2010)"
    }

    fn supports(&self, row: &Row<'_>) -> bool {
        at_most_one_lits(row).is_some()
    }

    fn size(&self, row: &Row<'_>) -> Option<Size> {
        Some(with_clause(row, size_for(lits_of(row).len())))
    }

    fn strength(&self, _: &Row<'_>) -> Strength {
        Strength::Complete
    }

    fn keeps_model_count(&self, row: &Row<'_>) -> bool {
        lits_of(row).len() <= PAIRWISE_UP_TO
    }

    fn is_certified(&self) -> bool {
        true
    }

    fn encode(&self, row: &Row<'_>, sink: &mut dyn ClauseSink) -> ControlFlow<Stop, Outputs> {
        encode_clause(row, sink)?;
        let side = sink.proof().and_then(|proof| proof.row_side(true));
        at_most_one(lits_of(row), side, sink)?;
        ControlFlow::Continue(Outputs::default())
    }
}

/// At most one of the literals; in the proof, `side` is that constraint.
fn at_most_one(
    x: &[Lit],
    side: Option<ConstraintId>,
    sink: &mut dyn ClauseSink,
) -> ControlFlow<Stop> {
    if x.len() <= PAIRWISE_UP_TO {
        for (i, &first) in x.iter().enumerate() {
            for &second in &x[i + 1..] {
                // x_i -> !x_j
                let clause = [!first, !second];
                justified(sink, &clause, |proof| proof.rup(&clause, side.as_slice()))?;
            }
        }
        return ControlFlow::Continue(());
    }
    let (p, q) = grid(x.len());
    let mut selectors = |name, number| -> Vec<Lit> {
        (1..=number).map(|i| sink.new_var(Role::new(name, i, x.len())).positive()).collect()
    };
    let (rows, columns) = (selectors("row", p), selectors("column", q));
    for (i, &input) in x.iter().enumerate() {
        // x_i -> its row and its column
        for selector in [rows[i / q], columns[i % q]] {
            let clause = [!input, selector];
            justified_definition(sink, &clause, |proof| defining(proof, &clause, selector))?;
        }
    }
    let of_rows = selected(x, &rows, |i| i / q, side, sink);
    let of_columns = selected(x, &columns, |i| i % q, side, sink);
    at_most_one(&rows, of_rows, sink)?;
    at_most_one(&columns, of_columns, sink)
}

/// In the proof: a selector is true only if one of its literals is, so that the sum of the
/// selectors is at most that of the literals.
fn selected(
    x: &[Lit],
    selectors: &[Lit],
    selector_of: impl Fn(usize) -> usize,
    side: Option<ConstraintId>,
    sink: &mut dyn ClauseSink,
) -> Option<ConstraintId> {
    let (proof, side) = (sink.proof()?, side?);
    let mut sum = Derivation::of(side);
    for (place, &selector) in selectors.iter().enumerate() {
        let its_own = (0..x.len()).filter(|&i| selector_of(i) == place).map(|i| x[i]);
        let clause: Vec<Lit> = std::iter::once(!selector).chain(its_own).collect();
        sum = sum.plus(defining(proof, &clause, !selector));
    }
    Some(sum.write(proof))
}
