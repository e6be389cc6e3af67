//! The model: decision variables, explicit rows, families of rows, an objective.

use crate::names::{NameArena, VariableNames};
use crate::row::Rows;
use crate::{Coefficients, Family, Integer, Linear, NumberTooWide, Objective, RowView, Var};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The place of a row in its model, from 0: explicit rows first, then those of the families.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowId(pub u64);

/// A 0-1 linear model. Variables are numbered with the decision variables first, then the
/// indicators of each family in order. Rows are never copied: whoever needs them visits them.
#[derive(Debug, Default)]
pub struct Model {
    num_decisions: usize,
    variable_names: VariableNames,
    rows: Rows,
    row_names: NameArena,
    families: Vec<Arc<dyn Family>>,
    objective: Option<Objective>,
    integers: Vec<Integer>,
}

impl Model {
    /// A model with `num_decisions` decision variables whose names are computed when asked for.
    ///
    /// # Panics
    /// If there are more than 2^31 - 1 variables.
    pub fn with_generated_names(
        num_decisions: usize,
        name: impl Fn(usize) -> String + Send + Sync + 'static,
    ) -> Model {
        assert!(num_decisions <= Var::MAX_INDEX + 1, "{num_decisions} variables are too many");
        let variable_names = VariableNames::Generated(Box::new(name));
        Model { num_decisions, variable_names, ..Model::default() }
    }

    /// This many new decision variables without names.
    ///
    /// # Panics
    /// As [`Model::new_var`].
    pub fn new_vars(&mut self, number: usize) {
        assert!(self.families.is_empty(), "decision variables come before the families");
        assert!(number <= Var::MAX_INDEX + 1 - self.num_decisions, "too many variables");
        self.num_decisions += number;
    }

    /// A new decision variable with a name.
    ///
    /// # Panics
    /// If the names of this model are generated, if families were added already (decision
    /// variables come first), or beyond 2^31 - 1 variables.
    pub fn new_var(&mut self, name: &str) -> Var {
        assert!(self.families.is_empty(), "decision variables come before the families");
        let VariableNames::Given(names) = &mut self.variable_names else {
            panic!("the variables of this model have generated names");
        };
        let var = Var::new(self.num_decisions);
        names.set_next(var.index(), name);
        self.num_decisions += 1;
        var
    }

    /// A new integer variable `lower..=upper`, with decision variables for its binary digits. If
    /// not every combination of digits is in range, a row says so. Bits are named `NAME@0`,
    /// `NAME@1`, ...
    ///
    /// # Panics
    /// As [`Model::new_var`]; if `lower > upper`, or the range is beyond 2^126.
    pub fn new_integer(&mut self, name: &str, lower: i128, upper: i128) -> &Integer {
        let range = upper.checked_sub(lower).filter(|range| (0..1 << 126).contains(range));
        let range = range.expect("a range from lower to upper, below 2^126");
        let num_bits = (i128::BITS - range.leading_zeros()) as usize;
        let bits: Vec<Var> = (0..num_bits).map(|i| self.new_var(&format!("{name}@{i}"))).collect();
        if (range + 1).count_ones() != 1 {
            let digits = bits.iter().enumerate().map(|(i, bit)| (1 << i, bit.positive()));
            self.add(Linear::sum(digits).with_upper(range).named(format!("range of {name}")));
        }
        self.integers.push(Integer { name: name.to_owned(), lower, upper, bits });
        self.integers.last().expect("pushed above")
    }

    /// The integer variables; their bits are decision variables.
    pub fn integers(&self) -> &[Integer] {
        &self.integers
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If the absolute values of its coefficients sum to more than `i128` holds; see
    /// [`Model::try_add`].
    #[allow(clippy::needless_pass_by_value, reason = "callers build the row in the call")]
    pub fn add(&mut self, row: Linear) -> RowId {
        self.try_add(&row).expect("the sums of a row fit 128 bits")
    }

    /// Adds a row.
    ///
    /// # Errors
    /// If the absolute values of its coefficients sum to more than `i128` holds.
    pub fn try_add(&mut self, row: &Linear) -> Result<RowId, NumberTooWide> {
        let lits: Vec<_> = row.terms.iter().map(|term| term.lit).collect();
        let numbers: Vec<_> = row.terms.iter().map(|term| term.coefficient).collect();
        let coefficients = Coefficients::Wide(&numbers);
        let (lower, upper) = (row.lower, row.upper);
        let id = self.try_add_view(RowView { lits: &lits, coefficients, lower, upper })?;
        if let Some(name) = &row.name {
            self.row_names.set_next(self.rows.len() - 1, name);
        }
        Ok(id)
    }

    /// Adds a row from borrowed arrays: how readers fill a model without a `Vec` a row.
    ///
    /// # Errors
    /// If the absolute values of its coefficients sum to more than `i128` holds.
    ///
    /// # Panics
    /// If families were added already (explicit rows come first), or if a literal's variable is
    /// not of this model.
    pub fn try_add_view(&mut self, row: RowView<'_>) -> Result<RowId, NumberTooWide> {
        assert!(self.families.is_empty(), "explicit rows come before the families");
        let known = row.lits.iter().all(|lit| lit.var().index() < self.num_decisions);
        assert!(known, "a row has a variable that its model lacks");
        self.rows.push(row)?;
        Ok(RowId(self.rows.len() as u64 - 1))
    }

    /// Adds a family after all that is there.
    pub fn add_family(&mut self, family: Arc<dyn Family>) {
        self.families.push(family);
    }

    /// Sets the objective.
    pub fn set_objective(&mut self, objective: Objective) {
        self.objective = Some(objective);
    }

    /// The objective, if there is one.
    pub fn objective(&self) -> Option<&Objective> {
        self.objective.as_ref()
    }

    /// The families, in order.
    pub fn families(&self) -> &[Arc<dyn Family>] {
        &self.families
    }

    /// Number of decision variables: those of the file or the cells of the board.
    pub fn num_decisions(&self) -> usize {
        self.num_decisions
    }

    /// Number of all variables: decision variables and indicators.
    pub fn num_variables(&self) -> u64 {
        let indicators: u64 = self.families.iter().map(|family| family.num_indicators()).sum();
        self.num_decisions as u64 + indicators
    }

    /// Number of rows.
    pub fn num_rows(&self) -> u64 {
        let of_families: u64 = self.families.iter().map(|family| family.num_rows()).sum();
        self.rows.len() as u64 + of_families
    }

    /// Number of rows that are stored, those before the rows of the families.
    pub fn num_explicit_rows(&self) -> usize {
        self.rows.len()
    }

    /// A stored row.
    ///
    /// # Panics
    /// If `i` is not below [`Model::num_explicit_rows`].
    pub fn explicit_row(&self, i: usize) -> RowView<'_> {
        self.rows.get(i)
    }

