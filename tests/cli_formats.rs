//! The program on files of every format: the same answers, solutions in every form, and refusals
//! that a new user understands.

mod command_line;

use command_line::Folder;
use flate2::Compression as Level;
use flate2::write::GzEncoder;
use std::io::Write;

/// The optimum is 13, with c and n = 4.
const LP: &str = "\
Maximize
 value: 6 a + 5 c + 4 d + 2 n
Subject To
 weight: 5 a + 4 c + 3 d + n <= 8
Bounds
 -1 <= n <= 4
Binary
 a c d
General
 n
End
";

const MPS: &str = "\
NAME knapsack
OBJSENSE
    MAX
ROWS
 N value
 L weight
COLUMNS
 MARKER 'MARKER' 'INTORG'
 a value 6 weight 5
 c value 5 weight 4
 d value 4 weight 3
 n value 2 weight 1
 MARKER 'MARKER' 'INTEND'
RHS
 RHS weight 8
BOUNDS
 BV BND a
 BV BND c
 BV BND d
 LO BND n -1
 UP BND n 4
ENDATA
";

const JSON: &str = r#"{"version": 1,
 "variables": ["a", "c", "d", {"name": "n", "lower": -1, "upper": 4}],
 "objective": {"sense": "max", "terms": [[6, "a"], [5, "c"], [4, "d"], [2, "n"]]},
 "constraints": [{"terms": [[5, "a"], [4, "c"], [3, "d"], [1, "n"]], "op": "<=", "rhs": 8}]}
"#;

/// The integer by its digits: n = y1 + 2 y2 + 4 y3 - 1.
const OPB: &str = "\
max: 6 x1 5 x2 4 x3 2 x4 4 x5 8 x6 -2 ;
5 x1 4 x2 3 x3 1 x4 2 x5 4 x6 <= 9 ;
1 x4 2 x5 4 x6 <= 5 ;
";

const SOLUTION: &str = "# objective 13\na 0\nc 1\nd 0\nn 4\n";

/// What HiGHS 1.16 writes for [`LP`], without its dual values and basis.
const HIGHS: &str = "\
Model status
Optimal

# Primal solution values
Feasible
Objective 13
Objective_bound 13
MIP_rel_gap 0
# Columns 4
a 0
c 1
d -0
n 4
# Rows 1
weight 8
";

/// The sparse form of HiGHS.
const HIGHS_SPARSE: &str = "\
Model status
Optimal

# Primal solution values
Feasible
Objective 13
# Columns -2 sparse
c 1 1
n 4 3
";

/// What CBC 2.10 writes for [`LP`]; like many a file of it, without the zeros.
const CBC: &str = "\
Optimal - objective value 13.00000000
      1 c                      1                       5
      3 n                      4                       2
";

/// The same when it is asked for all columns, and rows.
const CBC_ALL: &str = "\
Optimal - objective value 13.00000000
      0 weight                 8                      -0
      0 a                      0                       6
      1 c             0.99999998                       5
      2 d                  1e-11                       4
      3 n                      4                       2
";

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Level::default());
    encoder.write_all(text.as_bytes()).expect("a vector takes everything");
    encoder.finish().expect("a vector takes everything")
}

/// A small model by `xz`: its optimum is 10.
const XZ: &[u8] = include_bytes!("models/three.opb.xz");

/// The last `o` line and the lines after it.
#[track_caller]
fn end_of(stdout: &str) -> &str {
    let at = stdout.rfind("o ").expect("an `o` line");
    &stdout[at..]
}

#[test]
fn all_formats_have_the_same_optimum() {
    let folder = Folder::new();
    for (name, text) in [("k.lp", LP), ("k.mps", MPS), ("k.json", JSON)] {
        folder.write(name, text);
        folder.write(&format!("{name}.gz"), gzip(text));
        for name in [name.to_owned(), format!("{name}.gz")] {
            let solved = folder.pbsolve(&format!("solve {name} --solution {name}.sol"));
            let expected = "o 13\ns OPTIMUM FOUND\nv -a c -d n@0 -n@1 n@2\n";
            assert_eq!(end_of(solved.printed(30)), expected, "{name}");
            assert_eq!(folder.read(&format!("{name}.sol")), SOLUTION, "{name}");
        }
        folder.write("unnamed", gzip(text));
        let format = name.split_once('.').expect("a name with an extension").1;
        let solved = folder.pbsolve(&format!("solve unnamed --from {format}"));
        assert_eq!(end_of(solved.printed(30)).lines().next(), Some("o 13"), "{name}");
    }
    folder.write("k.opb", OPB);
    folder.write("k.opb.gz", gzip(OPB));
    for name in ["k.opb", "k.opb.gz"] {
        let solved = folder.pbsolve(&format!("solve {name}"));
        let expected = "o 13\ns OPTIMUM FOUND\nv -x1 x2 -x3 x4 -x5 x6\n";
        assert_eq!(end_of(solved.printed(30)), expected, "{name}");
    }
    folder.write("k.opb.xz", XZ);
    let solved = folder.pbsolve("solve k.opb.xz");
    assert_eq!(end_of(solved.printed(30)), "o 10\ns OPTIMUM FOUND\nv x1 -x2 x3\n");
}

