//! The search for solutions of a model: encode what is needed, ask the solver, add violated groups
//! of lazy families, check, and exclude what was found before the next one is looked for.

use crate::backend::{Effort, Loaded, SatSolver, SolverSink, Verdict};
use crate::limits::{Limits, Reason};
use crate::memory;
use crate::outcome::SolveError;
use crate::proof::{JustifiedSink, ModelProof};
use crate::strategy::{Lazy, Strategy};
use pbsolve_encodings::{
    ClauseSink, ConstraintId, EncodeModel, Encoded, ExclusiveSets, Fixing, Planner, ProofLog, Size,
    Stop,
};
use pbsolve_model::{Assignment, Lit, Model, RowId, RowView, Var};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The next solution, or that there is none, or that it was not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A solution that was not excluded, checked against the original model.
    Solution(Assignment),
    /// All solutions were excluded, or there are none.
    NoMore,
    /// A limit was reached or the solver failed. The search is over.
    Unknown(Reason),
}

/// What a search came to so far.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Variables of the clauses, decision variables included.
    pub num_variables: usize,
    /// Clauses.
    pub num_clauses: u64,
    /// Decision variables that the rows fix before the search.
    pub num_fixed: usize,
    /// Groups of lazy families that were added.
    pub num_lazy_groups: usize,
    /// Calls of the solver.
    pub num_calls: u64,
    /// Unsatisfiable cores that raised the bound of an objective.
    pub num_cores: u64,
    /// Conflicts, decisions and propagations, where the solver tells.
    pub effort: Effort,
    /// What the rows were encoded by. Of several searches of one model, those of the first.
    pub encoded: Encoded,
    /// Time spent on encoding.
    pub encoding: Duration,
    /// Time spent in the solver.
    pub solving: Duration,
    /// Time spent on checks.
    pub checking: Duration,
}

impl Statistics {
    /// Adds what another search of the same model came to; the variables of the larger one.
    pub(crate) fn add(&mut self, other: &Statistics) {
        self.num_variables = self.num_variables.max(other.num_variables);
        self.num_fixed = self.num_fixed.max(other.num_fixed);
        self.num_clauses += other.num_clauses;
        self.num_lazy_groups += other.num_lazy_groups;
        self.num_calls += other.num_calls;
        self.num_cores += other.num_cores;
        self.effort.add(other.effort);
        if self.encoded.rows.is_empty() {
            self.encoded = other.encoded.clone();
        }
        self.encoding += other.encoding;
        self.solving += other.solving;
        self.checking += other.checking;
    }
}

/// A search for the solutions of a model, one after the other.
pub struct Search<'m> {
    model: &'m Model,
    original: &'m Model,
    limits: Limits,
    encode: EncodeModel,
    solver: Box<dyn SatSolver>,
    /// What the search proves on its way, if it does.
    proof: Option<ModelProof>,
    loaded: Loaded,
    /// The most memory that the clauses may take, estimated, in bytes.
    max_bytes: u64,
    /// Families that are added group by group, with the groups that were.
    lazy: Vec<(usize, HashSet<usize>)>,
    statistics: Statistics,
    /// Whether the solver waits in the middle of a call.
    is_paused: bool,
    /// Set when the search is over without a verdict.
    ended: Option<Reason>,
}

impl std::fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Search").field("statistics", &self.statistics).finish_non_exhaustive()
    }
}

/// Rounds of looking for fixed variables; what they leave, the solver's propagation finds.
const FIXING_ROUNDS: usize = 20;

