//! Sudoku with blocks of p rows and q columns: n = p q digits, each once a row, once a column and
//! once a block.
//!
//! In this order: reading, the model, decoding, the rule check.

use crate::board_text::{self, BoardLine, BoardText, CellForm, Cells, EmptyCells, SizeLimit};
use crate::digit_once::{DigitOnce, GivenDigits, Place, SudokuShape};
use crate::rule_violation::check_givens;
use crate::svg::Drawing;
use crate::{Formulation, Grid, ParseOptions, Puzzle, PuzzleError, RuleViolation};
use pbsolve_model::{Assignment, Model, ParseError};
use std::sync::Arc;

/// The most rows of a sudoku: its model has the cube of them as variables, 16.6 million here.
pub const MAX_SIZE: usize = 255;

/// The greatest digit that is a character: 1 to 9, then A to Z.
const MAX_CHARACTER: u16 = 35;

/// A sudoku.
#[derive(Clone, Debug)]
pub struct Sudoku {
    givens: Grid,
    shape: SudokuShape,
    notation: Notation,
}

/// How digits are written.
#[derive(Clone, Copy, Debug)]
enum Notation {
    /// 1 to 9, then letters.
    Characters { is_lowercase: bool, is_spaced: bool },
    /// Numbers with blanks between.
    Numbers,
}

impl Notation {
    fn symbol(self, value: u16) -> String {
        let number = || value.to_string();
        let Notation::Characters { is_lowercase, .. } = self else { return number() };
        let Some(symbol) = char::from_digit(u32::from(value), 36) else { return number() };
        if is_lowercase { symbol.to_string() } else { symbol.to_ascii_uppercase().to_string() }
    }

    fn separator(self) -> &'static str {
        match self {
            Notation::Characters { is_spaced: false, .. } => "",
            Notation::Characters { .. } | Notation::Numbers => " ",
        }
    }

    fn width(self, size: usize) -> usize {
        match self {
            Notation::Characters { .. } => 1,
            Notation::Numbers => size.to_string().len(),
        }
    }
}

impl Sudoku {
    /// A sudoku with `size` digits, blocks of `block.0` rows and `block.1` columns, and givens as
    /// `((row, column), digit)`, all counted from 1.
    ///
    /// # Errors
    /// If the block does not fit the size, or a given not the board, or a cell is given twice.
    ///
    /// ```
    /// use pbsolve_puzzles::{Puzzle, Sudoku};
    ///
    /// let puzzle = Sudoku::new(4, (2, 2), [((1, 1), 3), ((4, 2), 1)])?;
    /// assert_eq!(puzzle.render(puzzle.givens()), "3...\n....\n....\n.1..\n");
    /// # Ok::<(), pbsolve_puzzles::PuzzleError>(())
    /// ```
    pub fn new(
        size: usize,
        block: (usize, usize),
        givens: impl IntoIterator<Item = ((usize, usize), u16)>,
    ) -> Result<Sudoku, PuzzleError> {
        let shape = shape(size, Some(block))?;
        let mut grid = Grid::empty(size, size);
        for ((row, column), value) in givens {
            let cell = (row, column);
            if !(1..=size).contains(&row) || !(1..=size).contains(&column) {
                return Err(PuzzleError::CellOutside { cell, size });
            }
            if value == 0 || usize::from(value) > size {
                let greatest = u16::try_from(size).expect("at most 255");
                return Err(PuzzleError::ValueOutOfRange { cell, value, range: (1, greatest) });
            }
            if grid.get(row - 1, column - 1).is_some() {
                return Err(PuzzleError::GivenTwice { cell });
            }
            grid.set(row - 1, column - 1, Some(value));
        }
        let notation = if size > usize::from(MAX_CHARACTER) {
            Notation::Numbers
        } else {
            Notation::Characters { is_lowercase: false, is_spaced: false }
        };
        Ok(Sudoku { givens: grid, shape, notation })
    }

