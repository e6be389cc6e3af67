//! A solver in a thread of its own, so that it keeps to limits and can pause.
//!
//! The solver calls its [`Gate`] with the work that it has done since. When it is to stop, the gate
//! says so. Once as much work is done as the call may cost, the gate is shut: the search waits there,
//! in the middle of what it does, until it is resumed, and so goes on as if it had never paused. And
//! since a phase may be long in which the solver calls no gate, the thread that waits for the answer
//! gives it itself when a limit is reached, and leaves the worker to its end.

use super::{Capabilities, Effort, SatSolver, Verdict};
use crate::limits::{Limits, Reason};
use pbsolve_model::{Lit, Var};
use std::fmt;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Literals that are sent to the worker at once.
const BATCH: usize = 1 << 14;

/// Batches on their way; more would only take memory.
const BATCHES_AHEAD: usize = 4;

/// How long a worker that is told to stop has to tell what it did.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// A solver as the thread runs it.
pub trait Worker: Sized + 'static {
    /// Its name, as `--backend` spells it.
    const NAME: &'static str;

    /// Whether [`Worker::effort`] tells anything.
    const TELLS_EFFORT: bool;

    /// A solver without clauses that calls this gate while it searches.
    fn new(gate: Gate) -> Self;

    /// Adds a clause; the empty one is a contradiction.
    fn add_clause(&mut self, lits: &[Lit]);

    /// Decides the clauses under assumptions.
    fn solve(&mut self, assumptions: &[Lit]) -> Answer;

    /// What it did in all its calls.
    fn effort(&self) -> Effort;
}

/// The answer of a worker.
#[derive(Debug)]
pub enum Answer {
    /// The values of the variables; those that are missing are false.
    Satisfiable(Vec<bool>),
    /// The assumptions to blame.
    Unsatisfiable(Vec<Lit>),
    /// There is no verdict and the solver cannot go on: it failed, or its gate told it to stop.
    Failed(String),
}

/// Clauses in one array, each ended by its place in `ends`.
#[derive(Default)]
pub(super) struct Batch {
    lits: Vec<Lit>,
    ends: Vec<usize>,
}

impl Batch {
    pub(super) fn push(&mut self, lits: &[Lit]) {
        self.lits.extend_from_slice(lits);
        self.ends.push(self.lits.len());
    }

    pub(super) fn clauses(&self) -> impl Iterator<Item = &[Lit]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.lits[start..end])
    }
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} clauses", self.ends.len())
    }
}

enum Command {
    Add(Batch),
    /// Assumptions, and the work that is allowed.
    Solve(Vec<Lit>, Option<u64>),
}

#[derive(Debug)]
enum Message {
    /// The search waits at its gate.
    Paused,
    Answered(Answer, Effort),
}

/// A [`Worker`] behind [`SatSolver`]. Once it was stopped it is never asked again.
#[derive(Debug)]
pub struct Threaded<W> {
    commands: SyncSender<Command>,
    messages: Receiver<Message>,
    control: Arc<Control>,
    is_paused: bool,
    batch: Batch,
    values: Vec<bool>,
    core: Vec<Lit>,
    effort: Effort,
    /// Set when the worker was stopped or failed: what every later call answers.
    ended: Option<Reason>,
    worker: PhantomData<fn() -> W>,
}

impl<W: Worker> Threaded<W> {
    /// A solver without clauses; starts its thread.
    ///
    /// # Panics
    /// If the system starts no thread.
    pub fn new() -> Threaded<W> {
        Threaded::start(W::new)
    }

    /// The same with another way to make the worker.
    pub(super) fn start(make: impl FnOnce(Gate) -> W + Send + 'static) -> Threaded<W> {
        let (commands, incoming) = sync_channel(BATCHES_AHEAD);
        let (outgoing, messages) = sync_channel(1);
        let control = Arc::new(Control::default());
        let gate = Gate { control: Arc::clone(&control), messages: outgoing.clone() };
        let control_of_worker = Arc::clone(&control);
        let work = move || work(&incoming, &outgoing, &control_of_worker, make(gate));
        let named = thread::Builder::new().name(W::NAME.to_owned());
        named.spawn(work).expect("the system starts a thread");
        Threaded {
            commands,
            messages,
            control,
            is_paused: false,
            batch: Batch::default(),
            values: Vec::new(),
            core: Vec::new(),
            effort: Effort::default(),
            ended: None,
            worker: PhantomData,
        }
    }

