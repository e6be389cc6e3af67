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
