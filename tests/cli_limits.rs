//! Time limits and signals: kept within a second in every stage. The bounds here are wide, because
//! the machine may be busy; what is tested would take minutes otherwise.
#![cfg(unix)]

mod command_line;

use command_line::{Answer, Folder};
use pbsolve::{
    Assignment, Grid, Limits, Linear, Lit, Model, Puzzle, PuzzleAnswer, PuzzleSearch, Strategy,
    Uniqueness, Var,
};
use pbsolve_model::ParseError;
use pbsolve_puzzles::{Formulation, RuleViolation};
use std::fmt::Write;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

/// How long a command may take that was to end at once.
const PATIENCE: Duration = Duration::from_secs(5);

/// Eleven pigeons in ten holes, no two in one: unsatisfiable, and hard to refute by resolution.
const PIGEONS: usize = 11;
const HOLES: usize = PIGEONS - 1;

fn pigeon_holes() -> String {
    let mut opb = String::new();
    let variable = |pigeon, hole| format!("+1 x{} ", pigeon * HOLES + hole + 1);
    for pigeon in 0..PIGEONS {
        let sum: String = (0..HOLES).map(|hole| variable(pigeon, hole)).collect();
        writeln!(opb, "{sum}= 1 ;").unwrap();
    }
    for hole in 0..HOLES {
        let sum: String = (0..PIGEONS).map(|pigeon| variable(pigeon, hole)).collect();
        writeln!(opb, "{sum}<= 1 ;").unwrap();
    }
    opb
}

/// The pigeons again, who may all stay at home: one solution, and hard to tell that it is the only
/// one.
fn pigeons_at_home() -> Model {
    let mut model = Model::default();
    let mut new = |name: &str| model.new_var(name).positive();
    let out = new("out");
    let seats: Vec<Vec<Lit>> = (0..PIGEONS)
        .map(|pigeon| (0..HOLES).map(|hole| new(&format!("in_{pigeon}_{hole}"))).collect())
        .collect();
    for pigeon in &seats {
        model.add(Linear::at_least(1, pigeon.iter().copied().chain([!out])));
        for &seat in pigeon {
            model.add(Linear::at_most(1, [seat, !out]));
        }
    }
    for hole in 0..HOLES {
        model.add(Linear::at_most(1, seats.iter().map(|pigeon| pigeon[hole])));
    }
    model
}

fn empty(size: usize) -> String {
    format!("{}\n", ".".repeat(size)).repeat(size)
}

/// What the program answers, in time.
#[track_caller]
fn in_time(folder: &Folder, arguments: &str) -> Answer {
    let started = Instant::now();
    let answer = folder.pbsolve(arguments);
    let elapsed = started.elapsed();
    assert!(elapsed < PATIENCE, "{arguments} took {elapsed:?}: {answer}");
    answer
}

#[test]
fn a_hard_model_is_unknown_at_the_time_limit() {
    let folder = Folder::with("model.opb", pigeon_holes());
    let answer = in_time(&folder, "solve model.opb --timeout 0.5");
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(0), "s UNKNOWN\n"), "{answer}");
    assert_eq!(answer.stderr, "c the time limit was reached\n");
    let all = in_time(&folder, "solve model.opb --timeout 0.5 --all");
    assert_eq!((all.code, all.stdout.as_str()), (Some(0), "s UNKNOWN\n"), "{all}");
    let count = in_time(&folder, "solve model.opb --timeout 0.5 --count");
    assert_eq!((count.code, count.stdout.as_str()), (Some(3), "at least 0 solutions\n"), "{count}");
}

#[test]
fn a_count_says_what_was_counted_up_to_the_time_limit() {
    let mut opb = Vec::new();
    pbsolve::formats::opb::write(&pigeons_at_home(), &mut opb).unwrap();
    let folder = Folder::with("model.opb", opb);
    let count = in_time(&folder, "solve model.opb --timeout 1 --count");
    assert_eq!((count.code, count.stdout.as_str()), (Some(3), "at least 1 solution\n"), "{count}");
    let all = in_time(&folder, "solve model.opb --timeout 1 --all");
    assert_eq!(all.code, Some(10), "{all}");
    assert!(all.stdout.ends_with("\ns SATISFIABLE\n"), "{all}");
    assert!(all.stderr.contains("c at least 1 solution\n"), "{all}");

    folder.write("board", empty(14));
    let boards = in_time(&folder, "binox board --timeout 0.5 --count");
    assert_eq!(boards.code, Some(3), "{boards}");
    assert!(boards.stdout.starts_with("at least "), "{boards}");
}

