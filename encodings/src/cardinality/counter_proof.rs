//! Why the clauses of sequential counters follow.
//!
//! A cell `s[i,j]` is defined by its two neighbours in the prefix before: `s[i,j]` is `s[i-1,j]`, or
//! `x[i]` and `s[i-1,j-1]`. These four clauses are of constant size, so that the proof is linear in
//! the encoding. The bounds come from the row, which is rewritten from left to right: the number of
//! true cells of prefix `i`, and the literals after `i`, keep to the bound together. One step of
//! that adds, for a prefix `a` and its next cells `s`,
//!
//! `x + a[1] + ... + a[m] >= s[1] + ... + s[m]`,
//!
//! which follows by induction from `x + a[1] + ... + a[v] >= v s[v]`, with one division each.

use crate::sink::{ConstraintId, Derivation, ProofLog, defining};
use crate::threshold::{first_ones, rest_of};
use pbsolve_model::Lit;
use std::collections::HashMap;

/// The clauses that define a cell `s[i,j]`, and its order.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell {
    /// `s[i-1,j] -> s[i,j]`
    pub(super) kept: Option<ConstraintId>,
    /// `x[i] and s[i-1,j-1] -> s[i,j]`
    pub(super) added: Option<ConstraintId>,
    /// `s[i,j] -> x[i] or s[i-1,j]`
    pub(super) either: Option<ConstraintId>,
    /// `s[i,j] -> s[i-1,j-1]`
    pub(super) from: Option<ConstraintId>,
    /// `s[i,j] -> s[i,j-1]`
    pub(super) order: Option<ConstraintId>,
}

/// All cells that are defined so far.
#[derive(Debug, Default)]
pub(super) struct Cells {
    cells: HashMap<(usize, usize), Cell>,
}

impl Cells {
    pub(super) fn at(&mut self, i: usize, j: usize) -> &mut Cell {
        self.cells.entry((i, j)).or_default()
    }

    pub(super) fn get(&self, i: usize, j: usize) -> Cell {
        self.cells.get(&(i, j)).copied().unwrap_or_default()
    }

    /// Completes a cell of which the clauses that make it true are there. `s` gives the literals
    /// of cells, `None` where there is no such cell.
    pub(super) fn complete(
        &mut self,
        (i, j): (usize, usize),
        x: Lit,
        s: impl Fn(usize, usize) -> Option<Lit>,
        proof: &mut dyn ProofLog,
    ) {
        let now = s(i, j).expect("the cell exists");
        if self.get(i, j).either.is_none() {
            let clause: Vec<Lit> = [!now, x].into_iter().chain(s(i - 1, j)).collect();
            self.at(i, j).either = Some(defining(proof, &clause, !now));
            if let Some(before) = s(i - 1, j - 1) {
                let from = match (s(i - 1, j), self.get(i - 1, j).order) {
                    // That `s[i-1,j]` is not true without `before` is what a checker would have to
                    // find among all constraints, if it were not told.
                    (Some(same), Some(order)) => {
                        let weaker = defining(proof, &[!now, same, before], !now);
                        proof.rup(&[!now, before], &[order, weaker])
                    }
                    _ => defining(proof, &[!now, before], !now),
                };
                self.at(i, j).from = Some(from);
            }
        }
        let lower = self.get(i, j - 1);
        if let (None, Some(less)) = (self.get(i, j).order, s(i, j - 1))
            && let (Some(from), Some(kept)) = (self.get(i, j).from, lower.kept)
        {
            self.at(i, j).order = Some(proof.rup(&[!now, less], &[from, kept]));
        }
    }
}

/// A cell of the next prefix in one step of rewriting.
pub(super) struct NextCell {
    /// `s -> x or a`, of the same place.
    pub(super) either: ConstraintId,
    /// `s -> a` of the place before; none at the first.
    pub(super) from: Option<ConstraintId>,
}

fn number(count: usize) -> i128 {
    i128::try_from(count).expect("counts are far below 2^127")
}

/// `x + a[1] + ... + a[v] >= v s[v]`.
fn at_least_times(v: usize, cell: &NextCell, ones: &[Option<ConstraintId>]) -> Derivation {
    let mut sum = Derivation::of(cell.either);
    if let Some(from) = cell.from {
        sum = sum.plus_times(number(v - 1), from);
    }
    // The literal before makes all before it true.
    let before = if v > 1 { ones[v - 2] } else { None };
    before.into_iter().fold(sum, Derivation::plus)
}

/// The cells of the next prefix instead of `x` and the cells `a` of this one. `order[v - 1]` is
/// `a[v + 1] -> a[v]`.
pub(super) fn rewritten(
    row: ConstraintId,
    a: &[Lit],
    order: &[ConstraintId],
    next: &[NextCell],
    proof: &mut dyn ProofLog,
) -> ConstraintId {
    let ones = first_ones(order, proof);
    let mut sum = Derivation::default();
    for (v, cell) in (1..).zip(next) {
        if v > 1 {
            if let Some(&lit) = a.get(v - 1) {
                sum = sum.plus_lit(1, lit);
            }
            sum = sum.times(number(v - 1));
        }
        let more = at_least_times(v, cell, &ones).write(proof);
        sum = sum.plus(more).divided(number(v));
    }
    let sum = sum.write(proof);
    Derivation::of(row).plus(sum).write(proof)
}

