//! Names of players, folded so that the spellings of one name are equal.

use std::{borrow::Cow, cell::RefCell, sync::Arc};

use arrayvec::ArrayVec;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};
use xxhash_rust::xxh3::xxh3_64;

use super::sound::sound_alike;

/// Maximum number of words of a name that are kept.
const MAX_WORDS: usize = 8;

/// Maximum number of bytes of a word, or of a whole name, that are compared.
const MAX_BYTES: usize = 64;

/// Words that introduce a surname and are never one alone. Le, Do and Du are not among them: they
/// are surnames in Asia.
const PARTICLES: [&[u8]; 21] = [
    b"von", b"van", b"de", b"da", b"di", b"al", b"el", b"ter", b"der", b"den", b"del", b"della", b"des", b"dos", b"la", b"ten",
    b"vom", b"vd", b"zu", b"zur", b"y",
];

/// Titles and additions of at least three letters, or that are also written in lowercase.
const TITLES: [&[u8]; 13] =
    [b"wgm", b"wim", b"wfm", b"wcm", b"dr", b"prof", b"sir", b"jr", b"sr", b"ii", b"iii", b"comp", b"computer"];

/// Titles that are words or initials unless they are in capitals.
const SHORT_TITLES: [&[u8]; 5] = [b"gm", b"im", b"fm", b"cm", b"nm"];

/// What is written if a player is not known, without spaces and punctuation.
const UNKNOWN: [&[u8]; 13] = [
    b"",
    b"nn",
    b"nnnn",
    b"n",
    b"unknown",
    b"anonymous",
    b"anon",
    b"amateur",
    b"noname",
    b"white",
    b"black",
    b"player",
    b"opponent",
];

/// Words of names of programs.
const PROGRAM_WORDS: [&[u8]; 4] = [b"comp", b"computer", b"cpu", b"engine"];

/// Words of names of programs that are also surnames.
const BOT_WORDS: [&[u8]; 2] = [b"bot", b"bit"];

/// Names of engines that are also given names.
const SHARED_NAMES: [&[u8]; 4] = [b"fritz", b"leela", b"maia", b"naum"];

/// Other names of engines, without digits at their end.
const ENGINES: [&[u8]; 27] = [
    b"stockfish",
    b"komodo",
    b"houdini",
    b"rybka",
    b"hiarcs",
    b"shredder",
    b"crafty",
    b"lc",
    b"lczero",
    b"berserk",
    b"ethereal",
    b"koivisto",
    b"gnuchess",
    b"sjeng",
    b"zappa",
    b"toga",
    b"stoofvlees",
    b"arasan",
    b"mephisto",
    b"chessmaster",
    b"rofchade",
    b"rubichess",
    b"ivanhoe",
    b"robbolito",
    b"redqueen",
    b"wchess",
    b"mchess",
];

/// Minimum number of letters of a word of which other spellings are known: `Li` and `Ly` are two
/// names.
const MIN_SPELLED: usize = 4;

/// Maximum number of letters that are replaced, added or left out between two spellings of a
/// surname.
const MAX_LETTERS: usize = 2;

/// Minimum number of letters of a given name that is abbreviated by two: `Gy` for `Gyula`. `Jan` is
/// none of `Janos`.
const MIN_ABBREVIATED: usize = 5;

/// Maximum number of bytes of a word that are kept to compare spellings.
const MAX_KEPT: usize = 16;

/// The beginning of a word.
type ShortWord = ArrayVec<u8, MAX_KEPT>;

/// A word of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    /// A key that spellings of one surname share.
    key: u64,
    initial: char,
    /// Whether it may be a surname.
    is_surname: bool,
    /// Whether it may be a given name or an initial of one.
    is_given: bool,
    /// The beginning of the word; empty for an initial.
    text: ShortWord,
}

impl Word {
    fn new(word: &RawWord, is_surname: bool, is_given: bool) -> Word {
        let kept = if word.letters < 2 || word.is_initials() { 0 } else { word.bytes.len().min(MAX_KEPT) };
        let text = word.bytes[..kept].iter().copied().collect();
        Word { key: surname_key(&word.bytes), initial: word.initial(), is_surname, is_given, text }
    }

    /// Whether both can be the same given name, in full or as an initial.
    fn may_be_given(&self, other: &Word) -> bool {
        if self.text.is_empty() || other.text.is_empty() {
            return self.initial == other.initial;
        }
        let (one, other) = (one_spelling(&self.text), one_spelling(&other.text));
        let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
        let is_abbreviation = match short.len() {
            2 => long.len() >= MIN_ABBREVIATED,
            3 => long.len() > MIN_ABBREVIATED,
            _ => true,
        };
        short == long || is_abbreviation && long.starts_with(&short)
    }

    /// Whether both are the same given name in full, in any spelling, or, if that is enough, as an
    /// initial.
    fn is_given_as(&self, other: &Word, initials_count: bool) -> bool {
        match self.text.is_empty() || other.text.is_empty() {
            true => initials_count && self.initial == other.initial,
            false => one_spelling(&self.text) == one_spelling(&other.text),
        }
    }

    /// Whether both are one word in the spellings of two languages.
    fn is_transliteration(&self, other: &Word) -> bool {
        one_spelling(&self.text) == one_spelling(&other.text)
    }

