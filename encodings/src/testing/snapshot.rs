//! Clauses as text: grouped by row, literals by the role of their variable, sizes first.

use crate::{ClauseId, ClauseSink, Encoder, Role, Row, Stop};
use pbsolve_model::{Lit, RowId, Var};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::collections::HashMap;
use std::fmt;
use std::ops::{ControlFlow, Range};

/// Records clauses; prints and serialises them in a readable form that is the same for the same
/// clauses.
///
/// The first line has the sizes. A literal is the role of its variable, with `~` when negated:
/// `~x[1] | s[1,1]`; the empty clause is `false`. Where the sink was told which row it takes, each
/// row has its heading, and auxiliary variables begin with the number of their row: `2:s[1,1]`. If
/// a row gives two variables the same role, the second one is `s[1,1]#2`.
///
/// ```
/// use pbsolve_encodings::testing::Snapshot;
/// use pbsolve_encodings::{EncodeModel, Planner};
/// use pbsolve_model::{Linear, Model};
///
/// let mut model = Model::default();
/// let [a, b] = ["a", "b"].map(|name| model.new_var(name).positive());
/// model.add(Linear::at_least(1, [a, b]));
/// model.add(Linear::exactly(1, [a, b]).named("one"));
///
/// let mut snapshot = Snapshot::default();
/// let _ = EncodeModel::new(Planner::default()).model(&model, &mut snapshot);
/// let snapshot = snapshot
///     .with_names(|index| Some(["a", "b"][index].to_owned()))
///     .with_row_names(|row| model.row_name(row));
/// let text = "\
/// 2 inputs, 0 auxiliary variables, 3 clauses, 6 literals
///
/// row 1:
/// a | b
///
/// row 2 (one), pairwise:
/// a | b
/// ~a | ~b
/// ";
/// assert_eq!(snapshot.to_string(), text);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The encoder, when the snapshot is of one row.
    encoder: Option<&'static str>,
    /// Whether the inputs are known already; else they are the variables made before the first row.
    has_inputs: bool,
    variables: Vec<Variable>,
    /// All literals, clause after clause.
    lits: Vec<Lit>,
    /// Where each clause ends in `lits`.
    ends: Vec<usize>,
    groups: Vec<Group>,
}

#[derive(Clone, Debug)]
struct Variable {
    role: Role,
    /// The row that was being stated when it was made; `None` for inputs and single rows.
    row: Option<RowId>,
    is_input: bool,
    name: Option<String>,
}

/// The clauses of one row, up to those of the next.
#[derive(Clone, Debug)]
struct Group {
    row: RowId,
    name: Option<String>,
    encoder: &'static str,
    first_clause: usize,
}

impl Snapshot {
    /// The clauses of one row; its variables are `x[1]`, `x[2]`, ... by their index.
    ///
    /// # Panics
    /// If the encoder does not support the row.
    pub fn of(encoder: &dyn Encoder, row: &Row<'_>) -> Snapshot {
        let num_inputs = row.lits().iter().map(|lit| lit.var().index() + 1).max().unwrap_or(0);
        let mut snapshot = Snapshot::with_inputs(num_inputs);
        snapshot.encoder = Some(encoder.name());
        assert!(encoder.encode(row, &mut snapshot).is_continue(), "a snapshot never stops");
        snapshot
    }

    /// No clauses yet, and this many inputs `x[1]`, `x[2]`, ...
    pub fn with_inputs(num_inputs: usize) -> Snapshot {
        let input = |i| {
            let role = Role::new("x", i, 0);
            Variable { role, row: None, is_input: true, name: None }
        };
        let variables = (1..=num_inputs).map(input).collect();
        Snapshot { variables, has_inputs: true, ..Snapshot::default() }
    }

    /// Names the inputs, by their index from 0: in an encoded model, its decision variables and
    /// indicators. Those without a name keep their role. To be called after encoding.
    #[must_use]
    pub fn with_names(mut self, name: impl Fn(usize) -> Option<String>) -> Snapshot {
        for (index, variable) in self.variables.iter_mut().enumerate() {
            if variable.is_input {
                variable.name = name(index);
            }
        }
        self
    }

    /// Names the rows in their headings. To be called after encoding.
    #[must_use]
    pub fn with_row_names(mut self, name: impl Fn(RowId) -> Option<String>) -> Snapshot {
        for group in &mut self.groups {
            group.name = name(group.row);
        }
        self
    }

    /// Number of inputs: the variables that were there before the first row.
    pub fn num_inputs(&self) -> usize {
        self.variables.iter().filter(|variable| variable.is_input).count()
    }

    /// Number of auxiliary variables.
    pub fn num_auxiliary(&self) -> usize {
        self.variables.len() - self.num_inputs()
    }

    /// Number of clauses.
    pub fn num_clauses(&self) -> usize {
        self.ends.len()
    }

