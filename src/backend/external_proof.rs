//! An external solver with a proof: the DRAT or LRAT file that it writes is taken over.

use super::{Capabilities, CommandError, External, SatSolver, Verdict};
use crate::formats::{ClausalFormat, ClausalProof};
use crate::limits::{Limits, Reason};
use crate::proof::{Replay, SharedLog};
use pbsolve_model::{Lit, Var};
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

/// A solver whose clauses have constraints in a proof, to which the proof that it writes is added.
/// What follows from assumptions is no part of a proof, so it takes none.
#[derive(Debug)]
pub(crate) struct ExternalWithProof {
    external: External,
    format: ClausalFormat,
    log: SharedLog,
    /// The place of the empty clause among those that it was given.
    empty_clause: Option<usize>,
    num_clauses: usize,
}

impl ExternalWithProof {
    /// The solver of a command; `None` if that has no place for a proof.
    pub(crate) fn new(
        command: &str,
        log: SharedLog,
    ) -> Result<Option<ExternalWithProof>, CommandError> {
        let external = External::new(command)?;
        let Some(format) = external.proof_format() else { return Ok(None) };
        let (empty_clause, num_clauses) = (None, 0);
        Ok(Some(ExternalWithProof { external, format, log, empty_clause, num_clauses }))
    }
}

/// Takes the proof in a file over.
fn take_over(
    path: &Path,
    format: ClausalFormat,
    num_variables: usize,
    log: &SharedLog,
    limits: &Limits,
) -> Result<(), Reason> {
    let unreadable = |error| Reason::Failed(format!("leaves a proof that cannot be read: {error}"));
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_file() => {}
        // Opening a named pipe, for one, would wait for ever.
        Ok(_) => return Err(Reason::Failed("leaves a proof that is no file".to_owned())),
        Err(_) => return Err(Reason::Failed("writes no proof".to_owned())),
    }
    let input = BufReader::with_capacity(1 << 16, File::open(path).map_err(unreadable)?);
    let proof = ClausalProof::new(input, format);
    let proof = proof.map_err(|error| Reason::Failed(format!("leaves a wrong proof: {error}")))?;
    let mut log = log.lock();
    let log = &mut *log;
    let Some(writer) = &mut log.writer else {
        return Err(Reason::Failed("answers when the proof was given up".to_owned()));
    };
    let contradiction = Replay::new(writer, &log.clauses, num_variables).all(proof, limits)?;
    log.contradiction = Some(contradiction);
    Ok(())
}

impl SatSolver for ExternalWithProof {
    fn name(&self) -> &'static str {
        self.external.name()
    }

    fn capabilities(&self) -> Capabilities {
        self.external.capabilities()
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        if lits.is_empty() {
            self.empty_clause.get_or_insert(self.num_clauses);
        }
        self.num_clauses += 1;
        self.external.add_clause(lits);
    }

    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Verdict {
        assert!(assumptions.is_empty(), "a proof has no assumptions");
        if let Some(place) = self.empty_clause {
            // Nothing is left to be found.
            let mut log = self.log.lock();
            log.contradiction = Some(log.clauses[place]);
            return Verdict::Unsatisfiable;
        }
        let (format, log) = (self.format, &self.log);
        self.external.solve_with_proof(assumptions, limits, |path, num_variables| {
            take_over(path, format, num_variables, log, limits)
        })
    }

    fn value(&self, var: Var) -> bool {
        self.external.value(var)
    }

    fn failed_core(&self) -> &[Lit] {
        &[]
    }
}
