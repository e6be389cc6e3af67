//! A race of several back-ends on the same model. The first answer that was checked wins, or the
//! verdict of a SAT solver; the others are stopped. What an integer programming solver says of all
//! assignments never wins, but a solution of its that was checked is a bound for the others, and
//! its word that there is none better has the SAT search begin with the refutation.

mod choice;

pub(crate) use choice::{members_for, sat_member};

use crate::limits::{Limits, Reason};
use crate::optimize::{Bounds, Optimum, Progress, Rows, Tip, WeightedSum, optimize_alone};
use crate::outcome::{Outcome, SolveError};
use crate::search::Statistics;
use crate::strategy::{Backend, Strategy};
use pbsolve_encodings::Planner;
use pbsolve_model::{Assignment, Model, Sense};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// One of those that race.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) backend: Backend,
    /// Other encoders than those of the caller.
    pub(crate) planner: Option<Planner>,
    /// How long the others have the processor for themselves.
    pub(crate) waits: Duration,
}

impl Member {
    pub(crate) fn new(backend: Backend) -> Member {
        Member { backend, planner: None, waits: Duration::ZERO }
    }

    fn name(&self) -> &'static str {
        match &self.backend {
            Backend::External(_) => "an external SAT solver",
            Backend::ExternalIlp(_) => "an external ILP solver",
            backend => backend.entry().map_or("a solver", |entry| entry.title),
        }
    }
}

/// Those that race on one model.
#[derive(Debug)]
struct Race<'a> {
    members: &'a [Member],
    strategy: &'a Strategy,
    /// Set when somebody has won.
    is_over: Arc<AtomicBool>,
    started: Instant,
}

impl<'a> Race<'a> {
    fn new(members: &'a [Member], strategy: &'a Strategy) -> Race<'a> {
        let is_over = Arc::default();
        Race { members, strategy, is_over, started: Instant::now() }
    }

    /// The strategy of a member.
    fn strategy_of(&self, member: &Member) -> Strategy {
        let limits =
            Limits { overtaken: Arc::clone(&self.is_over), ..self.strategy.limits.clone() };
        let planner = member.planner.unwrap_or(self.strategy.planner);
        let backend = member.backend.clone();
        Strategy { backend, planner, limits, ..self.strategy.clone() }
    }

    fn tell(&self, member: &Member, what: &str) {
        let seconds = self.started.elapsed().as_secs_f64();
        self.strategy.tell(&format!("{} {what} after {seconds:.2} s", member.name()));
    }
}

/// Waits for the turn of a member.
fn wait(member: &Member, limits: &Limits) {
    let started = Instant::now();
    while started.elapsed() < member.waits && limits.reached().is_none() {
        thread::sleep(limits.patience());
    }
}

/// Races for a solution.
pub(crate) fn solve(
    model: &Model,
    members: &[Member],
    strategy: &Strategy,
) -> Result<Outcome, SolveError> {
    let race = Race::new(members, strategy);
    let (sender, answers) = channel();
    thread::scope(|scope| {
        for (place, member) in members.iter().enumerate() {
            let (strategy, sender) = (race.strategy_of(member), sender.clone());
            scope.spawn(move || {
                wait(member, &strategy.limits);
                // Nobody waits any longer if sending fails.
                drop(sender.send((place, crate::solve(model, &strategy))));
            });
        }
        drop(sender);
        let mut ends = Ends::default();
        for (place, answer) in answers {
            match answer {
                Ok(Outcome::Unknown(reason)) => {
                    race.tell(&members[place], &format!("gives up ({reason})"));
                    ends.add(Ok(reason));
                }
                Ok(outcome) => {
                    race.is_over.store(true, Ordering::Relaxed);
                    race.tell(&members[place], &format!("wins ({outcome})"));
                    return Ok(outcome);
                }
                Err(error) => {
                    race.tell(&members[place], &format!("gives up ({error})"));
                    ends.add(Err(error));
                }
            }
        }
        ends.into_reason().map(Outcome::Unknown)
    })
}

/// What a member of an optimisation tells.
#[derive(Debug)]
enum News {
    /// A solution, checked.
    Solution(Assignment),
    /// No solution has a better value.
    Bound(i128),
    /// It is done.
    Ended(Result<(Optimum, Statistics), SolveError>),
}

