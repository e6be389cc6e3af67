//! The machine that a comparison was run on, as far as it tells.

use serde::{Deserialize, Serialize};
use std::fs;
use std::thread;

/// What a figure depends on beside the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Machine {
    pub(super) processor: String,
    /// Processors that this process may use.
    pub(super) cores: usize,
    pub(super) memory_bytes: Option<u64>,
    /// The operating system and its release.
    pub(super) system: String,
}

impl Machine {
    /// This one.
    pub(super) fn here() -> Machine {
        Machine {
            processor: processor().unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            cores: thread::available_parallelism().map_or(1, usize::from),
            memory_bytes: memory_bytes(),
            system: system(),
        }
    }

    /// One line for people.
    pub(super) fn describe(&self) -> String {
        let cores = if self.cores == 1 { "1 core" } else { &format!("{} cores", self.cores) };
        let memory = self.memory_bytes.map(|bytes| format!("{} GiB", bytes.div_ceil(1 << 30)));
        let parts = [Some(self.processor.as_str()), Some(cores), memory.as_deref()];
        let known: Vec<&str> =
            parts.into_iter().chain([Some(self.system.as_str())]).flatten().collect();
        known.join(", ")
    }
}

/// The value of a line `name : value`.
fn field(text: &str, name: &str) -> Option<String> {
    let value = |line: &str| {
        let (found, value) = line.split_once(':')?;
        (found.trim() == name).then(|| value.trim().to_owned())
    };
    text.lines().find_map(value).filter(|value| !value.is_empty())
}

fn processor() -> Option<String> {
    field(&fs::read_to_string("/proc/cpuinfo").ok()?, "model name")
}

fn memory_bytes() -> Option<u64> {
    let total = field(&fs::read_to_string("/proc/meminfo").ok()?, "MemTotal")?;
    total.strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(unix)]
fn system() -> String {
    let name = rustix::system::uname();
    let [system, release, machine] = [name.sysname(), name.release(), name.machine()];
    let [system, release, machine] = [system, release, machine].map(|part| part.to_string_lossy());
    format!("{system} {release} {machine}")
}

#[cfg(not(unix))]
fn system() -> String {
    format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)
}
