//! Files when something goes wrong while they are written: full disks, limits, links, devices, and
//! the death of the process at any moment. What stands under the name that was asked for is whole.
#![cfg(unix)]

mod command_line;

use command_line::{Answer, Folder};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

const BOARD: &str = ".X..O.\nO.....\nXO..X.\n...O.O\n.O....\nO.....\n";

/// Satisfiable, with more than 1024 bytes of solution, CNF and proof.
fn long_model() -> String {
    let row = |i: usize| format!("+1 x{i} +1 x{} >= 1 ;\n", i + 1);
    (1..400).map(row).collect()
}

/// Seven pigeons in six holes.
fn pigeon_holes() -> String {
    let at = |pigeon: usize, hole: usize| format!("+1 x{} ", 6 * pigeon + hole + 1);
    let pigeon = |pigeon| (0..6).map(|hole| at(pigeon, hole)).collect::<String>() + ">= 1 ;\n";
    let hole = |hole| (0..7).map(|pigeon| at(pigeon, hole)).collect::<String>() + "<= 1 ;\n";
    (0..7).map(pigeon).chain((0..6).map(hole)).collect()
}

/// Each way to have a file written, with the exit code if all goes well. Standard output has an
/// answer where the file has not.
const WRITERS: [(&str, i32); 9] = [
    ("encode model.opb -o FILE", 0),
    ("encode model.opb --format names -o FILE", 0),
    ("export model.opb --to lp -o FILE", 0),
    ("export binox board --to listing -o FILE", 0),
    ("solve model.opb --solution FILE", 10),
    ("solve model.opb --proof FILE", 10),
    ("binox board --proof FILE", 0),
    ("solve holes.opb --drat FILE", 20),
    ("solve holes.opb --lrat FILE", 20),
];

fn folder() -> Folder {
    let folder = Folder::with("board", BOARD);
    folder.write("model.opb", long_model());
    folder.write("holes.opb", pigeon_holes());
    folder
}

/// What the program answers when no file may become larger than 512 or 1024 bytes, as the shell
/// counts; the signal is ignored, so that writing fails.
fn with_small_files(folder: &Folder, arguments: &str) -> Answer {
    let program = env!("CARGO_BIN_EXE_pbsolve");
    let mut command = Command::new("sh");
    command.args(["-c", &format!("trap '' XFSZ; ulimit -f 1; exec {program} {arguments}")]);
    Answer::of(command.current_dir(folder.path("")).output().expect("a shell"))
}

#[test]
fn a_file_that_cannot_be_written_whole_is_not_there() {
    for (arguments, code) in WRITERS {
        let folder = folder();
        let before = folder.names();
        let arguments = arguments.replace("FILE", "file");
        let refused = with_small_files(&folder, &arguments);
        assert_eq!(refused.code, Some(2), "{arguments}: {refused}");
        assert!(refused.stderr.contains("file: "), "{arguments}: {refused}");
        assert!(refused.stderr.to_lowercase().contains("file too large"), "{arguments}: {refused}");
        assert_eq!(folder.names(), before, "{arguments}");
        // The control: nothing else was wrong.
        let answer = folder.pbsolve(&arguments);
        assert_eq!(answer.code, Some(code), "{arguments}: {answer}");
        assert!(folder.read("file").len() > 1024, "{arguments}");
    }
}

#[test]
fn what_was_there_stays_where_its_successor_fails_but_an_old_proof_goes() {
    for (arguments, _) in WRITERS {
        let folder = folder();
        folder.write("file", "of an earlier run");
        let arguments = arguments.replace("FILE", "file");
        with_small_files(&folder, &arguments);
        if ["--proof", "--drat", "--lrat"].iter().any(|option| arguments.contains(option)) {
            assert!(!folder.names().contains(&"file".to_owned()), "{arguments}");
        } else {
            assert_eq!(folder.read("file"), "of an earlier run", "{arguments}");
        }
    }
}

