//! The normal form: what encoders see. Variables are distinct, coefficients positive, trivial rows
//! and forced literals are gone.

use pbsolve_model::Lit;

/// `lo <= number of true literals <= hi` with `0 <= lo <= hi <= n`, at least one side active
/// (`lo > 0` or `hi < n`), and neither side forcing all literals (`lo < n`, `hi > 0`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cardinality<'a> {
    /// Distinct variables.
    pub lits: &'a [Lit],
    /// The least number of true literals; 0 when this side is not active.
    pub lo: usize,
    /// The greatest number of true literals; `lits.len()` when this side is not active.
    pub hi: usize,
}

impl Cardinality<'_> {
    /// Whether a number of true literals meets both sides.
    pub fn allows(&self, count: usize) -> bool {
        (self.lo..=self.hi).contains(&count)
    }
}

/// `lo <= sum of coefficients of the true literals <= hi` with positive coefficients of gcd 1, not
/// all equal, `0 <= lo <= hi <= sum`, at least one side active. Saturated when one-sided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PseudoBoolean<'a> {
    /// Distinct variables.
    pub lits: &'a [Lit],
    /// One positive coefficient a literal.
    pub coefficients: &'a [i128],
    /// The least sum; 0 when this side is not active.
    pub lo: i128,
    /// The greatest sum; the sum of all coefficients when this side is not active.
    pub hi: i128,
}

/// An upper bound on a weighted sum of literals some of which exclude each other, as other rows say:
/// an encoding may leave open what it says of assignments with two literals of a group true.
///
/// M. Bofill, J. Coll, P. Nightingale, J. Suy, F. Ulrich-Oltean, M. Villaret: SAT Encodings for
/// Pseudo-Boolean Constraints Together With At-Most-One Constraints. Artificial Intelligence 2022.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grouped<'a> {
    /// The sum; its lower side is not active.
    pub sum: PseudoBoolean<'a>,
    /// One number a literal: of those with the same number at most one is true.
    pub groups: &'a [u32],
}

/// A row in normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row<'a> {
    /// At least one literal is true; at least two literals.
    Clause(&'a [Lit]),
    /// At most one literal is true; at least three literals (two are a clause).
    AtMostOne(&'a [Lit]),
    /// Exactly one literal is true; at least two literals.
    ExactlyOne(&'a [Lit]),
    /// Bounds on the number of true literals, other than the three above.
    Cardinality(Cardinality<'a>),
    /// Bounds on a weighted sum.
    PseudoBoolean(PseudoBoolean<'a>),
    /// A weighted sum together with at-most-one rows. No normal form of a single row is one.
    Grouped(Grouped<'a>),
}

impl<'a> Row<'a> {
    /// The inputs, in order.
    pub fn lits(&self) -> &'a [Lit] {
        match self {
            Row::Clause(lits) | Row::AtMostOne(lits) | Row::ExactlyOne(lits) => lits,
            Row::Cardinality(row) => row.lits,
            Row::PseudoBoolean(row) => row.lits,
            Row::Grouped(row) => row.sum.lits,
        }
    }

    /// The row as bounds on the number of true literals; `None` for weighted sums.
    pub fn as_cardinality(&self) -> Option<Cardinality<'a>> {
        let lits = self.lits();
        match *self {
            Row::Clause(_) => Some(Cardinality { lits, lo: 1, hi: lits.len() }),
            Row::AtMostOne(_) => Some(Cardinality { lits, lo: 0, hi: 1 }),
            Row::ExactlyOne(_) => Some(Cardinality { lits, lo: 1, hi: 1 }),
            Row::Cardinality(row) => Some(row),
            Row::PseudoBoolean(_) | Row::Grouped(_) => None,
        }
    }

    /// Whether its lower and its upper side say anything.
    pub fn active_sides(&self) -> [bool; 2] {
        match *self {
            Row::Clause(_) => [true, false],
            Row::AtMostOne(_) | Row::Grouped(_) => [false, true],
            Row::ExactlyOne(_) => [true, true],
            Row::Cardinality(row) => [row.lo > 0, row.hi < row.lits.len()],
            Row::PseudoBoolean(row) => [row.lo > 0, row.hi < row.coefficients.iter().sum()],
        }
    }

    /// The name of the class, for tables.
    pub fn class_name(&self) -> &'static str {
        match self {
            Row::Clause(_) => "clause",
            Row::AtMostOne(_) => "at most one",
            Row::ExactlyOne(_) => "exactly one",
            Row::Cardinality(row) if row.lo == row.hi => "cardinality =",
            Row::Cardinality(row) if row.lo == 0 => "cardinality <=",
            Row::Cardinality(row) if row.hi == row.lits.len() => "cardinality >=",
            Row::Cardinality(_) => "cardinality range",
            Row::PseudoBoolean(_) => "pseudo-Boolean",
            Row::Grouped(_) => "pseudo-Boolean AMO",
        }
    }

    /// The weighted sum of the row, if it is one.
    pub fn as_weighted(&self) -> Option<PseudoBoolean<'a>> {
        match *self {
            Row::PseudoBoolean(row) => Some(row),
            Row::Grouped(row) => Some(row.sum),
            _ => None,
        }
    }

    /// Whether the row holds under a complete assignment of its inputs; that of groups at most one
    /// literal is true is for other rows to say.
    pub fn holds(&self, is_true: impl Fn(Lit) -> bool) -> bool {
        if let Some(row) = self.as_weighted() {
            let weighted = row.lits.iter().zip(row.coefficients);
            let sum: i128 = weighted.filter(|(lit, _)| is_true(**lit)).map(|(_, c)| c).sum();
            return (row.lo..=row.hi).contains(&sum);
        }
        let row = self.as_cardinality().expect("all other rows count literals");
        row.allows(row.lits.iter().filter(|&&lit| is_true(lit)).count())
    }
}
