//! `--proof` and `verify` on the command line. The checker is a stand-in that says what `veripb`
//! says; `tests/proofs_veripb.rs` has the real one.
#![cfg(unix)]

mod command_line;

use command_line::{Answer, Folder};
use std::os::unix::fs::PermissionsExt;

const UNIQUE: &str = ".X..O.\nO.....\nXO..X.\n...O.O\n.O....\nO.....\n";
const IMPOSSIBLE: &str = "XXX...\n......\n......\n......\n......\n......\n";
const SEVERAL: &str = "......\n......\n......\n......\n......\n......\n";

/// A checker that says this, whatever it is given.
fn checker(folder: &Folder, says: &str, code: i32) {
    folder.write("checker", format!("#!/bin/sh\necho '{says}'\nexit {code}\n"));
    let path = folder.path("checker");
    let mut permissions = std::fs::metadata(&path).unwrap().permissions();
    permissions.set_mode(0o755);
    std::fs::set_permissions(&path, permissions).unwrap();
}

/// Standard output of an answer with a proof, which is told on standard error.
fn proved(answer: &Answer, code: i32) -> &str {
    assert_eq!(answer.code, Some(code), "{answer}");
    assert!(answer.stderr.starts_with("c proof: proof, "), "{answer}");
    &answer.stdout
}

#[test]
fn a_unique_board_has_a_proof_about_its_model_with_an_objective() {
    let folder = Folder::with("board", UNIQUE);
    let answer = folder.pbsolve("binox board --proof proof");
    assert!(proved(&answer, 0).ends_with("unique\n"), "{answer}");
    let proof = folder.read("proof");
    assert!(proof.starts_with("pseudo-Boolean proof version 3.0\n"), "{}", &proof[..60]);
    assert!(proof.ends_with("end pseudo-Boolean proof;\n"), "the footer");
    let exported = folder.pbsolve("export binox board --to opb");
    let opb = folder.read("proof.unique.opb");
    let without = opb.lines().filter(|line| !line.starts_with("min:"));
    assert!(without.eq(exported.printed(0).lines()), "the model and nothing else");

    checker(&folder, "s VERIFIED BOUNDS 36 <= obj <= 36", 0);
    let verified = folder.pbsolve("verify binox board proof --checker ./checker");
    assert_eq!(verified.printed(0), "verified: exactly one solution\n");
    checker(&folder, "s VERIFIED BOUNDS 35 <= obj <= 36", 0);
    let verified = folder.pbsolve("verify binox board proof --checker ./checker");
    assert_eq!(verified.printed(0), "verified: best value between 35 and 36\n");
}

#[test]
fn a_board_without_solutions_has_a_proof_about_its_model() {
    let folder = Folder::with("board", IMPOSSIBLE);
    folder.write("proof.unique.opb", "of another proof");
    let answer = folder.pbsolve("binox board --proof proof");
    assert_eq!(proved(&answer, 1), "no solution\n");
    assert!(!folder.names().contains(&"proof.unique.opb".to_owned()), "{:?}", folder.names());
    checker(&folder, "s VERIFIED UNSATISFIABLE", 0);
    let verified = folder.pbsolve("verify binox board proof --checker ./checker");
    assert_eq!(verified.printed(0), "verified: no solution\n");
}

#[test]
fn several_solutions_have_no_proof() {
    let folder = Folder::with("board", SEVERAL);
    let answer = folder.pbsolve("binox board --proof proof");
    assert!(answer.stderr.contains("no proof"), "{answer}");
    assert!(!folder.names().contains(&"proof".to_owned()), "{:?}", folder.names());
}

#[test]
fn models_have_proofs_of_each_verdict() {
    let folder = Folder::new();
    for (opb, code, says, told) in [
        ("+1 x1 >= 1 ;\n-1 x1 >= 0 ;\n", 20, "s VERIFIED UNSATISFIABLE", "no solution"),
        ("+1 x1 +1 x2 >= 1 ;\n", 10, "s VERIFIED SATISFIABLE", "a solution"),
        (
            "min: +2 x1 -3 x2 ;\n+1 x1 -1 x2 >= 0 ;\n+1 x1 >= 1 ;\n",
            30,
            "s VERIFIED BOUNDS -1 <= obj <= -1",
            "best value -1",
        ),
    ] {
        folder.write("model.opb", opb);
        proved(&folder.pbsolve("solve model.opb --proof proof"), code);
        checker(&folder, says, 0);
        let verified = folder.pbsolve("verify model.opb proof --checker ./checker");
        assert_eq!(verified.printed(0), format!("verified: {told}\n"), "{opb}");
    }
}

