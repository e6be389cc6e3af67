//! Lines of an MPS text and their fields, in the free and in the fixed layout.

use crate::formats::ReadError;
use crate::formats::lines::Word;

/// How the fields of a line are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// By blanks.
    Free,
    /// By the columns in which they stand.
    Fixed,
}

/// The sections that have lines of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    ObjectiveSense,
    ObjectiveName,
    Rows,
    Columns,
    RightSides,
    Ranges,
    Bounds,
}

/// A text and its offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'t> {
    pub(super) at: usize,
    pub(super) text: &'t str,
}

/// The fields of a line, numbered from 0. A code is the first; a name is the second, and names
/// with numbers follow.
pub(super) type Fields<'t> = [Option<Field<'t>>; 6];

impl Field<'_> {
    pub(super) fn quoted(&self) -> String {
        Word { at: self.at, bytes: self.text.as_bytes() }.quoted()
    }

    pub(super) fn is(&self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }
}

/// A line without its end, and its offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    pub(super) at: usize,
    pub(super) bytes: &'t [u8],
}

/// The lines that are neither blank nor comments. A lone CR ends a line too: a comment must not
/// swallow an old Mac file.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut at = 0;
    let lines = text.split(|&byte| byte == b'\n' || byte == b'\r').map(move |bytes| {
        let line = Line { at, bytes };
        at += bytes.len() + 1;
        line
    });
    lines.filter(|line| !line.bytes.starts_with(b"*") && !line.bytes.trim_ascii().is_empty())
}

impl<'t> Line<'t> {
    /// Whether it begins with a section word.
    pub(super) fn is_section(&self) -> bool {
        !self.bytes[0].is_ascii_whitespace()
    }

    /// The words between blanks.
    pub(super) fn words(self, text: &[u8]) -> Result<Vec<Field<'t>>, ReadError> {
        let line = self.text(text)?;
        let mut words = Vec::new();
        let mut start = 0;
        for word in line.split(|c: char| c.is_ascii_whitespace()) {
            if !word.is_empty() {
                words.push(Field { at: self.at + start, text: word });
            }
            start += word.len() + 1;
        }
        Ok(words)
    }

    /// The line as text; only a comment may hold anything.
    fn text(self, text: &[u8]) -> Result<&'t str, ReadError> {
        let line = std::str::from_utf8(self.bytes).map_err(|error| {
            let at = self.at + error.valid_up_to();
            ReadError::parse(text, at, "a byte that is not UTF-8")
        })?;
        let is_stray = |c: char| !c.is_ascii_whitespace() && (c.is_control() || c.is_whitespace());
        if let Some((offset, c)) = line.char_indices().find(|&(_, c)| is_stray(c)) {
            let message = format!("the character {} is not MPS", c.escape_unicode());
            return Err(ReadError::parse(text, self.at + offset, message));
        }
        Ok(line)
    }

    /// The fields of a line in this section.
    pub(super) fn fields(
        self,
        layout: Layout,
        section: Section,
        text: &[u8],
    ) -> Result<Fields<'t>, ReadError> {
        if layout == Layout::Fixed && !matches!(section, Section::ObjectiveSense) {
            return self.fixed_fields(text);
        }
        let words = self.words(text)?;
        assign(section, &words).map_err(|expected| {
            let found = match words.len() {
                1 => "1 word".to_owned(),
                number => format!("{number} words"),
            };
            ReadError::parse(text, words[0].at, format!("{expected}, found {found}"))
        })
    }

    fn fixed_fields(self, text: &[u8]) -> Result<Fields<'t>, ReadError> {
        /// From and to, in characters from 0.
        const COLUMNS: [(usize, usize); 6] =
            [(1, 3), (4, 12), (14, 22), (24, 36), (39, 47), (49, 61)];
        let line = self.text(text)?;
        let mut fields: Fields<'t> = [None; 6];
        for (column, (offset, c)) in line.char_indices().enumerate() {
            if c == ' ' {
                continue;
            }
            let place = COLUMNS.iter().position(|&(from, to)| (from..to).contains(&column));
            let Some(place) = place.filter(|_| c != '\t') else {
                let message = "in fixed MPS, fields stand in the columns 2-3, 5-12, 15-22, 25-36, \
                               40-47 and 50-61";
                return Err(ReadError::parse(text, self.at + offset, message));
            };
            let end = offset + c.len_utf8();
            let start = fields[place].map_or(offset, |field| field.at - self.at);
            fields[place] = Some(Field { at: self.at + start, text: &line[start..end] });
        }
        Ok(fields)
    }
}

/// The words of a line in the free layout as fields; otherwise what is expected.
fn assign<'t>(section: Section, words: &[Field<'t>]) -> Result<Fields<'t>, &'static str> {
    let mut fields: Fields<'t> = [None; 6];
    let places: &[usize] = match section {
        Section::ObjectiveSense | Section::ObjectiveName => match words.len() {
            1 => &[1],
            _ => return Err("one word is expected"),
        },
        Section::Rows => match words.len() {
            2 => &[0, 1],
            _ => return Err("a row is a letter (N, L, G, E) and a name without blanks"),
        },
        Section::Columns => match words.len() {
            3 if is_marker(words[1]) => &[1, 2, 4],
            3 => &[1, 2, 3],
            5 => &[1, 2, 3, 4, 5],
            _ => return Err("a column name and one or two rows with a number each are expected"),
        },
        Section::RightSides | Section::Ranges => match words.len() {
            2 => &[2, 3],
            3 => &[1, 2, 3],
            4 => &[2, 3, 4, 5],
            5 => &[1, 2, 3, 4, 5],
            _ => {
                return Err(
                    "the name of the set and one or two rows with a number each are expected",
                );
            }
        },
        Section::Bounds => match (words.len(), has_no_number(words[0])) {
            (2, true) => &[0, 2],
            (3, true) => &[0, 1, 2],
            (3, false) => &[0, 2, 3],
            (4, _) => &[0, 1, 2, 3],
            _ => return Err("a bound is its kind, the name of the set, a column and a number"),
        },
    };
    for (&place, &word) in places.iter().zip(words) {
        fields[place] = Some(word);
    }
    Ok(fields)
}

pub(super) fn is_marker(field: Field<'_>) -> bool {
    field.is("'MARKER'")
}

/// Whether this kind of bound needs no number.
fn has_no_number(kind: Field<'_>) -> bool {
    ["BV", "FR", "MI", "PL"].iter().any(|word| kind.is(word))
}
