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
//! - *prefer when*: nothing else fits: it is linear in the number of literals and of bits

use super::{is_weighted, weighted};
use crate::sink::Counter;
use crate::{Class, ClauseSink, Encoder, Outputs, Role, Row, Size, Stop, Strength};
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
        for bit in 0..num_bits {
            while buckets[bit].len() > 1 {
                let [a, b] = [0, 1].map(|_| buckets[bit].pop_front().expect("more than one"));
                let (total, carry) = match buckets[bit].pop_front() {
                    Some(c) => full_adder(a, b, c, bit, sink)?,
                    None => half_adder(a, b, bit, sink)?,
                };
                buckets[bit].push_back(total);
                buckets[bit + 1].push_back(carry);
            }
            sum.push(buckets[bit].pop_front());
        }
        // The sum has no bit beyond the largest sum's, so a carry there is never true.
        for &never in &buckets[num_bits] {
            sink.define(&[!never])?;
        }
        let total: i128 = row.coefficients.iter().sum();
        if row.hi < total {
            compare(&sum, row.hi, false, sink)?;
        }
        if row.lo > 0 {
            compare(&sum, row.lo, true, sink)?;
        }
        ControlFlow::Continue(Outputs::default())
    }
}

fn full_adder(
    a: Lit,
    b: Lit,
    c: Lit,
    bit: usize,
    sink: &mut dyn ClauseSink,
) -> ControlFlow<Stop, (Lit, Lit)> {
    let mut new_var = |name| sink.new_var(Role::new(name, bit, 0)).positive();
    let (sum, carry) = (new_var("sum"), new_var("carry"));
    // sum = a xor b xor c
    for [x, y, z, s] in [
        [a, b, c, !sum],
        [!a, !b, c, !sum],
        [!a, b, !c, !sum],
        [a, !b, !c, !sum],
        [!a, !b, !c, sum],
        [a, b, !c, sum],
        [a, !b, c, sum],
        [!a, b, c, sum],
    ] {
        sink.define(&[x, y, z, s])?;
    }
    // carry = at least two of a, b, c
    for [x, y, z] in [
        [!a, !b, carry],
        [!a, !c, carry],
        [!b, !c, carry],
        [a, b, !carry],
        [a, c, !carry],
        [b, c, !carry],
    ] {
        sink.define(&[x, y, z])?;
    }
    ControlFlow::Continue((sum, carry))
}

fn half_adder(
    a: Lit,
    b: Lit,
    bit: usize,
    sink: &mut dyn ClauseSink,
) -> ControlFlow<Stop, (Lit, Lit)> {
    let mut new_var = |name| sink.new_var(Role::new(name, bit, 0)).positive();
    let (sum, carry) = (new_var("sum"), new_var("carry"));
    // sum = a xor b
    for [x, y, s] in [[a, b, !sum], [!a, !b, !sum], [!a, b, sum], [a, !b, sum]] {
        sink.define(&[x, y, s])?;
    }
    // carry = a and b
    sink.define(&[!a, !b, carry])?;
    sink.define(&[a, !carry])?;
    sink.define(&[b, !carry])?;
    ControlFlow::Continue((sum, carry))
}

/// `sum <= bound`, or `sum >= bound` if `at_least`: no bit of the sum decides against the bound
/// unless a higher one has decided for it.
fn compare(
    sum: &[Option<Lit>],
    bound: i128,
    at_least: bool,
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
            sink.clause(&clause)?;
        }
    }
    ControlFlow::Continue(())
}
