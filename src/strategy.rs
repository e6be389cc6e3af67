//! How to solve: encoders, limits, what is added lazily.

use crate::backend::{External, ExternalWithProof, Kind, SatSolver, VarisatWithProof};
use crate::ilp::{ExternalIlp, IlpSolver, for_each_checked};
use crate::limits::Limits;
use crate::outcome::{Outcome, SolveError};
use crate::portfolio::{self, Member, members_for, sat_member};
use crate::proof::SharedLog;
use crate::search::{Found, Search};
use pbsolve_encodings::Planner;
use pbsolve_model::{Assignment, Model};
use std::ops::ControlFlow;

/// When families that allow it are added to the solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lazy {
    /// With the other rows.
    Never,
    /// When a candidate violates them. The final answer meets the complete family all the same.
    #[default]
    Violated,
}

/// Which solver answers. Varisat is never replaced by another unless it is asked for. What each can
/// do, and whether this build has it: [`Backend::entry`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Backend {
    /// Varisat, in process.
    #[default]
    Varisat,
    /// CaDiCaL, in process; needs the Cargo feature `cadical`.
    Cadical,
    /// Any DIMACS solver, by its command line; see [`External`].
    External(String),
    /// microlp, in process: solutions are checked, and nothing else that it says.
    Microlp,
    /// `HiGHS`, in process; needs the Cargo feature `highs`. As with microlp, only solutions count.
    Highs,
    /// Any integer programming solver, by its command line; see [`ExternalIlp`]. As above.
    ExternalIlp(String),
    /// A race of these, or, if there are none, of a SAT solver and an integer programming solver
    /// that suit the model. Boards, and counting, are left to the first SAT solver among them.
    Portfolio(Vec<Backend>),
}

impl Backend {
    /// Whether it is given the linear model, and no clauses.
    pub fn is_ilp(&self) -> bool {
        matches!(self, Backend::ExternalIlp(_))
            || self.entry().is_some_and(|entry| entry.kind == Kind::Ilp)
    }
}

/// Which searches look for an optimum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Optimization {
    /// Both in turns, sharing their bounds.
    #[default]
    Alternate,
    /// Better and better solutions only.
    Improve,
    /// Unsatisfiable cores only.
    Cores,
}

/// Encoders, limits and laziness; the default chooses and never gives up.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// The solver.
    pub backend: Backend,
    /// Chooses the encoder of each row.
    pub planner: Planner,
    /// When to give up.
    pub limits: Limits,
    /// What is added lazily.
    pub lazy: Lazy,
    /// How an optimum is looked for.
    pub optimization: Optimization,
    /// A solution to begin an optimisation with; ignored if it violates a row.
    pub start: Option<Assignment>,
    /// The work of the first turn where searches take turns, as in [`Limits::work`]; each round has
    /// twice as much.
    pub first_turn: u64,
    /// Hears what a race chooses and how it goes, in lines for people.
    pub tell: Option<fn(&str)>,
}

impl Default for Strategy {
    fn default() -> Strategy {
        Strategy {
            backend: Backend::default(),
            planner: Planner::default(),
            limits: Limits::default(),
            lazy: Lazy::default(),
            optimization: Optimization::default(),
            start: None,
            first_turn: 1 << 17,
            tell: None,
        }
    }
}

impl Strategy {
    pub(crate) fn tell(&self, line: &str) {
        if let Some(tell) = self.tell {
            tell(line);
        }
    }

    /// Those that race, if the back-end is a race.
    pub(crate) fn members(&self, model: &Model) -> Option<Vec<Member>> {
        let Backend::Portfolio(backends) = &self.backend else { return None };
        let (members, why) = members_for(backends, model);
        self.tell(&format!("portfolio: {why}"));
        Some(members)
    }

    /// A new solver of the back-end, if that takes integer programs.
    pub(crate) fn new_ilp_solver(&self) -> Result<Option<Box<dyn IlpSolver>>, SolveError> {
        if let Backend::ExternalIlp(command) = &self.backend {
            let solver = ExternalIlp::new(command).map_err(SolveError::IlpCommand)?;
            return Ok(Some(Box::new(solver)));
        }
        let Some(entry) = self.backend.entry() else { return Ok(None) };
        entry.require()?;
        Ok(entry.ilp_solver.map(|solver| solver()))
    }

