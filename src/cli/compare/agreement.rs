//! Whether the answers agree. Solutions were checked by the runs that found them, so that two
//! answers which contradict each other always show who is wrong: the one that claims that no such
//! solution exists.

use super::super::run_report::Goal;
use super::record::{Comparison, InputFile, Run, Status};
use super::value;
use std::cmp::Ordering;

/// A wrong answer and what shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WrongAnswer {
    pub(super) input: String,
    /// The configuration that gave it.
    pub(super) configuration: String,
    /// A sentence.
    pub(super) told: String,
}

/// All wrong answers, in the order of inputs and configurations.
pub(super) fn wrong_answers(comparison: &Comparison) -> Vec<WrongAnswer> {
    comparison.inputs.iter().flat_map(|input| wrong_answers_on(comparison, input)).collect()
}

fn wrong_answers_on(comparison: &Comparison, input: &InputFile) -> Vec<WrongAnswer> {
    let runs: Vec<&Run> = comparison.runs_on(input).collect();
    let goal = runs.iter().map(|run| run.goal()).find(|&goal| goal != Goal::Any);
    let goal = goal.unwrap_or(Goal::Any);
    let best = best_solution(&runs, goal);
    let mut wrong: Vec<WrongAnswer> = Vec::new();
    for configuration in &comparison.configurations {
        let of_configuration = |run: &&&Run| run.configuration == configuration.name;
        let told =
            runs.iter().filter(of_configuration).find_map(|run| wrong_answer(run, best, goal));
        if let Some(told) = told {
            let (input, configuration) = (input.path.clone(), configuration.name.clone());
            wrong.push(WrongAnswer { input, configuration, told });
        }
    }
    wrong
}

/// The best checked solution, or any one if there is nothing to be best in.
fn best_solution<'r>(runs: &[&'r Run], goal: Goal) -> Option<&'r Run> {
    let solutions = runs.iter().copied().filter(|run| run.has_solution());
    solutions.reduce(|best, run| if is_better(run, best, goal) { run } else { best })
}

fn is_better(run: &Run, than: &Run, goal: Goal) -> bool {
    let (Some(left), Some(right)) = (&run.answer.value, &than.answer.value) else { return false };
    let order = value::compare(left, right);
    match goal {
        Goal::Any => false,
        Goal::Minimum => order == Some(Ordering::Less),
        Goal::Maximum => order == Some(Ordering::Greater),
    }
}

fn wrong_answer(run: &Run, best: Option<&Run>, goal: Goal) -> Option<String> {
    let name = &run.configuration;
    if let Some(refuted) = &run.answer.refuted {
        return Some(format!("{name}: {refuted}"));
    }
    let best = best?;
    let other = &best.configuration;
    match run.answer.status {
        Status::Unsatisfiable => {
            let found = match &best.answer.value {
                Some(value) => format!("a solution of value {value}"),
                None => "a solution".to_owned(),
            };
            Some(format!("{name} says that there is no solution; {other} has {found}, checked"))
        }
        Status::Optimal if is_better(best, run, goal) => {
            let claimed = run.answer.value.as_deref().unwrap_or_default();
            let better = best.answer.value.as_deref().unwrap_or_default();
            Some(format!("{name} says that {claimed} is optimal; {other} has {better}, checked"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::{Answer, Run, Status};
    use super::{best_solution, wrong_answer};
    use crate::cli::run_report::{Goal, RunReport};

    fn run(configuration: &str, status: Status, value: Option<&str>, goal: Goal) -> Run {
        Run {
            input: "input".to_owned(),
            hash: String::new(),
            configuration: configuration.to_owned(),
            repeat: 1,
            answer: Answer {
                status,
                value: value.map(str::to_owned),
                is_unchecked: false,
                refuted: None,
                why: None,
            },
            cpu_us: 1,
            wall_us: 1,
            peak_bytes: 1,
            report: Some(RunReport { goal, ..RunReport::default() }),
        }
    }

    /// Which of two answers are wrong, by their places.
    fn wrong(goal: Goal, answers: [(Status, Option<&str>); 2]) -> Vec<usize> {
        let named = answers.into_iter().zip(["first", "second"]);
        let runs = named.map(|((status, value), name)| run(name, status, value, goal));
        let runs: Vec<Run> = runs.collect();
        let runs: Vec<&Run> = runs.iter().collect();
        let best = best_solution(&runs, goal);
        (0..2).filter(|&i| wrong_answer(runs[i], best, goal).is_some()).collect()
    }

    #[test]
    fn a_solution_shows_that_the_claim_of_none_is_wrong() {
        use Status::{
            Failed, Inapplicable, Satisfiable, Timeout, Unknown, Unreadable, Unsatisfiable,
        };
        let none = (Unsatisfiable, None);
        assert_eq!(wrong(Goal::Any, [(Satisfiable, None), none]), [1]);
        assert_eq!(wrong(Goal::Any, [none, (Satisfiable, None)]), [0]);
        assert_eq!(wrong(Goal::Minimum, [none, (Timeout, Some("7"))]), [0]);
        assert_eq!(wrong(Goal::Minimum, [none, (Status::Optimal, Some("7"))]), [0]);
        for open in [Unsatisfiable, Timeout, Unknown, Failed, Unreadable, Inapplicable] {
            assert!(wrong(Goal::Any, [none, (open, None)]).is_empty(), "{open:?}");
        }
    }

    #[test]
    fn a_better_solution_shows_that_an_optimum_is_wrong() {
        use Status::{Optimal, Satisfiable, Timeout};
        for (goal, better, worse) in [
            (Goal::Minimum, "-3", "-2"),
            (Goal::Minimum, "9.5", "10"),
            (Goal::Maximum, "10", "9.5"),
            (Goal::Maximum, "9007199254740993", "9007199254740992"),
        ] {
            for finder in [Optimal, Satisfiable, Timeout] {
                let (best, claimed) = ((finder, Some(better)), (Optimal, Some(worse)));
                assert_eq!(wrong(goal, [best, claimed]), [1], "{goal:?} {better} {finder:?}");
                assert_eq!(wrong(goal, [claimed, best]), [0], "{goal:?} {better} {finder:?}");
            }
            let (optimal, equal) = ((Optimal, Some(better)), (Satisfiable, Some(worse)));
            assert!(wrong(goal, [optimal, equal]).is_empty(), "{goal:?} {better}");
            assert!(wrong(goal, [optimal, optimal]).is_empty(), "{goal:?} {better}");
        }
    }

    #[test]
    fn a_solution_that_fails_its_check_is_wrong_whatever_others_say() {
        let mut refuted = run("ilp", Status::Unknown, None, Goal::Any);
        refuted.answer.refuted = Some("its solution violates row 1".to_owned());
        let told = wrong_answer(&refuted, None, Goal::Any);
        assert_eq!(told.as_deref(), Some("ilp: its solution violates row 1"));
    }
}
