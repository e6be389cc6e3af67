//! Core-guided search: assumes that the objective costs nothing, and pays for each reason why it
//! does.
//!
//! A. Morgado, C. Dodaro, J. Marques-Silva: Core-Guided MaxSAT with Soft Cardinality Constraints.
//! CP 2014 (OLL). C. Ansótegui, M. Bonet, J. Levy: SAT-based MaxSAT Algorithms. Artificial
//! Intelligence 2013 (stratification, hardening).

use super::Take;
use super::bounds::{Bounds, Turn};
use super::weighted_sum::WeightedSum;
use crate::limits::Reason;
use crate::outcome::SolveError;
use crate::search::{Found, Search, Statistics};
use pbsolve_encodings::{ObjectiveSum, Stop};
use pbsolve_model::Lit;
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

/// A count of violated literals: the place of an output in `counts[of]`.
#[derive(Clone, Copy, Debug)]
struct CountPlace {
    of: usize,
    count: usize,
}

/// The search and what is still assumed.
#[derive(Debug)]
pub(super) struct Cores<'m> {
    search: Search<'m>,
    /// Literals that should be true, each with the price of its violation.
    soft: BTreeMap<Lit, i128>,
    /// Sorted counts of violated literals, for each core.
    counts: Vec<ObjectiveSum>,
    /// The soft literals that bound a count.
    places: HashMap<Lit, CountPlace>,
    /// Cores whose counts are not stated yet: their violated literals, and the price.
    deferred: Vec<(Vec<Lit>, i128)>,
    /// Cores paid for.
    num_paid: u64,
    /// What was paid so far.
    paid: i128,
    /// Only soft literals of at least this price are assumed.
    threshold: i128,
    asked: Vec<Lit>,
    task: Task,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// Nothing is asked.
    Choose,
    /// The soft literals of the stratum are assumed.
    Stratum,
    /// The literals of a core are assumed alone, which may give a smaller one; this often still.
    Trim(u32),
}

const TRIMS: u32 = 3;

impl Take for Cores<'_> {
    fn name(&self) -> &'static str {
        "cores"
    }

    fn statistics(&self) -> Statistics {
        Statistics { num_cores: self.num_paid, ..self.search.statistics() }
    }

    fn turn(&mut self, work: u64, bounds: &mut Bounds<'_>) -> Result<Turn, SolveError> {
        bounds.raise_lower(self.paid);
        loop {
            bounds.take_tips();
            if bounds.have_met() {
                return Ok(Turn::Over);
            }
            if self.task == Task::Choose {
                self.harden(bounds)?;
                self.asked = self.stratum();
                self.task = Task::Stratum;
            }
            match self.search.next_under(&self.asked, Some(work))? {
                Found::Unknown(Reason::Paused) => return Ok(Turn::Next),
                Found::Unknown(reason) => return Ok(Turn::Ended(reason)),
                Found::Solution(solution) => {
                    bounds.offer(&solution);
                    self.task = Task::Choose;
                    if !self.deferred.is_empty() {
                        self.state_counts()?;
                    } else if !self.lower_threshold() {
                        // Every soft literal was assumed: the solution costs what was paid.
                        bounds.raise_lower(self.paid);
                        debug_assert!(bounds.have_met(), "{bounds:?} after {} paid", self.paid);
                        return Ok(Turn::Over);
                    }
                }
                Found::NoMore => {
                    let core = self.search.failed_core().to_vec();
                    if core.is_empty() {
                        // What was hardened holds in all better solutions: there are none.
                        bounds.close();
                        return Ok(Turn::Over);
                    }
                    let left = match self.task {
                        Task::Trim(left) => left,
                        _ => TRIMS,
                    };
                    if left > 0 && core.len() > 1 && core.len() < self.asked.len() {
                        self.asked = core;
                        self.task = Task::Trim(left - 1);
                    } else {
                        self.pay(&core);
                        bounds.raise_lower(self.paid);
                        self.task = Task::Choose;
                    }
                }
            }
        }
    }
}

