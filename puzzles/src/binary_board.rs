//! What Binox and Takuzu share: a board of cells with two values, no three equal neighbours in a
//! line, lines in balance and, unless dropped, rows that differ and columns that differ.
//!
//! In this order: reading, the model, decoding, the rule check.

use crate::balance::Balance;
use crate::board_text::{self, BoardText, CellForm, Cells, EmptyCells, SizeLimit};
use crate::lines::Lines;
use crate::lines_differ::LinesDiffer;
use crate::no_three::NoThree;
use crate::pair_indicators::{IndicatorDefinition, IndicatorNames, PairIndicators};
use crate::rule_violation::check_givens;
use crate::svg::Drawing;
use crate::{Formulation, Grid, ParseOptions, Puzzle, PuzzleError, RuleViolation};
use pbsolve_model::{Assignment, Coefficients, Family, Model, ParseError, RowView, Var};
use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The most rows and the most columns of a board. The pairs of lines of a model grow with the
/// square: at this limit their places take 400 MB.
pub const MAX_SIDE: usize = 5000;

/// What makes a puzzle of this kind: its document's names and indicators.
#[derive(Debug)]
pub(crate) struct BinaryRules {
    pub(crate) name: &'static str,
    /// The symbols of 0 and 1 when the board has none.
    pub(crate) symbols: [char; 2],
    /// The number of the first row and column in the names of variables.
    pub(crate) first_number: usize,
    pub(crate) is_square: bool,
    /// The prefixes of the document's indicators for rows and for columns.
    pub(crate) indicator_prefixes: [&'static str; 2],
    /// The same for indicators that are 1 only where cells differ.
    pub(crate) lean_prefixes: [&'static str; 2],
    pub(crate) indicators: &'static IndicatorDefinition,
}

/// A puzzle that is a binary board; [`Puzzle`] follows from it.
pub(crate) trait Binary: fmt::Debug + Send + Sync + Sized + 'static {
    const RULES: &'static BinaryRules;
    fn from_board(board: BinaryBoard) -> Self;
    fn board(&self) -> &BinaryBoard;
}

/// A board with its symbols.
#[derive(Clone, Debug)]
pub(crate) struct BinaryBoard {
    givens: Grid,
    notation: Notation,
    lines_differ: bool,
}

/// How the values are written.
#[derive(Clone, Copy, Debug)]
struct Notation {
    symbols: [char; 2],
    is_spaced: bool,
}

impl Notation {
    fn symbol(self, value: u16) -> char {
        self.symbols.get(usize::from(value)).copied().unwrap_or('?')
    }

    fn separator(self) -> &'static str {
        if self.is_spaced { " " } else { "" }
    }
}

// Reading.

impl BinaryRules {
    fn parse(&self, text: &[u8], options: &ParseOptions) -> Result<BinaryBoard, ParseError> {
        let (text, cells, notation) = read_board(text, self.symbols, EmptyCells::Allowed)?;
        let (num_rows, num_columns) = (cells.num_rows, cells.num_columns);
        self.check_size(num_rows, num_columns).map_err(|error| {
            let lines = text.lines().unwrap_or_default();
            let place = match error {
                PuzzleError::OddSide { lines: "columns", .. } => lines.first().map(|l| l.end()),
                _ => lines.last().map(|line| line.offset),
            };
            text.error(place.unwrap_or_default(), error)
        })?;
        let givens = Grid::from_cells(num_rows, num_columns, cells.values);
        Ok(BinaryBoard { givens, notation, lines_differ: options.unique })
    }

    fn check_size(&self, num_rows: usize, num_columns: usize) -> Result<(), PuzzleError> {
        if num_rows == 0 || num_columns == 0 {
            return Err(PuzzleError::NoCells);
        }
        for (lines, number) in [("rows", num_rows), ("columns", num_columns)] {
            if number > MAX_SIDE {
                return Err(PuzzleError::TooLarge { lines, limit: MAX_SIDE });
            }
            if !number.is_multiple_of(2) {
                return Err(PuzzleError::OddSide { lines, number });
            }
        }
        if self.is_square && num_rows != num_columns {
            return Err(PuzzleError::NotSquare { num_rows, num_columns });
        }
        Ok(())
    }
}

