//! Lines differ, in the lean form for solving: each pair of lines once, and only what its givens
//! leave open.
//!
//! A pair whose givens differ somewhere needs nothing. Of the other pairs, a position where both
//! cells are given says nothing, one where a single cell is given is decided by the other cell, and
//! only where neither is given there is an indicator `d` with `d -> the cells differ`: two clauses.
//! The last row of a pair asks for one position where the lines differ.

use crate::Grid;
use crate::line_bits::LineBits;
use crate::lines::{Lines, PairRow};
use crate::pair_indicators::IndicatorNames;
use pbsolve_model::{Assignment, Coefficients, Family, Group, Lit, RowView, Var};
use std::ops::ControlFlow;

/// A group is a pair of lines that may still be equal.
#[derive(Debug)]
pub(crate) struct LinesDiffer {
    lines: Lines,
    names: IndicatorNames,
    ones: LineBits,
    zeros: LineBits,
    pairs: Vec<OpenPair>,
    num_indicators: u64,
}

/// A pair that its givens leave open, in lexicographic order. Each pair has one row more than twice
/// its indicators, so the number of rows before it needs no place.
#[derive(Debug)]
struct OpenPair {
    first_indicator: u64,
    lines: [u32; 2],
}

impl LinesDiffer {
    pub(crate) fn new(lines: Lines, names: IndicatorNames, givens: &Grid) -> LinesDiffer {
        let mut ones = LineBits::new(lines);
        let mut zeros = LineBits::new(lines);
        let givens: Vec<Option<u16>> = givens.iter().collect();
        for line in 0..lines.number() {
            for position in 0..lines.length() {
                match givens[lines.cell(line, position)] {
                    Some(1) => ones.insert(line, position),
                    Some(_) => zeros.insert(line, position),
                    None => {}
                }
            }
        }
        let (pairs, num_indicators) = (Vec::new(), 0);
        let mut family = LinesDiffer { lines, names, ones, zeros, pairs, num_indicators };
        family.find_open_pairs();
        family
    }

    fn find_open_pairs(&mut self) {
        let number = u32::try_from(self.lines.number()).expect("boards have a size limit");
        for first in 0..number {
            for second in first + 1..number {
                let Some(num_decided) = self.num_decided(first as usize, second as usize) else {
                    continue;
                };
                let lines = [first, second];
                self.pairs.push(OpenPair { first_indicator: self.num_indicators, lines });
                self.num_indicators += (self.lines.length() - num_decided) as u64;
            }
        }
        self.pairs.shrink_to_fit();
    }

    /// The number of positions where a cell of the two lines is given, or `None` if two given
    /// cells differ.
    fn num_decided(&self, first: usize, second: usize) -> Option<usize> {
        let first = self.ones.line(first).iter().zip(self.zeros.line(first));
        let second = self.ones.line(second).iter().zip(self.zeros.line(second));
        let mut num_decided = 0;
        for ((a_ones, a_zeros), (b_ones, b_zeros)) in first.zip(second) {
            if (a_ones & b_zeros) | (a_zeros & b_ones) != 0 {
                return None;
            }
            num_decided += (a_ones | a_zeros | b_ones | b_zeros).count_ones() as usize;
        }
        Some(num_decided)
    }

    fn pair(&self, group: usize) -> (usize, usize) {
        let [first, second] = self.pairs[group].lines;
        (first as usize, second as usize)
    }

    fn given(&self, line: usize, position: usize) -> Option<bool> {
        if self.ones.contains(line, position) {
            return Some(true);
        }
        self.zeros.contains(line, position).then_some(false)
    }

