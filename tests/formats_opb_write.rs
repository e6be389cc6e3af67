//! The OPB writer: what it writes, and that reading it back gives the same model.

use pbsolve::formats::WriteError;
use pbsolve::formats::opb::{read, write};
use pbsolve_model::{
    Assignment, Coefficients, Family, Group, Linear, Lit, Model, Objective, RowView, Sense, Term,
    Var,
};
use proptest::prelude::*;
use std::ops::ControlFlow;
use std::sync::Arc;

fn written(model: &Model) -> String {
    let mut text = Vec::new();
    write(model, &mut text).expect("the model can be written");
    String::from_utf8(text).expect("OPB is ASCII but for names")
}

/// The text without its comments, which do not survive reading.
fn statements(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with('*')).collect()
}

fn satisfying(model: &Model) -> Vec<Assignment> {
    let n = model.num_decisions();
    let assignments = (0..1usize << n).map(|bits| (0..n).map(|i| bits >> i & 1 == 1).collect());
    let assignments = assignments.map(Assignment::from_values);
    assignments.filter(|assignment| model.check(assignment).is_ok()).collect()
}

fn three_variables() -> (Model, [Lit; 3]) {
    let mut model = Model::default();
    let lits = ["x1", "b", "c"].map(|name| model.new_var(name).positive());
    (model, lits)
}

