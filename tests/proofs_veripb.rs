//! Proofs against brute force and the independent checker `veripb` 3.0.2.
//!
//! Switched on by `PBSOLVE_VERIPB=1`, where a missing checker is a failure; without it the tests do
//! nothing. `PBSOLVE_VERIPB_CHECKER` names another program than `veripb`.

use pbsolve::proof::{
    Proved, Verified, prove_optimal, prove_satisfiable, prove_unique, prove_unsatisfiable, verify,
};
use pbsolve::{
    Assignment, Backend, Encoder, Found, Linear, Lit, Model, Objective, Planner, Search, Sense,
    Strategy, Var, backend,
};
use pbsolve_encodings::Class;
use pbsolve_puzzles::Formulation;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

fn is_switched_on() -> bool {
    std::env::var_os("PBSOLVE_VERIPB").is_some_and(|value| value == "1")
}

fn checker() -> OsString {
    std::env::var_os("PBSOLVE_VERIPB_CHECKER").unwrap_or_else(|| "veripb".into())
}

/// A new folder, removed at the end unless the test fails.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("pbsolve-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            drop(std::fs::remove_dir_all(&self.0));
        }
    }
}

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + i64::try_from(self.below(u64::try_from(high - low + 1).unwrap())).unwrap()
    }

    fn index(&mut self, bound: usize) -> usize {
        usize::try_from(self.below(bound as u64)).expect("below a usize")
    }

    fn lit(&mut self, n: usize) -> Lit {
        Var::new(self.index(n)).lit(self.below(3) > 0)
    }

    /// Rows of all kinds, with repeated and complementary literals among them.
    fn model(&mut self) -> Model {
        let n = usize::try_from(self.between(3, 8)).unwrap();
        let mut model = Model::default();
        model.new_vars(n);
        for _ in 0..self.between(1, 6) {
            let num_terms = 1 + self.index(8);
            let is_weighted = self.below(2) == 0;
            let distinct = self.below(3) > 0;
            let mut terms: Vec<(i128, Lit)> = Vec::new();
            for place in 0..num_terms {
                let coefficient = if is_weighted {
                    self.between(-4, 5)
                } else {
                    1 - 2 * i64::from(self.below(8) == 0)
                };
                let lit = if distinct && place < n {
                    Var::new(place).lit(self.below(3) > 0)
                } else {
                    self.lit(n)
                };
                terms.push((i128::from(coefficient), lit));
            }
            let low: i128 = terms.iter().map(|(c, _)| c.min(&0)).sum();
            let high: i128 = terms.iter().map(|(c, _)| c.max(&0)).sum();
            let [low, high] = [low - 1, high + 1].map(|sum| i64::try_from(sum).expect("small"));
            let bound = |random: &mut Random| i128::from(random.between(low, high));
            let row = Linear::sum(terms.iter().copied());
            let row = match self.below(6) {
                0 => {
                    let bound = bound(self);
                    row.with_lower(bound).with_upper(bound)
                }
                1 => {
                    let (a, b) = (bound(self), bound(self));
                    row.with_lower(a.min(b)).with_upper(a.max(b))
                }
                2 | 3 => row.with_lower(bound(self)),
                _ => row.with_upper(bound(self)),
            };
            model.add(row);
        }
        model
    }

    fn strategy(&mut self) -> Strategy {
        let certified: Vec<_> = certified().collect();
        let mut planner = Planner::default();
        for _ in 0..self.below(4) {
            planner = planner
                .with(certified[usize::try_from(self.below(certified.len() as u64)).unwrap()]);
        }
        Strategy { planner, ..Strategy::default() }
    }
}

fn certified() -> impl Iterator<Item = &'static dyn Encoder> {
    pbsolve_encodings::all().filter(|encoder| encoder.is_certified())
}

/// The back-ends of this build that give proofs.
fn proving_backends() -> Vec<Backend> {
    let entries = backend::ALL.iter().filter(|entry| entry.is_available() && entry.gives_proofs);
    entries.map(|entry| entry.backend.clone()).collect()
}