impl BinaryBoard {
    /// A board in the puzzle's own symbols whose rows, and columns, must differ.
    pub(crate) fn new(rules: &BinaryRules, givens: Grid) -> Result<BinaryBoard, PuzzleError> {
        rules.check_size(givens.num_rows(), givens.num_columns())?;
        if let Some((row, column, value)) = givens.filled().find(|&(_, _, value)| value > 1) {
            let cell = (row + 1, column + 1);
            return Err(PuzzleError::ValueOutOfRange { cell, value, range: (0, 1) });
        }
        let notation = Notation { symbols: rules.symbols, is_spaced: false };
        Ok(BinaryBoard { givens, notation, lines_differ: true })
    }
}

type ReadBoard<'a> = (BoardText<'a>, Cells<Option<u16>>, Notation);

fn read_board(
    text: &[u8],
    default_symbols: [char; 2],
    empty_cells: EmptyCells,
) -> Result<ReadBoard<'_>, ParseError> {
    let text = BoardText::new(text)?;
    let lines = text.lines()?;
    let limit = SizeLimit { rows: MAX_SIDE, columns: MAX_SIDE };
    let mut first_symbol = None;
    let cells = text.cells(&lines, CellForm::Character, limit, |offset, cell| {
        if board_text::is_empty_cell(cell) {
            return empty_cells.read(text, offset);
        }
        let (value, symbols) = symbol_of(cell).map_err(|message| text.error(offset, message))?;
        let &mut (first_offset, first) = first_symbol.get_or_insert((offset, symbols));
        if first[0].is_ascii_digit() == symbols[0].is_ascii_digit() {
            return Ok(Some(value));
        }
        let first_cell = &text.text()[first_offset..=first_offset];
        let place = text.place(first_offset);
        let message = format!(
            "'{cell}' here, but '{first_cell}' at {place}: a board is written with X and O or with \
             1 and 0, not with both"
        );
        Err(text.error(offset, message))
    })?;
    let symbols = first_symbol.map_or(default_symbols, |(_, symbols)| symbols);
    Ok((text, cells, Notation { symbols, is_spaced: lines[0].is_spaced() }))
}

/// The value of a cell's symbol, and the symbols of 0 and 1 that it belongs to.
fn symbol_of(cell: &str) -> Result<(u16, [char; 2]), String> {
    match cell {
        "O" => Ok((0, ['O', 'X'])),
        "X" => Ok((1, ['O', 'X'])),
        "o" => Ok((0, ['o', 'x'])),
        "x" => Ok((1, ['o', 'x'])),
        "0" => Ok((0, ['0', '1'])),
        "1" => Ok((1, ['0', '1'])),
        "2" => {
            Err("'2' is not a cell: cells are 1 and 0, or X and O. Files with 1 and 2, in which \
                    0 is an empty cell, follow another convention and are not read"
                .to_owned())
        }
        _ => Err(format!(
            "{} is not a cell: expected X or O, 1 or 0, or for an empty cell one of . _ - *",
            board_text::quoted(cell)
        )),
    }
}

// The model.

impl BinaryRules {
    pub(crate) fn model(&self, board: &BinaryBoard, formulation: Formulation) -> Model {
        let (num_rows, num_columns) = (board.givens.num_rows(), board.givens.num_columns());
        let first = self.first_number;
        let mut model = Model::with_generated_names(num_rows * num_columns, move |cell| {
            format!("x_{}_{}", cell / num_columns + first, cell % num_columns + first)
        });
        let axes = [Lines::rows(num_rows, num_columns), Lines::columns(num_rows, num_columns)];
        model.add_family(Arc::new(Givens::new(board)));
        for lines in axes {
            model.add_family(Arc::new(NoThree::new(lines)));
        }
        for lines in axes {
            model.add_family(Arc::new(Balance::new(lines)));
        }
        if board.lines_differ {
            for (axis, lines) in axes.into_iter().enumerate() {
                model.add_family(self.differ(lines, axis, &board.givens, formulation));
            }
        }
        model
    }

