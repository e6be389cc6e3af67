//! External integer programming solvers: what is believed, what is not, and that nothing is left
//! behind. Most of them are shell scripts that misbehave; the real ones are asked where they are
//! installed.

#![cfg(unix)]

mod fake_solver;
mod random;

use fake_solver::{Fake, ample, processes_of_group, short};
use pbsolve::ilp::{Claim, ExternalIlp, IlpSolver};
use pbsolve::{
    Assignment, Backend, Limits, Linear, Model, Objective, Optimum, Outcome, Reason, Sense,
    Strategy, optimize,
};
use pbsolve_model::Term;
use random::Random;
use random::models::{Generator, brute_force, text};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

/// Column x2 exceeds column x1 by at least 1, so that x1 is 0 and x2 is 1; x3 is from -2 to 5.
fn model() -> Model {
    let mut model = Model::default();
    let [a, b] = ["a", "two words"].map(|name| model.new_var(name).positive());
    model.add(Linear::sum([(1, b), (-1, a)]).with_lower(1).named("step"));
    model.new_integer("n", -2, 5);
    model
}

/// What a script says in the end, and the solutions that it gives.
fn ask(fake: &Fake, words: &str, limits: &Limits) -> (Claim, Vec<Assignment>) {
    let mut solver = ExternalIlp::new(&fake.command(words)).expect("the command is fine");
    let mut solutions = Vec::new();
    let claim = solver.solve(&model(), None, limits, &mut |assignment| {
        solutions.push(assignment);
        ControlFlow::Continue(())
    });
    let claim = claim.expect("its numbers are small");
    fake.assert_nothing_is_left();
    (claim, solutions)
}

/// What comes of a script as a back-end.
fn outcome(fake: &Fake, words: &str) -> Outcome {
    let backend = Backend::ExternalIlp(fake.command(words));
    let strategy = Strategy { backend, limits: ample(), ..Strategy::default() };
    let outcome = pbsolve::solve(&model(), &strategy).expect("its numbers are small");
    fake.assert_nothing_is_left();
    outcome
}

const OPTIMAL: &str = "echo 'Optimal - objective value 0.00000000'; echo '1 x2 1 0'";

#[test]
fn solutions_in_each_format_are_believed() {
    let cbc =
        "      1 x2                     0.9999999                       0\n      2 x3   3  0\n";
    let highs = "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 0\n\
                 # Columns 3\nx1 -0\nx2 1\nx3 3\n# Rows 1\nc 1\n";
    let glpsol = "Problem:    x\nRows:       1\nColumns:    3 (3 integer, 2 binary)\n\
                  Non-zeros:  2\nStatus:     INTEGER OPTIMAL\nObjective:  obj = 0 (MINimum)\n\n\
                  \x20  No.   Row name        Activity     Lower bound   Upper bound\n\
                  ------ ------------    ------------- ------------- -------------\n\
                  \x20    1 step                        1             1               \n\n\
                  \x20  No. Column name       Activity     Lower bound   Upper bound\n\
                  ------ ------------    ------------- ------------- -------------\n\
                  \x20    1 x1           *              0             0             1 \n\
                  \x20    2 x2           *              1             0             1 \n\
                  \x20    3 x3\n                    *              3            -2             5 \n\n\
                  Integer feasibility conditions:\n\nEnd of output\n";
    let scip = "solution status: optimal solution found\nobjective value:                0\n\
                x2                      1 \t(obj:0)\nx3                     3 \t(obj:0)\n";
    let cbc = format!("Optimal - objective value 0.00000000\n{cbc}");
    for (name, answer) in [("cbc", cbc.as_str()), ("highs", highs), ("glp", glpsol), ("scip", scip)]
    {
        for (number, words, target) in [(1, "{lp}", ""), (2, "{mps} {out}", " > \"$2\"")] {
            let script = format!("test -s \"$1\" && printf '%s' '{answer}'{target}");
            let fake = Fake::new(&format!("right-{name}-{number}"), &script);
            let (claim, solutions) = ask(&fake, words, &ample());
            assert_eq!(claim, Claim::Optimal, "{name}");
            // n is 3, which is 5 more than its least value.
            assert_eq!(solutions.len(), 1, "{name}");
            assert_eq!(solutions[0].values(), [false, true, true, false, true], "{name}");
        }
    }
}

