//! What both plots have: the frame and logarithmic axes of times. Coordinates are pixels.

use super::shown;
use super::svg::escape;
use std::fmt::Write;

/// The field in which points are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Field {
    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

/// A logarithmic axis of times in microseconds, from a power of ten to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogAxis {
    /// Powers of ten.
    lowest: u32,
    highest: u32,
    /// The part of the axis that the powers take; what lies beyond is for what has no time.
    part: f64,
}

impl LogAxis {
    /// An axis for these times, with room at the end if there is something without a time.
    pub(super) fn new(times: impl Iterator<Item = u64>, has_unsolved: bool) -> LogAxis {
        let (mut shortest, mut longest) = (u64::MAX, 0);
        for time in times {
            shortest = shortest.min(time.max(1));
            longest = longest.max(time.max(1));
        }
        if longest == 0 {
            // From a millisecond to a second, where there is nothing to show.
            (shortest, longest) = (1_000, 1_000_000);
        }
        let lowest = shortest.ilog10();
        let above = longest.ilog10();
        let is_power = 10u64.checked_pow(above) == Some(longest);
        let highest = if is_power { above } else { above + 1 }.max(lowest + 1);
        LogAxis { lowest, highest, part: if has_unsolved { 0.92 } else { 1.0 } }
    }

    /// Where a time is, from 0 to 1; at the end if there is none.
    pub(super) fn place(&self, time: Option<u64>) -> f64 {
        time.map_or(1.0, |time| self.place_of_power((time.max(1) as f64).log10()))
    }

    fn place_of_power(&self, power: f64) -> f64 {
        let (lowest, highest) = (f64::from(self.lowest), f64::from(self.highest));
        self.part * (power - lowest) / (highest - lowest)
    }

    /// Places and names of the powers of ten; every so many if there are more than fit.
    fn ticks(&self, fitting: u32) -> impl Iterator<Item = (f64, String)> {
        let step = (self.highest - self.lowest) / fitting + 1;
        let axis = *self;
        let powers = (self.lowest..=self.highest)
            .filter(move |power| (power - axis.lowest).is_multiple_of(step));
        powers.map(move |power| (axis.place_of_power(f64::from(power)), shown::power_of_ten(power)))
    }

    /// Where the times end.
    pub(super) fn end(&self) -> f64 {
        self.part
    }

    /// The length of a factor of ten.
    pub(super) fn decade(&self) -> f64 {
        self.part / f64::from(self.highest - self.lowest)
    }

    fn has_unsolved(&self) -> bool {
        self.part < 1.0
    }
}

/// The opening of a picture of this size, with its name for those who cannot see it.
pub(super) fn open(width: f64, height: f64, title: &str) -> String {
    let title = escape(title);
    format!(
        "<svg class=\"plot\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" \
         aria-label=\"{title}\"><title>{title}</title>\n"
    )
}

/// The frame, and the grid lines of a vertical axis of times.
pub(super) fn vertical_times(svg: &mut String, field: &Field, axis: &LogAxis, label: &str) {
    for (place, name) in axis.ticks(8) {
        let y = field.bottom() - place * field.height;
        let (left, right) = (field.left, field.right());
        line(svg, "grid", [left, y, right, y]);
        text(svg, left - 6.0, y + 4.0, "end", "", &name);
    }
    if axis.has_unsolved() {
        text(svg, field.left - 6.0, field.top + 4.0, "end", "faint", "unsolved");
    }
    let middle = field.top + field.height / 2.0;
    let label = escape(label);
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(
        svg,
        "<text x=\"14\" y=\"{middle:.1}\" text-anchor=\"middle\" \
         transform=\"rotate(-90 14 {middle:.1})\">{label}</text>"
    );
    frame(svg, field);
}

/// The grid lines of a horizontal axis of times.
pub(super) fn horizontal_times(svg: &mut String, field: &Field, axis: &LogAxis, label: &str) {
    for (place, name) in axis.ticks(6) {
        let x = field.left + place * field.width;
        line(svg, "grid", [x, field.top, x, field.bottom()]);
        text(svg, x, field.bottom() + 16.0, "middle", "", &name);
    }
    if axis.has_unsolved() {
        text(svg, field.right() + 16.0, field.bottom() + 32.0, "end", "faint", "unsolved");
    }
    text(svg, field.left + field.width / 2.0, field.bottom() + 38.0, "middle", "", label);
}

/// The grid lines of a horizontal axis of numbers from 0.
pub(super) fn horizontal_counts(svg: &mut String, field: &Field, highest: usize, label: &str) {
    let step = (1..=40).map(nice).find(|step| highest / step <= 8).unwrap_or(highest);
    for number in (0..=highest).step_by(step) {
        let x = field.left + field.width * number as f64 / highest as f64;
        line(svg, "grid", [x, field.top, x, field.bottom()]);
        text(svg, x, field.bottom() + 16.0, "middle", "", &number.to_string());
    }
    text(svg, field.left + field.width / 2.0, field.bottom() + 36.0, "middle", "", label);
}

/// 1, 2, 5, 10, 20, 50, ...
fn nice(i: usize) -> usize {
    [5, 1, 2][i % 3] * 10usize.pow(u32::try_from((i - 1) / 3).unwrap_or(0))
}

fn frame(svg: &mut String, field: &Field) {
    let Field { left, top, width, height } = *field;
    let _ = writeln!(
        svg,
        "<rect class=\"axis\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
    );
}

/// A line between two points, x and y of each.
pub(super) fn line(svg: &mut String, class: &str, [x1, y1, x2, y2]: [f64; 4]) {
    let _ = writeln!(
        svg,
        "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
    );
}

/// A text at a point.
pub(super) fn text(svg: &mut String, x: f64, y: f64, anchor: &str, class: &str, shown: &str) {
    let shown = escape(shown);
    let _ = writeln!(
        svg,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{shown}</text>"
    );
}

/// A round mark with a tooltip.
pub(super) fn mark(svg: &mut String, class: &str, x: f64, y: f64, tooltip: &str) {
    let tooltip = escape(tooltip);
    let _ = writeln!(
        svg,
        "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"><title>{tooltip}</title></circle>"
    );
}

#[cfg(test)]
mod tests {
    use super::{LogAxis, nice};

    #[test]
    fn steps_are_one_two_five_and_so_on() {
        let steps: Vec<usize> = (1..8).map(nice).collect();
        assert_eq!(steps, [1, 2, 5, 10, 20, 50, 100]);
    }

    #[test]
    fn an_axis_reaches_from_a_power_of_ten_to_another() {
        let axis = LogAxis::new([2_000, 300_000].into_iter(), false);
        let places = [1_000, 10_000, 100_000, 1_000_000].map(|time| axis.place(Some(time)));
        for (place, expected) in places.into_iter().zip([0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0]) {
            assert!((place - expected).abs() < 1e-9, "{places:?}");
        }
    }

    #[test]
    fn what_has_no_time_lies_beyond_all_times() {
        let axis = LogAxis::new([1_000, 1_000_000].into_iter(), true);
        assert!(axis.place(Some(1_000_000)) < axis.place(None));
    }
}
