//! The readers of SAT solvers' answers and of solutions by name.

use pbsolve::formats::{SolverOutput, decision_values, read_solution, read_solver_output};
use pbsolve_model::{Family, Group, Linear, Lit, Model, ParseError, RowView, Var};
use std::ops::ControlFlow;
use std::sync::Arc;

fn answer(text: &str) -> SolverOutput {
    read_solver_output(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text:?}"))
}

fn satisfiable(numbers: &[i32]) -> SolverOutput {
    let lit = |&number| Lit::from_dimacs(number).expect("no literal is 0");
    SolverOutput::Satisfiable(numbers.iter().map(lit).collect())
}

fn shown(error: &ParseError) -> String {
    format!("{error}\n{}", error.excerpt())
}

fn refused_answer(text: &str) -> String {
    shown(&read_solver_output(text.as_bytes()).expect_err(text))
}

fn model(names: &[&str]) -> Model {
    let mut model = Model::default();
    let lits: Vec<Lit> = names.iter().map(|name| model.new_var(name).positive()).collect();
    model.add(Linear::at_least(0, lits));
    model
}

fn values(text: &str, names: &[&str]) -> Vec<bool> {
    let solution = read_solution(text.as_bytes(), &model(names));
    solution.unwrap_or_else(|error| panic!("{error}: {text:?}")).values().to_vec()
}

fn refused_solution(text: impl AsRef<[u8]>, names: &[&str]) -> String {
    shown(&read_solution(text.as_ref(), &model(names)).expect_err("a bad solution"))
}

const XYZ: &[&str] = &["x1", "x2", "x3"];

// SAT solvers.

#[test]
fn competition_answers_are_read() {
    assert_eq!(answer("c hello\ns SATISFIABLE\nv 1 -2 3 0\n"), satisfiable(&[1, -2, 3]));
    assert_eq!(answer("s UNSATISFIABLE\n"), SolverOutput::Unsatisfiable);
    assert_eq!(answer("c\n\ns UNKNOWN"), SolverOutput::Unknown);
    assert_eq!(answer("s SATISFIABLE\r\no 5\r\nv 0\r\n"), satisfiable(&[]));
}

/// The values came on many lines and the final 0 on one of its own.
#[test]
fn values_may_span_lines() {
    let text = "v 3 1\nc between\nv\nv -2\ns SATISFIABLE\nv 5\nv 0\n";
    assert_eq!(answer(text), satisfiable(&[1, -2, 3, 5]));
}

#[test]
fn minisat_answers_are_read() {
    assert_eq!(answer("SAT\n-1 2 0\n"), satisfiable(&[-1, 2]));
    assert_eq!(answer("UNSAT\n"), SolverOutput::Unsatisfiable);
    assert_eq!(answer("INDET\n"), SolverOutput::Unknown);
}

#[test]
fn the_largest_literals_are_read() {
    let text = "s SATISFIABLE\nv 2147483647 -2147483646 0\n";
    assert_eq!(answer(text), satisfiable(&[-2_147_483_646, 2_147_483_647]));
}

