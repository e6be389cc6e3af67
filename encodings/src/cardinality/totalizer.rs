//! Totalizer, cut at the bound: a balanced tree over the literals; the outputs `o[t,1..]` of node
//! `t` say in unary how many literals below it are true, up to one more than the upper bound. The
//! root is node 1, the children of node `t` are `2 t` and `2 t + 1`.
//!
//! O. Bailleux, Y. Boufkhad: Efficient CNF Encoding of Boolean Cardinality Constraints. CP 2003.
//! M. Büttner, J. Rintanen: Satisfiability Planning with Constraints on the Number of Actions.
//! ICAPS 2005 (the cut).
//!
//! One side, `sum <= k` (a lower bound alone is an upper bound on the negated literals). A node
//! above `m` literals, other than the root, has `min(m, k + 1)` outputs; the root has only the
//! output `k + 1`, which is then forbidden.
//!
//! - *auxiliary variables*: the outputs of all inner nodes
//! - *clauses*: for each inner node with children of `a` and `b` outputs the pairs
//!   `0 <= i <= a`, `0 <= j <= b` with `1 <= i + j <= min(m, k + 1)`, at the root those with
//!   `i + j = k + 1`; and 1. For 2^m literals and no cut that is `n log2 n` variables and
//!   `n (n - 1) / 2 + n log2 n` clauses.
//! - both directions: each pair also with the opposite implication; over both sides of a row only
//!   outputs up to `lo` need it
//! - *propagation*: complete (Bailleux and Boufkhad)
//! - *proof*: an output is the threshold of its node's sum; three of these definitions add up to a
//!   clause; where a node is cut, those above it count its outputs
//! - *prefer when*: k is large; with both directions, where models are counted, or where the bound
//!   is tightened later (`keep_outputs`)

use super::{bounds_of, counts, upper_first};
use crate::sink::{Derivation, justified, justified_definition};
use crate::threshold::{Folded, Halves, Sum};
use crate::{
    Class, ClauseSink, ConstraintId, Encoder, Outputs, ProofLog, Role, Row, Size, Stop, Strength,
};
use pbsolve_model::Lit;
use std::ops::{ControlFlow, RangeInclusive};

/// Which implications between a count and its output the clauses state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directions {
    /// Those that the row's bounds need.
    Needed,
    /// Both, everywhere below the root, and at the root where it keeps its outputs: the outputs
    /// are determined by the inputs.
    Both,
}

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Totalizer {
    /// Which implications to state.
    pub directions: Directions,
    /// Whether the root keeps its outputs for all counts up to the bound, so that
    /// [`Outputs::tighten`] can lower it.
    pub keep_outputs: bool,
}

impl Totalizer {
    /// One direction for one side, as small as it gets.
    pub const CUT: Totalizer = Totalizer { directions: Directions::Needed, keep_outputs: false };
    /// Both directions; keeps the number of models.
    pub const BOTH_DIRECTIONS: Totalizer =
        Totalizer { directions: Directions::Both, keep_outputs: false };
    /// One direction, with outputs to tighten.
    pub const INCREMENTAL: Totalizer =
        Totalizer { directions: Directions::Needed, keep_outputs: true };

    fn shape(self, lo: usize, hi: usize) -> Shape {
        let backward_to = match self.directions {
            Directions::Needed => lo,
            Directions::Both => hi + 1,
        };
        Shape { lo, hi, backward_to, keep_outputs: self.keep_outputs }
    }
}

/// What the tree states, for all its nodes.
#[derive(Clone, Copy)]
struct Shape {
    lo: usize,
    hi: usize,
    /// Outputs up to here imply their count.
    backward_to: usize,
    keep_outputs: bool,
}

/// Outputs of a node and which of them get clauses in which direction.
struct Node {
    num_outputs: usize,
    /// Outputs `first..=num_outputs` exist, or the lower bound's output besides.
    first: usize,
    backward: RangeInclusive<usize>,
}

impl Shape {
    /// What the clauses need of the outputs' meanings.
    fn halves(self) -> Halves {
        if self.backward_to > 0 { Halves::Both } else { Halves::Forward }
    }

    fn inner(self, m: usize) -> Node {
        let num_outputs = m.min(self.hi + 1);
        Node { num_outputs, first: 1, backward: 1..=num_outputs.min(self.backward_to) }
    }

    /// The root has the outputs `hi + 1` and, where the lower side is active, `lo`; or all.
    fn root(self) -> Node {
        let first = if self.keep_outputs { 1 } else { self.hi + 1 };
        let backward = match (self.keep_outputs && self.backward_to > self.hi, self.lo) {
            (true, _) => 1..=self.hi + 1,
            (false, 0) => RangeInclusive::new(1, 0),
            (false, lo) => lo..=lo,
        };
        Node { num_outputs: self.hi + 1, first, backward }
    }

