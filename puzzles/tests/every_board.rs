//! Document model, lean model, rule check and brute force agree on every small board.

mod brute_force;

use brute_force::{is_legal_line, obeys_binary_rules, to_grid, visit_boards_of_legal_rows};
use pbsolve_model::{Assignment, Model, Term};
use pbsolve_puzzles::{Binox, Formulation, Grid, MiniSudoku, Puzzle, Sudoku, Takuzu};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// A puzzle with both of its models.
struct Modelled {
    puzzle: Box<dyn Puzzle>,
    models: [Model; 2],
    lines_differ: bool,
}

impl Modelled {
    fn with_and_without_uniqueness(puzzle: impl Puzzle + 'static) -> [Modelled; 2] {
        let without = puzzle.without_uniqueness().expect("the rule is on at first");
        [(Box::new(puzzle) as Box<dyn Puzzle>, true), (without, false)].map(|(puzzle, differ)| {
            let models = [Formulation::Document, Formulation::Lean].map(|f| puzzle.model(f));
            Modelled { puzzle, models, lines_differ: differ }
        })
    }

    /// Whether the board is a solution, and that all agree on it.
    fn accepts(&self, cells: &[Vec<u8>]) -> bool {
        let grid = to_grid(cells);
        let givens = self.puzzle.givens();
        let keeps_givens = givens.filled().all(|(r, c, value)| value == u16::from(cells[r][c]));
        let expected = keeps_givens && obeys_binary_rules(cells, self.lines_differ);
        let checked = self.puzzle.check(&grid);
        let board =
            || format!("{} with {givens:?}\n{}", self.puzzle.name(), self.puzzle.render(&grid));
        assert_eq!(checked.is_ok(), expected, "rule check {checked:?} of {}", board());
        let assignment = self.puzzle.to_assignment(&grid);
        assert_eq!(self.puzzle.decode(&assignment), grid);
        for (model, formulation) in self.models.iter().zip(["document", "lean"]) {
            let checked = model.check(&assignment);
            assert_eq!(checked.is_ok(), expected, "{formulation} {checked:?} of {}", board());
        }
        expected
    }
}

fn board_of_bits(num_rows: usize, num_columns: usize, bits: u32) -> Vec<Vec<u8>> {
    let cell = |row, column| (bits >> (row * num_columns + column) & 1) as u8;
    (0..num_rows).map(|row| (0..num_columns).map(|column| cell(row, column)).collect()).collect()
}

#[test]
fn all_agree_on_every_board_of_4_by_4() {
    let binox = Modelled::with_and_without_uniqueness(Binox::new(Grid::empty(4, 4)).unwrap());
    let takuzu = Modelled::with_and_without_uniqueness(Takuzu::new(Grid::empty(4, 4)).unwrap());
    for [with, without] in [binox, takuzu] {
        let mut counts = [0, 0];
        for bits in 0..1 << 16 {
            let cells = board_of_bits(4, 4, bits);
            counts[0] += u32::from(with.accepts(&cells));
            counts[1] += u32::from(without.accepts(&cells));
        }
        assert_eq!(counts, [72, 90], "{}", with.puzzle.name());
    }
}

#[test]
fn all_agree_on_every_board_of_4_by_4_with_givens() {
    let full = ["0110", "1001", "0011", "1100"];
    let masks = [0x8001, 0x0421, 0x1248, 0x00ff, 0x0f0f, 0x3333, 0xf00f, 0xffff];
    for mask in masks {
        let mut givens = Grid::empty(4, 4);
        for cell in (0..16).filter(|cell| mask >> cell & 1 == 1) {
            let (row, column) = (cell / 4, cell % 4);
            givens.set(row, column, Some(u16::from(full[row].as_bytes()[column] - b'0')));
        }
        let [with, without] = Modelled::with_and_without_uniqueness(Binox::new(givens).unwrap());
        let mut num_solutions = 0;
        for bits in 0..1 << 16 {
            let cells = board_of_bits(4, 4, bits);
            num_solutions += u32::from(with.accepts(&cells));
            without.accepts(&cells);
        }
        assert!(num_solutions > 0, "givens {mask:#x}");
    }
}

