//! Boards in all the forms that are read, and how they are written.

use pbsolve_puzzles::{ALL, Formulation, Grid, ParseOptions, Puzzle, Sudoku, find};

fn read(name: &str, text: &str) -> Box<dyn Puzzle> {
    let kind = find(name).expect("a puzzle of the table");
    (kind.parse)(text.as_bytes(), &ParseOptions::default())
        .unwrap_or_else(|error| panic!("{name} of {text:?}: {error}"))
}

fn rewritten(name: &str, text: &str) -> String {
    let puzzle = read(name, text);
    puzzle.render(puzzle.givens())
}

#[test]
fn binary_boards_are_read_in_all_their_forms() {
    let expected = read("binox", "X..O\n....\n").givens().clone();
    let forms = [
        "\u{feff}X..O\n....\n",
        "X..O\r\n....\r\n",
        "X..O\n....",
        "# comment\n\n  % comment\nX..O\n\t \n....\n\n",
        "X . . O\n. . . .\n",
        "X\t.\t.\tO\n.\t.\t.\t.\n",
        "|X . . O|\n|. . . .|\n",
        "x__o\n-**-\n",
        "1-.0\n. ...\n",
    ];
    for form in forms {
        assert_eq!(read("binox", form).givens(), &expected, "{form:?}");
    }
}

#[test]
fn binary_boards_are_written_in_the_symbols_of_the_input() {
    let cases = [
        ("binox", "X..O\n....\n", "X..O\n....\n"),
        ("binox", "x..O\n....\n", "x..o\n....\n"),
        ("binox", "1 . _ 0\n. - * .\n", "1 . . 0\n. . . .\n"),
        ("takuzu", "X.\n.O\n", "X.\n.O\n"),
    ];
    for (name, text, expected) in cases {
        assert_eq!(rewritten(name, text), expected, "{text:?}");
    }
    assert_eq!(read("binox", "..\n..\n").symbol(1), "X");
    assert_eq!(read("takuzu", "..\n..\n").symbol(1), "1");
}

#[test]
fn sudokus_are_read_in_all_their_forms() {
    let expected = Sudoku::new(4, (2, 2), [((1, 1), 3), ((2, 4), 1)]).unwrap();
    let forms = [
        "3...\n...1\n....\n....\n",
        "3000\n0001\n0000\n0000\n",
        "3 0 0 0\r\n0 0 0 1\r\n0 0 0 0\r\n0 0 0 0\r\n",
        "3 . | . .\n. . | . 1\n----+----\n. . | . .\n. . | . .\n",
        "30 00\n00 01\n00 00\n00 00\n",
        "+--+--+\n|3.|..|\n|..|.1|\n+--+--+\n|..|..|\n|..|..|\n+--+--+\n",
        "3......1........\n",
        "\u{feff}# one line\n3_*-...1........",
    ];
    for form in forms {
        assert_eq!(read("sudoku", form).givens(), expected.givens(), "{form:?}");
    }
}

#[test]
fn digits_above_9_are_letters_or_numbers() {
    let empty_rows = |row: &str, number| format!("{row}\n").repeat(number);
    let letters = format!("A...........\n..........cb\n{}", empty_rows("............", 10));
    let puzzle = read("sudoku", &letters);
    let givens: Vec<_> = puzzle.givens().filled().collect();
    assert_eq!(givens, [(0, 0, 10), (1, 10, 12), (1, 11, 11)]);
    assert!(puzzle.render(puzzle.givens()).starts_with("A...........\n..........CB\n"));

    let empty = "0 0 0 0 0 0 0 0 0 0 0 0";
    let numbers =
        format!("10 . . . . . . . . . . .\n. . . . . . . . . . 12 9\n{}", empty_rows(empty, 10));
    let puzzle = read("sudoku", &numbers);
    let givens: Vec<_> = puzzle.givens().filled().collect();
    assert_eq!(givens, [(0, 0, 10), (1, 10, 12), (1, 11, 9)]);
    let written = puzzle.render(puzzle.givens());
    let expected = "10  .  .  .  .  .  .  .  .  .  .  .\n .  .  .  .  .  .  .  .  .  . 12  9\n";
    assert!(written.starts_with(expected), "{written}");
    assert_eq!(read("sudoku", &written).givens(), puzzle.givens());
}