    /// Number of literals in all clauses.
    pub fn num_lits(&self) -> usize {
        self.lits.len()
    }

    /// The name of each variable, none twice.
    fn names(&self) -> Vec<String> {
        let mut times: HashMap<String, usize> = HashMap::new();
        let mut unique_name = |variable: &Variable| {
            let name = match (&variable.name, variable.row) {
                (Some(name), _) => name.clone(),
                (None, Some(row)) => format!("{}:{}", row.0 + 1, variable.role),
                (None, None) => variable.role.to_string(),
            };
            let time = times.entry(name.clone()).or_insert(0);
            *time += 1;
            if *time == 1 { name } else { format!("{name}#{time}") }
        };
        self.variables.iter().map(&mut unique_name).collect()
    }

    fn clause(&self, number: usize) -> &[Lit] {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.lits[start..self.ends[number]]
    }

    fn clause_text<'a>(&'a self, number: usize, names: &'a [String]) -> ClauseText<'a> {
        ClauseText { lits: self.clause(number), names }
    }

    /// Each group with its clauses; without any group, those before the first.
    fn groups(&self) -> impl Iterator<Item = (Option<&Group>, Range<usize>)> {
        let first = self.groups.first().map_or(self.ends.len(), |group| group.first_clause);
        let ends = self.groups.iter().skip(1).map(|group| group.first_clause);
        let ends = ends.chain(std::iter::once(self.ends.len()));
        let begun = self.groups.iter().zip(ends);
        let begun = begun.map(|(group, end)| (Some(group), group.first_clause..end));
        std::iter::once((None, 0..first)).chain(begun).filter(|(_, clauses)| !clauses.is_empty())
    }
}

impl ClauseSink for Snapshot {
    fn begin(&mut self, row: RowId, encoder: &'static str) {
        let first_clause = self.ends.len();
        self.groups.push(Group { row, name: None, encoder, first_clause });
    }

    fn new_var(&mut self, role: Role) -> Var {
        let row = self.groups.last().map(|group| group.row);
        let is_input = row.is_none() && !self.has_inputs;
        self.variables.push(Variable { role, row, is_input, name: None });
        Var::new(self.variables.len() - 1)
    }

    fn clause(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        self.lits.extend_from_slice(lits);
        self.ends.push(self.lits.len());
        ControlFlow::Continue(ClauseId(self.ends.len() as u64 - 1))
    }
}

struct ClauseText<'a> {
    lits: &'a [Lit],
    names: &'a [String],
}

impl fmt::Display for ClauseText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.lits.is_empty() {
            return f.write_str("false");
        }
        for (i, lit) in self.lits.iter().enumerate() {
            f.write_str(if i > 0 { " | " } else { "" })?;
            f.write_str(if lit.is_negative() { "~" } else { "" })?;
            f.write_str(&self.names[lit.var().index()])?;
        }
        Ok(())
    }
}

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(encoder) = self.encoder {
            write!(f, "{encoder}: ")?;
        }
        let (inputs, auxiliary) = (self.num_inputs(), self.num_auxiliary());
        write!(f, "{inputs} inputs, {auxiliary} auxiliary variables, ")?;
        writeln!(f, "{} clauses, {} literals", self.num_clauses(), self.num_lits())?;
        let names = self.names();
        for (group, clauses) in self.groups() {
            if let Some(group) = group {
                write!(f, "\nrow {}", group.row.0 + 1)?;
                if let Some(name) = &group.name {
                    write!(f, " ({name})")?;
                }
                match group.encoder {
                    "-" => writeln!(f, ":")?,
                    encoder => writeln!(f, ", {encoder}:")?,
                }
            }
            for number in clauses {
                writeln!(f, "{}", self.clause_text(number, &names))?;
            }
        }
        Ok(())
    }
}

/// The clauses of one row for serialisation.
#[derive(serde::Serialize)]
struct SerializedRow<'a> {
    /// From 1; absent in a snapshot of one row.
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoder: Option<&'a str>,
    clauses: Vec<String>,
}

impl Serialize for Snapshot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = self.names();
        let rows: Vec<SerializedRow<'_>> = self
            .groups()
            .map(|(group, clauses)| SerializedRow {
                row: group.map(|group| group.row.0 + 1),
                name: group.and_then(|group| group.name.as_deref()),
                encoder: group.map_or(self.encoder, |group| Some(group.encoder)),
                clauses: clauses.map(|i| self.clause_text(i, &names).to_string()).collect(),
            })
            .collect();
        let mut fields = serializer.serialize_struct("Snapshot", 5)?;
        fields.serialize_field("inputs", &self.num_inputs())?;
        fields.serialize_field("auxiliary_variables", &self.num_auxiliary())?;
        fields.serialize_field("clauses", &self.num_clauses())?;
        fields.serialize_field("literals", &self.num_lits())?;
        fields.serialize_field("rows", &rows)?;
        fields.end()
    }
}
