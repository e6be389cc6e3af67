//! Sizes against the published formulas, written down here a second time, and the planner's use of
//! them.

use pbsolve_encodings::cardinality::Directions;
use pbsolve_encodings::sink::Counter;
use pbsolve_encodings::{
    Cardinality, Direct, Encoder, Ladder, Pairwise, Product, Row, SequentialCounter, Totalizer, all,
};
use pbsolve_model::{Lit, Var};

fn inputs(n: usize) -> Vec<Lit> {
    (0..n).map(|i| Var::new(i).positive()).collect()
}

/// Auxiliary variables and clauses, as encoded; checked against the encoder's own formula.
fn encoded_size(encoder: &dyn Encoder, row: &Row<'_>) -> (usize, usize) {
    let n = row.lits().len();
    let mut counter = Counter::default();
    counter.size.variables = n as u64;
    assert!(encoder.encode(row, &mut counter).is_continue());
    counter.size.variables -= n as u64;
    let name = encoder.name();
    assert_eq!(encoder.size(row), Some(counter.size), "{name}, {} n = {n}", row.class_name());
    let number = |size: u64| usize::try_from(size).unwrap();
    (number(counter.size.variables), number(counter.size.clauses))
}

fn at_most(encoder: &dyn Encoder, n: usize, k: usize) -> (usize, usize) {
    let lits = &inputs(n);
    encoded_size(encoder, &Row::Cardinality(Cardinality { lits, lo: 0, hi: k }))
}

fn at_least(encoder: &dyn Encoder, n: usize, k: usize) -> (usize, usize) {
    let lits = &inputs(n);
    encoded_size(encoder, &Row::Cardinality(Cardinality { lits, lo: k, hi: n }))
}

fn bounded(encoder: &dyn Encoder, n: usize, lo: usize, hi: usize) -> (usize, usize) {
    let lits = &inputs(n);
    encoded_size(encoder, &Row::Cardinality(Cardinality { lits, lo, hi }))
}

fn binomial(n: usize, k: usize) -> usize {
    if k == 0 || k == n { 1 } else { binomial(n - 1, k - 1) + binomial(n - 1, k) }
}

#[test]
fn at_most_one_has_the_published_sizes() {
    for n in [3, 4, 10, 57, 100, 1000] {
        let lits = &inputs(n);
        let row = Row::AtMostOne(lits);
        assert_eq!(encoded_size(&Pairwise, &row), (0, n * (n - 1) / 2), "pairwise, n = {n}");
        assert_eq!(encoded_size(&Ladder, &row), (n - 1, 3 * n - 4), "ladder, n = {n}");
        for encoder in [&Pairwise as &dyn Encoder, &Ladder, &Product] {
            let (variables, clauses) = encoded_size(encoder, &row);
            let exactly_one = encoded_size(encoder, &Row::ExactlyOne(lits));
            assert_eq!(exactly_one, (variables, clauses + 1), "{}, n = {n}", encoder.name());
        }
    }
    // Chen's recursion, down to pairwise at 6: 10 = 4 + 3, 2 * 10 + 6 + 3, and so on.
    for (n, size) in [(10, (7, 29)), (100, (34, 258)), (1000, (88, 2188))] {
        assert_eq!(encoded_size(&Product, &Row::AtMostOne(&inputs(n))), size, "product, n = {n}");
    }
}

#[test]
fn direct_has_a_clause_for_each_forbidden_set() {
    for n in 2..=12 {
        for k in 1..n {
            assert_eq!(at_most(&Direct, n, k), (0, binomial(n, k + 1)), "n = {n}, k = {k}");
            assert_eq!(at_least(&Direct, n, k), (0, binomial(n, k - 1)), "n = {n}, k = {k}");
            let both = (0, binomial(n, k + 1) + binomial(n, k - 1));
            assert_eq!(bounded(&Direct, n, k, k), both, "n = {n}, k = {k}");
        }
    }
}

