//! `pbsolve compare`: answers against each other, runs that go wrong, the forms of output, shards,
//! resuming. The solvers that go wrong are shell scripts.
#![cfg(unix)]

mod command_line;

use command_line::{Answer, Folder};
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Solutions with x1 or x2.
const SATISFIABLE: &str = "+1 x1 +1 x2 >= 1 ;\n";

const UNSATISFIABLE: &str = "+1 x1 +1 x2 >= 2 ;\n+1 x1 +1 x2 <= 1 ;\n";

const BEST_IS_3: &str = "min: +3 x1 +4 x2 ;\n+1 x1 +1 x2 >= 1 ;\n";

const RIGHT: &str = "echo 's SATISFIABLE'; echo 'v 1 2 0'; exit 10";

/// The option for a solver that is this script; `$1` is the DIMACS file, and the script is in its
/// working folder.
fn fake(folder: &Folder, name: &str, script: &str) -> String {
    // Should one escape, it heats no processor for long.
    folder.write(name, format!("ulimit -t 60\n{script}\n"));
    format!("sh {name} {{cnf}}")
}

fn start(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = folder.command("compare");
    command.args(arguments);
    command
}

fn compare(folder: &Folder, arguments: &[&str]) -> Answer {
    Answer::of(start(folder, arguments).output().expect("the program starts"))
}

/// The document of a comparison that ended with this code.
#[track_caller]
fn json(folder: &Folder, arguments: &[&str], code: i32) -> Value {
    let answer = compare(folder, &[arguments, &["--format", "json"]].concat());
    assert_eq!(answer.code, Some(code), "{answer}");
    serde_json::from_str(&answer.stdout).expect("a document")
}

/// Input, configuration, repetition, status and value of all runs.
fn runs(document: &Value) -> Vec<String> {
    let runs = document["comparison"]["runs"].as_array().expect("runs");
    let told = |run: &Value| {
        let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        let (input, configuration) = (text(&run["input"]), text(&run["configuration"]));
        let (status, value) = (text(&run["answer"]["status"]), text(&run["answer"]["value"]));
        format!("{input} {configuration} {} {status} {value}", run["repeat"])
    };
    runs.iter().map(told).collect()
}

/// What was said about the first run of a configuration.
fn why(document: &Value, configuration: &str) -> String {
    let runs = document["comparison"]["runs"].as_array().expect("runs");
    let run = runs.iter().find(|run| run["configuration"] == configuration).expect("a run");
    run["answer"]["why"].as_str().unwrap_or_default().to_owned()
}

