//! The planner: which encoder states a row, and why.

use crate::{Class, Encoder, Row, Size, Strength, at_most_one, cardinality, pseudo_boolean};
use std::fmt;

/// The encoder for a row, with its size and the reason.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The encoder.
    pub encoder: &'static dyn Encoder,
    /// Its exact size, where there is a formula.
    pub size: Option<Size>,
    /// Why this one.
    pub reason: &'static str,
}

/// No encoder takes the row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsupportedRow {
    /// The class of the row.
    pub class_name: &'static str,
    /// Number of its literals.
    pub num_lits: usize,
    /// Why not.
    pub reason: String,
}

impl fmt::Display for UnsupportedRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnsupportedRow { class_name, num_lits, reason } = self;
        write!(f, "{class_name} row of {num_lits} literals: {reason}")
    }
}

impl std::error::Error for UnsupportedRow {}

/// Chooses encoders by size formulas, propagation strength and a budget; each class can be set to
/// one encoder instead.
#[derive(Clone, Copy, Debug)]
pub struct Planner {
    /// For at-most-one and exactly-one rows; `None`: choose.
    pub at_most_one: Option<&'static dyn Encoder>,
    /// For cardinality rows; `None`: choose.
    pub cardinality: Option<&'static dyn Encoder>,
    /// For weighted rows; `None`: choose.
    pub pseudo_boolean: Option<&'static dyn Encoder>,
    /// The most clauses that one row may take.
    pub max_clauses_per_row: u64,
    /// Only [certified](Encoder::is_certified) encoders, which justify their clauses.
    pub require_certified: bool,
    /// Whether weighted rows are stated over groups of literals that exclude each other, which other
    /// rows must say, instead of each for itself.
    pub group_exclusive: bool,
}

impl Default for Planner {
    fn default() -> Planner {
        Planner {
            at_most_one: None,
            cardinality: None,
            pseudo_boolean: None,
            max_clauses_per_row: 500_000_000,
            require_certified: false,
            group_exclusive: true,
        }
    }
}

/// Up to this many literals pairwise takes fewer clauses than any other encoder.
const PAIRWISE_UP_TO: usize = 6;

/// Auxiliary variables cost a solver more than clauses do: each is one more to decide and to keep.
const CLAUSES_PER_VARIABLE: u64 = 2;

/// Up to this many clauses a stronger encoding is worth any factor.
const SMALL: u64 = 1500;

/// How much larger than an incomplete encoding one may be that finds every conflict.
const TIMES_INCOMPLETE: u64 = 12;

/// How much larger than that one may be that propagates completely.
const TIMES_CONFLICT_ONLY: u64 = 3;

/// Complete encodings of weighted rows are looked for up to this many clauses: looking takes about
/// as long as encoding, and beyond it a weaker one is many times smaller.
const LARGEST_COMPLETE: u64 = 12_000;

/// Encodings that find every conflict are taken up to this many clauses; a solver has its limits.
const LARGEST_CONFLICT_ONLY: u64 = 3_000_000;

fn cost(size: Size) -> u64 {
    size.clauses.saturating_add(CLAUSES_PER_VARIABLE.saturating_mul(size.variables))
}

