//! Lines of cells with two values, as bits: which of them are equal.

use crate::lines::Lines;

/// A bit for each cell of each line.
#[derive(Clone, Debug)]
pub(crate) struct LineBits {
    words_a_line: usize,
    words: Vec<u64>,
}

impl LineBits {
    pub(crate) fn new(lines: Lines) -> LineBits {
        let words_a_line = lines.length().div_ceil(64);
        LineBits { words_a_line, words: vec![0; words_a_line * lines.number()] }
    }

    pub(crate) fn line(&self, line: usize) -> &[u64] {
        &self.words[line * self.words_a_line..][..self.words_a_line]
    }

    pub(crate) fn insert(&mut self, line: usize, position: usize) {
        self.words[line * self.words_a_line + position / 64] |= 1 << (position % 64);
    }

    pub(crate) fn contains(&self, line: usize, position: usize) -> bool {
        self.words[line * self.words_a_line + position / 64] >> (position % 64) & 1 == 1
    }

    /// The pairs of equal lines, the smaller number first.
    pub(crate) fn equal_pairs(&self) -> Vec<[usize; 2]> {
        let number = self.words.len().checked_div(self.words_a_line).unwrap_or(0);
        let mut order: Vec<usize> = (0..number).collect();
        order.sort_by_key(|&line| (self.line(line), line));
        let mut pairs = Vec::new();
        for equal in order.chunk_by(|&a, &b| self.line(a) == self.line(b)) {
            for (i, &first) in equal.iter().enumerate() {
                pairs.extend(equal[i + 1..].iter().map(|&second| [first, second]));
            }
        }
        pairs
    }
}
