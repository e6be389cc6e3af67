//! The program under test: its arguments, its standard input, what it prints, how it ends. Each
//! test works in a folder of its own, so that messages name files without their folder.

#![allow(dead_code, reason = "each test program uses a part of this")]

use std::fmt;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder that is removed in the end.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
}

/// What the program printed, and its exit code.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
}

impl Folder {
    pub(crate) fn new() -> Folder {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("pbsolve-{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).expect("the folder for temporary files can be written");
        Folder { path }
    }

    /// A folder with one file.
    pub(crate) fn with(name: &str, text: impl AsRef<[u8]>) -> Folder {
        let folder = Folder::new();
        folder.write(name, text);
        folder
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path.join(name), text).expect("the folder can be written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path.join(name)).expect("the file is there")
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The names of the files.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.path).expect("the folder is there");
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
        names.sort();
        names
    }

    /// The program in this folder, with arguments that have no blanks.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pbsolve"));
        command.current_dir(&self.path).args(arguments.split_whitespace());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// What the program answers to arguments that have no blanks.
    pub(crate) fn pbsolve(&self, arguments: &str) -> Answer {
        Answer::of(self.command(arguments).output().expect("the program starts"))
    }

    /// The same with a standard input.
    pub(crate) fn pbsolve_reading(&self, stdin: impl AsRef<[u8]>, arguments: &str) -> Answer {
        let started = self.command(arguments).stdin(Stdio::piped()).spawn();
        let mut child = started.expect("the program starts");
        let mut pipe = child.stdin.take().expect("it is a pipe");
        // The program may end without reading all of it.
        drop(pipe.write_all(stdin.as_ref()));
        drop(pipe);
        Answer::of(child.wait_with_output().expect("the program ends"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.path));
    }
}

impl Answer {
    pub(crate) fn of(output: Output) -> Answer {
        let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
        Answer {
            stdout: text(output.stdout),
            stderr: text(output.stderr),
            code: output.status.code(),
        }
    }

    /// Standard output of a command that ended with this code, and said nothing else.
    #[track_caller]
    pub(crate) fn printed(&self, code: i32) -> &str {
        assert_eq!((self.code, self.stderr.as_str()), (Some(code), ""), "{self}");
        &self.stdout
    }

    /// Standard error of a command that was refused: exit code 2, and nothing on standard output.
    #[track_caller]
    pub(crate) fn refusal(&self) -> &str {
        assert_eq!((self.code, self.stdout.as_str()), (Some(2), ""), "{self}");
        assert!(!self.stderr.contains("panicked"), "{self}");
        &self.stderr
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Answer { stdout, stderr, code } = self;
        write!(f, "exit code {code:?}\nstandard output:\n{stdout}standard error:\n{stderr}")
    }
}
