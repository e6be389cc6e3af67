//! The reader: one pass over the tokens.

use super::scan::{Scanner, Section, Token, TokenKind, section};
use crate::formats::ReadError;
use crate::formats::program::{Advice, ColumnKind, Limit, Program, ProgramRow, ProgramTerm};
use crate::formats::rational::{NumberError, Rational};
use pbsolve_model::Model;

const ADVICE: Advice = Advice {
    integer: "declare it under `Binary` or `General`",
    bound: "give both its bounds under `Bounds`, such as `-5 <= x <= 5`",
};

/// Reads a model.
///
/// # Errors
/// [`ReadError::Parse`] where the text is not LP, [`ReadError::Unsupported`] where it needs what is
/// not supported.
pub fn read(text: &[u8]) -> Result<Model, ReadError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut reader = Reader::new(text)?;
    reader.objective()?;
    reader.sections()?;
    reader.program.into_model()
}

#[derive(Debug)]
struct Reader<'t> {
    text: &'t [u8],
    /// After `token`.
    scanner: Scanner<'t>,
    token: Token<'t>,
    program: Program<'t>,
}

/// `constant + sum of terms`.
#[derive(Debug)]
struct Sum {
    terms: Vec<ProgramTerm>,
    constant: Rational,
    is_empty: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    AtMost,
    AtLeast,
    Equal,
}

impl<'t> Reader<'t> {
    fn new(text: &'t [u8]) -> Result<Reader<'t>, ReadError> {
        let mut scanner = Scanner::new(text);
        let token = scanner.next()?;
        Ok(Reader { text, scanner, token, program: Program::new(text, ADVICE) })
    }

    fn objective(&mut self) -> Result<(), ReadError> {
        let start = self.token;
        let sense = match self.take_section()? {
            Some(Section::Objective(sense)) => sense,
            _ if self.next_is(TokenKind::Colon) => {
                let message = "a colon after the first word: the LP format of lp_solve is not \
                               read, and in that of CPLEX `Minimize` or `Maximize` has none";
                return Err(self.wrong(message));
            }
            _ => {
                let found = start.found();
                let message =
                    format!("a model begins with `Minimize` or `Maximize`, found {found}");
                return Err(ReadError::parse(self.text, start.at, message));
            }
        };
        self.label()?;
        let at = self.token.at;
        let Sum { terms, constant, .. } = self.sum()?;
        self.program.set_objective(sense, terms, constant, at);
        if self.section().is_none() {
            return Err(self.unexpected("`Subject To` on a new line, or `+` or `-`,"));
        }
        Ok(())
    }

    fn sections(&mut self) -> Result<(), ReadError> {
        loop {
            let start = self.token;
            match self.take_section()? {
                Some(Section::Rows) => self.items(Reader::row)?,
                Some(Section::Bounds) => self.items(Reader::bound)?,
                Some(Section::Generals) => self.declarations(start, ColumnKind::Integer)?,
                Some(Section::Binaries) => self.declarations(start, ColumnKind::Binary)?,
                Some(Section::Objective(_)) => {
                    let message = "a second objective: there can be only one";
                    return Err(ReadError::parse(self.text, start.at, message));
                }
                Some(Section::Unsupported(message)) => {
                    return Err(ReadError::unsupported(self.text, start.at, message));
                }
                Some(Section::End) if self.token.kind == TokenKind::End => return Ok(()),
                Some(Section::End) => {
                    let found = self.token.found();
                    return Err(self.wrong(format!("{found} after `End`: nothing may follow it")));
                }
                None if self.token.kind == TokenKind::End => {
                    let message = "the text ends without `End`: was it cut short? If not, add \
                                   `End` as its last line";
                    // The caret stands after the last word rather than on an empty line.
                    let at = self.text.trim_ascii_end().len();
                    return Err(ReadError::parse(self.text, at, message));
                }
                None => return Err(self.unexpected("a section such as `Bounds`")),
            }
        }
    }

    /// Reads what a section has, each on a new line.
    fn items(
        &mut self,
        read_one: fn(&mut Reader<'t>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        while self.section().is_none() && self.token.kind != TokenKind::End {
            read_one(self)?;
            if !self.token.begins_line && self.token.kind != TokenKind::End {
                return Err(self.after_right_side());
            }
        }
        Ok(())
    }

    fn after_right_side(&self) -> ReadError {
        match self.token.kind {
            TokenKind::Arrow => {
                let message = "indicator rows are not supported: `b = 1 -> x <= 3` with `x <= 9` is \
                               `x + 6 b <= 9`";
                ReadError::unsupported(self.text, self.token.at, message)
            }
            TokenKind::AtMost | TokenKind::AtLeast | TokenKind::Equal => {
                let message = "a second relation: a range is written as `1 <= x + y <= 3` or \
                               `3 >= x + y >= 1`";
                self.wrong(message)
            }
            _ => {
                let found = self.token.found();
                self.wrong(format!(
                    "a new line is expected after the number on the right, found {found}: terms \
                     stand on the left only"
                ))
            }
        }
    }

    fn row(&mut self) -> Result<(), ReadError> {
        let at = self.token.at;
        let name = self.label()?;
        let left = self.nonempty_sum()?;
        let relation = self.relation()?;
        let (sum, bounds) = if left.terms.is_empty() {
            let sum = self.nonempty_sum()?;
            let bounds = relation.mirrored().bounds(left.constant);
            match self.same_relation(relation)? {
                true => (sum, bounds.or(relation.bounds(self.right_side()?))),
                false if sum.terms.is_empty() => (left, relation.bounds(sum.constant)),
                false => (sum, bounds),
            }
        } else {
            (left, relation.bounds(self.right_side()?))
        };
        let moved = |bound: Option<Rational>| match bound {
            Some(bound) => bound.checked_sub(sum.constant).map(Some),
            None => Some(None),
        };
        let (Some(lower), Some(upper)) = (moved(bounds.lower), moved(bounds.upper)) else {
            let message = "the bound minus the constant on the left is beyond 128 bits";
            return Err(ReadError::unsupported(self.text, at, message));
        };
        self.program.add_row(ProgramRow { name, at, lower, upper }, sum.terms);
        Ok(())
    }

    /// Reads `name:`, if that is here.
    fn label(&mut self) -> Result<Option<&'t str>, ReadError> {
        if self.token.kind != TokenKind::Name || !self.next_is(TokenKind::Colon) {
            return Ok(None);
        }
        let name = self.token.text;
        self.advance()?;
        self.advance()?;
        Ok(Some(name))
    }

