//! Words beyond ASCII: whether they are UTF-8, and which encoding the other ones are probably in.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, KOI8_R, KOI8_U, MACINTOSH};
use serde::{Deserialize, Serialize};

use super::encoding::fits;

/// Words are separated by bytes below this one. Other bytes of ASCII are parts of characters in
/// encodings of East Asia.
const FIRST_OF_WORDS: u8 = 0x40;

/// Maximum number of different words in UTF-8 that are kept.
const MAX_UTF8: usize = 8;

/// Number of words that are not UTF-8 for which one more word in UTF-8 is needed to show a mixture.
/// Lists of 26 languages in 22 encodings have 557,000 different words that are not UTF-8, and
/// none that seems to be.
const OTHERS_PER_UTF8: u64 = 10_000;

/// Maximum number of different words in other encodings that are kept.
const MAX_OTHERS: usize = 256;

/// Maximum length of what is kept of a word, in bytes. Longer words in other encodings are not
/// kept.
const MAX_LENGTH: usize = 256;

/// The words beyond ASCII of a text. Those of its parts can be added up, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForeignWords {
    /// The first different words that are certainly UTF-8.
    utf8: Vec<String>,
    /// Number of words that are not UTF-8.
    others: u64,
    /// The first different ones, with a character for each byte.
    first_others: Vec<String>,
}

impl ForeignWords {
    /// Whether the list has no words.
    pub const fn is_empty(&self) -> bool {
        self.utf8.is_empty() && self.others == 0
    }

    /// Notes the words of a text.
    pub fn note(&mut self, text: &[u8]) {
        if text.is_ascii() || (self.utf8.len() == MAX_UTF8 && str::from_utf8(text).is_ok()) {
            return;
        }
        for word in text.split(|byte| *byte < FIRST_OF_WORDS).filter(|word| !word.is_ascii()) {
            match str::from_utf8(word) {
                Ok(word) if is_certain(word) => {
                    let start = &word[..word.floor_char_boundary(MAX_LENGTH)];
                    keep(&mut self.utf8, MAX_UTF8, Cow::Borrowed(start));
                }
                Ok(_) => {}
                Err(_) => {
                    self.others = self.others.saturating_add(1);
                    if word.len() <= MAX_LENGTH && self.first_others.len() < MAX_OTHERS {
                        let word = word.iter().copied().map(char::from).collect();
                        keep(&mut self.first_others, MAX_OTHERS, Cow::Owned(word));
                    }
                }
            }
        }
    }

    /// Adds the words of the text after this one.
    pub fn add(&mut self, next: &ForeignWords) {
        next.utf8.iter().for_each(|word| keep(&mut self.utf8, MAX_UTF8, Cow::Borrowed(word)));
        self.others = self.others.saturating_add(next.others);
        next.first_others.iter().for_each(|word| keep(&mut self.first_others, MAX_OTHERS, Cow::Borrowed(word)));
    }

    /// Whether there are words that are not UTF-8.
    pub const fn has_others(&self) -> bool {
        self.others > 0
    }

    /// Whether some words are UTF-8 and others are not. Chance does not explain that.
    pub fn are_mixed(&self) -> bool {
        let needed = (self.others / OTHERS_PER_UTF8).saturating_add(1).min(MAX_UTF8 as u64);
        self.has_others() && self.utf8.len() as u64 >= needed
    }

    /// Whether most bytes beyond ASCII of the words that are not UTF-8 are letters of a DOS code
    /// page: `ü`, `é`, `ä`, `å` or `ö` inside a word. In Windows-1252 these bytes are quotes and
    /// the like, and in Mac Roman mostly capital letters.
    pub fn show_dos(&self) -> bool {
        let (mut dos, mut all) = (0, 0);
        for word in &self.first_others {
            let bytes: Vec<char> = word.chars().collect();
            all += bytes.iter().filter(|byte| !byte.is_ascii()).count();
            let is_dos = |part: &&[char]| {
                matches!(part[1], '\u{81}' | '\u{82}' | '\u{84}' | '\u{86}' | '\u{94}')
                    && part[0].is_ascii_alphabetic()
                    && part[2].is_ascii_lowercase()
            };
            dos += bytes.windows(3).filter(is_dos).count();
        }
        2 * dos > all
    }

