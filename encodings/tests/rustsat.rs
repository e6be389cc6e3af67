//! RustSAT's encoders as a second implementation: the same solutions, and the same sizes where the
//! construction is the same.

use pbsolve_encodings::sink::Cnf;
use pbsolve_encodings::testing::Propagator;
use pbsolve_encodings::{
    Cardinality, Encoder, Ladder, Pairwise, Product, Row, SequentialCounter, Totalizer, all,
};
use pbsolve_model::{Lit, Var};
use rustsat::encodings::{am1, am1::Encode, card, card::BoundLower, card::BoundUpper};
use rustsat::instances::{BasicVarManager, ManageVars};

fn inputs(n: usize) -> Vec<Lit> {
    (0..n).map(|i| Var::new(i).lit(i % 3 != 1)).collect()
}

fn to_theirs(lits: &[Lit]) -> Vec<rustsat::types::Lit> {
    let theirs = |lit: &Lit| rustsat::types::Lit::from_ipasir(lit.to_dimacs()).expect("not 0");
    lits.iter().map(theirs).collect()
}

/// Lets RustSAT encode over `n` inputs and takes its clauses.
fn theirs(n: usize, encode: impl FnOnce(&mut rustsat::instances::Cnf, &mut dyn ManageVars)) -> Cnf {
    let next_free = rustsat::types::Var::new(u32::try_from(n).expect("small"));
    let mut variables = BasicVarManager::from_next_free(next_free);
    let mut clauses = rustsat::instances::Cnf::new();
    encode(&mut clauses, &mut variables);
    let mut cnf = Cnf::with_variables(variables.n_used() as usize);
    for clause in &clauses {
        let lits: Vec<Lit> =
            clause.iter().map(|lit| Lit::from_dimacs(lit.to_ipasir()).expect("not 0")).collect();
        assert!(pbsolve_encodings::ClauseSink::clause(&mut cnf, &lits).is_continue());
    }
    cnf
}

fn ours(encoder: &dyn Encoder, row: &Row<'_>) -> Cnf {
    let mut cnf = Cnf::with_variables(row.lits().len());
    assert!(encoder.encode(row, &mut cnf).is_continue());
    cnf
}

fn at_most_one_of(n: usize) -> Vec<(&'static str, Cnf)> {
    let lits = to_theirs(&inputs(n));
    macro_rules! encoded {
        ($encoder:ty) => {
            theirs(n, |clauses, variables| {
                <$encoder>::from(lits.clone()).encode(clauses, variables).expect("memory suffices");
            })
        };
    }
    vec![
        ("Pairwise", encoded!(am1::Pairwise)),
        ("Ladder", encoded!(am1::Ladder)),
        ("Bitwise", encoded!(am1::Bitwise)),
        ("Commander", encoded!(am1::Commander)),
        ("Bimander", encoded!(am1::Bimander)),
        ("TwoProduct", encoded!(am1::TwoProduct)),
    ]
}

/// RustSAT's totalizer with its bounds enforced; only for `0 < bound < n`, where it builds one.
fn totalizer(n: usize, at_least: Option<usize>, at_most: Option<usize>) -> Cnf {
    theirs(n, |clauses, variables| {
        let mut encoder: card::Totalizer = to_theirs(&inputs(n)).into_iter().collect();
        let mut units = Vec::new();
        if let Some(bound) = at_most {
            encoder.encode_ub(bound..=bound, clauses, variables).expect("memory suffices");
            units.extend(encoder.enforce_ub(bound).expect("encoded above"));
        }
        if let Some(bound) = at_least {
            encoder.encode_lb(bound..=bound, clauses, variables).expect("memory suffices");
            units.extend(encoder.enforce_lb(bound).expect("encoded above"));
        }
        for unit in units {
            clauses.add_unit(unit);
        }
    })
}

