//! Random small models against brute force: the verdict of `solve`, and the set of solutions that a
//! search enumerates, with the encoders of the planner and with each encoder in turn.

mod random;

use pbsolve::formats::opb;
use pbsolve::{
    Assignment, Encoder, Found, Linear, Lit, Model, Outcome, Planner, Search, SolveError, Strategy,
    Var,
};
use pbsolve_encodings::Class;
use random::Random;
use std::collections::BTreeSet;

const MAX_VARIABLES: usize = 8;
const MAX_ROWS: usize = 5;

/// What models are made of.
struct Generator {
    random: Random,
    /// Draws a coefficient.
    coefficient: fn(&mut Random) -> i128,
}

impl Generator {
    fn model(&mut self) -> Model {
        let num_variables = 1 + self.random.below(MAX_VARIABLES);
        let mut model = Model::default();
        for i in 1..=num_variables {
            model.new_var(&format!("x{i}"));
        }
        for _ in 0..=self.random.below(MAX_ROWS) {
            let row = self.row(num_variables);
            model.add(row);
        }
        model
    }

    /// A sum with bounds of which most, but not all, are within its reach.
    fn row(&mut self, num_variables: usize) -> Linear {
        let terms = self.terms(num_variables);
        let least: i128 = terms.iter().map(|&(coefficient, _)| coefficient.min(0)).sum();
        let most: i128 = terms.iter().map(|&(coefficient, _)| coefficient.max(0)).sum();
        let reach = usize::try_from(most - least).expect("the sums are small");
        let mut bound = || least - 2 + self.random.below(reach + 5) as i128;
        let (one, other) = (bound(), bound());
        let sum = Linear::sum(terms);
        match self.random.below(5) {
            0 => sum.with_lower(one),
            1 => sum.with_upper(one),
            2 => sum.with_lower(one).with_upper(one),
            3 => sum.with_lower(one.min(other)).with_upper(one.max(other)),
            // Most often without a solution.
            _ => sum.with_lower(one).with_upper(other),
        }
    }

    /// Mostly different variables, sometimes with repeated and complementary literals.
    fn terms(&mut self, num_variables: usize) -> Vec<(i128, Lit)> {
        if self.random.below(4) == 0 {
            let length = self.random.below(num_variables + 2);
            let coefficient = self.coefficient;
            let term = |_| (coefficient(&mut self.random), self.random.lit(num_variables));
            return (0..length).map(term).collect();
        }
        let mut terms = Vec::new();
        for index in 0..num_variables {
            if self.random.below(4) > 0 {
                let lit = Var::new(index).lit(self.random.below(2) == 0);
                terms.push(((self.coefficient)(&mut self.random), lit));
            }
        }
        terms
    }
}

fn text(model: &Model) -> String {
    let mut text = Vec::new();
    opb::write(model, &mut text).expect("a small model can be written");
    String::from_utf8(text).expect("OPB is text")
}

/// All assignments that satisfy the rows, by substitution into the terms.
fn brute_force(model: &Model) -> BTreeSet<Vec<bool>> {
    let num_variables = model.num_decisions();
    let assignments = (0..1u32 << num_variables)
        .map(|bits| (0..num_variables).map(|i| bits >> i & 1 == 1).collect::<Vec<bool>>());
    assignments
        .filter(|values| {
            (0..model.num_explicit_rows()).all(|i| {
                let row = model.explicit_row(i);
                let holds = |lit: Lit| values[lit.var().index()] != lit.is_negative();
                let counted = row.terms().filter(|term| holds(term.lit));
                let sum: i128 = counted.map(|term| term.coefficient).sum();
                row.lower.is_none_or(|lower| sum >= lower)
                    && row.upper.is_none_or(|upper| sum <= upper)
            })
        })
        .collect()
}

