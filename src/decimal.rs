//! Numbers as text, for files of millions of them: `write!` takes several times as long.

/// A number in decimal. Numbers within 64 bits, which are all but a few, take the short way.
pub(crate) fn decimal(buffer: &mut itoa::Buffer, number: i128) -> &str {
    match i64::try_from(number) {
        Ok(number) => buffer.format(number),
        Err(_) => buffer.format(number),
    }
}
