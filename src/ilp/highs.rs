//! `HiGHS` in process, by the crate `highs`, which builds it from its C++ source.
//!
//! The safe interface of that crate has no stop flag. So the search runs in a thread, with the time
//! limit as its own; one that is left alone before (Ctrl-C, or another back-end was faster) goes on
//! until its limit or the end of the process. What it finds on the way is read from a file that it
//! writes each better solution to.

use super::exact::{Floating, NotLoaded};
use super::in_thread::{Message, Worker};
use super::{Claim, IlpSolver, LoadError};
use crate::external::Folder;
use crate::formats::program::{Columns, Integers};
use crate::limits::{Limits, Reason};
use highs::{Col, HighsModelStatus, HighsSolutionStatus, RowProblem};
use pbsolve_model::{Assignment, Model, Sense};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::time::Instant;

/// See the module.
///
/// A process that ends while such a search goes on should end without exit handlers, as by `_exit`,
/// or wait for it before: see [`join_searches`](super::join_searches).
#[derive(Debug, Default)]
pub struct Highs {}

impl Highs {
    /// One thread, no gap, the same seed each time.
    pub fn new() -> Highs {
        Highs {}
    }
}

impl IlpSolver for Highs {
    fn name(&self) -> &'static str {
        "HiGHS"
    }

    fn solve(
        &mut self,
        model: &Model,
        start: Option<&Assignment>,
        limits: &Limits,
        visit: &mut dyn FnMut(Assignment) -> ControlFlow<()>,
    ) -> Result<Claim, LoadError> {
        let columns = Columns::numbered(model, Integers::Whole)?;
        let floating = Floating { solver: self.name(), model, columns };
        let (problem, sense) = match load(&floating, limits) {
            Ok(loaded) => loaded,
            Err(NotLoaded::Limit(reason)) => return Ok(Claim::Unknown(reason)),
            Err(NotLoaded::Error(error)) => return Err(error),
        };
        // Without a folder there are no solutions on the way, which is no reason not to search.
        let folder = Folder::new().ok();
        let path = folder.as_ref().map(|folder| folder.path().join("improving"));
        let mut improving = path.clone().map(Improving::new);
        let task = Task {
            problem,
            sense,
            start: start.and_then(|start| start_of(&floating, start)),
            deadline: limits.deadline,
            improving: path,
        };
        let worker = Worker::start(self.name(), move |messages, _| task.solve(messages));
        let num_columns = floating.columns.len();
        let mut poll = || improving.as_mut().map_or_else(Vec::new, |file| file.read(num_columns));
        Ok(worker.wait(&floating, limits, &mut poll, visit))
    }
}

fn load(floating: &Floating<'_>, limits: &Limits) -> Result<(RowProblem, Sense), NotLoaded> {
    let (sense, costs) = floating.costs()?;
    let mut problem = RowProblem::default();
    let mut columns: Vec<Col> = Vec::with_capacity(costs.len());
    for (column, cost) in costs.into_iter().enumerate() {
        let (lower, upper) = floating.bounds(column)?;
        columns.push(problem.add_integer_column(cost, lower..=upper));
    }
    floating.for_each_row(limits, |row| {
        let terms = row.terms.iter().map(|&(column, number)| (columns[column], number));
        problem.add_row(row.lower..=row.upper, terms);
    })?;
    Ok((problem, sense))
}

/// The values to begin with, if they are known of all columns.
#[allow(clippy::cast_precision_loss, reason = "a value of a column with exact bounds")]
fn start_of(floating: &Floating<'_>, start: &Assignment) -> Option<Vec<f64>> {
    floating.columns.values(start).map(|value| value.map(|value| value as f64)).collect()
}

/// What the thread does.
#[derive(Debug)]
struct Task {
    problem: RowProblem,
    sense: Sense,
    start: Option<Vec<f64>>,
    deadline: Option<Instant>,
    /// Where better solutions go.
    improving: Option<PathBuf>,
}

