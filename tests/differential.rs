//! Random small models against brute force: the verdict of `solve`, and the set of solutions that a
//! search enumerates, with the encoders of the planner and with each encoder and back-end in turn.

mod random;

use pbsolve::{
    Assignment, Backend, Encoder, Found, Model, Outcome, Planner, Search, SolveError, Strategy,
};
use pbsolve_encodings::Class;
use random::models::{Generator, brute_force, text};
use random::{Random, sat_backends};
use std::collections::BTreeSet;

fn enumerate(model: &Model, strategy: &Strategy) -> Result<BTreeSet<Vec<bool>>, SolveError> {
    let mut search = Search::new(model, model, strategy)?;
    let mut solutions = BTreeSet::new();
    loop {
        match search.next()? {
            Found::NoMore => return Ok(solutions),
            Found::Unknown(reason) => panic!("{reason} without a limit on\n{}", text(model)),
            Found::Solution(assignment) => {
                search.exclude(&assignment);
                let is_new = solutions.insert(assignment.values().to_vec());
                assert!(is_new, "a solution is found twice on\n{}", text(model));
            }
        }
    }
}

/// Whether a row may be refused: there is no encoder for weighted rows in the table.
fn may_refuse(error: &SolveError) -> bool {
    let lacks_weights = pbsolve_encodings::all().all(|e| e.class() != Class::PseudoBoolean);
    lacks_weights && matches!(error, SolveError::UnsupportedRow { .. })
}

fn strategy(encoder: Option<&'static dyn Encoder>) -> Strategy {
    let planner = encoder.map_or_else(Planner::default, |e| Planner::default().with(e));
    Strategy { planner, ..Strategy::default() }
}

/// Compares on random models; returns how many were solved.
fn compare(mut generator: Generator, num_models: usize) -> usize {
    let encoders: Vec<_> = pbsolve_encodings::all().collect();
    let backends = sat_backends();
    let mut num_solved = 0;
    for number in 0..num_models {
        let model = generator.model();
        let expected = brute_force(&model);
        let verdict = match pbsolve::solve(&model, &strategy(None)) {
            Err(error) if may_refuse(&error) => continue,
            verdict => verdict.unwrap_or_else(|error| panic!("{error} on\n{}", text(&model))),
        };
        num_solved += 1;
        let agrees = match &verdict {
            Outcome::Satisfiable(assignment) => expected.contains(assignment.values()),
            Outcome::Unsatisfiable => expected.is_empty(),
            _ => false,
        };
        assert!(agrees, "{verdict}, but {} solutions of\n{}", expected.len(), text(&model));

        // Each encoder has its turn with each back-end; the planner and Varisat have theirs with
        // every model.
        let encoder = encoders[number % encoders.len()];
        let backend = backends[number / encoders.len() % backends.len()].clone();
        for (encoder, backend) in [(None, Backend::Varisat), (Some(encoder), backend)] {
            let name = format!("{} with {backend:?}", encoder.map_or("planner", Encoder::name));
            let found = enumerate(&model, &Strategy { backend, ..strategy(encoder) });
            let found = found.unwrap_or_else(|e| panic!("{name}: {e} on\n{}", text(&model)));
            assert_eq!(found, expected, "{name} on\n{}", text(&model));
        }
    }
    num_solved
}

#[test]
fn sums_of_literals_have_the_solutions_of_brute_force() {
    let coefficient = |random: &mut Random| if random.below(4) == 0 { -1 } else { 1 };
    let num_solved = compare(Generator { random: Random::new(1), coefficient }, 7000);
    assert!(num_solved > 1000, "only {num_solved} models were solved");
}

#[test]
fn weighted_sums_have_the_solutions_of_brute_force() {
    let coefficient = |random: &mut Random| random.below(11) as i128 - 5;
    compare(Generator { random: Random::new(2), coefficient }, 4000);
}

#[test]
fn equal_weights_are_divided_out() {
    let coefficient = |random: &mut Random| if random.below(4) == 0 { -3 } else { 3 };
    let num_solved = compare(Generator { random: Random::new(3), coefficient }, 500);
    assert!(num_solved > 150, "only {num_solved} models were solved");
}

#[test]
fn a_model_without_rows_has_all_assignments_as_solutions() {
    let mut model = Model::default();
    for name in ["a", "b", "c"] {
        model.new_var(name);
    }
    assert_eq!(enumerate(&model, &Strategy::default()).unwrap().len(), 8);
    let nothing = Model::default();
    let only = BTreeSet::from([Vec::new()]);
    assert_eq!(enumerate(&nothing, &Strategy::default()).unwrap(), only);
    let verdict = pbsolve::solve(&nothing, &Strategy::default()).unwrap();
    assert_eq!(verdict, Outcome::Satisfiable(Assignment::from_values(Vec::new())));
}
