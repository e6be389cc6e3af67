//! `--drat` and `--lrat`: proofs about the clauses alone. They are checked here by unit propagation,
//! and by `rate`, a checker of others, where `PBSOLVE_RATE=1` asks for it (`cargo install rate
//! --version 0.3.0`).
#![cfg(unix)]

mod command_line;

use command_line::Folder;
use std::collections::HashMap;
use std::process::Command;

/// Seven pigeons in six holes, by exactly-one and at-most-one rows.
fn pigeon_holes() -> String {
    let at = |pigeon: usize, hole: usize| format!("+1 x{} ", 6 * pigeon + hole + 1);
    let pigeon = |pigeon| (0..6).map(|hole| at(pigeon, hole)).collect::<String>() + ">= 1 ;\n";
    let hole = |hole| (0..7).map(|pigeon| at(pigeon, hole)).collect::<String>() + "<= 1 ;\n";
    (0..7).map(pigeon).chain((0..6).map(hole)).collect()
}

/// Weighted, counting and repeated rows.
const WEIGHTED: &str = "\
    +3 x1 +3 x2 +2 x3 +2 x4 +1 x5 +1 x6 >= 8 ;\n+1 x1 +1 x2 +1 x3 +1 x4 +1 x5 +1 x6 <= 3 ;\n\
    +1 x1 +1 ~x2 >= 1 ;\n+1 ~x1 +1 x2 >= 1 ;\n+1 x1 +1 ~x2 >= 1 ;\n+1 ~x3 +1 ~x4 +1 ~x1 >= 2 ;\n";

const KNAPSACK: &str = "min: -6 x1 -5 x2 -4 x3 -3 x4 -7 x5 ;\n\
    +5 x1 +4 x2 +3 x3 +2 x4 +6 x5 <= 9 ;\n+1 x1 +1 x5 <= 1 ;\n";

const UNIQUE: &str = ".X..O.\nO.....\nXO..X.\n...O.O\n.O....\nO.....\n";
const IMPOSSIBLE: &str = "XXX...\n......\n......\n......\n......\n......\n";

/// Files, arguments, and the exit code.
fn claims() -> [(&'static str, String, &'static str, i32); 6] {
    [
        ("pigeons.opb", pigeon_holes(), "solve pigeons.opb", 20),
        ("weighted.opb", WEIGHTED.to_owned(), "solve weighted.opb", 20),
        ("clash.opb", "+1 x1 >= 1 ;\n-1 x1 >= 0 ;\n".to_owned(), "solve clash.opb", 20),
        ("knapsack.opb", KNAPSACK.to_owned(), "solve knapsack.opb", 30),
        ("unique", UNIQUE.to_owned(), "binox unique", 0),
        ("impossible", IMPOSSIBLE.to_owned(), "binox impossible", 1),
    ]
}

fn numbers(line: &str) -> Vec<i64> {
    line.split_whitespace().map(|word| word.parse().expect("a number")).collect()
}

/// The clauses of a DIMACS text, which has as many as its header says.
fn clauses(cnf: &str) -> Vec<Vec<i64>> {
    let lines = cnf.lines().filter(|line| !line.starts_with(['c', 'p']));
    let clauses: Vec<Vec<i64>> = lines.map(without_zero).collect();
    let header = cnf.lines().find(|line| line.starts_with('p')).expect("a header");
    assert!(header.ends_with(&format!(" {}", clauses.len())), "{header}");
    clauses
}

fn without_zero(line: &str) -> Vec<i64> {
    let mut lits = numbers(line);
    assert_eq!(lits.pop(), Some(0), "{line}");
    lits
}

/// Whether a clause becomes unit or false under literals that are false, which gain the negation.
fn propagates(clause: &[i64], is_false: &mut Vec<i64>) -> Option<bool> {
    let mut open = clause.iter().filter(|lit| !is_false.contains(lit));
    match (open.next(), open.next()) {
        (None, _) => Some(true),
        (Some(&unit), None) if !is_false.contains(&-unit) => {
            is_false.push(-unit);
            Some(false)
        }
        _ => None,
    }
}