#[test]
fn answers_that_are_none_are_refused() {
    insta::assert_snapshot!(refused_answer("usage: solver [options] <file>\n"), @r"
    1:1: a line of a SAT solver begins with c, s, v or o, not `usage:`
      | usage: solver [options] <file>
      | ^
    ");
    insta::assert_snapshot!(refused_answer("c killed"), @r"
    1:9: a verdict is missing: `s SATISFIABLE`, `s UNSATISFIABLE` or `s UNKNOWN`
      | c killed
      |         ^
    ");
    insta::assert_snapshot!(refused_answer("s MAYBE\n"), @r"
    1:1: `s` is followed by SATISFIABLE, UNSATISFIABLE or UNKNOWN
      | s MAYBE
      | ^
    ");
    insta::assert_snapshot!(refused_answer("s SATISFIABLE\nv 0\ns UNKNOWN\n"), @r"
    3:1: a second verdict: there can be only one
      | s UNKNOWN
      | ^
    ");
    insta::assert_snapshot!(refused_answer("s UNSATISFIABLE\nv 1 0\n"), @r"
    2:3: values, though the verdict is not SATISFIABLE
      | v 1 0
      |   ^
    ");
}

#[test]
fn values_that_are_cut_or_run_on_are_refused() {
    insta::assert_snapshot!(refused_answer("s SATISFIABLE\nv 1 -2"), @r"
    2:7: the 0 that ends the values is missing
      | v 1 -2
      |       ^
    ");
    insta::assert_snapshot!(refused_answer("s SATISFIABLE"), @r"
    1:14: the 0 that ends the values is missing
      | s SATISFIABLE
      |              ^
    ");
    insta::assert_snapshot!(refused_answer("s SATISFIABLE\nv 1 0 2\n"), @r"
    2:7: `2` after the 0 that ends the values
      | v 1 0 2
      |       ^
    ");
    insta::assert_snapshot!(refused_answer("SAT\n1 0\n2 0\n"), @r"
    3:1: `2` after the 0 that ends the values
      | 2 0
      | ^
    ");
}

#[test]
fn every_truncation_of_an_answer_is_refused() {
    for text in ["c a\ns SATISFIABLE\nv 1 -2\nv 30 0", "SAT\n1 -2 30 0", "s UNSATISFIABLE"] {
        assert!(read_solver_output(text.as_bytes()).is_ok(), "{text:?}");
        for end in 0..text.len() {
            let prefix = &text[..end];
            assert!(read_solver_output(prefix.as_bytes()).is_err(), "{prefix:?}");
        }
    }
}

#[test]
fn contradictory_literals_are_refused() {
    insta::assert_snapshot!(refused_answer("s SATISFIABLE\nv 1 2 -1 0\n"), @r"
    2:7: variable 1 has both values
      | v 1 2 -1 0
      |       ^
    ");
}

#[test]
fn literals_that_are_none_are_refused() {
    insta::assert_snapshot!(refused_answer("s SATISFIABLE\nv 1 2147483648 0\n"), @r"
    2:5: `2147483648`: literals go up to 2147483647
      | v 1 2147483648 0
      |     ^
    ");
    for literal in ["x1", "+1", "-0", "--1", "1.0", "01", "-", "-2147483649", "\u{665}"] {
        let text = format!("s SATISFIABLE\nv {literal} 0\n");
        assert!(read_solver_output(text.as_bytes()).is_err(), "{literal}");
    }
    let digits = "9".repeat(100_000);
    assert!(read_solver_output(format!("s SATISFIABLE\nv {digits} 0\n").as_bytes()).is_err());
}

#[test]
fn the_decision_variables_are_taken_from_an_answer() {
    let model = model(&["a", "b"]);
    let SolverOutput::Satisfiable(lits) = answer("s SATISFIABLE\nv -1 2 3 -4 0\n") else {
        panic!("it is satisfiable");
    };
    assert_eq!(decision_values(&lits, &model).unwrap().values(), [false, true]);
    let error = decision_values(&lits[1..], &model).unwrap_err();
    insta::assert_snapshot!(error, @"the solver's answer has no value for a (CNF variable 1)");
    let error = decision_values(&[], &model).unwrap_err();
    insta::assert_snapshot!(error, @"the solver's answer has no value for a (CNF variable 1) and 1 more");
}

// Solutions by name.

#[test]
fn v_lines_are_read() {
    let expected = [true, false, true];
    assert_eq!(values("s SATISFIABLE\nv x1 -x2 x3\n", XYZ), expected);
    assert_eq!(values("c hi\no 4\ns OPTIMUM FOUND\nv x3\nv\nv ~x2 x1\n", XYZ), expected);
    assert_eq!(values("v x1 -x2 x3", XYZ), expected);
    assert_eq!(values("\u{feff}v x1 -x2\r\nv x3\r\n", XYZ), expected);
}

#[test]
fn lines_with_name_and_value_are_read() {
    let text = "# objective 5\nx1 1\nx2=0\nx3 = 1.000\n";
    assert_eq!(values(text, XYZ), [true, false, true]);
    assert_eq!(values("c 0\no 1\nx1 1\nx2 1\nx3 1\n", XYZ), [true; 3]);
    assert_eq!(values("x1 0.0\n x2\t1.0\nx3 0", XYZ), [false, true, false]);
}

/// LP files call their variables as they like, also as the lines of a solution are called.
#[test]
fn variables_may_be_called_as_the_lines_are() {
    let names = &["c", "o", "s", "v", "#1"];
    assert_eq!(values("c 1\no 0\ns 1\nv = 0\n#1 1", names), [true, false, true, false, true]);
    let text = "c 1\no 1\ns OPTIMUM FOUND\nv -c o -s v #1\n";
    assert_eq!(values(text, names), [false, true, false, true, true]);
}

#[test]
fn solutions_that_are_none_are_refused() {
    insta::assert_snapshot!(refused_solution("s UNSATISFIABLE\n", XYZ), @r"
    1:1: by this verdict the text holds no solution
      | s UNSATISFIABLE
      | ^
    ");
    insta::assert_snapshot!(refused_solution("s SATISFIABLE\ns SATISFIABLE\n", XYZ), @r"
    2:1: a second `s` line: there can be only one
      | s SATISFIABLE
      | ^
    ");
    insta::assert_snapshot!(refused_solution("s FINE\n", XYZ), @r"
    1:1: `s` is followed by SATISFIABLE or OPTIMUM FOUND
      | s FINE
      | ^
    ");
    insta::assert_snapshot!(refused_solution("hello\n", XYZ), @r"
    1:1: a line of a solution is `v` with literals or a name with a value, found `hello`
      | hello
      | ^
    ");
    insta::assert_snapshot!(refused_solution("x1 2\n", XYZ), @r"
    1:4: a value is 0 or 1, found `2`
      | x1 2
      |    ^
    ");
    insta::assert_snapshot!(refused_solution("v x1 -x2 x3\nx1 1\n", XYZ), @r"
    2:1: a name with a value in a text with `v` lines
      | x1 1
      | ^
    ");
}

#[test]
fn every_variable_has_exactly_one_value() {
    insta::assert_snapshot!(refused_solution("v x1 -x2 -x1 x3\n", XYZ), @r"
    1:11: `x1` has both values
      | v x1 -x2 -x1 x3
      |           ^
    ");
    insta::assert_snapshot!(refused_solution("x1 1\nx1 1\n", XYZ), @r"
    2:1: `x1` has a second value
      | x1 1
      | ^
    ");
    insta::assert_snapshot!(refused_solution("v -x2\n", XYZ), @r"
    1:6: no value is given for x1, x3
      | v -x2
      |      ^
    ");
    let names: Vec<String> = (1..=9).map(|i| format!("x{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    insta::assert_snapshot!(refused_solution("c nothing\n", &names), @r"
    1:10: no value is given for x1, x2, x3 and 6 more
      | c nothing
      |          ^
    ");
}

#[test]
fn unknown_names_are_refused() {
    insta::assert_snapshot!(refused_solution("v x1 -x4 x5\n", XYZ), @r"
    1:7: `x4` is no variable of the model
      | v x1 -x4 x5
      |       ^
    ");
    insta::assert_snapshot!(refused_solution(b"v x1 \xff\n", XYZ), @r"
    1:6: `�` is no variable of the model
      | v x1 �
      |      ^
    ");
    insta::assert_snapshot!(refused_solution("v 1 -2 3 0\n", XYZ), @r"
    1:3: `1` is no variable of the model
      | v 1 -2 3 0
      |   ^
    ");
}

/// Two indicators, `y_0` and `y_1`, without rows.
#[derive(Debug)]
struct Indicators;

impl Family for Indicators {
    fn name(&self) -> &'static str {
        "indicators"
    }

    fn num_groups(&self) -> usize {
        1
    }

    fn group(&self, _: usize) -> Group {
        Group { first_row: 0, num_rows: 0, first_indicator: 0, num_indicators: 2 }
    }

    fn for_each_row(
        &self,
        _: usize,
        _: Var,
        _: &mut dyn FnMut(RowView<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn row_name(&self, _: u64) -> String {
        unreachable!("it has no rows")
    }

    fn indicator_name(&self, indicator: u64) -> String {
        format!("y_{indicator}")
    }
}

#[test]
fn values_of_indicators_are_passed_over() {
    let mut model = model(XYZ);
    model.add_family(Arc::new(Indicators));
    let read = |text: &str| read_solution(text.as_bytes(), &model);
    assert_eq!(read("v x1 y_1 -x2 x3 -y_0\n").unwrap().values(), [true, false, true]);
    assert_eq!(read("x1 0\ny_0 1\nx2 0\nx3 0\n").unwrap().values(), [false; 3]);
    let error = read("v x1 y_1 -x2\nv y_2 x3 y_3\n").unwrap_err();
    insta::assert_snapshot!(shown(&error), @r"
    2:3: `y_2` is no variable of the model
      | v y_2 x3 y_3
      |   ^
    ");
}

#[test]
fn a_literal_with_two_meanings_is_refused() {
    insta::assert_snapshot!(refused_solution("v a ~a\n", &["a", "~a"]), @r"
    1:5: `~a` is a variable and the negation of another: write names with values
      | v a ~a
      |     ^
    ");
    assert_eq!(values("a 1\n~a 1\n", &["a", "~a"]), [true, true]);
}

#[test]
fn values_are_0_or_1() {
    for value in ["2", "-1", "0.5", "1.", "1e0", "true", "01", ".0", "0.0x", "-0"] {
        let text = format!("x1 {value}\nx2 0\nx3 0\n");
        assert!(read_solution(text.as_bytes(), &model(XYZ)).is_err(), "{value}");
    }
}

#[test]
fn random_texts_never_panic() {
    const WORDS: &[&str] = &[
        "s",
        "v",
        "c",
        "o",
        "SATISFIABLE",
        "OPTIMUM FOUND",
        "x1",
        "-x1",
        "~x2",
        "x3",
        "=",
        "1",
        "0",
        "-2",
        "\n",
        "\n",
        "SAT",
        "UNSAT",
        "1.0",
        "x2=1",
        "\u{fffd}",
        "\r\n",
        "\t",
        "-",
        "~",
        "==",
        "2147483648",
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut below = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % bound as u64).expect("below a usize")
    };
    let model = model(XYZ);
    let mut num_read = 0;
    for _ in 0..30_000 {
        let words: Vec<&str> = (0..below(14)).map(|_| WORDS[below(WORDS.len())]).collect();
        let text = words.join(" ");
        for error in [
            read_solver_output(text.as_bytes()).map(drop),
            read_solution(text.as_bytes(), &model).map(drop),
        ] {
            match error {
                Ok(()) => num_read += 1,
                Err(error) => assert!(error.excerpt().contains('^')),
            }
        }
    }
    assert!(num_read > 0);
}
