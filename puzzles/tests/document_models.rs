//! Sizes, names and sentences of the models that the documents state, and the printed uniqueness
//! block of Takuzu beside ours.

use pbsolve_model::{Model, RowId, Var};
use pbsolve_puzzles::{Binox, Formulation, Grid, Puzzle, Sudoku, Takuzu};
use std::collections::HashSet;
use std::ops::ControlFlow;

fn sizes(model: &Model) -> (u64, u64) {
    (model.num_variables(), model.num_rows())
}

#[test]
fn binox_has_the_documents_size() {
    for (rows, columns) in [(2, 2), (4, 6), (6, 4), (14, 14), (40, 30)] {
        let model = Binox::new(Grid::empty(rows, columns)).unwrap().model(Formulation::Document);
        let (r, c) = (rows as u64, columns as u64);
        let y = r * (r - 1) * c;
        let z = c * (c - 1) * r;
        let no_three = r * (c - 2) + (r - 2) * c;
        let pairs = r * (r - 1) + c * (c - 1);
        let num_rows = no_three + r + c + 4 * (y + z) + pairs;
        assert_eq!(sizes(&model), (r * c + y + z, num_rows), "{rows} x {columns}");
    }
}

#[test]
fn takuzu_has_the_documents_size() {
    for side in [2, 4, 6, 14] {
        let model = Takuzu::new(Grid::empty(side, side)).unwrap().model(Formulation::Document);
        let n = side as u64;
        let z = n * (n - 1) / 2 * n;
        let num_rows = 2 * n * (n - 2) + 2 * n + 2 * (4 * z + n * (n - 1) / 2);
        assert_eq!(sizes(&model), (n * n + 2 * z, num_rows), "{side} x {side}");
    }
}

#[test]
fn sudoku_has_the_documents_size() {
    for (size, block) in [(4, (2, 2)), (6, (2, 3)), (12, (3, 4)), (25, (5, 5))] {
        let model = Sudoku::new(size, block, [((1, 1), 2)]).unwrap().model(Formulation::Document);
        let n = size as u64;
        assert_eq!(sizes(&model), (n * n * n, 4 * n * n + 1), "{size} x {size}");
    }
}

#[test]
fn dropping_uniqueness_drops_its_families_alone() {
    let puzzle = Binox::new(Grid::empty(4, 6)).unwrap();
    let without = puzzle.without_uniqueness().unwrap();
    assert!(puzzle.with_uniqueness().is_none() && without.without_uniqueness().is_none());
    let families = |model: &Model| model.families().iter().map(|f| f.name()).collect::<Vec<_>>();
    let with = families(&puzzle.model(Formulation::Document));
    let expected = [
        "givens",
        "no three in a row",
        "no three in a column",
        "balance of rows",
        "balance of columns",
        "rows differ",
        "columns differ",
    ];
    assert_eq!(with, expected);
    assert_eq!(families(&without.model(Formulation::Document)), expected[..5]);
    let again = without.with_uniqueness().unwrap();
    assert_eq!(families(&again.model(Formulation::Lean)), expected);
}

fn puzzles_with_givens() -> Vec<Box<dyn Puzzle>> {
    let givens = |rows, columns| {
        let mut givens = Grid::empty(rows, columns);
        for (row, column, value) in [(0, 0, 1), (1, 0, 0), (1, 2, 1), (2, 0, 1), (3, 3, 0)] {
            givens.set(row, column, Some(value));
        }
        givens
    };
    let digits = [((1, 2), 3), ((6, 6), 1)];
    vec![
        Box::new(Binox::new(givens(4, 6)).unwrap()),
        Box::new(Takuzu::new(givens(4, 4)).unwrap()),
        Box::new(Sudoku::new(6, (2, 3), digits).unwrap()),
    ]
}

#[test]
fn names_are_unique_and_made_of_letters_digits_and_underscores() {
    for puzzle in puzzles_with_givens() {
        for formulation in [Formulation::Document, Formulation::Lean] {
            let model = puzzle.model(formulation);
            let rows = (0..model.num_rows()).map(|row| model.row_name(RowId(row)).unwrap());
            let num_variables = usize::try_from(model.num_variables()).unwrap();
            let variables = (0..num_variables).map(|index| model.variable_name(Var::new(index)));
            for names in [rows.collect::<Vec<_>>(), variables.collect()] {
                let mut seen = HashSet::new();
                for name in names {
                    let what = format!("{name} of {} {formulation:?}", puzzle.name());
                    assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'), "{what}");
                    assert!(seen.insert(name), "{what} is there twice");
                }
            }
        }
    }
}