#[test]
fn standard_input_is_opb_unless_said_otherwise() {
    let folder = Folder::new();
    let solved = folder.pbsolve_reading(XZ, "solve -");
    assert_eq!(end_of(solved.printed(30)).lines().next(), Some("o 10"));
    for (text, format) in [(LP, "lp"), (MPS, "mps"), (JSON, "json"), (OPB, "opb")] {
        for text in [text.as_bytes().to_vec(), gzip(text)] {
            let solved = folder.pbsolve_reading(text, &format!("solve - --from {format}"));
            assert_eq!(end_of(solved.printed(30)).lines().next(), Some("o 13"), "{format}");
        }
    }
}

#[test]
fn every_command_takes_the_format() {
    let folder = Folder::with("model", LP);
    folder.write("solution", SOLUTION);
    let checked = folder.pbsolve("check model solution --from lp");
    assert_eq!(checked.printed(0), "valid\n");
    let encoded = folder.pbsolve("encode model --from lp");
    assert!(encoded.printed(0).contains("c map n@2 6\n"), "{encoded}");
    folder.write("cbc", CBC);
    let decoded = folder.pbsolve("decode model cbc --from lp");
    assert_eq!(decoded.printed(0), "s SATISFIABLE\nv -a c -d n@0 -n@1 n@2\n");
    let refused = folder.pbsolve("check --puzzle binox model solution --from lp");
    assert_eq!(
        refused.refusal(),
        "error: --from is the format of a model, and the input is a board\n"
    );
}

#[test]
fn what_is_exported_is_read_again() {
    let folder = Folder::with("k.lp", LP);
    for format in ["opb", "lp", "mps", "json"] {
        let arguments = format!("export k.lp --to {format} --output back.{format}");
        assert_eq!(folder.pbsolve(&arguments).printed(0), "", "{format}");
        let counted = folder.pbsolve(&format!("solve back.{format} --count"));
        assert_eq!(counted.printed(0), folder.pbsolve("solve k.lp --count").printed(0), "{format}");
    }
    let back = folder.pbsolve("export back.json --to lp");
    assert_eq!(back.printed(0), folder.read("back.lp"));
    let back = folder.pbsolve("export back.mps --to json");
    let expected = folder.pbsolve("export k.lp --to json");
    assert_eq!(back.printed(0), expected.printed(0));
}

#[test]
fn a_board_by_way_of_another_solver() {
    let folder = Folder::with("board", "XX..\n....\n..X.\n.O.O\n");
    for formulation in ["document", "lean"] {
        let export = format!("export binox board --to lp --formulation {formulation}");
        folder.write("board.lp", folder.pbsolve(&export).printed(0));
        by_way_of_another_solver(&folder, formulation);
    }
}

/// Writes the solution of `board.lp` as other solvers do, and has it decoded for `board`.
#[track_caller]
fn by_way_of_another_solver(folder: &Folder, formulation: &str) {
    let solved = folder.pbsolve("solve board.lp --solution values");
    assert_eq!(solved.code, Some(10), "{solved}");
    let values = folder.read("values");
    let num_columns = values.lines().count();
    let start = "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 0\n";
    folder.write("highs", format!("{start}# Columns {num_columns}\n{values}# Rows 0\n"));
    let columns = values.lines().enumerate().filter(|(_, line)| line.ends_with(" 1"));
    let columns: Vec<String> = columns.map(|(i, line)| format!(" {i} {line} 0\n")).collect();
    let columns = columns.concat();
    folder.write("cbc", format!("Optimal - objective value 0.00000000\n{columns}"));
    for name in ["highs", "cbc"] {
        let decoded = folder.pbsolve(&format!("decode binox board {name}"));
        assert_eq!(decoded.printed(0), "XXOO\nOXOX\nOOXX\nXOXO\n", "{name}, {formulation}");
        let checked = folder.pbsolve(&format!("check binox board {name}"));
        assert_eq!(checked.printed(0), "valid\n", "{name}, {formulation}");
    }
}

