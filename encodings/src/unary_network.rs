//! Unary numbers: sorting literals and merging sorted sequences, in one direction, each piece built
//! in the cheaper of two ways.
//!
//! A sequence is *sorted* when its `j`-th literal is implied by "at least `j` of the inputs are
//! true". Small pieces are stated directly, a clause for each way to reach a count; larger ones
//! recursively, by odd-even merging with three clauses a comparator. Which is cheaper is computed
//! for each size, exactly, before anything is built.
//!
//! K. Batcher: Sorting Networks and Their Applications. AFIPS 1968.
//! R. Asín, R. Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell: Cardinality Networks: a
//! Theoretical and Empirical Study. Constraints 2011.
//! I. Abío, R. Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell: A Parametric Approach for Smaller
//! and Better Encodings of Cardinality Constraints. CP 2013 (the mixture).
//!
//! In a proof, an output is the threshold of the sum of what is sorted or merged at its place. What
//! is merged recursively has literals in order, so that those at odd places are as many as those at
//! even places, or up to two more; with that, two definitions add up to a clause.

use crate::sink::{Derivation, justified_definition};
use crate::threshold::{Halves, Sum, Threshold};
use crate::{ClauseSink, ConstraintId, ProofLog, Role, Size, Stop};
use pbsolve_model::Lit;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Which outputs of a merge are built; the others are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Wanted {
    /// Counts 1 to the limit.
    All,
    /// Counts of one parity up to the limit: every second output, where a count is halved.
    Parity(usize),
    /// The limit alone.
    Last,
}

impl Wanted {
    fn has(self, count: usize, limit: usize) -> bool {
        match self {
            Wanted::All => true,
            Wanted::Parity(parity) => count % 2 == parity,
            Wanted::Last => count == limit,
        }
    }
}

/// How a piece is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Direct,
    Recursive,
}

#[derive(Clone, Copy, Debug)]
struct Plan {
    way: Way,
    size: Size,
}

/// A piece counts its clauses and, for each auxiliary variable, this many more.
const CLAUSES_PER_VARIABLE: u64 = 1;

fn cost(size: Size) -> u64 {
    size.clauses + CLAUSES_PER_VARIABLE * size.variables
}

/// Direct sorting has a clause for every subset; beyond this many inputs it never pays.
const SORT_DIRECTLY_UP_TO: usize = 8;

/// Plans of all pieces met so far; keep one for rows of similar size.
#[derive(Debug, Default)]
pub(crate) struct UnaryNetwork {
    sorts: HashMap<(usize, usize, Wanted), Plan>,
    merges: HashMap<(usize, usize, usize, Wanted), Plan>,
}

impl UnaryNetwork {
    /// The exact size of [`sort`](UnaryNetwork::sort) for `n` inputs.
    pub(crate) fn sort_size(&mut self, n: usize, limit: usize, wanted: Wanted) -> Size {
        self.plan_sort(n, limit.min(n), wanted).size
    }

    fn plan_sort(&mut self, n: usize, limit: usize, wanted: Wanted) -> Plan {
        if n <= 1 {
            return Plan { way: Way::Direct, size: Size::default() };
        }
        if let Some(&plan) = self.sorts.get(&(n, limit, wanted)) {
            return plan;
        }
        let (a, b) = (n / 2, n - n / 2);
        let mut size = self.plan_merge(a.min(limit), b.min(limit), limit, wanted).size;
        size += self.plan_sort(a, a.min(limit), Wanted::All).size;
        size += self.plan_sort(b, b.min(limit), Wanted::All).size;
        let mut plan = Plan { way: Way::Recursive, size };
        if n <= SORT_DIRECTLY_UP_TO {
            let mut size = Size::default();
            for count in (1..=limit).filter(|&count| wanted.has(count, limit)) {
                size += Size::new(1, subsets(n, count));
            }
            if cost(size) <= cost(plan.size) {
                plan = Plan { way: Way::Direct, size };
            }
        }
        self.sorts.insert((n, limit, wanted), plan);
        plan
    }

