//! How much memory is free for this process, and what clauses take of it.

use pbsolve_encodings::Size;

/// Memory that a clause takes in Varisat beside its literals: its header and two watches.
const BYTES_PER_CLAUSE: u64 = 24;
const BYTES_PER_LITERAL: u64 = 8;
/// Four lists of watches, activity, reason, value and names, when the arrays have just grown.
const BYTES_PER_VARIABLE: u64 = 240;

/// What a solver needs for variables and clauses, in bytes: measured on encodings of 40 million
/// clauses with Varisat, of which some have many variables and others many literals, and rounded up.
pub(crate) fn of_clauses(size: Size, num_lits: u64) -> u64 {
    let of_variables = size.variables.saturating_mul(BYTES_PER_VARIABLE);
    let of_clauses = size.clauses.saturating_mul(BYTES_PER_CLAUSE);
    let of_lits = num_lits.saturating_mul(BYTES_PER_LITERAL);
    of_variables.saturating_add(of_clauses).saturating_add(of_lits)
}

/// The memory that is free for this process, in bytes: the least of what the system has, what the
/// limit on its address space leaves (`ulimit -v`), and what its control group leaves. `None` where
/// the system tells nothing, as outside of Linux.
pub(crate) fn free() -> Option<u64> {
    [of_system(), of_address_space(), of_control_group()].into_iter().flatten().min()
}

/// What the clauses of a solver may take where nothing else is said: half of what is free, which
/// leaves room for what it learns.
pub(crate) fn for_clauses() -> u64 {
    free().map_or(u64::MAX, |free| free / 2)
}

fn of_system() -> Option<u64> {
    let memory = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = memory.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    kilobytes(line)
}

fn of_address_space() -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let limit = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = limit.split_whitespace().next()?.parse().ok()?;
    let usage = std::fs::read_to_string("/proc/self/status").ok()?;
    let used = usage.lines().find_map(|line| line.strip_prefix("VmSize:")).and_then(kilobytes)?;
    Some(limit.saturating_sub(used))
}

fn of_control_group() -> Option<u64> {
    let number = |name: &str| -> Option<u64> {
        std::fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?.trim().parse().ok()
    };
    Some(number("memory.max")?.saturating_sub(number("memory.current")?))
}

/// `12 kB`, as the files of the system say it.
fn kilobytes(text: &str) -> Option<u64> {
    text.trim().strip_suffix("kB")?.trim_end().parse::<u64>().ok()?.checked_mul(1024)
}