#[test]
fn solutions_of_integer_programming_solvers_are_checked_and_decoded() {
    let folder = Folder::with("k.lp", LP);
    for text in [HIGHS, HIGHS_SPARSE, CBC, CBC_ALL] {
        folder.write("solution", text);
        assert_eq!(folder.pbsolve("check k.lp solution").printed(0), "valid\n", "{text}");
        let decoded = folder.pbsolve("decode k.lp solution");
        assert_eq!(decoded.printed(0), "s SATISFIABLE\nv -a c -d n@0 -n@1 n@2\n", "{text}");
    }
    folder.write("solution", HIGHS.replace("a 0", "a 1"));
    for command in ["check", "decode"] {
        let answer = folder.pbsolve(&format!("{command} k.lp solution"));
        let expected = "violated: row 2 (weight): the sum is 14, but must be at most 9\n";
        assert_eq!(answer.printed(1), expected, "{command}");
    }
}

#[test]
fn verdicts_without_a_solution_are_passed_on() {
    let folder = Folder::with("k.lp", LP);
    for (text, printed, code) in [
        ("Model status\nInfeasible\n\n# Primal solution values\nNone\n", "s UNSATISFIABLE\n", 1),
        ("Infeasible - objective value 6.00000000\n 0 a 1 6\n", "s UNSATISFIABLE\n", 1),
        ("Integer infeasible - objective value 6.0\n", "s UNSATISFIABLE\n", 1),
        ("Model status\nTime limit reached\n\n# Primal solution values\nNone\n", "s UNKNOWN\n", 3),
        (
            "Stopped on time (no integer solution - continuous used) - objective value 13.25\n",
            "s UNKNOWN\n",
            3,
        ),
    ] {
        folder.write("solution", text);
        let decoded = folder.pbsolve("decode k.lp solution");
        assert_eq!((decoded.stdout.as_str(), decoded.code), (printed, Some(code)), "{text}");
        let checked = folder.pbsolve("check k.lp solution");
        let refusal = checked.refusal();
        assert!(refusal.contains("by this verdict the text holds no solution"), "{text}{refusal}");
    }
}

#[test]
fn solution_files_that_are_not_whole_or_not_integral_are_refused() {
    let folder = Folder::with("k.lp", LP);
    for (text, message) in [
        (HIGHS.replace("c 1", "c 0.999"), "11:3: a value is 0 or 1, found `0.999`"),
        (HIGHS.replace("n 4", "n 5"), "13:3: a value of n is an integer from -1 to 4, found `5`"),
        (HIGHS.replace("n 4", "n 3.5"), "13:3: a value of n is an integer from -1 to 4"),
        (HIGHS.replace("n 4", "n nan"), "13:3: a value of n is an integer from -1 to 4"),
        (HIGHS.replace("n 4", "m 1"), "13:1: `m` is no variable of the model"),
        (HIGHS.replace("n 4", "c 1"), "13:1: `c` has a second value"),
        (HIGHS.replace("n 4\n", ""), "13:1: a column is a name and a value"),
        (HIGHS.replace("Columns 4", "Columns 3"), "15:9: no value is given for n"),
        (
            HIGHS[..HIGHS.find("d -0").unwrap()].to_owned(),
            "11:4: the text ends here, where a column",
        ),
        ("Model status\n".to_owned(), "1:13: the text ends here, where the status is expected"),
        (CBC.replace(" 4 ", " 0.5 "), "3:32: a value of n is an integer"),
        (
            CBC.replace(" 4 ", " 1.2345679e+08 "),
            "3:32: CBC has rounded `1.2345679e+08` to 8 digits",
        ),
        (CBC.replace("1 c", "c"), "2:7: a column is an index, a name, a value and a reduced cost"),
    ] {
        folder.write("solution", &text);
        for command in ["check", "decode"] {
            let refused = folder.pbsolve(&format!("{command} k.lp solution"));
            let expected = format!("solution:{message}");
            assert!(refused.refusal().starts_with(&expected), "{text}\n{refused}\n{expected}");
        }
    }
}