    /// `a` and `b` are at most `limit`, and `limit` at most `a + b`.
    fn plan_merge(&mut self, a: usize, b: usize, limit: usize, wanted: Wanted) -> Plan {
        let limit = limit.min(a + b);
        if a == 0 || b == 0 {
            return Plan { way: Way::Direct, size: Size::default() };
        }
        if let Some(&plan) = self.merges.get(&(a, b, limit, wanted)) {
            return plan;
        }
        let mut size = Size::default();
        for count in (1..=limit).filter(|&count| wanted.has(count, limit)) {
            size += Size::new(1, count.min(a) + 1 - count.saturating_sub(b));
        }
        let mut plan = Plan { way: Way::Direct, size };
        if a + b > 2 {
            let pieces = OddEven::new(a, b, limit, wanted);
            let mut size = Size::default();
            for (a, b, limit, wanted) in [pieces.odd, pieces.even] {
                size += self.plan_merge(a, b, limit, wanted).size;
            }
            for output in pieces.outputs(limit, wanted) {
                size += output.size();
            }
            if cost(size) < cost(plan.size) {
                plan = Plan { way: Way::Recursive, size };
            }
        }
        self.merges.insert((a, b, limit, wanted), plan);
        plan
    }

    /// Sorts literals: for each wanted count up to `limit` a literal that is implied when that many
    /// are true; `None` for the others.
    pub(crate) fn sort(
        &mut self,
        x: &[Lit],
        limit: usize,
        wanted: Wanted,
        sink: &mut dyn ClauseSink,
    ) -> ControlFlow<Stop, Sorted> {
        let limit = limit.min(x.len());
        if x.len() <= 1 {
            let lits = x.iter().take(limit).map(|&lit| Some(lit)).collect();
            let counted = sink.proof().map(|proof| Counted::ordered(x, Vec::new(), proof));
            return ControlFlow::Continue(Sorted { lits, counted });
        }
        if self.plan_sort(x.len(), limit, wanted).way == Way::Recursive {
            let (left, right) = x.split_at(x.len() / 2);
            let left = self.sort(left, limit, Wanted::All, sink)?;
            let right = self.sort(right, limit, Wanted::All, sink)?;
            return self.merge(left, right, limit, wanted, sink);
        }
        let mut outputs = Outputs::new(limit, x);
        for count in (1..=limit).filter(|&count| wanted.has(count, limit)) {
            let output = sink.new_var(Role::new("sorted", count, x.len())).positive();
            let backward = outputs.define(count, output, sink).map(|threshold| threshold.backward);
            // all of any `count` literals -> output
            let mut clause = vec![output];
            subset_clauses(x, count, &mut clause, backward, sink)?;
        }
        ControlFlow::Continue(outputs.finish(Vec::new()))
    }

