//! Game termination markers, and what is written in their place.

use shakmaty::{Color, KnownOutcome, Outcome};

use crate::chess::Span;

/// What a game termination marker, or a text in its place, says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerKind {
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    Standard(Outcome),
    /// Another spelling of a result: `1/2`, `½-½`, `1:0`, `1-O`.
    Misspelt(Outcome),
    /// Both sides lost: `0-0`.
    DoubleForfeit,
}

impl MarkerKind {
    /// The result that is meant; `None` for a double forfeit.
    pub const fn outcome(self) -> Option<Outcome> {
        match self {
            MarkerKind::Standard(outcome) | MarkerKind::Misspelt(outcome) => Some(outcome),
            MarkerKind::DoubleForfeit => None,
        }
    }

    /// Reads a text that stands in the place of a marker or in the Result tag; `None` if it is no result in any spelling.
    pub fn read(text: &[u8]) -> Option<MarkerKind> {
        const WHITE: Outcome = Outcome::Known(KnownOutcome::Decisive { winner: Color::White });
        const BLACK: Outcome = Outcome::Known(KnownOutcome::Decisive { winner: Color::Black });
        const DRAW: Outcome = Outcome::Known(KnownOutcome::Draw);
        Some(match text {
            b"1-0" => MarkerKind::Standard(WHITE),
            b"0-1" => MarkerKind::Standard(BLACK),
            b"1/2-1/2" => MarkerKind::Standard(DRAW),
            b"*" => MarkerKind::Standard(Outcome::Unknown),
            _ => return MarkerKind::misspelt(text, WHITE, BLACK, DRAW),
        })
    }

    #[cold]
    fn misspelt(text: &[u8], white: Outcome, black: Outcome, draw: Outcome) -> Option<MarkerKind> {
        let text = std::str::from_utf8(text).ok()?;
        let plain: String = text
            .chars()
            .filter(|character| !character.is_whitespace())
            .map(|character| match character {
                'O' | 'o' => '0',
                'l' | 'I' => '1',
                '–' | '—' | '−' | '‐' | '‑' | ':' => '-',
                other => other,
            })
            .collect();
        let outcome = match plain.replace("0.5", "½").replace("0,5", "½").replace("1/2", "½").as_str() {
            "1-0" | "+--" | "1.0-0.0" | "1-0." => white,
            "0-1" | "--+" | "0.0-1.0" | "0-1." => black,
            "½-½" | "½" | "=-=" | "½-½." => draw,
            "0-0" | "---" => return Some(MarkerKind::DoubleForfeit),
            _ => return None,
        };
        Some(MarkerKind::Misspelt(outcome))
    }
}

/// A game termination marker as written.
#[derive(Clone, Copy, Debug)]
pub struct Marker {
    /// Where it stands.
    pub place: Span,
    /// What it says.
    pub kind: MarkerKind,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_in_many_spellings() {
        for (text, kind) in [
            ("1-0", Some("1-0")),
            ("1:0", Some("1-0")),
            ("1-O", Some("1-0")),
            ("+:-", Some("1-0")),
            ("½-½", Some("1/2-1/2")),
            ("½–½", Some("1/2-1/2")),
            ("1/2", Some("1/2-1/2")),
            ("0.5-0.5", Some("1/2-1/2")),
            ("1-1", None),
            ("e4", None),
            ("", None),
        ] {
            let outcome = MarkerKind::read(text.as_bytes()).and_then(MarkerKind::outcome);
            assert_eq!(outcome.as_ref().map(|outcome| outcome.as_str()), kind, "{text}");
        }
        assert_eq!(MarkerKind::read(b"0-0"), Some(MarkerKind::DoubleForfeit));
    }
}
