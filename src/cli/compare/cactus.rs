//! The cactus plot: how many inputs each configuration solves when each may take so long.

use super::lines::Line;
use super::plot::{self, Field, LogAxis};
use super::report::Report;
use super::shown;
use super::svg::{self, shortened};
use std::fmt::Write;

const WIDTH: f64 = 560.0;
const FIELD: Field = Field { left: 76.0, top: 14.0, width: 464.0, height: 280.0 };

/// Below the field: ticks, label, then a line for each configuration.
const LEGEND: f64 = 60.0;
const LINE_HEIGHT: f64 = 19.0;

/// Colours; after them dashes make the difference.
const COLOURS: usize = 6;

/// The plot as a file of its own.
pub(super) fn file(report: &Report<'_>) -> String {
    svg::file(&picture(report))
}

/// The plot.
pub(super) fn picture(report: &Report<'_>) -> String {
    let curves: Vec<Vec<u64>> =
        report.summaries.iter().map(|summary| times(report, &summary.configuration.name)).collect();
    let num_inputs = report.inputs.len().max(1);
    let axis = LogAxis::new(curves.iter().flatten().copied(), false);
    let height = FIELD.bottom() + LEGEND + LINE_HEIGHT * curves.len() as f64;
    let mut picture = plot::open(WIDTH, height, "Solved inputs and the time for each");
    plot::horizontal_counts(&mut picture, &FIELD, num_inputs, "inputs solved, the fastest first");
    let label = format!("{} time for each", report.clock.name());
    plot::vertical_times(&mut picture, &FIELD, &axis, &label);
    for (i, times) in curves.iter().enumerate() {
        let summary = &report.summaries[i];
        let name = &summary.configuration.name;
        draw_curve(&mut picture, i, name, times, &axis, num_inputs);
        let y = FIELD.bottom() + LEGEND + LINE_HEIGHT * i as f64;
        plot::line(&mut picture, &curve_class(i), [FIELD.left, y, FIELD.left + 30.0, y]);
        let solved = format!("{} ({} solved)", shortened(name, 52), times.len());
        plot::text(&mut picture, FIELD.left + 38.0, y + 4.0, "start", "", &solved);
    }
    picture + "</svg>"
}

/// The times of the solved inputs, the shortest first.
fn times(report: &Report<'_>, configuration: &str) -> Vec<u64> {
    let lines = report.inputs.iter().flat_map(|input| &input.lines);
    let solved = lines.filter(|line| line.configuration.name == configuration && line.is_solved());
    let mut times: Vec<u64> =
        solved.map(|line: &Line<'_>| line.times(report.clock).median).collect();
    times.sort_unstable();
    times
}

fn curve_class(i: usize) -> String {
    format!("curve c{} dash{}", i % COLOURS, i / COLOURS % 3)
}

fn draw_curve(
    picture: &mut String,
    i: usize,
    name: &str,
    times: &[u64],
    axis: &LogAxis,
    num_inputs: usize,
) {
    let point = |(solved, &time): (usize, &u64)| {
        let x = FIELD.left + FIELD.width * (solved + 1) as f64 / num_inputs as f64;
        (x, FIELD.bottom() - FIELD.height * axis.place(Some(time)))
    };
    let points: Vec<(f64, f64)> = times.iter().enumerate().map(point).collect();
    let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    // Writing to a string cannot fail.
    let _ =
        writeln!(picture, "<polyline class=\"{}\" points=\"{}\"/>", curve_class(i), path.join(" "));
    for (solved, ((x, y), &time)) in points.iter().zip(times).enumerate() {
        let told =
            format!("{name}: {} solved within {} each", solved + 1, shown::microseconds(time));
        plot::mark(picture, &format!("m{}", i % COLOURS), *x, *y, &told);
    }
}
