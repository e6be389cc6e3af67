//! The commands for models: solve, encode, export, decode, check, encodings, and what one of them
//! writes and another one reads.

mod command_line;

use command_line::{Answer, Folder};
use varisat::{CnfFormula, ExtendFormula, Lit, Solver};

const BOARD: &str = "XX..\n....\n..X.\n.O.O\n";
const SOLVED: &str = "XXOO\nOXOX\nOOXX\nXOXO\n";

/// At least one of three, and not the first two.
const MODEL: &str = "+1 x1 +1 x2 +1 x3 >= 1 ;\n+1 x1 +1 x2 <= 1 ;\n";

/// A SAT solver: DIMACS in, its output in the form of the competitions out.
fn sat_solver(dimacs: &str) -> String {
    let mut formula = CnfFormula::new();
    for line in dimacs.lines().filter(|line| !line.starts_with(['c', 'p'])) {
        let numbers = line.split_whitespace().map(|word| word.parse::<isize>().unwrap());
        let lits: Vec<Lit> = numbers.take_while(|&n| n != 0).map(Lit::from_dimacs).collect();
        formula.add_clause(&lits);
    }
    let mut solver = Solver::new();
    solver.add_formula(&formula);
    if !solver.solve().unwrap() {
        return "s UNSATISFIABLE\n".to_owned();
    }
    let model = solver.model().unwrap();
    let lits: Vec<String> = model.iter().map(|lit| lit.to_dimacs().to_string()).collect();
    format!("c a solver\ns SATISFIABLE\nv {}\nv 0\n", lits.join("\nv "))
}

/// The numbers of the line `p cnf VARIABLES CLAUSES`.
fn header(dimacs: &str) -> (usize, usize) {
    let line = dimacs.lines().find_map(|line| line.strip_prefix("p cnf ")).expect("a header");
    let (variables, clauses) = line.split_once(' ').expect("two numbers");
    (variables.parse().unwrap(), clauses.parse().unwrap())
}

#[test]
fn what_export_writes_is_solved_to_a_solution_that_check_accepts() {
    for (name, board) in [("binox", BOARD), ("sudoku", "1...\n..3.\n.1..\n...2\n")] {
        for formulation in ["document", "lean"] {
            let shown = format!("{name} {formulation}\n{board}");
            let folder = Folder::with("board", board);
            let export = format!("export {name} board --to opb --formulation {formulation}");
            let opb = folder.pbsolve(&export);
            let solved = folder.pbsolve_reading(opb.printed(0), "solve -");
            assert!(solved.printed(10).starts_with("s SATISFIABLE\nv "), "{shown}: {solved}");
            folder.write("solution", &solved.stdout);
            let checked = folder.pbsolve(&format!("check {name} board solution"));
            assert_eq!(checked.printed(0), "valid\n", "{shown}");
            folder.write("model.opb", &opb.stdout);
            let checked = folder.pbsolve("check model.opb solution");
            assert_eq!(checked.printed(0), "valid\n", "{shown}");
            if formulation == "document" {
                let counted = folder.pbsolve("solve model.opb --count");
                let expected = folder.pbsolve(&format!("{name} board --count"));
                assert_eq!(counted.printed(0), expected.printed(0), "{shown}");
            }
        }
    }
}

#[test]
fn export_writes_the_same_to_a_file() {
    let folder = Folder::with("board", BOARD);
    for format in ["opb", "listing"] {
        let printed = folder.pbsolve(&format!("export binox board --to {format}"));
        let arguments = format!("export binox board --to {format} --output model");
        assert_eq!(folder.pbsolve(&arguments).printed(0), "", "{format}");
        assert_eq!(folder.read("model"), printed.printed(0), "{format}");
    }
}

