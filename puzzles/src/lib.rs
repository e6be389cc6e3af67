//! Puzzles as 0-1 linear models: Binox, Takuzu, Sudoku, Mini Sudoku.
//!
//! A puzzle is read from a text, becomes a [`Model`](pbsolve_model::Model) whose decision variables
//! are its cells, and turns the assignment that a solver finds back into a [`Grid`]. The rule check,
//! [`Puzzle::check`], looks at that grid alone and shares no code with the model, so that a mistake
//! in the model cannot hide.
//!
//! ```
//! use pbsolve_puzzles::{Formulation, ParseOptions, find};
//!
//! let takuzu = find("takuzu").expect("a puzzle of the table");
//! let puzzle = (takuzu.parse)(b"01..\n....\n..1.\n1...\n", &ParseOptions::default())?;
//! let solution = puzzle.parse_solution(b"0110\n1001\n0011\n1100\n")?;
//!
//! assert!(puzzle.check(&solution).is_ok());
//! let model = puzzle.model(Formulation::Document);
//! assert!(model.check(&puzzle.to_assignment(&solution)).is_ok());
//! # Ok::<(), pbsolve_model::ParseError>(())
//! ```

mod balance;
mod binary_board;
mod binox;
mod board_text;
mod digit_once;
mod grid;
mod line_bits;
mod lines;
mod lines_differ;
mod mini_sudoku;
mod no_three;
mod pair_indicators;
mod puzzle;
mod rule_violation;
mod sudoku;
mod svg;
mod takuzu;

pub use binary_board::MAX_SIDE;
pub use binox::Binox;
pub use grid::Grid;
pub use mini_sudoku::MiniSudoku;
pub use puzzle::{Formulation, ParseOptions, ParsePuzzle, Puzzle, PuzzleError, PuzzleKind};
pub use rule_violation::RuleViolation;
pub use sudoku::{MAX_SIZE, Sudoku};
pub use takuzu::Takuzu;

/// The puzzles.
pub const ALL: &[PuzzleKind] = &[
    PuzzleKind {
        name: "binox",
        about: "X and O: no three in a row, lines in balance, rows differ, columns differ",
        has_blocks: false,
        has_uniqueness: true,
        parse: binary_board::parse::<Binox>,
    },
    PuzzleKind {
        name: "takuzu",
        about: "binox on a square board with 0 and 1, also called Binary Sudoku or Binairo",
        has_blocks: false,
        has_uniqueness: true,
        parse: binary_board::parse::<Takuzu>,
    },
    PuzzleKind {
        name: "sudoku",
        about: "each digit once a row, once a column and once a block",
        has_blocks: true,
        has_uniqueness: false,
        parse: sudoku::parse,
    },
    PuzzleKind {
        name: "mini-sudoku",
        about: "sudoku of 6 x 6 cells with blocks of 2 rows and 3 columns",
        has_blocks: true,
        has_uniqueness: false,
        parse: mini_sudoku::parse,
    },
];

/// The puzzle with this name.
pub fn find(name: &str) -> Option<&'static PuzzleKind> {
    ALL.iter().find(|kind| kind.name == name)
}
