//! One measured run: a child process with a process group of its own, its time and memory as the
//! system accounts for them, and nothing left of it afterwards.
//!
//! CPU time is that of the child and of all processes that it waited for (solvers that it started);
//! memory is the largest resident set among them. The system counts what the parent had resident
//! when it started the child as the child's, which is why this process reads no model; below its
//! own size, what the child told of itself is used instead.

use super::super::interrupt;
use super::orphans;
use std::fs::File;
use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use wait4::Wait4;

/// How long after the time limit, which the child keeps by itself, it is asked to end.
const GRACE: Duration = Duration::from_millis(1500);

/// How long it then has to end its own children before it is killed.
const TIDY_UP: Duration = Duration::from_millis(1200);

/// How often Ctrl-C is looked for.
const POLL: Duration = Duration::from_millis(50);

/// The process group of the run; 0 if there is none.
static RUNNING: AtomicU32 = AtomicU32::new(0);

/// What a run came to.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) exit: ExitStatus,
    /// Why it was ended, if it did not end by itself.
    pub(super) stopped: Option<Stopped>,
    pub(super) cpu: Duration,
    pub(super) wall: Duration,
    pub(super) peak_bytes: u64,
    /// From their beginning.
    pub(super) stdout: File,
    pub(super) stderr: File,
}

/// Why a run was ended from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    Timeout,
    Interrupted,
}

/// Runs a program that is to end by itself within the limit.
pub(super) fn measure(command: &mut Command, timeout: Duration) -> io::Result<Measured> {
    let (stdout, stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command.stdin(Stdio::null()).stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let started = Instant::now();
    let mut child = command.spawn()?;
    let ending = Ending::default();
    let (id, deadline) = (child.id(), started + timeout + GRACE);
    RUNNING.store(id, Ordering::SeqCst);
    let ended = thread::scope(|scope| {
        scope.spawn(|| ending.enforce(id, deadline));
        let exited = wait_for_exit(&mut child);
        let wall = started.elapsed();
        let stopped = ending.is_over();
        exited.map(|()| (wall, stopped))
    });
    // Its number is not reaped yet, and so names nobody else.
    kill_group(id);
    RUNNING.store(0, Ordering::SeqCst);
    let used = child.wait4()?;
    orphans::end();
    let (wall, stopped) = ended?;
    let cpu = used.rusage.utime + used.rusage.stime;
    let (exit, peak_bytes) = (used.status, used.rusage.maxrss);
    Ok(Measured {
        exit,
        stopped,
        cpu,
        wall,
        peak_bytes,
        stdout: rewound(stdout)?,
        stderr: rewound(stderr)?,
    })
}

fn rewound(mut file: File) -> io::Result<File> {
    io::Seek::rewind(&mut file)?;
    Ok(file)
}

/// Ends the run at once, for a process that is about to exit.
pub(super) fn end_now() {
    let id = RUNNING.load(Ordering::SeqCst);
    if id != 0 {
        ask_group_to_end(id);
        // The child ends its solvers, which are in groups of their own.
        thread::sleep(TIDY_UP);
        kill_group(id);
        orphans::end();
    }
}

/// What the run and its watchdog tell each other.
#[derive(Debug, Default)]
struct Ending {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    is_over: bool,
    stopped: Option<Stopped>,
}

impl Ending {
    /// The run has ended: no signal is sent from here on. Why it was asked to, if it was.
    fn is_over(&self) -> Option<Stopped> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_over = true;
        self.changed.notify_all();
        state.stopped
    }

    /// Ends the run at the deadline or after Ctrl-C, gently at first.
    fn enforce(&self, id: u32, deadline: Instant) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut asked: Option<Instant> = None;
        while !state.is_over {
            if let Some(asked) = asked {
                if asked.elapsed() >= TIDY_UP {
                    kill_group(id);
                }
            } else {
                let is_interrupted = interrupt::flag().load(Ordering::Relaxed);
                let is_late = Instant::now() >= deadline;
                let late = is_late.then_some(Stopped::Timeout);
                state.stopped = is_interrupted.then_some(Stopped::Interrupted).or(late);
                if state.stopped.is_some() {
                    asked = Some(Instant::now());
                    ask_group_to_end(id);
                }
            }
            let waited = self.changed.wait_timeout(state, POLL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Waits for the child and leaves it to be reaped.
#[cfg(unix)]
fn wait_for_exit(child: &mut Child) -> io::Result<()> {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    loop {
        match waitid(WaitId::Pid(Pid::from_child(child)), options) {
            Err(rustix::io::Errno::INTR) => {}
            ended => return ended.map(drop).map_err(io::Error::from),
        }
    }
}

#[cfg(not(unix))]
fn wait_for_exit(child: &mut Child) -> io::Result<()> {
    child.wait().map(drop)
}

#[cfg(unix)]
fn signal_group(id: u32, signal: rustix::process::Signal) {
    let group = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // An error means that nothing is left of it.
        let _ = rustix::process::kill_process_group(group, signal);
    }
}

#[cfg(unix)]
fn ask_group_to_end(id: u32) {
    signal_group(id, rustix::process::Signal::TERM);
}

#[cfg(unix)]
fn kill_group(id: u32) {
    signal_group(id, rustix::process::Signal::KILL);
}

#[cfg(not(unix))]
fn ask_group_to_end(_: u32) {}

#[cfg(not(unix))]
fn kill_group(_: u32) {}
