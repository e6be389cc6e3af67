//! Sequential counters: `s[i,j]` says that at least `j` of the first `i` literals are true. Two
//! forms: Sinz's, with all `j <= hi` for every prefix, and the reduced one, which leaves out the
//! prefixes from which `j` cannot matter.
//!
//! C. Sinz: Towards an Optimal CNF Encoding of Boolean Cardinality Constraints. CP 2005.
//! D. Knuth: The Art of Computer Programming 4, Fascicle 6, 7.2.2.2, equations (18) and (19).
//!
//! One side, `sum <= k` (a lower bound alone is an upper bound on the negated literals):
//!
//! | | Sinz | reduced |
//! |---|---|---|
//! | *auxiliary variables* | `(n - 1) k` | `k (n - k)` |
//! | *clauses* | `2 n k + n - 3 k - 1` | `2 k (n - k) + n - 2 k` |
//!
//! Both sides share the variables; `s` is then bounded from both directions.
//! Sinz adds `(n - 2) (2 hi - 1) + 2` clauses, and one more where `lo > 1`. The reduced form has
//! `lo (n - lo) + (hi - lo) (n - hi)` variables, and the clauses of `sum <= hi` and of
//! `negated sum <= n - lo`.
//!
//! - *propagation*: complete (Sinz), each side for itself, hence both together
//! - *prefer when*: `k (n - k)` is small; the reduced form always, unless the clauses are to be
//!   those of the paper

use super::{bounds_of, counts, upper_first};
use crate::{Class, ClauseSink, Encoder, Outputs, Role, Row, Size, Stop, Strength};
use pbsolve_model::Lit;
use std::ops::ControlFlow;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct SequentialCounter {
    reduced: bool,
}

impl SequentialCounter {
    /// The counter of Sinz's paper.
    pub const SINZ: SequentialCounter = SequentialCounter { reduced: false };
    /// The reduced counter, as Knuth has it.
    pub const REDUCED: SequentialCounter = SequentialCounter { reduced: true };
}

impl Encoder for SequentialCounter {
    fn name(&self) -> &'static str {
        if self.reduced { "reduced-counter" } else { "sequential-counter" }
    }

    fn class(&self) -> Class {
        Class::Cardinality
    }

    fn about(&self) -> &'static str {
        if self.reduced {
            "at least j of the first i, where it matters (Sinz 2005, Knuth)"
        } else {
            "at least j of the first i are true (Sinz 2005)"
        }
    }

    fn supports(&self, row: &Row<'_>) -> bool {
        counts(row)
    }

    fn size(&self, row: &Row<'_>) -> Option<Size> {
        let row = bounds_of(row);
        let n = row.lits.len();
        let (lo, hi) = if row.hi == n { (0, n - row.lo) } else { (row.lo, row.hi) };
        Some(if self.reduced {
            let side = |k: usize| 2 * k * (n - k) + n - 2 * k;
            let lower = if lo > 0 { side(n - lo) } else { 0 };
            Size::new(lo * (n - lo) + (hi - lo) * (n - hi), side(hi) + lower)
        } else {
            let upper = 2 * n * hi + n - 3 * hi - 1;
            let lower = if lo > 0 { (n - 2) * (2 * hi - 1) + 2 + usize::from(lo > 1) } else { 0 };
            Size::new((n - 1) * hi, upper + lower)
        })
    }

    fn strength(&self, _: &Row<'_>) -> Strength {
        Strength::Complete
    }

    fn keeps_model_count(&self, row: &Row<'_>) -> bool {
        let row = bounds_of(row);
        // With both directions, `s` is determined; the reduced form has both only where the two
        // sides' regions agree.
        if self.reduced { row.lo == row.hi } else { row.lo > 0 && row.hi < row.lits.len() }
    }

    fn encode(&self, row: &Row<'_>, sink: &mut dyn ClauseSink) -> ControlFlow<Stop, Outputs> {
        let (x, lo, hi) = upper_first(bounds_of(row));
        if self.reduced {
            let counter = Reduced::new(x, lo, hi, sink);
            counter.at_most(hi, sink)?;
            if lo > 0 {
                counter.at_least(lo, sink)?;
            }
        } else {
            sinz(&x, lo, hi, sink)?;
        }
        ControlFlow::Continue(Outputs::default())
    }
}

