//! Sequential counters: `s[i,j]` says that at least `j` of the first `i` literals are true. Two
//! forms: Sinz's, with all `j <= hi` for every prefix, and the reduced one, which leaves out the
//! prefixes from which `j` cannot matter.
//!
//! C. Sinz: Towards an Optimal CNF Encoding of Boolean Cardinality Constraints. CP 2005.
//! D. Knuth: The Art of Computer Programming 4, Fascicle 6, 7.2.2.2, equations (18) and (19).
//!
//! One side, `sum <= k` (a lower bound alone is an upper bound on the negated literals):
//!
//! | | Sinz | reduced |
//! |---|---|---|
//! | *auxiliary variables* | `(n - 1) k` | `k (n - k)` |
//! | *clauses* | `2 n k + n - 3 k - 1` | `2 k (n - k) + n - 2 k` |
//!
//! Both sides share the variables; `s` is then bounded from both directions.
//! Sinz adds `(n - 2) (2 hi - 1) + 2` clauses, and one more where `lo > 1`. The reduced form has
//! `lo (n - lo) + (hi - lo) (n - hi)` variables, and the clauses of `sum <= hi` and of
//! `negated sum <= n - lo`.
//!
//! - *propagation*: complete (Sinz), each side for itself, hence both together
//! - *proof*: `s[i,j]` is defined by `x[i]`, `s[i-1,j]` and `s[i-1,j-1]`; the row is rewritten from
//!   left to right
//! - *prefer when*: `k (n - k)` is small; the reduced form always, unless the clauses are to be
//!   those of the paper

use super::counter_proof::{Cells, NextCell, Side, not_both, rewritten};
use super::{bounds_of, counts, upper_first};
use crate::sink::{Derivation, defining, justified, justified_definition};
use crate::threshold::{first_ones, rest_of};
use crate::{
    Class, ClauseSink, ConstraintId, Encoder, Outputs, ProofLog, Role, Row, Size, Stop, Strength,
};
use pbsolve_model::Lit;
use std::ops::ControlFlow;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct SequentialCounter {
    reduced: bool,
}

impl SequentialCounter {
    /// The counter of Sinz's paper.
    pub const SINZ: SequentialCounter = SequentialCounter { reduced: false };
    /// The reduced counter, as Knuth has it.
    pub const REDUCED: SequentialCounter = SequentialCounter { reduced: true };
}

impl Encoder for SequentialCounter {
    fn name(&self) -> &'static str {
        if self.reduced { "reduced-counter" } else { "sequential-counter" }
    }

    fn class(&self) -> Class {
        Class::Cardinality
    }

    fn about(&self) -> &'static str {
        if self.reduced {
            "at least j of the first i, where it matters (Sinz 2005, Knuth)"
        } else {
            "at least j of the first i are true (Sinz 2005)"
        }
    }

    fn supports(&self, row: &Row<'_>) -> bool {
        counts(row)
    }

    fn size(&self, row: &Row<'_>) -> Option<Size> {
        let row = bounds_of(row);
        let n = row.lits.len();
        let (lo, hi) = if row.hi == n { (0, n - row.lo) } else { (row.lo, row.hi) };
        Some(if self.reduced {
            let side = |k: usize| 2 * k * (n - k) + n - 2 * k;
            let lower = if lo > 0 { side(n - lo) } else { 0 };
            Size::new(lo * (n - lo) + (hi - lo) * (n - hi), side(hi) + lower)
        } else {
            let upper = 2 * n * hi + n - 3 * hi - 1;
            let lower = if lo > 0 { (n - 2) * (2 * hi - 1) + 2 + usize::from(lo > 1) } else { 0 };
            Size::new((n - 1) * hi, upper + lower)
        })
    }

    fn strength(&self, _: &Row<'_>) -> Strength {
        Strength::Complete
    }

    fn keeps_model_count(&self, row: &Row<'_>) -> bool {
        let row = bounds_of(row);
        // With both directions, `s` is determined; the reduced form has both only where the two
        // sides' regions agree.
        if self.reduced { row.lo == row.hi } else { row.lo > 0 && row.hi < row.lits.len() }
    }

    fn is_certified(&self) -> bool {
        true
    }

    fn encode(&self, row: &Row<'_>, sink: &mut dyn ClauseSink) -> ControlFlow<Stop, Outputs> {
        let row = bounds_of(row);
        let orientation = Orientation { is_negated: row.hi == row.lits.len() };
        let (x, lo, hi) = upper_first(row);
        if self.reduced {
            let mut counter = Reduced::new(x, lo, hi, orientation, sink);
            counter.at_most(hi, sink)?;
            if lo > 0 {
                counter.at_least(lo, sink)?;
            }
        } else {
            sinz(&x, lo, hi, orientation, sink)?;
        }
        ControlFlow::Continue(Outputs::default())
    }
}

