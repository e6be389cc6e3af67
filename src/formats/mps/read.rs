//! The reader: line by line into columns and entries, which are sorted by rows at the end.

use super::fields::{Field, Fields, Layout, Line, Section, is_marker, lines};
use crate::formats::ReadError;
use crate::formats::program::{Advice, ColumnKind, Limit, Program, ProgramRow, ProgramTerm};
use crate::formats::rational::{NumberError, Rational};
use pbsolve_model::{Model, Sense};
use std::collections::HashMap;

const ADVICE: Advice = Advice {
    integer: "put it between INTORG and INTEND markers, or give it a bound of the kind BV or UI",
    bound: "give it bounds of the kinds LO and UP",
};

/// Reads a model.
///
/// # Errors
/// [`ReadError::Parse`] where the text is not MPS, [`ReadError::Unsupported`] where it needs what
/// is not supported.
pub fn read(text: &[u8]) -> Result<Model, ReadError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let program = match parse(text, Layout::Free) {
        Ok(program) => program,
        Err(as_free) => parse(text, Layout::Fixed).map_err(|as_fixed| {
            let is_further = as_fixed.place().line > as_free.place().line;
            if is_further { as_fixed } else { as_free }
        })?,
    };
    program.into_model()
}

fn parse(text: &[u8], layout: Layout) -> Result<Program<'_>, ReadError> {
    let mut reader = Reader::new(text, layout);
    for line in lines(text) {
        if line.is_section() {
            reader.begin_section(line)?;
        } else {
            reader.entry(line)?;
        }
    }
    reader.into_program()
}

#[derive(Debug)]
struct Reader<'t> {
    text: &'t [u8],
    layout: Layout,
    program: Program<'t>,
    section: Option<Section>,
    /// The section words that were read.
    begun: Vec<&'t str>,
    is_ended: bool,
    sense: Option<Sense>,
    objective_name: Option<Field<'t>>,
    rows: Vec<Row<'t>>,
    row_of: HashMap<&'t str, usize>,
    entries: Vec<Entry>,
    /// The last column that was read.
    column: Option<usize>,
    /// Where the integer columns begin that have not ended.
    marker: Option<usize>,
    /// Whether each column is between markers.
    is_marked: Vec<bool>,
    /// The names of the sets of right-hand sides, ranges and bounds, once there is an entry; empty
    /// for a set without a name.
    sets: [Option<&'t str>; 3],
}

#[derive(Debug)]
struct Row<'t> {
    name: &'t str,
    at: usize,
    kind: RowKind,
    right_side: Option<Rational>,
    range: Option<Rational>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowKind {
    Free,
    AtMost,
    AtLeast,
    Equal,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    row: usize,
    term: ProgramTerm,
}

