//! Integer programming solvers and races on the command line: what they claim is told as such.

mod command_line;

use command_line::{Answer, Folder};
use pbsolve::backend::{self, Kind};
#[cfg(unix)]
use std::process::Command;
#[cfg(unix)]
use std::thread;
#[cfg(unix)]
use std::time::{Duration, Instant};

/// A knapsack whose best value is 9, at x1 and x3.
const KNAPSACK: &str = "max: +5 x1 +3 x2 +4 x3 ;\n+4 x1 +3 x2 +2 x3 <= 7 ;\n";

/// The names and titles of the solvers that this build has.
fn solvers() -> impl Iterator<Item = (&'static str, &'static str)> {
    let entries = backend::ALL.iter();
    let entries = entries.filter(|entry| entry.kind == Kind::Ilp && entry.is_available());
    entries.map(|entry| (entry.name, entry.title))
}

#[track_caller]
fn assert_answer(answer: &Answer, stdout: &str, stderr: &str, code: i32) {
    let found = (answer.stdout.as_str(), answer.stderr.as_str(), answer.code);
    assert_eq!(found, (stdout, stderr, Some(code)));
}

#[test]
fn the_best_solution_is_called_satisfiable_and_optimal_by_the_solver_only() {
    let folder = Folder::with("knapsack.opb", KNAPSACK);
    folder.write("start", "x1 1\nx2 0\nx3 1\n");
    for (name, title) in solvers() {
        let told = format!("c {title} says that this is optimal: not checked\n");
        let answer = folder.pbsolve(&format!("solve knapsack.opb --backend {name} --start start"));
        assert_answer(&answer, "o 9\ns SATISFIABLE\nv x1 -x2 x3\n", &told, 10);
        let answer = folder.pbsolve(&format!("solve knapsack.opb --backend {name}"));
        assert!(answer.stdout.ends_with("o 9\ns SATISFIABLE\nv x1 -x2 x3\n"), "{answer}");
        assert_eq!((answer.stderr.as_str(), answer.code), (told.as_str(), Some(10)));
    }
}

#[test]
fn a_claim_of_no_solution_is_unknown() {
    let folder = Folder::with("no.opb", "+2 x1 +2 x2 = 3 ;\n");
    folder.write("none.opb", format!("{KNAPSACK}+1 x1 +1 x2 >= 3 ;\n"));
    folder.write("board", "XX.OO.\nXX....\n......\n......\n......\n.OOOO.\n");
    for (name, title) in solvers() {
        let told = format!("c {title} says that there is no solution: not checked\n");
        for model in ["no.opb", "none.opb"] {
            let answer = folder.pbsolve(&format!("solve {model} --backend {name}"));
            assert_answer(&answer, "s UNKNOWN\n", &told, 0);
        }
        let board = folder.pbsolve(&format!("binox board --backend {name}"));
        let told = format!("not decided: {title} says that there is no solution: not checked\n");
        assert_answer(&board, &told, "", 3);
    }
}

#[test]
fn a_second_board_is_found_and_checked() {
    let folder = Folder::with("board", "......\n......\n......\n......\n......\n......\n");
    for (name, _) in solvers() {
        let answer = folder.pbsolve(&format!("binox board --backend {name}"));
        let told = answer.printed(0).lines().last().unwrap_or_default();
        assert!(told.starts_with("at least two solutions, which differ at"), "{answer}");
    }
}

#[test]
fn what_a_solver_cannot_take_is_unsupported() {
    let folder = Folder::with("big.opb", "min: +1 x1 ;\n+9007199254740993 x1 +1 x2 >= 2 ;\n");
    folder.write("decision.opb", "+9007199254740993 x1 +1 x2 >= 2 ;\n");
    for (name, title) in solvers() {
        let told = format!(
            "row 1, the coefficient of x1: 9007199254740993 is beyond 2^53, up to which the \
             floating-point numbers of {title} are exact\n"
        );
        for model in ["big.opb", "decision.opb"] {
            let answer = folder.pbsolve(&format!("solve {model} --backend {name}"));
            assert_answer(&answer, "s UNSUPPORTED\n", &told, 0);
        }
        // The other member of a race takes it.
        let raced = folder.pbsolve(&format!("solve big.opb --backend {name} --backend varisat"));
        assert_eq!(raced.code, Some(30), "{raced}");
        let why = "error: --count and --all need a SAT solver: an ILP solver finds one solution\n";
        let answer = folder.pbsolve(&format!("solve decision.opb --backend {name} --count"));
        assert_eq!(answer.refusal(), why);
    }
}