    fn nonempty_sum(&mut self) -> Result<Sum, ReadError> {
        let sum = self.sum()?;
        if sum.is_empty {
            return Err(self.unexpected("a number or the name of a variable"));
        }
        Ok(sum)
    }

    /// Reads terms and constants, up to what is neither.
    fn sum(&mut self) -> Result<Sum, ReadError> {
        let mut sum = Sum { terms: Vec::new(), constant: Rational::ZERO, is_empty: true };
        loop {
            let at = self.token.at;
            let sign = self.sign()?;
            if sign.is_none() && !sum.is_empty {
                return Ok(sum);
            }
            let is_negative = sign == Some(TokenKind::Minus);
            match self.token.kind {
                TokenKind::Number => {
                    let number = self.number(is_negative)?;
                    if self.is_variable() {
                        let column = self.variable()?;
                        sum.terms.push(ProgramTerm { coefficient: number, column });
                    } else {
                        let constant = sum.constant.checked_add(number);
                        sum.constant = constant.ok_or_else(|| {
                            let message = "here the sum of the constants is beyond 128 bits";
                            ReadError::unsupported(self.text, at, message)
                        })?;
                    }
                }
                TokenKind::Name if self.is_variable() => {
                    let column = self.variable()?;
                    let coefficient = Rational::from_integer(if is_negative { -1 } else { 1 });
                    sum.terms.push(ProgramTerm { coefficient, column });
                }
                TokenKind::Bracket => return Err(self.quadratic()),
                _ if sign.is_none() => return Ok(sum),
                _ => return Err(self.unexpected("a number or the name of a variable")),
            }
            sum.is_empty = false;
        }
    }

