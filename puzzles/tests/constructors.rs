//! Puzzles that are made without a text: what is refused, and the table of puzzles.

use pbsolve_puzzles::{ALL, Binox, Grid, MiniSudoku, Puzzle, PuzzleError, Sudoku, Takuzu, find};

#[test]
fn binary_boards_of_other_shapes_are_refused() {
    let cases = [
        (0, 4, "the board has no cells"),
        (4, 0, "the board has no cells"),
        (3, 4, "the number of rows is odd (3)"),
        (4, 5, "the number of columns is odd (5)"),
        (5002, 2, "the board has more than 5000 rows"),
    ];
    for (rows, columns, expected) in cases {
        let message = Binox::new(Grid::empty(rows, columns)).unwrap_err().to_string();
        assert!(message.starts_with(expected), "{rows} x {columns}: {message}");
    }
    let error = Takuzu::new(Grid::empty(4, 6)).unwrap_err();
    assert_eq!(error, PuzzleError::NotSquare { num_rows: 4, num_columns: 6 });
}

#[test]
fn a_binary_value_other_than_0_and_1_is_refused() {
    let mut givens = Grid::empty(2, 2);
    givens.set(1, 0, Some(2));
    let message = Binox::new(givens).unwrap_err().to_string();
    assert_eq!(message, "the value 2 of row 2, column 1 is not from 0 to 1");
}

#[test]
fn sudoku_givens_that_do_not_fit_are_refused() {
    let given = |cell, digit| Sudoku::new(4, (2, 2), [((1, 1), 1), (cell, digit)]);
    let cases = [
        (given((0, 1), 1), "there is no cell (0, 1): rows and columns count from 1 to 4"),
        (given((1, 5), 1), "there is no cell (1, 5): rows and columns count from 1 to 4"),
        (given((2, 2), 0), "the value 0 of row 2, column 2 is not from 1 to 4"),
        (given((2, 2), 5), "the value 5 of row 2, column 2 is not from 1 to 4"),
        (given((1, 1), 1), "the cell (1, 1) is given twice"),
        (
            Sudoku::new(6, (3, 3), []),
            "a block of 3 x 3 cells does not fit: 3 times 3 must be 6, the number of rows",
        ),
        (Sudoku::new(256, (16, 16), []), "the board has more than 255 rows"),
        (Sudoku::new(0, (0, 0), []), "the board has no cells"),
    ];
    for (refused, expected) in cases {
        assert_eq!(refused.unwrap_err().to_string(), expected);
    }
    assert!(MiniSudoku::new([((7, 1), 1)]).is_err());
}

#[test]
fn digits_beyond_the_letters_are_numbers() {
    let puzzle = Sudoku::new(36, (6, 6), [((1, 1), 36)]).unwrap();
    assert!(puzzle.render(puzzle.givens()).starts_with("36  .  . "));
    let puzzle = Sudoku::new(16, (4, 4), [((1, 1), 16)]).unwrap();
    assert!(puzzle.render(puzzle.givens()).starts_with("G..."));
}

#[test]
fn the_table_finds_each_puzzle_by_its_name() {
    let names: Vec<&str> = ALL.iter().map(|kind| kind.name).collect();
    assert_eq!(names, ["binox", "takuzu", "sudoku", "mini-sudoku"]);
    for kind in ALL {
        assert_eq!(find(kind.name).unwrap().about, kind.about, "{}", kind.name);
        let text = "......\n".repeat(6);
        let puzzle = (kind.parse)(text.as_bytes(), &pbsolve_puzzles::ParseOptions::default());
        let puzzle = puzzle.unwrap();
        assert_eq!(puzzle.name(), kind.name);
        assert_eq!(puzzle.without_uniqueness().is_some(), kind.has_uniqueness, "{}", kind.name);
    }
    assert!(find("chess").is_none());
}
