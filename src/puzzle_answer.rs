//! Puzzles: solve the lean formulation, check every board against the document's model and against
//! the rules, and say whether there is another one.

use crate::limits::Reason;
use crate::outcome::{Outcome, SolveError};
use crate::proof::{ProofError, ProofSize, ProvingSearch};
use crate::search::{Found, Search, Statistics};
use crate::strategy::Strategy;
use pbsolve_model::{Assignment, Linear, Model};
use pbsolve_puzzles::{Formulation, Grid, Puzzle};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Whether a board is the only solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Uniqueness {
    /// There is no other.
    Unique,
    /// Here is another.
    Several(Grid),
    /// Not decided, and why.
    Undecided(Reason),
}

/// The answer to a puzzle. Prints as the board, in the symbols of the input.
#[derive(Clone, Debug)]
pub enum PuzzleAnswer {
    /// A board that keeps the rules.
    Solved {
        /// The board.
        board: Grid,
        /// The board as text.
        text: String,
        /// Whether there is another.
        uniqueness: Uniqueness,
    },
    /// There is none.
    NoSolution,
    /// Not decided, and why.
    Undecided(Reason),
}

impl PuzzleAnswer {
    /// Whether there is exactly one solution.
    pub fn is_unique(&self) -> bool {
        matches!(self, PuzzleAnswer::Solved { uniqueness: Uniqueness::Unique, .. })
    }
}

impl fmt::Display for PuzzleAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PuzzleAnswer::Solved { text, .. } => f.write_str(text.trim_end()),
            PuzzleAnswer::NoSolution => f.write_str("no solution"),
            PuzzleAnswer::Undecided(reason) => write!(f, "not decided: {reason}"),
        }
    }
}

/// The formulations of a puzzle that a search needs: one to solve, the document's to check.
#[derive(Debug)]
pub struct PuzzleSearch<'p> {
    puzzle: &'p dyn Puzzle,
    solved: Model,
    document: Model,
}

