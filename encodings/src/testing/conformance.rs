//! The table tests: what an encoder says about itself, and what its clauses mean, for small rows
//! of every kind.

use super::feasible::{FREE, Feasible};
use super::unit_propagation::Propagator;
use crate::sink::{Cnf, Conditional};
use crate::{
    Cardinality, ClauseId, ClauseSink, Encoder, Outputs, PseudoBoolean, Role, Row, Size, Stop,
    Strength,
};
use pbsolve_model::{Lit, Var};
use std::collections::HashSet;
use std::fmt;
use std::ops::ControlFlow;

/// Rows of the table have up to this many inputs.
const TABLE_UP_TO: usize = 7;
/// Every partial assignment is tried for rows of up to this many inputs.
const PARTIAL_UP_TO: usize = 9;
/// Every assignment is tried for rows of up to this many inputs.
const COMPLETE_UP_TO: usize = 12;

/// What was checked when an encoder was found wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Check {
    /// Clauses have distinct variables, all of them inputs or made by the sink; encoding twice
    /// gives the same clauses.
    Clauses,
    /// An assignment of the inputs extends to the auxiliary variables if and only if the row holds.
    Extension,
    /// Each solution extends in one way only, where the encoder says so.
    ModelCount,
    /// Unit propagation is as strong as the encoder says, and derives nothing wrong.
    Propagation,
    /// The clauses of the conditional row do not restrict the inputs where the condition is false,
    /// state the row where it is true, and propagate it to false where a side of the row cannot be
    /// met. The last needs the encoder to pass what only defines auxiliary variables to
    /// [`define`](ClauseSink::define), and definitions that find a violation: those of the bitwise
    /// encoding do not. It is not asked of [incomplete](Strength::Incomplete) encodings.
    Condition,
    /// The counted outputs tighten the upper bound as they say.
    Outputs,
    /// The size is that of the encoder's formula.
    Size,
}

/// An encoder does not do what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConformanceError {
    /// The encoder's name.
    pub encoder: &'static str,
    /// The row: its class, bounds and literals.
    pub row: String,
    /// What was checked.
    pub check: Check,
    /// What is wrong, with the assignment that shows it.
    pub message: String,
}

impl fmt::Display for ConformanceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}: {}", self.encoder, self.row, self.message)
    }
}

impl std::error::Error for ConformanceError {}

/// What an encoder was checked on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conformance {
    /// Rows that it supports.
    pub rows: u64,
    /// Complete assignments of their inputs.
    pub assignments: u64,
    /// Partial assignments of their inputs.
    pub partial_assignments: u64,
}

impl fmt::Display for Conformance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Conformance { rows, assignments, partial_assignments } = self;
        write!(f, "{rows} rows, {assignments} assignments, {partial_assignments} partial ones")
    }
}

/// Checks an encoder on every row in normal form with up to 7 inputs that it supports (weighted
/// sums: up to 4 inputs, coefficients up to 3), each with plain inputs and with negated ones in
/// another order. See [`Check`] for what is checked.
///
/// # Errors
/// The first row on which the encoder does not do what it says; or that it supports no row.
pub fn conformance(encoder: &dyn Encoder) -> Result<Conformance, ConformanceError> {
    let mut conformance = Conformance::default();
    let mut check = |row: &Row<'_>| {
        if !encoder.supports(row) {
            return Ok(());
        }
        check_row(encoder, row)?;
        let n = u32::try_from(row.lits().len()).expect("a small row");
        conformance.rows += 1;
        conformance.assignments += 2u64.pow(n);
        conformance.partial_assignments += 3u64.pow(n);
        Ok(())
    };
    for n in 2..=TABLE_UP_TO {
        for lits in [plain_inputs(n), mixed_inputs(n)] {
            for_each_counting_row(&lits, &mut check)?;
            if n <= 4 {
                for_each_weighted_row(&lits, &mut check)?;
            }
        }
    }
    if conformance.rows == 0 {
        return Err(ConformanceError {
            encoder: encoder.name(),
            row: format!("rows of up to {TABLE_UP_TO} inputs"),
            check: Check::Clauses,
            message: "the encoder supports none of them".to_owned(),
        });
    }
    Ok(conformance)
}

fn plain_inputs(n: usize) -> Vec<Lit> {
    (0..n).map(|i| Var::new(i).positive()).collect()
}

/// The last variable first, with a gap between them, every other literal negated.
fn mixed_inputs(n: usize) -> Vec<Lit> {
    (0..n).map(|i| Var::new(2 * (n - 1 - i)).lit(i % 2 == 1)).collect()
}

