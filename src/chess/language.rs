//! Letters of pieces in other languages than English.
//!
//! PGN standard, section 17, and the letters of Cyrillic scripts and figurines. A token in another language is read by
//! putting English letters in its place.

use super::WrittenSan;

/// The letters of a language, or another alphabet of pieces.
#[derive(Debug, PartialEq, Eq)]
pub struct Language {
    /// How the language is called; several that share their letters are named together.
    pub name: &'static str,
    /// Knight, bishop, rook, queen, king, pawn.
    letters: [&'static str; 6],
}

/// What the letters of a language stand for.
const ENGLISH: [&str; 6] = ["N", "B", "R", "Q", "K", ""];

/// Filled figurines, in the same order.
const FILLED: [char; 6] = ['♞', '♝', '♜', '♛', '♚', '♟'];

/// The languages, those with more players before others that share some of their letters.
static LANGUAGES: [Language; 17] = {
    const fn language(name: &'static str, letters: [&'static str; 6]) -> Language {
        Language { name, letters }
    }
    [
        language("German, Danish, Norwegian or Swedish", ["S", "L", "T", "D", "K", "B"]),
        language("Spanish or Italian", ["C", "A", "T", "D", "R", "P"]),
        language("French", ["C", "F", "T", "D", "R", "P"]),
        language("Dutch", ["P", "L", "T", "D", "K", "O"]),
        language("Portuguese", ["C", "B", "T", "D", "R", "P"]),
        language("Czech", ["J", "S", "V", "D", "K", "P"]),
        language("Polish", ["S", "G", "W", "H", "K", "P"]),
        language("Hungarian", ["H", "F", "B", "V", "K", "G"]),
        language("Romanian", ["C", "N", "T", "D", "R", "P"]),
        language("Finnish", ["R", "L", "T", "D", "K", "P"]),
        language("Estonian", ["R", "O", "V", "L", "K", "P"]),
        language("Icelandic", ["R", "B", "H", "D", "K", "P"]),
        language("Russian or Ukrainian", ["К", "С", "Л", "Ф", "Кр", "п"]),
        language("Serbian", ["С", "Л", "Т", "Д", "К", "п"]),
        language("Bulgarian", ["К", "О", "Т", "Д", "Ц", "п"]),
        // Latin letters that look like those of Cyrillic scripts, as typed or scanned.
        language("Russian in Latin letters", ["K", "C", "L", "F", "Kp", "n"]),
        // Filled figurines are read as these.
        language("figurines", ["♘", "♗", "♖", "♕", "♔", "♙"]),
    ]
};

