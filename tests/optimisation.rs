//! Optima of random small models against brute force, with each back-end, with each search alone
//! and with both in turns so short that they change hands in the middle of calls.

mod random;

use pbsolve::{
    Backend, Limits, Model, Objective, Optimization, Optimum, Progress, Sense, Strategy, optimize,
};
use pbsolve_model::Term;
use random::models::{Generator, brute_force, text};
use random::{Random, sat_backends};

/// Every search alone, and both in turns of the given first length.
const STRATEGIES: [(Optimization, u64); 4] = [
    (Optimization::Improve, 1 << 17),
    (Optimization::Cores, 1 << 17),
    (Optimization::Alternate, 1),
    (Optimization::Alternate, 1 << 17),
];

fn objective(generator: &mut Generator, num_variables: usize) -> Objective {
    let terms = generator.terms(num_variables).into_iter();
    let terms = terms.map(|(coefficient, lit)| Term { coefficient, lit }).collect();
    let sense = match generator.random.below(2) {
        0 => Sense::Minimize,
        _ => Sense::Maximize,
    };
    let constant = i128::try_from(generator.random.below(21)).expect("small") - 10;
    Objective { sense, terms, constant, divisor: 1 }
}

/// The best value by substitution, if there is a solution.
fn best_value(model: &Model) -> Option<i128> {
    let objective = model.objective().expect("an objective");
    let value = |values: Vec<bool>| {
        let holds = |term: &&Term| values[term.lit.var().index()] != term.lit.is_negative();
        let counted = objective.terms.iter().filter(holds);
        objective.constant + counted.map(|term| term.coefficient).sum::<i128>()
    };
    let values = brute_force(model).into_iter().map(value);
    match objective.sense {
        Sense::Minimize => values.min(),
        Sense::Maximize => values.max(),
    }
}

fn assert_optimum(model: &Model, strategy: &Strategy) {
    let expected = best_value(model);
    let objective = model.objective().expect("an objective");
    let told =
        || format!("{:?} with {:?} on\n{}", strategy.optimization, strategy.backend, text(model));
    let mut reported: Vec<i128> = Vec::new();
    let mut report = |progress: &Progress<'_>| {
        if let (Some(solution), Some(best)) = (progress.solution, progress.best) {
            assert_eq!(objective.value(solution), Some(best), "the value that is told, {}", told());
            reported.push(best);
        }
        if let Some(expected) = expected {
            let is_bound = match objective.sense {
                Sense::Minimize => progress.bound <= expected,
                Sense::Maximize => progress.bound >= expected,
            };
            assert!(
                is_bound,
                "the bound {} but the optimum is {expected}, {}",
                progress.bound,
                told()
            );
        }
    };
    let (optimum, _) = optimize(model, strategy, &mut report).expect("rows that can be encoded");
    match (optimum, expected) {
        (Optimum::Unsatisfiable, None) => {}
        (Optimum::Optimal(solution), Some(expected)) => {
            assert!(model.check(&solution).is_ok(), "the solution, {}", told());
            assert_eq!(objective.value(&solution), Some(expected), "the optimum, {}", told());
            assert_eq!(reported.last(), Some(&expected), "the last report, {}", told());
            let is_better = |pair: &[i128]| match objective.sense {
                Sense::Minimize => pair[1] < pair[0],
                Sense::Maximize => pair[1] > pair[0],
            };
            assert!(reported.windows(2).all(is_better), "{reported:?}, {}", told());
        }
        (optimum, expected) => panic!("{optimum:?}, but expected {expected:?}, {}", told()),
    }
}

fn check_random_models(seed: u64, number: usize, coefficient: fn(&mut Random) -> i128) {
    let mut generator = Generator { random: Random::new(seed), coefficient };
    let backends = sat_backends();
    for round in 0..number {
        let mut model = generator.model();
        let objective = objective(&mut generator, model.num_decisions());
        model.set_objective(objective);
        let (optimization, first_turn) = STRATEGIES[round % STRATEGIES.len()];
        let backend = backends[round / STRATEGIES.len() % backends.len()].clone();
        let strategy = Strategy { backend, optimization, first_turn, ..Strategy::default() };
        assert_optimum(&model, &strategy);
    }
}

#[test]
fn optima_of_random_models_with_small_weights_are_those_of_brute_force() {
    check_random_models(1, 7000, |random| [-2, -1, 1, 1, 2, 3][random.below(6)]);
}

#[test]
fn optima_of_random_models_with_larger_weights_are_those_of_brute_force() {
    check_random_models(2, 3000, |random| i128::try_from(random.below(401)).expect("small") - 200);
}

/// A vertex cover whose bounds need many calls: both searches pause and go on.
fn vertex_cover(num_vertices: usize, seed: u64) -> Model {
    let mut random = Random::new(seed);
    let mut model = Model::default();
    let vertices: Vec<_> =
        (0..num_vertices).map(|i| model.new_var(&format!("v{i}")).positive()).collect();
    for i in 0..num_vertices {
        for j in i + 1..num_vertices {
            if random.below(5) == 0 {
                model.add(pbsolve::Linear::at_least(1, [vertices[i], vertices[j]]));
            }
        }
    }
    let weight = |random: &mut Random| i128::try_from(1 + random.below(9)).expect("small");
    let terms = vertices.iter().map(|&lit| Term { coefficient: weight(&mut random), lit });
    let terms = terms.collect();
    model.set_objective(Objective { sense: Sense::Minimize, terms, constant: 0, divisor: 1 });
    model
}