impl<'t> Reader<'t> {
    fn new(text: &'t [u8], layout: Layout) -> Reader<'t> {
        Reader {
            text,
            layout,
            program: Program::new(text, ADVICE),
            section: None,
            begun: Vec::new(),
            is_ended: false,
            sense: None,
            objective_name: None,
            rows: Vec::new(),
            row_of: HashMap::new(),
            entries: Vec::new(),
            column: None,
            marker: None,
            is_marked: Vec::new(),
            sets: [None; 3],
        }
    }

    fn begin_section(&mut self, line: Line<'t>) -> Result<(), ReadError> {
        let words = line.words(self.text)?;
        let word = words[0];
        if self.is_ended {
            return Err(self.wrong(word.at, "nothing may follow ENDATA"));
        }
        let name = word.text.to_ascii_uppercase();
        self.section = match name.as_str() {
            "NAME" | "ENDATA" => None,
            "OBJSENSE" => Some(Section::ObjectiveSense),
            "OBJNAME" => Some(Section::ObjectiveName),
            "ROWS" => Some(Section::Rows),
            "COLUMNS" => Some(Section::Columns),
            "RHS" => Some(Section::RightSides),
            "RANGES" => Some(Section::Ranges),
            "BOUNDS" => Some(Section::Bounds),
            name => return Err(self.other_section(word, name)),
        };
        if self.begun.iter().any(|begun| word.is(begun)) {
            return Err(self.wrong(word.at, format!("a second section {name}")));
        }
        let needs_columns =
            matches!(self.section, Some(Section::RightSides | Section::Ranges | Section::Bounds));
        for (needs, before) in [
            (needs_columns || name == "COLUMNS" || name == "ENDATA", "ROWS"),
            (needs_columns || name == "ENDATA", "COLUMNS"),
        ] {
            if needs && !self.begun.iter().any(|begun| begun.eq_ignore_ascii_case(before)) {
                return Err(self.wrong(word.at, format!("{name} before the section {before}")));
            }
        }
        self.begun.push(word.text);
        self.refuse_open_marker()?;
        if name == "ENDATA" {
            self.is_ended = true;
        }
        match (self.section, words.get(1)) {
            (_, None) => Ok(()),
            // A model may have any name, with blanks too.
            _ if name == "NAME" => Ok(()),
            (Some(Section::ObjectiveSense), Some(&sense)) => self.objective_sense(sense),
            (_, Some(stray)) => {
                let found = stray.quoted();
                Err(self.wrong(stray.at, format!("{found} after {name}: it stands alone")))
            }
        }
    }

    fn other_section(&self, word: Field<'_>, name: &str) -> ReadError {
        const UNSUPPORTED: [(&str, &str); 13] = [
            ("QUADOBJ", "quadratic terms are"),
            ("QMATRIX", "quadratic terms are"),
            ("QSECTION", "quadratic terms are"),
            ("QCMATRIX", "quadratic terms are"),
            ("CSECTION", "cones are"),
            ("SOS", "special ordered sets are"),
            ("SOS1", "special ordered sets are"),
            ("SOS2", "special ordered sets are"),
            ("SETS", "special ordered sets are"),
            ("INDICATORS", "indicator rows are"),
            ("GENCONS", "general constraints are"),
            ("LAZYCONS", "lazy constraints are"),
            ("USERCUTS", "user cuts are"),
        ];
        if let Some((_, what)) = UNSUPPORTED.iter().find(|(unsupported, _)| *unsupported == name) {
            let message =
                format!("{what} not supported: state them as linear rows over 0-1 columns");
            return ReadError::unsupported(self.text, word.at, message);
        }
        let found = word.quoted();
        let message = format!(
            "{found} is no section of MPS: NAME, OBJSENSE, OBJNAME, ROWS, COLUMNS, RHS, RANGES, \
             BOUNDS or ENDATA are (other lines begin with a blank)"
        );
        self.wrong(word.at, message)
    }

    fn entry(&mut self, line: Line<'t>) -> Result<(), ReadError> {
        let Some(section) = self.section else {
            let at =
                line.at + line.bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let message = "a section such as ROWS is expected, which begins in the first column";
            return Err(self.wrong(at, message));
        };
        let fields = line.fields(self.layout, section, self.text)?;
        let entry =
            Located { at: fields.iter().flatten().next().map_or(line.at, |f| f.at), fields };
        match section {
            Section::ObjectiveSense => {
                let sense = self.field(&entry, 1, "MAX or MIN")?;
                self.objective_sense(sense)
            }
            Section::ObjectiveName => {
                let name = self.field(&entry, 1, "the name of a row")?;
                if self.objective_name.replace(name).is_some() {
                    return Err(self.wrong(name.at, "a second OBJNAME: there can be only one"));
                }
                Ok(())
            }
            Section::Rows => self.row(&entry),
            Section::Columns => self.column(&entry),
            Section::RightSides => self.right_sides(&entry),
            Section::Ranges => self.ranges(&entry),
            Section::Bounds => self.bound(&entry),
        }
    }

    fn objective_sense(&mut self, word: Field<'_>) -> Result<(), ReadError> {
        let sense = match word.text.to_ascii_uppercase().as_str() {
            "MAX" | "MAXIMIZE" => Sense::Maximize,
            "MIN" | "MINIMIZE" => Sense::Minimize,
            _ => {
                let found = word.quoted();
                return Err(self.wrong(word.at, format!("MAX or MIN is expected, found {found}")));
            }
        };
        if self.sense.replace(sense).is_some() {
            return Err(self.wrong(word.at, "a second sense of the objective"));
        }
        Ok(())
    }

    fn row(&mut self, entry: &Located<'t>) -> Result<(), ReadError> {
        let kind = self.field(entry, 0, "N, L, G or E")?;
        let name = self.field(entry, 1, "the name of a row")?;
        let kind = match kind.text {
            "N" | "n" => RowKind::Free,
            "L" | "l" => RowKind::AtMost,
            "G" | "g" => RowKind::AtLeast,
            "E" | "e" => RowKind::Equal,
            _ => {
                let found = kind.quoted();
                let message = format!("a row is of the kind N, L, G or E, found {found}");
                return Err(self.wrong(kind.at, message));
            }
        };
        self.refuse_rest(entry, 2)?;
        if self.row_of.insert(name.text, self.rows.len()).is_some() {
            let message = format!("a second row {}: names of rows differ", name.quoted());
            return Err(self.wrong(name.at, message));
        }
        let (at, name) = (name.at, name.text);
        self.rows.push(Row { name, at, kind, right_side: None, range: None });
        Ok(())
    }

    fn column(&mut self, entry: &Located<'t>) -> Result<(), ReadError> {
        if entry.fields[2].is_some_and(is_marker) {
            return self.marker(entry);
        }
        let name = self.field(entry, 1, "the name of a column")?;
        let column = match self.program.find_column(name.text) {
            Some(column) if self.column != Some(column) => {
                let message = format!(
                    "{} again: the lines of a column stand together, and names of columns differ",
                    name.quoted()
                );
                return Err(self.wrong(name.at, message));
            }
            Some(column) => column,
            None => {
                self.is_marked.push(self.marker.is_some());
                self.program.find_or_add_column(name.text, name.at)
            }
        };
        self.column = Some(column);
        if self.marker.is_some() {
            self.program.column(column).kind = ColumnKind::Integer;
        }
        for pair in self.rows_with_numbers(entry)?.into_iter().flatten() {
            let term = ProgramTerm { coefficient: pair.number, column };
            self.entries.push(Entry { row: pair.row, term });
        }
        Ok(())
    }

    fn marker(&mut self, entry: &Located<'t>) -> Result<(), ReadError> {
        let kind = self.field(entry, 4, "'INTORG' or 'INTEND'")?;
        let (begins, ends) = (kind.is("'INTORG'"), kind.is("'INTEND'"));
        if kind.is("'SOSORG'") || kind.is("'SOSEND'") {
            let message = "special ordered sets are not supported: state them as linear rows over \
                           0-1 columns";
            return Err(ReadError::unsupported(self.text, kind.at, message));
        }
        if !begins && !ends {
            let found = kind.quoted();
            let message = format!("'INTORG' or 'INTEND' is expected, found {found}");
            return Err(self.wrong(kind.at, message));
        }
        if begins == self.marker.is_some() {
            let other = if begins { "'INTEND'" } else { "'INTORG'" };
            let message = format!("{} without {other} before it", kind.text);
            return Err(self.wrong(kind.at, message));
        }
        self.marker = begins.then_some(kind.at);
        // The next line begins a new column.
        self.column = None;
        Ok(())
    }

    fn refuse_open_marker(&self) -> Result<(), ReadError> {
        match self.marker {
            Some(at) => Err(self.wrong(at, "'INTORG' without 'INTEND' after it")),
            None => Ok(()),
        }
    }

    fn right_sides(&mut self, entry: &Located<'t>) -> Result<(), ReadError> {
        self.set(0, entry)?;
        for pair in self.rows_with_numbers(entry)?.into_iter().flatten() {
            if self.rows[pair.row].right_side.replace(pair.number).is_some() {
                let name = pair.name.quoted();
                let message = format!("a second right-hand side of {name}");
                return Err(self.wrong(pair.name.at, message));
            }
        }
        Ok(())
    }

    fn ranges(&mut self, entry: &Located<'t>) -> Result<(), ReadError> {
        self.set(1, entry)?;
        for pair in self.rows_with_numbers(entry)?.into_iter().flatten() {
            let name = pair.name.quoted();
            let row = &mut self.rows[pair.row];
            if row.kind == RowKind::Free {
                let message = format!("a range of {name}, which is an N row and has no bounds");
                return Err(self.wrong(pair.name.at, message));
            }
            if row.range.replace(pair.number).is_some() {
                return Err(self.wrong(pair.name.at, format!("a second range of {name}")));
            }
        }
        Ok(())
    }

    fn bound(&mut self, entry: &Located<'t>) -> Result<(), ReadError> {
        let kind = self.field(entry, 0, "the kind of a bound, such as UP")?;
        self.set(2, entry)?;
        let name = self.field(entry, 2, "the name of a column")?;
        let Some(column) = self.program.find_column(name.text) else {
            let found = name.quoted();
            return Err(self.wrong(name.at, format!("no column is called {found}")));
        };
        self.refuse_rest(entry, 4)?;
        let minus = Some(Limit::NegativeInfinity);
        let plus = Some(Limit::PositiveInfinity);
        let finite = |number: i128| Some(Limit::Finite(Rational::from_integer(number)));
        let code = kind.text.to_ascii_uppercase();
        let (lower, upper) = match code.as_str() {
            "BV" => (finite(0), finite(1)),
            "FR" => (minus, plus),
            "MI" => (minus, None),
            "PL" => (None, plus),
            "LO" | "LI" | "UP" | "UI" | "FX" => {
                let number = self.field(entry, 3, "a number")?;
                let limit = Some(self.limit(number)?);
                match code.as_str() {
                    "LO" | "LI" => (limit, None),
                    "FX" => (limit, limit),
                    _ => (None, limit),
                }
            }
            "SC" | "SI" => {
                let message = "semi-continuous columns are not supported: state them with a 0-1 \
                               column";
                return Err(ReadError::unsupported(self.text, kind.at, message));
            }
            _ => {
                let found = kind.quoted();
                let message = format!(
                    "a bound is of the kind UP, LO, FX, BV, UI, LI, FR, MI or PL, found {found}"
                );
                return Err(self.wrong(kind.at, message));
            }
        };
        let is_integer = matches!(code.as_str(), "BV" | "LI" | "UI");
        if lower == plus || upper == minus {
            let message = "no number is within this bound (1e20 and more mean infinity)";
            return Err(self.wrong(kind.at, message));
        }
        let target = self.program.column(column);
        if is_integer {
            target.kind = ColumnKind::Integer;
        }
        let contradicts = |given: Option<Limit>, before: Option<Limit>| {
            given.is_some() && before.is_some() && given != before
        };
        if contradicts(lower, target.lower) || contradicts(upper, target.upper) {
            let message = format!("{} has another bound on this side already", name.quoted());
            return Err(self.wrong(kind.at, message));
        }
        target.lower = target.lower.or(lower);
        target.upper = target.upper.or(upper);
        Ok(())
    }

    /// A bound: a number, or infinity by name.
    fn limit(&self, field: Field<'_>) -> Result<Limit, ReadError> {
        let (is_negative, magnitude) = sign_and_magnitude(field.text);
        if ["inf", "infinity"].iter().any(|word| magnitude.eq_ignore_ascii_case(word)) {
            return Ok(if is_negative { Limit::NegativeInfinity } else { Limit::PositiveInfinity });
        }
        self.number(field).map(Limit::from_number)
    }

    /// Refuses a second set of right-hand sides, ranges or bounds.
    fn set(&mut self, which: usize, entry: &Located<'t>) -> Result<(), ReadError> {
        let name = entry.fields[1].map_or("", |field| field.text);
        if *self.sets[which].get_or_insert(name) == name {
            return Ok(());
        }
        let kind = ["right-hand sides", "ranges", "bounds"][which];
        let message = format!("a second set of {kind}: remove all but one, since only one counts");
        Err(self.wrong(entry.fields[1].map_or(entry.at, |field| field.at), message))
    }

    /// The one or two rows with numbers in the fields from the third on.
    fn rows_with_numbers(
        &self,
        entry: &Located<'t>,
    ) -> Result<[Option<RowWithNumber<'t>>; 2], ReadError> {
        let first = self.row_with_number(entry, 2)?;
        let has_second = entry.fields[4].is_some() || entry.fields[5].is_some();
        let second = if has_second { Some(self.row_with_number(entry, 4)?) } else { None };
        self.refuse_code(entry)?;
        Ok([Some(first), second])
    }

    fn row_with_number(
        &self,
        entry: &Located<'t>,
        place: usize,
    ) -> Result<RowWithNumber<'t>, ReadError> {
        let name = self.field(entry, place, "the name of a row")?;
        let Some(&row) = self.row_of.get(name.text) else {
            let found = name.quoted();
            return Err(self.wrong(name.at, format!("no row is called {found}")));
        };
        let number = self.number(self.field(entry, place + 1, "a number")?)?;
        Ok(RowWithNumber { name, row, number })
    }

