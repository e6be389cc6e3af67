//! Pairwise at most one: for every two literals, not both. Folklore; also called binomial or naive.
//!
//! - *auxiliary variables*: 0
//! - *clauses*: `n (n - 1) / 2`
//! - *propagation*: complete: a true literal is in a binary clause with every other
//! - *prefer when*: n is small, or memory allows it: no auxiliary variables get in the solver's way
//! - *proof*: each clause is one unit propagation step from the row

use super::{at_most_one_lits, encode_clause, lits_of, with_clause};
use crate::sink::{from_side, justified};
use crate::{Class, ClauseSink, Encoder, Outputs, Row, Size, Stop, Strength};
use std::ops::ControlFlow;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Pairwise;

impl Encoder for Pairwise {
    fn name(&self) -> &'static str {
        "pairwise"
    }

    fn class(&self) -> Class {
        Class::AtMostOne
    }

    fn about(&self) -> &'static str {
        "a binary clause for every two literals (folklore)"
    }

    fn supports(&self, row: &Row<'_>) -> bool {
        at_most_one_lits(row).is_some()
    }

    fn size(&self, row: &Row<'_>) -> Option<Size> {
        let n = lits_of(row).len();
        Some(with_clause(row, Size::new(0, n * (n - 1) / 2)))
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
        let x = lits_of(row);
        encode_clause(row, sink)?;
        for (i, &first) in x.iter().enumerate() {
            for &second in &x[i + 1..] {
                // x_i -> !x_j
                let clause = [!first, !second];
                justified(sink, &clause, |proof| from_side(proof, &clause, true))?;
            }
        }
        ControlFlow::Continue(Outputs::default())
    }
}
