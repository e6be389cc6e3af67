//! Justified clauses: every certified encoder, on all small rows, against a checker of the rules
//! that shares nothing with the encoders.

use pbsolve_encodings::sink::Cnf;
use pbsolve_encodings::{
    Cardinality, CardinalityNetwork, Class, ClauseId, ClauseSink, ConstraintId, DecisionDiagram,
    Direct, EncodeModel, Encoder, Fixing, Outputs, Planner, PolynomialWatchdog, ProofLog,
    ProofTerm, PseudoBoolean, Role, Row, Size, Stop, Strength,
};
use pbsolve_model::{Linear, Lit, Model, RowId, Var};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// `sum of coefficient * literal >= bound` over distinct variables, with positive coefficients.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Constraint {
    terms: BTreeMap<Lit, i128>,
    bound: i128,
}

impl Constraint {
    fn new(terms: impl IntoIterator<Item = (i128, Lit)>, bound: i128) -> Constraint {
        let mut constraint = Constraint { terms: BTreeMap::new(), bound };
        for (coefficient, lit) in terms {
            constraint.add_term(coefficient, lit);
        }
        constraint
    }

    fn clause(lits: &[Lit]) -> Constraint {
        Constraint::new(lits.iter().map(|&lit| (1, lit)), 1)
    }

    fn add_term(&mut self, coefficient: i128, lit: Lit) {
        let (mut coefficient, mut lit) = (coefficient, lit);
        if coefficient < 0 {
            self.bound -= coefficient;
            (coefficient, lit) = (-coefficient, !lit);
        }
        let opposite = self.terms.remove(&!lit).unwrap_or(0);
        let cancelled = opposite.min(coefficient);
        self.bound -= cancelled;
        if opposite > coefficient {
            self.terms.insert(!lit, opposite - coefficient);
        } else if coefficient > opposite {
            *self.terms.entry(lit).or_default() += coefficient - opposite;
        }
    }

    fn plus(mut self, other: &Constraint) -> Constraint {
        self.bound += other.bound;
        for (&lit, &coefficient) in &other.terms {
            self.add_term(coefficient, lit);
        }
        self
    }

    fn map(mut self, bound: i128, change: impl Fn(i128) -> i128) -> Constraint {
        self.bound = bound;
        self.terms.values_mut().for_each(|coefficient| *coefficient = change(*coefficient));
        self
    }

    fn times(self, factor: i128) -> Constraint {
        assert!(factor > 0, "factors are positive");
        let bound = self.bound * factor;
        self.map(bound, |coefficient| coefficient * factor)
    }

    fn divided(self, divisor: i128) -> Constraint {
        assert!(divisor > 0, "divisors are positive");
        let up = |number: i128| (number + divisor - 1).div_euclid(divisor);
        let bound = up(self.bound);
        self.map(bound, up)
    }

    fn saturated(self) -> Constraint {
        let bound = self.bound.max(0);
        self.map(bound, |coefficient| coefficient.min(bound))
    }

    fn negated(&self) -> Constraint {
        let sum: i128 = self.terms.values().sum();
        let terms = self.terms.iter().map(|(&lit, &coefficient)| (coefficient, !lit));
        Constraint::new(terms, sum - self.bound + 1)
    }

    /// With the literals of the witness set to true.
    fn under(&self, witness: &[Lit]) -> Constraint {
        let mut left = Constraint { terms: BTreeMap::new(), bound: self.bound };
        for (&lit, &coefficient) in &self.terms {
            if witness.contains(&lit) {
                left.bound -= coefficient;
            } else if !witness.contains(&!lit) {
                left.terms.insert(lit, coefficient);
            }
        }
        left
    }

    fn mentions(&self, lit: Lit) -> bool {
        self.terms.contains_key(&lit) || self.terms.contains_key(&!lit)
    }

    /// Whether literal axioms alone lead from here to `other`.
    fn implies(&self, other: &Constraint) -> bool {
        let weakening = self.terms.iter().map(|(lit, &coefficient)| {
            (coefficient - other.terms.get(lit).copied().unwrap_or(0)).max(0)
        });
        self.bound - weakening.sum::<i128>() >= other.bound
    }
}