/// Whatever the run comes to, the old proof is none of it.
#[test]
fn an_old_proof_goes_where_there_is_no_new_one() {
    let folder = folder();
    folder.write("empty", "......\n".repeat(6));
    folder.write("wide.opb", "+99999999999999999999999999999999999999999 x1 >= 1 ;\n");
    for (arguments, code) in [
        ("binox empty --proof file", 0),
        ("solve wide.opb --proof file", 0),
        ("solve model.opb --memory 0 --proof file", 0),
    ] {
        folder.write("file", "of an earlier run");
        folder.write("file.unique.opb", "of an earlier run");
        let answer = folder.pbsolve(arguments);
        assert_eq!(answer.code, Some(code), "{arguments}: {answer}");
        assert_eq!(
            folder.names(),
            ["board", "empty", "holes.opb", "model.opb", "wide.opb"],
            "{arguments}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_told_by_its_name() {
    for (arguments, _) in WRITERS {
        let folder = folder();
        let arguments = arguments.replace("FILE", "/dev/full");
        // What these proofs are about would have its place among devices.
        if ["binox board --proof", "--drat", "--lrat"].iter().any(|o| arguments.contains(o)) {
            continue;
        }
        let refused = folder.pbsolve(&arguments);
        assert_eq!(refused.code, Some(2), "{arguments}: {refused}");
        assert!(refused.stderr.contains("/dev/full: "), "{arguments}: {refused}");
        assert!(refused.stderr.contains("No space left"), "{arguments}: {refused}");
    }
}

#[test]
fn a_symbolic_link_stays_and_its_file_is_written() {
    for (arguments, code) in WRITERS {
        let folder = folder();
        std::fs::create_dir(folder.path("elsewhere")).unwrap();
        symlink("elsewhere/link", folder.path("file")).unwrap();
        symlink("target", folder.path("elsewhere/link")).unwrap();
        let arguments = arguments.replace("FILE", "file");
        // First where the links lead nowhere yet.
        for round in 0..2 {
            let answer = folder.pbsolve(&arguments);
            assert_eq!(answer.code, Some(code), "{arguments}: {answer}");
            let is_link = |name| std::fs::symlink_metadata(folder.path(name)).unwrap().is_symlink();
            assert!(is_link("file") && is_link("elsewhere/link"), "{arguments}, {round}");
            let target = std::fs::symlink_metadata(folder.path("elsewhere/target")).unwrap();
            assert!(target.is_file() && target.len() > 1024, "{arguments}, {round}");
        }
    }
}

#[test]
fn links_in_a_circle_are_refused() {
    let folder = folder();
    symlink("other", folder.path("file")).unwrap();
    symlink("file", folder.path("other")).unwrap();
    let refused = folder.pbsolve("encode model.opb -o file");
    assert_eq!(refused.refusal(), "error: file: too many levels of symbolic links\n");
}

#[test]
fn a_file_that_is_replaced_keeps_its_permissions() {
    let folder = folder();
    folder.write("file", "of an earlier run");
    std::fs::set_permissions(folder.path("file"), PermissionsExt::from_mode(0o600)).unwrap();
    folder.pbsolve("encode model.opb -o file").printed(0);
    let mode = std::fs::metadata(folder.path("file")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

/// Killed at moments all over the run, which has the file in the end.
#[test]
fn a_process_that_is_killed_leaves_a_whole_file_or_none() {
    let model = format!("{}{}", long_model().repeat(8), "x1 + x2 + x3 >= 3 ;\n~x1 >= 1 ;\n");
    for arguments in ["solve model.opb --proof file", "encode model.opb -o file"] {
        let control = Folder::with("model.opb", &model);
        control.pbsolve(arguments);
        let whole = control.read("file");
        for moment in 0..60 {
            let folder = Folder::with("model.opb", &model);
            let mut command = folder.command(arguments);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            thread::sleep(Duration::from_micros(500 * moment * moment / 10));
            child.kill().unwrap();
            child.wait().unwrap();
            for name in folder.names() {
                if name == "file" {
                    assert!(folder.read("file") == whole, "{arguments}, {moment}");
                } else if name != "model.opb" {
                    assert!(name.ends_with(".unfinished"), "{arguments}, {moment}: {name}");
                }
            }
        }
    }
}
