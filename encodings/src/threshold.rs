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

/// What a proof knows of a sum with a threshold literal for each of some bounds.
#[derive(Clone, Debug)]
pub(crate) struct Sum {
    /// The terms that the thresholds speak of.
    terms: Vec<(i128, Lit)>,
    total: i128,
    /// Bounds with their thresholds, ascending.
    thresholds: Vec<(i128, Threshold)>,
    /// `sum >= 0` and `sum <= total`; a single term needs no constraint for that.
    ends: Option<Ends>,
}

#[derive(Clone, Copy, Debug)]
struct Ends {
    at_least_zero: ConstraintId,
    at_most_total: ConstraintId,
}

impl Sum {
    /// The sum of one term, for which its literal is the threshold.
    pub(crate) fn input(coefficient: i128, lit: Lit) -> Sum {
        let terms = vec![(coefficient, lit)];
        Sum { terms, total: coefficient, thresholds: Vec::new(), ends: None }
    }

    /// The sum of no terms.
    pub(crate) fn nothing() -> Sum {
        Sum { terms: Vec::new(), total: 0, thresholds: Vec::new(), ends: None }
    }

    /// The sum of two, with new thresholds. A bound beyond its total makes a literal that is false.
    pub(crate) fn define(
        proof: &mut dyn ProofLog,
        left: &Sum,
        right: &Sum,
        outputs: impl Iterator<Item = (i128, Lit)>,
    ) -> Sum {
        let terms: Vec<(i128, Lit)> = left.terms.iter().chain(&right.terms).copied().collect();
        let total = left.total + right.total;
        let ends = Ends::of(&terms, proof);
        let define = |(bound, lit)| {
            if bound <= total {
                return (bound, Threshold::define(proof, &terms, bound, lit));
            }
            let forward = Threshold::define_forward(proof, &terms, bound, lit);
            (bound, Threshold { forward, backward: ends.at_most_total })
        };
        let thresholds = outputs.map(define).collect();
        Sum { terms, total, thresholds, ends: Some(ends) }
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

    fn threshold(&self, bound: i128) -> Threshold {
        let place = self.thresholds.binary_search_by_key(&bound, |&(bound, _)| bound);
        self.thresholds[place.expect("a bound with a threshold")].1
    }

    pub(crate) fn forward(&self, bound: i128) -> ConstraintId {
        self.threshold(bound).forward
    }

    pub(crate) fn backward(&self, bound: i128) -> ConstraintId {
        self.threshold(bound).backward
    }

    /// Adds "the sum reaches `bound` if its literal is true", or "the sum is not negative" for 0.
    pub(crate) fn reaches(&self, bound: i128, derivation: Derivation) -> Derivation {
        match (self.ends, &self.terms[..]) {
            (None, &[(coefficient, lit)]) if bound == 0 => derivation.plus_lit(coefficient, lit),
            (None, _) => derivation,
            (Some(ends), _) if bound == 0 => derivation.plus(ends.at_least_zero),
            (Some(_), _) => derivation.plus(self.forward(bound)),
        }
    }

    /// Adds "the sum is below `bound` if its literal is false", or "the sum is at most its total"
    /// where there is no such bound.
    pub(crate) fn stays_below(&self, bound: i128, derivation: Derivation) -> Derivation {
        let is_beyond = bound > self.total;
        match (self.ends, &self.terms[..]) {
            (None, &[(coefficient, lit)]) if is_beyond => derivation.plus_lit(coefficient, !lit),
            (None, _) => derivation,
            (Some(ends), _) if is_beyond => derivation.plus(ends.at_most_total),
            (Some(_), _) => derivation.plus(self.backward(bound)),
        }
    }

    /// For thresholds at 1, 2, ... up to a cap: what links the sum of the terms and the number of
    /// true thresholds, which stands for the sum from here on.
    ///
    /// With `o[v]` the thresholds and `S` the sum: the clauses `o[v+1] -> o[v]` follow from the two
    /// definitions, sums of them say that `o[v]` makes `v` of the thresholds true, or `~o[v]` the
    /// rest of them false, and `S >= o[1] + ... + o[cap]` follows from `S >= v o[v]` by induction,
    /// with one division each: `v` times the sum up to `v`, plus the next, divided by `v + 1`.
    pub(crate) fn fold(self, outputs: &[Lit], proof: &mut dyn ProofLog) -> Folded {
        let cap = outputs.len();
        if let [only] = outputs {
            let (sum, at_least_outputs) = (Sum::input(1, *only), self.forward(1));
            return Folded { sum, inner: self, last: *only, at_least_outputs };
        }
        let number = |place: usize| i128::try_from(place).expect("fewer outputs than 2^127");
        // order[v - 1] is o[v+1] -> o[v]
        let order: Vec<ConstraintId> = (1..cap)
            .map(|v| {
                let sum = Derivation::of(self.forward(number(v + 1)));
                let sum = sum.plus(self.backward(number(v))).divided(self.total.max(number(v + 1)));
                // An output that is always false implies more than the one before it.
                let is_false = number(v) > self.total;
                let sum = if is_false { sum.plus_lit(1, outputs[v - 1]) } else { sum };
                sum.write(proof)
            })
            .collect();
        let terms: Vec<(i128, Lit)> = outputs.iter().map(|&lit| (1, lit)).collect();
        let forward = chain(&order, outputs, proof);
        let reversed_order: Vec<ConstraintId> = order.iter().rev().copied().collect();
        let reversed: Vec<Lit> = outputs.iter().rev().map(|&lit| !lit).collect();
        let mut backward = chain(&reversed_order, &reversed, proof);
        backward.reverse();
        let thresholds = forward.into_iter().zip(backward).enumerate();
        let thresholds = thresholds
            .map(|(place, (forward, backward))| {
                (number(place + 1), Threshold { forward, backward })
            })
            .collect();
        let mut at_least_outputs = Derivation::of(self.forward(1));
        for v in 2..=cap {
            at_least_outputs = at_least_outputs
                .times(number(v - 1))
                .plus(self.forward(number(v)))
                .divided(number(v));
        }
        let at_least_outputs = at_least_outputs.write(proof);
        let ends = Some(Ends::of(&terms, proof));
        let sum = Sum { terms, total: number(cap), thresholds, ends };
        Folded { sum, inner: self, last: outputs[cap - 1], at_least_outputs }
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

impl Ends {
    fn of(terms: &[(i128, Lit)], proof: &mut dyn ProofLog) -> Ends {
        let mut add_up = |sign: fn(Lit) -> Lit| {
            let sum = Derivation::default();
            terms.iter().fold(sum, |sum, &(c, lit)| sum.plus_lit(c, sign(lit))).write(proof)
        };
        Ends { at_least_zero: add_up(|lit| lit), at_most_total: add_up(|lit| !lit) }
    }
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
