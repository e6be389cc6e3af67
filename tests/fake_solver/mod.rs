//! Solvers that are shell scripts, most of which misbehave, and whether something of them is left.

use pbsolve::Limits;
use std::fs;
use std::path::{Path, PathBuf};
#[cfg(not(target_os = "linux"))]
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// A solver written in shell, in a folder of its own. `$1` is the file that it is given, `$2` the
/// answer file if there is one, `$folder` the folder.
pub(crate) struct Fake {
    pub(crate) folder: PathBuf,
}

impl Fake {
    pub(crate) fn new(name: &str, script: &str) -> Fake {
        let folder = std::env::temp_dir().join(format!("fake-{}-{name}", std::process::id()));
        fs::create_dir(&folder).expect("the folder is new");
        // Should one escape, it fills no disk and heats no processor for long.
        let start = format!(
            "ulimit -t 60; ulimit -f 400000; folder='{}'\nfor word; do echo \"$word\"; done > \"$folder/words\"\n\
             echo $$ > \"$folder/new\"; mv \"$folder/new\" \"$folder/id\"\n",
            folder.display()
        );
        fs::write(folder.join("solver.sh"), start + script).expect("can be written");
        Fake { folder }
    }

    /// The command that starts it with these words.
    pub(crate) fn command(&self, words: &str) -> String {
        // Not the script itself: a program that was just written may still be open in a fork.
        format!("sh '{}' {words}", self.folder.join("solver.sh").display())
    }

    /// The number of the group, once the script has begun.
    pub(crate) fn id(&self) -> Option<u32> {
        fs::read_to_string(self.folder.join("id")).ok()?.trim().parse().ok()
    }

    pub(crate) fn wait_for_id(&self) -> u32 {
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(10) {
            if let Some(id) = self.id() {
                return id;
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!("{} does not start", self.folder.display());
    }

    /// Neither a process of the group nor a file.
    pub(crate) fn assert_nothing_is_left(&self) {
        let id = self.id().expect("the script has begun");
        // On a busy machine, what was killed takes a moment to vanish.
        let killed = Instant::now();
        let mut left = processes_of_group(id);
        while !left.is_empty() && killed.elapsed() < Duration::from_secs(3) {
            thread::sleep(Duration::from_millis(5));
            left = processes_of_group(id);
        }
        assert!(left.is_empty(), "{} leaves {left:?}", self.folder.display());
        let words = fs::read_to_string(self.folder.join("words")).expect("was written");
        let files: Vec<&Path> = words.lines().map(Path::new).collect();
        assert!(!files.is_empty());
        for file in files {
            assert!(file.is_absolute(), "{}", file.display());
            let folder = file.parent().expect("is in a folder");
            assert!(!folder.exists(), "{} is left", folder.display());
        }
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.folder));
    }
}

/// The processes of a group that are not just waiting to be reaped by somebody.
#[cfg(target_os = "linux")]
pub(crate) fn processes_of_group(id: u32) -> Vec<String> {
    let is_of_group = |stat: &String| {
        // The name, in parentheses, may have blanks.
        let (_, columns) = stat.rsplit_once(')').expect("the name is in parentheses");
        let columns: Vec<&str> = columns.split_whitespace().collect();
        columns[2] == id.to_string() && columns[0] != "Z"
    };
    let processes = fs::read_dir("/proc").expect("is there").flatten();
    // Some end while they are listed, and not all entries are processes.
    let stats = processes.filter_map(|at| fs::read_to_string(at.path().join("stat")).ok());
    stats.filter(|stat| stat.contains(')')).filter(is_of_group).collect()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn processes_of_group(id: u32) -> Vec<String> {
    let listed = Command::new("ps").args(["-A", "-o", "pgid=,stat=,args="]).output();
    let listed = String::from_utf8(listed.expect("ps is there").stdout).expect("is text");
    let is_of_group = |line: &&str| {
        let mut columns = line.split_whitespace();
        columns.next() == Some(&id.to_string())
            && columns.next().is_some_and(|state| !state.starts_with('Z'))
    };
    listed.lines().filter(is_of_group).map(str::to_owned).collect()
}

/// Long enough not to be reached, short enough for a test that fails.
pub(crate) fn ample() -> Limits {
    Limits::timeout(Duration::from_secs(30))
}

pub(crate) fn short() -> Limits {
    Limits::timeout(Duration::from_millis(400))
}
