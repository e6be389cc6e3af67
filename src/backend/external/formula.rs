//! The clauses and assumptions of one call: written as DIMACS, and what an answer is checked by.

use crate::external::create;
use crate::limits::Limits;
use pbsolve_encodings::sink::{Cnf, DimacsComments, write_dimacs};
use pbsolve_encodings::{ClauseSink, Role, Stop};
use pbsolve_model::Lit;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

/// What an answer may take for each variable; a value is at most 12 bytes, `v` lines aside.
const BYTES_PER_VARIABLE: usize = 64;

/// What it may take besides, for comments.
const BYTES_OF_COMMENTS: usize = 16 << 20;

/// Clauses, the assumptions among them as the last ones.
#[derive(Debug)]
pub(super) struct Formula<'a> {
    clauses: &'a Cnf,
    assumptions: &'a [Lit],
    num_variables: usize,
}

impl<'a> Formula<'a> {
    /// Clauses over the first `num_variables` variables and assumptions over any.
    pub(super) fn new(clauses: &'a Cnf, num_variables: usize, assumptions: &'a [Lit]) -> Self {
        let assumed = assumptions.iter().map(|lit| lit.var().index() + 1).max();
        let num_variables = num_variables.max(assumed.unwrap_or(0));
        Formula { clauses, assumptions, num_variables }
    }

    fn clauses(&self) -> impl Iterator<Item = &[Lit]> {
        self.clauses.clauses().chain(self.assumptions.chunks(1))
    }

    /// The longest answer that makes sense.
    pub(super) fn max_answer_bytes(&self) -> usize {
        self.num_variables.saturating_mul(BYTES_PER_VARIABLE).saturating_add(BYTES_OF_COMMENTS)
    }

    /// Writes a new file, within the limits.
    pub(super) fn write(&self, path: &Path, limits: &Limits) -> io::Result<()> {
        let mut out = create(path, limits)?;
        write_dimacs(&mut out, &DimacsComments::default(), |sink| self.state(sink))
    }

    fn state(&self, sink: &mut dyn ClauseSink) -> ControlFlow<Stop> {
        for _ in 0..self.num_variables {
            sink.new_var(Role { name: "x", i: 0, j: 0 });
        }
        self.clauses().try_for_each(|clause| sink.clause(clause).map_continue(|_| ()))
    }

    /// The values of all variables, if the literals satisfy every clause and leave no variable of
    /// a clause open. Variables in no clause are false unless the literals say otherwise.
    pub(super) fn check(&self, lits: &[Lit]) -> Result<Vec<bool>, String> {
        let mut values = vec![None; self.num_variables];
        for lit in lits {
            if let Some(value) = values.get_mut(lit.var().index()) {
                *value = Some(!lit.is_negative());
            }
        }
        for (number, clause) in self.clauses().enumerate() {
            let mut is_satisfied = false;
            for lit in clause {
                let index = lit.var().index();
                let Some(value) = values[index] else {
                    return Err(format!(
                        "claims a model that has no value for variable {}",
                        index + 1
                    ));
                };
                is_satisfied |= value != lit.is_negative();
            }
            if !is_satisfied {
                return Err(format!("claims a model that violates clause {}", number + 1));
            }
        }
        Ok(values.into_iter().map(|value| value == Some(true)).collect())
    }
}
