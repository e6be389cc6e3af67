//! The OPB reader: what it accepts, what it refuses and how it says so.

use pbsolve::formats::ReadError;
use pbsolve::formats::opb::read;
use pbsolve_model::{Assignment, Model, Objective, RowId, Sense, Term, Var};

fn model(text: impl AsRef<[u8]>) -> Model {
    let text = text.as_ref();
    read(text).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(text)))
}

fn sum(terms: impl Iterator<Item = Term>, model: &Model) -> String {
    let term = |Term { coefficient, lit }: Term| {
        let sign = if lit.is_negative() { "~" } else { "" };
        format!("{coefficient:+} {sign}{}", model.variable_name(lit.var()))
    };
    terms.map(term).collect::<Vec<_>>().join(" ")
}

fn rows(text: impl AsRef<[u8]>) -> Vec<String> {
    let model = model(text);
    let row = |i| {
        let row = model.explicit_row(i);
        let sum = sum(row.terms(), &model);
        match (row.lower, row.upper) {
            (Some(lower), Some(upper)) if lower == upper => format!("{sum} = {lower}"),
            (Some(lower), None) => format!("{sum} >= {lower}"),
            (None, Some(upper)) => format!("{sum} <= {upper}"),
            other => panic!("row {i} has the bounds {other:?}"),
        }
    };
    (0..model.num_explicit_rows()).map(row).collect()
}

/// The satisfying assignments, as strings of 0 and 1.
fn satisfying(model: &Model) -> Vec<String> {
    let n = model.num_decisions();
    let assignments = (0..1usize << n).map(|bits| (0..n).map(|i| bits >> i & 1 == 1).collect());
    let assignments = assignments.map(Assignment::from_values);
    let satisfying = assignments.filter(|assignment| model.check(assignment).is_ok());
    let digits = |a: Assignment| a.values().iter().map(|&v| if v { '1' } else { '0' }).collect();
    satisfying.map(digits).collect()
}

fn objective(text: &str) -> (Sense, String, i128) {
    let model = model(text);
    let Objective { sense, terms, constant, .. } = model.objective().expect("an objective").clone();
    (sense, sum(terms.into_iter(), &model), constant)
}

fn parse_error(text: impl AsRef<[u8]>) -> String {
    match read(text.as_ref()) {
        Err(ReadError::Parse(error)) => format!("{error}\n{}", error.excerpt()),
        other => panic!("{}: {other:?}", String::from_utf8_lossy(text.as_ref())),
    }
}

fn unsupported(text: impl AsRef<[u8]>) -> String {
    match read(text.as_ref()) {
        Err(ReadError::Unsupported(error)) => format!("{error}\n{}", error.excerpt()),
        other => panic!("{}: {other:?}", String::from_utf8_lossy(text.as_ref())),
    }
}

// Regressions: faults that users of other tools reported.

/// A row of negative coefficients was read as if its signs were typing errors.
#[test]
fn rows_of_negative_coefficients_keep_their_signs() {
    let text = "* #variable= 3 #constraint= 1\nmin: -1 x1 -4 x3 ;\n-2 x1 -3 x2 -4 x3 >= -5 ;\n";
    assert_eq!(rows(text), ["-2 x1 -3 x2 -4 x3 >= -5"]);
    assert_eq!(objective(text), (Sense::Minimize, "-1 x1 -4 x3".to_owned(), 0));
}

/// A solver cut a bound above the largest possible sum down to that sum, and found a solution.
#[test]
fn a_bound_above_the_largest_sum_stays() {
    let text = "+1 x1 +1 x2 = 7 ;";
    assert_eq!(rows(text), ["+1 x1 +1 x2 = 7"]);
    assert!(satisfying(&model(text)).is_empty());
}

/// 2^64 + 1 became 1 in 64 bits, and a contradiction satisfiable.
#[test]
fn a_bound_beyond_64_bits_is_exact() {
    let text = "+1 x1 >= 18446744073709551617 ;";
    assert_eq!(rows(text), ["+1 x1 >= 18446744073709551617"]);
    assert!(satisfying(&model(text)).is_empty());
}

