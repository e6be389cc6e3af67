//! Literals that say "this sum reaches this bound", as a proof defines them and uses them: for
//! encoders whose auxiliary variables mean that, such as the totalizers.

use crate::sink::{ConstraintId, Derivation, ProofLog};
use pbsolve_model::Lit;

/// The two halves of `lit <-> sum of terms >= bound`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threshold {
    /// `lit -> sum >= bound`: `bound ~lit + sum >= bound`.
    pub(crate) forward: ConstraintId,
    /// `~lit -> sum < bound`: `(total - bound + 1) lit + negated sum >= total - bound + 1`.
    pub(crate) backward: ConstraintId,
}

impl Threshold {
    /// Defines a literal that nothing in the proof speaks of yet. The terms have positive
    /// coefficients and at least the bound as their total, and the bound is positive.
    pub(crate) fn define(
        proof: &mut dyn ProofLog,
        terms: &[(i128, Lit)],
        bound: i128,
        lit: Lit,
    ) -> Threshold {
        let total: i128 = terms.iter().map(|&(c, _)| c).sum();
        let forward = Threshold::define_forward(proof, terms, bound, lit);
        let missing = total - bound + 1;
        debug_assert!(bound > 0 && missing > 0, "a literal that can have both values");
        let mut constraint = vec![(bound, lit)];
        constraint.extend_from_slice(terms);
        constraint[0] = (missing, lit);
        constraint[1..].iter_mut().for_each(|term| term.1 = !term.1);
        let backward = proof.red(&constraint, missing, &[lit]);
        Threshold { forward, backward }
    }

    fn define_forward(
        proof: &mut dyn ProofLog,
        terms: &[(i128, Lit)],
        bound: i128,
        lit: Lit,
    ) -> ConstraintId {
        let mut constraint = vec![(bound, !lit)];
        constraint.extend_from_slice(terms);
        proof.red(&constraint, bound, &[!lit])
    }
}

/// Which halves of thresholds a proof derives. Most encodings state one direction only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halves {
    /// What a literal implies; the other half is put together where it is used.
    Forward,
    /// Also what its negation implies.
    Both,
}

/// A literal that is the threshold of a bound.
#[derive(Clone, Copy, Debug)]
struct Known {
    bound: i128,
    forward: ConstraintId,
    backward: Option<ConstraintId>,
}

impl Known {
    fn new(bound: i128, Threshold { forward, backward }: Threshold) -> Known {
        Known { bound, forward, backward: Some(backward) }
    }
}

/// What a proof knows of a sum with a threshold literal for each of some bounds.
#[derive(Clone, Debug)]
pub(crate) struct Sum {
    /// The terms that the thresholds speak of.
    terms: Vec<(i128, Lit)>,
    total: i128,
    /// Ascending; `None` where the only literal of the sum is its threshold, or there is none.
    thresholds: Option<Vec<Known>>,
    /// Where the terms are literals each of which implies the one before: that they do.
    order: Vec<ConstraintId>,
    /// `sum >= 0`, where it is used often.
    at_least_zero: Option<ConstraintId>,
    /// `sum <= total`, likewise.
    at_most_total: Option<ConstraintId>,
}

impl Sum {
    fn new(terms: Vec<(i128, Lit)>, thresholds: Option<Vec<Known>>) -> Sum {
        let total = terms.iter().map(|&(coefficient, _)| coefficient).sum();
        let (order, at_least_zero, at_most_total) = (Vec::new(), None, None);
        Sum { terms, total, thresholds, order, at_least_zero, at_most_total }
    }

    /// The sum of one term, for which its literal is the threshold.
    pub(crate) fn input(coefficient: i128, lit: Lit) -> Sum {
        Sum::new(vec![(coefficient, lit)], None)
    }

    /// A sum of terms with coefficient 1, for some bounds of which there are thresholds, ascending.
    pub(crate) fn counting(lits: &[Lit], thresholds: Vec<(i128, Threshold)>) -> Sum {
        let terms = lits.iter().map(|&lit| (1, lit)).collect();
        let known = thresholds.into_iter().map(|(bound, threshold)| Known::new(bound, threshold));
        Sum::new(terms, Some(known.collect()))
    }