/// Waits until a process is gone; what was killed takes a moment to vanish on a busy machine.
#[track_caller]
fn assert_gone(id: &str) {
    let id = id.trim();
    assert!(!id.is_empty());
    let is_there = || {
        let kill = Command::new("kill").args(["-0", id]).stderr(Stdio::null()).status();
        kill.expect("kill is there").success()
    };
    let asked = Instant::now();
    while is_there() {
        assert!(asked.elapsed() < Duration::from_secs(10), "process {id} is left");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn answers_that_agree() {
    let folder = Folder::with("model.opb", SATISFIABLE);
    let right = fake(&folder, "right.sh", RIGHT);
    let answer = compare(&folder, &["model.opb", "--backend", "varisat", "--solver", &right]);
    let shown = answer.printed(0);
    assert!(shown.starts_with("The answers agree: 2 configurations on 1 input.\n"), "{shown}");
    assert!(shown.contains("\nmodel.opb: 2 variables, 1 row\n"), "{shown}");
    assert_eq!(shown.matches(" satisfiable ").count(), 2, "{shown}");
    assert!(!shown.contains("not checked"), "solutions were checked: {shown}");
}

#[test]
fn the_word_of_a_program_is_marked_as_not_checked() {
    let folder = Folder::with("model.opb", UNSATISFIABLE);
    let right = fake(&folder, "right.sh", "echo 's UNSATISFIABLE'; exit 20");
    let answer = compare(&folder, &["model.opb", "--solver", &right, "--backend", "varisat"]);
    let shown = answer.printed(0);
    assert_eq!(shown.matches("unsatisfiable [1]").count(), 1, "{shown}");
    assert!(shown.contains("    [1] not checked\n"), "{shown}");
}

#[test]
fn a_wrong_answer_is_the_headline_and_exit_code_1() {
    let folder = Folder::with("model.opb", SATISFIABLE);
    let liar = fake(&folder, "liar.sh", "echo 's UNSATISFIABLE'; exit 20");
    let arguments = ["model.opb", "--solver", &liar, "--backend", "varisat"];
    let answer = compare(&folder, &arguments);
    let shown = answer.printed(1);
    let mut lines = shown.lines();
    let headline = lines.next().unwrap();
    assert_eq!(headline, "DISAGREEMENT: 1 wrong answer; 2 configurations on 1 input.");
    let told = lines.next().unwrap();
    let expected = "  model.opb: sh liar.sh {cnf} says that there is no solution; varisat has a \
                    solution, checked";
    assert_eq!(told, expected);
    for format in ["json", "csv"] {
        let answer = compare(&folder, &[&arguments[..], &["--format", format]].concat());
        assert_eq!(answer.code, Some(1), "{answer}");
        assert_eq!(answer.stderr.trim_end(), headline, "{answer}");
    }
    let document = json(&folder, &arguments, 1);
    assert_eq!(document["wrong_answers"][0]["configuration"], "sh liar.sh {cnf}");
    // What is wrong is not solved.
    let solved: Vec<&Value> =
        document["summary"].as_array().unwrap().iter().map(|line| &line["solved"]).collect();
    assert_eq!(solved, [1, 0]);
}

#[test]
fn no_answer_is_no_disagreement() {
    for (name, script, part) in [
        ("garbage", "echo 'hello'; exit 10", "hello"),
        ("crash", "kill -SEGV $$", "signal"),
        ("wrong", "echo 's SATISFIABLE'; echo 'v -1 -2 0'; exit 10", "clause"),
        ("silent", "exit 0", "no answer"),
    ] {
        let folder = Folder::with("model.opb", SATISFIABLE);
        let solver = fake(&folder, "solver.sh", script);
        let arguments = ["model.opb", "--backend", "varisat", "--solver", &solver];
        let document = json(&folder, &arguments, 0);
        let told = why(&document, &solver);
        assert!(told.contains(part), "{name}: {told}");
        assert_eq!(
            runs(&document),
            ["model.opb varisat 1 satisfiable -", &format!("model.opb {solver} 1 unknown -")],
            "{name}"
        );
    }
}

#[test]
fn a_solver_that_hangs_is_ended_with_its_children() {
    for (name, script) in [
        ("hangs", "echo $$ > id; sleep 60 & sleep 60"),
        ("deaf", "trap '' TERM INT; echo $$ > id; while :; do sleep 1; done"),
    ] {
        let folder = Folder::with("model.opb", SATISFIABLE);
        let solver = fake(&folder, "solver.sh", script);
        let arguments = ["model.opb", "--timeout", "0.6", "--solver", &solver, "--repeat", "3"];
        let document = json(&folder, &arguments, 0);
        // It is not asked again.
        assert_eq!(runs(&document), [format!("model.opb {solver} 1 timeout -")], "{name}");
        assert_gone(&folder.read("id"));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_killed_run_leaves_behind_is_ended() {
    let folder = Folder::with("model.opb", SATISFIABLE);
    let solver = fake(&folder, "solver.sh", "echo $$ > id; kill -KILL $PPID; sleep 60; sleep 60");
    let document = json(&folder, &["model.opb", "--solver", &solver], 0);
    assert_eq!(runs(&document), [format!("model.opb {solver} 1 failed -")]);
    let told = why(&document, &solver);
    assert!(told.contains("signal: 9"), "{told}");
    assert_gone(&folder.read("id"));
}

#[test]
fn ctrl_c_prints_what_there_is_and_leaves_no_process() {
    let folder = Folder::with("model.opb", SATISFIABLE);
    let slow = fake(&folder, "slow.sh", "echo $$ > new; mv new id; sleep 60; sleep 60");
    let options = ["--solver", &slow, "--results", "results"];
    let arguments = [&["model.opb", "--backend", "varisat"], &options[..]].concat();
    let child = start(&folder, &arguments).spawn().expect("the program starts");
    let asked = Instant::now();
    while !folder.path("id").exists() {
        assert!(asked.elapsed() < Duration::from_secs(30), "the solver does not start");
        thread::sleep(Duration::from_millis(10));
    }
    let second = compare(&folder, &arguments);
    let why = "results: is being written by another comparison";
    assert!(second.refusal().contains(why), "{second}");
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill is there").success());
    let answer = Answer::of(child.wait_with_output().expect("the program ends"));
    let shown = answer.printed(3);
    assert!(shown.contains("Interrupted"), "{shown}");
    assert!(shown.contains("  varisat        satisfiable"), "{shown}");
    // The beginning and the run that ended by itself.
    assert_eq!(folder.read("results").lines().count(), 2);
    assert_gone(&folder.read("id"));
}

#[test]
fn optima_are_compared() {
    let folder = Folder::with("best.opb", BEST_IS_3);
    folder.write("none.opb", format!("min: +1 x1 ;\n{UNSATISFIABLE}"));
    let document = json(&folder, &["best.opb", "none.opb", "--backend", "varisat"], 0);
    assert_eq!(
        runs(&document),
        ["best.opb varisat 1 optimal 3", "none.opb varisat 1 unsatisfiable -"]
    );
    let report = &document["comparison"]["runs"][0]["report"];
    assert_eq!(report["goal"], "minimum");
    assert_eq!([&report["model_variables"], &report["model_rows"]], [2, 1]);
}

/// The option for an ILP solver that is this script and prints its solution.
fn fake_ilp(folder: &Folder, name: &str, script: &str) -> String {
    fake(folder, name, script).replace("{cnf}", "{lp}")
}

#[test]
fn the_optimum_of_an_ilp_solver_counts_and_is_marked_as_not_checked() {
    let folder = Folder::with("model.opb", BEST_IS_3);
    let ilp = fake_ilp(&folder, "ilp.sh", "echo 'Optimal - objective value 3'; echo '1 x1 1 0'");
    let arguments = ["model.opb", "--backend", "varisat", "--ilp-solver", &ilp];
    let answer = compare(&folder, &arguments);
    let shown = answer.printed(0);
    assert!(
        shown.contains("\nvarisat (SAT) solves 1 of 1 input, sh ilp.sh {lp} (ILP) 1. "),
        "{shown}"
    );
    assert_eq!(shown.matches("optimal 3 [1]").count(), 1, "{shown}");
    assert!(shown.contains("    [1] not checked\n"), "{shown}");
}

#[test]
fn an_ilp_solver_that_is_wrong_is_the_headline() {
    for (name, script, told) in [
        (
            "none",
            "echo 'Infeasible - objective value 0'",
            "sh ilp.sh {lp} says that there is no solution; varisat has a solution of value 3, \
             checked",
        ),
        (
            "worse",
            "echo 'Optimal - objective value 4'; echo '1 x2 1 0'; echo '2 x4 1 0'",
            "sh ilp.sh {lp} says that 4 is optimal; varisat has 3, checked",
        ),
        (
            "violated",
            "echo 'Optimal - objective value 0'",
            "solution is not believed: it violates ",
        ),
    ] {
        // No change of a variable or two leads from the worse solution to the best.
        let linked = "+1 x1 +1 x2 = 1 ;\n+1 x1 -1 x3 = 0 ;\n+1 x2 -1 x4 = 0 ;\n";
        let folder = Folder::with("model.opb", format!("min: +3 x1 +4 x2 ;\n{linked}"));
        let ilp = fake_ilp(&folder, "ilp.sh", script);
        let arguments = ["model.opb", "--ilp-solver", &ilp, "--backend", "varisat"];
        let answer = compare(&folder, &arguments);
        let shown = answer.printed(1);
        let mut lines = shown.lines();
        assert!(lines.next().unwrap().starts_with("DISAGREEMENT: 1 wrong answer; "), "{name}");
        assert!(lines.next().unwrap().contains(told), "{name}: {shown}");
    }
}

#[test]
fn runs_take_turns_in_the_order_of_inputs_and_options() {
    let folder = Folder::with("b.opb", SATISFIABLE);
    folder.write("a.opb", SATISFIABLE);
    let right = fake(&folder, "right.sh", RIGHT);
    let options = ["--repeat", "2", "--solver", &right, "--backend", "varisat"];
    let document = json(&folder, &[&["b.opb", "a.opb", "b.opb"], &options[..]].concat(), 0);
    let mut expected = Vec::new();
    for input in ["b.opb", "a.opb"] {
        for repeat in 1..=2 {
            expected.push(format!("{input} varisat {repeat} satisfiable -"));
            expected.push(format!("{input} {right} {repeat} satisfiable -"));
        }
    }
    assert_eq!(runs(&document), expected);
}

#[test]
fn folders_stand_for_the_models_below_them() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("models/z/deep")).unwrap();
    std::fs::create_dir_all(folder.path("models/.hidden")).unwrap();
    let lp = "Minimize\n obj: x\nSubject To\n c: x + y >= 1\nBinary\n x y\nEnd\n";
    folder.write("models/z/deep/b.lp", lp);
    folder.write("models/z/a.opb", SATISFIABLE);
    folder.write("models/c.OPB", UNSATISFIABLE);
    folder.write("models/README.md", "no model");
    folder.write("models/.hidden/a.opb", SATISFIABLE);
    let document = json(&folder, &["models/", "--backend", "varisat"], 0);
    assert_eq!(
        runs(&document),
        [
            "models/c.OPB varisat 1 unsatisfiable -",
            "models/z/a.opb varisat 1 satisfiable -",
            "models/z/deep/b.lp varisat 1 optimal 0",
        ]
    );
    std::fs::create_dir(folder.path("empty")).unwrap();
    let refusal = compare(&folder, &["empty"]);
    assert!(refusal.refusal().contains("empty: there is no model file"), "{refusal}");
}

#[test]
fn boards_are_compared_in_the_formulation_of_their_document() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("boards")).unwrap();
    folder.write("boards/one.txt", "X...\n....\n..O.\n....\n");
    let clash = "XX..\n.O..\n....\nXXX.\n";
    folder.write("boards/two", clash);
    let arguments = ["--puzzle", "binox", "boards", "--backend", "varisat"];
    let document = json(&folder, &arguments, 0);
    assert_eq!(
        runs(&document),
        ["boards/one.txt varisat 1 satisfiable -", "boards/two varisat 1 unsatisfiable -"]
    );
    let report = &document["comparison"]["runs"][0]["report"];
    let exported = folder.pbsolve("export binox boards/one.txt --to opb");
    // A row of two bounds is two rows of OPB.
    let header = format!("* #variable= {} ", report["model_variables"]);
    assert!(exported.printed(0).starts_with(&header), "{header}");
    let lean = json(&folder, &[&arguments[..], &["--formulation", "lean"]].concat(), 0);
    let rows = &lean["comparison"]["runs"][0]["report"]["model_rows"];
    assert!(rows.as_u64() < report["model_rows"].as_u64(), "{rows}");
}