    fn root_variables(self) -> usize {
        let root = self.root();
        root.num_outputs + 1 - root.first + usize::from(self.lo > 0 && self.lo < root.first)
    }
}

impl Node {
    /// The clauses over children with `a` and `b` outputs, of which output `v` has one for each
    /// way to write `v = i + j`.
    fn num_clauses(&self, a: usize, b: usize) -> usize {
        let ways = |v: usize| {
            let (from, to) = (v.saturating_sub(b), v.min(a));
            (to + 1).saturating_sub(from)
        };
        let forward: usize = (self.first..=self.num_outputs).map(ways).sum();
        let backward: usize = self.backward.clone().map(|v| ways_below(v, a, b)).sum();
        forward + backward
    }
}

/// Pairs `i <= a`, `j <= b` with `i + j + 1 = v`.
fn ways_below(v: usize, a: usize, b: usize) -> usize {
    let total = v - 1;
    (total.min(a) + 1).saturating_sub(total.saturating_sub(b))
}

fn size_below(m: usize, shape: Shape) -> Size {
    // The two halves of a node are at most two different sizes, and so are all nodes of a level.
    let mut size = Size::default();
    let mut level = vec![(m, 1u64)];
    while !level.is_empty() {
        let mut below: Vec<(usize, u64)> = Vec::new();
        for (m, times) in level {
            if m == 1 {
                continue;
            }
            let (left, right) = (m / 2, m - m / 2);
            let node = shape.inner(m);
            let clauses = node.num_clauses(outputs(left, shape), outputs(right, shape));
            size.variables += times * node.num_outputs as u64;
            size.clauses += times * clauses as u64;
            for half in [left, right] {
                match below.iter_mut().find(|(m, _)| *m == half) {
                    Some((_, found)) => *found += times,
                    None => below.push((half, times)),
                }
            }
        }
        level = below;
    }
    size
}

fn outputs(m: usize, shape: Shape) -> usize {
    m.min(shape.hi + 1)
}

impl Encoder for Totalizer {
    fn name(&self) -> &'static str {
        match self.directions {
            Directions::Needed => "totalizer",
            Directions::Both => "totalizer-both",
        }
    }

    fn class(&self) -> Class {
        Class::Cardinality
    }

    fn about(&self) -> &'static str {
        match self.directions {
            Directions::Needed => "a tree of unary sums, cut at the bound (Bailleux 2003)",
            Directions::Both => "the same in both directions: keeps the number of models",
        }
    }

    fn supports(&self, row: &Row<'_>) -> bool {
        counts(row)
    }

    fn size(&self, row: &Row<'_>) -> Option<Size> {
        let row = bounds_of(row);
        let n = row.lits.len();
        let (lo, hi) = if row.hi == n { (0, n - row.lo) } else { (row.lo, row.hi) };
        let shape = self.shape(lo, hi);
        let (left, right) = (n / 2, n - n / 2);
        let clauses = shape.root().num_clauses(outputs(left, shape), outputs(right, shape));
        let mut size = Size::new(shape.root_variables(), clauses + 1 + usize::from(lo > 0));
        size += size_below(left, shape);
        size += size_below(right, shape);
        Some(size)
    }

    fn strength(&self, _: &Row<'_>) -> Strength {
        Strength::Complete
    }

    fn keeps_model_count(&self, row: &Row<'_>) -> bool {
        let row = bounds_of(row);
        self.directions == Directions::Both || row.lo == row.hi
    }

    fn is_certified(&self) -> bool {
        true
    }

    fn encode(&self, row: &Row<'_>, sink: &mut dyn ClauseSink) -> ControlFlow<Stop, Outputs> {
        let row = bounds_of(row);
        let (x, lo, hi) = upper_first(row);
        let shape = self.shape(lo, hi);
        let (left, right) = x.split_at(x.len() / 2);
        let (left, right) = (unary_sum(left, 2, shape, sink)?, unary_sum(right, 3, shape, sink)?);
        let root = shape.root();
        // Outputs below `first` do not exist, except the one of the lower bound.
        let lower = (lo > 0).then(|| sink.new_var(Role::new("o", 1, lo)).positive());
        let make = |v: usize| match lower {
            Some(lower) if v == lo => lower,
            _ => sink.new_var(Role::new("o", 1, v)).positive(),
        };
        let at_least: Vec<Lit> = (root.first..=root.num_outputs).map(make).collect();
        let output = |v: usize| match lower {
            Some(lower) if v == lo => lower,
            _ => at_least[v - root.first],
        };
        let mut bounds: Vec<usize> = lower.map(|_| lo).into_iter().collect();
        bounds.extend((root.first..=root.num_outputs).filter(|&v| lower.is_none() || v != lo));
        bounds.sort_unstable();
        let outputs: Vec<(usize, Lit)> = bounds.into_iter().map(|v| (v, output(v))).collect();
        let sum = define(&left, &right, &outputs, shape.halves(), sink);
        merge(&root, &left, &right, sum.as_ref(), output, sink)?;
        // not more than hi, and at least lo
        let is_negated = row.hi == row.lits.len();
        let mut claims = Claims { left: &left, right: &right, root: sum.as_ref(), is_negated };
        let over = output(hi + 1);
        let mut is_over = None;
        justified(sink, &[!over], |proof| *is_over.insert(claims.at_most(hi, proof)))?;
        if let Some(lower) = lower {
            justified(sink, &[lower], |proof| claims.at_least(lo, hi, is_over, proof))?;
        }
        if is_negated {
            // The literals are negated, so these outputs count the false ones.
            return ControlFlow::Continue(Outputs::default());
        }
        ControlFlow::Continue(Outputs { first: root.first, at_least })
    }
}

