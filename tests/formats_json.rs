//! JSON: what is read and written, that it comes back, and how it is refused.

mod small_models;

use pbsolve::formats::json::{read, write};
use pbsolve::formats::{WriteError, read_solution, write_solution};
use pbsolve_model::{
    Coefficients, Family, Group, Linear, Lit, Model, Objective, RowView, Sense, Term, Var,
};
use proptest::prelude::*;
use small_models::{
    any_model, assert_comes_back, objective, parse_error, read_mutations, rows, satisfying,
    solutions, unsupported,
};
use std::ops::ControlFlow;
use std::sync::Arc;

const KNAPSACK: &str = r#"{
  "version": 1,
  "variables": ["a", "c", {"name": "n", "lower": -1, "upper": 4}],
  "objective": {"sense": "max", "terms": [[6, "a"], [5, "c"], [1, "n"]], "offset": -3, "divisor": 2},
  "constraints": [
    {"name": "weight", "terms": [[5, "a"], [4, "~c"], [1, "n"]], "lower": null, "upper": 8},
    {"terms": [[1, "a"], [1, "c"]], "op": ">=", "rhs": 1}
  ]
}
"#;

fn written(model: &Model) -> String {
    let mut text = Vec::new();
    write(model, &mut text).expect("the model can be written");
    String::from_utf8(text).expect("JSON is UTF-8")
}

