//! Boards as text: lines, comments, blanks; cells with their places; rows of one length.

use crate::{Grid, PuzzleError};
use pbsolve_model::ParseError;
use std::fmt;

/// The UTF-8 text of a puzzle file, without a byte-order mark.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardText<'a> {
    text: &'a str,
}

/// A line with cells: neither blank nor a comment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardLine<'a> {
    /// Byte offset of the line in the text.
    pub(crate) offset: usize,
    /// The line without its end.
    pub(crate) text: &'a str,
}

/// What makes a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellForm {
    /// Each character that is not a separator.
    Character,
    /// Each run of characters between separators.
    Token,
}

/// Whether a text may leave cells empty: a puzzle may, a solution may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EmptyCells {
    Allowed,
    Refused,
}

/// The most rows and columns that a reader takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SizeLimit {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

/// The cells of a text, row by row, all rows of one length.
#[derive(Debug)]
pub(crate) struct Cells<T> {
    pub(crate) num_rows: usize,
    pub(crate) num_columns: usize,
    pub(crate) values: Vec<T>,
}

impl<'a> BoardText<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Result<BoardText<'a>, ParseError> {
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(BoardText { text }),
            Err(error) => {
                let offset = error.valid_up_to();
                let message = format!("the byte 0x{:02X} is not UTF-8 text", bytes[offset]);
                Err(ParseError::at_offset(bytes, offset, message))
            }
        }
    }

    /// The text itself.
    pub(crate) fn text(self) -> &'a str {
        self.text
    }

    /// An error at a byte offset.
    pub(crate) fn error(self, offset: usize, message: impl fmt::Display) -> ParseError {
        ParseError::at_offset(self.text.as_bytes(), offset, message.to_string())
    }

    /// Line and column of a byte offset, in words.
    pub(crate) fn place(self, offset: usize) -> String {
        let at = self.error(offset, "");
        format!("line {}, column {}", at.line, at.column)
    }

    /// The lines with cells; there is at least one.
    pub(crate) fn lines(self) -> Result<Vec<BoardLine<'a>>, ParseError> {
        let mut lines = Vec::new();
        let mut offset = 0;
        for with_end in self.text.split_inclusive('\n') {
            let text = with_end.trim_end_matches(['\n', '\r']);
            if let Some(at) = text.find('\r') {
                let message = "a carriage return within a line; lines end with LF or CR LF";
                return Err(self.error(offset + at, message));
            }
            let is_comment = text.trim_start_matches(is_blank).starts_with(['#', '%']);
            if !is_comment && !text.chars().all(is_blank) {
                lines.push(BoardLine { offset, text });
            }
            offset += with_end.len();
        }
        if lines.is_empty() {
            return Err(self.error(self.text.len(), "the text has no board: no line has cells"));
        }
        Ok(lines)
    }

    /// Reads the cells of all lines; `read` turns the text of a cell at an offset into its value.
    pub(crate) fn cells<T>(
        self,
        lines: &[BoardLine<'_>],
        form: CellForm,
        limit: SizeLimit,
        mut read: impl FnMut(usize, &str) -> Result<T, ParseError>,
    ) -> Result<Cells<T>, ParseError> {
        let mut values = Vec::new();
        let mut num_columns = 0;
        for (row, line) in lines.iter().enumerate() {
            if row == limit.rows {
                let error = PuzzleError::TooLarge { lines: "rows", limit: limit.rows };
                return Err(self.error(line.offset, error));
            }
            let mut length = 0;
            let mut surplus = None;
            for (offset, cell) in line.cells(form) {
                if length == limit.columns {
                    let error = PuzzleError::TooLarge { lines: "columns", limit: limit.columns };
                    return Err(self.error(offset, error));
                }
                if row > 0 && length == num_columns {
                    surplus = Some(offset);
                }
                values.push(read(offset, cell)?);
                length += 1;
            }
            if length == 0 {
                return Err(self.error(line.offset, "a line without cells"));
            }
            if row == 0 {
                num_columns = length;
            } else if length != num_columns {
                let row = row + 1;
                let message = format!("row {row} has {length} cells, but row 1 has {num_columns}");
                return Err(self.error(surplus.unwrap_or(line.end()), message));
            }
        }
        Ok(Cells { num_rows: lines.len(), num_columns, values })
    }
}

impl BoardText<'_> {
    /// Refuses a solution of another size than the puzzle.
    pub(crate) fn expect_size(self, solution: &Grid, givens: &Grid) -> Result<(), ParseError> {
        if solution.has_size_of(givens) {
            return Ok(());
        }
        let (num_rows, num_columns) = (solution.num_rows(), solution.num_columns());
        let last = self.lines()?.last().map_or(0, |line| line.offset);
        let message = format!(
            "the solution has {num_rows} rows and {num_columns} columns, but the puzzle has {} and \
             {}",
            givens.num_rows(),
            givens.num_columns()
        );
        Err(self.error(last, message))
    }
}

impl EmptyCells {
    /// Reads an empty cell.
    pub(crate) fn read(
        self,
        text: BoardText<'_>,
        offset: usize,
    ) -> Result<Option<u16>, ParseError> {
        match self {
            EmptyCells::Allowed => Ok(None),
            EmptyCells::Refused => {
                Err(text.error(offset, "an empty cell, but a solution has all cells filled"))
            }
        }
    }
}

impl<'a> BoardLine<'a> {
    /// Byte offset of the end of the line.
    pub(crate) fn end(self) -> usize {
        self.offset + self.text.trim_end_matches(is_blank).len()
    }

    /// The texts of the cells with their byte offsets.
    pub(crate) fn cells(self, form: CellForm) -> impl Iterator<Item = (usize, &'a str)> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let rest = &self.text[at..];
            let start = at + rest.find(|c| !is_separator(c))?;
            let rest = &self.text[start..];
            let length = match form {
                CellForm::Character => rest.chars().next().map_or(0, char::len_utf8),
                CellForm::Token => rest.find(is_separator).unwrap_or(rest.len()),
            };
            at = start + length;
            Some((self.offset + start, &rest[..length]))
        })
    }

    /// Whether separators stand between all cells, each a character.
    pub(crate) fn is_spaced(self) -> bool {
        let mut tokens = self.cells(CellForm::Token);
        let all_single = tokens.all(|(_, token)| token.chars().nth(1).is_none());
        all_single && self.cells(CellForm::Token).nth(1).is_some()
    }
}

/// Whether a character may stand between cells and means nothing.
fn is_separator(c: char) -> bool {
    is_blank(c) || c == '|'
}

fn is_blank(c: char) -> bool {
    c == ' ' || c == '\t'
}

/// Whether the text of a cell says that it is empty.
pub(crate) fn is_empty_cell(cell: &str) -> bool {
    matches!(cell, "." | "_" | "-" | "*")
}

/// What was found, as messages quote it; characters that cannot be seen by their number.
pub(crate) fn quoted(found: &str) -> String {
    const LONGEST: usize = 20;
    let shown: String = found.chars().take(LONGEST).collect();
    let dots = if shown.len() < found.len() { "..." } else { "" };
    match found.chars().find(|c| !c.is_ascii_graphic()) {
        None => format!("'{shown}{dots}'"),
        Some(c) if c.is_alphanumeric() => {
            format!("'{shown}{dots}' (U+{:04X})", u32::from(c))
        }
        Some(c) => format!("the character U+{:04X}", u32::from(c)),
    }
}
