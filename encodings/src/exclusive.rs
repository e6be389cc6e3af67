//! Literals that exclude each other, as rows of the model say, and what becomes of a weighted row
//! with them: an upper bound over groups, of each of which at most one literal counts.
//!
//! M. Bofill, J. Coll, P. Nightingale, J. Suy, F. Ulrich-Oltean, M. Villaret: SAT Encodings for
//! Pseudo-Boolean Constraints Together With At-Most-One Constraints. Artificial Intelligence 2022
//! (the encodings, and groups chosen greedily).

use crate::normalize::{Normalized, Normalizer};
use crate::row::{PseudoBoolean, Row};
use pbsolve_model::{Coefficients, Lit, Model, RowView, Var};
use std::collections::{BinaryHeap, HashMap, HashSet};

/// Rows with more literals are not looked at.
const MAX_LITERALS: usize = 10_000;

/// Sets of literals of which at most one, or exactly one, is true.
#[derive(Clone, Debug, Default)]
pub struct ExclusiveSets {
    /// The literals of all sets, one set after the other.
    lits: Vec<Lit>,
    ends: Vec<usize>,
    is_exactly_one: Vec<bool>,
    /// For each variable the sets with one of its literals; shorter than the model.
    sets_of: Vec<Vec<u32>>,
}

impl ExclusiveSets {
    /// Collects the explicit at-most-one and exactly-one rows that share two variables or more with
    /// weighted ones; `fixed` has the values of known variables, and may be shorter than the model.
    /// These rows must be stated along with any row that is grouped by them.
    pub fn of_model(model: &Model, fixed: &[Option<bool>]) -> ExclusiveSets {
        let mut sets = ExclusiveSets::default();
        let rows = || (0..model.num_explicit_rows()).map(|i| model.explicit_row(i));
        let mut is_weighted = vec![false; model.num_decisions()];
        let mut any = false;
        for row in rows().filter(has_weights) {
            row.lits.iter().for_each(|lit| is_weighted[lit.var().index()] = true);
            any = true;
        }
        if !any {
            return sets;
        }
        let mut normalizer = Normalizer::default();
        let known = |var: Var| fixed.get(var.index()).copied().flatten();
        for row in rows().filter(|row| row.len() <= MAX_LITERALS && !has_weights(row)) {
            let shared = row.lits.iter().filter(|lit| is_weighted[lit.var().index()]);
            if shared.take(2).count() < 2 {
                continue;
            }
            let Normalized::Row { row: Some(row), .. } = normalizer.normalize(row, known) else {
                continue;
            };
            match row {
                Row::AtMostOne(lits) => sets.add(lits.iter().copied(), false),
                Row::ExactlyOne(lits) => sets.add(lits.iter().copied(), true),
                // One of two is true: at most one of their negations.
                Row::Clause(lits @ [_, _]) => sets.add(lits.iter().map(|&lit| !lit), false),
                _ => {}
            }
        }
        sets
    }

    /// Whether there is no set.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn add(&mut self, lits: impl Iterator<Item = Lit>, is_exactly_one: bool) {
        let number = u32::try_from(self.ends.len()).expect("fewer rows than 2^32");
        for lit in lits {
            let index = lit.var().index();
            if index >= self.sets_of.len() {
                self.sets_of.resize(index + 1, Vec::new());
            }
            self.sets_of[index].push(number);
            self.lits.push(lit);
        }
        self.ends.push(self.lits.len());
        self.is_exactly_one.push(is_exactly_one);
    }

    fn set(&self, number: u32) -> &[Lit] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.lits[start..self.ends[number]]
    }

    /// One side of a weighted row over groups: the upper side, or the lower one as an upper bound.
    /// `None` if that side is not active, no two of its literals exclude each other, or its numbers
    /// would come near the end of `i128`.
    pub(crate) fn group(&self, row: &PseudoBoolean<'_>, is_upper: bool) -> Option<GroupedSide> {
        let sum: i128 = row.coefficients.iter().sum();
        let is_active = if is_upper { row.hi < sum } else { row.lo > 0 };
        let known = |lit: &Lit| self.sets_of.get(lit.var().index()).is_some_and(|s| !s.is_empty());
        if !is_active || row.lits.iter().filter(|lit| known(lit)).take(2).count() < 2 {
            return None;
        }
        let mut signed = Signed::new(row, is_upper)?;
        let mut groups = Vec::new();
        // The number of variables that a set shares with the ungrouped rest only falls.
        let mut shared: HashMap<u32, usize> = HashMap::new();
        for lit in row.lits {
            for &set in self.sets_of.get(lit.var().index()).into_iter().flatten() {
                *shared.entry(set).or_default() += 1;
            }
        }
        let order = |(set, shared): (u32, usize)| (shared, std::cmp::Reverse(set));
        let mut open: BinaryHeap<_> = shared.into_iter().map(order).collect();
        while let Some((before, set)) = open.pop() {
            let lits = self.set(set.0);
            let now = lits.iter().filter(|lit| signed.cost(**lit) != 0).count();
            if now < 2 {
                continue;
            }
            if now < before {
                open.push((now, set));
                continue;
            }
            let is_whole = !lits.iter().any(|lit| signed.taken.contains(&lit.var()));
            if self.is_exactly_one[set.0 as usize] && is_whole && 2 * now >= lits.len() {
                signed.pay(lits)?;
            }
            let group: Vec<(i128, Lit)> = lits
                .iter()
                .map(|&lit| (signed.cost(lit), lit))
                .filter(|&(cost, _)| cost > 0)
                .collect();
            if group.len() > 1 {
                for &(_, lit) in &group {
                    signed.take(lit);
                }
                groups.push(group);
            }
        }
        if groups.is_empty() {
            return None;
        }
        let (rest, bound) = signed.rest()?;
        groups.extend(rest.into_iter().map(|term| vec![term]));
        // Beyond this, sums that encoders build could pass the end.
        let total = groups.iter().flatten().try_fold(0i128, |sum, &(c, _)| sum.checked_add(c))?;
        (total < i128::MAX / 4).then_some(GroupedSide { groups, bound })
    }
}