/// What the proof needs to know beside the row in normal form: over which side of it the counter
/// counts up to `hi`.
#[derive(Clone, Copy)]
struct Orientation {
    is_negated: bool,
}

impl Orientation {
    fn upper(self, proof: &mut dyn ProofLog) -> ConstraintId {
        proof.row_side(!self.is_negated).expect("the counted side is active")
    }

    fn lower(self, proof: &mut dyn ProofLog) -> ConstraintId {
        proof.row_side(self.is_negated).expect("the other side is active")
    }
}

fn sinz(
    x: &[Lit],
    lo: usize,
    hi: usize,
    orientation: Orientation,
    sink: &mut dyn ClauseSink,
) -> ControlFlow<Stop> {
    let n = x.len();
    let mut s: Vec<Lit> = Vec::new();
    let mut before: Vec<Lit> = Vec::new();
    let mut rows = SinzRows::default();
    for i in 1..n {
        let input = x[i - 1];
        std::mem::swap(&mut s, &mut before);
        s.clear();
        s.extend((1..=hi).map(|j| sink.new_var(Role::new("s", i, j)).positive()));
        let cells = &mut rows.cells;
        let defined = |clause: &[Lit], s: Lit, sink: &mut dyn ClauseSink, at: &mut Option<_>| {
            justified_definition(sink, clause, |proof| *at.insert(defining(proof, clause, s)))
        };
        // x_i -> s_{i,1}
        defined(&[!input, s[0]], s[0], sink, &mut cells.at(i, 1).added)?;
        if i == 1 {
            for (j, &s) in (2..).zip(&s[1..]) {
                // one literal does not make j > 1
                defined(&[!s], !s, sink, &mut cells.at(1, j).from)?;
            }
            if let Some(proof) = sink.proof() {
                rows.start(x, &s, lo > 0, orientation, proof);
            }
            if lo > 0 {
                // !x_1 -> !s_{1,1}
                let why = rows.cells.get(1, 1).either;
                justified_definition(sink, &[input, !s[0]], |_| why.expect(WITH))?;
            }
            continue;
        }
        for j in 0..hi {
            // s_{i-1,j} -> s_{i,j}
            defined(&[!before[j], s[j]], s[j], sink, &mut cells.at(i, j + 1).kept)?;
            if j > 0 {
                // x_i and s_{i-1,j-1} -> s_{i,j}
                let clause = [!input, !before[j - 1], s[j]];
                defined(&clause, s[j], sink, &mut cells.at(i, j + 1).added)?;
            }
        }
        if let Some(proof) = sink.proof() {
            rows.complete(i, input, &before, &s, proof);
        }
        if lo > 0 {
            for j in 0..hi {
                let cell = rows.cells.get(i, j + 1);
                // s_{i,j} -> x_i or s_{i-1,j}
                let clause = [!s[j], input, before[j]];
                justified_definition(sink, &clause, |_| cell.either.expect(WITH))?;
                if j > 0 {
                    // s_{i,j} -> s_{i-1,j-1}
                    let clause = [!s[j], before[j - 1]];
                    justified_definition(sink, &clause, |_| cell.from.expect(WITH))?;
                }
            }
        }
        // s_{i-1,hi} -> !x_i
        let mut excluded = None;
        let clause = [!input, !before[hi - 1]];
        justified(sink, &clause, |proof| *excluded.insert(rows.exclude(i, hi, proof)))?;
        if let (Some(proof), Some(excluded)) = (sink.proof(), excluded) {
            rows.go_on(i, &before, excluded, proof);
        }
    }
    // s_{n-1,hi} -> !x_n
    justified(sink, &[!x[n - 1], !s[hi - 1]], |proof| rows.exclude(n, hi, proof))?;
    if lo > 0 {
        // x_n or s_{n-1,lo}; s_{n-1,lo-1}
        let clause = [x[n - 1], s[lo - 1]];
        justified(sink, &clause, |proof| rows.require(lo, &s, None, proof))?;
        if lo > 1 {
            let last = Some(x[n - 1]);
            justified(sink, &[s[lo - 2]], |proof| rows.require(lo - 1, &s, last, proof))?;
        }
    }
    ControlFlow::Continue(())
}