/// The assignments of the first `n` variables that extend to a solution.
fn solutions(cnf: &Cnf, n: usize) -> Vec<usize> {
    let mut propagator = Propagator::new(cnf);
    let mut is_solution = |bits: usize| {
        let before = propagator.num_assigned();
        let is_consistent = (0..n).all(|i| propagator.assume(Var::new(i).lit(bits >> i & 1 == 1)));
        let is_solution = is_consistent && propagator.count_extensions(1) == 1;
        propagator.undo_to(before);
        is_solution
    };
    (0..1 << n).filter(|&bits| is_solution(bits)).collect()
}

fn size(cnf: &Cnf, n: usize) -> (usize, usize) {
    (cnf.num_variables() - n, cnf.num_clauses())
}

#[test]
fn at_most_one_has_the_same_solutions_as_all_of_rustsats_encoders() {
    for n in 3..=9 {
        let row_lits = inputs(n);
        let row = Row::AtMostOne(&row_lits);
        let expected: Vec<_> =
            at_most_one_of(n).iter().map(|(name, cnf)| (*name, solutions(cnf, n))).collect();
        for encoder in all().filter(|encoder| encoder.supports(&row)) {
            let found = solutions(&ours(encoder, &row), n);
            for (name, expected) in &expected {
                assert_eq!(&found, expected, "{}, n = {n}, against {name}", encoder.name());
            }
        }
    }
}

#[test]
fn cardinality_has_the_same_solutions_as_rustsats_totalizer() {
    for n in 2..=6 {
        let lits = &inputs(n);
        for k in 1..n {
            let at_most = solutions(&totalizer(n, None, Some(k)), n);
            let at_least = solutions(&totalizer(n, Some(k), None), n);
            let exactly = solutions(&totalizer(n, Some(k), Some(k)), n);
            for (lo, hi, expected) in [(0, k, &at_most), (k, n, &at_least), (k, k, &exactly)] {
                let row = Row::Cardinality(Cardinality { lits, lo, hi });
                for encoder in all().filter(|encoder| encoder.supports(&row)) {
                    let found = solutions(&ours(encoder, &row), n);
                    assert_eq!(&found, expected, "{}, n = {n}, {lo}..={hi}", encoder.name());
                }
            }
        }
    }
}

#[test]
fn pairwise_ladder_and_the_cut_totalizer_have_rustsats_sizes() {
    for n in [3, 4, 7, 10, 33, 100] {
        let lits = &inputs(n);
        let row = Row::AtMostOne(lits);
        let expected = at_most_one_of(n);
        assert_eq!(size(&ours(&Pairwise, &row), n), size(&expected[0].1, n), "pairwise, n = {n}");
        assert_eq!(size(&ours(&Ladder, &row), n), size(&expected[1].1, n), "ladder, n = {n}");
        // Beyond n / 2 RustSAT leaves out the outputs that add up to k + 1 with no count of the
        // sibling.
        for k in 1..=n / 2 {
            let row = Row::Cardinality(Cardinality { lits, lo: 0, hi: k });
            let expected = size(&totalizer(n, None, Some(k)), n);
            assert_eq!(size(&ours(&Totalizer::CUT, &row), n), expected, "n = {n}, k = {k}");
        }
    }
}

/// Sinz's counter with the bound 1 is the ladder.
#[test]
fn the_sequential_counter_with_bound_one_has_the_size_of_rustsats_ladder() {
    for n in [3, 4, 7, 30] {
        let lits = &inputs(n);
        let row = Row::AtMostOne(lits);
        let expected = size(&at_most_one_of(n)[1].1, n);
        for encoder in [&SequentialCounter::SINZ, &SequentialCounter::REDUCED] {
            assert_eq!(size(&ours(encoder, &row), n), expected, "{}, n = {n}", encoder.name());
        }
    }
}

/// Ours divides the selectors again, theirs states them pairwise.
#[test]
fn product_is_never_larger_than_rustsats_two_product() {
    for n in [7, 10, 33, 100, 400] {
        let lits = inputs(n);
        let found = size(&ours(&Product, &Row::AtMostOne(&lits)), n);
        let two_product = size(&at_most_one_of(n)[5].1, n);
        assert!(found.1 <= two_product.1, "n = {n}: {found:?}, RustSAT {two_product:?}");
    }
}
