//! From the columns and rows of a file to a 0-1 model.

use super::INFINITY;
use crate::formats::ReadError;
use crate::formats::lines::Word;
use crate::formats::rational::{Rational, lcm};
use pbsolve_model::{Linear, Model, Objective, Sense, Term, Var};
use std::collections::HashMap;

/// What the user can do about columns that are not supported, in the words of the format.
#[derive(Clone, Copy, Debug)]
pub(in crate::formats) struct Advice {
    /// How a column is declared as integer.
    pub(in crate::formats) integer: &'static str,
    /// How a column gets a bound.
    pub(in crate::formats) bound: &'static str,
}

/// A program as it was read.
#[derive(Debug)]
pub(in crate::formats) struct Program<'t> {
    text: &'t [u8],
    advice: Advice,
    columns: Vec<Column<'t>>,
    column_of: HashMap<&'t str, usize>,
    terms: Vec<ProgramTerm>,
    rows: Vec<ProgramRow<'t>>,
    row_ends: Vec<usize>,
    objective: Option<ProgramObjective>,
}

#[derive(Debug)]
struct ProgramObjective {
    sense: Sense,
    terms: Vec<ProgramTerm>,
    constant: Rational,
    at: usize,
}

/// A column.
#[derive(Debug)]
pub(in crate::formats) struct Column<'t> {
    name: &'t str,
    /// Where it is first mentioned.
    at: usize,
    pub(in crate::formats) kind: ColumnKind,
    /// As it was given; otherwise 0.
    pub(in crate::formats) lower: Option<Limit>,
    /// As it was given; otherwise there is none.
    pub(in crate::formats) upper: Option<Limit>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::formats) enum ColumnKind {
    Continuous,
    Integer,
    /// From 0 to 1, and within the bounds that were given.
    Binary,
}

/// A bound of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::formats) enum Limit {
    NegativeInfinity,
    Finite(Rational),
    PositiveInfinity,
}

#[derive(Clone, Copy, Debug)]
pub(in crate::formats) struct ProgramTerm {
    pub(in crate::formats) coefficient: Rational,
    pub(in crate::formats) column: usize,
}

/// A row, without its terms.
#[derive(Clone, Copy, Debug)]
pub(in crate::formats) struct ProgramRow<'t> {
    pub(in crate::formats) name: Option<&'t str>,
    pub(in crate::formats) at: usize,
    pub(in crate::formats) lower: Option<Rational>,
    pub(in crate::formats) upper: Option<Rational>,
}

impl Limit {
    /// The number, or the infinity that numbers of this size stand for.
    pub(in crate::formats) fn from_number(number: Rational) -> Limit {
        if number.floor() >= INFINITY {
            Limit::PositiveInfinity
        } else if number.ceil() <= -INFINITY {
            Limit::NegativeInfinity
        } else {
            Limit::Finite(number)
        }
    }
}

impl<'t> Program<'t> {
    pub(in crate::formats) fn new(text: &'t [u8], advice: Advice) -> Program<'t> {
        Program {
            text,
            advice,
            columns: Vec::new(),
            column_of: HashMap::new(),
            terms: Vec::new(),
            rows: Vec::new(),
            row_ends: Vec::new(),
            objective: None,
        }
    }

    /// The column of this name, if there is one.
    pub(in crate::formats) fn find_column(&self, name: &str) -> Option<usize> {
        self.column_of.get(name).copied()
    }

    /// The column of this name, a new one if it is mentioned for the first time.
    pub(in crate::formats) fn find_or_add_column(&mut self, name: &'t str, at: usize) -> usize {
        *self.column_of.entry(name).or_insert_with(|| {
            let kind = ColumnKind::Continuous;
            self.columns.push(Column { name, at, kind, lower: None, upper: None });
            self.columns.len() - 1
        })
    }

    pub(in crate::formats) fn column(&mut self, column: usize) -> &mut Column<'t> {
        &mut self.columns[column]
    }

