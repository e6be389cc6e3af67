//! The MPS writer: what it writes, and that reading it back gives the same model.

mod small_models;

use pbsolve::formats::WriteError;
use pbsolve::formats::mps::{read, write};
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
    NAME pbsolve
    ROWS
     N obj
     E one
     G R2
     G range
     N free
     G false
    COLUMNS
     MARKER 'MARKER' 'INTORG'
     x obj 2
     x one 1
     x R2 3
     x range 1
     x free 1
     y obj 3
     y one 1
     y R2 3
     y range 1
     z obj 1
     z one 1
     unused obj 0
     MARKER 'MARKER' 'INTEND'
    RHS
     RHS obj -1
     RHS one 1
     RHS R2 2
     RHS range 1
     RHS false 1
    RANGES
     RNG range 1
    BOUNDS
     BV BND       x
     BV BND       y
     BV BND       z
     BV BND       unused
    ENDATA
    ");
    assert_comes_back(&model, &written(&model), read, written);
}

#[test]
fn a_model_without_objective_minimizes_0() {
    let (mut model, lits) = with_variables(&["x", "y"]);
    model.add(Linear::at_least(1, lits));
    insta::assert_snapshot!(written(&model), @r"
    NAME pbsolve
    ROWS
     N obj
     G R1
    COLUMNS
     MARKER 'MARKER' 'INTORG'
     x R1 1
     y R1 1
     MARKER 'MARKER' 'INTEND'
    RHS
     RHS R1 1
    BOUNDS
     BV BND       x
     BV BND       y
    ENDATA
    ");
    assert!(read(written(&model).as_bytes()).unwrap().objective().is_none());
}

#[test]
fn a_model_without_variables_is_written() {
    let mut model = Model::default();
    model.add(Linear::sum([]).with_lower(1));
    insta::assert_snapshot!(written(&model), @r"
    NAME pbsolve
    ROWS
     N obj
     G R1
    COLUMNS
    RHS
     RHS R1 1
    ENDATA
    ");
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
    NAME pbsolve
    ROWS
     N obj
     L c
    COLUMNS
     MARKER 'MARKER' 'INTORG'
     x c 4
     n obj 0.5
     n c -1
     bit obj -0.2
     seven obj 0
     MARKER 'MARKER' 'INTEND'
    RHS
     RHS obj -1.5
     RHS c 5
    BOUNDS
     BV BND       x
     LO BND n -3
     UP BND n 7
     BV BND       bit
     FX BND seven 7
    ENDATA
    ");
    assert_comes_back(&model, &written(&model), read, written);
}

#[test]
fn integers_whose_bits_are_used_singly_are_written_by_their_bits() {
    let mut model = Model::default();
    let bits = model.new_integer("n", 0, 5).bits.clone();
    model.add(Linear::at_most(1, bits.iter().map(|bit| bit.positive())));
    insta::assert_snapshot!(written(&model), @r"
    NAME pbsolve
    ROWS
     N obj
     L R1
     L R2
    COLUMNS
     MARKER 'MARKER' 'INTORG'
     n@0 R1 1
     n@0 R2 1
     n@1 R1 2
     n@1 R2 1
     n@2 R1 4
     n@2 R2 1
     MARKER 'MARKER' 'INTEND'
    RHS
     RHS R1 5
     RHS R2 1
    BOUNDS
     BV BND       n@0
     BV BND       n@1
     BV BND       n@2
    ENDATA
    ");
    assert_comes_back(&model, &written(&model), read, written);
}

#[test]
fn objectives_with_fractions_are_written_in_decimals_or_scaled() {
    let (mut model, lits) = with_variables(&["x", "y"]);
    model.set_objective(minimized(&[(3, lits[0]), (-50, lits[1])], 1, 40));
    insta::assert_snapshot!(written(&model), @r"
    NAME pbsolve
    ROWS
     N obj
    COLUMNS
     MARKER 'MARKER' 'INTORG'
     x obj 0.075
     y obj -1.25
     MARKER 'MARKER' 'INTEND'
    RHS
     RHS obj -0.025
    BOUNDS
     BV BND       x
     BV BND       y
    ENDATA
    ");
    assert_comes_back(&model, &written(&model), read, written);
    model.set_objective(minimized(&[(3, lits[0]), (-50, lits[1])], 1, 3));
    insta::assert_snapshot!(written(&model), @r"
    * the value of the objective is this sum divided by 3
    NAME pbsolve
    ROWS
     N obj
    COLUMNS
     MARKER 'MARKER' 'INTORG'
     x obj 3
     y obj -50
     MARKER 'MARKER' 'INTEND'
    RHS
     RHS obj -1
    BOUNDS
     BV BND       x
     BV BND       y
    ENDATA
    ");
    assert_comes_back(&model, &written(&model), read, written);
}

#[test]
fn names_that_are_not_mps_are_replaced() {
    for name in ["two words", "tab\tin it", "größe", "$x", "*x", "'MARKER'", "x"] {
        let (mut model, lits) = with_variables(&["x", name]);
        model.add(Linear::at_least(1, lits).named(name));
        let text = written(&model);
        let back = read(text.as_bytes()).unwrap();
        assert_eq!(solutions(&back), ["x1=0 x2=1", "x1=1 x2=0", "x1=1 x2=1"], "{name}");
        let name = name.replace('\t', "?");
        assert!(text.contains(&format!("* map x2 {name}\n")), "{text}");
    }
    for name in ["x_1", "~x", "a(1,2)", "3", "-1", "a[1]", "MARKER", "RHS", "obj", "N"] {
        let (mut model, lits) = with_variables(&[name]);
        model.add(Linear::at_least(1, lits).named(name));
        let text = written(&model);
        assert!(text.contains(&format!(" {name} {name} 1\n")), "{text}");
        assert_eq!(solutions(&read(text.as_bytes()).unwrap()), [format!("{name}=1")]);
    }
}

#[test]
fn rows_without_a_legal_name_are_numbered() {
    let (mut model, lits) = with_variables(&["x"]);
    for name in ["", "R4", "two words", "obj", "obj", "obj_"] {
        model.add(Linear::at_least(0, [lits[0]]).named(name));
    }
    let text = written(&model);
    let rows: Vec<&str> = text.lines().skip(2).take(7).collect();
    let expected = [" N obj__", " G R1", " G R4", " G R3", " G obj", " G R5", " G obj_"];
    assert_eq!(rows, expected, "{text}");
    model.add(Linear::at_least(0, [lits[0]]).named("R5"));
    assert!(written(&model).contains(" G R5_\n"));
    assert_comes_back(&model, &written(&model), read, written);
}

#[test]
fn a_name_cannot_end_its_comment() {
    let (model, _) = with_variables(&["a\nENDATA\r"]);
    assert!(written(&model).starts_with("* map x1 a?ENDATA?\nNAME pbsolve\n"));
}

#[test]
fn indicators_are_written_as_variables() {
    let (mut model, _) = with_variables(&["a", "b"]);
    model.add_family(Arc::new(Equal));
    insta::assert_snapshot!(written(&model), @r"
    NAME pbsolve
    ROWS
     N obj
     G equal_0
    COLUMNS
     MARKER 'MARKER' 'INTORG'
     a equal_0 1
     b equal_0 1
     d_0 equal_0 1
     MARKER 'MARKER' 'INTEND'
    RHS
     RHS equal_0 1
    BOUNDS
     BV BND       a
     BV BND       b
     BV BND       d_0
    ENDATA
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
}

#[test]
fn a_range_beyond_128_bits_and_an_empty_one_become_two_rows() {
    let (mut model, lits) = with_variables(&["x"]);
    model.add(Linear::sum([(5, lits[0])]).with_upper(i128::MAX).with_lower(i128::MIN).named("c"));
    model.add(Linear::sum([(5, lits[0])]).with_upper(2).with_lower(3));
    let text = written(&model);
    for row in [" G c_lo\n", " L c_up\n", " G R3\n", " L R4\n"] {
        assert!(text.contains(row), "{text}");
    }
    assert_comes_back(&model, &text, read, written);
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
