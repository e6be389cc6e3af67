//! Proofs as files: what is there when something goes wrong.

use pbsolve::proof::{ProofError, Proved, prove_unsatisfiable};
use pbsolve::{Limits, Linear, Model, Reason, Strategy, Var};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// More pigeons than holes.
fn holes(number: usize) -> Model {
    let mut model = Model::default();
    model.new_vars(number * (number + 1));
    let at = |pigeon: usize, hole: usize| Var::new(number * pigeon + hole).positive();
    for pigeon in 0..=number {
        model.add(Linear::at_least(1, (0..number).map(|hole| at(pigeon, hole))));
    }
    for hole in 0..number {
        model.add(Linear::at_most(1, (0..=number).map(|pigeon| at(pigeon, hole))));
    }
    model
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("pbsolve-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("the folder");
        entries.map(|entry| entry.expect("an entry").file_name().into_string().unwrap()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

#[test]
fn a_proof_reads_like_this() {
    let folder = Folder::new("small-proof");
    let path = folder.0.join("proof.pbp");
    let proved = prove_unsatisfiable(&holes(2), &Strategy::default(), &path).unwrap();
    assert!(matches!(proved, Proved::Yes(size) if size.num_clauses == 9), "{proved:?}");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("pseudo-Boolean proof version 3.0\nf 5;\n"), "{text}");
    assert!(text.ends_with(";\nend pseudo-Boolean proof;\n"), "{text}");
    assert_eq!(folder.names(), ["proof.pbp"]);
}

#[test]
fn a_wrong_claim_leaves_no_file() {
    let folder = Folder::new("wrong-claim");
    let mut model = Model::default();
    model.new_vars(2);
    let proved =
        prove_unsatisfiable(&model, &Strategy::default(), &folder.0.join("proof")).unwrap();
    assert!(matches!(proved, Proved::No(_)), "{proved:?}");
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn a_limit_leaves_no_file() {
    let folder = Folder::new("limit");
    let limits = Limits::timeout(Duration::from_millis(300));
    let strategy = Strategy { limits, ..Strategy::default() };
    let proved = prove_unsatisfiable(&holes(11), &strategy, &folder.0.join("proof")).unwrap();
    assert_eq!(proved, Proved::Unknown(Reason::Timeout));
    // The worker ends at its next step.
    for _ in 0..500 {
        if folder.names().is_empty() {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("left behind: {:?}", folder.names());
}

#[test]
fn a_folder_that_is_not_there_is_an_error() {
    let error = prove_unsatisfiable(&holes(2), &Strategy::default(), Path::new("/no/folder/proof"));
    assert!(matches!(error, Err(ProofError::Io(_))), "{error:?}");
}
