//! Linear constraints over 0-1 variables to clauses.
//!
//! A row of a model is brought to normal form ([`Normalizer`]), the planner ([`Planner`]) chooses an
//! encoder for it, the encoder states it as clauses to a [`ClauseSink`]. Each of these can be used
//! on its own; an encoder needs a [`Row`] and a sink and nothing else:
//!
//! ```
//! use pbsolve_encodings::{Cardinality, Encoder, Row, SequentialCounter, sink::Cnf};
//! use pbsolve_model::Var;
//!
//! let mut cnf = Cnf::with_variables(5);
//! let lits: Vec<_> = (0..5).map(|i| Var::new(i).positive()).collect();
//! let row = Row::Cardinality(Cardinality { lits: &lits, lo: 0, hi: 2 });
//! SequentialCounter::REDUCED.encode(&row, &mut cnf);
//! assert_eq!(cnf.num_clauses(), 13);
//! ```
//!
//! # Words
//!
//! An encoding is *propagation complete* when unit propagation derives from every partial assignment
//! of its inputs every input literal that the row implies, and a conflict where the row cannot be
//! met any more; it is *conflict-only* when only the latter holds. See [`Strength`].

pub mod at_most_one;
pub mod cardinality;
mod encode_model;
mod encoder;
mod exclusive;
mod fixed;
mod normalize;
mod objective_sum;
mod plan;
pub mod pseudo_boolean;
mod replay;
mod row;
pub mod sink;
mod state_row;
pub mod testing;
mod threshold;
mod unary_network;

pub use at_most_one::{Ladder, Pairwise, Product};
pub use cardinality::{CardinalityNetwork, Direct, SequentialCounter, Totalizer};
pub use encode_model::{EncodeModel, Encoded, RowSizes};
pub use encoder::{Class, Encoder, Outputs, Size, Strength};
pub use exclusive::{ExclusiveSets, GroupedSum};
pub use fixed::{Fixed, Fixing};
pub use normalize::{Normalized, Normalizer, Step};
pub use objective_sum::ObjectiveSum;
pub use plan::{Choice, Planner, UnsupportedRow};
pub use pseudo_boolean::{
    Adder, DecisionDiagram, GeneralizedTotalizer, PolynomialWatchdog, SequentialWeightCounter,
};
pub use row::{Cardinality, Grouped, PseudoBoolean, Row};
pub use sink::{ClauseId, ClauseSink, ConstraintId, ProofLog, ProofTerm, Role, Stop};

/// Every encoder, class by class: the one list that tests, benches, help texts and tables read.
pub fn all() -> impl Iterator<Item = &'static dyn Encoder> {
    at_most_one::ALL.iter().chain(cardinality::ALL).chain(pseudo_boolean::ALL).copied()
}

/// The encoder with this name.
pub fn find(name: &str) -> Option<&'static dyn Encoder> {
    all().find(|encoder| encoder.name() == name)
}
