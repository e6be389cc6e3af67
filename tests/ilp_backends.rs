//! Every integer programming solver of this build against brute force: checked solutions, claims
//! that are never verdicts, numbers that are refused, limits.

mod random;

use pbsolve::ilp::{IlpSolver, LoadError};
use pbsolve::{
    Assignment, Backend, Limits, Linear, Lit, Model, Objective, Optimum, Outcome, Progress, Reason,
    Sense, SolveError, Strategy, Var, backend, optimize,
};
use pbsolve_model::Term;
use random::Random;
use random::models::{Generator, brute_force, text};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The names of the solvers that this build has.
fn entries() -> impl Iterator<Item = &'static backend::Entry> {
    backend::ALL.iter().filter(|entry| entry.kind == backend::Kind::Ilp && entry.is_available())
}

fn strategy(backend: &Backend) -> Strategy {
    Strategy { backend: backend.clone(), ..Strategy::default() }
}

fn solver(entry: &backend::Entry) -> Box<dyn IlpSolver> {
    (entry.ilp_solver.expect("this build has it"))()
}

fn no_solution(title: &str) -> Reason {
    Reason::Unchecked(format!("{title} says that there is no solution"))
}

fn optimal(title: &str) -> Reason {
    Reason::Unchecked(format!("{title} says that this is optimal"))
}

/// Compares with brute force on random models; returns how many of them have a solution.
fn compare(seed: u64, number: usize, coefficient: fn(&mut Random) -> i128) -> usize {
    let mut generator = Generator { random: Random::new(seed), coefficient };
    let mut num_satisfiable = 0;
    for _ in 0..number {
        let model = generator.model();
        let expected = brute_force(&model);
        num_satisfiable += usize::from(!expected.is_empty());
        for entry in entries() {
            let told = || format!("{} on\n{}", entry.name, text(&model));
            let outcome = pbsolve::solve(&model, &strategy(&entry.backend));
            match outcome.unwrap_or_else(|error| panic!("{error}: {}", told())) {
                Outcome::Satisfiable(found) => {
                    assert!(expected.contains(found.values()), "{}", told());
                }
                Outcome::Unknown(reason) => {
                    assert!(expected.is_empty(), "{reason}: {}", told());
                    assert_eq!(reason, no_solution(entry.title), "{}", told());
                }
                other => panic!("{other}: {}", told()),
            }
        }
    }
    num_satisfiable
}

#[test]
fn solutions_of_sums_of_literals_are_those_of_brute_force() {
    let num_satisfiable = compare(1, 400, |random| if random.below(4) == 0 { -1 } else { 1 });
    assert!((100..300).contains(&num_satisfiable), "{num_satisfiable}");
}

#[test]
fn solutions_of_weighted_sums_are_those_of_brute_force() {
    let num_satisfiable = compare(2, 400, |random| random.below(401) as i128 - 200);
    assert!((50..350).contains(&num_satisfiable), "{num_satisfiable}");
}

fn objective(generator: &mut Generator, num_variables: usize) -> Objective {
    let terms = generator.terms(num_variables).into_iter();
    let terms = terms.map(|(coefficient, lit)| Term { coefficient, lit }).collect();
    let sense = if generator.random.below(2) == 0 { Sense::Minimize } else { Sense::Maximize };
    let constant = generator.random.below(21) as i128 - 10;
    Objective { sense, terms, constant, divisor: 1 + generator.random.below(3) as i128 }
}

#[test]
fn the_best_solutions_are_those_of_brute_force_and_never_called_optimal_unchecked() {
    let coefficient = |random: &mut Random| random.below(41) as i128 - 20;
    let mut generator = Generator { random: Random::new(3), coefficient };
    let (mut num_claimed, mut num_proved) = (0, 0);
    for _ in 0..300 {
        let mut model = generator.model();
        let objective = objective(&mut generator, model.num_decisions());
        model.set_objective(objective.clone());
        let value = |values: &Vec<bool>| {
            objective.value(&Assignment::from_values(values.clone())).expect("is small")
        };
        let values = brute_force(&model).iter().map(value).collect::<Vec<_>>();
        let expected = match objective.sense {
            Sense::Minimize => values.iter().min(),
            Sense::Maximize => values.iter().max(),
        };
        for entry in entries() {
            let told = || format!("{} on\n{}", entry.name, text(&model));
            let mut reported = Vec::new();
            let mut report = |progress: &Progress<'_>| {
                reported.extend(progress.solution.and(progress.best));
            };
            let solved = optimize(&model, &strategy(&entry.backend), &mut report);
            let (optimum, _) = solved.unwrap_or_else(|error| panic!("{error}: {}", told()));
            let found = match optimum {
                Optimum::Unknown(reason, None) => {
                    assert_eq!(reason, no_solution(entry.title), "{}", told());
                    None
                }
                Optimum::Unknown(reason, Some(best)) => {
                    assert_eq!(reason, optimal(entry.title), "{}", told());
                    num_claimed += 1;
                    Some(best)
                }
                // As good as the objective can be without any rows, which needs no search.
                Optimum::Optimal(best) => {
                    num_proved += 1;
                    Some(best)
                }
                other => panic!("{other:?}: {}", told()),
            };
            let found = found.map(|best| {
                assert!(model.check(&best).is_ok(), "{}", told());
                objective.value(&best).expect("is small")
            });
            assert_eq!(found.as_ref(), expected, "{}", told());
            assert_eq!(reported.last(), expected, "{}", told());
        }
    }
    assert!(num_claimed > 30 && num_proved > 30, "{num_claimed}, {num_proved}");
}

