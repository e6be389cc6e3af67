//! The size of the part of a proof that derives the clauses, for each certified encoder: bytes for
//! each literal of the clauses. Linear in the encoding means that this does not grow with the row.

use pbsolve::proof::{ProofSize, Proved, prove_unsatisfiable};
use pbsolve::{Encoder, Linear, Lit, Model, Planner, Strategy};
use pbsolve_encodings::Class;

/// A model with this row, and a contradiction that is found at once.
fn size(
    encoder: &'static dyn Encoder,
    terms: &[i128],
    lower: Option<i128>,
    upper: i128,
) -> ProofSize {
    let mut model = Model::default();
    model.new_vars(terms.len());
    let lit = |i: usize| pbsolve::Var::new(i).positive();
    let lits: Vec<(i128, Lit)> = terms.iter().enumerate().map(|(i, &c)| (c, lit(i))).collect();
    let row = Linear::sum(lits).with_upper(upper);
    model.add(match lower {
        Some(lower) => row.with_lower(lower),
        None => row,
    });
    model.add(Linear::at_least(1, [lit(0)]));
    model.add(Linear::at_most(0, [lit(0)]));
    let planner = Planner::default().with(encoder);
    let strategy = Strategy { planner, ..Strategy::default() };
    let name = format!("pbsolve-size-{}-{}.pbp", encoder.name(), std::process::id());
    let path = std::env::temp_dir().join(name);
    let proved = prove_unsatisfiable(&model, &strategy, &path).expect("writable");
    std::fs::remove_file(&path).expect("written");
    let Proved::Yes(size) = proved else { panic!("{}: {proved:?}", encoder.name()) };
    size
}

fn bytes_per_literal(size: ProofSize) -> f64 {
    size.encoding_bytes as f64 / size.num_lits as f64
}

/// The bars of the encoders' part.
fn most_bytes(encoder: &dyn Encoder) -> f64 {
    if encoder.name().starts_with("totalizer") { 50.0 } else { 130.0 }
}

fn certified(class: Class) -> impl Iterator<Item = &'static dyn Encoder> {
    pbsolve_encodings::all().filter(move |e| e.is_certified() && e.class() == class)
}

fn check(encoder: &dyn Encoder, what: &str, size: ProofSize) {
    let bytes = bytes_per_literal(size);
    assert!(bytes <= most_bytes(encoder), "{} {what}: {bytes} of {size:?}", encoder.name());
}

#[test]
fn at_most_one_has_a_proof_in_proportion_to_its_clauses() {
    for encoder in certified(Class::AtMostOne) {
        for n in [10, 100, 400] {
            check(encoder, &format!("n = {n}"), size(encoder, &vec![1; n], None, 1));
        }
    }
}

#[test]
fn counting_has_a_proof_in_proportion_to_its_clauses() {
    for encoder in certified(Class::Cardinality).filter(|encoder| encoder.name() != "direct") {
        for (n, lo, k) in [
            (10, None, 5),
            (100, None, 10),
            (100, None, 50),
            (1000, None, 3),
            (1000, None, 10),
            (100, Some(50), 50),
            (100, Some(3), 10),
            (400, Some(8), 10),
        ] {
            let what = format!("n = {n}, {lo:?} to {k}");
            check(encoder, &what, size(encoder, &vec![1; n], lo, k));
        }
    }
}

#[test]
fn weighted_rows_have_a_proof_in_proportion_to_their_clauses() {
    for encoder in certified(Class::PseudoBoolean) {
        // The definition of a node of a decision diagram has the literals of all levels after it, or
        // before; in all it is still less than the proof of what the planner would take instead.
        let longest = if encoder.name() == "decision-diagram" { 100 } else { 1000 };
        let sizes = [(10, 15), (30, 20), (40, 60), (100, 20), (400, 20), (1000, 20)];
        for (n, k) in sizes.into_iter().filter(|&(n, _)| n <= longest) {
            let terms: Vec<i128> = (0..n).map(|i| 1 + i * 7 % 5).collect();
            check(encoder, &format!("n = {n}, k = {k}"), size(encoder, &terms, None, k));
        }
    }
}
