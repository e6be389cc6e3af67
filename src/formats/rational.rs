//! Exact fractions, for the decimal numbers of LP and MPS files.

/// `numerator / denominator`, reduced, with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rational {
    numerator: i128,
    denominator: i128,
}

/// Why a text is no number that can be computed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberError {
    /// It is not written like one.
    Malformed,
    /// Numerator or denominator is beyond 128 bits.
    TooWide,
}

impl Rational {
    pub(super) const ZERO: Rational = Rational { numerator: 0, denominator: 1 };

    /// The integer.
    pub(super) fn from_integer(integer: i128) -> Rational {
        Rational { numerator: integer, denominator: 1 }
    }

    /// The reduced quotient; `None` if that is beyond 128 bits or the divisor is 0.
    pub(super) fn quotient(dividend: i128, divisor: i128) -> Option<Rational> {
        let common = gcd(dividend.unsigned_abs(), divisor.unsigned_abs());
        let reduced = |number: i128| number.unsigned_abs().checked_div(common);
        let (numerator, denominator) = (reduced(dividend)?, reduced(divisor)?);
        let numerator = with_sign(numerator, (dividend < 0) != (divisor < 0))?;
        let denominator =
            i128::try_from(denominator).ok().filter(|&denominator| denominator > 0)?;
        Some(Rational { numerator, denominator })
    }

    /// Reads digits with an optional point and an optional exponent, such as `3`, `.5`, `1.5e-3`,
    /// and its negation if `is_negative`.
    pub(super) fn parse(digits: &[u8], is_negative: bool) -> Result<Rational, NumberError> {
        let exponent_at = digits.iter().position(|byte| matches!(byte, b'e' | b'E'));
        let (mantissa, exponent) = digits.split_at(exponent_at.unwrap_or(digits.len()));
        let point = mantissa.iter().position(|&byte| byte == b'.');
        let (whole, fraction) = mantissa.split_at(point.unwrap_or(mantissa.len()));
        let fraction = fraction.get(1..).unwrap_or_default();
        let all_digits = || whole.iter().chain(fraction).copied();
        if all_digits().next().is_none() || !all_digits().all(|byte| byte.is_ascii_digit()) {
            return Err(NumberError::Malformed);
        }
        let exponent = parse_exponent(exponent)?;

        let num_digits = whole.len() + fraction.len();
        let leading_zeros = all_digits().take_while(|&digit| digit == b'0').count();
        if leading_zeros == num_digits {
            return Ok(Rational::ZERO);
        }
        let trailing_zeros = all_digits().rev().take_while(|&digit| digit == b'0').count();
        let significant = all_digits().take(num_digits - trailing_zeros).skip(leading_zeros);
        let integer = significant.into_iter().try_fold(0u128, |integer, digit| {
            integer.checked_mul(10)?.checked_add(u128::from(digit - b'0'))
        });
        let moved = i64::try_from(trailing_zeros).ok().zip(i64::try_from(fraction.len()).ok());
        let power = moved.and_then(|(zeros, places)| exponent.checked_add(zeros - places));
        let (Some(integer), Some(power)) = (integer, power) else {
            return Err(NumberError::TooWide);
        };
        scale(integer, power, is_negative).ok_or(NumberError::TooWide)
    }

    /// The part below the fraction line, at least 1.
    pub(super) fn denominator(self) -> i128 {
        self.denominator
    }

    pub(super) fn is_zero(self) -> bool {
        self.numerator == 0
    }

    pub(super) fn is_negative(self) -> bool {
        self.numerator < 0
    }

    /// The largest integer that is not larger.
    pub(super) fn floor(self) -> i128 {
        self.numerator.div_euclid(self.denominator)
    }

    /// The smallest integer that is not smaller.
    pub(super) fn ceil(self) -> i128 {
        let is_whole = self.numerator % self.denominator == 0;
        self.numerator.div_euclid(self.denominator) + i128::from(!is_whole)
    }

    /// The sum; `None` if it is beyond 128 bits.
    pub(super) fn checked_add(self, other: Rational) -> Option<Rational> {
        let denominator = lcm(self.denominator, other.denominator)?;
        let numerator = self.scaled(denominator)?.checked_add(other.scaled(denominator)?)?;
        Rational::quotient(numerator, denominator)
    }