const WITH: &str = "made with the proof";

/// In the proof: the cells of Sinz's counter, and the sides of the row, rewritten up to a prefix.
#[derive(Default)]
struct SinzRows {
    cells: Cells,
    upper: Option<ConstraintId>,
    lower: Option<ConstraintId>,
    /// The number of literals after each is not negative.
    rest: Vec<Option<ConstraintId>>,
    /// `s[i,j+1] -> s[i,j]` for the prefix before, and now.
    order_before: Vec<ConstraintId>,
    order: Vec<ConstraintId>,
}

impl SinzRows {
    fn start(
        &mut self,
        x: &[Lit],
        s: &[Lit],
        has_lower: bool,
        orientation: Orientation,
        proof: &mut dyn ProofLog,
    ) {
        self.rest = rest_of(x, proof);
        let either = defining(proof, &[x[0], !s[0]], !s[0]);
        self.cells.at(1, 1).either = Some(either);
        let mut upper = Derivation::of(orientation.upper(proof)).plus(either);
        for j in 2..=s.len() {
            let never = self.cells.get(1, j).from.expect(WITH);
            upper = upper.plus(never);
            let order = proof.rup(&[!s[j - 1], s[j - 2]], &[never]);
            self.cells.at(1, j).order = Some(order);
            self.order.push(order);
        }
        self.upper = Some(upper.write(proof));
        if has_lower {
            let added = self.cells.get(1, 1).added.expect(WITH);
            let lower = Derivation::of(orientation.lower(proof)).plus(added);
            let lower = s[1..].iter().fold(lower, |lower, &s| lower.plus_lit(1, s));
            self.lower = Some(lower.write(proof));
        }
    }

    fn complete(
        &mut self,
        i: usize,
        input: Lit,
        before: &[Lit],
        s: &[Lit],
        proof: &mut dyn ProofLog,
    ) {
        let lit = |prefix: usize, j: usize| {
            let place = j.checked_sub(1)?;
            if prefix == i { Some(s[place]) } else { Some(before[place]) }
        };
        for j in 1..=s.len() {
            self.cells.complete((i, j), input, lit, proof);
        }
        let order = |j: usize| self.cells.get(i, j).order.expect(WITH);
        let order = (2..=s.len()).map(order).collect();
        self.order_before = std::mem::replace(&mut self.order, order);
    }

    /// `s[i-1,hi] -> !x[i]`; the last literal has no cells of its own.
    fn exclude(&self, i: usize, hi: usize, proof: &mut dyn ProofLog) -> ConstraintId {
        let is_last = i == self.rest.len();
        let order = if is_last { &self.order } else { &self.order_before };
        not_both(self.upper.expect(WITH), hi, order, self.rest[i - 1], proof)
    }

