//! The encoder trait and the words that tables use about encoders.

use crate::{ClauseSink, Row, Stop};
use pbsolve_model::Lit;
use std::fmt;
use std::ops::{AddAssign, ControlFlow};

/// How strongly unit propagation works on an encoding. Of a weighted row with two sides this is said
/// of each side for itself: whether both can be met together is the subset-sum problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// Neither conflicts nor implied inputs are always found.
    Incomplete,
    /// A conflict is found whenever the row cannot be met any more.
    ConflictOnly,
    /// Every implied input literal and every conflict is found.
    Complete,
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Strength::Incomplete => "incomplete",
            Strength::ConflictOnly => "conflict-only",
            Strength::Complete => "complete",
        })
    }
}

/// Which rows an encoder is made for; also the option that selects it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `--amo`: at most one, exactly one.
    AtMostOne,
    /// `--card`: any bounds on a number of literals.
    Cardinality,
    /// `--pb`: bounds on a weighted sum.
    PseudoBoolean,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Class::AtMostOne => "at most one",
            Class::Cardinality => "cardinality",
            Class::PseudoBoolean => "pseudo-Boolean",
        })
    }
}

/// Number of auxiliary variables and of clauses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Auxiliary variables.
    pub variables: u64,
    /// Clauses.
    pub clauses: u64,
}

impl Size {
    pub(crate) fn new(variables: usize, clauses: usize) -> Size {
        Size { variables: variables as u64, clauses: clauses as u64 }
    }
}

impl AddAssign for Size {
    fn add_assign(&mut self, other: Size) {
        self.variables += other.variables;
        self.clauses += other.clauses;
    }
}

/// The counted output literals of an encoding: `at_least[i]` is true whenever the count of the
/// row's true inputs is at least `first + i`. Empty for encoders without such literals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// The count that `at_least[0]` stands for.
    pub first: usize,
    /// Output literals for consecutive counts.
    pub at_least: Vec<Lit>,
}

impl Outputs {
    /// The literal that, when assumed or added as a unit clause, lowers the row's upper bound to
    /// `bound`; `None` if the encoding has no output for it.
    pub fn tighten(&self, bound: usize) -> Option<Lit> {
        let place = (bound + 1).checked_sub(self.first)?;
        self.at_least.get(place).map(|&lit| !lit)
    }
}

/// A way to state rows of some class as clauses. Encoders are values without state; settings are
/// fields with documented defaults. Encoding is deterministic: the same row gives the same clauses
/// with the same variables in the same order.
pub trait Encoder: fmt::Debug + Send + Sync {
    /// The published name, as options and tables spell it.
    fn name(&self) -> &'static str;

    /// The class it is listed under.
    fn class(&self) -> Class;

    /// One line for tables: the idea and the source.
    fn about(&self) -> &'static str;

    /// Whether it can state this row.
    fn supports(&self, row: &Row<'_>) -> bool;

    /// The exact size of the encoding of a supported row, from a formula; `None` where there is
    /// none.
    fn size(&self, row: &Row<'_>) -> Option<Size>;

    /// The size, if it has at most this many clauses. Encoders whose size is known only after
    /// building something stop early.
    fn size_up_to(&self, row: &Row<'_>, max_clauses: u64) -> Option<Size> {
        self.size(row).filter(|size| size.clauses <= max_clauses)
    }

    /// What unit propagation achieves on the encoding of a supported row.
    fn strength(&self, row: &Row<'_>) -> Strength;

    /// Whether every solution of the row extends to the auxiliary variables in one way only, so
    /// that counting the models of the clauses counts the solutions of the row.
    fn keeps_model_count(&self, row: &Row<'_>) -> bool;

    /// Whether it justifies every clause to the [proof](ClauseSink::proof) of the sink, if there is
    /// one.
    fn is_certified(&self) -> bool {
        false
    }

    /// States the row to the sink.
    ///
    /// Clauses that only define auxiliary variables, and which every assignment of the inputs can
    /// meet, go to [`ClauseSink::define`]; clauses that restrict the inputs to
    /// [`ClauseSink::clause`]. A conditional row is the same encoding through a
    /// [`Conditional`](crate::sink::Conditional) sink.
    ///
    /// # Errors
    /// Breaks when the sink does.
    ///
    /// # Panics
    /// If the row is not [supported](Encoder::supports).
    fn encode(&self, row: &Row<'_>, sink: &mut dyn ClauseSink) -> ControlFlow<Stop, Outputs>;
}