#[test]
fn left_out_zeros_have_to_be_in_range() {
    let folder = Folder::with("k.lp", LP.replace("-1 <= n", "2 <= n"));
    folder.write("solution", "Optimal - objective value 5.00000000\n 1 c 1 5\n");
    insta::assert_snapshot!(folder.pbsolve("check k.lp solution").refusal(), @"
    solution:1:1: n is left out, but 0 is not from 2 to 4
      | Optimal - objective value 5.00000000
      | ^
    ");
}

#[test]
fn integers_are_given_by_value() {
    let folder = Folder::with("k.lp", LP);
    for text in
        ["a 0\nc 1\nd 0\nn 4\n", "s SATISFIABLE\nn = 4.00\na=0\nc=1\nd 0\n", "a 1\nc 0\nd 0\nn -1"]
    {
        folder.write("solution", text);
        assert_eq!(folder.pbsolve("check k.lp solution").printed(0), "valid\n", "{text}");
    }
    for (text, message) in [
        ("a 0\nc 1\nd 0\nn 9\n", "4:3: a value of n is an integer from -1 to 4, found `9`"),
        ("a 0\nc 1\nd 0\nn 0.5\n", "4:3: a value of n is an integer from -1 to 4, found `0.5`"),
        ("a 0\nd 0.99999999\nc 0\nn 1\n", "2:3: a value is 0 or 1, found `0.99999999`"),
        ("a 0\nc 1\nd 0\nn 1\nn@0 1\n", "5:1: `n@0` has both values"),
        ("a 0\nc 1\n", "2:4: no value is given for d, n"),
        ("v -a c n\n", "1:8: `n` is an integer: write its value"),
    ] {
        folder.write("solution", text);
        let refused = folder.pbsolve("check k.lp solution");
        assert!(refused.refusal().starts_with(&format!("solution:{message}")), "{text}\n{refused}");
    }
    // The third variable is not called x3 where an integer is called so.
    folder.write("x.lp", LP.replace(" n", " x3"));
    folder.write("solution", "a 0\nc 1\nd 0\nx3 4\n");
    assert_eq!(folder.pbsolve("check x.lp solution").printed(0), "valid\n");
}

#[test]
fn names_with_blanks_are_written_and_read() {
    let folder = Folder::with(
        "k.json",
        r#"{"version": 1, "variables": ["a b", "c=1", "v", {"name": "n", "lower": 5, "upper": 5}],
            "objective": {"sense": "min", "terms": [[1, "v"], [3, "a b"]], "divisor": 2},
            "constraints": [{"terms": [[1, "a b"], [1, "c=1"]], "lower": 2, "upper": 2}]}"#,
    );
    let solved = folder.pbsolve("solve k.json --solution solution");
    assert_eq!(solved.code, Some(30), "{solved}");
    assert_eq!(folder.read("solution"), "# objective 1.5\na b 1\nc=1 1\nv 0\nn 5\n");
    assert_eq!(folder.pbsolve("check k.json solution").printed(0), "valid\n");
}

#[test]
fn a_solution_file_is_written_only_for_a_solution() {
    let folder = Folder::with("none.opb", "1 x1 >= 2 ;\n");
    let solved = folder.pbsolve("solve none.opb --solution solution");
    assert_eq!(solved.printed(20), "s UNSATISFIABLE\n");
    assert_eq!(folder.names(), ["none.opb"]);
    folder.write("some.opb", "1 x1 -1 x2 >= 1 ;\n");
    let solved = folder.pbsolve("solve some.opb --solution solution");
    assert_eq!(solved.printed(10), "s SATISFIABLE\nv x1 -x2\n");
    assert_eq!(folder.read("solution"), "x1 1\nx2 0\n");
    let refused = folder.pbsolve("solve some.opb --solution nowhere/solution");
    assert_eq!(refused.code, Some(2), "{refused}");
    assert!(refused.stderr.starts_with("error: nowhere/solution: "), "{refused}");
    let refused = folder.pbsolve("solve some.opb --all --solution solution");
    assert!(refused.refusal().contains("cannot be used with"), "{refused}");
}