/// Comments held constraints, accents in Latin-1 and more characters than a line buffer.
#[test]
fn comments_may_hold_anything() {
    let mut text = b"* gr\xf6\xdfer +1 x7 >= 1 ;\n".to_vec();
    text.extend(b"* +1 x9 >= 9 ;".repeat(1000));
    text.extend(
        b"\n+1 x1 >= 0 ;\n  \t* also after blanks \xff\0\n+1 x2\n* in between; >= 5 ;\n>= 1 ;",
    );
    assert_eq!(rows(&text), ["+1 x1 >= 0", "+1 x2 >= 1"]);
}

/// Files saved on Windows begin with a byte-order mark and end their lines with CR LF.
#[test]
fn a_byte_order_mark_and_cr_lf_are_read() {
    let text =
        "\u{feff}* #variable= 4 #constraint= 1\r\nmin: +3 x1 ;\r\n+1 x1\r\n +1 x2 >= 1 ;\r\n";
    assert_eq!(rows(text), ["+1 x1 +1 x2 >= 1"]);
    assert_eq!(model(text).num_decisions(), 4);
}

/// The second of two terms with one variable replaced the first.
#[test]
fn a_repeated_variable_counts_twice() {
    let text = "+1 x1 +1 x1 +1 x2 >= 2 ;";
    assert_eq!(rows(text), ["+1 x1 +1 x1 +1 x2 >= 2"]);
    assert_eq!(satisfying(&model(text)), ["10", "11"]);
}

/// A sum of even numbers equal to an odd one: fractions would do, no 0-1 values do.
#[test]
fn an_equality_bounds_both_sides() {
    let text = "+2 x1 +4 x2 -6 x3 = 3 ;";
    assert_eq!(rows(text), ["+2 x1 +4 x2 -6 x3 = 3"]);
    assert!(satisfying(&model(text)).is_empty());
}

/// A reader stopped after the promised number of constraints, before the contradiction.
#[test]
fn a_header_that_promises_less_than_there_is_is_not_obeyed() {
    let text = "* #variable= 1 #constraint= 1\n+1 x1 >= 1 ;\n+1 x3 >= 1 ;\n-1 x1 -1 x3 >= -1 ;\n";
    assert_eq!(rows(text), ["+1 x1 >= 1", "+1 x3 >= 1", "-1 x1 -1 x3 >= -1"]);
    assert_eq!(model(text).num_decisions(), 3);
    assert!(satisfying(&model(text)).is_empty());
}

/// `max:` was read as `min:`.
#[test]
fn max_maximizes() {
    let text = "max: +5 x1 -4 x2 ;\n+1 x1 +1 x2 >= 1 ;";
    assert_eq!(objective(text), (Sense::Maximize, "+5 x1 -4 x2".to_owned(), 0));
}

/// The constant that a negated literal hides was lost from the value of the objective.
#[test]
fn negated_literals_stay_in_the_objective() {
    let text = "min: +3 ~x1 -2 ~x2 ;";
    assert_eq!(objective(text), (Sense::Minimize, "+3 ~x1 -2 ~x2".to_owned(), 0));
    let both_false = Assignment::from_values(vec![false; 2]);
    assert_eq!(model(text).objective().and_then(|o| o.value(&both_false)), Some(1));
}

/// A negative bound of `<=` was taken for a contradiction.
#[test]
fn at_most_a_negative_bound_can_be_satisfied() {
    let text = "-2 x1 <= -1 ; -3 x1 +5 x2 <= 1 ;";
    assert_eq!(rows(text), ["-2 x1 <= -1", "-3 x1 +5 x2 <= 1"]);
    assert_eq!(satisfying(&model(text)), ["10"]);
}

/// A file without constraints was refused, though its objective has an optimum.
#[test]
fn an_objective_alone_is_a_model() {
    let text = "* #variable= 3 #constraint= 0\nmin: -4 x1 +2 x2 ;\n";
    assert_eq!(objective(text), (Sense::Minimize, "-4 x1 +2 x2".to_owned(), 0));
    assert_eq!((model(text).num_decisions(), model(text).num_rows()), (3, 0));
}

