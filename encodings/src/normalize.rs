//! From a row as it was written to its normal form: literals merged, coefficients made positive,
//! bounds moved, forced literals split off, divided by the gcd, saturated, classified.

use crate::row::{Cardinality, PseudoBoolean, Row};
use pbsolve_model::{Lit, RowView, Var};

/// One step of a normalisation, in the order taken; a proof replays them. Moving constants and
/// turning `-c x` into `c ~x - c` needs no step: pseudo-Boolean proof checkers do so themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A variable occurred again, with either sign; the terms were added up.
    Merged(Var),
    /// A literal is known to be true or false (here: true) and left the row.
    Fixed(Lit),
    /// The bounds force this literal to be true; it left the row.
    Forced(Lit),
    /// All coefficients and bounds were divided by this, bounds rounded inwards.
    Divided(i128),
    /// This literal's coefficient was larger than the bound and was cut down to it.
    Saturated {
        /// The literal.
        lit: Lit,
        /// The coefficient before.
        from: i128,
        /// The coefficient after.
        to: i128,
    },
}

/// What a proof does to the two sides of a row to bring them to normal form. Merged literals and
/// moved constants need nothing: proof checkers do so themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// This literal is known to be true and leaves the row, as the next.
    Know { lit: Lit, coefficient: i128, is_negated: bool },
    /// This literal follows and leaves the row, where it stood with this coefficient, itself or
    /// negated.
    Force { lit: Lit, coefficient: i128, is_negated: bool },
    /// Division of both sides.
    Divide(i128),
    /// Saturation of the only active side, the upper one or not.
    Saturate { upper: bool },
    /// The literals are negated, which makes the upper side the lower one.
    Negate,
}

/// What a row comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Normalized<'a> {
    /// No assignment meets the row.
    Contradiction,
    /// Every literal of `forced` must be true, and what remains of the row must hold.
    Row {
        /// Literals that the row's bounds force.
        forced: &'a [Lit],
        /// What remains; `None` if nothing does.
        row: Option<Row<'a>>,
    },
}

/// Brings rows to normal form. It owns buffers, so that a million rows cost no allocation.
#[derive(Debug, Default)]
pub struct Normalizer {
    lits: Vec<Lit>,
    coefficients: Vec<i128>,
    forced: Vec<Lit>,
    steps: Vec<Step>,
    moves: Vec<Move>,
    /// For each variable 1 + its place in `lits`, or 0; all 0 between rows.
    place_of: Vec<u32>,
}

/// Bounds of the sum of positive terms under construction.
struct Bounds {
    lo: i128,
    hi: i128,
    sum: i128,
}

/// A row whose terms are in the buffers.
enum Reduced {
    Contradiction,
    Trivial,
    /// Its bounds, also as numbers of literals if all coefficients are 1.
    Row(Bounds, Option<(usize, usize)>),
}

impl Bounds {
    fn is_met_always(&self) -> bool {
        self.lo <= 0 && self.hi >= self.sum
    }

    fn is_met_never(&self) -> bool {
        self.lo > self.sum || self.hi < 0 || self.lo > self.hi
    }

    /// Keeps a side that is not active at its neutral value.
    fn clamp(&mut self) {
        self.lo = self.lo.max(0);
        self.hi = self.hi.min(self.sum);
    }
}

