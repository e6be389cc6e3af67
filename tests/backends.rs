//! The solvers behind the trait `SatSolver`: verdicts against brute force, assumptions and cores,
//! limits.

mod random;

use pbsolve::backend::{RustsatSolver, SatSolver, Varisat, VarisatForRustsat, Verdict};
use pbsolve::{Limits, Lit, Reason, Var};
use random::Random;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

fn solvers() -> [Box<dyn SatSolver>; 2] {
    [Box::new(Varisat::new()), Box::new(RustsatSolver::new(VarisatForRustsat::default()))]
}

fn holds(clause: &[Lit], value: impl Fn(Var) -> bool) -> bool {
    clause.iter().any(|lit| value(lit.var()) != lit.is_negative())
}

fn is_satisfiable(num_variables: usize, clauses: &[Vec<Lit>], assumptions: &[Lit]) -> bool {
    (0..1u32 << num_variables).any(|bits| {
        let value = |var: Var| bits >> var.index() & 1 == 1;
        clauses.iter().all(|clause| holds(clause, value))
            && assumptions.iter().all(|&lit| holds(&[lit], value))
    })
}

fn dimacs(lits: &[Lit]) -> Vec<i32> {
    lits.iter().map(|lit| lit.to_dimacs()).collect()
}

/// Asks a solver and compares with brute force.
fn ask(
    solver: &mut dyn SatSolver,
    num_variables: usize,
    clauses: &[Vec<Lit>],
    assumptions: &[Lit],
) {
    let shown = || {
        let clauses: Vec<_> = clauses.iter().map(|clause| dimacs(clause)).collect();
        format!("{} on {clauses:?} assuming {:?}", solver.name(), dimacs(assumptions))
    };
    let shown = shown();
    let expected = is_satisfiable(num_variables, clauses, assumptions);
    match solver.solve(assumptions, &Limits::default()) {
        Verdict::Satisfiable => {
            assert!(expected, "{shown}");
            for clause in clauses.iter().map(Vec::as_slice).chain(assumptions.chunks(1)) {
                let satisfied = holds(clause, |var| solver.value(var));
                assert!(satisfied, "{:?} is violated: {shown}", dimacs(clause));
            }
        }
        Verdict::Unsatisfiable => {
            assert!(!expected, "{shown}");
            let core = solver.failed_core();
            assert!(core.iter().all(|lit| assumptions.contains(lit)), "{core:?}: {shown}");
            assert!(!is_satisfiable(num_variables, clauses, core), "{core:?}: {shown}");
        }
        Verdict::Unknown(reason) => panic!("{reason}: {shown}"),
    }
}

#[test]
fn verdicts_are_those_of_brute_force() {
    const VARIABLES: usize = 7;
    let mut random = Random::new(5);
    for _ in 0..400 {
        let mut solvers = solvers();
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        // Clauses come in groups, with a question after each: the solvers are incremental.
        for _ in 0..=random.below(4) {
            for _ in 0..random.below(14) {
                // Rarely the empty clause; literals may repeat or contradict each other.
                let length = if random.below(60) == 0 { 0 } else { 1 + random.below(4) };
                let clause: Vec<Lit> = (0..length).map(|_| random.lit(VARIABLES)).collect();
                for solver in &mut solvers {
                    solver.add_clause(&clause);
                }
                clauses.push(clause);
            }
            let length = random.below(4);
            let assumptions: Vec<Lit> = (0..length).map(|_| random.lit(VARIABLES)).collect();
            for solver in &mut solvers {
                ask(solver.as_mut(), VARIABLES, &clauses, &assumptions);
                ask(solver.as_mut(), VARIABLES, &clauses, &[]);
            }
        }
    }
}

#[test]
fn a_failed_assumption_is_not_remembered() {
    let [a, b, c] = [0, 1, 2].map(|index| Var::new(index).positive());
    for mut solver in solvers() {
        let name = solver.name();
        solver.add_clause(&[!a, b]);
        solver.add_clause(&[!b, c]);
        assert_eq!(solver.solve(&[a, !c], &Limits::default()), Verdict::Unsatisfiable, "{name}");
        let mut core = solver.failed_core().to_vec();
        core.sort();
        assert_eq!(core, [a, !c], "{name}");
        assert_eq!(solver.solve(&[a], &Limits::default()), Verdict::Satisfiable, "{name}");
        assert!(solver.value(c.var()), "{name}");
        assert_eq!(solver.solve(&[!c], &Limits::default()), Verdict::Satisfiable, "{name}");
        assert!(!solver.value(a.var()), "{name}");
    }
}