#[test]
fn a_model_that_takes_long_to_load_is_unknown_at_the_time_limit() {
    let row = |i: usize| format!("+1 x{} +1 x{} +1 x{} +1 x{} >= 2 ;\n", i, i + 1, i + 2, i + 3);
    let folder = Folder::with("model.opb", (1..300_000).map(row).collect::<String>());
    let answer = in_time(&folder, "solve model.opb --timeout 0.1");
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(0), "s UNKNOWN\n"), "{answer}");
}

/// `sum of n variables >= k`.
fn at_least(k: usize, n: usize) -> String {
    let term = |i: usize| format!("x{i} + ");
    let sum: String = (1..=n).map(term).collect();
    format!("{} >= {k} ;\n", sum.trim_end_matches(" + "))
}

#[test]
fn a_row_whose_clauses_would_fill_the_memory_is_named_before_they_are_made() {
    let row = format!("x1 + x2 >= 1 ;\n@many {}", at_least(10_000, 20_000));
    let folder = Folder::with("model.opb", row);
    let answer = in_time(&folder, "solve model.opb --memory 100 --card sequential-counter");
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(0), "s UNKNOWN\n"), "{answer}");
    let why = "c row 2 (many) would overflow the 100 MB of memory kept for clauses: \
               sequential-counter takes 399989999 clauses\n";
    assert_eq!(answer.stderr, why);
    let count = in_time(&folder, "solve model.opb --memory 100 --count");
    assert_eq!((count.code, count.stdout.as_str()), (Some(3), "at least 0 solutions\n"), "{count}");
}

#[test]
fn rows_whose_clauses_fill_the_memory_together_are_too_many() {
    let folder = Folder::with("model.opb", at_least(3, 6).repeat(4000));
    let answer = in_time(&folder, "solve model.opb --memory 1");
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(0), "s UNKNOWN\n"), "{answer}");
    let row = answer.stderr.strip_prefix("c the rows up to row ");
    let row = row.and_then(|row| row.strip_suffix(" fill the 1 MB of memory kept for clauses\n"));
    let row: u32 = row.and_then(|row| row.parse().ok()).unwrap_or_else(|| panic!("{answer}"));
    assert!((100..4000).contains(&row), "{answer}");
    let enough = in_time(&folder, "solve model.opb --memory 100");
    assert_eq!(enough.code, Some(10), "{enough}");
}

#[test]
fn an_optimisation_beyond_the_memory_keeps_its_solution() {
    let model = format!("min: x1 + x2 ;\nx1 + x2 >= 1 ;\n{}", at_least(5000, 10_000));
    let folder = Folder::with("model.opb", model);
    let answer = in_time(&folder, "solve model.opb --memory 10");
    assert_eq!(answer.code, Some(10), "{answer}");
    assert!(answer.stdout.starts_with("o "), "{answer}");
    assert!(answer.stderr.contains("the 10 MB of memory kept for clauses"), "{answer}");
}

#[test]
fn a_board_beyond_the_memory_is_not_decided() {
    let folder = Folder::with("board", empty(60));
    let answer = in_time(&folder, "binox board --formulation document --memory 1");
    assert_eq!(answer.code, Some(3), "{answer}");
    assert!(answer.stdout.starts_with("not decided: the rows up to row "), "{answer}");
}

/// The limit of the address space counts as memory; without a look at it the process is killed.
#[test]
#[cfg(target_os = "linux")]
fn an_encoding_beyond_the_address_space_is_told() {
    let folder = Folder::with("model.opb", at_least(50_000, 100_000));
    for (arguments, stdout, code) in
        [("solve model.opb", "s UNKNOWN\n", 0), ("encode model.opb --format names", "", 2)]
    {
        let mut command = Command::new("sh");
        let program = env!("CARGO_BIN_EXE_pbsolve");
        command.args(["-c", &format!("ulimit -v 600000 && exec {program} {arguments}")]);
        let answer = Answer::of(command.current_dir(folder.path("")).output().expect("a shell"));
        assert_eq!((answer.code, answer.stdout.as_str()), (Some(code), stdout), "{answer}");
        assert!(answer.stderr.contains(" MB "), "{answer}");
    }
}