/// A board with an illegal row is refused by a row of the model over the cells of that row alone,
/// whatever the other cells hold; the boards of legal rows are checked one by one.
#[test]
fn the_models_agree_on_every_board_of_4_by_6() {
    let [with, without] =
        Modelled::with_and_without_uniqueness(Binox::new(Grid::empty(4, 6)).unwrap());
    for model in with.models.iter().chain(&without.models) {
        for row in 0..4 {
            for bits in 0..1 << 6 {
                let line = board_of_bits(1, 6, bits).remove(0);
                let refused = is_refused_on_its_own(model, row, &line);
                assert_eq!(refused, !is_legal_line(&line), "row {row}: {line:?}");
            }
        }
    }
    let lines = brute_force::legal_lines(6);
    let mut counts = [0, 0];
    for index in 0..lines.len().pow(4) {
        let row = |i| lines[index / lines.len().pow(i) % lines.len()].clone();
        let cells: Vec<Vec<u8>> = (0..4).map(row).collect();
        counts[0] += u32::from(with.accepts(&cells));
        counts[1] += u32::from(without.accepts(&cells));
    }
    assert_eq!(counts, [96, 642]);
}

fn is_refused_on_its_own(model: &Model, row: usize, line: &[u8]) -> bool {
    let cells: Vec<usize> = (row * line.len()..(row + 1) * line.len()).collect();
    RowsOver::these(model, &cells).refuse(|place| line[place] == 1)
}

/// The rows of a model that speak of some variables alone, told by their places among those.
struct RowsOver {
    rows: Vec<RowOver>,
}

/// Coefficients, places, whether a literal is negative; the bounds.
type RowOver = (Vec<(i128, usize, bool)>, Option<i128>, Option<i128>);

impl RowsOver {
    fn these(model: &Model, variables: &[usize]) -> RowsOver {
        let places: HashMap<usize, usize> =
            variables.iter().enumerate().map(|(place, &index)| (index, place)).collect();
        let mut rows = Vec::new();
        let flow: ControlFlow<()> = model.for_each_row(|_, row| {
            let term = |term: Term| {
                let place = places.get(&term.lit.var().index())?;
                Some((term.coefficient, *place, term.lit.is_negative()))
            };
            if let Some(terms) = row.terms().map(term).collect() {
                rows.push((terms, row.lower, row.upper));
            }
            ControlFlow::Continue(())
        });
        assert!(flow.is_continue(), "all rows are visited");
        RowsOver { rows }
    }

    /// Whether one of them is violated, whatever the other variables are.
    fn refuse(&self, value: impl Fn(usize) -> bool) -> bool {
        self.rows.iter().any(|(terms, lower, upper)| {
            let is_true =
                |&&(_, place, is_negative): &&(i128, usize, bool)| value(place) != is_negative;
            let sum: i128 =
                terms.iter().filter(is_true).map(|&(coefficient, ..)| coefficient).sum();
            lower.is_some_and(|lower| sum < lower) || upper.is_some_and(|upper| sum > upper)
        })
    }
}

/// All 2^36 boards: one with an illegal line is refused by rows of the model over the cells of that
/// line alone, whatever the other cells hold; those of legal lines are checked one by one.
#[test]
fn all_agree_on_every_board_of_6_by_6() {
    let binox = Modelled::with_and_without_uniqueness(Binox::new(Grid::empty(6, 6)).unwrap());
    let takuzu = Modelled::with_and_without_uniqueness(Takuzu::new(Grid::empty(6, 6)).unwrap());
    let rows = (0..6).map(|row| (0..6).map(|i| 6 * row + i).collect::<Vec<usize>>());
    let columns = (0..6).map(|column| (0..6).map(|i| 6 * i + column).collect());
    let lines: Vec<Vec<usize>> = rows.chain(columns).collect();
    for [with, without] in [binox, takuzu] {
        for model in with.models.iter().chain(&without.models) {
            for line in &lines {
                let rows = RowsOver::these(model, line);
                for bits in 0..1 << 6 {
                    let cells = board_of_bits(1, 6, bits).remove(0);
                    let refused = rows.refuse(|place| cells[place] == 1);
                    assert_eq!(refused, !is_legal_line(&cells), "{line:?}: {cells:?}");
                }
            }
        }
        let mut counts = [0, 0];
        visit_boards_of_legal_rows(&Grid::empty(6, 6), &mut |cells| {
            if obeys_binary_rules(cells, false) {
                counts[0] += u32::from(with.accepts(cells));
                counts[1] += u32::from(without.accepts(cells));
            }
        });
        assert_eq!(counts, [4140, 11222], "{}", with.puzzle.name());
    }
}

