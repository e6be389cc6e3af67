//! Text for XML, and the style that pictures have on their own.

use super::shown::printable;

/// A text as XML and HTML take it, in elements and in quoted attributes.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in printable(text).chars() {
        match sign {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Not allowed in XML.
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            sign => escaped.push(sign),
        }
    }
    escaped
}

/// A text that is cut when it is long.
pub(super) fn shortened(text: &str, max_length: usize) -> String {
    if text.chars().count() <= max_length {
        return text.to_owned();
    }
    let kept: String = text.chars().take(max_length - 1).collect();
    format!("{kept}…")
}

/// A picture as a file of its own.
pub(super) fn file(picture: &str) -> String {
    let style = format!("<style>{COLOURS}{}</style>", include_str!("plot.css"));
    let start = picture.find('>').map_or(0, |at| at + 1);
    let (opening, rest) = picture.split_at(start);
    let opening = opening.replacen("<svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"", 1);
    let ground = "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>";
    format!("{opening}{style}{ground}{rest}\n")
}

/// Colours that can be told apart with any eyesight (Okabe and Ito), lighter on dark ground.
pub(super) const COLOURS: &str = include_str!("colours.css");