impl<'m> Search<'m> {
    /// Encodes a model. Its solutions are checked against `original`, which has the same decision
    /// variables and may be the same model in another formulation.
    ///
    /// # Errors
    /// If a row is one that no encoder takes, or there are too many variables.
    ///
    /// # Panics
    /// If the two models differ in the number of decision variables.
    pub fn new(
        model: &'m Model,
        original: &'m Model,
        strategy: &Strategy,
    ) -> Result<Search<'m>, SolveError> {
        let same = model.num_decisions() == original.num_decisions();
        assert!(same, "both formulations have the same decision variables");
        Search::start(model, original, strategy, strategy.new_solver()?, None)
    }

    /// Encodes a model for a search that writes why it finds what it finds. Only certified encoders
    /// are used.
    ///
    /// # Errors
    /// As [`Search::new`].
    pub(crate) fn proving(
        model: &'m Model,
        strategy: &Strategy,
        proof: ModelProof,
    ) -> Result<Search<'m>, SolveError> {
        let planner = Planner { require_certified: true, ..strategy.planner };
        let strategy = Strategy { planner, ..strategy.clone() };
        let solver = strategy.new_proving_solver(proof.log().clone())?;
        Search::start(model, model, &strategy, solver, Some(proof))
    }

    fn start(
        model: &'m Model,
        original: &'m Model,
        strategy: &Strategy,
        solver: Box<dyn SatSolver>,
        proof: Option<ModelProof>,
    ) -> Result<Search<'m>, SolveError> {
        let is_lazy =
            |&family: &usize| strategy.lazy == Lazy::Violated && model.families()[family].is_lazy();
        let families = 0..model.families().len();
        let lazy = families.filter(is_lazy).map(|family| (family, HashSet::new())).collect();
        let mut search = Search {
            model,
            original,
            limits: strategy.limits.clone(),
            encode: EncodeModel::new(strategy.planner),
            solver,
            proof,
            loaded: Loaded::default(),
            max_bytes: strategy.limits.memory.unwrap_or_else(memory::for_clauses),
            lazy,
            statistics: Statistics::default(),
            is_paused: false,
            ended: None,
        };
        let started = Instant::now();
        search.fix_variables();
        search.statistics.num_fixed = search.encode.fixed.num_fixed();
        if strategy.planner.group_exclusive && search.proof.is_none() {
            let fixed = search.encode.fixed.values();
            search.encode.exclusive = ExclusiveSets::for_rows(model, fixed);
        }
        search.encode_rows()?;
        search.statistics.encoding = started.elapsed();
        Ok(search)
    }

    /// What the search came to so far.
    pub fn statistics(&self) -> Statistics {
        let Loaded { num_variables, num_clauses, .. } = self.loaded;
        let (effort, encoded) = (self.solver.effort(), self.encoded().clone());
        Statistics { num_variables, num_clauses, effort, encoded, ..self.statistics.clone() }
    }

    /// What was encoded so far, by class and encoder.
    pub fn encoded(&self) -> &Encoded {
        self.encode.encoded()
    }

    /// The next solution that is not excluded.
    ///
    /// # Errors
    /// If a row of a lazy family is one that no encoder takes, or the answer fails its check.
    #[allow(clippy::should_implement_trait, reason = "an iterator would hide what is undecided")]
    pub fn next(&mut self) -> Result<Found, SolveError> {
        self.next_under(&[], None)
    }

    /// The next solution under assumptions, within an amount of work. After
    /// [`Reason::Paused`], the next call must have the same assumptions, and goes on.
    pub(crate) fn next_under(
        &mut self,
        assumptions: &[Lit],
        work: Option<u64>,
    ) -> Result<Found, SolveError> {
        let limits = Limits { work, ..self.limits.clone() };
        loop {
            if let Some(reason) = &self.ended {
                return Ok(Found::Unknown(reason.clone()));
            }
            let started = Instant::now();
            let verdict = if self.is_paused {
                self.solver.resume(&limits)
            } else {
                self.statistics.num_calls += 1;
                self.solver.solve(assumptions, &limits)
            };
            self.is_paused = verdict == Verdict::Unknown(Reason::Paused);
            self.statistics.solving += started.elapsed();
            match verdict {
                Verdict::Unsatisfiable => return Ok(Found::NoMore),
                Verdict::Unknown(Reason::Paused) => return Ok(Found::Unknown(Reason::Paused)),
                Verdict::Unknown(reason) => self.ended = Some(reason),
                Verdict::Satisfiable => {
                    let candidate = self.candidate();
                    if self.add_violated(&candidate)? {
                        continue;
                    }
                    let started = Instant::now();
                    let checked = self.original.check(&candidate);
                    self.statistics.checking += started.elapsed();
                    checked.map_err(SolveError::WrongAnswer)?;
                    return Ok(Found::Solution(candidate));
                }
            }
        }
    }

    /// Excludes a solution from the ones to be found.
    ///
    /// # Panics
    /// If the search writes a proof, which has to say why: see `exclude_logged`.
    pub fn exclude(&mut self, solution: &Assignment) {
        assert!(self.proof.is_none(), "a proof says why a solution is excluded");
        let clause = self.other_than(solution);
        self.solver.add_clause(&clause);
        self.loaded.num_clauses += 1;
    }

    /// Excludes a solution of which the proof knows that what is looked for differs somewhere, by
    /// this constraint.
    ///
    /// # Panics
    /// If the search writes no proof.
    pub(crate) fn exclude_logged(
        &mut self,
        solution: &Assignment,
        differs: ConstraintId,
    ) -> Result<(), SolveError> {
        let clause = self.other_than(solution);
        self.encode_with(|encode, sink| {
            sink.clause(&clause)?;
            let proof = sink.proof().expect("the caller has one");
            let known = solution.lits().filter_map(|lit| encode.fixed.unit(lit.var()));
            let hints: Vec<ConstraintId> = known.chain([differs]).collect();
            let why = proof.rup(&clause, &hints);
            proof.justify(why);
            ControlFlow::Continue(())
        })
    }

    /// A variable that is open before the search differs from a solution.
    fn other_than(&self, solution: &Assignment) -> Vec<Lit> {
        let open = solution.lits().filter(|lit| self.fixed(lit.var()).is_none());
        open.map(|lit| !lit).collect()
    }

    /// States one more row of the proof's.
    pub(crate) fn state_row(&mut self, id: RowId, row: RowView<'_>) -> Result<(), SolveError> {
        self.encode_with(|encode, sink| encode.row(id, row, sink))
    }

    /// The proof so far.
    pub(crate) fn proof(&mut self) -> Option<&mut ModelProof> {
        self.proof.as_mut()
    }

    /// Ends the search, for the proof to be ended.
    pub(crate) fn into_proof(self) -> Option<ModelProof> {
        self.proof
    }

    /// The assumptions to blame after [`Found::NoMore`].
    pub(crate) fn failed_core(&self) -> &[Lit] {
        self.solver.failed_core()
    }

    /// States clauses of the caller's own, over the decision variables and new ones.
    pub(crate) fn state(
        &mut self,
        state: impl FnOnce(&mut dyn ClauseSink) -> ControlFlow<Stop>,
    ) -> Result<(), SolveError> {
        self.encode_with(|_, sink| state(sink))
    }

    /// The value that all solutions give a variable, as far as it was noticed before the search.
    pub(crate) fn fixed(&self, var: Var) -> Option<bool> {
        self.encode.fixed.value(var)
    }

    fn candidate(&self) -> Assignment {
        let variables = (0..self.model.num_decisions()).map(Var::new);
        let value = |var: Var| self.fixed(var).unwrap_or_else(|| self.solver.value(var));
        Assignment::from_values(variables.map(value).collect())
    }

    /// Looks for the decision variables that single rows fix, with those that then follow from other
    /// rows, and so on: givens and what bounds propagation makes of them. Their values are folded
    /// into the rows.
    fn fix_variables(&mut self) {
        let Search { model, limits, encode, proof, .. } = self;
        let is_decision = |var: Var| var.index() < model.num_decisions();
        if let Some(proof) = proof {
            proof.begin_encoding();
        }
        for _ in 0..FIXING_ROUNDS {
            let mut changed = false;
            let mut fix = |id: RowId, row: RowView<'_>| {
                let proof = proof.as_mut().map(|proof| proof as &mut dyn ProofLog);
                match encode.fix(id, row, is_decision, proof) {
                    // A contradiction is stated by the encoding.
                    Fixing::Contradiction => return ControlFlow::Break(()),
                    Fixing::Fixed => changed = true,
                    Fixing::Nothing => {}
                }
                ControlFlow::Continue(())
            };
            let flow = for_each_plain_row(model, &mut fix);
            // A limit is noticed by the encoding.
            if flow.is_break() || !changed || limits.reached().is_some() {
                break;
            }
        }
        if let Some(proof) = proof {
            proof.end_encoding();
        }
    }

    /// States the decision variables, the explicit rows and the families that are not lazy.
    fn encode_rows(&mut self) -> Result<(), SolveError> {
        let model = self.model;
        let lazy: Vec<usize> = self.lazy.iter().map(|(family, _)| *family).collect();
        self.encode_with(|encode, sink| {
            // A proof numbers the indicators as the model does.
            if sink.proof().is_some() {
                encode.variables(model, sink);
            } else {
                encode.decisions(model, sink);
            }
            for i in 0..model.num_explicit_rows() {
                encode.row(RowId(i as u64), model.explicit_row(i), sink)?;
            }
            for family in (0..model.families().len()).filter(|family| !lazy.contains(family)) {
                for group in 0..model.families()[family].num_groups() {
                    state_group(encode, model, family, group, sink)?;
                }
            }
            ControlFlow::Continue(())
        })
    }

    /// Adds the groups of lazy families that a candidate violates; whether there were any.
    fn add_violated(&mut self, candidate: &Assignment) -> Result<bool, SolveError> {
        let started = Instant::now();
        let model = self.model;
        let mut violated = Vec::new();
        for (family, added) in &mut self.lazy {
            for group in model.families()[*family].separate(candidate) {
                assert!(added.insert(group), "the solver breaks a group that it was given");
                violated.push((*family, group));
            }
        }
        self.encode_with(|encode, sink| {
            violated
                .iter()
                .try_for_each(|&(family, group)| state_group(encode, model, family, group, sink))
        })?;
        self.statistics.num_lazy_groups += violated.len();
        self.statistics.encoding += started.elapsed();
        Ok(!violated.is_empty())
    }

    fn encode_with(
        &mut self,
        state: impl FnOnce(&mut EncodeModel, &mut dyn ClauseSink) -> ControlFlow<Stop>,
    ) -> Result<(), SolveError> {
        let mut sink = SolverSink {
            solver: self.solver.as_mut(),
            limits: &self.limits,
            loaded: &mut self.loaded,
            max_bytes: self.max_bytes,
            row: None,
        };
        let flow = match &mut self.proof {
            None => state(&mut self.encode, &mut sink),
            Some(proof) => {
                proof.begin_encoding();
                let mut justified = JustifiedSink { inner: &mut sink, proof };
                let flow = state(&mut self.encode, &mut justified);
                proof.end_encoding();
                flow
            }
        };
        match flow {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(Stop::Unsupported) => {
                let unsupported = self.encode.unsupported().expect("set with this stop");
                let (row, why) = (unsupported.0, unsupported.1.clone());
                let is_of_model = row.0 < self.model.num_rows();
                let name = if is_of_model { self.model.row_name(row) } else { None };
                Err(SolveError::UnsupportedRow { number: row.0 + 1, name, why })
            }
            ControlFlow::Break(Stop::Budget) => {
                self.ended = Some(too_large(self.model, sink.row, self.max_bytes));
                Ok(())
            }
            ControlFlow::Break(stop) => {
                // A model that was loaded in part must not be solved.
                let lost = || Reason::Failed(format!("loading stopped: {stop:?}"));
                self.ended = Some(self.limits.reached().unwrap_or_else(lost));
                Ok(())
            }
        }
    }
}