#[test]
fn a_listing_for_people() {
    let folder = Folder::with("model.opb", "* #variable= 3 #constraint= 2\n".to_owned() + MODEL);
    insta::assert_snapshot!(folder.pbsolve("export model.opb --to listing").printed(0), @r"
    # rows
    x1 + x2 + x3 >= 1   (row 1)
    x1 + x2 <= 1   (row 2)

    # domains
    x1, x2, x3 in {0, 1}
    ");
}

#[test]
fn what_encode_writes_is_solved_elsewhere_and_decoded() {
    let boards = [
        ("binox", BOARD, SOLVED),
        ("binox --no-unique", "XXOO\nXXOO\n....\n....\n", "XXOO\nXXOO\nOOXX\nOOXX\n"),
        ("sudoku", "1...\n..3.\n.1..\n...2\n", ""),
        ("binox", "XXOO\nXXOO\n....\n....\n", "no solution\n"),
    ];
    for (arguments, board, solved) in boards {
        for more in ["", "--formulation lean", "--card totalizer --amo product"] {
            let shown = format!("{arguments} {more}\n{board}");
            let folder = Folder::with("board", board);
            let cnf = folder.pbsolve(&format!("encode {arguments} board {more}"));
            folder.write("solver.out", sat_solver(cnf.printed(0)));
            let decoded = folder.pbsolve(&format!("decode {arguments} board solver.out"));
            if solved == "no solution\n" {
                assert_eq!((decoded.stdout.as_str(), decoded.code), (solved, Some(1)), "{shown}");
                assert!(decoded.stderr.contains("was not checked"), "{shown}: {decoded}");
                continue;
            }
            folder.write("solution", decoded.printed(0));
            let checked = folder.pbsolve(&format!("check {arguments} board solution"));
            assert_eq!(checked.printed(0), "valid\n", "{shown}");
            if !solved.is_empty() {
                assert_eq!(decoded.stdout, solved, "{shown}");
            }
        }
    }
}

#[test]
fn decode_takes_every_form_of_an_answer() {
    let folder = Folder::with("model.opb", MODEL);
    for text in [
        "s SATISFIABLE\nv 1 -2 3 0\n",
        "c x\ns SATISFIABLE\nv 1\nv -2\nv 3\nv 0\n",
        "v 1 -2\ns SATISFIABLE\nv 3 0\n",
        "s SATISFIABLE\r\nv 1 -2 3 0\r\n",
        "s SATISFIABLE\nv 3 -2 1 -7 9 0",
        "SAT\n1 -2 3 0\n",
        "c a\no 3\ns SATISFIABLE\nv  1   -2 3\nc b\nv 0\n",
    ] {
        folder.write("solver.out", text);
        let decoded = folder.pbsolve("decode model.opb solver.out");
        assert_eq!(decoded.printed(0), "s SATISFIABLE\nv x1 -x2 x3\n", "{text:?}");
    }
}

#[test]
fn decode_refuses_half_an_answer() {
    let folder = Folder::with("model.opb", MODEL);
    for (text, message) in [
        ("", "solver.out:1:1: a verdict is missing"),
        ("v 1 -2 3 0\n", "solver.out:1:11: a verdict is missing"),
        ("s SATISFIABLE\n", "solver.out:1:14: the 0 that ends the values is missing"),
        ("s SATISFIABLE\nv 1 -2 3\n", "solver.out:2:9: the 0 that ends the values is missing"),
        ("s SATISFIABLE\nv 1 -2 0\n", "error: solver.out: the solver's answer has no value for x3"),
        ("s SATISFIABLE\nv 0\n", "error: solver.out: the solver's answer has no value for x1"),
        ("s SATISFIABLE\nv 1 -2 3 0\nv 4 0\n", "solver.out:3:3: `4` after the 0"),
        ("s SATISFIABLE\nv 1 -2 3 -1 0\n", "solver.out:2:10: variable 1 has both values"),
        ("s SATISFIABLE\nv 1 -2 x3 0\n", "solver.out:2:8: a literal such as 3 or -3"),
        ("s SATISFIABLE\nv 1 -2 3 9999999999 0\n", "solver.out:2:10: `9999999999`: literals go"),
        ("s SATISFIABLE\ns SATISFIABLE\nv 1 -2 3 0\n", "solver.out:2:1: a second verdict"),
        ("s UNSATISFIABLE\nv 1 -2 3 0\n", "solver.out:2:3: values, though the verdict"),
        ("s SATISFACTORY\nv 1 -2 3 0\n", "solver.out:1:1: `s` is followed by"),
        ("Segmentation fault\n", "solver.out:1:1: a line of a SAT solver begins with"),
    ] {
        folder.write("solver.out", text);
        let refused = folder.pbsolve("decode model.opb solver.out");
        assert!(refused.refusal().starts_with(message), "{text:?}: {refused}");
    }
}

#[test]
fn decode_checks_the_answer() {
    let folder = Folder::with("model.opb", MODEL);
    folder.write("solver.out", "s SATISFIABLE\nv 1 2 3 0\n");
    let violated = "violated: row 2: the sum is 2, but must be at most 1\n";
    assert_eq!(folder.pbsolve("decode model.opb solver.out").printed(1), violated);
    folder.write("solver.out", "s UNKNOWN\n");
    assert_eq!(folder.pbsolve("decode model.opb solver.out").printed(3), "s UNKNOWN\n");
}

#[test]
fn check_names_the_row_its_sum_and_its_bound() {
    let folder = Folder::with("model.opb", MODEL);
    for (text, printed, code) in [
        ("v x1 -x2 x3\n", "valid\n", 0),
        ("s SATISFIABLE\nv x1\nv -x2 ~x3\n", "valid\n", 0),
        ("x1 0\nx2 = 1\nx3 1.0\n", "valid\n", 0),
        ("v -x1 -x2 -x3\n", "violated: row 1: the sum is 0, but must be at least 1\n", 1),
        ("v x1 x2 -x3\n", "violated: row 2: the sum is 2, but must be at most 1\n", 1),
    ] {
        folder.write("solution", text);
        assert_eq!(folder.pbsolve("check model.opb solution").printed(code), printed, "{text:?}");
    }
    let from_stdin = folder.pbsolve_reading("v x1 -x2 x3\n", "check model.opb -");
    assert_eq!(from_stdin.printed(0), "valid\n");
}

#[test]
fn check_names_the_row_and_the_rule_that_a_board_breaks() {
    let folder = Folder::with("board", "X...\n....\n....\n....\n");
    let mut told = Vec::new();
    for solution in [
        "OXXO\nXOOX\nOXOX\nXOXO\n",
        "XOXX\nOXXO\nXOOX\nOXXO\n",
        "XXXO\nOXOX\nOOXX\nXOXO\n",
        "XXOO\nXXOO\nOOXX\nOOXX\n",
    ] {
        folder.write("solution", solution);
        told.push(folder.pbsolve("check binox board solution").printed(1).to_owned());
    }
    insta::assert_snapshot!(told.join("\n"));

    folder.write("board", "XXOO\nXXOO\n....\n....\n");
    folder.write("solution", "XXOO\nXXOO\nOOXX\nOOXX\n");
    let differ = folder.pbsolve("check binox board solution");
    assert!(differ.printed(1).contains("rows_"), "{differ}");
    assert_eq!(folder.pbsolve("check binox board solution --no-unique").printed(0), "valid\n");
}

#[test]
fn a_solution_for_another_solution_of_the_board_is_refused_by_check() {
    let folder = Folder::with("board", "1...\n..3.\n.1..\n...2\n");
    let solved = folder.pbsolve("sudoku board -q");
    for (at, _) in solved.printed(0).char_indices().filter(|(_, c)| c.is_ascii_digit()) {
        for digit in "1234".chars() {
            let mut changed = solved.stdout.clone();
            changed.replace_range(at..=at, &digit.to_string());
            folder.write("solution", &changed);
            let checked = folder.pbsolve("check sudoku board solution");
            let is_valid = changed == solved.stdout;
            assert_eq!(checked.code, Some(i32::from(!is_valid)), "{changed}: {checked}");
        }
    }
}

#[test]
fn dimacs_of_a_small_board() {
    let folder = Folder::with("board", "XXOO\nOXOX\nOO..\n....\n");
    let encoded = folder.pbsolve("encode binox board --formulation lean");
    let version = env!("CARGO_PKG_VERSION");
    insta::assert_snapshot!(encoded.printed(0).replace(version, "VERSION"));
}

#[test]
fn dimacs_has_a_true_header_and_names_its_variables() {
    for (arguments, text, num_decisions) in [
        ("binox", BOARD, 16),
        ("binox --formulation lean", BOARD, 16),
        ("binox --card totalizer", "......\n......\n......\n......\n......\n......\n", 36),
        ("sudoku --amo ladder", "....\n....\n....\n....\n", 64),
        ("", MODEL, 3),
    ] {
        let shown = format!("{arguments}:\n{text}");
        let folder = Folder::with("input", text);
        let encoded = folder.pbsolve(&format!("encode {arguments} input"));
        let dimacs = encoded.printed(0);
        let (num_variables, num_clauses) = header(dimacs);
        let clauses = || dimacs.lines().filter(|line| !line.starts_with(['c', 'p']));
        assert_eq!(clauses().count(), num_clauses, "{shown}");
        let numbers = clauses().flat_map(|clause| clause.split(' '));
        let largest = numbers.map(|number| number.parse::<i32>().unwrap().unsigned_abs()).max();
        assert!(largest.unwrap() as usize <= num_variables, "{shown}");
        assert!(clauses().all(|clause| clause.ends_with(" 0")), "{shown}");

        let maps = dimacs.lines().filter_map(|line| line.strip_prefix("c map "));
        let mapped: Vec<usize> =
            maps.map(|map| map.rsplit_once(' ').unwrap().1.parse().unwrap()).collect();
        assert_eq!(mapped, (1..=num_decisions).collect::<Vec<_>>(), "{shown}");
        let shown_lines = dimacs.lines().filter_map(|line| line.strip_prefix("c p show "));
        let projected: Vec<&str> = shown_lines.flat_map(|line| line.split(' ')).collect();
        let expected: Vec<String> = (1..=num_decisions).chain([0]).map(|n| n.to_string()).collect();
        assert_eq!(projected, expected, "{shown}");
    }
}

#[test]
fn an_input_without_a_solution_is_encoded_as_one() {
    let folder = Folder::with("model.opb", "+1 x1 >= 2 ;\n");
    let encoded = folder.pbsolve("encode model.opb");
    assert_eq!(sat_solver(encoded.printed(0)), "s UNSATISFIABLE\n", "{encoded}");
}

#[test]
fn clauses_with_names() {
    let folder = Folder::with("board", "XO\n..\n");
    let names = folder.pbsolve("encode binox board --format names --formulation lean");
    insta::assert_snapshot!(names.printed(0));
}

#[test]
fn sizes_of_the_clauses() {
    let folder = Folder::with("board", "......\n......\n......\n......\n......\n......\n");
    insta::assert_snapshot!(folder.pbsolve("encode binox board --stats").printed(0));
}

#[test]
fn the_sizes_are_those_of_the_clauses_that_are_written() {
    let folder = Folder::with("board", "......\n......\n......\n......\n......\n......\n");
    for more in ["", "--formulation lean", "--card totalizer", "--card sequential-counter"] {
        let stats = folder.pbsolve(&format!("encode binox board --stats {more}"));
        let last = stats.printed(0).lines().last().unwrap();
        let figures: Vec<usize> =
            last.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let dimacs = folder.pbsolve(&format!("encode binox board {more}"));
        assert_eq!((figures[1], figures[2]), header(dimacs.printed(0)), "{more}: {stats}");
    }
}

#[test]
fn two_encoders_side_by_side() {
    let folder = Folder::with("board", "......\n......\n......\n......\n......\n......\n");
    let diff = folder.pbsolve("encode binox board --diff totalizer,sequential-counter");
    insta::assert_snapshot!(diff.printed(0));

    folder.write("model.opb", "+1 x1 +1 x2 >= 1 ;\n");
    let same = folder.pbsolve("encode model.opb --diff totalizer,sequential-counter");
    assert_eq!(same.code, Some(0), "{same}");
    assert_eq!(same.stderr, "note: no row of this input is encoded by either\n");
}

#[test]
fn the_table_of_encoders() {
    insta::assert_snapshot!(Folder::new().pbsolve("encodings").printed(0));
}

#[test]
fn the_sizes_of_all_encoders() {
    insta::assert_snapshot!(Folder::new().pbsolve("encodings --n 100 --k 10").printed(0));
}

#[test]
fn solve_prints_lines_of_the_competitions() {
    let folder = Folder::new();
    for (opb, arguments, printed, code) in [
        ("+1 x1 >= 1 ;\n+1 x2 <= 0 ;\n", "", "s SATISFIABLE\nv x1 -x2\n", 10),
        ("+1 x1 >= 1 ;\n+1 x1 <= 0 ;\n", "", "s UNSATISFIABLE\n", 20),
        ("+1 x1 >= 1 ;\n+1 x1 <= 0 ;\n", "--all", "s UNSATISFIABLE\n", 20),
        ("+1 x1 >= 1 ;\n+1 x1 <= 0 ;\n", "--count", "0 solutions\n", 0),
        ("+1 x1 +1 x2 >= 1 ;\n", "--count", "3 solutions\n", 0),
        ("+1 x1 +1 x2 >= 1 ;\n", "--count=3", "at least 3 solutions\n", 3),
        ("+1 x1 +1 x2 >= 1 ;\n", "--count=2", "at least 2 solutions\n", 3),
        ("* #variable= 3 #constraint= 1\n+1 x1 +1 x2 >= 1 ;\n", "--count", "6 solutions\n", 0),
        ("* #variable= 0 #constraint= 0\n", "--count", "1 solution\n", 0),
    ] {
        folder.write("model.opb", opb);
        let answer = folder.pbsolve(&format!("solve model.opb {arguments}"));
        assert_eq!((answer.stdout.as_str(), answer.code), (printed, Some(code)), "{opb}: {answer}");
    }
}

#[test]
fn solve_prints_all_solutions() {
    let folder = Folder::with("model.opb", MODEL);
    let answer = folder.pbsolve("solve model.opb --all");
    assert_eq!((answer.code, answer.stderr.as_str()), (Some(10), "c 5 solutions\n"), "{answer}");
    let mut lines: Vec<&str> = answer.stdout.lines().collect();
    assert_eq!(lines.pop(), Some("s SATISFIABLE"));
    for line in &lines {
        folder.write("solution", format!("{line}\n"));
        assert_eq!(folder.pbsolve("check model.opb solution").printed(0), "valid\n", "{line}");
    }
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), 5, "{answer}");
}

