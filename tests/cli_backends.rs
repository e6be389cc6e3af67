//! `backends` and `--backend`: the table, and which choices are refused.

mod command_line;

use command_line::Folder;
use pbsolve::backend;
use serde_json::Value;

const MODEL: &str = "+1 x1 +1 x2 >= 2 ;\n";

#[test]
fn the_table_has_every_back_end_and_says_which_this_build_has() {
    let folder = Folder::new();
    let printed = folder.pbsolve("backends").printed(0).to_owned();
    let (table, rest) = printed.split_once("\n\n").expect("what the build has comes after");
    let available: Vec<_> =
        backend::ALL.iter().filter(|entry| entry.is_available()).map(|entry| entry.name).collect();
    let first = format!("This build has {}.", available.join(", "));
    assert_eq!(rest.lines().next(), Some(first.as_str()));
    assert_eq!(table.lines().count(), 1 + backend::ALL.len(), "{table}");

    let json = folder.pbsolve("backends --format json");
    let rows: Vec<Value> = serde_json::from_str(json.printed(0)).expect("an array");
    assert_eq!(rows.len(), backend::ALL.len());
    for ((entry, line), row) in backend::ALL.iter().zip(table.lines().skip(1)).zip(&rows) {
        assert!(line.starts_with(entry.name) && line.ends_with(entry.about), "{line}");
        assert_eq!(row["name"], entry.name);
        assert_eq!(row["available"], entry.is_available(), "{}", entry.name);
        assert_eq!(row["proofs"], entry.gives_proofs, "{}", entry.name);
    }
}

#[test]
fn names_and_choices_are_distinct_and_varisat_is_the_default() {
    assert_eq!(backend::ALL[0].backend, pbsolve::Backend::default());
    for (i, entry) in backend::ALL.iter().enumerate() {
        assert_eq!(backend::find(entry.name).map(|found| found.name), Some(entry.name));
        assert_eq!(entry.backend.entry().map(|found| found.name), Some(entry.name));
        let others = backend::ALL[..i].iter().filter(|other| other.backend == entry.backend);
        assert_eq!(others.count(), 0, "{} is there twice", entry.name);
    }
    assert_eq!(backend::find("nothing").map(|found| found.name), None);
}

#[test]
fn a_back_end_answers_or_is_refused_because_this_build_lacks_it() {
    let folder = Folder::with("model.opb", MODEL);
    folder.write("board", ".X..O.\nO.....\nXO..X.\n...O.O\n.O....\nO.....\n");
    for entry in backend::ALL {
        let solve = folder.pbsolve(&format!("solve model.opb --backend {}", entry.name));
        let board = folder.pbsolve(&format!("binox board --backend {}", entry.name));
        match entry.feature {
            Some(feature) if !feature.is_enabled => {
                let why = format!(
                    "error: --backend {}: this build has no {}; build with --features {}\n",
                    entry.name, entry.title, feature.name
                );
                assert_eq!((solve.refusal(), board.refusal()), (why.as_str(), why.as_str()));
            }
            _ => {
                assert_eq!(solve.printed(10), "s SATISFIABLE\nv x1 x2\n", "{}", entry.name);
                if entry.kind == backend::Kind::Ilp {
                    let told = "uniqueness not decided: NAME says that there is no other board: \
                                not checked\n";
                    let told = told.replace("NAME", entry.title);
                    assert!(board.printed(3).ends_with(&told), "{board}");
                } else {
                    assert!(board.printed(0).ends_with("unique\n"), "{}", entry.name);
                }
            }
        }
    }
}

#[test]
fn several_back_ends_race() {
    let folder = Folder::with("model.opb", MODEL);
    folder.write("board", "XXOO\nOXOX\nOOXX\nXOXO\n");
    for arguments in ["--backend varisat --backend microlp", "--backend varisat --solver cat"] {
        let solve = folder.pbsolve(&format!("solve model.opb {arguments}"));
        assert_eq!(solve.stdout, "s SATISFIABLE\nv x1 x2\n", "{solve}");
        assert_eq!(solve.code, Some(10), "{solve}");
        let board = folder.pbsolve(&format!("binox board {arguments}"));
        assert_eq!((board.code, board.stdout.lines().last()), (Some(0), Some("unique")), "{board}");
    }
    let answer = folder.pbsolve("solve model.opb --backend portfolio --backend varisat");
    let why = "error: --backend portfolio chooses who races; to choose yourself, leave it out\n";
    assert_eq!(answer.refusal(), why);
}

#[test]
fn a_back_end_without_proofs_refuses_a_proof_before_it_solves() {
    let folder = Folder::with("model.opb", MODEL);
    for entry in backend::ALL.iter().filter(|entry| entry.is_available() && !entry.gives_proofs) {
        let name = entry.name;
        let answer = folder.pbsolve(&format!("solve model.opb --backend {name} --proof proof"));
        let why = format!("error: --proof: {name} gives no proofs; varisat does\n");
        assert_eq!(answer.refusal(), why);
        assert_eq!(folder.names(), ["model.opb"]);
    }
    for several in ["--ilp-solver cbc", "--backend varisat --backend microlp"] {
        let answer = folder.pbsolve(&format!("solve model.opb {several} --proof proof"));
        let why = "error: --proof: an ILP solver, or a race, gives no proofs; varisat does\n";
        assert_eq!(answer.refusal(), why);
    }
}