#[test]
fn an_input_that_cannot_be_read_does_not_keep_the_others_from_being_compared() {
    let folder = Folder::with("bad.opb", "+1 x1 >=\n");
    folder.write("good.opb", SATISFIABLE);
    let answer = compare(&folder, &["bad.opb", "good.opb", "--backend", "varisat"]);
    let shown = answer.printed(2);
    assert!(shown.contains("\n  Unreadable: 1 input, such as bad.opb.\n"), "{shown}");
    assert!(shown.contains("[1] bad.opb:1:9"), "{shown}");
    assert!(shown.contains("varisat        satisfiable"), "{shown}");
}

#[test]
fn encoders_make_configurations() {
    let folder = Folder::with("model.opb", "+1 x1 +1 x2 +1 x3 +1 x4 >= 2 ;\n");
    let options = ["--backend", "varisat", "--amo", "ladder", "--card", "planner", "--card"];
    let document = json(&folder, &[&["model.opb"], &options[..], &["totalizer"]].concat(), 0);
    assert_eq!(
        runs(&document),
        [
            "model.opb varisat amo=ladder 1 satisfiable -",
            "model.opb varisat amo=ladder card=totalizer 1 satisfiable -",
        ]
    );
    let document = json(&folder, &["model.opb", "--backend", "varisat", "--all-encodings"], 0);
    let told = runs(&document);
    assert_eq!(told[0], "model.opb varisat 1 satisfiable -");
    for (line, expected) in [
        ("varisat amo=ladder", "inapplicable"),
        ("varisat card=totalizer", "satisfiable"),
        ("varisat card=cardinality-network", "satisfiable"),
        ("varisat pb=adder", "inapplicable"),
    ] {
        let expected = format!("model.opb {line} 1 {expected} -");
        assert!(told.contains(&expected), "{expected}: {told:?}");
    }
    assert_eq!(why(&document, "varisat pb=adder"), "no row needs an encoder of --pb");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = Folder::with("model.opb", SATISFIABLE);
    for (arguments, part) in [
        (&["-"][..], "standard input"),
        (&["missing.opb"], "missing.opb"),
        (&["model.opb", "--shard", "3/2"], "3/16"),
        (&["model.opb", "--shard", "0/2"], "3/16"),
        (&["model.opb", "--repeat", "0"], "--repeat"),
        (&["model.opb", "--timeout", "0"], "positive"),
        (&["model.opb", "--backend", "varisat", "--backend", "varisat"], "itself"),
        (&["model.opb", "--solver", "a | b"], "no shell"),
        (&["model.opb", "--card", "ladder"], "totalizer"),
        (&["model.opb", "--backend", "microlp", "--card", "direct"], "none is compared"),
        (&["model.opb", "--ilp-solver", "a | b {lp}"], "no shell"),
        (&["model.opb", "--formulation", "lean"], "--puzzle"),
        (&["--merge", "model.opb"], "no results of `pbsolve compare`"),
        (&["--merge", "missing.json"], "missing.json"),
    ] {
        let answer = compare(&folder, arguments);
        assert!(answer.refusal().contains(part), "{arguments:?}: {answer}");
    }
}