    /// Whether both can be spellings of one surname: they sound alike, and few letters differ. A
    /// surname and that of a woman are two.
    fn may_be_surname(&self, other: &Word) -> bool {
        let [one, two] = [&self.text, &other.text].map(|text| str::from_utf8(text).unwrap_or_default());
        let is_of_woman = |one: &str, other: &str| one.strip_suffix('a') == Some(other);
        let are_two = is_of_woman(one, two) || is_of_woman(two, one);
        let is_near = || strsim::levenshtein(one, two) <= MAX_LETTERS || self.is_transliteration(other);
        !are_two && is_near() && sound_alike(one, two)
    }
}

/// A key that spellings of a surname share: equal but for doubled letters, `ph` and `f`, and, after
/// the first letter, `y`, `j` and `i`, `w` and `v`.
fn surname_key(word: &[u8]) -> u64 {
    if word.len() < MIN_SPELLED {
        return xxh3_64(word);
    }
    let mut bytes: ArrayVec<u8, MAX_BYTES> = ArrayVec::new();
    for (at, byte) in word.iter().enumerate() {
        let is_same = |other: Option<usize>| other.and_then(|other| word.get(other)) == Some(byte);
        let is_second = is_same(at.checked_sub(1)) && !is_same(at.checked_sub(2)) && !is_same(Some(at + 1));
        let byte = match (byte, word.get(at + 1)) {
            _ if is_second && byte.is_ascii() => continue,
            (b'y', _) if at > 0 => b'i',
            (b'j', _) if at > 0 => b'i',
            (b'w', _) if at > 0 => b'v',
            (b'p', Some(b'h')) => b'f',
            (b'h', _) if at > 0 && word[at - 1] == b'p' => continue,
            _ => *byte,
        };
        _ = bytes.try_push(byte);
    }
    xxh3_64(&bytes)
}

/// Letters that languages write for one sound, and what they are compared as. Of several that fit,
/// the first one counts.
const SPELLINGS: [(&[u8], &[u8]); 14] = [
    (b"tsch", b"h"),
    (b"tch", b"h"),
    (b"ch", b"h"),
    (b"kh", b"h"),
    (b"ph", b"f"),
    (b"th", b"t"),
    (b"gh", b"g"),
    (b"ce", b"ce"),
    (b"ci", b"ci"),
    (b"c", b"k"),
    (b"y", b"i"),
    (b"j", b"i"),
    (b"w", b"v"),
    (b"x", b"ks"),
];

/// A word in one spelling of several, as languages write other alphabets: `viktor` for `victor`,
/// `mihail` for `mikhail`, `iusupov` for `jussupow`.
fn one_spelling(word: &[u8]) -> ShortWord {
    let mut spelled = ShortWord::new();
    let mut rest = word;
    while let Some(first) = rest.first() {
        let known = SPELLINGS.iter().find(|(letters, _)| rest.starts_with(letters));
        let (letters, folded) = known.map_or((1, std::slice::from_ref(first)), |(letters, folded)| (letters.len(), *folded));
        for byte in folded {
            if spelled.last() != Some(byte) || !byte.is_ascii() {
                _ = spelled.try_push(*byte);
            }
        }
        rest = &rest[letters..];
    }
    spelled
}

/// Number of names that [`PlayerName::remembered`] keeps for each thread, in at most 640 KiB.
/// Values on cards have up to 255 bytes.
const REMEMBERED: usize = 1 << 10;

/// A text and the name in it.
type KnownName = Option<(Box<str>, Arc<PlayerName>)>;

thread_local! {
    /// The names that this thread read lately, by a hash of their texts. It changes no result.
    static LATELY: RefCell<Vec<KnownName>> = const { RefCell::new(Vec::new()) };
}

/// The name of a player, folded.
///
/// What precedes a comma is the surname; each of its words is one, because double surnames are
/// often written in half. Without a comma, the order is not known: the first and the last word of
/// more than one letter are surnames. A user name, or the name of an engine with its version, is
/// one word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerName {
    words: ArrayVec<Word, MAX_WORDS>,
    /// A sum of the words in any order, as they are separated.
    sum: u64,
    /// A hash of all letters in their order, without what separates them.
    joined: u64,
    letters: u16,
    is_unknown: bool,
    is_engine: bool,
}

impl PlayerName {
    /// The name in the value of a tag White or Black.
    pub fn new(text: &str) -> PlayerName {
        Reader::default().read(text)
    }

    /// As [`PlayerName::new`], for the names of many games: a name that this thread read lately is
    /// not read again.
    pub fn remembered(text: &str) -> Arc<PlayerName> {
        let slot = xxh3_64(text.as_bytes()) as usize % REMEMBERED;
        LATELY.with_borrow_mut(|names| {
            if names.is_empty() {
                names.resize(REMEMBERED, None);
            }
            match &names[slot] {
                Some((known, name)) if **known == *text => Arc::clone(name),
                _ => {
                    let name = Arc::new(PlayerName::new(text));
                    names[slot] = Some((text.into(), Arc::clone(&name)));
                    name
                }
            }
        })
    }

    /// Whether it says that the player is not known.
    pub fn is_unknown(&self) -> bool {
        self.is_unknown
    }

    /// Whether it is the name of an engine or a bot. `kind` is the tag WhiteType or BlackType, and
    /// `title` WhiteTitle or BlackTitle.
    pub fn is_engine(&self, kind: &str, title: &str) -> bool {
        self.is_engine
            || ["program", "computer", "engine"].iter().any(|word| kind.trim().eq_ignore_ascii_case(word))
            || title.trim().eq_ignore_ascii_case("BOT")
    }

    /// Whether a given name is written in full, next to a surname.
    pub fn has_given_name(&self) -> bool {
        let full = || self.words.iter().enumerate().filter(|(_, word)| !word.text.is_empty());
        let mut given = full().filter(|(_, word)| word.is_given);
        given.any(|(at, _)| full().any(|(other, word)| other != at && word.is_surname))
    }

