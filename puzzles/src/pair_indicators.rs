//! Lines differ, as the documents state it: for each pair of lines an indicator at each position
//! that compares the two cells, and a bound on the sum of the pair's indicators.

use crate::line_bits::LineBits;
use crate::lines::{Lines, PairRow};
use pbsolve_model::{Assignment, Coefficients, Family, Group, Lit, RowView, Var};
use std::ops::ControlFlow;

/// Which pairs of lines have indicators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pairs {
    /// Each pair two times, as (i, j) and as (j, i).
    Ordered,
    /// Each pair one time, the smaller number first.
    Unordered,
}

/// What the sum of a pair's indicators must be so that the lines differ.
#[derive(Clone, Copy, Debug)]
pub(crate) enum IndicatorSum {
    /// At least 1: indicators say that cells differ.
    AtLeastOne,
    /// Less than the length: indicators say that cells are equal.
    NotAll,
}

impl IndicatorSum {
    /// Whether it excludes that all indicators of a pair have this value.
    fn excludes(self, value: bool) -> bool {
        value == matches!(self, IndicatorSum::NotAll)
    }
}

/// A row about an indicator and its two cells, with coefficients in this order. It bounds the
/// indicator when the cells have the values of `case`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndicatorRow {
    pub(crate) coefficients: [i64; 3],
    pub(crate) lower: Option<i128>,
    pub(crate) upper: Option<i128>,
    pub(crate) case: [u8; 2],
}

/// What a document says about its indicators.
#[derive(Debug)]
pub(crate) struct IndicatorDefinition {
    pub(crate) pairs: Pairs,
    /// The rows of each position.
    pub(crate) rows: &'static [IndicatorRow],
    pub(crate) sum: IndicatorSum,
    /// The value of the indicator of two cells.
    pub(crate) value: fn(bool, bool) -> bool,
}

/// How indicators are called: `prefix_first_second_position`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndicatorNames {
    pub(crate) prefix: &'static str,
    /// The number of the first line and of the first position.
    pub(crate) first_number: usize,
}

impl IndicatorNames {
    pub(crate) fn name(self, first: usize, second: usize, position: usize) -> String {
        let [first, second, position] = [first, second, position].map(|i| i + self.first_number);
        format!("{}_{first}_{second}_{position}", self.prefix)
    }
}

/// A group is a pair of lines: its indicators, the rows of each position, and the sum.
#[derive(Debug)]
pub(crate) struct PairIndicators {
    pub(crate) lines: Lines,
    pub(crate) definition: &'static IndicatorDefinition,
    pub(crate) names: IndicatorNames,
}

impl PairIndicators {
    fn rows_a_pair(&self) -> u64 {
        self.definition.rows.len() as u64 * self.lines.length() as u64 + 1
    }

    /// The lines of a group.
    fn pair(&self, group: usize) -> (usize, usize) {
        let number = self.lines.number();
        match self.definition.pairs {
            Pairs::Ordered => {
                let (first, other) = (group / (number - 1), group % (number - 1));
                (first, if other < first { other } else { other + 1 })
            }
            Pairs::Unordered => {
                // Pairs whose first line is before this one.
                let before = |first: usize| first * (2 * number - first - 1) / 2;
                let (mut low, mut high) = (0, number);
                while high - low > 1 {
                    let middle = usize::midpoint(low, high);
                    if before(middle) <= group { low = middle } else { high = middle }
                }
                (low, low + 1 + group - before(low))
            }
        }
    }

    /// The group of two lines, the smaller number first.
    fn group_of(&self, [first, second]: [usize; 2]) -> usize {
        let number = self.lines.number();
        match self.definition.pairs {
            Pairs::Ordered => first * (number - 1) + second - 1,
            Pairs::Unordered => first * (2 * number - first - 1) / 2 + second - first - 1,
        }
    }

    fn place(&self, row: u64) -> (PairRow, usize, usize) {
        let group = usize::try_from(row / self.rows_a_pair()).expect("rows of the family");
        let (first, second) = self.pair(group);
        let offset = usize::try_from(row % self.rows_a_pair()).expect("rows of a pair");
        let rows = self.definition.rows;
        let position = offset / rows.len();
        let about = if position == self.lines.length() {
            PairRow::Differ
        } else {
            PairRow::Case { position, cells: rows[offset % rows.len()].case }
        };
        (about, first, second)
    }
}

impl Family for PairIndicators {
    fn name(&self) -> &'static str {
        self.lines.family_name("rows differ", "columns differ")
    }

    fn is_lazy(&self) -> bool {
        true
    }

    fn num_groups(&self) -> usize {
        let number = self.lines.number();
        let ordered = number * number.saturating_sub(1);
        match self.definition.pairs {
            Pairs::Ordered => ordered,
            Pairs::Unordered => ordered / 2,
        }
    }

    fn group(&self, group: usize) -> Group {
        let (num_rows, num_indicators) = (self.rows_a_pair(), self.lines.length());
        Group {
            first_row: group as u64 * num_rows,
            num_rows,
            first_indicator: group as u64 * num_indicators as u64,
            num_indicators,
        }
    }

    fn for_each_row(
        &self,
        group: usize,
        first_indicator: Var,
        visit: &mut dyn FnMut(RowView<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (first, second) = self.pair(group);
        let length = self.lines.length();
        let indicator = |position| Var::new(first_indicator.index() + position).positive();
        for position in 0..length {
            let cells = [first, second].map(|line| self.lines.var(line, position).positive());
            let lits = [indicator(position), cells[0], cells[1]];
            for row in self.definition.rows {
                let coefficients = Coefficients::Narrow(&row.coefficients);
                let (lower, upper) = (row.lower, row.upper);
                visit(RowView { lits: &lits, coefficients, lower, upper })?;
            }
        }
        let lits: Vec<Lit> = (0..length).map(indicator).collect();
        let (lower, upper) = match self.definition.sum {
            IndicatorSum::AtLeastOne => (Some(1), None),
            IndicatorSum::NotAll => (None, Some(length as i128 - 1)),
        };
        visit(RowView { lits: &lits, coefficients: Coefficients::Ones, lower, upper })
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
        let indicator = usize::try_from(indicator).expect("indicators of the family");
        let length = self.lines.length();
        let (first, second) = self.pair(indicator / length);
        self.names.name(first, second, indicator % length)
    }

    fn complete(&self, group: usize, values: &mut Vec<bool>) {
        let (first, second) = self.pair(group);
        for position in 0..self.lines.length() {
            let cells = [first, second].map(|line| values[self.lines.cell(line, position)]);
            values.push((self.definition.value)(cells[0], cells[1]));
        }
    }

    fn separate(&self, decisions: &Assignment) -> Vec<usize> {
        let mut bits = LineBits::new(self.lines);
        for line in 0..self.lines.number() {
            for position in 0..self.lines.length() {
                if decisions.values()[self.lines.cell(line, position)] {
                    bits.insert(line, position);
                }
            }
        }
        // Of two ordered pairs of the same lines one is enough.
        let groups = bits.equal_pairs().into_iter().map(|pair| self.group_of(pair));
        // What the definition does not exclude is not violated.
        let is_excluded = (self.definition.value)(true, true)
            == (self.definition.value)(false, false)
            && self.definition.sum.excludes((self.definition.value)(true, true));
        let mut violated: Vec<usize> = groups.filter(|_| is_excluded).collect();
        violated.sort_unstable();
        violated
    }
}
