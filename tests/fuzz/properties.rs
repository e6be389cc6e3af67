//! What holds of every text that a reader is given, beyond that nothing panics: a refusal has its
//! place in the text; a model comes back from each of its written forms with the same solutions;
//! what was read of a solution or a board is read again from what is written of it; a board obeys
//! the rules exactly when it satisfies the model. A text with a part that is repeated to a
//! megabyte now and then makes the time limit of the fuzzer find what takes quadratic time.

use flate2::write::GzEncoder;
use pbsolve::formats::compressed::{CompressedError, Compression};
use pbsolve::formats::model_format::{self, ModelFormat};
use pbsolve::formats::{
    ClausalFormat, ClausalProof, ClausalStep, IlpAnswer, ReadError, SolverOutput, WriteError,
    decision_values, read_ilp_solution, read_solution, read_solver_output, write_solution,
};
use pbsolve::{Assignment, Lit, Model, Objective, Sense};
use pbsolve_model::{Linear, ParseError, Var};
use pbsolve_puzzles::{Formulation, Grid, ParseOptions, Puzzle};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::sync::OnceLock;

/// Reads a text in a format, and the model from each of its written forms.
pub fn model(format: &str, text: &[u8]) {
    let format = model_format::find(format).expect("a format of the table");
    if let Some(long) = repeated(text) {
        drop((format.read)(&long));
    }
    let model = match (format.read)(text) {
        Ok(model) => model,
        Err(ReadError::Parse(error) | ReadError::Unsupported(error)) => {
            return has_place(text, &error);
        }
        Err(other) => panic!("{other}"),
    };
    // A short text may declare millions of variables.
    if model.num_decisions() <= 1000 {
        model_format::ALL.iter().for_each(|format| comes_back(&model, format));
    }
}

/// Fails unless the model comes back from its written form, if it has one.
fn comes_back(model: &Model, format: &ModelFormat) {
    let name = format.name;
    let Some(text) = written(model, format) else { return };
    let shown = String::from_utf8_lossy(&text);
    let back = (format.read)(&text).unwrap_or_else(|error| panic!("{name}: {error} in\n{shown}"));
    let again = written(&back, format).unwrap_or_else(|| panic!("{name} once more:\n{shown}"));
    let again = String::from_utf8_lossy(&again);
    assert_eq!(statements(&again), statements(&shown), "{name}");
    if let (Some(values), Some(values_back)) = (values(model), values(&back)) {
        assert_eq!(values_back, values, "{name}: values of the solutions, read from\n{shown}");
    }
}

/// `None` where the format lacks what the model has: names that it cannot tell apart, numbers that
/// leave 128 bits.
fn written(model: &Model, format: &ModelFormat) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    match (format.write)(model, &mut text) {
        Ok(()) => Some(text),
        Err(WriteError::NumberTooWide(_) | WriteError::Name(_)) => None,
        Err(other) => panic!("{other}"),
    }
}

/// The lines that are no comments.
fn statements(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with(['\\', '*'])).collect()
}