/// All assignments of the models of 4 x 4 and 6 x 6 cells: each row of the model speaks of one unit
/// alone (a row, a column or a block, with the digits of its cells); the rows of a cell refuse all
/// but one digit of it; and those of a unit refuse exactly the digits that are not all different.
#[test]
fn the_models_of_sudoku_state_the_rules_of_every_unit_and_nothing_else() {
    let mini: Box<dyn Puzzle> = Box::new(MiniSudoku::new([]).unwrap());
    let sudoku =
        |size, block| -> Box<dyn Puzzle> { Box::new(Sudoku::new(size, block, []).unwrap()) };
    let boards =
        [(mini, 6, (2, 3)), (sudoku(6, (3, 2)), 6, (3, 2)), (sudoku(4, (2, 2)), 4, (2, 2))];
    for (puzzle, size, block) in boards {
        let units = sudoku_units(size, block);
        let digits_of = |cells: &[(usize, usize)]| -> Vec<usize> {
            let digits = |&(row, column): &(usize, usize)| {
                let first = (row * size + column) * size;
                first..first + size
            };
            cells.iter().flat_map(digits).collect()
        };
        for formulation in [Formulation::Document, Formulation::Lean] {
            let model = puzzle.model(formulation);
            let told = || format!("{} {size} {block:?} {formulation:?}", puzzle.name());
            let mut num_outside = 0;
            let flow: ControlFlow<()> = model.for_each_row(|_, row| {
                let is_of = |unit: &Vec<(usize, usize)>| {
                    let variables = digits_of(unit);
                    row.lits.iter().all(|lit| variables.contains(&lit.var().index()))
                };
                num_outside += u32::from(!units.iter().any(is_of));
                ControlFlow::Continue(())
            });
            assert!(flow.is_continue() && num_outside == 0, "{}", told());
            for cell in units.iter().take(size).flatten() {
                let rows = RowsOver::these(&model, &digits_of(&[*cell]));
                for bits in 0..1u32 << size {
                    let refused = rows.refuse(|place| bits >> place & 1 == 1);
                    assert_eq!(refused, bits.count_ones() != 1, "{}: {cell:?} {bits:b}", told());
                }
            }
            for unit in &units {
                let rows = RowsOver::these(&model, &digits_of(unit));
                for index in 0..size.pow(u32::try_from(size).unwrap()) {
                    let mut rest = index;
                    let mut digits = vec![0; size];
                    for digit in &mut digits {
                        (*digit, rest) = (rest % size, rest / size);
                    }
                    let mut seen = vec![false; size];
                    let repeats = digits.iter().any(|&d| std::mem::replace(&mut seen[d], true));
                    let refused = rows.refuse(|place| digits[place / size] == place % size);
                    assert_eq!(refused, repeats, "{}: {unit:?} {digits:?}", told());
                }
            }
        }
    }
}

/// The cells of each row, column and block, rows first.
fn sudoku_units(size: usize, block: (usize, usize)) -> Vec<Vec<(usize, usize)>> {
    let rows = (0..size).map(|row| (0..size).map(|column| (row, column)).collect());
    let columns = (0..size).map(|column| (0..size).map(|row| (row, column)).collect());
    let blocks = (0..size).map(|number| {
        let (top, left) = (number / block.0 * block.0, number % block.0 * block.1);
        (0..size).map(|i| (top + i / block.1, left + i % block.1)).collect()
    });
    rows.chain(columns).chain(blocks).collect()
}