type CheckOfRow<'a> = &'a mut dyn FnMut(&Row<'_>) -> Result<(), ConformanceError>;

/// Every row that counts these literals, each in the one form that the normal form has for it.
fn for_each_counting_row(lits: &[Lit], check: CheckOfRow<'_>) -> Result<(), ConformanceError> {
    let n = lits.len();
    check(&Row::Clause(lits))?;
    check(&Row::ExactlyOne(lits))?;
    if n > 2 {
        check(&Row::AtMostOne(lits))?;
    }
    for lo in 0..n {
        for hi in lo.max(1)..=n {
            let is_active = lo > 0 || hi < n;
            if is_active && ![(0, 1), (1, 1), (1, n)].contains(&(lo, hi)) {
                check(&Row::Cardinality(Cardinality { lits, lo, hi }))?;
            }
        }
    }
    Ok(())
}

/// Every weighted sum in normal form over these literals with coefficients up to 3.
fn for_each_weighted_row(lits: &[Lit], check: CheckOfRow<'_>) -> Result<(), ConformanceError> {
    let digits = u32::try_from(lits.len()).expect("a small row");
    for number in 0..3usize.pow(digits) {
        let digit = |i| i128::try_from(number / 3usize.pow(i) % 3).expect("a digit");
        let coefficients: Vec<i128> = (0..digits).map(|i| 1 + digit(i)).collect();
        let sum: i128 = coefficients.iter().sum();
        let largest = *coefficients.iter().max().expect("at least two literals");
        if coefficients.iter().all(|&c| c == largest) || !coefficients.contains(&1) {
            // Not weighted. Without a 1 there may be a divisor; 2 and 3 are covered by 1 and 3.
            continue;
        }
        for (lo, hi) in (0..=sum).flat_map(|lo| (lo..=sum).map(move |hi| (lo, hi))) {
            let saturated_at = match (lo > 0, hi < sum) {
                (false, false) => continue,
                (true, false) => lo,
                (false, true) => sum - hi,
                (true, true) => sum,
            };
            if largest <= hi.min(sum - lo).min(saturated_at) {
                let coefficients = &coefficients;
                check(&Row::PseudoBoolean(PseudoBoolean { lits, coefficients, lo, hi }))?;
            }
        }
    }
    Ok(())
}

/// Checks an encoder on one row: every assignment of up to 12 inputs, every partial assignment of
/// up to 9, the size of any row.
///
/// # Errors
/// What is wrong.
pub fn check_row(encoder: &dyn Encoder, row: &Row<'_>) -> Result<(), ConformanceError> {
    let fail = |(check, message)| ConformanceError {
        encoder: encoder.name(),
        row: describe(row),
        check,
        message,
    };
    RowCheck::new(encoder, row).and_then(|check| check.all()).map_err(fail)
}

type Failure = (Check, String);
/// Gets an assignment, as a number of [`Feasible`], and the propagator under it.
type VisitAssignment<'a> = &'a mut dyn FnMut(usize, Option<&mut Propagator>) -> Result<(), Failure>;
/// Gets a partial assignment likewise.
type VisitPartial<'a> = &'a mut dyn FnMut(usize, Option<&Propagator>) -> Result<(), Failure>;

/// One row and its clauses.
struct RowCheck<'a> {
    encoder: &'a dyn Encoder,
    row: &'a Row<'a>,
    /// Variables below this are not the encoder's.
    num_foreign: usize,
    recording: Recording,
    outputs: Outputs,
}

/// What an encoder passed to its sink.
#[derive(Debug, PartialEq, Eq)]
struct Recording {
    cnf: Cnf,
    roles: Vec<Role>,
    definitions: Vec<bool>,
}

impl Recording {
    fn new(num_foreign: usize) -> Recording {
        let cnf = Cnf::with_variables(num_foreign);
        Recording { cnf, roles: Vec::new(), definitions: Vec::new() }
    }
}

impl ClauseSink for Recording {
    fn new_var(&mut self, role: Role) -> Var {
        self.roles.push(role);
        self.cnf.new_var(role)
    }

    fn clause(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        self.definitions.push(false);
        self.cnf.clause(lits)
    }

    fn define(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        self.definitions.push(true);
        self.cnf.clause(lits)
    }
}