/// The literals that unit propagation makes true; `None` for a conflict.
fn propagate<'a>(constraints: &(impl Iterator<Item = &'a Constraint> + Clone)) -> Option<Vec<Lit>> {
    let mut is_true: Vec<Lit> = Vec::new();
    loop {
        let before = is_true.len();
        for Constraint { terms, bound } in constraints.clone() {
            let possible = terms.iter().filter(|(lit, _)| !is_true.contains(&!**lit));
            let slack = possible.clone().map(|(_, c)| c).sum::<i128>() - bound;
            if slack < 0 {
                return None;
            }
            let forced = possible.filter(|(lit, c)| **c > slack && !is_true.contains(lit));
            let forced: Vec<Lit> = forced.map(|(&lit, _)| lit).collect();
            is_true.extend(forced);
        }
        if is_true.len() == before {
            return Some(is_true);
        }
    }
}

/// A step of a proof, as it is checked; corrupted copies must be refused.
#[derive(Clone, Debug)]
enum Rule {
    Red { constraint: Constraint, witness: Vec<Lit> },
    Pol(Vec<ProofTerm>),
    Rup { clause: Vec<Lit>, hints: Vec<ConstraintId> },
}

/// The constraints that a proof starts from and those that were derived. Ids count from 1.
#[derive(Clone, Debug, Default)]
struct Checker {
    constraints: Vec<Constraint>,
}

impl Checker {
    fn constraint(&self, id: ConstraintId) -> &Constraint {
        &self.constraints[usize::try_from(id.0 - 1).expect("small")]
    }

    fn add(&mut self, constraint: Constraint) -> ConstraintId {
        self.constraints.push(constraint);
        ConstraintId(self.constraints.len() as u64)
    }

    /// Does a step, or says what is wrong.
    fn derive(&mut self, rule: &Rule) -> Result<ConstraintId, String> {
        let constraint = match rule {
            Rule::Red { constraint, witness } => {
                let negated = constraint.negated();
                let touched = |other: &&Constraint| witness.iter().any(|&lit| other.mentions(lit));
                let goals = self.constraints.iter().filter(touched).chain([constraint]);
                for goal in goals {
                    let goal = goal.under(witness);
                    let against = goal.negated();
                    let all = self.constraints.iter().chain([&negated]);
                    let known = propagate(&all);
                    let known = known.unwrap_or_default();
                    let is_shown = goal.bound <= 0
                        || propagate(&all.clone().chain([&against])).is_none()
                        || all
                            .clone()
                            .any(|other| other.under(&known).implies(&goal.under(&known)));
                    if !is_shown {
                        return Err(format!("{goal:?} does not follow for {rule:?}"));
                    }
                }
                constraint.clone()
            }
            Rule::Pol(steps) => self.add_up(steps)?,
            Rule::Rup { clause, hints } => {
                let clause = Constraint::clause(clause);
                let negated = clause.negated();
                let hinted = hints.iter().map(|&hint| self.constraint(hint)).chain([&negated]);
                if propagate(&hinted).is_some() {
                    let hints: Vec<&Constraint> = hinted.collect();
                    return Err(format!("{clause:?} does not follow from {hints:?}"));
                }
                clause
            }
        };
        Ok(self.add(constraint))
    }

    fn add_up(&self, steps: &[ProofTerm]) -> Result<Constraint, String> {
        let mut stack: Vec<Constraint> = Vec::new();
        for step in steps {
            let mut pop = || stack.pop().ok_or("the stack is empty");
            let constraint = match *step {
                ProofTerm::Constraint(id) => self.constraint(id).clone(),
                ProofTerm::Literal(lit) => Constraint::new([(1, lit)], 0),
                ProofTerm::Add => pop()?.plus(&pop()?),
                ProofTerm::Multiply(factor) => pop()?.times(factor),
                ProofTerm::Divide(divisor) => pop()?.divided(divisor),
                ProofTerm::Saturate => pop()?.saturated(),
            };
            stack.push(constraint);
        }
        let constraint = stack.pop().ok_or("nothing is derived")?;
        if stack.is_empty() { Ok(constraint) } else { Err("something is left over".to_owned()) }
    }
}

