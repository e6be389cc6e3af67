//! What a row says about every partial assignment of its inputs, by brute force.

use crate::Row;

/// For every partial assignment of `n` inputs, whether some completion meets the row. The `i`-th
/// literal is digit `i` of a number to base 3: 0 is false, 1 true, 2 free.
#[derive(Clone, Debug)]
pub(super) struct Feasible {
    powers: Vec<usize>,
    table: Vec<bool>,
}

pub(super) const FREE: usize = 2;

impl Feasible {
    /// The table for a row, by substitution into the row itself.
    pub(super) fn new(row: &Row<'_>) -> Feasible {
        let lits = row.lits();
        let powers: Vec<usize> = (0..=lits.len()).scan(1, |p, _| Some(take_power(p))).collect();
        let mut feasible = Feasible { table: vec![false; powers[lits.len()]], powers };
        for partial in 0..feasible.table.len() {
            let free = (0..lits.len()).find(|&i| feasible.digit(partial, i) == FREE);
            feasible.table[partial] = match free {
                // Both completions have smaller numbers.
                Some(i) => [0, 1].iter().any(|&d| feasible.table[feasible.with(partial, i, d)]),
                None => row.holds(|lit| {
                    let i = lits.iter().position(|&input| input == lit).expect("an input");
                    feasible.digit(partial, i) == 1
                }),
            };
        }
        feasible
    }

    /// Nothing assigned.
    pub(super) fn all_free(&self) -> usize {
        self.table.len() - 1
    }

    pub(super) fn digit(&self, partial: usize, i: usize) -> usize {
        partial / self.powers[i] % 3
    }

    /// The partial assignment with input `i` changed to a digit.
    pub(super) fn with(&self, partial: usize, i: usize, digit: usize) -> usize {
        partial - self.digit(partial, i) * self.powers[i] + digit * self.powers[i]
    }

    /// Whether some completion meets the row.
    pub(super) fn is_met(&self, partial: usize) -> bool {
        self.table[partial]
    }
}

/// The power before, and its triple for the next.
fn take_power(power: &mut usize) -> usize {
    let before = *power;
    *power *= 3;
    before
}
