//! Limits on solving: a deadline and a stop flag, asked for in every stage.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The time limit was reached.
    Timeout,
    /// The stop flag was set: Ctrl-C, SIGTERM, or the caller.
    Interrupted,
    /// The amount of work that was allowed is done; the call can be resumed.
    Paused,
    /// The clauses would take more memory than they may, with the row where this was noticed.
    Memory(String),
    /// The back-end failed, with what it said.
    Failed(String),
    /// The back-end says something of all assignments that nobody can check: a solver that
    /// computes with floating-point numbers may be wrong.
    Unchecked(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Timeout => f.write_str("the time limit was reached"),
            Reason::Interrupted => f.write_str("interrupted"),
            Reason::Paused => f.write_str("paused"),
            Reason::Memory(why) => f.write_str(why),
            Reason::Failed(why) => write!(f, "the solver failed: {why}"),
            Reason::Unchecked(claim) => write!(f, "{claim}: not checked"),
        }
    }
}

/// When to give up. The default is never.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The moment after which nothing goes on.
    pub deadline: Option<Instant>,
    /// Set from elsewhere to stop.
    pub stop: Arc<AtomicBool>,
    /// Set when another search for the same answer was faster; counts as [`Limits::stop`] does.
    pub overtaken: Arc<AtomicBool>,
    /// How much work one call may do before it pauses, in literals learnt or thereabouts: the same
    /// in every run, unlike a time. Back-ends that cannot pause go on.
    pub work: Option<u64>,
    /// The most memory that the clauses of one solver may take, estimated, in bytes. `None`: half of
    /// what is free when their encoding begins.
    pub memory: Option<u64>,
}

impl Limits {
    /// Gives up this long from now.
    pub fn timeout(duration: Duration) -> Limits {
        Limits { deadline: Instant::now().checked_add(duration), ..Limits::default() }
    }

    /// Whether to give up now, and why.
    pub fn reached(&self) -> Option<Reason> {
        if self.stop.load(Ordering::Relaxed) || self.overtaken.load(Ordering::Relaxed) {
            return Some(Reason::Interrupted);
        }
        self.deadline.filter(|&deadline| Instant::now() >= deadline).map(|_| Reason::Timeout)
    }

    /// How long to wait before asking again: a short while, less when the deadline is near.
    pub(crate) fn patience(&self) -> Duration {
        const POLL: Duration = Duration::from_millis(5);
        let left = self.deadline.map(|at| at.saturating_duration_since(Instant::now()));
        left.map_or(POLL, |left| left.min(POLL))
    }
}
