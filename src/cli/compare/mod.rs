//! `pbsolve compare INPUT...`: the same models by several solvers and encodings, each run a process
//! of its own, and all answers checked against each other.

mod agreement;
mod answer;
mod cactus;
mod configurations;
mod csv_output;
mod duel;
mod html;
mod inputs;
mod json_output;
mod lines;
mod machine;
mod measure;
mod merge;
mod orphans;
mod plan;
mod plot;
mod record;
mod report;
mod results_file;
mod run;
mod scatter;
mod shown;
mod summary;
mod svg;
mod table;
mod value;

use super::error::CliError;
use super::exit_code::ExitCode;
use super::options::{FormulationName, PuzzleInputArgs, seconds};
use super::progress::ProgressLine;
use super::run_report::microseconds;
use super::{Entry, interrupt, output};
use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};
use configurations::ConfigurationArgs;
use machine::Machine;
use record::{Comparison, FORMAT, Settings, Shard};
use report::Report;
use results_file::ResultsFile;
use run::Runner;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

pub(crate) const COMMAND: Entry = Entry {
    name: "compare",
    about: "Compare solvers and encodings on models: times, memory, and whether answers agree",
    augment: CompareArgs::augment_args,
    start,
};

const AFTER_HELP: &str = "\
Examples:
  pbsolve compare model.lp --html report.html
  pbsolve compare model.lp --ilp-solver 'cbc {lp} solve solu {out}' --html report.html
  pbsolve compare --puzzle binox boards/ --solver 'cadical -q {cnf}' --solver 'kissat -q {cnf}'
  pbsolve compare model.opb --all-encodings --repeat 5
  pbsolve compare models/ --shard $SLURM_ARRAY_TASK_ID/16 --results part-$SLURM_ARRAY_TASK_ID.jsonl
  parallel pbsolve compare models/ --shard {}/16 --results part-{}.jsonl ::: $(seq 16)
  pbsolve compare --merge part-*.jsonl --html report.html

Solvers that are distributed over machines are SAT solvers as any other:
  pbsolve compare models/ --clock wall --solver 'painless -c=16 {cnf}'
  pbsolve compare models/ --clock wall --solver 'mpirun -np 64 mallob -q -mono={cnf} -s2f={out}'

Configurations are named as in `varisat card=totalizer`. Exit codes: 0 when all answers agree, 1 when one is
wrong, 2 for an input that cannot be read, 3 when interrupted or a shard is missing.";

#[derive(Clone, Debug, Args)]
#[command(after_help = AFTER_HELP)]
struct CompareArgs {
    /// Model files, or boards with --puzzle; of folders all such files below them.
    #[arg(value_name = "INPUT", required_unless_present = "merge")]
    inputs: Vec<String>,
    #[command(flatten)]
    input: PuzzleInputArgs,
    /// How boards are stated.
    #[arg(long, value_enum, requires = "puzzle", default_value_t = FormulationName::Document)]
    formulation: FormulationName,
    #[command(flatten)]
    configurations: ConfigurationArgs,
    /// End each run after this many seconds.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    timeout: Duration,
    /// Make each run this often; medians are shown.
    #[arg(long, value_name = "TIMES", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// The time that ratios, PAR2 and plots are of.
    #[arg(long, value_enum, default_value_t = Clock::Cpu)]
    clock: Clock,
    /// How the comparison is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write a page with tables and plots to this file.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the plot of solved inputs over time to this SVG file.
    #[arg(long, value_name = "FILE")]
    cactus: Option<PathBuf>,
    /// Write the plot of SAT against ILP to this SVG file.
    #[arg(long, value_name = "FILE")]
    scatter: Option<PathBuf>,
    /// Keep each run in this file as soon as it has ended, and do not make those again that it has.
    #[arg(long, value_name = "FILE", conflicts_with = "merge")]
    results: Option<PathBuf>,
    /// Take the I-th of N parts of the inputs only.
    #[arg(long, value_name = "I/N", value_parser = shard, conflicts_with = "merge")]
    shard: Option<Shard>,
    /// Run nothing: merge the results of shards, files of --results or of --format json.
    #[arg(
        long,
        value_name = "FILE",
        num_args = 1..,
        conflicts_with_all = ["inputs", "puzzle", "backend", "solver", "ilp_solver", "all_encodings", "amo", "card", "pb"]
    )]
    merge: Vec<String>,
}

/// The time that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Clock {
    /// Of all processors together; other work on the machine changes little.
    Cpu,
    /// That passes; right for solvers that use several processors.
    Wall,
}

