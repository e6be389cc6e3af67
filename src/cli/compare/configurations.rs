//! The configurations: every chosen solver, and every SAT solver with every chosen encoder.

use super::super::error::CliError;
use super::record::{Configuration, Kind};
use clap::Args;
use clap::builder::PossibleValuesParser;
use pbsolve::SolveError;
use pbsolve::backend::{self, External};
use pbsolve::ilp::ExternalIlp;
use pbsolve_encodings::{Encoder, at_most_one, cardinality, pseudo_boolean};

/// The choice of the planner among encoders.
const PLANNER: &str = "planner";

/// What is compared.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct ConfigurationArgs {
    /// Compare this solver; may be given several times. Without any solver: every SAT and every
    /// ILP solver of this build.
    #[arg(long, value_name = "NAME", value_parser = backend_names())]
    backend: Vec<String>,
    /// Compare this SAT solver, a command line in which {cnf} stands for the DIMACS file and {out}
    /// for a file that it writes; may be given several times.
    #[arg(long, value_name = "COMMAND")]
    solver: Vec<String>,
    /// Compare this ILP solver, a command line in which {lp} or {mps} stands for the model and {out}
    /// for a file that it writes; may be given several times.
    #[arg(long, value_name = "COMMAND")]
    ilp_solver: Vec<String>,
    /// Compare this encoder for at-most-one rows, or `planner` for its choice; may be given several
    /// times.
    #[arg(long, value_name = "ENCODER", value_parser = encoders(at_most_one::ALL))]
    amo: Vec<String>,
    /// The same for cardinality rows.
    #[arg(long, value_name = "ENCODER", value_parser = encoders(cardinality::ALL))]
    card: Vec<String>,
    /// The same for weighted rows.
    #[arg(long, value_name = "ENCODER", value_parser = encoders(pseudo_boolean::ALL))]
    pb: Vec<String>,
    /// Compare each SAT solver as it is and with each encoder in turn.
    #[arg(long, conflicts_with_all = ["amo", "card", "pb"])]
    all_encodings: bool,
}

fn backend_names() -> PossibleValuesParser {
    PossibleValuesParser::new(backend::ALL.iter().map(|entry| entry.name))
}

fn encoders(all: &'static [&'static dyn Encoder]) -> PossibleValuesParser {
    PossibleValuesParser::new(all.iter().map(|encoder| encoder.name()).chain([PLANNER]))
}

/// The classes of encoders, by the names of their options.
const CLASSES: [(&str, &[&dyn Encoder]); 3] =
    [("amo", at_most_one::ALL), ("card", cardinality::ALL), ("pb", pseudo_boolean::ALL)];

/// The class, by its option, of an encoder.
pub(super) fn class_of(encoder: &str) -> Option<&'static str> {
    let has = |all: &[&dyn Encoder]| all.iter().any(|known| known.name() == encoder);
    CLASSES.into_iter().find(|(_, all)| has(all)).map(|(class, _)| class)
}

impl ConfigurationArgs {
    /// The configurations in order: back-ends as they are named, then SAT solvers, then ILP
    /// solvers; of a SAT solver the encoders in the order of the tables.
    pub(super) fn configurations(&self) -> Result<Vec<Configuration>, CliError> {
        let mut all = Vec::new();
        for solver in self.solvers()? {
            if solver.kind == Kind::Sat {
                all.extend(self.encodings().into_iter().map(|encoding| solver.with(&encoding)));
            } else {
                all.push(solver);
            }
        }
        let has_encoding =
            self.all_encodings || [&self.amo, &self.card, &self.pb].iter().any(|it| !it.is_empty());
        if has_encoding && all.iter().all(|configuration| configuration.kind != Kind::Sat) {
            let why = "encoders are for SAT solvers, and none is compared";
            return Err(CliError::Usage(why.to_owned()));
        }
        for (i, configuration) in all.iter().enumerate() {
            if all[..i].iter().any(|other| other.name == configuration.name) {
                let why = format!("{} is to be compared with itself", configuration.name);
                return Err(CliError::Usage(why));
            }
        }
        Ok(all)
    }

    fn solvers(&self) -> Result<Vec<Configuration>, CliError> {
        if [&self.backend, &self.solver, &self.ilp_solver].iter().all(|it| it.is_empty()) {
            let available = backend::ALL.iter().filter(|entry| entry.is_available());
            let all = available.map(named).filter(|entry| entry.kind != Kind::Other);
            return Ok(all.collect());
        }
        let mut solvers = Vec::new();
        for name in &self.backend {
            let entry = backend::find(name).expect("a name of the table");
            entry.require().map_err(SolveError::from)?;
            solvers.push(named(entry));
        }
        for command in &self.solver {
            External::new(command).map_err(SolveError::from)?;
            solvers.push(external("--solver", Kind::Sat, command));
        }
        for command in &self.ilp_solver {
            ExternalIlp::new(command).map_err(SolveError::IlpCommand)?;
            solvers.push(external("--ilp-solver", Kind::Ilp, command));
        }
        Ok(solvers)
    }

    /// What is said to the planner, one entry a configuration; an empty one leaves it its choice.
    fn encodings(&self) -> Vec<Vec<Override<'_>>> {
        if self.all_encodings {
            let each = CLASSES.into_iter().flat_map(|(class, all)| {
                all.iter().map(move |encoder| vec![Override { class, encoder: encoder.name() }])
            });
            return std::iter::once(Vec::new()).chain(each).collect();
        }
        let mut combinations = vec![Vec::new()];
        for (class, chosen) in [("amo", &self.amo), ("card", &self.card), ("pb", &self.pb)] {
            if chosen.is_empty() {
                continue;
            }
            combinations = combinations
                .iter()
                .flat_map(|known: &Vec<Override<'_>>| {
                    chosen.iter().map(move |encoder| {
                        let said = (encoder != PLANNER).then_some(Override { class, encoder });
                        known.iter().copied().chain(said).collect()
                    })
                })
                .collect();
        }
        combinations
    }
}

/// An encoder that the planner must use for a class.
#[derive(Clone, Copy, Debug)]
struct Override<'a> {
    class: &'static str,
    encoder: &'a str,
}

fn named(entry: &backend::Entry) -> Configuration {
    Configuration {
        name: entry.name.to_owned(),
        kind: match entry.kind {
            backend::Kind::Sat => Kind::Sat,
            backend::Kind::Ilp => Kind::Ilp,
            _ => Kind::Other,
        },
        is_word_only: entry.kind == backend::Kind::Ilp,
        options: vec!["--backend".to_owned(), entry.name.to_owned()],
        encoder: None,
    }
}

fn external(option: &str, kind: Kind, command: &str) -> Configuration {
    Configuration {
        name: command.to_owned(),
        kind,
        is_word_only: true,
        options: vec![option.to_owned(), command.to_owned()],
        encoder: None,
    }
}

impl Configuration {
    /// This solver with these encoders, named as `varisat card=totalizer`.
    fn with(&self, encoding: &[Override<'_>]) -> Configuration {
        let mut configuration = self.clone();
        for Override { class, encoder } in encoding {
            configuration.name = format!("{} {class}={encoder}", configuration.name);
            configuration.options.extend([format!("--{class}"), (*encoder).to_owned()]);
        }
        if let [only] = encoding {
            configuration.encoder = Some(only.encoder.to_owned());
        }
        configuration
    }
}