    /// A new solver of the back-end.
    pub(crate) fn new_solver(&self) -> Result<Box<dyn SatSolver>, SolveError> {
        match &self.backend {
            Backend::External(command) => return Ok(Box::new(External::new(command)?)),
            Backend::ExternalIlp(_) => return Err(SolveError::NoSatSolver("an ILP solver")),
            Backend::Portfolio(backends) => {
                let backend = sat_member(backends);
                let backend = backend.ok_or(SolveError::NoSatSolver("this portfolio"))?;
                let name = backend.entry().map_or("the external SAT solver", |entry| entry.title);
                self.tell(&format!("portfolio: {name} answers, since there is no race"));
                return Strategy { backend, ..self.clone() }.new_solver();
            }
            _ => {}
        }
        let entry = self.backend.entry().expect("the table has all but external solvers");
        entry.require()?;
        match (entry.kind, entry.solver) {
            (Kind::Sat, Some(solver)) => Ok(solver()),
            _ => Err(SolveError::NoSatSolver(entry.name)),
        }
    }

    /// A new solver of the back-end that adds what it learns to a proof.
    pub(crate) fn new_proving_solver(
        &self,
        log: SharedLog,
    ) -> Result<Box<dyn SatSolver>, SolveError> {
        if let Backend::External(command) = &self.backend {
            let solver = ExternalWithProof::new(command, log)?;
            return solver.map_or(Err(SolveError::NoProof), |solver| Ok(Box::new(solver)));
        }
        #[cfg(feature = "cadical")]
        if self.backend == Backend::Cadical {
            return Ok(Box::new(crate::backend::cadical_with_proof(log)));
        }
        if self.backend == Backend::Varisat {
            return Ok(Box::new(VarisatWithProof::new(log)));
        }
        let refused = self.require_proofs().err();
        Err(refused.expect("a back-end with proofs is one of those above"))
    }

    /// Whether the back-end gives proofs.
    ///
    /// # Errors
    /// If it gives none, or is not part of this build.
    pub fn require_proofs(&self) -> Result<(), SolveError> {
        if let Backend::External(command) = &self.backend {
            let writes_proofs = External::new(command)?.writes_proofs();
            return if writes_proofs { Ok(()) } else { Err(SolveError::NoProof) };
        }
        let Some(entry) = self.backend.entry() else {
            return Err(SolveError::NoProofs("an ILP solver, or a race,"));
        };
        entry.require()?;
        if entry.gives_proofs { Ok(()) } else { Err(SolveError::NoProofs(entry.name)) }
    }
}

/// Solves a feasibility problem. The solution was checked against the model.
///
/// # Errors
/// If the model has an objective, a row that no encoder takes, too many variables, or numbers that
/// the back-end does not take.
pub fn solve(model: &Model, strategy: &Strategy) -> Result<Outcome, SolveError> {
    if model.objective().is_some_and(|objective| !objective.is_constant()) {
        return Err(SolveError::Objective);
    }
    if let Some(members) = strategy.members(model) {
        return portfolio::solve(model, &members, strategy);
    }
    if let Some(mut solver) = strategy.new_ilp_solver()? {
        return solve_as_program(solver.as_mut(), model, strategy);
    }
    Ok(match Search::new(model, model, strategy)?.next()? {
        Found::Solution(assignment) => Outcome::Satisfiable(assignment),
        Found::NoMore => Outcome::Unsatisfiable,
        Found::Unknown(reason) => Outcome::Unknown(reason),
    })
}

fn solve_as_program(
    solver: &mut dyn IlpSolver,
    model: &Model,
    strategy: &Strategy,
) -> Result<Outcome, SolveError> {
    let (start, limits) = (strategy.start.as_ref(), &strategy.limits);
    let mut found = None;
    let reason = for_each_checked(solver, model, start, limits, &mut |assignment| {
        found = Some(assignment);
        ControlFlow::Break(())
    })?;
    Ok(match (found, reason) {
        (Some(assignment), _) => Outcome::Satisfiable(assignment),
        (None, Some(reason)) => Outcome::Unknown(reason),
        (None, None) => unreachable!("the visitor stops at a solution"),
    })
}