/// All 2^24 boards, one cell changed from each to the next (a Gray code).
#[test]
fn the_rule_check_agrees_with_brute_force_on_every_board_of_4_by_6() {
    let with = Binox::new(Grid::empty(4, 6)).unwrap();
    let without = with.without_uniqueness().unwrap();
    let mut grid = to_grid(&vec![vec![0; 6]; 4]);
    let legal: Vec<bool> =
        (0..1 << 6).map(|bits| is_legal_line(&board_of_bits(1, 6, bits)[0])).collect();
    let mut counts = [0, 0];
    for step in 0u32..1 << 24 {
        let bits = step ^ step >> 1;
        if step > 0 {
            let cell = step.trailing_zeros();
            let (row, column) = ((cell / 6) as usize, (cell % 6) as usize);
            grid.set(row, column, Some((bits >> cell & 1) as u16));
        }
        let rows_are_legal = (0..4).all(|row| legal[(bits >> (6 * row) & 63) as usize]);
        let expected = [true, false].map(|lines_differ| {
            rows_are_legal && obeys_binary_rules(&board_of_bits(4, 6, bits), lines_differ)
        });
        // A board that is refused without the rule is refused with it.
        let found = without.check(&grid).is_ok();
        assert_eq!(found, expected[1], "{}", without.render(&grid));
        let found = [found && with.check(&grid).is_ok(), found];
        assert_eq!(found, expected, "{}", with.render(&grid));
        counts[0] += u32::from(found[0]);
        counts[1] += u32::from(found[1]);
    }
    assert_eq!(counts, [96, 642]);
}

#[test]
fn boards_are_as_many_as_known() {
    let known = [((6, 6), [4140, 11222]), ((4, 8), [0, 5238]), ((2, 6), [0, 14]), ((2, 2), [2, 2])];
    for ((num_rows, num_columns), expected) in known {
        let givens = Grid::empty(num_rows, num_columns);
        let with = Binox::new(givens.clone()).unwrap();
        let without = with.without_uniqueness().unwrap();
        let mut counts = [0, 0];
        visit_boards_of_legal_rows(&givens, &mut |rows| {
            let grid = to_grid(rows);
            counts[0] += u32::from(with.check(&grid).is_ok());
            counts[1] += u32::from(without.check(&grid).is_ok());
        });
        assert_eq!(counts, expected, "{num_rows} x {num_columns}");
    }
}

#[test]
fn sudokus_of_4_by_4_are_288() {
    let puzzle = Sudoku::new(4, (2, 2), []).unwrap();
    let model = puzzle.model(Formulation::Document);
    let solutions = brute_force::sudoku_solutions(puzzle.givens(), (2, 2), usize::MAX);
    assert_eq!(solutions.len(), 288);
    for solution in &solutions {
        assert_eq!(puzzle.check(solution), Ok(()));
        let assignment = puzzle.to_assignment(solution);
        assert_eq!(model.check(&assignment), Ok(()), "{}", puzzle.render(solution));
        assert_eq!(&puzzle.decode(&assignment), solution);
    }
}

/// All boards of four permutations, among which are those that obey all rules but one.
#[test]
fn model_and_rule_check_agree_on_sudokus_of_permuted_rows() {
    let puzzle = Sudoku::new(4, (2, 2), [((1, 1), 1)]).unwrap();
    let model = puzzle.model(Formulation::Lean);
    let digits = 1..=4u16;
    let rows: Vec<Vec<u16>> = (0..256)
        .map(|index| (0..4).map(|i| (index >> (2 * i) & 3) + 1).collect::<Vec<u16>>())
        .filter(|row| digits.clone().all(|digit| row.contains(&digit)))
        .collect();
    let mut num_solutions = 0;
    for index in 0..rows.len().pow(4) {
        let row = |i| rows[index / rows.len().pow(i) % rows.len()].iter().map(|&d| Some(d));
        let grid = Grid::from_cells(4, 4, (0..4).flat_map(row).collect());
        let checked = puzzle.check(&grid);
        let assignment = puzzle.to_assignment(&grid);
        let refused = model.check(&assignment).is_err();
        assert_eq!(checked.is_err(), refused, "{checked:?}\n{}", puzzle.render(&grid));
        num_solutions += u32::from(!refused);
    }
    assert_eq!(num_solutions, 72);
}

#[test]
fn a_cell_without_exactly_one_digit_is_decoded_as_empty() {
    let puzzle = Sudoku::new(4, (2, 2), []).unwrap();
    let mut values = vec![false; 64];
    for index in [4, 8, 9] {
        values[index] = true;
    }
    let grid = puzzle.decode(&Assignment::from_values(values));
    assert_eq!((grid.get(0, 0), grid.get(0, 1), grid.get(0, 2)), (None, Some(1), None));
    assert_eq!(puzzle.check(&grid).unwrap_err().to_string(), "row 1, column 1 is empty");
}