    /// Reads signs, as far as there are any, and returns the sign of their product.
    fn sign(&mut self) -> Result<Option<TokenKind>, ReadError> {
        let mut sign = None;
        while let TokenKind::Plus | TokenKind::Minus = self.token.kind {
            let is_negative =
                (self.token.kind == TokenKind::Minus) != (sign == Some(TokenKind::Minus));
            sign = Some(if is_negative { TokenKind::Minus } else { TokenKind::Plus });
            self.advance()?;
        }
        Ok(sign)
    }

    /// Reads the number that begins here, negated or not.
    fn number(&mut self, is_negative: bool) -> Result<Rational, ReadError> {
        let number = Rational::parse(self.token.text.as_bytes(), is_negative);
        let number = number.map_err(|error| match error {
            NumberError::Malformed => self.unexpected("a number"),
            NumberError::TooWide => {
                let message = "as a fraction of integers, this number is beyond 128 bits";
                ReadError::unsupported(self.text, self.token.at, message)
            }
        })?;
        self.advance()?;
        if self.token.kind == TokenKind::Product {
            let found = self.token.found();
            return Err(self.wrong(format!("{found} after a number: write `3 x` for 3 times x")));
        }
        Ok(number)
    }

    fn is_variable(&self) -> bool {
        self.token.kind == TokenKind::Name && self.section().is_none()
    }

    /// Reads the name of a variable.
    fn variable(&mut self) -> Result<usize, ReadError> {
        let name = self.token;
        if !self.is_variable() {
            return Err(self.unexpected("the name of a variable"));
        }
        if name.is_infinity() {
            let message = format!("{} is no name of a variable: it means infinity", name.quoted());
            return Err(self.wrong(message));
        }
        self.advance()?;
        if self.token.kind == TokenKind::Product {
            return Err(self.quadratic());
        }
        Ok(self.program.find_or_add_column(name.text, name.at))
    }

    fn quadratic(&self) -> ReadError {
        let message = "quadratic terms are not supported: for 0-1 variables, x ^ 2 is x, and x * y \
                       is a third variable z with z <= x, z <= y and z >= x + y - 1";
        ReadError::unsupported(self.text, self.token.at, message)
    }

    fn relation(&mut self) -> Result<Relation, ReadError> {
        let relation = match self.token.kind {
            TokenKind::AtMost => Relation::AtMost,
            TokenKind::AtLeast => Relation::AtLeast,
            TokenKind::Equal => Relation::Equal,
            _ => return Err(self.unexpected("`<=`, `>=` or `=`")),
        };
        self.advance()?;
        Ok(relation)
    }

    /// Reads the second relation of a range, if one like the first is here.
    fn same_relation(&mut self, first: Relation) -> Result<bool, ReadError> {
        let is_same = match first {
            Relation::AtMost => self.token.kind == TokenKind::AtMost,
            Relation::AtLeast => self.token.kind == TokenKind::AtLeast,
            Relation::Equal => false,
        };
        if is_same {
            self.advance()?;
        }
        Ok(is_same)
    }

    /// Reads the number on the right of a row.
    fn right_side(&mut self) -> Result<Rational, ReadError> {
        let sign = self.sign()?;
        if self.token.kind == TokenKind::Number {
            return self.number(sign == Some(TokenKind::Minus));
        }
        if self.token.is_infinity() {
            return Err(self.wrong("a row without a finite bound says nothing: remove it"));
        }
        Err(self.unexpected("a number (variables stand on the left)"))
    }

    fn bound(&mut self) -> Result<(), ReadError> {
        let at = self.token.at;
        let is_sign = matches!(self.token.kind, TokenKind::Plus | TokenKind::Minus);
        let has_left = is_sign || self.token.kind == TokenKind::Number || self.token.is_infinity();
        let left = if has_left { Some((self.limit()?, self.relation()?)) } else { None };
        let column = self.variable()?;
        let is_free = !self.token.begins_line && self.token.text.eq_ignore_ascii_case("free");
        if left.is_none() && is_free {
            self.advance()?;
            self.program.column(column).lower = Some(Limit::NegativeInfinity);
            self.program.column(column).upper = Some(Limit::PositiveInfinity);
            return Ok(());
        }
        let relation = match left {
            None => self.relation()?,
            Some((limit, relation)) => {
                self.set_bound(column, relation.mirrored(), limit, at)?;
                if !self.same_relation(relation)? {
                    return Ok(());
                }
                relation
            }
        };
        let limit = self.limit()?;
        self.set_bound(column, relation, limit, at)
    }

