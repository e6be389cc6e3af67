//! The whole pipeline: text to board, uniqueness and both checks included.

use criterion::{Criterion, criterion_group, criterion_main};
use pbsolve::{PuzzleSearch, Strategy};
use pbsolve_puzzles::{Formulation, ParseOptions, find};
use std::hint::black_box;
use std::path::Path;

const BOARDS: &[(&str, &str)] = &[
    ("binox", "unruly_6x6u"),
    ("binox", "unruly_10x10u"),
    ("binox", "unruly_14x14u"),
    ("binox", "unruly_20r20c_u"),
    ("binox", "unruly_30r24c_u"),
    ("binox", "unruly_40r30c_u"),
    ("sudoku", "solo_09x09_3x3dh"),
    ("sudoku", "solo_16x16_4x4"),
    ("sudoku", "solo_25x25_5x5"),
    ("sudoku", "solo_25x25_5x5db"),
];

fn boards(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve");
    group.sample_size(20);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/boards");
    for &(puzzle, board) in BOARDS {
        let text = std::fs::read(folder.join(board).with_extension("txt")).expect("a board");
        let kind = find(puzzle).expect("a puzzle of the table");
        group.bench_function(board, |bencher| {
            bencher.iter(|| {
                let puzzle = (kind.parse)(black_box(&text), &ParseOptions::default());
                let puzzle = puzzle.expect("a board that can be read");
                let search = PuzzleSearch::new(puzzle.as_ref(), Formulation::Lean);
                let (answer, _) = search.solve(&Strategy::default()).expect("checked boards");
                assert!(answer.is_unique(), "{board}");
            });
        });
    }
    group.finish();
}

criterion_group!(benches, boards);
criterion_main!(benches);