    /// The difference; `None` if it is beyond 128 bits.
    pub(super) fn checked_sub(self, other: Rational) -> Option<Rational> {
        self.checked_add(other.checked_neg()?)
    }

    /// The negation; `None` if it is beyond 128 bits.
    pub(super) fn checked_neg(self) -> Option<Rational> {
        Some(Rational { numerator: self.numerator.checked_neg()?, ..self })
    }

    /// The product with an integer; `None` if it is beyond 128 bits.
    pub(super) fn checked_mul(self, factor: i128) -> Option<Rational> {
        let reduced = Rational::quotient(factor, self.denominator)?;
        let numerator = self.numerator.checked_mul(reduced.numerator)?;
        Some(Rational { numerator, denominator: reduced.denominator })
    }

    /// The integer that this is times `multiple`, a multiple of the denominator; `None` if it is
    /// beyond 128 bits.
    pub(super) fn scaled(self, multiple: i128) -> Option<i128> {
        debug_assert_eq!(multiple % self.denominator, 0, "the product is an integer");
        self.numerator.checked_mul(multiple / self.denominator)
    }

    /// The number in decimal notation, if it ends after finitely many digits.
    pub(super) fn to_decimal(self) -> Option<String> {
        let (mut rest, mut twos, mut fives) = (self.denominator, 0, 0);
        while rest % 2 == 0 {
            (rest, twos) = (rest / 2, twos + 1);
        }
        while rest % 5 == 0 {
            (rest, fives) = (rest / 5, fives + 1);
        }
        if rest != 1 {
            return None;
        }
        let places: u32 = twos.max(fives);
        let digits = self.scaled(10i128.checked_pow(places)?)?;
        if places == 0 {
            return Some(digits.to_string());
        }
        let sign = if digits < 0 { "-" } else { "" };
        let places = places as usize;
        let padded = format!("{:0>width$}", digits.unsigned_abs(), width = places + 1);
        let (whole, fraction) = padded.split_at(padded.len() - places);
        Some(format!("{sign}{whole}.{fraction}"))
    }
}

/// The least common multiple of two positive numbers; `None` if it is beyond 128 bits.
pub(super) fn lcm(a: i128, b: i128) -> Option<i128> {
    let common = i128::try_from(gcd(a.unsigned_abs(), b.unsigned_abs())).ok()?;
    (a / common).checked_mul(b)
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// `e`, an optional sign and digits, or nothing. Exponents beyond 64 bits are as good as the
/// largest.
fn parse_exponent(text: &[u8]) -> Result<i64, NumberError> {
    let Some((_, exponent)) = text.split_first() else { return Ok(0) };
    let (is_negative, digits) = match exponent {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] | digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(NumberError::Malformed);
    }
    let add =
        |number: i64, digit: &u8| number.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
    let exponent = digits.iter().fold(0, add);
    Ok(if is_negative { -exponent } else { exponent })
}

/// `integer * 10^power`, negated or not.
fn scale(integer: u128, power: i64, is_negative: bool) -> Option<Rational> {
    let factor = 10u128.checked_pow(u32::try_from(power.unsigned_abs()).ok()?)?;
    if power >= 0 {
        let integer = integer.checked_mul(factor)?;
        return Some(Rational::from_integer(with_sign(integer, is_negative)?));
    }
    let common = gcd(integer, factor);
    let denominator = i128::try_from(factor / common).ok()?;
    Some(Rational { numerator: with_sign(integer / common, is_negative)?, denominator })
}

