//! Generalized totalizer: a balanced tree over the literals; a node has one output for each sum
//! that its literals can reach, all sums above the bound taken as one.
//!
//! S. Joshi, R. Martins, V. Manquinho: Generalized Totalizer Encoding for Pseudo-Boolean
//! Constraints. CP 2015.
//!
//! One side, `sum <= k` (a side that is a lower bound is an upper bound on the negated literals);
//! `S` is the set of positive sums of a node, those above `k` counted once, as `k + 1`:
//!
//! - *auxiliary variables*: the sum of `|S|` over the inner nodes below the root, and 1
//! - *clauses*: for each inner node below the root `(|S_left| + 1) (|S_right| + 1) - 1`; at the
//!   root the pairs whose sum is above `k`; and 1
//! - *propagation*: complete for each side (Joshi et al.)
//! - *proof*: an output is the threshold of its node's sum; three of these definitions add up to a
//!   clause
//! - *prefer when*: there are few distinct sums
//!
//! Literals that exclude each other are one leaf, whose sums are their coefficients; those with the
//! same one are a variable and a clause each (Bofill et al. 2022).

use super::{AtMost, MAX_NODES, any_of, for_each_side, is_weighted, sides};
use crate::sink::{Derivation, justified, justified_definition};
use crate::threshold::{Halves, Sum};
use crate::{Class, ClauseSink, Encoder, Outputs, Role, Row, Size, Stop, Strength};
use pbsolve_model::Lit;
use std::ops::{ControlFlow, Range};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct GeneralizedTotalizer;

/// The sums of two children; `None` if they have more pairs than allowed.
fn sums_of(left: &[i128], right: &[i128], over: i128, max_pairs: usize) -> Option<Vec<i128>> {
    if left.len().saturating_mul(right.len()) > max_pairs {
        return None;
    }
    let with_zero =
        |sums: &[i128]| -> Vec<i128> { std::iter::once(0).chain(sums.iter().copied()).collect() };
    let (left, right) = (with_zero(left), with_zero(right));
    let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a + b).min(over)));
    let mut sums: Vec<i128> = pairs.filter(|&sum| sum > 0).collect();
    sums.sort_unstable();
    sums.dedup();
    Some(sums)
}

/// The distinct coefficients of a group, ascending, with the places of the literals that have them.
fn leaf(side: &AtMost, group: usize) -> impl Iterator<Item = (i128, Range<usize>)> {
    let places = side.group(group);
    let (start, coefficients) = (places.start, &side.coefficients[places]);
    let mut end = start + coefficients.len();
    coefficients.chunk_by(i128::eq).rev().map(move |equal| {
        let places = end - equal.len()..end;
        end = places.start;
        (equal[0], places)
    })
}

/// The size of the tree over these groups, without its root, and the root's sums.
fn size_below(
    side: &AtMost,
    groups: Range<usize>,
    over: i128,
    max_pairs: usize,
) -> Option<(Size, Vec<i128>)> {
    if groups.len() == 1 {
        let shared = leaf(side, groups.start).map(|(_, places)| places.len());
        let shared = shared.filter(|&num_lits| num_lits > 1);
        let mut size = Size::default();
        shared.for_each(|num_lits| size += Size::new(1, num_lits));
        return Some((size, leaf(side, groups.start).map(|(sum, _)| sum).collect()));
    }
    let [left, right] = halves(groups);
    let (mut size, left) = size_below(side, left, over, max_pairs)?;
    let (of_right, right) = size_below(side, right, over, max_pairs)?;
    let sums = sums_of(&left, &right, over, max_pairs)?;
    size += of_right;
    size += Size::new(sums.len(), (left.len() + 1) * (right.len() + 1) - 1);
    Some((size, sums))
}

fn size_of(side: &AtMost, max_pairs: usize) -> Option<Size> {
    let over = side.bound + 1;
    let [left, right] = halves(0..side.num_groups());
    let (mut size, left) = size_below(side, left, over, max_pairs)?;
    let (of_right, right) = size_below(side, right, over, max_pairs)?;
    size += of_right;
    if left.len().saturating_mul(right.len()) > MAX_NODES {
        return None;
    }
    let with_zero =
        |sums: &[i128]| -> Vec<i128> { std::iter::once(0).chain(sums.iter().copied()).collect() };
    let right = with_zero(&right);
    let above = |a: &i128| right.iter().filter(|&b| a + b >= over).count();
    let pairs: usize = with_zero(&left).iter().map(above).sum();
    size += Size::new(1, pairs + 1);
    Some(size)
}

