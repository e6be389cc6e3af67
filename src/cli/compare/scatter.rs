//! The scatter plot: a point for each input, its time by SAT and its time by ILP.

use super::duel::Duel;
use super::lines::InputLines;
use super::plot::{self, Field, LogAxis};
use super::report::Report;
use super::shown;
use super::svg::{self, shortened};

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 540.0;
const FIELD: Field = Field { left: 76.0, top: 14.0, width: 464.0, height: 464.0 };

/// The plot as a file of its own.
pub(super) fn file(report: &Report<'_>) -> String {
    svg::file(&picture(report).unwrap_or_else(|| {
        let mut picture = plot::open(WIDTH, 40.0, "Nothing to plot");
        let why = "nothing to plot: this takes two configurations and an input that one solves";
        plot::text(&mut picture, 12.0, 24.0, "start", "faint", why);
        picture + "</svg>"
    }))
}

/// The plot; `None` if there are no two configurations to plot.
pub(super) fn picture(report: &Report<'_>) -> Option<String> {
    let duel = Duel::new(report)?;
    let points: Vec<(&InputLines<'_>, [Option<u64>; 2])> = duel.points(report).collect();
    let is_solved = |(_, times): &&(_, [Option<u64>; 2])| times.iter().any(Option::is_some);
    points.iter().find(is_solved)?;
    let has_unsolved = points.iter().any(|(_, times)| times.contains(&None));
    let times = points.iter().flat_map(|(_, times)| times.iter().copied().flatten());
    let axis = LogAxis::new(times, has_unsolved);
    let [left, right] = duel.names();
    let mut picture = plot::open(WIDTH, HEIGHT, &format!("Times of {left} and of {right}"));
    let label = |name: &str| format!("{} time of {}", report.clock.name(), shortened(name, 44));
    plot::horizontal_times(&mut picture, &FIELD, &axis, &label(&left));
    plot::vertical_times(&mut picture, &FIELD, &axis, &label(&right));
    draw_diagonals(&mut picture, &axis);
    let faster = |name: &str| format!("{} is faster", shortened(name, 26));
    let (x, y) = (FIELD.left + 12.0, FIELD.top + 24.0);
    plot::text(&mut picture, x, y, "start", "faint", &faster(&left));
    let (x, y) = (FIELD.right() - 12.0, FIELD.bottom() - 12.0);
    plot::text(&mut picture, x, y, "end", "faint", &faster(&right));
    for (input, [horizontal, vertical]) in points {
        let x = FIELD.left + FIELD.width * axis.place(horizontal);
        let y = FIELD.bottom() - FIELD.height * axis.place(vertical);
        let told =
            |time: Option<u64>| time.map_or_else(|| "unsolved".to_owned(), shown::microseconds);
        let (at_left, at_right) = (told(horizontal), told(vertical));
        let tooltip = format!("{}: {left} {at_left}, {right} {at_right}", input.input.path);
        let is_whole = horizontal.is_some() && vertical.is_some();
        plot::mark(&mut picture, if is_whole { "m0" } else { "open" }, x, y, &tooltip);
    }
    Some(picture + "</svg>")
}

/// Equal times, and ten times as long on either side.
fn draw_diagonals(picture: &mut String, axis: &LogAxis) {
    let end = axis.end();
    let decade = axis.decade();
    for (from, to, class) in [
        ([0.0, 0.0], [end, end], "axis"),
        ([decade, 0.0], [end, end - decade], "grid dash1"),
        ([0.0, decade], [end - decade, end], "grid dash1"),
    ] {
        let x = |place: f64| FIELD.left + FIELD.width * place;
        let y = |place: f64| FIELD.bottom() - FIELD.height * place;
        plot::line(picture, class, [x(from[0]), y(from[1]), x(to[0]), y(to[1])]);
    }
}