    /// The encoding that the words that are not UTF-8 are probably in.
    pub fn probable_encoding(&self) -> Option<&'static str> {
        let words = self.first_others.iter().map(|word| word.chars().map(|byte| byte as u8).collect());
        probable_encoding(&words.collect::<Vec<_>>())
    }
}

/// Keeps the word if it is new and there is room.
fn keep(words: &mut Vec<String>, max: usize, word: Cow<'_, str>) {
    if words.len() < max && !words.iter().any(|known| *known == *word) {
        words.push(word.into_owned());
    }
}

/// The kind of a character beyond ASCII in a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CharacterKind {
    /// A Latin letter.
    Latin,
    /// A letter of another script that has two bytes, such as Greek or Cyrillic.
    Short(u32),
    /// A letter of a script that has three bytes.
    Long(u32),
    /// A character that occurs within words and between them.
    Neutral,
    /// A character with three bytes that other encodings do not have in a row.
    Sign,
}

impl CharacterKind {
    fn of(character: char) -> Option<CharacterKind> {
        Some(match character {
            '×' | '÷' => return None,
            'À'..='ſ' | 'Ơ' | 'ơ' | 'Ư' | 'ư' | 'Ș'..='ț' | 'Ạ'..='ỹ' => CharacterKind::Latin,
            'Ά'..='ώ' => CharacterKind::Short(0),
            'Ѐ'..='ґ' => CharacterKind::Short(1),
            'Ա'..='և' => CharacterKind::Short(2),
            'א'..='ת' => CharacterKind::Short(3),
            'ء'..='ے' => CharacterKind::Short(4),
            '\u{900}'..='\u{1E7F}' => CharacterKind::Long(u32::from(character) >> 7),
            '々' | 'ぁ'..='ヿ' | '一'..='\u{9FFF}' => CharacterKind::Long(0),
            '가'..='힣' => CharacterKind::Long(1),
            '·' | '、' | '。' | '！'..='～' => CharacterKind::Neutral,
            '‐'..='…' | '♔'..='♟' | '\u{FEFF}' | '\u{FFFD}' => CharacterKind::Sign,
            _ => return None,
        })
    }
}

/// Whether a word is UTF-8 and not another encoding that happens to be valid: its letters belong to
/// one script, and a few of them would be rare elsewhere. Latin letters beyond ASCII are next to
/// those of ASCII.
fn is_certain(word: &str) -> bool {
    let (mut script, mut letters, mut has_sign) = (None, 0, false);
    for character in word.chars().filter(|character| !character.is_ascii()) {
        match CharacterKind::of(character) {
            None => return false,
            Some(CharacterKind::Neutral) => {}
            Some(CharacterKind::Sign) => has_sign = true,
            Some(kind) if script.is_none_or(|script| script == kind) => {
                script = Some(kind);
                letters += 1;
            }
            Some(_) => return false,
        }
    }
    let has_ascii_letters = word.bytes().any(|byte| byte.is_ascii_alphabetic());
    match script {
        _ if has_sign => true,
        Some(CharacterKind::Latin) => has_ascii_letters,
        Some(CharacterKind::Short(_)) => letters >= 3 && !has_ascii_letters,
        Some(CharacterKind::Long(_)) => letters >= 2 && !has_ascii_letters,
        _ => false,
    }
}

/// Minimum number of words that show an encoding for Latin letters. Others differ in most bytes.
const MIN_LATIN_WORDS: usize = 8;

/// Which of the encodings that Latin letters are written in these are.
const LATIN: [&Encoding; 8] = [
    encoding_rs::WINDOWS_1250,
    encoding_rs::WINDOWS_1252,
    encoding_rs::WINDOWS_1254,
    encoding_rs::WINDOWS_1257,
    encoding_rs::WINDOWS_1258,
    encoding_rs::ISO_8859_2,
    encoding_rs::ISO_8859_4,
    encoding_rs::ISO_8859_13,
];

/// Encodings for scripts without capital letters.
const CASELESS: [&Encoding; 5] = [
    encoding_rs::WINDOWS_874,
    encoding_rs::WINDOWS_1255,
    encoding_rs::WINDOWS_1256,
    encoding_rs::ISO_8859_6,
    encoding_rs::ISO_8859_8,
];