#[test]
fn values_are_printed_on_lines_of_bearable_length() {
    let rows: Vec<String> = (1..=300).map(|i| format!("+1 x{i} >= {} ;\n", i % 2)).collect();
    let folder = Folder::with("model.opb", rows.concat());
    let answer = folder.pbsolve("solve model.opb");
    let lines: Vec<&str> = answer.printed(10).lines().skip(1).collect();
    assert!(lines.iter().all(|line| line.len() <= 80 && line.starts_with("v ")), "{answer}");
    let words = lines.iter().flat_map(|line| line[2..].split(' '));
    let names: Vec<&str> = words.map(|word| word.trim_start_matches('-')).collect();
    assert_eq!(names, (1..=300).map(|i| format!("x{i}")).collect::<Vec<_>>());
}

#[test]
fn what_is_beyond_this_version_is_unsupported() {
    let wide = "+1 x1 >= 170141183460469231731687303715884105728 ;\n";
    let folder = Folder::new();
    for opb in ["+1 x1 x2 +1 x3 >= 1 ;\n", wide] {
        folder.write("model.opb", opb);
        let answer = folder.pbsolve("solve model.opb");
        assert_eq!(answer.stdout, "s UNSUPPORTED\n", "{opb}: {answer}");
        assert_eq!(answer.code, Some(0), "{opb}: {answer}");
        assert!(!answer.stderr.is_empty(), "{opb}: {answer}");
    }
    for opb in ["+1 x1 x2 +1 x3 >= 1 ;\n", wide] {
        folder.write("model.opb", opb);
        for arguments in ["encode model.opb", "export model.opb --to opb"] {
            let refused = folder.pbsolve(arguments);
            assert!(refused.refusal().contains("(not supported)"), "{arguments} {opb}: {refused}");
        }
    }
}