/// Weighted rows over literals that exclude each other are grouped, which no proof justifies: such a
/// model is solved first, with groups, and only what has no solution is refuted without them.
#[test]
fn a_model_with_groups_is_solved_as_without_a_proof() {
    let exclusive = |from: usize| {
        let lits: Vec<String> = (from..from + 5).map(|i| format!("+1 x{i}")).collect();
        format!("{} = 1 ;\n", lits.join(" "))
    };
    let digits: String = [1, 6, 11].into_iter().map(exclusive).collect();
    let terms: Vec<String> = (0..15).map(|i| format!("+{} x{}", i % 5 + 3, i + 1)).collect();
    let terms = terms.join(" ");
    for (bounds, code, says) in [
        (format!("{terms} = 17 ;\n"), 10, "conclusion SAT : "),
        (format!("{terms} >= 22 ;\n"), 20, "conclusion UNSAT : "),
    ] {
        let folder = Folder::with("model.opb", format!("{digits}{bounds}"));
        let clauses = |options: &str| {
            let answer = folder.pbsolve(&format!("solve model.opb --stats {options}"));
            assert_eq!(answer.code, Some(code), "{answer}");
            let line = answer.stderr.lines().find(|line| line.starts_with("c clauses"));
            line.expect("the statistics tell it").to_owned()
        };
        assert_eq!(clauses("--proof proof"), clauses(""));
        assert!(folder.read("proof").contains(says), "{}", folder.read("proof"));
        assert_ne!(clauses("--no-groups"), clauses(""));
        assert_eq!(clauses("--no-groups --proof proof"), clauses("--no-groups"));
    }
}

/// Four clauses without a solution, in the order in which they are given to a solver.
const REFUTABLE: &str = "+1 x1 +1 x2 >= 1 ;\n+1 x1 +1 ~x2 >= 1 ;\n+1 ~x1 +1 x2 >= 1 ;\n\
                         +1 ~x1 +1 ~x2 >= 1 ;\n";

/// A solver that refutes whatever it is given, and writes this to the file that it is told.
fn solver(folder: &Folder, proof: &str) {
    let script = format!("printf '{proof}' > \"$2\"\necho s UNSATISFIABLE\nexit 20\n");
    folder.write("solver", script);
}

fn solve_with(folder: &Folder, command: &str) -> Answer {
    let mut started = folder.command("solve model.opb --proof proof --solver");
    Answer::of(started.arg(command).output().expect("the program starts"))
}

#[test]
fn the_proof_of_another_solver_is_taken_over_step_by_step() {
    let folder = Folder::with("model.opb", REFUTABLE);
    // Deletions of clauses that were given, of none that is there, and of units are passed over.
    solver(&folder, "c drat\\n1 2 0\\n1 0\\nd 2 1 0\\nd 1 2 0\\nd 7 8 0\\nd 1 0\\n0\\n");
    proved(&solve_with(&folder, "sh solver {cnf} {proof}"), 20);
    let steps = "rup 1 x1 1 x2 >= 1;\nrup 1 x1 >= 1;\ndel id 5;\nrup >= 1;\n";
    assert!(folder.read("proof").contains(steps), "{}", folder.read("proof"));

    solver(&folder, "5 1 0 1 2 0\\n5 d 1 2 0\\n6 1 0 5 0\\n6 d 5 0\\n7 0 6 3 4 0\\n");
    proved(&solve_with(&folder, "sh solver {cnf} {lrat}"), 20);
    let steps = "rup 1 x1 >= 1 : ~ 1 2;\nrup 1 x1 >= 1 : ~ 5;\ndel id 5;\nrup >= 1 : ~ 6 3 4;\n";
    assert!(folder.read("proof").contains(steps), "{}", folder.read("proof"));

    // Solvers may leave out the empty clause.
    solver(&folder, "1 0\\n");
    proved(&solve_with(&folder, "sh solver {cnf} {proof}"), 20);
    let steps = "rup 1 x1 >= 1;\nrup >= 1;\n";
    assert!(folder.read("proof").contains(steps), "{}", folder.read("proof"));
}

