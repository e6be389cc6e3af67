//! The words of an LP text.

use crate::formats::ReadError;
use crate::formats::lines::Word;
use pbsolve_model::Sense;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Name,
    Number,
    Plus,
    Minus,
    AtMost,
    AtLeast,
    Equal,
    Colon,
    /// `->`, after the condition of an indicator row.
    Arrow,
    /// `[`, before quadratic terms.
    Bracket,
    /// `*` or `^`, as in quadratic terms.
    Product,
    End,
}

/// A name, a number or a sign, with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: TokenKind,
    pub(super) at: usize,
    pub(super) text: &'t str,
    /// Whether it is the first on its line.
    pub(super) begins_line: bool,
}

/// What begins with a section word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Objective(Sense),
    Rows,
    Bounds,
    Generals,
    Binaries,
    /// One that is not supported, and what can be done.
    Unsupported(&'static str),
    End,
}

impl Token<'_> {
    /// What stands here, for a message.
    pub(super) fn found(&self) -> String {
        match self.kind {
            TokenKind::End => "the end of the text".to_owned(),
            _ => self.quoted(),
        }
    }

    pub(super) fn quoted(&self) -> String {
        Word { at: self.at, bytes: self.text.as_bytes() }.quoted()
    }

    fn is_name(&self, lower_case: &str) -> bool {
        self.kind == TokenKind::Name && self.text.eq_ignore_ascii_case(lower_case)
    }

    /// Whether this is `inf` or `infinity`.
    pub(super) fn is_infinity(&self) -> bool {
        self.is_name("inf") || self.is_name("infinity")
    }
}

/// A place in a text, from which tokens can be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
    begins_line: bool,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t [u8]) -> Scanner<'t> {
        Scanner { text, at: 0, begins_line: true }
    }

    /// Reads the next token; at the end, that of kind [`TokenKind::End`].
    pub(super) fn next(&mut self) -> Result<Token<'t>, ReadError> {
        self.skip_blanks();
        let at = self.at;
        let rest = &self.text[at..];
        let (kind, length) = match rest {
            [] => (TokenKind::End, 0),
            [b'-', b'>', ..] => (TokenKind::Arrow, 2),
            [b'+', ..] => (TokenKind::Plus, 1),
            [b'-', ..] => (TokenKind::Minus, 1),
            [b'<', b'=', ..] | [b'=', b'<', ..] => (TokenKind::AtMost, 2),
            [b'>', b'=', ..] | [b'=', b'>', ..] => (TokenKind::AtLeast, 2),
            [b'<', ..] => (TokenKind::AtMost, 1),
            [b'>', ..] => (TokenKind::AtLeast, 1),
            [b'=', ..] => (TokenKind::Equal, 1),
            [b':', ..] => (TokenKind::Colon, 1),
            [b'[', ..] => (TokenKind::Bracket, 1),
            [b'*' | b'^', ..] => (TokenKind::Product, 1),
            [b'0'..=b'9' | b'.', ..] => (TokenKind::Number, self.number()?),
            _ => (TokenKind::Name, self.name()?),
        };
        let bytes = &rest[..length];
        let text = std::str::from_utf8(bytes).expect("names and numbers are tested characters");
        let begins_line = std::mem::replace(&mut self.begins_line, false);
        self.at += length;
        Ok(Token { kind, at, text, begins_line })
    }

    fn skip_blanks(&mut self) {
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\n' | b'\r' => self.begins_line = true,
                b' ' | b'\t' | b'\x0b' | b'\x0c' => {}
                b'\\' => {
                    let rest = &self.text[self.at..];
                    let end = rest.iter().position(|&byte| byte == b'\n' || byte == b'\r');
                    self.at += end.unwrap_or(rest.len());
                    continue;
                }
                _ => return,
            }
            self.at += 1;
        }
    }

    /// The length of the number that begins here.
    fn number(&self) -> Result<usize, ReadError> {
        let rest = &self.text[self.at..];
        let digits = |from: usize| {
            let is_digit = |byte: &&u8| byte.is_ascii_digit();
            rest.get(from..).unwrap_or_default().iter().take_while(is_digit).count()
        };
        let whole = digits(0);
        let mut length = whole;
        let mut num_digits = whole;
        if rest.get(whole) == Some(&b'.') {
            let places = digits(whole + 1);
            length += 1 + places;
            num_digits += places;
        }
        if num_digits == 0 {
            return Err(self.wrong(self.at, "a `.` without digits: names do not begin with it"));
        }
        let Some(&next) = rest.get(length) else { return Ok(length) };
        if !matches!(next, b'e' | b'E') {
            if !next.is_ascii_alphabetic() && continues_name(next) {
                return Err(self.runs_on(length));
            }
            return Ok(length);
        }
        let sign = matches!(rest.get(length + 1), Some(b'+' | b'-'));
        let exponent_at = length + 1 + usize::from(sign);
        let exponent = digits(exponent_at);
        let end = exponent_at + exponent;
        if exponent == 0 || rest.get(end).is_some_and(|&byte| continues_name(byte)) {
            return Err(self.wrong(
                self.at + length,
                "this may be an exponent or the name of a variable: set a name off by a blank",
            ));
        }
        Ok(end)
    }

    fn runs_on(&self, length: usize) -> ReadError {
        let rest = &self.text[self.at + length..];
        let end = rest.iter().position(|&byte| !continues_name(byte)).unwrap_or(rest.len());
        let found = Word { at: self.at, bytes: &rest[..end] }.quoted();
        let message = format!(
            "a number runs on with {found}: numbers have a decimal point and no separators, and \
             a row ends with its line"
        );
        self.wrong(self.at + length, message)
    }

    /// The length of the name that begins here.
    fn name(&self) -> Result<usize, ReadError> {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|&byte| !continues_name(byte)).unwrap_or(rest.len());
        let name = match std::str::from_utf8(&rest[..length]) {
            Ok(name) => name,
            Err(error) => {
                let at = self.at + error.valid_up_to();
                return Err(self.wrong(at, "a byte that is not UTF-8"));
            }
        };
        let stray = name.char_indices().find(|(_, c)| !c.is_ascii() && !c.is_alphanumeric());
        match (stray, rest.first()) {
            (Some((offset, c)), _) => {
                let message = format!("`{}` cannot be part of a name", c.escape_debug());
                Err(self.wrong(self.at + offset, message))
            }
            (None, Some(b']')) => Err(self.wrong(self.at, "a `]` without a `[` before it")),
            (None, Some(&byte)) if length == 0 => {
                let message =
                    format!("the character {} is not LP", char::from(byte).escape_debug());
                Err(self.wrong(self.at, message))
            }
            _ => Ok(length),
        }
    }

    fn wrong(&self, at: usize, message: impl Into<String>) -> ReadError {
        ReadError::parse(self.text, at, message)
    }
}