    /// The positions where neither line has a given: those with an indicator.
    fn open_positions(&self, first: usize, second: usize) -> impl Iterator<Item = usize> + '_ {
        let is_given = move |line, position| self.given(line, position).is_some();
        let positions = 0..self.lines.length();
        positions.filter(move |&position| !is_given(first, position) && !is_given(second, position))
    }

    /// The group that has a row or an indicator, where `first` tells the place of a group's first.
    fn group_at(&self, place: u64, first: impl Fn(&Group) -> u64) -> usize {
        let (mut low, mut high) = (0, self.pairs.len());
        while high - low > 1 {
            let middle = usize::midpoint(low, high);
            if first(&self.group(middle)) <= place { low = middle } else { high = middle }
        }
        low
    }

    fn place(&self, row: u64) -> (PairRow, usize, usize) {
        let group = self.group_at(row, |group| group.first_row);
        let (first, second) = self.pair(group);
        let offset = usize::try_from(row - self.group(group).first_row).expect("rows of a pair");
        let about = match self.open_positions(first, second).nth(offset / 2) {
            Some(position) => PairRow::Case { position, cells: [[0, 0], [1, 1]][offset % 2] },
            None => PairRow::Differ,
        };
        (about, first, second)
    }

    /// The lines under an assignment, given cells as they are given: with these, two lines are
    /// equal exactly when the last row of their pair is violated.
    fn lines_under(&self, decisions: &Assignment) -> LineBits {
        let mut bits = self.ones.clone();
        for line in 0..self.lines.number() {
            for position in 0..self.lines.length() {
                let value = decisions.values()[self.lines.cell(line, position)];
                if value && !self.zeros.contains(line, position) {
                    bits.insert(line, position);
                }
            }
        }
        bits
    }
}

impl Family for LinesDiffer {
    fn name(&self) -> &'static str {
        self.lines.family_name("rows differ", "columns differ")
    }

    fn is_lazy(&self) -> bool {
        true
    }

    fn num_groups(&self) -> usize {
        self.pairs.len()
    }

    fn group(&self, group: usize) -> Group {
        let first_indicator = self.pairs[group].first_indicator;
        let next =
            self.pairs.get(group + 1).map_or(self.num_indicators, |pair| pair.first_indicator);
        let num_indicators = next - first_indicator;
        Group {
            first_row: 2 * first_indicator + group as u64,
            num_rows: 2 * num_indicators + 1,
            first_indicator,
            num_indicators: usize::try_from(num_indicators).expect("at most one a position"),
        }
    }

    fn for_each_row(
        &self,
        group: usize,
        first_indicator: Var,
        visit: &mut dyn FnMut(RowView<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut clause = |lits: &[Lit]| {
            let coefficients = Coefficients::Ones;
            visit(RowView { lits, coefficients, lower: Some(1), upper: None })
        };
        let (first, second) = self.pair(group);
        let mut next_indicator = first_indicator.index();
        let mut differing: Vec<Lit> = Vec::with_capacity(self.lines.length());
        for position in 0..self.lines.length() {
            let [a, b] = [first, second].map(|line| self.lines.var(line, position).positive());
            match (self.given(first, position), self.given(second, position)) {
                (None, None) => {
                    let indicator = Var::new(next_indicator).positive();
                    next_indicator += 1;
                    // d -> a or b; d -> not both
                    clause(&[a, b, !indicator])?;
                    clause(&[!a, !b, !indicator])?;
                    differing.push(indicator);
                }
                (Some(value), None) => differing.push(b.var().lit(!value)),
                (None, Some(value)) => differing.push(a.var().lit(!value)),
                (Some(_), Some(_)) => {}
            }
        }
        clause(&differing)
    }

    fn row_name(&self, row: u64) -> String {
        let (about, first, second) = self.place(row);
        about.name(self.lines, first, second)
    }

    fn row_sentence(&self, row: u64) -> String {
        let (about, first, second) = self.place(row);
        about.sentence(self.lines, first, second)
    }

    fn indicator_name(&self, indicator: u64) -> String {
        let group = self.group_at(indicator, |group| group.first_indicator);
        let (first, second) = self.pair(group);
        let offset = indicator - self.group(group).first_indicator;
        let offset = usize::try_from(offset).expect("indicators of a pair");
        let position = self.open_positions(first, second).nth(offset);
        self.names.name(first, second, position.expect("an indicator of the pair"))
    }

    fn complete(&self, group: usize, values: &mut Vec<bool>) {
        let (first, second) = self.pair(group);
        for position in self.open_positions(first, second) {
            let cells = [first, second].map(|line| values[self.lines.cell(line, position)]);
            values.push(cells[0] != cells[1]);
        }
    }

    fn separate(&self, decisions: &Assignment) -> Vec<usize> {
        let group_of = |pair: [usize; 2]| {
            let group =
                self.pairs.binary_search_by(|open| open.lines.map(|line| line as usize).cmp(&pair));
            group.expect("lines that differ in their givens differ")
        };
        let mut violated: Vec<usize> =
            self.lines_under(decisions).equal_pairs().into_iter().map(group_of).collect();
        violated.sort_unstable();
        violated
    }
}
