//! Ctrl-C, SIGTERM and the time limit. All stages look at one flag and at the deadline; a stage
//! that does not look in time is ended with the process.

use super::exit_code::{self, ExitCode};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::Duration;

/// How long a stage may take to notice.
const GRACE: Duration = Duration::from_millis(700);

static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// What was begun last: who is first, the answer or the end without one, decides.
static ENDING: AtomicU8 = AtomicU8::new(OPEN);
const OPEN: u8 = 0;
const ANSWERING: u8 = 1;
const GIVING_UP: u8 = 2;

/// A file that is being written, to be removed if the process ends before it is complete.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// What a command prints and returns when it is ended without an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastWords {
    /// For standard output.
    pub(crate) text: &'static str,
    /// How the process ends.
    pub(crate) code: ExitCode,
}

/// The flag that Ctrl-C and SIGTERM set.
pub(crate) fn flag() -> Arc<AtomicBool> {
    Arc::clone(FLAG.get_or_init(Arc::default))
}

/// From here on, signals set the flag, and the process ends with these words if it has not begun
/// to answer soon after a signal or the time limit.
pub(crate) fn watch(timeout: Option<Duration>, words: LastWords) {
    let stop = flag();
    let on_signal = move || {
        if stop.swap(true, Ordering::Relaxed) {
            // The second Ctrl-C means it.
            remove_unfinished();
            pbsolve::backend::end_external_solvers();
            exit_code::end_interrupted();
        }
        thread::spawn(move || give_up_after(GRACE, words));
    };
    // Without a handler, a signal ends the process at once, which is prompt as well.
    drop(ctrlc::set_handler(on_signal));
    if let Some(timeout) = timeout {
        thread::spawn(move || give_up_after(timeout.saturating_add(GRACE), words));
    }
}

/// From here on, signals set the flag, and whoever looks at it decides when to end; a second one
/// ends the process at once, after `end_now`.
pub(crate) fn watch_flag(end_now: fn()) {
    let stop = flag();
    let on_signal = move || {
        if stop.swap(true, Ordering::Relaxed) {
            remove_unfinished();
            end_now();
            exit_code::end_interrupted();
        }
    };
    // As above.
    drop(ctrlc::set_handler(on_signal));
}

fn give_up_after(wait: Duration, words: LastWords) {
    thread::sleep(wait);
    if ENDING.swap(GIVING_UP, Ordering::SeqCst) == OPEN {
        remove_unfinished();
        pbsolve::backend::end_external_solvers();
        super::print_last_words(words.text);
        words.code.end();
    }
}

/// The answer is about to be printed: from here on nothing cuts it off. Waits for ever if the
/// process is ending already.
pub(crate) fn begin_answer() {
    if ENDING.swap(ANSWERING, Ordering::SeqCst) == GIVING_UP {
        loop {
            thread::park();
        }
    }
}

/// From here on, the file is removed when the process is ended from outside; `None` when it is
/// complete.
pub(crate) fn set_unfinished(path: Option<PathBuf>) {
    if let Ok(mut unfinished) = UNFINISHED.lock() {
        *unfinished = path;
    }
}

fn remove_unfinished() {
    // The lock is kept: a file that is to appear from here on would be one too many.
    let unfinished = UNFINISHED.lock();
    if let Ok(Some(path)) = unfinished.as_deref() {
        // There is nobody to tell.
        drop(fs::remove_file(path));
    }
    std::mem::forget(unfinished);
}

/// There is more to do after the answer, which may be cut off again.
pub(crate) fn resume() {
    ENDING.store(OPEN, Ordering::SeqCst);
}
