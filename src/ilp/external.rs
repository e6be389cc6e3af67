//! Any integer programming solver that reads LP or MPS, as a program of its own.
//!
//! It is run as an external SAT solver is (see [`External`](crate::backend::External)): in a process
//! group that ends with the call, with files in a folder that goes with it. The columns of its file
//! are called `x1`, `x2`, ..., whatever the model calls them, and the objective lacks its constant:
//! solvers differ in the names they take and in the sign they give a constant.

use super::exact::{Floating, NotLoaded};
use super::{Claim, IlpSolver, LoadError};
use crate::external::{Call, CommandError, CommandLine, Folder, create, read_answer};
use crate::formats::ilp_solution::{self, read_numbered_solution};
use crate::formats::program::{Columns, Integers};
use crate::formats::{WriteError, lp, mps};
use crate::limits::{Limits, Reason};
use pbsolve_model::{Assignment, Model};
use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;

/// The places of the files in a command.
const LP: &str = "{lp}";
const MPS: &str = "{mps}";
const OUT: &str = "{out}";

/// What an answer may take for each row and each column.
const BYTES_PER_LINE: usize = 512;

/// What it may take besides.
const BYTES_OF_COMMENTS: usize = 16 << 20;

/// An external solver. Each call starts it anew.
#[derive(Debug)]
pub struct ExternalIlp {
    command: CommandLine,
    name: String,
}

impl ExternalIlp {
    /// A solver that is started with this command.
    ///
    /// The command is split at blanks, except in single or double quotes; no shell runs it. `{lp}`
    /// and `{mps}` stand for the name of the file with the model in that format; the LP file is
    /// added as the last word if neither stands anywhere. `{out}` stands for the file that the
    /// solver writes its solution to, in the format of `HiGHS`, CBC, glpsol (`-o`) or SCIP; without
    /// it, such a text is expected on standard output.
    ///
    /// ```
    /// # use pbsolve::ilp::ExternalIlp;
    /// let cbc = ExternalIlp::new("cbc {lp} solve solu {out}")?;
    /// let glpsol = ExternalIlp::new("glpsol --lp {lp} -o {out}")?;
    /// let highs = ExternalIlp::new("highs --solution_file {out} {lp}")?;
    /// # Ok::<(), pbsolve::backend::CommandError>(())
    /// ```
    ///
    /// # Errors
    /// If the command names no program, has an open quote, or has signs that only a shell
    /// understands.
    pub fn new(command: &str) -> Result<ExternalIlp, CommandError> {
        let command = CommandLine::parse(command, &[LP, MPS])?;
        let name = format!("`{}`", command.program());
        Ok(ExternalIlp { command, name })
    }

    /// What it says, with its values if it has any.
    fn ask(
        &self,
        columns: &Columns<'_>,
        model: &Model,
        limits: &Limits,
    ) -> Result<(ilp_solution::Claim, Vec<i128>), NotAnswered> {
        let folder =
            Folder::new().map_err(|error| self.failed(format!("has no folder: {error}")))?;
        let [lp, mps, out] =
            ["model.lp", "model.mps", "answer"].map(|name| folder.path().join(name));
        for (place, path, write) in
            [(LP, &lp, lp::write_numbered as WriteNumbered), (MPS, &mps, mps::write_numbered)]
        {
            if self.command.mentions(place) {
                self.write(model, columns, path, write, limits)?;
            }
        }
        let words = self.command.with_paths(&[(LP, &lp), (MPS, &mps), (OUT, &out)]);
        let max_bytes = max_answer_bytes(model, columns);
        let answer = self.command.mentions(OUT).then_some(out.as_path());
        let call = Call::start(&words, max_bytes, answer)
            .map_err(|error| self.failed(format!("cannot be started: {error}")))?;
        let ended = call.wait(limits).map_err(|reason| match reason {
            Reason::Failed(why) => self.failed(why),
            limit => limit,
        })?;
        let judged = || {
            match ended.exit.code() {
                Some(0) => {}
                Some(_) => return Err("exits with another code than 0".to_owned()),
                None => return Err("did not exit by itself".to_owned()),
            }
            let text = answer.map_or(Ok(None), |path| read_answer(path, max_bytes).map(Some))?;
            let text = text.as_ref().unwrap_or(&ended.printed);
            read_numbered_solution(text, columns.len()).map_err(|error| {
                let message = error.message.replace('\n', " ");
                format!("gives no answer: line {}: {message}", error.line)
            })
        };
        judged().map_err(|what| self.failed(format!("{what} ({})", ended.seen())).into())
    }

