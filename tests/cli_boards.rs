//! The commands of the puzzles: boards with one, several and no solutions, what is printed where,
//! and the exit codes.

mod command_line;

use command_line::Folder;
use pbsolve_encodings::{at_most_one, cardinality};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

const ONE: &str = "XX..\n....\n..X.\n.O.O\n";
const SEVERAL: &str = "XX..\n..XX\nX...\n....\n";
const NONE: &str = "XX.X\n....\n....\n.O..\n";
/// No solution, but one if rows and columns may be equal.
const EQUAL_ROWS: &str = "XXOO\nXXOO\n....\n....\n";

/// A board that is read in the tests of all puzzles.
fn sample(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let paths = [folder.join("puzzles/boards").join(name), folder.join("tests/boards").join(name)];
    let text = paths.iter().find_map(|path| std::fs::read_to_string(path).ok());
    text.unwrap_or_else(|| panic!("there is no sample board {name}"))
}

fn empty(num_rows: usize, num_columns: usize) -> String {
    format!("{}\n", ".".repeat(num_columns)).repeat(num_rows)
}

#[test]
fn a_board_with_one_solution() {
    let folder = Folder::with("board", ONE);
    insta::assert_snapshot!(folder.pbsolve("binox board").printed(0), @r"
    XXOO
    OXOX
    OOXX
    XOXO
    unique
    ");
    let unique = folder.pbsolve("binox board --expect unique");
    assert!(unique.printed(0).ends_with("unique\n"), "{unique}");
    let quiet = folder.pbsolve("binox board --quiet");
    assert_eq!(quiet.printed(0), "XXOO\nOXOX\nOOXX\nXOXO\n", "--quiet prints the board only");
}

#[test]
fn a_board_with_several_solutions() {
    let folder = Folder::with("board", SEVERAL);
    let answer = folder.pbsolve("binox board");
    let lines: Vec<&str> = answer.printed(0).lines().collect();
    assert_eq!(lines.len(), 5, "four rows and a verdict: {answer}");
    let verdict = "at least two solutions, which differ at (row,column) (";
    assert!(lines[4].starts_with(verdict), "{answer}");
    let expecting = folder.pbsolve("binox board --expect unique");
    assert_eq!(expecting.printed(1), answer.stdout, "--expect changes the exit code only");
}

#[test]
fn a_board_with_no_solution() {
    let folder = Folder::with("board", NONE);
    assert_eq!(folder.pbsolve("binox board").printed(1), "no solution\n");
    assert_eq!(folder.pbsolve("binox board --quiet").printed(1), "no solution\n");
    assert_eq!(folder.pbsolve("binox board --expect unique").printed(1), "no solution\n");
    assert_eq!(folder.pbsolve("binox board --count").printed(0), "0 solutions\n");
    let all = folder.pbsolve("binox board --all");
    assert_eq!((all.code, all.stdout.as_str()), (Some(1), ""), "{all}");
    assert_eq!(all.stderr, "0 solutions\n");
}

#[test]
fn the_sample_boards_have_one_solution() {
    for (arguments, name) in [
        ("binox", "binox_6x6.txt"),
        ("takuzu", "takuzu_8x8.txt"),
        ("sudoku", "sudoku_9x9.txt"),
        ("mini-sudoku", "mini_sudoku_60.txt"),
        ("binox", "own_10x10_minimal.txt"),
        ("binox", "unruly_8r12c_u.txt"),
        ("takuzu", "unruly_14x14u.txt"),
        ("binox", "unruly_40r30c_u.txt"),
        ("sudoku", "solo_06x06_2rows3cols.txt"),
        ("mini-sudoku", "solo_06x06_2rows3cols.txt"),
        ("sudoku --box 3x4", "solo_12x12_3x4.txt"),
        ("sudoku", "solo_16x16_4x4.txt"),
    ] {
        let folder = Folder::with("board", sample(name));
        let answer = folder.pbsolve(&format!("{arguments} board --expect unique"));
        let board = answer.printed(0).strip_suffix("unique\n");
        folder.write("solution", board.unwrap_or_else(|| panic!("{name}: {answer}")));
        let checked = folder.pbsolve(&format!("check {arguments} board solution"));
        assert_eq!(checked.printed(0), "valid\n", "{name}");
    }
}

#[test]
fn a_board_is_printed_in_the_symbols_of_the_input() {
    for (board, solved) in [
        ("XX..\n....\n..X.\n.O.O\n", "XXOO\nOXOX\nOOXX\nXOXO\n"),
        ("xx..\n....\n..x.\n.o.o\n", "xxoo\noxox\nooxx\nxoxo\n"),
        ("11..\n....\n..1.\n.0.0\n", "1100\n0101\n0011\n1010\n"),
        ("11__\n----\n**1*\n.0.0\n", "1100\n0101\n0011\n1010\n"),
        ("1 1 . .\n. . . .\n. . 1 .\n. 0 . 0\n", "1 1 0 0\n0 1 0 1\n0 0 1 1\n1 0 1 0\n"),
    ] {
        let folder = Folder::with("board", board);
        assert_eq!(folder.pbsolve("binox board -q").printed(0), solved, "{board}");
        assert_eq!(folder.pbsolve("takuzu board -q").printed(0), solved, "{board}");
    }
}

#[test]
fn an_empty_board_is_printed_in_the_symbols_of_its_puzzle() {
    let folder = Folder::with("board", empty(4, 4));
    for (name, symbols) in [("binox", "XO"), ("takuzu", "01"), ("sudoku", "1234")] {
        let answer = folder.pbsolve(&format!("{name} board -q"));
        let is_expected = |c: char| c == '\n' || symbols.contains(c);
        assert!(answer.printed(0).chars().all(is_expected), "{name}: {answer}");
    }
}

#[test]
fn line_ends_marks_and_comments_do_not_shift_a_board() {
    for board in [
        "XX..\r\n....\r\n..X.\r\n.O.O\r\n",
        "\u{feff}XX..\n....\n..X.\n.O.O\n",
        "\u{feff}# a board\r\nXX..\r\n\r\n....\r\n  \r\n..X.\r\n.O.O",
        "% a board\n\nXX..\n  # a comment\n....\n..X.\n.O.O\n\n\n",
        "XX|..\n..|..\n..|X.\n.O|.O\n",
    ] {
        let folder = Folder::with("board", board);
        let counted = folder.pbsolve("binox board --count");
        assert_eq!(counted.printed(0), "1 solution\n", "{board:?}");
        let solved = folder.pbsolve("binox board -q");
        let cells: String = solved.printed(0).split(['|', '\r']).collect();
        assert_eq!(cells, "XXOO\nOXOX\nOOXX\nXOXO\n", "{board:?}");
    }
}

#[test]
fn a_board_is_read_from_standard_input() {
    let answer = Folder::new().pbsolve_reading(ONE, "binox - --expect unique");
    assert_eq!(answer.printed(0), "XXOO\nOXOX\nOOXX\nXOXO\nunique\n");
    let refused = Folder::new().pbsolve_reading("XX.\n...\n", "binox -");
    assert!(refused.refusal().starts_with("standard input:1:"), "{refused}");
}

#[test]
fn a_count_is_complete_or_says_that_it_is_not() {
    let folder = Folder::with("board", empty(4, 4));
    for (arguments, printed, code) in [
        ("--count", "72 solutions\n", 0),
        ("--count=100", "72 solutions\n", 0),
        ("--count=73", "72 solutions\n", 0),
        ("--count=71", "at least 71 solutions\n", 3),
        ("--count=1", "at least 1 solution\n", 3),
        ("--count=0", "at least 0 solutions\n", 3),
        ("--count=18446744073709551615", "72 solutions\n", 0),
    ] {
        let answer = folder.pbsolve(&format!("binox board {arguments}"));
        assert_eq!(answer.printed(code), printed, "{arguments}");
    }
}

#[test]
fn empty_boards_have_the_known_numbers_of_solutions() {
    for (arguments, num_rows, num_columns, number) in [
        ("binox", 2, 2, 2),
        ("binox", 4, 4, 72),
        ("takuzu", 4, 4, 72),
        ("binox --no-unique", 4, 4, 90),
        ("takuzu --no-unique", 4, 4, 90),
        ("binox", 4, 6, 96),
        ("binox", 6, 4, 96),
        ("binox", 4, 8, 0),
        ("binox", 6, 6, 4140),
        ("binox --no-unique", 6, 6, 11222),
        ("sudoku", 4, 4, 288),
        ("sudoku --box 1x4", 4, 4, 576),
    ] {
        let folder = Folder::with("board", empty(num_rows, num_columns));
        let answer = folder.pbsolve(&format!("{arguments} board --count"));
        let printed = answer.stdout.as_str();
        let expected = format!("{number} solutions\n");
        assert_eq!(printed, expected, "{arguments} on {num_rows} x {num_columns}");
        assert_eq!(answer.code, Some(0), "{arguments} on {num_rows} x {num_columns}");
    }
}

#[test]
fn all_solutions_differ_and_obey_the_rules() {
    for (name, board, number) in [
        ("binox", empty(4, 4), 72),
        ("takuzu", SEVERAL.replace('X', "1").replace('O', "0"), 2),
        ("sudoku", "12..\n....\n....\n..1.\n".to_owned(), 6),
    ] {
        let folder = Folder::with("board", &board);
        let answer = folder.pbsolve(&format!("{name} board --all"));
        assert_eq!((answer.code, answer.stderr), (Some(0), format!("{number} solutions\n")));
        let solutions: Vec<&str> = answer.stdout.split("\n\n").collect();
        assert_eq!(solutions.len(), number, "{name} on\n{board}");
        assert_eq!(solutions.iter().collect::<BTreeSet<_>>().len(), number, "{name} on\n{board}");
        for solution in solutions.iter().step_by(7) {
            folder.write("solution", solution);
            let checked = folder.pbsolve(&format!("check {name} board solution"));
            assert_eq!(checked.printed(0), "valid\n", "{name}:\n{solution}");
        }
    }
}

#[test]
fn all_stops_at_the_limit_of_a_count() {
    let folder = Folder::with("board", empty(4, 4));
    let answer = folder.pbsolve("binox board --all --count=3");
    let boards: Vec<&str> = answer.printed(3).split("\n\n").collect();
    assert_eq!(boards.len(), 3, "{answer}");
    assert!(answer.stdout.ends_with("\nat least 3 solutions\n"), "{answer}");
}

#[test]
fn an_answer_in_json() {
    let answer_to = |board: &str, arguments: &str, code| {
        let folder = Folder::with("board", board);
        let answer = folder.pbsolve(&format!("binox board --format json {arguments}"));
        assert_eq!(answer.code, Some(code), "{answer}");
        serde_json::from_str::<Value>(&answer.stdout).unwrap_or_else(|e| panic!("{e}: {answer}"))
    };
    let solved =
        [["X", "X", "O", "O"], ["O", "X", "O", "X"], ["O", "O", "X", "X"], ["X", "O", "X", "O"]];
    let unique = answer_to(ONE, "", 0);
    assert_eq!(unique["puzzle"], "binox");
    assert_eq!(unique["solutions"], "unique");
    assert_eq!(unique["board"], json!(solved));
    assert_eq!(unique.get("another"), None);

    let several = answer_to(SEVERAL, "--expect unique", 1);
    assert_eq!(several["solutions"], "several");
    let mut differing = Vec::new();
    for row in 0..4 {
        for column in 0..4 {
            if several["board"][row][column] != several["another"][row][column] {
                differing.push(json!([row + 1, column + 1]));
            }
        }
    }
    assert_eq!(several["differing_cells"], json!(differing));
    assert!(!differing.is_empty(), "{several}");

    assert_eq!(answer_to(NONE, "", 1), json!({"puzzle": "binox", "solutions": "none"}));
}

#[test]
fn all_answers_in_json_are_a_board_a_line() {
    let folder = Folder::with("board", SEVERAL);
    let answer = folder.pbsolve("binox board --format json --all");
    let boards: Vec<Vec<Vec<String>>> =
        answer.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(boards.len(), 2, "{answer}");
    assert_ne!(boards[0], boards[1]);
}

#[test]
fn a_number_above_nine_is_one_cell_of_json() {
    let folder = Folder::with("board", sample("solo_12x12_3x4.txt"));
    let answer = folder.pbsolve("sudoku board --box 3x4 --format json");
    let answer: Value = serde_json::from_str(answer.printed(0)).unwrap();
    let row = answer["board"][0].as_array().expect("a row of cells");
    let mut digits: Vec<u32> = row.iter().map(|c| c.as_str().unwrap().parse().unwrap()).collect();
    digits.sort_unstable();
    assert_eq!(digits, (1..=12).collect::<Vec<_>>());
}

#[test]
fn a_board_as_a_picture() {
    let folder = Folder::with("board", ONE);
    let answer = folder.pbsolve("binox board --format svg");
    assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), "unique\n"), "{answer}");
    assert!(answer.stdout.starts_with("<svg ") && answer.stdout.ends_with("</svg>\n"), "{answer}");
    let quiet = folder.pbsolve("binox board --format svg -q");
    assert_eq!(quiet.printed(0), answer.stdout);

    folder.write("none", NONE);
    let none = folder.pbsolve("binox none --format svg");
    assert_eq!((none.code, none.stdout.as_str()), (Some(1), ""), "{none}");
    assert_eq!(none.stderr, "no solution\n");
}