#[test]
fn the_lines_of_csv_are_the_runs() {
    let folder = Folder::with("a, \"b\".opb", BEST_IS_3);
    let arguments = ["a, \"b\".opb", "--backend", "varisat", "--repeat", "2", "--format", "csv"];
    let answer = compare(&folder, &arguments);
    let mut reader = csv::Reader::from_reader(answer.printed(0).as_bytes());
    let lines: Vec<BTreeMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    assert_eq!(lines.len(), 2);
    for (i, line) in lines.iter().enumerate() {
        let repeat = (i + 1).to_string();
        for (title, expected) in [
            ("input", "a, \"b\".opb"),
            ("configuration", "varisat"),
            ("kind", "sat"),
            ("repeat", repeat.as_str()),
            ("status", "optimal"),
            ("value", "3"),
            ("solved", "true"),
            ("wrong", "false"),
            ("model_variables", "2"),
        ] {
            assert_eq!(line[title], expected, "{title}");
        }
        let number = |title: &str| line[title].parse::<f64>().expect("a number");
        assert!(number("cpu_s") > 0.0 && number("wall_s") > 0.0 && number("peak_bytes") > 1e5);
        assert!(number("encoding_s") + number("solving_s") < number("wall_s"));
    }
}

/// Six small inputs of two kinds.
fn six() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("models")).unwrap();
    for i in 0..6 {
        let model = if i % 2 == 0 { SATISFIABLE } else { UNSATISFIABLE };
        folder.write(&format!("models/{i}.opb"), model);
    }
    folder
}

