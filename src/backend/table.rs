//! The table of back-ends, the one list that options, help texts, `pbsolve backends`, comparisons
//! and tests read. A back-end that this build lacks is listed all the same, so that choosing it is
//! refused with the reason.

use super::{SatSolver, Varisat};
use crate::ilp::{IlpSolver, Microlp};
use crate::strategy::Backend;
use std::fmt;

/// What a back-end is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The clauses of the encoded model.
    Sat,
    /// The linear model itself.
    Ilp,
    /// Either, as each of those that race takes it.
    Portfolio,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Sat => "SAT",
            Kind::Ilp => "ILP",
            Kind::Portfolio => "both",
        })
    }
}

/// A Cargo feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// What `--features` calls it.
    pub name: &'static str,
    /// Whether this build has it.
    pub is_enabled: bool,
}

/// A back-end, as `--backend` chooses it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// What `--backend` calls it.
    pub name: &'static str,
    /// What its authors call it.
    pub title: &'static str,
    /// What it is given.
    pub kind: Kind,
    /// The Cargo feature that brings it, unless it is always there.
    pub feature: Option<Feature>,
    /// Whether a deadline and a stop flag end its search.
    pub keeps_limits: bool,
    /// Whether it keeps what it has learnt from one question to the next.
    pub is_incremental: bool,
    /// Whether it gives proofs.
    pub gives_proofs: bool,
    /// What it is for.
    pub about: &'static str,
    /// The choice that a [`Strategy`](crate::Strategy) has.
    pub backend: Backend,
    /// Makes a solver; `None` where [`Entry::kind`] is another than [`Kind::Sat`], or this build
    /// lacks it.
    pub solver: Option<fn() -> Box<dyn SatSolver>>,
    /// Makes a solver of integer programs; `None` where [`Entry::kind`] is another than
    /// [`Kind::Ilp`], or this build lacks it.
    pub ilp_solver: Option<fn() -> Box<dyn IlpSolver>>,
}

impl Entry {
    /// Whether this build has it.
    pub fn is_available(&self) -> bool {
        self.feature.is_none_or(|feature| feature.is_enabled)
    }

    /// Refuses a back-end that this build lacks.
    ///
    /// # Errors
    /// If it does.
    pub fn require(&self) -> Result<(), MissingBackend> {
        match self.feature {
            Some(Feature { name: feature, is_enabled: false }) => {
                Err(MissingBackend { name: self.name, title: self.title, feature })
            }
            _ => Ok(()),
        }
    }
}

/// A back-end was chosen that this build lacks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("--backend {name}: this build has no {title}; build with --features {feature}")]
pub struct MissingBackend {
    name: &'static str,
    title: &'static str,
    feature: &'static str,
}

/// All back-ends that have a name, the default first. Beside them there is any solver that has a
/// command line: [`External`](super::External), [`ExternalIlp`](crate::ilp::ExternalIlp).
pub const ALL: &[Entry] = &[
    Entry {
        name: "varisat",
        title: "Varisat",
        kind: Kind::Sat,
        feature: None,
        keeps_limits: true,
        is_incremental: true,
        gives_proofs: true,
        about: "the default: written in Rust, proofs, the same run each time",
        backend: Backend::Varisat,
        solver: Some(|| Box::new(Varisat::new())),
        ilp_solver: None,
    },
    Entry {
        name: "cadical",
        title: "CaDiCaL",
        kind: Kind::Sat,
        feature: Some(Feature { name: "cadical", is_enabled: cfg!(feature = "cadical") }),
        keeps_limits: true,
        is_incremental: true,
        gives_proofs: true,
        about: "hard models: preprocessing and inprocessing; the same run each time",
        backend: Backend::Cadical,
        solver: CADICAL,
        ilp_solver: None,
    },
    Entry {
        name: "microlp",
        title: "microlp",
        kind: Kind::Ilp,
        feature: None,
        keeps_limits: true,
        is_incremental: false,
        gives_proofs: false,
        about: "small models with large weights: branch and bound in Rust",
        backend: Backend::Microlp,
        solver: None,
        ilp_solver: Some(|| Box::new(Microlp::new())),
    },
    Entry {
        name: "highs",
        title: "HiGHS",
        kind: Kind::Ilp,
        feature: Some(Feature { name: "highs", is_enabled: cfg!(feature = "highs") }),
        keeps_limits: true,
        is_incremental: false,
        gives_proofs: false,
        about: "few rows with large weights: branch and cut",
        backend: Backend::Highs,
        solver: None,
        #[cfg(feature = "highs")]
        ilp_solver: Some(|| Box::new(crate::ilp::Highs::new())),
        #[cfg(not(feature = "highs"))]
        ilp_solver: None,
    },
    Entry {
        name: "portfolio",
        title: "portfolio",
        kind: Kind::Portfolio,
        feature: None,
        keeps_limits: true,
        is_incremental: false,
        gives_proofs: false,
        about: "models nobody knows: SAT and ILP race, and share solutions",
        backend: Backend::Portfolio(Vec::new()),
        solver: None,
        ilp_solver: None,
    },
];

#[cfg(feature = "cadical")]
const CADICAL: Option<fn() -> Box<dyn SatSolver>> = Some(|| Box::new(super::Cadical::new()));
#[cfg(not(feature = "cadical"))]
const CADICAL: Option<fn() -> Box<dyn SatSolver>> = None;

/// The back-end that `--backend` calls this.
pub fn find(name: &str) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.name == name)
}

impl Backend {
    /// Its entry in the table; an external solver has none.
    pub fn entry(&self) -> Option<&'static Entry> {
        ALL.iter().find(|entry| entry.backend == *self)
    }
}
