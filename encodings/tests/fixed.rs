//! What a row fixes by the values that are known: what its bounds force, literal by literal, by the
//! simplest rule there is.

mod random;

use pbsolve_encodings::{EncodeModel, Fixed, Fixing, Planner};
use pbsolve_model::{Coefficients, Lit, RowId, RowView, Var};
use random::Random;

/// The least and the greatest sum by these values.
fn range(row: RowView<'_>, values: &[Option<bool>]) -> (i128, i128) {
    let contribution = |lit: Lit| values[lit.var().index()].map(|v| v != lit.is_negative());
    row.terms().fold((0, 0), |(least, most), term| match contribution(term.lit) {
        Some(true) => (least + term.coefficient, most + term.coefficient),
        Some(false) => (least, most),
        None => (least + term.coefficient.min(0), most + term.coefficient.max(0)),
    })
}

fn is_violated(row: RowView<'_>, values: &[Option<bool>]) -> bool {
    let (least, most) = range(row, values);
    row.lower.is_some_and(|lower| most < lower) || row.upper.is_some_and(|upper| least > upper)
}

/// Tries both values of each variable until nothing changes; `None` if the row cannot be met.
fn forced(row: RowView<'_>, values: &[Option<bool>]) -> Option<Vec<Option<bool>>> {
    let mut values = values.to_vec();
    loop {
        if is_violated(row, &values) {
            return None;
        }
        let before = values.clone();
        for var in 0..values.len() {
            for value in [false, true] {
                let mut tried = values.clone();
                tried[var] = Some(value);
                if values[var].is_none() && is_violated(row, &tried) {
                    values[var] = Some(!value);
                }
            }
        }
        if values == before {
            return Some(values);
        }
    }
}

#[test]
fn a_row_fixes_what_its_bounds_force() {
    let mut random = Random(7);
    let mut counts = [0; 3];
    for _ in 0..20_000 {
        let num_vars = 1 + random.below(5);
        let lits: Vec<Lit> = (0..num_vars).map(|i| Var::new(i).lit(random.below(2) == 0)).collect();
        let coefficients: Vec<i128> = (0..num_vars).map(|_| random.number(9) - 4).collect();
        let [a, b] = [random.number(17) - 7, random.number(17) - 7];
        let (lower, upper) = match random.below(4) {
            0 => (Some(a), None),
            1 => (None, Some(a)),
            2 => (Some(a), Some(a)),
            _ => (Some(a.min(b)), Some(a.max(b))),
        };
        let values = [None, None, Some(false), Some(true)];
        let known: Vec<Option<bool>> = (0..num_vars).map(|_| values[random.below(4)]).collect();
        let row =
            RowView { lits: &lits, coefficients: Coefficients::Wide(&coefficients), lower, upper };
        let mut encode = EncodeModel::new(Planner::default());
        encode.fixed = Fixed::without_proof(known.clone());
        let fixing = encode.fix(RowId(0), row, |_| true, None);
        let Some(expected) = forced(row, &known) else {
            assert_eq!(fixing, Fixing::Contradiction, "{row:?} {known:?}");
            counts[0] += 1;
            continue;
        };
        assert_eq!(encode.fixed.values(), expected, "{row:?} {known:?}");
        let changes = expected != known;
        assert_eq!(fixing == Fixing::Fixed, changes, "{row:?} {known:?}");
        counts[1 + usize::from(changes)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}