impl Language {
    /// All languages but English.
    pub fn all() -> &'static [Language] {
        &LANGUAGES
    }

    /// The token with English letters, and whether that is another text; `None` where the token does not begin with a letter
    /// of this language, a file or castling.
    pub fn english(&self, token: &[u8]) -> Option<Vec<u8>> {
        let text = std::str::from_utf8(token).ok()?;
        if text.contains(FILLED) && self.letters[0] == "♘" {
            return self.english(
                FILLED.iter().zip(self.letters).fold(text.to_owned(), |text, (man, open)| text.replace(*man, open)).as_bytes(),
            );
        }
        let mut english = String::with_capacity(text.len());
        let mut rest = text;
        if let Some((piece, behind)) = self.piece(text) {
            english.push_str(piece);
            rest = behind;
        } else if !text.starts_with(|first: char| first.is_ascii_lowercase() || matches!(first, 'O' | '0' | '-' | 'Z' | '<')) {
            return None;
        }
        // The piece of a promotion stands behind a rank, `=`, `(` or `/`.
        let mut before = None;
        while let Some(next) = rest.chars().next() {
            let promotes = matches!(before, Some('1' | '8' | '=' | '(' | '/'));
            match self.piece(rest).filter(|(piece, _)| promotes && !piece.is_empty()) {
                Some((piece, behind)) => {
                    english.push_str(piece);
                    before = None;
                    rest = behind;
                }
                None => {
                    english.push(next);
                    before = Some(next);
                    rest = &rest[next.len_utf8()..];
                }
            }
        }
        Some(english.into_bytes())
    }

    /// A move in canonical English spelling, written with the letters of this language.
    pub fn write(&self, san: &str) -> String {
        let mut written = String::with_capacity(san.len());
        for letter in san.chars() {
            match ENGLISH.iter().position(|english| english.starts_with(letter)) {
                Some(piece) => written.push_str(self.letters[piece]),
                None => written.push(letter),
            }
        }
        written
    }

    /// Reads a token in this language.
    pub fn read(&self, token: &[u8]) -> Option<WrittenSan> {
        WrittenSan::read(&self.english(token)?)
    }

    /// Whether the token names a piece by a letter that English does not use, or uses for another one.
    pub fn is_foreign(&self, token: &[u8]) -> bool {
        self.english(token).is_some_and(|english| english != token)
    }

    /// The piece that a text begins with, in English, and what stands behind it. The longest letter counts: `Кр` before `К`.
    fn piece<'t>(&self, text: &'t str) -> Option<(&'static str, &'t str)> {
        let first = text.as_bytes().first();
        let letters = self.letters.iter().zip(ENGLISH);
        letters
            .filter(|(letter, _)| letter.as_bytes().first() == first)
            .filter_map(|(letter, english)| Some((letter.len(), english, text.strip_prefix(letter)?)))
            .filter(|(_, english, behind)| !english.is_empty() || behind.starts_with(|next: char| next.is_ascii_lowercase()))
            .max_by_key(|(length, ..)| *length)
            .map(|(_, english, behind)| (english, behind))
    }
}

/// The token with small letters for files, where capitals stand in their place: `NF3`, `E4`, `BXC3`.
pub fn lowercase_files(token: &[u8]) -> Option<Vec<u8>> {
    let has_capital_file = token.windows(2).any(|pair| matches!(pair, [b'A'..=b'H', b'1'..=b'8']));
    if !has_capital_file || !token.is_ascii() {
        return None;
    }
    let lower = token.to_ascii_lowercase();
    match token {
        [b'N' | b'B' | b'R' | b'Q' | b'K', behind, ..] if !behind.is_ascii_digit() => Some([&token[..1], &lower[1..]].concat()),
        _ => Some(lower),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language(name: &str) -> &'static Language {
        Language::all().iter().find(|language| language.name.contains(name)).expect("the language is known")
    }

    #[test]
    fn tokens_are_read_in_their_language() {
        for (name, token, english) in [
            ("German", "Sf3", Some("Nf3")),
            ("German", "Txd8+", Some("Rxd8+")),
            ("German", "exd8D+", Some("exd8Q+")),
            ("German", "axb8=D", Some("axb8=Q")),
            ("German", "O-O-O", Some("O-O-O")),
            ("German", "Nf3", None),
            ("French", "Rf1", Some("Kf1")),
            ("Dutch", "Pf3", Some("Nf3")),
            ("Russian or", "Крf1", Some("Kf1")),
            ("Russian or", "Кf3", Some("Nf3")),
            ("figurines", "♞f3", Some("Nf3")),
            ("figurines", "♙e4", Some("e4")),
        ] {
            let read = language(name).english(token.as_bytes());
            assert_eq!(read.as_deref(), english.map(str::as_bytes), "{name} {token}");
        }
        assert!(language("German").is_foreign(b"Sf3") && !language("German").is_foreign(b"Ke2"));
    }

    #[test]
    fn capitals_for_files() {
        for (token, small) in
            [("E4", Some("e4")), ("NF3", Some("Nf3")), ("BXC3", Some("Bxc3")), ("B4", Some("b4")), ("Nf3", None)]
        {
            assert_eq!(lowercase_files(token.as_bytes()).as_deref(), small.map(str::as_bytes), "{token}");
        }
    }
}
