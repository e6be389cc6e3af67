//! The listing of a model for people.

use pbsolve::formats::write_listing;
use pbsolve_model::{
    Coefficients, Family, Group, Linear, Model, Objective, RowView, Sense, Term, Var,
};
use std::ops::ControlFlow;
use std::sync::Arc;

fn listing(model: &Model) -> String {
    let mut text = Vec::new();
    write_listing(model, &mut text).expect("written to memory");
    String::from_utf8(text).expect("names are UTF-8")
}

/// Each digit stands once: a family as the puzzles have it, with an indicator of its own.
#[derive(Debug)]
struct DigitsOnce;

impl Family for DigitsOnce {
    fn name(&self) -> &'static str {
        "each digit once a row"
    }

    fn num_groups(&self) -> usize {
        2
    }

    fn group(&self, group: usize) -> Group {
        let place = group as u64;
        Group { first_row: 2 * place, num_rows: 2, first_indicator: place, num_indicators: 1 }
    }

    fn for_each_row(
        &self,
        group: usize,
        first_indicator: Var,
        visit: &mut dyn FnMut(RowView<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let lits = [2 * group, 2 * group + 1].map(|i| Var::new(i).positive());
        let bound = Some(1);
        let coefficients = Coefficients::Ones;
        visit(RowView { lits: &lits, coefficients, lower: bound, upper: bound })?;
        let lits = [first_indicator.positive(), lits[0]];
        let coefficients = Coefficients::Narrow(&[1, -1]);
        visit(RowView { lits: &lits, coefficients, lower: None, upper: Some(0) })
    }

    fn row_name(&self, row: u64) -> String {
        format!("row_{row}")
    }

    fn row_sentence(&self, row: u64) -> String {
        format!("Digit {} on Row 1", row + 1)
    }

    fn indicator_name(&self, indicator: u64) -> String {
        format!("y_{indicator}")
    }
}

#[test]
fn families_have_headings_and_rows_have_sentences() {
    let mut model = Model::with_generated_names(4, |i| format!("x_1_{}_{}", i / 2 + 1, i % 2 + 1));
    model.add_family(Arc::new(DigitsOnce));
    insta::assert_snapshot!(listing(&model), @r"
    # each digit once a row
    x_1_1_1 + x_1_1_2 = 1   (Digit 1 on Row 1)
    y_0 - x_1_1_1 <= 0   (Digit 2 on Row 1)
    x_1_2_1 + x_1_2_2 = 1   (Digit 3 on Row 1)
    y_1 - x_1_2_1 <= 0   (Digit 4 on Row 1)

    # domains
    x_1_1_1, ..., x_1_2_2 in {0, 1}
    y_0, y_1 in {0, 1}
    ");
}

#[test]
fn every_form_of_row_is_written() {
    let mut model = Model::default();
    let [x, y, z] = ["x", "y", "z"].map(|name| model.new_var(name).positive());
    let term = |coefficient, lit| Term { coefficient, lit };
    let terms = vec![term(-1, x), term(2, !y)];
    model.set_objective(Objective { sense: Sense::Maximize, terms, constant: -3, divisor: 1 });
    model.add(Linear::sum([(2, x), (3, y), (-1, z)]).with_lower(2));
    model.add(Linear::sum([(-2, x), (1, !y), (0, z), (-3, !z)]).with_upper(-1).named("named"));
    model.add(Linear::sum([(1, x), (1, y), (1, z)]).with_lower(1).with_upper(2));
    model.add(Linear::exactly(1, [x, y]));
    model.add(Linear::sum([]).with_lower(i128::MIN));
    model.add(Linear::sum([(i128::MAX, x)]));
    model.add_family(Arc::new(Never));
    insta::assert_snapshot!(listing(&model), @r"
    maximize -x + 2 (1 - y) - 3

    # rows
    2 x + 3 y - z >= 2   (row 1)
    -2 x + (1 - y) + 0 z - 3 (1 - z) <= -1   (named)
    1 <= x + y + z <= 2   (row 3)
    x + y = 1   (row 4)
    0 >= -170141183460469231731687303715884105728   (row 5)
    170141183460469231731687303715884105727 x is free   (row 6)

    # domains
    x, y, z in {0, 1}
    ");
}

/// A family without rows.
#[derive(Debug)]
struct Never;

impl Family for Never {
    fn name(&self) -> &'static str {
        "never"
    }

    fn num_groups(&self) -> usize {
        0
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
}

#[test]
fn a_constant_objective_is_written() {
    let mut model = Model::default();
    model.set_objective(Objective {
        sense: Sense::Minimize,
        terms: Vec::new(),
        constant: 0,
        divisor: 1,
    });
    model.new_var("only");
    insta::assert_snapshot!(listing(&model), @r"
    minimize 0

    # domains
    only in {0, 1}
    ");
}
