//! An assignment: a value for each variable `0..n`.

use crate::{Lit, Var};

/// A value for each variable `0..n`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Assignment {
    values: Vec<bool>,
}

impl Assignment {
    /// The assignment with `values[i]` for variable `i`.
    pub fn from_values(values: Vec<bool>) -> Assignment {
        Assignment { values }
    }

    /// Number of variables that have a value.
    pub fn num_vars(&self) -> usize {
        self.values.len()
    }

    /// The value of a variable.
    ///
    /// # Panics
    /// If the variable is not among the assigned ones.
    pub fn value(&self, var: Var) -> bool {
        self.values[var.index()]
    }

    /// Whether the literal is true.
    ///
    /// # Panics
    /// If its variable is not among the assigned ones.
    pub fn satisfies(&self, lit: Lit) -> bool {
        self.values[lit.var().index()] != lit.is_negative()
    }

    /// The values in the order of the variables.
    pub fn values(&self) -> &[bool] {
        &self.values
    }

    /// The true literal of each variable, in order.
    pub fn lits(&self) -> impl Iterator<Item = Lit> {
        self.values.iter().enumerate().map(|(index, &value)| Var::new(index).lit(value))
    }

    /// Keeps the first `num_vars` values and lets `extend` add more after them: how a family's
    /// indicators are put beside the decision variables.
    pub(crate) fn extend_from(&mut self, num_vars: usize, extend: impl FnOnce(&mut Vec<bool>)) {
        self.values.truncate(num_vars);
        extend(&mut self.values);
    }
}
