//! Weighted rows over groups of literals that exclude each other: against brute force over every
//! assignment, complete or partial, that keeps to the groups.

mod random;

use pbsolve_encodings::sink::{Cnf, Counter};
use pbsolve_encodings::testing::Propagator;
use pbsolve_encodings::{
    ClauseSink, EncodeModel, Encoder, Grouped, Planner, PseudoBoolean, Row, Strength,
    pseudo_boolean,
};
use pbsolve_model::{Assignment, Linear, Lit, Model, Var};
use random::Random;

/// A random row over literals that are in the order of their variables.
struct Example {
    lits: Vec<Lit>,
    coefficients: Vec<i128>,
    groups: Vec<u32>,
    bound: i128,
}

impl Example {
    fn new(random: &mut Random, n: usize) -> Example {
        let num_groups = 2 + random.below(n - 2);
        let lits = (0..n).map(|i| Var::new(i).lit(random.below(3) == 0)).collect();
        let largest = [2, 5, 12][random.below(3)];
        let mut coefficients: Vec<i128> = (0..n).map(|_| 1 + random.number(largest)).collect();
        let mut groups: Vec<u32> =
            (0..n).map(|_| u32::try_from(random.below(num_groups)).unwrap()).collect();
        (0..).zip(&mut groups[..num_groups]).for_each(|(number, group)| *group = number);
        let most: i128 = (0..num_groups)
            .map(|group| {
                let of_group = groups.iter().zip(&coefficients);
                let of_group = of_group.filter(|&(&g, _)| g as usize == group);
                of_group.map(|(_, &c)| c).max().unwrap()
            })
            .sum();
        let bound = random.number(usize::try_from(most).unwrap()).max(1);
        // As in normal form: no literal alone is above the bound.
        for coefficient in &mut coefficients {
            *coefficient = bound.min(*coefficient);
        }
        Example { lits, coefficients, groups, bound }
    }

    fn row(&self) -> Row<'_> {
        let Example { lits, coefficients, groups, bound } = self;
        let sum = PseudoBoolean { lits, coefficients, lo: 0, hi: *bound };
        Row::Grouped(Grouped { sum, groups })
    }

    fn cnf(&self, encoder: &dyn Encoder) -> Cnf {
        let mut cnf = Cnf::with_variables(self.lits.len());
        for (i, &a) in self.lits.iter().enumerate() {
            for (j, &b) in self.lits.iter().enumerate().skip(i + 1) {
                if self.groups[i] == self.groups[j] {
                    assert!(cnf.clause(&[!a, !b]).is_continue());
                }
            }
        }
        assert!(encoder.encode(&self.row(), &mut cnf).is_continue());
        cnf
    }

    /// The largest sum so far, if the literals that `digit` gives as 1 are true (2 is open); `None`
    /// where two of a group are.
    fn sum(&self, digit: impl Fn(usize) -> usize) -> Option<i128> {
        let is_true = |i: &usize| digit(*i) == 1;
        let of_group = |i: usize| (0..i).filter(is_true).any(|j| self.groups[i] == self.groups[j]);
        let mut places = (0..self.lits.len()).filter(is_true);
        places.try_fold(0, |sum, i| (!of_group(i)).then(|| sum + self.coefficients[i]))
    }
}

/// Makes the literals true or false as the digits say; `false` on a conflict.
fn assume(propagator: &mut Propagator, lits: &[Lit], digit: impl Fn(usize) -> usize) -> bool {
    lits.iter().enumerate().all(|(i, &lit)| match digit(i) {
        0 => propagator.assume(!lit),
        1 => propagator.assume(lit),
        _ => true,
    })
}

#[test]
fn every_weighted_encoder_conforms_on_grouped_rows() {
    let mut random = Random(7);
    for round in 0..250 {
        let example = Example::new(&mut random, 4 + round % 4);
        let n = example.lits.len();
        for &encoder in pseudo_boolean::ALL {
            let row = example.row();
            let context = format!("round {round}, {}: {row:?}", encoder.name());
            let cnf = example.cnf(encoder);
            let mut counter = Counter::default();
            assert!(encoder.encode(&row, &mut counter).is_continue());
            assert_eq!(encoder.size(&row), Some(counter.size), "{context}");
            let fresh = Propagator::new(&cnf);
            for number in 0..3usize.pow(u32::try_from(n).unwrap()) {
                let digit = |i: usize| number / 3usize.pow(u32::try_from(i).unwrap()) % 3;
                let Some(sum) = example.sum(digit) else { continue };
                let mut propagator = fresh.clone();
                let consistent = assume(&mut propagator, &example.lits, digit);
                if sum <= example.bound {
                    assert!(consistent, "{context}: {number} has a solution");
                    if (0..n).all(|i| digit(i) != 2) {
                        assert_eq!(propagator.count_extensions(1), 1, "{context}: {number}");
                    }
                } else if encoder.strength(&row) == Strength::Incomplete {
                    let extensions = if consistent { propagator.count_extensions(1) } else { 0 };
                    assert_eq!(extensions, 0, "{context}: {number}");
                } else {
                    assert!(!consistent, "{context}: {number} exceeds the bound");
                }
                if !consistent {
                    continue;
                }
                for i in (0..n).filter(|&i| digit(i) == 2) {
                    let is_group_taken =
                        (0..n).any(|j| digit(j) == 1 && example.groups[i] == example.groups[j]);
                    let exceeds = sum + example.coefficients[i] > example.bound;
                    let value = propagator.value(example.lits[i]);
                    if is_group_taken || exceeds && encoder.strength(&row) == Strength::Complete {
                        assert_eq!(value, Some(false), "{context}: {number}, literal {i}");
                    } else if !exceeds {
                        assert_eq!(value, None, "{context}: {number}, literal {i}");
                    }
                }
            }
        }
    }
}