    /// Rewrites the sides to the next prefix.
    fn go_on(
        &mut self,
        i: usize,
        before: &[Lit],
        excluded: ConstraintId,
        proof: &mut dyn ProofLog,
    ) {
        let hi = before.len();
        let order = &self.order_before;
        let cell = |j: usize| self.cells.get(i, j);
        let next: Vec<NextCell> = (1..=hi)
            .map(|j| NextCell { either: cell(j).either.expect(WITH), from: cell(j).from })
            .collect();
        self.upper = Some(rewritten(self.upper.expect(WITH), before, order, &next, proof));
        if let Some(lower) = self.lower {
            // The same for zeros, counted from the other end. That x and the last cell are not both
            // true stands for the cell of hi + 1, which is never true.
            let zeros: Vec<Lit> = before.iter().rev().map(|&lit| !lit).collect();
            let order: Vec<ConstraintId> = order.iter().rev().copied().collect();
            let mut next = vec![NextCell { either: excluded, from: None }];
            next.extend((1..=hi).rev().map(|j| {
                let (either, from) = (cell(j).added.expect(WITH), cell(j).kept);
                NextCell { either, from }
            }));
            self.lower = Some(rewritten(lower, &zeros, &order, &next, proof));
        }
    }

    /// Cell `j` of the last prefix is true, or the last literal is; the latter not, if it is given.
    fn require(
        &self,
        j: usize,
        s: &[Lit],
        last: Option<Lit>,
        proof: &mut dyn ProofLog,
    ) -> ConstraintId {
        let order: Vec<ConstraintId> = self.order.iter().rev().copied().collect();
        // The cells above are false if this one is.
        let above = first_ones(&order, proof)[s.len() - j];
        let sum = Derivation::of(self.lower.expect(WITH));
        let sum = above.into_iter().fold(sum, Derivation::plus);
        let below = s[..j - 1].iter().chain(&last);
        let sum = below.fold(sum, |sum, &lit| sum.plus_lit(1, !lit));
        sum.divided(i128::try_from(s.len() + 1).expect("small")).write(proof)
    }
}

struct Reduced {
    x: Vec<Lit>,
    lo: usize,
    hi: usize,
    orientation: Orientation,
    /// Level `j` holds `s[i,j]` for `i = j, j + 1, ...`.
    levels: Vec<Vec<Lit>>,
    /// In the proof: their definitions.
    cells: Cells,
}

impl Reduced {
    /// Makes the variables that either side needs: `s[i,j]` matters to `sum <= k` for
    /// `j <= k` and `j <= i < n - k + j`, to `sum >= k` likewise.
    fn new(
        x: Vec<Lit>,
        lo: usize,
        hi: usize,
        orientation: Orientation,
        sink: &mut dyn ClauseSink,
    ) -> Reduced {
        let n = x.len();
        let width = |j: usize| if j <= lo { n - lo } else { n - hi };
        let level = |j: usize| {
            let prefixes = j..j + width(j);
            prefixes.map(|i| sink.new_var(Role::new("s", i, j)).positive()).collect()
        };
        let levels = (1..=hi).map(level).collect();
        Reduced { levels, x, lo, hi, orientation, cells: Cells::default() }
    }

    fn s(&self, i: usize, j: usize) -> Lit {
        self.levels[j - 1][i - j]
    }

    /// The cell, if there is one.
    fn cell(&self, i: usize, j: usize) -> Option<Lit> {
        self.levels.get(j.checked_sub(1)?)?.get(i.checked_sub(j)?).copied()
    }

    /// Completes the definition of a cell whose clauses that make it true are there.
    fn complete(&mut self, i: usize, j: usize, proof: &mut dyn ProofLog) {
        let mut cells = std::mem::take(&mut self.cells);
        cells.complete((i, j), self.x[i - 1], |i, j| self.cell(i, j), proof);
        self.cells = cells;
    }

