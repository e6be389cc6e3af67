//! Justified clauses: every certified encoder, on all small rows, against a checker of the rules
//! that shares nothing with the encoders.

mod proof_checker;

use pbsolve_encodings::sink::Cnf;
use pbsolve_encodings::{
    Cardinality, CardinalityNetwork, Class, ClauseSink, DecisionDiagram, Direct, EncodeModel,
    Encoder, Fixing, Outputs, Planner, PolynomialWatchdog, ProofTerm, PseudoBoolean, Row, Size,
    Stop, Strength,
};
use pbsolve_model::{Linear, Lit, Model, Var};
use proof_checker::*;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Encodes `row` with a proof that starts from the sides of `given`.
fn encode_from(encoder: &dyn Encoder, row: &Row<'_>, given: &Row<'_>) -> Proving {
    let num_variables = row.lits().iter().map(|lit| lit.var().index() + 1).max().unwrap_or(0);
    let mut sink = Proving { cnf: Cnf::with_variables(num_variables), proof: Proof::of_row(given) };
    assert!(encoder.encode(row, &mut sink).is_continue());
    sink
}

/// Encodes with a proof; every rule is checked, and every clause must be justified.
fn prove(encoder: &dyn Encoder, row: &Row<'_>) -> Proving {
    let sink = encode_from(encoder, row, row);
    if let Err(wrong) = sink.check() {
        panic!("{}, {row:?}: {wrong}\n{:?}", encoder.name(), sink.proof.rules);
    }
    let num_variables = row.lits().iter().map(|lit| lit.var().index() + 1).max().unwrap_or(0);
    let mut plain = Cnf::with_variables(num_variables);
    assert!(encoder.encode(row, &mut plain).is_continue());
    assert_eq!(plain, sink.cnf, "{}: a proof changes no clause", encoder.name());
    sink
}

fn certified() -> impl Iterator<Item = &'static dyn Encoder> {
    pbsolve_encodings::all().filter(|encoder| encoder.is_certified())
}

fn inputs(n: usize) -> Vec<Lit> {
    (0..n).map(|i| Var::new(i).lit(i % 3 != 1)).collect()
}

