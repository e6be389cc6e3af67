//! External solvers: what is believed, what is not, and that nothing is left behind. Most of them
//! are shell scripts that misbehave; the real ones are asked where they are installed.

#![cfg(unix)]

mod fake_solver;
mod random;

use fake_solver::{Fake, ample, processes_of_group, short};
use pbsolve::backend::{CommandError, External, SatSolver, Verdict, end_external_solvers};
use pbsolve::{Limits, Lit, Reason, Var};
use random::Random;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

impl Fake {
    fn solver(&self, words: &str) -> External {
        External::new(&self.command(words)).expect("the command is fine")
    }

    /// What it says to x1 or x2, not x1, which is true with x2 only.
    fn solve(&self, words: &str, limits: &Limits) -> (External, Verdict) {
        let mut solver = self.solver(words);
        solver.add_clause(&lits(&[1, 2]));
        solver.add_clause(&lits(&[-1]));
        let verdict = solver.solve(&[], limits);
        self.assert_nothing_is_left();
        (solver, verdict)
    }
}

fn lits(numbers: &[i32]) -> Vec<Lit> {
    numbers.iter().map(|&number| Lit::from_dimacs(number).expect("is a literal")).collect()
}

fn value(solver: &External, number: usize) -> bool {
    solver.value(Var::new(number - 1))
}

/// Asks a script that says something wrong; the reason must have all these parts.
#[track_caller]
fn is_not_believed(name: &str, script: &str, parts: &[&str]) {
    file_is_not_believed(name, "{cnf}", script, parts);
}

#[track_caller]
fn file_is_not_believed(name: &str, words: &str, script: &str, parts: &[&str]) {
    let (solver, verdict) = Fake::new(name, script).solve(words, &ample());
    let Verdict::Unknown(Reason::Failed(why)) = verdict else {
        panic!("{name}: {verdict:?}");
    };
    for part in parts {
        assert!(why.contains(part), "{name}: {why}");
    }
    assert!(!value(&solver, 2) && solver.failed_core().is_empty());
}

#[track_caller]
fn is_stopped(name: &str, script: &str) {
    let fake = Fake::new(name, script);
    let started = Instant::now();
    let (_, verdict) = fake.solve("{cnf}", &short());
    assert_eq!(verdict, Verdict::Unknown(Reason::Timeout), "{name}");
    let took = started.elapsed();
    assert!(took < Duration::from_millis(2500), "{name}: {took:?}");
}

const RIGHT: &str = "echo 's SATISFIABLE'; echo 'v -1 2 0'; exit 10";

#[test]
fn right_answers_are_believed() {
    for (name, script) in [
        ("right", RIGHT),
        ("right-0", "printf 's SATISFIABLE\\r\\nv -1\\r\\nv 2 0\\r\\n'"),
        ("right-values-first", "echo 'c hello'; echo 'v -1 2 0'; echo 's SATISFIABLE'; exit 10"),
        ("right-more-values", "echo 's SATISFIABLE'; echo 'v -1 2 3 -2147483647 0'; exit 10"),
        ("right-minisat", "echo SAT; echo -1 2 0; exit 10"),
        ("right-complains", "head -c 3000000 /dev/zero >&2; echo SAT; echo -1 2 0; exit 10"),
        ("right-comments", "yes 'c much' | head -n 500000; echo SAT; echo -1 2 0; exit 10"),
    ] {
        let (solver, verdict) = Fake::new(name, script).solve("{cnf}", &ample());
        assert_eq!(verdict, Verdict::Satisfiable, "{name}");
        assert!(!value(&solver, 1) && value(&solver, 2) && !value(&solver, 3), "{name}");
    }
    for (name, script) in [
        ("right-unsatisfiable", "echo 's UNSATISFIABLE'; exit 20"),
        ("right-unsatisfiable-0", "echo 'c x'; echo 's UNSATISFIABLE'; exit 0"),
        ("right-unsatisfiable-minisat", "echo UNSAT; exit 20"),
    ] {
        // They cannot be checked.
        let (_, verdict) = Fake::new(name, script).solve("{cnf}", &ample());
        assert_eq!(verdict, Verdict::Unsatisfiable, "{name}");
    }
}