#[test]
fn sequential_counters_have_the_published_sizes() {
    for n in [2, 3, 4, 7, 10, 31, 100] {
        for k in 1..n {
            let sinz = |k: usize| ((n - 1) * k, 2 * n * k + n - 3 * k - 1);
            let knuth = |k: usize| (k * (n - k), 2 * k * (n - k) + n - 2 * k);
            let (full, reduced) = (&SequentialCounter::SINZ, &SequentialCounter::REDUCED);
            assert_eq!(at_most(full, n, k), sinz(k), "Sinz, n = {n}, k = {k}");
            assert_eq!(at_least(full, n, k), sinz(n - k), "Sinz, n = {n}, at least {k}");
            assert_eq!(at_most(reduced, n, k), knuth(k), "reduced, n = {n}, k = {k}");
            assert_eq!(at_least(reduced, n, k), knuth(n - k), "reduced, n = {n}, at least {k}");

            // One structure for both sides: the variables of one side, not of two.
            let (variables, clauses) = bounded(full, n, k, k);
            assert_eq!(variables, (n - 1) * k, "Sinz, n = {n}, = {k}");
            assert!(clauses <= 2 * sinz(k).1, "Sinz, n = {n}, = {k}: {clauses}");
            let equal = (knuth(k).0, knuth(k).1 + knuth(n - k).1);
            assert_eq!(bounded(reduced, n, k, k), equal, "reduced, n = {n}, = {k}");
        }
    }
    assert_eq!(at_most(&SequentialCounter::REDUCED, 64, 8), (448, 944));
    assert_eq!(at_most(&SequentialCounter::REDUCED, 16, 3), (39, 88));
}

/// The totalizer by its definition: a node has one output for each count up to the cut, and one
/// clause for each pair of counts of its children.
fn totalizer_by_definition(n: usize, k: usize, is_root: bool) -> (usize, usize) {
    if n == 1 {
        return (0, 0);
    }
    let (left, right) = (n / 2, n - n / 2);
    let (a, b) = (left.min(k + 1), right.min(k + 1));
    let lowest = if is_root { k + 1 } else { 1 };
    let counts = lowest..=n.min(k + 1);
    let pairs = (0..=a).flat_map(|i| (0..=b).map(move |j| i + j));
    let clauses = pairs.filter(|count| counts.contains(count)).count();
    let below = [left, right].map(|m| totalizer_by_definition(m, k, false));
    let variables = counts.count() + below[0].0 + below[1].0;
    (variables, clauses + below[0].1 + below[1].1 + usize::from(is_root))
}

#[test]
fn the_cut_totalizer_has_the_published_sizes() {
    let published = [
        (8, 3, (17, 34)),
        (16, 3, (41, 90)),
        (16, 5, (45, 106)),
        (32, 8, (115, 323)),
        (64, 8, (247, 743)),
        (10, 2, (21, 43)),
    ];
    for (n, k, size) in published {
        assert_eq!(at_most(&Totalizer::CUT, n, k), size, "n = {n}, k = {k}");
        assert_eq!(at_least(&Totalizer::CUT, n, n - k), size, "n = {n}, at least {}", n - k);
    }
    for n in [2, 3, 5, 8, 13, 50, 100] {
        for k in 1..n {
            let size = totalizer_by_definition(n, k, true);
            assert_eq!(at_most(&Totalizer::CUT, n, k), size, "n = {n}, k = {k}");
        }
    }
}

#[test]
fn the_full_totalizer_over_a_power_of_two_has_the_published_size() {
    for m in 2..=7 {
        let n = 1 << m;
        // Cut at n - 1, with all outputs: no node loses one. And the unit clause of the bound.
        let full = Totalizer::INCREMENTAL;
        let one_direction = n * (n - 1) / 2 + n * m;
        assert_eq!(at_most(&full, n, n - 1), (n * m, one_direction + 1), "n = {n}");
        // Published as twice that.
        let both = Totalizer { directions: Directions::Both, keep_outputs: true };
        assert_eq!(at_most(&both, n, n - 1), (n * m, 2 * one_direction + 1), "n = {n}");
    }
}

#[test]
fn sizes_are_exact_for_large_rows_of_every_encoder() {
    for encoder in all() {
        for n in [30, 31, 100, 257] {
            let lits = &inputs(n);
            for (lo, hi) in [(0, 2), (0, n / 2), (2, n), (n / 2, n / 2), (3, n - 4), (n / 3, n / 2)]
            {
                let row = Row::Cardinality(Cardinality { lits, lo, hi });
                let size = encoder.supports(&row).then(|| encoder.size(&row));
                if size.flatten().is_some_and(|size| size.clauses < 200_000) {
                    encoded_size(encoder, &row);
                }
            }
            for row in [Row::AtMostOne(lits), Row::ExactlyOne(lits)] {
                if encoder.supports(&row) {
                    encoded_size(encoder, &row);
                }
            }
        }
    }
}

#[test]
fn a_formula_beyond_64_bits_says_so_instead_of_wrapping() {
    let lits = &inputs(1000);
    let row = Row::Cardinality(Cardinality { lits, lo: 0, hi: 500 });
    assert_eq!(Direct.size(&row).map(|size| size.clauses), Some(u64::MAX));
}
