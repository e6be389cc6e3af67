//! Ladder at most one: a literal `s[i]` says that one of the first `i` literals is true; the next
//! one then must not be. The sequential counter with bound 1.
//!
//! C. Sinz: Towards an Optimal CNF Encoding of Boolean Cardinality Constraints. CP 2005.
//! Called ladder after I. Gent, P. Nightingale: A New Encoding of AllDifferent into SAT. 2004,
//! whose variant has the ladder's own order clauses.
//!
//! - *auxiliary variables*: `n - 1`
//! - *clauses*: `3 n - 4`
//! - *propagation*: complete (Sinz)
//! - *proof*: `s[i]` is defined, and the row is rewritten from left to right: at most one among
//!   `s[i-1]` and the literals from `i` on
//! - *prefer when*: n is large and the literals have an order that means something

use super::{at_most_one_lits, encode_clause, lits_of, with_clause};
use crate::sink::{Derivation, defining, justified, justified_definition};
use crate::{Class, ClauseSink, Encoder, Outputs, Role, Row, Size, Stop, Strength};
use pbsolve_model::Lit;
use std::ops::ControlFlow;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Ladder;

impl Encoder for Ladder {
    fn name(&self) -> &'static str {
        "ladder"
    }

    fn class(&self) -> Class {
        Class::AtMostOne
    }

    fn about(&self) -> &'static str {
        "one of the first i is true (Sinz 2005 with k = 1)"
    }

    fn supports(&self, row: &Row<'_>) -> bool {
        at_most_one_lits(row).is_some()
    }

    fn size(&self, row: &Row<'_>) -> Option<Size> {
        let n = lits_of(row).len();
        Some(with_clause(row, Size::new(n - 1, 3 * n - 4)))
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
        let x = lits_of(row);
        encode_clause(row, sink)?;
        let (&last, rest) = x.split_last().expect("at least two literals");
        let mut before: Option<Lit> = None;
        // In the proof: at most one among s_{i-1} and the literals from i on.
        let mut at_most_one = sink.proof().and_then(|proof| proof.row_side(true));
        for (i, &input) in rest.iter().enumerate() {
            let s = sink.new_var(Role::new("s", i + 1, 0)).positive();
            // x_i -> s_i
            let starts = [!input, s];
            justified_definition(sink, &starts, |proof| defining(proof, &starts, s))?;
            if let Some(before) = before {
                // s_{i-1} -> s_i
                let goes_on = [!before, s];
                justified_definition(sink, &goes_on, |proof| defining(proof, &goes_on, s))?;
                // s_{i-1} -> !x_i
                let clause = [!before, !input];
                justified(sink, &clause, |proof| proof.rup(&clause, at_most_one.as_slice()))?;
            }
            if let (Some(proof), Some(sum)) = (sink.proof(), at_most_one) {
                // s_i -> s_{i-1} or x_i, which moves the sum on
                let only_then: Vec<Lit> = [!s, input].into_iter().chain(before).collect();
                let only_then = defining(proof, &only_then, !s);
                at_most_one = Some(Derivation::of(sum).plus(only_then).write(proof));
            }
            before = Some(s);
        }
        // s_{n-1} -> !x_n
        let clause = [!before.expect("at least two literals"), !last];
        justified(sink, &clause, |proof| proof.rup(&clause, at_most_one.as_slice()))?;
        ControlFlow::Continue(Outputs::default())
    }
}
