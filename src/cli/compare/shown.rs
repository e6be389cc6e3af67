//! How times, sizes and ratios are shown to people.

/// A time: three digits and a unit.
pub(super) fn time(microseconds: f64) -> String {
    let seconds = microseconds / 1e6;
    if microseconds < 999.5 {
        format!("{microseconds:.0} µs")
    } else if seconds < 0.9995 {
        format!("{} ms", three_digits(seconds * 1e3))
    } else if seconds < 9999.5 {
        format!("{} s", three_digits(seconds))
    } else {
        format!("{} h", three_digits(seconds / 3600.0))
    }
}

/// The power of ten of a number of microseconds, for axes.
pub(super) fn power_of_ten(power: u32) -> String {
    let (power, unit) = match power {
        ..3 => (power, "µs"),
        3..6 => (power - 3, "ms"),
        _ => (power - 6, "s"),
    };
    format!("1{} {unit}", "0".repeat(power as usize))
}

fn three_digits(number: f64) -> String {
    let decimals = match number {
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{number:.decimals$}")
}

/// A number of microseconds.
pub(super) fn microseconds(time_us: u64) -> String {
    time(time_us as f64)
}

/// A number of bytes in units of 1000.
pub(super) fn bytes(number: u64) -> String {
    let megabytes = number as f64 / 1e6;
    if megabytes < 999.5 {
        format!("{} MB", three_digits(megabytes))
    } else {
        format!("{} GB", three_digits(megabytes / 1e3))
    }
}

/// A ratio.
pub(super) fn ratio(ratio: f64) -> String {
    if ratio < 0.0995 { format!("{ratio:.3}") } else { three_digits(ratio) }
}

/// A number with a comma between thousands.
pub(super) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// `1 thing`, `2 things`.
pub(super) fn counted(number: u64, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", count(number))
}

/// A text without control characters, which could do things to a terminal.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(|sign| if sign.is_control() { '\u{fffd}' } else { sign }).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn times_have_three_digits_and_a_unit() {
        for (microseconds, shown) in [
            (0.0, "0 µs"),
            (999.0, "999 µs"),
            (1000.0, "1.00 ms"),
            (12_345.0, "12.3 ms"),
            (999_400.0, "999 ms"),
            (999_600.0, "1.00 s"),
            (60_000_000.0, "60.0 s"),
            (7_200_000_000.0, "7200 s"),
            (36_000_000_000.0, "10.0 h"),
        ] {
            assert_eq!(super::time(microseconds), shown);
        }
    }

    #[test]
    fn thousands_have_commas() {
        for (number, shown) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(super::count(number), shown);
        }
    }
}