/// The last constraint was lost when no line end followed it.
#[test]
fn tabs_blank_lines_and_a_missing_line_end_are_read() {
    let text = "* #variable= 2 #constraint= 2   \n\n\t+1 x1\t+1 x2 >= 1 ;  \t\n   \n-1 x1 >= 0 ;";
    assert_eq!(rows(text), ["+1 x1 +1 x2 >= 1", "-1 x1 >= 0"]);
}

/// Powers of two up to 2^60 beside each other: floating-point numbers lose the low ones.
#[test]
fn powers_of_two_are_exact() {
    let terms: Vec<String> = (0..=60).map(|i| format!("+{} x{}", 1u64 << i, i + 1)).collect();
    let model = model(format!("{} = {} ;", terms.join(" "), (1u64 << 61) - 1));
    let mut values = vec![true; 61];
    assert!(model.check(&Assignment::from_values(values.clone())).is_ok());
    values[0] = false;
    let violation = model.check(&Assignment::from_values(values)).unwrap_err();
    assert_eq!(violation.sum, (1 << 61) - 2);
}

/// Three coefficients of 2^31 - 1 wrapped to a negative sum.
#[test]
fn sums_beyond_32_bits_do_not_wrap() {
    let text = "+2147483647 x1 +2147483647 x2 +2147483647 x3 -2 x4 >= 4294967294 ;";
    assert_eq!(satisfying(&model(text)), ["1100", "1010", "0110", "1110", "1111"]);
}

// What files in use add to the grammar.

#[test]
fn coefficients_may_be_missing_or_set_off_or_multiplied() {
    let text = "x1 - x2 + 3 x3 -  4 x4 2*x5 + 3 * ~x6 5x7 >= - 2 ;";
    assert_eq!(rows(text), ["+1 x1 -1 x2 +3 x3 -4 x4 +2 x5 +3 ~x6 +5 x7 >= -2"]);
}

#[test]
fn constraints_may_span_lines_and_share_them() {
    let text = "+1\nx1\n+1 x2\n>=\n1\n;+1 x2 = 1;x3>=0;";
    assert_eq!(rows(text), ["+1 x1 +1 x2 >= 1", "+1 x2 = 1", "+1 x3 >= 0"]);
}

#[test]
fn a_comment_may_follow_a_constraint_on_its_line() {
    assert_eq!(rows("+1 x1 >= 1 ; * forced\n+1 x2 >= 0 ;"), ["+1 x1 >= 1", "+1 x2 >= 0"]);
}

#[test]
fn constants_on_the_left_move_to_the_right() {
    assert_eq!(
        rows("x1 + 3 >= 4 ; 2 - x1 <= 5 ; 7 >= 2 ;"),
        ["+1 x1 >= 1", "-1 x1 <= 3", " >= -5"]
    );
    assert_eq!(objective("min: 3 x1 - 7 ;"), (Sense::Minimize, "+3 x1".to_owned(), -7));
}

#[test]
fn empty_sums_are_read() {
    assert_eq!(rows("min: ;\n>= 1 ; <= 0 ;"), [" >= 1", " <= 0"]);
    assert_eq!(objective("min: ;"), (Sense::Minimize, String::new(), 0));
    assert!(model("min: ;").objective().is_some_and(Objective::is_constant));
}

#[test]
fn a_label_names_its_row() {
    let model = model("@first +1 x1 >= 1 ;\n+1 x2 >= 0 ;\n@third_row\n+1 x2 >= 1 ;");
    let names: Vec<_> = (0..3).map(|i| model.row_name(RowId(i))).collect();
    assert_eq!(names, [Some("first".to_owned()), None, Some("third_row".to_owned())]);
}

