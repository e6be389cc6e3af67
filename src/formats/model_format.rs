//! The file formats of models: one table, which reading, writing and help texts look at.

use super::{ReadError, WriteError, json, lp, mps, opb};
use pbsolve_model::Model;
use std::io::Write;

/// A file format of models.
#[derive(Debug)]
pub struct ModelFormat {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// How the names of such files end, without the point.
    pub extensions: &'static [&'static str],
    /// Reads a model.
    pub read: fn(&[u8]) -> Result<Model, ReadError>,
    /// Writes a model.
    pub write: fn(&Model, &mut dyn Write) -> Result<(), WriteError>,
    /// How people who use it expect a solution.
    pub solutions: SolutionForm,
}

/// How a solution is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolutionForm {
    /// As the lines of the solver competitions.
    CompetitionLines,
    /// As lines of a name and a value.
    NamesAndValues,
}

/// All formats. The first is that of texts without a name, such as standard input.
pub const ALL: &[ModelFormat] = &[
    ModelFormat {
        name: "opb",
        about: "The pseudo-Boolean competition format",
        extensions: &["opb", "pb", "pbo"],
        read: opb::read,
        write: opb::write,
        solutions: SolutionForm::CompetitionLines,
    },
    ModelFormat {
        name: "lp",
        about: "The LP format of CPLEX",
        extensions: &["lp"],
        read: lp::read,
        write: lp::write,
        solutions: SolutionForm::NamesAndValues,
    },
    ModelFormat {
        name: "mps",
        about: "The MPS format, free or fixed",
        extensions: &["mps"],
        read: mps::read,
        write: mps::write,
        solutions: SolutionForm::NamesAndValues,
    },
    ModelFormat {
        name: "json",
        about: "JSON, for programs",
        extensions: &["json"],
        read: json::read,
        write: json::write,
        solutions: SolutionForm::NamesAndValues,
    },
];

/// The format of this name.
pub fn find(name: &str) -> Option<&'static ModelFormat> {
    ALL.iter().find(|format| format.name == name)
}

/// The format of files whose names end so, in small letters and without the point.
pub fn with_extension(extension: &str) -> Option<&'static ModelFormat> {
    ALL.iter().find(|format| format.extensions.contains(&extension))
}