fn solutions(model: &Model) -> Vec<Assignment> {
    let n = model.num_decisions();
    let all = (0..1u32 << n).map(|bits| (0..n).map(|i| bits >> i & 1 == 1).collect());
    all.map(Assignment::from_values).filter(|assignment| model.check(assignment).is_ok()).collect()
}

fn write_opb(model: &Model, path: &Path) {
    let mut text = Vec::new();
    pbsolve::formats::opb::write(model, &mut text).expect("small numbers");
    std::fs::write(path, text).expect("a file");
}

fn accept(opb: &Path, proof: &Path) -> Verified {
    verify(&checker(), opb, proof)
        .unwrap_or_else(|refused| panic!("{refused}: {} {}", opb.display(), proof.display()))
}

#[test]
fn proofs_of_random_models_are_accepted_and_claims_are_right() {
    if !is_switched_on() {
        return;
    }
    let folder = Folder::new("random-proofs");
    let (opb, unique, proof) =
        (folder.file("model.opb"), folder.file("unique.opb"), folder.file("proof.pbp"));
    let mut random = Random(20);
    let mut counts = [0; 4];
    let backends = proving_backends();
    let num_models: usize =
        std::env::var("PBSOLVE_VERIPB_MODELS").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    for number in 0..num_models {
        let mut model = random.model();
        let backend = backends[number % backends.len()].clone();
        let strategy = Strategy { backend, ..random.strategy() };
        let solutions = solutions(&model);
        write_opb(&model, &opb);
        let unsatisfiable = prove_unsatisfiable(&model, &strategy, &proof);
        let unsatisfiable = match unsatisfiable {
            Ok(unsatisfiable) => unsatisfiable,
            // An encoder of another class was set.
            Err(refused) => {
                assert!(refused.to_string().contains("rows only"), "{refused}");
                continue;
            }
        };
        match solutions.first() {
            None => {
                assert!(
                    matches!(unsatisfiable, Proved::Yes(_)),
                    "model {number}: {unsatisfiable:?}"
                );
                assert_eq!(accept(&opb, &proof), Verified::Unsatisfiable, "model {number}");
                counts[0] += 1;
                continue;
            }
            Some(first) => {
                assert!(matches!(unsatisfiable, Proved::No(_)), "model {number}");
                prove_satisfiable(&model, first, &proof).expect("a solution");
                assert_eq!(accept(&opb, &proof), Verified::Satisfiable, "model {number}");
                counts[1] += 1;
            }
        }
        let some = &solutions[usize::try_from(random.below(solutions.len() as u64)).unwrap()];
        match prove_unique(&model, some, &strategy, &unique, &proof).expect("writable") {
            Proved::Yes(_) => {
                assert_eq!(solutions.len(), 1, "model {number}");
                let n = model.num_decisions().to_string();
                let bounds = Verified::Bounds { lower: n.clone(), upper: n };
                assert_eq!(accept(&unique, &proof), bounds, "model {number}");
                counts[2] += 1;
            }
            Proved::No(other) => assert!(solutions.len() > 1 && other != *some, "model {number}"),
            other => panic!("model {number}: {other:?}"),
        }
        let n = model.num_decisions();
        let terms = (0..random.between(1, 6)).map(|_| {
            let coefficient = i128::from(random.between(-5, 6));
            let sense = random.lit(n);
            pbsolve_model::Term { coefficient, lit: sense }
        });
        let terms = terms.collect();
        let sense = if random.below(2) == 0 { Sense::Minimize } else { Sense::Maximize };
        model.set_objective(Objective { sense, terms, constant: 3, divisor: 1 });
        let objective = model.objective().expect("set above");
        let value = |assignment: &Assignment| {
            let value = objective.value(assignment).expect("small numbers");
            if sense == Sense::Minimize { value } else { -value }
        };
        let best = solutions.iter().min_by_key(|solution| value(solution)).expect("one at least");
        write_opb(&model, &opb);
        let proved = prove_optimal(&model, best, &strategy, &proof);
        match proved {
            Ok(Proved::Yes(_)) => {
                let Verified::Bounds { lower, upper } = accept(&opb, &proof) else {
                    panic!("model {number}: no bounds");
                };
                assert_eq!(lower, upper, "model {number}");
                counts[3] += 1;
            }
            Err(refused) => assert!(refused.to_string().contains("rows only"), "{refused}"),
            other => panic!("model {number}: {other:?}"),
        }
        let worst = solutions.iter().max_by_key(|solution| value(solution)).expect("one at least");
        if value(worst) > value(best)
            && let Ok(proved) = prove_optimal(&model, worst, &strategy, &proof)
        {
            assert!(matches!(proved, Proved::No(better) if value(&better) < value(worst)));
        }
    }
    eprintln!("unsatisfiable, satisfiable, unique, optimal: {counts:?}");
    assert!(counts.iter().all(|&count| count >= num_models / 30), "{counts:?}");
}

