//! The table tests over every encoder: meaning, propagation, size, conditions, outputs.

use pbsolve_encodings::cardinality::Directions;
use pbsolve_encodings::sink::Cnf;
use pbsolve_encodings::testing::{Check, check_row, conformance};
use pbsolve_encodings::{
    Cardinality, Class, ClauseSink, Encoder, Ladder, Outputs, Role, Row, Size, Stop, Strength,
    Totalizer, all,
};
use pbsolve_model::{Lit, Var};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

fn inputs(n: usize) -> Vec<Lit> {
    (0..n).map(|i| Var::new(i).lit(i % 3 != 1)).collect()
}

fn assert_conforms(encoder: &dyn Encoder) {
    let conformance = conformance(encoder).unwrap_or_else(|error| panic!("{error}"));
    let rows = match encoder.class() {
        Class::AtMostOne => 22,
        Class::Cardinality => 182,
        Class::PseudoBoolean => 100,
    };
    assert!(conformance.rows >= rows, "{}: {conformance}", encoder.name());
}

#[test]
fn every_encoder_conforms_to_what_it_says() {
    all().for_each(assert_conforms);
}

#[test]
fn the_totalizer_conforms_with_all_its_settings() {
    for directions in [Directions::Needed, Directions::Both] {
        for keep_outputs in [false, true] {
            assert_conforms(&Totalizer { directions, keep_outputs });
        }
    }
}