fn with_sign(magnitude: u128, is_negative: bool) -> Option<i128> {
    if is_negative { 0i128.checked_sub_unsigned(magnitude) } else { i128::try_from(magnitude).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<(i128, i128), NumberError> {
        let number = Rational::parse(text.as_bytes(), false)?;
        Ok((number.numerator, number.denominator))
    }

    fn fraction(numerator: i128, denominator: i128) -> Rational {
        Rational::quotient(numerator, denominator).expect("a small number")
    }

    #[test]
    fn decimal_and_scientific_notation_is_exact() {
        for (text, expected) in [
            ("0", (0, 1)),
            ("000.000e99999999999999999999999", (0, 1)),
            ("3", (3, 1)),
            ("3.", (3, 1)),
            (".5", (1, 2)),
            ("0.1", (1, 10)),
            ("1.5e-3", (3, 2000)),
            ("1.5E+3", (1500, 1)),
            ("2500e-2", (25, 1)),
            ("0.000000000000000000000000000000000000001e39", (1, 1)),
            ("1e38", (10i128.pow(38), 1)),
            ("1e-38", (1, 10i128.pow(38))),
            ("100000000000000000000000000000000000000000e-41", (1, 1)),
            ("170141183460469231731687303715884105727", (i128::MAX, 1)),
        ] {
            assert_eq!(parsed(text), Ok(expected), "{text}");
        }
        let smallest = Rational::parse(b"170141183460469231731687303715884105728", true);
        assert_eq!(smallest, Ok(Rational::from_integer(i128::MIN)));
    }

    #[test]
    fn other_texts_and_wide_numbers_are_refused() {
        for text in ["", ".", "e5", "1e", "1e+", "1.2.3", "1e5.0", "0x10", "1_000", "1,5", "-1"] {
            assert_eq!(parsed(text), Err(NumberError::Malformed), "{text}");
        }
        for text in [
            "170141183460469231731687303715884105728",
            "1e39",
            "1e-39",
            "1e999999999999999999999999",
            "1e-9223372036854775808",
            "0.3333333333333333333333333333333333333333333",
        ] {
            assert_eq!(parsed(text), Err(NumberError::TooWide), "{text}");
        }
        assert_eq!(parsed(&"9".repeat(100_000)), Err(NumberError::TooWide));
    }

    #[test]
    fn sums_and_products_are_reduced() {
        assert_eq!(fraction(1, 6).checked_add(fraction(1, 3)), Some(fraction(1, 2)));
        assert_eq!(fraction(1, 6).checked_sub(fraction(1, 6)), Some(Rational::ZERO));
        assert_eq!(fraction(3, 4).checked_mul(-8), Some(Rational::from_integer(-6)));
        assert_eq!(fraction(i128::MAX, 2).checked_mul(2), Some(fraction(i128::MAX, 1)));
        assert_eq!(fraction(-4, -6), fraction(2, 3));
        assert_eq!(fraction(4, -6), fraction(-2, 3));
    }

    #[test]
    fn what_leaves_128_bits_is_none() {
        let max = Rational::from_integer(i128::MAX);
        let min = Rational::from_integer(i128::MIN);
        assert_eq!(max.checked_add(fraction(1, 1)), None);
        assert_eq!(min.checked_neg(), None);
        assert_eq!(max.checked_mul(2), None);
        assert_eq!(Rational::quotient(1, i128::MIN), None);
        assert_eq!(Rational::quotient(1, 0), None);
        assert_eq!(Rational::quotient(0, 0), None);
        assert_eq!(lcm(i128::MAX, 2), None);
        assert_eq!(fraction(1, i128::MAX).checked_add(fraction(1, 2)), None);
    }

    #[test]
    fn rounding_goes_the_right_way_below_zero() {
        assert_eq!((fraction(7, 2).floor(), fraction(7, 2).ceil()), (3, 4));
        assert_eq!((fraction(-7, 2).floor(), fraction(-7, 2).ceil()), (-4, -3));
        assert_eq!((fraction(-6, 2).floor(), fraction(-6, 2).ceil()), (-3, -3));
        let min = Rational::from_integer(i128::MIN);
        assert_eq!((min.floor(), min.ceil()), (i128::MIN, i128::MIN));
    }

    #[test]
    fn fractions_of_tens_have_a_decimal_notation() {
        let decimal = |numerator, denominator| fraction(numerator, denominator).to_decimal();
        assert_eq!(decimal(3, 1).as_deref(), Some("3"));
        assert_eq!(decimal(-1, 2).as_deref(), Some("-0.5"));
        assert_eq!(decimal(3, 2000).as_deref(), Some("0.0015"));
        assert_eq!(decimal(-1234, 100).as_deref(), Some("-12.34"));
        assert_eq!(decimal(1, 3), None);
        assert_eq!(decimal(i128::MAX, 2), None);
    }
}
