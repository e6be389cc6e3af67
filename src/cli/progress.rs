//! The progress line: on a terminal only, and only when something takes longer than a second.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long nothing is shown.
const QUIET: Duration = Duration::from_secs(1);

/// Between two repaints.
const TICK: Duration = Duration::from_millis(200);

/// A line on standard error that tells the time and what is known, until it is dropped.
#[derive(Debug)]
pub(crate) struct ProgressLine {
    line: Arc<Mutex<Line>>,
}

#[derive(Debug, Default)]
struct Line {
    text: String,
    is_shown: bool,
    is_over: bool,
}

impl Line {
    /// Telling how far one is can fail without harm.
    fn clear(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            drop(write!(std::io::stderr().lock(), "\r\x1b[K"));
        }
    }

    fn paint(&mut self, elapsed: Duration) {
        let mut err = std::io::stderr().lock();
        drop(write!(err, "\r\x1b[K{} s  {}", elapsed.as_secs(), self.text));
        drop(err.flush());
        self.is_shown = true;
    }
}

fn locked(line: &Mutex<Line>) -> MutexGuard<'_, Line> {
    line.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ProgressLine {
    /// Begins to tell the time; nothing at all where standard error is no terminal.
    pub(crate) fn start(text: &str) -> ProgressLine {
        let text = text.to_owned();
        let line = Arc::new(Mutex::new(Line { text, ..Line::default() }));
        if std::io::stderr().is_terminal() {
            let line = Arc::clone(&line);
            let started = Instant::now();
            thread::spawn(move || {
                thread::sleep(QUIET);
                loop {
                    let mut line = locked(&line);
                    if line.is_over {
                        return;
                    }
                    line.paint(started.elapsed());
                    drop(line);
                    thread::sleep(TICK);
                }
            });
        }
        ProgressLine { line }
    }

    /// What is known now.
    pub(crate) fn tell(&self, text: String) {
        locked(&self.line).text = text;
    }

    /// Makes room for other output; the line comes back.
    pub(crate) fn clear(&self) {
        locked(&self.line).clear();
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        let mut line = locked(&self.line);
        line.is_over = true;
        line.clear();
    }
}
