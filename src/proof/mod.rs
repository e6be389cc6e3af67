//! Proofs that `veripb` checks: of no solution, of one solution only, of the best value.
//!
//! A proof starts at the OPB file that [`formats::opb::write`](crate::formats::opb::write) makes of
//! the model, derives every clause of its encoding, replays what the solver learnt, and ends in the
//! claim. The checker trusts none of the encoders, nor the solver.
//!
//! `clausal` writes what the checkers of SAT solvers read instead, about the clauses alone.

mod claims;
mod clausal;
mod encoding;
#[cfg(test)]
mod fault_injection;
mod replay;
mod verify;
mod writer;

pub use claims::{
    ProofError, ProofSize, Proved, ProvingSearch, prove_optimal, prove_satisfiable, prove_unique,
    prove_unsatisfiable, write_unique_opb,
};
pub use clausal::{ClausalForm, CnfClaim, refute_cnf};
pub(crate) use encoding::{JustifiedSink, ModelProof, SharedLog, StepWriter};
pub(crate) use replay::Replay;
pub use verify::{Verified, VerifyError, verify};
pub use writer::{Conclusion, ProofWriter};
