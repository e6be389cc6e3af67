//! The slow run: every board of a folder that has one solution or none has a proof, and `veripb`
//! accepts it. The boards of this repository, or those of `PBSOLVE_BOARDS`:
//!
//! ```text
//! PBSOLVE_BOARDS=DIR cargo test --test proofs_boards -- --ignored --nocapture
//! ```
//!
//! A text is taken for a board of each puzzle that can read it, and for one without the rule that
//! rows and columns differ; several solutions, of which there is no proof, are passed over.

mod command_line;

use command_line::{Answer, Folder};
use std::path::{Path, PathBuf};
use std::time::Instant;

fn boards() -> Vec<PathBuf> {
    let folders = match std::env::var_os("PBSOLVE_BOARDS") {
        Some(folder) => vec![PathBuf::from(folder)],
        None => ["puzzles/boards", "tests/boards"].map(PathBuf::from).to_vec(),
    };
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = folders.iter().flat_map(|folder| {
        let entries = std::fs::read_dir(here.join(folder));
        entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
    });
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut boards: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "txt")).collect();
    boards.sort();
    boards
}

#[test]
#[ignore = "minutes of time, and the checker `veripb`"]
fn every_board_with_one_solution_or_none_has_a_proof_that_is_accepted() {
    let mut num_accepted = 0;
    for path in boards() {
        let name = path.file_name().expect("a file").to_string_lossy();
        // Takuzu is binox, and mini-sudoku sudoku, on some of their boards.
        for puzzle in ["binox", "binox --no-unique", "sudoku"] {
            let folder = Folder::new();
            let command = |arguments: &str| {
                let mut command = folder.command(arguments);
                Answer::of(command.arg(&path).output().expect("the program starts"))
            };
            let started = Instant::now();
            let solved = command(&format!("{puzzle} --proof proof"));
            if solved.code == Some(2) || !solved.stderr.contains("c proof: ") {
                let is_no_board = solved.stderr.contains(&format!("{name}:"));
                let has_several = solved.stdout.contains("at least two solutions");
                assert!(is_no_board || has_several, "{name}, {puzzle}: {solved}");
                continue;
            }
            let solving = started.elapsed();
            let num_bytes = std::fs::metadata(folder.path("proof")).expect("a proof").len();
            // The proof is the second of the arguments without a name.
            let (kind, option) = puzzle.split_once(' ').unwrap_or((puzzle, ""));
            let started = Instant::now();
            let mut verify = folder.command(&format!("verify {option} {kind}"));
            let verify = verify.arg(&path).arg("proof").output().expect("the program starts");
            let verified = Answer::of(verify);
            let says = if solved.code == Some(1) { "no solution" } else { "exactly one solution" };
            let expected = format!("verified: {says}\n");
            assert_eq!(verified.stdout, expected, "{name}, {puzzle}: {verified}");
            eprintln!(
                "{name:<40} {puzzle:<18} {says:<21} {num_bytes:>11} bytes, {:>6.1} s, checked in {:>6.1} s",
                solving.as_secs_f64(),
                started.elapsed().as_secs_f64(),
            );
            num_accepted += 1;
        }
    }
    assert!(num_accepted > 0, "there is a board");
    eprintln!("{num_accepted} proofs are accepted");
}
