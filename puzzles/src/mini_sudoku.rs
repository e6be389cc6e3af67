//! Mini Sudoku: the sudoku of 6 x 6 cells with blocks of 2 rows and 3 columns. Beside boards it is
//! read from the document's dictionary, `{(1, 1): 1, (2, 2): 2}`: row and column, then the digit.

use crate::board_text::quoted;
use crate::{Formulation, Grid, ParseOptions, Puzzle, PuzzleError, RuleViolation, Sudoku};
use pbsolve_model::{Assignment, Model, ParseError};
use std::ops::RangeInclusive;

const SIZE: usize = 6;
const BLOCK: (usize, usize) = (2, 3);

/// A Mini Sudoku.
#[derive(Clone, Debug)]
pub struct MiniSudoku(Sudoku);

impl MiniSudoku {
    /// A board with givens as `((row, column), digit)`, counted from 1.
    ///
    /// # Errors
    /// If a number is not from 1 to 6, or a cell is given twice.
    ///
    /// ```
    /// use pbsolve_puzzles::{MiniSudoku, Puzzle};
    ///
    /// let puzzle = MiniSudoku::new([((1, 1), 1), ((2, 2), 2)])?;
    /// assert_eq!(puzzle.givens().get(1, 1), Some(2));
    /// # Ok::<(), pbsolve_puzzles::PuzzleError>(())
    /// ```
    pub fn new(
        givens: impl IntoIterator<Item = ((usize, usize), u16)>,
    ) -> Result<MiniSudoku, PuzzleError> {
        Sudoku::new(SIZE, BLOCK, givens).map(MiniSudoku)
    }

    /// Reads the document's dictionary of filled squares.
    ///
    /// # Errors
    /// The first place where the text is not such a dictionary, a number is not from 1 to 6, or a
    /// cell is given twice.
    ///
    /// ```
    /// use pbsolve_puzzles::{MiniSudoku, Puzzle};
    ///
    /// let puzzle = MiniSudoku::parse_filled("{(1,1): 1, (2,2): 2, (2,5): 3}")?;
    /// assert_eq!(puzzle.givens().get(1, 4), Some(3));
    /// # Ok::<(), pbsolve_model::ParseError>(())
    /// ```
    pub fn parse_filled(text: &str) -> Result<MiniSudoku, ParseError> {
        let mut dictionary = Dictionary { text, at: 0 };
        let givens = dictionary.read()?;
        Ok(MiniSudoku::new(givens).expect("the dictionary's cells and digits are in range"))
    }
}

/// Reads a board: what the table of puzzles holds.
pub(crate) fn parse(text: &[u8], options: &ParseOptions) -> Result<Box<dyn Puzzle>, ParseError> {
    let check_size = |size| match (size, options.block) {
        (SIZE, None | Some(BLOCK)) => Ok(()),
        (SIZE, Some(block)) => Err(PuzzleError::OtherBlock { block, expected: BLOCK }),
        _ => Err(PuzzleError::OtherSize { size, expected: SIZE }),
    };
    Ok(Box::new(MiniSudoku(Sudoku::parse(text, Some(BLOCK), check_size)?)))
}

/// A cursor in the text of a dictionary.
struct Dictionary<'a> {
    text: &'a str,
    at: usize,
}

type Given = ((usize, usize), u16);

impl Dictionary<'_> {
    fn read(&mut self) -> Result<Vec<Given>, ParseError> {
        let mut givens: Vec<Given> = Vec::new();
        self.expect('{', "the '{' of the dictionary")?;
        while !self.take('}') {
            let start = self.at;
            self.expect('(', "'(' and a cell, or '}'")?;
            let row = self.number("a row", 1..=SIZE)?;
            self.expect(',', "',' between row and column")?;
            let column = self.number("a column", 1..=SIZE)?;
            self.expect(')', "the ')' of the cell")?;
            if givens.iter().any(|&(cell, _)| cell == (row, column)) {
                let error = PuzzleError::GivenTwice { cell: (row, column) };
                return Err(self.error_at(start, error.to_string()));
            }
            self.expect(':', "':' and the digit of the cell")?;
            let digit = self.number("a digit", 1..=SIZE)?;
            givens.push(((row, column), u16::try_from(digit).expect("at most 6")));
            if !self.take(',') {
                self.expect('}', "',' or '}'")?;
                break;
            }
        }
        self.skip_whitespace();
        match self.rest().chars().next() {
            None => Ok(givens),
            Some(c) => {
                let found = quoted(&c.to_string());
                Err(self.error_at(self.at, format!("{found} after the end of the dictionary")))
            }
        }
    }

    /// A number; `what` it is called in messages.
    fn number(&mut self, what: &str, range: RangeInclusive<usize>) -> Result<usize, ParseError> {
        self.skip_whitespace();
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let expected = format!("{what} from {} to {}", range.start(), range.end());
        if end == 0 {
            return Err(self.unexpected(&expected));
        }
        let digits = &rest[..end];
        let Some(number) = digits.parse().ok().filter(|number| range.contains(number)) else {
            let message = format!("{} is out of range: expected {expected}", quoted(digits));
            return Err(self.error_at(self.at, message));
        };
        self.at += end;
        Ok(number)
    }

    fn expect(&mut self, c: char, expected: &str) -> Result<(), ParseError> {
        if self.take(c) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    fn take(&mut self, c: char) -> bool {
        self.skip_whitespace();
        let is_next = self.rest().starts_with(c);
        if is_next {
            self.at += c.len_utf8();
        }
        is_next
    }

    fn skip_whitespace(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn unexpected(&self, expected: &str) -> ParseError {
        let found = match self.rest().chars().next() {
            Some(c) => quoted(&c.to_string()),
            None => "the end of the text".to_owned(),
        };
        self.error_at(self.at, format!("{found}, but expected {expected}"))
    }

    fn error_at(&self, at: usize, message: String) -> ParseError {
        ParseError::at_offset(self.text.as_bytes(), at, message)
    }
}

impl Puzzle for MiniSudoku {
    fn name(&self) -> &'static str {
        "mini-sudoku"
    }

    fn givens(&self) -> &Grid {
        self.0.givens()
    }

    fn model(&self, formulation: Formulation) -> Model {
        self.0.model(formulation)
    }

    fn decode(&self, decisions: &Assignment) -> Grid {
        self.0.decode(decisions)
    }

    fn to_assignment(&self, solution: &Grid) -> Assignment {
        self.0.to_assignment(solution)
    }

    fn check(&self, solution: &Grid) -> Result<(), RuleViolation> {
        self.0.check(solution)
    }

    fn symbol(&self, value: u16) -> String {
        self.0.symbol(value)
    }

    fn render(&self, grid: &Grid) -> String {
        self.0.render(grid)
    }

    fn render_svg(&self, solution: &Grid) -> String {
        self.0.render_svg(solution)
    }

    fn parse_solution(&self, text: &[u8]) -> Result<Grid, ParseError> {
        self.0.parse_solution(text)
    }
}
