//! A model's row on its whole way: stored, normalised, planned, encoded. Every relation, every
//! bound, every assignment.

use pbsolve_encodings::sink::Cnf;
use pbsolve_encodings::testing::Propagator;
use pbsolve_encodings::{Class, EncodeModel, Fixed, Planner, all};
use pbsolve_model::{Assignment, Linear, Lit, Model, Var};

fn assert_encodes_right(planner: Planner, encoder: &str, row: &Linear, n: usize) {
    let mut model = Model::with_generated_names(n, |i| format!("x{i}"));
    model.add(row.clone());
    let mut cnf = Cnf::default();
    let mut encoding = EncodeModel::new(planner);
    let flow = encoding.model(&model, &mut cnf);
    assert!(flow.is_continue(), "{encoder}, {row:?}: {flow:?}");
    let mut propagator = Propagator::new(&cnf);
    for bits in 0..1usize << n {
        let values: Vec<bool> = (0..n).map(|i| bits >> i & 1 == 1).collect();
        let assignment = Assignment::from_values(values);
        let before = propagator.num_assigned();
        let is_consistent =
            !propagator.is_contradictory() && assignment.lits().all(|lit| propagator.assume(lit));
        let is_allowed = is_consistent && propagator.count_extensions(1) == 1;
        propagator.undo_to(before);
        let is_right = model.check(&assignment).is_ok();
        assert_eq!(is_allowed, is_right, "{encoder}, n = {n}, {row:?}, input {assignment:?}");
    }
}

/// The default planner and one with each encoder that counts set.
fn planners() -> impl Iterator<Item = (&'static str, Planner)> {
    let counting = all().filter(|encoder| encoder.class() != Class::PseudoBoolean);
    let set = counting.map(|encoder| (encoder.name(), Planner::default().with(encoder)));
    std::iter::once(("the planner's choice", Planner::default())).chain(set)
}

#[test]
fn every_relation_with_every_bound_is_encoded_right() {
    for n in 0..=7 {
        let lits: Vec<Lit> = (0..n).map(|i| Var::new(i).lit(i % 3 != 1)).collect();
        let past = i128::try_from(n).unwrap() + 1;
        for bound in -1..=past {
            let one_sided = [
                Linear::at_least(bound, lits.iter().copied()),
                Linear::at_most(bound, lits.iter().copied()),
            ];
            let two_sided = (-1..=past)
                .map(|upper| Linear::at_most(upper, lits.iter().copied()).with_lower(bound));
            for row in one_sided.into_iter().chain(two_sided) {
                for (encoder, planner) in planners() {
                    assert_encodes_right(planner, encoder, &row, n);
                }
            }
        }
    }
}

#[test]
fn negative_coefficients_and_repeated_literals_that_come_to_counts_are_encoded_right() {
    let [x, y, z, w] = [0, 1, 2, 3].map(|i| Var::new(i).positive());
    for bound in -5..=5 {
        let rows = [
            // x + y - z - w, the rule of equal numbers
            Linear::sum([(1, x), (1, y), (-1, z), (-1, w)]),
            // 2 x - x + ~y + y + ...
            Linear::sum([(2, x), (-1, x), (1, !y), (1, y), (1, z), (1, w)]),
            Linear::sum([(3, x), (3, y), (3, !z), (-3, w)]),
            Linear::sum([(0, x), (1, y), (1, z), (0, w), (1, !w), (1, !x)]),
        ];
        for row in rows {
            for (encoder, planner) in planners() {
                assert_encodes_right(planner, encoder, &row.clone().with_lower(bound), 4);
                assert_encodes_right(planner, encoder, &row.clone().with_upper(bound), 4);
                let equal = row.clone().with_lower(bound).with_upper(bound);
                assert_encodes_right(planner, encoder, &equal, 4);
            }
        }
    }
}

#[test]
fn known_values_shrink_the_rows_and_keep_their_meaning() {
    let lits: Vec<Lit> = (0..6).map(|i| Var::new(i).lit(i % 2 == 0)).collect();
    for (encoder, planner) in planners() {
        for known in 0..3usize.pow(3) {
            let fixed: Vec<Option<bool>> = (0..3)
                .map(|i| [Some(false), Some(true), None][known / 3usize.pow(i) % 3])
                .collect();
            for bound in 0..=6 {
                let mut model = Model::with_generated_names(6, |i| format!("x{i}"));
                model.add(Linear::exactly(bound, lits.iter().copied()));
                let mut cnf = Cnf::default();
                let mut encoding = EncodeModel::new(planner);
                encoding.fixed = Fixed::without_proof(fixed.clone());
                assert!(encoding.model(&model, &mut cnf).is_continue());
                let mut propagator = Propagator::new(&cnf);
                let before = propagator.num_assigned();
                for bits in 0..1usize << 6 {
                    let values: Vec<bool> = (0..6).map(|i| bits >> i & 1 == 1).collect();
                    if fixed.iter().zip(&values).any(|(known, &value)| *known == Some(!value)) {
                        continue;
                    }
                    let assignment = Assignment::from_values(values);
                    let is_allowed = !propagator.is_contradictory()
                        && assignment.lits().all(|lit| propagator.assume(lit))
                        && propagator.count_extensions(1) == 1;
                    propagator.undo_to(before);
                    let is_right = model.check(&assignment).is_ok();
                    let input = assignment.values();
                    assert_eq!(
                        is_allowed, is_right,
                        "{encoder}, = {bound}, known {fixed:?}, input {input:?}"
                    );
                }
            }
        }
    }
}