impl Task {
    fn solve(self, messages: &Sender<Message>) -> Claim {
        let failed = |what: &str| Claim::Unknown(Reason::Failed(format!("HiGHS {what}")));
        let sense = match self.sense {
            Sense::Minimize => highs::Sense::Minimise,
            Sense::Maximize => highs::Sense::Maximise,
        };
        if self.problem.num_cols() == 0 {
            // HiGHS has no verdict on an empty model; the check has.
            drop(messages.send(Message::Values(Vec::new())));
            return Claim::Optimal;
        }
        let Ok(mut model) = self.problem.try_optimise(sense) else {
            return failed("refuses the model");
        };
        let path = self.improving.as_deref().and_then(Path::to_str);
        let options = [
            model.try_set_option("threads", 1),
            model.try_set_option("parallel", "off"),
            model.try_set_option("mip_rel_gap", 0.0),
            // Objectives are integers.
            model.try_set_option("mip_abs_gap", 0.9),
            model.try_set_option("mip_improving_solution_report_sparse", true),
            model.try_set_option("mip_improving_solution_file", path.unwrap_or("")),
        ];
        let left = self.deadline.map(|at| at.saturating_duration_since(Instant::now()));
        let limited =
            left.map_or(Ok(()), |left| model.try_set_option("time_limit", left.as_secs_f64()));
        if options.into_iter().chain([limited]).any(|set| set.is_err()) {
            return failed("lacks an option");
        }
        if let Some(start) = &self.start {
            // If it does not take it, it goes without.
            let _ = model.try_set_solution(Some(start), None, None, None);
        }
        let Ok(solved) = model.try_solve() else { return failed("fails") };
        if solved.primal_solution_status() == HighsSolutionStatus::Feasible {
            let values = solved.get_solution().columns().to_vec();
            drop(messages.send(Message::Values(values)));
        }
        match solved.status() {
            HighsModelStatus::Optimal => Claim::Optimal,
            // Nothing is unbounded where every column has bounds.
            HighsModelStatus::Infeasible | HighsModelStatus::UnboundedOrInfeasible => {
                Claim::Infeasible
            }
            HighsModelStatus::ReachedTimeLimit => Claim::Unknown(Reason::Timeout),
            status => failed(&format!("ends with the status {status:?}")),
        }
    }
}

/// The file of better solutions, as it grows.
#[derive(Debug)]
struct Improving {
    path: PathBuf,
    /// Bytes that were read.
    offset: u64,
    /// What was read of a line that has no end yet.
    rest: Vec<u8>,
    /// The solution that is being read, and how many of its values are to come.
    values: Vec<f64>,
    to_come: usize,
}

impl Improving {
    fn new(path: PathBuf) -> Improving {
        Improving { path, offset: 0, rest: Vec::new(), values: Vec::new(), to_come: 0 }
    }

    /// The solutions that are new; none if the file cannot be read.
    fn read(&mut self, num_columns: usize) -> Vec<Vec<f64>> {
        let mut read = || -> std::io::Result<()> {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(self.offset))?;
            self.offset += file.read_to_end(&mut self.rest)? as u64;
            Ok(())
        };
        let mut solutions = Vec::new();
        if read().is_err() {
            return solutions;
        }
        let text = std::mem::take(&mut self.rest);
        let mut lines = text.split_inclusive(|&byte| byte == b'\n');
        for line in &mut lines {
            if !line.ends_with(b"\n") {
                self.rest = line.to_vec();
                break;
            }
            let line = String::from_utf8_lossy(line);
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                ["#", "Columns", number, "sparse"] => {
                    self.to_come = number.trim_start_matches('-').parse().unwrap_or(0);
                    self.values = vec![0.0; num_columns];
                }
                [_, value, column] if self.to_come > 0 => {
                    self.to_come -= 1;
                    let place = column.parse::<usize>().ok().and_then(|i| self.values.get_mut(i));
                    if let (Some(place), Ok(value)) = (place, value.parse()) {
                        *place = value;
                    }
                }
                _ => continue,
            }
            if self.to_come == 0 {
                solutions.push(std::mem::take(&mut self.values));
            }
        }
        solutions
    }
}
