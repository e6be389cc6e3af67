//! Justified clauses: each follows from the row by one unit propagation of the hinted constraint.

use pbsolve_encodings::sink::Cnf;
use pbsolve_encodings::{
    Cardinality, ClauseId, ClauseSink, ConstraintId, Direct, Encoder, Pairwise, ProofLog,
    ProofTerm, Role, Row, Stop,
};
use pbsolve_model::{Lit, Var};
use std::fmt::Write;
use std::ops::ControlFlow;

/// `sum of terms >= bound`.
#[derive(Clone, Debug)]
struct Constraint {
    terms: Vec<(i128, Lit)>,
    bound: i128,
}

impl Constraint {
    fn clause(lits: &[Lit]) -> Constraint {
        Constraint { terms: lits.iter().map(|&lit| (1, lit)).collect(), bound: 1 }
    }
}

/// A row's two sides and what was derived from them. Ids count from 1.
#[derive(Debug)]
struct Proof {
    lower: Option<ConstraintId>,
    upper: Option<ConstraintId>,
    constraints: Vec<Constraint>,
    text: String,
}

impl Proof {
    fn new(row: &Row<'_>) -> Proof {
        let text = "pseudo-Boolean proof version 3.0\n".to_owned();
        let mut proof = Proof { lower: None, upper: None, constraints: Vec::new(), text };
        let bounds = row.as_cardinality().expect("a row that counts");
        let n = bounds.lits.len();
        let number = |bound| i128::try_from(bound).expect("small");
        if bounds.lo > 0 {
            let terms = bounds.lits.iter().map(|&lit| (1, lit)).collect();
            proof.lower = Some(proof.add(Constraint { terms, bound: number(bounds.lo) }));
        }
        if bounds.hi < n {
            let terms = bounds.lits.iter().map(|&lit| (1, !lit)).collect();
            proof.upper = Some(proof.add(Constraint { terms, bound: number(n - bounds.hi) }));
        }
        writeln!(proof.text, "f {};", proof.constraints.len()).expect("strings take all");
        proof
    }

    fn add(&mut self, constraint: Constraint) -> ConstraintId {
        self.constraints.push(constraint);
        ConstraintId(self.constraints.len() as u64)
    }

    fn constraint(&self, id: ConstraintId) -> &Constraint {
        &self.constraints[usize::try_from(id.0 - 1).expect("small")]
    }

    /// Whether assuming all literals of the clause false and propagating the hints, until nothing
    /// changes, ends in a conflict.
    fn follows_by_unit_propagation(&self, clause: &[Lit], hints: &[ConstraintId]) -> bool {
        let mut true_lits: Vec<Lit> = clause.iter().map(|&lit| !lit).collect();
        loop {
            let before = true_lits.len();
            for &hint in hints {
                let Constraint { terms, bound } = self.constraint(hint);
                let possible = terms.iter().filter(|(_, lit)| !true_lits.contains(&!*lit));
                let slack = possible.clone().map(|(c, _)| c).sum::<i128>() - bound;
                if slack < 0 {
                    return true;
                }
                let forced: Vec<Lit> = possible
                    .filter(|(c, lit)| *c > slack && !true_lits.contains(lit))
                    .map(|&(_, lit)| lit)
                    .collect();
                true_lits.extend(forced);
            }
            if true_lits.len() == before {
                return false;
            }
        }
    }
}

fn name(lit: Lit) -> String {
    let sign = if lit.is_negative() { "~" } else { "" };
    format!("{sign}x{}", lit.var().index() + 1)
}

impl ProofLog for Proof {
    fn row_side(&mut self, upper: bool) -> Option<ConstraintId> {
        if upper { self.upper } else { self.lower }
    }

    fn red(&mut self, _: &[(i128, Lit)], _: i128, _: &[Lit]) -> ConstraintId {
        unreachable!("these encoders define nothing")
    }

    fn pol(&mut self, _: &[ProofTerm]) -> ConstraintId {
        unreachable!("these encoders add nothing up")
    }