#[test]
fn shards_make_up_the_whole() {
    let folder = six();
    let whole = json(&folder, &["models", "--backend", "varisat"], 0);
    let mut files = Vec::new();
    for shard in ["1/4", "2/4", "3/4", "4/4"] {
        let name = format!("part{}", shard.replace('/', "of"));
        let mut arguments = vec!["models", "--backend", "varisat", "--shard", shard];
        if shard != "2/4" {
            arguments.extend(["--results", &name]);
        }
        let part = compare(&folder, &[&arguments[..], &["--format", "json"]].concat());
        let shown = part.printed(0);
        if shard == "2/4" {
            folder.write(&name, shown);
        }
        files.push(name);
    }
    files.reverse();
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    let merged = json(&folder, &[&["--merge"], &names[..]].concat(), 0);
    assert_eq!(runs(&merged), runs(&whole));
    for part in ["settings", "configurations", "machines", "shards", "num_inputs", "inputs"] {
        assert_eq!(merged["comparison"][part], whole["comparison"][part], "{part}");
    }
    assert_eq!(merged["headline"], whole["headline"]);

    let partial = compare(&folder, &["--merge", names[0], names[2]]);
    assert!(partial.printed(3).contains("Not the whole: of 4 shards, 1, 3 missing."), "{partial}");
    let twice = compare(&folder, &["--merge", names[0], names[2], names[0]]);
    assert!(twice.refusal().contains("part4of4: shard 4/4 is there twice"), "{twice}");
}

