//! Names of variables and rows: given ones in one arena, generated ones computed on request.

use std::fmt;

/// Names in one string; an empty name means "none was given".
#[derive(Clone, Debug, Default)]
pub(crate) struct NameArena {
    text: String,
    ends: Vec<usize>,
}

impl NameArena {
    pub(crate) fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(self.text.len());
    }

    /// The `i`-th name; `None` where none was given.
    pub(crate) fn get(&self, i: usize) -> Option<&str> {
        let end = *self.ends.get(i)?;
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        Some(&self.text[start..end]).filter(|name| !name.is_empty())
    }

    /// Gives the `i`-th a name, all between without.
    pub(crate) fn set_next(&mut self, i: usize, name: &str) {
        while self.ends.len() < i {
            self.ends.push(self.text.len());
        }
        self.push(name);
    }
}

/// How the decision variables are called.
pub(crate) enum VariableNames {
    Given(NameArena),
    Generated(Box<dyn Fn(usize) -> String + Send + Sync>),
}

impl Default for VariableNames {
    fn default() -> VariableNames {
        VariableNames::Given(NameArena::default())
    }
}

impl fmt::Debug for VariableNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VariableNames::Given(names) => names.fmt(f),
            VariableNames::Generated(_) => f.write_str("Generated"),
        }
    }
}
