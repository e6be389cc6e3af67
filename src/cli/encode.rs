//! `pbsolve encode INPUT`: CNF as DIMACS or with names, sizes, or two encoders side by side.

use super::encodings::name_width;
use super::error::CliError;
use super::exit_code::ExitCode;
use super::input::Input;
use super::interrupt::{self, LastWords};
use super::options::{EncoderArgs, FormulationName, PuzzleInputArgs, written_formulation};
use super::{Entry, note, output};
use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};
use pbsolve::formats::compressed::memory_limit;
use pbsolve::{Model, Planner, SolveError};
use pbsolve_encodings::sink::{Counter, DimacsComments, write_dimacs};
use pbsolve_encodings::testing::{Snapshot, compare_sizes};
use pbsolve_encodings::{ClauseSink, EncodeModel, Encoded, Stop};
use pbsolve_model::Var;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

pub(crate) const COMMAND: Entry = Entry {
    name: "encode",
    about: "Write the CNF of a model or a board; its sizes; or two encoders side by side",
    augment: EncodeArgs::augment_args,
    start,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// DIMACS; decision variables are 1..n.
    Dimacs,
    /// Clauses by row, with names.
    Names,
}

#[derive(Clone, Debug, Args)]
struct EncodeArgs {
    /// A model, or a board with --puzzle NAME, or the name of a puzzle and a board.
    #[arg(value_name = "[PUZZLE] INPUT", required = true)]
    input: Vec<String>,
    #[command(flatten)]
    puzzle: PuzzleInputArgs,
    #[command(flatten)]
    encoders: EncoderArgs,
    /// How a board is stated.
    #[arg(long, value_enum, default_value_t = FormulationName::Document)]
    formulation: FormulationName,
    /// What is written.
    #[arg(long, value_enum, default_value_t = Format::Dimacs)]
    format: Format,
    /// Print the table of sizes instead of clauses.
    #[arg(long)]
    stats: bool,
    /// Print the sizes with one encoder beside those with another.
    #[arg(long, value_name = "A,B", value_delimiter = ',', conflicts_with = "stats")]
    diff: Vec<String>,
    /// Write to this file.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn start(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let arguments = EncodeArgs::from_arg_matches(matches).expect("clap has checked them");
    interrupt::watch(None, LastWords { text: "", code: ExitCode::Limit });
    let usage = "pbsolve encode [PUZZLE] INPUT";
    let (kind, paths) = arguments.puzzle.split(&arguments.input, 1, usage)?;
    let formulation = written_formulation(arguments.formulation)?;
    let input = Input::read(&paths[0], kind, &arguments.puzzle)?;
    let model = input.into_model(formulation);
    if model.num_variables() > Var::MAX_INDEX as u64 + 1 {
        return Err(SolveError::TooManyVariables(model.num_variables()).into());
    }
    let planner = arguments.encoders.planner();
    if !arguments.diff.is_empty() {
        return diff(&model, planner, &arguments);
    }
    let path = arguments.output.as_deref();
    if arguments.stats {
        let (encoded, counter) = count(&model, planner)?;
        output::to_file(path, |out| print_sizes(&model, &encoded, &counter, out))?;
        return Ok(ExitCode::Done);
    }
    output::to_file(path, |out| match arguments.format {
        Format::Dimacs => dimacs(&model, planner, out),
        Format::Names => names(&model, planner, out),
    })?;
    Ok(ExitCode::Done)
}

/// Encodes the whole model into a sink.
fn encode(
    model: &Model,
    planner: Planner,
    sink: &mut dyn ClauseSink,
) -> Result<Encoded, SolveError> {
    let mut encode = EncodeModel::new(planner);
    // A sink that cannot be written keeps its error for the one who made it.
    let _ = encode.model(model, sink);
    if let Some((row, why)) = encode.unsupported() {
        let name = model.row_name(*row);
        return Err(SolveError::UnsupportedRow { number: row.0 + 1, name, why: why.clone() });
    }
    Ok(encode.encoded().clone())
}

fn count(model: &Model, planner: Planner) -> Result<(Encoded, Counter), SolveError> {
    let mut counter = Counter::default();
    let encoded = encode(model, planner, &mut counter)?;
    Ok((encoded, counter))
}