/// A tree with the literals that count what is below it, from count 1 on.
struct Tree {
    outputs: Vec<Lit>,
    /// In the proof: what its outputs mean.
    sum: Option<Sum>,
    /// In the proof, where the outputs are cut: what they replaced, with the children.
    folded: Option<Box<(Folded, Tree, Tree)>>,
}

/// In the proof: the outputs of a node as thresholds of the sum of its children.
fn define(
    left: &Tree,
    right: &Tree,
    outputs: &[(usize, Lit)],
    halves: Halves,
    sink: &mut dyn ClauseSink,
) -> Option<Sum> {
    let proof = sink.proof()?;
    let outputs = outputs.iter().map(|&(v, lit)| (number(v), lit));
    Some(Sum::define(proof, left.sum.as_ref()?, right.sum.as_ref()?, outputs, halves))
}

fn number(count: usize) -> i128 {
    i128::try_from(count).expect("counts are far below 2^127")
}

/// The tree over `x`, whose root is node `t`.
fn unary_sum(
    x: &[Lit],
    t: usize,
    shape: Shape,
    sink: &mut dyn ClauseSink,
) -> ControlFlow<Stop, Tree> {
    if let [input] = x {
        let sum = sink.proof().map(|_| Sum::input(1, *input));
        return ControlFlow::Continue(Tree { outputs: x.to_vec(), sum, folded: None });
    }
    let (left, right) = x.split_at(x.len() / 2);
    let left = unary_sum(left, 2 * t, shape, sink)?;
    let right = unary_sum(right, 2 * t + 1, shape, sink)?;
    let node = shape.inner(x.len());
    let new_output = |v| sink.new_var(Role::new("o", t, v)).positive();
    let outputs: Vec<Lit> = (1..=node.num_outputs).map(new_output).collect();
    let numbered: Vec<(usize, Lit)> = (1..).zip(outputs.iter().copied()).collect();
    let sum = define(&left, &right, &numbered, shape.halves(), sink);
    merge(&node, &left, &right, sum.as_ref(), |v| outputs[v - 1], sink)?;
    ControlFlow::Continue(match (sum, sink.proof()) {
        // Where there are fewer outputs than terms, the nodes above count the outputs, so that
        // the proof grows as the clauses do.
        (Some(sum), Some(proof)) if sum.num_terms() > outputs.len() => {
            let folded = sum.fold(&outputs, shape.halves(), proof);
            let sum = Some(folded.sum.clone());
            Tree { outputs, sum, folded: Some(Box::new((folded, left, right))) }
        }
        (sum, _) => Tree { outputs, sum, folded: None },
    })
}

