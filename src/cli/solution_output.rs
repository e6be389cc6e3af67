//! Solutions of models on standard output and in a file.

use super::error::CliError;
use super::output;
use pbsolve::formats::{SolutionForm, write_solution};
use pbsolve::{Assignment, Model};
use std::io::{IsTerminal, Write};
use std::path::Path;

/// Where solutions of a model go, and how they look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolutionOutput<'a> {
    pub(crate) model: &'a Model,
    /// How people expect solutions of this model; programs get the lines of the competitions.
    pub(crate) form: SolutionForm,
    /// The file for the solution.
    pub(crate) file: Option<&'a Path>,
}

impl SolutionOutput<'_> {
    /// Prints a solution, after its `s` line.
    pub(crate) fn print(&self, values: &Assignment, out: &mut dyn Write) -> Result<(), CliError> {
        let is_for_people = std::io::stdout().is_terminal();
        if is_for_people && self.form == SolutionForm::NamesAndValues {
            return Ok(write_solution(self.model, values, out)?);
        }
        write_v_lines(self.model, values, out)
    }

    /// Writes a solution to the file, if there is one, whole or not at all.
    pub(crate) fn save(&self, values: &Assignment) -> Result<(), CliError> {
        match self.file {
            None => Ok(()),
            file => output::to_file(file, |out| Ok(write_solution(self.model, values, out)?)),
        }
    }
}

/// The values of the decision variables, on lines of bearable length.
pub(crate) fn write_v_lines(
    model: &Model,
    values: &Assignment,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    const WIDTH: usize = 78;
    let mut line = String::from("v");
    for lit in values.lits() {
        let name = model.variable_name(lit.var());
        let sign = if lit.is_negative() { "-" } else { "" };
        if line.len() + 1 + sign.len() + name.len() > WIDTH && line.len() > 1 {
            writeln!(out, "{line}")?;
            line.truncate(1);
        }
        line.push(' ');
        line.push_str(sign);
        line.push_str(&name);
    }
    Ok(writeln!(out, "{line}")?)
}