#[test]
fn all_searches_agree_on_a_vertex_cover_and_runs_are_the_same() {
    let model = vertex_cover(40, 5);
    let value = |backend: &Backend, optimization, first_turn| {
        let backend = backend.clone();
        let strategy = Strategy { backend, optimization, first_turn, ..Strategy::default() };
        let mut bests = Vec::new();
        let mut report = |progress: &Progress<'_>| bests.push((progress.best, progress.bound));
        match optimize(&model, &strategy, &mut report).expect("clauses can be encoded").0 {
            Optimum::Optimal(best) => (model.objective().unwrap().value(&best), best, bests),
            other => panic!("{optimization:?}: {other:?}"),
        }
    };
    let backends = sat_backends();
    let expected = value(&backends[0], Optimization::Improve, 1 << 17).0;
    for backend in &backends {
        for (optimization, turn) in STRATEGIES {
            let found = value(backend, optimization, turn).0;
            assert_eq!(found, expected, "{backend:?} {optimization:?}");
        }
        let [one, other] = [1, 2].map(|_| value(backend, Optimization::Alternate, 4096));
        assert_eq!(one, other, "two runs with {backend:?} differ");
    }
}

#[test]
fn a_limit_gives_the_best_solution_so_far() {
    // Nothing proves the optimum of this one within the limit.
    let model = vertex_cover(400, 1);
    let limits = Limits::timeout(std::time::Duration::from_millis(1500));
    let strategy = Strategy { limits, ..Strategy::default() };
    let (optimum, _) = optimize(&model, &strategy, &mut |_| {}).expect("clauses");
    match optimum {
        Optimum::Unknown(_, Some(best)) => assert!(model.check(&best).is_ok()),
        other => panic!("{other:?}"),
    }
}

/// The encoding of a knapsack of 20,000 takes longer than the limit; a first solution does not.
#[test]
fn a_solution_is_found_though_the_encoding_takes_too_long() {
    let mut random = Random::new(4);
    let mut number = || i128::try_from(1 + random.below(1000)).expect("small");
    let mut model = Model::default();
    model.new_vars(20_000);
    let lits: Vec<_> = (0..20_000).map(|i| pbsolve::Var::new(i).positive()).collect();
    let row = pbsolve::Linear::sum(lits.iter().map(|&lit| (number(), lit)));
    model.add(row.with_upper(2_000_000));
    let terms = lits.iter().map(|&lit| Term { coefficient: number(), lit }).collect();
    model.set_objective(Objective { sense: Sense::Maximize, terms, constant: 0, divisor: 1 });
    let limits = Limits::timeout(std::time::Duration::from_secs(4));
    let strategy = Strategy { limits, ..Strategy::default() };
    let (optimum, _) = optimize(&model, &strategy, &mut |_| {}).expect("one row");
    match optimum {
        Optimum::Unknown(_, Some(best)) => {
            assert!(model.check(&best).is_ok());
            let value = model.objective().unwrap().value(&best);
            assert!(value > Some(0), "an empty knapsack is a solution too: {value:?}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_start_is_the_first_solution_unless_it_violates_a_row() {
    let model = vertex_cover(12, 3);
    let all = pbsolve::Assignment::from_values(vec![true; 12]);
    let none = pbsolve::Assignment::from_values(vec![false; 12]);
    for start in [all, none] {
        let strategy = Strategy { start: Some(start), ..Strategy::default() };
        assert_optimum_value(&model, &strategy);
    }
}

fn assert_optimum_value(model: &Model, strategy: &Strategy) {
    let expected = best_value(model).expect("all vertices are a cover");
    let (optimum, _) = optimize(model, strategy, &mut |_| {}).expect("clauses");
    match optimum {
        Optimum::Optimal(best) => {
            assert_eq!(model.objective().unwrap().value(&best), Some(expected));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn weights_up_to_the_end_of_128_bits_are_exact() {
    let most = i128::MAX;
    for (weights, expected) in [
        ([most, 0, 0, 0], 0),
        ([-(most - 3), 1, 1, 1], -(most - 3)),
        ([most / 2, most / 2, 0, 0], 0),
        ([most / 4, most / 4, most / 4, most / 4], most / 4),
        ([-(most / 2), most / 4, most / 8, 5], -(most / 2)),
    ] {
        for optimization in [Optimization::Improve, Optimization::Cores, Optimization::Alternate] {
            let mut model = Model::default();
            let lits: Vec<_> =
                (0..4).map(|i| model.new_var(&format!("x{}", i + 1)).positive()).collect();
            model.add(pbsolve::Linear::exactly(1, lits.iter().copied()));
            let terms = lits.iter().zip(weights);
            let terms = terms.map(|(&lit, coefficient)| Term { coefficient, lit }).collect();
            let sense = Sense::Minimize;
            model.set_objective(Objective { sense, terms, constant: 0, divisor: 1 });
            let strategy = Strategy { optimization, first_turn: 1, ..Strategy::default() };
            let (optimum, _) = optimize(&model, &strategy, &mut |_| {}).expect("one row");
            match optimum {
                Optimum::Optimal(best) => {
                    let value = model.objective().unwrap().value(&best);
                    assert_eq!(value, Some(expected), "{weights:?} {optimization:?}");
                }
                other => panic!("{weights:?} {optimization:?}: {other:?}"),
            }
        }
    }
}
