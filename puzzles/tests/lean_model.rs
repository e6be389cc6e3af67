//! The lean family "lines differ": separation, exactness of the pairs that are dropped, size.

mod brute_force;

use brute_force::to_grid;
use pbsolve_model::{Assignment, Family, Group, Model, RowView, Var};
use pbsolve_puzzles::{Binox, Formulation, Grid, Puzzle, Takuzu};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A family with the separation that every family has by default.
#[derive(Debug)]
struct WithDefaultSeparation(Arc<dyn Family>);

impl Family for WithDefaultSeparation {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn num_groups(&self) -> usize {
        self.0.num_groups()
    }

    fn group(&self, group: usize) -> Group {
        self.0.group(group)
    }

    fn for_each_row(
        &self,
        group: usize,
        first_indicator: Var,
        visit: &mut dyn FnMut(RowView<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.0.for_each_row(group, first_indicator, visit)
    }

    fn row_name(&self, row: u64) -> String {
        self.0.row_name(row)
    }

    fn complete(&self, group: usize, values: &mut Vec<bool>) {
        self.0.complete(group, values);
    }
}

/// A small generator of numbers: xorshift.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

fn lazy_families(model: &Model) -> Vec<&Arc<dyn Family>> {
    model.families().iter().filter(|family| family.is_lazy()).collect()
}

fn random_board(numbers: &mut Numbers, rows: usize, columns: usize, filled: u64) -> Grid {
    let mut cell = || (numbers.below(100) < filled).then(|| u16::from(numbers.below(2) == 1));
    Grid::from_cells(rows, columns, (0..rows * columns).map(|_| cell()).collect())
}

#[test]
fn separation_finds_the_groups_that_the_default_finds() {
    let mut numbers = Numbers(7);
    let mut num_violated = 0;
    for round in 0..400 {
        let (rows, columns) = [(4, 4), (8, 2), (2, 70), (6, 4)][round % 4];
        let givens = random_board(&mut numbers, rows, columns, [0, 10, 40][round % 3]);
        let model = Binox::new(givens.clone()).unwrap().model(Formulation::Lean);
        // Assignments that do not keep the givens too: both look at the rows alone.
        let values = (0..rows * columns).map(|cell| {
            let kept = givens.get(cell / columns, cell % columns).filter(|_| round % 2 == 0);
            kept.map_or(numbers.below(3) == 0, |given| given == 1)
        });
        let assignment = Assignment::from_values(values.collect());
        for family in lazy_families(&model) {
            let expected = WithDefaultSeparation(Arc::clone(family)).separate(&assignment);
            let found = family.separate(&assignment);
            assert_eq!(found, expected, "round {round}: {} of {givens:?}", family.name());
            num_violated += found.len();
        }
    }
    assert!(num_violated > 100, "only {num_violated} violated groups were met");
}

#[test]
fn the_document_s_groups_are_separated_as_by_default_each_pair_once() {
    let mut numbers = Numbers(13);
    let mut num_violated = 0;
    for round in 0..100 {
        let n = [4, 6][round % 2];
        let board = random_board(&mut numbers, n, n, 100);
        let values = board.iter().map(|cell| cell == Some(1)).collect();
        let assignment = Assignment::from_values(values);
        let (binox, takuzu) = (Binox::new(board.clone()).unwrap(), Takuzu::new(board).unwrap());
        for (model, is_ordered) in [
            (binox.model(Formulation::Document), true),
            (takuzu.model(Formulation::Document), false),
            (takuzu.printed_model(), false),
        ] {
            for family in lazy_families(&model) {
                let mut expected = WithDefaultSeparation(Arc::clone(family)).separate(&assignment);
                if is_ordered {
                    expected.retain(|group| group / (n - 1) <= group % (n - 1));
                }
                assert_eq!(family.separate(&assignment), expected, "round {round}: {assignment:?}");
                num_violated += expected.len();
            }
        }
    }
    assert!(num_violated > 100, "only {num_violated} violated groups were met");
}

#[test]
fn only_pairs_whose_givens_differ_are_dropped() {
    let mut numbers = Numbers(11);
    for round in 0..50 {
        let (rows, columns) = ([6, 70][round % 2], [70, 6][round % 2]);
        let givens = random_board(&mut numbers, rows, columns, 25);
        let model = Binox::new(givens.clone()).unwrap().model(Formulation::Lean);
        let differ = |a: usize, b: usize| {
            let cells = (0..columns).map(|c| (givens.get(a, c), givens.get(b, c)));
            cells.into_iter().any(|(a, b)| a.is_some() && b.is_some() && a != b)
        };
        let open = (0..rows).flat_map(|a| (a + 1..rows).map(move |b| (a, b)));
        let open: Vec<_> = open.filter(|&(a, b)| !differ(a, b)).collect();
        let family = lazy_families(&model)[0];
        assert_eq!(family.num_groups(), open.len(), "{givens:?}");
        for (group, (a, b)) in open.into_iter().enumerate() {
            let place = family.group(group);
            let name = family.row_name(place.first_row + place.num_rows - 1);
            assert_eq!(name, format!("rows_{}_{}_differ", a + 1, b + 1), "{givens:?}");
        }
    }
}

#[test]
fn groups_yield_the_rows_and_places_that_they_state() {
    let mut numbers = Numbers(13);
    for round in 0..40 {
        let givens = random_board(&mut numbers, 6, 4, [0, 30, 60, 100][round % 4]);
        for formulation in [Formulation::Document, Formulation::Lean] {
            let model = Binox::new(givens.clone()).unwrap().model(formulation);
            for family in model.families() {
                let (mut first_row, mut first_indicator) = (0, 0);
                for group in 0..family.num_groups() {
                    let place = family.group(group);
                    let mut num_rows = 0;
                    let mut greatest = 0;
                    let flow = family.for_each_row(group, Var::new(1000), &mut |row| {
                        num_rows += 1;
                        let vars = row.lits.iter().map(|lit| lit.var().index());
                        greatest = greatest.max(vars.max().unwrap_or(0));
                        ControlFlow::Continue(())
                    });
                    assert!(flow.is_continue());
                    let what = format!("group {group} of {} in {givens:?}", family.name());
                    assert_eq!((place.first_row, place.num_rows), (first_row, num_rows), "{what}");
                    if place.num_indicators > 0 {
                        assert_eq!(place.first_indicator, first_indicator, "{what}");
                        assert_eq!(greatest + 1, 1000 + place.num_indicators, "{what}");
                    }
                    first_row += num_rows;
                    first_indicator += place.num_indicators as u64;
                }
            }
        }
    }
}

#[test]
fn two_full_rows_that_are_equal_are_a_contradiction() {
    let givens = to_grid(&[vec![0, 1, 1, 0], vec![0, 1, 1, 0]]);
    let model = Binox::new(givens).unwrap().model(Formulation::Lean);
    let family = lazy_families(&model)[0];
    assert_eq!((family.num_groups(), family.num_rows()), (1, 1));
    let flow = family.for_each_row(0, Var::new(8), &mut |row| {
        assert!(row.is_empty() && row.lower == Some(1));
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
}

#[test]
fn the_models_of_a_1000_by_1000_board_are_built_in_a_second() {
    let puzzle = Binox::new(Grid::empty(1000, 1000)).unwrap();
    let start = Instant::now();
    for formulation in [Formulation::Document, Formulation::Lean] {
        let model = puzzle.model(formulation);
        let pairs = match formulation {
            Formulation::Document => 999_000,
            Formulation::Lean => 499_500,
        };
        assert_eq!(model.num_variables(), 1_000_000 + 2 * pairs * 1000, "{formulation:?}");
        let last = Var::new(usize::try_from(model.num_variables()).unwrap() - 1);
        let name = match formulation {
            Formulation::Document => "z_999_998_999",
            Formulation::Lean => "e_998_999_999",
        };
        assert_eq!(model.variable_name(last), name);
    }
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_secs(3), "it took {elapsed:?}");
}

#[test]
fn a_1000_by_1000_board_is_separated_quickly() {
    let puzzle = Binox::new(Grid::empty(1000, 1000)).unwrap();
    let model = puzzle.model(Formulation::Lean);
    let mut numbers = Numbers(17);
    let mut values: Vec<bool> = (0..1_000_000).map(|_| numbers.below(2) == 0).collect();
    let first_row = values[..1000].to_vec();
    values[999_000..].copy_from_slice(&first_row);
    let assignment = Assignment::from_values(values);
    let start = Instant::now();
    let [rows, columns] = [0, 1].map(|i| lazy_families(&model)[i].separate(&assignment));
    let elapsed = start.elapsed();
    assert_eq!((rows, columns), (vec![998], vec![]));
    assert!(elapsed < Duration::from_secs(3), "it took {elapsed:?}");
}
