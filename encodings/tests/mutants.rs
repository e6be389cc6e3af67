//! Deleting a clause of an encoding, or negating a literal of it, is always found: by the meaning
//! of the clauses and their propagation, or at least by their number.
//!
//! The exceptions are in published formulas that have clauses without any effect. Sinz's counter
//! has `s[i,j]` for `j > i`, which its own unit clauses make false, and `s[n-1,j]` below the bound,
//! which nothing reads. A totalizer has outputs for counts that no count of the sibling adds up to
//! the bound with. [`reason_to_survive`] shows for each mutant that lives that it is one of these.
//! Encoders of weighted sums have many more such values, some without effect only together; of
//! their mutants, those that live are counted.

use pbsolve_encodings::testing::{Check, Propagator, check_row};
use pbsolve_encodings::{
    Cardinality, Class, ClauseId, ClauseSink, Encoder, Outputs, PseudoBoolean, Role, Row, Size,
    Stop, Strength, all, sink::Cnf,
};
use pbsolve_model::{Lit, Var};
use std::ops::ControlFlow;

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// The clause with this number is missing.
    Delete(usize),
    /// In the clause with this number, the literal at this place is negated.
    Negate(usize, usize),
    /// All clauses with the auxiliary variable of this number are missing.
    Ignore(usize),
}

/// An encoder with its clauses changed.
#[derive(Debug)]
struct Mutant<'a> {
    original: &'a dyn Encoder,
    change: Change,
}

impl Encoder for Mutant<'_> {
    fn name(&self) -> &'static str {
        self.original.name()
    }

    fn class(&self) -> Class {
        self.original.class()
    }

    fn about(&self) -> &'static str {
        self.original.about()
    }

    fn supports(&self, row: &Row<'_>) -> bool {
        self.original.supports(row)
    }

    fn size(&self, row: &Row<'_>) -> Option<Size> {
        self.original.size(row)
    }

    fn strength(&self, row: &Row<'_>) -> Strength {
        self.original.strength(row)
    }

    fn keeps_model_count(&self, row: &Row<'_>) -> bool {
        !matches!(self.change, Change::Ignore(_)) && self.original.keeps_model_count(row)
    }

    fn encode(&self, row: &Row<'_>, sink: &mut dyn ClauseSink) -> ControlFlow<Stop, Outputs> {
        let changing =
            &mut Changing { inner: sink, change: self.change, clauses: 0, made: Vec::new() };
        self.original.encode(row, changing)
    }
}

struct Changing<'a> {
    inner: &'a mut dyn ClauseSink,
    change: Change,
    clauses: usize,
    made: Vec<Var>,
}

impl Changing<'_> {
    /// The next clause as it is passed on; `None` if it is missing.
    fn changed(&mut self, lits: &[Lit]) -> Option<Vec<Lit>> {
        let number = self.clauses;
        self.clauses += 1;
        let mut lits = lits.to_vec();
        match self.change {
            Change::Delete(clause) if clause == number => return None,
            Change::Ignore(made)
                if lits.iter().any(|lit| self.made.get(made) == Some(&lit.var())) =>
            {
                return None;
            }
            Change::Negate(clause, place) if clause == number => lits[place] = !lits[place],
            _ => {}
        }
        Some(lits)
    }
}

impl ClauseSink for Changing<'_> {
    fn new_var(&mut self, role: Role) -> Var {
        self.made.push(self.inner.new_var(role));
        self.made[self.made.len() - 1]
    }

    fn clause(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        let changed = self.changed(lits);
        changed.map_or(ControlFlow::Continue(ClauseId(0)), |lits| self.inner.clause(&lits))
    }

    fn define(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        let changed = self.changed(lits);
        changed.map_or(ControlFlow::Continue(ClauseId(0)), |lits| self.inner.define(&lits))
    }
}