/// Whether a name may have this byte, though perhaps not at its beginning.
fn continues_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || !byte.is_ascii()
        || matches!(byte, b'[' | b']')
        || is_sign_of_names(byte)
}

/// The signs that CPLEX allows in names.
pub(super) fn is_sign_of_names(byte: u8) -> bool {
    br##"!"#$%&(),.;?@_`'{}~/|"##.contains(&byte)
}

/// The section that a token begins, and whether the one after it is part of the section word.
pub(super) fn section<'t>(
    first: Token<'t>,
    second: impl FnOnce() -> Option<Token<'t>>,
) -> Option<(Section, bool)> {
    if !first.begins_line || first.kind != TokenKind::Name {
        return None;
    }
    let section = section_word(first.text);
    let begins_pair = PAIRS.iter().any(|(word, _, _)| first.is_name(word));
    if section.is_none() && !begins_pair {
        return None;
    }
    let second = second();
    if second.is_some_and(|second| second.kind == TokenKind::Colon) {
        return None;
    }
    let second = second.filter(|second| !second.begins_line);
    let pair = PAIRS.iter().find(|(word, follower, _)| {
        first.is_name(word) && second.is_some_and(|second| second.is_name(follower))
    });
    match pair {
        Some(&(_, _, section)) => Some((section, true)),
        None => Some((section?, false)),
    }
}

/// The sections that begin with two words.
const PAIRS: [(&str, &str, Section); 5] = [
    ("subject", "to", Section::Rows),
    ("such", "that", Section::Rows),
    (
        "general",
        "constraints",
        Section::Unsupported("general constraints are not supported: state them as linear rows"),
    ),
    (
        "lazy",
        "constraints",
        Section::Unsupported("lazy constraints are not supported: move them under `Subject To`"),
    ),
    (
        "user",
        "cuts",
        Section::Unsupported(
            "user cuts are not supported: remove them, since the other rows imply them",
        ),
    ),
];

/// The section that begins with this word alone.
pub(super) fn section_word(word: &str) -> Option<Section> {
    Some(match word.to_ascii_lowercase().as_str() {
        "minimize" | "minimise" | "minimum" | "min" => Section::Objective(Sense::Minimize),
        "maximize" | "maximise" | "maximum" | "max" => Section::Objective(Sense::Maximize),
        "st" | "st." | "s.t." => Section::Rows,
        "bounds" | "bound" => Section::Bounds,
        "generals" | "general" | "gen" | "integers" | "integer" | "int" => Section::Generals,
        "binaries" | "binary" | "bin" => Section::Binaries,
        "semi" | "semis" => Section::Unsupported(
            "semi-continuous variables are not supported: state them with a 0-1 variable",
        ),
        "sos" | "sos1" | "sos2" => Section::Unsupported(
            "special ordered sets are not supported: state them with 0-1 variables and rows",
        ),
        "pwlobj" => Section::Unsupported(
            "piecewise linear objectives are not supported: state them with 0-1 variables and rows",
        ),
        "end" => Section::End,
        _ => return None,
    })
}
