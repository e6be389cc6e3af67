//! The boards in `boards/` have exactly one solution, which both checks accept.

mod brute_force;

use brute_force::{binary_solutions, sudoku_solutions, to_grid};
use pbsolve_puzzles::{Formulation, Grid, ParseOptions, Puzzle, find};

fn read(name: &str, text: &[u8]) -> Box<dyn Puzzle> {
    let kind = find(name).expect("a puzzle of the table");
    (kind.parse)(text, &ParseOptions::default()).unwrap()
}

fn assert_checked(puzzle: &dyn Puzzle, solution: &Grid) {
    assert_eq!(puzzle.check(solution), Ok(()));
    let assignment = puzzle.to_assignment(solution);
    for formulation in [Formulation::Document, Formulation::Lean] {
        assert_eq!(puzzle.model(formulation).check(&assignment), Ok(()), "{formulation:?}");
    }
    let text = puzzle.render(solution);
    assert_eq!(puzzle.parse_solution(text.as_bytes()).as_ref(), Ok(solution), "{text}");
}

#[test]
fn the_binox_board_has_one_solution() {
    let puzzle = read("binox", include_bytes!("../boards/binox_6x6.txt"));
    let solutions = binary_solutions(puzzle.givens(), true);
    assert_eq!(solutions.len(), 1);
    assert_checked(&*puzzle, &to_grid(&solutions[0]));
}

#[test]
fn the_takuzu_board_has_one_solution() {
    let puzzle = read("takuzu", include_bytes!("../boards/takuzu_8x8.txt"));
    let solutions = binary_solutions(puzzle.givens(), true);
    assert_eq!(solutions.len(), 1);
    assert_checked(&*puzzle, &to_grid(&solutions[0]));
}

#[test]
fn the_sudoku_board_has_one_solution() {
    let puzzle = read("sudoku", include_bytes!("../boards/sudoku_9x9.txt"));
    let solutions = sudoku_solutions(puzzle.givens(), (3, 3), 2);
    assert_eq!(solutions.len(), 1);
    assert_checked(&*puzzle, &solutions[0]);
}

#[test]
fn the_mini_sudoku_board_has_one_solution() {
    let puzzle = read("mini-sudoku", include_bytes!("../boards/mini_sudoku_60.txt"));
    let solutions = sudoku_solutions(puzzle.givens(), (2, 3), 2);
    assert_eq!(solutions.len(), 1);
    assert_checked(&*puzzle, &solutions[0]);
}

#[test]
fn every_change_of_one_cell_of_a_solution_is_refused_by_both_checks() {
    let puzzle = read("takuzu", include_bytes!("../boards/takuzu_8x8.txt"));
    let solution = to_grid(&binary_solutions(puzzle.givens(), true)[0]);
    let models = [Formulation::Document, Formulation::Lean].map(|f| puzzle.model(f));
    for (row, column, value) in solution.filled() {
        let mut changed = solution.clone();
        changed.set(row, column, Some(1 - value));
        assert!(puzzle.check(&changed).is_err(), "({row}, {column})");
        for model in &models {
            assert!(model.check(&puzzle.to_assignment(&changed)).is_err(), "({row}, {column})");
        }
    }
}
