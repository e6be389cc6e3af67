//! The LP writer: what it writes, and that reading it back gives the same model.

mod small_models;

use pbsolve::formats::WriteError;
use pbsolve::formats::lp::{read, write};
use pbsolve_model::{Linear, Lit, Model, Objective, Sense, Term};
use proptest::prelude::*;
use small_models::family::Equal;
use small_models::{any_model, assert_comes_back, optimum, solutions};
use std::sync::Arc;

fn written(model: &Model) -> String {
    let mut text = Vec::new();
    write(model, &mut text).expect("the model can be written");
    String::from_utf8(text).expect("names are ASCII or in comments")
}

fn with_variables(names: &[&str]) -> (Model, Vec<Lit>) {
    let mut model = Model::default();
    let lits = names.iter().map(|name| model.new_var(name).positive()).collect();
    (model, lits)
}

fn minimized(terms: &[(i128, Lit)], constant: i128, divisor: i128) -> Objective {
    let term = |&(coefficient, lit)| Term { coefficient, lit };
    let terms = terms.iter().map(term).collect();
    Objective { sense: Sense::Minimize, terms, constant, divisor }
}

#[test]
fn rows_objective_and_declarations_are_written() {
    let (mut model, lits) = with_variables(&["x", "y", "z", "unused"]);
    let [x, y, z, _] = lits[..] else { unreachable!() };
    model.set_objective(minimized(&[(2, x), (-3, !y), (1, z)], 4, 1));
    model.add(Linear::exactly(1, [x, y, z]).named("one"));
    model.add(Linear::sum([(2, x), (-3, !y), (0, z), (1, x)]).with_lower(-1));
    model.add(Linear::sum([(1, x), (1, y)]).with_lower(1).with_upper(2).named("range"));
    model.add(Linear::sum([(1, x)]).named("free"));
    model.add(Linear::sum([]).with_lower(1).named("false"));
    insta::assert_snapshot!(written(&model), @r"
    Minimize
     obj: 2 x + 3 y + z + 0 unused + 1
    Subject To
     one: x + y + z = 1
     3 x + 3 y >= 2
     range_lo: x + y >= 1
     range_up: x + y <= 2
     false: 0 x >= 1
    Binary
     x y z unused
    End
    ");
    assert_comes_back(&model, &written(&model), read, written);
}

#[test]
fn a_model_without_objective_minimizes_0() {
    let (mut model, lits) = with_variables(&["x", "y"]);
    model.add(Linear::at_least(1, lits));
    insta::assert_snapshot!(written(&model), @r"
    Minimize
     obj: 0 x
    Subject To
     x + y >= 1
    Binary
     x y
    End
    ");
    assert!(read(written(&model).as_bytes()).unwrap().objective().is_none());
}

#[test]
fn a_model_without_variables_is_written() {
    let mut model = Model::default();
    assert_eq!(written(&model), "Minimize\n obj: 0\nSubject To\nEnd\n");
    model.add(Linear::sum([]).with_lower(1));
    assert_eq!(written(&model), "Minimize\n obj: 0\nSubject To\n 0 >= 1\nEnd\n");
    assert_comes_back(&model, &written(&model), read, written);
}

#[test]
fn integers_are_written_as_such() {
    let (mut model, lits) = with_variables(&["x"]);
    model.new_integer("n", -3, 7);
    model.new_integer("bit", 0, 1);
    model.new_integer("seven", 7, 7);
    let times = |factor: i128, i: usize, model: &Model| {
        let bits = model.integers()[i].bits.clone();
        bits.into_iter().enumerate().map(move |(i, bit)| (factor << i, bit.positive()))
    };
    let terms: Vec<_> = times(5, 0, &model).chain(times(-2, 1, &model)).collect();
    model.set_objective(minimized(&terms, 0, 10));
    let terms: Vec<_> = times(-1, 0, &model).chain([(4, lits[0])]).collect();
    model.add(Linear::sum(terms).with_upper(2).named("c"));
    insta::assert_snapshot!(written(&model), @r"
    Minimize
     obj: 0.5 n - 0.2 bit + 0 seven + 1.5
    Subject To
     c: - n + 4 x <= 5
    Bounds
     -3 <= n <= 7
     seven = 7
    Binary
     bit x
    General
     n seven
    End
    ");
    assert_comes_back(&model, &written(&model), read, written);
}

#[test]
fn integers_whose_bits_are_used_singly_are_written_by_their_bits() {
    let mut model = Model::default();
    let bits = model.new_integer("n", 0, 5).bits.clone();
    model.new_integer("huge", 0, 10i128.pow(30));
    model.add(Linear::at_most(1, bits.iter().map(|bit| bit.positive())));
    let text = written(&model);
    assert!(text.contains("n@0 + n@1 + n@2 <= 1"), "{text}");
    assert!(text.contains("n@0 + 2 n@1 + 4 n@2 <= 5"), "{text}");
    assert!(text.contains("huge@99"), "{text}");
    assert!(!text.contains("General"), "{text}");
}

#[test]
fn objectives_with_fractions_are_written_in_decimals_or_scaled() {
    let (mut model, lits) = with_variables(&["x", "y"]);
    model.set_objective(minimized(&[(3, lits[0]), (-50, lits[1])], 1, 40));
    insta::assert_snapshot!(written(&model), @r"
    Minimize
     obj: 0.075 x - 1.25 y + 0.025
    Subject To
    Binary
     x y
    End
    ");
    assert_comes_back(&model, &written(&model), read, written);
    model.set_objective(minimized(&[(3, lits[0]), (-50, lits[1])], 1, 3));
    insta::assert_snapshot!(written(&model), @r"
    \ the value of the objective is this sum divided by 3
    Minimize
     obj: 3 x - 50 y + 1
    Subject To
    Binary
     x y
    End
    ");
    assert_comes_back(&model, &written(&model), read, written);
}

#[test]
fn names_that_are_not_lp_are_replaced() {
    for name in [
        "two words",
        "3x",
        ".5",
        "a-b",
        "a:b",
        "x\\y",
        "end",
        "ST",
        "Free",
        "inf",
        "e",
        "e9",
        "Eels",
        "bin",
        "größe",
        "a[1]",
        "x",
    ] {
        let (mut model, lits) = with_variables(&["x", name]);
        model.add(Linear::at_least(1, lits).named(name));
        let text = written(&model);
        let back = read(text.as_bytes()).unwrap();
        assert_eq!(solutions(&back), ["x1=0 x2=1", "x1=1 x2=0", "x1=1 x2=1"], "{name}");
        assert!(text.contains(&format!("\\ map x2 {name}\n")), "{text}");
    }
    for name in ["x_1", "~x", "a(1,2)", "#", "ex", "end_", "x|y"] {
        let (mut model, lits) = with_variables(&[name]);
        model.add(Linear::at_least(1, lits).named(name));
        let text = written(&model);
        assert!(text.contains(&format!(" {name}: {name} >= 1\n")), "{text}");
        assert_eq!(solutions(&read(text.as_bytes()).unwrap()), [format!("{name}=1")]);
    }
}

#[test]
fn a_name_cannot_end_its_comment() {
    let (model, _) = with_variables(&["a\nEnd\r"]);
    assert!(written(&model).starts_with("\\ map x1 a?End?\nMinimize\n"));
}

#[test]
fn long_rows_continue_on_the_next_line() {
    let names: Vec<String> = (1..=30).map(|i| format!("variable_{i}")).collect();
    let (mut model, lits) = with_variables(&names.iter().map(String::as_str).collect::<Vec<_>>());
    model.add(Linear::at_least(2, lits));
    let text = written(&model);
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    let back = read(text.as_bytes()).unwrap();
    assert_eq!((back.num_decisions(), back.num_rows()), (30, 1));
    assert_eq!(written(&back), text);
}

#[test]
fn indicators_are_written_as_variables() {
    let (mut model, _) = with_variables(&["a", "b"]);
    model.add_family(Arc::new(Equal));
    insta::assert_snapshot!(written(&model), @r"
    Minimize
     obj: 0 d_0
    Subject To
     equal_0: d_0 + a + b >= 1
    Binary
     d_0 a b
    End
    ");
}

#[test]
fn numbers_that_leave_128_bits_are_refused() {
    let (mut model, lits) = with_variables(&["x"]);
    model.add(Linear::at_least(i128::MIN, [!lits[0]]).named("wide"));
    match write(&model, &mut Vec::new()) {
        Err(WriteError::NumberTooWide(row)) => assert_eq!(row, "wide"),
        other => panic!("{other:?}"),
    }
    let (mut model, lits) = with_variables(&["x"]);
    model.add(Linear::sum([(i128::MAX, lits[0])]).with_upper(i128::MAX).with_lower(i128::MIN));
    assert_comes_back(&model, &written(&model), read, written);
}

#[test]
fn the_sense_and_the_constant_come_back() {
    let (mut model, lits) = with_variables(&["a", "c"]);
    let objective = minimized(&[(6, lits[0]), (5, !lits[1])], -3, 1);
    model.set_objective(Objective { sense: Sense::Maximize, ..objective });
    let back = read(written(&model).as_bytes()).unwrap();
    assert_eq!(optimum(&back), optimum(&model));
    assert_eq!(optimum(&back), ("8".to_owned(), vec!["a=1 c=0".to_owned()]));
}

proptest! {
    #[test]
    fn models_come_back(model in any_model()) {
        assert_comes_back(&model, &written(&model), read, written);
    }
}