#[test]
fn continuous_and_unbounded_variables_are_refused_by_name() {
    let folder = Folder::with(
        "continuous.lp",
        "Maximize\n a + b\nSubject To\n a + b <= 1.5\nBinary\n a\nEnd\n",
    );
    let refused = folder.pbsolve("solve continuous.lp");
    assert_eq!((refused.stdout.as_str(), refused.code), ("s UNSUPPORTED\n", Some(0)));
    insta::assert_snapshot!(refused.stderr, @"
    continuous.lp:2:6: `b` is continuous, but only 0-1 and bounded integer variables are supported: declare it under `Binary` or `General` (not supported)
      |  a + b
      |      ^
    ");
    folder.write(
        "unbounded.lp",
        "Maximize\n a + n\nSubject To\n a + n <= 4\nBinary\n a\nGeneral\n n\nEnd\n",
    );
    let refused = folder.pbsolve("solve unbounded.lp");
    assert_eq!((refused.stdout.as_str(), refused.code), ("s UNSUPPORTED\n", Some(0)));
    insta::assert_snapshot!(refused.stderr, @"
    unbounded.lp:2:6: `n` has no finite upper bound: give both its bounds under `Bounds`, such as `-5 <= x <= 5` (not supported)
      |  a + n
      |      ^
    ");
    folder.write(
        "continuous.mps",
        "ROWS\n N cost\n L row\nCOLUMNS\n x cost 1 row 1\nRHS\n RHS row 4\nENDATA\n",
    );
    let refused = folder.pbsolve("solve continuous.mps");
    assert_eq!((refused.stdout.as_str(), refused.code), ("s UNSUPPORTED\n", Some(0)));
    insta::assert_snapshot!(refused.stderr, @"
    continuous.mps:5:2: `x` is continuous, but only 0-1 and bounded integer variables are supported: put it between INTORG and INTEND markers, or give it a bound of the kind BV or UI (not supported)
      |  x cost 1 row 1
      |  ^
    ");
}

#[test]
fn an_unknown_extension_is_refused_with_those_that_are_known() {
    let folder = Folder::with("model.txt", OPB);
    insta::assert_snapshot!(folder.pbsolve("solve model.txt").refusal(), @"error: model.txt: .txt is not a model file; models are .opb, .pb, .pbo, .lp, .mps, .json files, also with .gz or .xz; for other names give --from FORMAT, for a board --puzzle NAME");
    folder.write("model.txt.gz", gzip(OPB));
    let refused = folder.pbsolve("solve model.txt.gz");
    assert!(refused.refusal().contains(".txt is not a model file"), "{refused}");
    assert_eq!(folder.pbsolve("solve model.txt.gz --from opb").code, Some(30));
    let refused = folder.pbsolve("solve model.txt --from dimacs");
    assert!(refused.refusal().contains("[possible values: opb, lp, mps, json]"), "{refused}");
}

#[test]
fn compressed_files_that_are_not_whole_are_refused() {
    let folder = Folder::new();
    let stream = gzip(OPB);
    let refused = |name: &str, bytes: &[u8]| {
        folder.write(name, bytes);
        folder.pbsolve(&format!("solve {name}")).refusal().to_owned()
    };
    insta::assert_snapshot!(refused("cut.opb.gz", &stream[..stream.len() - 10]), @"error: cut.opb.gz: the gzip stream is cut short: it ends after 96 bytes of its text");
    insta::assert_snapshot!(refused("cut.opb.xz", &XZ[..100]), @"error: cut.opb.xz: the xz stream is cut short: it ends after 74 bytes of its text");
    insta::assert_snapshot!(refused("empty.opb.gz", b""), @"error: empty.opb.gz: no gzip stream, though the name ends in .gz");
    insta::assert_snapshot!(refused("plain.opb.xz", OPB.as_bytes()), @"error: plain.opb.xz: no xz stream, though the name ends in .xz");
    insta::assert_snapshot!(refused("more.opb.gz", &[stream.as_slice(), b"more"].concat()), @"error: more.opb.gz: 4 bytes that are no gzip stream follow the compressed text");
    let cut = &stream[..stream.len() - 10];
    let refused = folder.pbsolve_reading(cut, "solve -");
    assert!(refused.refusal().starts_with("error: standard input: the gzip stream is cut short"));
}

#[test]
fn floating_point_numbers_in_json_are_refused() {
    let folder = Folder::with("model.json", JSON.replace("\"rhs\": 8", "\"rhs\": 8.0"));
    insta::assert_snapshot!(folder.pbsolve("solve model.json").refusal(), @r#"
    model.json:4:89: `8.0` has a point or an exponent, but numbers are integers
      | ..., "d"], [1, "n"]], "op": "<=", "rhs": 8.0}]}
      |                                          ^
    "#);
}