/// Races for the best solution.
pub(crate) fn optimize(
    model: &Model,
    members: &[Member],
    strategy: &Strategy,
    report: &mut dyn FnMut(&Progress<'_>),
) -> Result<(Optimum, Statistics), SolveError> {
    let race = Race::new(members, strategy);
    let objective = model.objective().expect("the caller has looked");
    let sum = WeightedSum::new(objective, model);
    let rows = Rows::new(model);
    let mut bounds = Bounds::new(model, objective, &sum, rows.as_ref(), report);
    if let Some(start) = &strategy.start
        && model.check(start).is_ok()
    {
        bounds.offer(start);
    }
    let sign = match objective.sense {
        Sense::Minimize => 1,
        Sense::Maximize => -1,
    };
    let (sender, news) = channel();
    let raced = thread::scope(|scope| {
        let mut tips = Vec::new();
        for (place, member) in members.iter().enumerate() {
            let (strategy, sender) = (race.strategy_of(member), sender.clone());
            let (tip, incoming) = channel();
            tips.push(tip);
            scope.spawn(move || take_part(model, place, member, &strategy, incoming, &sender));
        }
        drop(sender);
        let raced = watch(&race, &news, &tips, &mut bounds, |value| sign * value - sum.offset);
        race.is_over.store(true, Ordering::Relaxed);
        raced
    });
    let (verdict, statistics) = raced?;
    let best = bounds.into_best();
    let optimum = match (verdict, best) {
        (None, Some(best)) => Optimum::Optimal(best),
        (None, None) => Optimum::Unsatisfiable,
        (Some(reason), best) => Optimum::Unknown(reason, best),
    };
    Ok((optimum, statistics))
}

/// The thread of a member.
fn take_part(
    model: &Model,
    place: usize,
    member: &Member,
    strategy: &Strategy,
    tips: Receiver<Tip>,
    sender: &Sender<(usize, News)>,
) {
    wait(member, &strategy.limits);
    // Nobody waits any longer if sending fails.
    let send = |news: News| drop(sender.send((place, news)));
    let mut bound = None;
    let mut report = |progress: &Progress<'_>| {
        if let Some(solution) = progress.solution {
            send(News::Solution(solution.clone()));
        }
        if bound.replace(progress.bound) != Some(progress.bound) {
            send(News::Bound(progress.bound));
        }
    };
    send(News::Ended(optimize_alone(model, strategy, Some(tips), &mut report)));
}

/// Passes news on until there is a verdict; the reason why there is none.
fn watch(
    race: &Race<'_>,
    news: &Receiver<(usize, News)>,
    tips: &[Sender<Tip>],
    bounds: &mut Bounds<'_>,
    weight: impl Fn(i128) -> i128,
) -> Result<(Option<Reason>, Statistics), SolveError> {
    let mut ends = Ends::default();
    let mut statistics = Statistics::default();
    let all_but = |place: usize, tip: &dyn Fn() -> Tip| {
        for (other, sender) in tips.iter().enumerate() {
            if other != place {
                // Those that are done listen no more.
                drop(sender.send(tip()));
            }
        }
    };
    for (place, told) in news {
        let member = &race.members[place];
        bounds.begin_turn(member.name());
        let before = bounds.upper();
        match told {
            News::Solution(solution) => bounds.offer(&solution),
            News::Bound(value) => bounds.raise_lower(weight(value)),
            News::Ended(Ok((optimum, of_member))) => {
                statistics.add(&of_member);
                match optimum {
                    Optimum::Optimal(solution) => {
                        bounds.offer(&solution);
                        bounds.close();
                    }
                    Optimum::Unsatisfiable => {
                        race.tell(member, "wins (unsatisfiable)");
                        return Ok((None, statistics));
                    }
                    Optimum::Unknown(reason, best) => {
                        race.tell(member, &format!("ends ({reason})"));
                        let is_best = best.is_some_and(|best| bounds.is_best(&best));
                        if is_best && matches!(reason, Reason::Unchecked(_)) {
                            all_but(place, &|| Tip::NoneIsBetter);
                        }
                        ends.add(Ok(reason));
                    }
                }
            }
            News::Ended(Err(error)) => {
                race.tell(member, &format!("gives up ({error})"));
                ends.add(Err(error));
            }
        }
        if bounds.have_met() {
            race.tell(member, "has the last word (optimal)");
            return Ok((None, statistics));
        }
        if let (true, Some(best)) = (bounds.upper() != before, bounds.best()) {
            all_but(place, &|| Tip::Solution(best.clone()));
        }
    }
    Ok((Some(ends.into_reason()?), statistics))
}

/// How the members ended that have no answer.
#[derive(Debug, Default)]
struct Ends {
    reasons: Vec<Reason>,
    error: Option<SolveError>,
}

impl Ends {
    fn add(&mut self, end: Result<Reason, SolveError>) {
        match end {
            Ok(reason) => self.reasons.push(reason),
            // A wrong answer is what must be told.
            Err(error @ SolveError::WrongAnswer(_)) => self.error = Some(error),
            Err(error) => self.error = self.error.take().or(Some(error)),
        }
    }

    /// The one that tells most: a claim, a limit, a failure, in this order.
    fn into_reason(self) -> Result<Reason, SolveError> {
        let rank = |reason: &Reason| match reason {
            Reason::Unchecked(_) => 0,
            Reason::Failed(_) => 2,
            _ => 1,
        };
        match (self.reasons.into_iter().min_by_key(rank), self.error) {
            (_, Some(error @ SolveError::WrongAnswer(_))) | (None, Some(error)) => Err(error),
            (Some(reason), _) => Ok(reason),
            (None, None) => Ok(Reason::Failed("there is no back-end to race".to_owned())),
        }
    }
}