    /// Rows and columns of a block.
    pub fn block(&self) -> (usize, usize) {
        (self.shape.block_rows, self.shape.block_columns)
    }
}

/// The shape of a sudoku; without a block the one closest to a square, not taller than wide.
fn shape(size: usize, block: Option<(usize, usize)>) -> Result<SudokuShape, PuzzleError> {
    if size == 0 {
        return Err(PuzzleError::NoCells);
    }
    if size > MAX_SIZE {
        return Err(PuzzleError::TooLarge { lines: "rows", limit: MAX_SIZE });
    }
    let flattest = || {
        let rows = (2..=size.isqrt()).rev().find(|&rows| size.is_multiple_of(rows))?;
        Some((rows, size / rows))
    };
    let block = block.or_else(flattest).ok_or(PuzzleError::NoDefaultBlock { size })?;
    let (block_rows, block_columns) = block;
    if block_rows.checked_mul(block_columns) != Some(size) {
        return Err(PuzzleError::BlockDoesNotFit { block, size });
    }
    Ok(SudokuShape { size, block_rows, block_columns })
}

// Reading.

/// Reads a sudoku: what the table of puzzles holds.
pub(crate) fn parse(text: &[u8], options: &ParseOptions) -> Result<Box<dyn Puzzle>, ParseError> {
    Ok(Box::new(Sudoku::parse(text, options.block, |_| Ok(()))?))
}

impl Sudoku {
    /// `check_size` may refuse sizes.
    pub(crate) fn parse(
        text: &[u8],
        block: Option<(usize, usize)>,
        check_size: impl Fn(usize) -> Result<(), PuzzleError>,
    ) -> Result<Sudoku, ParseError> {
        let text = BoardText::new(text)?;
        let (givens, notation) = read_board(text, EmptyCells::Allowed)?;
        let size = givens.num_rows();
        let shape = check_size(size).and_then(|()| shape(size, block));
        let last_line = || text.lines().ok()?.last().map(|line| line.offset);
        let shape = shape.map_err(|error| text.error(last_line().unwrap_or_default(), error))?;
        Ok(Sudoku { givens, shape, notation })
    }
}

fn read_board(text: BoardText<'_>, empty: EmptyCells) -> Result<(Grid, Notation), ParseError> {
    let mut lines = text.lines()?;
    lines.retain(|line| !is_decoration(*line));
    let Some(first) = lines.first() else {
        return Err(text.error(0, "the text has no board: no line has cells"));
    };
    let is_spaced = first.is_spaced();
    let mut is_lowercase = None;
    let form = cell_form(&lines);
    let limit = match lines.len() {
        1 => SizeLimit { rows: 1, columns: MAX_SIZE * MAX_SIZE },
        _ => SizeLimit { rows: MAX_SIZE, columns: MAX_SIZE },
    };
    let cells = text.cells(&lines, form, limit, |offset, cell| {
        if cell == "0" || board_text::is_empty_cell(cell) {
            return Ok((offset, empty.read(text, offset)?));
        }
        if let [letter @ (b'a'..=b'z' | b'A'..=b'Z')] = cell.as_bytes() {
            is_lowercase.get_or_insert(letter.is_ascii_lowercase());
        }
        let digit = digit_of(cell, form).map_err(|message| text.error(offset, message))?;
        Ok((offset, Some(digit)))
    })?;
    let grid = to_square(text, &lines, &cells)?;
    let is_lowercase = is_lowercase.unwrap_or(false);
    let notation = match form {
        CellForm::Token => Notation::Numbers,
        CellForm::Character if grid.num_rows() > usize::from(MAX_CHARACTER) => Notation::Numbers,
        CellForm::Character => Notation::Characters { is_lowercase, is_spaced },
    };
    Ok((grid, notation))
}

/// Lines such as `------+-------+------`.
fn is_decoration(line: BoardLine<'_>) -> bool {
    let is_drawn = |c| matches!(c, '+' | '-' | '=' | '|' | ' ' | '\t');
    line.text.contains('+') && line.text.chars().all(is_drawn)
}