#[test]
fn variables_in_no_clause_are_false() {
    for mut solver in solvers() {
        let name = solver.name();
        assert_eq!(solver.solve(&[], &Limits::default()), Verdict::Satisfiable, "{name}");
        assert!(!solver.value(Var::new(5)), "{name}");
        solver.add_clause(&[Var::new(3).positive()]);
        assert_eq!(solver.solve(&[], &Limits::default()), Verdict::Satisfiable, "{name}");
        let values: Vec<bool> = (0..9).map(|index| solver.value(Var::new(index))).collect();
        let only_the_fourth: Vec<bool> = (0..9).map(|index| index == 3).collect();
        assert_eq!(values, only_the_fourth, "{name}");
    }
}

#[test]
fn an_empty_clause_is_a_contradiction_for_good() {
    for mut solver in solvers() {
        let name = solver.name();
        solver.add_clause(&[]);
        for _ in 0..2 {
            assert_eq!(solver.solve(&[], &Limits::default()), Verdict::Unsatisfiable, "{name}");
            assert_eq!(solver.failed_core(), [], "{name}");
            solver.add_clause(&[Var::new(0).positive()]);
        }
    }
}

/// Twelve pigeons in eleven holes.
fn add_pigeon_holes(solver: &mut dyn SatSolver) {
    const HOLES: usize = 11;
    let seat = |pigeon, hole| Var::new(pigeon * HOLES + hole).positive();
    for pigeon in 0..=HOLES {
        let seats: Vec<Lit> = (0..HOLES).map(|hole| seat(pigeon, hole)).collect();
        solver.add_clause(&seats);
        for (hole, other) in (0..HOLES).flat_map(|hole| (0..pigeon).map(move |p| (hole, p))) {
            solver.add_clause(&[!seat(pigeon, hole), !seat(other, hole)]);
        }
    }
}

#[test]
fn a_stop_from_another_thread_ends_varisat_for_good() {
    let mut solver = Varisat::new();
    add_pigeon_holes(&mut solver);
    let limits = Limits::default();
    let stop = limits.stop.clone();
    let setter = thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        stop.store(true, Ordering::Relaxed);
    });
    let started = Instant::now();
    let interrupted = Verdict::Unknown(Reason::Interrupted);
    assert_eq!(solver.solve(&[], &limits), interrupted);
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    setter.join().unwrap();

    // Whatever comes later is answered the same, without limits and with easy clauses too.
    assert_eq!(solver.solve(&[], &Limits::default()), interrupted);
    for index in 0..100_000 {
        solver.add_clause(&[Var::new(index).positive(), Var::new(index + 1).negative()]);
    }
    solver.add_clause(&[]);
    let assumption = Var::new(3).positive();
    assert_eq!(solver.solve(&[assumption], &Limits::default()), interrupted);
    assert!(!solver.value(Var::new(0)));
}

#[test]
fn the_time_limit_ends_varisat_for_good() {
    let mut solver = Varisat::new();
    add_pigeon_holes(&mut solver);
    let started = Instant::now();
    let verdict = solver.solve(&[], &Limits::timeout(Duration::from_millis(200)));
    assert_eq!(verdict, Verdict::Unknown(Reason::Timeout));
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    assert_eq!(solver.solve(&[], &Limits::default()), Verdict::Unknown(Reason::Timeout));
}

#[test]
fn a_limit_that_was_reached_before_is_noticed_at_once() {
    let limits = Limits::default();
    limits.stop.store(true, Ordering::Relaxed);
    for mut solver in solvers() {
        let name = solver.name();
        add_pigeon_holes(solver.as_mut());
        let started = Instant::now();
        let verdict = solver.solve(&[], &limits);
        assert_eq!(verdict, Verdict::Unknown(Reason::Interrupted), "{name}");
        assert!(started.elapsed() < Duration::from_secs(5), "{name}");
    }
}

#[test]
fn a_solver_may_be_dropped_quietly_at_any_time() {
    static PANICKED: AtomicBool = AtomicBool::new(false);
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if thread::current().name() == Some("varisat") {
            PANICKED.store(true, Ordering::SeqCst);
        }
        print(panic);
    }));
    // Without clauses; with clauses; after a verdict; while its thread is at work.
    drop(Varisat::new());
    let mut loaded = Varisat::new();
    add_pigeon_holes(&mut loaded);
    drop(loaded);
    let mut asked = Varisat::new();
    asked.add_clause(&[Var::new(0).positive()]);
    assert_eq!(asked.solve(&[], &Limits::default()), Verdict::Satisfiable);
    drop(asked);
    let mut stopped = Varisat::new();
    add_pigeon_holes(&mut stopped);
    stopped.solve(&[], &Limits::timeout(Duration::from_millis(50)));
    let started = Instant::now();
    drop(stopped);
    assert!(started.elapsed() < Duration::from_secs(3), "dropping waits for no search");
    // The thread notices by and by.
    thread::sleep(Duration::from_millis(500));
    assert!(!PANICKED.load(Ordering::SeqCst), "the thread of a solver panicked");
}