#[test]
fn a_board_that_takes_long_to_load_is_not_decided_at_the_time_limit() {
    let folder = Folder::with("board", empty(300));
    let answer = in_time(&folder, "binox board --formulation document --timeout 0.5");
    assert_eq!(answer.code, Some(3), "{answer}");
    assert!(format!("{answer}").contains("limit was reached"), "{answer}");
}

#[test]
fn a_phase_without_conflicts_ends_at_the_time_limit() {
    let folder = Folder::with("board", empty(120));
    let answer = in_time(&folder, "binox board --timeout 0.5");
    assert_eq!(answer.code, Some(3), "{answer}");
    assert_eq!(answer.stdout, "not decided: the time limit was reached\n", "{answer}");
    let json = in_time(&folder, "binox board --timeout 0.5 --format json");
    assert_eq!(json.code, Some(3), "{json}");
    assert_eq!(json.stdout, "{\"puzzle\":\"binox\",\"solutions\":\"undecided\"}\n");
}

#[test]
fn an_answer_is_printed_though_its_diagnosis_takes_too_long() {
    // Two equal rows: no solution. Whether there is one if rows may be equal is a long search.
    let row = format!("{}\n", "XOXXOO".repeat(20));
    let rest = format!("{}\n", ".".repeat(120)).repeat(118);
    let folder = Folder::with("board", format!("{row}{row}{rest}"));
    let started = Instant::now();
    let answer = folder.pbsolve("binox board --formulation lean --timeout 4");
    let elapsed = started.elapsed();
    assert!(elapsed < Duration::from_secs(4) + PATIENCE, "{elapsed:?}: {answer}");
    // The answer takes a second or two; a busy machine may need more.
    let undecided = (Some(3), "not decided: the time limit was reached\n");
    let expected = [(Some(1), "no solution\n"), undecided];
    assert!(expected.contains(&(answer.code, answer.stdout.as_str())), "{answer}");
}

#[test]
fn a_limit_that_is_not_reached_changes_nothing() {
    let folder = Folder::with("board", "XX..\n....\n..X.\n.O.O\n");
    let expected = folder.pbsolve("binox board");
    for seconds in ["60", "1e9", "1e18"] {
        let answer = folder.pbsolve(&format!("binox board --timeout {seconds}"));
        assert_eq!(answer.printed(0), expected.stdout, "--timeout {seconds}");
    }
}

/// Sends a signal to a program that is at work, and waits for its end.
fn interrupted(mut child: Child, signal: &str) -> Answer {
    thread::sleep(Duration::from_millis(700));
    assert_eq!(child.try_wait().unwrap(), None, "it is at work until the signal");
    let started = Instant::now();
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success(), "kill {signal}");
    let answer = Answer::of(child.wait_with_output().unwrap());
    let elapsed = started.elapsed();
    assert!(elapsed < PATIENCE, "{elapsed:?} after {signal}: {answer}");
    answer
}

#[test]
fn a_signal_ends_a_search_with_what_is_known() {
    let folder = Folder::with("model.opb", pigeon_holes());
    folder.write("board", empty(120));
    thread::scope(|scope| {
        for signal in ["-INT", "-TERM"] {
            for (arguments, printed, told, code) in [
                ("solve model.opb", "s UNKNOWN\n", "c interrupted\n", 0),
                ("solve model.opb --count", "at least 0 solutions\n", "c interrupted\n", 3),
                ("binox board", "not decided: interrupted\n", "", 3),
                ("binox board --count", "at least 0 solutions\n", "", 3),
            ] {
                let child = folder.command(arguments).spawn().unwrap();
                scope.spawn(move || {
                    let answer = interrupted(child, signal);
                    let expected = (Some(code), printed, told);
                    let found = (answer.code, answer.stdout.as_str(), answer.stderr.as_str());
                    assert_eq!(found, expected, "{arguments} {signal}");
                });
            }
        }
    });
}

