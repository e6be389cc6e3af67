//! The README says what the program prints.

use std::process::Command;

fn printed(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pbsolve"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments);
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

fn readme() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    std::fs::read_to_string(path).expect("a README")
}

#[test]
fn the_first_screen_shows_what_the_first_command_prints() {
    let board = printed(&["binox", "puzzles/boards/binox_6x6.txt"]);
    let shown = format!("$ cargo run --release -- binox puzzles/boards/binox_6x6.txt\n{board}```");
    assert!(readme().contains(&shown), "the README does not show:\n{board}");
}

#[test]
fn the_table_of_encoders_is_the_one_that_the_program_prints() {
    let table = printed(&["encodings"]);
    let shown = format!("```text\n{table}```");
    assert!(readme().contains(&shown), "the README does not show:\n{table}");
}

/// What follows the table depends on the build.
#[test]
fn the_table_of_back_ends_is_the_one_that_the_program_prints() {
    let printed = printed(&["backends"]);
    let (table, _) = printed.split_once("\n\n").expect("a table and what this build has");
    let shown = format!("```text\n{table}\n```");
    assert!(readme().contains(&shown), "the README does not show:\n{table}");
}

#[test]
fn the_models_give_what_is_shown() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pbsolve"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["solve", "tests/models/diet.lp"]);
    let output = command.output().expect("the program starts");
    let optimum = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(30), "{optimum}");
    let shown = format!("$ pbsolve solve tests/models/diet.lp\n{optimum}```");
    assert!(readme().contains(&shown), "the README does not show:\n{optimum}");

    let mut command = Command::new(env!("CARGO_BIN_EXE_pbsolve"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["solve", "tests/models/continuous.lp"]);
    let output = command.output().expect("the program starts");
    let refusal = String::from_utf8([output.stderr, output.stdout].concat()).expect("text");
    let shown = format!("$ pbsolve solve tests/models/continuous.lp\n{refusal}```");
    assert!(readme().contains(&shown), "the README does not show:\n{refusal}");
}

#[test]
fn the_dictionary_of_the_document_gives_the_board_that_is_shown() {
    let dictionary = "{(1,1): 1, (2,2): 2, (2,5): 3, (3,3): 3, (3,4): 6, (4,3): 5, (4,4): 4, \
                      (5,2): 4, (5,5): 5, (6,6): 6}";
    let board = printed(&["mini-sudoku", "--filled", dictionary]);
    assert!(readme().contains(&board), "the README does not show:\n{board}");
}

#[test]
fn integer_programming_gives_what_is_shown() {
    for backend in ["microlp", "portfolio"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pbsolve"));
        command.current_dir(env!("CARGO_MANIFEST_DIR"));
        command.args(["solve", "tests/models/diet.lp", "--backend", backend]);
        let output = command.output().expect("the program starts");
        let printed = String::from_utf8([output.stderr, output.stdout].concat()).expect("text");
        // A race may find a worse solution first.
        let lines: Vec<&str> = printed.lines().collect();
        let from = lines.iter().rposition(|line| line.starts_with("o ")).expect("a solution");
        let claim = lines.iter().filter(|line| line.starts_with("c "));
        let shown: Vec<&str> = claim.chain(&lines[from..]).copied().collect();
        let shown = shown.join("\n");
        let command = format!("$ pbsolve solve tests/models/diet.lp --backend {backend}\n");
        assert!(readme().contains(&format!("{command}{shown}\n```")), "the README lacks:\n{shown}");
    }
}