    /// Whether a word of one name begins as a word of the other.
    pub fn has_initial_of(&self, other: &PlayerName) -> bool {
        self.words.iter().any(|word| other.words.iter().any(|other| word.initial == other.initial))
    }

    /// Number of letters without titles, a measure of how complete the name is.
    pub fn letters(&self) -> u16 {
        self.letters
    }

    /// A key that names with the same words share, in any order. It is 0 for an unknown player.
    pub fn group(&self) -> u64 {
        if self.is_unknown { 0 } else { self.sum.max(1) }
    }

    /// The words of the name in the value of a tag, folded, without titles.
    pub fn folded(text: &str) -> String {
        let mut reader = Reader::default();
        let text = text.trim();
        reader.has_comma = has_outer_comma(text);
        reader.scan(text);
        reader.drop_titles();
        let words = reader.words.iter().map(|word| String::from_utf8_lossy(&word.bytes));
        words.collect::<Vec<_>>().join(" ")
    }

    /// Whether both names have the same words, in any order.
    pub fn has_same_words(&self, other: &PlayerName) -> bool {
        // `O Kelly` is `O'Kelly`.
        let joined = |name: &PlayerName| name.words.iter().fold(0, |sum: u64, word| sum.wrapping_add(word.key));
        !self.is_unknown
            && (self.sum == other.sum
                || self.joined == other.joined
                || self.words.len() == other.words.len() && joined(self) == joined(other))
    }

    /// A key that names with the same words share.
    pub fn words_key(&self) -> u64 {
        self.sum
    }

    /// Whether both can be one player, or have the same words.
    pub fn may_be(&self, other: &PlayerName) -> bool {
        self.is_compatible(other) || self.has_same_words(other)
    }

    /// Whether both can be one player: they have a surname in common, and an initial too unless one
    /// of them has no first name. An unknown player is compatible with nobody.
    pub fn is_compatible(&self, other: &PlayerName) -> bool {
        if self.is_unknown || other.is_unknown {
            return false;
        }
        self.shares_surname(other, |word, other| word.initial == other.initial)
    }

    /// Whether the names are those of two players, although they are compatible: under every
    /// reading of their order, a surname or a given name differs that is written in full.
    pub fn differs(&self, other: &PlayerName) -> bool {
        !self.is_unknown && !other.is_unknown && !self.has_same_words(other) && !self.shares_full_name(other)
    }

    /// Whether it can be another spelling of the name of one player, if their games say so: the
    /// surnames are equal or sound alike, and both have a given name in common.
    pub fn may_be_spelling_of(&self, other: &PlayerName) -> bool {
        if self.group() == other.group() || self.is_unknown || other.is_unknown {
            return false;
        }
        let fits = |(at, word): (usize, &Word), (other_at, other_word): (usize, &Word)| {
            let mut pairs =
                self.given_without(at).flat_map(|given| other.given_without(other_at).map(move |other| (given, other)));
            if word.key == other_word.key {
                return pairs.any(|(given, other)| given.may_be_given(other));
            }
            // An initial says enough only if the surname is the same in another language.
            let is_same = word.is_transliteration(other_word);
            pairs.any(|(given, other)| given.is_given_as(other, is_same)) && word.may_be_surname(other_word)
        };
        let are_two = self.is_compatible(other) && self.differs(other);
        !are_two && self.surnames().any(|word| other.surnames().any(|other| fits(word, other)))
    }

    /// Words that may be surnames, with their places.
    fn surnames(&self) -> impl Iterator<Item = (usize, &Word)> {
        self.words.iter().enumerate().filter(|(_, word)| word.is_surname)
    }

    /// The given names if the word at this place is the surname.
    fn given_without(&self, surname: usize) -> impl Iterator<Item = &Word> {
        self.words.iter().enumerate().filter(move |(at, word)| word.is_given && *at != surname).map(|(_, word)| word)
    }

    /// Whether both have a surname in common, and the given names beside it fit: one of each, or,
    /// if there are as many, all.
    fn shares_full_name(&self, other: &PlayerName) -> bool {
        let are_aligned = |surname: &Word| {
            let [number, other_number] = [self, other].map(|name| name.given_beside(surname.key).count());
            let mut pairs = self.given_beside(surname.key).zip(other.given_beside(surname.key));
            number != other_number || number < 2 || pairs.all(|(one, other)| one.may_be_given(other))
        };
        self.shares_surname(other, Word::may_be_given)
            && self
                .surnames()
                .filter(|(_, word)| other.surname_keys().any(|key| key == word.key))
                .any(|(_, surname)| are_aligned(surname))
    }

    /// Whether both have a surname in common, beside which a given name of each fits, if both have
    /// one.
    fn shares_surname(&self, other: &PlayerName, fits: impl Fn(&Word, &Word) -> bool) -> bool {
        let surnames = self.words.iter().filter(|word| word.is_surname);
        surnames.filter(|word| other.surname_keys().any(|key| key == word.key)).any(|surname| {
            let (mut one, mut two) = (self.given_beside(surname.key).peekable(), other.given_beside(surname.key).peekable());
            one.peek().is_none()
                || two.peek().is_none()
                || one.any(|word| other.given_beside(surname.key).any(|other| fits(word, other)))
        })
    }

    /// The given names if `surname` is the surname.
    fn given_beside(&self, surname: u64) -> impl Iterator<Item = &Word> {
        self.words.iter().filter(move |word| word.is_given && word.key != surname)
    }

