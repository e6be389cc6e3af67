//! The reader: one pass over the bytes, with buffers that are reused from row to row.

use super::scan::{Scanner, begins_name};
use crate::formats::ReadError;
use pbsolve_model::{Coefficients, Linear, Lit, Model, Objective, RowView, Sense, Term, Var};
use std::collections::HashMap;

/// A text may declare this many variables however short it is; beyond, one for each of its bytes.
/// More are never meant, and would exhaust the memory of whoever solves the model.
const MAX_UNUSED_VARIABLES: usize = 10_000_000;

/// Reads a model.
///
/// # Errors
/// [`ReadError::Parse`] where the text is not OPB, [`ReadError::Unsupported`] where it needs what
/// is not supported.
pub fn read(text: &[u8]) -> Result<Model, ReadError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut reader = Reader::new(text);
    let promise = reader.promise()?;
    reader.statements()?;
    reader.keep_promise(promise)?;
    Ok(reader.model)
}

/// What the first line says about the rest.
#[derive(Clone, Copy, Debug)]
struct Promise {
    num_variables: usize,
    num_constraints: u64,
    /// Where the number of constraints stands.
    place: usize,
}

/// How the variables of the file are called, known from the first one on.
#[derive(Debug)]
enum Naming<'t> {
    Unknown,
    Numbered,
    Named(HashMap<&'t [u8], Var>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    AtLeast,
    AtMost,
    Equal,
}