    /// The number of true literals, where each implies the one before: `order[v - 1]` says that
    /// `lits[v]` implies `lits[v - 1]`. Each is the threshold of its place.
    pub(crate) fn ordered(
        lits: &[Lit],
        order: &[ConstraintId],
        halves: Halves,
        proof: &mut dyn ProofLog,
    ) -> Sum {
        match lits {
            [] => return Sum::nothing(),
            [only] => return Sum::input(1, *only),
            _ => {}
        }
        let forward = chain(order, lits, proof);
        let mut backward = vec![None; lits.len()];
        let is_both = halves == Halves::Both;
        if is_both {
            let reversed_order: Vec<ConstraintId> = order.iter().rev().copied().collect();
            let reversed: Vec<Lit> = lits.iter().rev().map(|&lit| !lit).collect();
            let reversed = chain(&reversed_order, &reversed, proof);
            backward = reversed.into_iter().rev().map(Some).collect();
        }
        let halves = (1..).zip(forward.into_iter().zip(backward));
        let known = halves.map(|(bound, (forward, backward))| Known { bound, forward, backward });
        let mut sum = Sum::new(lits.iter().map(|&lit| (1, lit)).collect(), Some(known.collect()));
        sum.order = order.to_vec();
        sum.know_zero(proof);
        if is_both {
            sum.know_total(proof);
        }
        sum
    }

    /// The sum of no terms.
    pub(crate) fn nothing() -> Sum {
        Sum::new(Vec::new(), None)
    }

    /// The sum of two, with new thresholds. A bound beyond its total makes a literal that is false.
    pub(crate) fn define(
        proof: &mut dyn ProofLog,
        left: &Sum,
        right: &Sum,
        outputs: impl Iterator<Item = (i128, Lit)>,
        halves: Halves,
    ) -> Sum {
        let mut sum = Sum::new(left.terms.iter().chain(&right.terms).copied().collect(), None);
        sum.know_zero(proof);
        if halves == Halves::Both {
            sum.know_total(proof);
        }
        let mut known = Vec::new();
        for (bound, lit) in outputs {
            known.push(if bound <= sum.total {
                Known::new(bound, Threshold::define(proof, &sum.terms, bound, lit))
            } else {
                let forward = Threshold::define_forward(proof, &sum.terms, bound, lit);
                Known { bound, forward, backward: Some(sum.know_total(proof)) }
            });
        }
        sum.thresholds = Some(known);
        sum
    }

    /// Derives `sum >= 0`, for a sum that is used often.
    pub(crate) fn know_zero(&mut self, proof: &mut dyn ProofLog) {
        if self.at_least_zero.is_none() && self.terms.len() > 1 {
            self.at_least_zero = Some(self.add_up(|lit| lit, Derivation::default()).write(proof));
        }
    }

    fn know_total(&mut self, proof: &mut dyn ProofLog) -> ConstraintId {
        let sum = self.add_up(|lit| !lit, Derivation::default());
        *self.at_most_total.get_or_insert_with(|| sum.write(proof))
    }

    /// Adds the axioms of all terms, as they are or negated.
    fn add_up(&self, sign: impl Fn(Lit) -> Lit, derivation: Derivation) -> Derivation {
        let terms = self.terms.iter();
        terms.fold(derivation, |sum, &(coefficient, lit)| sum.plus_lit(coefficient, sign(lit)))
    }

    /// The literals of the terms.
    pub(crate) fn lits(&self) -> impl Iterator<Item = Lit> {
        self.terms.iter().map(|&(_, lit)| lit)
    }

    pub(crate) fn num_terms(&self) -> usize {
        self.terms.len()
    }

    pub(crate) fn last_term(&self) -> (i128, Lit) {
        *self.terms.last().expect("sums with thresholds have terms")
    }

    pub(crate) fn total(&self) -> i128 {
        self.total
    }