#[test]
fn a_picture_shows_one_board_only() {
    for board in [ONE, NONE] {
        let folder = Folder::with("board", board);
        let refused = folder.pbsolve("binox board --format svg --all");
        assert_eq!(refused.refusal(), "error: --format svg draws one board; leave out --all\n");
    }
}

#[test]
fn no_solution_because_rows_and_columns_must_differ() {
    let folder = Folder::with("board", EQUAL_ROWS);
    let answer = folder.pbsolve("binox board");
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(1), "no solution\n"));
    insta::assert_snapshot!(
        answer.stderr,
        @"no solution with the rule that rows and columns differ; 1 without it"
    );
    assert_eq!(folder.pbsolve("binox board --quiet").printed(1), "no solution\n");
    assert_eq!(
        folder.pbsolve("binox board --no-unique").printed(0),
        "XXOO\nXXOO\nOOXX\nOOXX\nunique\n"
    );
}

#[test]
fn several_solutions_because_rows_and_columns_need_not_differ() {
    let folder = Folder::with("board", sample("unruly_8r12c_u.txt"));
    assert!(folder.pbsolve("binox board").printed(0).ends_with("unique\n"));
    let answer = folder.pbsolve("binox board --no-unique");
    assert_eq!(answer.code, Some(0));
    assert!(answer.stdout.contains("\nat least two solutions, which differ"), "{answer}");
    insta::assert_snapshot!(
        answer.stderr,
        @"several solutions without the rule that rows and columns differ; 1 with it"
    );
    assert_eq!(folder.pbsolve("binox board --no-unique --count").printed(0), "7 solutions\n");
}

