//! Binox: a board with an even number of rows and of columns, cells X or O, no three equal
//! neighbours in a line, as many X as O in each line, rows differ, columns differ.
//!
//! The document says "rows differ" for every ordered pair of rows, with indicators that are 1
//! exactly where the cells are equal and must not all be 1.

use crate::binary_board::{Binary, BinaryBoard, BinaryRules};
use crate::pair_indicators::{IndicatorDefinition, IndicatorRow, IndicatorSum, Pairs};
use crate::{Grid, PuzzleError};

/// A Binox board: X is the value 1, O the value 0.
#[derive(Clone, Debug)]
pub struct Binox(BinaryBoard);

impl Binox {
    /// A board whose rows differ and whose columns differ.
    ///
    /// # Errors
    /// If a side is odd or too long, or a value is not 0 or 1.
    ///
    /// ```
    /// use pbsolve_puzzles::{Binox, Formulation, Grid, Puzzle};
    ///
    /// let mut givens = Grid::empty(6, 8);
    /// givens.set(0, 0, Some(1));
    /// let puzzle = Binox::new(givens)?;
    /// assert_eq!(puzzle.model(Formulation::Document).num_decisions(), 48);
    /// # Ok::<(), pbsolve_puzzles::PuzzleError>(())
    /// ```
    pub fn new(givens: Grid) -> Result<Binox, PuzzleError> {
        BinaryBoard::new(Binox::RULES, givens).map(Binox)
    }
}

impl Binary for Binox {
    const RULES: &'static BinaryRules = &BinaryRules {
        name: "binox",
        symbols: ['O', 'X'],
        first_number: 0,
        is_square: false,
        indicator_prefixes: ["y", "z"],
        lean_prefixes: ["d", "e"],
        indicators: &CELLS_EQUAL,
    };

    fn from_board(board: BinaryBoard) -> Binox {
        Binox(board)
    }

    fn board(&self) -> &BinaryBoard {
        &self.0
    }
}

/// The indicator y of two cells x and x' is 1 exactly when they are equal.
const CELLS_EQUAL: IndicatorDefinition = IndicatorDefinition {
    pairs: Pairs::Ordered,
    rows: &[
        // y + x + x' >= 1
        IndicatorRow { coefficients: [1, 1, 1], lower: Some(1), upper: None, case: [0, 0] },
        // y + x <= x' + 1
        IndicatorRow { coefficients: [1, 1, -1], lower: None, upper: Some(1), case: [1, 0] },
        // y + x' <= x + 1
        IndicatorRow { coefficients: [1, -1, 1], lower: None, upper: Some(1), case: [0, 1] },
        // x + x' <= y + 1
        IndicatorRow { coefficients: [-1, 1, 1], lower: None, upper: Some(1), case: [1, 1] },
    ],
    sum: IndicatorSum::NotAll,
    value: |x, other| x == other,
};
