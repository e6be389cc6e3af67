//! The solvers behind the trait `SatSolver`, all of the table that this build has: verdicts against
//! brute force, assumptions and cores, limits, pauses.

mod random;

use pbsolve::backend::{self, RustsatSolver, SatSolver, VarisatForRustsat, Verdict};
use pbsolve::{Limits, Lit, Reason, Var};
use random::Random;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The solvers of the table.
fn table() -> Vec<Box<dyn SatSolver>> {
    backend::ALL.iter().filter_map(|entry| entry.solver).map(|solver| solver()).collect()
}

/// Those of the table, and Varisat through both adapters to RustSAT.
fn solvers() -> Vec<Box<dyn SatSolver>> {
    let mut solvers = table();
    solvers.push(Box::new(RustsatSolver::new(VarisatForRustsat::default())));
    solvers
}

#[test]
fn solvers_are_what_the_table_says() {
    for entry in backend::ALL.iter().filter(|entry| entry.kind == backend::Kind::Sat) {
        assert_eq!(entry.solver.is_some(), entry.is_available(), "{}", entry.name);
        let Some(solver) = entry.solver.map(|solver| solver()) else { continue };
        assert_eq!(solver.name(), entry.name);
        assert_eq!(solver.capabilities().keeps_limits, entry.keeps_limits, "{}", entry.name);
        assert!(entry.is_incremental, "{}: the trait has it so", entry.name);
    }
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

/// Pigeons for one hole less, which no resolution proof of a feasible size refutes.
fn pigeon_holes(num_holes: usize) -> Vec<Vec<Lit>> {
    let seat = |pigeon, hole| Var::new(pigeon * num_holes + hole).positive();
    let mut clauses = Vec::new();
    for pigeon in 0..=num_holes {
        clauses.push((0..num_holes).map(|hole| seat(pigeon, hole)).collect());
        for (hole, other) in (0..num_holes).flat_map(|hole| (0..pigeon).map(move |p| (hole, p))) {
            clauses.push(vec![!seat(pigeon, hole), !seat(other, hole)]);
        }
    }
    clauses
}

fn add_pigeon_holes(solver: &mut dyn SatSolver, num_holes: usize) {
    for clause in pigeon_holes(num_holes) {
        solver.add_clause(&clause);
    }
}

/// More than any solver refutes within a test.
const MANY: usize = 14;

#[test]
fn a_stop_from_another_thread_ends_a_solver_for_good() {
    for mut solver in table() {
        let name = solver.name();
        add_pigeon_holes(solver.as_mut(), MANY);
        let limits = Limits::default();
        let stop = limits.stop.clone();
        let setter = thread::spawn(move || {
            thread::sleep(Duration::from_millis(300));
            stop.store(true, Ordering::Relaxed);
        });
        let interrupted = Verdict::Unknown(Reason::Interrupted);
        assert_eq!(solver.solve(&[], &limits), interrupted, "{name}");
        setter.join().unwrap();

        // Whatever comes later is answered the same, without limits and with easy clauses too.
        assert!(!solver.capabilities().survives_limits, "{name}");
        assert_eq!(solver.solve(&[], &Limits::default()), interrupted, "{name}");
        for index in 0..100_000 {
            solver.add_clause(&[Var::new(index).positive(), Var::new(index + 1).negative()]);
        }
        solver.add_clause(&[]);
        let assumption = Var::new(3).positive();
        assert_eq!(solver.solve(&[assumption], &Limits::default()), interrupted, "{name}");
        assert!(!solver.value(Var::new(0)), "{name}");
    }
}

#[test]
fn the_time_limit_ends_a_solver_for_good() {
    for mut solver in table() {
        let name = solver.name();
        add_pigeon_holes(solver.as_mut(), MANY);
        let limits = Limits::timeout(Duration::from_millis(200));
        assert_eq!(solver.solve(&[], &limits), Verdict::Unknown(Reason::Timeout), "{name}");
        let late = solver.solve(&[], &Limits::default());
        assert_eq!(late, Verdict::Unknown(Reason::Timeout), "{name}");
        if let Some(conflicts) = solver.effort().conflicts {
            assert!(conflicts > 0, "{name} tells what it did before the limit");
        }
    }
}

/// The verdict of a search that pauses, how often it did, and what it came to.
fn pausing(
    solver: &mut dyn SatSolver,
    assumptions: &[Lit],
    work: u64,
) -> (Verdict, u64, backend::Effort) {
    let limits = Limits { work: Some(work), ..Limits::default() };
    let mut verdict = solver.solve(assumptions, &limits);
    let mut num_pauses = 0;
    while verdict == Verdict::Unknown(Reason::Paused) {
        num_pauses += 1;
        verdict = solver.resume(&limits);
    }
    (verdict, num_pauses, solver.effort())
}

#[test]
fn pauses_change_nothing_and_runs_are_the_same() {
    const WORK: u64 = 3000;
    for entry in backend::ALL {
        let Some(new) = entry.solver else { continue };
        if !new().capabilities().pauses {
            continue;
        }
        let searched = |work| {
            let mut solver = new();
            add_pigeon_holes(solver.as_mut(), 7);
            pausing(solver.as_mut(), &[], work)
        };
        let (verdict, num_pauses, effort) = searched(WORK);
        assert_eq!(verdict, Verdict::Unsatisfiable, "{}", entry.name);
        assert!(num_pauses > 1, "{}", entry.name);
        assert_eq!(searched(WORK), (verdict.clone(), num_pauses, effort), "{}", entry.name);
        assert_eq!(searched(u64::MAX), (verdict, 0, effort), "{}", entry.name);
    }
}

#[test]
fn a_search_that_paused_answers_later_questions() {
    for mut solver in table() {
        let name = solver.name();
        // Pigeon holes only under an assumption.
        let guard = Var::new(1000).positive();
        for mut clause in pigeon_holes(7) {
            clause.push(!guard);
            solver.add_clause(&clause);
        }
        let (verdict, num_pauses, _) = pausing(solver.as_mut(), &[guard], 1000);
        assert_eq!(verdict, Verdict::Unsatisfiable, "{name}");
        assert!(num_pauses > 0, "{name}");
        assert_eq!(solver.failed_core(), [guard], "{name}");
        assert_eq!(solver.solve(&[], &Limits::default()), Verdict::Satisfiable, "{name}");
        assert!(!solver.value(guard.var()), "{name}");
        solver.add_clause(&[guard]);
        assert_eq!(solver.solve(&[], &Limits::default()), Verdict::Unsatisfiable, "{name}");
    }
}

#[test]
fn a_limit_that_was_reached_before_is_noticed_at_once() {
    let limits = Limits::default();
    limits.stop.store(true, Ordering::Relaxed);
    for mut solver in solvers() {
        let name = solver.name();
        add_pigeon_holes(solver.as_mut(), MANY);
        let started = Instant::now();
        let verdict = solver.solve(&[], &limits);
        assert_eq!(verdict, Verdict::Unknown(Reason::Interrupted), "{name}");
        assert!(started.elapsed() < Duration::from_secs(5), "{name}");
    }
}

#[test]
fn a_solver_may_be_dropped_quietly_at_any_time() {
    static PANICKED: AtomicBool = AtomicBool::new(false);
    let is_solver = |name: &str| backend::find(name).is_some();
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if thread::current().name().is_some_and(is_solver) {
            PANICKED.store(true, Ordering::SeqCst);
        }
        print(panic);
    }));
    for new in backend::ALL.iter().filter_map(|entry| entry.solver) {
        // Without clauses; with clauses; after a verdict; while its thread waits; while it works.
        drop(new());
        let mut loaded = new();
        add_pigeon_holes(loaded.as_mut(), MANY);
        drop(loaded);
        let mut asked = new();
        asked.add_clause(&[Var::new(0).positive()]);
        assert_eq!(asked.solve(&[], &Limits::default()), Verdict::Satisfiable);
        drop(asked);
        let mut paused = new();
        add_pigeon_holes(paused.as_mut(), MANY);
        let limits = Limits { work: Some(1000), ..Limits::default() };
        assert_eq!(paused.solve(&[], &limits), Verdict::Unknown(Reason::Paused));
        drop(paused);
        let mut stopped = new();
        add_pigeon_holes(stopped.as_mut(), MANY);
        stopped.solve(&[], &Limits::timeout(Duration::from_millis(50)));
        drop(stopped);
    }
    // The threads notice by and by.
    thread::sleep(Duration::from_millis(500));
    assert!(!PANICKED.load(Ordering::SeqCst), "the thread of a solver panicked");
}
