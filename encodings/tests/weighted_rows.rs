//! Weighted rows beyond the table: larger coefficients, more literals, sizes.

mod random;

use pbsolve_encodings::sink::{Cnf, Counter};
use pbsolve_encodings::testing::check_row;
use pbsolve_encodings::{
    Encoder, Normalized, Normalizer, Planner, PseudoBoolean, Row, Strength, pseudo_boolean,
};
use pbsolve_model::{Coefficients, Lit, RowView, Var};
use random::Random;

fn inputs(n: usize) -> Vec<Lit> {
    (0..n).map(|i| Var::new(i).lit(i % 3 != 1)).collect()
}

#[test]
fn every_weighted_encoder_conforms_on_random_rows_with_larger_coefficients() {
    let mut random = Random(1);
    let mut normalizer = Normalizer::default();
    let mut checked = 0;
    for round in 0..1500 {
        let n = 3 + random.below(if round % 10 == 0 { 5 } else { 4 });
        let largest = [4, 9, 40, 1000][random.below(4)];
        let coefficients: Vec<i128> = (0..n).map(|_| 1 + random.number(largest)).collect();
        let sum: i128 = coefficients.iter().sum();
        let bound = |random: &mut Random| random.number(usize::try_from(sum).unwrap() + 1);
        let (lower, upper) = match random.below(4) {
            0 => (Some(bound(&mut random)), None),
            1 => (None, Some(bound(&mut random))),
            2 => {
                let (a, b) = (bound(&mut random), bound(&mut random));
                (Some(a.min(b)), Some(a.max(b)))
            }
            _ => {
                // A sum that can be reached.
                let reached = coefficients.iter().filter(|_| random.below(2) == 0).sum();
                (Some(reached), Some(reached))
            }
        };
        let (lits, coefficients) = (inputs(n), Coefficients::Wide(&coefficients));
        let row = RowView { lits: &lits, coefficients, lower, upper };
        let Normalized::Row { row: Some(row @ Row::PseudoBoolean(_)), .. } =
            normalizer.normalize(row, |_| None)
        else {
            continue;
        };
        checked += 1;
        // A counter with a variable for every number up to the bound takes long to propagate in.
        let is_bearable = |encoder: &&&dyn Encoder| encoder.size_up_to(&row, 800).is_some();
        for encoder in pseudo_boolean::ALL.iter().filter(is_bearable) {
            check_row(*encoder, &row).unwrap_or_else(|error| panic!("round {round}: {error}"));
        }
    }
    assert!(checked > 750, "only {checked} rows were weighted");
}

/// Powers of two, equal pairs and a weight at the bound: shapes that a random row rarely has.
#[test]
fn every_weighted_encoder_conforms_on_rows_of_special_shape() {
    let shapes: [&[i128]; 6] = [
        &[1, 2, 4, 8, 16, 32],
        &[1, 1, 2, 2, 4, 4],
        &[7, 1, 1, 1, 1, 1],
        &[5, 5, 5, 3, 3, 3],
        &[1, 3, 9, 27, 81],
        &[1 << 40, (1 << 40) + 1, (1 << 40) - 1, 1],
    ];
    for coefficients in shapes {
        let sum: i128 = coefficients.iter().sum();
        let largest = *coefficients.iter().max().unwrap();
        let bounds = [(0, sum - 1), (0, largest), (0, sum / 2), (sum / 2, sum), (3, sum / 2 + 1)];
        for (lo, hi) in bounds {
            if largest > hi.min(sum - lo) || lo > hi {
                continue;
            }
            let lits = inputs(coefficients.len());
            let row = Row::PseudoBoolean(PseudoBoolean { lits: &lits, coefficients, lo, hi });
            for encoder in pseudo_boolean::ALL.iter().filter(|encoder| encoder.supports(&row)) {
                check_row(*encoder, &row).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
}

/// 50 weights up to a million, drawn once.
const WEIGHTS: [i128; 50] = [
    763_848, 461_374, 98_847, 498_858, 272_132, 191_215, 958_863, 208_214, 33_757, 722_119,
    599_705, 305_164, 509_010, 79_652, 1_620, 575_842, 161_059, 503_636, 931_168, 76_011, 223_377,
    854_784, 67_804, 634_774, 485_451, 722_778, 597_923, 332_773, 171_052, 470_660, 848_857,
    881_252, 341_856, 475_309, 951_555, 767_729, 493_494, 420_155, 975_004, 132_667, 451_267,
    932_597, 265_864, 133_473, 539_670, 790_347, 449_190, 861_445, 550_699, 698_356,
];

/// Half the sum of these weights.
fn large_row(lits: &[Lit], visit: impl FnOnce(&Row<'_>)) {
    let sum: i128 = WEIGHTS.iter().sum();
    let view = Coefficients::Wide(&WEIGHTS);
    let row = RowView { lits, coefficients: view, lower: None, upper: Some(sum / 2) };
    let mut normalizer = Normalizer::default();
    match normalizer.normalize(row, |_| None) {
        Normalized::Row { row: Some(row), .. } => visit(&row),
        other => panic!("{other:?}"),
    }
}

#[test]
fn fifty_large_weights_are_encoded_small_with_every_conflict_found() {
    large_row(&inputs(50), |row| {
        let choice = Planner::default().choose(row).unwrap();
        let size = choice.size.unwrap();
        let name = choice.encoder.name();
        assert!(choice.encoder.strength(row) >= Strength::ConflictOnly, "{name}");
        assert!(size.variables <= 6320 && size.clauses <= 12_439, "{name}: {size:?}");
    });
}

#[test]
fn every_weighted_encoder_is_as_large_as_it_says_on_fifty_large_weights() {
    large_row(&inputs(50), |row| {
        for encoder in pseudo_boolean::ALL.iter().filter(|encoder| encoder.supports(row)) {
            let Some(size) = encoder.size_up_to(row, 1_000_000) else { continue };
            let mut counter = Counter::default();
            assert!(encoder.encode(row, &mut counter).is_continue(), "{}", encoder.name());
            assert_eq!(counter.size, size, "{}", encoder.name());
        }
    });
}

#[test]
fn half_of_a_thousand_literals_are_counted_with_sixty_thousand_clauses() {
    let lits = inputs(1000);
    let row = pbsolve_encodings::Cardinality { lits: &lits, lo: 0, hi: 500 };
    let row = Row::Cardinality(row);
    let choice = Planner::default().choose(&row).unwrap();
    let (name, size) = (choice.encoder.name(), choice.size.unwrap());
    assert_eq!(choice.encoder.strength(&row), Strength::Complete, "{name}");
    assert!(size.clauses <= 60_000, "{name}: {size:?}");
    let mut cnf = Cnf::with_variables(1000);
    assert!(choice.encoder.encode(&row, &mut cnf).is_continue(), "{name}");
    assert_eq!(cnf.num_clauses() as u64, size.clauses, "{name}");
}