    fn rup(&mut self, clause: &[Lit], hints: &[ConstraintId]) -> ConstraintId {
        let is_right = self.follows_by_unit_propagation(clause, hints);
        assert!(is_right, "{clause:?} does not follow from {hints:?} of {:?}", self.constraints);
        let terms: Vec<String> = clause.iter().map(|&lit| format!("1 {}", name(lit))).collect();
        let hints: Vec<String> = hints.iter().map(|hint| hint.0.to_string()).collect();
        // `~` stands for the negation of the clause.
        writeln!(self.text, "rup {} >= 1 : ~ {};", terms.join(" "), hints.join(" "))
            .expect("strings take all");
        self.add(Constraint::clause(clause))
    }

    fn del(&mut self, _: &[ConstraintId]) {
        unreachable!("these encoders forget nothing")
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
        self.cnf.clause(lits)
    }

    fn proof(&mut self) -> Option<&mut dyn ProofLog> {
        Some(&mut self.proof)
    }
}

fn inputs(n: usize) -> Vec<Lit> {
    (0..n).map(|i| Var::new(i).positive()).collect()
}

/// Encodes with a proof; every clause must be justified, in order.
fn prove(encoder: &dyn Encoder, row: &Row<'_>) -> Proof {
    let mut sink = Proving { cnf: Cnf::with_variables(row.lits().len()), proof: Proof::new(row) };
    let num_given = sink.proof.constraints.len();
    assert!(encoder.encode(row, &mut sink).is_continue());
    let justified: Vec<Vec<Lit>> = sink.proof.constraints[num_given..]
        .iter()
        .map(|constraint| constraint.terms.iter().map(|&(_, lit)| lit).collect())
        .collect();
    let clauses: Vec<Vec<Lit>> = sink.cnf.clauses().map(<[Lit]>::to_vec).collect();
    assert_eq!(justified, clauses, "{}, {row:?}", encoder.name());
    sink.proof
}

#[test]
fn every_clause_of_pairwise_and_direct_follows_from_its_side_of_the_row() {
    for n in 2..=6 {
        let lits: Vec<Lit> = (0..n).map(|i| Var::new(i).lit(i % 2 == 0)).collect();
        for row in [Row::AtMostOne(&lits), Row::ExactlyOne(&lits)] {
            prove(&Pairwise, &row);
            prove(&Direct, &row);
        }
        for lo in 0..n {
            for hi in lo.max(1)..=n {
                if lo > 0 || hi < n {
                    prove(&Direct, &Row::Cardinality(Cardinality { lits: &lits, lo, hi }));
                }
            }
        }
    }
}

#[test]
fn a_clause_that_does_not_follow_is_noticed() {
    let lits = inputs(3);
    let proof = Proof::new(&Row::Cardinality(Cardinality { lits: &lits, lo: 0, hi: 2 }));
    let side = [proof.upper.expect("an upper side")];
    assert!(proof.follows_by_unit_propagation(&[!lits[0], !lits[1], !lits[2]], &side));
    assert!(!proof.follows_by_unit_propagation(&[!lits[0], !lits[1]], &side));
}

#[test]
fn the_proof_of_exactly_one_of_four_reads_like_this() {
    let proof = prove(&Pairwise, &Row::ExactlyOne(&inputs(4)));
    insta::assert_snapshot!(proof.text, @r"
    pseudo-Boolean proof version 3.0
    f 2;
    rup 1 x1 1 x2 1 x3 1 x4 >= 1 : ~ 1;
    rup 1 ~x1 1 ~x2 >= 1 : ~ 2;
    rup 1 ~x1 1 ~x3 >= 1 : ~ 2;
    rup 1 ~x1 1 ~x4 >= 1 : ~ 2;
    rup 1 ~x2 1 ~x3 >= 1 : ~ 2;
    rup 1 ~x2 1 ~x4 >= 1 : ~ 2;
    rup 1 ~x3 1 ~x4 >= 1 : ~ 2;
    ");
}
