//! Varisat, the default solver, in a thread of its own.
//!
//! Varisat has neither a time limit nor a way to be interrupted. Two things make up for that. Its
//! proof goes to a writer that fails once the solver is to stop, which ends the search at the next
//! flush of the proof buffer. And since a long phase without conflicts writes no proof, the thread
//! that waits for the answer gives it itself when a limit is reached, and leaves the worker to its
//! end. The same writer makes the search pause: it waits there once as much proof was written as the
//! call may cost. A solver that was stopped either way is never called again: Varisat would panic.

use super::{Capabilities, SatSolver, Verdict};
use crate::limits::{Limits, Reason};
use pbsolve_model::{Lit, Var};
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use varisat::{ExtendFormula, ProofFormat};

/// Literals that are sent to the worker at once.
const BATCH: usize = 1 << 14;

/// Batches on their way; more would only take memory.
const BATCHES_AHEAD: usize = 4;

/// Clauses in one array, each ended by its place in `ends`.
#[derive(Default)]
struct Batch {
    lits: Vec<varisat::Lit>,
    ends: Vec<usize>,
}

enum Command {
    Add(Batch),
    /// Assumptions, and the work that is allowed.
    Solve(Vec<varisat::Lit>, Option<u64>),
}

enum Answer {
    /// The search waits in the proof writer.
    Paused,
    Satisfiable(Vec<bool>),
    Unsatisfiable(Vec<varisat::Lit>),
    Failed(String),
}

/// Varisat behind [`SatSolver`].
#[derive(Debug)]
pub struct Varisat {
    commands: SyncSender<Command>,
    answers: Receiver<Answer>,
    control: Arc<Control>,
    is_paused: bool,
    batch: Batch,
    values: Vec<bool>,
    core: Vec<Lit>,
    /// Set when the worker was stopped or failed: what every later call answers.
    ended: Option<Reason>,
}

impl std::fmt::Debug for Batch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} clauses", self.ends.len())
    }
}

impl Varisat {
    /// A solver without clauses; starts its thread.
    ///
    /// # Panics
    /// If the system starts no thread.
    pub fn new() -> Varisat {
        let (commands, incoming) = sync_channel(BATCHES_AHEAD);
        let (outgoing, answers) = sync_channel(1);
        let control = Arc::new(Control::default());
        let proof = StoppingProof { control: Arc::clone(&control), answers: outgoing.clone() };
        let worker = move || work(&incoming, &outgoing, proof);
        let named = thread::Builder::new().name("varisat".to_owned());
        named.spawn(worker).expect("the system starts a thread");
        let (batch, values, core) = (Batch::default(), Vec::new(), Vec::new());
        let is_paused = false;
        Varisat { commands, answers, control, is_paused, batch, values, core, ended: None }
    }

    /// Sends a command, waiting for room, unless a limit is reached first.
    fn send(&mut self, mut command: Command, limits: Option<&Limits>) -> Result<(), Reason> {
        loop {
            match (self.commands.try_send(command), limits) {
                (Ok(()), _) => return Ok(()),
                (Err(std::sync::mpsc::TrySendError::Disconnected(_)), _) => return Err(lost()),
                (Err(std::sync::mpsc::TrySendError::Full(unsent)), limits) => {
                    if let Some(reason) = limits.and_then(Limits::reached) {
                        return Err(reason);
                    }
                    command = unsent;
                    thread::sleep(std::time::Duration::from_micros(200));
                }
            }
        }
    }

    fn flush(&mut self, limits: Option<&Limits>) -> Result<(), Reason> {
        if self.batch.ends.is_empty() {
            return Ok(());
        }
        let batch = std::mem::take(&mut self.batch);
        self.send(Command::Add(batch), limits)
    }

    /// Waits for the worker's answer; when a limit is reached, does without.
    fn answer(&mut self, limits: &Limits) -> Result<Answer, Reason> {
        loop {
            match self.answers.recv_timeout(limits.patience()) {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Disconnected) => return Err(lost()),
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(reason) = limits.reached() {
                        return Err(reason);
                    }
                }
            }
        }
    }

    fn verdict(&mut self, sent: Result<(), Reason>, limits: &Limits) -> Verdict {
        let answer = sent.and_then(|()| self.answer(limits));
        self.is_paused = matches!(answer, Ok(Answer::Paused));
        match answer {
            Ok(Answer::Paused) => Verdict::Unknown(Reason::Paused),
            Ok(Answer::Satisfiable(values)) => {
                self.values = values;
                Verdict::Satisfiable
            }
            Ok(Answer::Unsatisfiable(core)) => {
                self.core = core.into_iter().map(from_varisat).collect();
                Verdict::Unsatisfiable
            }
            Ok(Answer::Failed(why)) => self.end(Reason::Failed(why)),
            Err(reason) => self.end(reason),
        }
    }

    fn end(&mut self, reason: Reason) -> Verdict {
        self.control.stop();
        self.ended = Some(reason.clone());
        Verdict::Unknown(reason)
    }
}

impl Default for Varisat {
    fn default() -> Varisat {
        Varisat::new()
    }
}

fn lost() -> Reason {
    Reason::Failed("its thread ended".to_owned())
}

