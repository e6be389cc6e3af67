//! What a run leaves behind when it is killed before it can end its own children: on Linux they
//! become children of this process, which ends them. Elsewhere they are out of reach.

#[cfg(target_os = "linux")]
mod linux {
    use rustix::process::{
        Pid, Signal, WaitId, WaitIdOptions, getpid, kill_process, set_child_subreaper, waitid,
    };
    use std::fs;

    /// Rounds of looking for orphans, each of which may leave more.
    const ROUNDS: usize = 100;

    /// From here on, orphans of this process's children become its own.
    pub(in super::super) fn adopt() {
        // An old kernel: they stay out of reach.
        let _ = set_child_subreaper(Some(getpid()));
    }

    /// Kills and reaps all children; none may be left that is still wanted.
    pub(in super::super) fn end() {
        for _ in 0..ROUNDS {
            let children = children();
            if children.is_empty() {
                return;
            }
            for child in children {
                // Errors mean that it is gone.
                let _ = kill_process(child, Signal::KILL);
                let _ = waitid(WaitId::Pid(child), WaitIdOptions::EXITED);
            }
        }
    }

    /// The children of all threads of this process.
    fn children() -> Vec<Pid> {
        let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
        let lists = threads.filter_map(|at| fs::read_to_string(at.path().join("children")).ok());
        let ids = lists.flat_map(|list| {
            let ids = list.split_whitespace().map(str::parse::<i32>);
            ids.filter_map(Result::ok).filter_map(Pid::from_raw).collect::<Vec<Pid>>()
        });
        ids.collect()
    }
}

#[cfg(target_os = "linux")]
pub(super) use linux::{adopt, end};

#[cfg(not(target_os = "linux"))]
pub(super) fn adopt() {}

#[cfg(not(target_os = "linux"))]
pub(super) fn end() {}