/// All rows that count up to this many literals.
fn for_each_counting_row(up_to: usize, mut visit: impl FnMut(&Row<'_>)) {
    for n in 2..=up_to {
        let lits = &inputs(n)[..];
        visit(&Row::ExactlyOne(lits));
        if n > 2 {
            visit(&Row::AtMostOne(lits));
        }
        for lo in 0..n {
            for hi in lo.max(1)..=n {
                if lo > 0 || hi < n {
                    visit(&Row::Cardinality(Cardinality { lits, lo, hi }));
                }
            }
        }
    }
}

/// Rows with these coefficients and all bounds that force no literal.
fn for_each_bound(coefficients: &[i128], mut visit: impl FnMut(&Row<'_>)) {
    let lits = &inputs(coefficients.len())[..];
    let sum: i128 = coefficients.iter().sum();
    let largest = *coefficients.iter().max().expect("terms");
    for lo in 0..=sum - largest {
        for hi in lo.max(largest)..=sum {
            if lo > 0 || hi < sum {
                visit(&Row::PseudoBoolean(PseudoBoolean { lits, coefficients, lo, hi }));
            }
        }
    }
}

fn prove_all(row: &Row<'_>) {
    for encoder in certified().filter(|encoder| encoder.supports(row)) {
        prove(encoder, row);
    }
}

#[test]
fn every_clause_of_small_counting_rows_is_justified() {
    for_each_counting_row(5, prove_all);
}

#[test]
fn every_clause_of_small_weighted_rows_is_justified() {
    let weights = [1, 2, 3];
    for a in weights {
        for b in weights {
            for_each_bound(&[a, b], prove_all);
            for c in weights {
                for_each_bound(&[a, b, c], prove_all);
            }
        }
    }
    for coefficients in [&[1, 1, 2, 3][..], &[5, 3, 3, 1], &[7, 4, 2, 1], &[1, 2, 2, 2, 3]] {
        for_each_bound(coefficients, prove_all);
    }
}

#[test]
fn larger_rows_where_sums_are_cut_are_justified() {
    let lits = &inputs(9)[..];
    for (lo, hi) in [(0, 2), (0, 3), (2, 2), (1, 3), (3, 4), (2, 6), (7, 9), (6, 9), (5, 5)] {
        prove_all(&Row::Cardinality(Cardinality { lits, lo, hi }));
    }
    prove_all(&Row::AtMostOne(lits));
    prove_all(&Row::ExactlyOne(lits));
    for (lo, hi) in [(0, 3), (0, 4), (3, 5), (10, 15), (2, 15)] {
        let coefficients = &[3, 2, 2, 2, 2, 1, 1, 1, 1][..];
        prove_all(&Row::PseudoBoolean(PseudoBoolean { lits, coefficients, lo, hi }));
    }
}

#[test]
fn networks_that_merge_recursively_are_justified() {
    for (n, lo, hi) in [(16, 0, 7), (20, 9, 20), (24, 0, 11), (21, 5, 8)] {
        let lits = &inputs(n)[..];
        let row = Row::Cardinality(Cardinality { lits, lo, hi });
        prove(&CardinalityNetwork, &row);
    }
    // Bits in all places, so that counts of literals and of carries are merged.
    for (n, lo, hi) in [(14, 0, 40), (14, 37, 93), (18, 0, 50)] {
        let lits = &inputs(n)[..];
        let mut coefficients: Vec<i128> = (0..n).map(|i| 1 + (5 * i as i128) % 13).collect();
        coefficients.sort_unstable_by(|a, b| b.cmp(a));
        let sum = coefficients.iter().sum();
        let row = PseudoBoolean { lits, coefficients: &coefficients, lo, hi: hi.min(sum) };
        prove(&PolynomialWatchdog, &Row::PseudoBoolean(row));
        prove(&DecisionDiagram, &Row::PseudoBoolean(row));
    }
}

/// Rows for which each encoder has something to prove, with the same row one looser.
fn for_each_with_looser(mut visit: impl FnMut(&Row<'_>, &Row<'_>)) {
    let lits = &inputs(8)[..];
    for (lo, hi) in [(0, 1), (0, 3), (3, 8), (2, 4)] {
        let row = Cardinality { lits, lo, hi };
        let (lower, upper) = (lo.saturating_sub(1), (hi + 1).min(8));
        let named = if hi == 1 { Row::AtMostOne(lits) } else { Row::Cardinality(row) };
        if hi < 8 {
            visit(&named, &Row::Cardinality(Cardinality { hi: upper, ..row }));
        }
        if lo > 0 {
            visit(&named, &Row::Cardinality(Cardinality { lo: lower, ..row }));
        }
    }
    let coefficients = &[3, 3, 2, 2, 1, 1, 1, 1][..];
    for (lo, hi) in [(0, 5), (4, 14), (4, 7)] {
        let row = PseudoBoolean { lits, coefficients, lo, hi };
        if hi < 14 {
            visit(
                &Row::PseudoBoolean(row),
                &Row::PseudoBoolean(PseudoBoolean { hi: hi + 1, ..row }),
            );
        }
        if lo > 0 {
            visit(
                &Row::PseudoBoolean(row),
                &Row::PseudoBoolean(PseudoBoolean { lo: lo - 1, ..row }),
            );
        }
    }
}

#[test]
fn a_bound_that_is_off_by_one_is_refused_for_each_encoder() {
    let mut refused = std::collections::HashSet::new();
    for_each_with_looser(|row, looser| {
        for encoder in certified().filter(|encoder| encoder.supports(row)) {
            prove(encoder, row);
            let wrong = encode_from(encoder, row, looser).check();
            assert!(wrong.is_err(), "{} proves {row:?} from {looser:?}", encoder.name());
            refused.insert(encoder.name());
        }
    });
    assert_eq!(refused.len(), certified().count(), "{refused:?}");
}

/// The rule with something taken away that it needs, as a rule.
fn corrupted(rule: &Rule) -> Option<(&'static str, Rule)> {
    match rule {
        Rule::Red { constraint, witness } => {
            let mut constraint = constraint.clone();
            let other = *constraint.terms.keys().find(|lit| !witness.contains(lit))?;
            constraint.terms.remove(&other);
            Some(("red", Rule::Red { constraint, witness: witness.clone() }))
        }
        Rule::Rup { clause, hints } => {
            let (_, clause) = clause.split_first()?;
            Some(("rup", Rule::Rup { clause: clause.to_vec(), hints: hints.clone() }))
        }
        Rule::Pol(steps) => {
            // The last constraint that was added is not.
            let place = steps.iter().rposition(|step| *step == ProofTerm::Add)?;
            let start = steps[..place].iter().rposition(|step| {
                matches!(step, ProofTerm::Constraint(_) | ProofTerm::Literal(_))
            })?;
            let mut steps = steps.clone();
            steps.drain(start..=place);
            Some(("pol", Rule::Pol(steps)))
        }
    }
}

#[test]
fn a_corrupted_step_of_each_rule_is_refused_for_each_encoder() {
    let mut tried = BTreeMap::new();
    for_each_with_looser(|row, _| {
        for encoder in certified().filter(|encoder| encoder.supports(row)) {
            let control = prove(encoder, row);
            let rules = &control.proof.rules;
            // Some twenty-five steps of each proof: a replay is as long as the proof.
            for place in (0..rules.len()).step_by(rules.len() / 25 + 1) {
                let Some((kind, wrong)) = corrupted(&rules[place]) else { continue };
                let mut checker = Checker::default();
                let given = &control.proof.checker.constraints[..control.proof.num_given];
                checker.constraints = given.to_vec();
                let replay = rules.iter().enumerate().try_for_each(|(i, rule)| {
                    let rule = if i == place { &wrong } else { rule };
                    checker.derive(rule).map(drop)
                });
                let justified = &control.proof.justified;
                let all = replay.and_then(|()| check_clauses(&checker, &control.cnf, justified));
                let [refused, number] = tried.entry((encoder.name(), kind)).or_insert([0, 0]);
                *refused += usize::from(all.is_err());
                *number += 1;
            }
        }
    });
    for encoder in certified() {
        let of_encoder = tried.iter().filter(|((name, _), _)| *name == encoder.name());
        assert!(of_encoder.count() > 0, "{} has rules", encoder.name());
    }
    for ((encoder, kind), [refused, number]) in tried {
        // What is left over after a corruption may happen to suffice, but seldom.
        assert!(2 * refused > number, "{encoder}, {kind}: {refused} of {number} refused");
    }
}

/// A row as it may be written: repeated and complementary literals, any signs, wide bounds.
fn written_row() -> impl Strategy<Value = (Vec<(i128, Lit)>, Option<i128>, Option<i128>)> {
    let term = (-6i128..=9, 0usize..5, any::<bool>());
    let term = term.prop_map(|(c, var, sign)| (c, Var::new(var).lit(sign)));
    let bound = || proptest::option::weighted(0.7, -12i128..=20);
    (proptest::collection::vec(term, 0..7), bound(), bound())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    /// From the sides as they are written to the clauses, through every step of the normal form.
    #[test]
    fn rows_as_written_are_justified((terms, lower, upper) in written_row()) {
        let mut model = Model::default();
        model.new_vars(5);
        let mut row = Linear::sum(terms.iter().copied());
        (row.lower, row.upper) = (lower, upper);
        model.add(row);
        let mut sink = Proving { cnf: Cnf::default(), proof: Proof::default() };
        let sides = sink.proof.give(&terms, lower, upper);
        sink.proof.given.push(sides);
        let planner = Planner { require_certified: true, ..Planner::default() };
        let mut encode = EncodeModel::new(planner);
        prop_assert!(encode.model(&model, &mut sink).is_continue());
        prop_assert_eq!(sink.check(), Ok(()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Values that some rows fix are folded into the others, and no clause speaks of them.
    #[test]
    fn rows_with_fixed_variables_are_justified(
        rows in proptest::collection::vec(written_row(), 1..5),
        units in proptest::collection::vec((0usize..5, any::<bool>()), 1..3),
    ) {
        let mut model = Model::default();
        model.new_vars(5);
        let mut sink = Proving { cnf: Cnf::default(), proof: Proof::default() };
        let units = units.into_iter().map(|(var, sign)| {
            (vec![(1, Var::new(var).lit(sign))], Some(1), None)
        });
        for (terms, lower, upper) in rows.into_iter().chain(units) {
            let mut row = Linear::sum(terms.iter().copied());
            (row.lower, row.upper) = (lower, upper);
            model.add(row);
            let sides = sink.proof.give(&terms, lower, upper);
            sink.proof.given.push(sides);
        }
        let planner = Planner { require_certified: true, ..Planner::default() };
        let mut encode = EncodeModel::new(planner);
        for _ in 0..2 {
            let flow = model.for_each_row(|id, row| {
                match encode.fix(id, row, |_| true, sink.proof()) {
                    Fixing::Contradiction => ControlFlow::Break(()),
                    _ => ControlFlow::Continue(()),
                }
            });
            if flow.is_break() {
                break;
            }
        }
        prop_assert!(encode.model(&model, &mut sink).is_continue());
        prop_assert_eq!(sink.check(), Ok(()));
        for lit in sink.cnf.clauses().flatten() {
            prop_assert_eq!(encode.fixed.value(lit.var()), None, "{:?}", sink.cnf);
        }
    }
}

/// An encoder that justifies nothing.
#[derive(Debug)]
struct Silent;

impl Encoder for Silent {
    fn name(&self) -> &'static str {
        "silent"
    }

    fn class(&self) -> Class {
        Direct.class()
    }

    fn about(&self) -> &'static str {
        "an encoder of a user"
    }

    fn supports(&self, row: &Row<'_>) -> bool {
        Direct.supports(row)
    }

    fn size(&self, row: &Row<'_>) -> Option<Size> {
        Direct.size(row)
    }

    fn strength(&self, row: &Row<'_>) -> Strength {
        Direct.strength(row)
    }

    fn keeps_model_count(&self, row: &Row<'_>) -> bool {
        Direct.keeps_model_count(row)
    }

    fn encode(&self, row: &Row<'_>, sink: &mut dyn ClauseSink) -> ControlFlow<Stop, Outputs> {
        Direct.encode(row, sink)
    }
}

#[test]
fn an_encoder_without_a_proof_is_refused_by_name() {
    let lits = &inputs(8)[..];
    let planner = Planner { require_certified: true, ..Planner::default() };
    let row = Row::Cardinality(Cardinality { lits, lo: 0, hi: 3 });
    let refused = planner.with(&Silent).choose(&row).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "cardinality <= row of 8 literals: silent justifies no clauses for a proof"
    );
}

#[test]
fn every_encoder_is_certified() {
    for encoder in pbsolve_encodings::all() {
        assert!(encoder.is_certified(), "{}", encoder.name());
    }
}
