//! `pbsolve backends`: the table of back-ends.

use super::error::CliError;
use super::exit_code::ExitCode;
use super::{Entry, output};
use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};
use pbsolve::backend;
use serde::Serialize;
use std::io::Write;

pub(crate) const COMMAND: Entry = Entry {
    name: "backends",
    about: "List the back-ends, what each can do and what it is for",
    augment: BackendsArgs::augment_args,
    start,
};

#[derive(Clone, Debug, Args)]
struct BackendsArgs {
    /// How the table is printed.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    format: TableFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TableFormat {
    /// A line for each, and those of this build.
    Text,
    /// An array of objects.
    Json,
}

#[derive(Serialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a column of the table")]
struct BackendJson {
    name: &'static str,
    kind: String,
    /// The Cargo feature that brings it; null if it is always there.
    feature: Option<&'static str>,
    /// Whether this build has it.
    available: bool,
    limits: bool,
    incremental: bool,
    proofs: bool,
    about: &'static str,
}

impl From<&backend::Entry> for BackendJson {
    fn from(entry: &backend::Entry) -> BackendJson {
        BackendJson {
            name: entry.name,
            kind: entry.kind.to_string(),
            feature: entry.feature.map(|feature| feature.name),
            available: entry.is_available(),
            limits: entry.keeps_limits,
            incremental: entry.is_incremental,
            proofs: entry.gives_proofs,
            about: entry.about,
        }
    }
}

fn start(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let arguments = BackendsArgs::from_arg_matches(matches).expect("clap has checked them");
    output::answer(|out| match arguments.format {
        TableFormat::Text => print_table(out),
        TableFormat::Json => {
            let table: Vec<BackendJson> = backend::ALL.iter().map(BackendJson::from).collect();
            serde_json::to_writer_pretty(&mut *out, &table).map_err(std::io::Error::from)?;
            Ok(writeln!(out)?)
        }
    })?;
    Ok(ExitCode::Done)
}

/// The table is the same in every build; what this build has comes after it.
fn print_table(out: &mut dyn Write) -> Result<(), CliError> {
    let mut rows = vec![
        ["back-end", "kind", "comes with", "limits", "incremental", "proofs"]
            .map(str::to_owned)
            .to_vec(),
    ];
    let yes_or_no = |can: bool| if can { "yes" } else { "no" }.to_owned();
    for entry in backend::ALL {
        let feature = entry.feature.map(|feature| format!("feature {}", feature.name));
        rows.push(vec![
            entry.name.to_owned(),
            entry.kind.to_string(),
            feature.unwrap_or_else(|| "every build".to_owned()),
            yes_or_no(entry.keeps_limits),
            yes_or_no(entry.is_incremental),
            yes_or_no(entry.gives_proofs),
        ]);
    }
    let abouts = std::iter::once("for").chain(backend::ALL.iter().map(|entry| entry.about));
    let widths: Vec<usize> = (0..rows[0].len())
        .map(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0))
        .collect();
    for (row, about) in rows.iter().zip(abouts) {
        for (cell, width) in row.iter().zip(&widths) {
            write!(out, "{cell:<width$} ")?;
        }
        writeln!(out, "{about}")?;
    }
    let available = backend::ALL.iter().filter(|entry| entry.is_available());
    let names: Vec<&str> = available.map(|entry| entry.name).collect();
    writeln!(out, "\nThis build has {}.", names.join(", "))?;
    writeln!(out, "--solver 'cadical -q {{cnf}}' runs any SAT solver that reads DIMACS.")?;
    Ok(())
}
