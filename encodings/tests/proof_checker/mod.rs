//! A checker of the rules that justify clauses, which shares nothing with the encoders.

use pbsolve_encodings::Stop;
use pbsolve_encodings::sink::Cnf;
use pbsolve_encodings::{ClauseId, ClauseSink, ConstraintId, ProofLog, ProofTerm, Role, Row};
use pbsolve_model::{Lit, RowId, Var};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// `sum of coefficient * literal >= bound` over distinct variables, with positive coefficients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Constraint {
    pub(crate) terms: BTreeMap<Lit, i128>,
    pub(crate) bound: i128,
}

impl Constraint {
    pub(crate) fn new(terms: impl IntoIterator<Item = (i128, Lit)>, bound: i128) -> Constraint {
        let mut constraint = Constraint { terms: BTreeMap::new(), bound };
        for (coefficient, lit) in terms {
            constraint.add_term(coefficient, lit);
        }
        constraint
    }

    pub(crate) fn clause(lits: &[Lit]) -> Constraint {
        Constraint::new(lits.iter().map(|&lit| (1, lit)), 1)
    }

    pub(crate) fn add_term(&mut self, coefficient: i128, lit: Lit) {
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

    pub(crate) fn plus(mut self, other: &Constraint) -> Constraint {
        self.bound += other.bound;
        for (&lit, &coefficient) in &other.terms {
            self.add_term(coefficient, lit);
        }
        self
    }

    pub(crate) fn map(mut self, bound: i128, change: impl Fn(i128) -> i128) -> Constraint {
        self.bound = bound;
        self.terms.values_mut().for_each(|coefficient| *coefficient = change(*coefficient));
        self
    }

    pub(crate) fn times(self, factor: i128) -> Constraint {
        assert!(factor > 0, "factors are positive");
        let bound = self.bound * factor;
        self.map(bound, |coefficient| coefficient * factor)
    }

    pub(crate) fn divided(self, divisor: i128) -> Constraint {
        assert!(divisor > 0, "divisors are positive");
        let up = |number: i128| (number + divisor - 1).div_euclid(divisor);
        let bound = up(self.bound);
        self.map(bound, up)
    }

    pub(crate) fn saturated(self) -> Constraint {
        let bound = self.bound.max(0);
        self.map(bound, |coefficient| coefficient.min(bound))
    }

    pub(crate) fn negated(&self) -> Constraint {
        let sum: i128 = self.terms.values().sum();
        let terms = self.terms.iter().map(|(&lit, &coefficient)| (coefficient, !lit));
        Constraint::new(terms, sum - self.bound + 1)
    }

    /// With the literals of the witness set to true.
    pub(crate) fn under(&self, witness: &[Lit]) -> Constraint {
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

    pub(crate) fn mentions(&self, lit: Lit) -> bool {
        self.terms.contains_key(&lit) || self.terms.contains_key(&!lit)
    }

    /// Whether literal axioms alone lead from here to `other`.
    pub(crate) fn implies(&self, other: &Constraint) -> bool {
        let weakening = self.terms.iter().map(|(lit, &coefficient)| {
            (coefficient - other.terms.get(lit).copied().unwrap_or(0)).max(0)
        });
        self.bound - weakening.sum::<i128>() >= other.bound
    }
}

/// The literals that unit propagation makes true; `None` for a conflict.
pub(crate) fn propagate<'a>(
    constraints: &(impl Iterator<Item = &'a Constraint> + Clone),
) -> Option<Vec<Lit>> {
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
pub(crate) enum Rule {
    Red { constraint: Constraint, witness: Vec<Lit> },
    Pol(Vec<ProofTerm>),
    Rup { clause: Vec<Lit>, hints: Vec<ConstraintId> },
}

/// The constraints that a proof starts from and those that were derived. Ids count from 1.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checker {
    pub(crate) constraints: Vec<Constraint>,
}

impl Checker {
    pub(crate) fn constraint(&self, id: ConstraintId) -> &Constraint {
        &self.constraints[usize::try_from(id.0 - 1).expect("small")]
    }

    pub(crate) fn add(&mut self, constraint: Constraint) -> ConstraintId {
        self.constraints.push(constraint);
        ConstraintId(self.constraints.len() as u64)
    }

    /// Does a step, or says what is wrong.
    pub(crate) fn derive(&mut self, rule: &Rule) -> Result<ConstraintId, String> {
        let constraint = match rule {
            Rule::Red { constraint, witness } => {
                let negated = constraint.negated();
                let touched = |other: &&Constraint| witness.iter().any(|&lit| other.mentions(lit));
                let goals = self.constraints.iter().filter(touched).chain([constraint]);
                for goal in goals {
                    let goal = goal.under(witness);
                    // By more than this, a checker would have to search all constraints for it.
                    if goal.bound > 0 && !negated.implies(&goal) {
                        return Err(format!("{goal:?} does not follow at once for {rule:?}"));
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

    pub(crate) fn add_up(&self, steps: &[ProofTerm]) -> Result<Constraint, String> {
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
pub(crate) struct Proof {
    pub(crate) checker: Checker,
    pub(crate) num_given: usize,
    pub(crate) rules: Vec<Rule>,
    pub(crate) given: Vec<[Option<ConstraintId>; 2]>,
    pub(crate) sides: [Option<ConstraintId>; 2],
    /// The constraint of each clause.
    pub(crate) justified: Vec<Option<ConstraintId>>,
    /// The first step that does not follow.
    pub(crate) wrong: Option<String>,
}

impl Proof {
    pub(crate) fn of_row(row: &Row<'_>) -> Proof {
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

    pub(crate) fn give(
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

    pub(crate) fn derive(&mut self, rule: Rule) -> ConstraintId {
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
pub(crate) struct Proving {
    pub(crate) cnf: Cnf,
    pub(crate) proof: Proof,
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
    pub(crate) fn check(&self) -> Result<(), String> {
        if let Some(wrong) = &self.proof.wrong {
            return Err(wrong.clone());
        }
        check_clauses(&self.proof.checker, &self.cnf, &self.proof.justified)
    }
}

pub(crate) fn check_clauses(
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