#[derive(Debug)]
struct Reader<'t> {
    scanner: Scanner<'t>,
    max_variables: usize,
    naming: Naming<'t>,
    model: Model,
    /// The terms of the sum that was read last.
    lits: Vec<Lit>,
    coefficients: Vec<i128>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t [u8]) -> Reader<'t> {
        Reader {
            scanner: Scanner::new(text),
            max_variables: text.len().clamp(MAX_UNUSED_VARIABLES, Var::MAX_INDEX + 1),
            naming: Naming::Unknown,
            model: Model::default(),
            lits: Vec::new(),
            coefficients: Vec::new(),
        }
    }

    /// Reads `* #variable= N #constraint= M`, if the text begins with it, and goes back.
    fn promise(&mut self) -> Result<Option<Promise>, ReadError> {
        self.scanner.take_while(|byte| byte.is_ascii_whitespace());
        let start = self.scanner.at();
        let mut places = [0; 2];
        let mut numbers = [0; 2];
        let mut is_header = self.scanner.eat(b'*');
        for (i, key) in [b"#variable=".as_slice(), b"#constraint="].into_iter().enumerate() {
            self.scanner.take_while(|byte| byte == b' ' || byte == b'\t');
            is_header &= key.iter().all(|&byte| self.scanner.eat(byte));
            self.scanner.take_while(|byte| byte == b' ' || byte == b'\t');
            places[i] = self.scanner.at();
            is_header &= self.scanner.peek().is_some_and(|byte| byte.is_ascii_digit());
            if !is_header {
                self.scanner.rewind(start);
                return Ok(None);
            }
            numbers[i] = self.scanner.number(false)?;
        }
        self.scanner.rewind(start);
        let [num_variables, num_constraints] = numbers;
        let num_variables = usize::try_from(num_variables).unwrap_or(usize::MAX);
        if num_variables > self.max_variables {
            return Err(self.too_many_variables(places[0], &numbers[0].to_string()));
        }
        let num_constraints = u64::try_from(num_constraints).unwrap_or(u64::MAX);
        Ok(Some(Promise { num_variables, num_constraints, place: places[1] }))
    }

    fn too_many_variables(&self, place: usize, number: &str) -> ReadError {
        let most = self.max_variables;
        self.scanner.unsupported(
            place,
            format!("{number} variables are too many: a text of this length may have {most}"),
        )
    }

    /// Declares what the first line promised beyond the variables in use.
    fn keep_promise(&mut self, promise: Option<Promise>) -> Result<(), ReadError> {
        let num_rows = self.model.num_rows();
        let Some(promise) = promise else {
            if num_rows == 0 && self.model.objective().is_none() {
                return Err(self.scanner.wrong(0, "no constraint and no objective is here"));
            }
            return Ok(());
        };
        if promise.num_constraints > num_rows {
            let promised = promise.num_constraints;
            let message = format!(
                "the first line promises {promised} constraints, the text has {num_rows}: was it \
                 cut short? If not, correct this number"
            );
            return Err(self.scanner.wrong(promise.place, message));
        }
        if !matches!(self.naming, Naming::Named(_)) {
            self.declare(promise.num_variables);
        }
        Ok(())
    }

    /// Makes sure that `x1` to `x<number>` are variables of the model.
    fn declare(&mut self, number: usize) {
        // Without a name of its own, the i-th variable is called x<i>.
        self.model.new_vars(number.saturating_sub(self.model.num_decisions()));
    }

    fn statements(&mut self) -> Result<(), ReadError> {
        loop {
            self.scanner.skip_to_statement();
            let start = self.scanner.at();
            match self.scanner.peek() {
                None => return Ok(()),
                Some(b'[') => {
                    let message = "soft constraints (`[weight]`) are not supported";
                    return Err(self.scanner.unsupported(start, message));
                }
                Some(b'@') => {
                    let label = self.scanner.take_while(|byte| !byte.is_ascii_whitespace());
                    let label = String::from_utf8_lossy(&label[1..]).into_owned();
                    self.scanner.skip_blanks();
                    self.constraint(start, Some(label))?;
                }
                Some(byte) if begins_name(byte) => {
                    let name = self.scanner.name();
                    self.scanner.skip_blanks();
                    if self.scanner.eat(b':') {
                        self.objective(start, name)?;
                    } else {
                        self.scanner.rewind(start);
                        self.constraint(start, None)?;
                    }
                }
                Some(_) => self.constraint(start, None)?,
            }
        }
    }

    fn objective(&mut self, start: usize, keyword: &[u8]) -> Result<(), ReadError> {
        let sense = match keyword {
            b"min" => Sense::Minimize,
            b"max" => Sense::Maximize,
            b"soft" => {
                let message = "soft constraints (`soft:`) are not supported";
                return Err(self.scanner.unsupported(start, message));
            }
            other => {
                let other = Scanner::quoted(other);
                let message = format!(
                    "{other} with a colon: an objective begins with `min:` or `max:`, the label \
                     of a constraint with `@`"
                );
                return Err(self.scanner.wrong(start, message));
            }
        };
        if self.model.objective().is_some() {
            return Err(self.scanner.wrong(start, "a second objective: there can be only one"));
        }
        if self.model.num_rows() > 0 {
            let message = "an objective after a constraint: it stands before all constraints";
            return Err(self.scanner.wrong(start, message));
        }
        let constant = self.sum(start)?;
        if !self.scanner.eat(b';') {
            return Err(self.scanner.unexpected(start, "`;` or another term"));
        }
        let mut weights = self.coefficients.iter().chain([&constant]);
        let weight = weights.try_fold(0i128, |sum, c| sum.checked_add(c.checked_abs()?));
        if weight.is_none() {
            let message = "the coefficients of the objective sum to more than 128 bits hold";
            return Err(self.scanner.unsupported(start, message));
        }
        let terms = self.terms();
        self.model.set_objective(Objective { sense, terms, constant, divisor: 1 });
        Ok(())
    }

    fn constraint(&mut self, start: usize, label: Option<String>) -> Result<(), ReadError> {
        let constant = self.sum(start)?;
        let relation = self.relation(start)?;
        self.scanner.skip_blanks();
        let place = self.scanner.at();
        let bound = self.bound(start)?;
        self.scanner.skip_blanks();
        if !self.scanner.eat(b';') {
            return Err(self.scanner.unexpected(start, "`;` after the bound"));
        }
        let Some(bound) = bound.checked_sub(constant) else {
            let message = "the bound minus the constant on the left is beyond 128 bits";
            return Err(self.scanner.unsupported(place, message));
        };
        let lower = (relation != Relation::AtMost).then_some(bound);
        let upper = (relation != Relation::AtLeast).then_some(bound);
        let added = if label.is_some() {
            self.model.try_add(&Linear { terms: self.terms(), lower, upper, name: label })
        } else {
            let coefficients = Coefficients::Wide(&self.coefficients);
            self.model.try_add_view(RowView { lits: &self.lits, coefficients, lower, upper })
        };
        added.map_err(|too_wide| self.scanner.unsupported(start, too_wide.to_string()))?;
        Ok(())
    }

    /// The sum that was read last.
    fn terms(&self) -> Vec<Term> {
        let terms = self.coefficients.iter().zip(&self.lits);
        terms.map(|(&coefficient, &lit)| Term { coefficient, lit }).collect()
    }

    /// Reads terms into the buffers, up to what is no term. Returns the sum of the constants.
    fn sum(&mut self, start: usize) -> Result<i128, ReadError> {
        self.lits.clear();
        self.coefficients.clear();
        let mut constant = 0i128;
        let mut is_first = true;
        loop {
            self.scanner.skip_blanks();
            let place = self.scanner.at();
            let has_sign = matches!(self.scanner.peek(), Some(b'+' | b'-'));
            let is_negative = self.scanner.eat(b'-');
            if has_sign && !is_negative {
                self.scanner.eat(b'+');
            }
            self.scanner.skip_blanks();
            match self.scanner.peek() {
                Some(b'0'..=b'9') => {
                    let number = self.scanner.number(is_negative)?;
                    if self.is_coefficient(start, has_sign || is_first)? {
                        let lit = self.literal(start)?;
                        self.push(number, lit);
                        self.refuse_product()?;
                    } else if let Some(sum) = constant.checked_add(number) {
                        constant = sum;
                    } else {
                        let message = "the constants of this sum are beyond 128 bits";
                        return Err(self.scanner.unsupported(place, message));
                    }
                }
                Some(byte) if byte == b'~' || begins_name(byte) => {
                    let lit = self.literal(start)?;
                    self.push(if is_negative { -1 } else { 1 }, lit);
                    self.refuse_product()?;
                }
                _ if has_sign => {
                    let expected = "a number or a variable after the sign";
                    return Err(self.scanner.unexpected(start, expected));
                }
                _ => return Ok(constant),
            }
            is_first = false;
        }
    }

    fn push(&mut self, coefficient: i128, lit: Lit) {
        self.coefficients.push(coefficient);
        self.lits.push(lit);
    }

    /// After a number: whether a literal follows, which is next then. A constant must be set off
    /// by signs or relations on both sides; what else there is could be a slip.
    fn is_coefficient(&mut self, start: usize, may_be_constant: bool) -> Result<bool, ReadError> {
        match self.scanner.peek() {
            Some(b'x' | b'~') => return Ok(true),
            Some(byte) if begins_name(byte) || byte == b'.' => {
                let message = format!(
                    "a number runs on with {}: numbers are integers, and a name other than \
                     x<number> is set off by a blank",
                    self.scanner.found()
                );
                return Err(self.scanner.wrong(self.scanner.at(), message));
            }
            _ => {}
        }
        self.scanner.skip_blanks();
        if self.scanner.eat(b'*') {
            self.scanner.skip_blanks();
            return Ok(true);
        }
        match self.scanner.peek() {
            Some(byte) if byte == b'~' || begins_name(byte) => Ok(true),
            Some(b'+' | b'-' | b'<' | b'>' | b'=' | b'!' | b';') if may_be_constant => Ok(false),
            _ => Err(self.scanner.unexpected(start, "a variable after the coefficient")),
        }
    }

    /// After a literal: refuses a second factor.
    fn refuse_product(&mut self) -> Result<(), ReadError> {
        self.scanner.skip_blanks();
        match self.scanner.peek() {
            Some(byte) if byte == b'~' || byte == b'*' || begins_name(byte) => {
                let message = "products of literals are not supported (a sum needs a sign here)";
                Err(self.scanner.unsupported(self.scanner.at(), message))
            }
            _ => Ok(()),
        }
    }

    fn literal(&mut self, start: usize) -> Result<Lit, ReadError> {
        let is_negative = self.scanner.eat(b'~');
        let place = self.scanner.at();
        let name = self.scanner.name();
        if name.is_empty() {
            return Err(self.scanner.unexpected(start, "a variable"));
        }
        let var = match name {
            [b'x', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => {
                self.numbered(place, name, digits)?
            }
            _ => self.named(place, name)?,
        };
        Ok(var.lit(!is_negative))
    }

    fn numbered(&mut self, place: usize, name: &[u8], digits: &[u8]) -> Result<Var, ReadError> {
        if digits[0] == b'0' {
            let message = format!(
                "{} is no variable: numbers begin at x1 and have no leading zeros",
                Scanner::quoted(name)
            );
            return Err(self.scanner.wrong(place, message));
        }
        match self.naming {
            Naming::Numbered => {}
            Naming::Unknown => self.naming = Naming::Numbered,
            Naming::Named(_) => return Err(self.mixed_names(place, name)),
        }
        let number = digits.iter().try_fold(0usize, |number, digit| {
            number.checked_mul(10)?.checked_add(usize::from(digit - b'0'))
        });
        match number {
            Some(number) if number <= self.max_variables => {
                self.declare(number);
                Ok(Var::new(number - 1))
            }
            _ => {
                let message = format!(
                    "{} is too far up: in a text of this length variables go up to x{}",
                    Scanner::quoted(name),
                    self.max_variables
                );
                Err(self.scanner.unsupported(place, message))
            }
        }
    }

    fn named(&mut self, place: usize, name: &'t [u8]) -> Result<Var, ReadError> {
        if let Naming::Unknown = self.naming {
            self.naming = Naming::Named(HashMap::new());
        }
        let Naming::Named(vars) = &mut self.naming else {
            return Err(self.mixed_names(place, name));
        };
        if let Some(&var) = vars.get(name) {
            return Ok(var);
        }
        if self.model.num_decisions() == self.max_variables {
            return Err(self.too_many_variables(place, "more"));
        }
        let var = self.model.new_var(&String::from_utf8_lossy(name));
        vars.insert(name, var);
        Ok(var)
    }

    fn mixed_names(&self, place: usize, name: &[u8]) -> ReadError {
        let name = Scanner::quoted(name);
        let message = match self.naming {
            Naming::Named(_) => format!(
                "{name} in a file with other names: all variables are called x<number>, or none is"
            ),
            _ => format!(
                "{name} in a file with variables called x<number>: either all are called so, or \
                 none is"
            ),
        };
        self.scanner.wrong(place, message)
    }

    fn relation(&mut self, start: usize) -> Result<Relation, ReadError> {
        let place = self.scanner.at();
        let advice = match self.scanner.take_while(|byte| b"<>=!".contains(&byte)) {
            b">=" => return Ok(Relation::AtLeast),
            b"<=" => return Ok(Relation::AtMost),
            b"=" => return Ok(Relation::Equal),
            b"" => {
                let expected = "`>=`, `<=`, `=` or another term";
                return Err(self.scanner.unexpected(start, expected));
            }
            b">" => "`>` is not OPB: write `>=` and add 1 to the bound",
            b"<" => "`<` is not OPB: write `<=` and subtract 1 from the bound",
            b"==" => "`==` is not OPB: write `=`",
            b"=>" => "`=>` is not OPB: write `>=` for \"at least\"; implications are not read",
            b"=<" => "`=<` is not OPB: write `<=`",
            b"!=" | b"<>" => "\"not equal\" is not linear: only `>=`, `<=` and `=` are OPB",
            _ => "an unknown relation: only `>=`, `<=` and `=` are OPB",
        };
        Err(self.scanner.wrong(place, advice))
    }

    fn bound(&mut self, start: usize) -> Result<i128, ReadError> {
        let is_negative = self.scanner.eat(b'-');
        if !is_negative {
            self.scanner.eat(b'+');
        }
        self.scanner.skip_blanks();
        if self.scanner.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return self.scanner.number(is_negative);
        }
        Err(self.scanner.unexpected(start, "an integer on the right"))
    }
}
