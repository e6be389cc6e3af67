//! What is told of bad input and wrong usage: the exit code is 2, standard output stays empty, and
//! the message names the place, with the line and a caret where there is a line to show.

mod command_line;

use command_line::{Answer, Folder};
use std::process::Stdio;

#[test]
fn a_row_that_is_too_short() {
    let folder = Folder::with("board", "# board\nXO..\n....\n..X\n....\n");
    insta::assert_snapshot!(folder.pbsolve("binox board").refusal(), @"
    board:4:4: row 3 has 3 cells, but row 1 has 4
      | ..X
      |    ^
    ");
}

#[test]
fn a_row_that_is_too_long() {
    let folder = Folder::with("board", "01..\n....\n....1\n....\n");
    insta::assert_snapshot!(folder.pbsolve("takuzu board").refusal(), @"
    board:3:5: row 3 has 5 cells, but row 1 has 4
      | ....1
      |     ^
    ");
}

#[test]
fn an_odd_number_of_rows() {
    let folder = Folder::with("board", "XO..\n....\n..X.\n");
    insta::assert_snapshot!(folder.pbsolve("binox board").refusal(), @"
    board:3:1: the number of rows is odd (3), but it must be even: half of each line is of either kind
      | ..X.
      | ^
    ");
}

#[test]
fn an_odd_number_of_columns() {
    let folder = Folder::with("board", "XO...\n.....\n");
    insta::assert_snapshot!(folder.pbsolve("binox board").refusal(), @"
    board:1:6: the number of columns is odd (5), but it must be even: half of each line is of either kind
      | XO...
      |      ^
    ");
}

#[test]
fn a_takuzu_that_is_not_square() {
    let folder = Folder::with("board", "01..\n....\n");
    insta::assert_snapshot!(folder.pbsolve("takuzu board").refusal(), @"
    board:2:1: the board must be square, but it has 2 rows and 4 columns
      | ....
      | ^
    ");
}

#[test]
fn an_unknown_symbol() {
    let folder = Folder::with("board", "XO..\n..?.\n....\n....\n");
    insta::assert_snapshot!(folder.pbsolve("binox board").refusal(), @"
    board:2:3: '?' is not a cell: expected X or O, 1 or 0, or for an empty cell one of . _ - *
      | ..?.
      |   ^
    ");
}

#[test]
fn a_digit_in_a_binox() {
    let folder = Folder::with("board", "XO..\n..2.\n....\n....\n");
    insta::assert_snapshot!(folder.pbsolve("binox board").refusal(), @"
    board:2:3: '2' is not a cell: cells are 1 and 0, or X and O. Files with 1 and 2, in which 0 is an empty cell, follow another convention and are not read
      | ..2.
      |   ^
    ");
}

#[test]
fn symbols_of_two_kinds() {
    let folder = Folder::with("board", "XO..\n..1.\n....\n....\n");
    insta::assert_snapshot!(folder.pbsolve("binox board").refusal(), @"
    board:2:3: '1' here, but 'X' at line 1, column 1: a board is written with X and O or with 1 and 0, not with both
      | ..1.
      |   ^
    ");
}

#[test]
fn two_clashing_givens_of_a_dictionary() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.pbsolve("mini-sudoku --filled {(1,1):1,(1,1):2}").refusal(), @"
    --filled:1:10: the cell (1, 1) is given twice
      | {(1,1):1,(1,1):2}
      |          ^
    ");
}

#[test]
fn a_dictionary_without_an_end() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.pbsolve("mini-sudoku --filled {(1,1):1,(2,2):2").refusal(), @"
    --filled:1:17: the end of the text, but expected ',' or '}'
      | {(1,1):1,(2,2):2
      |                 ^
    ");
}

#[test]
fn a_cell_outside_of_a_dictionary() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.pbsolve("mini-sudoku --filled {(1,7):1}").refusal(), @"
    --filled:1:5: '7' is out of range: expected a column from 1 to 6
      | {(1,7):1}
      |     ^
    ");
}

#[test]
fn an_empty_file() {
    let folder = Folder::with("board", "");
    insta::assert_snapshot!(folder.pbsolve("binox board").refusal(), @"
    board:1:1: the text has no board: no line has cells
      | 
      | ^
    ");
}

#[test]
fn a_file_with_comments_only() {
    let folder = Folder::with("board", "# nothing\n\n   \n");
    insta::assert_snapshot!(folder.pbsolve("sudoku board").refusal(), @"
    board:4:1: the text has no board: no line has cells
      | 
      | ^
    ");
}

#[test]
fn bytes_that_are_not_text() {
    let folder = Folder::with("board", b"12..\n3\xff..\n....\n....\n");
    insta::assert_snapshot!(folder.pbsolve("sudoku board").refusal(), @"
    board:2:2: the byte 0xFF is not UTF-8 text
      | 3�..
      |  ^
    ");
}

#[test]
fn a_file_of_zero_bytes() {
    let folder = Folder::with("board", "\0\0\0\0\n\0\0\0\0\n");
    insta::assert_snapshot!(folder.pbsolve("binox board").refusal(), @"
    board:1:1: the character U+0000 is not a cell: expected X or O, 1 or 0, or for an empty cell one of . _ - *
      |     
      | ^
    ");
}

#[test]
fn a_wide_character_counts_as_one_column() {
    let folder = Folder::with("board", "XO..\n.é..\n....\n....\n");
    insta::assert_snapshot!(folder.pbsolve("binox board").refusal(), @"
    board:2:2: 'é' (U+00E9) is not a cell: expected X or O, 1 or 0, or for an empty cell one of . _ - *
      | .é..
      |  ^
    ");
}

#[test]
fn a_block_that_does_not_fit() {
    let folder = Folder::with("board", "......\n......\n......\n......\n......\n......\n");
    insta::assert_snapshot!(folder.pbsolve("sudoku board --box 2x4").refusal(), @"
    board:6:1: a block of 2 x 4 cells does not fit: 2 times 4 must be 6, the number of rows
      | ......
      | ^
    ");
}

#[test]
fn a_size_without_a_default_block() {
    let folder = Folder::with("board", ".....\n.....\n.....\n.....\n.....\n");
    insta::assert_snapshot!(folder.pbsolve("sudoku board").refusal(), @"
    board:5:1: 5 rows do not divide into blocks: give --box 1x5 for a board whose blocks are its rows
      | .....
      | ^
    ");
}

#[test]
fn a_block_of_another_mini_sudoku() {
    let folder = Folder::with("board", "......\n......\n......\n......\n......\n......\n");
    insta::assert_snapshot!(folder.pbsolve("check mini-sudoku board board --box 3x2").refusal(), @"
    board:6:1: the blocks must have 2 x 3 cells, not 3 x 2
      | ......
      | ^
    ");
}

#[test]
fn a_mini_sudoku_of_another_size() {
    let folder = Folder::with("board", "....\n....\n....\n....\n");
    insta::assert_snapshot!(folder.pbsolve("mini-sudoku board").refusal(), @"
    board:4:1: the board must have 6 rows and columns, but it has 4 of each
      | ....
      | ^
    ");
}

#[test]
fn a_digit_that_is_too_large() {
    let folder = Folder::with("board", "1...\n..5.\n....\n....\n");
    insta::assert_snapshot!(folder.pbsolve("sudoku board").refusal(), @"
    board:2:3: the digit 5 is out of range: a board of 4 rows has the digits 1 to 4
      | ..5.
      |   ^
    ");
}

#[test]
fn a_letter_beyond_the_digits_of_the_board() {
    let folder = Folder::with("board", "1 2 3 x\n. . . .\n. . . .\n. . . .\n");
    insta::assert_snapshot!(folder.pbsolve("sudoku board").refusal(), @"
    board:1:7: 'x', the digit 33, is out of range: a board of 4 rows has the digits 1 to 4
      | 1 2 3 x
      |       ^
    ");
}

#[test]
fn a_number_that_is_too_large() {
    let folder = Folder::with(
        "board",
        " . . . . . . . . . . . 13\n . . . . . . . . . . . .\n . . . . . . . . . . . .\n . . . . . . . . . . . .\n . . . . . . . . . . . .\n . . . . . . . . . . . .\n . . . . . . . . . . . .\n . . . . . . . . . . . .\n . . . . . . . . . . . .\n . . . . . . . . . . . .\n . . . . . . . . . . . .\n . . . . . . . . . . . .\n",
    );
    insta::assert_snapshot!(folder.pbsolve("sudoku board --box 3x4").refusal(), @"
    board:1:24: the digit 13 is out of range: a board of 12 rows has the digits 1 to 12
      |  . . . . . . . . . . . 13
      |                        ^
    ");
}

#[test]
fn a_sudoku_that_is_not_square() {
    let folder = Folder::with("board", "1...\n....\n....\n");
    insta::assert_snapshot!(folder.pbsolve("sudoku board").refusal(), @"
    board:3:1: the board must be square, but it has 3 rows and 4 columns
      | ....
      | ^
    ");
}

#[test]
fn a_solution_with_an_empty_cell() {
    let folder = Folder::with("board", "XX..\n....\n..X.\n.O.O\n");
    folder.write("solution", "XXOO\nOXOX\nOO.X\nXOXO\n");
    insta::assert_snapshot!(folder.pbsolve("check binox board solution").refusal(), @"
    solution:3:3: an empty cell, but a solution has all cells filled
      | OO.X
      |   ^
    ");
}

#[test]
fn a_solution_of_another_size() {
    let folder = Folder::with("board", "XX..\n....\n..X.\n.O.O\n");
    folder.write("solution", "XO\nOX\n");
    insta::assert_snapshot!(folder.pbsolve("check binox board solution").refusal(), @"
    solution:2:1: the solution has 2 rows and 2 columns, but the puzzle has 4 and 4
      | OX
      | ^
    ");
}

#[test]
fn a_solution_with_values_missing() {
    let folder = Folder::with("board", "XX..\n....\n..X.\n.O.O\n");
    folder.write("solution", "v x_0_0 x_0_1\n");
    insta::assert_snapshot!(folder.pbsolve("check binox board solution").refusal(), @"
    solution:1:14: no value is given for x_0_2, x_0_3, x_1_0 and 11 more
      | v x_0_0 x_0_1
      |              ^
    ");
}

#[test]
fn a_solution_with_an_unknown_name() {
    let folder = Folder::with("model.opb", "+1 x1 +1 x2 >= 1 ;\n");
    folder.write("solution", "v x1 -x3\n");
    insta::assert_snapshot!(folder.pbsolve("check model.opb solution").refusal(), @"
    solution:1:7: `x3` is no variable of the model
      | v x1 -x3
      |       ^
    ");
}

#[test]
fn an_answer_with_contradictory_literals() {
    let folder = Folder::with("board", "XX..\n....\n..X.\n.O.O\n");
    folder.write("solver.out", "s SATISFIABLE\nv 1 2 -3\nv -2 4 0\n");
    insta::assert_snapshot!(folder.pbsolve("decode binox board solver.out").refusal(), @"
    solver.out:3:3: variable 2 has both values
      | v -2 4 0
      |   ^
    ");
}

#[test]
fn a_missing_semicolon() {
    let folder = Folder::with("model.opb", "+1 x1 +1 x2 >= 1\n");
    insta::assert_snapshot!(folder.pbsolve("solve model.opb").refusal(), @"
    model.opb:1:17: the text ends inside the statement that begins on line 1: `;` after the bound is expected
      | +1 x1 +1 x2 >= 1
      |                 ^
    ");
}

#[test]
fn a_missing_file() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.pbsolve("binox board").refusal(), @"error: board: No such file or directory (os error 2)");
}

#[test]
fn a_directory() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.pbsolve("binox .").refusal(), @"error: .: Is a directory (os error 21)");
}

#[test]
fn an_unknown_encoder_is_told_with_the_known_ones() {
    let folder = Folder::with("board", "....\n....\n....\n....\n");
    let unknown = folder.pbsolve("binox board --card totaliser");
    let begin = "error: invalid value 'totaliser' for '--card <ENCODER>'\n  [possible values: ";
    assert!(unknown.refusal().starts_with(begin), "{unknown}");
    for encoder in pbsolve_encodings::cardinality::ALL {
        assert!(unknown.stderr.contains(encoder.name()), "{}: {unknown}", encoder.name());
    }
    let unknown = folder.pbsolve("encode binox board --diff totalizer,totaliser");
    let begin = "error: there is no encoder 'totaliser'; there are ";
    assert!(unknown.refusal().starts_with(begin), "{unknown}");
    for encoder in pbsolve_encodings::all() {
        assert!(unknown.stderr.contains(encoder.name()), "{}: {unknown}", encoder.name());
    }
}

#[test]
fn a_comparison_of_one_encoder() {
    let folder = Folder::with("board", "....\n....\n....\n....\n");
    insta::assert_snapshot!(folder.pbsolve("encode binox board --diff totalizer").refusal(), @"error: --diff takes two encoders, such as --diff totalizer,reduced-counter");
}

#[test]
fn an_unknown_puzzle() {
    let folder = Folder::with("board", "....\n....\n....\n....\n");
    insta::assert_snapshot!(folder.pbsolve("encode sudoko board").refusal(), @"error: there is no puzzle 'sudoko'; usage: pbsolve encode [PUZZLE] INPUT");
}

#[test]
fn an_unknown_puzzle_as_an_option() {
    let folder = Folder::with("board", "....\n....\n....\n....\n");
    insta::assert_snapshot!(folder.pbsolve("encode --puzzle sudoko board").refusal(), @"
    error: invalid value 'sudoko' for '--puzzle <NAME>'
      [possible values: binox, takuzu, sudoku, mini-sudoku]

      tip: a similar value exists: 'sudoku'

    For more information, try '--help'.
    ");
}

#[test]
fn an_unknown_command() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.pbsolve("solv board").refusal(), @"
    error: unrecognized subcommand 'solv'

      tip: a similar subcommand exists: 'solve'

    Usage: pbsolve <COMMAND>

    For more information, try '--help'.
    ");
}

#[test]
fn no_argument() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.pbsolve("binox").refusal(), @"
    error: the following required arguments were not provided:
      <FILE>

    Usage: pbsolve binox <FILE>

    For more information, try '--help'.
    ");
}

#[test]
fn too_many_arguments() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.pbsolve("encode binox board another").refusal(), @"error: 3 arguments are too many; usage: pbsolve encode [PUZZLE] INPUT");
}

#[test]
fn an_argument_too_few() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.pbsolve("check board").refusal(), @"error: an argument is missing; usage: pbsolve check [PUZZLE] INPUT SOLUTION");
}

#[test]
fn a_formulation_that_is_a_way_of_solving() {
    let folder = Folder::with("board", "....\n....\n....\n....\n");
    insta::assert_snapshot!(folder.pbsolve("encode binox board --formulation lazy").refusal(), @"error: --formulation lazy is a way of solving; what is written is document or lean");
}

#[test]
fn a_limit_that_is_no_number() {
    let folder = Folder::with("board", "....\n....\n....\n....\n");
    insta::assert_snapshot!(folder.pbsolve("binox board --timeout soon").refusal(), @"
    error: invalid value 'soon' for '--timeout <SECONDS>': expected a number of seconds

    For more information, try '--help'.
    ");
}

#[test]
fn a_limit_of_no_time() {
    let folder = Folder::with("board", "....\n....\n....\n....\n");
    insta::assert_snapshot!(folder.pbsolve("binox board --timeout 0").refusal(), @"
    error: invalid value '0' for '--timeout <SECONDS>': expected a positive number of seconds

    For more information, try '--help'.
    ");
}

#[test]
fn a_box_that_is_no_shape() {
    let folder = Folder::with("board", "....\n....\n....\n....\n");
    insta::assert_snapshot!(folder.pbsolve("sudoku board --box 23").refusal(), @"
    error: invalid value '23' for '--box <RxC>': expected rows x columns of a block, such as 2x3

    For more information, try '--help'.
    ");
}

#[test]
fn a_count_that_is_no_number() {
    let folder = Folder::with("board", "....\n....\n....\n....\n");
    insta::assert_snapshot!(folder.pbsolve("binox board --count=many").refusal(), @"
    error: invalid value 'many' for '--count[=<LIMIT>]': invalid digit found in string

    For more information, try '--help'.
    ");
}

#[test]
fn an_expectation_of_a_count() {
    let folder = Folder::with("board", "....\n....\n....\n....\n");
    insta::assert_snapshot!(folder.pbsolve("binox board --count --expect unique").refusal(), @"
    error: the argument '--count[=<LIMIT>]' cannot be used with '--expect <WHAT>'

    Usage: pbsolve binox --count[=<LIMIT>] <FILE>

    For more information, try '--help'.
    ");
}

#[test]
fn a_dictionary_beside_a_file() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.pbsolve("mini-sudoku board --filled {}").refusal(), @"
    error: the argument '[FILE]' cannot be used with '--filled <DICTIONARY>'

    Usage: pbsolve mini-sudoku <FILE>

    For more information, try '--help'.
    ");
}

#[test]
fn a_bound_without_need_of_an_encoder() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.pbsolve("encodings --n 10 --k 10").refusal(), @"error: at most 10 of 10 needs no encoder: --k must be from 1 to n - 1");
}

#[test]
fn a_number_without_a_bound() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.pbsolve("encodings --n 10").refusal(), @"
    error: the following required arguments were not provided:
      --k <K>

    Usage: pbsolve encodings --n <N> --k <K>

    For more information, try '--help'.
    ");
}

#[test]
fn a_folder_that_is_missing() {
    let folder = Folder::with("board", "....\n....\n....\n....\n");
    insta::assert_snapshot!(folder.pbsolve("encode binox board -o missing/cnf").refusal(), @"error: missing/cnf: No such file or directory (os error 2)");
}

#[test]
fn a_file_that_is_not_a_model() {
    let folder = Folder::with("board.txt", "XX..\n");
    let refused = folder.pbsolve("solve board.txt");
    let begin = "error: board.txt: .txt is not a model file";
    assert!(refused.refusal().starts_with(begin), "{refused}");
}

#[test]
fn a_directory_in_place_of_a_model() {
    let folder = Folder::new();
    for arguments in ["solve .", "encode .", "check . .", "decode . .", "export . --to opb"] {
        let refused = folder.pbsolve(arguments);
        assert!(refused.refusal().starts_with("error: .: "), "{arguments}: {refused}");
    }
}

#[test]
fn options_may_stand_between_the_arguments() {
    let folder = Folder::with("board", "1 . . .\n. . . .\n. . . .\n. . . 1\n");
    let solved = folder.pbsolve("sudoku board -q --box 1x4");
    folder.write("solution", solved.printed(0));
    for arguments in [
        "check sudoku --box 1x4 board solution",
        "check sudoku board --box 1x4 solution",
        "check --puzzle sudoku board --box 1x4 solution",
        "check --box 1x4 sudoku board solution",
    ] {
        assert_eq!(folder.pbsolve(arguments).printed(0), "valid\n", "{arguments}");
    }
    let expected = folder.pbsolve("encode sudoku board --box 1x4");
    for arguments in ["encode sudoku --box 1x4 board", "encode --puzzle sudoku --box 1x4 board"] {
        assert_eq!(folder.pbsolve(arguments).printed(0), expected.stdout, "{arguments}");
    }
}

#[test]
fn the_help_of_the_program() {
    insta::assert_snapshot!(Folder::new().pbsolve("--help").printed(0));
}

#[test]
fn the_help_of_a_puzzle() {
    insta::assert_snapshot!(Folder::new().pbsolve("binox --help").printed(0));
}

#[test]
fn without_arguments_the_help_is_told_as_a_mistake() {
    let folder = Folder::new();
    let help = folder.pbsolve("--help");
    assert_eq!(folder.pbsolve("").refusal(), help.stdout);
}

/// Commands with a folder in which each of them prints something.
const PRINTING: &[&str] = &[
    "binox board",
    "binox board --all",
    "binox board --count",
    "binox board --format json",
    "binox board --format svg",
    "solve model.opb",
    "solve model.opb --all",
    "encode binox board",
    "encode binox board --format names",
    "encode binox board --stats",
    "encode binox board --diff totalizer,direct",
    "export binox board --to opb",
    "export binox board --to listing",
    "decode model.opb solver.out",
    "check binox board board",
    "encodings",
    "encodings --n 100 --k 10",
    "backends",
    "backends --format json",
    "--help",
    "--version",
];

fn folder_for_printing() -> Folder {
    let folder = Folder::with("board", "XXOO\nOXOX\nOOXX\nXOXO\n");
    folder.write("model.opb", "+1 x1 +1 x2 >= 1 ;\n");
    folder.write("solver.out", "s SATISFIABLE\nv 1 -2 0\n");
    folder
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_device_is_an_error() {
    let folder = folder_for_printing();
    for arguments in PRINTING {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = folder.command(arguments);
        let answer = Answer::of(command.stdout(Stdio::from(full)).output().unwrap());
        assert_eq!(answer.code, Some(2), "{arguments}: {answer}");
        let message = "error: writing the answer: No space left on device";
        assert!(answer.stderr.contains(message), "{arguments}: {answer}");
    }
}

#[test]
fn a_closed_pipe_is_nobody_s_mistake() {
    let folder = folder_for_printing();
    for arguments in PRINTING {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = folder.command(arguments);
        let answer = Answer::of(command.stdout(writer).output().unwrap());
        assert_eq!(answer.code, Some(0), "{arguments}: {answer}");
        assert!(!answer.stderr.contains("error"), "{arguments}: {answer}");
    }
}

#[test]
fn a_reader_may_stop_after_the_first_line() {
    use std::io::{BufRead, BufReader};
    let folder = Folder::with("board", "..........\n".repeat(10));
    for arguments in ["binox board --all", "encode binox board", "export binox board --to opb"] {
        let mut child = folder.command(arguments).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.len() > 10, "{arguments}: {line:?}");
        // The pipe is closed here.
        let answer = Answer::of(child.wait_with_output().unwrap());
        assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""), "{arguments}");
    }
}

#[test]
fn a_file_appears_whole_or_not_at_all() {
    let folder = folder_for_printing();
    let cnf = folder.pbsolve("encode binox board");
    assert_eq!(folder.pbsolve("encode binox board -o cnf").printed(0), "");
    assert_eq!(folder.read("cnf"), cnf.printed(0));
    let names = folder.names();

    // A refused input leaves the older file as it was.
    folder.write("bad", "XX\n");
    folder.pbsolve("encode binox bad -o cnf").refusal();
    folder.pbsolve("encode binox board --diff totalizer,none -o cnf").refusal();
    assert_eq!(folder.read("cnf"), cnf.stdout);
    folder.pbsolve("encode binox board -o missing/cnf").refusal();
    folder.pbsolve("export binox board --to opb -o missing/opb").refusal();
    folder.pbsolve("encode binox board -o .").refusal();
    let left: Vec<String> = folder.names().into_iter().filter(|name| name != "bad").collect();
    assert_eq!(left, names);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_device_as_a_file_is_an_error() {
    let folder = folder_for_printing();
    let refused = folder.pbsolve("encode binox board -o /dev/full");
    assert!(refused.refusal().starts_with("error: /dev/full: No space left"), "{refused}");
}