impl<'m> Cores<'m> {
    pub(super) fn new(search: Search<'m>, sum: &WeightedSum) -> Cores<'m> {
        let mut soft = BTreeMap::new();
        let mut paid = 0;
        for &(weight, lit) in &sum.terms {
            match search.fixed(lit.var()) {
                Some(value) if value != lit.is_negative() => paid += weight,
                Some(_) => {}
                None => _ = soft.insert(!lit, weight),
            }
        }
        let threshold = soft.values().copied().max().unwrap_or(1);
        Cores {
            search,
            soft,
            counts: Vec::new(),
            places: HashMap::new(),
            deferred: Vec::new(),
            num_paid: 0,
            paid,
            threshold,
            asked: Vec::new(),
            task: Task::Choose,
        }
    }

    /// The soft literals to assume, dearest first.
    fn stratum(&self) -> Vec<Lit> {
        let dear = self.soft.iter().filter(|&(_, &price)| price >= self.threshold);
        let mut dear: Vec<(i128, Lit)> = dear.map(|(&lit, &price)| (price, lit)).collect();
        dear.sort_by_key(|&(price, lit)| (std::cmp::Reverse(price), lit));
        dear.into_iter().map(|(_, lit)| lit).collect()
    }

    /// Assumes cheaper literals as well; whether there are any.
    fn lower_threshold(&mut self) -> bool {
        let cheaper = self.soft.values().copied().filter(|&price| price < self.threshold);
        match cheaper.max() {
            // Prices within a factor of two are one stratum.
            Some(price) => self.threshold = price / 2 + 1,
            None => return false,
        }
        true
    }

    /// Pays for a core: at least one of its literals is violated, whatever the solution.
    fn pay(&mut self, core: &[Lit]) {
        let price = core.iter().map(|lit| self.soft[lit]).min().expect("a core is not empty");
        self.paid += price;
        self.num_paid += 1;
        for lit in core {
            let left = self.soft.get_mut(lit).expect("cores consist of soft literals");
            *left -= price;
            if *left == 0 {
                self.soft.remove(lit);
            }
            // When a count is exceeded, the next one is what has to be paid for.
            if let Some(&CountPlace { of, count }) = self.places.get(lit) {
                self.expect_at_most(of, count + 1, price);
            }
        }
        if core.len() > 1 {
            self.deferred.push((core.iter().map(|&lit| !lit).collect(), price));
        }
    }

    /// States how many literals of each deferred core are violated; one each has been paid for.
    fn state_counts(&mut self) -> Result<(), SolveError> {
        for (violated, price) in std::mem::take(&mut self.deferred) {
            let terms: Vec<_> = violated.iter().map(|&lit| vec![(1, lit)]).collect();
            let mut stated = None;
            self.search.state(|sink| {
                let bound = i128::try_from(terms.len()).expect("a core fits memory");
                match ObjectiveSum::encode(&terms, bound, sink) {
                    ControlFlow::Continue(sum) => stated = Some(sum),
                    ControlFlow::Break(stop) => return ControlFlow::<Stop>::Break(stop),
                }
                ControlFlow::Continue(())
            })?;
            // Cut off by a limit: the search is over, and the next call says so.
            let Some(sum) = stated else { return Ok(()) };
            self.counts.push(sum);
            self.expect_at_most(self.counts.len() - 1, 1, price);
        }
        Ok(())
    }

    fn expect_at_most(&mut self, of: usize, count: usize, price: i128) {
        let bound = i128::try_from(count).expect("a count fits memory");
        if let [lit] = self.counts[of].at_most(bound)[..] {
            *self.soft.entry(lit).or_insert(0) += price;
            self.places.insert(lit, CountPlace { of, count });
        }
    }

    /// Soft literals whose violation alone costs as much as the best solution hold in all better
    /// ones.
    fn harden(&mut self, bounds: &Bounds<'_>) -> Result<(), SolveError> {
        let Some(upper) = bounds.upper() else { return Ok(()) };
        let most = upper - self.paid;
        let dear: Vec<Lit> =
            self.soft.iter().filter(|&(_, &price)| price >= most).map(|(&lit, _)| lit).collect();
        for lit in &dear {
            self.soft.remove(lit);
        }
        self.search.state(|sink| {
            for &lit in &dear {
                sink.clause(&[lit])?;
            }
            ControlFlow::Continue(())
        })
    }
}
