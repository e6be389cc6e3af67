//! The encoding of a model with its proof: clauses in memory, each with its constraint.

use super::writer::ProofWriter;
use pbsolve_encodings::sink::Cnf;
use pbsolve_encodings::{ClauseId, ClauseSink, ConstraintId, ProofLog, ProofTerm, Role, Stop};
use pbsolve_model::{Lit, Model, RowId, Var};
use std::ops::ControlFlow;

/// The constraints of a row, or of its normal form.
#[derive(Clone, Copy, Debug, Default)]
struct RowSides {
    lower: Option<ConstraintId>,
    upper: Option<ConstraintId>,
}

impl RowSides {
    fn side(self, upper: bool) -> Option<ConstraintId> {
        if upper { self.upper } else { self.lower }
    }
}

/// Takes the clauses of a model and writes why each follows.
pub(crate) struct ProofSink {
    pub(crate) writer: ProofWriter,
    pub(crate) cnf: Cnf,
    /// The constraint of each clause.
    pub(crate) constraints: Vec<ConstraintId>,
    given: Vec<RowSides>,
    sides: RowSides,
}

/// The constraints of a clause that no encoder has justified.
const UNJUSTIFIED: ConstraintId = ConstraintId(0);

/// The constraints of each row as the OPB file states them, and how many these are: first the lower
/// side, then the upper one.
fn given_sides(model: &Model) -> (Vec<RowSides>, u64) {
    let (mut given, mut last) = (Vec::new(), 0);
    let flow: ControlFlow<()> = model.for_each_row(|_, row| {
        let mut next = |is_there: bool| {
            last += u64::from(is_there);
            is_there.then_some(ConstraintId(last))
        };
        given.push(RowSides { lower: next(row.lower.is_some()), upper: next(row.upper.is_some()) });
        ControlFlow::Continue(())
    });
    debug_assert!(flow.is_continue(), "all rows are visited");
    (given, last)
}

impl ProofSink {
    /// The sink of a model, whose variables are made and whose clauses are stated after this.
    pub(crate) fn create(model: &Model, path: &std::path::Path) -> std::io::Result<ProofSink> {
        let (given, num_constraints) = given_sides(model);
        Ok(ProofSink {
            writer: ProofWriter::create(path, num_constraints)?,
            cnf: Cnf::default(),
            constraints: Vec::new(),
            given,
            sides: RowSides::default(),
        })
    }

    /// One more row, whose upper side is this constraint.
    pub(crate) fn give_upper(&mut self, upper: ConstraintId) -> RowId {
        self.given.push(RowSides { lower: None, upper: Some(upper) });
        RowId(self.given.len() as u64 - 1)
    }

    /// Whether every clause has its constraint.
    pub(crate) fn is_justified(&self) -> bool {
        !self.constraints.contains(&UNJUSTIFIED)
    }
}

impl ClauseSink for ProofSink {
    fn new_var(&mut self, role: Role) -> Var {
        self.cnf.new_var(role)
    }

    fn clause(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        self.constraints.push(UNJUSTIFIED);
        self.cnf.clause(lits)
    }

    fn proof(&mut self) -> Option<&mut dyn ProofLog> {
        Some(self)
    }
}

impl ProofLog for ProofSink {
    fn given_side(&mut self, row: RowId, upper: bool) -> Option<ConstraintId> {
        self.given[usize::try_from(row.0).expect("64-bit machines")].side(upper)
    }

    fn set_row_sides(&mut self, lower: Option<ConstraintId>, upper: Option<ConstraintId>) {
        self.sides = RowSides { lower, upper };
    }

    fn row_side(&mut self, upper: bool) -> Option<ConstraintId> {
        self.sides.side(upper)
    }

    fn red(&mut self, terms: &[(i128, Lit)], bound: i128, witness: &[Lit]) -> ConstraintId {
        self.writer.red(terms, bound, witness)
    }

    fn pol(&mut self, steps: &[ProofTerm]) -> ConstraintId {
        self.writer.pol(steps)
    }

    fn rup(&mut self, clause: &[Lit], hints: &[ConstraintId]) -> ConstraintId {
        self.writer.rup(clause, hints.iter().copied())
    }

    fn del(&mut self, ids: &[ConstraintId]) {
        self.writer.del(ids);
    }

    fn justify(&mut self, clause: ConstraintId) {
        *self.constraints.last_mut().expect("a clause comes before its constraint") = clause;
    }
}