/// The encoding that the words are probably in. The detector always names one, but does not know
/// Mac Roman and most DOS code pages, so the letters have to be plausible, and each half of
/// the words has to give the same result if they are Latin.
fn probable_encoding(words: &[Vec<u8>]) -> Option<&'static str> {
    let encoding = detected(words.iter());
    let is_latin = LATIN.contains(&encoding);
    if is_latin && words.len() < MIN_LATIN_WORDS {
        return None;
    }
    let is_plausible = if CASELESS.contains(&encoding) {
        decoded(words, encoding).is_some()
    } else if encoding.is_single_byte() {
        fit_words(words, encoding)
    } else {
        // Letters after lead bytes would be characters of East Asia.
        decoded(words, encoding).is_some_and(|text| {
            let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
            letters * 5 <= text.chars().count()
        })
    };
    if is_latin && !is_plausible {
        return fit_words(words, MACINTOSH).then_some("Mac Roman");
    }
    let is_stable = || (0..2).all(|half| detected(words.iter().skip(half).step_by(2)) == encoding);
    if !is_plausible || (is_latin && !is_stable()) {
        return None;
    }
    let is_koi8_r = encoding == KOI8_U && decoded(words, KOI8_R) == decoded(words, KOI8_U);
    Some(match encoding.name() {
        _ if is_koi8_r => "KOI8-R",
        "windows-874" => "Windows-874",
        "windows-1250" => "Windows-1250",
        "windows-1251" => "Windows-1251",
        "windows-1252" => "Windows-1252",
        "windows-1253" => "Windows-1253",
        "windows-1254" => "Windows-1254",
        "windows-1255" => "Windows-1255",
        "windows-1256" => "Windows-1256",
        "windows-1257" => "Windows-1257",
        "windows-1258" => "Windows-1258",
        "IBM866" => "CP866",
        name => name,
    })
}

/// What the detector says about the words.
fn detected<'w>(words: impl Iterator<Item = &'w Vec<u8>>) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    for word in words {
        detector.feed(word, false);
        detector.feed(b"\n", false);
    }
    detector.feed(b"", true);
    detector.guess(None, Utf8Detection::Deny)
}

/// The words, if all are valid in the encoding.
fn decoded(words: &[Vec<u8>], encoding: &'static Encoding) -> Option<String> {
    words.iter().map(|word| encoding.decode_without_bom_handling_and_without_replacement(word)).collect()
}

/// Whether nearly all bytes beyond ASCII are plausible in words in the encoding.
fn fit_words(words: &[Vec<u8>], encoding: &'static Encoding) -> bool {
    let (mut fitting, mut all) = (0, 0);
    for word in words.iter().filter(|word| word.len() > 1) {
        for (at, byte) in word.iter().enumerate().filter(|(_, byte)| !byte.is_ascii()) {
            let before = at.checked_sub(1).map(|before| word[before]);
            fitting += usize::from(fits(encoding, before, *byte, word.get(at + 1).copied()));
            all += 1;
        }
    }
    decoded(words, encoding).is_some() && all > 0 && fitting * 20 >= all * 19
}

#[cfg(test)]
mod tests {
    use encoding_rs::{BIG5, EUC_JP, EUC_KR, GBK, IBM866, ISO_8859_5, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};

    use super::*;

    fn words(text: &[u8]) -> ForeignWords {
        let mut words = ForeignWords::default();
        words.note(text);
        words
    }

    const RUSSIAN: &str = "Чемпионат Москва Иванов Петров шах ход тем чем рад под уже Её";
    const CHINESE: &str = "北京 上海 小谢 为伟 王皓 丁立人 谢军 侯逸凡 陆 女子组";
    const JAPANESE: &str = "東京 羽生善治 小島 棋譜 ﾃｮ 将棋";
    const KOREAN: &str = "서울 홍길동 홍 채 창철 김민수 최영희 부산 태";

    #[test]
    fn other_encodings_are_not_utf8_by_chance() {
        for (encoding, text) in [
            (WINDOWS_1251, RUSSIAN),
            (IBM866, RUSSIAN),
            (KOI8_U, RUSSIAN),
            (ISO_8859_5, RUSSIAN),
            (GBK, CHINESE),
            (SHIFT_JIS, JAPANESE),
            (EUC_KR, KOREAN),
            (WINDOWS_1252, "CAFÉ» Müller «Ä» É’ Ö"),
        ] {
            let bytes = encoding.encode(text).0;
            let found = words(&bytes);
            assert!(found.has_others() && !found.are_mixed(), "{}: {found:?}", encoding.name());
            // UTF-8 among them shows.
            for added in ["Malmö", "Москва", "Ελλάδα", "羽生", "서울", "it’s", "Nguyễn", "ไทย"] {
                let both = words(&[&*bytes, b" ", added.as_bytes()].concat());
                assert!(both.are_mixed(), "{}, {added}: {both:?}", encoding.name());
            }
        }
        assert!(!words("Müller Москва".as_bytes()).are_mixed());
    }

