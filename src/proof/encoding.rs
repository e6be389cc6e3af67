//! A proof on its way from a model to a claim: which constraint each row is, why each clause of the
//! encoding follows, and what the solver adds.

use super::writer::{Conclusion, ProofWriter};
use pbsolve_encodings::{
    ClauseId, ClauseSink, ConstraintId, ProofLog, ProofTerm, Role, Size, Stop,
};
use pbsolve_model::{Lit, Model, RowId, RowView, Var};
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The constraint of a clause that no encoder has justified.
const UNJUSTIFIED: ConstraintId = ConstraintId(0);

/// Takes the steps of a solver. Ids are the writer's own.
pub(crate) trait StepWriter: Send + 'static {
    /// A clause that follows by unit propagation: the hinted clauses propagate in this order, the
    /// last one to a conflict.
    fn learn(
        &mut self,
        clause: &[Lit],
        hints: &mut dyn Iterator<Item = ConstraintId>,
    ) -> ConstraintId;

    /// Forgets a clause that was learnt.
    fn forget(&mut self, id: ConstraintId, clause: &[Lit]);
}

impl StepWriter for ProofWriter {
    fn learn(
        &mut self,
        clause: &[Lit],
        hints: &mut dyn Iterator<Item = ConstraintId>,
    ) -> ConstraintId {
        self.rup(clause, hints)
    }

    fn forget(&mut self, id: ConstraintId, _: &[Lit]) {
        self.del(&[id]);
    }
}

/// What the encoding and the solver share: they take turns.
#[derive(Debug)]
pub(crate) struct Log<W = ProofWriter> {
    /// None once the proof is finished or given up; a solver that is at work then ends.
    pub(crate) writer: Option<W>,
    /// The constraint of each clause that the solver is given, in order.
    pub(crate) clauses: Vec<ConstraintId>,
    /// The empty clause, once it is derived.
    pub(crate) contradiction: Option<ConstraintId>,
}

/// A log for two threads.
#[derive(Debug)]
pub(crate) struct SharedLog<W = ProofWriter>(Arc<Mutex<Log<W>>>);

impl<W> Clone for SharedLog<W> {
    fn clone(&self) -> SharedLog<W> {
        SharedLog(Arc::clone(&self.0))
    }
}

