//! The text of a proof, in VeriPB's format 3.0.

use crate::decimal::decimal;
use crate::whole_file::WholeFile;
use pbsolve_encodings::{ConstraintId, ProofTerm};
use pbsolve_model::Lit;
use std::io::{self, Write};
use std::path::Path;

/// What a proof ends in.
#[derive(Clone, Copy, Debug)]
pub enum Conclusion<'a> {
    /// This constraint is a contradiction, so the formula has no solution.
    Unsatisfiable(ConstraintId),
    /// The formula has this solution.
    Satisfiable(&'a [Lit]),
    /// The best value of the objective is this one, as it cannot be less by that contradiction.
    Optimal(i128, ConstraintId),
    /// As [`Conclusion::Unsatisfiable`], of a formula with an objective.
    Infeasible(ConstraintId),
    /// Nothing is claimed.
    Nothing,
}

/// Writes a proof, and gives all constraints their ids.
///
/// The text becomes a [`WholeFile`] once the conclusion is written: what is cut off is never taken
/// for a proof. The first error is kept; nothing is written after it.
#[derive(Debug)]
pub struct ProofWriter {
    out: WholeFile,
    error: Option<io::Error>,
    last_id: u64,
    num_bytes: u64,
    line: Vec<u8>,
}

impl ProofWriter {
    /// A proof about a formula with this many constraints, where an equation counts twice.
    ///
    /// # Errors
    /// If no file can be made beside `path`.
    pub fn create(path: &Path, num_constraints: u64) -> io::Result<ProofWriter> {
        let (out, line) = (WholeFile::create(path)?, Vec::new());
        let (error, last_id, num_bytes) = (None, num_constraints, 0);
        let mut writer = ProofWriter { out, error, last_id, num_bytes, line };
        writer.text("pseudo-Boolean proof version 3.0\nf ");
        writer.number(i128::from(num_constraints));
        writer.end_rule();
        Ok(writer)
    }

    /// Bytes so far.
    pub fn num_bytes(&self) -> u64 {
        self.num_bytes
    }

    /// The id of the constraint that was added last.
    pub fn last_id(&self) -> ConstraintId {
        ConstraintId(self.last_id)
    }

    /// Redundance-based strengthening: `sum of terms >= bound`, where the literals of `witness`
    /// are made true.
    pub fn red(&mut self, terms: &[(i128, Lit)], bound: i128, witness: &[Lit]) -> ConstraintId {
        self.text("red ");
        self.terms(terms.iter().copied());
        self.text(">= ");
        self.number(bound);
        self.text(" :");
        for &lit in witness {
            self.text(" ");
            self.lit(lit.var().positive());
            self.text(if lit.is_negative() { " -> 0" } else { " -> 1" });
        }
        self.end_constraint()
    }

    /// A derivation in reverse-polish notation.
    pub fn pol(&mut self, steps: &[ProofTerm]) -> ConstraintId {
        self.text("pol");
        for &step in steps {
            self.text(" ");
            match step {
                ProofTerm::Constraint(id) => self.id(id),
                ProofTerm::Literal(lit) => self.lit(lit),
                ProofTerm::Add => self.text("+"),
                ProofTerm::Multiply(factor) => {
                    self.number(factor);
                    self.text(" *");
                }
                ProofTerm::Divide(divisor) => {
                    self.number(divisor);
                    self.text(" d");
                }
                ProofTerm::Saturate => self.text("s"),
            }
        }
        self.end_constraint()
    }

    /// A clause that follows by unit propagation from the hinted constraints.
    pub fn rup(
        &mut self,
        clause: &[Lit],
        hints: impl IntoIterator<Item = ConstraintId>,
    ) -> ConstraintId {
        self.text("rup ");
        self.terms(clause.iter().map(|&lit| (1, lit)));
        // `~` is the negation of the clause.
        self.text(">= 1 : ~");
        for hint in hints {
            self.text(" ");
            self.id(hint);
        }
        self.end_constraint()
    }

    /// A clause that follows by unit propagation; the checker has to find from what.
    pub fn rup_without_hints(&mut self, clause: &[Lit]) -> ConstraintId {
        self.text("rup ");
        self.terms(clause.iter().map(|&lit| (1, lit)));
        self.text(">= 1");
        self.end_constraint()
    }

    /// Forgets constraints.
    pub fn del(&mut self, ids: &[ConstraintId]) {
        if ids.is_empty() {
            return;
        }
        self.text("del id");
        for &id in ids {
            self.text(" ");
            self.id(id);
        }
        self.end_rule();
    }

    /// Logs a solution; the constraint says that the objective is to be less than its value.
    pub fn soli(&mut self, solution: &[Lit]) -> ConstraintId {
        self.text("soli");
        self.lits(solution);
        self.end_constraint()
    }

    /// Ends the proof and puts it in its place; the number of its bytes.
    ///
    /// # Errors
    /// The first write error, or if the file cannot be put in its place. There is no file then.
    pub fn finish(mut self, conclusion: Conclusion<'_>) -> io::Result<u64> {
        self.text("output NONE;\nconclusion ");
        match conclusion {
            Conclusion::Unsatisfiable(id) => {
                self.text("UNSAT : ");
                self.number(i128::from(id.0));
            }
            Conclusion::Satisfiable(solution) => {
                self.text("SAT :");
                self.lits(solution);
            }
            Conclusion::Optimal(value, id) => {
                self.text("BOUNDS ");
                self.number(value);
                self.text(" : ");
                self.number(i128::from(id.0));
                self.text(" ");
                self.number(value);
            }
            Conclusion::Infeasible(id) => {
                self.text("BOUNDS INF : ");
                self.number(i128::from(id.0));
                self.text(" INF");
            }
            Conclusion::Nothing => self.text("NONE"),
        }
        self.end_rule();
        self.text("end pseudo-Boolean proof");
        self.end_rule();
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        self.out.finish()?;
        Ok(self.num_bytes)
    }

    fn end_constraint(&mut self) -> ConstraintId {
        self.end_rule();
        self.last_id += 1;
        ConstraintId(self.last_id)
    }

    fn end_rule(&mut self) {
        self.text(";\n");
        self.num_bytes += self.line.len() as u64;
        if self.error.is_none() {
            self.error = self.out.write_all(&self.line).err();
        }
        self.line.clear();
    }

    fn text(&mut self, text: &str) {
        self.line.extend_from_slice(text.as_bytes());
    }

    fn number(&mut self, number: i128) {
        self.text(decimal(&mut itoa::Buffer::new(), number));
    }

    /// An id, counted from the end where that is shorter.
    fn id(&mut self, id: ConstraintId) {
        let back = self.last_id + 1 - id.0;
        if back < id.0 / 10 {
            self.number(-i128::from(back));
        } else {
            self.number(i128::from(id.0));
        }
    }

    fn lit(&mut self, lit: Lit) {
        self.text(if lit.is_negative() { "~x" } else { "x" });
        self.number(lit.var().index() as i128 + 1);
    }

    fn lits(&mut self, lits: &[Lit]) {
        for &lit in lits {
            self.text(" ");
            self.lit(lit);
        }
    }

    fn terms(&mut self, terms: impl Iterator<Item = (i128, Lit)>) {
        for (coefficient, lit) in terms {
            self.number(coefficient);
            self.text(" ");
            self.lit(lit);
            self.text(" ");
        }
    }
}
