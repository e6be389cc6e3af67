//! Decision diagram: the literals are decided one after the other, largest coefficient first; what
//! remains to be met is the same for whole intervals of bounds, and each interval is one node.
//!
//! I. Abío, R. Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell, V. Mayer-Eichberger: A New Look at
//! BDDs for Pseudo-Boolean Constraints. JAIR 2012 (the intervals; two clauses a node).
//! N. Eén, N. Sörensson: Translating Pseudo-Boolean Constraints into SAT. JSAT 2006.
//!
//! One side, `sum <= k` (a side that is a lower bound is an upper bound on the negated literals). A
//! node means "the literals from here on keep to what is left of the bound":
//!
//! - *auxiliary variables*: one for each node that is no constant, the root included
//! - *clauses*: at most 2 for each node, and 1: with the literal true the node leads to one node,
//!   in any case to another; a constant true needs no clause
//! - the numbers of nodes are known after the diagram is built, before any clause is; beyond 4
//!   million nodes, or 3000 literals, it is given up
//! - *propagation*: complete for each side (Abío et al.)
//! - *proof*: a node is a threshold: of the sum from its level on, or, in the first half of the
//!   levels, of the sum before, which leaves no more than the node's greatest bound; two
//!   definitions, or two and the row, add up to a clause
//! - *prefer when*: coefficients repeat or are small, so that intervals are wide
//!
//! Literals that exclude each other are one decision, with a clause for each that leads elsewhere
//! than none of them does: a multi-valued diagram (Bofill et al. 2022).

use super::{AtMost, MAX_NODES, for_each_side, is_weighted, sides};
use crate::sink::{Derivation, defining, justified, justified_definition};
use crate::threshold::{Threshold, rest_of_terms};
use crate::{
    Class, ClauseSink, ConstraintId, Encoder, Outputs, ProofLog, Role, Row, Size, Stop, Strength,
};
use pbsolve_model::Lit;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct DecisionDiagram;

impl Encoder for DecisionDiagram {
    fn name(&self) -> &'static str {
        "decision-diagram"
    }

    fn class(&self) -> Class {
        Class::PseudoBoolean
    }

    fn about(&self) -> &'static str {
        "a node for each interval of what is left of the bound (Abío 2012)"
    }

    fn supports(&self, row: &Row<'_>) -> bool {
        is_weighted(row)
    }

    fn size(&self, row: &Row<'_>) -> Option<Size> {
        size_within(row, MAX_NODES)
    }

    fn size_up_to(&self, row: &Row<'_>, max_clauses: u64) -> Option<Size> {
        // A node has at least one clause.
        let max_nodes = usize::try_from(max_clauses).unwrap_or(usize::MAX).min(MAX_NODES);
        size_within(row, max_nodes).filter(|size| size.clauses <= max_clauses)
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
        for_each_side(row, sink, |side, sink| match Diagram::build(&side, MAX_NODES) {
            Some(diagram) => diagram.encode(&side, sink),
            None => ControlFlow::Break(Stop::Budget),
        })?;
        ControlFlow::Continue(Outputs::default())
    }
}

fn size_within(row: &Row<'_>, max_nodes: usize) -> Option<Size> {
    let mut size = Size::default();
    for side in sides(row) {
        size += Diagram::build(&side, max_nodes)?.size();
    }
    Some(size)
}

/// Diagrams are built level by level on the stack; longer rows are left to other encoders.
const MAX_LEVELS: usize = 3000;

/// Where a decision leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    True,
    False,
    /// A place in `nodes`.
    Node(usize),
}

#[derive(Clone, Debug)]
struct Node {
    level: usize,
    /// The greatest bound for which it means the same.
    to: i128,
    /// Places in `edges`: what follows from each literal of the level.
    high: Range<usize>,
    /// With none of them true.
    low: Next,
}

/// The nodes, children before parents, the root last.
#[derive(Default)]
struct Diagram {
    nodes: Vec<Node>,
    /// Places of literals, with where they lead if that is not where none of the level does.
    edges: Vec<(usize, Next)>,
}

/// The bounds `from..=to` for which the rest of the literals mean the same.
#[derive(Clone, Copy)]
struct Interval {
    from: i128,
    to: i128,
    next: Next,
}

