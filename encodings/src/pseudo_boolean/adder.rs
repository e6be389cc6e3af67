//! Adder network: the sum is computed in binary by full and half adders and compared with the
//! bounds. Both sides share the sum.
//!
//! J. Warners: A Linear-Time Transformation of Linear Inequalities into Conjunctive Normal Form.
//! Information Processing Letters 1998.
//! N. Eén, N. Sörensson: Translating Pseudo-Boolean Constraints into SAT. JSAT 2006.
//!
//! - *auxiliary variables*: 2 for each full adder (three bits of one weight become one and a carry)
//!   and each half adder (two bits)
//! - *clauses*: 14 for each full adder, 7 for each half adder; for `sum <= hi` one for each bit of
//!   the sum that is 0 in `hi`, for `sum >= lo` one for each that is 1 in `lo`
//! - *propagation*: incomplete: not even every conflict is found
//! - *proof*: each adder is an equation between its inputs and outputs; the row and these sum up to
//!   bounds on the bits
//! - *prefer when*: nothing else fits: it is linear in the number of literals and of bits

use super::{is_weighted, weighted};
use crate::row::PseudoBoolean;
use crate::sink::{Counter, Derivation, justified, justified_definition};
use crate::threshold::Threshold;
use crate::{
    Class, ClauseSink, ConstraintId, Encoder, Outputs, ProofLog, Role, Row, Size, Stop, Strength,
};
use pbsolve_model::Lit;
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Adder;

impl Encoder for Adder {
    fn name(&self) -> &'static str {
        "adder"
    }

    fn class(&self) -> Class {
        Class::PseudoBoolean
    }

    fn about(&self) -> &'static str {
        "the sum in binary, compared with the bound (Warners 1998)"
    }

    fn supports(&self, row: &Row<'_>) -> bool {
        is_weighted(row)
    }

    fn size(&self, row: &Row<'_>) -> Option<Size> {
        let mut counter = Counter::default();
        let flow = self.encode(row, &mut counter);
        debug_assert!(flow.is_continue(), "a counter takes everything");
        Some(counter.size)
    }

    fn strength(&self, _: &Row<'_>) -> Strength {
        Strength::Incomplete
    }

    fn keeps_model_count(&self, _: &Row<'_>) -> bool {
        true
    }

    fn is_certified(&self) -> bool {
        true
    }

    fn encode(&self, row: &Row<'_>, sink: &mut dyn ClauseSink) -> ControlFlow<Stop, Outputs> {
        let row = weighted(row);
        let num_bits = 128 - row.coefficients.iter().sum::<i128>().leading_zeros() as usize;
        let mut buckets: Vec<VecDeque<Lit>> = vec![VecDeque::new(); num_bits + 1];
        for (&lit, &coefficient) in row.lits.iter().zip(row.coefficients) {
            for (bit, bucket) in buckets.iter_mut().enumerate().take(num_bits) {
                if coefficient >> bit & 1 == 1 {
                    bucket.push_back(lit);
                }
            }
        }
        let mut sum: Vec<Option<Lit>> = Vec::with_capacity(num_bits);
        let mut equalities = Vec::new();
        for bit in 0..num_bits {
            while buckets[bit].len() > 1 {
                let [a, b] = [0, 1].map(|_| buckets[bit].pop_front().expect("more than one"));
                let (total, carry) = match buckets[bit].pop_front() {
                    Some(c) => full_adder(a, b, c, bit, &mut equalities, sink)?,
                    None => half_adder(a, b, bit, &mut equalities, sink)?,
                };
                buckets[bit].push_back(total);
                buckets[bit + 1].push_back(carry);
            }
            sum.push(buckets[bit].pop_front());
        }
        // The sum has no bit beyond the largest sum's, so a carry there is never true.
        let total: i128 = row.coefficients.iter().sum();
        let bits = Bits::new(equalities, sink);
        for &never in &buckets[num_bits] {
            let clause = [!never];
            let why = |proof: &mut dyn ProofLog| bits.never(&clause, &row, proof);
            justified_definition(sink, &clause, why)?;
        }
        if row.hi < total {
            compare(&sum, row.hi, false, bits.upper, sink)?;
        }
        if row.lo > 0 {
            compare(&sum, row.lo, true, bits.lower, sink)?;
        }
        ControlFlow::Continue(Outputs::default())
    }
}

/// What one adder says in the proof, at its bit: the sum of its inputs is at least, and at most,
/// what its outputs stand for.
struct Equality {
    bit: usize,
    at_least: ConstraintId,
    at_most: ConstraintId,
}

impl Equality {
    /// Defines `carry` and `sum` as thresholds, and derives that the inputs sum to
    /// `2 carry + sum`.
    fn define(
        inputs: &[Lit],
        sum: Lit,
        carry: Lit,
        bit: usize,
        proof: &mut dyn ProofLog,
    ) -> Equality {
        let mut terms: Vec<(i128, Lit)> = inputs.iter().map(|&lit| (1, lit)).collect();
        let of_carry = Threshold::define(proof, &terms, 2, carry);
        terms.push((2, !carry));
        let of_sum = Threshold::define(proof, &terms, 3, sum);
        let at_least = Derivation::of(of_sum.forward).plus_times(2, of_carry.forward).divided(3);
        let weight = inputs.len() as i128 - 1;
        let at_most = Derivation::of(of_sum.backward).plus_times(weight, of_carry.backward);
        let at_most = at_most.divided(weight + 1);
        Equality { bit, at_least: at_least.write(proof), at_most: at_most.write(proof) }
    }
}

