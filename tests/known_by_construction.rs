//! Boards that have a solution because they were emptied from a full one: what is found obeys the
//! rules, checked here once more, and keeps the givens.

mod random;

use pbsolve::{Binox, Grid, Puzzle, PuzzleAnswer, Solve, Sudoku, Takuzu, Uniqueness};
use random::Random;
use std::collections::BTreeSet;

/// The board of an answer, and the other one if there are several.
fn boards(puzzle: &(impl Puzzle + 'static)) -> (Grid, Option<Grid>) {
    let shown = || format!("{}\n{}", puzzle.name(), puzzle.render(puzzle.givens()));
    let answer = puzzle.solve().unwrap_or_else(|error| panic!("{error} on {}", shown()));
    match answer {
        PuzzleAnswer::Solved { board, uniqueness: Uniqueness::Unique, .. } => (board, None),
        PuzzleAnswer::Solved { board, uniqueness: Uniqueness::Several(other), .. } => {
            (board, Some(other))
        }
        other => panic!("{other} on {}", shown()),
    }
}

fn lines(board: &Grid) -> (Vec<Vec<u16>>, Vec<Vec<u16>>) {
    let cell = |row, column| board.get(row, column).expect("the board is full");
    let (rows, columns) = (0..board.num_rows(), 0..board.num_columns());
    let across = rows.clone().map(|row| columns.clone().map(|c| cell(row, c)).collect()).collect();
    let down = columns.map(|column| rows.clone().map(|row| cell(row, column)).collect()).collect();
    (across, down)
}

fn obeys_binary_rules(board: &Grid) -> bool {
    let (rows, columns) = lines(board);
    [rows, columns].iter().all(|lines| {
        let differ = lines.iter().collect::<BTreeSet<_>>().len() == lines.len();
        let each_line = |line: &Vec<u16>| {
            let no_three = line.windows(3).all(|w| w[0] != w[1] || w[1] != w[2]);
            no_three && 2 * usize::from(line.iter().sum::<u16>()) == line.len()
        };
        differ && lines.iter().all(each_line)
    })
}

fn obeys_sudoku_rules(board: &Grid) -> bool {
    let (rows, columns) = lines(board);
    let block = |number: usize| {
        let cell = |i: usize| rows[number / 3 * 3 + i / 3][number % 3 * 3 + i % 3];
        (0..9).map(cell).collect::<Vec<u16>>()
    };
    let groups = rows.iter().cloned().chain(columns.iter().cloned()).chain((0..9).map(block));
    groups.map(|group| group.into_iter().collect::<BTreeSet<_>>().len()).all(|len| len == 9)
}

fn keeps(board: &Grid, givens: &Grid) -> bool {
    givens.filled().all(|(row, column, value)| board.get(row, column) == Some(value))
}

/// The board with some of its cells, each kept with a chance of `kept` in 100.
fn emptied(board: &Grid, kept: usize, random: &mut Random) -> Grid {
    let mut givens = Grid::empty(board.num_rows(), board.num_columns());
    for (row, column, value) in board.filled() {
        if random.below(100) < kept {
            givens.set(row, column, Some(value));
        }
    }
    givens
}

/// A full board that grew from a few random cells, or `None` if these allow none.
fn full_binary_board(num_rows: usize, num_columns: usize, random: &mut Random) -> Option<Grid> {
    let mut seeds = Grid::empty(num_rows, num_columns);
    for _ in 0..num_rows {
        let (row, column) = (random.below(num_rows), random.below(num_columns));
        seeds.set(row, column, Some(u16::from(random.below(2) == 0)));
    }
    let puzzle = Binox::new(seeds).expect("the sides are even");
    match puzzle.solve().expect("the answer passes its checks") {
        PuzzleAnswer::Solved { board, .. } => Some(board),
        _ => None,
    }
}

#[test]
fn an_emptied_binary_board_is_filled_again() {
    let mut random = Random::new(7);
    let mut num_filled = 0;
    for (num_rows, num_columns) in [(8, 8), (8, 10), (10, 8), (12, 12), (14, 12), (14, 14)] {
        for kept in [10, 20, 30, 40, 60, 100] {
            let Some(full) = full_binary_board(num_rows, num_columns, &mut random) else {
                continue;
            };
            num_filled += 1;
            let puzzle = Binox::new(emptied(&full, kept, &mut random)).unwrap();
            let (board, other) = boards(&puzzle);
            let shown = || {
                let (givens, found) = (puzzle.render(puzzle.givens()), puzzle.render(&board));
                format!("givens\n{givens}found\n{found}emptied\n{}", puzzle.render(&full))
            };
            for board in [Some(&board), other.as_ref()].into_iter().flatten() {
                assert!(obeys_binary_rules(board), "{}", shown());
                assert!(keeps(board, puzzle.givens()), "{}", shown());
            }
            assert!(other.is_some() || board == full, "a board is lost: {}", shown());
            assert_ne!(Some(&board), other.as_ref(), "{}", shown());
            if num_rows == num_columns {
                let takuzu = Takuzu::new(puzzle.givens().clone()).unwrap();
                assert_eq!(boards(&takuzu).1.is_none(), other.is_none(), "{}", shown());
            }
        }
    }
    assert!(num_filled > 20, "only {num_filled} boards could be filled");
}

/// The sudoku pattern with digits, bands, stacks and the lines within them shuffled.
fn full_sudoku(random: &mut Random) -> Grid {
    let mut shuffled = |n: usize| {
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, random.below(i + 1));
        }
        order
    };
    let mut order_of_lines = || {
        let bands = shuffled(3);
        bands.iter().flat_map(|band| shuffled(3).into_iter().map(move |i| 3 * band + i)).collect()
    };
    let (rows, columns): (Vec<usize>, Vec<usize>) = (order_of_lines(), order_of_lines());
    let digits = shuffled(9);
    let mut board = Grid::empty(9, 9);
    for (row, r) in rows.into_iter().enumerate() {
        for (column, &c) in columns.iter().enumerate() {
            let digit = digits[(r * 3 + r / 3 + c) % 9] + 1;
            board.set(row, column, Some(u16::try_from(digit).expect("at most 9")));
        }
    }
    board
}

#[test]
fn an_emptied_sudoku_is_filled_again() {
    let mut random = Random::new(11);
    for kept in [0, 20, 25, 30, 35, 40, 50, 70, 100] {
        for _ in 0..3 {
            let full = full_sudoku(&mut random);
            assert!(obeys_sudoku_rules(&full), "the pattern is a sudoku: {full:?}");
            let givens = emptied(&full, kept, &mut random);
            let cells = givens.filled().map(|(r, c, value)| ((r + 1, c + 1), value));
            let puzzle = Sudoku::new(9, (3, 3), cells).unwrap();
            let (board, other) = boards(&puzzle);
            let shown = || {
                let (givens, found) = (puzzle.render(&givens), puzzle.render(&board));
                format!("givens\n{givens}found\n{found}emptied\n{}", puzzle.render(&full))
            };
            for board in [Some(&board), other.as_ref()].into_iter().flatten() {
                assert!(obeys_sudoku_rules(board), "{}", shown());
                assert!(keeps(board, &givens), "{}", shown());
            }
            assert!(other.is_some() || board == full, "a board is lost: {}", shown());
        }
    }
}
