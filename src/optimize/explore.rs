//! Local search that passes through assignments which violate rows: the violated rows weigh more
//! the longer they are violated, and so does an objective that is no better than the best.
//!
//! Z. Lei, S. Cai, C. Luo, H. Hoos: Efficient Local Search for Pseudo Boolean Optimization.
//! SAT 2021.

use super::Take;
use super::bounds::{Bounds, Turn};
use super::rows::{Rows, Walk};
use super::weighted_sum::WeightedSum;
use crate::limits::Limits;
use crate::outcome::SolveError;
use crate::search::Statistics;
use pbsolve_model::{Assignment, Var};

/// Work that one changed variable is taken to cost.
const WORK_PER_STEP: u64 = 64;

/// Variables looked at for one step.
const SAMPLES: usize = 40;

/// Steps without a better solution after which the walk begins again from the best.
const PATIENCE: u64 = 20_000;

/// Steps towards a first solution, beyond those of the turn.
const MAX_FIRST_STEPS: u64 = 50_000;

#[derive(Debug)]
pub(super) struct Explore<'a> {
    rows: &'a Rows,
    limits: &'a Limits,
    /// What the sum gains when the variable becomes true.
    gains: Vec<i128>,
    /// Variables of the sum.
    priced: Vec<Var>,
    /// Violated rows, in no order, and the place of each row among them.
    violated: Vec<u32>,
    place: Vec<u32>,
    row_weights: Vec<f64>,
    /// What a miss of 1 is taken to be worth: rows differ in the size of their coefficients.
    row_units: Vec<f64>,
    objective_weight: f64,
    objective_unit: f64,
    /// The step of each variable's last change.
    changed: Vec<u64>,
    weight: i128,
    steps: u64,
    last_success: u64,
    random: u64,
}

const NOWHERE: u32 = u32::MAX;

#[allow(clippy::cast_precision_loss, reason = "scores are compared, not counted")]
fn score_of(number: i128) -> f64 {
    number as f64
}

impl<'a> Explore<'a> {
    pub(super) fn new(rows: &'a Rows, sum: &WeightedSum, limits: &'a Limits) -> Explore<'a> {
        let num_variables = rows.num_variables();
        let mut gains = vec![0; num_variables];
        for &(weight, lit) in &sum.terms {
            gains[lit.var().index()] = if lit.is_negative() { -weight } else { weight };
        }
        let unit = |row: usize| {
            let numbers = rows.terms(row).iter().map(|term| score_of(term.coefficient).abs());
            let (number, total) = numbers.fold((0.0f64, 0.0f64), |(n, sum), c| (n + 1.0, sum + c));
            (total / number.max(1.0)).max(1.0)
        };
        let total: f64 = sum.terms.iter().map(|&(weight, _)| score_of(weight)).sum();
        Explore {
            rows,
            limits,
            priced: sum.terms.iter().map(|&(_, lit)| lit.var()).collect(),
            gains,
            violated: Vec::new(),
            place: vec![NOWHERE; rows.len()],
            row_weights: vec![1.0; rows.len()],
            row_units: (0..rows.len()).map(unit).collect(),
            objective_weight: 1.0,
            objective_unit: (total / score_of(sum.terms.len().max(1) as i128)).max(1.0),
            changed: vec![0; num_variables],
            weight: 0,
            steps: 0,
            last_success: 0,
            random: 0x2545_F491_4F6C_DD1D,
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        usize::try_from(self.random >> 20).expect("64-bit machines") % bound
    }