    fn write(
        &self,
        model: &Model,
        columns: &Columns<'_>,
        path: &Path,
        write: WriteNumbered,
        limits: &Limits,
    ) -> Result<(), NotAnswered> {
        let not_written = |error| {
            let why = || self.failed(format!("is not given {}: {error}", path.display()));
            NotAnswered::Unknown(limits.reached().unwrap_or_else(why))
        };
        let mut file = create(path, limits).map_err(&not_written)?;
        write(model, columns, &mut file).map_err(|error| match error {
            WriteError::Io(error) => not_written(error),
            other => NotAnswered::Error(other.into()),
        })
    }

    fn failed(&self, what: impl fmt::Display) -> Reason {
        Reason::Failed(format!("{} {what}", self.name))
    }
}

type WriteNumbered = fn(&Model, &Columns<'_>, &mut dyn std::io::Write) -> Result<(), WriteError>;

/// Why there is no answer.
#[derive(Debug)]
enum NotAnswered {
    Unknown(Reason),
    Error(LoadError),
}

impl From<Reason> for NotAnswered {
    fn from(reason: Reason) -> NotAnswered {
        NotAnswered::Unknown(reason)
    }
}

/// The longest answer that makes sense: some list rows as well.
fn max_answer_bytes(model: &Model, columns: &Columns<'_>) -> usize {
    let num_rows = usize::try_from(model.num_rows()).unwrap_or(usize::MAX);
    let lines = columns.len().saturating_add(num_rows.saturating_mul(2));
    lines.saturating_mul(BYTES_PER_LINE).saturating_add(BYTES_OF_COMMENTS)
}

impl IlpSolver for ExternalIlp {
    fn name(&self) -> &str {
        &self.name
    }

    fn solve(
        &mut self,
        model: &Model,
        _start: Option<&Assignment>,
        limits: &Limits,
        visit: &mut dyn FnMut(Assignment) -> ControlFlow<()>,
    ) -> Result<Claim, LoadError> {
        if let Some(reason) = limits.reached() {
            return Ok(Claim::Unknown(reason));
        }
        let columns = Columns::numbered(model, Integers::Whole)?;
        let floating = Floating { solver: self.name(), model, columns };
        // Nearly all compute with floating-point numbers, though the file has every digit.
        let all_exact = floating.costs().and_then(|_| floating.for_each_row(limits, drop));
        match all_exact {
            Ok(()) => {}
            Err(NotLoaded::Limit(reason)) => return Ok(Claim::Unknown(reason)),
            Err(NotLoaded::Error(error)) => return Err(error),
        }
        let columns = floating.columns;
        let (claim, values) = match self.ask(&columns, model, limits) {
            Ok(answer) => answer,
            Err(NotAnswered::Unknown(reason)) => return Ok(Claim::Unknown(reason)),
            Err(NotAnswered::Error(error)) => return Err(error),
        };
        if matches!(claim, ilp_solution::Claim::Optimal | ilp_solution::Claim::Feasible) {
            match columns.assignment(&values) {
                Ok(assignment) => {
                    if visit(assignment).is_break() {
                        return Ok(Claim::Stopped);
                    }
                }
                Err(column) => {
                    let (name, value) = (columns.name_in_model(column), values[column]);
                    let why = format!("gives {name} the value {value}, which it cannot have");
                    return Ok(Claim::Unknown(self.failed(why)));
                }
            }
        }
        Ok(match claim {
            ilp_solution::Claim::Optimal => Claim::Optimal,
            ilp_solution::Claim::Infeasible => Claim::Infeasible,
            ilp_solution::Claim::Feasible => Claim::Unknown(self.failed("says no more")),
            ilp_solution::Claim::Nothing => {
                Claim::Unknown(self.failed("says that it found no solution"))
            }
        })
    }
}