    /// Visits every row, in order, until `visit` breaks.
    ///
    /// # Errors
    /// Breaks with what `visit` breaks with.
    ///
    /// # Panics
    /// If the model has more than 2^31 - 1 variables, which no row can name; callers that meet
    /// such models look at [`Model::num_variables`] first.
    pub fn for_each_row<B>(
        &self,
        mut visit: impl FnMut(RowId, RowView<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for i in 0..self.rows.len() {
            visit(RowId(i as u64), self.rows.get(i))?;
        }
        let mut first_indicator = self.num_decisions;
        for (number, family) in self.families.iter().enumerate() {
            for group in 0..family.num_groups() {
                let place = family.group(group);
                let offset = usize::try_from(place.first_indicator).expect("64-bit machines");
                // A group without indicators names none; its place may be one past the last.
                let first = match place.num_indicators {
                    0 => Var::new(0),
                    _ => Var::new(first_indicator + offset),
                };
                self.for_each_row_of_group(number, group, first, &mut visit)?;
            }
            first_indicator += usize::try_from(family.num_indicators()).expect("64-bit machines");
        }
        ControlFlow::Continue(())
    }

    /// The place of the first indicator of a group among all variables, if all are made in order.
    ///
    /// # Panics
    /// If the family or the group is not of this model.
    pub fn first_indicator(&self, family: usize, group: usize) -> usize {
        let before: u64 = self.families[..family].iter().map(|f| f.num_indicators()).sum();
        let offset = before + self.families[family].group(group).first_indicator;
        self.num_decisions + usize::try_from(offset).expect("64-bit machines")
    }

    /// Visits the rows of one group of a family, with indicators from `first_indicator` on.
    ///
    /// # Errors
    /// Breaks with what `visit` breaks with.
    ///
    /// # Panics
    /// If the family or the group is not of this model.
    pub fn for_each_row_of_group<B>(
        &self,
        family: usize,
        group: usize,
        first_indicator: Var,
        mut visit: impl FnMut(RowId, RowView<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let before: u64 = self.families[..family].iter().map(|family| family.num_rows()).sum();
        let family = &self.families[family];
        let mut id = self.rows.len() as u64 + before + family.group(group).first_row;
        let mut broke = None;
        let flow = family.for_each_row(group, first_indicator, &mut |row| {
            id += 1;
            match visit(RowId(id - 1), row) {
                ControlFlow::Continue(()) => ControlFlow::Continue(()),
                ControlFlow::Break(with) => {
                    broke = Some(with);
                    ControlFlow::Break(())
                }
            }
        });
        debug_assert_eq!(flow.is_break(), broke.is_some(), "{}", family.name());
        broke.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    /// The name of a variable; `x1`, `x2`, ... for decision variables that were given none.
    ///
    /// # Panics
    /// If the variable is not of this model.
    pub fn variable_name(&self, var: Var) -> String {
        let index = var.index();
        if index < self.num_decisions {
            return match &self.variable_names {
                VariableNames::Generated(name) => name(index),
                VariableNames::Given(names) => {
                    names.get(index).map_or_else(|| format!("x{}", index + 1), str::to_owned)
                }
            };
        }
        let mut indicator = (index - self.num_decisions) as u64;
        for family in &self.families {
            if indicator < family.num_indicators() {
                return family.indicator_name(indicator);
            }
            indicator -= family.num_indicators();
        }
        panic!("variable {index} is not of this model");
    }

    /// The family of a row and the row's place in it; `None` for explicit rows.
    fn family_of(&self, row: RowId) -> Option<(&dyn Family, u64)> {
        let mut place = row.0.checked_sub(self.rows.len() as u64)?;
        for family in &self.families {
            if place < family.num_rows() {
                return Some((family.as_ref(), place));
            }
            place -= family.num_rows();
        }
        panic!("row {} is not of this model", row.0);
    }

    /// The name of a row, if it was given one or its family generates it.
    ///
    /// # Panics
    /// If the row is not of this model.
    pub fn row_name(&self, row: RowId) -> Option<String> {
        match self.family_of(row) {
            Some((family, place)) => Some(family.row_name(place)),
            None => self.row_names.get(usize::try_from(row.0).ok()?).map(str::to_owned),
        }
    }

    /// What a row says, as a sentence: that of its family, or its name, or its number from 1.
    ///
    /// # Panics
    /// If the row is not of this model.
    pub fn row_sentence(&self, row: RowId) -> String {
        match self.family_of(row) {
            Some((family, place)) => family.row_sentence(place),
            None => self.row_name(row).unwrap_or_else(|| format!("row {}", row.0 + 1)),
        }
    }
}