#[test]
fn the_default_block_is_the_flatter_one_closest_to_a_square() {
    for (size, block) in [(4, (2, 2)), (6, (2, 3)), (8, (2, 4)), (12, (3, 4)), (36, (6, 6))] {
        let text = format!("{}\n", ". ".repeat(size)).repeat(size);
        let puzzle = read("sudoku", &text);
        let explicit = Sudoku::new(size, block, []).unwrap();
        let names = |puzzle: &dyn Puzzle| {
            let model = puzzle.model(Formulation::Document);
            let last = 3 * size * size - 1;
            model.row_name(pbsolve_model::RowId(u64::try_from(last).unwrap()))
        };
        assert_eq!(names(&*puzzle), names(&explicit), "{size}");
    }
}

#[test]
fn a_block_of_one_row_makes_a_latin_square() {
    let options = ParseOptions { block: Some((1, 5)), ..ParseOptions::default() };
    let kind = find("sudoku").unwrap();
    let puzzle = (kind.parse)(&b".....\n".repeat(5), &options).unwrap();
    let solution = puzzle.parse_solution(b"12345\n23451\n34512\n45123\n51234\n").unwrap();
    assert_eq!(puzzle.check(&solution), Ok(()));
    let assignment = puzzle.to_assignment(&solution);
    assert_eq!(puzzle.model(Formulation::Document).check(&assignment), Ok(()));
}

#[test]
fn clashing_givens_are_a_puzzle_without_solution() {
    assert_eq!(rewritten("binox", "XXX.\n....\n"), "XXX.\n....\n");
    assert_eq!(rewritten("sudoku", "11..\n....\n....\n....\n"), "11..\n....\n....\n....\n");
}

#[test]
fn a_solution_may_have_other_symbols_than_the_puzzle() {
    let puzzle = read("binox", "X.\n..\n");
    let solution = puzzle.parse_solution(b"# answer\n1 0\n0 1\n").unwrap();
    assert_eq!(puzzle.check(&solution), Ok(()));
    assert_eq!(puzzle.render(&solution), "XO\nOX\n");
}

#[test]
fn a_board_of_the_greatest_size_is_read() {
    let text = format!("{}\n", ".".repeat(5000)).repeat(2);
    assert_eq!(read("binox", &text).givens(), &Grid::empty(2, 5000));
    let line = format!("{}\n", ". ".repeat(255));
    let text = line.repeat(255);
    assert_eq!(read("sudoku", &text).givens(), &Grid::empty(255, 255));
}

#[test]
fn random_bytes_never_panic() {
    const ALPHABET: &[u8] =
        b"XOxo01..__--**  \t||\n\n\n\r23456789azAZ#%+=(){},:\xef\xbb\xbf\xff\xc3\xa9";
    let mut state: u64 = 0x1234_5678_9abc_def1;
    let mut next = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % bound as u64).unwrap()
    };
    let mut num_read = 0;
    for _ in 0..20_000 {
        let (rows, columns) = (1 + next(6), 1 + next(6));
        let alphabet = &ALPHABET[..[4, 8, 12, 14, ALPHABET.len()][next(5)]];
        let mut byte = || alphabet[next(alphabet.len())];
        let mut bytes: Vec<u8> = (0..rows * columns).map(|_| byte()).collect();
        // Lines of one length are more often boards.
        if next(4) > 0 {
            bytes = bytes.chunks(columns).collect::<Vec<_>>().join(&b'\n');
        }
        let block = (next(2) == 0).then(|| (next(4), next(4)));
        let options = ParseOptions { block, unique: next(2) == 0 };
        for kind in ALL {
            if let Ok(puzzle) = (kind.parse)(&bytes, &options) {
                num_read += 1;
                let written = puzzle.render(puzzle.givens());
                let again = (kind.parse)(written.as_bytes(), &options);
                let shown = String::from_utf8_lossy(&bytes);
                let again = again.unwrap_or_else(|error| panic!("{shown:?}: {error}\n{written}"));
                assert_eq!(again.givens(), puzzle.givens(), "{shown:?} as {}", kind.name);
                let _ = puzzle.parse_solution(&bytes);
            }
        }
        let _ = pbsolve_puzzles::MiniSudoku::parse_filled(&String::from_utf8_lossy(&bytes));
    }
    assert!(num_read > 500, "only {num_read} of the texts were boards");
}