#[test]
fn rows_are_written_in_the_strict_grammar() {
    let (mut model, [x, b, c]) = three_variables();
    model.set_objective(Objective {
        sense: Sense::Minimize,
        terms: vec![Term { coefficient: 2, lit: x }, Term { coefficient: 3, lit: !b }],
        constant: 4,
        divisor: 1,
    });
    model.add(Linear::exactly(1, [x, b, c]));
    model.add(Linear::sum([(2, x), (-3, !b), (0, c)]).with_lower(-1));
    model.add(Linear::sum([(2, x), (-3, !b)]).with_upper(-1));
    model.add(Linear::sum([(1, x), (1, b)]).with_lower(1).with_upper(2));
    model.add(Linear::sum([(1, x)]));
    model.add(Linear::sum([]).with_lower(1));
    insta::assert_snapshot!(written(&model), @r"
    * #variable= 3 #constraint= 6
    * map x2 b
    * map x3 c
    * minimize 7 plus the sum that is minimized here
    min: +2 x1 -3 x2 ;
    +1 x1 +1 x2 +1 x3 = 1 ;
    +2 x1 +3 x2 +0 x3 >= 2 ;
    -2 x1 -3 x2 >= -2 ;
    +1 x1 +1 x2 >= 1 ;
    -1 x1 -1 x2 >= -2 ;
    +0 x1 >= 1 ;
    ");
}

#[test]
fn a_maximized_objective_is_negated_and_says_so() {
    let (mut model, [x, b, _]) = three_variables();
    let terms = vec![Term { coefficient: 2, lit: x }, Term { coefficient: 3, lit: !b }];
    model.set_objective(Objective { sense: Sense::Maximize, terms, constant: 4, divisor: 1 });
    insta::assert_snapshot!(written(&model), @r"
    * #variable= 3 #constraint= 0
    * map x2 b
    * map x3 c
    * maximize 7 minus the sum that is minimized here
    min: -2 x1 +3 x2 ;
    ");
}

#[test]
fn a_constant_objective_is_not_written() {
    let (mut model, [x, ..]) = three_variables();
    model.add(Linear::at_least(1, [x]));
    model.set_objective(Objective {
        sense: Sense::Minimize,
        terms: Vec::new(),
        constant: 5,
        divisor: 1,
    });
    assert!(!written(&model).contains("min:"));
}

#[test]
fn a_name_cannot_end_its_comment() {
    let mut model = Model::default();
    model.new_var("a\n+1 x1 >= 1 ;\r");
    assert_eq!(written(&model), "* #variable= 1 #constraint= 0\n* map x1 a?+1 x1 >= 1 ;?\n");
}

#[test]
fn a_model_without_variables_is_written() {
    let mut model = Model::default();
    model.add(Linear::sum([]).with_lower(1));
    let text = written(&model);
    assert_eq!(text, "* #variable= 0 #constraint= 1\n>= 1 ;\n");
    assert_eq!(written(&read(text.as_bytes()).unwrap()), text);
}

/// `d[i] = 1` exactly when `a[i]` and `b[i]` are equal, of which one direction is stated.
#[derive(Debug)]
struct Equal;

impl Family for Equal {
    fn name(&self) -> &'static str {
        "equal"
    }

    fn num_groups(&self) -> usize {
        2
    }

    fn group(&self, group: usize) -> Group {
        let place = group as u64;
        Group { first_row: place, num_rows: 1, first_indicator: place, num_indicators: 1 }
    }

    fn for_each_row(
        &self,
        group: usize,
        first_indicator: Var,
        visit: &mut dyn FnMut(RowView<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let [a, b] = [group, group + 1].map(|i| Var::new(i).positive());
        let lits = [first_indicator.positive(), a, b];
        visit(RowView {
            lits: &lits,
            coefficients: Coefficients::Ones,
            lower: Some(1),
            upper: None,
        })
    }

    fn row_name(&self, row: u64) -> String {
        format!("equal_{row}")
    }

    fn indicator_name(&self, indicator: u64) -> String {
        format!("d_{indicator}")
    }

    fn complete(&self, group: usize, values: &mut Vec<bool>) {
        values.push(values[group] == values[group + 1]);
    }
}

#[test]
fn indicators_follow_the_decision_variables() {
    let mut model = Model::with_generated_names(3, |i| format!("x{}", i + 1));
    model.add_family(Arc::new(Equal));
    insta::assert_snapshot!(written(&model), @r"
    * #variable= 5 #constraint= 2
    * map x4 d_0
    * map x5 d_1
    +1 x4 +1 x1 +1 x2 >= 1 ;
    +1 x5 +1 x2 +1 x3 >= 1 ;
    ");
}

#[test]
fn the_widest_numbers_are_written_or_refused() {
    let mut model = Model::default();
    let x = model.new_var("x1").positive();
    model.add(Linear::sum([(i128::MAX, x)]).with_upper(i128::MAX).with_lower(i128::MIN));
    let text = written(&model);
    assert_eq!(written(&read(text.as_bytes()).unwrap()), text);

    for (row, name) in [
        (Linear::at_most(i128::MIN, [x]), "row 2"),
        (Linear::at_least(i128::MIN, [!x]).named("wide"), "wide"),
    ] {
        let mut model = Model::default();
        model.new_var("x1");
        model.add(Linear::at_least(0, [x]));
        model.add(row);
        match write(&model, &mut Vec::new()) {
            Err(WriteError::NumberTooWide(row)) => assert_eq!(row, name),
            other => panic!("{other:?}"),
        }
    }
    let terms = vec![Term { coefficient: i128::MIN, lit: x }];
    model.set_objective(Objective { sense: Sense::Maximize, terms, constant: 0, divisor: 1 });
    let error = write(&model, &mut Vec::new()).unwrap_err();
    assert!(error.to_string().starts_with("objective"), "{error}");
}

#[test]
fn a_model_with_more_variables_than_numbers_is_refused() {
    #[derive(Debug)]
    struct Huge;
    impl Family for Huge {
        fn name(&self) -> &'static str {
            "huge"
        }
        fn num_groups(&self) -> usize {
            1
        }
        fn group(&self, _: usize) -> Group {
            Group { first_row: 0, num_rows: 0, first_indicator: 0, num_indicators: 1 << 31 }
        }
        fn for_each_row(
            &self,
            _: usize,
            _: Var,
            _: &mut dyn FnMut(RowView<'_>) -> ControlFlow<()>,
        ) -> ControlFlow<()> {
            unreachable!("no row is asked for")
        }
        fn row_name(&self, _: u64) -> String {
            unreachable!("no row is asked for")
        }
    }
    let mut model = Model::default();
    model.add_family(Arc::new(Huge));
    let error = write(&model, &mut Vec::new()).unwrap_err();
    assert!(matches!(error, WriteError::TooManyVariables(2_147_483_648)), "{error}");
}

fn coefficient() -> impl Strategy<Value = i128> {
    prop_oneof![
        4 => -3..=3i128,
        1 => Just(i128::from(i64::MAX)),
        1 => Just(i128::from(i64::MIN)),
        1 => -(1i128 << 100)..(1i128 << 100),
    ]
}

fn terms() -> impl Strategy<Value = Vec<(i128, Lit)>> {
    let lit = (0..5usize, any::<bool>()).prop_map(|(index, sign)| Var::new(index).lit(sign));
    prop::collection::vec((coefficient(), lit), 0..6)
}

fn any_row() -> impl Strategy<Value = Linear> {
    let bound = || prop::option::of(coefficient());
    (terms(), bound(), bound(), any::<bool>()).prop_map(|(terms, lower, upper, is_equation)| {
        let upper = if is_equation { lower } else { upper };
        Linear { lower, upper, ..Linear::sum(terms) }
    })
}

fn any_model() -> impl Strategy<Value = Model> {
    let objective = (terms(), any::<bool>(), coefficient());
    let rows = prop::collection::vec(any_row(), 0..6);
    (rows, prop::option::of(objective), any::<bool>()).prop_map(|(rows, objective, is_named)| {
        let mut model = Model::default();
        for i in 0..5 {
            model.new_var(&if is_named { format!("cell_{i}") } else { String::new() });
        }
        for row in rows {
            model.add(row);
        }
        if let Some((terms, is_minimized, constant)) = objective {
            let sense = if is_minimized { Sense::Minimize } else { Sense::Maximize };
            let term = |(coefficient, lit)| Term { coefficient, lit };
            let terms = terms.into_iter().map(term).collect();
            model.set_objective(Objective { sense, terms, constant, divisor: 1 });
        }
        model
    })
}

/// Terms over variables with the bounds moved: what the writer makes of the rows of a model.
fn canonical(model: &Model) -> Vec<(Vec<Term>, Option<i128>, Option<i128>)> {
    let mut rows = Vec::new();
    for i in 0..model.num_explicit_rows() {
        let row = model.explicit_row(i);
        let positive = |Term { coefficient, lit }: Term| Term {
            coefficient: if lit.is_negative() { -coefficient } else { coefficient },
            lit: lit.var().positive(),
        };
        let negated = row.terms().filter(|term| term.lit.is_negative());
        let moved: i128 = negated.map(|term| term.coefficient).sum();
        let mut terms: Vec<Term> = row.terms().map(positive).collect();
        if terms.is_empty() {
            terms.push(Term { coefficient: 0, lit: Var::new(0).positive() });
        }
        let (lower, upper) = (row.lower.map(|b| b - moved), row.upper.map(|b| b - moved));
        if lower == upper {
            rows.extend(lower.map(|_| (terms, lower, upper)));
            continue;
        }
        rows.extend(lower.map(|_| (terms.clone(), lower, None)));
        let negated = |term: Term| Term { coefficient: -term.coefficient, ..term };
        let negated = terms.into_iter().map(negated).collect();
        rows.extend(upper.map(|bound| (negated, Some(-bound), None)));
    }
    rows
}

proptest! {
    #[test]
    fn reading_what_was_written_gives_the_same_rows_and_assignments(model in any_model()) {
        let text = written(&model);
        let back = read(text.as_bytes()).expect("written by us");
        prop_assert_eq!(back.num_decisions(), model.num_decisions());
        prop_assert_eq!(canonical(&back), canonical(&model));
        let rows: Vec<_> = (0..back.num_explicit_rows()).map(|i| back.explicit_row(i)).collect();
        let rows = rows.iter().map(|row| (row.terms().collect(), row.lower, row.upper));
        prop_assert_eq!(rows.collect::<Vec<_>>(), canonical(&model));
        prop_assert_eq!(satisfying(&back), satisfying(&model));
        let again = written(&back);
        prop_assert_eq!(statements(&again), statements(&text));
    }

    #[test]
    fn the_written_objective_orders_assignments_as_the_model_does(model in any_model()) {
        let back = read(written(&model).as_bytes()).expect("written by us");
        let Some(objective) = model.objective().filter(|objective| !objective.is_constant()) else {
            prop_assert!(back.objective().is_none());
            return Ok(());
        };
        let sign = if objective.sense == Sense::Minimize { 1 } else { -1 };
        let offsets = (0..32).map(|bits| {
            let assignment = Assignment::from_values((0..5).map(|i| bits >> i & 1 == 1).collect());
            let written = back.objective().and_then(|written| written.value(&assignment));
            objective.value(&assignment).unwrap() - sign * written.unwrap()
        });
        let offsets: Vec<i128> = offsets.collect();
        prop_assert!(offsets.iter().all(|offset| *offset == offsets[0]), "{:?}", offsets);
    }
}