    /// Merges two sorted sequences, all of whose literals are there.
    pub(crate) fn merge(
        &mut self,
        mut left: Sorted,
        mut right: Sorted,
        limit: usize,
        wanted: Wanted,
        sink: &mut dyn ClauseSink,
    ) -> ControlFlow<Stop, Sorted> {
        left.lits.truncate(limit);
        right.lits.truncate(limit);
        let (a, b) = (left.lits.len(), right.lits.len());
        let limit = limit.min(a + b);
        if a == 0 || b == 0 {
            let mut present = if a == 0 { right } else { left };
            present.lits.truncate(limit);
            return ControlFlow::Continue(present);
        }
        if self.plan_merge(a, b, limit, wanted).way == Way::Direct {
            return merge_directly(left, right, limit, wanted, sink);
        }
        if let Some(proof) = sink.proof() {
            left.put_in_order(proof);
            right.put_in_order(proof);
        }
        let pieces = OddEven::new(a, b, limit, wanted);
        let mut piece = |first: usize, limit, wanted, sink: &mut dyn ClauseSink| {
            let left = left.every_second(first, sink);
            let right = right.every_second(first, sink);
            self.merge(left, right, limit, wanted, sink)
        };
        let odd = piece(0, pieces.odd.2, pieces.odd.3, sink)?;
        let even = piece(1, pieces.even.2, pieces.even.3, sink)?;
        let places = sink.proof().and_then(|proof| Places::new(&left, &right, &odd, &even, proof));
        let mut outputs = Outputs::new(limit, &terms_of(&left, &right));
        for output in pieces.outputs(limit, wanted) {
            let count = output.count;
            let merged = match output.from {
                From::Odd(i) => odd.lit(i),
                From::Even(i) => even.lit(i),
                From::Either(..) | From::Both(..) => {
                    sink.new_var(Role::new("merged", count, a + b)).positive()
                }
            };
            let threshold = match (output.from, &places) {
                (From::Odd(i), Some(places)) => {
                    sink.proof().map(|proof| places.of_odd(i, count, proof))
                }
                (From::Even(i), Some(places)) => sink.proof().map(|proof| places.of_even(i, proof)),
                (_, None) => None,
                _ => outputs.threshold(count, merged, sink),
            };
            outputs.push(count, merged, threshold);
            let mut define = |clause: &[Lit], why: &dyn Fn(&Places<'_>) -> Derivation| {
                justified_definition(sink, clause, |proof| {
                    let places = places.as_ref().expect(WITH);
                    let backward = threshold.expect(WITH).backward;
                    why(places).plus(backward).divided(places.divisor()).write(proof)
                })
            };
            match output.from {
                From::Odd(_) | From::Even(_) => {}
                From::Either(i, j) => {
                    define(&[!odd.lit(i), merged], &|places| places.if_odd(i))?;
                    define(&[!even.lit(j), merged], &|places| places.if_even(j))?;
                }
                From::Both(i, j) => {
                    let (odd, even) = (odd.lit(i), even.lit(j));
                    let clause = [!odd, !even, merged];
                    // As where the merge is direct, the two may be one literal.
                    let clause = if odd == even { &clause[1..] } else { &clause[..] };
                    define(clause, &|places| places.if_both(i, j))?;
                }
            }
        }
        let below = [left.below(), right.below()].concat();
        ControlFlow::Continue(outputs.finish(below))
    }
}

/// A clause for every way to reach a count.
fn merge_directly(
    mut left: Sorted,
    mut right: Sorted,
    limit: usize,
    wanted: Wanted,
    sink: &mut dyn ClauseSink,
) -> ControlFlow<Stop, Sorted> {
    if let Some(proof) = sink.proof() {
        left.count_outputs_if_fewer(proof);
        right.count_outputs_if_fewer(proof);
    }
    let (a, b) = (left.lits.len(), right.lits.len());
    let mut outputs = Outputs::new(limit, &terms_of(&left, &right));
    // A literal may stand in both sequences: where it has two bits of a weight and one of them was
    // carried on.
    let mut clause: Vec<Lit> = Vec::with_capacity(3);
    for count in (1..=limit).filter(|&count| wanted.has(count, limit)) {
        let output = sink.new_var(Role::new("merged", count, a + b)).positive();
        let threshold = outputs.define(count, output, sink);
        for i in count.saturating_sub(b)..=count.min(a) {
            let j = count - i;
            // i on the left and j on the right -> i + j
            clause.clear();
            clause.extend((i > 0).then(|| !left.lit(i)));
            clause.extend((j > 0).then(|| !right.lit(j)));
            clause.dedup();
            clause.push(output);
            justified_definition(sink, &clause, |proof| {
                let start = Derivation::of(threshold.expect(WITH).backward);
                let sum =
                    [(&left, i), (&right, j)].into_iter().fold(start, |sum, (side, count)| {
                        side.counted.as_ref().expect(WITH).sum.reaches(number(count), sum)
                    });
                sum.divided(2 * number(outputs.terms.len() + 1)).write(proof)
            })?;
        }
    }
    let below = [left.below(), right.below()].concat();
    ControlFlow::Continue(outputs.finish(below))
}

const WITH: &str = "made with the proof";

fn number(count: usize) -> i128 {
    i128::try_from(count).expect("counts are far below 2^127")
}

/// The terms of a merge, in the proof.
fn terms_of(left: &Sorted, right: &Sorted) -> Vec<Lit> {
    let counted = [left, right].into_iter().filter_map(|side| side.counted.as_ref());
    counted.flat_map(|counted| counted.sum.lits()).collect()
}