#[test]
fn a_solver_that_hangs_is_stopped() {
    is_stopped("hangs", "sleep 30");
    is_stopped("hangs-itself", "while :; do :; done");
    is_stopped("hangs-without-output", "exec >&- 2>&-; sleep 30");
    is_stopped("hangs-after-verdict", "echo 's SATISFIABLE'; sleep 30");
    is_stopped("hangs-after-answer", "echo 's SATISFIABLE'; echo 'v -1 2 0'; sleep 30");
    is_stopped("hangs-with-children", "sleep 30 & sleep 30 | sleep 30 & (sleep 30; sleep 30)");
}

#[test]
fn a_solver_that_ignores_sigterm_is_killed() {
    is_stopped("ignores", "trap '' TERM; for i in 1 2 3 4; do sleep 8; done");
    is_stopped("children-ignore", "(trap '' TERM; sleep 30) & sleep 30");
    is_stopped("answers-sigterm", "trap \"echo 's UNSATISFIABLE'; exit 20\" TERM; sleep 30 & wait");
}

#[test]
fn a_solver_may_tidy_up_at_sigterm() {
    let script = "trap 'touch \"$folder/tidy\"; exit 0' TERM; sleep 30 & wait";
    let fake = Fake::new("tidies", script);
    let (_, verdict) = fake.solve("{cnf}", &short());
    assert_eq!(verdict, Verdict::Unknown(Reason::Timeout));
    assert!(fake.folder.join("tidy").exists());
}

#[test]
fn the_stop_flag_stops_a_solver_which_has_a_group_of_its_own() {
    let fake = Fake::new("stopped", "sleep 30");
    let limits = ample();
    let group = thread::scope(|scope| {
        let stopper = scope.spawn(|| {
            let id = fake.wait_for_id();
            let group = processes_of_group(id);
            limits.stop.store(true, Ordering::Relaxed);
            group
        });
        let (_, verdict) = fake.solve("{cnf}", &limits);
        assert_eq!(verdict, Verdict::Unknown(Reason::Interrupted));
        stopper.join().expect("it ends well")
    });
    assert!(!group.is_empty(), "the script is in a group with its number");
}

#[test]
fn a_limit_that_is_reached_starts_nothing() {
    let fake = Fake::new("too-late", RIGHT);
    let mut solver = fake.solver("{cnf}");
    let limits = Limits::timeout(Duration::ZERO);
    assert_eq!(solver.solve(&[], &limits), Verdict::Unknown(Reason::Timeout));
    assert_eq!(fake.id(), None);
    assert!(solver.capabilities().keeps_limits && solver.capabilities().survives_limits);
}