    fn differ(
        &self,
        lines: Lines,
        axis: usize,
        givens: &Grid,
        formulation: Formulation,
    ) -> Arc<dyn Family> {
        let names = |prefixes: [&'static str; 2]| {
            let (prefix, first_number) = (prefixes[axis], self.first_number);
            IndicatorNames { prefix, first_number }
        };
        match formulation {
            Formulation::Document => {
                let (definition, names) = (self.indicators, names(self.indicator_prefixes));
                Arc::new(PairIndicators { lines, definition, names })
            }
            Formulation::Lean => {
                Arc::new(LinesDiffer::new(lines, names(self.lean_prefixes), givens))
            }
        }
    }
}

/// Given cells: `x = 1` or `x = 0`.
#[derive(Debug)]
struct Givens {
    num_columns: usize,
    symbols: [char; 2],
    /// The given cells by number, with their values.
    cells: Vec<(u32, bool)>,
}

impl Givens {
    fn new(board: &BinaryBoard) -> Givens {
        let (num_columns, symbols) = (board.givens.num_columns(), board.notation.symbols);
        let cells = board.givens.filled().map(|(row, column, value)| {
            let cell = u32::try_from(row * num_columns + column);
            (cell.expect("boards have a size limit"), value == 1)
        });
        Givens { num_columns, symbols, cells: cells.collect() }
    }

    /// Row and column from 1, and the value.
    fn place(&self, row: u64) -> (usize, usize, bool) {
        let (cell, value) = self.cells[usize::try_from(row).expect("rows of the family")];
        let cell = cell as usize;
        (cell / self.num_columns + 1, cell % self.num_columns + 1, value)
    }
}

impl Family for Givens {
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
        let (cell, value) = self.cells[group];
        let bound = Some(i128::from(value));
        let lits = [Var::new(cell as usize).positive()];
        visit(RowView { lits: &lits, coefficients: Coefficients::Ones, lower: bound, upper: bound })
    }

    fn row_name(&self, row: u64) -> String {
        let (row, column, _) = self.place(row);
        format!("given_{row}_{column}")
    }

    fn row_sentence(&self, row: u64) -> String {
        let (row, column, value) = self.place(row);
        format!("Row {row}, column {column} is {}", self.symbols[usize::from(value)])
    }
}

// Decoding, the rule check, and the rest of the puzzle.

impl<T: Binary> Puzzle for T {
    fn name(&self) -> &'static str {
        T::RULES.name
    }

    fn givens(&self) -> &Grid {
        &self.board().givens
    }

    fn model(&self, formulation: Formulation) -> Model {
        T::RULES.model(self.board(), formulation)
    }

    fn decode(&self, decisions: &Assignment) -> Grid {
        let givens = self.givens();
        let cells = decisions.values().iter().map(|&value| Some(u16::from(value)));
        Grid::from_cells(givens.num_rows(), givens.num_columns(), cells.collect())
    }

    fn to_assignment(&self, solution: &Grid) -> Assignment {
        assert!(solution.has_size_of(self.givens()), "a board of the puzzle's size");
        Assignment::from_values(solution.iter().map(|cell| cell == Some(1)).collect())
    }

    fn check(&self, solution: &Grid) -> Result<(), RuleViolation> {
        self.board().check(solution)
    }

    fn symbol(&self, value: u16) -> String {
        self.board().notation.symbol(value).to_string()
    }

    fn render(&self, grid: &Grid) -> String {
        grid.to_text(self.board().notation.separator(), 1, |value| self.symbol(value))
    }

    fn render_svg(&self, solution: &Grid) -> String {
        let symbol = |value| self.symbol(value);
        let drawing = Drawing { title: self.name(), block: None, symbol: &symbol };
        drawing.draw(self.givens(), solution)
    }

    fn parse_solution(&self, text: &[u8]) -> Result<Grid, ParseError> {
        let (text, cells, _) = read_board(text, T::RULES.symbols, EmptyCells::Refused)?;
        let solution = Grid::from_cells(cells.num_rows, cells.num_columns, cells.values);
        text.expect_size(&solution, self.givens())?;
        Ok(solution)
    }

    fn without_uniqueness(&self) -> Option<Box<dyn Puzzle>> {
        with_lines_differ(self, false)
    }

    fn with_uniqueness(&self) -> Option<Box<dyn Puzzle>> {
        with_lines_differ(self, true)
    }
}

