//! Varisat behind RustSAT's solver traits, for programs that use RustSAT. pbsolve itself uses
//! [`Varisat`](super::Varisat), which keeps to limits.

use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Cl, Clause, Lit, TernaryVal};
use varisat::ExtendFormula;

/// A [`varisat::Solver`] that implements RustSAT's [`Solve`] and [`SolveIncremental`].
#[derive(Default)]
pub struct VarisatForRustsat {
    solver: varisat::Solver<'static>,
    values: Vec<bool>,
    state: State,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Input,
    Satisfiable,
    Unsatisfiable,
}

impl std::fmt::Debug for VarisatForRustsat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "VarisatForRustsat({:?})", self.state)
    }
}

fn to_varisat(lit: Lit) -> varisat::Lit {
    varisat::Lit::from_index(lit.vidx(), lit.is_pos())
}

fn from_varisat(lit: varisat::Lit) -> Lit {
    let index = u32::try_from(lit.index()).expect("variables are below 2^31");
    Lit::new(index, lit.is_negative())
}

impl Solve for VarisatForRustsat {
    fn signature(&self) -> &'static str {
        "Varisat 0.2.2"
    }

    fn solve(&mut self) -> anyhow::Result<SolverResult> {
        self.solve_assumps(&[])
    }

    fn lit_val(&self, lit: Lit) -> anyhow::Result<TernaryVal> {
        if self.state != State::Satisfiable {
            return Err(anyhow::anyhow!("there is no satisfying assignment"));
        }
        Ok(match self.values.get(lit.vidx()) {
            None => TernaryVal::DontCare,
            Some(&value) if value == lit.is_pos() => TernaryVal::True,
            Some(_) => TernaryVal::False,
        })
    }

    fn add_clause_ref<C>(&mut self, clause: &C) -> anyhow::Result<()>
    where
        C: AsRef<Cl> + ?Sized,
    {
        let lits: Vec<_> = clause.as_ref().iter().map(|&lit| to_varisat(lit)).collect();
        self.solver.add_clause(&lits);
        self.state = State::Input;
        Ok(())
    }
}

impl SolveIncremental for VarisatForRustsat {
    fn solve_assumps(&mut self, assumps: &[Lit]) -> anyhow::Result<SolverResult> {
        let assumed: Vec<_> = assumps.iter().map(|&lit| to_varisat(lit)).collect();
        self.solver.assume(&assumed);
        if !self.solver.solve()? {
            self.state = State::Unsatisfiable;
            return Ok(SolverResult::Unsat);
        }
        self.state = State::Satisfiable;
        self.values.clear();
        for lit in self.solver.model().unwrap_or_default() {
            if self.values.len() <= lit.index() {
                self.values.resize(lit.index() + 1, false);
            }
            self.values[lit.index()] = lit.is_positive();
        }
        Ok(SolverResult::Sat)
    }

    /// RustSAT's core is a clause: the negations of the assumptions to blame.
    fn core(&mut self) -> anyhow::Result<Vec<Lit>> {
        if self.state != State::Unsatisfiable {
            return Err(anyhow::anyhow!("the last verdict was not unsatisfiable"));
        }
        let core = self.solver.failed_core().unwrap_or(&[]);
        Ok(core.iter().map(|&lit| !from_varisat(lit)).collect())
    }
}

impl Extend<Clause> for VarisatForRustsat {
    fn extend<T: IntoIterator<Item = Clause>>(&mut self, clauses: T) {
        for clause in clauses {
            self.add_clause_ref(&clause).expect("Varisat takes every clause");
        }
    }
}

impl<'a> Extend<&'a Clause> for VarisatForRustsat {
    fn extend<T: IntoIterator<Item = &'a Clause>>(&mut self, clauses: T) {
        for clause in clauses {
            self.add_clause_ref(clause).expect("Varisat takes every clause");
        }
    }
}