/// Numbers with blanks between, unless there is no number of two digits, or each line has as many
/// characters as there are lines: then blanks only set off blocks.
fn cell_form(lines: &[BoardLine<'_>]) -> CellForm {
    let is_number = |token: &str| token.len() > 1 && token.bytes().all(|b| b.is_ascii_digit());
    let blank_separated = |line: &BoardLine<'_>| {
        let mut tokens = line.text.split_ascii_whitespace();
        tokens.clone().nth(1).is_some() && tokens.any(is_number)
    };
    let is_row = |line: &BoardLine<'_>| line.cells(CellForm::Character).count() == lines.len();
    let is_grouped = lines.len() == 1 || lines.iter().all(is_row);
    if !is_grouped && lines.iter().any(blank_separated) {
        CellForm::Token
    } else {
        CellForm::Character
    }
}

/// The digit of a cell, of any size.
fn digit_of(cell: &str, form: CellForm) -> Result<u16, String> {
    let quoted = board_text::quoted(cell);
    let message = |expected: &str| {
        format!(
            "{quoted} is not a cell: expected {expected}, or for an empty cell one of . 0 _ - *"
        )
    };
    if form == CellForm::Token {
        if !cell.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(message("a number"));
        }
        let number = cell.parse().ok().filter(|&number| number > 0 && cell.len() <= 5);
        return number.ok_or_else(|| {
            format!("the number {quoted} is out of range: digits are from 1 to {MAX_SIZE}")
        });
    }
    let digit = cell.chars().next().and_then(|c| c.to_digit(36));
    let digit = digit.and_then(|digit| u16::try_from(digit).ok());
    digit.ok_or_else(|| message("1 to 9, or A to Z for 10 to 35"))
}

/// The board of the cells that were read: one line of n*n cells, or n lines of n cells.
fn to_square(
    text: BoardText<'_>,
    lines: &[BoardLine<'_>],
    cells: &Cells<(usize, Option<u16>)>,
) -> Result<Grid, ParseError> {
    let (num_rows, num_columns) = (cells.num_rows, cells.num_columns);
    let size = if num_rows == 1 { num_columns.isqrt() } else { num_rows };
    if num_rows == 1 && size * size != num_columns {
        let message = format!(
            "a single line of {num_columns} cells: expected n*n cells in one line, such as 81, or \
             one row a line"
        );
        return Err(text.error(lines[0].end(), message));
    }
    if num_rows > 1 && num_rows != num_columns {
        let error = PuzzleError::NotSquare { num_rows, num_columns };
        return Err(text.error(lines[num_rows - 1].offset, error));
    }
    let in_range = |digit: u16| usize::from(digit) <= size;
    if let Some(&(offset, Some(digit))) =
        cells.values.iter().find(|(_, digit)| !digit.is_none_or(in_range))
    {
        let symbol = &text.text()[offset..=offset];
        let written = if symbol.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            format!("'{symbol}', the digit {digit},")
        } else {
            format!("the digit {digit}")
        };
        let message =
            format!("{written} is out of range: a board of {size} rows has the digits 1 to {size}");
        return Err(text.error(offset, message));
    }
    Ok(Grid::from_cells(size, size, cells.values.iter().map(|&(_, digit)| digit).collect()))
}

// The model.

impl Sudoku {
    fn to_model(&self) -> Model {
        let shape = self.shape;
        let size = shape.size;
        let mut model = Model::with_generated_names(shape.num_vars(), move |index| {
            let (cell, digit) = (index / size, index % size);
            format!("x_{}_{}_{}", cell / size + 1, cell % size + 1, digit + 1)
        });
        for place in [Place::Rows, Place::Columns, Place::Submatrices, Place::Squares] {
            model.add_family(Arc::new(DigitOnce { shape, place }));
        }
        let cells = self.givens.filled().collect();
        model.add_family(Arc::new(GivenDigits { shape, cells }));
        model
    }
}

