//! Proofs against brute force and the independent checker `veripb` 3.0.2.
//!
//! Switched on by `PBSOLVE_VERIPB=1`, where a missing checker is a failure; without it the tests do
//! nothing. `PBSOLVE_VERIPB_CHECKER` names another program than `veripb`.

use pbsolve::proof::{
    Proved, Verified, prove_optimal, prove_satisfiable, prove_unique, prove_unsatisfiable, verify,
};
use pbsolve::{Assignment, Linear, Lit, Model, Objective, Outcome, Planner, Sense, Strategy, Var};
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
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + i64::try_from(self.below(u64::try_from(high - low + 1).unwrap())).unwrap()
    }

    fn lit(&mut self, n: usize) -> Lit {
        Var::new(usize::try_from(self.below(n as u64)).unwrap()).lit(self.below(3) > 0)
    }

    /// Rows of all kinds, with repeated and complementary literals among them.
    fn model(&mut self) -> Model {
        let n = usize::try_from(self.between(3, 8)).unwrap();
        let mut model = Model::default();
        model.new_vars(n);
        for _ in 0..self.between(1, 6) {
            let num_terms = self.between(1, 8);
            let is_weighted = self.below(2) == 0;
            let distinct = self.below(3) > 0;
            let mut terms: Vec<(i128, Lit)> = Vec::new();
            for place in 0..num_terms {
                let coefficient =
                    if is_weighted { self.between(-4, 5) } else { 1 - 2 * i64::from(self.below(8) == 0) };
                let lit = if distinct && (place as usize) < n {
                    Var::new(place as usize).lit(self.below(3) > 0)
                } else {
                    self.lit(n)
                };
                terms.push((i128::from(coefficient), lit));
            }
            let low: i128 = terms.iter().map(|(c, _)| c.min(&0)).sum();
            let high: i128 = terms.iter().map(|(c, _)| c.max(&0)).sum();
            let bound = |random: &mut Random| {
                i128::from(random.between(low as i64 - 1, high as i64 + 1))
            };
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
        let certified: Vec<_> = pbsolve_encodings_all().filter(|encoder| encoder.is_certified()).collect();
        let mut planner = Planner::default();
        for _ in 0..self.below(4) {
            planner = planner.with(certified[usize::try_from(self.below(certified.len() as u64)).unwrap()]);
        }
        Strategy { planner, ..Strategy::default() }
    }
}

fn pbsolve_encodings_all() -> impl Iterator<Item = &'static dyn pbsolve::Encoder> {
    pbsolve_encodings::all()
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
    let num_models: usize =
        std::env::var("PBSOLVE_VERIPB_MODELS").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    for number in 0..num_models {
        let mut model = random.model();
        let strategy = random.strategy();
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
                assert!(matches!(unsatisfiable, Proved::Yes(_)), "model {number}: {unsatisfiable:?}");
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
    println!("unsatisfiable, satisfiable, unique, optimal: {counts:?}");
    assert!(counts.iter().all(|&count| count >= num_models / 30), "{counts:?}");
}