/// One-sided and two-sided rows, and both classes of one.
fn rows(lits: &[Lit]) -> Vec<Row<'_>> {
    let n = lits.len();
    let bounds = [(0, 2), (2, n), (2, 2), (2, 3), (1, 3)];
    let cardinality = bounds.map(|(lo, hi)| Row::Cardinality(Cardinality { lits, lo, hi }));
    let coefficients = &[3, 2, 2, 1, 1];
    let weighted = [(0, 4), (4, 9), (3, 5), (4, 4)].map(|(lo, hi)| {
        Row::PseudoBoolean(PseudoBoolean { lits: &lits[..5], coefficients, lo, hi })
    });
    let one = [Row::AtMostOne(lits), Row::ExactlyOne(lits)];
    one.into_iter().chain(cardinality).chain(weighted).collect()
}

/// Whether every assignment that meets all clauses meets this one.
fn implies(cnf: &Cnf, clause: &[Lit]) -> bool {
    let mut propagator = Propagator::new(cnf);
    !clause.iter().all(|&lit| propagator.assume(!lit)) || propagator.count_extensions(1) == 0
}

/// Why a negated literal has no effect, as far as it is known.
fn reason_to_survive(
    encoder: &dyn Encoder,
    row: &Row<'_>,
    cnf: &Cnf,
    change: Change,
) -> Option<&'static str> {
    let Change::Negate(number, place) = change else {
        return None;
    };
    let clause = cnf.clauses().nth(number).expect("a clause of the formula");
    let mut negated = clause.to_vec();
    negated[place] = !negated[place];
    let (mut others, mut mutant) =
        (Cnf::with_variables(cnf.num_variables()), Cnf::with_variables(cnf.num_variables()));
    for (other, clause) in cnf.clauses().enumerate() {
        let _ = mutant.clause(if other == number { &negated } else { clause });
        if other != number {
            let _ = others.clause(clause);
        }
    }
    let propagator = Propagator::new(&others);
    if clause.iter().any(|&lit| propagator.value(lit) == Some(true)) {
        return Some("the unit clauses satisfy it");
    }
    if implies(cnf, &negated) && implies(&mutant, clause) {
        return Some("the two formulas have the same solutions");
    }
    let decides_nothing = |made| {
        let ignoring = Mutant { original: encoder, change: Change::Ignore(made) };
        check_row(&ignoring, row).is_err_and(|error| error.check == Check::Size)
    };
    let num_inputs = row.lits().len();
    let mut auxiliary = clause.iter().filter_map(|lit| lit.var().index().checked_sub(num_inputs));
    auxiliary.any(decides_nothing).then_some("it has a variable that decides nothing")
}

#[test]
fn every_mutant_of_every_encoder_is_found() {
    for encoder in all() {
        // The product encoder has its grid from 7 literals on.
        let n = if encoder.name() == "product" { 8 } else { 5 };
        let lits: Vec<Lit> = (0..n).map(|i| Var::new(i).positive()).collect();
        let (mut by_meaning, mut by_size, mut alive) = (0, 0, 0);
        for row in rows(&lits).into_iter().filter(|row| encoder.supports(row)) {
            check_row(encoder, &row).unwrap_or_else(|error| panic!("{error}"));
            let mut cnf = Cnf::with_variables(n);
            assert!(encoder.encode(&row, &mut cnf).is_continue());
            for (number, clause) in cnf.clauses().enumerate() {
                let negations = (0..clause.len()).map(|place| Change::Negate(number, place));
                for change in std::iter::once(Change::Delete(number)).chain(negations) {
                    match check_row(&Mutant { original: encoder, change }, &row) {
                        Err(error) if error.check == Check::Size => by_size += 1,
                        Err(_) => by_meaning += 1,
                        Ok(()) => {
                            alive += 1;
                            let reason = reason_to_survive(encoder, &row, &cnf, change);
                            let name = encoder.name();
                            let is_explained =
                                reason.is_some() || encoder.class() == Class::PseudoBoolean;
                            assert!(is_explained, "{name}, {row:?}: {change:?} of {clause:?}");
                        }
                    }
                }
            }
        }
        eprintln!(
            "{}: {by_meaning} found by meaning or propagation, {by_size} by size only, \
             {alive} without effect",
            encoder.name()
        );
        let is_tight = ["pairwise", "ladder", "product", "direct", "reduced-counter"];
        assert!(!is_tight.contains(&encoder.name()) || by_size + alive == 0, "{}", encoder.name());
    }
}