/// The product encoder leaves small rows to pairwise; its grid is used from 7 literals on, and a
/// grid of grids from 37 on.
#[test]
fn every_encoder_of_at_most_one_conforms_on_rows_of_eight_to_ten_literals() {
    for encoder in all().filter(|encoder| encoder.class() == Class::AtMostOne) {
        for n in 8..=10 {
            for row in [Row::AtMostOne(&inputs(n)), Row::ExactlyOne(&inputs(n))] {
                check_row(encoder, &row).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
}

/// Bounds that the normal form gives another class; encoders are called with them by those who
/// build rows themselves.
#[test]
fn every_cardinality_encoder_takes_bounds_that_mean_at_most_one_or_a_clause() {
    for encoder in all().filter(|encoder| encoder.class() == Class::Cardinality) {
        for n in 2..=7 {
            let lits = &inputs(n);
            for (lo, hi) in [(0, 1), (1, 1), (1, n)] {
                let row = Row::Cardinality(Cardinality { lits, lo, hi });
                check_row(encoder, &row).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
}

#[test]
fn the_incremental_totalizer_has_an_output_for_every_lower_bound() {
    for n in 2..=7 {
        let lits = &inputs(n);
        for hi in 1..n {
            let row = Row::Cardinality(Cardinality { lits, lo: 0, hi });
            let outputs = |totalizer: Totalizer| -> Outputs {
                match totalizer.encode(&row, &mut Cnf::with_variables(n)) {
                    ControlFlow::Continue(outputs) => outputs,
                    ControlFlow::Break(stop) => panic!("{stop:?}"),
                }
            };
            let incremental = outputs(Totalizer::INCREMENTAL);
            let bounds: Vec<usize> =
                (0..=n).filter(|&bound| incremental.tighten(bound).is_some()).collect();
            assert_eq!(bounds, (0..=hi).collect::<Vec<_>>(), "n = {n}, hi = {hi}");
            assert!(outputs(Totalizer::CUT).tighten(hi - 1).is_none(), "n = {n}, hi = {hi}");
        }
    }
}

/// What an encoder may get wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lie {
    None,
    Size,
    ModelCount,
    SupportsNothing,
    StrangeVariable,
    RepeatedLiteral,
    ChangesItsMind,
    StopsByItself,
    WeakPropagation,
    WrongOutputs,
    DefinesWhatRestricts,
    RestrictsWhatDefines,
}

/// The ladder with something wrong.
#[derive(Debug)]
struct Liar {
    lie: Lie,
    was_called: AtomicBool,
}

impl Liar {
    fn new(lie: Lie) -> Liar {
        Liar { lie, was_called: AtomicBool::new(false) }
    }
}

/// Passes clauses on the wrong way round.
struct Swapping<'a>(&'a mut dyn ClauseSink, Lie);

impl ClauseSink for Swapping<'_> {
    fn new_var(&mut self, role: Role) -> Var {
        self.0.new_var(role)
    }

    fn clause(&mut self, lits: &[Lit]) -> ControlFlow<Stop, pbsolve_encodings::ClauseId> {
        match self.1 {
            Lie::DefinesWhatRestricts => self.0.define(lits),
            _ => self.0.clause(lits),
        }
    }

    fn define(&mut self, lits: &[Lit]) -> ControlFlow<Stop, pbsolve_encodings::ClauseId> {
        match self.1 {
            Lie::RestrictsWhatDefines => self.0.clause(lits),
            _ => self.0.define(lits),
        }
    }
}

impl Encoder for Liar {
    fn name(&self) -> &'static str {
        "liar"
    }

    fn class(&self) -> Class {
        Class::AtMostOne
    }

    fn about(&self) -> &'static str {
        "for tests"
    }

    fn supports(&self, row: &Row<'_>) -> bool {
        self.lie != Lie::SupportsNothing && Ladder.supports(row)
    }

    fn size(&self, row: &Row<'_>) -> Option<Size> {
        match self.lie {
            Lie::Size => Some(Size { variables: 0, clauses: 1 }),
            Lie::WeakPropagation => None,
            _ => Ladder.size(row),
        }
    }

    fn strength(&self, row: &Row<'_>) -> Strength {
        Ladder.strength(row)
    }

    fn keeps_model_count(&self, _: &Row<'_>) -> bool {
        self.lie == Lie::ModelCount
    }

    fn encode(&self, row: &Row<'_>, sink: &mut dyn ClauseSink) -> ControlFlow<Stop, Outputs> {
        let lits = row.lits();
        let was_called = self.was_called.swap(true, Ordering::Relaxed);
        match self.lie {
            Lie::StrangeVariable => {
                sink.clause(&[Var::new(1000).positive(), lits[0]])?;
            }
            Lie::RepeatedLiteral => {
                sink.clause(&[lits[0], !lits[0]])?;
            }
            Lie::ChangesItsMind if was_called => {
                sink.clause(&[!lits[0], !lits[1]])?;
            }
            Lie::StopsByItself => return ControlFlow::Break(Stop::Budget),
            Lie::WeakPropagation => {
                // Every clause with one more variable of either sign: the same meaning, which
                // unit propagation does not see.
                let mut cnf = Cnf::with_variables(1000);
                Ladder.encode(row, &mut cnf)?;
                let made = cnf.num_variables() - 1000;
                let own: Vec<Var> =
                    (0..=made).map(|i| sink.new_var(Role::new("v", i + 1, 0))).collect();
                for clause in cnf.clauses() {
                    for extra in [own[made].positive(), own[made].negative()] {
                        let mut lits: Vec<Lit> = clause
                            .iter()
                            .map(|lit| match lit.var().index().checked_sub(1000) {
                                Some(i) => own[i].lit(!lit.is_negative()),
                                None => *lit,
                            })
                            .collect();
                        lits.push(extra);
                        sink.clause(&lits)?;
                    }
                }
                return ControlFlow::Continue(Outputs::default());
            }
            Lie::WrongOutputs => {
                Ladder.encode(row, sink)?;
                let at_least = vec![lits[0], lits[1]];
                return ControlFlow::Continue(Outputs { first: 1, at_least });
            }
            _ => {}
        }
        Ladder.encode(row, &mut Swapping(sink, self.lie))
    }
}

#[test]
fn an_encoder_that_does_not_do_what_it_says_is_told_so() {
    conformance(&Liar::new(Lie::None)).unwrap_or_else(|error| panic!("{error}"));
    let lies = [
        (Lie::Size, Check::Size),
        (Lie::ModelCount, Check::ModelCount),
        (Lie::SupportsNothing, Check::Clauses),
        (Lie::StrangeVariable, Check::Clauses),
        (Lie::RepeatedLiteral, Check::Clauses),
        (Lie::ChangesItsMind, Check::Clauses),
        (Lie::StopsByItself, Check::Clauses),
        (Lie::WeakPropagation, Check::Propagation),
        (Lie::WrongOutputs, Check::Outputs),
        (Lie::DefinesWhatRestricts, Check::Condition),
        (Lie::RestrictsWhatDefines, Check::Condition),
    ];
    for (lie, check) in lies {
        let error = conformance(&Liar::new(lie)).expect_err("a lie");
        assert_eq!(error.check, check, "{lie:?}: {error}");
    }
}

#[test]
fn the_message_names_encoder_row_and_input() {
    let error = conformance(&Liar::new(Lie::ModelCount)).expect_err("a lie");
    insta::assert_snapshot!(error, @r"
    liar, at most one row, n = 3, 0..=1, literals [1, 2, 3]: literals = 0 0 0 extends in more than one way
    ");
    let error = conformance(&Liar::new(Lie::WeakPropagation)).expect_err("a lie");
    insta::assert_snapshot!(error, @r"
    liar, exactly one row, n = 2, 1..=1, literals [1, 2]: under literals = _ 0, propagation leaves literal 1 free
    ");
    let error = conformance(&Liar::new(Lie::Size)).expect_err("a lie");
    insta::assert_snapshot!(error, @r"
    liar, exactly one row, n = 2, 1..=1, literals [1, 2]: it says that it has Size { variables: 0, clauses: 1 }, but it has Size { variables: 1, clauses: 3 }
    ");
}