fn has_weights(row: &RowView<'_>) -> bool {
    !matches!(row.coefficients, Coefficients::Ones)
        && row.terms().any(|term| term.coefficient.abs() != row.coefficient(0).abs())
}

/// `sum <= bound` with positive coefficients; of each group at most one literal is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GroupedSide {
    pub(crate) groups: Vec<Vec<(i128, Lit)>>,
    pub(crate) bound: i128,
}

impl GroupedSide {
    /// Whether no sum is above the bound.
    pub(crate) fn is_met_always(&self) -> bool {
        let largest = |group: &Vec<(i128, Lit)>| group.iter().map(|&(c, _)| c).max().unwrap_or(0);
        self.groups.iter().map(largest).sum::<i128>() <= self.bound
    }
}

/// `sum <= bound` with a coefficient of either sign for each variable.
struct Signed {
    coefficients: HashMap<Var, i128>,
    /// The variables in the order in which they came.
    vars: Vec<Var>,
    /// Variables that are in a group.
    taken: HashSet<Var>,
    bound: i128,
}

impl Signed {
    fn new(row: &PseudoBoolean<'_>, is_upper: bool) -> Option<Signed> {
        let bound = if is_upper { row.hi } else { -row.lo };
        let vars = row.lits.iter().map(|lit| lit.var()).collect();
        let mut signed =
            Signed { coefficients: HashMap::new(), vars, taken: HashSet::new(), bound };
        for (&lit, &coefficient) in row.lits.iter().zip(row.coefficients) {
            signed.add(if is_upper { coefficient } else { -coefficient }, lit)?;
        }
        Some(signed)
    }

    /// Adds a term; `None` beyond `i128`.
    fn add(&mut self, coefficient: i128, lit: Lit) -> Option<()> {
        let known = self.coefficients.entry(lit.var()).or_default();
        if lit.is_negative() {
            // c ~x = c - c x
            self.bound = self.bound.checked_sub(coefficient)?;
            *known = known.checked_sub(coefficient)?;
        } else {
            *known = known.checked_add(coefficient)?;
        }
        Some(())
    }

    /// What a literal adds when it is true, compared with when it is false; 0 if it was taken.
    fn cost(&self, lit: Lit) -> i128 {
        let coefficient = self.coefficients.get(&lit.var()).copied().unwrap_or(0);
        if lit.is_negative() { -coefficient } else { coefficient }
    }

    /// Takes the least cost of literals, of which exactly one is true, from the bound.
    fn pay(&mut self, lits: &[Lit]) -> Option<()> {
        let least = lits.iter().map(|&lit| self.cost(lit)).min().unwrap_or(0);
        if least == 0 {
            return Some(());
        }
        for &lit in lits {
            if !self.coefficients.contains_key(&lit.var()) {
                self.vars.push(lit.var());
            }
            self.add(-least, lit)?;
        }
        self.bound = self.bound.checked_sub(least)?;
        Some(())
    }

    /// Takes a literal of positive cost out.
    fn take(&mut self, lit: Lit) {
        if lit.is_negative() {
            // c x = c - |c| ~x with c negative: the constant stays here, the literal leaves.
            let cost = self.cost(lit);
            self.bound += cost;
        }
        self.coefficients.insert(lit.var(), 0);
        self.taken.insert(lit.var());
    }

    /// The terms that were not taken, made positive, and the bound.
    fn rest(mut self) -> Option<(Vec<(i128, Lit)>, i128)> {
        let mut terms = Vec::new();
        for var in std::mem::take(&mut self.vars) {
            let coefficient = self.coefficients[&var];
            if coefficient < 0 {
                self.bound = self.bound.checked_sub(coefficient)?;
                terms.push((-coefficient, var.negative()));
            } else if coefficient > 0 {
                terms.push((coefficient, var.positive()));
            }
            self.coefficients.insert(var, 0);
        }
        Some((terms, self.bound))
    }
}