#[test]
fn variables_may_all_have_other_names() {
    let text = "* #variable= 9 #constraint= 1\nmin: y_1 ;\n+2 b[1] -1 ~y_1 >= 0 ;\nX1 >= 1 ;";
    assert_eq!(rows(text), ["+2 b[1] -1 ~y_1 >= 0", "+1 X1 >= 1"]);
    let model = model(text);
    let names = (0..model.num_decisions()).map(|i| model.variable_name(Var::new(i)));
    assert_eq!(names.collect::<Vec<_>>(), ["y_1", "b[1]", "X1"]);
}

#[test]
fn the_header_declares_variables_that_no_row_uses() {
    let text = "\n* #variable= 5 #constraint= 1 #equal= 0 intsize= 3\n+1 x2 >= 1 ;\n";
    assert_eq!(model(text).num_decisions(), 5);
    assert_eq!(model("* #variable= 3 #constraint= 0\n").num_decisions(), 3);
    assert_eq!(model("* #variable=3 #constraint=1\n>= 0;").num_decisions(), 3);
}

#[test]
fn map_comments_rename_nothing() {
    let model = model("* #variable= 2 #constraint= 1\n* map x1 x_1_1\n+1 x1 +1 x2 >= 1 ;\n");
    assert_eq!(model.variable_name(Var::new(0)), "x1");
}

// Refusals.

