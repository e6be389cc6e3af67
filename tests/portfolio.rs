//! Races: verdicts and optima are those of brute force whoever races, claims of integer programming
//! solvers never win, what one finds is a bound for the others, and nothing is left behind.

mod random;

use pbsolve::{
    Assignment, Backend, Limits, Linear, Lit, Model, Objective, Optimum, Outcome, Progress, Reason,
    Sense, SolveError, Strategy, Var, optimize,
};
use pbsolve_model::Term;
use random::Random;
use random::models::{Generator, brute_force, text};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

fn race(members: &[Backend]) -> Strategy {
    Strategy { backend: Backend::Portfolio(members.to_vec()), ..Strategy::default() }
}

/// Races of every kind: chosen by the model, of either side alone, of both, of the same twice.
fn races() -> Vec<Vec<Backend>> {
    vec![
        vec![],
        vec![Backend::Varisat, Backend::Microlp],
        vec![Backend::Microlp, Backend::Varisat],
        vec![Backend::Varisat, Backend::Varisat],
        vec![Backend::Varisat],
    ]
}

#[test]
fn verdicts_are_those_of_brute_force() {
    let coefficient = |random: &mut Random| random.below(41) as i128 - 20;
    let mut generator = Generator { random: Random::new(1), coefficient };
    for round in 0..200 {
        let model = generator.model();
        let expected = brute_force(&model);
        let members = &races()[round % races().len()];
        let told = || format!("{members:?} on\n{}", text(&model));
        match pbsolve::solve(&model, &race(members)).unwrap_or_else(|e| panic!("{e}: {}", told())) {
            Outcome::Satisfiable(found) => {
                assert!(expected.contains(found.values()), "{}", told());
            }
            Outcome::Unsatisfiable => assert!(expected.is_empty(), "{}", told()),
            other => panic!("{other}: {}", told()),
        }
    }
    // The process may end next.
    pbsolve::ilp::join_searches();
}

#[test]
fn optima_are_those_of_brute_force() {
    let coefficient = |random: &mut Random| random.below(41) as i128 - 20;
    let mut generator = Generator { random: Random::new(2), coefficient };
    let mut num_optimal = 0;
    for round in 0..200 {
        let mut model = generator.model();
        let terms = generator.terms(model.num_decisions()).into_iter();
        let terms = terms.map(|(coefficient, lit)| Term { coefficient, lit }).collect();
        let sense = [Sense::Minimize, Sense::Maximize][round % 2];
        let objective = Objective { sense, terms, constant: 3, divisor: 1 };
        model.set_objective(objective.clone());
        let values = brute_force(&model).into_iter().map(Assignment::from_values);
        let values: Vec<i128> = values.map(|a| objective.value(&a).expect("is small")).collect();
        let expected = match sense {
            Sense::Minimize => values.into_iter().min(),
            Sense::Maximize => values.into_iter().max(),
        };
        let members = &races()[round % races().len()];
        let told = || format!("{members:?} on\n{}", text(&model));
        let mut reported: Vec<i128> = Vec::new();
        let mut report = |progress: &Progress<'_>| {
            if let (Some(solution), Some(best)) = (progress.solution, progress.best) {
                assert_eq!(objective.value(solution), Some(best), "{}", told());
                assert!(model.check(solution).is_ok(), "{}", told());
                reported.push(best);
            }
        };
        let (optimum, _) = optimize(&model, &race(members), &mut report).expect("small numbers");
        match (optimum, expected) {
            (Optimum::Unsatisfiable, None) => {}
            (Optimum::Optimal(best), Some(expected)) => {
                num_optimal += 1;
                assert_eq!(objective.value(&best), Some(expected), "{}", told());
                assert_eq!(reported.last(), Some(&expected), "{}", told());
                let is_better = |pair: &[i128]| match sense {
                    Sense::Minimize => pair[1] < pair[0],
                    Sense::Maximize => pair[1] > pair[0],
                };
                assert!(reported.windows(2).all(is_better), "{reported:?}, {}", told());
            }
            (optimum, expected) => panic!("{optimum:?}, but {expected:?}: {}", told()),
        }
    }
    assert!(num_optimal > 40, "{num_optimal}");
    // The process may end next.
    pbsolve::ilp::join_searches();
}

#[test]
fn a_claim_that_nobody_confirms_is_told_and_does_not_win() {
    // Without a SAT solver there is no verdict.
    let ilp_only = [Backend::Microlp, Backend::Microlp];
    let mut model = Model::default();
    let lits = ["a", "b"].map(|name| model.new_var(name).positive());
    model.add(Linear::sum(lits.map(|lit| (2, lit))).with_lower(1).with_upper(1));
    let outcome = pbsolve::solve(&model, &race(&ilp_only)).unwrap();
    let claim = Reason::Unchecked("microlp says that there is no solution".to_owned());
    assert_eq!(outcome, Outcome::Unknown(claim));
    let with_sat = pbsolve::solve(&model, &race(&[Backend::Microlp, Backend::Varisat])).unwrap();
    assert_eq!(with_sat, Outcome::Unsatisfiable);

    let mut model = Model::default();
    let lits = ["a", "b"].map(|name| model.new_var(name).positive());
    model.add(Linear::at_least(1, lits));
    let terms = lits.map(|lit| Term { coefficient: 2, lit }).to_vec();
    model.set_objective(Objective { sense: Sense::Minimize, terms, constant: 0, divisor: 1 });
    let value = |best: &Assignment| model.objective().unwrap().value(best);
    match optimize(&model, &race(&ilp_only), &mut |_| {}).unwrap().0 {
        Optimum::Unknown(Reason::Unchecked(_), Some(best)) => assert_eq!(value(&best), Some(2)),
        other => panic!("{other:?}"),
    }
    let with_sat = race(&[Backend::Microlp, Backend::Varisat]);
    match optimize(&model, &with_sat, &mut |_| {}).unwrap().0 {
        Optimum::Optimal(best) => assert_eq!(value(&best), Some(2)),
        other => panic!("{other:?}"),
    }
    // The process may end next.
    pbsolve::ilp::join_searches();
}