    fn number(&self, field: Field<'_>) -> Result<Rational, ReadError> {
        let (is_negative, magnitude) = sign_and_magnitude(field.text);
        Rational::parse(magnitude.as_bytes(), is_negative).map_err(|error| match error {
            NumberError::Malformed => {
                self.wrong(field.at, format!("a number is expected, found {}", field.quoted()))
            }
            NumberError::TooWide => {
                let message = "as a fraction of integers, this number is beyond 128 bits";
                ReadError::unsupported(self.text, field.at, message)
            }
        })
    }

    /// A field that has to be there.
    fn field(
        &self,
        entry: &Located<'t>,
        place: usize,
        expected: &str,
    ) -> Result<Field<'t>, ReadError> {
        entry.fields[place].ok_or_else(|| {
            let field = place + 1;
            self.wrong(entry.at, format!("{expected} is expected in field {field} of this line"))
        })
    }

    fn refuse_code(&self, entry: &Located<'t>) -> Result<(), ReadError> {
        match entry.fields[0] {
            Some(code) => Err(self.wrong(code.at, "nothing stands in the first field here")),
            None => Ok(()),
        }
    }

    /// Refuses fields from this place on.
    fn refuse_rest(&self, entry: &Located<'t>, place: usize) -> Result<(), ReadError> {
        match entry.fields[place..].iter().flatten().next() {
            Some(stray) => {
                let found = stray.quoted();
                Err(self.wrong(stray.at, format!("the end of the line is expected, found {found}")))
            }
            None => Ok(()),
        }
    }

    fn into_program(mut self) -> Result<Program<'t>, ReadError> {
        if !self.is_ended {
            let message = "the text ends without ENDATA: was it cut short? If not, add ENDATA as its \
                           last line";
            // The caret stands after the last word rather than on an empty line.
            return Err(self.wrong(self.text.trim_ascii_end().len(), message));
        }
        let objective = self.objective_row()?;
        for (column, is_marked) in self.program.columns().zip(&self.is_marked) {
            if *is_marked && column.lower.is_none() && column.upper.is_none() {
                column.kind = ColumnKind::Binary;
            }
        }
        self.entries.sort_by_key(|entry| entry.row);
        let mut rest = self.entries.as_slice();
        for (i, row) in self.rows.iter().enumerate() {
            let (entries, others) = rest.split_at(rest.partition_point(|entry| entry.row == i));
            rest = others;
            let terms = entries.iter().map(|entry| entry.term);
            let beyond = |what: &str| {
                let message = format!("the {what} of this row is beyond 128 bits");
                ReadError::unsupported(self.text, row.at, message)
            };
            if Some(i) == objective {
                let sense = self.sense.unwrap_or(Sense::Minimize);
                let constant = row.right_side.unwrap_or(Rational::ZERO).checked_neg();
                let constant = constant.ok_or_else(|| beyond("negated right-hand side"))?;
                self.program.set_objective(sense, terms.collect(), constant, row.at);
                continue;
            }
            let (lower, upper) = row.bounds().ok_or_else(|| beyond("range"))?;
            let row = ProgramRow { name: Some(row.name), at: row.at, lower, upper };
            self.program.add_row(row, terms);
        }
        Ok(self.program)
    }

    /// The place of the objective among the rows.
    fn objective_row(&self) -> Result<Option<usize>, ReadError> {
        let Some(name) = self.objective_name else {
            return Ok(self.rows.iter().position(|row| row.kind == RowKind::Free));
        };
        match self.row_of.get(name.text) {
            Some(&row) if self.rows[row].kind == RowKind::Free => Ok(Some(row)),
            _ => Err(self.wrong(name.at, format!("no N row is called {}", name.quoted()))),
        }
    }

    fn wrong(&self, at: usize, message: impl Into<String>) -> ReadError {
        ReadError::parse(self.text, at, message)
    }
}