    /// A key for each surname, without repetitions. Compatible players have one in common.
    pub fn surname_keys(&self) -> impl Iterator<Item = u64> {
        self.surnames()
            .filter(|(index, word)| !self.words[..*index].iter().any(|other| other.is_surname && other.key == word.key))
            .map(|(_, word)| word.key)
    }
}

/// A key for each pair of surnames of two players. Two games between compatible players have one in
/// common.
pub fn pairing_keys(white: &PlayerName, black: &PlayerName) -> impl Iterator<Item = u64> {
    white.surname_keys().flat_map(|white| black.surname_keys().map(move |black| pairing_key(white, black)))
}

/// The key of the surnames of White and of Black.
pub fn pairing_key(white: u64, black: u64) -> u64 {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&white.to_le_bytes());
    bytes[8..].copy_from_slice(&black.to_le_bytes());
    xxh3_64(&bytes)
}

/// A word while a name is read.
#[derive(Clone, Debug, Default)]
struct RawWord {
    bytes: ArrayVec<u8, MAX_BYTES>,
    letters: u16,
    is_upper: bool,
    before_comma: bool,
}

impl RawWord {
    fn initial(&self) -> char {
        str::from_utf8(&self.bytes).ok().and_then(|word| word.chars().next()).unwrap_or_default()
    }

    /// Two words written as one.
    fn joined(first: &RawWord, second: &RawWord) -> RawWord {
        let mut word = RawWord { letters: first.letters + second.letters, ..first.clone() };
        let room = word.bytes.remaining_capacity().min(second.bytes.len());
        _ = word.bytes.try_extend_from_slice(&second.bytes[..room]);
        word
    }

    /// Whether these are two initials, as in `Ivanov IV`. Names such as `XU` end with a vowel.
    fn is_initials(&self) -> bool {
        self.is_upper
            && matches!(self.bytes.as_slice(), [_, second] if second.is_ascii_lowercase() && !b"aeiouy".contains(second))
    }

    /// Whether it is the first part of a surname, as in `Mc Connell`.
    fn is_mac(&self) -> bool {
        self.bytes.as_slice() == b"mc"
    }

    fn is_title(&self) -> bool {
        let word = self.bytes.as_slice();
        TITLES.contains(&word) || self.is_upper && SHORT_TITLES.contains(&word)
    }

    /// Whether it introduces a surname. Then it is neither a surname nor a given name.
    fn is_particle(&self) -> bool {
        let word = self.bytes.as_slice();
        // `v d Berg`.
        PARTICLES.contains(&word) || !self.is_upper && matches!(word, b"v" | b"d")
    }

    /// The word without the version of an engine at its end.
    fn stem(&self) -> &[u8] {
        let end = self.bytes.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |last| last + 1);
        &self.bytes[..end]
    }
}