impl Clock {
    fn name(self) -> &'static str {
        match self {
            Clock::Cpu => "CPU",
            Clock::Wall => "wall",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Tables.
    Text,
    /// A line for each run.
    Csv,
    /// All there is, which --merge reads.
    Json,
}

fn shard(text: &str) -> Result<Shard, String> {
    let parsed = text.split_once('/').and_then(|(index, of)| {
        let [index, of] = [index, of].map(|number| number.parse::<usize>().ok());
        Some(Shard { index: index?, of: of? })
    });
    let inside = parsed.filter(|shard| (1..=shard.of).contains(&shard.index));
    inside.ok_or_else(|| "expected a part and the number of parts, such as 3/16".to_owned())
}

fn start(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let arguments = CompareArgs::from_arg_matches(matches).expect("clap has checked them");
    if !arguments.merge.is_empty() {
        let (comparison, missing) = merge::merge(&arguments.merge)?;
        let mut report = Report::new(&comparison, arguments.clock, command());
        report.missing = missing;
        return arguments.print(&report);
    }
    let mut comparison = arguments.comparison()?;
    let is_interrupted = arguments.run_all(&mut comparison)?;
    merge::sort_runs(&mut comparison);
    let mut report = Report::new(&comparison, arguments.clock, command());
    report.is_interrupted = is_interrupted;
    arguments.print(&report)
}

/// The command line as a shell takes it.
fn command() -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-_./=:,+@%".contains(sign);
    let quoted = |word: String| {
        if !word.is_empty() && word.chars().all(is_plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    let words = std::env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned()));
    std::iter::once("pbsolve".to_owned()).chain(words).collect::<Vec<String>>().join(" ")
}

impl CompareArgs {
    /// What is to be compared; no run yet.
    fn comparison(&self) -> Result<Comparison, CliError> {
        let configurations = self.configurations.configurations()?;
        let paths = inputs::find(&self.inputs, self.input.puzzle.is_some())?;
        Ok(Comparison {
            format: FORMAT.to_owned(),
            settings: Settings {
                pbsolve: env!("CARGO_PKG_VERSION").to_owned(),
                timeout_us: microseconds(self.timeout),
                repeat: self.repeat,
                input_options: self.input_options(),
            },
            configurations,
            machines: vec![Machine::here()],
            shards: self.shard.into_iter().collect(),
            num_inputs: paths.len(),
            inputs: inputs::describe(&paths, self.shard)?,
            runs: Vec::new(),
        })
    }

    fn input_options(&self) -> Vec<String> {
        let mut options = Vec::new();
        if let Some(puzzle) = &self.input.puzzle {
            let formulation = self.formulation.to_possible_value().expect("none is skipped");
            options.extend(["--puzzle".to_owned(), puzzle.clone()]);
            options.extend(["--formulation".to_owned(), formulation.get_name().to_owned()]);
        }
        if let Some((rows, columns)) = self.input.block.block {
            options.extend(["--box".to_owned(), format!("{rows}x{columns}")]);
        }
        if self.input.unique.no_unique {
            options.push("--no-unique".to_owned());
        }
        if let Some(format) = self.input.from.format() {
            options.extend(["--from".to_owned(), format.name.to_owned()]);
        }
        options
    }

    /// Makes all runs that are not known yet. Whether it was interrupted.
    fn run_all(&self, comparison: &mut Comparison) -> Result<bool, CliError> {
        let results = self.results.as_ref().map(|path| ResultsFile::open(path, comparison));
        let mut results = results.transpose()?;
        interrupt::watch_flag(measure::end_now);
        orphans::adopt();
        let settings = comparison.settings.clone();
        let runner = Runner::new(&settings)?;
        let line = ProgressLine::start("");
        let steps = plan::steps(comparison);
        for (i, &step) in steps.iter().enumerate() {
            if interrupt::flag().load(Ordering::Relaxed) {
                return Ok(true);
            }
            let input = &comparison.inputs[step.input];
            let configuration = &comparison.configurations[step.configuration];
            let run = match plan::known(comparison, step) {
                plan::Known::Nothing => continue,
                plan::Known::Inapplicable(run) => *run,
                plan::Known::Unknown => {
                    let (path, name) = (&input.path, &configuration.name);
                    let told = format!("run {} of {}: {path} by {name}", i + 1, steps.len());
                    line.tell(shown::printable(&told));
                    match runner.run(input, configuration, step.repeat)? {
                        Some(run) => run,
                        None => return Ok(true),
                    }
                }
            };
            if let Some(results) = &mut results {
                results.append(&run)?;
            }
            comparison.runs.push(run);
        }
        Ok(false)
    }

    fn print(&self, report: &Report<'_>) -> Result<ExitCode, CliError> {
        type Text = fn(&Report<'_>) -> String;
        let page = (&self.html, html::page as Text);
        let plots = [(&self.cactus, cactus::file as Text), (&self.scatter, scatter::file)];
        for (path, text) in std::iter::once(page).chain(plots) {
            if let Some(path) = path {
                let text = text(report);
                output::to_file(Some(path), |out| Ok(out.write_all(text.as_bytes())?))?;
            }
        }
        output::answer(|out| {
            Ok(match self.format {
                Format::Text => table::write(report, out),
                Format::Csv => csv_output::write(report, out),
                Format::Json => json_output::write(report, out),
            }?)
        })?;
        if self.format != Format::Text && !report.wrong.is_empty() {
            super::note(&report.headline());
        }
        let is_unreadable = report.inputs.iter().any(lines::InputLines::is_unreadable);
        let is_part = report.is_interrupted || !report.missing.is_empty();
        Ok(match (report.wrong.is_empty(), is_unreadable, is_part) {
            (false, _, _) => ExitCode::Negative,
            (true, true, _) => ExitCode::Refused,
            (true, false, true) => ExitCode::Limit,
            (true, false, false) => ExitCode::Done,
        })
    }
}
