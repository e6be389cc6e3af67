//! The reader. `serde_json` splits the text into raw values, which keep their places in it; numbers
//! and names are read from those, so that every refusal names its place and no integer passes
//! through a floating-point number.

use crate::formats::ReadError;
use crate::formats::lines::Word;
use pbsolve_model::{Linear, Lit, Model, Objective, Sense, Term, Var};
use serde::de::{Deserialize, Deserializer as _, Error as _, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

/// Reads a model.
///
/// # Errors
/// [`ReadError::Parse`] where the text is not as the module describes; [`ReadError::Unsupported`]
/// for other versions, numbers beyond 128 bits and more than 2^31 - 1 variables.
pub fn read(text: &[u8]) -> Result<Model, ReadError> {
    let json = std::str::from_utf8(text).map_err(|error| {
        ReadError::parse(text, error.valid_up_to(), "these bytes are no UTF-8, which JSON is")
    })?;
    let source = Source { text: json };
    let document: Document<'_> = source.parse(json.strip_prefix('\u{feff}').unwrap_or(json))?;
    source.check_version(document.version)?;
    let mut reader = Reader { source, model: Model::default(), names: HashMap::new() };
    reader.variables(document.variables)?;
    if let Some(objective) = document.objective {
        reader.objective(objective)?;
    }
    source.for_each_element(document.constraints, |constraint| reader.constraint(constraint))?;
    Ok(reader.model)
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<'t> {
    #[serde(borrow)]
    version: &'t RawValue,
    #[serde(borrow)]
    variables: &'t RawValue,
    #[serde(borrow, default)]
    objective: Option<&'t RawValue>,
    #[serde(borrow)]
    constraints: &'t RawValue,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct IntegerFields<'t> {
    #[serde(borrow)]
    name: &'t RawValue,
    #[serde(borrow)]
    lower: &'t RawValue,
    #[serde(borrow)]
    upper: &'t RawValue,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct ObjectiveFields<'t> {
    #[serde(borrow)]
    sense: &'t RawValue,
    #[serde(borrow)]
    terms: &'t RawValue,
    #[serde(borrow, default)]
    offset: Option<&'t RawValue>,
    #[serde(borrow, default)]
    divisor: Option<&'t RawValue>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct ConstraintFields<'t> {
    #[serde(borrow, default)]
    name: Option<&'t RawValue>,
    #[serde(borrow)]
    terms: &'t RawValue,
    #[serde(borrow, default, deserialize_with = "present")]
    lower: Option<&'t RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    upper: Option<&'t RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    op: Option<&'t RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    rhs: Option<&'t RawValue>,
}

/// A field that is there, be it null.
fn present<'t, D: serde::Deserializer<'t>>(from: D) -> Result<Option<&'t RawValue>, D::Error> {
    <&RawValue>::deserialize(from).map(Some)
}

/// The text, for the places of its parts.
#[derive(Clone, Copy, Debug)]
struct Source<'t> {
    text: &'t str,
}

impl<'t> Source<'t> {
    /// The offset of a part.
    fn at(self, part: &'t str) -> usize {
        part.as_ptr().addr() - self.text.as_ptr().addr()
    }

    fn wrong(self, at: &'t RawValue, message: impl Into<String>) -> ReadError {
        ReadError::parse(self.text.as_bytes(), self.at(at.get()), message)
    }

    fn unsupported(self, at: &'t RawValue, message: impl Into<String>) -> ReadError {
        ReadError::unsupported(self.text.as_bytes(), self.at(at.get()), message)
    }

    /// The error of a value of another kind.
    fn expected(self, what: &str, found: &'t RawValue) -> ReadError {
        self.wrong(found, format!("{what} is expected, found {}", quoted(found.get())))
    }

    /// The fields of an object. A list would do for serde.
    fn parse<T: Deserialize<'t>>(self, part: &'t str) -> Result<T, ReadError> {
        let start = self.at(part) + (part.len() - part.trim_start().len());
        let parsed = match self.text.as_bytes().get(start) {
            // What is no JSON is told as that.
            Some(b'{') => serde_json::from_str(part),
            _ => serde_json::from_str::<IgnoredAny>(part)
                .and_then(|_| Err(serde_json::Error::custom("an object in braces is expected"))),
        };
        parsed.map_err(|error| self.translated(&error, part, start))
    }

    /// Visits the elements of a list.
    fn for_each_element(
        self,
        list: &'t RawValue,
        mut visit: impl FnMut(&'t RawValue) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        if !list.get().starts_with('[') {
            return Err(self.expected("a list", list));
        }
        let mut refused = None;
        let visit = |element| visit(element).map_err(|error| refused = Some(error)).is_ok();
        let visited =
            serde_json::Deserializer::from_str(list.get()).deserialize_seq(Elements(visit));
        match (refused, visited) {
            (Some(error), _) => Err(error),
            (None, visited) => {
                visited.map_err(|error| self.translated(&error, list.get(), self.at(list.get())))
            }
        }
    }

    /// An error of `serde_json` about a part; without a place it is at `start`.
    fn translated(self, error: &serde_json::Error, part: &'t str, start: usize) -> ReadError {
        let message = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let message = match message.strip_suffix(&place).unwrap_or(&message) {
            _ if error.is_eof() => "the text ends too early",
            message => message,
        };
        if error.line() == 0 {
            return ReadError::parse(self.text.as_bytes(), start, message);
        }
        let lines = part.split_inclusive('\n').take(error.line() - 1);
        let line = lines.map(str::len).sum::<usize>();
        // Columns count bytes, up to the one that was read last.
        let last = if error.is_eof() { part.trim_end().len() } else { part.len() };
        let mut at = (line + error.column().saturating_sub(1)).min(last);
        if part.as_bytes().get(at) == Some(&b'"') {
            // The end of a name; its beginning is the place.
            at = part[..at].rfind('"').unwrap_or(at);
        }
        ReadError::parse(self.text.as_bytes(), self.at(part) + at, message)
    }

    fn check_version(self, version: &'t RawValue) -> Result<(), ReadError> {
        match self.integer(version)? {
            1 => Ok(()),
            other => {
                Err(self
                    .unsupported(version, format!("version {other}: this program reads version 1")))
            }
        }
    }

    fn string(self, value: &'t RawValue, what: &str) -> Result<Cow<'t, str>, ReadError> {
        let inner = value.get().strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let Some(inner) = inner else { return Err(self.expected(what, value)) };
        if !inner.contains('\\') {
            return Ok(Cow::Borrowed(inner));
        }
        let unescaped = serde_json::from_str(value.get());
        let at = self.at(value.get());
        unescaped.map(Cow::Owned).map_err(|error| self.translated(&error, value.get(), at))
    }

    /// A name that is to be declared.
    fn new_name(self, value: &'t RawValue) -> Result<Cow<'t, str>, ReadError> {
        let name = self.string(value, "a name in quotes")?;
        match name.as_ref() {
            "" => Err(self.wrong(value, "a name is empty")),
            name if name.contains(char::is_control) => {
                Err(self.wrong(value, "a name has a line break or another control character"))
            }
            _ => Ok(name),
        }
    }

    /// An integer, as a number or in quotes.
    fn integer(self, value: &'t RawValue) -> Result<i128, ReadError> {
        let text = value.get();
        let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
        let digits = inner.strip_prefix('-').unwrap_or(inner);
        let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.is_empty();
        if is_plain && (digits == "0" || !digits.starts_with('0')) {
            return inner.parse().map_err(|_| {
                self.unsupported(value, format!("{} is beyond 128 bits", quoted(inner)))
            });
        }
        let begins_number = digits.starts_with(|c: char| c.is_ascii_digit());
        let message = if begins_number && inner.contains(['.', 'e', 'E']) {
            format!("{} has a point or an exponent, but numbers are integers", quoted(inner))
        } else {
            format!("an integer is expected, found {}", quoted(text))
        };
        Err(self.wrong(value, message))
    }
}

fn quoted(text: &str) -> String {
    Word { at: 0, bytes: text.as_bytes() }.quoted().replace("\\\"", "\"")
}

/// Passes the elements of a list on until the function refuses one.
struct Elements<F>(F);

impl<'t, F: FnMut(&'t RawValue) -> bool> Visitor<'t> for Elements<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'t>>(mut self, mut elements: A) -> Result<(), A::Error> {
        while let Some(element) = elements.next_element()? {
            if !(self.0)(element) {
                return Err(A::Error::custom("an element was refused"));
            }
        }
        Ok(())
    }
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
enum Named {
    Variable(Var),
    /// A binary digit.
    Digit(Var),
    /// The place of the integer in the model.
    Integer(usize),
}

struct Reader<'t> {
    source: Source<'t>,
    model: Model,
    names: HashMap<Cow<'t, str>, Named>,
}

/// A sum over variables, and what its integers add to it at their lower bounds.
#[derive(Debug, Default)]
struct Sum {
    terms: Vec<Term>,
    offset: i128,
}

impl<'t> Reader<'t> {
    fn variables(&mut self, list: &'t RawValue) -> Result<(), ReadError> {
        let source = self.source;
        let mut with_sign = Vec::new();
        source.for_each_element(list, |element| {
            const MAX_DIGITS: usize = 128;
            if Var::MAX_INDEX - self.model.num_decisions() < MAX_DIGITS {
                return Err(source.unsupported(element, "here the variables exceed 2^31 - 1"));
            }
            let name = match element.get().as_bytes().first() {
                Some(b'{') => self.integer_variable(element)?,
                _ => self.binary_variable(element)?,
            };
            with_sign.extend(name.starts_with('~').then_some((name, element)));
            Ok(())
        })?;
        let negates = |name: &str| self.names.contains_key(&name[1..]);
        match with_sign.iter().find(|(name, _)| negates(name)) {
            None => Ok(()),
            Some((name, at)) => {
                let message = format!(
                    "{} is also the negation of {}: rename one of them",
                    quoted(name),
                    quoted(&name[1..])
                );
                Err(source.wrong(at, message))
            }
        }
    }

    fn declare(
        &mut self,
        name: Cow<'t, str>,
        at: &'t RawValue,
        named: Named,
    ) -> Result<(), ReadError> {
        match self.names.entry(name) {
            Entry::Vacant(vacant) => {
                vacant.insert(named);
                Ok(())
            }
            Entry::Occupied(taken) => {
                let is_digit = |named| matches!(named, Named::Digit(_));
                let shown = quoted(taken.key());
                let message = if is_digit(named) || is_digit(*taken.get()) {
                    format!("{shown} is how a binary digit of an integer is called: rename one")
                } else {
                    format!("{shown} is declared twice")
                };
                Err(self.source.wrong(at, message))
            }
        }
    }

    fn binary_variable(&mut self, value: &'t RawValue) -> Result<Cow<'t, str>, ReadError> {
        let name = self.source.new_name(value)?;
        self.add_binary(name.clone(), value)?;
        Ok(name)
    }

    fn add_binary(&mut self, name: Cow<'t, str>, at: &'t RawValue) -> Result<(), ReadError> {
        let var = self.model.new_var(&name);
        self.declare(name, at, Named::Variable(var))
    }

    fn integer_variable(&mut self, value: &'t RawValue) -> Result<Cow<'t, str>, ReadError> {
        let source = self.source;
        let fields: IntegerFields<'t> = source.parse(value.get())?;
        let name = source.new_name(fields.name)?;
        let (lower, upper) = (source.integer(fields.lower)?, source.integer(fields.upper)?);
        if lower > upper {
            let message = format!("the upper bound {upper} is below the lower bound {lower}");
            return Err(source.wrong(fields.upper, message));
        }
        if (lower, upper) == (0, 1) {
            self.add_binary(name.clone(), fields.name)?;
            return Ok(name);
        }
        if upper.checked_sub(lower).is_none_or(|range| range >= 1 << 126) {
            return Err(source.unsupported(fields.upper, "the bounds are more than 2^126 apart"));
        }
        let integer = self.model.integers().len();
        let digits = self.model.new_integer(&name, lower, upper).bits.clone();
        self.declare(name.clone(), fields.name, Named::Integer(integer))?;
        for (place, digit) in digits.into_iter().enumerate() {
            let digit_name = Cow::Owned(format!("{name}@{place}"));
            self.declare(digit_name, fields.name, Named::Digit(digit))?;
        }
        Ok(name)
    }

    fn objective(&mut self, value: &'t RawValue) -> Result<(), ReadError> {
        let source = self.source;
        let fields: ObjectiveFields<'t> = source.parse(value.get())?;
        let sense = match source.string(fields.sense, "\"min\" or \"max\"")?.as_ref() {
            "min" => Sense::Minimize,
            "max" => Sense::Maximize,
            _ => return Err(source.expected("\"min\" or \"max\"", fields.sense)),
        };
        let offset = fields.offset.map_or(Ok(0), |offset| source.integer(offset))?;
        let divisor = fields.divisor.map_or(Ok(1), |divisor| source.integer(divisor))?;
        if let (..=0, Some(divisor)) = (divisor, fields.divisor) {
            return Err(source.expected("a positive divisor", divisor));
        }
        let Sum { terms, offset: of_integers } = self.sum(fields.terms)?;
        let constant = offset.checked_add(of_integers);
        let is_exact = |constant: i128| {
            let mut weights = terms.iter().map(|term| term.coefficient).chain([constant]);
            let sum = weights.try_fold(0i128, |sum, weight| sum.checked_add(weight.checked_abs()?));
            sum.is_some()
        };
        let Some(constant) = constant.filter(|&constant| is_exact(constant)) else {
            return Err(source.unsupported(value, "values of the objective are beyond 128 bits"));
        };
        self.model.set_objective(Objective { sense, terms, constant, divisor });
        Ok(())
    }

    fn constraint(&mut self, value: &'t RawValue) -> Result<(), ReadError> {
        let source = self.source;
        let fields: ConstraintFields<'t> = source.parse(value.get())?;
        let name = fields.name.map(|name| source.new_name(name)).transpose()?;
        let (lower, upper) = self.bounds(value, &fields)?;
        let Sum { terms, offset } = self.sum(fields.terms)?;
        let moved = |bound: Option<i128>| match bound {
            Some(bound) => bound.checked_sub(offset).map(Some),
            None => Some(None),
        };
        let bounds = moved(lower).zip(moved(upper));
        let row = bounds.map(|(lower, upper)| Linear {
            terms,
            lower,
            upper,
            name: name.map(Cow::into_owned),
        });
        let added = row.and_then(|row| self.model.try_add(&row).ok());
        let too_wide = || source.unsupported(value, "sums of this constraint are beyond 128 bits");
        added.map(|_| ()).ok_or_else(too_wide)
    }

    fn bounds(
        &self,
        constraint: &'t RawValue,
        fields: &ConstraintFields<'t>,
    ) -> Result<(Option<i128>, Option<i128>), ReadError> {
        let source = self.source;
        let bound = |field: Option<&'t RawValue>| match field {
            Some(value) if value.get() != "null" => source.integer(value).map(Some),
            _ => Ok(None),
        };
        let has_bounds = fields.lower.is_some() || fields.upper.is_some();
        match (fields.op, fields.rhs) {
            (None, None) if has_bounds => Ok((bound(fields.lower)?, bound(fields.upper)?)),
            (None, None) => {
                let message = "this constraint has neither `lower` and `upper` nor `op` and `rhs`";
                Err(source.wrong(constraint, message))
            }
            (Some(op), Some(rhs)) if !has_bounds => {
                let bound = source.integer(rhs)?;
                match source.string(op, "a relation")?.as_ref() {
                    "<=" => Ok((None, Some(bound))),
                    ">=" => Ok((Some(bound), None)),
                    "=" => Ok((Some(bound), Some(bound))),
                    _ => Err(source.expected("\"<=\", \">=\" or \"=\"", op)),
                }
            }
            (Some(field), Some(_)) => {
                Err(source.wrong(field, "`op` and `rhs` beside `lower` or `upper`"))
            }
            (Some(op), None) => Err(source.wrong(op, "`op` without `rhs`")),
            (None, Some(rhs)) => Err(source.wrong(rhs, "`rhs` without `op`")),
        }
    }

    fn sum(&self, list: &'t RawValue) -> Result<Sum, ReadError> {
        let mut sum = Sum::default();
        self.source.for_each_element(list, |term| self.add_term(term, &mut sum))?;
        Ok(sum)
    }

    fn add_term(&self, term: &'t RawValue, sum: &mut Sum) -> Result<(), ReadError> {
        let source = self.source;
        let pair = serde_json::from_str::<(&RawValue, &RawValue)>(term.get());
        let (Ok((number, name)), true) = (pair, term.get().starts_with('[')) else {
            return Err(source.expected("a term such as [2, \"x\"]", term));
        };
        let coefficient = source.integer(number)?;
        let text = source.string(name, "the name of a variable in quotes")?;
        match self.named(&text) {
            Some((Named::Variable(var) | Named::Digit(var), is_positive)) => {
                sum.terms.push(Term { coefficient, lit: var.lit(is_positive) });
                Ok(())
            }
            Some((Named::Integer(integer), true)) => {
                let added = self.add_integer(coefficient, integer, sum);
                let too_wide = || source.unsupported(term, "this term is beyond 128 bits");
                added.ok_or_else(too_wide)
            }
            Some((Named::Integer(_), false)) => {
                let message = format!("{}: an integer has no negation", quoted(&text));
                Err(source.wrong(name, message))
            }
            None => Err(source.wrong(name, format!("{} is no variable", quoted(&text)))),
        }
    }

    /// What a name with or without a sign stands for, and whether it had none.
    fn named(&self, text: &str) -> Option<(Named, bool)> {
        let negated = || Some((*self.names.get(text.strip_prefix('~')?)?, false));
        self.names.get(text).map(|&named| (named, true)).or_else(negated)
    }

    /// `None` if a number is beyond 128 bits.
    fn add_integer(&self, coefficient: i128, integer: usize, sum: &mut Sum) -> Option<()> {
        let integer = &self.model.integers()[integer];
        sum.offset = sum.offset.checked_add(coefficient.checked_mul(integer.lower)?)?;
        for (place, digit) in integer.bits.iter().enumerate() {
            let coefficient = coefficient.checked_mul(1 << place)?;
            let lit: Lit = digit.positive();
            sum.terms.push(Term { coefficient, lit });
        }
        Some(())
    }
}
