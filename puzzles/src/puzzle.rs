//! What every puzzle can do, and the errors of boards that were not read from a text.

use crate::{Grid, RuleViolation};
use pbsolve_model::{Assignment, Model, ParseError};
use std::fmt;

/// How a puzzle is written as linear rows. All formulations have the same decision variables, the
/// cells, in the same order, and the same solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formulation {
    /// As the puzzle's document states it.
    Document,
    /// The smallest one, for solving: each pair of lines once, indicators bounded on one side,
    /// nothing for lines that differ in their givens.
    Lean,
}

/// What a reader of puzzles must know beside the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseOptions {
    /// Rows and columns of a sudoku's block; the flatter block when absent.
    pub block: Option<(usize, usize)>,
    /// Whether rows and columns must differ, where the puzzle has this rule.
    pub unique: bool,
}

impl Default for ParseOptions {
    fn default() -> ParseOptions {
        ParseOptions { block: None, unique: true }
    }
}

/// A row of the table of puzzles.
#[derive(Clone, Copy, Debug)]
pub struct PuzzleKind {
    /// The name on the command line.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Whether [`ParseOptions::block`] means something to it.
    pub has_blocks: bool,
    /// Whether [`ParseOptions::unique`] means something to it.
    pub has_uniqueness: bool,
    /// Reads a board.
    pub parse: ParsePuzzle,
}

/// Reads a board from a text.
pub type ParsePuzzle = fn(&[u8], &ParseOptions) -> Result<Box<dyn Puzzle>, ParseError>;

/// A board to be filled, with its rules.
pub trait Puzzle: fmt::Debug + Send + Sync {
    /// The name in the table of puzzles.
    fn name(&self) -> &'static str;

    /// The board as it was given.
    fn givens(&self) -> &Grid;

    /// The rules and the givens as a linear model.
    fn model(&self, formulation: Formulation) -> Model;

    /// The board that the decision variables stand for. A cell without exactly one value is empty.
    fn decode(&self, decisions: &Assignment) -> Grid;

    /// The decision variables that stand for a board: the inverse of [`Puzzle::decode`].
    ///
    /// # Panics
    /// If the board has another size than the puzzle or values that the puzzle lacks.
    fn to_assignment(&self, solution: &Grid) -> Assignment;

    /// Whether a board keeps the givens and obeys the rules. Shares no code with the model.
    ///
    /// # Errors
    /// The first rule that the board breaks.
    fn check(&self, solution: &Grid) -> Result<(), RuleViolation>;

    /// A value in the symbols of the input.
    fn symbol(&self, value: u16) -> String;

    /// A board as text that can be read again: one row a line, in the symbols and with the
    /// separation of the input, dots for empty cells.
    fn render(&self, grid: &Grid) -> String;

    /// A board as a picture in SVG, the givens set off from the other cells.
    fn render_svg(&self, solution: &Grid) -> String;

    /// Reads a full board of the same size.
    ///
    /// # Errors
    /// The first place where the text is not such a board.
    fn parse_solution(&self, text: &[u8]) -> Result<Grid, ParseError>;

    /// The same board without the rule that rows and columns differ; `None` where there is no such
    /// rule.
    fn without_uniqueness(&self) -> Option<Box<dyn Puzzle>> {
        None
    }

    /// The same board with the rule that rows and columns differ; `None` where it has the rule
    /// already or knows no such rule.
    fn with_uniqueness(&self) -> Option<Box<dyn Puzzle>> {
        None
    }
}

/// Why a board is not one of the puzzle's. Rows and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PuzzleError {
    /// The board has no cell.
    NoCells,
    /// A line is longer than the puzzle takes.
    TooLarge {
        /// "rows" or "columns".
        lines: &'static str,
        /// The most there may be.
        limit: usize,
    },
    /// Half of the cells of a line must be of either kind.
    OddSide {
        /// "rows" or "columns".
        lines: &'static str,
        /// How many there are.
        number: usize,
    },
    /// The puzzle is played on a square board.
    NotSquare {
        /// Number of rows.
        num_rows: usize,
        /// Number of columns.
        num_columns: usize,
    },
    /// The puzzle has one size only.
    OtherSize {
        /// Rows, and columns, of the board.
        size: usize,
        /// What it must be.
        expected: usize,
    },
    /// The side has no two factors above 1, so no block suggests itself.
    NoDefaultBlock {
        /// Rows, and columns, of the board.
        size: usize,
    },
    /// A block does not have as many cells as the board has digits.
    BlockDoesNotFit {
        /// Rows and columns of the block.
        block: (usize, usize),
        /// Rows, and columns, of the board.
        size: usize,
    },
    /// A puzzle with fixed blocks was given others.
    OtherBlock {
        /// Rows and columns of the block.
        block: (usize, usize),
        /// What they must be.
        expected: (usize, usize),
    },
    /// A given lies beside the board.
    CellOutside {
        /// Row and column of the given.
        cell: (usize, usize),
        /// Rows, and columns, of the board.
        size: usize,
    },
    /// A cell has a value that the puzzle lacks.
    ValueOutOfRange {
        /// Row and column of the given.
        cell: (usize, usize),
        /// Its value.
        value: u16,
        /// The least and the greatest value.
        range: (u16, u16),
    },
    /// A cell was given two times.
    GivenTwice {
        /// Row and column of the given.
        cell: (usize, usize),
    },
}

impl fmt::Display for PuzzleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            PuzzleError::NoCells => f.write_str("the board has no cells"),
            PuzzleError::TooLarge { lines, limit } => {
                write!(f, "the board has more than {limit} {lines}")
            }
            PuzzleError::OddSide { lines, number } => write!(
                f,
                "the number of {lines} is odd ({number}), but it must be even: half of each line \
                 is of either kind"
            ),
            PuzzleError::NotSquare { num_rows, num_columns } => write!(
                f,
                "the board must be square, but it has {num_rows} rows and {num_columns} columns"
            ),
            PuzzleError::OtherSize { size, expected } => write!(
                f,
                "the board must have {expected} rows and columns, but it has {size} of each"
            ),
            PuzzleError::NoDefaultBlock { size } => write!(
                f,
                "{size} rows do not divide into blocks: give --box 1x{size} for a board whose \
                 blocks are its rows"
            ),
            PuzzleError::BlockDoesNotFit { block: (rows, columns), size } => write!(
                f,
                "a block of {rows} x {columns} cells does not fit: {rows} times {columns} must be \
                 {size}, the number of rows"
            ),
            PuzzleError::OtherBlock { block, expected } => write!(
                f,
                "the blocks must have {} x {} cells, not {} x {}",
                expected.0, expected.1, block.0, block.1
            ),
            PuzzleError::CellOutside { cell: (row, column), size } => write!(
                f,
                "there is no cell ({row}, {column}): rows and columns count from 1 to {size}"
            ),
            PuzzleError::ValueOutOfRange { cell: (row, column), value, range } => write!(
                f,
                "the value {value} of row {row}, column {column} is not from {} to {}",
                range.0, range.1
            ),
            PuzzleError::GivenTwice { cell: (row, column) } => {
                write!(f, "the cell ({row}, {column}) is given twice")
            }
        }
    }
}

impl std::error::Error for PuzzleError {}