#[test]
fn an_objective_is_optimised_with_a_line_for_each_better_value() {
    let opb = "min: +2 x1 +3 x2 -1 x3 ;\n+1 x1 +1 x2 >= 1 ;\n-1 x1 -1 x3 >= -1 ;\n";
    let folder = Folder::with("model.opb", opb);
    for search in ["alternate", "improve", "cores"] {
        let answer = folder.pbsolve(&format!("solve model.opb --optimization {search}"));
        let printed = answer.printed(30);
        let lines: Vec<&str> = printed.lines().collect();
        let (values, rest) = lines.split_at(lines.len() - 2);
        assert_eq!(values.last(), Some(&"o 2"), "{search}: {printed}");
        assert!(values.iter().all(|line| line.starts_with("o ")), "{search}: {printed}");
        assert_eq!(rest[0], "s OPTIMUM FOUND", "{search}: {printed}");
    }
}

#[test]
fn an_objective_that_is_constant_is_no_hindrance() {
    let folder = Folder::with("model.opb", "min: ;\n+1 x1 >= 1 ;\n");
    assert_eq!(folder.pbsolve("solve model.opb").printed(10), "s SATISFIABLE\nv x1\n");
}

#[test]
fn statistics_do_not_disturb_the_answer() {
    let folder = Folder::with("model.opb", MODEL);
    let answer: Answer = folder.pbsolve("solve model.opb --stats");
    assert_eq!(answer.stdout, folder.pbsolve("solve model.opb").stdout);
    assert!(answer.stderr.lines().all(|line| line.starts_with("c ")), "{answer}");
}