#[test]
fn a_signal_leaves_no_half_written_file() {
    let folder = Folder::with("board", empty(300));
    for signal in ["-INT", "-TERM"] {
        let child = folder.command("encode binox board --output cnf").spawn().unwrap();
        let answer = interrupted(child, signal);
        assert_eq!((answer.code, answer.stdout.as_str()), (Some(3), ""), "{signal}: {answer}");
        let told = "pbsolve: the limit was reached before there was an answer\n";
        assert_eq!(answer.stderr, told, "{signal}");
        assert_eq!(folder.names(), ["board"], "{signal}");
    }
}

/// A puzzle that has the pigeons who may stay at home as its model.
#[derive(Debug)]
struct Pigeons {
    givens: Grid,
}

impl Puzzle for Pigeons {
    fn name(&self) -> &'static str {
        "pigeons"
    }

    fn givens(&self) -> &Grid {
        &self.givens
    }

    fn model(&self, _: Formulation) -> Model {
        pigeons_at_home()
    }

    fn decode(&self, decisions: &Assignment) -> Grid {
        Grid::from_cells(1, 1, vec![Some(u16::from(decisions.value(Var::new(0))))])
    }

    fn to_assignment(&self, _: &Grid) -> Assignment {
        unreachable!("nobody asks")
    }

    fn check(&self, _: &Grid) -> Result<(), RuleViolation> {
        Ok(())
    }

    fn symbol(&self, value: u16) -> String {
        value.to_string()
    }

    fn render(&self, grid: &Grid) -> String {
        format!("{:?}\n", grid.get(0, 0))
    }

    fn render_svg(&self, _: &Grid) -> String {
        unreachable!("nobody asks")
    }

    fn parse_solution(&self, _: &[u8]) -> Result<Grid, ParseError> {
        unreachable!("nobody asks")
    }
}

#[test]
fn a_board_found_in_time_is_answered_without_a_verdict_on_its_uniqueness() {
    let puzzle = Pigeons { givens: Grid::empty(1, 1) };
    let limits = Limits::timeout(Duration::from_secs(1));
    let strategy = Strategy { limits, ..Strategy::default() };
    let started = Instant::now();
    let search = PuzzleSearch::new(&puzzle, Formulation::Lean);
    let (answer, _) = search.solve(&strategy).unwrap();
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
    let PuzzleAnswer::Solved { board, uniqueness, .. } = answer else { panic!("{answer:?}") };
    assert_eq!(board.get(0, 0), Some(0), "all pigeons are at home");
    assert_eq!(uniqueness, Uniqueness::Undecided(pbsolve::Reason::Timeout));
}

/// A vertex cover that no search proves optimal in time.
fn vertex_cover() -> String {
    let mut random = 12345u32;
    let mut next = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        random >> 16
    };
    let mut opb = String::from("min:");
    for vertex in 1..=400 {
        write!(opb, " +{} x{vertex}", 1 + next() % 9).unwrap();
    }
    opb.push_str(" ;\n");
    for _ in 0..3000 {
        writeln!(opb, "+1 x{} +1 x{} >= 1 ;", 1 + next() % 400, 1 + next() % 400).unwrap();
    }
    opb
}

fn assert_best_so_far(answer: &Answer, what: &str) {
    assert_eq!(answer.code, Some(10), "{what}: {answer}");
    let lines: Vec<&str> = answer.stdout.lines().collect();
    assert!(lines[0].starts_with("o "), "{what}: {answer}");
    let verdict = lines.iter().position(|line| *line == "s SATISFIABLE");
    let rest = &lines[verdict.unwrap_or_else(|| panic!("{what}: {answer}")) + 1..];
    assert!(!rest.is_empty(), "{what}: {answer}");
    assert!(rest.iter().all(|line| line.starts_with("v ")), "{what}: {answer}");
}

#[test]
fn an_optimisation_that_is_stopped_prints_the_best_solution_so_far() {
    let folder = Folder::with("model.opb", vertex_cover());
    for signal in ["-INT", "-TERM"] {
        let answer = interrupted(folder.command("solve model.opb").spawn().unwrap(), signal);
        assert_best_so_far(&answer, signal);
    }
    let answer = in_time(&folder, "solve model.opb --timeout 1");
    assert_best_so_far(&answer, "--timeout");
}
