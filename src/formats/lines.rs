//! Lines and words of a text, with the offsets that errors need.

/// A line without its end, and its offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    start: usize,
    bytes: &'t [u8],
}

/// A word and its offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'t> {
    pub(super) at: usize,
    pub(super) bytes: &'t [u8],
}

/// The lines of a text. A byte-order mark before the first is no part of it.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut start = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    text[start..].split(|&byte| byte == b'\n').map(move |bytes| {
        let line = Line { start, bytes };
        start += bytes.len() + 1;
        line
    })
}

impl<'t> Line<'t> {
    /// The words between blanks.
    pub(super) fn words(self) -> impl Iterator<Item = Word<'t>> {
        let mut at = self.start;
        let words = self.bytes.split(u8::is_ascii_whitespace).map(move |bytes| {
            let word = Word { at, bytes };
            at += bytes.len() + 1;
            word
        });
        words.filter(|word| !word.bytes.is_empty())
    }
}

impl Word<'_> {
    /// The word in quotes, for messages, cut when it is long.
    pub(super) fn quoted(&self) -> String {
        const SHOWN: usize = 40;
        let text = String::from_utf8_lossy(self.bytes);
        let dots = if text.chars().count() > SHOWN { "..." } else { "" };
        let shown: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
        format!("`{shown}{dots}`")
    }
}