/// The encoder with the smallest encoding of a row, among those that are eligible and within the
/// budget.
fn smallest(
    encoders: &[&'static dyn Encoder],
    row: &Row<'_>,
    max_clauses: u64,
    is_eligible: impl Fn(&dyn Encoder) -> bool,
) -> Option<(&'static dyn Encoder, Size)> {
    let eligible =
        encoders.iter().filter(|encoder| encoder.supports(row) && is_eligible(**encoder));
    let sized =
        eligible.filter_map(|&encoder| Some((encoder, encoder.size_up_to(row, max_clauses)?)));
    sized.min_by_key(|&(_, size)| cost(size))
}

impl Planner {
    /// The encoder for a row that is not a clause.
    ///
    /// # Errors
    /// If no encoder takes the row, or none within the budget.
    pub fn choose(&self, row: &Row<'_>) -> Result<Choice, UnsupportedRow> {
        let refuse = |reason: String| {
            let (class_name, num_lits) = (row.class_name(), row.lits().len());
            Err(UnsupportedRow { class_name, num_lits, reason })
        };
        let set = match row {
            Row::AtMostOne(_) | Row::ExactlyOne(_) => self.at_most_one,
            Row::Clause(_) | Row::Cardinality(_) => self.cardinality,
            Row::PseudoBoolean(_) | Row::Grouped(_) => self.pseudo_boolean,
        };
        let choice = match (set, row) {
            (Some(encoder), _) => {
                if !encoder.supports(row) {
                    let wanted = encoder.class();
                    return refuse(format!("{} states {wanted} rows only", encoder.name()));
                }
                if !self.allows(encoder) {
                    return refuse(format!("{} justifies no clauses for a proof", encoder.name()));
                }
                Choice { encoder, size: encoder.size(row), reason: "as asked for" }
            }
            (None, Row::AtMostOne(lits) | Row::ExactlyOne(lits))
                if lits.len() <= PAIRWISE_UP_TO =>
            {
                let encoder: &'static dyn Encoder = &at_most_one::Pairwise;
                let reason = "no larger than any other for up to 6 literals, and no variables";
                Choice { encoder, size: encoder.size(row), reason }
            }
            (None, Row::PseudoBoolean(_) | Row::Grouped(_)) => match self.weigh_strength(row) {
                Some(choice) => choice,
                None => return refuse("every encoder takes more clauses than allowed".to_owned()),
            },
            (None, _) => {
                let encoders = match row {
                    Row::AtMostOne(_) | Row::ExactlyOne(_) => at_most_one::ALL,
                    _ => cardinality::ALL,
                };
                let (encoder, size) =
                    smallest(encoders, row, u64::MAX, |encoder| self.allows(encoder))
                        .expect("there is an encoder with a formula for every row that counts");
                let reason = "smallest: clauses + 2 * variables";
                Choice { encoder, size: Some(size), reason }
            }
        };
        if let Some(size) = choice.size
            && size.clauses > self.max_clauses_per_row
        {
            let (name, clauses) = (choice.encoder.name(), size.clauses);
            let budget = self.max_clauses_per_row;
            return refuse(format!("{name} takes {clauses} clauses, more than {budget}"));
        }
        Ok(choice)
    }

    fn allows(&self, encoder: &dyn Encoder) -> bool {
        !self.require_certified || encoder.is_certified()
    }

    /// The encoder of a weighted row: the strongest whose strength is not bought with many times
    /// the size of a weaker one.
    fn weigh_strength(&self, row: &Row<'_>) -> Option<Choice> {
        let best = |strength: Strength, max_clauses: u64| {
            let has_strength =
                |encoder: &dyn Encoder| self.allows(encoder) && encoder.strength(row) == strength;
            smallest(pseudo_boolean::ALL, row, max_clauses, has_strength)
        };
        let choice = |(encoder, size): (&'static dyn Encoder, Size), reason| {
            Some(Choice { encoder, size: Some(size), reason })
        };
        let budget = self.max_clauses_per_row;
        let incomplete = best(Strength::Incomplete, budget);
        let allowed = |weaker: Option<(&dyn Encoder, Size)>, times: u64| {
            let cheap = weaker.map_or(budget, |(_, size)| cost(size).saturating_mul(times));
            cheap.max(SMALL).min(budget)
        };
        let bearable = allowed(incomplete, TIMES_INCOMPLETE).min(LARGEST_CONFLICT_ONLY);
        let conflict_only = best(Strength::ConflictOnly, bearable);
        let weaker = conflict_only.or(incomplete);
        let bearable = allowed(weaker, TIMES_CONFLICT_ONLY).min(LARGEST_COMPLETE);
        if let Some(found) = best(Strength::Complete, bearable) {
            return choice(found, "propagates completely at a bearable size");
        }
        if let Some(found) = conflict_only {
            return choice(found, "finds every conflict; complete ones are many times larger");
        }
        choice(incomplete?, "all that propagate better are many times larger")
    }

    /// The planner with this encoder set for its class.
    #[must_use]
    pub fn with(self, encoder: &'static dyn Encoder) -> Planner {
        match encoder.class() {
            Class::AtMostOne => Planner { at_most_one: Some(encoder), ..self },
            Class::Cardinality => Planner { cardinality: Some(encoder), ..self },
            Class::PseudoBoolean => Planner { pseudo_boolean: Some(encoder), ..self },
        }
    }
}
