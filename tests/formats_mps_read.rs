//! The MPS reader: what it accepts, what it refuses and how it says so.

mod small_models;

use pbsolve::formats::mps::read;
use pbsolve_model::Model;
use small_models::{objective, optimum, parse_error, read_mutations, rows, solutions, unsupported};

fn model(text: &str) -> Model {
    read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A model of the 0-1 columns `x` and `y`, each with 1 in row `r` of this kind, and more sections.
fn of_row(kind: &str, sections: &str) -> String {
    format!(
        "NAME m\nROWS\n N obj\n {kind} r\nCOLUMNS\n M 'MARKER' 'INTORG'\n x r 1 obj 1\n y r 1\n \
         M 'MARKER' 'INTEND'\n{sections}ENDATA\n"
    )
}

/// A model of the integer column `n` with these lines under BOUNDS.
fn of_bounds(bounds: &str) -> String {
    format!(
        "NAME m\nROWS\n N obj\nCOLUMNS\n M 'MARKER' 'INTORG'\n n obj 1\n M 'MARKER' 'INTEND'\n\
         BOUNDS\n{bounds}\nENDATA\n"
    )
}

fn refused(text: &str) -> String {
    parse_error(read(text.as_bytes()))
}

fn beyond(text: &str) -> String {
    unsupported(read(text.as_bytes()))
}

// Regressions: faults that users of other tools reported.

/// Integer columns without bounds were taken for unbounded ones.
#[test]
fn integer_columns_between_markers_without_bounds_are_0_1() {
    let text = "\
NAME          MARK
ROWS
 N  COST
 G  R1
 L  R2
COLUMNS
    MARKER                 'MARKER'                 'INTORG'
    A         COST         5   R1           1
    A         R2           1
    B         COST         3   R1           1
    C         COST        -2   R2           1
    MARKER                 'MARKER'                 'INTEND'
RHS
    RHS       R1           1   R2           1
ENDATA
";
    assert_eq!(rows(&model(text)), ["R1: +1 A +1 B >= 1", "R2: +1 A +1 C <= 1"]);
    assert_eq!(objective(&model(text)).as_deref(), Some("min (+5 A +3 B -2 C +0) / 1"));
    assert_eq!(optimum(&model(text)), ("1".to_owned(), vec!["A=0 B=1 C=1".to_owned()]));
}

/// A negative range of an E row was taken for its absolute value, and `MAX` for a name.
#[test]
fn ranges_open_to_the_side_that_the_row_and_the_sign_say() {
    let text = "\
NAME          RNG
OBJSENSE
    MAX
ROWS
 N  COST
 E  R1
 G  R2
COLUMNS
    A         COST         5   R1           1
    A         R2           2
    B         COST         4   R1           1
    B         R2           3
    C         COST         3   R1           1
    C         R2           4
RHS
    RHS       R1           3   R2           4
RANGES
    RNG       R1          -1   R2           2
BOUNDS
 BV BND       A
 BV BND       B
 BV BND       C
ENDATA
";
    let expected = ["R1: 2 <= +1 A +1 B +1 C <= 3", "R2: 4 <= +2 A +3 B +4 C <= 6"];
    assert_eq!(rows(&model(text)), expected);
    assert_eq!(optimum(&model(text)).0, "9");

    for (kind, range, expected) in [
        ("E", "1", "r: 2 <= +1 x +1 y <= 3"),
        ("E", "-1", "r: 1 <= +1 x +1 y <= 2"),
        ("E", "0", "r: +1 x +1 y = 2"),
        ("L", "1", "r: 1 <= +1 x +1 y <= 2"),
        ("L", "-1", "r: 1 <= +1 x +1 y <= 2"),
        ("G", "1", "r: 2 <= +1 x +1 y <= 3"),
        ("G", "-1", "r: 2 <= +1 x +1 y <= 3"),
    ] {
        let text = of_row(kind, &format!("RANGES\n R r {range}\nRHS\n B r 2\n"));
        assert_eq!(rows(&model(&text)), [expected], "{kind} {range}");
    }
}

/// The right-hand side of the objective was added instead of subtracted.
#[test]
fn the_right_hand_side_of_the_objective_is_its_negated_constant() {
    let text = of_row("L", "RHS\n RHS obj 7 r 1\n");
    assert_eq!(objective(&model(&text)).as_deref(), Some("min (+1 x -7) / 1"));
}

// The format.

#[test]
fn rows_without_right_hand_side_have_0() {
    assert_eq!(rows(&model(&of_row("E", ""))), ["r: +1 x +1 y = 0"]);
    assert_eq!(rows(&model(&of_row("E", "RHS\n"))), ["r: +1 x +1 y = 0"]);
    assert_eq!(rows(&model(&of_row("G", "RHS\n r -1\n"))), ["r: +1 x +1 y >= -1"]);
}

#[test]
fn entries_of_one_row_are_added_up() {
    let text = of_row("L", "").replace(" y r 1\n", " y r 1 r 2\n y r -5\n");
    assert_eq!(rows(&model(&text)), ["r: +1 x +1 y +2 y -5 y <= 0"]);
    assert_eq!(solutions(&model(&text)), ["x=0 y=0", "x=0 y=1", "x=1 y=1"]);
}

#[test]
fn decimal_coefficients_are_exact() {
    let text = of_row("L", "RHS\n RHS r 3e-1 obj -.5\n").replace(" r 1", " r 0.1");
    assert_eq!(rows(&model(&text)), ["r: +1 x +1 y <= 3"]);
    assert_eq!(objective(&model(&text)).as_deref(), Some("min (+2 x +1) / 2"));
}

#[test]
fn the_sense_of_the_objective_may_stand_on_the_line_of_its_section() {
    for (section, expected) in [
        ("OBJSENSE MAX\n", "max"),
        ("OBJSENSE\n MAXIMIZE\n", "max"),
        ("OBJSENSE\n    min\n", "min"),
        ("OBJSENSE MINIMIZE\n", "min"),
        ("", "min"),
    ] {
        let text = of_row("L", "").replace("ROWS\n", &format!("{section}ROWS\n"));
        assert!(objective(&model(&text)).unwrap().starts_with(expected), "{text}");
    }
}

#[test]
fn further_n_rows_have_no_bounds_and_objname_chooses_one() {
    let text = of_row("N", "RHS\n RHS r 3\n");
    assert_eq!(rows(&model(&text)), ["r: +1 x +1 y free"]);
    let text = text.replace("ROWS\n", "OBJNAME\n r\nROWS\n");
    assert_eq!(rows(&model(&text)), ["obj: +1 x free"]);
    assert_eq!(objective(&model(&text)).as_deref(), Some("min (+1 x +1 y -3) / 1"));
    let without = of_row("L", "").replace(" N obj\n", "").replace(" obj 1", "");
    assert!(model(&without).objective().is_none());
}

#[test]
fn comments_blank_lines_and_line_ends_of_other_systems_are_read() {
    let text = of_row("G", "* RHS\n\nRHS\n   \n RHS r 1\n*end\n");
    let text = format!("\u{feff}* gr\u{f6}\u{df}er\n{text}\n* nothing\n");
    for end in ["\n", "\r\n", "\r"] {
        assert_eq!(rows(&model(&text.replace('\n', end))), ["r: +1 x +1 y >= 1"]);
    }
    let mut latin = b"* gr\xf6\xdfer\n".to_vec();
    latin.extend(of_row("G", "").bytes());
    assert!(read(&latin).is_ok());
}

#[test]
fn names_have_blanks_in_the_fixed_format() {
    let text = "\
NAME          TWO WORDS
ROWS
 N  THE COST
 L  ROW  1
COLUMNS
    MARK 1    'MARKER'                 'INTORG'
    A B C     THE COST             5   ROW  1             1.5
    D         ROW  1               2
    MARK 2    'MARKER'                 'INTEND'
RHS
    THE RHS   ROW  1              -1   THE COST             2
RANGES
              ROW  1               7
BOUNDS
 LO THE BND   A B C               -2
 UP THE BND   A B C                0
 BV THE BND   D
ENDATA
";
    let model = model(text);
    let expected = [
        "range of A B C: +1 A B C@0 +2 A B C@1 <= 2",
        "ROW  1: -10 <= +3 A B C@0 +6 A B C@1 +4 D <= 4",
    ];
    assert_eq!(rows(&model), expected);
    assert_eq!(
        optimum(&model),
        ("-12".to_owned(), vec!["A B C=-2 D=0".to_owned(), "A B C=-2 D=1".to_owned()])
    );
}

#[test]
fn sets_may_have_no_name() {
    let text = of_row("L", "RHS\n r 1 obj 2\nRANGES\n r 1\nBOUNDS\n UP x 1\n BV y\n");
    assert_eq!(rows(&model(&text)), ["r: 0 <= +1 x +1 y <= 1"]);
    assert_eq!(solutions(&model(&text)), ["x=0 y=0", "x=0 y=1", "x=1 y=0"]);
}

// Bounds and integers.

#[test]
fn bounds_of_integers_are_read_and_rounded_inwards() {
    for (bounds, expected) in [
        (" UP B n 2", vec![0, 1, 2]),
        (" UI B n 1", vec![0, 1]),
        (" LO B n -1\n UP B n 1", vec![-1, 0, 1]),
        (" LI B n 1\n UI B n 2", vec![1, 2]),
        (" UP B n -1\n LO B n -2", vec![-2, -1]),
        (" FX B n 7", vec![7]),
        (" BV B n", vec![0, 1]),
        (" BV B n 1", vec![0, 1]),
        (" BV B n\n UP B n 1", vec![0, 1]),
        (" UP B n 0", vec![0]),
        (" LO B n -1.5\n UP B n 1.5", vec![-1, 0, 1]),
        (" LO B n 3\n UP B n 2", vec![]),
        (" FX B n 0.5", vec![]),
        ("", vec![0, 1]),
    ] {
        let expected: Vec<String> = expected.iter().map(|value| format!("n={value}")).collect();
        let mut found = solutions(&model(&of_bounds(bounds)));
        found.sort_by_key(|solution| solution[2..].parse::<i64>().unwrap());
        assert_eq!(found, expected, "{bounds}");
    }
}

#[test]
fn bounds_of_the_kinds_bv_ui_and_li_make_a_column_integer() {
    let text = "NAME\nROWS\n N o\nCOLUMNS\n a o 1\n b o 1\n c o 1\nBOUNDS\n BV B a\n UI B b 2\n LI B c 3\n UP B c 3\nENDATA";
    assert_eq!(solutions(&model(text)).len(), 6);
}

// Refusals.

#[test]
fn continuous_and_unbounded_columns_are_unsupported_by_name() {
    let text = "NAME\nROWS\n N o\nCOLUMNS\n a o 1\n b o 1\nBOUNDS\n BV B a\n UP B b 1\nENDATA";
    insta::assert_snapshot!(beyond(text), @r"
    6:2: `b` is continuous, but only 0-1 and bounded integer variables are supported: put it between INTORG and INTEND markers, or give it a bound of the kind BV or UI
      |  b o 1
      |  ^
    ");
    insta::assert_snapshot!(beyond(&of_bounds(" PL B n")), @r"
    6:2: `n` has no finite upper bound: give it bounds of the kinds LO and UP
      |  n obj 1
      |  ^
    ");
    insta::assert_snapshot!(beyond(&of_bounds(" LO B n 1")), @r"
    6:2: `n` has no finite upper bound: give it bounds of the kinds LO and UP
      |  n obj 1
      |  ^
    ");
    insta::assert_snapshot!(beyond(&of_bounds(" MI B n\n UP B n 1")), @r"
    6:2: `n` has no finite lower bound: give it bounds of the kinds LO and UP
      |  n obj 1
      |  ^
    ");
    insta::assert_snapshot!(beyond(&of_bounds(" FR B n")), @r"
    6:2: `n` has no finite lower bound: give it bounds of the kinds LO and UP
      |  n obj 1
      |  ^
    ");
    insta::assert_snapshot!(beyond(&of_bounds(" UP B n 1e30")), @r"
    6:2: `n` has no finite upper bound: give it bounds of the kinds LO and UP
      |  n obj 1
      |  ^
    ");
    insta::assert_snapshot!(beyond(&of_bounds(" UP B n -1")), @r"
    6:2: `n` has a negative upper bound and no lower bound, which some programs take for 0 and some for none: give it bounds of the kinds LO and UP
      |  n obj 1
      |  ^
    ");
}

#[test]
fn what_is_not_linear_is_unsupported() {
    insta::assert_snapshot!(beyond(&of_row("L", "QUADOBJ\n x y 1\n")), @r"
    10:1: quadratic terms are not supported: state them as linear rows over 0-1 columns
      | QUADOBJ
      | ^
    ");
    insta::assert_snapshot!(beyond(&of_row("L", "SOS\n S1 set\n x 1\n")), @r"
    10:1: special ordered sets are not supported: state them as linear rows over 0-1 columns
      | SOS
      | ^
    ");
    insta::assert_snapshot!(beyond(&of_row("L", "INDICATORS\n IF r x 1\n")), @r"
    10:1: indicator rows are not supported: state them as linear rows over 0-1 columns
      | INDICATORS
      | ^
    ");
    insta::assert_snapshot!(beyond(&of_row("L", "CSECTION c 0 QUAD\n")), @r"
    10:1: cones are not supported: state them as linear rows over 0-1 columns
      | CSECTION c 0 QUAD
      | ^
    ");
    insta::assert_snapshot!(beyond(&of_bounds(" SC B n 5")), @r"
    9:2: semi-continuous columns are not supported: state them with a 0-1 column
      |  SC B n 5
      |  ^
    ");
    insta::assert_snapshot!(beyond(&of_row("L", "").replace("INTORG", "SOSORG")), @r"
    6:13: special ordered sets are not supported: state them as linear rows over 0-1 columns
      |  M 'MARKER' 'SOSORG'
      |             ^
    ");
}

#[test]
fn lines_are_refused_with_what_was_expected() {
    insta::assert_snapshot!(refused(&of_row("X", "")), @r"
    4:2: a row is of the kind N, L, G or E, found `X`
      |  X r
      |  ^
    ");
    insta::assert_snapshot!(refused(&of_row("L extra", "")), @r"
    4:2: a row is a letter (N, L, G, E) and a name without blanks, found 3 words
      |  L extra r
      |  ^
    ");
    insta::assert_snapshot!(refused(&of_row("L", "RHS\n RHS q 1\n")), @r"
    11:6: no row is called `q`
      |  RHS q 1
      |      ^
    ");
    insta::assert_snapshot!(refused(&of_row("L", "RHS\n RHS r 1,5\n")), @r"
    11:8: a number is expected, found `1,5`
      |  RHS r 1,5
      |        ^
    ");
    insta::assert_snapshot!(refused(&of_row("L", "RHS\n RHS r 1 obj\n")), @r"
    11:2: no row is called `RHS`
      |  RHS r 1 obj
      |  ^
    ");
    insta::assert_snapshot!(refused(&of_row("L", "BOUNDS\n UP B z 1\n")), @r"
    11:7: no column is called `z`
      |  UP B z 1
      |       ^
    ");
    insta::assert_snapshot!(refused(&of_row("L", "BOUNDS\n UP x\n")), @r"
    11:2: a bound is its kind, the name of the set, a column and a number, found 2 words
      |  UP x
      |  ^
    ");
    insta::assert_snapshot!(refused(&of_row("L", "BOUNDS\n UQ B x 1\n")), @r"
    11:2: a bound is of the kind UP, LO, FX, BV, UI, LI, FR, MI or PL, found `UQ`
      |  UQ B x 1
      |  ^
    ");
    insta::assert_snapshot!(refused(&of_row("L", "RHS r 1\n")), @r"
    10:5: `r` after RHS: it stands alone
      | RHS r 1
      |     ^
    ");
    insta::assert_snapshot!(refused(&of_row("L", "OBJSENSE\n BIG\n")), @r"
    11:2: MAX or MIN is expected, found `BIG`
      |  BIG
      |  ^
    ");
}

#[test]
fn second_names_numbers_and_sets_are_refused() {
    insta::assert_snapshot!(refused(&of_row("L r\n G", "")), @r"
    5:4: a second row `r`: names of rows differ
      |  G r
      |    ^
    ");
    insta::assert_snapshot!(refused(&of_row("L", "").replace(" y r 1\n", " y r 1\n x r 1\n")), @r"
    9:2: `x` again: the lines of a column stand together, and names of columns differ
      |  x r 1
      |  ^
    ");
    insta::assert_snapshot!(refused(&of_row("L", "RHS\n A r 1\n A r 1\n")), @r"
    12:4: a second right-hand side of `r`
      |  A r 1
      |    ^
    ");
    insta::assert_snapshot!(refused(&of_row("L", "RHS\n A r 1\n B obj 1\n")), @r"
    12:2: a second set of right-hand sides: remove all but one, since only one counts
      |  B obj 1
      |  ^
    ");
    insta::assert_snapshot!(refused(&of_row("L", "RANGES\n A r 1\n A r 2\n")), @r"
    12:4: a second range of `r`
      |  A r 2
      |    ^
    ");
    insta::assert_snapshot!(refused(&of_row("L", "RANGES\n A obj 1\n")), @r"
    11:4: a range of `obj`, which is an N row and has no bounds
      |  A obj 1
      |    ^
    ");
    insta::assert_snapshot!(refused(&of_bounds(" UP B n 3\n UP B n 4")), @r"
    10:2: `n` has another bound on this side already
      |  UP B n 4
      |  ^
    ");
    insta::assert_snapshot!(refused(&of_bounds(" UP B n 3\n UP C n 3")), @r"
    10:5: a second set of bounds: remove all but one, since only one counts
      |  UP C n 3
      |     ^
    ");
    insta::assert_snapshot!(refused(&of_bounds(" LO B n inf")), @r"
    9:2: no number is within this bound (1e20 and more mean infinity)
      |  LO B n inf
      |  ^
    ");
    insta::assert_snapshot!(refused(&of_row("L", "RHS\nRHS\n")), @r"
    11:1: a second section RHS
      | RHS
      | ^
    ");
}

#[test]
fn sections_are_refused_where_they_do_not_fit() {
    insta::assert_snapshot!(refused(""), @r"
    1:1: the text ends without ENDATA: was it cut short? If not, add ENDATA as its last line
      | 
      | ^
    ");
    insta::assert_snapshot!(refused("x + y >= 1\n"), @r"
    1:1: `x` is no section of MPS: NAME, OBJSENSE, OBJNAME, ROWS, COLUMNS, RHS, RANGES, BOUNDS or ENDATA are (other lines begin with a blank)
      | x + y >= 1
      | ^
    ");
    insta::assert_snapshot!(refused("NAME\nCOLUMNS\n"), @r"
    2:1: COLUMNS before the section ROWS
      | COLUMNS
      | ^
    ");
    insta::assert_snapshot!(refused("NAME\nROWS\nENDATA\n"), @r"
    3:1: ENDATA before the section COLUMNS
      | ENDATA
      | ^
    ");
    insta::assert_snapshot!(refused("NAME\n N obj\n"), @r"
    2:2: a section such as ROWS is expected, which begins in the first column
      |  N obj
      |  ^
    ");
    insta::assert_snapshot!(refused(&(of_row("L", "") + "NAME\n")), @r"
    11:1: nothing may follow ENDATA
      | NAME
      | ^
    ");
    insta::assert_snapshot!(refused(&of_row("L", "").replace(" M 'MARKER' 'INTEND'\n", "")), @r"
    6:13: 'INTORG' without 'INTEND' after it
      |  M 'MARKER' 'INTORG'
      |             ^
    ");
    insta::assert_snapshot!(refused(&of_row("L", "").replace("INTORG", "INTEND")), @r"
    6:13: 'INTEND' without 'INTORG' before it
      |  M 'MARKER' 'INTEND'
      |             ^
    ");
    insta::assert_snapshot!(refused(&of_row("L", "OBJNAME\n r\n")), @r"
    11:2: no N row is called `r`
      |  r
      |  ^
    ");
}

#[test]
fn a_text_without_endata_is_refused() {
    insta::assert_snapshot!(refused(&of_row("L", "").replace("ENDATA\n", "\n")), @r"
    9:21: the text ends without ENDATA: was it cut short? If not, add ENDATA as its last line
      |  M 'MARKER' 'INTEND'
      |                     ^
    ");
}

#[test]
fn a_mistake_in_the_fixed_format_is_told_where_that_reading_fails() {
    let text = "\
NAME
ROWS
 N  THE COST
 L  ROW 1
COLUMNS
    A B       ROW 2                5
ENDATA
";
    insta::assert_snapshot!(refused(text), @r"
    6:15: no row is called `ROW 2`
      |     A B       ROW 2                5
      |               ^
    ");
}

#[test]
fn characters_that_are_not_mps_are_refused() {
    insta::assert_snapshot!(refused(&of_row("L", "RHS\n R\u{a0}HS r 1\n")), @r"
    11:3: the character \u{a0} is not MPS
      |  R HS r 1
      |   ^
    ");
    insta::assert_snapshot!(refused(&of_row("L", "RHS\n RHS r\0 1\n")), @r"
    11:7: the character \u{0} is not MPS
      |  RHS r  1
      |       ^
    ");
    insta::assert_snapshot!(parse_error(read(b"NAME\nROWS\n N \xff\n")), @r"
    3:4: a byte that is not UTF-8
      |  N �
      |    ^
    ");
}

#[test]
fn numbers_beyond_128_bits_are_unsupported() {
    insta::assert_snapshot!(beyond(&of_row("L", "RHS\n RHS r 1e39\n")), @r"
    11:8: as a fraction of integers, this number is beyond 128 bits
      |  RHS r 1e39
      |        ^
    ");
    let max = i128::MAX;
    let min = i128::MIN;
    for sections in [
        format!("RHS\n RHS obj {min}\n"),
        format!("RHS\n RHS r {max}\nRANGES\n R r {min}\n"),
        format!("RHS\n RHS r -{max}\nRANGES\n R r 2\n"),
        format!("RHS\n RHS r {max} obj 0\nRANGES\n R r 0.5\n"),
        "RHS\n RHS r 1e-40\n".to_owned(),
    ] {
        beyond(&of_row("L", &sections));
    }
    beyond(&of_row("L", "").replace(" r 1", &format!(" r {max}")));
    assert_eq!(
        rows(&model(&of_row("G", &format!("RHS\n R r {min}\n")))),
        [format!("r: +1 x +1 y >= {min}")]
    );
}

// Robustness.

const ALL_FEATURES: &str = "* a model\nNAME all\nOBJSENSE\n    MAX\nROWS\n N obj\n L c1\n G c2\n E c3\n \
    N free\nCOLUMNS\n M 'MARKER' 'INTORG'\n a obj 6 c1 2\n a c2 1\n n obj -0.5 c1 -1\n M 'MARKER' 'INTEND'\n \
    b c1 3.5 c2 -1\n b c3 1 free 2\nRHS\n RHS c1 1e1 obj -3\n RHS c3 1\nRANGES\n RNG c2 2 c3 -1\n\
    BOUNDS\n LO BND n -3\n UP BND n 4\n BV BND b\nENDATA";

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
        "NAME\n",
        "OBJSENSE MAX\n",
        "ROWS\n",
        "COLUMNS\n",
        "RHS\n",
        "RANGES\n",
        "BOUNDS\n",
        "ENDATA\n",
        " N obj\n",
        " L r\n",
        " E q\n",
        " M 'MARKER' 'INTORG'\n",
        " M 'MARKER' 'INTEND'\n",
        " x r 1\n",
        " y q -2 r .5\n",
        " RHS r 3\n",
        " R q -1\n",
        " BV B x\n",
        " UP B y 3\n",
        " MI B y\n",
        " ",
        "    ",
        "\n",
        "1e38",
        "-170141183460469231731687303715884105728",
    ];
    let num_read = read_mutations(ALL_FEATURES, &words, read);
    assert!(num_read > 500, "only {num_read} texts were MPS");
}
