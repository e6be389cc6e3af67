//! Faults between the encoder and the solver: each clause of small satisfiable models with a literal
//! flipped, a literal stripped, or dropped. What the solver then says wrongly must not be accepted.

use super::encoding::{JustifiedSink, ModelProof};
use super::writer::Conclusion;
use super::{Verified, verify};
use crate::backend::{SatSolver, VarisatWithProof, Verdict};
use crate::limits::Limits;
use pbsolve_encodings::sink::Cnf;
use pbsolve_encodings::{ClauseSink, EncodeModel, Encoder, Planner};
use pbsolve_model::{Assignment, Linear, Lit, Model, Var};
use std::path::Path;

#[derive(Clone, Copy, Debug)]
enum Fault {
    None,
    Flip,
    Strip,
    Drop,
}

/// The clauses with a fault in one of them; the constraints that they claim to be stay.
fn with_fault(cnf: &Cnf, proof: &ModelProof, place: usize, fault: Fault) -> Cnf {
    let mut faulty = Cnf::with_variables(cnf.num_variables());
    for (i, clause) in cnf.clauses().enumerate() {
        let mut clause: Vec<Lit> = clause.to_vec();
        if i == place {
            match fault {
                Fault::None => {}
                Fault::Flip => clause[0] = !clause[0],
                Fault::Strip => _ = clause.pop(),
                Fault::Drop => {
                    proof.log().lock().clauses.remove(place);
                    continue;
                }
            }
        }
        assert!(faulty.clause(&clause).is_continue());
    }
    faulty
}

/// Four in four holes; pairs of weighted rows.
fn models() -> Vec<Model> {
    let mut holes = Model::default();
    holes.new_vars(16);
    let at = |pigeon: usize, hole: usize| Var::new(4 * pigeon + hole).positive();
    for i in 0..4 {
        holes.add(Linear::exactly(1, (0..4).map(|hole| at(i, hole))));
        holes.add(Linear::at_most(1, (0..4).map(|pigeon| at(pigeon, i))));
    }
    let mut counts = Model::default();
    counts.new_vars(7);
    let lits: Vec<Lit> = (0..7).map(|i| Var::new(i).lit(i % 2 == 0)).collect();
    counts.add(Linear::at_most(3, lits.iter().copied()));
    counts.add(Linear::at_least(3, lits.iter().copied()));
    counts.add(Linear::exactly(2, lits[2..].iter().copied()));
    let mut weighted = Model::default();
    weighted.new_vars(5);
    let terms = [3, 3, 2, 2, 1].into_iter().zip((0..5).map(|i| Var::new(i).positive()));
    let terms: Vec<(i128, Lit)> = terms.collect();
    weighted.add(Linear::sum(terms.iter().copied()).with_upper(5));
    weighted.add(Linear::sum(terms.iter().map(|&(c, lit)| (6 - c, lit))).with_lower(11));
    vec![holes, counts, weighted]
}

/// What became of a faulty run.
#[derive(Debug, Default)]
struct Tally {
    refused_proofs: usize,
    caught_assignments: usize,
    right_answers: usize,
}

fn run(model: &Model, encoder: Option<&'static dyn Encoder>, folder: &Path, tally: &mut Tally) {
    let (opb, proof) = (folder.join("model.opb"), folder.join("proof.pbp"));
    let mut text = Vec::new();
    crate::formats::opb::write(model, &mut text).unwrap();
    std::fs::write(&opb, text).unwrap();
    let planner = Planner { require_certified: true, ..Planner::default() };
    let planner = encoder.map_or(planner, |encoder| planner.with(encoder));
    let encode = || {
        let (mut sink, mut log) = (Cnf::default(), ModelProof::create(model, &proof).unwrap());
        let mut justified = JustifiedSink { inner: &mut sink, proof: &mut log };
        assert!(EncodeModel::new(planner).model(model, &mut justified).is_continue());
        (sink, log)
    };
    let checker = std::env::var_os("PBSOLVE_VERIPB_CHECKER").unwrap_or_else(|| "veripb".into());
    let clauses: Vec<usize> = encode().0.clauses().map(<[Lit]>::len).collect();
    for (place, &length) in clauses.iter().enumerate() {
        for fault in [Fault::None, Fault::Flip, Fault::Strip, Fault::Drop] {
            if length == 0 || (matches!(fault, Fault::None) && place > 0) {
                continue;
            }
            let (cnf, log) = encode();
            let cnf = with_fault(&cnf, &log, place, fault);
            let mut solver = VarisatWithProof::new(log.log().clone());
            cnf.clauses().for_each(|clause| solver.add_clause(clause));
            match solver.solve(&[], &Limits::default()) {
                Verdict::Unsatisfiable => {
                    let conclude = |id: Option<_>| Conclusion::Unsatisfiable(id.unwrap());
                    log.finish(conclude).unwrap();
                    let verdict = verify(&checker, &opb, &proof);
                    assert!(verdict.is_err(), "{encoder:?} {place} {fault:?}: {verdict:?}");
                    tally.refused_proofs += 1;
                }
                Verdict::Satisfiable => {
                    let variables = (0..model.num_decisions()).map(Var::new);
                    let values = variables.map(|var| solver.value(var)).collect();
                    match model.check(&Assignment::from_values(values)) {
                        Ok(()) => tally.right_answers += 1,
                        Err(_) => tally.caught_assignments += 1,
                    }
                }
                Verdict::Unknown(reason) => panic!("{reason}"),
            }
        }
    }
}

#[test]
fn no_false_claim_of_a_faulty_encoding_is_accepted() {
    if std::env::var_os("PBSOLVE_VERIPB").is_none_or(|value| value != "1") {
        return;
    }
    let folder = std::env::temp_dir().join(format!("pbsolve-faults-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut tally = Tally::default();
    for model in &models() {
        run(model, None, &folder, &mut tally);
        let certified = pbsolve_encodings::all().filter(|encoder| encoder.is_certified());
        for encoder in certified {
            run(model, Some(encoder), &folder, &mut tally);
        }
    }
    assert!(tally.refused_proofs > 20 && tally.caught_assignments > 20, "{tally:?}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The control of the test above: a claim that is right is accepted.
#[test]
fn a_right_claim_is_accepted() {
    if std::env::var_os("PBSOLVE_VERIPB").is_none_or(|value| value != "1") {
        return;
    }
    let mut model = models().remove(0);
    model.add(Linear::at_least(5, (0..16).map(|i| Var::new(i).positive())));
    let folder = std::env::temp_dir().join(format!("pbsolve-control-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (opb, proof) = (folder.join("model.opb"), folder.join("proof.pbp"));
    let mut text = Vec::new();
    crate::formats::opb::write(&model, &mut text).unwrap();
    std::fs::write(&opb, text).unwrap();
    super::prove_unsatisfiable(&model, &crate::Strategy::default(), &proof).unwrap();
    let checker = std::env::var_os("PBSOLVE_VERIPB_CHECKER").unwrap_or_else(|| "veripb".into());
    assert_eq!(verify(&checker, &opb, &proof).unwrap(), Verified::Unsatisfiable);
    std::fs::remove_dir_all(&folder).unwrap();
}