/// The clauses between the outputs of two children and those of their node.
fn merge(
    node: &Node,
    left: &Tree,
    right: &Tree,
    sum: Option<&Sum>,
    output: impl Fn(usize) -> Lit,
    sink: &mut dyn ClauseSink,
) -> ControlFlow<Stop> {
    let (a, b) = (left.outputs.len(), right.outputs.len());
    let mut add = |clause: &[Lit], v: usize, ways: [usize; 2], way: Way| {
        justified_definition(sink, clause, |proof| {
            let node = sum.expect("defined with the proof");
            let children = [left, right].map(|tree| tree.sum.as_ref().expect("as its node"));
            let start = match way {
                Way::Forward => Derivation::of(node.backward(number(v))),
                Way::Backward => Derivation::of(node.forward(number(v))),
            };
            let add = |clause, (child, bound): (&Sum, usize)| match way {
                Way::Forward => child.reaches(number(bound), clause),
                Way::Backward => child.stays_below(number(bound), clause),
            };
            let clause = children.into_iter().zip(ways).fold(start, add);
            clause.divided(node.total().max(number(v))).write(proof)
        })
    };
    for v in node.first..=node.num_outputs {
        let o = output(v);
        for i in v.saturating_sub(b)..=v.min(a) {
            let j = v - i;
            // at least i on the left and j on the right -> at least v = i + j
            let reached =
                |tree: &Tree, count: usize| count.checked_sub(1).map(|i| !tree.outputs[i]);
            let clause: Vec<Lit> =
                reached(left, i).into_iter().chain(reached(right, j)).chain([o]).collect();
            add(&clause, v, [i, j], Way::Forward)?;
        }
    }
    for v in node.backward.clone() {
        let o = output(v);
        for i in (v - 1).saturating_sub(b)..=(v - 1).min(a) {
            let j = v - 1 - i;
            // at least v -> at least i + 1 on the left or j + 1 on the right, v = i + j + 1; a
            // child has no output beyond its literals, or beyond hi + 1, which v does not exceed
            let more = [left.outputs.get(i), right.outputs.get(j)];
            let clause: Vec<Lit> =
                std::iter::once(!o).chain(more.into_iter().flatten().copied()).collect();
            add(&clause, v, [i + 1, j + 1], Way::Backward)?;
        }
    }
    ControlFlow::Continue(())
}

/// Which direction of a node's meaning a clause states.
#[derive(Clone, Copy)]
enum Way {
    Forward,
    Backward,
}

/// In the proof: the bounds on the root's outputs, from the sides of the row.
struct Claims<'a> {
    left: &'a Tree,
    right: &'a Tree,
    root: Option<&'a Sum>,
    /// Whether the inputs are the negated literals of the row.
    is_negated: bool,
}

impl Claims<'_> {
    fn root(&self) -> &Sum {
        self.root.expect("defined with the proof")
    }

    /// The output for `hi + 1` is false.
    fn at_most(&mut self, hi: usize, proof: &mut dyn ProofLog) -> ConstraintId {
        let mut claim = Derivation::of(self.root().forward(number(hi + 1)));
        claim = [self.left, self.right].into_iter().fold(claim, at_least_outputs);
        let side = proof.row_side(!self.is_negated);
        side.into_iter().fold(claim, Derivation::plus).divided(number(hi + 1)).write(proof)
    }

    /// The output for `lo` is true.
    fn at_least(
        &mut self,
        lo: usize,
        hi: usize,
        is_over: Option<ConstraintId>,
        proof: &mut dyn ProofLog,
    ) -> ConstraintId {
        let root = self.root();
        let mut claim = Derivation::of(root.backward(number(lo)));
        if let Some(is_over) = is_over {
            for tree in [self.left, self.right] {
                claim =
                    at_most_outputs(tree, root, [self.left, self.right], hi, is_over, claim, proof);
            }
        }
        let side = proof.row_side(self.is_negated);
        let claim = side.into_iter().fold(claim, Derivation::plus);
        claim.divided(root.total()).write(proof)
    }
}

/// Adds, for every cut below, that the sum is at least what its outputs count.
fn at_least_outputs(sum: Derivation, tree: &Tree) -> Derivation {
    let Some(cut) = &tree.folded else { return sum };
    let (folded, left, right) = &**cut;
    let sum = sum.plus(folded.at_least_outputs);
    [left, right].into_iter().fold(sum, at_least_outputs)
}

/// Adds, for every cut below, that the sum is at most what its outputs count, since the last of
/// them, for `hi + 1`, is false: it would make the last of the node above true.
fn at_most_outputs(
    tree: &Tree,
    above: &Sum,
    siblings: [&Tree; 2],
    hi: usize,
    above_is_false: ConstraintId,
    sum: Derivation,
    proof: &mut dyn ProofLog,
) -> Derivation {
    let Some(cut) = &tree.folded else { return sum };
    let (folded, left, right) = &**cut;
    let cap = number(hi + 1);
    let start = Derivation::of(above.backward(cap));
    let start = start.plus_times(above.total() - cap + 1, above_is_false);
    let last_is_false = siblings.into_iter().fold(start, |clause, sibling| {
        let bound = if std::ptr::eq(sibling, tree) { cap } else { 0 };
        sibling.sum.as_ref().expect("as its parent").reaches(bound, clause)
    });
    let last_is_false = last_is_false.divided(above.total()).write(proof);
    let mut sum = sum.plus(folded.at_most_outputs(last_is_false, proof));
    for child in [left, right] {
        sum = at_most_outputs(child, folded.inner(), [left, right], hi, last_is_false, sum, proof);
    }
    sum
}
