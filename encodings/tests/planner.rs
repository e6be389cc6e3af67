//! What the planner chooses, and what it refuses.

use pbsolve_encodings::sink::Counter;
use pbsolve_encodings::{
    Cardinality, Choice, Direct, EncodeModel, Encoder, Ladder, Planner, Row, Size, Stop, Totalizer,
    all,
};
use pbsolve_model::{Linear, Lit, Model, RowId, Var};
use std::ops::ControlFlow;

fn inputs(n: usize) -> Vec<Lit> {
    (0..n).map(|i| Var::new(i).positive()).collect()
}

/// What the planner minimises.
fn cost(size: Size) -> u64 {
    size.clauses.saturating_add(2 * size.variables)
}

fn assert_no_encoder_of_its_class_is_cheaper(row: &Row<'_>) {
    let Choice { encoder, size, .. } = Planner::default().choose(row).unwrap();
    let chosen = cost(size.unwrap());
    for other in all().filter(|other| other.class() == encoder.class() && other.supports(row)) {
        let n = row.lits().len();
        let alternative = cost(other.size(row).unwrap());
        let (name, other) = (encoder.name(), other.name());
        assert!(chosen <= alternative, "{row:?}, n = {n}: {name} {chosen}, {other} {alternative}");
    }
}

#[test]
fn no_other_encoder_of_the_class_is_cheaper_than_the_chosen_one() {
    for n in (3..=40).chain([64, 100, 1000]) {
        let lits = &inputs(n);
        assert_no_encoder_of_its_class_is_cheaper(&Row::AtMostOne(lits));
        assert_no_encoder_of_its_class_is_cheaper(&Row::ExactlyOne(lits));
        for k in [2, 3, 5, n / 3, n / 2, n - 2].into_iter().filter(|&k| 1 < k && k < n - 1) {
            for (lo, hi) in [(0, k), (k, n), (k, k), (k / 2, k)] {
                let row = Row::Cardinality(Cardinality { lits, lo, hi });
                assert_no_encoder_of_its_class_is_cheaper(&row);
            }
        }
    }
}

#[test]
fn a_row_beyond_the_budget_is_refused_with_its_size() {
    let lits = &inputs(100);
    let row = Row::Cardinality(Cardinality { lits, lo: 0, hi: 50 });
    let planner = Planner { max_clauses_per_row: 10, ..Planner::default() };
    assert!(planner.choose(&row).is_err());
    let planner = planner.with(&Totalizer::CUT);
    let refusal = planner.choose(&row).unwrap_err().to_string();
    assert_eq!(
        refusal,
        "cardinality <= row of 100 literals: totalizer takes 3073 clauses, more than 10"
    );

    let refusal = Planner::default().with(&Direct).choose(&row).unwrap_err().to_string();
    assert_eq!(
        refusal,
        "cardinality <= row of 100 literals: direct takes 18446744073709551615 clauses, more than \
         500000000"
    );
}

#[test]
fn an_encoder_that_does_not_state_the_row_is_refused_by_name() {
    let lits = &inputs(8);
    let row = Row::Cardinality(Cardinality { lits, lo: 0, hi: 3 });
    let planner = Planner { cardinality: Some(&Ladder), ..Planner::default() };
    let refusal = planner.choose(&row).unwrap_err().to_string();
    assert_eq!(refusal, "cardinality <= row of 8 literals: ladder states at most one rows only");
}

#[test]
fn a_set_encoder_is_used_for_its_class_and_no_other() {
    let lits = &inputs(8);
    let planner = Planner::default().with(&Totalizer::CUT).with(&Ladder);
    let chosen = |row| planner.choose(&row).unwrap().encoder.name();
    assert_eq!(chosen(Row::Cardinality(Cardinality { lits, lo: 0, hi: 3 })), "totalizer");
    assert_eq!(chosen(Row::AtMostOne(lits)), "ladder");
    assert_eq!(chosen(Row::ExactlyOne(lits)), "ladder");
    // An encoder that counts may also be set for at most one.
    let planner = Planner { at_most_one: Some(&Totalizer::CUT), ..Planner::default() };
    assert_eq!(planner.choose(&Row::AtMostOne(lits)).unwrap().encoder.name(), "totalizer");
}

#[test]
fn a_row_that_no_encoder_takes_is_kept_for_the_message() {
    let mut model = Model::with_generated_names(5, |i| format!("x{i}"));
    model.add(Linear::at_least(1, inputs(5)));
    model.add(Linear::at_most(2, inputs(5)));
    let mut encoding =
        EncodeModel::new(Planner { cardinality: Some(&Ladder), ..Planner::default() });
    let flow = encoding.model(&model, &mut Counter::default());
    assert_eq!(flow, ControlFlow::Break(Stop::Unsupported));
    assert_eq!(encoding.unsupported().map(|&(id, _)| id), Some(RowId(1)));
}

#[test]
fn every_encoder_is_found_by_its_name_and_names_differ() {
    for (place, encoder) in all().enumerate() {
        let found = pbsolve_encodings::find(encoder.name()).map(Encoder::name);
        assert_eq!(found, Some(encoder.name()));
        assert!(all().skip(place + 1).all(|other| other.name() != encoder.name()));
    }
    assert!(pbsolve_encodings::find("no such encoder").is_none());
}
