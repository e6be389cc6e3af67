//! Boards on standard output: as text, as JSON, as a picture.

use clap::ValueEnum;
use pbsolve::{Grid, Puzzle};
use serde::Serialize;

/// Output forms of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BoardFormat {
    /// One row a line, in the symbols of the input.
    Text,
    /// An object with the board, the verdict and the cells that differ.
    Json,
    /// A picture of the board; the verdict goes to standard error.
    Svg,
}

/// The answer to a puzzle as JSON.
#[derive(Debug, Serialize)]
pub(crate) struct BoardJson {
    /// The puzzle.
    pub(crate) puzzle: &'static str,
    /// `unique`, `several`, `none` or `undecided`.
    pub(crate) solutions: &'static str,
    /// The board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) board: Option<Vec<Vec<String>>>,
    /// Another board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) another: Option<Vec<Vec<String>>>,
    /// Row and column, from 1, of the cells in which the two differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) differing_cells: Vec<(usize, usize)>,
}

/// The symbols of a full board.
pub(crate) fn symbols(puzzle: &dyn Puzzle, board: &Grid) -> Vec<Vec<String>> {
    let symbol = |row, column| {
        board.get(row, column).map_or_else(|| ".".to_owned(), |value| puzzle.symbol(value))
    };
    let row = |row| (0..board.num_columns()).map(|column| symbol(row, column)).collect();
    (0..board.num_rows()).map(row).collect()
}

/// Cells as people count them: from 1.
pub(crate) fn counted_from_one(cells: &[(usize, usize)]) -> Vec<(usize, usize)> {
    cells.iter().map(|&(row, column)| (row + 1, column + 1)).collect()
}

/// The cells in which two boards differ, as text; the first few of many.
pub(crate) fn list_cells(cells: &[(usize, usize)]) -> String {
    const SHOWN: usize = 12;
    let cell = |(row, column): &(usize, usize)| format!("({row},{column})");
    let list = cells.iter().take(SHOWN).map(cell).collect::<Vec<_>>().join(" ");
    match cells.len().saturating_sub(SHOWN) {
        0 => list,
        more => format!("{list} and {more} more"),
    }
}