fn encode(
    encoder: &dyn Encoder,
    row: &Row<'_>,
    sink: &mut dyn ClauseSink,
) -> Result<Outputs, Failure> {
    match encoder.encode(row, sink) {
        ControlFlow::Continue(outputs) => Ok(outputs),
        ControlFlow::Break(stop) => {
            Err((Check::Clauses, format!("it stopped with {stop:?}, which its sink did not")))
        }
    }
}

impl<'a> RowCheck<'a> {
    fn new(encoder: &'a dyn Encoder, row: &'a Row<'a>) -> Result<RowCheck<'a>, Failure> {
        let num_foreign = row.lits().iter().map(|lit| lit.var().index() + 1).max().unwrap_or(0);
        let mut recording = Recording::new(num_foreign);
        let outputs = encode(encoder, row, &mut recording)?;
        Ok(RowCheck { encoder, row, num_foreign, recording, outputs })
    }

    /// The size comes last: it says least about what is wrong.
    fn all(&self) -> Result<(), Failure> {
        self.clauses()?;
        let n = self.row.lits().len();
        if n <= COMPLETE_UP_TO {
            let feasible = Feasible::new(self.row);
            self.extension(&feasible)?;
            if n <= PARTIAL_UP_TO {
                self.propagation(&feasible)?;
            }
            self.condition(&feasible)?;
            self.tightened(&feasible)?;
        }
        self.size()
    }

    fn clauses(&self) -> Result<(), Failure> {
        let inputs: HashSet<Var> = self.row.lits().iter().map(|lit| lit.var()).collect();
        for clause in self.recording.cnf.clauses() {
            let fail = |what| Err((Check::Clauses, format!("the clause {clause:?} {what}")));
            let vars: HashSet<Var> = clause.iter().map(|lit| lit.var()).collect();
            if vars.len() < clause.len() {
                return fail("repeats a variable");
            }
            let is_known = |var: &Var| {
                let is_made = self.num_foreign..self.recording.cnf.num_variables();
                is_made.contains(&var.index()) || inputs.contains(var)
            };
            if !vars.iter().all(is_known) {
                return fail("has a variable that is neither an input nor made by the sink");
            }
        }
        let mut again = Recording::new(self.num_foreign);
        let outputs = encode(self.encoder, self.row, &mut again)?;
        if again != self.recording || outputs != self.outputs {
            return Err((Check::Clauses, "encoding it twice gives different clauses".to_owned()));
        }
        Ok(())
    }

    /// Over these clauses; variables that are none of the row's have a value, so that they do not
    /// count.
    fn propagator(&self, cnf: &Cnf) -> Propagator {
        let mut propagator = Propagator::new(cnf);
        for var in (0..self.num_foreign).map(Var::new) {
            if !self.row.lits().iter().any(|lit| lit.var() == var) {
                let is_free = propagator.assume(var.negative());
                debug_assert!(is_free || propagator.is_contradictory(), "no clause has {var:?}");
            }
        }
        propagator
    }

    fn extension(&self, feasible: &Feasible) -> Result<(), Failure> {
        let is_counted = self.encoder.keeps_model_count(self.row);
        let enough = if is_counted { 2 } else { 1 };
        let mut propagator = self.propagator(&self.recording.cnf);
        self.for_each_assignment(feasible, &mut propagator, &mut |assignment, extensions| {
            let under = || self.describe_inputs(feasible, assignment);
            match (
                feasible.is_met(assignment),
                extensions.map_or(0, |p| p.count_extensions(enough)),
            ) {
                (true, 0) => Err((Check::Extension, format!("{} is forbidden", under()))),
                (false, 1..) => Err((Check::Extension, format!("{} is allowed", under()))),
                (true, 2..) => {
                    let message = format!("{} extends in more than one way", under());
                    Err((Check::ModelCount, message))
                }
                _ => Ok(()),
            }
        })
    }

    /// Visits every assignment of the inputs with the propagator under it, or with `None` where
    /// propagation ends in a conflict.
    fn for_each_assignment(
        &self,
        feasible: &Feasible,
        propagator: &mut Propagator,
        visit: VisitAssignment<'_>,
    ) -> Result<(), Failure> {
        let lits = self.row.lits();
        let before = propagator.num_assigned();
        for bits in 0..1usize << lits.len() {
            let mut assignment = feasible.all_free();
            let mut is_consistent = !propagator.is_contradictory();
            for (i, &lit) in lits.iter().enumerate() {
                let digit = bits >> i & 1;
                assignment = feasible.with(assignment, i, digit);
                is_consistent &= is_consistent && propagator.assume(signed(lit, digit));
            }
            visit(assignment, is_consistent.then_some(&mut *propagator))?;
            propagator.undo_to(before);
        }
        Ok(())
    }

    fn propagation(&self, feasible: &Feasible) -> Result<(), Failure> {
        let strength = self.encoder.strength(self.row);
        let sides: Vec<Feasible> = sides_of(self.row).iter().map(Feasible::new).collect();
        let each_side_is_met = |partial| sides.iter().all(|side| side.is_met(partial));
        let mut propagator = self.propagator(&self.recording.cnf);
        self.for_each_partial(feasible, &mut propagator, &mut |partial, consistent| {
            let fail = |what: &str| {
                let message = format!("under {}, {what}", self.describe_inputs(feasible, partial));
                Err((Check::Propagation, message))
            };
            let Some(propagator) = consistent else {
                return if feasible.is_met(partial) {
                    fail("propagation ends in a conflict, but the row can be met")
                } else {
                    Ok(())
                };
            };
            if !feasible.is_met(partial) {
                let must_be_found = strength != Strength::Incomplete && !each_side_is_met(partial);
                return if must_be_found {
                    fail("propagation misses the conflict")
                } else {
                    Ok(())
                };
            }
            for (i, &lit) in self.row.lits().iter().enumerate() {
                if feasible.digit(partial, i) != FREE {
                    continue;
                }
                let [can_be_false, can_be_true] =
                    [0, 1].map(|digit| feasible.is_met(feasible.with(partial, i, digit)));
                let may_be = |value: bool| if value { can_be_true } else { can_be_false };
                let both_are_met = |partial, i| {
                    [0, 1].iter().all(|&digit| each_side_is_met(feasible.with(partial, i, digit)))
                };
                match propagator.value(lit) {
                    Some(value) if !may_be(value) || may_be(!value) => {
                        return fail(&format!("propagation makes literal {lit:?} {value} wrongly"));
                    }
                    None if strength == Strength::Complete && !both_are_met(partial, i) => {
                        return fail(&format!("propagation leaves literal {lit:?} free"));
                    }
                    _ => {}
                }
            }
            Ok(())
        })
    }

    /// Visits every partial assignment of the inputs with the propagator under it, or with `None`
    /// where propagation ends in a conflict; from there on, no larger one, where it does so too.
    fn for_each_partial(
        &self,
        feasible: &Feasible,
        propagator: &mut Propagator,
        visit: VisitPartial<'_>,
    ) -> Result<(), Failure> {
        let all_free = feasible.all_free();
        if propagator.is_contradictory() {
            return visit(all_free, None);
        }
        self.for_each_partial_from(0, all_free, feasible, propagator, visit)
    }

    fn for_each_partial_from(
        &self,
        i: usize,
        partial: usize,
        feasible: &Feasible,
        propagator: &mut Propagator,
        visit: VisitPartial<'_>,
    ) -> Result<(), Failure> {
        let Some(&lit) = self.row.lits().get(i) else {
            return visit(partial, Some(propagator));
        };
        self.for_each_partial_from(i + 1, partial, feasible, propagator, visit)?;
        for digit in [0, 1] {
            let before = propagator.num_assigned();
            let partial = feasible.with(partial, i, digit);
            if propagator.assume(signed(lit, digit)) {
                self.for_each_partial_from(i + 1, partial, feasible, propagator, visit)?;
            } else {
                visit(partial, None)?;
            }
            propagator.undo_to(before);
        }
        Ok(())
    }

    fn condition(&self, feasible: &Feasible) -> Result<(), Failure> {
        let condition = Var::new(self.num_foreign).positive();
        let mut recording = Recording::new(self.num_foreign + 1);
        encode(self.encoder, self.row, &mut Conditional::new(&mut recording, condition))?;
        let mut propagator = self.propagator(&recording.cnf);

        let fail = |partial, what| {
            let inputs = self.describe_inputs(feasible, partial);
            Err((Check::Condition, format!("as a conditional row, under {inputs}, {what}")))
        };
        for (truth, assumed) in [(false, !condition), (true, condition)] {
            let before = propagator.num_assigned();
            if !propagator.assume(assumed) {
                // A row that nothing meets may be noticed at once.
                if truth && !feasible.is_met(feasible.all_free()) {
                    propagator.undo_to(before);
                    continue;
                }
                return fail(feasible.all_free(), "the condition is not free");
            }
            self.for_each_assignment(feasible, &mut propagator, &mut |assignment, extensions| {
                let is_allowed = extensions.is_some_and(|p| p.count_extensions(1) > 0);
                match (truth, is_allowed) {
                    (false, false) => fail(assignment, "the condition cannot be false"),
                    (true, true) if !feasible.is_met(assignment) => {
                        fail(assignment, "the condition can be true though the row is not met")
                    }
                    (true, false) if feasible.is_met(assignment) => {
                        fail(assignment, "the condition cannot be true though the row is met")
                    }
                    _ => Ok(()),
                }
            })?;
            propagator.undo_to(before);
        }

        let is_incomplete = self.encoder.strength(self.row) == Strength::Incomplete;
        if is_incomplete || self.row.lits().len() > PARTIAL_UP_TO {
            return Ok(());
        }
        let sides: Vec<Feasible> = sides_of(self.row).iter().map(Feasible::new).collect();
        self.for_each_partial(feasible, &mut propagator, &mut |partial, consistent| {
            let Some(propagator) = consistent else {
                return fail(partial, "propagation ends in a conflict");
            };
            match propagator.value(condition) {
                None if !sides.iter().all(|side| side.is_met(partial)) => {
                    fail(partial, "propagation leaves the condition free")
                }
                Some(_) if feasible.is_met(partial) => {
                    fail(partial, "propagation gives the condition a value")
                }
                _ => Ok(()),
            }
        })
    }

    fn tightened(&self, feasible: &Feasible) -> Result<(), Failure> {
        for bound in 0..self.row.lits().len() {
            let Some(tightening) = self.outputs.tighten(bound) else {
                continue;
            };
            let fail = |assignment, what| {
                let inputs = self.describe_inputs(feasible, assignment);
                Err((Check::Outputs, format!("tightened to {bound}, {inputs} is {what}")))
            };
            let mut propagator = self.propagator(&self.recording.cnf);
            let is_consistent = propagator.assume(tightening);
            self.for_each_assignment(feasible, &mut propagator, &mut |assignment, extensions| {
                let digits = 0..self.row.lits().len();
                let count = digits.filter(|&i| feasible.digit(assignment, i) == 1).count();
                let is_allowed =
                    is_consistent && extensions.is_some_and(|p| p.count_extensions(1) > 0);
                match (feasible.is_met(assignment) && count <= bound, is_allowed) {
                    (true, false) => fail(assignment, "forbidden"),
                    (false, true) => fail(assignment, "allowed"),
                    _ => Ok(()),
                }
            })?;
        }
        Ok(())
    }

    fn size(&self) -> Result<(), Failure> {
        let made = self.recording.cnf.num_variables() - self.num_foreign;
        let found = Size::new(made, self.recording.cnf.num_clauses());
        match self.encoder.size(self.row) {
            Some(stated) if stated != found => {
                Err((Check::Size, format!("it says that it has {stated:?}, but it has {found:?}")))
            }
            _ => Ok(()),
        }
    }

    /// `x = 1 0 _`: the values of the row's literals, `_` where free.
    fn describe_inputs(&self, feasible: &Feasible, partial: usize) -> String {
        let digits = (0..self.row.lits().len()).map(|i| feasible.digit(partial, i));
        let letters = digits.map(|digit| ["0", "1", "_"][digit]);
        format!("literals = {}", letters.collect::<Vec<_>>().join(" "))
    }
}

/// The sides of a weighted sum, which can be met each for itself where both together cannot. A
/// number of literals that misses neither bound meets both.
fn sides_of<'a>(row: &Row<'a>) -> Vec<Row<'a>> {
    match *row {
        Row::PseudoBoolean(row) => {
            let sum = row.coefficients.iter().sum();
            vec![
                Row::PseudoBoolean(PseudoBoolean { lo: 0, ..row }),
                Row::PseudoBoolean(PseudoBoolean { hi: sum, ..row }),
            ]
        }
        row => vec![row],
    }
}

fn signed(lit: Lit, digit: usize) -> Lit {
    if digit == 1 { lit } else { !lit }
}

/// The class, bounds and literals of a row in one line.
fn describe(row: &Row<'_>) -> String {
    let (lits, n) = (row.lits(), row.lits().len());
    let bounds = match row {
        Row::PseudoBoolean(row) => {
            format!("{} <= {:?} <= {}", row.lo, row.coefficients, row.hi)
        }
        _ => row.as_cardinality().map_or(String::new(), |row| format!("{}..={}", row.lo, row.hi)),
    };
    format!("{} row, n = {n}, {bounds}, literals {lits:?}", row.class_name())
}
