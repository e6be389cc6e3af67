//! What the clauses of each encoder look like, for four inputs; and the form of the snapshots.

use pbsolve_encodings::testing::Snapshot;
use pbsolve_encodings::{
    Cardinality, Direct, EncodeModel, Encoder, Ladder, Pairwise, Planner, Product, Row,
    SequentialCounter, Totalizer,
};
use pbsolve_model::{Linear, Lit, Model, Var};

fn inputs(n: usize) -> Vec<Lit> {
    (0..n).map(|i| Var::new(i).positive()).collect()
}

fn exactly_one(encoder: &dyn Encoder, n: usize) -> Snapshot {
    Snapshot::of(encoder, &Row::ExactlyOne(&inputs(n)))
}

fn bounded(encoder: &dyn Encoder, lo: usize, hi: usize) -> Snapshot {
    Snapshot::of(encoder, &Row::Cardinality(Cardinality { lits: &inputs(4), lo, hi }))
}

#[test]
fn pairwise_exactly_one_of_four() {
    insta::assert_snapshot!(exactly_one(&Pairwise, 4), @r"
    pairwise: 4 inputs, 0 auxiliary variables, 7 clauses, 16 literals
    x[1] | x[2] | x[3] | x[4]
    ~x[1] | ~x[2]
    ~x[1] | ~x[3]
    ~x[1] | ~x[4]
    ~x[2] | ~x[3]
    ~x[2] | ~x[4]
    ~x[3] | ~x[4]
    ");
}

#[test]
fn ladder_exactly_one_of_four() {
    insta::assert_snapshot!(exactly_one(&Ladder, 4), @r"
    ladder: 4 inputs, 3 auxiliary variables, 9 clauses, 20 literals
    x[1] | x[2] | x[3] | x[4]
    ~x[1] | s[1]
    ~x[2] | s[2]
    ~s[1] | s[2]
    ~s[1] | ~x[2]
    ~x[3] | s[3]
    ~s[2] | s[3]
    ~s[2] | ~x[3]
    ~s[3] | ~x[4]
    ");
}

/// Four inputs are pairwise; the grid is seen from 7 on.
#[test]
fn product_exactly_one_of_seven() {
    insta::assert_snapshot!(exactly_one(&Product, 7), @r"
    product: 7 inputs, 6 auxiliary variables, 21 clauses, 47 literals
    x[1] | x[2] | x[3] | x[4] | x[5] | x[6] | x[7]
    ~x[1] | row[1,7]
    ~x[1] | column[1,7]
    ~x[2] | row[1,7]
    ~x[2] | column[2,7]
    ~x[3] | row[1,7]
    ~x[3] | column[3,7]
    ~x[4] | row[2,7]
    ~x[4] | column[1,7]
    ~x[5] | row[2,7]
    ~x[5] | column[2,7]
    ~x[6] | row[2,7]
    ~x[6] | column[3,7]
    ~x[7] | row[3,7]
    ~x[7] | column[1,7]
    ~row[1,7] | ~row[2,7]
    ~row[1,7] | ~row[3,7]
    ~row[2,7] | ~row[3,7]
    ~column[1,7] | ~column[2,7]
    ~column[1,7] | ~column[3,7]
    ~column[2,7] | ~column[3,7]
    ");
}

#[test]
fn direct_at_most_two_of_four() {
    insta::assert_snapshot!(bounded(&Direct, 0, 2), @r"
    direct: 4 inputs, 0 auxiliary variables, 4 clauses, 12 literals
    ~x[1] | ~x[2] | ~x[3]
    ~x[1] | ~x[2] | ~x[4]
    ~x[1] | ~x[3] | ~x[4]
    ~x[2] | ~x[3] | ~x[4]
    ");
}

#[test]
fn sequential_counter_at_most_two_of_four() {
    insta::assert_snapshot!(bounded(&SequentialCounter::SINZ, 0, 2), @r"
    sequential-counter: 4 inputs, 6 auxiliary variables, 13 clauses, 27 literals
    ~x[1] | s[1,1]
    ~s[1,2]
    ~x[2] | s[2,1]
    ~s[1,1] | s[2,1]
    ~s[1,2] | s[2,2]
    ~x[2] | ~s[1,1] | s[2,2]
    ~x[2] | ~s[1,2]
    ~x[3] | s[3,1]
    ~s[2,1] | s[3,1]
    ~s[2,2] | s[3,2]
    ~x[3] | ~s[2,1] | s[3,2]
    ~x[3] | ~s[2,2]
    ~x[4] | ~s[3,2]
    ");
}

#[test]
fn reduced_counter_at_most_two_of_four() {
    insta::assert_snapshot!(bounded(&SequentialCounter::REDUCED, 0, 2), @r"
    reduced-counter: 4 inputs, 4 auxiliary variables, 8 clauses, 18 literals
    ~x[1] | s[1,1]
    ~s[1,1] | s[2,1]
    ~x[2] | s[2,1]
    ~x[2] | ~s[1,1] | s[2,2]
    ~s[2,2] | s[3,2]
    ~x[3] | ~s[2,1] | s[3,2]
    ~x[3] | ~s[2,2]
    ~x[4] | ~s[3,2]
    ");
}

#[test]
fn reduced_counter_exactly_two_of_four() {
    insta::assert_snapshot!(bounded(&SequentialCounter::REDUCED, 2, 2), @r"
    reduced-counter: 4 inputs, 4 auxiliary variables, 16 clauses, 36 literals
    ~x[1] | s[1,1]
    ~s[1,1] | s[2,1]
    ~x[2] | s[2,1]
    ~x[2] | ~s[1,1] | s[2,2]
    ~s[2,2] | s[3,2]
    ~x[3] | ~s[2,1] | s[3,2]
    ~x[3] | ~s[2,2]
    ~x[4] | ~s[3,2]
    ~s[1,1] | x[1]
    ~s[2,2] | s[1,1]
    ~s[2,1] | x[2] | s[1,1]
    ~s[3,2] | s[2,1]
    x[3] | s[2,1]
    ~s[2,2] | x[2]
    ~s[3,2] | x[3] | s[2,2]
    x[4] | s[3,2]
    ");
}

#[test]
fn totalizer_at_most_two_of_four() {
    insta::assert_snapshot!(bounded(&Totalizer::CUT, 0, 2), @r"
    totalizer: 4 inputs, 5 auxiliary variables, 9 clauses, 21 literals
    ~x[2] | o[2,1]
    ~x[1] | o[2,1]
    ~x[1] | ~x[2] | o[2,2]
    ~x[4] | o[3,1]
    ~x[3] | o[3,1]
    ~x[3] | ~x[4] | o[3,2]
    ~o[2,1] | ~o[3,2] | o[1,3]
    ~o[2,2] | ~o[3,1] | o[1,3]
    ~o[1,3]
    ");
}

#[test]
fn totalizer_with_outputs_to_tighten_at_most_two_of_four() {
    insta::assert_snapshot!(bounded(&Totalizer::INCREMENTAL, 0, 2), @r"
    totalizer: 4 inputs, 7 auxiliary variables, 14 clauses, 32 literals
    ~x[2] | o[2,1]
    ~x[1] | o[2,1]
    ~x[1] | ~x[2] | o[2,2]
    ~x[4] | o[3,1]
    ~x[3] | o[3,1]
    ~x[3] | ~x[4] | o[3,2]
    ~o[3,1] | o[1,1]
    ~o[2,1] | o[1,1]
    ~o[3,2] | o[1,2]
    ~o[2,1] | ~o[3,1] | o[1,2]
    ~o[2,2] | o[1,2]
    ~o[2,1] | ~o[3,2] | o[1,3]
    ~o[2,2] | ~o[3,1] | o[1,3]
    ~o[1,3]
    ");
}

#[test]
fn totalizer_both_at_most_two_of_four() {
    insta::assert_snapshot!(bounded(&Totalizer::BOTH_DIRECTIONS, 0, 2), @r"
    totalizer-both: 4 inputs, 5 auxiliary variables, 15 clauses, 35 literals
    ~x[2] | o[2,1]
    ~x[1] | o[2,1]
    ~x[1] | ~x[2] | o[2,2]
    ~o[2,1] | x[1] | x[2]
    ~o[2,2] | x[1]
    ~o[2,2] | x[2]
    ~x[4] | o[3,1]
    ~x[3] | o[3,1]
    ~x[3] | ~x[4] | o[3,2]
    ~o[3,1] | x[3] | x[4]
    ~o[3,2] | x[3]
    ~o[3,2] | x[4]
    ~o[2,1] | ~o[3,2] | o[1,3]
    ~o[2,2] | ~o[3,1] | o[1,3]
    ~o[1,3]
    ");
}

/// Two rows with counters, a unit, a contradiction; one variable without a name.
fn model_snapshot() -> Snapshot {
    let mut model = Model::default();
    let names = ["a", "b", "c", "d"];
    let [a, b, c, d] = names.map(|name| model.new_var(name).positive());
    model.add(Linear::at_most(2, [a, b, c, d]));
    model.add(Linear::at_most(2, [!a, !b, c, d]).named("second"));
    model.add(Linear::at_least(1, [d]));
    model.add(Linear::at_least(2, [a]).named("never"));
    let mut snapshot = Snapshot::default();
    let planner = Planner::default().with(&SequentialCounter::REDUCED);
    assert!(EncodeModel::new(planner).model(&model, &mut snapshot).is_continue());
    snapshot
        .with_names(|index| (index != 2).then(|| names[index].to_owned()))
        .with_row_names(|row| model.row_name(row))
}

#[test]
fn rows_of_a_model_are_told_apart() {
    insta::assert_snapshot!(model_snapshot(), @r"
    4 inputs, 8 auxiliary variables, 18 clauses, 37 literals

    row 1, reduced-counter:
    ~a | 1:s[1,1]
    ~1:s[1,1] | 1:s[2,1]
    ~b | 1:s[2,1]
    ~b | ~1:s[1,1] | 1:s[2,2]
    ~1:s[2,2] | 1:s[3,2]
    ~x[3] | ~1:s[2,1] | 1:s[3,2]
    ~x[3] | ~1:s[2,2]
    ~d | ~1:s[3,2]

    row 2 (second), reduced-counter:
    a | 2:s[1,1]
    ~2:s[1,1] | 2:s[2,1]
    b | 2:s[2,1]
    b | ~2:s[1,1] | 2:s[2,2]
    ~2:s[2,2] | 2:s[3,2]
    ~x[3] | ~2:s[2,1] | 2:s[3,2]
    ~x[3] | ~2:s[2,2]
    ~d | ~2:s[3,2]

    row 3:
    d

    row 4 (never):
    false
    ");
}

#[test]
fn a_snapshot_serialises_row_by_row() {
    let lits = inputs(2);
    let single = Snapshot::of(&Ladder, &Row::ExactlyOne(&lits));
    let json = serde_json::to_string_pretty(&single).unwrap();
    insta::assert_snapshot!(json, @r#"
    {
      "inputs": 2,
      "auxiliary_variables": 1,
      "clauses": 3,
      "literals": 6,
      "rows": [
        {
          "encoder": "ladder",
          "clauses": [
            "x[1] | x[2]",
            "~x[1] | s[1]",
            "~s[1] | ~x[2]"
          ]
        }
      ]
    }
    "#);
    let json = serde_json::to_value(model_snapshot()).unwrap();
    assert_eq!(json["rows"].as_array().map(Vec::len), Some(4));
    assert_eq!(json["rows"][3]["clauses"][0], "false");
    assert_eq!(json["rows"][1]["name"], "second");
}

#[test]
fn the_same_role_twice_in_a_row_is_told_apart() {
    // The grid of 49 is 7 by 7, and both its sides are stated with a grid of 7 again.
    let text = exactly_one(&Product, 49).to_string();
    assert!(text.contains("row[1,7]#2"), "{text}");
    let names: Vec<&str> = text.split([' ', '\n', '|', '~']).filter(|s| s.contains('[')).collect();
    let mut distinct = names.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), 49 + exactly_one(&Product, 49).num_auxiliary());
}