impl Drop for Varisat {
    fn drop(&mut self) {
        // A worker in the middle of a search ends at its next flush; an idle one when the channel
        // closes.
        self.control.stop();
    }
}

impl SatSolver for Varisat {
    fn name(&self) -> &'static str {
        "varisat"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { keeps_limits: true, survives_limits: false, pauses: true }
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        self.batch.lits.extend(lits.iter().map(|&lit| to_varisat(lit)));
        self.batch.ends.push(self.batch.lits.len());
        if self.batch.lits.len() >= BATCH && self.ended.is_none() {
            // A full channel empties as fast as Varisat takes clauses, which never blocks.
            if let Err(reason) = self.flush(None) {
                self.end(reason);
            }
        }
    }

    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Verdict {
        if let Some(reason) = self.ended.clone().or_else(|| limits.reached()) {
            return Verdict::Unknown(reason);
        }
        assert!(!self.is_paused, "a paused search is resumed before another call");
        let assumed = assumptions.iter().map(|&lit| to_varisat(lit)).collect();
        let sent = self.flush(Some(limits));
        let sent =
            sent.and_then(|()| self.send(Command::Solve(assumed, limits.work), Some(limits)));
        self.verdict(sent, limits)
    }

    fn resume(&mut self, limits: &Limits) -> Verdict {
        if let Some(reason) = self.ended.clone().or_else(|| limits.reached()) {
            return Verdict::Unknown(reason);
        }
        assert!(self.is_paused, "only a paused search is resumed");
        self.control.allow(limits.work);
        self.verdict(Ok(()), limits)
    }

    fn value(&self, var: Var) -> bool {
        // Varisat leaves out variables that it never saw.
        self.values.get(var.index()).copied().unwrap_or(false)
    }

    fn failed_core(&self) -> &[Lit] {
        &self.core
    }
}

/// The worker: adds clauses and solves until the channel closes or the proof says stop.
fn work(commands: &Receiver<Command>, answers: &SyncSender<Answer>, proof: StoppingProof) {
    let control = Arc::clone(&proof.control);
    let mut solver = varisat::Solver::new();
    solver.write_proof(proof, ProofFormat::Varisat);
    while let Ok(command) = commands.recv() {
        if control.is_stopped() {
            break;
        }
        let answer = match command {
            Command::Add(batch) => {
                let mut start = 0;
                for end in batch.ends {
                    solver.add_clause(&batch.lits[start..end]);
                    start = end;
                }
                continue;
            }
            Command::Solve(assumptions, work) => {
                solver.assume(&assumptions);
                // Set and taken back here: adding clauses writes proof as well.
                control.allow(work);
                let solved = solver.solve();
                control.allow(None);
                match solved {
                    Ok(true) => Answer::Satisfiable(values(&solver)),
                    Ok(false) => {
                        let core = solver.failed_core().unwrap_or(&[]);
                        Answer::Unsatisfiable(core.to_vec())
                    }
                    Err(error) => Answer::Failed(error.to_string()),
                }
            }
        };
        let failed = matches!(answer, Answer::Failed(_));
        if answers.send(answer).is_err() || failed {
            break;
        }
    }
    // Closing the proof of a failed solver would fail again, loudly; there is nothing to save.
    std::mem::forget(solver);
}

fn values(solver: &varisat::Solver<'_>) -> Vec<bool> {
    let mut values = Vec::new();
    for lit in solver.model().unwrap_or_default() {
        if values.len() <= lit.index() {
            values.resize(lit.index() + 1, false);
        }
        values[lit.index()] = lit.is_positive();
    }
    values
}

pub(super) fn to_varisat(lit: Lit) -> varisat::Lit {
    varisat::Lit::from_index(lit.var().index(), !lit.is_negative())
}

pub(super) fn from_varisat(lit: varisat::Lit) -> Lit {
    Var::new(lit.index()).lit(lit.is_positive())
}

/// What the waiting thread tells the worker through the proof writer.
#[derive(Debug, Default)]
struct Control {
    state: Mutex<ControlState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct ControlState {
    is_stopped: bool,
    /// Bytes of proof that may be written before the search pauses.
    left: Option<u64>,
}

impl Control {
    fn state(&self) -> MutexGuard<'_, ControlState> {
        // A panic elsewhere leaves two plain values behind, which are as good as ever.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self) {
        self.state().is_stopped = true;
        self.changed.notify_all();
    }

    fn is_stopped(&self) -> bool {
        self.state().is_stopped
    }

    fn allow(&self, work: Option<u64>) {
        self.state().left = work;
        self.changed.notify_all();
    }
}

/// Where Varisat's proof goes: nowhere, until it is to stop or to pause.
struct StoppingProof {
    control: Arc<Control>,
    answers: SyncSender<Answer>,
}

impl io::Write for StoppingProof {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.control.state();
        if let Some(left) = &mut state.left {
            *left = left.saturating_sub(bytes.len() as u64);
            if *left == 0 && !state.is_stopped {
                // The other side is gone only when it has stopped us.
                drop(self.answers.try_send(Answer::Paused));
                while state.left == Some(0) && !state.is_stopped {
                    let waited = self.control.changed.wait(state);
                    state = waited.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
        if state.is_stopped { Err(io::Error::other("stopped")) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