/// A proof of one row's clauses, checked as it is written.
#[derive(Clone, Debug, Default)]
struct Proof {
    checker: Checker,
    num_given: usize,
    rules: Vec<Rule>,
    given: Vec<[Option<ConstraintId>; 2]>,
    sides: [Option<ConstraintId>; 2],
    /// The constraint of each clause.
    justified: Vec<Option<ConstraintId>>,
    /// The first step that does not follow.
    wrong: Option<String>,
}

impl Proof {
    fn of_row(row: &Row<'_>) -> Proof {
        let mut proof = Proof::default();
        let terms: Vec<(i128, Lit)> = match row {
            Row::PseudoBoolean(row) => {
                row.coefficients.iter().copied().zip(row.lits.iter().copied()).collect()
            }
            _ => row.lits().iter().map(|&lit| (1, lit)).collect(),
        };
        let sum: i128 = terms.iter().map(|(c, _)| c).sum();
        let number = |count: usize| i128::try_from(count).expect("small");
        let (lo, hi) = match row {
            Row::PseudoBoolean(row) => (row.lo, row.hi),
            _ => row.as_cardinality().map(|row| (number(row.lo), number(row.hi))).unwrap(),
        };
        proof.sides = proof.give(&terms, (lo > 0).then_some(lo), (hi < sum).then_some(hi));
        proof
    }

    fn give(
        &mut self,
        terms: &[(i128, Lit)],
        lower: Option<i128>,
        upper: Option<i128>,
    ) -> [Option<ConstraintId>; 2] {
        let at_least = |bound| Constraint::new(terms.iter().copied(), bound);
        let negated = || terms.iter().map(|&(coefficient, lit)| (-coefficient, lit));
        let lower = lower.map(|bound| self.checker.add(at_least(bound)));
        let upper = upper.map(|bound| self.checker.add(Constraint::new(negated(), -bound)));
        self.num_given = self.checker.constraints.len();
        [lower, upper]
    }

    fn derive(&mut self, rule: Rule) -> ConstraintId {
        let derived = self.checker.derive(&rule);
        self.rules.push(rule);
        derived.unwrap_or_else(|wrong| {
            self.wrong.get_or_insert(wrong);
            // Something to go on with; the proof is refused.
            self.checker.add(Constraint::clause(&[]))
        })
    }
}

impl ProofLog for Proof {
    fn given_side(&mut self, row: RowId, upper: bool) -> Option<ConstraintId> {
        self.given[usize::try_from(row.0).expect("small")][usize::from(upper)]
    }

    fn set_row_sides(&mut self, lower: Option<ConstraintId>, upper: Option<ConstraintId>) {
        self.sides = [lower, upper];
    }

    fn row_side(&mut self, upper: bool) -> Option<ConstraintId> {
        self.sides[usize::from(upper)]
    }

    fn red(&mut self, terms: &[(i128, Lit)], bound: i128, witness: &[Lit]) -> ConstraintId {
        let constraint = Constraint::new(terms.iter().copied(), bound);
        self.derive(Rule::Red { constraint, witness: witness.to_vec() })
    }

    fn pol(&mut self, steps: &[ProofTerm]) -> ConstraintId {
        self.derive(Rule::Pol(steps.to_vec()))
    }

    fn rup(&mut self, clause: &[Lit], hints: &[ConstraintId]) -> ConstraintId {
        self.derive(Rule::Rup { clause: clause.to_vec(), hints: hints.to_vec() })
    }

    fn del(&mut self, _: &[ConstraintId]) {}

    fn justify(&mut self, clause: ConstraintId) {
        let last = self.justified.last_mut().expect("a clause to justify");
        assert_eq!(*last, None, "a clause is justified once");
        *last = Some(clause);
    }
}