#[test]
fn results_that_do_not_fit_together_are_refused() {
    let folder = six();
    let part = |name: &str, options: &[&str]| {
        let arguments = [&["models", "--backend", "varisat", "--results", name], options].concat();
        compare(&folder, &arguments).printed(0);
    };
    part("one", &["--shard", "1/2"]);
    part("thirds", &["--shard", "2/3"]);
    part("repeated", &["--shard", "2/2", "--repeat", "2"]);
    part("encoded", &["--shard", "2/2", "--amo", "ladder"]);
    part("whole", &[]);
    for (other, why) in [
        ("thirds", "thirds: is shard 2/3, but the files before it are of 2"),
        ("repeated", "--repeat 2, not 1"),
        ("encoded", "the configurations varisat amo=ladder, not varisat"),
        ("whole", "whole: is a whole comparison"),
    ] {
        let refusal = compare(&folder, &["--merge", "one", other]);
        assert!(refusal.refusal().contains(why), "{refusal}");
    }
}

#[test]
fn an_interrupted_comparison_goes_on_where_it_stopped() {
    let folder = six();
    let solver = fake(&folder, "solver.sh", "echo asked >> asked; exit 1");
    let arguments = ["models", "--solver", &solver, "--results", "results"];
    let num_asked = || folder.read("asked").lines().count();
    let whole = json(&folder, &arguments, 0);
    assert_eq!(num_asked(), 6);
    // All is known.
    assert_eq!(json(&folder, &arguments, 0), whole);
    assert_eq!(num_asked(), 6);

    // The last line was not written whole, and the one before it not at all.
    let text = folder.read("results");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 7);
    let torn = format!("{}\n{}", lines[..5].join("\n"), &lines[6][..20]);
    folder.write("results", torn);
    let answer = compare(&folder, &[&arguments[..], &["--format", "json"]].concat());
    assert_eq!(answer.code, Some(0), "{answer}");
    assert_eq!(answer.stderr, "results: the last line was not written whole, and is dropped\n");
    assert_eq!(num_asked(), 8);
    let document: Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(runs(&document), runs(&whole));
    assert_eq!(folder.read("results").lines().count(), 7);

    // A changed input is run again, and so is one that is new.
    folder.write("models/3.opb", SATISFIABLE);
    folder.write("models/6.opb", SATISFIABLE);
    assert_eq!(runs(&json(&folder, &arguments, 0)).len(), 7);
    assert_eq!(num_asked(), 10);
    assert_eq!(runs(&json(&folder, &["--merge", "results"], 0)).len(), 7);
    assert_eq!(num_asked(), 10);

    let other = [&arguments[..], &["--timeout", "7"]].concat();
    let refusal = compare(&folder, &other);
    assert!(refusal.refusal().contains("was begun with --timeout 60, not 7"), "{refusal}");
    let broken = folder.read("results").replacen("\"repeat\":1,\"answer\"", "\"answer\"", 1);
    folder.write("results", broken);
    let refusal = compare(&folder, &arguments);
    assert!(refusal.refusal().contains("results: line 2: "), "{refusal}");
}