#[test]
fn what_cannot_be_taken_over_of_a_proof_is_told() {
    let folder = Folder::with("model.opb", REFUTABLE);
    for (place, proof, told) in [
        ("{proof}", "9 1 0\\n0\\n", "step 1: variable 9 is in no clause that the solver was given"),
        ("{proof}", "1 x 0\\n", "step 1: `x`, but expected a literal or 0"),
        ("{lrat}", "5 1 0 1 -2 0\\n", "step 1: hint -2: a RAT step"),
        ("{lrat}", "5 1 0 1 8 0\\n", "step 1: hint 8: there is no such clause"),
        ("{lrat}", "4 1 0 1 2 0\\n", "step 1: a second clause with number 4"),
        ("{lrat}", "5 1 0 1 2 0\\n5 2 0 1 0\\n", "step 2: a second clause with number 5"),
        ("{lrat}", "5 1 0 1 2 0\\n", "it ends without the empty clause"),
        ("{lrat}", "", "it ends without the empty clause"),
    ] {
        solver(&folder, proof);
        let answer = solve_with(&folder, &format!("sh solver {{cnf}} {place}"));
        assert_eq!((answer.code, answer.stdout.as_str()), (Some(0), "s UNKNOWN\n"), "{proof}");
        assert!(answer.stderr.contains(told), "{proof}: {answer}");
        assert!(!folder.names().contains(&"proof".to_owned()), "{proof}: {:?}", folder.names());
    }
    folder.write("solver", "echo s UNSATISFIABLE\nexit 20\n");
    let answer = solve_with(&folder, "sh solver {cnf} {proof}");
    assert!(answer.stderr.contains("writes no proof"), "{answer}");
}

#[test]
fn a_command_without_a_place_for_a_proof_is_refused_before_it_runs() {
    let folder = Folder::with("model.opb", REFUTABLE);
    folder.write("solver", "echo here > trace\necho s UNSATISFIABLE\nexit 20\n");
    let refused = solve_with(&folder, "sh solver {cnf}");
    assert!(refused.refusal().contains("--proof: the command of --solver writes no proof"));
    assert_eq!(folder.names(), ["model.opb", "solver"]);
    // Proofs about the clauses alone are those of the built-in solvers.
    for option in ["--drat", "--lrat"] {
        let mut command = folder.command(&format!("solve model.opb {option} proof --solver"));
        let refused = Answer::of(command.arg("sh solver {cnf} {proof}").output().unwrap());
        let why = format!(
            "error: {option}: varisat and cadical write it, and another solver is chosen\n"
        );
        assert_eq!(refused.refusal(), why);
        assert_eq!(folder.names(), ["model.opb", "solver"], "{option}");
    }
}

#[test]
fn what_the_checker_does_not_accept_is_not_verified() {
    let folder = Folder::with("board", IMPOSSIBLE);
    proved(&folder.pbsolve("binox board --proof proof"), 1);
    for (says, code) in [("s VERIFIED UNSATISFIABLE", 1), ("s UNVERIFIED", 0), ("", 0)] {
        checker(&folder, says, code);
        let refused = folder.pbsolve("verify binox board proof --checker ./checker");
        assert_eq!(refused.stdout, "not verified\n", "{says} {code}: {refused}");
        assert_eq!(refused.code, Some(1), "{says} {code}: {refused}");
    }
    let refused = folder.pbsolve("verify binox board proof --checker ./nowhere");
    assert!(refused.refusal().contains("cargo install veripb"), "{refused}");
}

#[test]
fn a_changed_opb_file_is_no_subject_of_a_proof() {
    let folder = Folder::with("board", UNIQUE);
    proved(&folder.pbsolve("binox board --proof proof"), 0);
    checker(&folder, "s VERIFIED BOUNDS 36 <= obj <= 36", 0);
    let opb = folder.read("proof.unique.opb");
    let longer = format!("{opb}+1 x1 >= 0 ;\n");
    let shorter = opb.trim_end().rsplit_once('\n').unwrap().0.to_owned();
    for changed in [longer, shorter, opb.replacen("~x", "x", 1), String::new()] {
        folder.write("proof.unique.opb", &changed);
        let refused = folder.pbsolve("verify binox board proof --checker ./checker");
        // Another solution's objective is the checker's to refuse; a stand-in does not.
        if changed.contains("min:") && changed.lines().count() == opb.lines().count() {
            continue;
        }
        assert!(refused.refusal().contains("proof.unique.opb"), "{refused}");
    }
}

#[test]
fn a_proof_is_written_with_the_encoders_that_are_asked_for() {
    let folder = Folder::with("board", UNIQUE);
    let by_choice = folder.pbsolve("binox board --proof chosen");
    assert_eq!(by_choice.code, Some(0), "{by_choice}");
    let answer = folder.pbsolve("binox board --proof proof --card cardinality-network");
    proved(&answer, 0);
    assert_ne!(folder.read("chosen"), folder.read("proof"));
}