#[test]
fn the_diagnosis_is_left_out_where_the_rule_makes_no_difference() {
    for (arguments, board) in
        [("", NONE), ("--no-unique", NONE), ("", SEVERAL), ("", ONE), ("--no-unique", ONE)]
    {
        let folder = Folder::with("board", board);
        let answer = folder.pbsolve(&format!("binox board {arguments}"));
        assert_eq!(answer.stderr, "", "{arguments}\n{board}");
    }
}

#[test]
fn the_dictionary_of_the_document_is_read_as_it_is() {
    let dictionary = "{(1,1): 1, (2,2): 2, (2,5): 3, (3,3): 3, (3,4): 6, (4,3): 5, (4,4): 4, \
                      (5,2): 4, (5,5): 5, (6,6): 6}";
    let folder = Folder::new();
    let mut command = folder.command("mini-sudoku --expect unique --filled");
    let answer = command_line::Answer::of(command.arg(dictionary).output().unwrap());
    insta::assert_snapshot!(answer.printed(0), @r"
    134562
    526134
    413625
    265413
    642351
    351246
    unique
    ");
    folder.write("board", sample("mini_sudoku_60.txt"));
    assert_eq!(folder.pbsolve("mini-sudoku board").printed(0), answer.stdout);
}

#[test]
fn the_shape_of_the_blocks_matters() {
    let folder = Folder::with("board", empty(6, 6));
    for (block, rows, columns) in [("2x3", 2, 3), ("3x2", 3, 2), ("1x6", 1, 6), ("6x1", 6, 1)] {
        let answer = folder.pbsolve(&format!("sudoku board -q --box {block}"));
        let cells: Vec<Vec<char>> =
            answer.printed(0).lines().map(|line| line.chars().collect()).collect();
        for (row, column) in (0..6).flat_map(|row| (0..6).map(move |column| (row, column))) {
            let (top, left) = (row / rows * rows, column / columns * columns);
            let in_block = |r: usize, c: usize| cells[r][c] == cells[row][column];
            let block_cells =
                (top..top + rows).flat_map(|r| (left..left + columns).map(move |c| (r, c)));
            let equal = block_cells.filter(|&(r, c)| in_block(r, c)).count();
            assert_eq!(equal, 1, "--box {block}, row {row}, column {column}\n{answer}");
        }
    }
    let default = folder.pbsolve("sudoku board -q");
    folder.write("solution", &default.stdout);
    assert_eq!(folder.pbsolve("check sudoku board solution --box 2x3").printed(0), "valid\n");
}

#[test]
fn every_formulation_and_encoder_counts_the_same() {
    let boards = [
        ("binox", empty(4, 6), "96 solutions\n"),
        ("binox --no-unique", sample("unruly_8r12c_u.txt"), "7 solutions\n"),
        ("binox", sample("unruly_6x6_nouniq.txt"), "0 solutions\n"),
        ("takuzu", SEVERAL.replace('X', "1").replace('O', "0"), "2 solutions\n"),
        ("sudoku", "12..\n....\n....\n..1.\n".to_owned(), "6 solutions\n"),
    ];
    let amo = at_most_one::ALL.iter().map(|encoder| format!("--amo {}", encoder.name()));
    let card = cardinality::ALL.iter().map(|encoder| format!("--card {}", encoder.name()));
    let encoders: Vec<String> = amo.chain(card).collect();
    for (arguments, board, expected) in boards {
        let folder = Folder::with("board", &board);
        for formulation in ["document", "lean", "lazy"] {
            for encoder in &encoders {
                let arguments =
                    format!("{arguments} board --count --formulation {formulation} {encoder}");
                let answer = folder.pbsolve(&arguments);
                assert_eq!(
                    (answer.stdout.as_str(), answer.code),
                    (expected, Some(0)),
                    "{arguments}\n{board}"
                );
            }
        }
    }
}

#[test]
fn statistics_go_to_standard_error() {
    let folder = Folder::with("board", ONE);
    let answer = folder.pbsolve("binox board --stats");
    assert_eq!(answer.stdout, folder.pbsolve("binox board").stdout);
    assert!(answer.stderr.lines().all(|line| line.starts_with("c ")), "{answer}");
    assert!(answer.stderr.contains("clauses"), "{answer}");
}
