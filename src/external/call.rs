//! One call of an external program: started, read, waited for within the limits.

use super::process_group::ProcessGroup;
use crate::limits::{Limits, Reason};
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The longest time between two looks at the limits.
const POLL: Duration = Duration::from_millis(10);

/// The shortest one, for a program that has closed its output and is about to exit.
const SHORTEST_POLL: Duration = Duration::from_micros(100);

/// How long what a program has printed may take to arrive once its group is gone.
const ARRIVAL: Duration = Duration::from_secs(2);

/// What is kept of a text that is for messages only.
const FOR_MESSAGES: usize = 1 << 12;

/// What a reader sends at its end.
type Text = io::Result<Vec<u8>>;

/// A program that runs.
#[derive(Debug)]
pub(crate) struct Call {
    group: ProcessGroup,
    printed: Receiver<Text>,
    complained: Receiver<Text>,
    max_bytes: usize,
    answer: Option<PathBuf>,
}

/// A program that exited or was killed by somebody else.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) exit: ExitStatus,
    /// Standard output: all of it, or its beginning if the answer is in a file.
    pub(crate) printed: Vec<u8>,
    /// The beginning of standard error.
    complained: Vec<u8>,
}

impl Call {
    /// Starts a program that may print at most `max_bytes`, or write as much to the answer file.
    pub(crate) fn start(
        words: &[OsString],
        max_bytes: usize,
        answer: Option<&Path>,
    ) -> io::Result<Call> {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let (group, pipes) = ProcessGroup::start(&mut command)?;
        let is_for_messages = answer.is_some();
        let kept = if is_for_messages { Kept::Beginning } else { Kept::AllUpTo(max_bytes) };
        Ok(Call {
            group,
            printed: read(pipes.printed.expect("was piped"), kept)?,
            complained: read(pipes.complained.expect("was piped"), Kept::Beginning)?,
            max_bytes,
            answer: answer.map(Path::to_owned),
        })
    }

    /// Waits until the program exits. In every case, nothing of its group is left.
    pub(crate) fn wait(mut self, limits: &Limits) -> Result<Ended, Reason> {
        let waited = self.wait_for_exit(limits);
        let printed = match waited {
            Ok(printed) => printed,
            Err(reason) => {
                self.group.stop();
                return Err(reason);
            }
        };
        let lost = || Reason::Failed("cannot be waited for".to_owned());
        let exit = self.group.end().ok_or_else(lost)?;
        let printed = printed.map_or_else(|| self.late(limits), Ok)?;
        // Whoever holds it open does so for no answer.
        let complained = self.complained.recv_timeout(POLL);
        let complained = complained.ok().and_then(Result::ok).unwrap_or_default();
        Ok(Ended { exit, printed, complained })
    }

    /// What the program printed, if it closed its output before it exited.
    fn wait_for_exit(&mut self, limits: &Limits) -> Result<Option<Vec<u8>>, Reason> {
        let mut printed = None;
        let mut pause = SHORTEST_POLL;
        loop {
            let unclear = |error| Reason::Failed(format!("cannot be waited for: {error}"));
            if self.group.has_ended().map_err(unclear)? {
                return Ok(printed);
            }
            if let Some(reason) = limits.reached() {
                return Err(reason);
            }
            self.check_answer_size()?;
            if printed.is_none() {
                printed = self.arrived(limits.patience().min(POLL))?;
            } else {
                thread::sleep(pause.min(limits.patience()));
                pause = (pause * 2).min(POLL);
            }
        }
    }

    /// What was printed, if its end arrives in time.
    fn arrived(&self, patience: Duration) -> Result<Option<Vec<u8>>, Reason> {
        match self.printed.recv_timeout(patience) {
            Ok(Ok(text)) => Ok(Some(text)),
            Ok(Err(error)) => Err(Reason::Failed(error.to_string())),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                Err(Reason::Failed("cannot be read from".to_owned()))
            }
        }
    }

    /// What was printed, if the program exited first.
    fn late(&self, limits: &Limits) -> Result<Vec<u8>, Reason> {
        let exited = Instant::now();
        while exited.elapsed() < ARRIVAL {
            if let Some(text) = self.arrived(POLL)? {
                return Ok(text);
            }
            if let Some(reason) = limits.reached() {
                return Err(reason);
            }
        }
        let why = "exits, but a process that it started and that left its group still holds its \
                   output open";
        Err(Reason::Failed(why.to_owned()))
    }

    fn check_answer_size(&self) -> Result<(), Reason> {
        let Some(answer) = &self.answer else { return Ok(()) };
        // It need not be there yet.
        let size = fs::symlink_metadata(answer).map_or(0, |metadata| metadata.len());
        if size <= self.max_bytes as u64 {
            return Ok(());
        }
        let why = format!("writes an answer file of more than {} bytes", self.max_bytes);
        Err(Reason::Failed(why))
    }
}

impl Ended {
    /// What there is to see, for messages.
    pub(crate) fn seen(&self) -> String {
        let exit = self.exit.code().map(|code| format!("exit code {code}"));
        let exit = exit.unwrap_or_else(|| self.exit.to_string());
        let printed = begins_with(&self.printed);
        match begins_with(&self.complained).as_str() {
            "is empty" => format!("{exit}; standard output {printed}"),
            complained => {
                format!("{exit}; standard output {printed}; standard error {complained}")
            }
        }
    }
}

/// The first line that has something to say, cut when it is long.
fn begins_with(text: &[u8]) -> String {
    const SHOWN: usize = 100;
    let lines = || text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let is_comment = |line: &[u8]| line == b"c" || line.starts_with(b"c ");
    let telling = lines().find(|line| !line.is_empty() && !is_comment(line));
    let Some(line) = telling.or_else(|| lines().find(|line| !line.is_empty())) else {
        return "is empty".to_owned();
    };
    let line = String::from_utf8_lossy(line);
    let shown: String = line.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    let dots = if line.chars().count() > SHOWN { "..." } else { "" };
    format!("begins with `{shown}{dots}`")
}

/// What is kept of what is read.
#[derive(Clone, Copy, Debug)]
enum Kept {
    /// Everything; more than this is an error.
    AllUpTo(usize),
    /// The beginning; the rest is read and forgotten.
    Beginning,
}

/// Reads in a thread, which sends the text when it is complete.
fn read(pipe: impl Read + Send + 'static, kept: Kept) -> io::Result<Receiver<Text>> {
    let (sender, receiver): (SyncSender<Text>, _) = sync_channel(1);
    let named = thread::Builder::new().name("solver output".to_owned());
    // Nobody waits any longer if sending fails.
    named.spawn(move || drop(sender.send(read_all(pipe, kept))))?;
    Ok(receiver)
}

fn read_all(mut pipe: impl Read, kept: Kept) -> Text {
    let max_bytes = match kept {
        Kept::AllUpTo(max_bytes) => max_bytes,
        Kept::Beginning => FOR_MESSAGES,
    };
    let mut text = Vec::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        let length = match pipe.read(&mut chunk) {
            Ok(0) => return Ok(text),
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let room = max_bytes - text.len();
        text.extend_from_slice(&chunk[..length.min(room)]);
        if length > room && matches!(kept, Kept::AllUpTo(_)) {
            return Err(io::Error::other(format!("prints more than {max_bytes} bytes")));
        }
    }
}