#[test]
fn a_claim_is_told_as_the_word_of_the_solver() {
    let outcome = |name: &str, script: &str| outcome(&Fake::new(name, script), "{lp}");
    match outcome("infeasible", "echo 'Infeasible - objective value 0.00000000'") {
        Outcome::Unknown(reason @ Reason::Unchecked(_)) => {
            let told = "`sh` says that there is no solution: not checked";
            assert_eq!(reason.to_string(), told);
        }
        other => panic!("{other}"),
    }
    for (name, script) in [
        ("stopped", "echo 'Stopped on time (no integer solution) - objective value 9'"),
        ("highs-none", "printf 'Model status\\nUnknown\\n\\n# Primal solution values\\nNone\\n'"),
        ("scip-none", "printf 'solution status: unknown\\nno solution available\\n'"),
        ("glp-none", "printf 'Problem:\\nStatus:     INTEGER UNDEFINED\\n'"),
    ] {
        match outcome(name, script) {
            Outcome::Unknown(Reason::Failed(why)) => {
                assert_eq!(why, "`sh` says that it found no solution", "{name}");
            }
            other => panic!("{name}: {other}"),
        }
    }
}

/// What is said of a script that is not believed.
#[track_caller]
fn is_not_believed(name: &str, words: &str, script: &str, parts: &[&str]) {
    let Outcome::Unknown(Reason::Failed(why)) = outcome(&Fake::new(name, script), words) else {
        panic!("{name} is believed");
    };
    for part in parts {
        assert!(why.contains(part), "{name}: {why}");
    }
}

#[test]
fn a_solution_that_violates_a_row_is_not_believed() {
    let all_zero = "echo 'Optimal - objective value 0.00000000'";
    let parts = ["`sh`'s solution is not believed: it violates row 1 (step): the sum is 0"];
    is_not_believed("zero", "{lp}", all_zero, &parts);
    let both = "echo 'Optimal - objective value 0.00000000'; echo '0 x1 1 0'; echo '1 x2 1 0'";
    is_not_believed("both", "{lp}", both, &["row 1 (step)"]);
    for (value, part) in [
        ("0.5", "`0.5` is not close to an integer"),
        ("0.999", "is not close"),
        ("nan", "is not close"),
        ("7", "gives a the value 7, which it cannot have"),
        ("-1", "gives a the value -1"),
        ("1e300", "is not close"),
    ] {
        let script = format!("{OPTIMAL}; echo '0 x1 {value} 0'");
        // The index begins again, as after a list of rows.
        let script = script.replace("1 x2 1 0", "-");
        let script = script.replace("; echo '-'", "");
        is_not_believed(&format!("value-{value}"), "{lp}", &script, &[part]);
    }
    let script = format!("{OPTIMAL}; echo '2 x3 6 0'");
    is_not_believed("integer", "{lp}", &script, &["gives n the value 6, which it cannot have"]);
}

#[test]
fn what_is_no_answer_is_shown() {
    for (name, script, part) in [
        ("silent", "true", "standard output is empty"),
        ("garbage", "head -c 3000 /dev/urandom | od", "gives no answer: line 1"),
        ("hello", "echo hello", "standard output begins with `hello`"),
        ("cut", "printf 'Model status\\nOptimal\\n'", "the text ends here"),
        ("unknown-name", "echo 'Optimal - objective value 0'; echo '0 x9 1 0'", "`x9`"),
        ("other-name", "echo 'Optimal - objective value 0'; echo '0 a 1 0'", "`a` is no column"),
        ("twice", "echo 'Optimal - objective value 0'; echo '0 x1 1 0'; echo '1 x1 1 0'", "second"),
        ("code", "echo 'Infeasible - objective value 0'; exit 3", "another code than 0"),
        ("crash", "kill -SEGV $$", "did not exit by itself"),
        ("endless", "yes 'Optimal - objective value 0'", "prints more than"),
    ] {
        is_not_believed(name, "{lp}", script, &["`sh`", part]);
    }
    is_not_believed("no-file", "{lp} {out}", OPTIMAL, &["writes no answer file"]);
    is_not_believed("a-pipe", "{lp} {out}", "mkfifo \"$2\"", &["an answer file that is none"]);
}

#[test]
fn a_solver_that_hangs_is_stopped_with_its_children() {
    for (name, script) in [
        ("hangs", "sleep 30"),
        ("hangs-itself", "while :; do :; done"),
        ("hangs-after-answer", "echo 'Optimal - objective value 0'; echo '1 x2 1 0'; sleep 30"),
        ("hangs-with-children", "sleep 30 & sleep 30 | sleep 30 & (sleep 30; sleep 30)"),
        ("hangs-deaf", "(trap '' TERM; sleep 30) & trap '' TERM; for i in 1 2 3; do sleep 9; done"),
    ] {
        let started = Instant::now();
        let (claim, _) = ask(&Fake::new(&format!("ilp-{name}"), script), "{lp}", &short());
        assert_eq!(claim, Claim::Unknown(Reason::Timeout), "{name}");
        assert!(started.elapsed() < Duration::from_secs(5), "{name}");
    }
    let forks = "sleep 30 & echo 'Infeasible - objective value 0'";
    let (claim, _) = ask(&Fake::new("ilp-forks", forks), "{lp}", &ample());
    assert_eq!(claim, Claim::Infeasible);
}

