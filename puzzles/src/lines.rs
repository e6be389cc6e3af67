//! The rows or the columns of a board, seen alike: lines of cells, and how their rows are called.

use pbsolve_model::Var;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    Rows,
    Columns,
}

/// All rows, or all columns, of a board whose cells are numbered row by row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    axis: Axis,
    num_rows: usize,
    num_columns: usize,
}

impl Lines {
    pub(crate) fn rows(num_rows: usize, num_columns: usize) -> Lines {
        Lines { axis: Axis::Rows, num_rows, num_columns }
    }

    pub(crate) fn columns(num_rows: usize, num_columns: usize) -> Lines {
        Lines { axis: Axis::Columns, num_rows, num_columns }
    }

    /// Number of lines.
    pub(crate) fn number(self) -> usize {
        match self.axis {
            Axis::Rows => self.num_rows,
            Axis::Columns => self.num_columns,
        }
    }

    /// Number of cells of a line.
    pub(crate) fn length(self) -> usize {
        match self.axis {
            Axis::Rows => self.num_columns,
            Axis::Columns => self.num_rows,
        }
    }

    /// The number of a line's cell, and of its variable where a cell has one.
    pub(crate) fn cell(self, line: usize, position: usize) -> usize {
        match self.axis {
            Axis::Rows => line * self.num_columns + position,
            Axis::Columns => position * self.num_columns + line,
        }
    }

    pub(crate) fn var(self, line: usize, position: usize) -> Var {
        Var::new(self.cell(line, position))
    }

    /// What a family states of all these lines.
    pub(crate) fn family_name(
        self,
        of_rows: &'static str,
        of_columns: &'static str,
    ) -> &'static str {
        match self.axis {
            Axis::Rows => of_rows,
            Axis::Columns => of_columns,
        }
    }

    /// "row" or "column".
    pub(crate) fn word(self) -> &'static str {
        self.family_name("row", "column")
    }

    /// "Row" or "Column".
    pub(crate) fn title(self) -> &'static str {
        self.family_name("Row", "Column")
    }

    /// "column" for rows, "row" for columns.
    pub(crate) fn crossing_word(self) -> &'static str {
        self.family_name("column", "row")
    }
}

/// What a row of a family of pairs is about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PairRow {
    /// The two lines differ.
    Differ,
    /// The indicator at a position, when the cells of the first and of the second line have these
    /// values.
    Case { position: usize, cells: [u8; 2] },
}

impl PairRow {
    pub(crate) fn name(self, lines: Lines, first: usize, second: usize) -> String {
        let (word, first, second) = (lines.word(), first + 1, second + 1);
        match self {
            PairRow::Differ => format!("{word}s_{first}_{second}_differ"),
            PairRow::Case { position, cells: [a, b] } => {
                let (crossing, position) = (lines.crossing_word(), position + 1);
                format!("{word}s_{first}_{second}_{crossing}_{position}_case_{a}_{b}")
            }
        }
    }

    pub(crate) fn sentence(self, lines: Lines, first: usize, second: usize) -> String {
        let (title, first, second) = (lines.title(), first + 1, second + 1);
        match self {
            PairRow::Differ => format!("{title}s {first} and {second} differ"),
            PairRow::Case { position, cells: [a, b] } => {
                let (crossing, position) = (lines.crossing_word(), position + 1);
                format!("{title}s {first} and {second} when {crossing} {position} has {a} and {b}")
            }
        }
    }
}
