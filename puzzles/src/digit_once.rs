//! Sudoku's families: each digit once in a row, in a column, in a block; one digit a cell.

use pbsolve_model::{Coefficients, Family, Lit, RowView, Var};
use std::ops::ControlFlow;

/// The size of a sudoku and of its blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SudokuShape {
    pub(crate) size: usize,
    pub(crate) block_rows: usize,
    pub(crate) block_columns: usize,
}

impl SudokuShape {
    /// Whether a cell has a digit; cells and digits count from 0.
    pub(crate) fn var(self, row: usize, column: usize, digit: usize) -> Var {
        Var::new((row * self.size + column) * self.size + digit)
    }

    pub(crate) fn num_vars(self) -> usize {
        self.size * self.size * self.size
    }

    /// Blocks side by side.
    fn blocks_a_row(self) -> usize {
        self.size / self.block_columns
    }
}

/// What holds each digit, or for a square one digit, exactly once.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Rows,
    Columns,
    Submatrices,
    Squares,
}

/// `sum = 1`, one row a group, in the order of the document: rows and columns digit by digit,
/// submatrices one after the other, squares row by row.
#[derive(Debug)]
pub(crate) struct DigitOnce {
    pub(crate) shape: SudokuShape,
    pub(crate) place: Place,
}

impl DigitOnce {
    /// For rows and columns the digit and the line, for submatrices the submatrix and the digit,
    /// for squares row and column; all from 0.
    fn indexes(&self, row: usize) -> (usize, usize) {
        (row / self.shape.size, row % self.shape.size)
    }

    /// The literals of a row of the family.
    fn lits(&self, row: usize) -> Vec<Lit> {
        let (first, second) = self.indexes(row);
        let SudokuShape { size, block_rows, block_columns } = self.shape;
        let lit =
            |row: usize, column: usize, digit: usize| self.shape.var(row, column, digit).positive();
        match self.place {
            Place::Rows => (0..size).map(|column| lit(second, column, first)).collect(),
            Place::Columns => (0..size).map(|row| lit(row, second, first)).collect(),
            Place::Submatrices => {
                let (block_row, block_column) = self.block(first);
                let rows = (0..block_rows).map(|i| block_row * block_rows + i);
                let columns = |row| {
                    let columns = (0..block_columns).map(|i| block_column * block_columns + i);
                    columns.map(move |column| lit(row, column, second))
                };
                rows.flat_map(columns).collect()
            }
            Place::Squares => (0..size).map(|digit| lit(first, second, digit)).collect(),
        }
    }

    /// The place of a submatrix among all, from 0: how many are above it and to its left.
    fn block(&self, block: usize) -> (usize, usize) {
        (block / self.shape.blocks_a_row(), block % self.shape.blocks_a_row())
    }

    /// The two indexes of a row of the family, and the place of the submatrix, all from 1.
    fn numbers(&self, row: u64) -> ((usize, usize), (usize, usize)) {
        let (first, second) = self.indexes(usize::try_from(row).expect("rows of the family"));
        let (v, u) = self.block(first);
        ((first + 1, second + 1), (v + 1, u + 1))
    }
}

impl Family for DigitOnce {
    fn name(&self) -> &'static str {
        match self.place {
            Place::Rows => "each digit once a row",
            Place::Columns => "each digit once a column",
            Place::Submatrices => "each digit once a submatrix",
            Place::Squares => "one digit a square",
        }
    }

    fn num_groups(&self) -> usize {
        self.shape.size * self.shape.size
    }

    fn for_each_row(
        &self,
        group: usize,
        _first_indicator: Var,
        visit: &mut dyn FnMut(RowView<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let lits = self.lits(group);
        let coefficients = Coefficients::Ones;
        visit(RowView { lits: &lits, coefficients, lower: Some(1), upper: Some(1) })
    }

    fn row_name(&self, row: u64) -> String {
        let ((first, second), (v, u)) = self.numbers(row);
        match self.place {
            Place::Rows => format!("row_{second}_digit_{first}"),
            Place::Columns => format!("column_{second}_digit_{first}"),
            Place::Submatrices => format!("submatrix_{v}_{u}_digit_{second}"),
            Place::Squares => format!("square_{first}_{second}"),
        }
    }

    fn row_sentence(&self, row: u64) -> String {
        let ((first, second), (v, u)) = self.numbers(row);
        match self.place {
            Place::Rows => format!("Digit {first} on Row {second}"),
            Place::Columns => format!("Digit {first} on Column {second}"),
            // The document's S_vu; two numbers side by side are ambiguous from 10 on.
            Place::Submatrices if self.shape.block_rows.max(self.shape.block_columns) < 10 => {
                format!("Digit {second} on Submatrix S_{v}{u}")
            }
            Place::Submatrices => format!("Digit {second} on Submatrix S_{v}_{u}"),
            Place::Squares => format!("Square ({first}, {second})"),
        }
    }
}

/// Given cells: `x = 1` for the digit of the cell.
#[derive(Debug)]
pub(crate) struct GivenDigits {
    pub(crate) shape: SudokuShape,
    /// Row and column from 0, and the digit.
    pub(crate) cells: Vec<(usize, usize, u16)>,
}

impl GivenDigits {
    fn place(&self, row: u64) -> (usize, usize, u16) {
        let (row, column, digit) = self.cells[usize::try_from(row).expect("rows of the family")];
        (row + 1, column + 1, digit)
    }
}

impl Family for GivenDigits {
    fn name(&self) -> &'static str {
        "givens"
    }

    fn num_groups(&self) -> usize {
        self.cells.len()
    }

    fn for_each_row(
        &self,
        group: usize,
        _first_indicator: Var,
        visit: &mut dyn FnMut(RowView<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (row, column, digit) = self.cells[group];
        let lits = [self.shape.var(row, column, usize::from(digit) - 1).positive()];
        let coefficients = Coefficients::Ones;
        visit(RowView { lits: &lits, coefficients, lower: Some(1), upper: Some(1) })
    }

    fn row_name(&self, row: u64) -> String {
        let (row, column, _) = self.place(row);
        format!("given_{row}_{column}")
    }

    fn row_sentence(&self, row: u64) -> String {
        let (row, column, digit) = self.place(row);
        format!("Square ({row}, {column}) has Digit {digit}")
    }
}
