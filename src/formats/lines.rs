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

    /// What stands before the last word, without the blanks around it, and that word.
    pub(super) fn split_last_word(self) -> Option<(Word<'t>, Word<'t>)> {
        let line = self.bytes.trim_ascii_end();
        let start = line.iter().rposition(u8::is_ascii_whitespace)? + 1;
        let value = Word { at: self.start + start, bytes: &line[start..] };
        let before = line[..start].trim_ascii_end();
        let name = before.trim_ascii_start();
        let at = self.start + before.len() - name.len();
        Some((Word { at, bytes: name }, value)).filter(|_| !name.is_empty())
    }

    /// A part of a line as a line.
    pub(super) fn from_word(word: Word<'t>) -> Line<'t> {
        Line { start: word.at, bytes: word.bytes }
    }

    /// The offset of the line.
    pub(super) fn at(self) -> usize {
        self.start
    }

    /// The line without the blanks around it.
    pub(super) fn trimmed(self) -> &'t [u8] {
        self.bytes.trim_ascii()
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
