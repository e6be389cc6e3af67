//! Literals that exclude each other, as rows of the model say, and what becomes of a weighted sum
//! with them: a sum over groups, of each of which at most one literal counts.
//!
//! M. Bofill, J. Coll, P. Nightingale, J. Suy, F. Ulrich-Oltean, M. Villaret: SAT Encodings for
//! Pseudo-Boolean Constraints Together With At-Most-One Constraints. Artificial Intelligence 2022
//! (the encodings, and groups chosen greedily).

use crate::normalize::{Normalized, Normalizer};
use crate::row::{PseudoBoolean, Row};
use pbsolve_model::{Coefficients, Lit, Model, RowView, Var};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Rows with more literals are not looked at.
const MAX_LITERALS: usize = 10_000;

/// Sums whose numbers would come beyond this are left as they are.
const LARGEST_SUM: i128 = i128::MAX / 4;

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
    /// The sets that group the weighted rows of a model. Their rows must be stated along with any
    /// row that is grouped by them.
    pub fn for_rows(model: &Model, fixed: &[Option<bool>]) -> ExclusiveSets {
        let mut is_weighted = vec![false; model.num_decisions()];
        let weighted = (0..model.num_explicit_rows()).map(|i| model.explicit_row(i));
        for row in weighted.filter(has_weights) {
            row.lits.iter().for_each(|lit| is_weighted[lit.var().index()] = true);
        }
        ExclusiveSets::among(model, &is_weighted, fixed)
    }

    /// The explicit at-most-one and exactly-one rows that have two variables or more of those that
    /// are marked. `fixed` has the values of known variables, and may be shorter than the model.
    pub fn among(model: &Model, is_marked: &[bool], fixed: &[Option<bool>]) -> ExclusiveSets {
        let mut sets = ExclusiveSets::default();
        if !is_marked.contains(&true) {
            return sets;
        }
        let mut normalizer = Normalizer::default();
        let known = |var: Var| fixed.get(var.index()).copied().flatten();
        let rows = (0..model.num_explicit_rows()).map(|i| model.explicit_row(i));
        for row in rows.filter(|row| row.len() <= MAX_LITERALS && !has_weights(row)) {
            let marked = row.lits.iter().filter(|lit| is_marked[lit.var().index()]);
            if marked.take(2).count() < 2 {
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

    /// A weighted sum over groups. What exactly-one rows cost in any case is in the offset.
    ///
    /// # Panics
    /// If the sums of the terms are beyond `i128`.
    pub fn group(&self, terms: impl IntoIterator<Item = (i128, Lit)>) -> GroupedSum {
        let mut sum = SignedSum::default();
        // The number of variables that a set shares with what has no group yet only falls.
        let mut shared: HashMap<u32, usize> = HashMap::new();
        for (coefficient, lit) in terms {
            sum.add_term(coefficient, lit);
            for &set in self.sets_of.get(lit.var().index()).into_iter().flatten() {
                *shared.entry(set).or_default() += 1;
            }
        }
        let mut sets: Vec<u32> = shared.keys().copied().collect();
        sets.sort_unstable();
        for set in sets.into_iter().filter(|&set| self.is_exactly_one[set as usize]) {
            sum.pay(self.set(set));
        }
        let order = |(set, shared): (u32, usize)| (shared, Reverse(set));
        let mut open: BinaryHeap<_> = shared.into_iter().map(order).collect();
        let mut groups = Vec::new();
        while let Some((before, set)) = open.pop() {
            let costs = self.set(set.0).iter().map(|&lit| (sum.cost(lit), lit));
            let group: Vec<(i128, Lit)> = costs.filter(|&(cost, _)| cost > 0).collect();
            if group.len() < 2 {
                continue;
            }
            if group.len() < before {
                open.push((group.len(), set));
                continue;
            }
            for &(_, lit) in &group {
                sum.take(lit);
            }
            groups.push(group);
        }
        let (rest, offset) = sum.rest();
        groups.extend(rest.into_iter().map(|term| vec![term]));
        GroupedSum { groups, offset }
    }

    /// One side of a weighted row over groups: the upper side, or the lower one as an upper bound.
    /// `None` if that side is not active, or no two of its literals exclude each other.
    pub(crate) fn group_side(
        &self,
        row: &PseudoBoolean<'_>,
        is_upper: bool,
    ) -> Option<GroupedSide> {
        let total: i128 = row.coefficients.iter().sum();
        let is_active = if is_upper { row.hi < total } else { row.lo > 0 };
        let is_in_set =
            |lit: &&Lit| self.sets_of.get(lit.var().index()).is_some_and(|s| !s.is_empty());
        if !is_active || row.lits.iter().filter(is_in_set).take(2).count() < 2 {
            return None;
        }
        let sign = if is_upper { 1 } else { -1 };
        let terms = row.lits.iter().zip(row.coefficients).map(|(&lit, &c)| (sign * c, lit));
        let GroupedSum { groups, offset } = self.group(terms);
        if groups.iter().all(|group| group.len() == 1) {
            return None;
        }
        let bound = if is_upper { row.hi } else { -row.lo };
        Some(GroupedSide { groups, bound: bound.checked_sub(offset)? })
    }
}

/// `offset` plus a sum of positive coefficients; of each group at most one literal is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupedSum {
    /// Terms over distinct variables; a literal that excludes none is a group of its own.
    pub groups: Vec<Vec<(i128, Lit)>>,
    /// What the sum comes to where all literals are false.
    pub offset: i128,
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

/// A sum with a coefficient of either sign for each variable.
#[derive(Default)]
struct SignedSum {
    coefficients: HashMap<Var, i128>,
    /// The variables in the order in which they came.
    vars: Vec<Var>,
    offset: i128,
    /// At least the sum of the absolute values of all coefficients.
    total: i128,
}

const FITS: &str = "the sums of a row or an objective fit 128 bits";

impl SignedSum {
    fn add_term(&mut self, coefficient: i128, lit: Lit) {
        self.add(coefficient, lit);
        let size = coefficient.checked_abs();
        self.total = size.and_then(|size| self.total.checked_add(size)).expect(FITS);
    }

    fn add(&mut self, coefficient: i128, lit: Lit) {
        let known = self.coefficients.entry(lit.var()).or_insert_with(|| {
            self.vars.push(lit.var());
            0
        });
        if lit.is_negative() {
            // c ~x = c - c x
            self.offset = self.offset.checked_add(coefficient).expect(FITS);
            *known = known.checked_sub(coefficient).expect(FITS);
        } else {
            *known = known.checked_add(coefficient).expect(FITS);
        }
    }

    /// What a literal adds when it is true, compared with when it is false; 0 if it was taken.
    fn cost(&self, lit: Lit) -> i128 {
        let coefficient = self.coefficients.get(&lit.var()).copied().unwrap_or(0);
        if lit.is_negative() { -coefficient } else { coefficient }
    }

    /// Moves the least cost of literals, of which exactly one is true, to the offset.
    fn pay(&mut self, lits: &[Lit]) {
        let least = lits.iter().map(|&lit| self.cost(lit)).min().unwrap_or(0);
        let after = lits.iter().map(|&lit| self.cost(lit).checked_sub(least));
        let after = after.into_iter().try_fold(0i128, |sum, cost| sum.checked_add(cost?));
        let total = after.and_then(|after| after.checked_add(self.total));
        let Some(total) = total.filter(|&total| least != 0 && total < LARGEST_SUM) else { return };
        self.total = total;
        for &lit in lits {
            self.add(-least, lit);
        }
        self.offset = self.offset.checked_add(least).expect(FITS);
    }

    /// Takes a literal of positive cost out, into a group.
    fn take(&mut self, lit: Lit) {
        if lit.is_negative() {
            // c x = c + |c| ~x with c negative: the constant stays here.
            self.offset -= self.cost(lit);
        }
        self.coefficients.insert(lit.var(), 0);
    }

    /// The terms that were not taken, made positive, and the offset.
    fn rest(mut self) -> (Vec<(i128, Lit)>, i128) {
        let mut terms = Vec::new();
        for var in &self.vars {
            let coefficient = self.coefficients[var];
            if coefficient < 0 {
                self.offset = self.offset.checked_add(coefficient).expect(FITS);
                terms.push((-coefficient, var.negative()));
            } else if coefficient > 0 {
                terms.push((coefficient, var.positive()));
            }
        }
        (terms, self.offset)
    }
}