/// Whether there is a comma after the start that is not in brackets.
fn has_outer_comma(text: &str) -> bool {
    let mut depth = 0_u32;
    text.char_indices().any(|(at, character)| {
        match character {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0 && at > 0
    })
}

/// Reads a name.
#[derive(Default)]
struct Reader {
    words: ArrayVec<RawWord, MAX_WORDS>,
    /// The word that is being read.
    word: RawWord,
    /// All words without what separates them.
    joined: ArrayVec<u8, MAX_BYTES>,
    has_comma: bool,
    has_digit: bool,
    has_space: bool,
    has_underscore: bool,
}

impl Reader {
    fn read(mut self, text: &str) -> PlayerName {
        let spaced = if is_underscored(text) { Cow::Owned(text.replace('_', " ")) } else { Cow::Borrowed(text) };
        let text = spaced.trim();
        self.has_comma = has_outer_comma(text);
        self.scan(text);
        self.has_comma &= self.words.first().is_some_and(|word| word.before_comma);
        let is_unknown = UNKNOWN.contains(&self.joined.as_slice());
        let is_engine = self.is_engine();
        let is_one_token = !self.has_space && !text.contains('.');
        let starts_lowercase = text.chars().next().is_some_and(char::is_lowercase);
        let is_handle = !self.has_comma && (self.has_digit || self.has_underscore || starts_lowercase && is_one_token);
        let mut name = PlayerName { is_unknown, is_engine, joined: xxh3_64(&self.joined), ..PlayerName::default() };
        if is_handle {
            let initial = str::from_utf8(&self.joined).ok().and_then(|name| name.chars().next()).unwrap_or_default();
            name.sum = name.joined;
            name.words.push(Word { key: name.sum, initial, is_surname: true, is_given: false, text: ShortWord::new() });
        } else {
            self.drop_titles();
            name.sum = self.words.iter().fold(0, |sum: u64, word| sum.wrapping_add(xxh3_64(&word.bytes)));
            if self.has_comma { self.with_comma(&mut name.words) } else { self.without_comma(&mut name.words) }
        }
        name.letters = self.words.iter().map(|word| word.letters).sum();
        name
    }

    /// Titles are no words of a name, unless there is nothing else.
    fn drop_titles(&mut self) {
        if !self.words.iter().all(RawWord::is_title) {
            self.words.retain(|word| !word.is_title());
        }
    }

    /// Splits `text` into words.
    fn scan(&mut self, text: &str) {
        let (mut depth, mut before_comma) = (0_u32, self.has_comma);
        let has_words_outside = text.chars().next().is_some_and(|first| !matches!(first, '(' | '[' | '{' | '<'));
        self.word.is_upper = true;
        for character in text.chars() {
            match character {
                '(' | '[' | '{' | '<' if has_words_outside => depth += 1,
                ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
                _ if depth > 0 => continue,
                // `O'Kelly` is one word. So is `Il'in`, where the apostrophe is a soft sign.
                '\'' | '\u{2019}' | '\u{2018}' | '`' | '\u{B4}' | '\u{2BC}' | '\u{2B9}' => continue,
                '_' => {
                    self.has_underscore = true;
                    continue;
                }
                letter if letter.is_ascii_alphabetic() => {
                    self.word.is_upper &= letter.is_ascii_uppercase();
                    self.push(letter.to_ascii_lowercase());
                    continue;
                }
                digit if digit.is_ascii_digit() => {
                    self.has_digit = true;
                    if !self.has_comma {
                        self.push(digit);
                    }
                    continue;
                }
                other if other.is_alphanumeric() || is_combining_mark(other) => {
                    self.word.is_upper = false;
                    self.push_folded(other);
                    continue;
                }
                _ => {}
            }
            self.end_word(before_comma);
            before_comma &= character != ',';
            self.has_space |= character.is_whitespace();
        }
        self.end_word(before_comma);
    }

    /// Adds a letter that is not ASCII.
    fn push_folded(&mut self, letter: char) {
        match letter {
            'ß' | 'ẞ' => {
                self.push('s');
                self.push('s');
            }
            'ø' | 'Ø' | 'œ' | 'Œ' => self.push('o'),
            'æ' | 'Æ' => self.push('a'),
            'ł' | 'Ł' => self.push('l'),
            'đ' | 'Đ' | 'ð' | 'Ð' => self.push('d'),
            'þ' | 'Þ' => {
                self.push('t');
                self.push('h');
            }
            'ı' => self.push('i'),
            _ => {
                for part in letter.nfkd().filter(|part| !is_combining_mark(*part)) {
                    part.to_lowercase().for_each(|part| self.push(part));
                }
            }
        }
    }

    /// Adds a folded letter. An `e` after `a`, `o` or `u` may be the second half of an umlaut, so
    /// it is left out: `Müller`, `Mueller` and `Muller` are equal. So are `Bauer` and `Baur`.
    fn push(&mut self, letter: char) {
        let word = &mut self.word;
        word.letters += 1;
        if letter == 'e' && matches!(word.bytes.last(), Some(b'a' | b'o' | b'u')) {
            return;
        }
        let mut bytes = [0; 4];
        // A word that is longer than that is compared by its beginning.
        _ = word.bytes.try_extend_from_slice(letter.encode_utf8(&mut bytes).as_bytes());
    }

    fn end_word(&mut self, before_comma: bool) {
        if self.word.letters == 0 {
            return;
        }
        let word = std::mem::take(&mut self.word);
        self.word.is_upper = true;
        let room = self.joined.remaining_capacity().min(word.bytes.len());
        _ = self.joined.try_extend_from_slice(&word.bytes[..room]);
        _ = self.words.try_push(RawWord { before_comma, ..word });
    }

    /// Whether the words are those of an engine or a bot. Names with a comma are those of people.
    fn is_engine(&self) -> bool {
        let has_word = |words: &[&[u8]]| self.words.iter().any(|word| words.contains(&word.bytes.as_slice()));
        if self.has_comma {
            return has_word(&PROGRAM_WORDS);
        }
        let is_deep = self.words.len() > 1 && self.words.first().is_some_and(|word| word.bytes.as_slice() == b"deep");
        // User names contain no spaces.
        let has_version = self.has_space && self.has_digit;
        let is_named = match self.words.as_slice() {
            [only] if SHARED_NAMES.contains(&only.stem()) => true,
            words => words.iter().any(|word| ENGINES.contains(&word.stem())),
        };
        is_deep || has_version || is_named || has_word(&PROGRAM_WORDS) || has_word(&BOT_WORDS)
    }

    /// The surname is before the comma.
    fn with_comma(&self, words: &mut ArrayVec<Word, MAX_WORDS>) {
        let surnames = || self.words.iter().filter(|word| word.before_comma);
        let has_name = surnames().any(|word| word.letters > 1 && !word.is_particle());
        let mut prefix: Option<&RawWord> = None;
        for word in surnames() {
            // `O Kelly` is `O'Kelly`.
            if (word.is_upper && matches!(word.bytes.as_slice(), b"o" | b"d") || word.is_mac()) && has_name {
                prefix = Some(word);
                continue;
            }
            let joined = prefix.take().map(|prefix| RawWord::joined(prefix, word));
            let is_surname = !has_name || word.letters > 1 && !word.is_particle();
            words.push(Word::new(joined.as_ref().unwrap_or(word), is_surname, false));
        }
        for word in self.words.iter().filter(|word| !word.before_comma) {
            words.push(Word::new(word, false, !word.is_particle()));
        }
    }

    /// The surname is the first or the last word of more than one letter.
    fn without_comma(&self, words: &mut ArrayVec<Word, MAX_WORDS>) {
        let mut is_name: fn(&RawWord) -> bool = |word| word.letters > 1 && !word.is_particle();
        if !self.words.iter().any(is_name) {
            is_name = |word| word.letters > 1;
        }
        if !self.words.iter().any(is_name) {
            is_name = |_| true;
        }
        let ends = [self.words.iter().position(is_name), self.words.iter().rposition(is_name)];
        for (index, word) in self.words.iter().enumerate() {
            let is_given = !word.is_particle();
            words.push(Word::new(word, ends.contains(&Some(index)), is_given));
        }
        // `O Kelly A` is `O'Kelly, A`, but `O Bernstein` is `Bernstein, O`.
        if let [first, second, ..] = self.words.as_slice()
            && (first.bytes.as_slice() == b"o" || first.is_mac())
            && is_name(second)
        {
            words[0] = Word::new(&RawWord::joined(first, second), true, true);
            words[1].is_given = false;
        }
    }
}

/// Whether underscores are in the place of spaces: between words of a name.
fn is_underscored(text: &str) -> bool {
    let is_part = |part: &str| {
        let first = part.chars().next();
        first.is_some_and(char::is_uppercase) || PARTICLES.contains(&part.as_bytes())
    };
    text.contains('_')
        && !text.bytes().any(|byte| byte.is_ascii_digit())
        && text.split(['_', ' ', ',']).filter(|part| !part.is_empty()).all(is_part)
}

/// Whether there is more in a name than names, such as a title, a country or a rating, or no space
/// after the comma.
pub(in crate::identity) fn has_addition(name: &str) -> bool {
    let words = name.split([' ', ',']).filter(|word| !word.is_empty());
    let has_title = words.clone().any(|word| matches!(word, "GM" | "IM" | "FM" | "CM" | "NM" | "WGM" | "WIM" | "WFM" | "WCM"));
    let is_upper = |word: &str| word.len() == 3 && word.bytes().all(|byte| byte.is_ascii_uppercase());
    let has_lower = name.bytes().any(|byte| byte.is_ascii_lowercase());
    let has_country = has_lower && words.clone().any(is_upper);
    let is_tight = name.split_once(',').is_some_and(|(_, rest)| !rest.is_empty() && !rest.starts_with(' '));
    has_title || has_country || is_tight || name.contains(['(', '[', '{', '<'])
}

/// Minimum similarity (Jaro-Winkler) of two words that may be one.
const MIN_SIMILARITY: f64 = 0.8;

/// Whether a word of one name is, sounds or looks like one of the other, or is its initial.
pub(in crate::identity) fn names_are_alike(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(PlayerName::folded);
    let is_initial = |one: &str, other: &str| one.chars().count() == 1 && other.starts_with(one);
    let is_word = |one: &str, other: &str| {
        one == other
            || is_initial(one, other)
            || is_initial(other, one)
            || sound_alike(one, other)
            || strsim::jaro_winkler(one, other) >= MIN_SIMILARITY
    };
    one.split(' ').any(|one| other.split(' ').any(|other| is_word(one, other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> PlayerName {
        PlayerName::new(text)
    }

    /// Whether two names are compatible, in both orders, and share a key if they are.
    fn are_compatible(one: &str, other: &str) -> bool {
        let (first, second) = (name(one), name(other));
        let is_compatible = first.is_compatible(&second);
        assert_eq!(second.is_compatible(&first), is_compatible, "{one} / {other}");
        if is_compatible {
            assert!(first.surname_keys().any(|key| second.surname_keys().any(|other| other == key)), "{one} / {other}");
            let rival = name("Wely, Loek van");
            let mut keys = pairing_keys(&first, &rival);
            assert!(keys.any(|key| pairing_keys(&second, &rival).any(|other| other == key)), "{one} / {other}");
        }
        is_compatible
    }

    #[test]
    fn spellings_of_one_name_are_compatible() {
        for spellings in [
            &[
                "Kasparov, G",
                "Garry Kasparov",
                "Kasparov G.",
                "Kasparov,G (wh)",
                "KASPAROV, GARRY",
                "GM Kasparov, Garry",
                "Kasparov",
            ][..],
            &["Kasparov, Garry GM", "Kasparov Garry (RUS)", "kasparov, g.k.", "Kasparov, Garry (GM, RUS)", "(GM) Kasparov, G"],
            &["van Wely, Loek", "Wely, Loek van", "Van Wely Loek (NED)", "Loek van Wely", "van Wely, L."],
            &["De la Paz, Frank", "de la Paz, F", "Paz, Frank de la", "De la Paz Frank"],
            &["Van den Berg, C", "v d Berg", "Berg, C vd", "v.d. Berg, Carel", "v.d.Berg"],
            &["Ding Liren", "Ding, Liren", "Liren Ding"],
            &["Ding Liren", "Liren, Ding"],
            &["Nguyen, Anh Dung", "Nguyen Anh Dung", "Anh Dung Nguyen", "Nguyen, A"],
            &["Le, Quang Liem", "Le Quang Liem", "Le, Q"],
            &["Müller, Karsten", "Mueller, K", "Muller, Karsten", "MÜLLER, KARSTEN", "Mu\u{308}ller, K"],
            &["Sørensen, Bent", "Sorensen, B", "Soerensen, B"],
            &["Weiß, Michael", "Weiss, M"],
            &["Łukasz Cyborowski", "Cyborowski, Lukasz"],
            &["Æbeltoft, Þor", "Aebeltoft, Thor", "Abeltoft, T"],
            &["Århus, Åge", "Arhus, Aage"],
            &["O'Kelly de Galway, Alberic", "O Kelly, A", "O’Kelly", "O'Kelly Alberic (BEL)", "O Kelly A", "O Kelly"],
            &["Bernstein, Ossip", "O Bernstein", "Bernstein O"],
            &["Galliamova-Ivanchuk, Alisa", "Galliamova, A", "Galliamova-Ivanchuk Alisa (IM) (UKR)"],
            &["Donner, Jan-Hein", "Donner, J H", "Donner Jan Hein"],
            &["Torre Repetto Carlos (MEX)", "Torre, C", "Torre Repetto, Carlos", "Carlos Torre"],
            &["Byrne, Robert Jr", "Byrne, R"],
            &["Tarrasch, Dr. Siegbert", "Dr. Tarrasch", "Prof. Dr. Tarrasch, S"],
            &["Карпов, Анатолий", "КАРПОВ, А."],
            &["Koch,Ala2", "Koch, A"],
            &["Short, N", "Short, Nigel D", "Nigel Short", "Short Nigel D (ENG)"],
            &["COMP Deep Thought", "Deep Thought"],
            &["Fritz 3", "Fritz3", "fritz 3"],
            &["DrDrunkenstein", "drdrunkenstein"],
            &["Im, Sang", "Im, S"],
            &["丁立人", "丁立人"],
            &["Van_der_Wiel", "Van der Wiel, John", "Van_der_Wiel,J"],
            &["McConnell, James", "Mc Connell, J", "Mc Connell James", "McConnell"],
            &["Philipp, Anna", "Filip, A"],
            &["Steffen, Yuri", "Stefen, Y"],
            &["Tajmanov, Mark", "Taimanov, M"],
            &["Bogoljubow, Efim", "Bogolyubov, E"],
        ] {
            for one in spellings {
                for other in spellings {
                    assert!(are_compatible(one, other), "{one} / {other}");
                }
            }
        }
    }

    #[test]
    fn other_players_are_not_compatible() {
        for (one, other) in [
            ("Polgar, J", "Polgar, Su"),
            ("Byrne, Robert", "Byrne, Donald"),
            ("Ding, Liren", "Liren, Ding"),
            ("Karpov, A", "Kasparov, A"),
            ("Jussupow, A", "Yusupov, A"),
            ("Карпов, А", "Karpov, A"),
            ("van Wely, Loek", "van der Wiel, John"),
            ("van Wely, Loek", "Van, Loek"),
            ("De la Paz, F", "De la Cruz, F"),
            ("Stockfish 15 64-bit", "Stockfish 16"),
            ("Stockfish 15 64-bit", "Stockfish 16 64-bit"),
            ("Deep Blue", "Deep Fritz"),
            ("lichess AI level 3", "lichess AI level 4"),
            ("the_king", "the_knight"),
            ("chess-network", "chess-fan"),
            ("NN", "NN"),
            ("?", "?"),
            ("", ""),
            ("Bernstein, Ossip", "Bernstein, J"),
            ("J Smith", "D Smith"),
            ("Li, Y", "Ly, Y"),
        ] {
            assert!(!are_compatible(one, other), "{one} / {other}");
        }
    }

    #[test]
    fn compatible_names_may_be_those_of_two_players() {
        for (one, other) in [
            ("Muzychuk, Anna", "Muzychuk, Arthur"),
            ("Xie Jun", "Xu Jun"),
            ("Lin Jun", "Luo Jun"),
            ("Polgar, Zsuzsa", "Zsofia Polgar"),
            ("Flear, Glenn", "Flear, Gwen"),
            ("Wang, Yue", "Wang, Yang"),
            ("XU Jun", "XIE Jun"),
            ("Timman, Jan", "Timman, Janos"),
            ("Petrosian, Tigran V", "Petrosian, Tigran L"),
        ] {
            assert!(name(one).differs(&name(other)) && name(other).differs(&name(one)), "{one} / {other}");
        }
        for (one, other) in [
            ("Lin Jun", "L. Jun"),
            ("Lin Jun", "Jun Lin"),
            ("Polgar, Zsuzsa", "Polgar, Z"),
            ("Karpov Anatoli", "Karpov, Anatoly"),
            ("Korchnoi, Viktor", "Korchnoi Victor"),
            ("Tal, Mikhail", "Tal, Mihail"),
            ("Smith, Alex", "Smith, Alexander J"),
            ("Karpov An", "Karpov, Anatoly"),
            ("Sax, Gy", "Sax, Gyula"),
            ("Ivanov IV", "Ivanov Igor V (USA)"),
            ("Petersen, Josef", "Petersen, Joseph"),
            ("Capablanca, Jose Raul", "Capablanca, Raul"),
            ("Ding, Liren", "Liren, Ding"),
            ("Kasparov", "Kasparov, Garry"),
        ] {
            assert!(!name(one).differs(&name(other)) && !name(other).differs(&name(one)), "{one} / {other}");
        }
    }

    #[test]
    fn spellings_sound_alike_and_begin_alike() {
        for (one, other) in [
            ("Kortchnoi Victor", "Korchnoi, Viktor"),
            ("Karpov Anatoli", "Karpov, Anatoly"),
            ("Jussupow, Artur", "Yusupov, Arthur"),
            ("Kasparov, G", "Kasparov, Garry"),
            ("Chigorin, Mikhail", "Tschigorin, Michail"),
            ("Tal, Mihail", "Tal Mikhail"),
        ] {
            assert!(name(one).may_be_spelling_of(&name(other)) && name(other).may_be_spelling_of(&name(one)), "{one} / {other}");
        }
        for (one, other) in [
            ("O'Reilly, Edward", "Pachman, Ludek"),
            ("Leko, Peter", "Adams, Michael"),
            ("Marco, Georg", "Maroczy, Geza"),
            ("Xie Jun", "Xu Jun"),
            ("Xie, Jun", "Xu, Jun"),
            ("Li, Chao", "Lu, Chun"),
            ("Kortchnoi", "Korchnoi, Viktor"),
            ("Kortchnoi, Boris", "Korchnoi, Viktor"),
            ("Huzman, Alexander", "Kuzmin, Alexey"),
            ("Huzman, A", "Kuzmin, A"),
            ("Nikolic, Predrag", "Nikolac, Pavle"),
            ("Popov, Valery", "Popova, Valeria"),
            ("Ivanov, Sergey", "Ivanova, Sergey"),
            ("Hansen, Curt", "Hansson, Carl"),
            ("Meier, Georg", "Mayer, Gerhard"),
            ("Horvath, Csaba", "Horvat, Csilla"),
            ("Olsen, Karl", "Olson, Karla"),
            ("Petrosian, Tigran V", "Petrosian, Tigran L"),
            ("Korchnoi, Viktor", "Viktor Korchnoi"),
            ("Polgar, Zsuzsa", "Polgar, Zsofia"),
            ("DrDrunkenstein", "drdrunkenstein"),
        ] {
            assert!(!name(one).may_be_spelling_of(&name(other)), "{one} / {other}");
        }
    }

    #[test]
    fn swapped_names_have_the_same_words() {
        let swapped = [["Ding, Liren", "Liren, Ding"], ["Panno, O", "O Panno"], ["O Kelly, A", "A O Kelly"]];
        for [one, other] in swapped.into_iter().chain([["O Kelly, A", "A O'Kelly"]]) {
            assert!(name(one).has_same_words(&name(other)), "{one}");
        }
        assert!(!name("Ding, Liren").has_same_words(&name("Ding, L")));
        assert!(!name("NN").has_same_words(&name("NN")));
    }

    #[test]
    fn names_with_the_same_words_are_in_one_group() {
        let groups = ["Kasparov, Garry", "GM KASPAROV Garry (RUS)", "Garry Kasparov"].map(|text| name(text).group());
        assert!(groups.iter().all(|group| *group == groups[0]) && groups[0] != 0);
        assert_ne!(name("Kasparov, G").group(), groups[0]);
        assert_eq!(name("NN").group(), 0);
        assert_eq!(PlayerName::folded("GM Müller, Karsten (GER)"), "muller karsten");
        assert_eq!(PlayerName::folded("GM"), "gm");
    }

    #[test]
    fn keys_are_few() {
        let count = |text: &str| name(text).surname_keys().count();
        for (text, keys) in [("Tal, Mikhail", 1), ("Tal M", 1), ("Spassky B V", 1), ("Tal Mikhail", 2), ("Ivan Ivan", 1), ("", 0)]
        {
            assert_eq!(count(text), keys, "{text}");
        }
        assert_eq!(count("De la Paz, Frank"), 1);
        assert_eq!(count("Stockfish 15 64-bit"), 1);
        assert_eq!(pairing_keys(&name("Tal, M"), &name("Tal Mikhail")).count(), 2);
    }

    #[test]
    fn unknown_players_are_recognised() {
        for text in ["", "?", "??", "-", "NN", "N.N.", "N, N", "n n", "Unknown", "'Unknown'", "Anonymous", "Amateur", "White"] {
            assert!(name(text).is_unknown(), "{text}");
        }
        for text in ["Nn, Joe", "Black, Joe", "Computer", "Tal"] {
            assert!(!name(text).is_unknown(), "{text}");
        }
    }

    #[test]
    fn engines_are_recognised() {
        for text in [
            "Computer",
            "COMP Deep Thought",
            "Deep Blue",
            "Stockfish",
            "Stockfish 16",
            "Fritz2",
            "Simplex 0.9.7",
            "lichess AI level 3",
            "Rybka (32-bit) x",
            "my-bot",
        ] {
            assert!(name(text).is_engine("", ""), "{text}");
        }
        for text in ["Fritz, Jan", "Bot, Robin", "DrDrunkenstein", "penguingim1", "Saemisch Fritz", "Koch,Ala2"] {
            assert!(!name(text).is_engine("human", "GM"), "{text}");
        }
        assert!(name("Tal, M").is_engine("program", ""));
        assert!(name("maia1x").is_engine("", "BOT"));
    }

    #[test]
    fn given_names_are_written_in_full_or_not() {
        for full in ["Kasparov, Garry", "Kasparov Garry", "Van der Wiel, John H (NED)"] {
            assert!(name(full).has_given_name(), "{full}");
        }
        for short in ["Kasparov, G", "Kasparov G", "Kasparov", "Van der Wiel, J", "Van der Wiel J", "?"] {
            assert!(!name(short).has_given_name(), "{short}");
        }
        assert!(name("Murrey Jacob").has_initial_of(&name("Murey, Yacov")));
        assert!(!name("Pachman, Ludek").has_initial_of(&name("O'Reilly Edward")));
    }

    #[test]
    fn complete_names_have_more_letters() {
        assert!(name("Kasparov, G").letters() < name("Kasparov, Garry").letters());
        assert_eq!(name("Kasparov, Garry").letters(), name("GM Kasparov, Garry (RUS)").letters());
        assert_eq!(name("Muller").letters() + 1, name("Mueller").letters());
    }

    #[test]
    fn names_with_a_similar_part_are_alike() {
        for (one, other) in [
            ("Kortchnoi, Viktor", "Korchnoi, Victor"),
            ("Polgar, Zsuzsa", "Polgar, Susan"),
            ("Kosteniuk, Alexandra", "Grischuk, Alexandra"),
            ("Ding Liren", "Liren, Ding"),
            ("Hou, Y", "Yifan, Hu"),
        ] {
            assert!(names_are_alike(one, other) && names_are_alike(other, one), "{one} / {other}");
        }
        for (one, other) in [("Tal, Mihail", "Keres, Paul"), ("Adams, Michael", "Short, Peter")] {
            assert!(!names_are_alike(one, other) && !names_are_alike(other, one), "{one} / {other}");
        }
    }
}