/// A sorted sequence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sorted {
    /// The literals for counts from 1 on, `None` where one is not wanted.
    pub(crate) lits: Vec<Option<Lit>>,
    /// In the proof.
    pub(crate) counted: Option<Counted>,
}

/// In the proof: what a sorted sequence counts.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    /// The sum of which its literals are the thresholds. All its coefficients are 1.
    pub(crate) sum: Sum,
    /// Where the terms of the sum are the literals: each implies the one before.
    order: Option<Vec<ConstraintId>>,
    /// Sums further below are at least what is counted of them; all together, the sum of all that
    /// was sorted is at least this one.
    pub(crate) below: Vec<ConstraintId>,
}

impl Counted {
    /// Literals each of which implies the one before.
    pub(crate) fn ordered(
        lits: &[Lit],
        order: Vec<ConstraintId>,
        proof: &mut dyn ProofLog,
    ) -> Counted {
        let sum = Sum::ordered(lits, &order, Halves::Forward, proof);
        Counted { sum, order: Some(order), below: Vec::new() }
    }

    /// Replaces the sum by the number of true literals.
    fn count(self, outputs: &[Lit], proof: &mut dyn ProofLog) -> Counted {
        let Counted { sum, mut below, .. } = self;
        let folded = sum.fold(outputs, Halves::Forward, proof);
        below.push(folded.at_least_outputs);
        Counted { sum: folded.sum, order: Some(folded.order), below }
    }
}

impl Sorted {
    fn lit(&self, count: usize) -> Lit {
        self.lits[count - 1].expect("merged sequences have all their literals")
    }

    fn below(&self) -> Vec<ConstraintId> {
        self.counted.as_ref().map_or_else(Vec::new, |counted| counted.below.clone())
    }

    fn count_outputs(&mut self, proof: &mut dyn ProofLog) {
        let outputs: Vec<Lit> = (1..=self.lits.len()).map(|count| self.lit(count)).collect();
        self.counted = self.counted.take().map(|counted| counted.count(&outputs, proof));
    }

    /// Where the literals are fewer than the terms, they stand for the sum from here on, so that
    /// the proof grows as the clauses do.
    fn count_outputs_if_fewer(&mut self, proof: &mut dyn ProofLog) {
        if self.counted.as_ref().is_some_and(|counted| counted.sum.num_terms() > self.lits.len()) {
            self.count_outputs(proof);
        }
        if let Some(counted) = &mut self.counted {
            counted.sum.know_zero(proof);
        }
    }

    fn put_in_order(&mut self, proof: &mut dyn ProofLog) {
        if self.counted.as_ref().is_some_and(|counted| counted.order.is_none()) {
            self.count_outputs(proof);
        }
    }

    /// The literals at odd places, from the first, or at even places, from the second.
    fn every_second(&self, first: usize, sink: &mut dyn ClauseSink) -> Sorted {
        let lits = self.lits.iter().skip(first).step_by(2).copied().collect();
        let counted = sink.proof().and_then(|proof| {
            let counted = self.counted.as_ref()?;
            let order = counted.order.as_ref()?;
            let terms: Vec<Lit> = counted.sum.lits().skip(first).step_by(2).collect();
            let steps = order.get(first..).unwrap_or(&[]).chunks_exact(2);
            let order = steps.map(|two| Derivation::of(two[0]).plus(two[1]).write(proof)).collect();
            Some(Counted::ordered(&terms, order, proof))
        });
        Sorted { lits, counted }
    }
}

/// The outputs of a sort or a merge under construction.
struct Outputs {
    lits: Vec<Option<Lit>>,
    terms: Vec<Lit>,
    thresholds: Vec<(i128, Threshold)>,
}

impl Outputs {
    fn new(limit: usize, terms: &[Lit]) -> Outputs {
        Outputs { lits: vec![None; limit], terms: terms.to_vec(), thresholds: Vec::new() }
    }