fn with_lines_differ<T: Binary>(puzzle: &T, lines_differ: bool) -> Option<Box<dyn Puzzle>> {
    let board = puzzle.board();
    if board.lines_differ == lines_differ {
        return None;
    }
    Some(Box::new(T::from_board(BinaryBoard { lines_differ, ..board.clone() })))
}

/// Reads a puzzle of this kind: what the table of puzzles holds.
pub(crate) fn parse<T: Binary>(
    text: &[u8],
    options: &ParseOptions,
) -> Result<Box<dyn Puzzle>, ParseError> {
    Ok(Box::new(T::from_board(T::RULES.parse(text, options)?)))
}

impl BinaryBoard {
    /// Lines are compared as strings of their symbols.
    fn check(&self, solution: &Grid) -> Result<(), RuleViolation> {
        check_givens(&self.givens, solution, |value| self.notation.symbol(value).to_string())?;
        let (num_rows, num_columns) = (solution.num_rows(), solution.num_columns());
        let symbol = |row, column| {
            solution.get(row, column).map_or('.', |value| self.notation.symbol(value))
        };
        let mut rows = Vec::with_capacity(num_rows);
        for row in 0..num_rows {
            let line: String = (0..num_columns).map(|column| symbol(row, column)).collect();
            self.check_line(&line, "row", row + 1)?;
            rows.push(line);
        }
        let mut columns = Vec::with_capacity(num_columns);
        for column in 0..num_columns {
            let line: String = (0..num_rows).map(|row| symbol(row, column)).collect();
            self.check_line(&line, "column", column + 1)?;
            columns.push(line);
        }
        if self.lines_differ {
            check_lines_differ(&rows, "row")?;
            check_lines_differ(&columns, "column")?;
        }
        Ok(())
    }

    fn check_line(&self, line: &str, word: &str, number: usize) -> Result<(), RuleViolation> {
        let mut neighbours = line.as_bytes().windows(3);
        if let Some(start) =
            neighbours.position(|three| three[0] == three[1] && three[1] == three[2])
        {
            let (symbol, start) = (&line[start..=start], start + 1);
            let place = match word {
                "row" => format!("row {number}, column {start} to the right"),
                _ => format!("row {start}, column {number} downwards"),
            };
            return Err(RuleViolation::new(format!("three {symbol} in a row from {place}")));
        }
        let [zero, one] = self.notation.symbols;
        let [zeros, ones] = [zero, one].map(|symbol| line.chars().filter(|&c| c == symbol).count());
        if [zeros, ones] != [line.len() / 2; 2] {
            let message = format!("{word} {number} has {ones} {one} and {zeros} {zero}");
            return Err(RuleViolation::new(message));
        }
        Ok(())
    }
}

fn check_lines_differ(lines: &[String], word: &str) -> Result<(), RuleViolation> {
    let mut seen = HashMap::new();
    for (number, line) in (1..).zip(lines) {
        if let Some(first) = seen.insert(line, number) {
            return Err(RuleViolation::new(format!("{word}s {first} and {number} are equal")));
        }
    }
    Ok(())
}