    /// Reads a number or infinity.
    fn limit(&mut self) -> Result<Limit, ReadError> {
        let is_negative = self.sign()? == Some(TokenKind::Minus);
        if self.token.is_infinity() {
            self.advance()?;
            return Ok(if is_negative { Limit::NegativeInfinity } else { Limit::PositiveInfinity });
        }
        if self.token.kind != TokenKind::Number {
            return Err(self.unexpected("a number or `inf`"));
        }
        self.number(is_negative).map(Limit::from_number)
    }

    fn set_bound(
        &mut self,
        column: usize,
        relation: Relation,
        limit: Limit,
        at: usize,
    ) -> Result<(), ReadError> {
        let impossible = match relation {
            Relation::AtMost => limit == Limit::NegativeInfinity,
            Relation::AtLeast => limit == Limit::PositiveInfinity,
            Relation::Equal => !matches!(limit, Limit::Finite(_)),
        };
        if impossible {
            let message = "no number is within this bound (1e20 and more mean infinity)";
            return Err(ReadError::parse(self.text, at, message));
        }
        let column = self.program.column(column);
        if relation != Relation::AtMost {
            column.lower = Some(limit);
        }
        if relation != Relation::AtLeast {
            column.upper = Some(limit);
        }
        Ok(())
    }

    /// Reads names up to the next section.
    fn declarations(&mut self, start: Token<'_>, kind: ColumnKind) -> Result<(), ReadError> {
        while self.is_variable() {
            let column = self.variable()?;
            let column = self.program.column(column);
            if column.kind != ColumnKind::Binary {
                column.kind = kind;
            }
        }
        if self.section().is_none() && self.token.kind != TokenKind::End {
            let word = start.quoted();
            return Err(self.unexpected(&format!(
                "the name of a variable (at the beginning of a line, {word} begins a section)"
            )));
        }
        Ok(())
    }

    fn section(&self) -> Option<(Section, bool)> {
        let mut scanner = self.scanner;
        section(self.token, || scanner.next().ok())
    }

    /// Reads the word or words with which a section begins.
    fn take_section(&mut self) -> Result<Option<Section>, ReadError> {
        let Some((section, has_two_words)) = self.section() else { return Ok(None) };
        // What follows in a section that is not supported need not even be made of tokens.
        if let Section::Unsupported(_) = section {
            return Ok(Some(section));
        }
        self.advance()?;
        if has_two_words {
            self.advance()?;
        }
        Ok(Some(section))
    }

    fn next_is(&self, kind: TokenKind) -> bool {
        let mut scanner = self.scanner;
        scanner.next().is_ok_and(|token| token.kind == kind)
    }

    fn advance(&mut self) -> Result<(), ReadError> {
        self.token = self.scanner.next()?;
        Ok(())
    }

    fn unexpected(&self, expected: &str) -> ReadError {
        let found = self.token.found();
        self.wrong(format!("{expected} is expected, found {found}"))
    }

    /// The error that something is wrong with the token.
    fn wrong(&self, message: impl Into<String>) -> ReadError {
        // The caret stands after the last word rather than on an empty line.
        let end = self.text.trim_ascii_end().len();
        ReadError::parse(self.text, self.token.at.min(end), message)
    }
}

/// The bounds of a row.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    lower: Option<Rational>,
    upper: Option<Rational>,
}

impl Bounds {
    /// These bounds, and where there is none, the other.
    fn or(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.or(other.lower), upper: self.upper.or(other.upper) }
    }
}

impl Relation {
    /// The relation when its sides are exchanged.
    fn mirrored(self) -> Relation {
        match self {
            Relation::AtMost => Relation::AtLeast,
            Relation::AtLeast => Relation::AtMost,
            Relation::Equal => Relation::Equal,
        }
    }

    /// The bounds of what is on the left of the number.
    fn bounds(self, number: Rational) -> Bounds {
        Bounds {
            lower: (self != Relation::AtMost).then_some(number),
            upper: (self != Relation::AtLeast).then_some(number),
        }
    }
}