    /// In the proof: a new literal as the threshold of the terms.
    fn threshold(&self, count: usize, output: Lit, sink: &mut dyn ClauseSink) -> Option<Threshold> {
        let terms: Vec<(i128, Lit)> = self.terms.iter().map(|&lit| (1, lit)).collect();
        // Without terms, what is merged came without a proof.
        let proof = sink.proof().filter(|_| terms.len() >= count)?;
        Some(Threshold::define(proof, &terms, number(count), output))
    }

    fn push(&mut self, count: usize, output: Lit, threshold: Option<Threshold>) {
        self.lits[count - 1] = Some(output);
        self.thresholds.extend(threshold.map(|threshold| (number(count), threshold)));
    }

    fn define(
        &mut self,
        count: usize,
        output: Lit,
        sink: &mut dyn ClauseSink,
    ) -> Option<Threshold> {
        let threshold = self.threshold(count, output, sink);
        self.push(count, output, threshold);
        threshold
    }

    fn finish(self, below: Vec<ConstraintId>) -> Sorted {
        let Outputs { lits, terms, thresholds } = self;
        let counted = (!thresholds.is_empty()).then(|| Counted {
            sum: Sum::counting(&terms, thresholds),
            order: None,
            below,
        });
        Sorted { lits, counted }
    }
}

/// In the proof of an odd-even merge: what the literals at odd places and those at even places are
/// to each other, in both sequences together.
struct Places<'a> {
    odd: &'a Sum,
    even: &'a Sum,
    /// As many odd ones are true as even ones, or more.
    odd_is_more: ConstraintId,
    /// But at most two more.
    by_two: ConstraintId,
}

impl<'a> Places<'a> {
    fn new(
        left: &Sorted,
        right: &Sorted,
        odd: &'a Sorted,
        even: &'a Sorted,
        proof: &mut dyn ProofLog,
    ) -> Option<Places<'a>> {
        let (mut odd_is_more, mut by_two) = (Derivation::default(), Derivation::default());
        for side in [left, right] {
            let counted = side.counted.as_ref()?;
            let order = counted.order.as_ref()?;
            let lits: Vec<Lit> = counted.sum.lits().collect();
            for (place, &step) in order.iter().enumerate() {
                let sum = if place % 2 == 0 { &mut odd_is_more } else { &mut by_two };
                *sum = std::mem::take(sum).plus(step);
            }
            by_two = by_two.plus_lit(1, !lits[0]);
            let last = lits[lits.len() - 1];
            if lits.len() % 2 == 1 {
                odd_is_more = odd_is_more.plus_lit(1, last);
            } else {
                by_two = by_two.plus_lit(1, last);
            }
        }
        let (odd, even) = (&odd.counted.as_ref()?.sum, &even.counted.as_ref()?.sum);
        let (odd_is_more, by_two) = (odd_is_more.write(proof), by_two.write(proof));
        Some(Places { odd, even, odd_is_more, by_two })
    }

    fn num_terms(&self) -> usize {
        self.odd.num_terms() + self.even.num_terms()
    }

    /// No coefficient of what is added up here is larger.
    fn divisor(&self) -> i128 {
        4 * number(self.num_terms() + 1)
    }

    /// `i` odd ones make `2 i - 2` together.
    fn if_odd(&self, i: usize) -> Derivation {
        self.odd.reaches(number(i), Derivation::default()).times(2).plus(self.by_two)
    }

    /// `j` even ones make `2 j` together.
    fn if_even(&self, j: usize) -> Derivation {
        self.even.reaches(number(j), Derivation::default()).times(2).plus(self.odd_is_more)
    }

    fn if_both(&self, i: usize, j: usize) -> Derivation {
        let sum = self.odd.reaches(number(i), Derivation::default());
        self.even.reaches(number(j), sum)
    }

    /// The literal of `i` odd ones as the threshold of all, where there is no even one to go with
    /// it: the first, or one after all even ones.
    fn of_odd(&self, i: usize, count: usize, proof: &mut dyn ProofLog) -> Threshold {
        let (odd, even) = (self.odd, self.even);
        let below = odd.stays_below(number(i), Derivation::default());
        let (forward, backward) = if count == 1 {
            let reached = odd.reaches(1, Derivation::default());
            (even.reaches(0, reached), below.times(2).plus(self.odd_is_more).saturated())
        } else {
            (self.if_odd(i).saturated(), even.stays_below(even.total() + 1, below))
        };
        Threshold { forward: forward.write(proof), backward: backward.write(proof) }
    }

    /// The literal of `j` even ones as the threshold of all, where all odd ones go with it.
    fn of_even(&self, j: usize, proof: &mut dyn ProofLog) -> Threshold {
        let below = self.even.stays_below(number(j), Derivation::default());
        let backward = self.odd.stays_below(self.odd.total() + 1, below);
        let forward = self.if_even(j);
        Threshold { forward: forward.write(proof), backward: backward.write(proof) }
    }
}

