//! The text around a finding, so that people can judge it.

use serde::{Deserialize, Serialize};

use crate::{
    pgn::{BOM, tag_pairs},
    text::Span,
};

/// Maximum number of bytes shown before a place, after it, and of it.
const BEFORE: usize = 240;
const AFTER: usize = 160;
const WITHIN: usize = 240;

/// Maximum length of a web address.
const MAX_LINK_LENGTH: usize = 300;

/// The text around a finding. Bytes that are not UTF-8 are written as `\xE1`. An ellipsis marks
/// omitted text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// The text before the place.
    pub before: String,
    /// The text of the place; empty if the place is between two bytes.
    pub marked: String,
    /// The text after the place.
    pub after: String,
    /// The web address in the Site tag of the game, if there is one.
    pub site: String,
}

impl Excerpt {
    /// The excerpt around `place`, within `record`. Both are spans of `text`.
    pub(crate) fn of(text: &[u8], record: Span, place: Span) -> Excerpt {
        let end = record.end.min(text.len());
        let record = &text[record.start.min(end)..end];
        let offset = end - record.len();
        let [from, to] = [place.start, place.end].map(|at| at.saturating_sub(offset).min(record.len()));
        let record = record.strip_prefix(BOM).map_or(record, |rest| if from >= BOM.len() { rest } else { record });
        let shift = end - offset - record.len();
        let (from, to) = (from - shift, (to - shift).max(from - shift));
        let (first, last) = part_to_show(record, from, to);
        let mut before = readable(&record[first..from]);
        if first > 0 && !is_blank(&record[..first]) && !starts_after_blank_line(record, first) {
            before.insert(0, '…');
        }
        let within_end = to.min(char_boundary(record, from + WITHIN));
        let mut marked = readable(&record[from..within_end]);
        if within_end < to {
            marked.push('…');
        }
        let mut after = readable(&record[to..last]).trim_end().to_owned();
        if last < record.len() && !is_blank(&record[last..]) && !ends_before_blank_line(record, last) {
            after.push('…');
        }
        Excerpt { before, marked, after, site: site(record).unwrap_or_default() }
    }
}

/// The part of the record around `from..to` to show: some tags or moves, cut at spaces and at blank
/// lines.
fn part_to_show(record: &[u8], from: usize, to: usize) -> (usize, usize) {
    let earliest = from.saturating_sub(BEFORE);
    let mut first = earliest;
    if let Some(blank_line) = last_blank_line(&record[earliest..from]) {
        first = earliest + blank_line;
    } else if earliest > 0 {
        let word = record[earliest..from].iter().position(u8::is_ascii_whitespace);
        first = word.map_or_else(|| char_boundary(record, earliest), |word| earliest + word + 1);
    }
    let latest = (to + AFTER).min(record.len());
    let rest = &record[to..latest];
    let last = if let Some(blank_line) = first_blank_line(rest) {
        to + blank_line
    } else if latest < record.len() {
        let word = rest.iter().rposition(u8::is_ascii_whitespace);
        word.map_or_else(|| char_boundary(record, latest).min(record.len()), |word| to + word)
    } else {
        latest
    };
    (first, last)
}

/// Start of the last block of lines, after a blank line.
fn last_blank_line(text: &[u8]) -> Option<usize> {
    let break_at = |pattern: &[u8]| memchr::memmem::rfind(text, pattern).map(|at| at + pattern.len());
    let found = break_at(b"\n\n").max(break_at(b"\n\r\n"))?;
    // A place right after a blank line is shown with the text before that line.
    (!is_blank(&text[found..])).then_some(found)
}

fn first_blank_line(text: &[u8]) -> Option<usize> {
    let break_at = |pattern: &[u8]| memchr::memmem::find(text, pattern);
    match (break_at(b"\n\n"), break_at(b"\n\r\n")) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

fn starts_after_blank_line(record: &[u8], at: usize) -> bool {
    let before = &record[..at];
    before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n")
}

fn ends_before_blank_line(record: &[u8], at: usize) -> bool {
    let after = &record[at..];
    after.starts_with(b"\n\n") || after.starts_with(b"\n\r\n")
}

fn is_blank(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_whitespace)
}