/// A weighted row with its two bounds, and at-most-one and exactly-one rows over some of its
/// variables and others.
fn random_model(random: &mut Random) -> Model {
    let mut model = Model::default();
    let n = 4 + random.below(6);
    let vars: Vec<Var> = (0..n).map(|i| model.new_var(&format!("x{i}"))).collect();
    let mut order = vars.clone();
    for _ in 0..=random.below(3) {
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
        let flip = random.below(6) == 0;
        let lits: Vec<Lit> =
            order[..2 + random.below(n - 2)].iter().map(|var| var.lit(flip)).collect();
        model.add(match random.below(3) {
            0 => Linear::at_most(1, lits),
            _ => Linear::exactly(1, lits),
        });
    }
    for _ in 0..=random.below(2) {
        let mut term = |var: &Var| {
            let sign = if random.below(4) == 0 { -1 } else { 1 };
            (sign * (1 + random.number(6)), var.lit(random.below(4) == 0))
        };
        let terms: Vec<(i128, Lit)> = vars.iter().map(&mut term).collect();
        let reached: i128 = terms.iter().filter(|_| random.below(2) == 0).map(|&(c, _)| c).sum();
        let row = Linear::sum(terms);
        model.add(match random.below(4) {
            0 => row.with_upper(reached),
            1 => row.with_lower(reached),
            2 => row.with_lower(reached - random.number(3)).with_upper(reached),
            _ => row.with_lower(reached).with_upper(reached),
        });
    }
    model
}

#[test]
fn models_with_groups_mean_the_same_under_every_encoder() {
    let mut random = Random(11);
    let (mut grouped, mut solutions) = (0, 0);
    for round in 0..400 {
        let model = random_model(&mut random);
        let n = model.num_decisions();
        let chosen = pseudo_boolean::ALL[round % pseudo_boolean::ALL.len()];
        for planner in [Planner::default(), Planner::default().with(chosen)] {
            let mut cnf = Cnf::default();
            let mut encoding = EncodeModel::new(planner);
            assert!(encoding.model(&model, &mut cnf).is_continue());
            let is_grouped = |name: &str| name == "pseudo-Boolean AMO";
            grouped += encoding.encoded().rows.iter().filter(|r| is_grouped(r.class_name)).count();
            let fresh = Propagator::new(&cnf);
            for number in 0..1usize << n {
                let digit = |i: usize| number >> i & 1;
                let values = (0..n).map(|i| digit(i) == 1).collect();
                let is_solution = model.check(&Assignment::from_values(values)).is_ok();
                let mut propagator = fresh.clone();
                let lits: Vec<Lit> = (0..n).map(|i| Var::new(i).positive()).collect();
                let extends = !propagator.is_contradictory()
                    && assume(&mut propagator, &lits, digit)
                    && propagator.count_extensions(1) == 1;
                assert_eq!(extends, is_solution, "round {round}, {number:b}: {model:?}");
                solutions += usize::from(is_solution);
            }
        }
    }
    assert!(grouped > 200, "only {grouped} sides were grouped");
    assert!(solutions > 1000, "only {solutions} solutions");
}

/// A magic square's row in small: each cell has one of many values, the cells sum to a constant.
#[test]
fn groups_of_cells_with_one_value_each_take_a_fraction_of_the_clauses() {
    let mut model = Model::default();
    let cells: Vec<Vec<Var>> = (0..5)
        .map(|cell| (1..=25).map(|value| model.new_var(&format!("c{cell}v{value}"))).collect())
        .collect();
    for cell in &cells {
        model.add(Linear::exactly(1, cell.iter().map(|var| var.positive())));
    }
    let values = cells.iter().flat_map(|cell| (1..).zip(cell));
    let sum = Linear::sum(values.map(|(value, var)| (value, var.positive())));
    model.add(sum.with_lower(65).with_upper(65));
    let clauses = |planner: Planner| {
        let mut counter = Counter::default();
        assert!(EncodeModel::new(planner).model(&model, &mut counter).is_continue());
        counter.size.clauses
    };
    let grouped = clauses(Planner::default());
    let plain = clauses(Planner { group_exclusive: false, ..Planner::default() });
    assert!(4 * grouped < plain, "{grouped} clauses with groups, {plain} without");
}