    /// The cells that only the lower side has.
    fn complete_rest(&mut self, proof: &mut dyn ProofLog) {
        for j in 1..=self.lo {
            for i in j..j + self.x.len() - self.lo {
                if self.cells.get(i, j).added.is_none() {
                    let now = self.s(i, j);
                    if let Some(less) = self.cell(i - 1, j) {
                        self.cells.at(i, j).kept = Some(defining(proof, &[!less, now], now));
                    }
                    let before = self.cell(i - 1, j - 1).map(|before| !before);
                    let clause: Vec<Lit> =
                        [now, !self.x[i - 1]].into_iter().chain(before).collect();
                    self.cells.at(i, j).added = Some(defining(proof, &clause, now));
                }
                self.complete(i, j, proof);
            }
        }
    }

    /// The clauses that end a side, by their literal.
    fn last_clauses(&self, counts_zeros: bool, proof: &mut dyn ProofLog) -> Vec<ConstraintId> {
        let (k, row) = if counts_zeros {
            (self.x.len() - self.lo, self.orientation.lower(proof))
        } else {
            (self.hi, self.orientation.upper(proof))
        };
        let side = Side { cells: &self.cells, x: &self.x, k, counts_zeros };
        side.last_clauses(|i, j| self.s(i, j), row, proof)
    }

    fn at_most(&mut self, k: usize, sink: &mut dyn ClauseSink) -> ControlFlow<Stop> {
        let width = self.x.len() - k;
        for j in 1..=k + 1 {
            let last = if j > k {
                sink.proof().map(|proof| self.last_clauses(false, proof))
            } else {
                None
            };
            for i in j..j + width {
                let input = self.x[i - 1];
                let before = (j > 1).then(|| self.s(i - 1, j - 1));
                let Some(now) = (j <= k).then(|| self.s(i, j)) else {
                    // x_i -> !s_{i-1,k}
                    let before = before.expect("k is at least 1");
                    let why = |_: &mut dyn ProofLog| last.as_ref().expect(WITH)[i - j];
                    justified(sink, &[!input, !before], why)?;
                    continue;
                };
                // x_i and s_{i-1,j-1} -> s_{i,j}
                let added = &mut self.cells.at(i, j).added;
                let clause: Vec<Lit> =
                    std::iter::once(!input).chain(before.map(|lit| !lit)).chain([now]).collect();
                justified_definition(sink, &clause, |proof| {
                    *added.insert(defining(proof, &clause, now))
                })?;
                if let Some(proof) = sink.proof() {
                    self.complete(i, j, proof);
                }
                if i + 1 < j + width {
                    // s_{i,j} -> s_{i+1,j}
                    let next = self.s(i + 1, j);
                    let kept = &mut self.cells.at(i + 1, j).kept;
                    let clause = [!now, next];
                    justified_definition(sink, &clause, |proof| {
                        *kept.insert(defining(proof, &clause, next))
                    })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn at_least(&mut self, k: usize, sink: &mut dyn ClauseSink) -> ControlFlow<Stop> {
        let last = sink.proof().map(|proof| {
            self.complete_rest(proof);
            self.last_clauses(true, proof)
        });
        let width = self.x.len() - k;
        // With the zeros counted, this is `at_most` on negated literals: `!s[i,j]` says that at
        // least i - j + 1 of the first i literals are false.
        for j in 1..=k {
            for i in j..=j + width {
                let input = self.x[i - 1];
                let before = (i > j).then(|| self.s(i - 1, j));
                let Some(now) = (i < j + width).then(|| self.s(i, j)) else {
                    // x_i or s_{i-1,j}, where every later literal is needed
                    let before = before.expect("k is below n");
                    let why = |_: &mut dyn ProofLog| last.as_ref().expect(WITH)[j - 1];
                    justified(sink, &[input, before], why)?;
                    continue;
                };
                // s_{i,j} -> x_i or s_{i-1,j}
                let clause: Vec<Lit> = [!now, input].into_iter().chain(before).collect();
                let either = self.cells.get(i, j).either;
                justified_definition(sink, &clause, |_| either.expect(WITH))?;
                if j < k {
                    // s_{i+1,j+1} -> s_{i,j}
                    let from = self.cells.get(i + 1, j + 1).from;
                    let clause = [!self.s(i + 1, j + 1), now];
                    justified_definition(sink, &clause, |_| from.expect(WITH))?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
