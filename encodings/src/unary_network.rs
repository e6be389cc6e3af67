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

use crate::{ClauseSink, Role, Size, Stop};
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
    ) -> ControlFlow<Stop, Vec<Option<Lit>>> {
        let limit = limit.min(x.len());
        if x.len() <= 1 {
            return ControlFlow::Continue(x.iter().take(limit).map(|&lit| Some(lit)).collect());
        }
        if self.plan_sort(x.len(), limit, wanted).way == Way::Recursive {
            let (left, right) = x.split_at(x.len() / 2);
            let left = self.sort(left, limit, Wanted::All, sink)?;
            let right = self.sort(right, limit, Wanted::All, sink)?;
            return self.merge(&left, &right, limit, wanted, sink);
        }
        let mut outputs = vec![None; limit];
        for count in (1..=limit).filter(|&count| wanted.has(count, limit)) {
            let output = sink.new_var(Role::new("sorted", count, x.len())).positive();
            // all of any `count` literals -> output
            let mut clause = vec![output];
            subset_clauses(x, count, &mut clause, sink)?;
            outputs[count - 1] = Some(output);
        }
        ControlFlow::Continue(outputs)
    }

    /// Merges two sorted sequences, all of whose literals are there.
    pub(crate) fn merge(
        &mut self,
        left: &[Option<Lit>],
        right: &[Option<Lit>],
        limit: usize,
        wanted: Wanted,
        sink: &mut dyn ClauseSink,
    ) -> ControlFlow<Stop, Vec<Option<Lit>>> {
        let (left, right) = (&left[..left.len().min(limit)], &right[..right.len().min(limit)]);
        let (a, b) = (left.len(), right.len());
        let limit = limit.min(a + b);
        if a == 0 || b == 0 {
            let present = if a == 0 { right } else { left };
            return ControlFlow::Continue(present[..limit].to_vec());
        }
        let plan = self.plan_merge(a, b, limit, wanted);
        let mut outputs = vec![None; limit];
        let new_output = |sink: &mut dyn ClauseSink, count| {
            sink.new_var(Role::new("merged", count, a + b)).positive()
        };
        let lit = |sequence: &[Option<Lit>], count: usize| {
            sequence[count - 1].expect("merged sequences have all their literals")
        };
        if plan.way == Way::Direct {
            for count in (1..=limit).filter(|&count| wanted.has(count, limit)) {
                let output = new_output(sink, count);
                for i in count.saturating_sub(b)..=count.min(a) {
                    // i on the left and j on the right -> i + j
                    match (i, count - i) {
                        (0, j) => sink.define(&[!lit(right, j), output])?,
                        (i, 0) => sink.define(&[!lit(left, i), output])?,
                        (i, j) => both_imply(lit(left, i), lit(right, j), output, sink)?,
                    };
                }
                outputs[count - 1] = Some(output);
            }
            return ControlFlow::Continue(outputs);
        }
        let pieces = OddEven::new(a, b, limit, wanted);
        let every_second = |sequence: &[Option<Lit>], first: usize| -> Vec<Option<Lit>> {
            sequence.iter().skip(first).step_by(2).copied().collect()
        };
        let mut piece = |first: usize, limit, wanted, sink: &mut dyn ClauseSink| {
            let (left, right) = (every_second(left, first), every_second(right, first));
            self.merge(&left, &right, limit, wanted, sink)
        };
        let odd = piece(0, pieces.odd.2, pieces.odd.3, sink)?;
        let even = piece(1, pieces.even.2, pieces.even.3, sink)?;
        for output in pieces.outputs(limit, wanted) {
            outputs[output.count - 1] = Some(match output.from {
                From::Odd(i) => lit(&odd, i),
                From::Even(i) => lit(&even, i),
                From::Either(i, j) => {
                    let merged = new_output(sink, output.count);
                    sink.define(&[!lit(&odd, i), merged])?;
                    sink.define(&[!lit(&even, j), merged])?;
                    merged
                }
                From::Both(i, j) => {
                    let merged = new_output(sink, output.count);
                    both_imply(lit(&odd, i), lit(&even, j), merged, sink)?;
                    merged
                }
            });
        }
        ControlFlow::Continue(outputs)
    }
}

/// Two literals imply a third. A literal may stand in both sequences: where it has two bits of a
/// weight and one of them was carried on.
fn both_imply(
    a: Lit,
    b: Lit,
    output: Lit,
    sink: &mut dyn ClauseSink,
) -> ControlFlow<Stop, crate::ClauseId> {
    if a == b { sink.define(&[!a, output]) } else { sink.define(&[!a, !b, output]) }
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

/// For every `count` of the literals the clause of their negations and what `clause` holds.
fn subset_clauses(
    x: &[Lit],
    count: usize,
    clause: &mut Vec<Lit>,
    sink: &mut dyn ClauseSink,
) -> ControlFlow<Stop> {
    if count == 0 {
        sink.define(clause)?;
        return ControlFlow::Continue(());
    }
    for first in 0..=x.len() - count {
        clause.push(!x[first]);
        subset_clauses(&x[first + 1..], count - 1, clause, sink)?;
        clause.pop();
    }
    ControlFlow::Continue(())
}
