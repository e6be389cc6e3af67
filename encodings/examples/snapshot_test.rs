//! How to test an encoder of one's own: a snapshot of its clauses for a small row, and the table
//! tests that every encoder of this crate passes. In one's own crate these are `#[test]`s; here
//! `cargo run --example snapshot_test` prints what they see.

use pbsolve_encodings::testing::{Snapshot, conformance};
use pbsolve_encodings::{Class, ClauseSink, Encoder, Outputs, Role, Row, Size, Stop, Strength};
use pbsolve_model::{Lit, Var};
use std::ops::ControlFlow;

/// Commander at most one: the literals stand in groups of three; a true literal makes the commander
/// of its group true; at most one literal of each group is true, and at most one commander.
///
/// W. Klieber, G. Kwon: Efficient CNF Encoding for Selecting 1 from N Objects. CFV 2007.
#[derive(Clone, Copy, Debug)]
struct Commander;

const GROUP: usize = 3;

fn pairs(n: usize) -> usize {
    n * n.saturating_sub(1) / 2
}

fn not_two(lits: &[Lit], sink: &mut dyn ClauseSink) -> ControlFlow<Stop> {
    for (i, &first) in lits.iter().enumerate() {
        for &second in &lits[i + 1..] {
            sink.clause(&[!first, !second])?;
        }
    }
    ControlFlow::Continue(())
}

impl Encoder for Commander {
    fn name(&self) -> &'static str {
        "commander"
    }

    fn class(&self) -> Class {
        Class::AtMostOne
    }

    fn about(&self) -> &'static str {
        "groups with a commander each (Klieber and Kwon 2007)"
    }

    fn supports(&self, row: &Row<'_>) -> bool {
        matches!(row, Row::AtMostOne(_))
    }

    fn size(&self, row: &Row<'_>) -> Option<Size> {
        let n = row.lits().len();
        let groups = n.div_ceil(GROUP);
        let within = n / GROUP * pairs(GROUP) + pairs(n % GROUP);
        Some(Size { variables: groups as u64, clauses: (n + within + pairs(groups)) as u64 })
    }

    fn strength(&self, _: &Row<'_>) -> Strength {
        Strength::Complete
    }

    fn keeps_model_count(&self, _: &Row<'_>) -> bool {
        // The commander of a group without a true literal is free.
        false
    }

    fn encode(&self, row: &Row<'_>, sink: &mut dyn ClauseSink) -> ControlFlow<Stop, Outputs> {
        let mut commanders = Vec::new();
        for (number, group) in row.lits().chunks(GROUP).enumerate() {
            let commander = sink.new_var(Role::new("c", number + 1, 0)).positive();
            for &lit in group {
                // a literal -> its commander; true commanders meet this whatever the inputs are
                sink.define(&[!lit, commander])?;
            }
            not_two(group, sink)?;
            commanders.push(commander);
        }
        not_two(&commanders, sink)?;
        ControlFlow::Continue(Outputs::default())
    }
}

#[allow(clippy::print_stdout, reason = "an example")]
fn main() {
    let lits: Vec<Lit> = (0..4).map(|i| Var::new(i).positive()).collect();
    println!("{}", Snapshot::of(&Commander, &Row::AtMostOne(&lits)));
    match conformance(&Commander) {
        Ok(conformance) => println!("{conformance}"),
        Err(error) => println!("{error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commander_conforms_to_what_it_says() {
        conformance(&Commander).unwrap_or_else(|error| panic!("{error}"));
    }

    #[test]
    fn commander_at_most_one_of_four() {
        let lits: Vec<Lit> = (0..4).map(|i| Var::new(i).positive()).collect();
        insta::assert_snapshot!(Snapshot::of(&Commander, &Row::AtMostOne(&lits)), @r"
        commander: 4 inputs, 2 auxiliary variables, 8 clauses, 16 literals
        ~x[1] | c[1]
        ~x[2] | c[1]
        ~x[3] | c[1]
        ~x[1] | ~x[2]
        ~x[1] | ~x[3]
        ~x[2] | ~x[3]
        ~x[4] | c[2]
        ~c[1] | ~c[2]
        ");
    }
}
