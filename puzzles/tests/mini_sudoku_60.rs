//! Mini Sudoku No. 60, equation by equation, and the slips of its printed listing.

use pbsolve_puzzles::{Formulation, MiniSudoku, Puzzle};
use std::ops::ControlFlow;

const CORRECTED: &str = include_str!("fixtures/mini_sudoku_60_corrected.txt");
const PRINTED: &str = include_str!("fixtures/mini_sudoku_60_printed.txt");
const FILLED: &str = "{
    (1, 1): 1, (2, 2): 2, (2, 5): 3, (3, 3): 3, (3, 4): 6,
    (4, 3): 5, (4, 4): 4, (5, 2): 4, (5, 5): 5, (6, 6): 6,
}";

/// `sum of variables = 1` with its sentence.
#[derive(Debug, PartialEq)]
struct Equation {
    variables: Vec<String>,
    sentence: String,
}

fn equations(text: &str) -> Vec<Equation> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let equation = |line: &str| {
        let (sum, sentence) = line.split_once(" = 1   (").unwrap();
        let variable = |name: &str| {
            let digits: Vec<String> = name[1..].chars().map(String::from).collect();
            format!("x_{}", digits.join("_"))
        };
        let variables = sum.split(" + ").map(variable).collect();
        Equation { variables, sentence: sentence.strip_suffix(')').unwrap().to_owned() }
    };
    lines.map(equation).collect()
}

#[test]
fn the_model_is_the_corrected_listing_row_by_row() {
    let puzzle = MiniSudoku::parse_filled(FILLED).unwrap();
    let expected = equations(CORRECTED);
    assert_eq!(expected.len(), 144 + 10);
    let model = puzzle.model(Formulation::Document);
    assert_eq!(model.num_rows(), 154);
    let mut listing = expected.iter();
    let flow = model.for_each_row(|id, row| {
        let variables = row.lits.iter().map(|lit| model.variable_name(lit.var())).collect();
        let sentence = model.row_sentence(id);
        assert!(row.lits.iter().all(|lit| !lit.is_negative()), "{sentence}");
        assert!(row.terms().all(|term| term.coefficient == 1), "{sentence}");
        assert_eq!((row.lower, row.upper), (Some(1), Some(1)), "{sentence}");
        assert_eq!(Some(&Equation { variables, sentence }), listing.next());
        ControlFlow::<()>::Continue(())
    });
    assert!(flow.is_continue());
}

#[test]
fn rows_are_named_by_what_they_count() {
    let model = MiniSudoku::parse_filled(FILLED).unwrap().model(Formulation::Document);
    let names = [
        (0, "row_1_digit_1"),
        (7, "row_2_digit_2"),
        (36, "column_1_digit_1"),
        (72, "submatrix_1_1_digit_1"),
        (90, "submatrix_2_2_digit_1"),
        (107, "submatrix_3_2_digit_6"),
        (109, "square_1_2"),
        (144, "given_1_1"),
        (153, "given_6_6"),
    ];
    for (row, name) in names {
        assert_eq!(model.row_name(pbsolve_model::RowId(row)).as_deref(), Some(name));
    }
}

#[test]
fn the_listings_have_the_known_numbers_of_solutions() {
    let counts = |listing: &str| {
        let equations = equations(listing);
        let without_missing = |equation: &&Equation| equation.variables != ["x_3_3_3"];
        let nine: Vec<&Equation> = equations.iter().filter(without_missing).collect();
        let missing = Equation { variables: vec!["x_3_3_3".to_owned()], sentence: String::new() };
        let ten: Vec<&Equation> = nine.iter().copied().chain([&missing]).collect();
        [num_solutions(&nine), num_solutions(&ten)]
    };
    assert_eq!(equations(PRINTED).len(), 144 + 9);
    assert_eq!(counts(PRINTED), [1, 0]);
    assert_eq!(counts(CORRECTED), [3, 1]);
}

/// The number of assignments for which exactly one variable of each equation is 1: the equation
/// with the fewest open variables is branched upon.
fn num_solutions(equations: &[&Equation]) -> usize {
    let index = |name: &String| {
        let digits = name.split('_').skip(1).map(|digit| digit.parse::<usize>().unwrap() - 1);
        digits.fold(0, |index, digit| 6 * index + digit)
    };
    let equations: Vec<Vec<usize>> =
        equations.iter().map(|equation| equation.variables.iter().map(index).collect()).collect();
    count_from(&equations, &mut [None; 216])
}

fn count_from(equations: &[Vec<usize>], values: &mut [Option<bool>; 216]) -> usize {
    let num_true = |equation: &[usize], values: &[Option<bool>]| {
        equation.iter().filter(|&&x| values[x] == Some(true)).count()
    };
    if equations.iter().any(|equation| num_true(equation, values) > 1) {
        return 0;
    }
    let open = equations.iter().filter(|equation| num_true(equation, values) == 0);
    let candidates = open.map(|equation| -> Vec<usize> {
        equation.iter().copied().filter(|&x| values[x].is_none()).collect()
    });
    let Some(candidates) = candidates.min_by_key(Vec::len) else {
        let num_free = values.iter().filter(|value| value.is_none()).count();
        assert_eq!(num_free, 0, "every variable is in an equation");
        return 1;
    };
    let mut total = 0;
    for x in candidates {
        let before = *values;
        values[x] = Some(true);
        for equation in equations.iter().filter(|equation| equation.contains(&x)) {
            for &other in equation {
                values[other] = values[other].or(Some(false));
            }
        }
        total += count_from(equations, values);
        *values = before;
        // The other branches have it at 0.
        values[x] = Some(false);
    }
    total
}

#[test]
fn the_dictionary_and_the_board_are_the_same_puzzle() {
    let filled = MiniSudoku::parse_filled(FILLED).unwrap();
    let board = include_bytes!("../boards/mini_sudoku_60.txt");
    let kind = pbsolve_puzzles::find("mini-sudoku").unwrap();
    let read = (kind.parse)(board, &pbsolve_puzzles::ParseOptions::default()).unwrap();
    assert_eq!(read.givens(), filled.givens());
    assert_eq!(read.render(read.givens()).lines().last(), Some(".....6"));
}