/// Clauses with their proof beside them.
struct Proving {
    cnf: Cnf,
    proof: Proof,
}

impl ClauseSink for Proving {
    fn new_var(&mut self, role: Role) -> Var {
        self.cnf.new_var(role)
    }

    fn clause(&mut self, lits: &[Lit]) -> ControlFlow<Stop, ClauseId> {
        self.proof.justified.push(None);
        self.cnf.clause(lits)
    }

    fn proof(&mut self) -> Option<&mut dyn ProofLog> {
        Some(&mut self.proof)
    }
}

impl Proving {
    /// Every step must follow, and every clause must have a constraint that implies it.
    fn check(&self) -> Result<(), String> {
        if let Some(wrong) = &self.proof.wrong {
            return Err(wrong.clone());
        }
        check_clauses(&self.proof.checker, &self.cnf, &self.proof.justified)
    }
}

fn check_clauses(
    checker: &Checker,
    cnf: &Cnf,
    justified: &[Option<ConstraintId>],
) -> Result<(), String> {
    for (clause, id) in cnf.clauses().zip(justified) {
        let id = id.ok_or_else(|| format!("{clause:?} is not justified"))?;
        let constraint = checker.constraint(id);
        if !constraint.implies(&Constraint::clause(clause)) {
            return Err(format!("{constraint:?} is not {clause:?}"));
        }
    }
    Ok(())
}

/// Encodes `row` with a proof that starts from the sides of `given`.
fn encode_from(encoder: &dyn Encoder, row: &Row<'_>, given: &Row<'_>) -> Proving {
    let num_variables = row.lits().iter().map(|lit| lit.var().index() + 1).max().unwrap_or(0);
    let mut sink = Proving { cnf: Cnf::with_variables(num_variables), proof: Proof::of_row(given) };
    assert!(encoder.encode(row, &mut sink).is_continue());
    sink
}

/// Encodes with a proof; every rule is checked, and every clause must be justified.
fn prove(encoder: &dyn Encoder, row: &Row<'_>) -> Proving {
    let sink = encode_from(encoder, row, row);
    if let Err(wrong) = sink.check() {
        panic!("{}, {row:?}: {wrong}\n{:?}", encoder.name(), sink.proof.rules);
    }
    let num_variables = row.lits().iter().map(|lit| lit.var().index() + 1).max().unwrap_or(0);
    let mut plain = Cnf::with_variables(num_variables);
    assert!(encoder.encode(row, &mut plain).is_continue());
    assert_eq!(plain, sink.cnf, "{}: a proof changes no clause", encoder.name());
    sink
}

fn certified() -> impl Iterator<Item = &'static dyn Encoder> {
    pbsolve_encodings::all().filter(|encoder| encoder.is_certified())
}

fn inputs(n: usize) -> Vec<Lit> {
    (0..n).map(|i| Var::new(i).lit(i % 3 != 1)).collect()
}