    fn known(&self, bound: i128) -> Known {
        let known = self.thresholds.as_deref().unwrap_or(&[]);
        let place = known.binary_search_by_key(&bound, |known| known.bound);
        known[place.expect("a bound with a threshold")]
    }

    pub(crate) fn forward(&self, bound: i128) -> ConstraintId {
        self.known(bound).forward
    }

    pub(crate) fn backward(&self, bound: i128) -> ConstraintId {
        self.known(bound).backward.expect("defined, or derived with both halves")
    }

    /// Adds "the sum reaches `bound` if its literal is true", or "the sum is not negative" for 0.
    pub(crate) fn reaches(&self, bound: i128, derivation: Derivation) -> Derivation {
        match (bound, self.at_least_zero) {
            (0, Some(at_least_zero)) => derivation.plus(at_least_zero),
            (0, None) => self.add_up(|lit| lit, derivation),
            _ if self.thresholds.is_none() => derivation,
            _ => derivation.plus(self.forward(bound)),
        }
    }

    /// Adds "the sum is below `bound` if its literal is false", or "the sum is at most its total"
    /// where there is no such bound.
    pub(crate) fn stays_below(&self, bound: i128, derivation: Derivation) -> Derivation {
        if bound > self.total {
            return match self.at_most_total {
                Some(at_most_total) => derivation.plus(at_most_total),
                None => self.add_up(|lit| !lit, derivation),
            };
        }
        if self.thresholds.is_none() { derivation } else { self.below(bound, derivation) }
    }

    /// Adds what the negation of a threshold implies.
    fn below(&self, bound: i128, derivation: Derivation) -> Derivation {
        match self.known(bound).backward {
            Some(backward) => derivation.plus(backward),
            None => self.below_in_order(bound, derivation),
        }
    }

    /// The literals after the one of `bound` imply it, one by one, and those before it may be true.
    fn below_in_order(&self, bound: i128, derivation: Derivation) -> Derivation {
        let place = usize::try_from(bound).expect("the place of a literal");
        let before = self.terms[..place - 1].iter();
        let sum = before.fold(derivation, |sum, &(_, lit)| sum.plus_lit(1, !lit));
        let after = self.order[place - 1..].iter().enumerate();
        after.fold(sum, |sum, (skipped, &order)| {
            sum.plus_times(self.total - bound - number(skipped), order)
        })
    }

    /// For thresholds at 1, 2, ... up to a cap: what links the sum of the terms and the number of
    /// true thresholds, which stands for the sum from here on.
    ///
    /// With `o[v]` the thresholds and `S` the sum: the clauses `o[v+1] -> o[v]` follow from the two
    /// definitions, sums of them say that `o[v]` makes `v` of the thresholds true, or `~o[v]` the
    /// rest of them false, and `S >= o[1] + ... + o[cap]` follows from `S >= v o[v]` by induction,
    /// with one division each: `v` times the sum up to `v`, plus the next, divided by `v + 1`.
    pub(crate) fn fold(self, outputs: &[Lit], halves: Halves, proof: &mut dyn ProofLog) -> Folded {
        let cap = outputs.len();
        if let [only] = outputs {
            let (sum, at_least_outputs) = (Sum::input(1, *only), self.forward(1));
            let order = Vec::new();
            return Folded { sum, inner: self, last: *only, order, at_least_outputs };
        }
        // order[v - 1] is o[v+1] -> o[v]
        let order: Vec<ConstraintId> = (1..cap)
            .map(|v| {
                let sum = Derivation::of(self.forward(number(v + 1)));
                let sum = self.below(number(v), sum);
                let sum = sum.divided(self.total.max(number(v + 1)));
                // An output that is always false implies more than the one before it.
                let is_false = number(v) > self.total;
                let sum = if is_false { sum.plus_lit(1, outputs[v - 1]) } else { sum };
                sum.write(proof)
            })
            .collect();
        let sum = Sum::ordered(outputs, &order, halves, proof);
        let mut at_least_outputs = Derivation::of(self.forward(1));
        for v in 2..=cap {
            at_least_outputs = at_least_outputs
                .times(number(v - 1))
                .plus(self.forward(number(v)))
                .divided(number(v));
        }
        let at_least_outputs = at_least_outputs.write(proof);
        Folded { sum, inner: self, last: outputs[cap - 1], order, at_least_outputs }
    }
}

