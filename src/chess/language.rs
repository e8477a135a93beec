//! Piece letters of languages other than English.
//!
//! PGN standard, section 17, and also Cyrillic letters and figurines. A token in another language
//! is read by replacing its letters with the English ones.

use super::WrittenSan;

/// A language, or another alphabet of pieces.
#[derive(Debug, PartialEq, Eq)]
pub struct Language {
    /// The name of the language, or of all languages that use these letters.
    pub name: &'static str,
    /// Knight, bishop, rook, queen, king, pawn.
    letters: [&'static str; 6],
}

/// The English letters, in the same order.
const ENGLISH: [&str; 6] = ["N", "B", "R", "Q", "K", ""];

/// Filled figurines, in the same order.
const FILLED: [char; 6] = ['♞', '♝', '♜', '♛', '♚', '♟'];

/// Number of languages, from the first on, that a single word is read in. In the others, English
/// letters and those of more common languages mean other pieces.
const OF_WORDS: usize = 17;

/// All languages. Of two that share letters, the one with more players comes first.
static LANGUAGES: [Language; 20] = {
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
        // Latin letters that look like Cyrillic ones, as typed or scanned.
        language("Russian in Latin letters", ["K", "C", "L", "F", "Kp", "n"]),
        // Filled figurines are replaced by these first.
        language("figurines", ["♘", "♗", "♖", "♕", "♔", "♙"]),
        language("Turkish", ["A", "F", "K", "V", "Ş", "P"]),
        language("Turkish", ["A", "F", "K", "V", "S", "P"]),
        language("Indonesian", ["K", "G", "B", "M", "R", "P"]),
    ]
};

impl Language {
    /// All languages other than English.
    pub fn all() -> &'static [Language] {
        &LANGUAGES
    }

    /// The token with English letters. It may be the same text.
    ///
    /// `None` if the token begins neither with a letter of this language nor with a file or
    /// castling.
    pub fn english(&self, token: &[u8]) -> Option<Vec<u8>> {
        let text = std::str::from_utf8(token).ok()?;
        if text.contains(FILLED) && self.letters[0] == "♘" {
            return self.english(
                FILLED
                    .iter()
                    .zip(self.letters)
                    .fold(text.to_owned(), |text, (filled, open)| text.replace(*filled, open))
                    .as_bytes(),
            );
        }
        let mut english = String::with_capacity(text.len());
        let mut rest = text;
        if let Some((piece, rest_of_text)) = self.piece(text) {
            english.push_str(piece);
            rest = rest_of_text;
        } else if !text.starts_with(|first: char| first.is_ascii_lowercase() || matches!(first, 'O' | '0' | '-' | 'Z' | '<')) {
            return None;
        }
        // A promotion piece comes after a rank, `=`, `(` or `/`.
        let mut before = None;
        while let Some(next) = rest.chars().next() {
            let promotes = matches!(before, Some('1' | '8' | '=' | '(' | '/'));
            match self.piece(rest).filter(|(piece, _)| promotes && !piece.is_empty()) {
                Some((piece, rest_of_text)) => {
                    english.push_str(piece);
                    before = None;
                    rest = rest_of_text;
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

    /// Writes a move in canonical English spelling with the letters of this language.
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

    /// Whether the English spelling of the token is different.
    pub fn is_foreign(&self, token: &[u8]) -> bool {
        self.english(token).is_some_and(|english| english != token)
    }

    /// The piece letter at the start of a text, in English, and the rest. The longest letter
    /// counts: `Кр` before `К`.
    fn piece<'t>(&self, text: &'t str) -> Option<(&'static str, &'t str)> {
        let first = text.as_bytes().first();
        let letters = self.letters.iter().zip(ENGLISH);
        letters
            .filter(|(letter, _)| letter.as_bytes().first() == first)
            .filter_map(|(letter, english)| Some((letter.len(), english, text.strip_prefix(letter)?)))
            .filter(|(_, english, rest_of_text)| {
                !english.is_empty() || rest_of_text.starts_with(|next: char| next.is_ascii_lowercase())
            })
            .max_by_key(|(length, ..)| *length)
            .map(|(_, english, rest_of_text)| (english, rest_of_text))
    }
}

/// The token with lowercase files, if they are uppercase: `NF3`, `E4`, `BXC3`.
pub fn lowercase_files(token: &[u8]) -> Option<Vec<u8>> {
    let has_capital_file = token.windows(2).any(|pair| matches!(pair, [b'A'..=b'H', b'1'..=b'8']));
    if !has_capital_file || !token.is_ascii() {
        return None;
    }
    let lower = token.to_ascii_lowercase();
    match token {
        [b'N' | b'B' | b'R' | b'Q' | b'K', rest_of_text, ..] if !rest_of_text.is_ascii_digit() => {
            Some([&token[..1], &lower[1..]].concat())
        }
        _ => Some(lower),
    }
}

/// The notation of a game whose moves are not in English.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// With the piece letters of another language.
    Language(&'static Language),
    /// With capital letters for files: `E4`, `NF3`.
    CapitalFiles,
}

impl Notation {
    /// All notations, the more likely ones first.
    pub fn all() -> impl Iterator<Item = Notation> {
        Language::all().iter().map(Notation::Language).chain([Notation::CapitalFiles])
    }

    /// The notations in which a single word can be read.
    pub fn of_words() -> impl Iterator<Item = Notation> {
        LANGUAGES[..OF_WORDS].iter().map(Notation::Language).chain([Notation::CapitalFiles])
    }

    /// The token in English; `None` if it is not a token of this notation.
    pub fn english(self, token: &[u8]) -> Option<Vec<u8>> {
        match self {
            Notation::Language(language) => language.english(token),
            Notation::CapitalFiles => lowercase_files(token),
        }
    }

    /// Whether the token is different in English.
    pub fn is_foreign(self, token: &[u8]) -> bool {
        self.english(token).is_some_and(|english| english != token)
    }

    /// Its name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Notation::Language(language) => language.name,
            Notation::CapitalFiles => "capital letters for files",
        }
    }

    /// A move in canonical spelling, written in this notation.
    pub fn write(self, san: &str) -> String {
        match self {
            Notation::Language(language) => language.write(san),
            Notation::CapitalFiles => san.to_ascii_uppercase(),
        }
    }

    /// Reads a move in this notation, or in English if it is not a token of this notation.
    pub fn read(self, token: &[u8]) -> Option<WrittenSan> {
        self.english(token).and_then(|english| WrittenSan::read(&english)).or_else(|| WrittenSan::read(token))
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
            ("Turkish", "Şf1", Some("Kf1")),
            ("Indonesian", "e8=M+", Some("e8=Q+")),
            ("figurines", "♞f3", Some("Nf3")),
            ("figurines", "♙e4", Some("e4")),
        ] {
            let read = language(name).english(token.as_bytes());
            assert_eq!(read.as_deref(), english.map(str::as_bytes), "{name} {token}");
        }
        assert!(language("German").is_foreign(b"Sf3") && !language("German").is_foreign(b"Ke2"));
    }

    #[test]
    fn uppercase_files_become_lowercase() {
        for (token, expected) in
            [("E4", Some("e4")), ("NF3", Some("Nf3")), ("BXC3", Some("Bxc3")), ("B4", Some("b4")), ("Nf3", None)]
        {
            assert_eq!(lowercase_files(token.as_bytes()).as_deref(), expected.map(str::as_bytes), "{token}");
        }
    }
}
