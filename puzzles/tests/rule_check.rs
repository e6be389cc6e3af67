//! What the rule check says.

use pbsolve_puzzles::{Grid, ParseOptions, find};

fn violation(name: &str, givens: &str, solution: &str) -> String {
    let kind = find(name).expect("a puzzle of the table");
    let puzzle = (kind.parse)(givens.as_bytes(), &ParseOptions::default()).unwrap();
    let solution = puzzle.parse_solution(solution.as_bytes()).unwrap();
    puzzle.check(&solution).unwrap_err().to_string()
}

#[test]
fn violations_name_the_rule_and_the_place() {
    let empty = "....\n....\n....\n....\n";
    let cases = [
        (
            "binox",
            empty,
            "XOXO\nOXXX\nXOXO\nOXOX\n",
            "three X in a row from row 2, column 2 to the right",
        ),
        (
            "binox",
            empty,
            "XXOO\nOXXO\nOXOX\nXOOX\n",
            "three X in a row from row 1, column 2 downwards",
        ),
        ("binox", empty, "XOXX\nOXOX\nXOXO\nOXOX\n", "row 1 has 3 X and 1 O"),
        ("takuzu", empty, "0101\n1010\n0110\n0011\n", "column 1 has 1 1 and 3 0"),
        ("binox", empty, "XXOO\nOOXX\nXXOO\nOOXX\n", "rows 1 and 3 are equal"),
        (
            "binox",
            "...X\n....\n....\n....\n",
            "XXOO\nOOXX\nXXOO\nOOXX\n",
            "the given X at row 1, column 4 became O",
        ),
        ("sudoku", empty, "1234\n3412\n2143\n4322\n", "row 4 has the digit 2 twice"),
        ("sudoku", empty, "1234\n3412\n2143\n1234\n", "column 1 has the digit 1 twice"),
        (
            "sudoku",
            empty,
            "1234\n2341\n3412\n4123\n",
            "the block from row 1, column 1 has the digit 2 twice",
        ),
        (
            "sudoku",
            "....\n3...\n....\n....\n",
            "1234\n4312\n2143\n3421\n",
            "the given 3 at row 2, column 1 became 4",
        ),
    ];
    for (name, givens, solution, expected) in cases {
        assert_eq!(violation(name, givens, solution), expected, "{name}\n{solution}");
    }
}

#[test]
fn empty_cells_other_values_and_other_sizes_are_violations() {
    let kind = find("binox").unwrap();
    let puzzle = (kind.parse)(b"..\n..\n", &ParseOptions::default()).unwrap();
    let check = |grid: &Grid| puzzle.check(grid).unwrap_err().to_string();
    assert_eq!(check(&Grid::empty(2, 2)), "row 1, column 1 is empty");
    let values = vec![Some(0), Some(7), Some(7), Some(0)];
    assert_eq!(check(&Grid::from_cells(2, 2, values)), "row 1 has 0 X and 1 O");
    let message = "the board has 2 rows and 4 columns instead of 2 and 2";
    assert_eq!(check(&Grid::empty(2, 4)), message);
    let sudoku = (find("sudoku").unwrap().parse)(&b"....\n".repeat(4), &ParseOptions::default());
    let grid = Grid::from_cells(4, 4, vec![Some(9); 16]);
    let message = sudoku.unwrap().check(&grid).unwrap_err().to_string();
    assert_eq!(message, "row 1 has 9, which is not a digit");
}