    /// A walk that begins here; the assignment may violate rows.
    fn begin(&mut self, from: &Assignment, weight: i128) -> Walk<'a> {
        let walk = Walk::new(self.rows, from);
        self.weight = weight;
        self.violated.clear();
        self.place.fill(NOWHERE);
        for row in 0..self.rows.len() {
            if walk.is_violated(row) {
                self.violate(u32::try_from(row).expect("fewer than 2^32 rows"));
            }
        }
        self.row_weights.fill(1.0);
        self.objective_weight = 1.0;
        self.last_success = self.steps;
        walk
    }

    fn violate(&mut self, row: u32) {
        self.place[row as usize] = u32::try_from(self.violated.len()).expect("fewer than rows");
        self.violated.push(row);
    }

    /// The assignment that costs nothing, whatever it violates.
    fn cheapest(&self) -> Assignment {
        Assignment::from_values(self.gains.iter().map(|&gain| gain < 0).collect())
    }

    /// How much better it is to change a variable.
    fn score(&self, walk: &Walk<'_>, var: Var) -> f64 {
        let becomes = !walk.values[var.index()];
        let gain = self.gains[var.index()];
        let cost = score_of(if becomes { gain } else { -gain }) / self.objective_unit;
        let mut score = -self.objective_weight * cost;
        for &(row, gain) in self.rows.occurrences(var) {
            let row = row as usize;
            let sum = walk.sums[row];
            let after = if becomes { sum + gain } else { sum - gain };
            let (before, after) = (self.rows.miss(row, sum), self.rows.miss(row, after));
            if before != after {
                score += self.row_weights[row] * score_of(before - after) / self.row_units[row];
            }
        }
        score
    }

    fn change(&mut self, walk: &mut Walk<'_>, var: Var) {
        walk.flip(var);
        let gain = self.gains[var.index()];
        self.weight += if walk.values[var.index()] { gain } else { -gain };
        self.changed[var.index()] = self.steps;
        for &(row, _) in self.rows.occurrences(var) {
            let place = self.place[row as usize];
            match (walk.is_violated(row as usize), place) {
                (true, NOWHERE) => self.violate(row),
                (false, place) if place != NOWHERE => {
                    self.place[row as usize] = NOWHERE;
                    self.violated.swap_remove(place as usize);
                    if let Some(&moved) = self.violated.get(place as usize) {
                        self.place[moved as usize] = place;
                    }
                }
                _ => {}
            }
        }
    }

    /// Chooses the next variable: the best of a sample that could mend a violated row, or of one
    /// that could lower the sum.
    fn choose(&mut self, walk: &Walk<'_>) -> Option<Var> {
        let mut candidates: Vec<Var> = Vec::with_capacity(SAMPLES);
        if self.violated.is_empty() {
            for _ in 0..SAMPLES.min(self.priced.len() * 2) {
                let place = self.below(self.priced.len());
                let var = self.priced[place];
                let gain = self.gains[var.index()];
                if walk.values[var.index()] == (gain > 0) {
                    candidates.push(var);
                }
            }
        } else {
            let place = self.below(self.violated.len());
            let row = self.violated[place] as usize;
            let num_terms = self.rows.terms(row).len();
            if num_terms == 0 {
                // Nothing mends a row without terms.
                return None;
            }
            let start = self.below(num_terms);
            for i in 0..num_terms.min(SAMPLES) {
                candidates.push(self.rows.terms(row)[(start + i) % num_terms].lit.var());
            }
            // The objective may be what holds the walk back.
            let place = self.below(self.priced.len());
            candidates.push(self.priced[place]);
        }
        let best = candidates.into_iter().map(|var| (self.score(walk, var), var));
        // Ties go to the variable that was left alone longest.
        let best = best.max_by(|a, b| {
            let older = self.changed[b.1.index()].cmp(&self.changed[a.1.index()]);
            a.0.total_cmp(&b.0).then(older)
        });
        let (score, var) = best?;
        if score <= 0.0 {
            self.weigh_more();
        }
        Some(var)
    }

    /// At a local optimum, what is violated weighs more.
    fn weigh_more(&mut self) {
        const LIMIT: f64 = 1e6;
        for &row in &self.violated {
            let weight = &mut self.row_weights[row as usize];
            *weight = (*weight + 1.0).min(LIMIT);
        }
        if self.violated.is_empty() {
            self.objective_weight = (self.objective_weight + 0.3).min(LIMIT);
        }
    }
}

impl Take for Explore<'_> {
    fn name(&self) -> &'static str {
        "local search"
    }

    fn turn(&mut self, work: u64, bounds: &mut Bounds<'_>) -> Result<Turn, SolveError> {
        if self.priced.is_empty() {
            return Ok(Turn::Next);
        }
        // Without a solution, the walk looks for one from where it costs nothing.
        let known = bounds.best().cloned().zip(bounds.upper());
        let mut target = known.as_ref().map_or(i128::MAX, |&(_, upper)| upper);
        let mut from = known.unwrap_or_else(|| (self.cheapest(), 0));
        let mut walk = self.begin(&from.0, from.1);
        let mut end = self.steps + work / WORK_PER_STEP;
        if target == i128::MAX {
            // Every variable may have to change before there is a first solution.
            end += (2 * self.changed.len() as u64).min(MAX_FIRST_STEPS);
        }
        if self.violated.is_empty() && target == i128::MAX {
            bounds.offer(&from.0);
            target = 0;
        }
        if bounds.have_met() {
            return Ok(Turn::Over);
        }
        while self.steps < end {
            self.steps += 1;
            if self.steps.is_multiple_of(256) && self.limits.reached().is_some() {
                break;
            }
            if self.steps - self.last_success > PATIENCE {
                walk = self.begin(&from.0, from.1);
            }
            let Some(var) = self.choose(&walk) else {
                self.weigh_more();
                continue;
            };
            self.change(&mut walk, var);
            if self.violated.is_empty() && self.weight < target {
                bounds.offer(&Assignment::from_values(walk.values.clone()));
                if bounds.have_met() {
                    return Ok(Turn::Over);
                }
                if let Some((solution, upper)) = bounds.best().zip(bounds.upper()) {
                    (from, target) = ((solution.clone(), upper), upper);
                }
                self.last_success = self.steps;
            }
        }
        Ok(Turn::Next)
    }

    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}