#[test]
fn the_page_is_well_formed_whatever_the_names_are() {
    let odd = "a&b<script>\"'\u{7}.opb";
    let folder = Folder::with(odd, SATISFIABLE);
    folder.write("other.opb", BEST_IS_3);
    let liar = fake(&folder, "liar.sh", "echo 's UNSATISFIABLE'; exit 20");
    let solver = format!("{liar} '<b>&amp;\"'");
    let files = ["--html", "page.html", "--cactus", "cactus.svg", "--scatter", "scatter.svg"];
    let options = ["--solver", &solver, "--backend", "varisat"];
    let answer = compare(&folder, &[&[odd, "other.opb"], &options[..], &files[..]].concat());
    assert_eq!(answer.code, Some(1), "{answer}");
    assert!(!answer.stdout.contains('\u{7}'), "control characters are not printed");
    let page = folder.read("page.html");
    let xml = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(&page, xml).expect("well-formed");
    let elements =
        |name: &'static str| document.descendants().filter(move |it| it.has_tag_name(name));
    let headline = elements("h1").next().expect("a headline");
    assert_eq!(headline.attribute("class"), Some("bad"));
    assert!(headline.text().unwrap().starts_with("DISAGREEMENT: "), "{headline:?}");
    assert_eq!(elements("script").count(), 1, "names are no scripts");
    assert_eq!(elements("svg").count(), 2);
    let shown = odd.replace('\u{7}', "\u{fffd}");
    let is_odd = |it: &roxmltree::Node<'_, '_>| it.text() == Some(&shown);
    assert_eq!(elements("th").filter(is_odd).count(), 2, "a line for each configuration");
    // Nothing is fetched.
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        for attribute in node.attributes() {
            assert!(!["src", "href", "srcset"].contains(&attribute.name()), "{attribute:?}");
        }
    }
    for outside in ["url(", "@import", "http:", "https:"] {
        assert!(!page.contains(outside), "{outside}");
    }
    for name in ["cactus.svg", "scatter.svg"] {
        let picture = folder.read(name);
        let document = roxmltree::Document::parse(&picture).expect(name);
        let root = document.root_element();
        assert_eq!(root.tag_name().namespace(), Some("http://www.w3.org/2000/svg"), "{name}");
        let marks = document.descendants().filter(|it| it.tag_name().name() == "circle");
        assert!(marks.count() > 0, "{name}");
    }
}

#[test]
fn a_plot_of_one_configuration_says_that_it_takes_two() {
    let folder = Folder::with("model.opb", SATISFIABLE);
    let options = ["--backend", "varisat", "--scatter", "plot.svg", "--html", "page.html"];
    compare(&folder, &[&["model.opb"], &options[..]].concat()).printed(0);
    let plot = folder.read("plot.svg");
    assert!(plot.contains("takes two configurations"), "{plot}");
    assert_eq!(folder.read("page.html").matches("<svg").count(), 1);
}