#[test]
fn the_stop_flag_stops_a_solver() {
    let fake = Fake::new("ilp-stopped", "sleep 30");
    let limits = ample();
    thread::scope(|scope| {
        scope.spawn(|| {
            assert!(!processes_of_group(fake.wait_for_id()).is_empty());
            limits.stop.store(true, Ordering::Relaxed);
        });
        let (claim, _) = ask(&fake, "{lp}", &limits);
        assert_eq!(claim, Claim::Unknown(Reason::Interrupted));
    });
}

#[test]
fn a_program_that_cannot_be_started_is_said_so() {
    let mut solver = ExternalIlp::new("/nowhere/solver {lp}").expect("the command is fine");
    let claim = solver.solve(&model(), None, &ample(), &mut |_| ControlFlow::Continue(()));
    match claim.expect("its numbers are small") {
        Claim::Unknown(Reason::Failed(why)) => {
            assert!(why.starts_with("`/nowhere/solver` cannot be started"), "{why}");
        }
        other => panic!("{other:?}"),
    }
    assert!(ExternalIlp::new("cbc {lp} > log").is_err() && ExternalIlp::new(" ").is_err());
}

/// Commands of solvers that are asked if they are installed.
const REAL: [&str; 4] = [
    "cbc {lp} solve solu {out}",
    "cbc {mps} solve solu {out}",
    "glpsol --lp {lp} -o {out}",
    "glpsol --freemps {mps} -o {out}",
];

/// The real solvers that are here. Where `PBSOLVE_EXTERNAL_SOLVERS` is set, all must be.
fn real_solvers() -> Vec<&'static str> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_here = |command: &&&str| {
        let program = command.split(' ').next().expect("there is a first word");
        std::env::split_paths(&path).any(|at| at.join(program).is_file())
    };
    let (here, missing): (Vec<&str>, Vec<&str>) = REAL.iter().partition(is_here);
    let must_be_here = std::env::var_os("PBSOLVE_EXTERNAL_SOLVERS").is_some();
    assert!(missing.is_empty() || !must_be_here, "not installed: {missing:?}");
    for command in missing {
        eprintln!("skipped, not installed: {command}");
    }
    here
}

#[test]
fn real_solvers_agree_with_brute_force() {
    for command in real_solvers() {
        let coefficient = |random: &mut Random| random.below(41) as i128 - 20;
        let mut generator = Generator { random: Random::new(9), coefficient };
        let (mut num_solved, mut num_claims) = (0, 0);
        for _ in 0..60 {
            let mut model = generator.model();
            let terms = generator.terms(model.num_decisions()).into_iter();
            let terms = terms.map(|(coefficient, lit)| Term { coefficient, lit }).collect();
            let sense = [Sense::Minimize, Sense::Maximize][generator.random.below(2)];
            let objective = Objective { sense, terms, constant: -7, divisor: 2 };
            model.set_objective(objective.clone());
            let value = |assignment: &Assignment| objective.value(assignment).expect("is small");
            let values = brute_force(&model).into_iter().map(Assignment::from_values);
            let values: Vec<i128> = values.map(|assignment| value(&assignment)).collect();
            let expected = match sense {
                Sense::Minimize => values.into_iter().min(),
                Sense::Maximize => values.into_iter().max(),
            };
            let backend = Backend::ExternalIlp(command.to_owned());
            let strategy = Strategy { backend, limits: ample(), ..Strategy::default() };
            let optimum = optimize(&model, &strategy, &mut |_| {}).expect("numbers are small").0;
            let found = match &optimum {
                Optimum::Unknown(Reason::Unchecked(_), Some(best)) | Optimum::Optimal(best) => {
                    num_solved += 1;
                    Some(value(best))
                }
                Optimum::Unknown(Reason::Unchecked(_), None) => {
                    num_claims += 1;
                    None
                }
                other => panic!("{command}: {other:?} on\n{}", text(&model)),
            };
            assert_eq!(found, expected, "{command}: {optimum:?} on\n{}", text(&model));
        }
        assert!(num_solved > 5 && num_claims > 5, "{command}: {num_solved}, {num_claims}");
    }
}
