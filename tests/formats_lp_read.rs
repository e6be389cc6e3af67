//! The LP reader: what it accepts, what it refuses and how it says so.

mod small_models;

use pbsolve::formats::lp::read;
use pbsolve_model::Model;
use small_models::{objective, optimum, parse_error, read_mutations, rows, solutions, unsupported};

fn model(text: &str) -> Model {
    read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A model of these rows over the 0-1 variables `x`, `y`, `z`.
fn of_rows(rows: &str) -> String {
    format!("Minimize\n obj: x + y + z\nSubject To\n{rows}\nBinary\n x y z\nEnd\n")
}

/// A model of an integer variable `n` with these bounds.
fn of_bounds(bounds: &str) -> String {
    format!("Minimize\n obj: n\nSubject To\nBounds\n{bounds}\nGeneral\n n\nEnd\n")
}

fn refused(text: &str) -> String {
    parse_error(read(text.as_bytes()))
}

fn beyond(text: &str) -> String {
    unsupported(read(text.as_bytes()))
}

// Regressions: faults that users of other tools reported.

/// The second of two terms with one variable replaced the first.
#[test]
fn a_variable_twice_in_a_row_and_in_the_objective_counts_twice() {
    let text = "Maximize\n obj: 2 x + y + x\nSubject To\n c1: x + 2 y + x <= 3\n \
                c2: 2 x - x + y >= 1\nBinary\n x y\nEnd\n";
    assert_eq!(rows(&model(text)), ["c1: +1 x +2 y +1 x <= 3", "c2: +2 x -1 x +1 y >= 1"]);
    assert_eq!(solutions(&model(text)), ["x=0 y=1", "x=1 y=0"]);
    assert_eq!(optimum(&model(text)), ("3".to_owned(), vec!["x=1 y=0".to_owned()]));
}

/// A maximisation with a constant had the value -7, 10 or 13.
#[test]
fn a_maximized_objective_keeps_its_sign_and_constant() {
    let text = "\\ knapsack\nMaximize\n obj: 6 a + 5 c + 4 d - 3\nSubject To\n w: 5 a + 4 c\n    \
                + 3 d <= 8\nBinary\n a\n c\n d\nEnd\n";
    assert_eq!(rows(&model(text)), ["w: +5 a +4 c +3 d <= 8"]);
    assert_eq!(objective(&model(text)).as_deref(), Some("max (+6 a +5 c +4 d -3) / 1"));
    assert_eq!(optimum(&model(text)), ("7".to_owned(), vec!["a=1 c=0 d=1".to_owned()]));
}

/// Floating-point numbers made 0.1 + 0.2 differ from 0.3.
#[test]
fn decimal_coefficients_are_exact() {
    let text = of_rows(" 0.1 x + 0.2 y = 0.3\n 1e-3 x + 2.5E-3 z >= .001");
    assert_eq!(rows(&model(&text)), ["+1 x +2 y = 3", "+2 x +5 z >= 2"]);
    let text = of_rows(" 0.5 x + 0.25 y + z <= 1.75");
    assert_eq!(rows(&model(&text)), ["+2 x +1 y +4 z <= 7"]);
    let text = of_rows(" 9007199254740993 x - 9007199254740992 y >= 1");
    assert_eq!(rows(&model(&text)), ["+9007199254740993 x -9007199254740992 y >= 1"]);
}

// The format.

#[test]
fn section_words_have_several_forms() {
    for (sense, subject_to, bounds, binary, general) in [
        ("minimize", "subject to", "bounds", "binary", "general"),
        ("MINIMUM", "SUCH THAT", "BOUND", "BINARIES", "GENERALS"),
        ("min", "st", "Bounds", "bin", "gen"),
        ("Minimise", "s.t.", "bounds", "Bin", "Integers"),
        ("MIN", "ST.", "bounds", "bin", "int"),
    ] {
        let text = format!(
            "{sense} x + n\n{subject_to} c: x + n >= 2\n{bounds}\n n <= 3\n{binary}\n x\n{general} n\nEND"
        );
        assert_eq!(optimum(&model(&text)).0, "2", "{text}");
        assert_eq!(model(&text).integers().len(), 1, "{text}");
    }
    assert_eq!(optimum(&model("max\nx\nst\nx<=1\nbin\nx\nend")).0, "1");
}

#[test]
fn all_relations_are_read() {
    for (relation, expected) in [
        ("<", "<="),
        ("<=", "<="),
        ("=<", "<="),
        (">", ">="),
        (">=", ">="),
        ("=>", ">="),
        ("=", "="),
    ] {
        let text = of_rows(&format!("x+y{relation}1"));
        assert_eq!(rows(&model(&text)), [format!("+1 x +1 y {expected} 1")]);
    }
}

#[test]
fn ranges_and_numbers_on_the_left_are_read() {
    let text =
        of_rows(" r: -1 <= x - y <= 0\n 2 >= x + y + z >= 1\n 1 <= x + z\n 1 = y + z\n 5 >= 3");
    let expected = [
        "r: -1 <= +1 x -1 y <= 0",
        "1 <= +1 x +1 y +1 z <= 2",
        "+1 x +1 z >= 1",
        "+1 y +1 z = 1",
        " >= -2",
    ];
    assert_eq!(rows(&model(&text)), expected);
}

#[test]
fn constants_on_the_left_move_to_the_right() {
    let text = of_rows(" x + 3 - y <= 4 \n -2 + x >= - 1\n 1 <= x + y + 0.5 <= 2");
    assert_eq!(rows(&model(&text)), ["+1 x -1 y <= 1", "+1 x >= 1", "1 <= +2 x +2 y <= 3"]);
}

#[test]
fn signs_coefficients_and_names_may_touch() {
    let text = of_rows("-x+3y- -2z>=-1\n+ 2\n x + - 3 y\n + z <= 2");
    assert_eq!(rows(&model(&text)), ["-1 x +3 y +2 z >= -1", "+2 x -3 y +1 z <= 2"]);
}

#[test]
fn comments_blank_lines_and_line_ends_of_other_systems_are_read() {
    let text = "\u{feff}\\ a comment\r\n\r\nMinimize \\ another\r\n obj: x\r\nSubject To\r\n\
                \\ c: x >= 5\r\n x >= 1\r\nBinary\r\n x\r\nEnd \\ the end\r\n\\ nothing\r\n";
    assert_eq!(rows(&model(text)), ["+1 x >= 1"]);
    assert_eq!(rows(&model(&text.replace("\r\n", "\r"))), ["+1 x >= 1"]);
}

#[test]
fn names_may_have_signs_and_be_section_words_within_a_line() {
    let text = "Maximize\n obj: 2 x(1,2) + 3 ~y + 4 a[1] + 5 größe + 6 st + 7 min\nSubject To\n\
                end: x(1,2) + st <= 1\n bin: a[1] + ~y <= 1\nBinary\n x(1,2) ~y a[1]\n größe st min\nEnd\n";
    let expected = ["end: +1 x(1,2) +1 st <= 1", "bin: +1 a[1] +1 ~y <= 1"];
    assert_eq!(rows(&model(text)), expected);
    assert_eq!(optimum(&model(text)).0, "22");
}

#[test]
fn names_of_rows_may_be_missing_or_repeated() {
    let text = of_rows(" c: x >= 0\n c: y >= 0\n z >= 0");
    assert_eq!(rows(&model(&text)), ["c: +1 x >= 0", "c: +1 y >= 0", "+1 z >= 0"]);
}

#[test]
fn an_empty_objective_is_none() {
    for objective in ["", " obj:", " obj: 0", " obj: 0 x", " 3 - 3"] {
        let text = format!("Maximize\n{objective}\nSubject To\n x >= 0\nBinary\n x\nEnd");
        assert!(model(&text).objective().is_none(), "{text}");
    }
    let text = "Maximize\n 5\nSubject To\n x >= 0\nBinary\n x\nEnd";
    assert_eq!(objective(&model(text)).as_deref(), Some("max ( +5) / 1"));
}

#[test]
fn an_objective_with_fractions_has_a_divisor() {
    let text = "Minimize\n 0.5 x - 1.25 y + 0.1 n\nSubject To\n x + y >= 1\nBounds\n 1 <= n <= 2\n\
                Binary\n x y\nGeneral\n n\nEnd";
    assert_eq!(objective(&model(text)).as_deref(), Some("min (+10 x -25 y +2 n@0 +2) / 20"));
    assert_eq!(optimum(&model(text)), ("-23/20".to_owned(), vec!["n=1 x=0 y=1".to_owned()]));
}

#[test]
fn variables_are_in_the_order_of_their_first_appearance() {
    let text = "Minimize\n b\nSubject To\n c + a >= 1\nBinary\n d a b c\nEnd";
    assert_eq!(rows(&model(text)), ["+1 c +1 a >= 1"]);
    let model = model(text);
    let names = (0..4).map(|i| model.variable_name(pbsolve_model::Var::new(i)));
    assert_eq!(names.collect::<Vec<_>>(), ["b", "c", "a", "d"]);
}

// Bounds and integers.

#[test]
fn bounds_of_integers_are_read_and_rounded_inwards() {
    for (bounds, expected) in [
        ("-1 <= n <= 1", vec![-1, 0, 1]),
        ("n <= 2", vec![0, 1, 2]),
        ("n >= -1\nn <= 0", vec![-1, 0]),
        ("n = 7", vec![7]),
        ("7 = n", vec![7]),
        ("2 >= n >= 1", vec![1, 2]),
        ("2 >= n", vec![0, 1, 2]),
        ("-1.5 <= n <= 1.9", vec![-1, 0, 1]),
        ("n >= 0.1\nn <= 1.0", vec![1]),
        ("n free\nn >= -1\nn <= 1", vec![-1, 0, 1]),
        ("-inf <= n <= 1\n-1 <= n", vec![-1, 0, 1]),
        ("n <= 1e30\nn <= +1", vec![0, 1]),
        ("0 <= n <= 9\nn <= 1", vec![0, 1]),
        ("0.2 <= n <= 0.8", vec![]),
        ("5 <= n <= 3", vec![]),
        ("-5 <= n <= -6", vec![]),
        ("n = 0.5", vec![]),
    ] {
        let expected: Vec<String> = expected.iter().map(|value| format!("n={value}")).collect();
        let mut found = solutions(&model(&of_bounds(bounds)));
        found.sort_by_key(|solution| solution[2..].parse::<i64>().unwrap());
        assert_eq!(found, expected, "{bounds}");
    }
}

#[test]
fn integers_stand_for_the_sum_of_their_bits_in_rows() {
    let text = "Minimize\n obj: n\nSubject To\n c: 3 n - 0.5 x >= -4\nBounds\n -3 <= n <= 2\n\
                Binary\n x\nGeneral\n n\nEnd";
    let expected =
        ["range of n: +1 n@0 +2 n@1 +4 n@2 <= 5", "c: +6 n@0 +12 n@1 +24 n@2 -1 x >= 10"];
    assert_eq!(rows(&model(text)), expected);
    assert_eq!(optimum(&model(text)).0, "-1");
}

#[test]
fn an_integer_from_0_to_1_is_a_plain_variable() {
    assert_eq!(solutions(&model(&of_bounds("0 <= n <= 1"))), ["n=0", "n=1"]);
    assert!(model(&of_bounds("0 <= n <= 1")).integers().is_empty());
}

#[test]
fn bounds_narrow_a_binary_variable() {
    let with_bounds = |bounds: &str| {
        let text = format!("Min\n x\nSt\n x >= 0\nBounds\n{bounds}\nBinary\n x\nEnd");
        solutions(&model(&text))
    };
    assert_eq!(with_bounds("x = 1"), ["x=1"]);
    assert_eq!(with_bounds("x <= 0"), ["x=0"]);
    assert_eq!(with_bounds("-3 <= x <= 5"), ["x=0", "x=1"]);
    assert_eq!(with_bounds("x free"), ["x=0", "x=1"]);
    assert!(with_bounds("x >= 2").is_empty());
    assert!(with_bounds("x <= -1").is_empty());
}

#[test]
fn a_variable_may_be_declared_twice() {
    let text = "Min\n x\nSt\n x >= 0\nGeneral\n x\nBinary\n x\nGeneral\n x\nEnd";
    assert_eq!(solutions(&model(text)), ["x=0", "x=1"]);
}

// Refusals.

#[test]
fn continuous_and_unbounded_variables_are_unsupported_by_name() {
    let text = "Minimize\n x + 2 height\nSubject To\n x + height >= 1\nBinary\n x\nEnd";
    insta::assert_snapshot!(beyond(text), @r"
    2:8: `height` is continuous, but only 0-1 and bounded integer variables are supported: declare it under `Binary` or `General`
      |  x + 2 height
      |        ^
    ");
    insta::assert_snapshot!(beyond(&of_bounds("n >= 1")), @r"
    2:7: `n` has no finite upper bound: give both its bounds under `Bounds`, such as `-5 <= x <= 5`
      |  obj: n
      |       ^
    ");
    insta::assert_snapshot!(beyond(&of_bounds("n <= 1e20")), @r"
    2:7: `n` has no finite upper bound: give both its bounds under `Bounds`, such as `-5 <= x <= 5`
      |  obj: n
      |       ^
    ");
    insta::assert_snapshot!(beyond(&of_bounds("n free")), @r"
    2:7: `n` has no finite lower bound: give both its bounds under `Bounds`, such as `-5 <= x <= 5`
      |  obj: n
      |       ^
    ");
    insta::assert_snapshot!(beyond(&of_bounds("n <= -1")), @r"
    2:7: `n` has a negative upper bound and no lower bound, which some programs take for 0 and some for none: give both its bounds under `Bounds`, such as `-5 <= x <= 5`
      |  obj: n
      |       ^
    ");
}

#[test]
fn a_name_that_a_bit_has_is_unsupported() {
    let text = "Min\n n@1\nSt\n n@1 + n >= 1\nBounds\n n <= 3\nBinary\n n@1\nGeneral\n n\nEnd";
    insta::assert_snapshot!(beyond(text), @r"
    2:2: `n@1` is how a binary digit of `n` is called: rename one of them
      |  n@1
      |  ^
    ");
}

#[test]
fn what_is_not_linear_is_unsupported() {
    insta::assert_snapshot!(beyond(&of_rows(" x + [ y * z ] >= 1")), @r"
    4:6: quadratic terms are not supported: for 0-1 variables, x ^ 2 is x, and x * y is a third variable z with z <= x, z <= y and z >= x + y - 1
      |  x + [ y * z ] >= 1
      |      ^
    ");
    insta::assert_snapshot!(beyond(&of_rows(" x ^ 2 >= 1")), @r"
    4:4: quadratic terms are not supported: for 0-1 variables, x ^ 2 is x, and x * y is a third variable z with z <= x, z <= y and z >= x + y - 1
      |  x ^ 2 >= 1
      |    ^
    ");
    insta::assert_snapshot!(beyond(&of_rows(" i: x = 1 -> y + z <= 1")), @r"
    4:11: indicator rows are not supported: `b = 1 -> x <= 3` with `x <= 9` is `x + 6 b <= 9`
      |  i: x = 1 -> y + z <= 1
      |           ^
    ");
    insta::assert_snapshot!(beyond("Min\n x\nSt\n x >= 0\nSOS1\n s1: x:1\nEnd"), @r"
    5:1: special ordered sets are not supported: state them with 0-1 variables and rows
      | SOS1
      | ^
    ");
    insta::assert_snapshot!(beyond("Min\n x\nSt\n x >= 0\nSemi-continuous\n x\nEnd"), @r"
    5:1: semi-continuous variables are not supported: state them with a 0-1 variable
      | Semi-continuous
      | ^
    ");
    insta::assert_snapshot!(beyond("Min\n x\nSt\n x >= 0\nLazy Constraints\n x >= 1\nEnd"), @r"
    5:1: lazy constraints are not supported: move them under `Subject To`
      | Lazy Constraints
      | ^
    ");
    insta::assert_snapshot!(beyond("Min\n x\nSt\n x >= 0\nUser cuts\n x >= 1\nEnd"), @r"
    5:1: user cuts are not supported: remove them, since the other rows imply them
      | User cuts
      | ^
    ");
    insta::assert_snapshot!(beyond("Min\n x\nSt\n x >= 0\nGeneral Constraints\n x = MAX(y)\nEnd"), @r"
    5:1: general constraints are not supported: state them as linear rows
      | General Constraints
      | ^
    ");
}

#[test]
fn terms_on_the_right_are_refused() {
    insta::assert_snapshot!(refused(&of_rows(" x <= y")), @r"
    4:7: a number (variables stand on the left) is expected, found `y`
      |  x <= y
      |       ^
    ");
    insta::assert_snapshot!(refused(&of_rows(" x <= 3 y")), @r"
    4:9: a new line is expected after the number on the right, found `y`: terms stand on the left only
      |  x <= 3 y
      |         ^
    ");
    insta::assert_snapshot!(refused(&of_rows(" x <= 1 + y")), @r"
    4:9: a new line is expected after the number on the right, found `+`: terms stand on the left only
      |  x <= 1 + y
      |         ^
    ");
    insta::assert_snapshot!(refused(&of_rows(" x <= y <= z")), @r"
    4:7: a number (variables stand on the left) is expected, found `y`
      |  x <= y <= z
      |       ^
    ");
}

#[test]
fn rows_are_refused_with_what_was_expected() {
    insta::assert_snapshot!(refused(&of_rows(" c: x + y")), @r"
    5:1: `<=`, `>=` or `=` is expected, found `Binary`
      | Binary
      | ^
    ");
    insta::assert_snapshot!(refused(&of_rows(" x y >= 1")), @r"
    4:4: `<=`, `>=` or `=` is expected, found `y`
      |  x y >= 1
      |    ^
    ");
    insta::assert_snapshot!(refused(&of_rows(" x + >= 1")), @r"
    4:6: a number or the name of a variable is expected, found `>=`
      |  x + >= 1
      |      ^
    ");
    insta::assert_snapshot!(refused(&of_rows(" c: >= 1")), @r"
    4:5: a number or the name of a variable is expected, found `>=`
      |  c: >= 1
      |     ^
    ");
    insta::assert_snapshot!(refused(&of_rows(" x >= 1 c2: y >= 1")), @r"
    4:9: a new line is expected after the number on the right, found `c2`: terms stand on the left only
      |  x >= 1 c2: y >= 1
      |         ^
    ");
    insta::assert_snapshot!(refused(&of_rows(" x + y >= 1 <= 2")), @r"
    4:13: a second relation: a range is written as `1 <= x + y <= 3` or `3 >= x + y >= 1`
      |  x + y >= 1 <= 2
      |             ^
    ");
    insta::assert_snapshot!(refused(&of_rows(" 1 <= x + y >= 1")), @r"
    4:13: a second relation: a range is written as `1 <= x + y <= 3` or `3 >= x + y >= 1`
      |  1 <= x + y >= 1
      |             ^
    ");
    insta::assert_snapshot!(refused(&of_rows(" x +\n end >= 1")), @r"
    5:2: a number or the name of a variable is expected, found `end`
      |  end >= 1
      |  ^
    ");
    insta::assert_snapshot!(refused(&of_rows(" x + inf >= 1")), @r"
    4:6: `inf` is no name of a variable: it means infinity
      |  x + inf >= 1
      |      ^
    ");
    insta::assert_snapshot!(refused(&of_rows(" x >= -inf")), @r"
    4:8: a row without a finite bound says nothing: remove it
      |  x >= -inf
      |        ^
    ");
    insta::assert_snapshot!(refused(&of_rows(" 3 * x >= 1")), @r"
    4:4: `*` after a number: write `3 x` for 3 times x
      |  3 * x >= 1
      |    ^
    ");
}

#[test]
fn numbers_and_characters_are_refused_where_they_are_not_lp() {
    insta::assert_snapshot!(refused(&of_rows(" 1,5 x >= 1")), @r"
    4:3: a number runs on with `,5`: numbers have a decimal point and no separators, and a row ends with its line
      |  1,5 x >= 1
      |   ^
    ");
    insta::assert_snapshot!(refused(&of_rows(" x + y <= 1;")), @r"
    4:12: a number runs on with `;`: numbers have a decimal point and no separators, and a row ends with its line
      |  x + y <= 1;
      |            ^
    ");
    insta::assert_snapshot!(refused(&of_rows(" 2e1x >= 1")), @r"
    4:3: this may be an exponent or the name of a variable: set a name off by a blank
      |  2e1x >= 1
      |   ^
    ");
    insta::assert_snapshot!(refused(&of_rows(" 2eggs >= 1")), @r"
    4:3: this may be an exponent or the name of a variable: set a name off by a blank
      |  2eggs >= 1
      |   ^
    ");
    insta::assert_snapshot!(refused(&of_rows(" 1.2.3 x >= 1")), @r"
    4:5: a number runs on with `.3`: numbers have a decimal point and no separators, and a row ends with its line
      |  1.2.3 x >= 1
      |     ^
    ");
    insta::assert_snapshot!(refused(&of_rows(" .x >= 1")), @r"
    4:2: a `.` without digits: names do not begin with it
      |  .x >= 1
      |  ^
    ");
    insta::assert_snapshot!(refused(&of_rows(" x + y ≥ 1")), @r"
    4:8: `≥` cannot be part of a name
      |  x + y ≥ 1
      |        ^
    ");
    insta::assert_snapshot!(refused(&of_rows(" x + ]y >= 1")), @r"
    4:6: a `]` without a `[` before it
      |  x + ]y >= 1
      |      ^
    ");
    insta::assert_snapshot!(refused(&of_rows(" x + \0 >= 1")), @r"
    4:6: the character \0 is not LP
      |  x +   >= 1
      |      ^
    ");
    insta::assert_snapshot!(parse_error(read(b"Min\n x\xff\nEnd")), @r"
    2:3: a byte that is not UTF-8
      |  x�
      |   ^
    ");
}

#[test]
fn sections_are_refused_where_they_do_not_fit() {
    insta::assert_snapshot!(refused(""), @r"
    1:1: a model begins with `Minimize` or `Maximize`, found the end of the text
      | 
      | ^
    ");
    insta::assert_snapshot!(refused("Subject To\n x >= 1\nEnd"), @r"
    1:1: a model begins with `Minimize` or `Maximize`, found `Subject`
      | Subject To
      | ^
    ");
    insta::assert_snapshot!(refused("max: 3 x + 2 y;\nx + y <= 1;\n"), @r"
    1:1: a colon after the first word: the LP format of lp_solve is not read, and in that of CPLEX `Minimize` or `Maximize` has none
      | max: 3 x + 2 y;
      | ^
    ");
    insta::assert_snapshot!(refused("Minimize\n x\n c: x >= 1\nEnd"), @r"
    3:2: `Subject To` on a new line, or `+` or `-`, is expected, found `c`
      |  c: x >= 1
      |  ^
    ");
    insta::assert_snapshot!(refused("Minimize\n x Subject To\n x >= 1\nEnd"), @r"
    2:4: `Subject To` on a new line, or `+` or `-`, is expected, found `Subject`
      |  x Subject To
      |    ^
    ");
    insta::assert_snapshot!(refused("Minimize\n x\nMaximize\n x\nEnd"), @r"
    3:1: a second objective: there can be only one
      | Maximize
      | ^
    ");
    insta::assert_snapshot!(refused(&format!("{}x", of_rows(""))), @r"
    8:1: `x` after `End`: nothing may follow it
      | x
      | ^
    ");
    insta::assert_snapshot!(refused("Minimize\n x\nSubject To\n bin + x >= 1\nEnd"), @r"
    4:6: the name of a variable (at the beginning of a line, `bin` begins a section) is expected, found `+`
      |  bin + x >= 1
      |      ^
    ");
    insta::assert_snapshot!(refused("Minimize\n x\nBinary\n x: y\nEnd"), @r"
    4:3: the name of a variable (at the beginning of a line, `Binary` begins a section) is expected, found `:`
      |  x: y
      |   ^
    ");
}

#[test]
fn bounds_are_refused_where_they_say_nothing_clear() {
    insta::assert_snapshot!(refused(&of_bounds(" 2 n <= 3")), @r"
    5:4: `<=`, `>=` or `=` is expected, found `n`
      |  2 n <= 3
      |    ^
    ");
    insta::assert_snapshot!(refused(&of_bounds(" n <= 3 n >= 1")), @r"
    5:9: a new line is expected after the number on the right, found `n`: terms stand on the left only
      |  n <= 3 n >= 1
      |         ^
    ");
    insta::assert_snapshot!(refused(&of_bounds(" n >= inf")), @r"
    5:2: no number is within this bound (1e20 and more mean infinity)
      |  n >= inf
      |  ^
    ");
    insta::assert_snapshot!(refused(&of_bounds(" 1 <= n >= 3")), @r"
    5:9: a second relation: a range is written as `1 <= x + y <= 3` or `3 >= x + y >= 1`
      |  1 <= n >= 3
      |         ^
    ");
    insta::assert_snapshot!(refused(&of_bounds(" n")), @r"
    6:1: `<=`, `>=` or `=` is expected, found `General`
      | General
      | ^
    ");
}

#[test]
fn a_text_without_end_is_refused() {
    insta::assert_snapshot!(refused("Minimize\n x\nSubject To\n x >= 1\nBinary\n x\n\n"), @r"
    6:3: the text ends without `End`: was it cut short? If not, add `End` as its last line
      |  x
      |   ^
    ");
}

#[test]
fn numbers_beyond_128_bits_are_unsupported() {
    insta::assert_snapshot!(beyond(&of_rows(" 1e39 x >= 1")), @r"
    4:2: as a fraction of integers, this number is beyond 128 bits
      |  1e39 x >= 1
      |  ^
    ");
    insta::assert_snapshot!(beyond(&of_rows(" x + y >= 1\n 1e38 x + 1e-38 y >= 1")), @r"
    5:2: this row cannot be scaled to integers of 128 bits: its numbers are too large, or have too many digits after the point
      |  1e38 x + 1e-38 y >= 1
      |  ^
    ");
    let max = i128::MAX;
    for row in [
        "x >= 1e999999999999999999999".to_owned(),
        "x >= 1e-40".to_owned(),
        format!("{max} x + y >= 1"),
        format!("x + {max} + 1 >= 1"),
        format!("x - 1 >= {max}"),
        format!("{max} x + 0.5 y >= 1"),
        format!("x >= {}", "9".repeat(10_000)),
    ] {
        beyond(&of_rows(&row));
    }
    beyond(&format!("Min\n {max} x + 1\nSt\nBinary\n x\nEnd"));
    assert_eq!(
        rows(&model(&of_rows(&format!("{max} x >= -170141183460469231731687303715884105728")))),
        [format!("+{max} x >= {}", i128::MIN)]
    );
}

// Robustness.

const ALL_FEATURES: &str = "\\ a model\nMaximize\n obj: 6 a - 0.5 n + 3\nSubject To\n\
    c1: 2 a + 3.5 b\n - n <= 1e1\n -1 <= a - b <= 5\n 2 >= b\nBounds\n -3 <= n <= 4\n m = 2\n\
    Binary\n a b\nGeneral\n n m\nEnd";

#[test]
fn every_truncation_is_refused() {
    for end in 0..ALL_FEATURES.len() {
        let text = &ALL_FEATURES[..end];
        assert!(read(text.as_bytes()).is_err(), "{text:?} was read as a whole");
    }
    assert_eq!(optimum(&model(ALL_FEATURES)).0, "21/2");
}

#[test]
fn random_and_mutated_texts_never_panic() {
    let words = [
        "Minimize\n",
        "Maximize ",
        "\nSubject To\n",
        "\nBounds\n",
        "\nBinary\n",
        "\nGeneral\n",
        "\nEnd",
        "\nst ",
        " free",
        " inf",
        "x ",
        "y ",
        "n ",
        " + ",
        " - ",
        "3",
        " 0.5 ",
        "1e5",
        " <= ",
        " >= ",
        " = ",
        "c: ",
        "\n",
        "[",
        "->",
        "1e-38 ",
        "170141183460469231731687303715884105727 ",
    ];
    let num_read = read_mutations(ALL_FEATURES, &words, read);
    assert!(num_read > 500, "only {num_read} texts were LP");
}