fn dimacs(model: &Model, planner: Planner, out: &mut dyn Write) -> Result<(), CliError> {
    let mut before = vec![format!("written by pbsolve {}", env!("CARGO_PKG_VERSION"))];
    for index in 0..model.num_decisions() {
        let name = model.variable_name(Var::new(index));
        before.push(format!("map {name} {}", index + 1));
    }
    let comments = DimacsComments { before, show: model.num_decisions() };
    let mut refused = None;
    let written = write_dimacs(out, &comments, |sink| match encode(model, planner, sink) {
        Ok(_) => ControlFlow::Continue(()),
        Err(error) => {
            refused = Some(error);
            ControlFlow::Break(Stop::Unsupported)
        }
    });
    match refused {
        Some(error) => Err(error.into()),
        None => Ok(written?),
    }
}

fn names(model: &Model, planner: Planner, out: &mut dyn Write) -> Result<(), CliError> {
    let known = |index: usize| {
        let is_of_model = (index as u64) < model.num_variables();
        is_of_model.then(|| model.variable_name(Var::new(index)))
    };
    let (_, Counter { size, num_lits }) = count(model, planner)?;
    // The text is made of the whole encoding: 4 bytes for a literal, 8 for a clause, and names.
    let bytes = num_lits.saturating_mul(4) + size.clauses.saturating_mul(8);
    let bytes = bytes.saturating_add(size.variables.saturating_mul(80));
    if bytes > memory_limit() {
        return Err(CliError::Usage(format!(
            "{} clauses with names would take {} MB of memory, more than is free for them; \
             --format dimacs takes little",
            size.clauses,
            bytes / 1_000_000
        )));
    }
    let mut snapshot = Snapshot::default();
    encode(model, planner, &mut snapshot)?;
    let snapshot = snapshot.with_names(known).with_row_names(|row| model.row_name(row));
    Ok(write!(out, "{snapshot}")?)
}

fn print_sizes(
    model: &Model,
    encoded: &Encoded,
    counter: &Counter,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let width = name_width();
    let header = ["class", "encoder", "rows", "variables", "clauses", "why"];
    writeln!(
        out,
        "{:<20} {:<width$} {:>10} {:>12} {:>12}  {}",
        header[0], header[1], header[2], header[3], header[4], header[5]
    )?;
    for entry in &encoded.rows {
        writeln!(
            out,
            "{:<20} {:<width$} {:>10} {:>12} {:>12}  {}",
            entry.class_name,
            entry.encoder,
            entry.rows,
            entry.size.variables,
            entry.size.clauses,
            entry.reason
        )?;
    }
    writeln!(
        out,
        "{:<20} {:<width$} {:>10} {:>12} {:>12}  {} literals, {} decision variables, {} indicators",
        "all",
        "",
        model.num_rows(),
        counter.size.variables,
        counter.size.clauses,
        counter.num_lits,
        model.num_decisions(),
        model.num_variables() - model.num_decisions() as u64
    )?;
    Ok(())
}

fn diff(model: &Model, planner: Planner, arguments: &EncodeArgs) -> Result<ExitCode, CliError> {
    let [first, second] = arguments.diff.as_slice() else {
        return Err(CliError::Usage(
            "--diff takes two encoders, such as --diff totalizer,reduced-counter".to_owned(),
        ));
    };
    let mut sizes = Vec::new();
    for name in [first, second] {
        let Some(encoder) = pbsolve_encodings::find(name) else {
            let known: Vec<_> = pbsolve_encodings::all().map(pbsolve::Encoder::name).collect();
            let message = format!("there is no encoder '{name}'; there are {}", known.join(", "));
            return Err(CliError::Usage(message));
        };
        sizes.push(count(model, planner.with(encoder))?);
    }
    let [first, second] = [&sizes[0].0, &sizes[1].0];
    let comparison = compare_sizes(first, second);
    output::to_file(arguments.output.as_deref(), |out| Ok(write!(out, "{comparison}")?))?;
    if first == second {
        note("note: no row of this input is encoded by either");
    }
    Ok(ExitCode::Done)
}
