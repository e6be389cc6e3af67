//! A board: cells in rows and columns, each empty or with a value.

use std::fmt::Write;

/// A board of cells, counted from 0. What a value means is the puzzle's: 0 and 1 for O and X, the
/// digit itself in a sudoku.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    num_rows: usize,
    num_columns: usize,
    cells: Vec<Option<u16>>,
}

impl Grid {
    /// A board whose cells are all empty.
    pub fn empty(num_rows: usize, num_columns: usize) -> Grid {
        Grid { num_rows, num_columns, cells: vec![None; num_rows * num_columns] }
    }

    /// A board from its cells, row by row.
    ///
    /// # Panics
    /// If there are not `num_rows * num_columns` cells.
    pub fn from_cells(num_rows: usize, num_columns: usize, cells: Vec<Option<u16>>) -> Grid {
        assert_eq!(cells.len(), num_rows * num_columns, "one value for each cell");
        Grid { num_rows, num_columns, cells }
    }

    /// Number of rows.
    pub fn num_rows(&self) -> usize {
        self.num_rows
    }

    /// Number of columns.
    pub fn num_columns(&self) -> usize {
        self.num_columns
    }

    /// The value of a cell; `None` when it is empty.
    ///
    /// # Panics
    /// If the cell is not on the board.
    pub fn get(&self, row: usize, column: usize) -> Option<u16> {
        self.cells[self.index(row, column)]
    }

    /// Fills or empties a cell.
    ///
    /// # Panics
    /// If the cell is not on the board.
    pub fn set(&mut self, row: usize, column: usize, value: Option<u16>) {
        let index = self.index(row, column);
        self.cells[index] = value;
    }

    /// The values of the cells, row by row.
    pub fn iter(&self) -> impl Iterator<Item = Option<u16>> + '_ {
        self.cells.iter().copied()
    }

    /// The filled cells, row by row, as `(row, column, value)`.
    pub fn filled(&self) -> impl Iterator<Item = (usize, usize, u16)> + '_ {
        let place = |index| (index / self.num_columns, index % self.num_columns);
        let filled = self.cells.iter().enumerate();
        filled.filter_map(move |(index, cell)| {
            let (row, column) = place(index);
            cell.map(|value| (row, column, value))
        })
    }

    /// Whether the other board has as many rows and columns.
    pub fn has_size_of(&self, other: &Grid) -> bool {
        self.num_rows == other.num_rows && self.num_columns == other.num_columns
    }

    /// The cells that differ from those of a board of the same size, as `(row, column)`.
    ///
    /// # Panics
    /// If the sizes differ.
    pub fn differing_cells(&self, other: &Grid) -> Vec<(usize, usize)> {
        assert!(self.has_size_of(other), "boards of different sizes cannot be compared");
        let pairs = self.cells.iter().zip(&other.cells).enumerate();
        let differing = pairs.filter(|(_, (mine, others))| mine != others);
        differing.map(|(index, _)| (index / self.num_columns, index % self.num_columns)).collect()
    }

    /// One row a line; symbols are padded to `width`, empty cells are dots.
    pub(crate) fn to_text(
        &self,
        separator: &str,
        width: usize,
        symbol: impl Fn(u16) -> String,
    ) -> String {
        let mut text = String::new();
        for row in 0..self.num_rows {
            for column in 0..self.num_columns {
                let before = if column == 0 { "" } else { separator };
                let cell = self.get(row, column).map_or_else(|| ".".to_owned(), &symbol);
                write!(text, "{before}{cell:>width$}").expect("a String takes all text");
            }
            text.push('\n');
        }
        text
    }

    fn index(&self, row: usize, column: usize) -> usize {
        assert!(row < self.num_rows && column < self.num_columns, "no cell ({row}, {column})");
        row * self.num_columns + column
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differing_cells_are_named_by_row_and_column() {
        let mut one = Grid::empty(2, 3);
        let mut other = one.clone();
        one.set(0, 2, Some(1));
        other.set(1, 1, Some(0));
        assert_eq!(one.differing_cells(&other), [(0, 2), (1, 1)]);
        assert_eq!(one.filled().collect::<Vec<_>>(), [(0, 2, 1)]);
    }
}