/// The rows of a model as `name: sum; sentence`.
fn listing(model: &Model) -> Vec<String> {
    let mut lines = Vec::new();
    let flow = model.for_each_row(|id, row| {
        let terms = row.terms().map(|term| {
            let sign = if term.lit.is_negative() { "~" } else { "" };
            format!("{:+} {sign}{}", term.coefficient, model.variable_name(term.lit.var()))
        });
        let lower = row.lower.map_or(String::new(), |lower| format!("{lower} <= "));
        let upper = row.upper.map_or(String::new(), |upper| format!(" <= {upper}"));
        let sum = terms.collect::<Vec<_>>().join(" ");
        let (name, sentence) = (model.row_name(id).unwrap(), model.row_sentence(id));
        lines.push(format!("{name}: {lower}{sum}{upper}; {sentence}"));
        ControlFlow::<()>::Continue(())
    });
    assert!(flow.is_continue());
    lines
}

/// The listing's lines whose names begin with one of these.
fn chosen(model: &Model, prefixes: &[&str]) -> String {
    let is_chosen =
        |line: &String| prefixes.iter().any(|prefix| line.split(':').next().unwrap() == *prefix);
    listing(model).into_iter().filter(is_chosen).collect::<Vec<_>>().join("\n")
}

#[test]
fn binox_reads_as_its_document() {
    let puzzles = puzzles_with_givens();
    let model = puzzles[0].model(Formulation::Document);
    let rows = [
        "given_1_1",
        "given_2_1",
        "row_1_no_three_1",
        "column_2_no_three_2",
        "row_1_balance",
        "column_6_balance",
        "rows_2_1_column_3_case_0_0",
        "rows_2_1_column_3_case_1_0",
        "rows_2_1_column_3_case_0_1",
        "rows_2_1_column_3_case_1_1",
        "rows_2_1_differ",
        "columns_1_6_differ",
    ];
    insta::assert_snapshot!(chosen(&model, &rows), @"
    given_1_1: 1 <= +1 x_0_0 <= 1; Row 1, column 1 is X
    given_2_1: 0 <= +1 x_1_0 <= 0; Row 2, column 1 is O
    row_1_no_three_1: 1 <= +1 x_0_0 +1 x_0_1 +1 x_0_2 <= 2; Row 1, no three equal from column 1
    column_2_no_three_2: 1 <= +1 x_1_1 +1 x_2_1 +1 x_3_1 <= 2; Column 2, no three equal from row 2
    row_1_balance: 3 <= +1 x_0_0 +1 x_0_1 +1 x_0_2 +1 x_0_3 +1 x_0_4 +1 x_0_5 <= 3; Row 1 is balanced
    column_6_balance: 2 <= +1 x_0_5 +1 x_1_5 +1 x_2_5 +1 x_3_5 <= 2; Column 6 is balanced
    rows_2_1_column_3_case_0_0: 1 <= +1 y_1_0_2 +1 x_1_2 +1 x_0_2; Rows 2 and 1 when column 3 has 0 and 0
    rows_2_1_column_3_case_1_0: +1 y_1_0_2 +1 x_1_2 -1 x_0_2 <= 1; Rows 2 and 1 when column 3 has 1 and 0
    rows_2_1_column_3_case_0_1: +1 y_1_0_2 -1 x_1_2 +1 x_0_2 <= 1; Rows 2 and 1 when column 3 has 0 and 1
    rows_2_1_column_3_case_1_1: -1 y_1_0_2 +1 x_1_2 +1 x_0_2 <= 1; Rows 2 and 1 when column 3 has 1 and 1
    rows_2_1_differ: +1 y_1_0_0 +1 y_1_0_1 +1 y_1_0_2 +1 y_1_0_3 +1 y_1_0_4 +1 y_1_0_5 <= 5; Rows 2 and 1 differ
    columns_1_6_differ: +1 z_0_5_0 +1 z_0_5_1 +1 z_0_5_2 +1 z_0_5_3 <= 3; Columns 1 and 6 differ
    ");
}

#[test]
fn takuzu_reads_as_its_document() {
    let puzzles = puzzles_with_givens();
    let model = puzzles[1].model(Formulation::Document);
    let rows = [
        "given_1_1",
        "rows_1_3_column_4_case_1_0",
        "rows_1_3_column_4_case_0_1",
        "rows_1_3_column_4_case_0_0",
        "rows_1_3_column_4_case_1_1",
        "rows_3_4_differ",
        "columns_3_4_differ",
    ];
    insta::assert_snapshot!(chosen(&model, &rows), @"
    given_1_1: 1 <= +1 x_1_1 <= 1; Row 1, column 1 is 1
    rows_1_3_column_4_case_1_0: 0 <= +1 z_1_3_4 -1 x_1_4 +1 x_3_4; Rows 1 and 3 when column 4 has 1 and 0
    rows_1_3_column_4_case_0_1: 0 <= +1 z_1_3_4 +1 x_1_4 -1 x_3_4; Rows 1 and 3 when column 4 has 0 and 1
    rows_1_3_column_4_case_0_0: +1 z_1_3_4 -1 x_1_4 -1 x_3_4 <= 0; Rows 1 and 3 when column 4 has 0 and 0
    rows_1_3_column_4_case_1_1: +1 z_1_3_4 +1 x_1_4 +1 x_3_4 <= 2; Rows 1 and 3 when column 4 has 1 and 1
    rows_3_4_differ: 1 <= +1 z_3_4_1 +1 z_3_4_2 +1 z_3_4_3 +1 z_3_4_4; Rows 3 and 4 differ
    columns_3_4_differ: 1 <= +1 w_3_4_1 +1 w_3_4_2 +1 w_3_4_3 +1 w_3_4_4; Columns 3 and 4 differ
    ");
}

#[test]
fn the_lean_model_states_only_what_the_givens_leave_open() {
    let puzzles = puzzles_with_givens();
    let model = puzzles[1].model(Formulation::Lean);
    let names: Vec<String> = listing(&model)
        .iter()
        .map(|line| line.split(':').next().unwrap().to_owned())
        .filter(|name| name.starts_with("rows") && name.ends_with("differ"))
        .collect();
    // Rows 1 and 2, 2 and 3 differ in the first column.
    assert_eq!(names, ["rows_1_3_differ", "rows_1_4_differ", "rows_2_4_differ", "rows_3_4_differ"]);
    let rows = [
        "rows_2_4_column_2_case_0_0",
        "rows_2_4_column_2_case_1_1",
        "rows_2_4_differ",
        "rows_1_3_differ",
    ];
    insta::assert_snapshot!(chosen(&model, &rows), @"
    rows_1_3_differ: 1 <= +1 z_1_3_2 +1 z_1_3_3 +1 z_1_3_4; Rows 1 and 3 differ
    rows_2_4_column_2_case_0_0: 1 <= +1 x_2_2 +1 x_4_2 +1 ~z_2_4_2; Rows 2 and 4 when column 2 has 0 and 0
    rows_2_4_column_2_case_1_1: 1 <= +1 ~x_2_2 +1 ~x_4_2 +1 ~z_2_4_2; Rows 2 and 4 when column 2 has 1 and 1
    rows_2_4_differ: 1 <= +1 x_4_1 +1 z_2_4_2 +1 ~x_4_3 +1 x_2_4; Rows 2 and 4 differ
    ");
}

/// The printed list bounds z and w from below only: z = 1 is then allowed where cells are equal,
/// and the sum of the z's of two equal rows can be 1 or more.
#[test]
fn the_printed_uniqueness_block_accepts_equal_rows_and_ours_refuses_them() {
    let puzzle = Takuzu::new(Grid::empty(4, 4)).unwrap();
    let printed = puzzle.printed_model();
    let ours = puzzle.model(Formulation::Document);
    let equal_rows = puzzle.parse_solution(b"0011\n1100\n0011\n1100\n").unwrap();
    let assignment = puzzle.to_assignment(&equal_rows);

    assert_eq!(printed.check(&assignment), Ok(()));
    let violation = ours.check(&assignment).unwrap_err();
    assert_eq!(violation.name.as_deref(), Some("rows_1_3_differ"));
    let violation = puzzle.check(&equal_rows).unwrap_err();
    assert_eq!(violation.to_string(), "rows 1 and 3 are equal");

    // Apart from that block the two models say the same.
    let three = puzzle.parse_solution(b"0001\n1100\n0011\n1110\n").unwrap();
    assert!(printed.check(&puzzle.to_assignment(&three)).is_err());
    assert_eq!(ours.num_variables(), printed.num_variables());
}