#[test]
fn the_word_of_another_solver_is_told_as_such() {
    let folder = Folder::with("model.opb", "+1 x1 >= 1 ;\n-1 x1 >= 0 ;\n");
    folder.write("solver", "#!/bin/sh\necho s UNSATISFIABLE\nexit 20\n");
    let told = "c what is said of all assignments is the word of `sh solver`, not checked\n";
    let mut command = folder.command("solve model.opb --solver");
    let answer = Answer::of(command.arg("sh solver").output().unwrap());
    let found = (answer.code, answer.stdout.as_str(), answer.stderr.as_str());
    assert_eq!(found, (Some(20), "s UNSATISFIABLE\n", told), "{answer}");
    // A solution is checked, so that nothing is to be said.
    folder.write("model.opb", "+1 x1 +1 x2 >= 1 ;\n");
    folder.write("solver", "#!/bin/sh\necho s SATISFIABLE\necho v 1 2 0\nexit 10\n");
    let mut command = folder.command("solve model.opb --solver");
    let answer = Answer::of(command.arg("sh solver").output().unwrap());
    let found = (answer.code, answer.stdout.as_str(), answer.stderr.as_str());
    assert_eq!(found, (Some(10), "s SATISFIABLE\nv x1 x2\n", ""), "{answer}");
}

/// Three jobs of two lengths each, of which one is chosen, on a machine.
const GROUPS: &str = "\
+1 x1 +1 x2 = 1 ;
+1 x3 +1 x4 = 1 ;
+1 x5 +1 x6 +1 x7 <= 1 ;
+7 x1 +3 x2 +5 x3 +2 x4 +6 x5 +4 x6 +1 x7 <= 13 ;
";

#[test]
fn groups_of_a_weighted_row_can_be_left_out() {
    let folder = Folder::with("model.opb", GROUPS);
    let grouped = folder.pbsolve("encode model.opb --stats");
    assert!(grouped.printed(0).contains("pseudo-Boolean AMO"), "{grouped}");
    let plain = folder.pbsolve("encode model.opb --stats --no-groups");
    assert!(!plain.printed(0).contains("pseudo-Boolean AMO"), "{plain}");
    let counts = ["", " --no-groups"].map(|option| {
        let counted = folder.pbsolve(&format!("solve model.opb --count{option}"));
        counted.printed(0).to_owned()
    });
    // 7 or 3, and 5 or 2, and 6, 4, 1 or nothing: of these 16 sums 4 are above 13.
    assert_eq!(counts[0], counts[1]);
    assert_eq!(counts[0], "12 solutions\n");
}