fn sinz(x: &[Lit], lo: usize, hi: usize, sink: &mut dyn ClauseSink) -> ControlFlow<Stop> {
    let n = x.len();
    let mut s: Vec<Lit> = Vec::new();
    let mut before: Vec<Lit> = Vec::new();
    for i in 1..n {
        let input = x[i - 1];
        std::mem::swap(&mut s, &mut before);
        s.clear();
        s.extend((1..=hi).map(|j| sink.new_var(Role::new("s", i, j)).positive()));
        // x_i -> s_{i,1}
        sink.define(&[!input, s[0]])?;
        if i == 1 {
            for &s in &s[1..] {
                // one literal does not make j > 1
                sink.define(&[!s])?;
            }
            if lo > 0 {
                // !x_1 -> !s_{1,1}
                sink.define(&[input, !s[0]])?;
            }
            continue;
        }
        for j in 0..hi {
            // s_{i-1,j} -> s_{i,j}
            sink.define(&[!before[j], s[j]])?;
            if j > 0 {
                // x_i and s_{i-1,j-1} -> s_{i,j}
                sink.define(&[!input, !before[j - 1], s[j]])?;
            }
        }
        if lo > 0 {
            for j in 0..hi {
                // s_{i,j} -> x_i or s_{i-1,j}
                sink.define(&[!s[j], input, before[j]])?;
                if j > 0 {
                    // s_{i,j} -> s_{i-1,j-1}
                    sink.define(&[!s[j], before[j - 1]])?;
                }
            }
        }
        // s_{i-1,hi} -> !x_i
        sink.clause(&[!input, !before[hi - 1]])?;
    }
    // s_{n-1,hi} -> !x_n
    sink.clause(&[!x[n - 1], !s[hi - 1]])?;
    if lo > 0 {
        // x_n or s_{n-1,lo}; s_{n-1,lo-1}
        sink.clause(&[x[n - 1], s[lo - 1]])?;
        if lo > 1 {
            sink.clause(&[s[lo - 2]])?;
        }
    }
    ControlFlow::Continue(())
}

struct Reduced {
    x: Vec<Lit>,
    /// Level `j` holds `s[i,j]` for `i = j, j + 1, ...`.
    levels: Vec<Vec<Lit>>,
}

impl Reduced {
    /// Makes the variables that either side needs: `s[i,j]` matters to `sum <= k` for
    /// `j <= k` and `j <= i < n - k + j`, to `sum >= k` likewise.
    fn new(x: Vec<Lit>, lo: usize, hi: usize, sink: &mut dyn ClauseSink) -> Reduced {
        let n = x.len();
        let width = |j: usize| if j <= lo { n - lo } else { n - hi };
        let level = |j: usize| {
            let prefixes = j..j + width(j);
            prefixes.map(|i| sink.new_var(Role::new("s", i, j)).positive()).collect()
        };
        Reduced { levels: (1..=hi).map(level).collect(), x }
    }

    fn s(&self, i: usize, j: usize) -> Lit {
        self.levels[j - 1][i - j]
    }

    fn at_most(&self, k: usize, sink: &mut dyn ClauseSink) -> ControlFlow<Stop> {
        let width = self.x.len() - k;
        for j in 1..=k + 1 {
            for i in j..j + width {
                let input = self.x[i - 1];
                let before = (j > 1).then(|| self.s(i - 1, j - 1));
                let now = (j <= k).then(|| self.s(i, j));
                match (before, now) {
                    // x_i and s_{i-1,j-1} -> s_{i,j}
                    (Some(before), Some(now)) => sink.define(&[!input, !before, now])?,
                    (None, Some(now)) => sink.define(&[!input, now])?,
                    // x_i -> !s_{i-1,k}
                    (Some(before), None) => sink.clause(&[!input, !before])?,
                    (None, None) => unreachable!("k is at least 1"),
                };
                if j <= k && i + 1 < j + width {
                    // s_{i,j} -> s_{i+1,j}
                    sink.define(&[!self.s(i, j), self.s(i + 1, j)])?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn at_least(&self, k: usize, sink: &mut dyn ClauseSink) -> ControlFlow<Stop> {
        let width = self.x.len() - k;
        // With the zeros counted, this is `at_most` on negated literals: `!s[i,j]` says that at
        // least i - j + 1 of the first i literals are false.
        for j in 1..=k {
            for i in j..=j + width {
                let input = self.x[i - 1];
                let before = (i > j).then(|| self.s(i - 1, j));
                let now = (i < j + width).then(|| self.s(i, j));
                match (before, now) {
                    // s_{i,j} -> x_i or s_{i-1,j}
                    (Some(before), Some(now)) => sink.define(&[!now, input, before])?,
                    (None, Some(now)) => sink.define(&[!now, input])?,
                    // x_i or s_{i-1,j}, where every later literal is needed
                    (Some(before), None) => sink.clause(&[input, before])?,
                    (None, None) => unreachable!("k is below n"),
                };
                if j < k && i < j + width {
                    // s_{i+1,j+1} -> s_{i,j}
                    sink.define(&[!self.s(i + 1, j + 1), self.s(i, j)])?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