/// Why loading stopped at a row.
fn too_large(model: &Model, row: Option<(RowId, &'static str, Size)>, max_bytes: u64) -> Reason {
    let kept = format!("the {} MB of memory kept for clauses", max_bytes / 1_000_000);
    let Some((row, encoder, size)) = row else {
        return Reason::Memory(format!("the variables fill {kept}"));
    };
    let name = model.row_name(row).map_or(String::new(), |name| format!(" ({name})"));
    let (number, clauses) = (row.0 + 1, size.clauses);
    Reason::Memory(if memory::of_clauses(size, 0) > max_bytes {
        format!("row {number}{name} would overflow {kept}: {encoder} takes {clauses} clauses")
    } else {
        format!("the rows up to row {number}{name} fill {kept}")
    })
}

/// States a group of a family, with new indicators, or those that a proof has made for it.
fn state_group(
    encode: &mut EncodeModel,
    model: &Model,
    family: usize,
    group: usize,
    sink: &mut dyn ClauseSink,
) -> ControlFlow<Stop> {
    if sink.proof().is_some() {
        let first = Var::new(model.first_indicator(family, group));
        return encode.group_from(first, model, family, group, sink);
    }
    encode.group(model, family, group, sink)
}

/// Visits the rows that have no indicators.
fn for_each_plain_row(
    model: &Model,
    visit: &mut dyn FnMut(RowId, RowView<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for i in 0..model.num_explicit_rows() {
        visit(RowId(i as u64), model.explicit_row(i))?;
    }
    for (number, family) in model.families().iter().enumerate() {
        if family.num_indicators() == 0 {
            for group in 0..family.num_groups() {
                model.for_each_row_of_group(number, group, Var::new(0), &mut *visit)?;
            }
        }
    }
    ControlFlow::Continue(())
}
