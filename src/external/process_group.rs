//! A program in a process group of its own, which ends with the value that stands for it.
//!
//! The number of a group is that of its first process, and stays taken until that one is reaped and
//! the group is empty. So that no signal goes to a stranger with the same number, the group is
//! killed first and its first process reaped afterwards, also when that one has exited long since.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(unix)]
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid,
};

/// How long a program may take to tidy up after SIGTERM.
#[cfg(unix)]
const TIDY_UP: Duration = Duration::from_millis(200);

/// How long to wait for the system to end what was killed; freeing much memory takes time.
const VANISH: Duration = Duration::from_millis(250);

const POLL: Duration = Duration::from_millis(1);

/// The first processes of the groups that are there; none of them was reaped.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running program and what it starts.
#[derive(Debug)]
pub(super) struct ProcessGroup {
    /// The first process; `None` after the end.
    first: Option<Child>,
}

impl ProcessGroup {
    /// Starts a program. Its pipes are the caller's.
    pub(super) fn start(command: &mut Command) -> io::Result<(ProcessGroup, Pipes)> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut running = running();
        let mut first = command.spawn()?;
        running.push(first.id());
        let pipes = Pipes { printed: first.stdout.take(), complained: first.stderr.take() };
        Ok((ProcessGroup { first: Some(first) }, pipes))
    }

    /// Whether the first process has exited.
    pub(super) fn has_ended(&mut self) -> io::Result<bool> {
        self.first.as_mut().map_or(Ok(true), has_ended)
    }

    /// Asks the group to end, and ends it if that takes too long.
    pub(super) fn stop(&mut self) {
        #[cfg(unix)]
        if let Some(first) = &self.first {
            signal(first.id(), Signal::TERM);
            let asked = Instant::now();
            while asked.elapsed() < TIDY_UP && matches!(self.has_ended(), Ok(false)) {
                thread::sleep(POLL);
            }
        }
        self.end();
    }

    /// Kills what is left of the group. The exit status, if the first process is gone by now.
    pub(super) fn end(&mut self) -> Option<ExitStatus> {
        let mut first = self.first.take()?;
        let id = first.id();
        kill(&mut first);
        running().retain(|&other| other != id);
        let killed = Instant::now();
        loop {
            match first.try_wait() {
                Ok(Some(exit)) => {
                    while killed.elapsed() < VANISH && is_there(id) {
                        thread::sleep(POLL);
                    }
                    return Some(exit);
                }
                Ok(None) if killed.elapsed() < VANISH => thread::sleep(POLL),
                Ok(None) => {
                    // It is dying, and nobody needs to watch.
                    let reaper = thread::Builder::new().name("reaper".to_owned());
                    drop(reaper.spawn(move || first.wait()));
                    return None;
                }
                Err(_) => return None,
            }
        }
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.end();
    }
}

/// Where a program prints to.
#[derive(Debug)]
pub(super) struct Pipes {
    pub(super) printed: Option<std::process::ChildStdout>,
    pub(super) complained: Option<std::process::ChildStderr>,
}

/// Kills the groups of all threads, and keeps them from starting new ones.
pub(super) fn end_all() {
    let running = running();
    #[cfg(unix)]
    for &id in &*running {
        signal(id, Signal::KILL);
    }
    std::mem::forget(running);
}

#[cfg(unix)]
fn has_ended(first: &mut Child) -> io::Result<bool> {
    // Leaves it to be reaped.
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    match waitid(WaitId::Pid(Pid::from_child(first)), options) {
        Ok(ended) => Ok(ended.is_some()),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
fn has_ended(first: &mut Child) -> io::Result<bool> {
    first.try_wait().map(|exit| exit.is_some())
}

#[cfg(unix)]
fn kill(first: &mut Child) {
    signal(first.id(), Signal::KILL);
}

#[cfg(not(unix))]
fn kill(first: &mut Child) {
    // An error means that it has exited.
    drop(first.kill());
}

#[cfg(unix)]
fn pid(id: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(id).ok()?)
}

#[cfg(unix)]
fn signal(id: u32, signal: Signal) {
    if let Some(group) = pid(id) {
        // An error means that the group is gone, or all zombies (macOS).
        let _ = kill_process_group(group, signal);
    }
}

/// Whether a group has processes.
#[cfg(unix)]
fn is_there(id: u32) -> bool {
    pid(id).is_some_and(|group| test_kill_process_group(group).is_ok())
}

#[cfg(not(unix))]
fn is_there(_: u32) -> bool {
    false
}