    #[test]
    fn many_other_words_need_more_than_one_in_utf8() {
        let mut text = b"J\xF6rg ".repeat(OTHERS_PER_UTF8 as usize);
        text.extend("Jörg Jörg ".as_bytes());
        assert!(!words(&text).are_mixed());
        text.extend("Müller".as_bytes());
        assert!(words(&text).are_mixed());
    }

    #[test]
    fn adding_parts_equals_reading_the_whole() {
        let some = |from: u32| -> Vec<u8> {
            let words = (from..from + 300).map(|number| format!("M\u{FC}ller{}", "x".repeat(number as usize % 263)));
            words.chain((from..from + 9).map(|number| format!("J\u{C3}\u{B6}rg{}", "y".repeat(number as usize)))).fold(
                Vec::new(),
                |mut text, word| {
                    text.extend(word.chars().map(|byte| byte as u8));
                    text.push(b'\n');
                    text
                },
            )
        };
        let all = [some(0), some(5)].concat();
        let whole = words(&all);
        assert_eq!((whole.first_others.len(), whole.others, whole.utf8.len()), (251, 600, MAX_UTF8));
        for (cut, _) in all.iter().enumerate().filter(|(_, byte)| **byte == b'\n').step_by(20) {
            let mut sum = words(&all[..cut]);
            sum.add(&words(&all[cut..]));
            assert_eq!(sum, whole, "cut at {cut}");
        }
    }

    #[test]
    fn encodings_are_named_if_they_show() {
        let of = |encoding: &'static Encoding, text: &str| words(&encoding.encode(text).0).probable_encoding();
        assert_eq!(of(WINDOWS_1251, RUSSIAN), Some("Windows-1251"));
        assert_eq!(of(IBM866, RUSSIAN), Some("CP866"));
        assert_eq!(of(KOI8_R, RUSSIAN), Some("KOI8-R"));
        assert_eq!(of(KOI8_U, "Київ Львів Іванчук Їжак Пономарьов"), Some("KOI8-U"));
        assert_eq!(of(ISO_8859_5, RUSSIAN), Some("ISO-8859-5"));
        assert_eq!(of(GBK, CHINESE), Some("GBK"));
        assert_eq!(of(BIG5, "臺北 高雄 陳慶 劉德華"), Some("Big5"));
        assert_eq!(of(SHIFT_JIS, JAPANESE), Some("Shift_JIS"));
        assert_eq!(of(EUC_JP, "東京 羽生善治 将棋の駒"), Some("EUC-JP"));
        assert_eq!(of(EUC_KR, KOREAN), Some("EUC-KR"));
        let western = "Müller François Fernández Núñez Köln Élie São Ångström Møller Pérez Jörg";
        assert_eq!(of(WINDOWS_1252, western), Some("Windows-1252"));
        assert_eq!(of(MACINTOSH, western), Some("Mac Roman"));
        // Too few words, and a code page that the detector does not know.
        assert_eq!(of(WINDOWS_1252, "Müller Núñez"), None);
        let dos = b"M\x81ller Fran\x87ois Fern\xA0ndez N\xA3\xA4ez K\x94ln J\x94rg P\x82rez Gr\x81n M\x84rz";
        assert_eq!(words(dos).probable_encoding(), None);
        assert!(words(dos).show_dos());
        assert!(!words(&WINDOWS_1252.encode(western).0).show_dos() && !words(&MACINTOSH.encode(western).0).show_dos());
        assert!(!words(&WINDOWS_1252.encode("it’s “so” O’Kelly …and").0).show_dos());
        assert!(!words(&IBM866.encode(RUSSIAN).0).show_dos());
        assert!(!words(b"").show_dos());
        assert_eq!(words("Müller".as_bytes()).probable_encoding(), None);
        assert_eq!(words(b"").probable_encoding(), None);
    }
}