fn read_text(text: &str) -> Model {
    read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A model with these constraints over the variables a and b and the integer n from 0 to 9.
fn constraints(constraints: &str) -> String {
    let variables = r#""a", "b", {"name": "n", "lower": 0, "upper": 9}"#;
    format!("{{\"version\": 1, \"variables\": [{variables}],\n\"constraints\": [{constraints}]}}")
}

#[test]
fn the_text_of_the_documentation_is_read() {
    let model = read_text(KNAPSACK);
    assert_eq!(
        rows(&model),
        [
            "range of n: +1 n@0 +2 n@1 +4 n@2 <= 5",
            "weight: +5 a +4 ~c +1 n@0 +2 n@1 +4 n@2 <= 9",
            "+1 a +1 c >= 1"
        ]
    );
    let expected = "max (+6 a +5 c +1 n@0 +2 n@1 +4 n@2 -4) / 2";
    assert_eq!(objective(&model).as_deref(), Some(expected));
    assert!(solutions(&model).contains(&"a=1 c=1 n=-1".to_owned()));
}

#[test]
fn a_model_is_written_for_programs_and_people() {
    insta::assert_snapshot!(written(&read_text(KNAPSACK)), @r#"
    {
      "version": 1,
      "variables": [
        "a",
        "c",
        {"name": "n", "lower": -1, "upper": 4}
      ],
      "objective": {"sense": "max", "terms": [[6, "a"], [5, "c"], [1, "n"]], "offset": -3, "divisor": 2},
      "constraints": [
        {"name": "weight", "terms": [[5, "a"], [4, "~c"], [1, "n"]], "lower": null, "upper": 8},
        {"terms": [[1, "a"], [1, "c"]], "lower": 1, "upper": null}
      ]
    }
    "#);
    let empty = "{\n  \"version\": 1,\n  \"variables\": [],\n  \"constraints\": []\n}\n";
    assert_eq!(written(&Model::default()), empty);
    assert_eq!(written(&read_text(empty)), empty);
}

#[test]
fn numbers_are_exact_in_either_form() {
    let wide = i128::from(u64::MAX) * 4;
    let text = constraints(&format!(
        r#"{{"terms": [[{wide}, "a"], ["{wide}", "b"], ["-3", "a"]], "op": "=", "rhs": 9007199254740993}}"#
    ));
    let model = read_text(&text);
    let sum = format!("+{wide} a +{wide} b -3 a");
    assert_eq!(rows(&model)[1], format!("{sum} = 9007199254740993"));
    let back = written(&model);
    assert!(back.contains(&format!(r#"["{wide}", "a"]"#)), "{back}");
    assert!(back.contains(r#""lower": "9007199254740993""#), "{back}");
    assert_eq!(rows(&read_text(&back)), rows(&model));
}

#[test]
fn escapes_blanks_and_a_byte_order_mark_are_read() {
    let text = "\u{feff} {\"constraints\": [{\"terms\":[[1,\"\\u0061 b\"],[1,\"~\\\"\"]],\"lower\":1}],\r\n\t\
                \"variables\": [\"a b\", \"\\\"\"], \"version\": 1, \"objective\": null}";
    assert_eq!(rows(&read_text(text)), ["+1 a b +1 ~\" >= 1"]);
}

#[test]
fn an_integer_from_0_to_1_is_a_variable() {
    let text = r#"{"version": 1, "variables": [{"name": "n", "lower": 0, "upper": 1}],
        "constraints": [{"terms": [[1, "~n"]], "lower": 1}]}"#;
    assert_eq!(rows(&read_text(text)), ["+1 ~n >= 1"]);
    let mut model = Model::default();
    let digit = model.new_integer("n", 0, 1).bits[0];
    model.add(Linear::at_least(1, [digit.negative()]));
    assert_eq!(rows(&read_text(&written(&model))), ["+1 ~n >= 1"]);
}

#[test]
fn digits_of_integers_are_written_where_they_are_not_in_proportion() {
    let mut model = Model::default();
    let x = model.new_var("x");
    let digits = model.new_integer("n", 3, 8).bits.clone();
    model.new_integer("one_value", 7, 7);
    model.new_integer("another", -2, -2);
    let [first, second, third] = digits[..] else { unreachable!() };
    model.add(Linear::sum([(2, first.positive()), (1, second.negative())]).with_upper(1));
    model.add(Linear::sum([(1, third.positive()), (1, x.positive())]).with_lower(1));
    let wide = i128::MAX - 8;
    model.add(
        Linear::sum([(1, first.positive()), (2, second.positive()), (4, third.positive())])
            .with_upper(wide + 8),
    );
    let text = written(&model);
    let back = read_text(&text);
    assert_eq!(rows(&back), rows(&model), "{text}");
    assert_eq!(back.integers(), model.integers(), "{text}");
    assert!(text.contains(r#"[2, "n@0"], [1, "~n@1"]"#), "{text}");
}

proptest! {
    #[test]
    fn what_is_written_comes_back(model in any_model()) {
        assert_comes_back(&model, &written(&model), read, written);
    }

    #[test]
    fn solutions_come_back_by_name_and_value(model in any_model()) {
        for assignment in satisfying(&model).iter().take(5) {
            let mut text = Vec::new();
            write_solution(&model, assignment, &mut text).expect("a vector takes everything");
            let back = read_solution(&text, &model);
            prop_assert_eq!(back.as_ref(), Ok(assignment), "{}", String::from_utf8_lossy(&text));
        }
    }

    #[test]
    fn rows_come_back_as_they_are(
        rows_of_model in prop::collection::vec(
            (
                prop::collection::vec((any::<i64>(), 0..6usize, any::<bool>()), 0..6),
                prop::option::of(any::<i64>()),
                prop::option::of(any::<i64>()),
            ),
            0..5,
        ),
    ) {
        let mut model = Model::default();
        model.new_var("x");
        model.new_integer("n", -3, 3);
        model.new_vars(2);
        for (terms, lower, upper) in rows_of_model {
            let terms = terms.into_iter().map(|(c, i, sign)| (c.into(), Var::new(i).lit(sign)));
            let bounds = [lower, upper].map(|bound| bound.map(i128::from));
            model.add(Linear { lower: bounds[0], upper: bounds[1], ..Linear::sum(terms) });
        }
        let text = written(&model);
        prop_assert_eq!(rows(&read_text(&text)), rows(&model), "{}", text);
    }
}

/// `s = x xor y`, by two rows.
#[derive(Debug)]
struct Differ;

impl Family for Differ {
    fn name(&self) -> &'static str {
        "differ"
    }

    fn num_groups(&self) -> usize {
        1
    }

    fn group(&self, _: usize) -> Group {
        Group { first_row: 0, num_rows: 2, first_indicator: 0, num_indicators: 1 }
    }

    fn for_each_row(
        &self,
        _: usize,
        indicator: Var,
        visit: &mut dyn FnMut(RowView<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let [x, y] = [0, 1].map(|i| Var::new(i).positive());
        for (lits, lower) in
            [([x, y, indicator.negative()], 1), ([!x, !y, indicator.negative()], 1)]
        {
            let coefficients = Coefficients::Ones;
            visit(RowView { lits: &lits, coefficients, lower: Some(lower), upper: None })?;
        }
        ControlFlow::Continue(())
    }

    fn complete(&self, _: usize, values: &mut Vec<bool>) {
        values.push(values[0] != values[1]);
    }

    fn indicator_name(&self, _: u64) -> String {
        "s".to_owned()
    }

    fn row_name(&self, row: u64) -> String {
        format!("differ_{row}")
    }

    fn row_sentence(&self, _: u64) -> String {
        "x and y differ".to_owned()
    }
}

#[test]
fn generated_names_and_rows_are_written_in_full() {
    let names = |i: usize| ["x", "y"][i].to_owned();
    let mut model = Model::with_generated_names(2, names);
    model.add_family(Arc::new(Differ));
    let back = read_text(&written(&model));
    assert_eq!(rows(&back), ["differ_0: +1 x +1 y +1 ~s >= 1", "differ_1: +1 ~x +1 ~y +1 ~s >= 1"]);
}

#[test]
fn names_that_cannot_be_told_apart_are_not_written() {
    for names in [["x", "x"], ["x", "~x"], ["~x", "x"], ["x", "a\nb"], ["x", "n@0"]] {
        let mut model = Model::default();
        model.new_integer("n", 0, 2);
        let lits: Vec<Lit> = names.iter().map(|name| model.new_var(name).positive()).collect();
        model.add(Linear::at_least(1, lits));
        let error = write(&model, &mut Vec::new()).unwrap_err();
        assert!(matches!(error, WriteError::Name(_)), "{names:?}: {error}");
    }
}

#[test]
fn the_second_row_of_a_name_is_written_without() {
    let mut model = Model::default();
    let x = model.new_var("x").positive();
    for _ in 0..2 {
        model.add(Linear::at_least(1, [x]).named("row"));
    }
    assert_eq!(rows(&read_text(&written(&model))), ["row: +1 x >= 1", "+1 x >= 1"]);
}

#[test]
fn objectives_beyond_128_bits_are_refused() {
    let number = i128::MAX;
    let text = format!(
        "{{\"version\": 1, \"variables\": [\"x\"], \"constraints\": [], \"objective\":\n\
         {{\"sense\": \"min\", \"offset\": 1,\n\"terms\": [[{number}, \"x\"]]}}}}"
    );
    insta::assert_snapshot!(unsupported(read(text.as_bytes())), @r#"
    2:1: values of the objective are beyond 128 bits
      | {"sense": "min", "offset": 1,
      | ^
    "#);
}

#[test]
fn floating_point_numbers_are_refused() {
    insta::assert_snapshot!(
        parse_error(read(constraints(r#"{"terms": [[1.5, "a"]], "upper": 1}"#).as_bytes())), @r#"
    2:29: `1.5` has a point or an exponent, but numbers are integers
      | "constraints": [{"terms": [[1.5, "a"]], "upper": 1}]}
      |                             ^
    "#);
    for number in
        ["1e3", "1.0", "\"1.0\"", "-1E2", "0.0", "true", "[1]", "\"007\"", "\"+1\"", "\"\""]
    {
        let text = constraints(&format!(r#"{{"terms": [], "upper": {number}}}"#));
        let error = parse_error(read(text.as_bytes()));
        assert!(error.starts_with("2:40: "), "{number}: {error}");
        assert!(error.contains("integer"), "{number}: {error}");
    }
}

#[test]
fn refusals_name_their_places() {
    for (text, expected) in [
        (r#"{"terms": [[1, "c"]], "upper": 1}"#, "2:32: `c` is no variable"),
        (r#"{"terms": [[1, "~n"]], "upper": 1}"#, "2:32: `~n`: an integer has no negation"),
        (r#"{"terms": [[1, "a", 2]], "upper": 1}"#, "2:28: a term such as [2, \"x\"] is expected"),
        (r#"{"terms": [["a", 1]], "upper": 1}"#, "2:29: an integer is expected, found `\"a\"`"),
        (r#"{"terms": [{}], "upper": 1}"#, "2:28: a term such as"),
        (r#"{"terms": {}, "upper": 1}"#, "2:27: a list is expected"),
        (r#"{"terms": [], "uper": 1}"#, "2:31: unknown field `uper`, expected one of"),
        (r#"{"terms": [], "upper": 1, "upper": 2}"#, "2:43: duplicate field `upper`"),
        (r#"{"upper": 1}"#, "2:28: missing field `terms`"),
        (r#"{"terms": []}"#, "2:17: this constraint has neither"),
        (r#"{"terms": [], "op": "<="}"#, "2:37: `op` without `rhs`"),
        (r#"{"terms": [], "rhs": 1}"#, "2:38: `rhs` without `op`"),
        (r#"{"terms": [], "op": "<", "rhs": 1}"#, "2:37: \"<=\", \">=\" or \"=\" is expected"),
        (r#"{"terms": [], "op": "<=", "rhs": 1, "lower": 0}"#, "2:37: `op` and `rhs` beside"),
        (r#"{"terms": [], "upper": 1}, 7"#, "2:44: an object in braces is expected"),
        (r#"{"terms": [], "upper": 1}, [[], 1]"#, "2:44: an object in braces is expected"),
        (r#"{"terms": [], "upper": 1, "name": ""}"#, "2:51: a name is empty"),
        (r#"{"terms": [], "upper": 1},"#, "2:43: expected value"),
        (r#"{"terms": [], "upper": 1"#, "2:41: expected `,` or `}`"),
    ] {
        let error = parse_error(read(constraints(text).as_bytes()));
        assert!(error.starts_with(expected), "{text}\n{error}\nexpected {expected}");
    }
}

#[test]
fn refused_variables_name_their_places() {
    for (variables, expected) in [
        (r#""a", "a""#, "1:35: `a` is declared twice"),
        (r#""a", "~a""#, "1:35: `~a` is also the negation of `a`"),
        (r#""a", 3"#, "1:35: a name in quotes is expected, found `3`"),
        (r#""a", """#, "1:35: a name is empty"),
        (r#""a", "b\n""#, "1:35: a name has a line break"),
        (r#""a", "\ud800""#, "1:3"),
        (r#"{"name": "n", "lower": 0, "upper": 4}, "n@1""#, "1:69: `n@1` is how a binary digit"),
        (r#""n@1", {"name": "n", "lower": 0, "upper": 4}"#, "1:46: `n@1` is how a binary digit"),
        (r#"{"name": "n", "lower": 2, "upper": 1}"#, "1:65: the upper bound 1 is below the lower"),
        (r#"{"name": "n", "lower": 2}"#, "1:54: missing field `upper`"),
        (r#"{"name": "n", "lower": 2, "upper": null}"#, "1:65: an integer is expected"),
    ] {
        let text = format!(r#"{{"version": 1, "variables": [{variables}], "constraints": []}}"#);
        let error = parse_error(read(text.as_bytes()));
        assert!(error.starts_with(expected), "{text}\n{error}\nexpected {expected}");
    }
}

#[test]
fn refused_documents_name_their_places() {
    for (text, expected) in [
        ("", "1:1: the text ends too early"),
        ("[]", "1:1: an object in braces is expected"),
        ("[1, [], [], []]", "1:1: an object in braces is expected"),
        ("{\"version\": 1,\n", "1:15: the text ends too early"),
        (r#"{"version": 1, "variables": []}"#, "1:31: missing field `constraints`"),
        (r#"{"version": 1, "variables": [], "constraints": []} x"#, "1:52: trailing characters"),
        (r#"{"version": 1, "names": []}"#, "1:16: unknown field `names`"),
    ] {
        let error = parse_error(read(text.as_bytes()));
        assert!(error.starts_with(expected), "{text}\n{error}\nexpected {expected}");
    }
    let error = parse_error(read(b"{\"version\": \xff}"));
    assert!(error.starts_with("1:13: these bytes are no UTF-8"), "{error}");
    let version = r#"{"version": 2, "variables": [], "constraints": []}"#;
    let error = unsupported(read(version.as_bytes()));
    assert!(error.starts_with("1:13: version 2: this program reads version 1"), "{error}");
}

#[test]
fn numbers_beyond_128_bits_are_unsupported() {
    let beyond = "170141183460469231731687303715884105728";
    let most = i128::MAX;
    for constraint in [
        format!(r#"{{"terms": [[{beyond}, "a"]], "upper": 1}}"#),
        format!(r#"{{"terms": [], "upper": "{beyond}"}}"#),
        format!(r#"{{"terms": [[{most}, "a"], [1, "b"]], "upper": 1}}"#),
        format!(r#"{{"terms": [[{most}, "n"]], "upper": 1}}"#),
    ] {
        let error = unsupported(read(constraints(&constraint).as_bytes()));
        assert!(error.contains("beyond 128 bits"), "{constraint}\n{error}");
    }
}

#[test]
fn an_objective_keeps_sense_offset_and_divisor() {
    let mut model = Model::default();
    let x = model.new_var("x").positive();
    let terms = vec![Term { coefficient: 2, lit: !x }, Term { coefficient: 0, lit: x }];
    for sense in [Sense::Minimize, Sense::Maximize] {
        let terms = terms.clone();
        model.set_objective(Objective { sense, terms, constant: -5, divisor: 3 });
        assert_eq!(read_text(&written(&model)).objective(), model.objective());
    }
}

#[test]
fn random_texts_do_not_panic() {
    let words = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"a\"",
        "\"n\"",
        "\"terms\"",
        "\"lower\"",
        "1",
        "-2",
        "null",
        "1.5",
        " ",
        "\n",
        "\"version\"",
        "\"~a\"",
        "\"op\"",
        "\"<=\"",
    ];
    let num_read = read_mutations(KNAPSACK, &words, read);
    assert!(num_read > 100, "{num_read}");
}
