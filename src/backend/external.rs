//! Any solver that reads DIMACS, as a program of its own.
//!
//! Nothing such a program says is taken on trust. It is satisfiable only with the verdict line, an
//! exit code that does not contradict it, and an assignment that meets every clause; it is
//! unsatisfiable only with the verdict line and such an exit code. Everything else is unknown, with
//! what was seen as the reason.
//!
//! Nothing of it is left behind either. It runs in a process group of its own, which is ended when
//! a limit is reached and also when the solver has exited, and its files are in a folder that goes
//! with the call. Out of reach are only a process that leaves the group on purpose (`setsid`), and
//! everything when pbsolve itself is killed with SIGKILL.

mod formula;

use super::{Capabilities, SatSolver, Verdict};
use crate::external::{Call, CommandError, CommandLine, Ended, Folder, read_answer};
use crate::formats::{ClausalFormat, SolverOutput, read_solver_output};
use crate::limits::{Limits, Reason};
use formula::Formula;
use pbsolve_encodings::ClauseSink;
use pbsolve_encodings::sink::Cnf;
use pbsolve_model::{Lit, Var};
use std::fmt;
use std::path::Path;

/// The place of the DIMACS file in a command.
const CNF: &str = "{cnf}";

/// The place of the answer file.
const OUT: &str = "{out}";

/// The place of the file for a DRAT proof.
const DRAT: &str = "{proof}";

/// The place of the file for an LRAT proof, as text.
const LRAT: &str = "{lrat}";

/// An external solver behind [`SatSolver`]. Each call starts it anew with the whole formula, in
/// which assumptions are unit clauses.
pub struct External {
    command: CommandLine,
    clauses: Cnf,
    /// Variables of the clauses: up to the largest one.
    num_variables: usize,
    /// By variable, after [`Verdict::Satisfiable`].
    values: Vec<bool>,
    core: Vec<Lit>,
}

impl fmt::Debug for External {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let num_clauses = self.clauses.num_clauses();
        write!(f, "External({:?}, {num_clauses} clauses)", self.command)
    }
}

impl External {
    /// A solver that is started with this command.
    ///
    /// The command is split at blanks, except in single or double quotes; no shell runs it.
    /// `{cnf}` stands for the name of the DIMACS file, which is added as the last word if it stands
    /// nowhere. Solvers that write their answer to a file, as `MiniSat` does, are told its name by
    /// `{out}`: what they print is then passed over. `{proof}` stands for the file to which the
    /// solver writes a DRAT proof, and `{lrat}` for one with an LRAT proof as text.
    ///
    /// ```
    /// # use pbsolve::backend::External;
    /// let cadical = External::new("cadical -q {cnf}")?;
    /// let minisat = External::new("minisat {cnf} {out}")?;
    /// let docker = External::new("sh -c 'docker run -i kissat < \"$1\"' sh {cnf}")?;
    /// # Ok::<(), pbsolve::backend::CommandError>(())
    /// ```
    ///
    /// # Errors
    /// If the command names no program, has an open quote, or has signs that only a shell
    /// understands.
    pub fn new(command: &str) -> Result<External, CommandError> {
        Ok(External {
            command: CommandLine::parse(command, &[CNF])?,
            clauses: Cnf::default(),
            num_variables: 0,
            values: Vec::new(),
            core: Vec::new(),
        })
    }

    /// Whether the command has a place for a proof.
    pub fn writes_proofs(&self) -> bool {
        self.proof_format().is_some()
    }

    /// The format of the proofs that the command writes, if it writes any.
    pub(super) fn proof_format(&self) -> Option<ClausalFormat> {
        match (self.command.mentions(LRAT), self.command.mentions(DRAT)) {
            (true, _) => Some(ClausalFormat::Lrat),
            (false, true) => Some(ClausalFormat::Drat),
            (false, false) => None,
        }
    }