/// The two halves of an odd-even merge: the literals at odd places of both sequences, and those at
/// even places. Among `n` merged literals the odd half has as many true ones as the even half, or
/// one or two more, hence count `2 i` is reached when the odd half has `i + 1` or the even half `i`,
/// and count `2 i + 1` when both is so.
struct OddEven {
    odd: (usize, usize, usize, Wanted),
    even: (usize, usize, usize, Wanted),
}

#[derive(Clone, Copy)]
enum From {
    Odd(usize),
    Even(usize),
    Either(usize, usize),
    Both(usize, usize),
}

struct Output {
    count: usize,
    from: From,
}

impl Output {
    fn size(&self) -> Size {
        match self.from {
            From::Odd(_) | From::Even(_) => Size::default(),
            From::Either(..) => Size::new(1, 2),
            From::Both(..) => Size::new(1, 1),
        }
    }
}

impl OddEven {
    fn new(a: usize, b: usize, limit: usize, wanted: Wanted) -> OddEven {
        // Only the last output of the halves is needed for the last of the whole.
        let of_halves =
            if wanted == Wanted::Last && limit > 1 { Wanted::Last } else { Wanted::All };
        let piece = |a: usize, b: usize, limit: usize| {
            let limit = limit.min(a + b);
            (a.min(limit), b.min(limit), limit, of_halves)
        };
        let (odd_a, odd_b) = (a.div_ceil(2), b.div_ceil(2));
        let mut odd = piece(odd_a, odd_b, limit / 2 + 1);
        let mut even = piece(a / 2, b / 2, limit / 2);
        // A half that is shorter than what would be its last is needed up to its end, or not at
        // all; both is rare, and building all of it is right.
        if odd_a + odd_b < limit / 2 + 1 {
            odd.3 = Wanted::All;
        }
        if a / 2 + b / 2 < limit / 2 {
            even.3 = Wanted::All;
        }
        OddEven { odd, even }
    }

    /// The wanted outputs and what they come from.
    fn outputs(&self, limit: usize, wanted: Wanted) -> impl Iterator<Item = Output> {
        let (num_odd, num_even) = (self.odd.2, self.even.2);
        let counts = (1..=limit).filter(move |&count| wanted.has(count, limit));
        counts.map(move |count| {
            let i = count / 2;
            let from = match (i < num_odd, i <= num_even && i > 0, count % 2) {
                (_, false, _) => From::Odd(i + 1),
                (false, true, _) => From::Even(i),
                (true, true, 0) => From::Either(i + 1, i),
                (true, true, _) => From::Both(i + 1, i),
            };
            Output { count, from }
        })
    }
}

/// `n` choose `count`, for small `n`.
fn subsets(n: usize, count: usize) -> usize {
    (0..count).fold(1, |number, i| number * (n - i) / (i + 1))
}

/// For every `count` of the literals the clause of their negations and what `clause` holds. In a
/// proof, one constraint implies all of them.
fn subset_clauses(
    x: &[Lit],
    count: usize,
    clause: &mut Vec<Lit>,
    why: Option<ConstraintId>,
    sink: &mut dyn ClauseSink,
) -> ControlFlow<Stop> {
    if count == 0 {
        return justified_definition(sink, clause, |proof| proof.rup(clause, &[why.expect(WITH)]));
    }
    for first in 0..=x.len() - count {
        clause.push(!x[first]);
        subset_clauses(&x[first + 1..], count - 1, clause, why, sink)?;
        clause.pop();
    }
    ControlFlow::Continue(())
}
