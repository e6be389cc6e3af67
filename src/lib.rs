//! Solves 0-1 linear models with SAT solvers, and checks every answer against the model.
//!
//! ```
//! use pbsolve::{Linear, Model, Outcome, Strategy};
//!
//! let mut model = Model::default();
//! let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| model.new_var(name).positive());
//! model.add(Linear::exactly(2, [a, b, c, d]));
//! model.add(Linear::at_most(1, [a, b]));
//! match pbsolve::solve(&model, &Strategy::default())? {
//!     Outcome::Satisfiable(assignment) => println!("a = {}", assignment.satisfies(a)),
//!     Outcome::Unsatisfiable => println!("no solution"),
//!     other => println!("{other}"),
//! }
//! # Ok::<(), pbsolve::SolveError>(())
//! ```
//!
//! A puzzle, as its document writes it:
//!
//! ```
//! use pbsolve::{MiniSudoku, Solve};
//!
//! let givens = [((1, 1), 1), ((2, 2), 2), ((2, 5), 3), ((3, 3), 3), ((3, 4), 6)];
//! let more = [((4, 3), 5), ((4, 4), 4), ((5, 2), 4), ((5, 5), 5), ((6, 6), 6)];
//! let board = MiniSudoku::new(givens.into_iter().chain(more))?.solve()?;
//! println!("{board}");
//! assert!(board.is_unique());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct Readme;

pub mod backend;
mod decimal;
mod external;
pub mod formats;
pub mod ilp;
mod limits;
mod memory;
mod optimize;
mod outcome;
mod portfolio;
pub mod proof;
mod puzzle_answer;
mod search;
mod strategy;
pub mod whole_file;

pub use limits::{Limits, Reason};
pub use optimize::{Optimum, Progress, optimize};
pub use outcome::{Outcome, SolveError};
pub use pbsolve_encodings::{Encoder, Planner};
pub use pbsolve_model::{Assignment, Linear, Lit, Model, Objective, Sense, Var};
pub use pbsolve_puzzles::{Binox, Grid, MiniSudoku, Puzzle, Sudoku, Takuzu};
pub use puzzle_answer::{Ended, PuzzleAnswer, PuzzleSearch, Solve, Uniqueness};
pub use search::{Found, Search, Statistics};
pub use strategy::{Backend, Lazy, Optimization, Strategy, solve};