    /// The values of an assignment that was checked, or `None` if there is no assignment, for which
    /// the proof is passed on.
    fn ask(
        &self,
        assumptions: &[Lit],
        limits: &Limits,
        take_proof: impl FnOnce(&Path, usize) -> Result<(), Reason>,
    ) -> Result<Option<Vec<bool>>, Reason> {
        let reached = limits.reached();
        reached.map_or(Ok(()), Err)?;
        let formula = Formula::new(&self.clauses, self.num_variables, assumptions);
        let folder =
            Folder::new().map_err(|error| self.failed(format!("has no folder: {error}")))?;
        let (cnf, answer) = (folder.path().join("formula.cnf"), folder.path().join("answer"));
        formula.write(&cnf, limits).map_err(|error| {
            let failed = || self.failed(format!("is not given {}: {error}", cnf.display()));
            limits.reached().unwrap_or_else(failed)
        })?;
        let proof = folder.path().join("proof");
        let places = [(CNF, &*cnf), (OUT, &*answer), (DRAT, &*proof), (LRAT, &*proof)];
        let words = self.command.with_paths(&places);
        let max_bytes = formula.max_answer_bytes();
        let answer = self.command.mentions(OUT).then_some(answer.as_path());
        let call = Call::start(&words, max_bytes, answer)
            .map_err(|error| self.failed(format!("cannot be started: {error}")))?;
        let ended = call.wait(limits).map_err(|reason| match reason {
            Reason::Failed(why) => self.failed(why),
            limit => limit,
        })?;
        let judged = answer.map_or(Ok(None), |path| read_answer(path, max_bytes).map(Some));
        let judged = judged.and_then(|text| {
            let text = text.as_ref().unwrap_or(&ended.printed);
            judge(text, &ended, &formula)
        });
        let values = judged.map_err(|what| self.failed(format!("{what} ({})", ended.seen())))?;
        if values.is_none() {
            take_proof(&proof, self.num_variables).map_err(|reason| match reason {
                Reason::Failed(why) => self.failed(why),
                limit => limit,
            })?;
        }
        Ok(values)
    }

    /// As [`SatSolver::solve`], where the proof of no assignment, and the number of variables, are
    /// passed on.
    pub(super) fn solve_with_proof(
        &mut self,
        assumptions: &[Lit],
        limits: &Limits,
        take_proof: impl FnOnce(&Path, usize) -> Result<(), Reason>,
    ) -> Verdict {
        self.values.clear();
        self.core.clear();
        match self.ask(assumptions, limits, take_proof) {
            Ok(Some(values)) => {
                self.values = values;
                Verdict::Satisfiable
            }
            Ok(None) => {
                self.core.extend_from_slice(assumptions);
                Verdict::Unsatisfiable
            }
            Err(reason) => Verdict::Unknown(reason),
        }
    }

    fn failed(&self, what: impl fmt::Display) -> Reason {
        Reason::Failed(format!("`{}` {what}", self.command.program()))
    }
}

/// What a solver says, if there is nothing wrong with it.
fn judge(text: &[u8], ended: &Ended, formula: &Formula<'_>) -> Result<Option<Vec<bool>>, String> {
    let Some(code) = ended.exit.code() else { return Err("did not exit by itself".to_owned()) };
    let read = read_solver_output(text).map_err(|error| {
        format!("gives no answer: line {}: {}", error.line, error.message.replace('\n', " "))
    })?;
    match (read, code) {
        (SolverOutput::Satisfiable(lits), 0 | 10) => formula.check(&lits).map(Some),
        (SolverOutput::Unsatisfiable, 0 | 20) => Ok(None),
        (SolverOutput::Satisfiable(_), _) => {
            Err("says SATISFIABLE and exits with another code than 10 or 0".to_owned())
        }
        (SolverOutput::Unsatisfiable, _) => {
            Err("says UNSATISFIABLE and exits with another code than 20 or 0".to_owned())
        }
        (SolverOutput::Unknown, _) => Err("says UNKNOWN".to_owned()),
    }
}

impl SatSolver for External {
    fn name(&self) -> &'static str {
        "external"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { keeps_limits: true, survives_limits: true, pauses: false }
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        let largest = lits.iter().map(|lit| lit.var().index() + 1).max();
        self.num_variables = self.num_variables.max(largest.unwrap_or(0));
        let added = self.clauses.clause(lits);
        assert!(added.is_continue(), "a formula in memory takes every clause");
    }

    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Verdict {
        self.solve_with_proof(assumptions, limits, |_, _| Ok(()))
    }

    fn value(&self, var: Var) -> bool {
        self.values.get(var.index()).copied().unwrap_or(false)
    }

    /// All assumptions: a solver that reads a file does not say which ones it used.
    fn failed_core(&self) -> &[Lit] {
        &self.core
    }
}
