//! Changes to a model that leave its solutions as they are, or rename them: the number of solutions
//! and the optimum stay the same.

mod random;

use pbsolve::{
    Found, Linear, Lit, Model, Objective, Optimum, Search, Sense, Strategy, Var, optimize,
};
use pbsolve_model::Term;
use random::Random;
use random::models::{Generator, text};

/// A model in a form that is easy to change.
#[derive(Clone)]
struct Parts {
    num_variables: usize,
    rows: Vec<Linear>,
    objective: Objective,
}

impl Parts {
    fn random(generator: &mut Generator) -> Parts {
        let model = generator.model();
        let num_variables = model.num_decisions();
        let row = |i: usize| {
            let view = model.explicit_row(i);
            let (lower, upper) = (view.lower, view.upper);
            Linear { terms: view.terms().collect(), lower, upper, name: None }
        };
        let rows = (0..model.num_explicit_rows()).map(row).collect();
        let terms = generator.terms(num_variables).into_iter();
        let terms = terms.map(|(coefficient, lit)| Term { coefficient, lit }).collect();
        let objective = Objective { sense: Sense::Minimize, terms, constant: 3, divisor: 1 };
        Parts { num_variables, rows, objective }
    }

    fn model(&self) -> Model {
        let mut model = Model::default();
        for i in 1..=self.num_variables {
            model.new_var(&format!("x{i}"));
        }
        for row in &self.rows {
            model.add(row.clone());
        }
        model.set_objective(self.objective.clone());
        model
    }

    fn for_each_lit(&mut self, change: impl Fn(Lit) -> Lit) {
        let rows = self.rows.iter_mut().flat_map(|row| &mut row.terms);
        for term in rows.chain(&mut self.objective.terms) {
            term.lit = change(term.lit);
        }
    }
}

/// The number of solutions and the best value.
fn answer(parts: &Parts) -> (u64, Option<i128>) {
    let model = parts.model();
    let strategy = Strategy::default();
    let mut search = Search::new(&model, &model, &strategy).expect("rows that can be encoded");
    let mut number = 0;
    loop {
        match search.next().expect("checked answers") {
            Found::NoMore => break,
            Found::Solution(solution) => {
                number += 1;
                search.exclude(&solution);
            }
            Found::Unknown(reason) => panic!("{reason} without a limit"),
        }
    }
    let (optimum, _) = optimize(&model, &strategy, &mut |_| {}).expect("as above");
    let value = match optimum {
        Optimum::Optimal(solution) => parts.objective.value(&solution),
        Optimum::Unsatisfiable => None,
        other => panic!("{other:?} without a limit"),
    };
    (number, value)
}

type Change = fn(&mut Parts, &mut Random);

const CHANGES: &[(&str, Change)] = &[
    ("the variables in another order", |parts, random| {
        let mut order: Vec<usize> = (0..parts.num_variables).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
        parts.for_each_lit(|lit| Var::new(order[lit.var().index()]).lit(!lit.is_negative()));
    }),
    ("the rows in another order, twice each", |parts, _| {
        let again = parts.rows.clone();
        parts.rows.reverse();
        parts.rows.extend(again);
    }),
    ("a variable negated throughout", |parts, random| {
        let negated = random.below(parts.num_variables);
        parts.for_each_lit(|lit| if lit.var().index() == negated { !lit } else { lit });
    }),
    ("rows and objective scaled", |parts, random| {
        for row in &mut parts.rows {
            let factor = i128::try_from(1 + random.below(5)).expect("small");
            row.terms.iter_mut().for_each(|term| term.coefficient *= factor);
            row.lower = row.lower.map(|bound| bound * factor);
            row.upper = row.upper.map(|bound| bound * factor);
        }
    }),
    ("rows turned round", |parts, _| {
        for row in &mut parts.rows {
            row.terms.iter_mut().for_each(|term| term.coefficient *= -1);
            (row.lower, row.upper) = (row.upper.map(|b| -b), row.lower.map(|b| -b));
        }
    }),
    ("literals written as one minus their negation", |parts, _| {
        for row in &mut parts.rows {
            // c l = c - c ~l
            let constant: i128 = row.terms.iter().map(|term| term.coefficient).sum();
            for term in &mut row.terms {
                (term.coefficient, term.lit) = (-term.coefficient, !term.lit);
            }
            row.lower = row.lower.map(|bound| bound - constant);
            row.upper = row.upper.map(|bound| bound - constant);
        }
    }),
    ("two-sided rows split", |parts, _| {
        let halves = parts.rows.iter().flat_map(|row| {
            let (lower, upper) = (row.lower, row.upper);
            [Linear { upper: None, ..row.clone() }, Linear { lower: None, upper, ..row.clone() }]
                .map(|half| {
                    if half.lower.is_none() && half.upper.is_none() {
                        Linear { lower, ..row.clone() }
                    } else {
                        half
                    }
                })
        });
        parts.rows = halves.collect();
    }),
    ("the sum of two rows added", |parts, random| {
        let [a, b] = [0, 1].map(|_| parts.rows[random.below(parts.rows.len())].clone());
        let add = |a: Option<i128>, b: Option<i128>| Some(a? + b?);
        let terms = a.terms.iter().chain(&b.terms).copied().collect();
        let (lower, upper) = (add(a.lower, b.lower), add(a.upper, b.upper));
        parts.rows.push(Linear { terms, lower, upper, name: None });
    }),
];

fn check(seed: u64, number: usize, coefficient: fn(&mut Random) -> i128) {
    let mut generator = Generator { random: Random::new(seed), coefficient };
    for _ in 0..number {
        let parts = Parts::random(&mut generator);
        let expected = answer(&parts);
        for (what, change) in CHANGES {
            let mut changed = parts.clone();
            change(&mut changed, &mut generator.random);
            let found = answer(&changed);
            assert_eq!(found, expected, "{what}:\n{}", text(&parts.model()));
        }
    }
}

#[test]
fn changes_that_mean_nothing_change_nothing_where_literals_are_counted() {
    check(11, 250, |_| 1);
}

#[test]
fn changes_that_mean_nothing_change_nothing_where_literals_are_weighted() {
    check(12, 250, |random| [-3, -2, -1, 1, 2, 5][random.below(6)]);
}