#[test]
fn integer_variables_are_columns_with_their_bounds() {
    for (lower, upper, target) in [(-7i128, 9, 5), (-3, 3, -3), (0, 0, 0), (5, 1 << 40, 1 << 39)] {
        let mut model = Model::default();
        let n = model.new_integer("n", lower, upper).clone();
        let x = model.new_var("x").positive();
        let sum = n.bits.iter().enumerate().map(|(i, bit)| (1 << i, bit.positive()));
        // n + x = target + x, and 2 n - x at least 2 target.
        model.add(Linear::sum(sum.clone()).with_lower(target - lower));
        let doubled = sum.clone().map(|(weight, lit)| (-2 * weight, lit)).chain([(1, x)]);
        model.add(Linear::sum(doubled).with_lower(-2 * (target - lower)));
        let terms = sum.map(|(coefficient, lit)| Term { coefficient, lit }).collect();
        model.set_objective(Objective { sense: Sense::Maximize, terms, constant: 0, divisor: 4 });
        for entry in entries() {
            let (optimum, _) = optimize(&model, &strategy(&entry.backend), &mut |_| {}).unwrap();
            match optimum {
                Optimum::Unknown(_, Some(best)) | Optimum::Optimal(best) => {
                    assert_eq!(n.value(&best), target, "{}", entry.name);
                }
                // Values off by a millionth of 2^40 are off by many.
                Optimum::Unknown(Reason::Failed(_), None) if upper == 1 << 40 => {}
                other => panic!("{}: {other:?}", entry.name),
            }
        }
    }
}

#[test]
fn a_model_without_variables_or_rows_is_answered() {
    for entry in entries() {
        let nothing = pbsolve::solve(&Model::default(), &strategy(&entry.backend)).unwrap();
        assert_eq!(
            nothing,
            Outcome::Satisfiable(Assignment::from_values(vec![])),
            "{}",
            entry.name
        );
        let mut without_rows = Model::default();
        without_rows.new_vars(3);
        let free = pbsolve::solve(&without_rows, &strategy(&entry.backend)).unwrap();
        assert!(matches!(free, Outcome::Satisfiable(_)), "{}: {free}", entry.name);
        for num_variables in [0, 2] {
            let mut model = Model::default();
            model.new_vars(num_variables);
            model.add(Linear::sum([]).with_lower(1));
            let outcome = pbsolve::solve(&model, &strategy(&entry.backend)).unwrap();
            assert!(matches!(outcome, Outcome::Unknown(_)), "{}: {outcome}", entry.name);
        }
    }
}

#[test]
fn numbers_that_no_double_holds_are_refused_by_name() {
    let most = 1i128 << 53;
    for (coefficient, bound, cost, place) in [
        (most, most, most, None),
        (most + 1, 1, 1, Some("row 2 (weight), the coefficient of a")),
        (-most - 1, 1, 1, Some("row 2 (weight), the coefficient of a")),
        (1, most + 1, 1, Some("row 2 (weight), its bound")),
        (1, 1, most + 1, Some("the coefficient of a in the objective")),
    ] {
        let mut model = Model::default();
        let [a, b] = ["a", "b"].map(|name| model.new_var(name).positive());
        model.add(Linear::at_least(1, [a, b]));
        model.add(Linear::sum([(coefficient, a), (1, b)]).with_upper(bound).named("weight"));
        let terms = vec![Term { coefficient: cost, lit: a }];
        model.set_objective(Objective { sense: Sense::Minimize, terms, constant: 0, divisor: 1 });
        for entry in entries() {
            let solved = optimize(&model, &strategy(&entry.backend), &mut |_| {});
            match (solved, place) {
                (Ok(_), None) => {}
                (Err(SolveError::Load(LoadError::Inexact { solver, place, .. })), Some(at)) => {
                    assert_eq!((solver.as_str(), place.as_str()), (entry.title, at));
                }
                (solved, place) => panic!("{}: {solved:?}, but {place:?}", entry.name),
            }
        }
    }
}

