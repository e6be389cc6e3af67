//! The order of objective values as `o` lines show them: whole numbers, decimals, or fractions,
//! which have the same denominator within a model. Exact, whatever their length.

use std::cmp::Ordering;

/// How two values of the same objective compare; `None` if one is no such value.
pub(super) fn compare(left: &str, right: &str) -> Option<Ordering> {
    let (left, right) = (Parts::read(left)?, Parts::read(right)?);
    Some(match (left.is_negative, right.is_negative) {
        (false, false) => left.compare_magnitude(&right),
        (true, true) => right.compare_magnitude(&left),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    })
}

/// A number without zeros at its ends.
struct Parts<'t> {
    is_negative: bool,
    whole: &'t str,
    fraction: &'t str,
}

impl<'t> Parts<'t> {
    fn read(text: &'t str) -> Option<Parts<'t>> {
        // Of `numerator/denominator`, the numerators decide.
        let text = text.split_once('/').map_or(text, |(numerator, _)| numerator);
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !is_number(whole) || !is_number(fraction) {
            return None;
        }
        let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
        let is_zero = whole.is_empty() && fraction.is_empty();
        Some(Parts { is_negative: text.starts_with('-') && !is_zero, whole, fraction })
    }

    fn compare_magnitude(&self, other: &Parts<'_>) -> Ordering {
        let lengths = self.whole.len().cmp(&other.whole.len());
        let wholes = lengths.then_with(|| self.whole.cmp(other.whole));
        wholes.then_with(|| self.fraction.cmp(other.fraction))
    }
}

#[cfg(test)]
mod tests {
    use super::compare;
    use std::cmp::Ordering;

    #[test]
    fn values_are_ordered_exactly() {
        let ascending = [
            "-170141183460469231731687303715884105728",
            "-170141183460469231731687303715884105727",
            "-10",
            "-9.75",
            "-9.5",
            "-1",
            "-0.5",
            "0",
            "0.05",
            "0.5",
            "0.51",
            "1",
            "9",
            "10",
            "9007199254740992",
            "9007199254740993",
        ];
        for (i, left) in ascending.iter().enumerate() {
            for (j, right) in ascending.iter().enumerate() {
                assert_eq!(compare(left, right), Some(i.cmp(&j)), "{left} and {right}");
            }
        }
    }

    #[test]
    fn spellings_of_one_value_are_equal() {
        for (left, right) in [("-0", "0"), ("1.50", "1.5"), ("007", "7"), ("2.0", "2")] {
            assert_eq!(compare(left, right), Some(Ordering::Equal), "{left} and {right}");
        }
        assert_eq!(compare("-4/7", "3/7"), Some(Ordering::Less));
    }

    #[test]
    fn what_is_no_value_has_no_order() {
        for text in ["", "-", "x", "1.2.3", "1e5", ".5", "+-1"] {
            assert_eq!(compare(text, "1"), None, "{text}");
        }
    }
}
