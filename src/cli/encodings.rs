//! `pbsolve encodings`: the table of encoders; with `--n` and `--k` their sizes.

use super::error::CliError;
use super::exit_code::ExitCode;
use super::{Entry, output};
use clap::{ArgMatches, Args, FromArgMatches};
use pbsolve::Encoder;
use pbsolve_encodings::{Cardinality, Class, Row};
use pbsolve_model::{Lit, Var};
use std::io::Write;

pub(crate) const COMMAND: Entry = Entry {
    name: "encodings",
    about: "List the encoders; with --n and --k the sizes for `at most k of n`",
    augment: EncodingsArgs::augment_args,
    start,
};

#[derive(Clone, Debug, Args)]
struct EncodingsArgs {
    /// Number of literals.
    #[arg(long, requires = "k", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    n: Option<u32>,
    /// The bound.
    #[arg(long, requires = "n")]
    k: Option<u32>,
}

fn start(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let arguments = EncodingsArgs::from_arg_matches(matches).expect("clap has checked them");
    match (arguments.n, arguments.k) {
        (Some(n), Some(k)) => print_sizes(n as usize, k as usize)?,
        _ => output::answer(print_table)?,
    }
    Ok(ExitCode::Done)
}

/// A row to ask strengths about: encoders do not change theirs with the size.
fn sample(class: Class, lits: &[Lit]) -> Row<'_> {
    match class {
        Class::AtMostOne => Row::AtMostOne(lits),
        Class::Cardinality | Class::PseudoBoolean => {
            Row::Cardinality(Cardinality { lits, lo: 0, hi: 2 })
        }
    }
}

/// The length of the longest name of an encoder.
pub(crate) fn name_width() -> usize {
    pbsolve_encodings::all().map(|encoder| encoder.name().len()).max().unwrap_or(0)
}

fn lits(n: usize) -> Vec<Lit> {
    (0..n).map(|i| Var::new(i).positive()).collect()
}

fn print_table(out: &mut dyn Write) -> Result<(), CliError> {
    let lits = lits(4);
    let width = name_width();
    writeln!(out, "{:<width$} {:<14} {:<14} idea", "encoder", "class", "propagation")?;
    for encoder in pbsolve_encodings::all() {
        let strength = encoder.strength(&sample(encoder.class(), &lits));
        let (name, class) = (encoder.name(), encoder.class());
        writeln!(out, "{name:<width$} {class:<14} {strength:<14} {}", encoder.about())?;
    }
    Ok(())
}

fn print_sizes(n: usize, k: usize) -> Result<(), CliError> {
    let lits = lits(n);
    let row = match k {
        0 => None,
        1 if n > 2 => Some(Row::AtMostOne(&lits)),
        k if k < n => Some(Row::Cardinality(Cardinality { lits: &lits, lo: 0, hi: k })),
        _ => None,
    };
    let Some(row) = row else {
        let why = format!("at most {k} of {n} needs no encoder: --k must be from 1 to n - 1");
        return Err(CliError::Usage(why));
    };
    let supporting = || pbsolve_encodings::all().filter(|encoder| encoder.supports(&row));
    output::answer(|out| {
        writeln!(out, "at most {k} of {n}")?;
        let width = name_width();
        writeln!(out, "{:<width$} {:>12} {:>20}", "encoder", "variables", "clauses")?;
        for encoder in supporting() {
            write_size(encoder, &row, out)?;
        }
        Ok(())
    })
}

fn write_size(encoder: &dyn Encoder, row: &Row<'_>, out: &mut dyn Write) -> Result<(), CliError> {
    let (name, width) = (encoder.name(), name_width());
    match encoder.size(row) {
        Some(size) if size.clauses == u64::MAX => {
            writeln!(out, "{name:<width$} {:>12} {:>20}", size.variables, "more than 10^19")?;
        }
        Some(size) => writeln!(out, "{name:<width$} {:>12} {:>20}", size.variables, size.clauses)?,
        None => writeln!(out, "{name:<width$} {:>12} {:>20}", "-", "-")?,
    }
    Ok(())
}