#[test]
fn a_start_is_taken_or_passed_over() {
    let mut model = Model::default();
    let lits: Vec<Lit> = (0..6).map(|i| model.new_var(&format!("x{i}")).positive()).collect();
    model.add(Linear::sum(lits.iter().map(|&lit| (3, lit))).with_upper(10));
    let terms = lits.iter().map(|&lit| Term { coefficient: 2, lit }).collect();
    model.set_objective(Objective { sense: Sense::Maximize, terms, constant: 1, divisor: 1 });
    let ones = |number: usize| Assignment::from_values((0..6).map(|i| i < number).collect());
    for entry in entries() {
        for number in [0, 2, 3, 6] {
            let strategy = Strategy { start: Some(ones(number)), ..strategy(&entry.backend) };
            let (optimum, _) = optimize(&model, &strategy, &mut |_| {}).unwrap();
            match optimum {
                Optimum::Unknown(_, Some(best)) => {
                    assert_eq!(model.objective().unwrap().value(&best), Some(7), "{}", entry.name);
                }
                other => panic!("{}: {other:?}", entry.name),
            }
        }
    }
}

/// A market split problem: no solver decides it in the time of a test.
fn market_split() -> Model {
    let mut random = Random::new(11);
    let mut model = Model::default();
    model.new_vars(60);
    for _ in 0..7 {
        let terms: Vec<(i128, Lit)> =
            (0..60).map(|i| (random.below(100) as i128, Var::new(i).positive())).collect();
        let half = terms.iter().map(|(weight, _)| weight).sum::<i128>() / 2;
        model.add(Linear::sum(terms).with_lower(half).with_upper(half));
    }
    model
}

#[test]
fn limits_end_a_search() {
    let model = market_split();
    for entry in entries() {
        let limits = Limits::timeout(Duration::from_millis(300));
        let started = Instant::now();
        let mut visit = |_| panic!("{} splits the market", entry.name);
        let claim = solver(entry).solve(&model, None, &limits, &mut visit).unwrap();
        assert_eq!(claim, pbsolve::ilp::Claim::Unknown(Reason::Timeout), "{}", entry.name);
        assert!(started.elapsed() < Duration::from_secs(5), "{}", entry.name);

        let stop = Arc::new(AtomicBool::new(false));
        let limits = Limits { stop: Arc::clone(&stop), ..Limits::timeout(Duration::from_secs(3)) };
        let setter = thread::spawn(move || {
            thread::sleep(Duration::from_millis(200));
            stop.store(true, Ordering::Relaxed);
        });
        let started = Instant::now();
        let claim = solver(entry).solve(&model, None, &limits, &mut visit).unwrap();
        assert_eq!(claim, pbsolve::ilp::Claim::Unknown(Reason::Interrupted), "{}", entry.name);
        assert!(started.elapsed() < Duration::from_secs(5), "{}", entry.name);
        setter.join().unwrap();
    }
    // The process may end next.
    pbsolve::ilp::join_searches();
}

#[test]
fn a_reached_limit_gives_the_best_solution_so_far() {
    // A cover of the market: the rows as at-least rows have solutions that are hard to improve.
    let split = market_split();
    let mut model = Model::default();
    model.new_vars(60);
    for i in 0..split.num_explicit_rows() {
        let row = split.explicit_row(i);
        let terms = row.terms().map(|term| (term.coefficient, term.lit));
        model.add(Linear::sum(terms).with_lower(row.lower.expect("it has one")));
    }
    let terms = split.explicit_row(0).terms().collect();
    model.set_objective(Objective { sense: Sense::Minimize, terms, constant: 0, divisor: 1 });
    for entry in entries() {
        let limits = Limits::timeout(Duration::from_secs(2));
        let strategy = Strategy { limits, ..strategy(&entry.backend) };
        let (optimum, _) = optimize(&model, &strategy, &mut |_| {}).unwrap();
        match optimum {
            Optimum::Unknown(_, Some(best)) | Optimum::Optimal(best) => {
                assert!(model.check(&best).is_ok(), "{}", entry.name);
            }
            other => panic!("{}: {other:?}", entry.name),
        }
    }
    // The process may end next.
    pbsolve::ilp::join_searches();
}