/// In the proof: the sides of the row, with the literals replaced by the bits of the sum.
struct Bits {
    equalities: Vec<Equality>,
    upper: Option<ConstraintId>,
    lower: Option<ConstraintId>,
}

impl Bits {
    fn new(equalities: Vec<Equality>, sink: &mut dyn ClauseSink) -> Bits {
        let mut bits = Bits { equalities, upper: None, lower: None };
        if let Some(proof) = sink.proof() {
            bits.upper = proof.row_side(true).map(|side| {
                bits.add_up(Derivation::of(side), |equality| equality.at_least).write(proof)
            });
            bits.lower = proof.row_side(false).map(|side| {
                bits.add_up(Derivation::of(side), |equality| equality.at_most).write(proof)
            });
        }
        bits
    }

    fn add_up(&self, sum: Derivation, half: impl Fn(&Equality) -> ConstraintId) -> Derivation {
        let add = |sum: Derivation, equality: &Equality| {
            sum.plus_times(1 << equality.bit, half(equality))
        };
        self.equalities.iter().fold(sum, add)
    }

    /// A bit beyond those of the largest sum is false.
    fn never(
        &self,
        clause: &[Lit],
        row: &PseudoBoolean<'_>,
        proof: &mut dyn ProofLog,
    ) -> ConstraintId {
        let terms = row.lits.iter().zip(row.coefficients);
        let largest = terms.fold(Derivation::default(), |sum, (&lit, &c)| sum.plus_lit(c, !lit));
        let bits = self.add_up(largest, |equality| equality.at_least).write(proof);
        proof.rup(clause, &[bits])
    }
}

fn full_adder(
    a: Lit,
    b: Lit,
    c: Lit,
    bit: usize,
    equalities: &mut Vec<Equality>,
    sink: &mut dyn ClauseSink,
) -> ControlFlow<Stop, (Lit, Lit)> {
    let mut new_var = |name| sink.new_var(Role::new(name, bit, 0)).positive();
    let (sum, carry) = (new_var("sum"), new_var("carry"));
    let define = |proof| Equality::define(&[a, b, c], sum, carry, bit, proof);
    equalities.extend(sink.proof().map(define));
    // sum = a xor b xor c
    for clause in [
        [a, b, c, !sum],
        [!a, !b, c, !sum],
        [!a, b, !c, !sum],
        [a, !b, !c, !sum],
        [!a, !b, !c, sum],
        [a, b, !c, sum],
        [a, !b, c, sum],
        [!a, b, c, sum],
    ] {
        add_by(equalities, &clause, sink)?;
    }
    // carry = at least two of a, b, c
    for clause in [
        [!a, !b, carry],
        [!a, !c, carry],
        [!b, !c, carry],
        [a, b, !carry],
        [a, c, !carry],
        [b, c, !carry],
    ] {
        add_by(equalities, &clause, sink)?;
    }
    ControlFlow::Continue((sum, carry))
}

fn half_adder(
    a: Lit,
    b: Lit,
    bit: usize,
    equalities: &mut Vec<Equality>,
    sink: &mut dyn ClauseSink,
) -> ControlFlow<Stop, (Lit, Lit)> {
    let mut new_var = |name| sink.new_var(Role::new(name, bit, 0)).positive();
    let (sum, carry) = (new_var("sum"), new_var("carry"));
    let define = |proof| Equality::define(&[a, b], sum, carry, bit, proof);
    equalities.extend(sink.proof().map(define));
    // sum = a xor b
    for clause in [[a, b, !sum], [!a, !b, !sum], [!a, b, sum], [a, !b, sum]] {
        add_by(equalities, &clause, sink)?;
    }
    // carry = a and b
    add_by(equalities, &[!a, !b, carry], sink)?;
    add_by(equalities, &[a, !carry], sink)?;
    add_by(equalities, &[b, !carry], sink)?;
    ControlFlow::Continue((sum, carry))
}

/// A clause of the adder that was defined last.
fn add_by(equalities: &[Equality], clause: &[Lit], sink: &mut dyn ClauseSink) -> ControlFlow<Stop> {
    justified_definition(sink, clause, |proof| {
        let Equality { at_least, at_most, .. } = equalities.last().expect("defined with the proof");
        proof.rup(clause, &[*at_least, *at_most])
    })
}

/// `sum <= bound`, or `sum >= bound` if `at_least`: no bit of the sum decides against the bound
/// unless a higher one has decided for it.
fn compare(
    sum: &[Option<Lit>],
    bound: i128,
    at_least: bool,
    side: Option<ConstraintId>,
    sink: &mut dyn ClauseSink,
) -> ControlFlow<Stop> {
    for (bit, &decides) in sum.iter().enumerate() {
        if (bound >> bit & 1 == 1) != at_least {
            continue;
        }
        // The bit of the sum is 1 where the bound has 0, or the other way round ...
        let mut clause: Vec<Lit> = match decides {
            Some(lit) => vec![if at_least { lit } else { !lit }],
            None if at_least => Vec::new(),
            None => continue,
        };
        // ... and no higher bit differs the right way: where the bound has 1, the sum has it not.
        // A literal that is alone in several buckets is several bits of the sum.
        let mut is_met = false;
        for (higher, &lit) in sum.iter().enumerate().skip(bit + 1) {
            match (bound >> higher & 1 == 1, lit, at_least) {
                (true, Some(lit), false) if !clause.contains(&!lit) => clause.push(!lit),
                (false, Some(lit), true) if !clause.contains(&lit) => clause.push(lit),
                (true, None, false) => is_met = true,
                _ => {}
            }
        }
        if !is_met {
            justified(sink, &clause, |proof| proof.rup(&clause, side.as_slice()))?;
        }
    }
    ControlFlow::Continue(())
}