#[test]
fn children_of_a_solver_that_exits_end_with_it() {
    for (name, script) in [
        ("forks", "sleep 30 & echo 's UNSATISFIABLE'; exit 20"),
        ("forks-deaf", "(trap '' TERM HUP; sleep 30) & echo 's UNSATISFIABLE'; exit 20"),
        ("forks-silent", "sleep 30 > /dev/null 2>&1 & echo 's UNSATISFIABLE'; exit 20"),
    ] {
        let started = Instant::now();
        let (_, verdict) = Fake::new(name, script).solve("{cnf}", &ample());
        assert_eq!(verdict, Verdict::Unsatisfiable, "{name}");
        assert!(started.elapsed() < Duration::from_secs(5), "{name}: {:?}", started.elapsed());
    }
    let leaves_answer_to_child = "(sleep 1; echo 's UNSATISFIABLE') & exit 20";
    is_not_believed("forks-answer", leaves_answer_to_child, &["no answer", "exit code 20"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_child_that_leaves_the_group_keeps_nobody_waiting() {
    let escapes = "setsid sleep 5 & echo 's UNSATISFIABLE'; sleep 0.1; exit 20";
    let started = Instant::now();
    is_not_believed("escapes", escapes, &["left its group"]);
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
}

#[test]
fn a_solver_that_crashes_is_not_believed() {
    let crash = "echo 's UNSATISFIABLE'; kill -SEGV $$; sleep 30";
    is_not_believed(
        "crashes",
        crash,
        &["did not exit by itself", "signal: 11", "`s UNSATISFIABLE`"],
    );
    let killed = "echo 's SATISFIABLE'; echo 'v -1 2 0'; kill -KILL $$; sleep 30";
    is_not_believed("is-killed", killed, &["signal: 9"]);
}

#[test]
fn what_is_no_answer_is_shown() {
    let garbage = "head -c 300 /dev/zero | tr '\\0' '\\377'; echo; exit 10";
    is_not_believed("garbage", garbage, &["line 1", "exit code 10", "...`"]);
    let usage = "echo 'usage: solver [options] <file>'; echo 'unknown option' >&2; exit 1";
    let seen = "(exit code 1; standard output begins with `usage: solver [options] <file>`; \
                standard error begins with `unknown option`)";
    is_not_believed("usage", usage, &["line 1: a line of a SAT solver begins with", seen]);
    is_not_believed("empty", "exit 20", &["a verdict is missing", "standard output is empty"]);
    let crash = "echo 'c version 1'; echo; echo 'Aborted: no memory' >&2; exit 134";
    is_not_believed("comments", crash, &["verdict is missing", "`c version 1`", "no memory"]);
    is_not_believed("values-only", "echo 'v -1 2 0'; exit 10", &["a verdict is missing"]);
    is_not_believed(
        "partial",
        "echo 's SATISFIABLE'; echo 'v -1 2'; exit 10",
        &["the 0 that ends"],
    );
    is_not_believed("cut", "printf 's SATISFIA'; exit 10", &["`s` is followed by"]);
    let twice = "echo 's UNSATISFIABLE'; echo 's UNSATISFIABLE'; exit 20";
    is_not_believed("twice", twice, &["line 2: a second verdict"]);
    let both = "echo 's SATISFIABLE'; echo 'v 1 -1 2 0'; exit 10";
    is_not_believed("both-values", both, &["variable 1 has both values"]);
}

#[test]
fn a_solver_that_gives_up_is_unknown() {
    is_not_believed("unknown", "echo 's UNKNOWN'; exit 0", &["says UNKNOWN", "exit code 0"]);
    is_not_believed("indeterminate", "echo 's INDETERMINATE'; exit 15", &["says UNKNOWN"]);
}

#[test]
fn a_solver_that_prints_without_end_is_stopped() {
    let started = Instant::now();
    is_not_believed("huge", "yes", &["prints more than 16777344 bytes"]);
    is_not_believed("huge-line", "cat /dev/zero", &["prints more than"]);
    file_is_not_believed(
        "huge-file",
        "{cnf} {out}",
        "head -c 100000000 /dev/zero > \"$2\"; sleep 30",
        &["answer file"],
    );
    assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
}

#[test]
fn an_exit_code_that_contradicts_is_not_believed() {
    let satisfiable = "echo 's SATISFIABLE'; echo 'v -1 2 0'";
    for code in [20, 1, 11] {
        let (name, script) = (format!("sat-{code}"), format!("{satisfiable}; exit {code}"));
        is_not_believed(&name, &script, &["says SATISFIABLE", &format!("exit code {code}")]);
    }
    for code in [10, 1] {
        let (name, script) =
            (format!("unsat-{code}"), format!("echo 's UNSATISFIABLE'; exit {code}"));
        is_not_believed(&name, &script, &["says UNSATISFIABLE", &format!("exit code {code}")]);
    }
}

#[test]
fn a_wrong_model_is_not_believed() {
    let answer = |values| format!("echo 's SATISFIABLE'; echo 'v {values} 0'; exit 10");
    is_not_believed("wrong-1", &answer("-1 -2"), &["claims a model that violates clause 1 ("]);
    is_not_believed("wrong-2", &answer("1 2"), &["claims a model that violates clause 2 ("]);
    is_not_believed("missing-1", &answer("2"), &["has no value for variable 1 ("]);
    is_not_believed("missing-2", &answer("-1"), &["has no value for variable 2 ("]);
    is_not_believed("missing-all", &answer(""), &["has no value for variable 1 ("]);
    let many: Vec<String> = (1..=400).map(|number| format!("-{number}")).collect();
    is_not_believed("wrong-many", &answer(&many.join(" ")), &["violates clause 1 ("]);
}

#[test]
fn a_model_must_meet_the_assumptions() {
    let fake = Fake::new("assumptions", RIGHT);
    let mut solver = fake.solver("{cnf}");
    solver.add_clause(&lits(&[1, 2]));
    assert_eq!(solver.solve(&lits(&[-1, 2]), &ample()), Verdict::Satisfiable);
    let verdict = solver.solve(&lits(&[2, 1]), &ample());
    let Verdict::Unknown(Reason::Failed(why)) = verdict else { panic!("{verdict:?}") };
    assert!(why.contains("violates clause 3 "), "{why}");
    let verdict = solver.solve(&lits(&[5]), &ample());
    let Verdict::Unknown(Reason::Failed(why)) = verdict else { panic!("{verdict:?}") };
    assert!(why.contains("no value for variable 5 "), "{why}");
    solver.add_clause(&[]);
    let verdict = solver.solve(&[], &ample());
    let Verdict::Unknown(Reason::Failed(why)) = verdict else { panic!("{verdict:?}") };
    assert!(why.contains("violates clause 2 "), "{why}");
}

#[test]
fn each_call_writes_the_whole_formula() {
    let fake = Fake::new("whole", "cp \"$1\" \"$folder/copy\"; echo UNSAT; exit 20");
    let copy = || fs::read_to_string(fake.folder.join("copy")).expect("was copied");
    let mut solver = fake.solver("");
    assert_eq!(solver.name(), "external");
    assert_eq!(solver.solve(&[], &ample()), Verdict::Unsatisfiable);
    assert_eq!(copy(), "p cnf 0 0\n");
    solver.add_clause(&lits(&[-3, 1]));
    assert_eq!(solver.solve(&lits(&[7, -2]), &ample()), Verdict::Unsatisfiable);
    assert_eq!(copy(), "p cnf 7 3\n-3 1 0\n7 0\n-2 0\n");
    assert_eq!(solver.failed_core(), lits(&[7, -2]));
    solver.add_clause(&[]);
    assert_eq!(solver.solve(&[], &ample()), Verdict::Unsatisfiable);
    assert_eq!(copy(), "p cnf 3 2\n-3 1 0\n0\n");
    assert!(solver.failed_core().is_empty());
    fake.assert_nothing_is_left();
}

#[test]
fn a_call_after_a_limit_is_fine() {
    let script = format!("test -e \"$folder/again\" || sleep 30\n{RIGHT}");
    let fake = Fake::new("again", &script);
    let (mut solver, verdict) = fake.solve("{cnf}", &short());
    assert_eq!(verdict, Verdict::Unknown(Reason::Timeout));
    fs::write(fake.folder.join("again"), "").expect("can be written");
    assert_eq!(solver.solve(&[], &ample()), Verdict::Satisfiable);
    assert!(value(&solver, 2));
}

#[test]
fn variables_in_no_clause_may_be_missing() {
    let fake = Fake::new("unused", "echo SAT; echo 5 0; exit 10");
    let mut solver = fake.solver("{cnf}");
    solver.add_clause(&lits(&[5]));
    assert_eq!(solver.solve(&[], &ample()), Verdict::Satisfiable);
    assert!(value(&solver, 5) && !value(&solver, 1) && !value(&solver, 99));
}

#[test]
fn an_answer_file_is_read_instead_of_the_output() {
    let noise = "echo '==== statistics ===='; echo SATISFIABLE";
    let script = format!("{noise}; (echo SAT; echo -1 2 0) > \"$2\"; exit 10");
    let (solver, verdict) = Fake::new("file", &script).solve("{cnf} {out}", &ample());
    assert_eq!(verdict, Verdict::Satisfiable);
    assert!(value(&solver, 2));
    let script = format!("yes | head -c 20000000; {noise}; echo UNSAT > \"$2\"; exit 20");
    let (_, verdict) = Fake::new("file-unsatisfiable", &script).solve("{cnf} {out}", &ample());
    assert_eq!(verdict, Verdict::Unsatisfiable);
    for (name, script, part) in [
        ("file-missing", "echo 's UNSATISFIABLE'; exit 20", "writes no answer file"),
        ("file-none", "mkfifo \"$2\"; exit 20", "an answer file that is none"),
        ("file-empty", "touch \"$2\"; exit 20", "a verdict is missing"),
        ("file-partial", "echo SAT > \"$2\"; exit 10", "the 0 that ends"),
        ("file-code", "echo UNSAT > \"$2\"; exit 10", "another code"),
    ] {
        file_is_not_believed(name, "{cnf} {out}", script, &[part]);
    }
}

#[test]
fn a_program_that_cannot_be_started_is_said_so() {
    let folder = std::env::temp_dir().join(format!("fake-{}-unstartable", std::process::id()));
    fs::create_dir(&folder).expect("the folder is new");
    let text = folder.join("text");
    fs::write(&text, "not a program").expect("can be written");
    for program in [Path::new("no-such-solver-anywhere"), &folder, &text] {
        let mut solver = External::new(&format!("'{}'", program.display())).expect("is fine");
        solver.add_clause(&lits(&[987_654, -987_653]));
        let verdict = solver.solve(&[], &ample());
        let Verdict::Unknown(Reason::Failed(why)) = verdict else { panic!("{verdict:?}") };
        let expected = format!("`{}` cannot be started: ", program.display());
        assert!(why.starts_with(&expected), "{why}");
    }
    fs::remove_dir_all(&folder).expect("was created");
    // Other tests have their files at the same time; the number tells which are of this one.
    let own = format!("pbsolve-{}-", std::process::id());
    for entry in fs::read_dir(std::env::temp_dir()).expect("is there").flatten() {
        if entry.file_name().to_string_lossy().starts_with(&own) {
            let left = fs::read_to_string(entry.path().join("formula.cnf")).unwrap_or_default();
            assert!(!left.contains("987654"), "{} is left", entry.path().display());
        }
    }
}

#[test]
fn a_command_that_needs_a_shell_is_an_error() {
    let error = |command| External::new(command).map(drop).expect_err("is an error");
    assert_eq!(error(" "), CommandError::NoProgram);
    let shown = error("cadical '{cnf}").to_string();
    assert_eq!(shown, "the command has an opening ' without a closing one");
    let shown = error("cadical {cnf} | tee log").to_string();
    let expected = "no shell runs the command, so that `|` means nothing: put it in single quotes";
    assert_eq!(shown, expected);
}

/// Set for the child process of the test below.
const FAKE_OF_CHILD: &str = "PBSOLVE_TEST_ENDS_SOLVERS";

#[test]
#[allow(clippy::exit, reason = "the test is about what is left of a process that exits")]
fn a_process_that_exits_early_can_end_its_solvers() {
    if let Some(folder) = std::env::var_os(FAKE_OF_CHILD) {
        let fake = std::mem::ManuallyDrop::new(Fake { folder: folder.into() });
        let mut solver = fake.solver("{cnf}");
        thread::spawn(move || solver.solve(&[], &Limits::default()));
        assert!(!processes_of_group(fake.wait_for_id()).is_empty());
        end_external_solvers();
        std::process::exit(77);
    }
    let fake = Fake::new("ended", "trap '' TERM; sleep 30; sleep 30");
    let this = std::env::current_exe().expect("has a path");
    let child = Command::new(this)
        .args(["--exact", "a_process_that_exits_early_can_end_its_solvers"])
        .env(FAKE_OF_CHILD, &fake.folder)
        .output()
        .expect("it starts");
    assert_eq!(child.status.code(), Some(77), "{child:?}");
    fake.assert_nothing_is_left();
}

/// Commands of solvers that are asked if they are installed.
const REAL: [&str; 5] = [
    "cadical -q {cnf}",
    "cadical",
    "minisat {cnf} {out}",
    "cryptominisat5 --verb 0 {cnf}",
    "sh -c 'minisat \"$1\" \"$2\" > /dev/null; code=$?; cat \"$2\"; exit $code' minisat {cnf} {out}",
];

/// The real solvers that are here. Where `PBSOLVE_EXTERNAL_SOLVERS` is set, all must be.
fn real_solvers() -> Vec<&'static str> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_here = |program: &str| std::env::split_paths(&path).any(|at| at.join(program).is_file());
    let (here, missing): (Vec<&str>, Vec<&str>) =
        REAL.iter().partition(|command| match command.split(' ').next() {
            Some("sh") => is_here("minisat"),
            first => first.is_some_and(is_here),
        });
    let must_be_here = std::env::var_os("PBSOLVE_EXTERNAL_SOLVERS").is_some();
    assert!(missing.is_empty() || !must_be_here, "not installed: {missing:?}");
    for command in missing {
        eprintln!("skipped, not installed: {command}");
    }
    here
}

fn is_satisfiable(num_variables: usize, clauses: &[Vec<Lit>]) -> bool {
    (0..1u32 << num_variables).any(|bits| {
        let holds = |lit: &Lit| (bits >> lit.var().index() & 1 == 1) != lit.is_negative();
        clauses.iter().all(|clause| clause.iter().any(holds))
    })
}

#[test]
fn real_solvers_agree_with_brute_force() {
    for command in real_solvers() {
        let mut random = Random::new(5);
        let (mut num_satisfiable, mut num_unsatisfiable) = (0, 0);
        for _ in 0..30 {
            let num_variables = 1 + random.below(7);
            let mut solver = External::new(command).expect("the command is fine");
            let mut clauses: Vec<Vec<Lit>> = Vec::new();
            // Clauses are added between the calls.
            for _ in 0..3 {
                for _ in 0..random.below(2 * num_variables + 1) {
                    let length = 1 + random.below(3);
                    clauses.push((0..length).map(|_| random.lit(num_variables)).collect());
                    solver.add_clause(clauses.last().expect("was pushed"));
                }
                let num_assumed = random.below(3);
                let assumed: Vec<Lit> =
                    (0..num_assumed).map(|_| random.lit(num_variables)).collect();
                let mut all = clauses.clone();
                all.extend(assumed.iter().map(|&lit| vec![lit]));
                let verdict = solver.solve(&assumed, &ample());
                let expected = is_satisfiable(num_variables, &all);
                let matches = match verdict {
                    Verdict::Satisfiable => {
                        num_satisfiable += 1;
                        let holds = |lit: &Lit| solver.value(lit.var()) != lit.is_negative();
                        expected && all.iter().all(|clause| clause.iter().any(holds))
                    }
                    Verdict::Unsatisfiable => {
                        num_unsatisfiable += 1;
                        !expected && solver.failed_core() == assumed
                    }
                    Verdict::Unknown(_) => false,
                };
                assert!(matches, "{command}: {verdict:?} instead of {expected} on {all:?}");
            }
        }
        eprintln!("{command}: {num_satisfiable} satisfiable, {num_unsatisfiable} unsatisfiable");
        assert!(num_satisfiable > 9 && num_unsatisfiable > 9, "{command}");
    }
}

#[test]
fn real_solvers_are_stopped() {
    // Twelve pigeons in eleven holes take them far longer than this.
    let pigeon_in = |pigeon: usize, hole: usize| Var::new(pigeon * 11 + hole).positive();
    for command in real_solvers() {
        let mut solver = External::new(command).expect("the command is fine");
        for pigeon in 0..12 {
            let somewhere: Vec<Lit> = (0..11).map(|hole| pigeon_in(pigeon, hole)).collect();
            solver.add_clause(&somewhere);
            for (other, hole) in (0..pigeon).flat_map(|other| (0..11).map(move |h| (other, h))) {
                solver.add_clause(&[!pigeon_in(pigeon, hole), !pigeon_in(other, hole)]);
            }
        }
        let started = Instant::now();
        let verdict = solver.solve(&[], &short());
        assert_eq!(verdict, Verdict::Unknown(Reason::Timeout), "{command}");
        assert!(started.elapsed() < Duration::from_millis(2500), "{command}");
    }
}

#[test]
fn a_call_costs_little_more_than_the_program() {
    let mut solver = External::new("sh -c 'echo UNSAT; exit 20'").expect("is fine");
    let calls = (0..20).map(|_| {
        let started = Instant::now();
        assert_eq!(solver.solve(&[], &ample()), Verdict::Unsatisfiable);
        started.elapsed()
    });
    let fastest = calls.min().expect("there are some");
    eprintln!("fastest call: {fastest:?}");
    // The shell itself takes 1 ms; waiting in fixed steps would show.
    assert!(fastest < Duration::from_millis(9), "{fastest:?}");
}