/// As [`rewritten`], where the next prefix has no cell for the first of this one, because the
/// literals after `x` are too few for it to matter: `rest` says that their number is at most their
/// number. `next` starts at the second place.
pub(super) fn rewritten_without_first(
    row: ConstraintId,
    a: &[Lit],
    order: &[ConstraintId],
    next: &[NextCell],
    rest: Option<ConstraintId>,
    proof: &mut dyn ProofLog,
) -> ConstraintId {
    let ones = first_ones(order, proof);
    let after = rest_of(a, proof);
    let mut sum = rest.map_or_else(Derivation::default, Derivation::of);
    for (v, cell) in (2..).zip(next) {
        let mut more = at_least_times(v, cell, &ones).plus(row);
        if let Some(Some(after)) = after.get(v - 1) {
            more = more.plus(*after);
        }
        let more = more.write(proof);
        sum = sum.times(number(v - 1)).plus(more).divided(number(v));
    }
    sum.write(proof)
}

/// `x` and the last of the cells `a` are not both true, from the row over `x`, these and more
/// literals, which `rest` takes away.
pub(super) fn not_both(
    row: ConstraintId,
    num_cells: usize,
    order: &[ConstraintId],
    rest: Option<ConstraintId>,
    proof: &mut dyn ProofLog,
) -> ConstraintId {
    let ones = first_ones(order, proof);
    let sum = Derivation::of(row);
    let sum = ones[num_cells - 1].into_iter().chain(rest).fold(sum, Derivation::plus);
    sum.divided(number(num_cells)).write(proof)
}

/// A counter of the reduced form as one side sees it: the literals are counted up to `k`, and a
/// cell `(i, j)` exists for `1 <= j <= k` and `j <= i < j + n - k`.
pub(super) struct Side<'a> {
    pub(super) cells: &'a Cells,
    pub(super) x: &'a [Lit],
    pub(super) k: usize,
    /// Whether the false literals are counted: their cell `(i, m)` is `!s[i,i-m+1]`.
    pub(super) counts_zeros: bool,
}

impl Side<'_> {
    fn levels(&self, i: usize) -> std::ops::RangeInclusive<usize> {
        let width = self.x.len() - self.k;
        (i + 1).saturating_sub(width).max(1)..=self.k.min(i)
    }

    fn input(&self, i: usize) -> Lit {
        if self.counts_zeros { !self.x[i - 1] } else { self.x[i - 1] }
    }

    fn next(&self, i: usize, j: usize) -> NextCell {
        let cell =
            if self.counts_zeros { self.cells.get(i, i + 1 - j) } else { self.cells.get(i, j) };
        let (either, from) =
            if self.counts_zeros { (cell.added, cell.kept) } else { (cell.either, cell.from) };
        let from = if j > 1 { from } else { None };
        NextCell { either: either.expect("cells are complete"), from }
    }

    /// `(i, j + 1) -> (i, j)` for the levels of a prefix.
    fn orders(&self, i: usize) -> Vec<ConstraintId> {
        let levels = self.levels(i);
        let order = |j: usize| {
            let place = if self.counts_zeros { i + 2 - j } else { j };
            self.cells.get(i, place).order.expect("cells are in order")
        };
        levels.skip(1).map(order).collect()
    }

    /// `x[i]` and the cell `(i - 1, k)` are not both true, for `i` from `k + 1` on.
    pub(super) fn last_clauses(
        &self,
        s: impl Fn(usize, usize) -> Lit,
        side: ConstraintId,
        proof: &mut dyn ProofLog,
    ) -> Vec<ConstraintId> {
        let n = self.x.len();
        let inputs: Vec<Lit> = (1..=n).map(|i| self.input(i)).collect();
        let negated: Vec<Lit> = inputs.iter().map(|&lit| !lit).collect();
        let (rest, rest_negated) = (rest_of(&inputs, proof), rest_of(&negated, proof));
        let lit = |i: usize, j: usize| if self.counts_zeros { !s(i, i + 1 - j) } else { s(i, j) };
        let mut row = side;
        let mut clauses = Vec::new();
        for i in 1..=n {
            let before: Vec<Lit> = if i == 1 {
                Vec::new()
            } else {
                self.levels(i - 1).map(|j| lit(i - 1, j)).collect()
            };
            let order = if i == 1 { Vec::new() } else { self.orders(i - 1) };
            if i > self.k {
                clauses.push(not_both(row, before.len(), &order, rest[i - 1], proof));
            }
            if i == n {
                break;
            }
            let next: Vec<NextCell> = self.levels(i).map(|j| self.next(i, j)).collect();
            let first = if i == 1 { 1 } else { *self.levels(i - 1).start() };
            row = if first == *self.levels(i).start() {
                rewritten(row, &before, &order, &next, proof)
            } else {
                rewritten_without_first(row, &before, &order, &next, rest_negated[i - 1], proof)
            };
        }
        clauses
    }
}
