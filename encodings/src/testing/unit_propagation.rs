//! Unit propagation over a formula, with undo, and a search for the ways to complete an
//! assignment: small and plain, since tests trust it.

use crate::sink::Cnf;
use pbsolve_model::{Lit, Var};

/// A formula under a partial assignment that is closed under unit propagation.
#[derive(Clone, Debug)]
pub struct Propagator {
    clauses: Vec<Vec<Lit>>,
    /// For each literal's code, the clauses that contain it.
    occurrences: Vec<Vec<usize>>,
    values: Vec<Option<bool>>,
    /// The true literals, in the order in which they became so.
    trail: Vec<Lit>,
    is_contradictory: bool,
}

impl Propagator {
    /// The formula with its unit clauses propagated.
    pub fn new(cnf: &Cnf) -> Propagator {
        let mut propagator = Propagator {
            clauses: cnf.clauses().map(<[Lit]>::to_vec).collect(),
            occurrences: vec![Vec::new(); 2 * cnf.num_variables()],
            values: vec![None; cnf.num_variables()],
            trail: Vec::new(),
            is_contradictory: false,
        };
        let mut units = Vec::new();
        for (number, clause) in propagator.clauses.iter().enumerate() {
            propagator.is_contradictory |= clause.is_empty();
            if let &[unit] = clause.as_slice() {
                units.push(unit);
            }
            for lit in clause {
                propagator.occurrences[lit.code()].push(number);
            }
        }
        for unit in units {
            propagator.is_contradictory |= !propagator.assume(unit);
        }
        propagator
    }

    /// Whether the literal is true; `None` where its variable has no value.
    pub fn value(&self, lit: Lit) -> Option<bool> {
        self.values[lit.var().index()].map(|value| value != lit.is_negative())
    }

    /// Whether unit propagation refutes the formula without any assumption.
    pub fn is_contradictory(&self) -> bool {
        self.is_contradictory
    }

    /// The number of variables that have a value, for [`undo_to`](Propagator::undo_to).
    pub fn num_assigned(&self) -> usize {
        self.trail.len()
    }

    /// Makes a literal true and propagates; `false` if that ends in a conflict, after which
    /// [`undo_to`](Propagator::undo_to) must be called.
    #[must_use]
    pub fn assume(&mut self, lit: Lit) -> bool {
        let mut next = self.trail.len();
        if self.is_contradictory || !self.assign(lit) {
            return false;
        }
        while next < self.trail.len() {
            let now_false = !self.trail[next];
            next += 1;
            for place in 0..self.occurrences[now_false.code()].len() {
                let number = self.occurrences[now_false.code()][place];
                if !self.propagate_clause(number) {
                    return false;
                }
            }
        }
        true
    }

    fn propagate_clause(&mut self, number: usize) -> bool {
        let mut free = None;
        for &lit in &self.clauses[number] {
            match self.value(lit) {
                Some(true) => return true,
                Some(false) => {}
                None if free.is_some() => return true,
                None => free = Some(lit),
            }
        }
        free.is_some_and(|unit| self.assign(unit))
    }

    /// `false` if the literal is false already.
    fn assign(&mut self, lit: Lit) -> bool {
        if let Some(value) = self.value(lit) {
            return value;
        }
        self.values[lit.var().index()] = Some(!lit.is_negative());
        self.trail.push(lit);
        true
    }

    /// Takes back all but the first `num_assigned` values.
    pub fn undo_to(&mut self, num_assigned: usize) {
        for lit in self.trail.drain(num_assigned..) {
            self.values[lit.var().index()] = None;
        }
    }

    /// The number of ways to give the other variables values so that all clauses hold; the search
    /// ends at `enough`.
    pub fn count_extensions(&mut self, enough: u64) -> u64 {
        if self.is_contradictory {
            return 0;
        }
        let Some(index) = self.values.iter().position(Option::is_none) else {
            return 1;
        };
        let mut found = 0;
        for value in [false, true] {
            let before = self.num_assigned();
            if found < enough && self.assume(Var::new(index).lit(value)) {
                found += self.count_extensions(enough - found);
            }
            self.undo_to(before);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ClauseSink;

    fn propagator(num_variables: usize, clauses: &[&[i32]]) -> Propagator {
        let mut cnf = Cnf::with_variables(num_variables);
        for clause in clauses {
            let lits: Vec<Lit> = clause.iter().filter_map(|&n| Lit::from_dimacs(n)).collect();
            let _ = cnf.clause(&lits);
        }
        Propagator::new(&cnf)
    }

    #[test]
    fn a_chain_of_binary_clauses_propagates_and_is_taken_back() {
        let mut chain = propagator(3, &[&[-1, 2], &[-2, 3]]);
        let [x, y, z] = [0, 1, 2].map(|i| Var::new(i).positive());
        assert!(chain.assume(x));
        assert_eq!([y, !z].map(|lit| chain.value(lit)), [Some(true), Some(false)]);
        chain.undo_to(0);
        assert_eq!(chain.value(z), None);
        assert!(chain.assume(!z) && !chain.assume(x));
    }

    #[test]
    fn extensions_are_counted_up_to_the_limit() {
        assert_eq!(propagator(3, &[&[1, 2], &[-1, -2]]).count_extensions(10), 4);
        assert_eq!(propagator(3, &[]).count_extensions(3), 3);
        assert_eq!(propagator(2, &[&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]]).count_extensions(9), 0);
        assert_eq!(propagator(1, &[&[1], &[-1]]).count_extensions(1), 0);
        assert!(propagator(1, &[&[]]).is_contradictory());
    }
}