/// Twelve pigeons in eleven holes, which takes any solver far longer than a test.
fn pigeon_holes() -> Model {
    const HOLES: usize = 11;
    let mut model = Model::default();
    model.new_vars(HOLES * (HOLES + 1));
    let seat = |pigeon: usize, hole: usize| Var::new(pigeon * HOLES + hole).positive();
    for pigeon in 0..=HOLES {
        model.add(Linear::at_least(1, (0..HOLES).map(|hole| seat(pigeon, hole))));
        for (hole, other) in (0..HOLES).flat_map(|hole| (0..pigeon).map(move |p| (hole, p))) {
            model.add(Linear::at_most(1, [seat(pigeon, hole), seat(other, hole)]));
        }
    }
    model
}

#[test]
fn limits_end_a_race() {
    let model = pigeon_holes();
    let members = [Backend::Varisat, Backend::Varisat];
    let limits = Limits::timeout(Duration::from_millis(300));
    let started = Instant::now();
    let outcome = pbsolve::solve(&model, &Strategy { limits, ..race(&members) }).unwrap();
    assert_eq!(outcome, Outcome::Unknown(Reason::Timeout));
    assert!(started.elapsed() < Duration::from_secs(5));

    let stop = Arc::new(AtomicBool::new(false));
    let limits = Limits { stop: Arc::clone(&stop), ..Limits::default() };
    let setter = thread::spawn(move || {
        thread::sleep(Duration::from_millis(200));
        stop.store(true, Ordering::Relaxed);
    });
    let outcome = pbsolve::solve(&model, &Strategy { limits, ..race(&members) }).unwrap();
    assert_eq!(outcome, Outcome::Unknown(Reason::Interrupted));
    setter.join().unwrap();
}

#[test]
fn those_that_lose_are_stopped() {
    // Only the relaxation sees at once that eleven pigeons are fewer than twelve; but its word does
    // not count, and so the easy row decides, on which Varisat is stopped in the middle.
    let mut model = pigeon_holes();
    let all: Vec<Lit> = (0..model.num_decisions()).map(|i| Var::new(i).positive()).collect();
    model.add(Linear::sum(all.iter().map(|&lit| (1, lit))).with_lower(1000));
    let started = Instant::now();
    let outcome = pbsolve::solve(&model, &race(&[Backend::Varisat, Backend::Varisat])).unwrap();
    assert_eq!(outcome, Outcome::Unsatisfiable);
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_member_that_does_not_take_the_model_leaves_the_race_to_the_others() {
    let mut model = Model::default();
    let lits = ["a", "b"].map(|name| model.new_var(name).positive());
    model.add(Linear::sum([((1 << 60) + 1, lits[0]), (1 << 60, lits[1])]).with_lower(1 << 60));
    let members = [Backend::Microlp, Backend::Varisat];
    let outcome = pbsolve::solve(&model, &race(&members)).unwrap();
    assert!(matches!(outcome, Outcome::Satisfiable(_)), "{outcome}");
    let alone = pbsolve::solve(&model, &race(&members[..1]));
    assert!(matches!(alone, Err(SolveError::Load(_))), "{alone:?}");
    // The process may end next.
    pbsolve::ilp::join_searches();
}

#[cfg(unix)]
#[test]
fn an_external_solver_that_loses_is_ended() {
    let hangs = || Backend::ExternalIlp("sleep 30 {lp}".to_owned());
    let hangs_too = Backend::External("sh -c 'sleep 30; sleep 30' sh {cnf}".to_owned());
    let mut model = Model::default();
    let lits = ["a", "b", "c"].map(|name| model.new_var(name).positive());
    model.add(Linear::exactly(2, lits));
    let started = Instant::now();
    let members = [hangs(), hangs_too, Backend::Varisat];
    let outcome = pbsolve::solve(&model, &race(&members)).unwrap();
    assert!(matches!(outcome, Outcome::Satisfiable(_)), "{outcome}");
    let terms = lits.iter().map(|&lit| Term { coefficient: 1, lit }).collect();
    model.set_objective(Objective { sense: Sense::Minimize, terms, constant: 0, divisor: 1 });
    let optimum = optimize(&model, &race(&[hangs(), Backend::Varisat]), &mut |_| {}).unwrap().0;
    assert!(matches!(optimum, Optimum::Optimal(_)), "{optimum:?}");
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    // The process may end next.
    pbsolve::ilp::join_searches();
}