impl Encoder for GeneralizedTotalizer {
    fn name(&self) -> &'static str {
        "generalized-totalizer"
    }

    fn class(&self) -> Class {
        Class::PseudoBoolean
    }

    fn about(&self) -> &'static str {
        "a tree with an output for each sum that can be reached (Joshi 2015)"
    }

    fn supports(&self, row: &Row<'_>) -> bool {
        is_weighted(row)
    }

    fn size(&self, row: &Row<'_>) -> Option<Size> {
        size_within(row, MAX_NODES)
    }

    fn size_up_to(&self, row: &Row<'_>, max_clauses: u64) -> Option<Size> {
        // A pair of a node below the root is a clause; the root's are few of its pairs at most.
        let max_pairs = usize::try_from(max_clauses).unwrap_or(usize::MAX).saturating_mul(4);
        let size = size_within(row, max_pairs.min(MAX_NODES));
        size.filter(|size| size.clauses <= max_clauses)
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

fn size_within(row: &Row<'_>, max_pairs: usize) -> Option<Size> {
    let mut size = Size::default();
    for side in sides(row) {
        size += size_of(&side, max_pairs)?;
    }
    Some(size)
}

fn halves(groups: Range<usize>) -> [Range<usize>; 2] {
    let middle = groups.start + groups.len() / 2;
    [groups.start..middle, middle..groups.end]
}

/// A node's sums, ascending, with the literal that each implies.
type Sums = Vec<(i128, Lit)>;

/// A tree over some of the literals.
struct Tree {
    sums: Sums,
    /// In the proof: what the literals mean.
    meaning: Option<Sum>,
}

/// In the proof: the literals of a node as thresholds of the sum of its children.
fn define(left: &Tree, right: &Tree, sums: &Sums, sink: &mut dyn ClauseSink) -> Option<Sum> {
    let proof = sink.proof()?;
    let outputs = sums.iter().copied();
    let (left, right) = (left.meaning.as_ref()?, right.meaning.as_ref()?);
    Some(Sum::define(proof, left, right, outputs, Halves::Forward))
}

fn at_most(side: &AtMost, sink: &mut dyn ClauseSink) -> ControlFlow<Stop> {
    let over = side.bound + 1;
    let [left, right] = halves(0..side.num_groups());
    let left = tree(side, left, over, sink)?;
    let right = tree(side, right, over, sink)?;
    let above = sink.new_var(Role::new("over", side.lits.len(), 0)).positive();
    let meaning = define(&left, &right, &vec![(over, above)], sink);
    for_each_pair(&left, &right, |[a, b], clause| {
        if a + b >= over {
            // a and b -> above the bound
            clause.push(above);
            add(clause, [(&left, a), (&right, b)], meaning.as_ref(), over, sink)?;
        }
        ControlFlow::Continue(())
    })?;
    justified(sink, &[!above], |proof| {
        let meaning = meaning.as_ref().expect("defined with the proof");
        let reached = Derivation::of(meaning.forward(over));
        let row = side.in_proof(proof);
        row.into_iter().fold(reached, Derivation::plus).divided(over).write(proof)
    })
}

fn tree(
    side: &AtMost,
    groups: Range<usize>,
    over: i128,
    sink: &mut dyn ClauseSink,
) -> ControlFlow<Stop, Tree> {
    let num_groups = groups.len();
    if num_groups == 1 {
        let mut sums = Sums::new();
        for (sum, places) in leaf(side, groups.start) {
            let role = Role::new("group", groups.start + 1, sums.len() + 1);
            let lits = places.map(|place| side.lits[place]);
            sums.extend(any_of(lits, role, sink)?.map(|lit| (sum, lit)));
        }
        let meaning = sink.proof().map(|_| Sum::input(sums[0].0, sums[0].1));
        return ControlFlow::Continue(Tree { sums, meaning });
    }
    let [left, right] = halves(groups);
    let left = tree(side, left, over, sink)?;
    let right = tree(side, right, over, sink)?;
    let values = |tree: &Tree| -> Vec<i128> { tree.sums.iter().map(|&(sum, _)| sum).collect() };
    let Some(sums) = sums_of(&values(&left), &values(&right), over, MAX_NODES) else {
        return ControlFlow::Break(Stop::Budget);
    };
    let output =
        |(place, sum)| (sum, sink.new_var(Role::new("o", place + 1, num_groups)).positive());
    let sums: Sums = sums.into_iter().enumerate().map(output).collect();
    let meaning = define(&left, &right, &sums, sink);
    for_each_pair(&left, &right, |[a, b], clause| {
        let sum = (a + b).min(over);
        let place = sums.binary_search_by_key(&sum, |&(sum, _)| sum);
        // a on the left and b on the right -> a + b
        clause.push(sums[place.expect("the sum of a pair is a sum of the node")].1);
        add(clause, [(&left, a), (&right, b)], meaning.as_ref(), sum, sink)
    })?;
    ControlFlow::Continue(Tree { sums, meaning })
}

/// Adds the clause of a pair of sums, which implies that their node reaches `sum`.
fn add(
    clause: &[Lit],
    children: [(&Tree, i128); 2],
    meaning: Option<&Sum>,
    sum: i128,
    sink: &mut dyn ClauseSink,
) -> ControlFlow<Stop> {
    justified_definition(sink, clause, |proof| {
        let meaning = meaning.expect("defined with the proof");
        let start = Derivation::of(meaning.backward(sum));
        let clause = children.into_iter().fold(start, |clause, (tree, sum)| {
            tree.meaning.as_ref().expect("as its node").reaches(sum, clause)
        });
        clause.divided(meaning.total()).write(proof)
    })
}

/// Every pair of sums, with the negations of their literals; zero on one side has none.
fn for_each_pair(
    left: &Tree,
    right: &Tree,
    mut visit: impl FnMut([i128; 2], &mut Vec<Lit>) -> ControlFlow<Stop>,
) -> ControlFlow<Stop> {
    let with_zero = |tree: &Tree| -> Vec<(i128, Option<Lit>)> {
        let positive = tree.sums.iter().map(|&(sum, lit)| (sum, Some(!lit)));
        std::iter::once((0, None)).chain(positive).collect()
    };
    let right = with_zero(right);
    let mut clause = Vec::with_capacity(3);
    for (a, from_left) in with_zero(left) {
        for &(b, from_right) in &right {
            if a + b > 0 {
                clause.clear();
                clause.extend(from_left.into_iter().chain(from_right));
                visit([a, b], &mut clause)?;
            }
        }
    }
    ControlFlow::Continue(())
}
