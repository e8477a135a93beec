//! The character encoding of a record.

use std::borrow::Cow;

use encoding_rs::{MACINTOSH, WINDOWS_1252};

/// The encoding of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, including ASCII.
    Utf8,
    /// Windows-1252, including Latin-1 (ISO 8859-1).
    #[default]
    Windows1252,
    /// Mac Roman.
    MacRoman,
}

impl Encoding {
    /// Detects the encoding of a record. The result depends only on the bytes of the record, so it
    /// is the same for every chunk size.
    ///
    /// A record that is not UTF-8 is Windows-1252, unless more of its bytes form words in Mac
    /// Roman. Mac Roman has Western European letters where Windows-1252 has quotes, dashes and
    /// capital letters, and symbols where Windows-1252 has lowercase letters.
    pub fn of(record: &[u8]) -> Encoding {
        // Most records are ASCII, which is recognised faster.
        match () {
            () if record.is_ascii() || std::str::from_utf8(record).is_ok() => Encoding::Utf8,
            () if is_mac_roman(record) => Encoding::MacRoman,
            () => Encoding::Windows1252,
        }
    }

    /// Decodes bytes. Valid UTF-8 is always decoded as UTF-8, because files often mix encodings.
    pub fn decode(self, bytes: &[u8]) -> String {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return text.to_owned();
        }
        let encoding = if self == Encoding::MacRoman { MACINTOSH } else { WINDOWS_1252 };
        encoding.decode_without_bom_handling(bytes).0.into_owned()
    }
}

/// Maximum length of a readable text.
const MAX_CHARACTERS: usize = 200;

/// Whether [`readable`] changes nothing, which is nearly always so.
#[inline]
pub fn is_readable(bytes: &[u8]) -> bool {
    // Without branches, so that the compiler can use vector instructions.
    bytes.len() <= MAX_CHARACTERS && bytes.iter().fold(true, |all, byte| all & matches!(byte, b' '..=b'~') & (*byte != b'\\'))
}

/// Text as a person reads it, control characters dropped.
pub fn readable(bytes: &[u8], encoding: Encoding) -> Cow<'_, str> {
    if is_readable(bytes)
        && let Ok(text) = str::from_utf8(bytes)
    {
        return Cow::Borrowed(text);
    }
    let text = encoding.decode(bytes);
    let characters =
        text.replace("\\\"", "\"").chars().filter(|character| !character.is_control()).take(MAX_CHARACTERS).collect();
    Cow::Owned(characters)
}

/// Whether more of the bytes outside ASCII are plausible in Mac Roman than in Windows-1252.
#[cold]
fn is_mac_roman(record: &[u8]) -> bool {
    let (mut mac, mut windows) = (0_u64, 0_u64);
    let mut before = None;
    let mut at = 0;
    for chunk in record.utf8_chunks() {
        if let Some(last) = chunk.valid().bytes().next_back() {
            before = Some(last);
        }
        at += chunk.valid().len();
        for &byte in chunk.invalid() {
            let after = record.get(at + 1).copied();
            let fits = |encoding: &'static encoding_rs::Encoding| fits(encoding, before, byte, after);
            mac += u64::from(fits(MACINTOSH));
            windows += u64::from(fits(WINDOWS_1252));
            before = Some(byte);
            at += 1;
        }
    }
    mac > windows
}

/// Whether a byte is plausible between its neighbours: a lowercase letter next to a letter, a
/// capital letter at the start of a word or among capital letters, an apostrophe in a word, other
/// symbols only between words.
pub(super) fn fits(encoding: &'static encoding_rs::Encoding, before: Option<u8>, byte: u8, after: Option<u8>) -> bool {
    let character = |byte: u8| {
        let text = encoding.decode_without_bom_handling(&[byte]).0.into_owned();
        text.chars().next().unwrap_or_default()
    };
    let before = before.map(character);
    let after = after.map(character);
    let is_letter = |neighbour: Option<char>| neighbour.is_some_and(char::is_alphabetic);
    let is_lowercase = |neighbour: Option<char>| neighbour.is_some_and(char::is_lowercase);
    match character(byte) {
        'ª' | 'º' | 'ƒ' | 'µ' => false,
        'ı' if encoding == MACINTOSH => false,
        letter if letter.is_lowercase() => is_letter(before) || is_letter(after),
        letter if letter.is_alphabetic() => {
            let among_capitals = !is_letter(before) || !is_lowercase(after);
            !is_lowercase(before) && is_letter(after) && among_capitals
        }
        '’' => is_letter(before),
        '\u{80}'..='\u{9F}' => false,
        // Quotes and dots can precede a word, other symbols cannot.
        '“' | '„' | '‘' | '«' | '¿' | '¡' | '…' => !is_letter(before),
        _ => !is_letter(after),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words from Western European languages. Words that are plausible in both encodings (`Jörg`
    /// and `Jšrg`) are not included.
    const WORDS: &str = "Müller Ångström São Fernández Élie Dvoirys Nuñez Çelik François Østergård Núñez Pérez Bønde Trân Über \
                         Ärger Évêque Köhler-Müller";

    #[test]
    fn words_determine_the_encoding() {
        for word in WORDS.split_whitespace() {
            let record = format!("[White \"{word}, A\"]");
            for (encoding, table) in [(Encoding::Windows1252, WINDOWS_1252), (Encoding::MacRoman, MACINTOSH)] {
                let bytes = table.encode(&record).0;
                let judged = Encoding::of(&bytes);
                if word.is_ascii() {
                    assert_eq!(judged, Encoding::Utf8);
                } else {
                    assert_eq!(judged, encoding, "{word}");
                    assert_eq!(judged.decode(&bytes), record);
                }
            }
            assert_eq!(Encoding::of(record.as_bytes()), Encoding::Utf8);
        }
    }

    #[test]
    fn windows_symbols_are_not_mac_roman_letters() {
        for text in ["O’Kelly, A – B", "“Open” of 1999…", "{he’s won • now}", "Šari, Ivan", "50 € fee", "Hübner’s", "1½–½"]
        {
            let bytes = WINDOWS_1252.encode(text).0;
            assert_eq!(Encoding::of(&bytes), Encoding::Windows1252, "{text}");
            assert_eq!(Encoding::Windows1252.decode(&bytes), text);
        }
    }

    #[test]
    fn utf8_among_other_bytes_is_decoded() {
        let record = b"[White \"J\xC3\xB6rg\"]\n[Black \"J\xF6rg\"]";
        let encoding = Encoding::of(record);
        assert_eq!(encoding, Encoding::Windows1252);
        assert_eq!(encoding.decode(b"J\xC3\xB6rg"), "Jörg");
        assert_eq!(encoding.decode(b"J\xF6rg"), "Jörg");
    }
}