impl<W> SharedLog<W> {
    pub(crate) fn new(writer: W) -> SharedLog<W> {
        let log = Log { writer: Some(writer), clauses: Vec::new(), contradiction: None };
        SharedLog(Arc::new(Mutex::new(log)))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Log<W>> {
        // A panic elsewhere leaves a proof that is not finished, and is never taken for one.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The constraints of a row as the OPB file states them: the lower side, then the upper one. How
/// many constraints there are before those of the row, then a bit for each side; models may have
/// hundreds of thousands of rows.
#[derive(Clone, Copy, Debug)]
struct Given(u64);

impl Given {
    fn new(before: u64, row: RowView<'_>) -> Given {
        Given(before << 2 | u64::from(row.upper.is_some()) << 1 | u64::from(row.lower.is_some()))
    }

    fn side(self, upper: bool) -> Option<ConstraintId> {
        let Given(packed) = self;
        let (before, has_upper, has_lower) = (packed >> 2, packed >> 1 & 1, packed & 1);
        let is_there = if upper { has_upper } else { has_lower } != 0;
        let place = if upper { 1 + has_lower } else { 1 };
        is_there.then_some(ConstraintId(before + place))
    }
}

/// The constraints of all rows, and how many these are.
fn given(model: &Model) -> (Vec<Given>, u64) {
    let num_rows = usize::try_from(model.num_rows()).expect("64-bit machines");
    let (mut given, mut before) = (Vec::with_capacity(num_rows), 0);
    let flow: ControlFlow<()> = model.for_each_row(|_, row| {
        given.push(Given::new(before, row));
        before += u64::from(row.lower.is_some()) + u64::from(row.upper.is_some());
        ControlFlow::Continue(())
    });
    debug_assert!(flow.is_continue(), "all rows are visited");
    (given, before)
}

/// The proof of a model's encoding, clause by clause.
#[derive(Debug)]
pub(crate) struct ModelProof {
    log: SharedLog,
    given: Vec<Given>,
    /// A constraint that is the upper side of one more row.
    extra: Option<(RowId, ConstraintId)>,
    /// The sides of the row that is being encoded.
    sides: [Option<ConstraintId>; 2],
    num_lits: usize,
    /// Bytes that came from the solver up to the end of the last encoding.
    num_bytes: u64,
    encoding_bytes: u64,
}

impl ModelProof {
    /// A proof about the OPB file of a model.
    pub(crate) fn create(model: &Model, path: &Path) -> io::Result<ModelProof> {
        let (given, num_constraints) = given(model);
        let log = SharedLog::new(ProofWriter::create(path, num_constraints)?);
        let (extra, sides) = (None, [None, None]);
        let (num_lits, num_bytes, encoding_bytes) = (0, 0, 0);
        Ok(ModelProof { log, given, extra, sides, num_lits, num_bytes, encoding_bytes })
    }

    pub(crate) fn log(&self) -> &SharedLog {
        &self.log
    }

    /// One more row, whose upper side is this constraint.
    pub(crate) fn give_upper(&mut self, upper: ConstraintId) -> RowId {
        let id = RowId(self.given.len() as u64);
        self.extra = Some((id, upper));
        id
    }

    /// The constraint that the objective is less than that of a solution.
    pub(crate) fn log_solution(&mut self, solution: &[Lit]) -> ConstraintId {
        self.write(|writer| writer.soli(solution))
    }

    /// The part that follows is one of the encoding, until the solver has its turn.
    pub(crate) fn begin_encoding(&mut self) {
        let log = self.log.lock();
        self.num_bytes = log.writer.as_ref().map_or(0, ProofWriter::num_bytes);
    }

    /// Ends a part of the encoding. All its clauses are justified.
    pub(crate) fn end_encoding(&mut self) {
        let log = self.log.lock();
        let num_bytes = log.writer.as_ref().map_or(0, ProofWriter::num_bytes);
        self.encoding_bytes += num_bytes.saturating_sub(self.num_bytes);
    }

    /// Bytes that derive clauses of the encoding, number of clauses, and of their literals.
    pub(crate) fn encoding_size(&self) -> (u64, usize, usize) {
        (self.encoding_bytes, self.log.lock().clauses.len(), self.num_lits)
    }

    /// Ends the proof in a claim, which may rest on the empty clause if there is one. The number of
    /// bytes of the file.
    pub(crate) fn finish<'c>(
        self,
        conclude: impl FnOnce(Option<ConstraintId>) -> Conclusion<'c>,
    ) -> io::Result<u64> {
        let mut log = self.log.lock();
        let writer = log.writer.take().expect("open until it is finished");
        writer.finish(conclude(log.contradiction))
    }

    fn write(&mut self, write: impl FnOnce(&mut ProofWriter) -> ConstraintId) -> ConstraintId {
        let mut log = self.log.lock();
        write(log.writer.as_mut().expect("open until it is finished"))
    }
}

impl Drop for ModelProof {
    fn drop(&mut self) {
        // Removes what is not finished, and ends a solver that is still at work.
        drop(self.log.lock().writer.take());
    }
}

impl ProofLog for ModelProof {
    fn given_side(&mut self, row: RowId, upper: bool) -> Option<ConstraintId> {
        match self.given.get(usize::try_from(row.0).expect("64-bit machines")) {
            Some(given) => given.side(upper),
            None => self.extra.filter(|&(id, _)| upper && id == row).map(|(_, side)| side),
        }
    }

    fn set_row_sides(&mut self, lower: Option<ConstraintId>, upper: Option<ConstraintId>) {
        self.sides = [lower, upper];
    }

    fn row_side(&mut self, upper: bool) -> Option<ConstraintId> {
        self.sides[usize::from(upper)]
    }

    fn red(&mut self, terms: &[(i128, Lit)], bound: i128, witness: &[Lit]) -> ConstraintId {
        self.write(|writer| writer.red(terms, bound, witness))
    }

    fn pol(&mut self, steps: &[ProofTerm]) -> ConstraintId {
        self.write(|writer| writer.pol(steps))
    }

    fn rup(&mut self, clause: &[Lit], hints: &[ConstraintId]) -> ConstraintId {
        self.write(|writer| writer.rup(clause, hints.iter().copied()))
    }

    fn del(&mut self, ids: &[ConstraintId]) {
        if let Some(writer) = &mut self.log.lock().writer {
            writer.del(ids);
        }
    }

    fn justify(&mut self, clause: ConstraintId) {
        let mut log = self.log.lock();
        *log.clauses.last_mut().expect("a clause comes before its constraint") = clause;
    }
}

/// Passes clauses on and writes why each follows.
pub(crate) struct JustifiedSink<'a> {
    pub(crate) inner: &'a mut dyn ClauseSink,
    pub(crate) proof: &'a mut ModelProof,
}

impl ClauseSink for JustifiedSink<'_> {
    fn begin(&mut self, row: RowId, encoder: &'static str) {
        self.inner.begin(row, encoder);
    }

    fn expect(&mut self, size: Size) -> ControlFlow<Stop> {
        self.inner.expect(size)
    }

    fn new_var(&mut self, role: Role) -> Var {
        self.inner.new_var(role)
    }

    fn clause(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        let mut log = self.proof.log.lock();
        assert_ne!(
            log.clauses.last(),
            Some(&UNJUSTIFIED),
            "certified encoders justify all clauses"
        );
        log.clauses.push(UNJUSTIFIED);
        drop(log);
        self.proof.num_lits += lits.len();
        self.inner.clause(lits)
    }

    fn proof(&mut self) -> Option<&mut dyn ProofLog> {
        Some(self.proof)
    }
}
