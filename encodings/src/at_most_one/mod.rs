//! At most one and exactly one. Exactly one is at most one and the clause of all literals.

pub mod ladder;
pub mod pairwise;
pub mod product;

pub use ladder::Ladder;
pub use pairwise::Pairwise;
pub use product::Product;

use crate::sink::{from_side, justified};
use crate::{ClauseSink, Encoder, Row, Size, Stop};
use pbsolve_model::Lit;
use std::ops::ControlFlow;

/// The encoders of this class.
pub const ALL: &[&dyn Encoder] = &[&Pairwise, &Ladder, &Product];

/// The literals of which at most one may be true; `None` for other rows.
fn at_most_one_lits<'a>(row: &Row<'a>) -> Option<&'a [Lit]> {
    match row {
        Row::AtMostOne(lits) | Row::ExactlyOne(lits) => Some(lits),
        _ => None,
    }
}

/// The literals of a row that the caller has made sure is of this class.
fn lits_of<'a>(row: &Row<'a>) -> &'a [Lit] {
    at_most_one_lits(row).expect("a row of the class at most one")
}

/// The size of the whole row, when its at-most-one part has this size.
fn with_clause(row: &Row<'_>, mut size: Size) -> Size {
    size.clauses += u64::from(matches!(row, Row::ExactlyOne(_)));
    size
}

/// The clause of an exactly-one row: at least one literal is true.
fn encode_clause(row: &Row<'_>, sink: &mut dyn ClauseSink) -> ControlFlow<Stop> {
    if let Row::ExactlyOne(lits) = row {
        justified(sink, lits, |proof| match proof.row_side(false) {
            // The lower side is the clause.
            Some(side) => side,
            None => from_side(proof, lits, false),
        })?;
    }
    ControlFlow::Continue(())
}