/// `at`, or the end of the character that `at` splits.
fn char_boundary(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let continuing = rest.iter().take(3).take_while(|byte| matches!(byte, 0x80..=0xBF)).count();
    (at + continuing).min(text.len())
}

/// Bytes as text. Lines that begin with a bracket stay separate, others are joined.
fn readable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02X}")));
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((line, next)) = rest.split_once('\n') {
        shown.push_str(line);
        shown.push(if next.starts_with(['[', '\n']) || line.ends_with(']') { '\n' } else { ' ' });
        rest = next;
    }
    shown + rest
}

/// The web address in the Site tag of a game.
fn site(record: &[u8]) -> Option<String> {
    let site = tag_pairs(record, 0).find(|pair| pair.name.of(record) == b"Site")?;
    let address = std::str::from_utf8(site.value.of(record)).ok()?;
    let is_link = (address.starts_with("https://") || address.starts_with("http://"))
        && address.len() <= MAX_LINK_LENGTH
        && address.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"'<>\\^`{|}".contains(&byte));
    is_link.then(|| address.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(marked: &str) -> Excerpt {
        let from = marked.find('⟦').expect("a place");
        let text = marked.replace('⟦', "");
        let to = text.find('⟧').expect("its end");
        let text = text.replace('⟧', "");
        Excerpt::of(text.as_bytes(), Span::new(0, text.len()), Span::new(from, to))
    }

    fn parts(marked: &str) -> [String; 3] {
        let Excerpt { before, marked, after, .. } = excerpt(marked);
        [before, marked, after]
    }

    #[test]
    fn moves_are_shown_without_tags() {
        assert_eq!(parts("[Event \"?\"]\n\n1. e4\n⟦e4⟧ 2. d4\nd5 *\n\n"), ["1. e4 ", "e4", " 2. d4 d5 *"]);
        assert_eq!(parts("[Event \"?\"]\r\n\r\n1. e4\r\n⟦e4⟧ *\r\n\r\n"), ["1. e4 ", "e4", " *"]);
    }

    #[test]
    fn tags_are_shown_in_lines() {
        let record = "[Event \"?\"]\n[Date \"⟦2024.13.01⟧\"]\n[Round \"1\"]\n\n1. e4 *";
        assert_eq!(parts(record), ["[Event \"?\"]\n[Date \"", "2024.13.01", "\"]\n[Round \"1\"]"]);
    }

    #[test]
    fn long_text_is_cut_at_spaces() {
        let moves = "Nf3 Nf6 ".repeat(100);
        let [before, marked, after] = parts(&format!("{moves}⟦Ke9⟧ {moves}"));
        assert!(before.starts_with("…N") && before.len() < BEFORE + 5, "{before}");
        assert_eq!(marked, "Ke9");
        assert!(after.ends_with("6…") || after.ends_with("3…"), "{after}");
        let [_, marked, _] = parts(&format!("⟦{}⟧", "é".repeat(1 << 19)));
        assert!(marked.ends_with("é…") && marked.len() < WITHIN + 8);
    }

    #[test]
    fn nothing_beyond_the_record_is_shown() {
        let text = b"8/8 w - -\n4k3/8 w\n8/8 b - -\n";
        let excerpt = Excerpt::of(text, Span::new(10, 18), Span::new(12, 13));
        assert_eq!([excerpt.before, excerpt.marked, excerpt.after], ["4k", "3", "/8 w"]);
        // Findings about whole inputs may have places beyond the text.
        assert_eq!(Excerpt::of(text, Span::new(90, 99), Span::new(95, 96)), Excerpt::default());
        assert_eq!(Excerpt::of(b"\xE9x", Span::new(0, 2), Span::new(0, 1)).marked, "\\xE9");
    }

    #[test]
    fn only_web_addresses_are_links() {
        let site = |value: &str| excerpt(&format!("[Event \"?\"]\n[Site \"{value}\"]\n\n1. ⟦e4⟧ *")).site;
        assert_eq!(site("https://lichess.org/abcdefgh"), "https://lichess.org/abcdefgh");
        for other in ["Berlin", "javascript:alert(1)", "https://a b", "http://\u{202E}x", "https://x/<script>"] {
            assert_eq!(site(other), "", "{other}");
        }
    }
}