/// Follows the hints of each step; whether the last step is the empty clause.
fn lrat_refutes(cnf: &str, proof: &str) -> Result<bool, String> {
    let given = clauses(cnf).into_iter().zip(1..);
    let mut known: HashMap<i64, Vec<i64>> = given.map(|(clause, id)| (id, clause)).collect();
    let mut is_refuted = false;
    for line in proof.lines() {
        if let Some((_, deleted)) = line.split_once(" d ") {
            for id in without_zero(deleted) {
                known.remove(&id).ok_or_else(|| format!("{line}: {id} is not there"))?;
            }
            continue;
        }
        let step = numbers(line);
        let end = step.iter().position(|&number| number == 0).expect("a 0");
        let (clause, hints) = (&step[1..end], &step[end + 1..step.len() - 1]);
        let mut is_false = clause.to_vec();
        let mut is_conflict = false;
        for hint in hints {
            let hinted = known.get(hint).ok_or_else(|| format!("{line}: no clause {hint}"))?;
            match propagates(hinted, &mut is_false) {
                Some(conflict) => is_conflict |= conflict,
                None => return Err(format!("{line}: {hint} does not propagate")),
            }
        }
        if !is_conflict {
            return Err(format!("{line}: no conflict"));
        }
        is_refuted = clause.is_empty();
        known.insert(step[0], clause.to_vec());
    }
    Ok(is_refuted)
}

/// Propagates over all clauses for each step. What is deleted may have its literals in another
/// order: CaDiCaL has.
fn drat_refutes(cnf: &str, proof: &str) -> Result<bool, String> {
    let sorted = |mut clause: Vec<i64>| {
        clause.sort_unstable();
        clause
    };
    let mut known: Vec<Vec<i64>> = clauses(cnf).into_iter().map(sorted).collect();
    let mut is_refuted = false;
    for line in proof.lines() {
        if let Some(deleted) = line.strip_prefix("d ") {
            let deleted = sorted(without_zero(deleted));
            let place = known.iter().position(|clause| *clause == deleted);
            known.swap_remove(place.ok_or_else(|| format!("{line}: is not there"))?);
            continue;
        }
        let clause = sorted(without_zero(line));
        let mut is_false = clause.clone();
        let is_conflict = 'propagation: loop {
            let before = is_false.len();
            for clause in &known {
                if propagates(clause, &mut is_false) == Some(true) {
                    break 'propagation true;
                }
            }
            if is_false.len() == before {
                break false;
            }
        };
        if !is_conflict {
            return Err(format!("{line}: no conflict"));
        }
        is_refuted = clause.is_empty();
        known.push(clause);
    }
    Ok(is_refuted)
}

#[test]
fn each_claim_is_refuted_by_both_proofs() {
    let backends = ["varisat"].into_iter().chain(cfg!(feature = "cadical").then_some("cadical"));
    for (backend, (name, text, arguments, code)) in
        backends.flat_map(|backend| claims().map(|claim| (backend, claim)))
    {
        let folder = Folder::with(name, text);
        let files = "--drat drat --lrat lrat --proof proof";
        let answer = folder.pbsolve(&format!("{arguments} --backend {backend} {files}"));
        assert_eq!(answer.code, Some(code), "{answer}");
        assert_eq!(answer.stderr.matches("c proof: ").count(), 3, "{answer}");
        let cnf = folder.read("drat.cnf");
        assert_eq!(folder.read("lrat.cnf"), cnf, "{name}");
        let (drat, lrat) = (folder.read("drat"), folder.read("lrat"));
        assert_eq!(lrat_refutes(&cnf, &lrat), Ok(true), "{name}");
        assert_eq!(drat_refutes(&cnf, &drat), Ok(true), "{name}");
        // The controls: what is missing is noticed.
        if drat.lines().count() > 1 {
            let clauses = drat.lines().filter(|line| !line.starts_with("d "));
            let last = { clauses }.next_back().expect("a step");
            assert!(drat_refutes(&cnf, last).is_err(), "{name}");
            let (all_but_last, _) = lrat.trim_end().rsplit_once('\n').expect("two lines");
            assert_ne!(lrat_refutes(&cnf, all_but_last), Ok(true), "{name}");
        }
    }
}

