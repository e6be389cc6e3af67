//! The rules once more, by brute force and without any code of the crate but [`Grid`].

#![allow(dead_code, reason = "each test file uses its part")]

use pbsolve_puzzles::Grid;

/// Whether a full binary board obeys the rules.
pub(crate) fn obeys_binary_rules(cells: &[Vec<u8>], lines_differ: bool) -> bool {
    let columns: Vec<Vec<u8>> =
        (0..cells[0].len()).map(|c| cells.iter().map(|row| row[c]).collect()).collect();
    [cells, &columns].iter().all(|lines| {
        let legal = lines.iter().all(|line| is_legal_line(line));
        let distinct = (1..lines.len()).all(|i| !lines[..i].contains(&lines[i]));
        legal && (distinct || !lines_differ)
    })
}

/// Whether a line is balanced and has no three equal neighbours.
pub(crate) fn is_legal_line(line: &[u8]) -> bool {
    let ones = line.iter().filter(|&&cell| cell == 1).count();
    2 * ones == line.len() && !line.windows(3).any(|w| w[0] == w[1] && w[1] == w[2])
}

/// The legal lines of a length.
pub(crate) fn legal_lines(length: usize) -> Vec<Vec<u8>> {
    let line = |bits: u32| (0..length).map(|i| (bits >> i & 1) as u8).collect::<Vec<u8>>();
    (0..1 << length).map(line).filter(|line| is_legal_line(line)).collect()
}

/// Visits each board of legal rows that keeps the givens and whose columns have no three equal
/// neighbours; balance of columns and differing lines are left to the caller.
pub(crate) fn visit_boards_of_legal_rows(givens: &Grid, visit: &mut dyn FnMut(&[Vec<u8>])) {
    let lines = legal_lines(givens.num_columns());
    extend(givens, &lines, &mut Vec::new(), visit);
}

fn extend(
    givens: &Grid,
    lines: &[Vec<u8>],
    rows: &mut Vec<Vec<u8>>,
    visit: &mut dyn FnMut(&[Vec<u8>]),
) {
    let r = rows.len();
    if r == givens.num_rows() {
        return visit(rows);
    }
    for line in lines {
        let keeps_givens = (0..line.len())
            .all(|c| givens.get(r, c).is_none_or(|given| given == u16::from(line[c])));
        let three = |c: usize| r >= 2 && rows[r - 1][c] == line[c] && rows[r - 2][c] == line[c];
        let too_many = |c: usize| {
            let same = rows.iter().filter(|row| row[c] == line[c]).count();
            2 * (same + 1) > givens.num_rows()
        };
        let prunes = givens.num_rows() > 6;
        if keeps_givens && !(0..line.len()).any(|c| three(c) || prunes && too_many(c)) {
            rows.push(line.clone());
            extend(givens, lines, rows, visit);
            rows.pop();
        }
    }
}

/// The solutions of a binary board.
pub(crate) fn binary_solutions(givens: &Grid, lines_differ: bool) -> Vec<Vec<Vec<u8>>> {
    let mut solutions = Vec::new();
    visit_boards_of_legal_rows(givens, &mut |rows| {
        if obeys_binary_rules(rows, lines_differ) {
            solutions.push(rows.to_vec());
        }
    });
    solutions
}

pub(crate) fn to_grid(cells: &[Vec<u8>]) -> Grid {
    let values = cells.iter().flatten().map(|&cell| Some(u16::from(cell))).collect();
    Grid::from_cells(cells.len(), cells[0].len(), values)
}

/// The solutions of a sudoku, at most `limit`.
pub(crate) fn sudoku_solutions(givens: &Grid, block: (usize, usize), limit: usize) -> Vec<Grid> {
    let mut solutions = Vec::new();
    let size = givens.num_rows();
    let clash = |grid: &Grid, row: usize, column: usize, digit: u16| {
        let digit = Some(digit);
        let (top, left) = (row / block.0 * block.0, column / block.1 * block.1);
        (0..size).any(|i| {
            let in_block = (top + i / block.1, left + i % block.1);
            let places = [(row, i), (i, column), in_block];
            places.iter().any(|&(r, c)| (r, c) != (row, column) && grid.get(r, c) == digit)
        })
    };
    for (row, column, digit) in givens.filled() {
        if clash(givens, row, column, digit) {
            return solutions;
        }
    }
    search(&mut givens.clone(), &clash, limit, &mut solutions);
    solutions
}

/// Fills the empty cell with the fewest candidates, digit by digit.
fn search(
    grid: &mut Grid,
    clash: &dyn Fn(&Grid, usize, usize, u16) -> bool,
    limit: usize,
    solutions: &mut Vec<Grid>,
) {
    let size = grid.num_rows();
    let digits = u16::try_from(size).unwrap();
    let candidates = |grid: &Grid, row, column| -> Vec<u16> {
        (1..=digits).filter(|&digit| !clash(grid, row, column, digit)).collect()
    };
    let cells = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
    let empty = cells.filter(|&(row, column)| grid.get(row, column).is_none());
    let best = empty
        .map(|(row, column)| (candidates(grid, row, column), row, column))
        .min_by_key(|(candidates, ..)| candidates.len());
    let Some((candidates, row, column)) = best else {
        solutions.push(grid.clone());
        return;
    };
    for digit in candidates {
        if solutions.len() < limit {
            grid.set(row, column, Some(digit));
            search(grid, clash, limit, solutions);
            grid.set(row, column, None);
        }
    }
}