struct Builder<'a> {
    side: &'a AtMost,
    /// The largest sum from each level on.
    rest: Vec<i128>,
    /// For each level the intervals known so far, by their greatest bound.
    known: Vec<BTreeMap<i128, Interval>>,
    diagram: Diagram,
    /// Where the literals of the levels above lead, of each node that is under way.
    pending: Vec<Interval>,
    max_nodes: usize,
}

impl Builder<'_> {
    /// The interval around `bound` for the literals from `level` on; `None` over the budget.
    fn interval(&mut self, level: usize, bound: i128) -> Option<Interval> {
        if bound < 0 {
            return Some(Interval { from: i128::MIN, to: -1, next: Next::False });
        }
        if bound >= self.rest[level] {
            let from = self.rest[level];
            return Some(Interval { from, to: i128::MAX, next: Next::True });
        }
        if let Some((_, &interval)) = self.known[level].range(bound..).next()
            && interval.from <= bound
        {
            return Some(interval);
        }
        let lits = self.side.group(level);
        let first = self.pending.len();
        for place in lits.clone() {
            let high = self.interval(level + 1, bound - self.side.coefficients[place])?;
            self.pending.push(high);
        }
        let low = self.interval(level + 1, bound)?;
        let (mut from, mut to) = (low.from, low.to);
        let Diagram { nodes, edges } = &mut self.diagram;
        let first_edge = edges.len();
        for (place, high) in lits.zip(self.pending.drain(first..)) {
            let coefficient = self.side.coefficients[place];
            from = from.max(high.from.saturating_add(coefficient));
            to = to.min(high.to.saturating_add(coefficient));
            if high.next != low.next {
                edges.push((place, high.next));
            }
        }
        let next = if edges.len() == first_edge {
            low.next
        } else {
            nodes.push(Node { level, to, high: first_edge..edges.len(), low: low.next });
            if edges.len() > self.max_nodes {
                return None;
            }
            Next::Node(nodes.len() - 1)
        };
        let interval = Interval { from, to, next };
        self.known[level].insert(to, interval);
        Some(interval)
    }
}

impl Diagram {
    fn build(side: &AtMost, max_nodes: usize) -> Option<Diagram> {
        if side.num_groups() > MAX_LEVELS {
            return None;
        }
        let mut rest: Vec<i128> = vec![0];
        for group in (0..side.num_groups()).rev() {
            rest.push(rest[rest.len() - 1] + side.coefficients[side.group(group).start]);
        }
        rest.reverse();
        debug_assert_eq!(rest[0], side.sum, "the coefficients sum up");
        let known = vec![BTreeMap::new(); rest.len()];
        let (diagram, pending) = (Diagram::default(), Vec::new());
        let mut builder = Builder { side, rest, known, diagram, pending, max_nodes };
        let root = builder.interval(0, side.bound)?.next;
        let diagram = builder.diagram;
        debug_assert_eq!(root, Next::Node(diagram.nodes.len() - 1), "an active bound has a root");
        Some(diagram)
    }

    fn size(&self) -> Size {
        let high = self.edges.iter().filter(|(_, next)| *next != Next::True).count();
        let low = self.nodes.iter().filter(|node| node.low != Next::True).count();
        Size::new(self.nodes.len(), high + low + 1)
    }

    fn encode(&self, side: &AtMost, sink: &mut dyn ClauseSink) -> ControlFlow<Stop> {
        let mut outputs: Vec<Lit> = Vec::with_capacity(self.nodes.len());
        let mut meanings = sink.proof().map(|proof| Meanings::new(side, proof));
        for (place, node) in self.nodes.iter().enumerate() {
            let role = Role::new("d", node.level + 1, place + 1);
            let output = sink.new_var(role).positive();
            if let (Some(meanings), Some(proof)) = (&mut meanings, sink.proof()) {
                meanings.define(node, output, proof);
            }
            let mut define = |clause: &[Lit], next: Next, is_high: bool| {
                justified_definition(sink, clause, |proof| {
                    meanings.as_ref().expect(WITH).edge(place, next, is_high, proof)
                })
            };
            for &(place, next) in &self.edges[node.high.clone()] {
                let input = side.lits[place];
                match next {
                    Next::True => {}
                    // node and x -> high node
                    Next::False => define(&[!output, !input], next, true)?,
                    Next::Node(high) => define(&[!output, !input, outputs[high]], next, true)?,
                }
            }
            match node.low {
                Next::True => {}
                // node -> low node, whose bound is the same and which is implied by the high one
                Next::False => define(&[!output], Next::False, false)?,
                Next::Node(low) => define(&[!output, outputs[low]], node.low, false)?,
            }
            outputs.push(output);
        }
        let root = *outputs.last().expect("an active bound has a root");
        justified(sink, &[root], |_| {
            let root = meanings.as_ref().and_then(|meanings| meanings.nodes.last());
            match root.expect(WITH).1 {
                Meaning::Always { is_true, .. } => is_true,
                _ => unreachable!("nothing comes before the root"),
            }
        })
    }
}

