//! Rounds of games.

/// Maximum number of parts of a round that are compared.
const MAX_PARTS: usize = 4;

/// A round, as written: numbers or words, separated by periods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round<'a>(&'a str);

/// A part of a round.
#[derive(Clone, Copy, Debug)]
enum Part<'a> {
    Number(&'a str),
    Word(&'a str),
}

impl<'a> Round<'a> {
    /// The round in the value of a tag; `None` if it is not known.
    pub fn new(text: &'a str) -> Option<Round<'a>> {
        let text = text.trim();
        let plain = strip_word(strip_word(text, "round"), "rd").trim_start_matches(['.', ' ']);
        let is_known = plain.bytes().any(|byte| matches!(byte, b'1'..=b'9') || byte.is_ascii_alphabetic() || !byte.is_ascii());
        (is_known && !plain.contains('?') && !plain.starts_with('-')).then_some(Round(plain))
    }

    /// Whether two rounds cannot be the same. Leading zeros do not matter, and `5` fits `5.2`.
    /// Parts are whole numbers, so `1.1` and `1.10` differ: `1.10` is board 10 of round 1 wherever
    /// boards are written. A word, such as `Final`, can be any number, and a short word can
    /// abbreviate any other.
    pub fn contradicts(self, other: Round<'_>) -> bool {
        self.parts().zip(other.parts()).any(|pair| match pair {
            (Part::Number(one), Part::Number(other)) => one != other,
            (Part::Word(one), Part::Word(other)) => one.len() > 3 && other.len() > 3 && !is_same_word(one, other),
            _ => false,
        })
    }

    /// Whether two rounds are the same, part by part.
    pub fn is_same(self, other: Round<'_>) -> bool {
        self.parts().count() == other.parts().count()
            && self.parts().zip(other.parts()).all(|pair| match pair {
                (Part::Number(one), Part::Number(other)) => one == other,
                (Part::Word(one), Part::Word(other)) => one.eq_ignore_ascii_case(other),
                _ => false,
            })
    }

    /// Number of parts, a measure of how complete the round is.
    pub fn count(self) -> usize {
        self.parts().count()
    }

    fn parts(self) -> impl Iterator<Item = Part<'a>> {
        self.0.split(['.', ' ', '/', ':']).filter(|part| !part.is_empty()).take(MAX_PARTS).map(|part| {
            let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
            if is_number { Part::Number(part.trim_start_matches('0')) } else { Part::Word(part) }
        })
    }
}

/// Whether one word is the other, or its beginning.
fn is_same_word(one: &str, other: &str) -> bool {
    let length = one.len().min(other.len());
    one.as_bytes()[..length].eq_ignore_ascii_case(&other.as_bytes()[..length])
}

/// `text` without a word at its start, in any case.
fn strip_word<'a>(text: &'a str, word: &str) -> &'a str {
    match text.split_at_checked(word.len()) {
        Some((start, rest)) if start.eq_ignore_ascii_case(word) && !rest.starts_with(char::is_alphabetic) => rest,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_rounds_are_recognised() {
        for text in ["", "?", "-", "? of 9", "-99999", "0", "??", "Round ?"] {
            assert_eq!(Round::new(text), None, "{text}");
        }
        for text in ["1", "05", "Final", "1.10", "Round 5", "финал"] {
            assert!(Round::new(text).is_some(), "{text}");
        }
    }

    #[test]
    fn rounds_contradict_if_known_parts_differ() {
        for (one, other, contradict, are_same) in [
            ("5", "5", false, true),
            ("5", "05", false, true),
            ("5", "5.2", false, false),
            ("5", "Round 5", false, true),
            ("Rd. 5", "5", false, true),
            ("5.1", "5.2", true, false),
            ("5", "6", true, false),
            ("1.1", "1.10", true, false),
            ("1.1.2", "1.1.2", false, true),
            ("10", "1", true, false),
            ("Final", "5", false, false),
            ("Final", "FINAL", false, true),
            ("Final", "Semifinal", true, false),
            ("Final", "F", false, false),
            ("Semifinal", "SF", false, false),
            ("Final.1", "Final.2", true, false),
            ("финал", "Final", true, false),
        ] {
            let (Some(first), Some(second)) = (Round::new(one), Round::new(other)) else { panic!("{one} / {other}") };
            assert_eq!(first.contradicts(second), contradict, "{one} / {other}");
            assert_eq!(second.contradicts(first), contradict, "{other} / {one}");
            assert_eq!(first.is_same(second), are_same, "{one} / {other}");
            assert_eq!(second.is_same(first), are_same, "{other} / {one}");
        }
    }
}
