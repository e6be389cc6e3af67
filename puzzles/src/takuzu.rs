//! Takuzu, also Binary Sudoku or Binairo: the rules of Binox on a square board with the digits 0
//! and 1.
//!
//! The document has one indicator for each unordered pair and position, which says that the cells
//! differ. As printed, its list of constraints bounds the indicators from below only; then they may
//! be 1 where the cells are equal, and boards with equal rows are feasible. [`Takuzu`] bounds them
//! from both sides; [`Takuzu::printed_model`] keeps the printed block for comparison.

use crate::binary_board::{Binary, BinaryBoard, BinaryRules};
use crate::pair_indicators::{IndicatorDefinition, IndicatorRow, IndicatorSum, Pairs};
use crate::{Formulation, Grid, PuzzleError};
use pbsolve_model::Model;

/// A Takuzu board.
#[derive(Clone, Debug)]
pub struct Takuzu(BinaryBoard);

impl Takuzu {
    /// A board whose rows differ and whose columns differ.
    ///
    /// # Errors
    /// If the board is not square, its side is odd or too long, or a value is not 0 or 1.
    pub fn new(givens: Grid) -> Result<Takuzu, PuzzleError> {
        BinaryBoard::new(Takuzu::RULES, givens).map(Takuzu)
    }

    /// The model with the document's printed uniqueness block, which does not do what it is meant
    /// to do: without upper bounds the indicators are free to be 1, and that is how they are
    /// completed. Balance and givens, which the printed list lacks, are there, so that the block is
    /// all that differs.
    pub fn printed_model(&self) -> Model {
        let rules = BinaryRules { indicators: &PRINTED, ..*Takuzu::RULES };
        rules.model(&self.0, Formulation::Document)
    }
}

impl Binary for Takuzu {
    const RULES: &'static BinaryRules = &BinaryRules {
        name: "takuzu",
        symbols: ['0', '1'],
        first_number: 1,
        is_square: true,
        indicator_prefixes: ["z", "w"],
        lean_prefixes: ["z", "w"],
        indicators: &CELLS_DIFFER,
    };

    fn from_board(board: BinaryBoard) -> Takuzu {
        Takuzu(board)
    }

    fn board(&self) -> &BinaryBoard {
        &self.0
    }
}

/// z >= x - x'
const FIRST_IS_ONE: IndicatorRow =
    IndicatorRow { coefficients: [1, -1, 1], lower: Some(0), upper: None, case: [1, 0] };

/// z >= x' - x
const SECOND_IS_ONE: IndicatorRow =
    IndicatorRow { coefficients: [1, 1, -1], lower: Some(0), upper: None, case: [0, 1] };

/// z <= x + x'
const BOTH_ARE_ZERO: IndicatorRow =
    IndicatorRow { coefficients: [1, -1, -1], lower: None, upper: Some(0), case: [0, 0] };

/// z <= 2 - x - x'
const BOTH_ARE_ONE: IndicatorRow =
    IndicatorRow { coefficients: [1, 1, 1], lower: None, upper: Some(2), case: [1, 1] };

/// The indicator z of two cells x and x' is 1 exactly when they differ.
const CELLS_DIFFER: IndicatorDefinition = IndicatorDefinition {
    pairs: Pairs::Unordered,
    rows: &[FIRST_IS_ONE, SECOND_IS_ONE, BOTH_ARE_ZERO, BOTH_ARE_ONE],
    sum: IndicatorSum::AtLeastOne,
    value: |x, other| x != other,
};

/// The printed block: lower bounds only, so 1 is always allowed.
const PRINTED: IndicatorDefinition = IndicatorDefinition {
    rows: &[FIRST_IS_ONE, SECOND_IS_ONE],
    value: |_, _| true,
    ..CELLS_DIFFER
};