/// Pigeons for one hole less.
fn pigeon_holes(num_holes: usize) -> Model {
    let mut model = Model::default();
    model.new_vars((num_holes + 1) * num_holes);
    let seat = |pigeon: usize, hole: usize| Var::new(pigeon * num_holes + hole).positive();
    for pigeon in 0..=num_holes {
        model.add(Linear::at_least(1, (0..num_holes).map(|hole| seat(pigeon, hole))));
    }
    for hole in 0..num_holes {
        model.add(Linear::at_most(1, (0..=num_holes).map(|pigeon| seat(pigeon, hole))));
    }
    model
}

/// Long enough for clauses that are learnt and deleted again.
#[test]
fn every_back_end_refutes_pigeon_holes_with_a_proof() {
    if !is_switched_on() {
        return;
    }
    let mut backends = proving_backends();
    if std::env::var_os("PBSOLVE_EXTERNAL_SOLVERS").is_some_and(|value| value == "1") {
        for command in ["cadical -q {cnf} {proof}", "cadical -q --no-binary {cnf} {proof}"] {
            backends.push(Backend::External(command.to_owned()));
        }
    }
    let folder = Folder::new("pigeon-proofs");
    let (opb, proof) = (folder.file("model.opb"), folder.file("proof.pbp"));
    let model = pigeon_holes(7);
    write_opb(&model, &opb);
    for backend in backends {
        let shown = format!("{backend:?}");
        let strategy = Strategy { backend, ..Strategy::default() };
        let proved = prove_unsatisfiable(&model, &strategy, &proof).expect("writable");
        assert!(matches!(proved, Proved::Yes(_)), "{shown}: {proved:?}");
        assert_eq!(accept(&opb, &proof), Verified::Unsatisfiable, "{shown}");
        let text = std::fs::read_to_string(&proof).expect("text");
        assert!(text.contains("\ndel id "), "{shown} deletes no clause");
    }
}

/// The proofs of random models that an external solver refutes, without hints.
#[test]
fn the_proofs_of_an_external_solver_are_accepted() {
    let has_solvers = std::env::var_os("PBSOLVE_EXTERNAL_SOLVERS").is_some_and(|v| v == "1");
    if !is_switched_on() || !has_solvers {
        return;
    }
    let folder = Folder::new("external-proofs");
    let (opb, unique, proof) =
        (folder.file("model.opb"), folder.file("unique.opb"), folder.file("proof.pbp"));
    let mut random = Random(21);
    let mut counts = [0; 2];
    for number in 0..120 {
        let model = random.model();
        let command = ["cadical -q {cnf} {proof}", "cadical -q --no-binary {cnf} {proof}"];
        let backend = Backend::External(command[number % 2].to_owned());
        let strategy = Strategy { backend, ..Strategy::default() };
        match &solutions(&model)[..] {
            [] => {
                write_opb(&model, &opb);
                let proved = prove_unsatisfiable(&model, &strategy, &proof).expect("writable");
                assert!(matches!(proved, Proved::Yes(_)), "model {number}: {proved:?}");
                assert_eq!(accept(&opb, &proof), Verified::Unsatisfiable, "model {number}");
                counts[0] += 1;
            }
            [only] => {
                let proved = prove_unique(&model, only, &strategy, &unique, &proof);
                let proved = proved.expect("writable");
                assert!(matches!(proved, Proved::Yes(_)), "model {number}: {proved:?}");
                let n = model.num_decisions().to_string();
                let bounds = Verified::Bounds { lower: n.clone(), upper: n };
                assert_eq!(accept(&unique, &proof), bounds, "model {number}");
                counts[1] += 1;
            }
            _ => {}
        }
    }
    assert!(counts.iter().all(|&count| count > 5), "{counts:?}");
}

