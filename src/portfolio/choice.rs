//! Which back-ends race on a model, by its shape and the number of processors.

use super::Member;
use crate::backend::{self, Kind};
use crate::strategy::Backend;
use pbsolve_encodings::{Planner, find};
use pbsolve_model::{Coefficients, Model};
use std::fmt;
use std::thread;
use std::time::Duration;

/// With one processor, how long the likelier one has it for itself.
const HEAD_START: Duration = Duration::from_secs(2);

/// What the likelier one needs for a model that is no work at all.
const MOMENT: Duration = Duration::from_millis(20);

/// Rows above which a model is taken to be one of many small rows, on which relaxations say little.
const FEW_ROWS: u64 = 100;

/// A weight from which on encodings grow and branch and bound does not.
const LARGE_WEIGHT: u128 = 16;

/// Terms above which an integer programming solver takes gigabytes or, without HiGHS, has not solved
/// its first relaxation when the others are done.
const MAX_TERMS: [(&str, usize); 2] = [("highs", 2_000_000), ("microlp", 200_000)];

/// What the choice looks at. Families are sums of literals, and are only counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Shape {
    num_rows: u64,
    num_terms: usize,
    /// Rows with weights that differ.
    num_weighted: u64,
    largest_weight: u128,
    /// Of the objective.
    has_large_prices: bool,
}

impl Shape {
    fn of(model: &Model) -> Shape {
        let mut shape = Shape { num_rows: model.num_rows(), ..Shape::default() };
        for i in 0..model.num_explicit_rows() {
            let row = model.explicit_row(i);
            shape.num_terms += row.len();
            if matches!(row.coefficients, Coefficients::Ones) || row.is_empty() {
                continue;
            }
            let mut sizes = row.terms().map(|term| term.coefficient.unsigned_abs());
            let first = sizes.next().unwrap_or(1);
            let mut is_weighted = false;
            let largest = sizes.fold(first, |largest, size| {
                is_weighted |= size != first;
                largest.max(size)
            });
            if is_weighted {
                shape.num_weighted += 1;
                shape.largest_weight = shape.largest_weight.max(largest);
            }
        }
        let prices = model.objective().into_iter().flat_map(|objective| &objective.terms);
        shape.has_large_prices =
            prices.into_iter().any(|term| term.coefficient.unsigned_abs() >= LARGE_WEIGHT);
        shape
    }

    /// Whether branch and bound is likelier to be first.
    fn suits_ilp(&self) -> bool {
        let has_large_weights = self.largest_weight >= LARGE_WEIGHT || self.has_large_prices;
        self.num_rows <= FEW_ROWS && has_large_weights
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { num_rows, num_weighted, largest_weight, .. } = self;
        let rows = if *num_rows == 1 { "row" } else { "rows" };
        write!(f, "{num_rows} {rows}, {num_weighted} of them weighted")?;
        if *num_weighted > 0 {
            write!(f, " up to {largest_weight}")?;
        }
        let prices = if self.has_large_prices { ", large weights in the objective" } else { "" };
        f.write_str(prices)
    }
}

/// The members of a race of these back-ends or, if there are none, of those that suit the model;
/// and why.
pub(crate) fn members_for(backends: &[Backend], model: &Model) -> (Vec<Member>, String) {
    if !backends.is_empty() {
        let members = backends.iter().cloned().map(Member::new).collect();
        return (members, format!("{} back-ends, as chosen", backends.len()));
    }
    let num_processors = thread::available_parallelism().map_or(1, usize::from);
    let shape = Shape::of(model);
    let names = choose(&shape, num_processors);
    let told: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
    let processors = if num_processors == 1 { "processor" } else { "processors" };
    let why = format!("{} on {num_processors} {processors}: {shape}", told.join(", "));
    (names.into_iter().map(|(_, member)| member).collect(), why)
}

fn choose(shape: &Shape, num_processors: usize) -> Vec<(&'static str, Member)> {
    let is_there = |name: &str| backend::find(name).is_some_and(backend::Entry::is_available);
    let named = |name: &'static str| {
        let entry = backend::find(name).expect("it is in the table");
        (entry.title, Member::new(entry.backend.clone()))
    };
    // On instances that take seconds CaDiCaL is ahead, and who races has them.
    let sat = if is_there("cadical") { "cadical" } else { "varisat" };
    let mut members = vec![named(sat)];
    let ilp = MAX_TERMS.into_iter().find(|(name, _)| is_there(name));
    if let Some((name, _)) = ilp.filter(|&(_, max_terms)| shape.num_terms <= max_terms) {
        let place = if shape.suits_ilp() { 0 } else { members.len() };
        members.insert(place, named(name));
        members[1].1.waits = if num_processors == 1 { HEAD_START } else { MOMENT };
    }
    if num_processors > 2 && sat != "varisat" {
        members.push(named("varisat"));
    }
    if num_processors > 3 && shape.num_weighted > 0 {
        let planner = find("adder").map(|adder| Planner::default().with(adder));
        let (_, member) = named("varisat");
        members.push(("Varisat with adders", Member { planner, ..member }));
    }
    members
}

/// The SAT solver that answers where there is no race: for boards, and when solutions are counted.
pub(crate) fn sat_member(backends: &[Backend]) -> Option<Backend> {
    let is_sat = |backend: &&Backend| match backend {
        Backend::External(_) => true,
        backend => backend.entry().is_some_and(|entry| entry.kind == Kind::Sat),
    };
    if backends.is_empty() { Some(Backend::Varisat) } else { backends.iter().find(is_sat).cloned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Linear;

    fn names(model: &Model, num_processors: usize) -> Vec<&'static str> {
        let members = choose(&Shape::of(model), num_processors);
        members.into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn the_likelier_one_comes_first_and_alone_on_one_processor() {
        let ilp = if cfg!(feature = "highs") { "HiGHS" } else { "microlp" };
        let sat = if cfg!(feature = "cadical") { "CaDiCaL" } else { "Varisat" };
        let mut weighted = Model::default();
        let lits = ["a", "b", "c"].map(|name| weighted.new_var(name).positive());
        weighted.add(Linear::sum([(17, lits[0]), (5, lits[1]), (3, lits[2])]).with_upper(20));
        assert_eq!(names(&weighted, 2), [ilp, sat]);
        assert_eq!(names(&weighted, 8).last(), Some(&"Varisat with adders"));
        let shape = Shape::of(&weighted);
        assert_eq!(shape.to_string(), "1 row, 1 of them weighted up to 17");
        let waits: Vec<Duration> =
            choose(&shape, 1).into_iter().map(|(_, member)| member.waits).collect();
        assert_eq!(waits, [Duration::ZERO, HEAD_START]);

        let mut clauses = Model::default();
        let lits = ["a", "b", "c"].map(|name| clauses.new_var(name).positive());
        clauses.add(Linear::sum(lits.map(|lit| (30, lit))).with_lower(1));
        assert_eq!(names(&clauses, 2), [sat, ilp]);
        assert_eq!(Shape::of(&clauses).num_weighted, 0);
        let large = Shape { num_terms: 3_000_000, ..Shape::default() };
        assert_eq!(choose(&large, 2).len(), 1);
    }
}