    pub(in crate::formats) fn columns(&mut self) -> impl Iterator<Item = &mut Column<'t>> {
        self.columns.iter_mut()
    }

    pub(in crate::formats) fn add_row(
        &mut self,
        row: ProgramRow<'t>,
        terms: impl IntoIterator<Item = ProgramTerm>,
    ) {
        self.terms.extend(terms);
        self.rows.push(row);
        self.row_ends.push(self.terms.len());
    }

    pub(in crate::formats) fn set_objective(
        &mut self,
        sense: Sense,
        terms: Vec<ProgramTerm>,
        constant: Rational,
        at: usize,
    ) {
        self.objective = Some(ProgramObjective { sense, terms, constant, at });
    }

    /// The model: its variables are the columns in order, integer ones by their bits.
    ///
    /// # Errors
    /// [`ReadError::Unsupported`] for continuous and unbounded columns and for numbers beyond 128
    /// bits.
    pub(in crate::formats) fn into_model(self) -> Result<Model, ReadError> {
        let mut model = Model::default();
        let mut expansion = Expansion::default();
        for column in &self.columns {
            expansion.offsets.push(self.add_column(column, &mut model)?);
            expansion.ends.push(model.num_decisions());
        }
        let mut start = 0;
        for (row, &end) in self.rows.iter().zip(&self.row_ends) {
            self.add_model_row(row, &self.terms[start..end], &expansion, &mut model)?;
            start = end;
        }
        if let Some(objective) = &self.objective {
            let translated = expansion.objective(objective).ok_or_else(|| {
                self.unsupported(objective.at, &format!("the objective {BEYOND_128_BITS}"))
            })?;
            if !translated.is_constant() || translated.constant != 0 {
                model.set_objective(translated);
            }
        }
        Ok(model)
    }

    /// Adds the variables of a column, and returns its value where all of them are 0.
    fn add_column(&self, column: &Column<'_>, model: &mut Model) -> Result<i128, ReadError> {
        const MAX_BITS: usize = 128;
        if Var::MAX_INDEX - model.num_decisions() < MAX_BITS {
            return Err(self.unsupported(column.at, "here the variables exceed 2^31 - 1"));
        }
        let (lower, upper) = self.bounds(column)?;
        let name = column.name;
        if column.kind == ColumnKind::Binary || (lower, upper) == (0, 1) {
            let lit = model.new_var(name).positive();
            if (lower, upper) != (0, 1) {
                let row = Linear::sum([(1, lit)]).with_lower(lower).with_upper(upper);
                model.add(row.named(format!("bounds of {name}")));
            }
            return Ok(0);
        }
        let num_bits = model.new_integer(name, lower, upper.max(lower)).bits.len();
        for bit in 0..num_bits {
            if let Some(&taken) = self.column_of.get(format!("{name}@{bit}").as_str()) {
                let message = format!(
                    "{} is how a binary digit of {} is called: rename one of them",
                    quoted(self.columns[taken].name),
                    quoted(name)
                );
                return Err(self.unsupported(self.columns[taken].at, &message));
            }
        }
        if lower > upper {
            let row = Linear::sum([]).with_upper(upper - lower);
            model.add(row.named(format!("bounds of {name}")));
        }
        Ok(lower)
    }

    /// The least and the greatest value.
    fn bounds(&self, column: &Column<'_>) -> Result<(i128, i128), ReadError> {
        let name = quoted(column.name);
        let unsupported = |message: String| Err(self.unsupported(column.at, &message));
        let is_binary = column.kind == ColumnKind::Binary;
        if column.kind == ColumnKind::Continuous {
            let advice = self.advice.integer;
            return unsupported(format!(
                "{name} is continuous, but only 0-1 and bounded integer variables are supported: \
                 {advice}"
            ));
        }
        let advice = self.advice.bound;
        let lower = match column.lower {
            None => 0,
            Some(Limit::Finite(lower)) => lower.ceil(),
            Some(Limit::NegativeInfinity) if is_binary => 0,
            Some(_) => return unsupported(format!("{name} has no finite lower bound: {advice}")),
        };
        let upper = match column.upper {
            Some(Limit::Finite(upper)) => upper.floor(),
            _ if is_binary => 1,
            _ => return unsupported(format!("{name} has no finite upper bound: {advice}")),
        };
        if is_binary {
            return Ok((lower.max(0), upper.min(1)));
        }
        if upper < 0 && column.lower.is_none() {
            return unsupported(format!(
                "{name} has a negative upper bound and no lower bound, which some programs take \
                 for 0 and some for none: {advice}"
            ));
        }
        Ok((lower, upper))
    }

    fn add_model_row(
        &self,
        row: &ProgramRow<'_>,
        terms: &[ProgramTerm],
        expansion: &Expansion,
        model: &mut Model,
    ) -> Result<(), ReadError> {
        let translated = expansion.row(row, terms);
        let added = translated.and_then(|translated| model.try_add(&translated).ok());
        if added.is_none() {
            return Err(self.unsupported(row.at, &format!("this row {BEYOND_128_BITS}")));
        }
        Ok(())
    }

    fn unsupported(&self, at: usize, message: &str) -> ReadError {
        ReadError::unsupported(self.text, at, message)
    }
}