#[test]
fn a_race_proves_what_is_best_and_says_who_wins() {
    let folder = Folder::with("knapsack.opb", KNAPSACK);
    folder.write("no.opb", "+2 x1 +2 x2 = 3 ;\n");
    let sat = if cfg!(feature = "cadical") { "CaDiCaL" } else { "Varisat" };
    let answer = folder.pbsolve("solve knapsack.opb --backend portfolio -v");
    assert!(answer.stdout.ends_with("s OPTIMUM FOUND\nv x1 -x2 x3\n"), "{answer}");
    assert_eq!(answer.code, Some(30), "{answer}");
    let first = answer.stderr.lines().next().unwrap_or_default();
    let (told, shape) = first.rsplit_once(": ").expect("it says why");
    assert!(told.starts_with("c portfolio: ") && told.contains(sat), "{first}");
    assert_eq!(shape, "1 row, 1 of them weighted up to 4");
    assert!(answer.stderr.contains(" has the last word (optimal) after "), "{answer}");

    let answer = folder.pbsolve("solve no.opb --backend microlp --backend varisat -v");
    assert_eq!((answer.stdout.as_str(), answer.code), ("s UNSATISFIABLE\n", Some(20)), "{answer}");
    assert!(answer.stderr.starts_with("c portfolio: 2 back-ends, as chosen\n"), "{answer}");
    assert!(answer.stderr.contains("c Varisat wins (unsatisfiable) after "), "{answer}");
    let answer = folder.pbsolve("solve knapsack.opb --backend portfolio --count");
    assert_eq!(answer.printed(0), "7 solutions\n");
    let answer = folder.pbsolve("solve knapsack.opb --backend portfolio --count -v");
    let told = "c portfolio: Varisat answers, since there is no race\n";
    assert_answer(&answer, "7 solutions\n", told, 0);
}

#[cfg(unix)]
#[test]
fn an_external_solver_is_told_by_its_program() {
    let folder = Folder::with("knapsack.opb", KNAPSACK);
    folder.write(
        "wrong.sh",
        "echo 'Optimal - objective value 0'; echo '0 x1 1 0'; echo '1 x2 1 0'; echo '2 x3 1 0'\n",
    );
    let mut command = folder.command("solve knapsack.opb --ilp-solver");
    let answer = Answer::of(command.arg("sh wrong.sh {lp}").output().expect("it starts"));
    let told = "c the solver failed: `sh`'s solution is not believed: it violates row 1: the sum is 9, \
                but must be at most 7\n";
    assert_answer(&answer, "s UNKNOWN\n", told, 0);
    let mut command = folder.command("solve knapsack.opb --ilp-solver");
    let answer = Answer::of(command.arg("cbc {lp} > log").output().expect("it starts"));
    assert!(answer.refusal().starts_with("error: --ilp-solver: no shell runs"), "{answer}");
}

/// Sums that must be met exactly: no solver decides this in the time of a test.
fn market_split() -> String {
    let mut state = 11u64;
    let mut weight = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % 100
    };
    let mut row = || {
        let weights: Vec<u64> = (0..60).map(|_| weight()).collect();
        let term = |(i, weight): (usize, &u64)| format!("+{weight} x{} ", i + 1);
        let sum: String = weights.iter().enumerate().map(term).collect();
        format!("{sum}= {} ;\n", weights.iter().sum::<u64>() / 2)
    };
    (0..7).map(|_| row()).collect()
}

#[cfg(unix)]
#[test]
fn limits_and_signals_end_every_back_end_in_time() {
    let folder = Folder::with("hard.opb", market_split());
    let names = solvers().map(|(name, _)| name).chain(["portfolio"]);
    for name in names {
        let started = Instant::now();
        let answer = folder.pbsolve(&format!("solve hard.opb --backend {name} --timeout 0.5"));
        assert_answer(&answer, "s UNKNOWN\n", "c the time limit was reached\n", 0);

        let child = folder.command(&format!("solve hard.opb --backend {name}")).spawn().unwrap();
        thread::sleep(Duration::from_millis(500));
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(sent.expect("kill is there").success());
        let answer = Answer::of(child.wait_with_output().expect("it ends"));
        assert_answer(&answer, "s UNKNOWN\n", "c interrupted\n", 0);
        // Half a second each, and what a busy machine adds.
        assert!(started.elapsed() < Duration::from_secs(10), "{name}: {:?}", started.elapsed());
    }
}

/// The end of the process once destroyed what the thread of `HiGHS` still used, one time in three.
#[test]
fn a_search_that_is_left_behind_does_not_break_the_end() {
    let folder = Folder::with("hard.opb", market_split());
    for name in solvers().map(|(name, _)| name).chain(["portfolio"]) {
        for run in 0..12 {
            let timeout = 0.1 + 0.02 * f64::from(run);
            let command = format!("solve hard.opb --backend {name} --timeout {timeout}");
            let answer = folder.pbsolve(&command);
            assert_answer(&answer, "s UNKNOWN\n", "c the time limit was reached\n", 0);
        }
    }
}