const WITH: &str = "made with the proof";

/// What a node is true for, in the proof.
#[derive(Clone, Copy)]
enum Meaning {
    /// The sum before is at least a bound.
    Before(Threshold),
    /// The sum before is at least 0, or less.
    Always { is_true: ConstraintId, at_least_zero: Option<ConstraintId> },
    /// The sum from here on is at most a bound: the threshold is false.
    After(Threshold),
}

/// The meanings of the nodes, in the proof.
struct Meanings<'a> {
    side: &'a AtMost,
    terms: Vec<(i128, Lit)>,
    row: Option<ConstraintId>,
    /// The sum of the terms after each is not negative.
    rest: Vec<Option<ConstraintId>>,
    /// Nodes from this level on are defined by what is after.
    half: usize,
    /// Levels with meanings.
    nodes: Vec<(usize, Meaning)>,
}

impl<'a> Meanings<'a> {
    fn new(side: &'a AtMost, proof: &mut dyn ProofLog) -> Meanings<'a> {
        let terms: Vec<(i128, Lit)> =
            side.coefficients.iter().copied().zip(side.lits.iter().copied()).collect();
        let (row, rest) = (side.in_proof(proof), rest_of_terms(&terms, proof));
        let half = terms.len().div_ceil(2);
        Meanings { side, terms, row, rest, half, nodes: Vec::new() }
    }

    fn define(&mut self, node: &Node, output: Lit, proof: &mut dyn ProofLog) {
        let (before, after) = self.terms.split_at(node.level);
        let consumed = self.side.bound - node.to;
        let meaning = if node.level >= self.half {
            Meaning::After(Threshold::define(proof, after, node.to + 1, !output))
        } else if consumed > 0 {
            Meaning::Before(Threshold::define(proof, before, consumed, output))
        } else {
            let is_true = defining(proof, &[output], output);
            let sum = before.iter().fold(Derivation::default(), |sum, &(coefficient, lit)| {
                sum.plus_lit(coefficient, lit)
            });
            let at_least_zero = (!before.is_empty()).then(|| sum.write(proof));
            Meaning::Always { is_true, at_least_zero }
        };
        self.nodes.push((node.level, meaning));
    }

    /// The clause of a node, its literal if that is true, and where that leads.
    fn edge(
        &self,
        place: usize,
        next: Next,
        is_high: bool,
        proof: &mut dyn ProofLog,
    ) -> ConstraintId {
        let (level, from) = self.nodes[place];
        let mut sum = Derivation::default();
        let mut is_after = false;
        match from {
            Meaning::After(threshold) => {
                sum = sum.plus(threshold.backward);
                is_after = true;
            }
            Meaning::Before(threshold) => sum = sum.plus(threshold.forward),
            Meaning::Always { at_least_zero, .. } => {
                sum = at_least_zero.into_iter().fold(sum, Derivation::plus);
            }
        }
        // The literals in between may be true as well.
        let between = if let Next::Node(child) = next {
            let (child_level, to) = self.nodes[child];
            match to {
                Meaning::Always { is_true, .. } => return is_true,
                Meaning::Before(threshold) => sum = sum.plus(threshold.backward),
                Meaning::After(threshold) => {
                    if !is_after {
                        sum = self.row.into_iter().fold(sum, Derivation::plus);
                    }
                    sum = sum.plus(threshold.forward);
                }
            }
            level + 1..child_level
        } else {
            if !is_after {
                sum = self.row.into_iter().fold(sum, Derivation::plus);
            }
            sum = self.rest[level].into_iter().fold(sum, Derivation::plus);
            0..0
        };
        let own = if is_high { level..level } else { level..level + 1 };
        for &(coefficient, lit) in self.terms[own].iter().chain(&self.terms[between]) {
            sum = sum.plus_lit(coefficient, lit);
        }
        sum.divided(self.side.sum).write(proof)
    }
}