// Decoding, the rule check, and the rest of the puzzle.

impl Puzzle for Sudoku {
    fn name(&self) -> &'static str {
        "sudoku"
    }

    fn givens(&self) -> &Grid {
        &self.givens
    }

    fn model(&self, _formulation: Formulation) -> Model {
        self.to_model()
    }

    fn decode(&self, decisions: &Assignment) -> Grid {
        let size = self.shape.size;
        let cells = decisions.values().chunks(size).map(|digits| {
            let mut present = (1..).zip(digits).filter(|&(_, &is_present)| is_present);
            let (digit, _) = present.next()?;
            present.next().is_none().then_some(digit)
        });
        Grid::from_cells(size, size, cells.collect())
    }

    fn to_assignment(&self, solution: &Grid) -> Assignment {
        assert!(solution.has_size_of(&self.givens), "a board of the puzzle's size");
        let mut values = vec![false; self.shape.num_vars()];
        for (row, column, digit) in solution.filled() {
            let digit = usize::from(digit);
            assert!((1..=self.shape.size).contains(&digit), "{digit} is a digit of the puzzle");
            values[self.shape.var(row, column, digit - 1).index()] = true;
        }
        Assignment::from_values(values)
    }

    fn check(&self, solution: &Grid) -> Result<(), RuleViolation> {
        check_givens(&self.givens, solution, |digit| self.symbol(digit))?;
        let size = solution.num_rows();
        let (block_rows, block_columns) = self.block();
        for i in 0..size {
            let row = (0..size).map(|column| (i, column));
            self.check_house(solution, row, || format!("row {}", i + 1))?;
        }
        for i in 0..size {
            let column = (0..size).map(|row| (row, i));
            self.check_house(solution, column, || format!("column {}", i + 1))?;
        }
        for top in (0..size).step_by(block_rows) {
            for left in (0..size).step_by(block_columns) {
                let rows = top..top + block_rows;
                let block =
                    rows.flat_map(|row| (left..left + block_columns).map(move |c| (row, c)));
                let name = || format!("the block from row {}, column {}", top + 1, left + 1);
                self.check_house(solution, block, name)?;
            }
        }
        Ok(())
    }

    fn symbol(&self, value: u16) -> String {
        self.notation.symbol(value)
    }

    fn render(&self, grid: &Grid) -> String {
        let width = self.notation.width(self.shape.size);
        grid.to_text(self.notation.separator(), width, |digit| self.symbol(digit))
    }

    fn render_svg(&self, solution: &Grid) -> String {
        let symbol = |digit| self.symbol(digit);
        let drawing = Drawing { title: self.name(), block: Some(self.block()), symbol: &symbol };
        drawing.draw(&self.givens, solution)
    }

    fn parse_solution(&self, text: &[u8]) -> Result<Grid, ParseError> {
        let text = BoardText::new(text)?;
        let (grid, _) = read_board(text, EmptyCells::Refused)?;
        text.expect_size(&grid, &self.givens)?;
        Ok(grid)
    }
}

impl Sudoku {
    /// Whether cells that are as many as the digits hold each digit once.
    fn check_house(
        &self,
        solution: &Grid,
        cells: impl Iterator<Item = (usize, usize)>,
        name: impl Fn() -> String,
    ) -> Result<(), RuleViolation> {
        let mut seen = vec![false; solution.num_rows() + 1];
        for (row, column) in cells {
            let digit = solution.get(row, column).unwrap_or_default();
            let symbol = || self.symbol(digit);
            match seen.get_mut(usize::from(digit)) {
                None => {
                    let message = format!("{} has {}, which is not a digit", name(), symbol());
                    return Err(RuleViolation::new(message));
                }
                Some(true) => {
                    let message = format!("{} has the digit {} twice", name(), symbol());
                    return Err(RuleViolation::new(message));
                }
                Some(seen) => *seen = true,
            }
        }
        Ok(())
    }
}