/// A sum that was replaced by the number of its true thresholds.
#[derive(Clone, Debug)]
pub(crate) struct Folded {
    /// The thresholds as terms.
    pub(crate) sum: Sum,
    /// The sum that they are the thresholds of.
    inner: Sum,
    last: Lit,
    /// Each threshold implies the one before.
    pub(crate) order: Vec<ConstraintId>,
    /// That sum is at least the number of true thresholds.
    pub(crate) at_least_outputs: ConstraintId,
}

impl Folded {
    /// The sum that was replaced.
    pub(crate) fn inner(&self) -> &Sum {
        &self.inner
    }

    /// That sum is at most the number of true thresholds, if the last of them is known to be false.
    pub(crate) fn at_most_outputs(
        &self,
        last_is_false: ConstraintId,
        proof: &mut dyn ProofLog,
    ) -> ConstraintId {
        let Folded { inner, last, .. } = self;
        let cap = self.sum.total;
        let missing = |bound: i128| inner.total - bound + 1;
        let last_definition = Derivation::of(inner.backward(cap));
        let mut sum = last_definition.plus_times(missing(cap), last_is_false);
        for v in (1..cap).rev() {
            sum = sum.times(missing(v + 1)).plus(inner.backward(v)).divided(missing(v));
        }
        sum.plus_lit(1, *last).write(proof)
    }
}

fn number(count: usize) -> i128 {
    i128::try_from(count).expect("counts are far below 2^127")
}

/// For literals in order, `order[v - 1]` being `lits[v] -> lits[v - 1]`: `lits[v - 1]` makes the
/// first `v` of them true, `v ~lits[v - 1] + sum of all >= v`, for each `v` from 1 on. There are at
/// least two literals.
fn chain(order: &[ConstraintId], lits: &[Lit], proof: &mut dyn ProofLog) -> Vec<ConstraintId> {
    let rest = rest_of(lits, proof);
    let up_to = first_ones(order, proof);
    (0..lits.len())
        .map(|place| {
            let both = up_to[place].into_iter().chain(rest[place]);
            both.fold(Derivation::default(), Derivation::plus).write(proof)
        })
        .collect()
}

/// For each place: the sum of the literals after it is not negative. `None` for the last.
pub(crate) fn rest_of(lits: &[Lit], proof: &mut dyn ProofLog) -> Vec<Option<ConstraintId>> {
    let terms: Vec<(i128, Lit)> = lits.iter().map(|&lit| (1, lit)).collect();
    rest_of_terms(&terms, proof)
}

/// As [`rest_of`], with coefficients.
pub(crate) fn rest_of_terms(
    terms: &[(i128, Lit)],
    proof: &mut dyn ProofLog,
) -> Vec<Option<ConstraintId>> {
    let mut rest: Vec<Option<ConstraintId>> = vec![None; terms.len()];
    for place in (1..terms.len()).rev() {
        let after = rest[place].map_or_else(Derivation::default, Derivation::of);
        let (coefficient, lit) = terms[place];
        rest[place - 1] = Some(after.plus_lit(coefficient, lit).write(proof));
    }
    rest
}

/// For each place `v - 1`: literal `v` makes the `v - 1` before it true, `(v - 1) ~lits[v - 1] +
/// those >= v - 1`. `None` for the first. `order[v - 1]` is `lits[v] -> lits[v - 1]`.
pub(crate) fn first_ones(
    order: &[ConstraintId],
    proof: &mut dyn ProofLog,
) -> Vec<Option<ConstraintId>> {
    let mut ones: Vec<Option<ConstraintId>> = vec![None];
    for (place, &order) in (1i128..).zip(order) {
        let before = ones[ones.len() - 1].map_or_else(Derivation::default, Derivation::of);
        ones.push(Some(before.plus_times(place, order).write(proof)));
    }
    ones
}
