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
//! - *proof*: `s[i,j]` is the threshold of a sum, of the first `i` terms or, once these are more,
//!   of what counts the first `i - 1` and of one term; definitions add up to clauses
//! - *prefer when*: the bound is small
//!
//! The paper's variables of the last literal are left out, as nothing reads them. Literals that
//! exclude each other share a step of the counter, each adding its own weight (Bofill et al. 2022).

use super::{AtMost, for_each_side, is_weighted, sides};
use crate::sink::{Derivation, justified, justified_definition};
use crate::threshold::{Halves, Sum, rest_of_terms};
use crate::{
    Class, ClauseSink, ConstraintId, Encoder, Outputs, ProofLog, Role, Row, Size, Stop, Strength,
};
use pbsolve_model::Lit;
use std::ops::ControlFlow;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct SequentialWeightCounter;

/// Bounds beyond this make a counter that fits no memory.
const MAX_BOUND: i128 = 1 << 24;

fn size_of(side: &AtMost) -> Option<Size> {
    let num_groups = side.num_groups();
    let k = u64::try_from(side.bound).ok().filter(|_| side.bound <= MAX_BOUND)?;
    let num_lits = |group: usize| side.group(group).len() as u64;
    // Of each literal w clauses to start, k - w to add.
    let inner: u64 = (1..num_groups - 1).map(|group| k + num_lits(group) * k).sum();
    let first = side.group(0);
    let start: i128 = side.coefficients[first.clone()].iter().sum();
    let start = u64::try_from(start).expect("as many bounds as literals");
    let forbid = (side.lits.len() - first.len()) as u64;
    Some(Size { variables: (num_groups as u64 - 1) * k, clauses: start + inner + forbid })
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
        is_weighted(row) && sides(row).all(|side| side.bound <= MAX_BOUND)
    }

    fn size(&self, row: &Row<'_>) -> Option<Size> {
        let mut size = Size::default();
        for side in sides(row) {
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

    fn is_certified(&self) -> bool {
        true
    }

    fn encode(&self, row: &Row<'_>, sink: &mut dyn ClauseSink) -> ControlFlow<Stop, Outputs> {
        for_each_side(row, sink, |side, sink| at_most(&side, sink))?;
        ControlFlow::Continue(Outputs::default())
    }
}

fn at_most(side: &AtMost, sink: &mut dyn ClauseSink) -> ControlFlow<Stop> {
    let k = usize::try_from(side.bound).expect("supported rows have small bounds");
    let mut before: Vec<Lit> = Vec::new();
    let mut row = sink.proof().and_then(|proof| Rewritten::new(side, proof));
    for i in 0..side.num_groups() {
        let group = || {
            side.group(i).map(|place| {
                let weight = side.coefficients[place];
                (weight, usize::try_from(weight).expect("at most the bound"), side.lits[place])
            })
        };
        if i > 0 {
            for (_, w, input) in group() {
                // x_i -> not (the sum before is at least k + 1 - w_i)
                let clause = [!input, !before[k - w]];
                let why =
                    |proof: &mut dyn ProofLog| row.as_ref().expect(WITH).forbid(i, k, w, proof);
                justified(sink, &clause, why)?;
            }
        }
        if i + 1 == side.num_groups() {
            break;
        }
        let new_var = |j| sink.new_var(Role::new("s", i + 1, j)).positive();
        let s: Vec<Lit> = (1..=k).map(new_var).collect();
        if let (Some(proof), Some(row)) = (sink.proof(), &mut row) {
            for (weight, _, input) in group() {
                row.define(&before, (weight, input), &s, proof);
            }
        }
        let mut add = |clause: &[Lit], from: usize, to: usize| {
            let why = |proof: &mut dyn ProofLog| row.as_ref().expect(WITH).add(from, to, proof);
            justified_definition(sink, clause, why)
        };
        for (_, w, input) in group() {
            for (j, &s) in s[..w].iter().enumerate() {
                // x_i -> s_{i,j} for j <= w_i
                add(&[!input, s], 0, j + 1)?;
            }
        }
        if i > 0 {
            for j in 0..k {
                // s_{i-1,j} -> s_{i,j}
                add(&[!before[j], s[j]], j + 1, j + 1)?;
            }
            for (_, w, input) in group() {
                for j in 0..k - w {
                    // x_i and s_{i-1,j} -> s_{i,j+w_i}
                    add(&[!input, !before[j], s[j + w]], j + 1, j + w + 1)?;
                }
            }
        }
        before = s;
    }
    ControlFlow::Continue(())
}

const WITH: &str = "made with the proof";

/// In the proof: the row, in which prefixes are replaced by what counts them once that is shorter.
struct Rewritten {
    row: ConstraintId,
    /// The sum of the terms after each is not negative.
    rest: Vec<Option<ConstraintId>>,
    /// The sum before the last literal, and with it.
    before: Option<Sum>,
    now: Option<Sum>,
}

impl Rewritten {
    fn new(side: &AtMost, proof: &mut dyn ProofLog) -> Option<Rewritten> {
        let row = side.in_proof(proof)?;
        let terms: Vec<(i128, Lit)> =
            side.coefficients.iter().copied().zip(side.lits.iter().copied()).collect();
        let rest = rest_of_terms(&terms, proof);
        Some(Rewritten { row, rest, before: None, now: None })
    }

    /// Defines the literals that count the sum up to the next term.
    fn define(
        &mut self,
        counted: &[Lit],
        (weight, input): (i128, Lit),
        s: &[Lit],
        proof: &mut dyn ProofLog,
    ) {
        let input = Sum::input(weight, input);
        let outputs = (1..).zip(s.iter().copied());
        self.before = self.now.take().map(|sum| {
            if sum.num_terms() <= counted.len() {
                return sum;
            }
            let folded = sum.fold(counted, Halves::Forward, proof);
            self.row = Derivation::of(self.row).plus(folded.at_least_outputs).write(proof);
            folded.sum
        });
        let nothing = Sum::nothing();
        let before = self.before.as_ref().unwrap_or(&nothing);
        self.now = Some(Sum::define(proof, before, &input, outputs, Halves::Forward));
    }

    /// "If the sum before reaches `from`, the sum now reaches `to`", with the literal of the term
    /// where that makes the difference.
    fn add(&self, from: usize, to: usize, proof: &mut dyn ProofLog) -> ConstraintId {
        let number = |count: usize| i128::try_from(count).expect("small bounds");
        let now = self.now.as_ref().expect(WITH);
        let mut clause = Derivation::of(now.backward(number(to)));
        if let Some(before) = &self.before {
            clause = before.reaches(number(from), clause);
        }
        let (_, input) = now.last_term();
        let weight = now.last_term().0;
        if from == to {
            clause = clause.plus_lit(weight, input);
        }
        clause.divided(now.total().max(number(to))).write(proof)
    }

    /// The sum before and the `i`-th term are not above `k` together.
    fn forbid(&self, i: usize, k: usize, w: usize, proof: &mut dyn ProofLog) -> ConstraintId {
        let number = |count: usize| i128::try_from(count).expect("small bounds");
        let before = self.now.as_ref().expect(WITH);
        let clause = Derivation::of(self.row).plus(before.forward(number(k + 1 - w)));
        let clause = self.rest[i].into_iter().fold(clause, Derivation::plus);
        clause.divided(number(k + 1)).write(proof)
    }
}