impl<'p> PuzzleSearch<'p> {
    /// Sets up a search in this formulation.
    pub fn new(puzzle: &'p dyn Puzzle, formulation: Formulation) -> PuzzleSearch<'p> {
        let document = puzzle.model(Formulation::Document);
        PuzzleSearch { puzzle, solved: puzzle.model(formulation), document }
    }

    /// Passes solutions to `visit`, each a different board, until it returns `false` or there are
    /// no more. Says whether all were visited, and what the search came to.
    ///
    /// # Errors
    /// If the search fails or a board fails a check.
    pub fn for_each_solution(
        &self,
        strategy: &Strategy,
        mut visit: impl FnMut(Grid) -> bool,
    ) -> Result<(Ended, Statistics), SolveError> {
        let mut search = Search::new(&self.solved, &self.document, strategy)?;
        let ended = loop {
            match search.next()? {
                Found::NoMore => break Ended::All,
                Found::Unknown(reason) => break Ended::Undecided(reason),
                Found::Solution(assignment) => {
                    search.exclude(&assignment);
                    if !visit(self.checked_board(&assignment)?) {
                        break Ended::Stopped;
                    }
                }
            }
        };
        Ok((ended, search.statistics()))
    }

    /// Solves the puzzle and looks for a second solution.
    ///
    /// # Errors
    /// As [`PuzzleSearch::for_each_solution`].
    pub fn solve(&self, strategy: &Strategy) -> Result<(PuzzleAnswer, Statistics), SolveError> {
        if strategy.backend.is_ilp() {
            return Ok((self.solve_as_program(strategy)?, Statistics::default()));
        }
        let mut boards: Vec<Grid> = Vec::new();
        let (ended, statistics) = self.for_each_solution(strategy, |board| {
            boards.push(board);
            boards.len() < 2
        })?;
        Ok((self.answer(boards, ended), statistics))
    }

    /// The document's formulation, which proofs are about.
    pub fn document(&self) -> &Model {
        &self.document
    }

    /// Solves the puzzle by a search of the document's formulation, looks for a second solution, and
    /// ends the proof that there is none, or no other; `None` if neither is so. A proof of
    /// uniqueness is about an OPB file that is written to `opb`.
    ///
    /// # Errors
    /// As [`PuzzleSearch::for_each_solution`]. That the proof cannot be ended is told beside the
    /// answer.
    #[allow(clippy::type_complexity, reason = "an answer, what it took, and its proof")]
    pub fn prove(
        &self,
        mut search: ProvingSearch<'_>,
        opb: &Path,
    ) -> Result<(PuzzleAnswer, Statistics, Result<Option<ProofSize>, ProofError>), ProofError> {
        let mut solutions = Vec::new();
        let mut boards = Vec::new();
        let ended = loop {
            match search.next()? {
                Found::NoMore => break Ended::All,
                Found::Unknown(reason) => break Ended::Undecided(reason),
                Found::Solution(solution) => {
                    let board = self.puzzle.decode(&solution);
                    self.puzzle.check(&board).map_err(SolveError::BrokenRules)?;
                    boards.push(board);
                    if boards.len() == 2 {
                        break Ended::Stopped;
                    }
                    search.exclude(&solution)?;
                    solutions.push(solution);
                }
            }
        };
        let statistics = search.statistics();
        let size = match (&ended, solutions.first()) {
            (Ended::All, None) => search.end_unsatisfiable().map(Some),
            (Ended::All, Some(only)) => search.end_unique(only, opb).map(Some),
            _ => Ok(None),
        };
        Ok((self.answer(boards, ended), statistics, size))
    }

    fn answer(&self, boards: Vec<Grid>, ended: Ended) -> PuzzleAnswer {
        let mut boards = boards.into_iter();
        match (boards.next(), boards.next(), ended) {
            (None, _, Ended::Undecided(reason)) => PuzzleAnswer::Undecided(reason),
            (None, _, _) => PuzzleAnswer::NoSolution,
            (Some(board), second, ended) => {
                let uniqueness = match (second, ended) {
                    (Some(second), _) => Uniqueness::Several(second),
                    (None, Ended::Undecided(reason)) => Uniqueness::Undecided(reason),
                    (None, _) => Uniqueness::Unique,
                };
                let text = self.puzzle.render(&board);
                PuzzleAnswer::Solved { board, text, uniqueness }
            }
        }
    }
}

impl PuzzleSearch<'_> {
    /// What an integer programming solver makes of the document's formulation: a board, and another
    /// one or its word that there is none.
    fn solve_as_program(&self, strategy: &Strategy) -> Result<PuzzleAnswer, SolveError> {
        let first = match crate::solve(&self.document, strategy)? {
            Outcome::Satisfiable(assignment) => assignment,
            Outcome::Unsatisfiable => return Ok(PuzzleAnswer::NoSolution),
            Outcome::Unknown(reason) => return Ok(PuzzleAnswer::Undecided(reason)),
        };
        let board = self.checked_board(&first)?;
        let uniqueness = match crate::solve(&excluding(&self.document, &first), strategy)? {
            Outcome::Satisfiable(second) => Uniqueness::Several(self.checked_board(&second)?),
            Outcome::Unsatisfiable => Uniqueness::Unique,
            Outcome::Unknown(Reason::Unchecked(claim)) => {
                let other = claim.replace("no solution", "no other board");
                Uniqueness::Undecided(Reason::Unchecked(other))
            }
            Outcome::Unknown(reason) => Uniqueness::Undecided(reason),
        };
        let text = self.puzzle.render(&board);
        Ok(PuzzleAnswer::Solved { board, text, uniqueness })
    }

    fn checked_board(&self, assignment: &Assignment) -> Result<Grid, SolveError> {
        let board = self.puzzle.decode(assignment);
        self.puzzle.check(&board).map_err(SolveError::BrokenRules)?;
        Ok(board)
    }
}

/// The model of a board with a row that a solution violates, and no other board does.
fn excluding(model: &Model, solution: &Assignment) -> Model {
    let mut other = Model::default();
    other.new_vars(model.num_decisions());
    for i in 0..model.num_explicit_rows() {
        let added = other.try_add_view(model.explicit_row(i));
        added.expect("its sums fit, as they did in the model");
    }
    other.add(Linear::at_least(1, solution.lits().map(|lit| !lit)));
    for family in model.families() {
        other.add_family(Arc::clone(family));
    }
    other
}

/// How a visit of the solutions ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All were visited.
    All,
    /// The visitor had enough.
    Stopped,
    /// A limit was reached, and why.
    Undecided(Reason),
}

/// Solving for puzzles: `use pbsolve::Solve`, then `puzzle.solve()`.
pub trait Solve {
    /// Solves the puzzle in the lean formulation and says whether the solution is the only one.
    ///
    /// # Errors
    /// If a board fails a check, which would be a mistake in pbsolve.
    fn solve(&self) -> Result<PuzzleAnswer, SolveError>;
}

impl<P: Puzzle> Solve for P {
    fn solve(&self) -> Result<PuzzleAnswer, SolveError> {
        let search = PuzzleSearch::new(self, Formulation::Lean);
        Ok(search.solve(&Strategy::default())?.0)
    }
}