impl Normalizer {
    /// The normal form of a row; `fixed` says which variables have one value in all solutions
    /// that are looked for.
    ///
    /// # Panics
    /// If the row's sums are beyond `i128`, which models refuse when rows are added.
    pub fn normalize(
        &mut self,
        row: RowView<'_>,
        fixed: impl Fn(Var) -> Option<bool>,
    ) -> Normalized<'_> {
        self.normalize_with_moves(row, fixed).0
    }

    /// The normal form of a row, and what a proof does to replay it.
    pub(crate) fn normalize_with_moves(
        &mut self,
        row: RowView<'_>,
        fixed: impl Fn(Var) -> Option<bool>,
    ) -> (Normalized<'_>, &[Move]) {
        let (bounds, counts) = match self.reduce(row, fixed) {
            Reduced::Contradiction => return (Normalized::Contradiction, &self.moves),
            Reduced::Trivial => {
                return (Normalized::Row { forced: &self.forced, row: None }, &self.moves);
            }
            Reduced::Row(bounds, counts) => (bounds, counts),
        };
        let row = Some(self.classify(&bounds, counts));
        (Normalized::Row { forced: &self.forced, row }, &self.moves)
    }

    /// Leaves the terms of the normal form in the buffers.
    fn reduce(&mut self, row: RowView<'_>, fixed: impl Fn(Var) -> Option<bool>) -> Reduced {
        self.steps.clear();
        self.moves.clear();
        self.forced.clear();
        let Some(mut bounds) = self.collect(row, fixed) else {
            return Reduced::Trivial;
        };
        loop {
            if bounds.is_met_never() {
                return Reduced::Contradiction;
            }
            bounds.clamp();
            if bounds.is_met_always() {
                return Reduced::Trivial;
            }
            // Each may enable the others; every round but the last shrinks the row's numbers.
            if !(self.split_forced(&mut bounds)
                || self.divide(&mut bounds)
                || self.saturate(&mut bounds))
            {
                break;
            }
        }
        let counts = self.orient(&bounds);
        Reduced::Row(bounds, counts)
    }

    /// The steps of the last normalisation.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// What a proof does to replay the last normalisation.
    pub(crate) fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Fills the buffers with positive terms over distinct variables; `None` if both bounds are
    /// absent or so wide that no sum of the row can miss them.
    fn collect(&mut self, row: RowView<'_>, fixed: impl Fn(Var) -> Option<bool>) -> Option<Bounds> {
        self.lits.clear();
        self.coefficients.clear();
        // The sum of the row is `offset` plus the sum of the terms in the buffers.
        let mut offset = 0;
        for term in row.terms() {
            let (mut coefficient, mut lit) = (term.coefficient, term.lit);
            if coefficient < 0 {
                offset += coefficient;
                (coefficient, lit) = (-coefficient, !lit);
            }
            if coefficient == 0 {
                continue;
            }
            if let Some(value) = fixed(lit.var()) {
                let (known, is_negated) = (lit.var().lit(value), value == lit.is_negative());
                self.steps.push(Step::Fixed(known));
                self.moves.push(Move::Know { lit: known, coefficient, is_negated });
                offset += if is_negated { 0 } else { coefficient };
                continue;
            }
            let index = lit.var().index();
            if index >= self.place_of.len() {
                self.place_of.resize(index + 1, 0);
            }
            match self.place_of[index] {
                0 => {
                    self.lits.push(lit);
                    self.coefficients.push(coefficient);
                    self.place_of[index] = u32::try_from(self.lits.len()).expect("below 2^32");
                }
                place => {
                    self.steps.push(Step::Merged(lit.var()));
                    offset += self.merge(place as usize - 1, coefficient, lit);
                }
            }
        }
        for lit in &self.lits {
            self.place_of[lit.var().index()] = 0;
        }
        self.retain(|_, coefficient| coefficient != 0);

        let sum = self.coefficients.iter().sum();
        if row.lower.is_none() && row.upper.is_none() {
            return None;
        }
        // An absent bound, or one beyond i128 after the shift, is so far away that every sum of
        // the row meets it, unless it is a lower bound beyond the top: no sum meets that one.
        let hi = row.upper.map_or(i128::MAX, |upper| upper.saturating_sub(offset));
        Some(match row.lower.unwrap_or(i128::MIN).checked_sub(offset) {
            Some(lo) => Bounds { lo, hi, sum },
            None if offset < 0 => Bounds { lo: 1, hi: 0, sum },
            None => Bounds { lo: 0, hi, sum },
        })
    }

    /// Adds a term to the one at `place` with the same variable; returns the constant that arises.
    fn merge(&mut self, place: usize, coefficient: i128, lit: Lit) -> i128 {
        let present = &mut self.coefficients[place];
        if self.lits[place] == lit {
            *present += coefficient;
            return 0;
        }
        // a l + b ~l = min(a, b) + (a - b) l if a >= b, else min(a, b) + (b - a) ~l
        let constant = coefficient.min(*present);
        if coefficient > *present {
            self.lits[place] = lit;
        }
        *present = (*present - coefficient).abs();
        constant
    }

    fn retain(&mut self, keep: impl Fn(Lit, i128) -> bool) {
        let mut kept = 0;
        for i in 0..self.lits.len() {
            if keep(self.lits[i], self.coefficients[i]) {
                self.lits[kept] = self.lits[i];
                self.coefficients[kept] = self.coefficients[i];
                kept += 1;
            }
        }
        self.lits.truncate(kept);
        self.coefficients.truncate(kept);
    }

    /// Takes out literals that no sum within the bounds can have true, or false.
    fn split_forced(&mut self, bounds: &mut Bounds) -> bool {
        let (hi, slack) = (bounds.hi, bounds.sum - bounds.lo);
        let before = self.lits.len();
        for i in 0..before {
            let (lit, coefficient) = (self.lits[i], self.coefficients[i]);
            let forced = if coefficient > hi {
                !lit
            } else if coefficient > slack {
                bounds.lo -= coefficient;
                bounds.hi -= coefficient;
                lit
            } else {
                continue;
            };
            bounds.sum -= coefficient;
            self.forced.push(forced);
            self.steps.push(Step::Forced(forced));
            let is_negated = forced != lit;
            self.moves.push(Move::Force { lit: forced, coefficient, is_negated });
        }
        self.retain(|_, coefficient| coefficient <= hi && coefficient <= slack);
        self.lits.len() < before
    }

    fn divide(&mut self, bounds: &mut Bounds) -> bool {
        if self.coefficients.contains(&1) {
            return false;
        }
        let divisor = self.coefficients.iter().fold(0, |gcd, &c| greatest_common_divisor(gcd, c));
        if divisor == 1 {
            return false;
        }
        self.steps.push(Step::Divided(divisor));
        self.moves.push(Move::Divide(divisor));
        for coefficient in &mut self.coefficients {
            *coefficient /= divisor;
        }
        bounds.sum /= divisor;
        // Both bounds are within 0..=sum here.
        bounds.lo = bounds.lo / divisor + i128::from(bounds.lo % divisor != 0);
        bounds.hi /= divisor;
        true
    }

    /// Cuts coefficients down to the bound where one side only is active.
    fn saturate(&mut self, bounds: &mut Bounds) -> bool {
        let (at_least, bound) = match (bounds.lo > 0, bounds.hi < bounds.sum) {
            (true, false) => (true, bounds.lo),
            // sum <= hi, read as: the false literals' coefficients sum to at least sum - hi
            (false, true) => (false, bounds.sum - bounds.hi),
            _ => return false,
        };
        let mut changed = false;
        for (&lit, coefficient) in self.lits.iter().zip(&mut self.coefficients) {
            if *coefficient > bound {
                self.steps.push(Step::Saturated { lit, from: *coefficient, to: bound });
                bounds.sum -= *coefficient - bound;
                *coefficient = bound;
                changed = true;
            }
        }
        if changed {
            self.moves.push(Move::Saturate { upper: !at_least });
        }
        if at_least {
            bounds.hi = bounds.sum;
        } else {
            bounds.hi = bounds.sum - bound;
        }
        changed
    }

    /// The bounds as numbers of literals, if all coefficients are 1. Bounds next to `n` become
    /// bounds next to 0 by negating the literals.
    fn orient(&mut self, bounds: &Bounds) -> Option<(usize, usize)> {
        if self.coefficients.iter().any(|&coefficient| coefficient != 1) {
            return None;
        }
        let n = self.lits.len();
        let count = |bound: i128| usize::try_from(bound).expect("within 0..=n after clamping");
        let (lo, hi) = (count(bounds.lo), count(bounds.hi));
        if (lo, hi) == (0, n - 1) || (lo == n - 1 && n > 2) {
            self.lits.iter_mut().for_each(|lit| *lit = !*lit);
            self.moves.push(Move::Negate);
            return Some((n - hi, n - lo));
        }
        Some((lo, hi))
    }

    fn classify(&self, bounds: &Bounds, counts: Option<(usize, usize)>) -> Row<'_> {
        let (lits, coefficients) = (&self.lits, &self.coefficients);
        match counts {
            None => {
                let (lo, hi) = (bounds.lo, bounds.hi);
                Row::PseudoBoolean(PseudoBoolean { lits, coefficients, lo, hi })
            }
            Some((1, hi)) if hi == lits.len() => Row::Clause(lits),
            Some((0, 1)) => Row::AtMostOne(lits),
            Some((1, 1)) => Row::ExactlyOne(lits),
            Some((lo, hi)) => Row::Cardinality(Cardinality { lits, lo, hi }),
        }
    }
}

fn greatest_common_divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