    /// Sends a command, waiting for room, unless a limit is reached first.
    fn send(&mut self, mut command: Command, limits: Option<&Limits>) -> Result<(), Reason> {
        loop {
            match (self.commands.try_send(command), limits) {
                (Ok(()), _) => return Ok(()),
                (Err(TrySendError::Disconnected(_)), _) => return Err(lost()),
                (Err(TrySendError::Full(unsent)), limits) => {
                    if let Some(reason) = limits.and_then(Limits::reached) {
                        return Err(reason);
                    }
                    command = unsent;
                    thread::sleep(Duration::from_micros(200));
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

    fn verdict(&mut self, sent: Result<(), Reason>, limits: &Limits) -> Verdict {
        let message = sent.and_then(|()| answer_within(&self.messages, limits));
        self.is_paused = matches!(message, Ok(Message::Paused));
        match message {
            Ok(Message::Paused) => Verdict::Unknown(Reason::Paused),
            Ok(Message::Answered(answer, effort)) => {
                self.effort = effort;
                match answer {
                    Answer::Satisfiable(values) => {
                        self.values = values;
                        Verdict::Satisfiable
                    }
                    Answer::Unsatisfiable(core) => {
                        self.core = core;
                        Verdict::Unsatisfiable
                    }
                    Answer::Failed(why) => self.end(Reason::Failed(why)),
                }
            }
            Err(reason) => {
                let verdict = self.end(reason);
                if W::TELLS_EFFORT {
                    self.hear_last_words();
                }
                verdict
            }
        }
    }

    fn end(&mut self, reason: Reason) -> Verdict {
        self.control.stop();
        self.ended = Some(reason.clone());
        Verdict::Unknown(reason)
    }

    /// What the worker did in the call that was stopped; its answer comes too late.
    fn hear_last_words(&mut self) {
        while let Ok(message) = self.messages.recv_timeout(LAST_WORDS) {
            if let Message::Answered(_, effort) = message {
                self.effort = effort;
                return;
            }
        }
    }
}

impl<W: Worker> Default for Threaded<W> {
    fn default() -> Threaded<W> {
        Threaded::new()
    }
}

/// Waits for a worker's answer; when a limit is reached, does without.
pub(super) fn answer_within<A>(answers: &Receiver<A>, limits: &Limits) -> Result<A, Reason> {
    loop {
        match answers.recv_timeout(limits.patience()) {
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

fn lost() -> Reason {
    Reason::Failed("its thread ended".to_owned())
}

impl<W> Drop for Threaded<W> {
    fn drop(&mut self) {
        // A worker in the middle of a search ends at its gate; an idle one when the channel closes.
        self.control.stop();
    }
}

impl<W: Worker> SatSolver for Threaded<W> {
    fn name(&self) -> &'static str {
        W::NAME
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { keeps_limits: true, survives_limits: false, pauses: true }
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        self.batch.push(lits);
        if self.batch.lits.len() >= BATCH && self.ended.is_none() {
            // A full channel empties as fast as the solver takes clauses, which never blocks.
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
        let sent = self.flush(Some(limits));
        let command = Command::Solve(assumptions.to_vec(), limits.work);
        let sent = sent.and_then(|()| self.send(command, Some(limits)));
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
        self.values.get(var.index()).copied().unwrap_or(false)
    }

    fn failed_core(&self) -> &[Lit] {
        &self.core
    }

    fn effort(&self) -> Effort {
        self.effort
    }
}

/// Adds clauses and solves until the channel closes or the solver is to stop.
fn work(
    commands: &Receiver<Command>,
    messages: &SyncSender<Message>,
    control: &Control,
    mut worker: impl Worker,
) {
    while let Ok(command) = commands.recv() {
        if control.is_stopped() {
            break;
        }
        let answer = match command {
            Command::Add(batch) => {
                batch.clauses().for_each(|clause| worker.add_clause(clause));
                continue;
            }
            Command::Solve(assumptions, work) => {
                // Set and taken back here: the gate may be called while clauses are added as well.
                control.allow(work);
                let answer = worker.solve(&assumptions);
                control.allow(None);
                answer
            }
        };
        let failed = matches!(answer, Answer::Failed(_));
        if messages.send(Message::Answered(answer, worker.effort())).is_err() || failed {
            break;
        }
    }
}

/// What the waiting thread tells the worker at its gate.
#[derive(Debug, Default)]
struct Control {
    state: Mutex<ControlState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct ControlState {
    is_stopped: bool,
    /// Work that may be done before the gate is shut.
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

/// Where a search waits, or learns that it is to stop.
#[derive(Debug)]
pub struct Gate {
    control: Arc<Control>,
    messages: SyncSender<Message>,
}

impl Gate {
    /// Reports work that was done since the last call, and waits here if it was enough for now.
    /// Breaks if the search is to stop.
    pub(super) fn pass(&self, work: u64) -> ControlFlow<()> {
        let mut state = self.control.state();
        if let Some(left) = &mut state.left {
            *left = left.saturating_sub(work);
            if *left == 0 && !state.is_stopped {
                // The other side is gone only when it has stopped us.
                drop(self.messages.try_send(Message::Paused));
                while state.left == Some(0) && !state.is_stopped {
                    let waited = self.control.changed.wait(state);
                    state = waited.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
        if state.is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
