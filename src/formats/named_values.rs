//! Values by the names of variables, as texts give them, and the assignment that they make.

use super::lines::Word;
use pbsolve_model::{Assignment, Family, Integer, Model, ParseError, Var};
use std::collections::HashMap;

/// The names of indicators are looked through for this many of them, however few names of the
/// text are to be found there.
const MAX_INDICATORS: u64 = 10_000_000;

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Named {
    Variable(Var),
    /// The place of the integer in the model.
    Integer(usize),
}

/// Whether variables are also known by their numbers, where none is called like one: `x1`, `x2`,
/// ... as an OPB file numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aliases {
    Allowed,
    Refused,
}

/// The values of a model's variables, from a text.
#[derive(Debug)]
pub(super) struct NamedValues<'t> {
    text: &'t [u8],
    model: &'t Model,
    names: HashMap<Vec<u8>, Named>,
    has_aliases: bool,
    values: Vec<Option<bool>>,
    /// Which integers have a value, those without digits among them.
    is_given: Vec<bool>,
    /// Names that are neither variables nor integers, with their first offsets.
    unknown: HashMap<&'t [u8], usize>,
}

impl<'t> NamedValues<'t> {
    pub(super) fn new(text: &'t [u8], model: &'t Model, aliases: Aliases) -> NamedValues<'t> {
        let vars = (0..model.num_decisions()).map(Var::new);
        let vars = vars.map(|var| (model.variable_name(var).into_bytes(), Named::Variable(var)));
        let integers = model.integers().iter().enumerate();
        let integers = integers.map(|(i, n)| (n.name.clone().into_bytes(), Named::Integer(i)));
        let mut names: HashMap<Vec<u8>, Named> = integers.chain(vars).collect();
        let is_ambiguous = names.keys().any(|name| opb_number(name).is_some());
        let has_aliases = aliases == Aliases::Allowed && !is_ambiguous;
        if has_aliases {
            for index in 0..model.num_decisions() {
                let alias = format!("x{}", index + 1).into_bytes();
                names.insert(alias, Named::Variable(Var::new(index)));
            }
        }
        let values = vec![None; model.num_decisions()];
        let is_given = vec![false; model.integers().len()];
        NamedValues { text, model, names, has_aliases, values, is_given, unknown: HashMap::new() }
    }

    pub(super) fn wrong(&self, at: usize, message: impl Into<String>) -> ParseError {
        ParseError::at_offset(self.text, at, message)
    }

    /// Whether the model has something of this name.
    pub(super) fn knows(&self, name: &[u8]) -> bool {
        self.names.contains_key(name)
    }

    /// Gives a variable or an integer its value.
    ///
    /// # Errors
    /// If it has one, or if the value is not one of it.
    pub(super) fn set(
        &mut self,
        name: Word<'t>,
        value: Word<'t>,
        number: i128,
    ) -> Result<(), ParseError> {
        match self.names.get(name.bytes) {
            Some(&Named::Integer(i)) => self.set_integer(i, name, value, number),
            _ if !(0..=1).contains(&number) => Err(self.wrong_value(name, value)),
            _ => self.set_bit(name, number == 1),
        }
    }

    /// The error that a value is none of what has this name.
    pub(super) fn wrong_value(&self, name: Word<'_>, value: Word<'_>) -> ParseError {
        let found = value.quoted();
        let message = match self.names.get(name.bytes) {
            Some(&Named::Integer(i)) => {
                let Integer { name, lower, upper, .. } = &self.model.integers()[i];
                format!("a value of {name} is an integer from {lower} to {upper}, found {found}")
            }
            _ => format!("a value is 0 or 1, found {found}"),
        };
        self.wrong(value.at, message)
    }

    /// Gives a variable its value.
    ///
    /// # Errors
    /// If it has one, or if the name is that of an integer.
    pub(super) fn set_bit(&mut self, name: Word<'t>, value: bool) -> Result<(), ParseError> {
        match self.names.get(name.bytes) {
            Some(&Named::Variable(var)) => self.set_var(var, name, value),
            Some(&Named::Integer(_)) => {
                let message = format!("{} is an integer: write its value", name.quoted());
                Err(self.wrong(name.at, message))
            }
            None => {
                self.unknown.entry(name.bytes).or_insert(name.at);
                Ok(())
            }
        }
    }

    fn set_var(&mut self, var: Var, name: Word<'t>, value: bool) -> Result<(), ParseError> {
        match self.values[var.index()].replace(value) {
            None => Ok(()),
            Some(before) => Err(self.second_value(name, before == value)),
        }
    }

    fn second_value(&self, name: Word<'t>, is_same: bool) -> ParseError {
        let what = if is_same { "a second value" } else { "both values" };
        self.wrong(name.at, format!("{} has {what}", name.quoted()))
    }

    fn set_integer(
        &mut self,
        i: usize,
        name: Word<'t>,
        value: Word<'t>,
        number: i128,
    ) -> Result<(), ParseError> {
        let Integer { lower, upper, ref bits, .. } = self.model.integers()[i];
        if !(lower..=upper).contains(&number) {
            return Err(self.wrong_value(name, value));
        }
        if std::mem::replace(&mut self.is_given[i], true) {
            return Err(self.second_value(name, true));
        }
        for (place, &bit) in bits.iter().enumerate() {
            self.set_var(bit, name, (number - lower) >> place & 1 == 1)?;
        }
        Ok(())
    }

    /// Gives all that have no value the value 0.
    ///
    /// # Errors
    /// At `at`, if 0 is no value of an integer.
    pub(super) fn set_missing_to_0(&mut self, at: usize) -> Result<(), ParseError> {
        for (i, integer) in self.model.integers().iter().enumerate() {
            if self.is_given[i] {
                continue;
            }
            if !(integer.lower..=integer.upper).contains(&0) {
                let Integer { name, lower, upper, .. } = integer;
                let message = format!("{name} is left out, but 0 is not from {lower} to {upper}");
                return Err(self.wrong(at, message));
            }
            for (place, bit) in integer.bits.iter().enumerate() {
                let is_one = (-integer.lower) >> place & 1 == 1;
                self.values[bit.index()].get_or_insert(is_one);
            }
        }
        for value in &mut self.values {
            value.get_or_insert(false);
        }
        Ok(())
    }

    /// The assignment.
    ///
    /// # Errors
    /// At a name that the model lacks, and if a decision variable has no value.
    pub(super) fn into_assignment(mut self) -> Result<Assignment, ParseError> {
        const SHOWN: usize = 3;
        self.refuse_unknown()?;
        let missing = self.missing();
        if missing.is_empty() {
            return Ok(Assignment::from_values(self.values.into_iter().flatten().collect()));
        }
        let names = missing[..missing.len().min(SHOWN)].join(", ");
        let more = match missing.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let end = self.text.trim_ascii_end().len();
        Err(self.wrong(end, format!("no value is given for {names}{more}")))
    }

    /// The names of what has no value; an integer once.
    fn missing(&self) -> Vec<String> {
        let missing = (0..self.values.len()).filter(|&i| self.values[i].is_none());
        let mut integers = HashMap::new();
        for integer in self.model.integers() {
            if integer.bits.iter().all(|bit| self.values[bit.index()].is_none()) {
                integers.extend(integer.bits.iter().map(|bit| (bit.index(), integer)));
            }
        }
        let name = |i: usize| match integers.get(&i) {
            Some(integer) if integer.bits[0].index() == i => Some(integer.name.clone()),
            Some(_) => None,
            None => Some(self.model.variable_name(Var::new(i))),
        };
        missing.filter_map(name).collect()
    }

    /// Refuses the names that are not those of indicators either.
    fn refuse_unknown(&mut self) -> Result<(), ParseError> {
        let mut unknown = std::mem::take(&mut self.unknown);
        if self.has_aliases {
            let is_of_opb = |number: u64| number <= self.model.num_variables();
            unknown.retain(|name, _| !opb_number(name).is_some_and(is_of_opb));
        }
        // Only a solution of all variables is worth the search among very many indicators.
        let most = MAX_INDICATORS.max(2 * unknown.len() as u64);
        for family in self.model.families() {
            if !unknown.is_empty() && family.num_indicators() <= most {
                remove_indicators(family.as_ref(), &mut unknown);
            }
        }
        let first = unknown.into_iter().min_by_key(|&(_, at)| at);
        let Some((bytes, at)) = first else { return Ok(()) };
        let name = Word { at, bytes }.quoted();
        Err(self.wrong(at, format!("{name} is no variable of the model")))
    }
}

fn remove_indicators(family: &dyn Family, unknown: &mut HashMap<&[u8], usize>) {
    for indicator in 0..family.num_indicators() {
        unknown.remove(family.indicator_name(indicator).as_bytes());
        if unknown.is_empty() {
            return;
        }
    }
}

/// `17` for `x17`, which is how OPB calls the 17th variable.
fn opb_number(name: &[u8]) -> Option<u64> {
    let [b'x', digits @ ..] = name else { return None };
    let canonical = digits.first().is_some_and(|&digit| (b'1'..=b'9').contains(&digit));
    std::str::from_utf8(digits).ok().filter(|_| canonical)?.parse().ok()
}