#[test]
fn other_relations_are_refused_with_advice() {
    insta::assert_snapshot!(parse_error("+1 x1 +1 x2 > 1 ;"), @r"
    1:13: `>` is not OPB: write `>=` and add 1 to the bound
      | +1 x1 +1 x2 > 1 ;
      |             ^
    ");
    insta::assert_snapshot!(parse_error("+1 x1 < 1 ;"), @r"
    1:7: `<` is not OPB: write `<=` and subtract 1 from the bound
      | +1 x1 < 1 ;
      |       ^
    ");
    insta::assert_snapshot!(parse_error("+1 x1 == 1 ;"), @r"
    1:7: `==` is not OPB: write `=`
      | +1 x1 == 1 ;
      |       ^
    ");
    insta::assert_snapshot!(parse_error("+1 x1 != 1 ;"), @r#"
    1:7: "not equal" is not linear: only `>=`, `<=` and `=` are OPB
      | +1 x1 != 1 ;
      |       ^
    "#);
    insta::assert_snapshot!(parse_error("x1 => +1 x2 >= 1 ;"), @r#"
    1:4: `=>` is not OPB: write `>=` for "at least"; implications are not read
      | x1 => +1 x2 >= 1 ;
      |    ^
    "#);
    insta::assert_snapshot!(parse_error("+1 x1 ≥ 1 ;"), @r"
    1:7: `>=`, `<=`, `=` or another term is expected, found `≥`
      | +1 x1 ≥ 1 ;
      |       ^
    ");
    insta::assert_snapshot!(parse_error("1 <= x1 + x2 <= 2 ;"), @r"
    1:6: an integer on the right is expected, found `x1`
      | 1 <= x1 + x2 <= 2 ;
      |      ^
    ");
}

#[test]
fn a_missing_semicolon_is_refused() {
    insta::assert_snapshot!(parse_error("+1 x1 >= 1 ;\n+1 x2\n>= 1\n"), @r"
    3:5: the text ends inside the statement that begins on line 2: `;` after the bound is expected
      | >= 1
      |     ^
    ");
    insta::assert_snapshot!(parse_error("+1 x1 >= 1\n+1 x2 >= 1 ;"), @r"
    2:1: `;` after the bound is expected, found `+`
      | +1 x2 >= 1 ;
      | ^
    ");
    insta::assert_snapshot!(parse_error("min: +1 x1\n+1 x2 >= 1 ;"), @r"
    2:7: `;` or another term is expected, found `>`
      | +1 x2 >= 1 ;
      |       ^
    ");
}

#[test]
fn numbers_that_are_no_integers_are_refused() {
    insta::assert_snapshot!(parse_error("+1.5 x1 >= 1 ;"), @r"
    1:3: a number runs on with `.`: numbers are integers, and a name other than x<number> is set off by a blank
      | +1.5 x1 >= 1 ;
      |   ^
    ");
    insta::assert_snapshot!(parse_error("+1 x1 >= 1e3 ;"), @r"
    1:11: `;` after the bound is expected, found `e3`
      | +1 x1 >= 1e3 ;
      |           ^
    ");
    insta::assert_snapshot!(parse_error("1e3 >= 1 ;"), @r"
    1:2: a number runs on with `e3`: numbers are integers, and a name other than x<number> is set off by a blank
      | 1e3 >= 1 ;
      |  ^
    ");
    insta::assert_snapshot!(parse_error("+1 x1 >= x2 ;"), @r"
    1:10: an integer on the right is expected, found `x2`
      | +1 x1 >= x2 ;
      |          ^
    ");
    insta::assert_snapshot!(parse_error("+1 x1 2 >= 1 ;"), @r"
    1:9: a variable after the coefficient is expected, found `>`
      | +1 x1 2 >= 1 ;
      |         ^
    ");
    insta::assert_snapshot!(parse_error("+ - 1 x1 >= 1 ;"), @r"
    1:3: a number or a variable after the sign is expected, found `-`
      | + - 1 x1 >= 1 ;
      |   ^
    ");
}

#[test]
fn variables_begin_at_1() {
    insta::assert_snapshot!(parse_error("+1 x1 +1 x0 >= 1 ;"), @r"
    1:10: `x0` is no variable: numbers begin at x1 and have no leading zeros
      | +1 x1 +1 x0 >= 1 ;
      |          ^
    ");
    insta::assert_snapshot!(parse_error("+1 x01 >= 1 ;"), @r"
    1:4: `x01` is no variable: numbers begin at x1 and have no leading zeros
      | +1 x01 >= 1 ;
      |    ^
    ");
}

#[test]
fn numbered_and_named_variables_do_not_mix() {
    insta::assert_snapshot!(parse_error("+1 x1 +1 y >= 1 ;"), @r"
    1:10: `y` in a file with variables called x<number>: either all are called so, or none is
      | +1 x1 +1 y >= 1 ;
      |          ^
    ");
    insta::assert_snapshot!(parse_error("+1 y +1 x1 >= 1 ;"), @r"
    1:9: `x1` in a file with other names: all variables are called x<number>, or none is
      | +1 y +1 x1 >= 1 ;
      |         ^
    ");
}

#[test]
fn a_misplaced_or_second_objective_is_refused() {
    insta::assert_snapshot!(parse_error("+1 x1 >= 1 ;\nmin: +1 x1 ;"), @r"
    2:1: an objective after a constraint: it stands before all constraints
      | min: +1 x1 ;
      | ^
    ");
    insta::assert_snapshot!(parse_error("min: +1 x1 ;\nmax: +1 x1 ;"), @r"
    2:1: a second objective: there can be only one
      | max: +1 x1 ;
      | ^
    ");
    insta::assert_snapshot!(parse_error("maximize: +1 x1 ;"), @r"
    1:1: `maximize` with a colon: an objective begins with `min:` or `max:`, the label of a constraint with `@`
      | maximize: +1 x1 ;
      | ^
    ");
}

#[test]
fn a_file_cut_between_constraints_is_refused() {
    insta::assert_snapshot!(parse_error("* #variable= 2 #constraint= 2\n+1 x1 >= 1 ;\n"), @r"
    1:29: the first line promises 2 constraints, the text has 1: was it cut short? If not, correct this number
      | * #variable= 2 #constraint= 2
      |                             ^
    ");
}

#[test]
fn a_text_without_any_statement_is_refused() {
    for text in ["", "\n\n", "* a comment\n", "\u{feff}"] {
        assert!(parse_error(text).contains("no constraint and no objective"), "{text:?}");
    }
}

#[test]
fn bytes_that_are_no_opb_are_refused() {
    insta::assert_snapshot!(parse_error(b"+1 x1 \xff >= 1 ;"), @r"
    1:7: `>=`, `<=`, `=` or another term is expected, found the byte 0xff, which is not UTF-8
      | +1 x1 � >= 1 ;
      |       ^
    ");
    insta::assert_snapshot!(parse_error("+1 x1 \0 >= 1 ;"), @r"
    1:7: `>=`, `<=`, `=` or another term is expected, found the control character \0
      | +1 x1   >= 1 ;
      |       ^
    ");
    insta::assert_snapshot!(parse_error("; +1 x1 >= 1 ;"), @r"
    1:1: `>=`, `<=`, `=` or another term is expected, found `;`
      | ; +1 x1 >= 1 ;
      | ^
    ");
}

/// Old Mac files end lines with CR alone; the first comment must not swallow the rest.
#[test]
fn a_lone_cr_ends_a_comment() {
    assert_eq!(rows("* #variable= 1 #constraint= 1\r+1 x1 >= 1 ;\r"), ["+1 x1 >= 1"]);
}

#[test]
fn products_and_soft_constraints_are_unsupported() {
    insta::assert_snapshot!(unsupported("+1 x1 ~x2 >= 1 ;"), @r"
    1:7: products of literals are not supported (a sum needs a sign here)
      | +1 x1 ~x2 >= 1 ;
      |       ^
    ");
    insta::assert_snapshot!(unsupported("+1 x1*x2 >= 1 ;"), @r"
    1:6: products of literals are not supported (a sum needs a sign here)
      | +1 x1*x2 >= 1 ;
      |      ^
    ");
    insta::assert_snapshot!(unsupported("p cnf 3 2\n1 -2 0\n"), @r"
    1:3: products of literals are not supported (a sum needs a sign here)
      | p cnf 3 2
      |   ^
    ");
    insta::assert_snapshot!(unsupported("soft: 10 ;\n"), @r"
    1:1: soft constraints (`soft:`) are not supported
      | soft: 10 ;
      | ^
    ");
    insta::assert_snapshot!(unsupported("+1 x1 >= 1 ;\n[5] +1 x1 >= 1 ;"), @r"
    2:1: soft constraints (`[weight]`) are not supported
      | [5] +1 x1 >= 1 ;
      | ^
    ");
}

// Boundaries.

#[test]
fn numbers_up_to_128_bits_are_exact() {
    let numbers = [
        i128::from(i64::MAX),
        i128::from(i64::MIN),
        i128::from(i64::MAX) + 1,
        i128::from(i64::MIN) - 1,
        i128::from(u64::MAX) + 2,
        999_999_999_999_999_999,
        1_000_000_000_000_000_000,
        i128::MAX,
        -i128::MAX,
    ];
    for number in numbers {
        let text =
            format!("{number:+} x1 >= {number} ; {number:+} x1 <= {number} ; x1 = {number} ;");
        let expected = [
            format!("{number:+} x1 >= {number}"),
            format!("{number:+} x1 <= {number}"),
            format!("+1 x1 = {number}"),
        ];
        assert_eq!(rows(text), expected);
    }
    assert_eq!(rows(format!("+1 x1 >= {} ;", i128::MIN)), [format!("+1 x1 >= {}", i128::MIN)]);
    assert_eq!(rows(format!("+1 x1 >= {}1 ;", "0".repeat(100_000))), ["+1 x1 >= 1"]);
}

#[test]
fn numbers_beyond_128_bits_are_unsupported() {
    let max = "170141183460469231731687303715884105727";
    let beyond = "170141183460469231731687303715884105728";
    let texts = [
        format!("+1 x1 >= {beyond} ;"),
        format!("+{beyond} x1 >= 1 ;"),
        format!("-{beyond} x1 >= 1 ;"),
        "+1 x1 >= -170141183460469231731687303715884105729 ;".to_owned(),
        format!("+{max} x1 +1 x2 >= 1 ;"),
        format!("+{max} x1 -1 x1 >= 1 ;"),
        format!("min: +{max} x1 +1 x2 ;"),
        format!("min: +{max} x1 +1 ;"),
        format!("x1 - 1 >= {max} ;"),
        format!("x1 +{max} +1 >= 1 ;"),
        format!("+1 x1 >= {} ;", "9".repeat(100_000)),
        format!("{} x1 >= 1 ;", "9".repeat(100_000)),
        format!("* #variable= {} #constraint= 1\n", "9".repeat(100_000)),
    ];
    for text in texts {
        unsupported(text);
    }
    insta::assert_snapshot!(unsupported(format!("+1 x1 >= {beyond} ;")), @r"
    1:10: this number of 39 digits is beyond 128 bits
      | +1 x1 >= 170141183460469231731687303715884105728 ;
      |          ^
    ");
}

#[test]
fn variables_too_far_up_are_unsupported() {
    insta::assert_snapshot!(unsupported("+1 x1 +1 x2147483648 >= 1 ;"), @r"
    1:10: `x2147483648` is too far up: in a text of this length variables go up to x10000000
      | +1 x1 +1 x2147483648 >= 1 ;
      |          ^
    ");
    insta::assert_snapshot!(unsupported("* #variable= 2000000000 #constraint= 1\n+1 x1 >= 1 ;"), @r"
    1:14: 2000000000 variables are too many: a text of this length may have 10000000
      | * #variable= 2000000000 #constraint= 1
      |              ^
    ");
    unsupported("+1 x2147483647 >= 1 ;");
    unsupported(format!("+1 x{} >= 1 ;", "9".repeat(100_000)));
    assert_eq!(model("+1 x10000000 >= 1 ;").num_decisions(), 10_000_000);
}

// Robustness.

const ALL_FEATURES: &str = "* #variable= 6 #constraint= 5\n\
    min: +3 x1 -2 ~x2 + 4 ;\n\
    * map x1 cell\n\
    +1 x1 +1 x2 >= 1 ;\n\
    @label -3 x1 + 5 x2 <= 1 ; x3 >= 0;\n\
    2*x4 -18446744073709551617 x5\n\
    = 0 ;\n\
    3 - x6 >= 2 ;";

/// The header tells where a text was cut between two statements; without it, such a text is one
/// of its own.
#[test]
fn every_truncation_is_refused_or_complete() {
    for end in 0..ALL_FEATURES.len() {
        let text = &ALL_FEATURES[..end];
        assert!(read(text.as_bytes()).is_err(), "{text:?} was read as a whole");
    }
    assert!(read(ALL_FEATURES.as_bytes()).is_ok());
    let (_, body) = ALL_FEATURES.split_once('\n').expect("several lines");
    for end in 0..=body.len() {
        let text = &body[..end];
        let statements = text.lines().filter(|line| !line.starts_with('*'));
        let last = statements.collect::<Vec<_>>().join("\n");
        let is_complete = last.trim_end().ends_with(';');
        assert_eq!(read(text.as_bytes()).is_ok(), is_complete, "{text:?}");
    }
}

/// A small generator of pseudo-random numbers (xorshift64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).expect("below a usize")
    }
}

#[test]
fn random_and_mutated_texts_never_panic() {
    const ALPHABET: &[u8] = b"+-0123456789 x~;=<>*@[]:\n\r\tminaxsoft.#y_\xff\xef\xbb\xbf\0";
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut num_read = 0;
    for round in 0..30_000 {
        let text = if round % 3 == 0 {
            let length = random.below(60);
            (0..length).map(|_| ALPHABET[random.below(ALPHABET.len())]).collect()
        } else {
            let mut text = ALL_FEATURES.as_bytes().to_vec();
            for _ in 0..=random.below(4) {
                let at = random.below(text.len());
                match random.below(3) {
                    0 => text[at] = ALPHABET[random.below(ALPHABET.len())],
                    1 => text.insert(at, ALPHABET[random.below(ALPHABET.len())]),
                    _ => drop(text.drain(at..(at + random.below(5)).min(text.len()))),
                }
            }
            text
        };
        match read(&text) {
            Ok(_) => num_read += 1,
            Err(error) => assert!(error.place().excerpt().contains('^')),
        }
    }
    assert!(num_read > 1000, "only {num_read} texts were OPB");
}
