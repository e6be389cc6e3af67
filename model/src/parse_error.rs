//! What a reader says when a text cannot be read: the place, what was found, what was expected.

use std::fmt;

/// A place in a text and what is wrong there. Every reader of pbsolve returns this type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What was found, and what was expected instead.
    pub message: String,
    /// The line as it stands in the text (bytes that are not UTF-8 replaced), for the caret.
    pub line_text: String,
}

impl ParseError {
    /// An error at byte `offset` of `text`. Offsets beyond the end mean the end.
    pub fn at_offset(text: &[u8], offset: usize, message: impl Into<String>) -> ParseError {
        let offset = offset.min(text.len());
        let start = text[..offset].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let end = text[offset..].iter().position(|&byte| byte == b'\n');
        let end = end.map_or(text.len(), |length| offset + length);
        ParseError {
            line: text[..start].iter().filter(|&&byte| byte == b'\n').count() + 1,
            column: String::from_utf8_lossy(&text[start..offset]).chars().count() + 1,
            message: message.into(),
            line_text: String::from_utf8_lossy(&text[start..end]).trim_end().to_owned(),
        }
    }

    /// The offending line with a caret under the place, cut around it when the line is long.
    pub fn excerpt(&self) -> String {
        const WIDTH: usize = 76;
        let first = (self.column - 1).saturating_sub(WIDTH / 2);
        let shown = self.line_text.chars().skip(first).take(WIDTH);
        let shown: String = shown.map(|c| if c.is_control() { ' ' } else { c }).collect();
        let prefix = if first > 0 { "..." } else { "" };
        let indent = " ".repeat(prefix.len() + self.column - 1 - first);
        format!("  | {prefix}{shown}\n  | {indent}^")
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}
