//! The bytes of an OPB text: blanks, comments, numbers, names.

use crate::formats::ReadError;
use pbsolve_model::ParseError;

/// A place in a text, with what can be read from there.
#[derive(Debug)]
pub(super) struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t [u8]) -> Scanner<'t> {
        Scanner { text, at: 0 }
    }

    /// The offset of the next byte.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Goes back to an offset.
    pub(super) fn rewind(&mut self, at: usize) {
        self.at = at;
    }

    /// The next byte; `None` at the end.
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Passes the next byte if it is this one.
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Passes blanks, line ends and comments inside a statement: a comment is a line that begins
    /// with `*`.
    pub(super) fn skip_blanks(&mut self) {
        self.skip(false);
    }

    /// Passes the same between statements, where `*` begins a comment anywhere.
    pub(super) fn skip_to_statement(&mut self) {
        self.skip(true);
    }

    fn skip(&mut self, mut comment_may_begin: bool) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\x0b' | b'\x0c') => self.at += 1,
                Some(b'\n' | b'\r') => {
                    self.at += 1;
                    comment_may_begin = true;
                }
                Some(b'*') if comment_may_begin => {
                    // A lone CR ends a line too: a comment must not swallow an old Mac file.
                    self.take_while(|byte| byte != b'\n' && byte != b'\r');
                }
                _ => return,
            }
        }
    }

    /// Passes bytes while `wanted` says so.
    pub(super) fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'t [u8] {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|&byte| !wanted(byte)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Reads the digits of a number that begins here.
    pub(super) fn number(&mut self, is_negative: bool) -> Result<i128, ReadError> {
        let start = self.at;
        // Below zero, where there is room for one more number.
        let mut wide = 0i128;
        // Up to 18 digits need no test of every step.
        let mut narrow = 0i64;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            self.at += 1;
            narrow = narrow * 10 - i64::from(digit - b'0');
            if self.at - start == 18 {
                break;
            }
        }
        wide += i128::from(narrow);
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            let next = wide.checked_mul(10);
            let Some(next) = next.and_then(|next| next.checked_sub(i128::from(digit - b'0')))
            else {
                return Err(self.too_wide(start));
            };
            wide = next;
            self.at += 1;
        }
        let number = if is_negative { Some(wide) } else { wide.checked_neg() };
        number.ok_or_else(|| self.too_wide(start))
    }

    fn too_wide(&mut self, start: usize) -> ReadError {
        self.take_while(|byte| byte.is_ascii_digit());
        let length = self.at - start;
        self.unsupported(start, format!("this number of {length} digits is beyond 128 bits"))
    }

    /// Reads the name of a variable that begins here; empty if none does.
    pub(super) fn name(&mut self) -> &'t [u8] {
        if self.peek().is_some_and(begins_name) { self.take_while(continues_name) } else { &[] }
    }

    /// A name or number as text.
    pub(super) fn quoted(name: &[u8]) -> String {
        const SHOWN: usize = 40;
        let dots = if name.len() > SHOWN { "..." } else { "" };
        format!("`{}{dots}`", String::from_utf8_lossy(&name[..name.len().min(SHOWN)]))
    }

    /// What stands here, for a message.
    pub(super) fn found(&self) -> String {
        let rest = &self.text[self.at..];
        let word = rest.iter().take_while(|&&byte| continues_name(byte)).count();
        if word > 0 {
            return Scanner::quoted(&rest[..word]);
        }
        let start = &rest[..rest.len().min(4)];
        let valid = match std::str::from_utf8(start) {
            Ok(valid) => valid,
            Err(error) => std::str::from_utf8(&start[..error.valid_up_to()]).unwrap_or_default(),
        };
        match (valid.chars().next(), start.first()) {
            (Some(c), _) if c.is_control() => format!("the control character {}", c.escape_debug()),
            (Some(c), _) => format!("`{c}`"),
            (None, Some(byte)) => format!("the byte 0x{byte:02x}, which is not UTF-8"),
            (None, None) => "the end of the text".to_owned(),
        }
    }

    /// The error that something else stands here than was expected in the statement that begins
    /// at `start`.
    pub(super) fn unexpected(&self, start: usize, expected: &str) -> ReadError {
        if self.peek().is_some() {
            return self.wrong(self.at, format!("{expected} is expected, found {}", self.found()));
        }
        let line = ParseError::at_offset(self.text, start, "").line;
        let message = format!(
            "the text ends inside the statement that begins on line {line}: {expected} is expected"
        );
        // The caret stands after the last word rather than on an empty line.
        self.wrong(self.text.trim_ascii_end().len(), message)
    }

    /// The error that the text is not OPB.
    pub(super) fn wrong(&self, at: usize, message: impl Into<String>) -> ReadError {
        ReadError::parse(self.text, at, message)
    }

    /// The error that the text is beyond what is supported.
    pub(super) fn unsupported(&self, at: usize, message: impl Into<String>) -> ReadError {
        ReadError::unsupported(self.text, at, message)
    }
}

/// Whether a name may begin with this byte.
pub(super) fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn continues_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'[' | b']' | b'{' | b'}' | b'^')
}