/// All rows that count up to this many literals.
fn for_each_counting_row(up_to: usize, mut visit: impl FnMut(&Row<'_>)) {
    for n in 2..=up_to {
        let lits = &inputs(n)[..];
        visit(&Row::ExactlyOne(lits));
        if n > 2 {
            visit(&Row::AtMostOne(lits));
        }
        for lo in 0..n {
            for hi in lo.max(1)..=n {
                if lo > 0 || hi < n {
                    visit(&Row::Cardinality(Cardinality { lits, lo, hi }));
                }
            }
        }
    }
}

/// Rows with these coefficients and all bounds that force no literal.
fn for_each_bound(coefficients: &[i128], mut visit: impl FnMut(&Row<'_>)) {
    let lits = &inputs(coefficients.len())[..];
    let sum: i128 = coefficients.iter().sum();
    let largest = *coefficients.iter().max().expect("terms");
    for lo in 0..=sum - largest {
        for hi in lo.max(largest)..=sum {
            if lo > 0 || hi < sum {
                visit(&Row::PseudoBoolean(PseudoBoolean { lits, coefficients, lo, hi }));
            }
        }
    }
}

fn prove_all(row: &Row<'_>) {
    for encoder in certified().filter(|encoder| encoder.supports(row)) {
        prove(encoder, row);
    }
}

#[test]
fn every_clause_of_small_counting_rows_is_justified() {
    for_each_counting_row(5, prove_all);
}

#[test]
fn every_clause_of_small_weighted_rows_is_justified() {
    let weights = [1, 2, 3];
    for a in weights {
        for b in weights {
            for_each_bound(&[a, b], prove_all);
            for c in weights {
                for_each_bound(&[a, b, c], prove_all);
            }
        }
    }
    for coefficients in [&[1, 1, 2, 3][..], &[5, 3, 3, 1], &[7, 4, 2, 1], &[1, 2, 2, 2, 3]] {
        for_each_bound(coefficients, prove_all);
    }
}

#[test]
fn larger_rows_where_sums_are_cut_are_justified() {
    let lits = &inputs(9)[..];
    for (lo, hi) in [(0, 2), (0, 3), (2, 2), (1, 3), (3, 4), (2, 6), (7, 9), (6, 9), (5, 5)] {
        prove_all(&Row::Cardinality(Cardinality { lits, lo, hi }));
    }
    prove_all(&Row::AtMostOne(lits));
    prove_all(&Row::ExactlyOne(lits));
    for (lo, hi) in [(0, 3), (0, 4), (3, 5), (10, 15), (2, 15)] {
        let coefficients = &[3, 2, 2, 2, 2, 1, 1, 1, 1][..];
        prove_all(&Row::PseudoBoolean(PseudoBoolean { lits, coefficients, lo, hi }));
    }
}

#[test]
fn networks_that_merge_recursively_are_justified() {
    for (n, lo, hi) in [(16, 0, 7), (20, 9, 20), (24, 0, 11), (21, 5, 8)] {
        let lits = &inputs(n)[..];
        let row = Row::Cardinality(Cardinality { lits, lo, hi });
        prove(&CardinalityNetwork, &row);
    }
    // Bits in all places, so that counts of literals and of carries are merged.
    for (n, lo, hi) in [(14, 0, 40), (14, 37, 93), (18, 0, 50)] {
        let lits = &inputs(n)[..];
        let mut coefficients: Vec<i128> = (0..n).map(|i| 1 + (5 * i as i128) % 13).collect();
        coefficients.sort_unstable_by(|a, b| b.cmp(a));
        let sum = coefficients.iter().sum();
        let row = PseudoBoolean { lits, coefficients: &coefficients, lo, hi: hi.min(sum) };
        prove(&PolynomialWatchdog, &Row::PseudoBoolean(row));
        prove(&DecisionDiagram, &Row::PseudoBoolean(row));
    }
}

/// Rows for which each encoder has something to prove, with the same row one looser.
fn for_each_with_looser(mut visit: impl FnMut(&Row<'_>, &Row<'_>)) {
    let lits = &inputs(8)[..];
    for (lo, hi) in [(0, 1), (0, 3), (3, 8), (2, 4)] {
        let row = Cardinality { lits, lo, hi };
        let (lower, upper) = (lo.saturating_sub(1), (hi + 1).min(8));
        let named = if hi == 1 { Row::AtMostOne(lits) } else { Row::Cardinality(row) };
        if hi < 8 {
            visit(&named, &Row::Cardinality(Cardinality { hi: upper, ..row }));
        }
        if lo > 0 {
            visit(&named, &Row::Cardinality(Cardinality { lo: lower, ..row }));
        }
    }
    let coefficients = &[3, 3, 2, 2, 1, 1, 1, 1][..];
    for (lo, hi) in [(0, 5), (4, 14), (4, 7)] {
        let row = PseudoBoolean { lits, coefficients, lo, hi };
        if hi < 14 {
            visit(
                &Row::PseudoBoolean(row),
                &Row::PseudoBoolean(PseudoBoolean { hi: hi + 1, ..row }),
            );
        }
        if lo > 0 {
            visit(
                &Row::PseudoBoolean(row),
                &Row::PseudoBoolean(PseudoBoolean { lo: lo - 1, ..row }),
            );
        }
    }
}

#[test]
fn a_bound_that_is_off_by_one_is_refused_for_each_encoder() {
    let mut refused = std::collections::HashSet::new();
    for_each_with_looser(|row, looser| {
        for encoder in certified().filter(|encoder| encoder.supports(row)) {
            prove(encoder, row);
            let wrong = encode_from(encoder, row, looser).check();
            assert!(wrong.is_err(), "{} proves {row:?} from {looser:?}", encoder.name());
            refused.insert(encoder.name());
        }
    });
    assert_eq!(refused.len(), certified().count(), "{refused:?}");
}

/// The rule with something taken away that it needs, as a rule.
fn corrupted(rule: &Rule) -> Option<(&'static str, Rule)> {
    match rule {
        Rule::Red { constraint, witness } => {
            let mut constraint = constraint.clone();
            let other = *constraint.terms.keys().find(|lit| !witness.contains(lit))?;
            constraint.terms.remove(&other);
            Some(("red", Rule::Red { constraint, witness: witness.clone() }))
        }
        Rule::Rup { clause, hints } => {
            let (_, clause) = clause.split_first()?;
            Some(("rup", Rule::Rup { clause: clause.to_vec(), hints: hints.clone() }))
        }
        Rule::Pol(steps) => {
            // The last constraint that was added is not.
            let place = steps.iter().rposition(|step| *step == ProofTerm::Add)?;
            let start = steps[..place].iter().rposition(|step| {
                matches!(step, ProofTerm::Constraint(_) | ProofTerm::Literal(_))
            })?;
            let mut steps = steps.clone();
            steps.drain(start..=place);
            Some(("pol", Rule::Pol(steps)))
        }
    }
}

#[test]
fn a_corrupted_step_of_each_rule_is_refused_for_each_encoder() {
    let mut tried = BTreeMap::new();
    for_each_with_looser(|row, _| {
        for encoder in certified().filter(|encoder| encoder.supports(row)) {
            let control = prove(encoder, row);
            let rules = &control.proof.rules;
            // Some twenty-five steps of each proof: a replay is as long as the proof.
            for place in (0..rules.len()).step_by(rules.len() / 25 + 1) {
                let Some((kind, wrong)) = corrupted(&rules[place]) else { continue };
                let mut checker = Checker::default();
                let given = &control.proof.checker.constraints[..control.proof.num_given];
                checker.constraints = given.to_vec();
                let replay = rules.iter().enumerate().try_for_each(|(i, rule)| {
                    let rule = if i == place { &wrong } else { rule };
                    checker.derive(rule).map(drop)
                });
                let justified = &control.proof.justified;
                let all = replay.and_then(|()| check_clauses(&checker, &control.cnf, justified));
                let [refused, number] = tried.entry((encoder.name(), kind)).or_insert([0, 0]);
                *refused += usize::from(all.is_err());
                *number += 1;
            }
        }
    });
    for encoder in certified() {
        let of_encoder = tried.iter().filter(|((name, _), _)| *name == encoder.name());
        assert!(of_encoder.count() > 0, "{} has rules", encoder.name());
    }
    for ((encoder, kind), [refused, number]) in tried {
        // What is left over after a corruption may happen to suffice, but seldom.
        assert!(2 * refused > number, "{encoder}, {kind}: {refused} of {number} refused");
    }
}

/// A row as it may be written: repeated and complementary literals, any signs, wide bounds.
fn written_row() -> impl Strategy<Value = (Vec<(i128, Lit)>, Option<i128>, Option<i128>)> {
    let term = (-6i128..=9, 0usize..5, any::<bool>());
    let term = term.prop_map(|(c, var, sign)| (c, Var::new(var).lit(sign)));
    let bound = || proptest::option::weighted(0.7, -12i128..=20);
    (proptest::collection::vec(term, 0..7), bound(), bound())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    /// From the sides as they are written to the clauses, through every step of the normal form.
    #[test]
    fn rows_as_written_are_justified((terms, lower, upper) in written_row()) {
        let mut model = Model::default();
        model.new_vars(5);
        let mut row = Linear::sum(terms.iter().copied());
        (row.lower, row.upper) = (lower, upper);
        model.add(row);
        let mut sink = Proving { cnf: Cnf::default(), proof: Proof::default() };
        let sides = sink.proof.give(&terms, lower, upper);
        sink.proof.given.push(sides);
        let planner = Planner { require_certified: true, ..Planner::default() };
        let mut encode = EncodeModel::new(planner);
        prop_assert!(encode.model(&model, &mut sink).is_continue());
        prop_assert_eq!(sink.check(), Ok(()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Values that some rows fix are folded into the others, and no clause speaks of them.
    #[test]
    fn rows_with_fixed_variables_are_justified(
        rows in proptest::collection::vec(written_row(), 1..5),
        units in proptest::collection::vec((0usize..5, any::<bool>()), 1..3),
    ) {
        let mut model = Model::default();
        model.new_vars(5);
        let mut sink = Proving { cnf: Cnf::default(), proof: Proof::default() };
        let units = units.into_iter().map(|(var, sign)| {
            (vec![(1, Var::new(var).lit(sign))], Some(1), None)
        });
        for (terms, lower, upper) in rows.into_iter().chain(units) {
            let mut row = Linear::sum(terms.iter().copied());
            (row.lower, row.upper) = (lower, upper);
            model.add(row);
            let sides = sink.proof.give(&terms, lower, upper);
            sink.proof.given.push(sides);
        }
        let planner = Planner { require_certified: true, ..Planner::default() };
        let mut encode = EncodeModel::new(planner);
        for _ in 0..2 {
            let flow = model.for_each_row(|id, row| {
                match encode.fix(id, row, |_| true, sink.proof()) {
                    Fixing::Contradiction => ControlFlow::Break(()),
                    _ => ControlFlow::Continue(()),
                }
            });
            if flow.is_break() {
                break;
            }
        }
        prop_assert!(encode.model(&model, &mut sink).is_continue());
        prop_assert_eq!(sink.check(), Ok(()));
        for lit in sink.cnf.clauses().flatten() {
            prop_assert_eq!(encode.fixed.value(lit.var()), None, "{:?}", sink.cnf);
        }
    }
}

/// An encoder that justifies nothing.
#[derive(Debug)]
struct Silent;

impl Encoder for Silent {
    fn name(&self) -> &'static str {
        "silent"
    }

    fn class(&self) -> Class {
        Direct.class()
    }

    fn about(&self) -> &'static str {
        "an encoder of a user"
    }

    fn supports(&self, row: &Row<'_>) -> bool {
        Direct.supports(row)
    }

    fn size(&self, row: &Row<'_>) -> Option<Size> {
        Direct.size(row)
    }

    fn strength(&self, row: &Row<'_>) -> Strength {
        Direct.strength(row)
    }

    fn keeps_model_count(&self, row: &Row<'_>) -> bool {
        Direct.keeps_model_count(row)
    }

    fn encode(&self, row: &Row<'_>, sink: &mut dyn ClauseSink) -> ControlFlow<Stop, Outputs> {
        Direct.encode(row, sink)
    }
}

#[test]
fn an_encoder_without_a_proof_is_refused_by_name() {
    let lits = &inputs(8)[..];
    let planner = Planner { require_certified: true, ..Planner::default() };
    let row = Row::Cardinality(Cardinality { lits, lo: 0, hi: 3 });
    let refused = planner.with(&Silent).choose(&row).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "cardinality <= row of 8 literals: silent justifies no clauses for a proof"
    );
}

#[test]
fn every_encoder_is_certified() {
    for encoder in pbsolve_encodings::all() {
        assert!(encoder.is_certified(), "{}", encoder.name());
    }
}