/// Clauses whose LRAT proof is known; the solver is a script that writes it.
#[test]
#[cfg(unix)]
fn an_lrat_proof_keeps_its_hints() {
    if !is_switched_on() {
        return;
    }
    let folder = Folder::new("lrat-proof");
    let (opb, proof) = (folder.file("model.opb"), folder.file("proof.pbp"));
    let [a, b] = [0, 1].map(|index| Var::new(index).positive());
    let mut model = Model::default();
    model.new_vars(2);
    for clause in [[a, b], [a, !b], [!a, b], [!a, !b]] {
        model.add(Linear::at_least(1, clause));
    }
    write_opb(&model, &opb);
    let script = folder.file("solver.sh");
    for (lrat, is_right) in [
        ("5 1 0 1 2 0\\n5 d 1 2 0\\n6 0 5 3 4 0\\n", true),
        // The second clause does not propagate where it should.
        ("5 1 0 1 3 0\\n6 0 5 3 4 0\\n", false),
    ] {
        let text = format!("printf '{lrat}' > \"$2\"\necho s UNSATISFIABLE\nexit 20\n");
        std::fs::write(&script, text).expect("a file");
        let command = format!("sh '{}' {{cnf}} {{lrat}}", script.display());
        let strategy = Strategy { backend: Backend::External(command), ..Strategy::default() };
        let proved = prove_unsatisfiable(&model, &strategy, &proof).expect("writable");
        assert!(matches!(proved, Proved::Yes(_)), "{proved:?}");
        assert_eq!(verify(&checker(), &opb, &proof).is_ok(), is_right, "{lrat}");
    }
}

/// Proves that a board has one solution and returns the size of the proof and the seconds that the
/// checker took.
fn prove_board(puzzle: &dyn pbsolve::Puzzle, name: &str) -> (pbsolve::proof::ProofSize, f64) {
    let folder = Folder::new(name);
    let (opb, proof) = (folder.file("unique.opb"), folder.file("proof.pbp"));
    let model = puzzle.model(Formulation::Document);
    let strategy = Strategy::default();
    let Ok(Found::Solution(solution)) = Search::new(&model, &model, &strategy).unwrap().next()
    else {
        panic!("{name} has a solution");
    };
    let proved = prove_unique(&model, &solution, &strategy, &opb, &proof).expect("writable");
    let Proved::Yes(size) = proved else { panic!("{name}: {proved:?}") };
    let started = std::time::Instant::now();
    let n = model.num_decisions().to_string();
    assert_eq!(accept(&opb, &proof), Verified::Bounds { lower: n.clone(), upper: n }, "{name}");
    (size, started.elapsed().as_secs_f64())
}

