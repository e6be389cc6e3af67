//! What readers say to texts that are not boards: place, what was found, what was expected.

use pbsolve_model::ParseError;
use pbsolve_puzzles::{MiniSudoku, ParseOptions, find};

fn report(error: &ParseError) -> String {
    format!("{error}\n{}", error.excerpt())
}

fn refusal_with(name: &str, text: &[u8], options: &ParseOptions) -> String {
    let kind = find(name).expect("a puzzle of the table");
    let shown = String::from_utf8_lossy(text);
    match (kind.parse)(text, options) {
        Ok(puzzle) => panic!("{name} read {shown:?} as\n{}", puzzle.render(puzzle.givens())),
        Err(error) => report(&error),
    }
}

fn refusal(name: &str, text: &[u8]) -> String {
    refusal_with(name, text, &ParseOptions::default())
}

#[test]
fn a_row_that_is_too_short() {
    insta::assert_snapshot!(refusal("binox", b"# board\nXO..\n....\n..X\n....\n"), @"
    4:4: row 3 has 3 cells, but row 1 has 4
      | ..X
      |    ^
    ");
}

#[test]
fn a_row_that_is_too_long() {
    insta::assert_snapshot!(refusal("takuzu", b"0 1 . .\n. . . .\n. . . . 1\n. . . .\n"), @"
    3:9: row 3 has 5 cells, but row 1 has 4
      | . . . . 1
      |         ^
    ");
}

#[test]
fn an_odd_number_of_rows() {
    insta::assert_snapshot!(refusal("binox", b"XO..\n....\n..X.\n"), @"
    3:1: the number of rows is odd (3), but it must be even: half of each line is of either kind
      | ..X.
      | ^
    ");
}

#[test]
fn an_odd_number_of_columns() {
    insta::assert_snapshot!(refusal("binox", b"XO...\r\n.....\r\n"), @"
    1:6: the number of columns is odd (5), but it must be even: half of each line is of either kind
      | XO...
      |      ^
    ");
}

#[test]
fn a_takuzu_that_is_not_square() {
    insta::assert_snapshot!(refusal("takuzu", b"01..\n....\n"), @"
    2:1: the board must be square, but it has 2 rows and 4 columns
      | ....
      | ^
    ");
}

#[test]
fn an_unknown_symbol() {
    insta::assert_snapshot!(refusal("binox", b"XO..\n..Q.\n"), @"
    2:3: 'Q' is not a cell: expected X or O, 1 or 0, or for an empty cell one of . _ - *
      | ..Q.
      |   ^
    ");
}

#[test]
fn a_symbol_beyond_ascii() {
    insta::assert_snapshot!(refusal("binox", "\u{feff}X\u{e9}..\n....\n".as_bytes()), @"
    1:2: 'é' (U+00E9) is not a cell: expected X or O, 1 or 0, or for an empty cell one of . _ - *
      | Xé..
      |  ^
    ");
}

#[test]
fn a_character_that_cannot_be_seen() {
    insta::assert_snapshot!(refusal("sudoku", "12\u{a0}34\n".as_bytes()), @"
    1:3: the character U+00A0 is not a cell: expected 1 to 9, or A to Z for 10 to 35, or for an empty cell one of . 0 _ - *
      | 12 34
      |   ^
    ");
}

#[test]
fn letters_and_digits_in_one_board() {
    insta::assert_snapshot!(refusal("binox", b"..X.\n.O..\n.0..\n....\n"), @"
    3:2: '0' here, but 'X' at line 1, column 3: a board is written with X and O or with 1 and 0, not with both
      | .0..
      |  ^
    ");
}

#[test]
fn the_convention_with_1_and_2() {
    insta::assert_snapshot!(refusal("takuzu", b"0 1 0 0\n2 0 0 0\n0 0 0 0\n0 0 0 0\n"), @"
    2:1: '2' is not a cell: cells are 1 and 0, or X and O. Files with 1 and 2, in which 0 is an empty cell, follow another convention and are not read
      | 2 0 0 0
      | ^
    ");
}

#[test]
fn bytes_that_are_not_text() {
    insta::assert_snapshot!(refusal("binox", b"XO..\nX\xff..\n"), @"
    2:2: the byte 0xFF is not UTF-8 text
      | X�..
      |  ^
    ");
}

#[test]
fn an_empty_file() {
    insta::assert_snapshot!(refusal("binox", b""), @"
    1:1: the text has no board: no line has cells
      | 
      | ^
    ");
}

#[test]
fn a_file_of_comments() {
    insta::assert_snapshot!(refusal("sudoku", b"# nothing\n\n% here\n"), @"
    4:1: the text has no board: no line has cells
      | 
      | ^
    ");
}

#[test]
fn a_carriage_return_within_a_line() {
    insta::assert_snapshot!(refusal("binox", b"XO..\r..OX\r"), @"
    1:5: a carriage return within a line; lines end with LF or CR LF
      | XO.. ..OX
      |     ^
    ");
}

#[test]
fn a_board_with_more_lines_than_are_read() {
    insta::assert_snapshot!(refusal("binox", "..\n".repeat(5002).as_bytes()), @"
    5001:1: the board has more than 5000 rows
      | ..
      | ^
    ");
}

#[test]
fn a_sudoku_that_is_not_square() {
    insta::assert_snapshot!(refusal("sudoku", b"1..4\n....\n....\n"), @"
    3:1: the board must be square, but it has 3 rows and 4 columns
      | ....
      | ^
    ");
}

#[test]
fn a_sudoku_in_one_line_of_a_wrong_length() {
    insta::assert_snapshot!(refusal("sudoku", b"1...2.....3....\n"), @"
    1:16: a single line of 15 cells: expected n*n cells in one line, such as 81, or one row a line
      | 1...2.....3....
      |                ^
    ");
}

#[test]
fn a_digit_out_of_range() {
    insta::assert_snapshot!(refusal("sudoku", b"1...\n..5.\n....\n....\n"), @"
    2:3: the digit 5 is out of range: a board of 4 rows has the digits 1 to 4
      | ..5.
      |   ^
    ");
}

#[test]
fn a_letter_out_of_range() {
    insta::assert_snapshot!(refusal("sudoku", b"1...\n..X.\n....\n....\n"), @"
    2:3: 'X', the digit 33, is out of range: a board of 4 rows has the digits 1 to 4
      | ..X.
      |   ^
    ");
}

#[test]
fn a_number_out_of_range() {
    let text = b" 1  .  .  .\n .  . 12  .\n .  .  .  .\n .  .  .  .\n";
    insta::assert_snapshot!(refusal("sudoku", text), @"
    2:7: the digit 12 is out of range: a board of 4 rows has the digits 1 to 4
      |  .  . 12  .
      |       ^
    ");
}

#[test]
fn a_number_beyond_all_ranges() {
    let text = b"1 . . .\n. . 99999999999999999999 .\n. . . .\n. . . .\n";
    insta::assert_snapshot!(refusal("sudoku", text), @"
    2:5: the number '99999999999999999999' is out of range: digits are from 1 to 255
      | . . 99999999999999999999 .
      |     ^
    ");
}

#[test]
fn a_letter_among_numbers() {
    insta::assert_snapshot!(refusal("sudoku", b"10 . .\n. A .\n. . .\n"), @"
    2:3: 'A' is not a cell: expected a number, or for an empty cell one of . 0 _ - *
      | . A .
      |   ^
    ");
}

#[test]
fn a_block_that_does_not_fit() {
    let options = ParseOptions { block: Some((2, 3)), ..ParseOptions::default() };
    let text = b"....\n....\n....\n....\n";
    insta::assert_snapshot!(refusal_with("sudoku", text, &options), @"
    4:1: a block of 2 x 3 cells does not fit: 2 times 3 must be 4, the number of rows
      | ....
      | ^
    ");
}

#[test]
fn a_block_whose_product_overflows() {
    let options = ParseOptions { block: Some((usize::MAX, 2)), ..ParseOptions::default() };
    assert!(refusal_with("sudoku", b"....\n....\n....\n....\n", &options).contains("does not fit"));
}

#[test]
fn a_size_without_a_block() {
    insta::assert_snapshot!(refusal("sudoku", b".....\n.....\n.....\n.....\n.....\n"), @"
    5:1: 5 rows do not divide into blocks: give --box 1x5 for a board whose blocks are its rows
      | .....
      | ^
    ");
}

#[test]
fn a_mini_sudoku_of_another_size() {
    insta::assert_snapshot!(refusal("mini-sudoku", b"....\n....\n....\n....\n"), @"
    4:1: the board must have 6 rows and columns, but it has 4 of each
      | ....
      | ^
    ");
}

#[test]
fn a_mini_sudoku_with_other_blocks() {
    let options = ParseOptions { block: Some((3, 2)), ..ParseOptions::default() };
    insta::assert_snapshot!(refusal_with("mini-sudoku", &b"......\n".repeat(6), &options), @"
    6:1: the blocks must have 2 x 3 cells, not 3 x 2
      | ......
      | ^
    ");
}

fn filled_refusal(text: &str) -> String {
    report(&MiniSudoku::parse_filled(text).expect_err(text))
}

#[test]
fn a_cell_outside_the_board_in_a_dictionary() {
    insta::assert_snapshot!(filled_refusal("{(1, 1): 1, (7, 2): 2}"), @"
    1:14: '7' is out of range: expected a row from 1 to 6
      | {(1, 1): 1, (7, 2): 2}
      |              ^
    ");
}

#[test]
fn a_digit_out_of_range_in_a_dictionary() {
    insta::assert_snapshot!(filled_refusal("{(1, 1): 1,\n (2, 2): 0}"), @"
    2:10: '0' is out of range: expected a digit from 1 to 6
      |  (2, 2): 0}
      |          ^
    ");
}

#[test]
fn a_cell_that_a_dictionary_gives_twice() {
    insta::assert_snapshot!(filled_refusal("{(1, 1): 1, (2, 2): 2, (1, 1): 1}"), @"
    1:24: the cell (1, 1) is given twice
      | {(1, 1): 1, (2, 2): 2, (1, 1): 1}
      |                        ^
    ");
}

#[test]
fn a_dictionary_without_an_end() {
    insta::assert_snapshot!(filled_refusal("{(1, 1): 1"), @"
    1:11: the end of the text, but expected ',' or '}'
      | {(1, 1): 1
      |           ^
    ");
}

#[test]
fn a_dictionary_without_a_comma() {
    insta::assert_snapshot!(filled_refusal("{(1, 1): 1 (2, 2): 2}"), @"
    1:12: '(', but expected ',' or '}'
      | {(1, 1): 1 (2, 2): 2}
      |            ^
    ");
}

#[test]
fn a_dictionary_with_a_negative_number() {
    insta::assert_snapshot!(filled_refusal("{(1, -1): 1}"), @"
    1:6: '-', but expected a column from 1 to 6
      | {(1, -1): 1}
      |      ^
    ");
}

#[test]
fn text_after_a_dictionary() {
    insta::assert_snapshot!(filled_refusal("{(1, 1): 1} and so on"), @"
    1:13: 'a' after the end of the dictionary
      | {(1, 1): 1} and so on
      |             ^
    ");
}

#[test]
fn text_that_is_no_dictionary() {
    insta::assert_snapshot!(filled_refusal("1....."), @"
    1:1: '1', but expected the '{' of the dictionary
      | 1.....
      | ^
    ");
}

fn solution_refusal(name: &str, puzzle: &[u8], solution: &[u8]) -> String {
    let kind = find(name).expect("a puzzle of the table");
    let puzzle = (kind.parse)(puzzle, &ParseOptions::default()).unwrap();
    report(&puzzle.parse_solution(solution).unwrap_err())
}

#[test]
fn a_solution_with_an_empty_cell() {
    insta::assert_snapshot!(solution_refusal("binox", b"..\n..\n", b"XO\nO.\n"), @"
    2:2: an empty cell, but a solution has all cells filled
      | O.
      |  ^
    ");
}

#[test]
fn a_solution_of_another_size() {
    insta::assert_snapshot!(solution_refusal("binox", b"..\n..\n", b"XO\nOX\nXO\nOX\n"), @"
    4:1: the solution has 4 rows and 2 columns, but the puzzle has 2 and 2
      | OX
      | ^
    ");
}

#[test]
fn a_sudoku_solution_of_another_size() {
    let solution = solution_refusal("sudoku", &b"....\n".repeat(4), b"123\n231\n312\n");
    insta::assert_snapshot!(solution, @"
    3:1: the solution has 3 rows and 3 columns, but the puzzle has 4 and 4
      | 312
      | ^
    ");
}