/// What a small model means, whatever its variables are called: the objective's values of all
/// solutions, smaller is better, from the best one on in steps of 1, since formats differ in
/// whether they know constants and divisors.
fn values(model: &Model) -> Option<Vec<i128>> {
    let num_terms: usize =
        (0..model.num_explicit_rows()).map(|i| model.explicit_row(i).len()).sum();
    let n = model.num_decisions();
    if n > 8 || num_terms > 200 {
        return None;
    }
    let objective = model.objective().filter(|objective| !objective.is_constant());
    let value = |assignment: &Assignment| match objective {
        None => Some(0),
        Some(objective @ Objective { sense: Sense::Minimize, .. }) => objective.value(assignment),
        Some(objective) => objective.value(assignment)?.checked_neg(),
    };
    let assignments = (0..1u32 << n).map(|bits| (0..n).map(|i| bits >> i & 1 == 1).collect());
    let solutions =
        assignments.map(Assignment::from_values).filter(|values| model.check(values).is_ok());
    let mut values = solutions.map(|solution| value(&solution)).collect::<Option<Vec<i128>>>()?;
    values.sort_unstable();
    let best = *values.first()?;
    let steps = values.iter().map(|value| value.checked_sub(best));
    let steps = steps.collect::<Option<Vec<i128>>>()?;
    let unit = steps.iter().fold(0, |unit, &step| gcd(unit, step)).max(1);
    Some(steps.into_iter().map(|step| step / unit).collect())
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Reads a solution of several models in every form, and what is written of it.
pub fn solution(text: &[u8]) {
    static MODELS: OnceLock<Vec<Model>> = OnceLock::new();
    let models = MODELS.get_or_init(models);
    if let Some(long) = repeated(text) {
        drop(read_solution(&long, &models[0]));
    }
    for model in models {
        match read_solution(text, model) {
            Ok(assignment) => {
                let mut written = Vec::new();
                write_solution(model, &assignment, &mut written).expect("a vector takes all");
                let back = read_solution(&written, model).expect("written by us");
                assert_eq!(back, assignment, "{}", String::from_utf8_lossy(&written));
            }
            Err(error) => has_place(text, &error),
        }
        match read_ilp_solution(text, model) {
            Ok(IlpAnswer::Solution(assignment)) => {
                assert_eq!(read_solution(text, model).as_ref(), Ok(&assignment));
            }
            Ok(IlpAnswer::Infeasible { at } | IlpAnswer::Unknown { at }) => {
                assert!(at < text.len());
            }
            Err(error) => has_place(text, &error),
        }
    }
}

/// With names and numbers, with integers, with awkward names, with indicators.
fn models() -> Vec<Model> {
    let with = |names: &[&str]| {
        let mut model = Model::default();
        let lits: Vec<_> = names.iter().map(|name| model.new_var(name).positive()).collect();
        model.add(Linear::at_least(1, lits));
        model
    };
    let mut integers = with(&["x", "y"]);
    integers.new_integer("n", -3, 4);
    integers.new_integer("m", 2, 2);
    let lits: Vec<_> = (0..2).map(|index| Var::new(index).positive()).collect();
    let objective = Objective {
        sense: Sense::Maximize,
        terms: Linear::exactly(1, lits).terms,
        constant: 1,
        divisor: 3,
    };
    integers.set_objective(objective);
    let takuzu = pbsolve_puzzles::find("takuzu").expect("a puzzle of the table");
    let board = (takuzu.parse)(b"01\n..\n", &ParseOptions::default()).expect("a board");
    let awkward = with(&["v", "c", "-x", "x", "a b", "x=1", "o"]);
    vec![with(&["x1", "x2", "x3"]), integers, awkward, board.model(Formulation::Document)]
}

/// Reads the answer of a SAT solver.
pub fn solver_output(text: &[u8]) {
    if let Some(long) = repeated(text) {
        drop(read_solver_output(&long));
    }
    match read_solver_output(text) {
        Ok(SolverOutput::Satisfiable(lits)) => {
            let vars: Vec<_> = lits.iter().map(|lit| lit.var()).collect();
            assert!(vars.is_sorted_by(|one, next| one < next), "{lits:?}");
            let mut model = Model::default();
            model.new_vars(3);
            let has_all = (0..3).all(|index| vars.contains(&Var::new(index)));
            assert_eq!(decision_values(&lits, &model).is_ok(), has_all);
        }
        Ok(SolverOutput::Unsatisfiable | SolverOutput::Unknown) => {}
        Err(error) => has_place(text, &error),
    }
}

/// Reads a proof of a SAT solver, and the text of the steps that were read.
pub fn clausal_proof(bytes: &[u8]) {
    for format in [ClausalFormat::Drat, ClausalFormat::Lrat] {
        if let Some(long) = repeated(bytes) {
            steps(&long, format);
        }
        let (read, is_whole) = steps(bytes, format);
        let written: String = read.iter().map(step_text).collect();
        let (back, _) = steps(written.as_bytes(), format);
        assert_eq!(back, read, "{format:?}, {is_whole}:\n{written}");
    }
}

/// The steps up to the end or the first error, and whether it is the end.
fn steps(bytes: &[u8], format: ClausalFormat) -> (Vec<ClausalStep>, bool) {
    let mut read = Vec::new();
    let Ok(mut proof) = ClausalProof::new(bytes, format) else { return (read, false) };
    loop {
        match proof.next() {
            Ok(Some(step)) => read.push(step),
            ended => return (read, ended.is_ok()),
        }
    }
}

fn step_text(step: &ClausalStep) -> String {
    let clause = |lits: &[Lit]| -> String {
        lits.iter().map(|lit| format!("{} ", lit.to_dimacs())).collect()
    };
    let numbers =
        |numbers: &[u64]| -> String { numbers.iter().map(|id| format!("{id} ")).collect() };
    match step {
        ClausalStep::Add { lits, lrat: None } => format!("{}0\n", clause(lits)),
        ClausalStep::Add { lits, lrat: Some((id, hints)) } => {
            format!("{id} {}0 {}0\n", clause(lits), numbers(hints))
        }
        ClausalStep::DeleteClause(lits) => format!("d {}0\n", clause(lits)),
        ClausalStep::DeleteNumbers(ids) => format!("1 d {}0\n", numbers(ids)),
    }
}

/// Reads a board of every puzzle; the first byte chooses the options.
pub fn board(bytes: &[u8]) {
    let Some((&choice, text)) = bytes.split_first() else { return };
    let block = [None, Some((2, 2)), Some((1, 3)), Some((3, 2))][usize::from(choice & 3)];
    let options = ParseOptions { block, unique: choice & 4 == 0 };
    for kind in pbsolve_puzzles::ALL {
        if let Some(long) = repeated(text) {
            drop((kind.parse)(&long, &options));
        }
        match (kind.parse)(text, &options) {
            Ok(puzzle) => {
                let rendered = puzzle.render(puzzle.givens());
                let back = (kind.parse)(rendered.as_bytes(), &options).unwrap_or_else(|error| {
                    panic!("{}: {error}\n{rendered}", kind.name);
                });
                assert_eq!(back.givens(), puzzle.givens(), "{}\n{rendered}", kind.name);
                board_and_model_agree(&*puzzle, text);
            }
            Err(error) => has_place(text, &error),
        }
    }
}

fn board_and_model_agree(puzzle: &dyn Puzzle, text: &[u8]) {
    let givens = puzzle.givens();
    if givens.num_rows() * givens.num_columns() > 150 {
        return;
    }
    let svg = puzzle.render_svg(givens);
    assert!(svg.ends_with("</svg>\n"), "{svg}");
    let solution = match puzzle.parse_solution(text) {
        Ok(solution) => solution,
        Err(error) => {
            has_place(text, &error);
            // Any full board that keeps the givens will do.
            let least = if matches!(puzzle.name(), "binox" | "takuzu") { 0 } else { 1 };
            let cells = givens.iter().map(|cell| cell.or(Some(least)));
            Grid::from_cells(givens.num_rows(), givens.num_columns(), cells.collect())
        }
    };
    let rendered = puzzle.render(&solution);
    let back = puzzle.parse_solution(rendered.as_bytes());
    assert_eq!(back.as_ref(), Ok(&solution), "{rendered}");
    let decisions = puzzle.to_assignment(&solution);
    assert_eq!(puzzle.decode(&decisions), solution);
    let obeys = puzzle.check(&solution).is_ok();
    for formulation in [Formulation::Document, Formulation::Lean] {
        let model = puzzle.model(formulation);
        let satisfies = model.check(&decisions).is_ok();
        assert_eq!(satisfies, obeys, "{} {formulation:?}\n{rendered}", puzzle.name());
    }
}

/// Decompresses; and compresses the same bytes as a text, which must come back, unless it is cut.
pub fn compressed(bytes: &[u8]) {
    const LIMIT: u64 = 1 << 20;
    if let Some(compression) = Compression::of(bytes)
        && let Ok(text) = compression.decompress(bytes, LIMIT)
    {
        let length = text.len() as u64;
        assert!(length <= LIMIT);
        let exact = compression.decompress(bytes, length);
        assert!(exact.is_ok_and(|again| again == text));
        if length > 0 {
            let refused = compression.decompress(bytes, length - 1);
            assert!(matches!(refused, Err(CompressedError::TooLarge { .. })), "{refused:?}");
        }
    }
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("a vector takes all");
    let stream = encoder.finish().expect("a vector takes all");
    let gzip = Compression::of(&stream).expect("its first bytes are known");
    assert!(gzip.decompress(&stream, LIMIT).is_ok_and(|text| text == bytes));
    let cut = usize::try_from(hash(bytes) % stream.len() as u64).expect("a length");
    if cut > 0 {
        let refused = gzip.decompress(&stream[..cut], LIMIT);
        assert!(matches!(refused, Err(CompressedError::CutShort { .. })), "{refused:?}");
    }
}

/// Fails unless the place of a refusal is in the text, and the line is the one that stands there.
fn has_place(text: &[u8], error: &ParseError) {
    let line = text.split(|&byte| byte == b'\n').nth(error.line - 1);
    let line = line.unwrap_or_else(|| panic!("no such line: {error}"));
    let line = String::from_utf8_lossy(line);
    // Some readers pass over a byte-order mark, others count it.
    let is_line =
        |line: &str| line.trim_end() == error.line_text && error.column <= line.chars().count() + 1;
    let without_mark = line.strip_prefix('\u{feff}').filter(|_| error.line == 1);
    assert!(is_line(&line) || without_mark.is_some_and(is_line), "{error:?}");
    assert!(error.excerpt().ends_with('^'), "{error:?}");
}

/// One of a few hundred texts, with some of its lines, or a part of a line, over and over.
fn repeated(text: &[u8]) -> Option<Vec<u8>> {
    const LENGTH: usize = 1 << 20;
    let hash = hash(text);
    if hash % 256 != 0 || text.is_empty() {
        return None;
    }
    let place = |shift: u32| usize::try_from(hash >> shift & 0xffff).ok().map(|n| n % text.len());
    let (one, other) = (place(8)?, place(24)?);
    let (mut start, mut end) = (one.min(other), one.max(other) + 1);
    if hash >> 40 & 1 == 0 {
        start = text[..start].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        end += text[end..].iter().position(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    }
    let times = LENGTH / (end - start);
    Some([&text[..start], &text[start..end].repeat(times), &text[end..]].concat())
}

fn hash(text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