/// The clauses are those that `encode` writes, and what the claim adds to them.
#[test]
fn the_clauses_are_those_of_encode() {
    for (name, text, arguments, _) in claims() {
        let folder = Folder::with(name, text);
        folder.pbsolve(&format!("{arguments} --drat drat"));
        let of_proof = clauses(&folder.read("drat.cnf"));
        let encode = format!("encode {}", arguments.trim_start_matches("solve "));
        let encoded = clauses(folder.pbsolve(&encode).printed(0));
        let is_of_model = !matches!(name, "knapsack.opb" | "unique");
        assert!(of_proof.starts_with(&encoded), "{name}");
        assert_eq!(of_proof.len() == encoded.len(), is_of_model, "{name}");
        if name == "unique" {
            assert_eq!(of_proof.len(), encoded.len() + 1, "the solution is excluded");
            assert_eq!(of_proof.last().map(Vec::len), Some(36));
        }
    }
}

#[test]
fn every_encoder_has_a_proof_about_its_clauses() {
    let folder = Folder::with("weighted.opb", WEIGHTED);
    folder.write("pigeons.opb", pigeon_holes());
    for encoder in pbsolve_encodings::all() {
        let (model, option) = match encoder.class() {
            pbsolve_encodings::Class::AtMostOne => ("pigeons", "amo"),
            pbsolve_encodings::Class::Cardinality => ("weighted", "card"),
            pbsolve_encodings::Class::PseudoBoolean => ("weighted", "pb"),
        };
        let name = encoder.name();
        let answer = folder.pbsolve(&format!("solve {model}.opb --{option} {name} --lrat lrat"));
        assert_eq!(answer.code, Some(20), "{name}: {answer}");
        let (cnf, lrat) = (folder.read("lrat.cnf"), folder.read("lrat"));
        assert_eq!(lrat_refutes(&cnf, &lrat), Ok(true), "{name}");
    }
}

#[test]
fn a_solution_has_no_proof_about_clauses() {
    let folder = Folder::with("model.opb", "+1 x1 +1 x2 >= 1 ;\n");
    for name in ["drat", "drat.cnf"] {
        folder.write(name, "of an earlier run");
    }
    let answer = folder.pbsolve("solve model.opb --drat drat");
    assert_eq!(answer.code, Some(10), "{answer}");
    assert_eq!(answer.stderr, "c no proof about clauses: a solution is one itself\n");
    assert_eq!(folder.names(), ["model.opb"]);
}

#[test]
fn a_checker_of_others_accepts_the_proofs() {
    if std::env::var_os("PBSOLVE_RATE").is_none_or(|value| value != "1") {
        return;
    }
    for (name, text, arguments, _) in claims() {
        let folder = Folder::with(name, text);
        folder.pbsolve(&format!("{arguments} --drat drat"));
        let verdict = |proof: &str| {
            let mut rate = Command::new("rate");
            let rate = rate.args(["drat.cnf", proof]).current_dir(folder.path(""));
            let output = rate.output().expect("`cargo install rate --version 0.3.0`");
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        assert!(verdict("drat").contains("s VERIFIED"), "{name}: {}", verdict("drat"));
        if name == "pigeons.opb" {
            // The control: the steps are needed.
            folder.write("wrong", "1 0\n0\n");
            assert!(!verdict("wrong").contains("s VERIFIED"), "{name}: {}", verdict("wrong"));
        }
    }
}