const BEYOND_128_BITS: &str = "cannot be scaled to integers of 128 bits: its numbers are too \
                               large, or have too many digits after the point";

fn quoted(name: &str) -> String {
    Word { at: 0, bytes: name.as_bytes() }.quoted()
}

/// The columns as sums of variables: each is its offset and the sum of `2^i` times its variables.
#[derive(Debug, Default)]
struct Expansion {
    offsets: Vec<i128>,
    /// Where the variables of a column end; they begin where those of the column before end.
    ends: Vec<usize>,
}

impl Expansion {
    /// The row with integers; `None` if they are beyond 128 bits.
    fn row(&self, row: &ProgramRow<'_>, terms: &[ProgramTerm]) -> Option<Linear> {
        let offset = self.offset(terms)?;
        let mut lower = None;
        let mut upper = None;
        let mut divisor = common_denominator(terms)?;
        for (moved, bound) in [(&mut lower, row.lower), (&mut upper, row.upper)] {
            let Some(bound) = bound else { continue };
            let bound = bound.checked_sub(offset)?;
            divisor = lcm(divisor, bound.denominator())?;
            *moved = Some(bound);
        }
        let scaled = |bound: Option<Rational>| match bound {
            Some(bound) => bound.scaled(divisor).map(Some),
            None => Some(None),
        };
        Some(Linear {
            terms: self.terms(terms, divisor)?,
            lower: scaled(lower)?,
            upper: scaled(upper)?,
            name: row.name.map(str::to_owned),
        })
    }

    /// The objective with integers; `None` if they, or its values, are beyond 128 bits.
    fn objective(&self, objective: &ProgramObjective) -> Option<Objective> {
        let constant = objective.constant.checked_add(self.offset(&objective.terms)?)?;
        let divisor = lcm(common_denominator(&objective.terms)?, constant.denominator())?;
        let terms = self.terms(&objective.terms, divisor)?;
        let constant = constant.scaled(divisor)?;
        let mut weights = terms.iter().map(|term| term.coefficient).chain([constant]);
        weights.try_fold(0i128, |sum, weight| sum.checked_add(weight.checked_abs()?))?;
        Some(Objective { sense: objective.sense, terms, constant, divisor })
    }

    /// The sum of the terms where all variables are 0.
    fn offset(&self, terms: &[ProgramTerm]) -> Option<Rational> {
        terms.iter().try_fold(Rational::ZERO, |sum, term| match self.offsets[term.column] {
            0 => Some(sum),
            offset => sum.checked_add(term.coefficient.checked_mul(offset)?),
        })
    }

    /// The terms times the divisor, those with coefficient 0 left out.
    fn terms(&self, terms: &[ProgramTerm], divisor: i128) -> Option<Vec<Term>> {
        let mut expanded = Vec::with_capacity(terms.len());
        for term in terms {
            let mut coefficient = term.coefficient.scaled(divisor)?;
            let start = term.column.checked_sub(1).map_or(0, |before| self.ends[before]);
            for index in start..self.ends[term.column] {
                if index > start {
                    coefficient = coefficient.checked_mul(2)?;
                }
                if coefficient != 0 {
                    expanded.push(Term { coefficient, lit: Var::new(index).positive() });
                }
            }
        }
        Some(expanded)
    }
}

fn common_denominator(terms: &[ProgramTerm]) -> Option<i128> {
    terms.iter().try_fold(1, |multiple, term| lcm(multiple, term.coefficient.denominator()))
}