fn enumerate(model: &Model, strategy: &Strategy) -> Result<BTreeSet<Vec<bool>>, SolveError> {
    let mut search = Search::new(model, model, strategy)?;
    let mut solutions = BTreeSet::new();
    loop {
        match search.next()? {
            Found::NoMore => return Ok(solutions),
            Found::Unknown(reason) => panic!("{reason} without a limit on\n{}", text(model)),
            Found::Solution(assignment) => {
                search.exclude(&assignment);
                let is_new = solutions.insert(assignment.values().to_vec());
                assert!(is_new, "a solution is found twice on\n{}", text(model));
            }
        }
    }
}

/// Whether a row may be refused: there is no encoder for weighted rows in the table.
fn may_refuse(error: &SolveError) -> bool {
    let lacks_weights = pbsolve_encodings::all().all(|e| e.class() != Class::PseudoBoolean);
    lacks_weights && matches!(error, SolveError::UnsupportedRow { .. })
}

fn strategy(encoder: Option<&'static dyn Encoder>) -> Strategy {
    let planner = encoder.map_or_else(Planner::default, |e| Planner::default().with(e));
    Strategy { planner, ..Strategy::default() }
}

/// Compares on random models; returns how many were solved.
fn compare(mut generator: Generator, num_models: usize) -> usize {
    let encoders: Vec<_> = pbsolve_encodings::all().collect();
    let mut num_solved = 0;
    for number in 0..num_models {
        let model = generator.model();
        let expected = brute_force(&model);
        let verdict = match pbsolve::solve(&model, &strategy(None)) {
            Err(error) if may_refuse(&error) => continue,
            verdict => verdict.unwrap_or_else(|error| panic!("{error} on\n{}", text(&model))),
        };
        num_solved += 1;
        let agrees = match &verdict {
            Outcome::Satisfiable(assignment) => expected.contains(assignment.values()),
            Outcome::Unsatisfiable => expected.is_empty(),
            _ => false,
        };
        assert!(agrees, "{verdict}, but {} solutions of\n{}", expected.len(), text(&model));

        // Each encoder has its turn; the ones of the planner have theirs with every model.
        for encoder in [None, Some(encoders[number % encoders.len()])] {
            let name = encoder.map_or("planner", Encoder::name);
            let found = enumerate(&model, &strategy(encoder));
            let found = found.unwrap_or_else(|e| panic!("{name}: {e} on\n{}", text(&model)));
            assert_eq!(found, expected, "{name} on\n{}", text(&model));
        }
    }
    num_solved
}

#[test]
fn sums_of_literals_have_the_solutions_of_brute_force() {
    let coefficient = |random: &mut Random| if random.below(4) == 0 { -1 } else { 1 };
    let num_solved = compare(Generator { random: Random::new(1), coefficient }, 3000);
    assert!(num_solved > 1000, "only {num_solved} models were solved");
}

#[test]
fn weighted_sums_have_the_solutions_of_brute_force() {
    let coefficient = |random: &mut Random| random.below(11) as i128 - 5;
    compare(Generator { random: Random::new(2), coefficient }, 1500);
}

#[test]
fn equal_weights_are_divided_out() {
    let coefficient = |random: &mut Random| if random.below(4) == 0 { -3 } else { 3 };
    let num_solved = compare(Generator { random: Random::new(3), coefficient }, 500);
    assert!(num_solved > 150, "only {num_solved} models were solved");
}

#[test]
fn a_model_without_rows_has_all_assignments_as_solutions() {
    let mut model = Model::default();
    for name in ["a", "b", "c"] {
        model.new_var(name);
    }
    assert_eq!(enumerate(&model, &Strategy::default()).unwrap().len(), 8);
    let nothing = Model::default();
    let only = BTreeSet::from([Vec::new()]);
    assert_eq!(enumerate(&nothing, &Strategy::default()).unwrap(), only);
    let verdict = pbsolve::solve(&nothing, &Strategy::default()).unwrap();
    assert_eq!(verdict, Outcome::Satisfiable(Assignment::from_values(Vec::new())));
}
