//! A finding as the page keeps it: bounded, and safe to be shown.

use crate::{
    record::{Drawing, Excerpt},
    rules::{Code, Finding, Repair, Severity},
    text::wording::printable,
};

/// No text from an input is longer, in characters.
const MAX_LENGTH: usize = 300;

/// A finding, and all that is needed to decide about it.
#[derive(Debug)]
pub(super) struct Example {
    /// Ordinal of its input.
    pub input: u64,
    /// That input's name.
    pub input_name: String,
    pub severity: Severity,
    pub known: bool,
    pub line: u64,
    pub column: u64,
    pub game: u64,
    pub ply: Option<u32>,
    pub variation: String,
    pub label: String,
    pub message: String,
    pub found: String,
    pub expected: String,
    pub cause: Option<Code>,
    pub repair: Option<Repair>,
    pub fen: String,
    pub before: String,
    pub marked: String,
    pub after: String,
    pub has_context: bool,
    pub site: Option<String>,
    pub drawing: Option<Drawing>,
}

impl Example {
    pub fn new(input: u64, input_name: &str, finding: &Finding, around: Option<&Excerpt>) -> Example {
        let part = |of: fn(&Excerpt) -> &str| around.map(|around| lines(of(around))).unwrap_or_default();
        let is_lichess = |site: &&Excerpt| site.site.starts_with("https://lichess.org/") && !site.site.contains('#');
        let site = around.filter(|around| !around.site.is_empty()).map(|around| match finding.ply {
            // Lichess opens games at the ply that an address names.
            Some(ply) if around.site.len() == "https://lichess.org/12345678".len() && is_lichess(&around) => {
                format!("{}#{ply}", around.site)
            }
            _ => around.site.clone(),
        });
        Example {
            input,
            input_name: shown(input_name),
            severity: finding.severity,
            known: finding.known,
            line: finding.line,
            column: finding.column,
            game: finding.game,
            ply: finding.ply,
            variation: shown(&finding.variation),
            label: shown(&finding.game_label),
            message: shown(&finding.message),
            found: shown(&finding.found),
            expected: shown(&finding.expected),
            cause: finding.cause,
            repair: finding.repair,
            fen: shown(&finding.fen),
            before: part(|around| &around.before),
            marked: part(|around| &around.marked),
            after: part(|around| &around.after),
            has_context: around.is_some_and(|around| {
                !(around.before.trim().is_empty() && around.marked.is_empty() && around.after.trim().is_empty())
            }),
            site,
            drawing: Drawing::of(finding),
        }
    }
}

/// Text from an input: cut, and with characters that cannot be seen, or turn the direction of writing, escaped.
pub(super) fn shown(text: &str) -> String {
    match text.char_indices().nth(MAX_LENGTH) {
        Some((end, _)) => printable(&text[..end]) + "…",
        None => printable(text),
    }
}

/// The same for text in lines; it has been cut already.
fn lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| printable(&line.replace('\t', " "))).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_and_made_harmless() {
        assert_eq!(shown("a\u{202E}b\0"), "a\\u{202e}b\\u{0}");
        let long = shown(&"é".repeat(1 << 20));
        assert_eq!(long.chars().count(), MAX_LENGTH + 1);
        assert!(long.ends_with('…'));
        assert_eq!(lines("a\tb\n\u{2066}c"), "a b\n\\u{2066}c");
    }
}
