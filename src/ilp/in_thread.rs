//! A solver in a thread of its own, which is left alone when a limit is reached: neither solver can
//! be stopped in all its phases.

use super::Claim;
use super::exact::Floating;
use crate::limits::{Limits, Reason};
use pbsolve_model::Assignment;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// Threads that may still be at work.
static STARTED: Mutex<Vec<JoinHandle<()>>> = Mutex::new(Vec::new());

/// Waits for searches that were left behind: until their own time limit, if they cannot be stopped.
/// A process that does not end as by `_exit` needs to, before it ends: exit handlers destroy objects
/// of C++ that a search still uses.
pub fn join_searches() {
    let started = std::mem::take(&mut *STARTED.lock().unwrap_or_else(PoisonError::into_inner));
    for search in started {
        // One that panicked has ended as well.
        drop(search.join());
    }
}

/// What the thread sends.
#[derive(Debug)]
pub(super) enum Message {
    /// The values of all columns.
    Values(Vec<f64>),
    /// The last word.
    Claim(Claim),
}

/// A solver at work.
#[derive(Debug)]
pub(super) struct Worker {
    messages: Receiver<Message>,
    is_abandoned: Arc<AtomicBool>,
}

impl Worker {
    /// Starts it. `work` sends solutions and looks at the flag when it can.
    ///
    /// # Panics
    /// If the system starts no thread.
    pub(super) fn start(
        name: &str,
        work: impl FnOnce(&Sender<Message>, &AtomicBool) -> Claim + Send + 'static,
    ) -> Worker {
        let (sender, messages) = channel();
        let is_abandoned = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_abandoned);
        let named = thread::Builder::new().name(name.to_owned());
        let started = named.spawn(move || {
            let claim = work(&sender, &flag);
            // Nobody waits any longer if sending fails.
            drop(sender.send(Message::Claim(claim)));
        });
        let mut all = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|search| !search.is_finished());
        all.push(started.expect("the system starts a thread"));
        drop(all);
        Worker { messages, is_abandoned }
    }

    /// Waits for its claim within the limits. `poll` may know of solutions that are not sent.
    pub(super) fn wait(
        self,
        floating: &Floating<'_>,
        limits: &Limits,
        poll: &mut dyn FnMut() -> Vec<Vec<f64>>,
        visit: &mut dyn FnMut(Assignment) -> ControlFlow<()>,
    ) -> Claim {
        let mut strange = None;
        loop {
            let message = self.messages.recv_timeout(limits.patience());
            let (mut solutions, claim) = (
                poll(),
                match message {
                    Ok(Message::Values(values)) => Err(values),
                    Ok(Message::Claim(claim)) => Ok(Some(claim)),
                    Err(RecvTimeoutError::Timeout) => Ok(limits.reached().map(Claim::Unknown)),
                    Err(RecvTimeoutError::Disconnected) => {
                        let why = format!("{} ended without an answer", floating.solver);
                        Ok(Some(Claim::Unknown(Reason::Failed(why))))
                    }
                },
            );
            let claim = claim.unwrap_or_else(|values| {
                solutions.push(values);
                None
            });
            for values in solutions {
                match floating.assignment(&values) {
                    Ok(assignment) => {
                        strange = None;
                        if visit(assignment).is_break() {
                            return Claim::Stopped;
                        }
                    }
                    Err(why) => strange = Some(why),
                }
            }
            match (claim, strange.take()) {
                (Some(Claim::Optimal), Some(why)) => return Claim::Unknown(Reason::Failed(why)),
                (Some(claim), _) => return claim,
                (None, why) => strange = why,
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.is_abandoned.store(true, Ordering::Relaxed);
    }
}
