//! Positions that comments announce and contain.

use memchr::{memchr_iter, memmem};

use crate::text::Span;

/// Words that announce a FEN.
const NAMES: [&[u8]; 4] = [b"fen", b"FEN", b"Fen", b"osition"];

/// Number of slashes in a placement.
const SLASHES: usize = 7;

/// The place of the next announced FEN `within` a comment: `[%fen ...]`, `FEN: ...`, `FEN = ...`,
/// `Position after 12. Nf3: ...`.
pub(crate) fn next_named_position(text: &[u8], within: Span) -> Option<Span> {
    let mut at = within.start;
    // Few comments have as many slashes as a placement.
    if memchr_iter(b'/', text.get(at..within.end)?).take(SLASHES).count() < SLASHES {
        return None;
    }
    loop {
        let bytes = text.get(at..within.end)?;
        let name = NAMES.iter().filter_map(|name| memmem::find(bytes, name).map(|found| found + name.len())).min()?;
        at += name;
        // The placement follows in the same phrase.
        let window = &text[at..within.end.min(at + 40)];
        let placement = window.iter().enumerate().find_map(|(offset, byte)| {
            let begins = offset == 0
                || window[offset - 1].is_ascii_whitespace()
                || matches!(window[offset - 1], b'"' | b'=' | b':' | b'\'');
            (begins && (byte.is_ascii_digit() || b"pnbrqkPNBRQK".contains(byte)) && is_placement(text, at + offset, within.end))
                .then_some(at + offset)
        });
        if let Some(start) = placement {
            return Some(Span::new(start, end_of_fields(text, start, within.end)));
        }
    }
}

/// Whether eight ranks begin here: seven slashes between pieces and digits.
fn is_placement(text: &[u8], start: usize, end: usize) -> bool {
    let word = text[start..end].split(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
    word.iter().filter(|byte| **byte == b'/').count() == SLASHES
        && word.iter().all(|byte| byte.is_ascii_digit() || b"pnbrqkPNBRQK/".contains(byte))
}

/// The end of a position: its placement, and those of the other five fields that follow.
fn end_of_fields(text: &[u8], start: usize, end: usize) -> usize {
    let mut at = start;
    let mut field_end = start;
    for field in 0..6 {
        while at < end && text[at].is_ascii_whitespace() {
            at += 1;
        }
        let from = at;
        while at < end && !text[at].is_ascii_whitespace() && !matches!(text[at], b']' | b'"' | b',' | b';' | b')' | b'\'') {
            at += 1;
        }
        let word = &text[from..at];
        let fits = match field {
            0 => true,
            1 => matches!(word, b"w" | b"b"),
            2 => word == b"-" || (!word.is_empty() && word.iter().all(|byte| b"KQkqABCDEFGHabcdefgh".contains(byte))),
            3 => word == b"-" || matches!(word, [b'a'..=b'h', b'1'..=b'8']),
            _ => !word.is_empty() && word.iter().all(u8::is_ascii_digit),
        };
        if !fits {
            break;
        }
        field_end = at;
        if text.get(at).is_some_and(|byte| !byte.is_ascii_whitespace()) {
            break;
        }
    }
    field_end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn announced_positions_are_found() {
        let found = |comment: &str| {
            let text = comment.as_bytes();
            let mut rest = Span::new(0, text.len());
            let mut found = Vec::new();
            while let Some(place) = next_named_position(text, rest) {
                found.push(comment[place.start..place.end].to_owned());
                rest.start = place.end;
            }
            found
        };
        let fen = "8/8/8/8/8/8/8/K1k5 w - - 0 1";
        assert_eq!(found(&format!("[%fen {fen}]")), [fen]);
        assert_eq!(found(&format!("FEN: \"{fen}\" and more")), [fen]);
        assert_eq!(found(&format!("Depth = 1, FEN = {fen} ")), [fen]);
        assert_eq!(found(&format!("Position after 12. Nf3: {fen}.")), ["8/8/8/8/8/8/8/K1k5 w - - 0"]);
        assert_eq!(
            found("Finalposition 8/8/8/8/8/8/8/K1k5 b - -, thus FEN=8/8/8/8/8/8/8/K1k5 w"),
            ["8/8/8/8/8/8/8/K1k5 b - -", "8/8/8/8/8/8/8/K1k5 w"]
        );
        assert_eq!(found(&format!("{fen} has no name")), [""; 0]);
        assert_eq!(found("the position of 1/2/3 and a/b/c/d/e/f/g/h"), [""; 0]);
        assert_eq!(found("fen"), [""; 0]);
    }
}