#[test]
fn boards_with_one_solution_have_proofs_of_bearable_size() {
    if !is_switched_on() {
        return;
    }
    // Seventeen givens.
    let sudoku =
        b"000000010400000000020000000000050407008000300001090000300400200050100000000806000";
    let binox = std::fs::read("benches/boards/unruly_20r20c_u.txt").expect("a board");
    for (name, text, max_bytes) in
        [("binox", &binox[..], 4_000_000), ("sudoku", &sudoku[..], 2_000_000)]
    {
        let kind = pbsolve_puzzles::find(name).expect("a puzzle");
        let puzzle =
            (kind.parse)(text, &pbsolve_puzzles::ParseOptions::default()).expect("a board");
        let (size, seconds) = prove_board(puzzle.as_ref(), name);
        eprintln!("{name}: {size:?}, checked in {seconds:.2} s");
        assert!(size.num_bytes <= max_bytes, "{name}: {size:?}");
    }
}

/// Rows of every kind with a bound that the units beside it break by one; the row is the first.
fn broken_by_one(class: Class, slack: i128) -> Model {
    let mut model = Model::default();
    model.new_vars(8);
    let coefficient = |i: usize| match class {
        Class::PseudoBoolean => [3, 3, 2, 2, 1, 1, 1, 1][i],
        _ => 1,
    };
    let true_ones = if class == Class::AtMostOne { 2 } else { 4 };
    let sum: i128 = (0..true_ones).map(coefficient).sum();
    let terms = (0..8).map(|i| (coefficient(i), Var::new(i).positive()));
    model.add(Linear::sum(terms).with_upper(sum - 1 + slack));
    for i in 0..true_ones {
        // As clauses, so that no value is known before the search.
        let [a, b] = [6, 7].map(Var::new);
        for other in [
            [a.positive(), b.positive()],
            [a.positive(), b.negative()],
            [a.negative(), b.positive()],
            [a.negative(), b.negative()],
        ] {
            model.add(Linear::at_least(1, [Var::new(i).positive(), other[0], other[1]]));
        }
    }
    model
}

#[test]
fn a_corrupted_proof_is_refused_for_each_encoder() {
    if !is_switched_on() {
        return;
    }
    let folder = Folder::new("corrupted");
    let (opb, looser, proof) =
        (folder.file("model.opb"), folder.file("looser.opb"), folder.file("proof.pbp"));
    for encoder in certified() {
        let model = broken_by_one(encoder.class(), 0);
        write_opb(&model, &opb);
        write_opb(&broken_by_one(encoder.class(), 1), &looser);
        let strategy =
            Strategy { planner: Planner::default().with(encoder), ..Strategy::default() };
        let proved = prove_unsatisfiable(&model, &strategy, &proof).expect("writable");
        assert!(matches!(proved, Proved::Yes(_)), "{}: {proved:?}", encoder.name());
        assert_eq!(accept(&opb, &proof), Verified::Unsatisfiable, "{}", encoder.name());
        // A bound that is off by one.
        assert!(verify(&checker(), &looser, &proof).is_err(), "{}", encoder.name());
        // Steps whose constraint has lost its first literal.
        let text = std::fs::read_to_string(&proof).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        let corrupted = folder.file("corrupted.pbp");
        for rule in ["red", "rup"] {
            let places: Vec<usize> =
                (0..lines.len()).filter(|&i| lines[i].starts_with(rule)).collect();
            let mut refused = 0;
            let tried = places.iter().step_by(places.len() / 20 + 1);
            for &place in tried.clone() {
                let mut words: Vec<&str> = lines[place].split(' ').collect();
                if words[1] == ">=" {
                    continue;
                }
                words.drain(1..3);
                let mut changed = lines.clone();
                let line = words.join(" ");
                changed[place] = &line;
                std::fs::write(&corrupted, changed.join("\n")).expect("a file");
                refused += usize::from(verify(&checker(), &opb, &corrupted).is_err());
            }
            let tried = tried.count();
            assert!(places.is_empty() || refused > 0, "{} {rule}: 0 of {tried}", encoder.name());
        }
        // What is cut off is refused, whatever it prints.
        let cut = &text[..=text.trim_end().rfind('\n').expect("lines")];
        std::fs::write(&corrupted, cut).expect("a file");
        assert!(verify(&checker(), &opb, &corrupted).is_err(), "{}", encoder.name());
    }
}