/// A line's fields, and where the first begins.
#[derive(Debug)]
struct Located<'t> {
    at: usize,
    fields: Fields<'t>,
}

#[derive(Debug)]
struct RowWithNumber<'t> {
    name: Field<'t>,
    row: usize,
    number: Rational,
}

impl Row<'_> {
    /// The least and the greatest sum; `None` if one is beyond 128 bits.
    fn bounds(&self) -> Option<(Option<Rational>, Option<Rational>)> {
        let right_side = self.right_side.unwrap_or(Rational::ZERO);
        let Some(range) = self.range else {
            return Some(match self.kind {
                RowKind::Free => (None, None),
                RowKind::AtMost => (None, Some(right_side)),
                RowKind::AtLeast => (Some(right_side), None),
                RowKind::Equal => (Some(right_side), Some(right_side)),
            });
        };
        let width = if range.is_negative() { range.checked_neg()? } else { range };
        let opens_downwards = match self.kind {
            RowKind::AtMost => true,
            RowKind::Equal => range.is_negative(),
            RowKind::AtLeast | RowKind::Free => false,
        };
        Some(if opens_downwards {
            (Some(right_side.checked_sub(width)?), Some(right_side))
        } else {
            (Some(right_side), Some(right_side.checked_add(width)?))
        })
    }
}

fn sign_and_magnitude(number: &str) -> (bool, &str) {
    match number.as_bytes().first() {
        Some(b'-') => (true, &number[1..]),
        Some(b'+') => (false, &number[1..]),
        _ => (false, number),
    }
}
