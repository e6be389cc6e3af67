//! The picture of a board is one well-formed document that shows each cell, the givens and the
//! blocks.

use pbsolve_puzzles::{Binox, Grid, MiniSudoku, Puzzle};

/// Checks that tags are closed in order and that attributes are quoted; the names of the elements.
fn elements(svg: &str) -> Vec<&str> {
    let mut open = Vec::new();
    let mut names = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        assert!(!text.contains(['>', '&']), "text {text:?}");
        assert!(!open.is_empty() || text.trim().is_empty(), "text {text:?} outside");
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "the tag that is closed");
            continue;
        }
        let (tag, is_closed) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut parts = attributes.split('"');
        while let Some(name) = parts.next().filter(|name| !name.is_empty()) {
            assert!(name.trim_start().ends_with('='), "attribute {name:?} of <{tag}>");
            let value = parts.next().unwrap_or_else(|| panic!("value of {name:?} in <{tag}>"));
            assert!(!value.contains('&'), "value {value:?}");
        }
        names.push(name);
        if !is_closed {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
    assert!(rest.trim().is_empty(), "after the end: {rest:?}");
    names
}

fn count(names: &[&str], name: &str) -> usize {
    names.iter().filter(|&&found| found == name).count()
}

#[test]
fn a_sudoku_shows_its_blocks_and_givens() {
    let puzzle = MiniSudoku::new([((1, 1), 1), ((2, 4), 2)]).unwrap();
    let solution = Grid::from_cells(6, 6, vec![Some(1); 36]);
    let svg = puzzle.render_svg(&solution);
    let names = elements(&svg);
    assert_eq!(names[0], "svg");
    assert_eq!(count(&names, "text"), 36);
    assert_eq!(count(&names, "line"), 14);
    // Block lines: 4 across, 3 down.
    assert_eq!(svg.matches("stroke-width=\"3\"").count(), 7);
    assert_eq!(svg.matches("font-weight=\"bold\"").count(), 2);
    assert_eq!(svg.matches("#e0e0e0").count(), 2);
}

#[test]
fn a_binox_board_shows_its_symbols() {
    let mut givens = Grid::empty(2, 4);
    givens.set(0, 3, Some(1));
    let puzzle = Binox::new(givens).unwrap();
    let solution = puzzle.parse_solution(b"OXOX\nXOXO\n").unwrap();
    let svg = puzzle.render_svg(&solution);
    assert_eq!(count(&elements(&svg), "text"), 8);
    assert_eq!(svg.matches(">X</text>").count(), 4);
    assert_eq!(svg.matches("stroke-width=\"3\"").count(), 4);
    let empty = puzzle.render_svg(&Grid::empty(2, 4));
    assert_eq!(count(&elements(&empty), "text"), 0);
}
