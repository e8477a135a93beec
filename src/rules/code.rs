//! Codes of rules: a family and a number, `MOV03`.

use std::{
    borrow::Cow,
    fmt::{self, Write},
    str::FromStr,
};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A family of rules, by what they check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Encoding and bytes.
    Enc,
    /// Lexical and game structure.
    Syn,
    /// Tag pairs.
    Tag,
    /// Moves as written.
    Mov,
    /// Move number indications.
    Num,
    /// Results and game termination markers.
    Res,
    /// FEN syntax.
    Fen,
    /// Position legality.
    Pos,
    /// Castling availability.
    Cas,
    /// En passant target square.
    Eps,
    /// Halfmove clock and fullmove number.
    Ctr,
    /// EPD operations.
    Epd,
    /// Duplicates.
    Dup,
    /// Clock and evaluation comments.
    Clk,
    /// NAGs and variations.
    Ann,
    /// Variants and Chess960.
    Var,
    /// What oracles contradict.
    Tru,
    /// What the settings expect.
    Exp,
    /// House rules.
    Hse,
    /// Names of players and events, over all games.
    Nam,
}

impl Family {
    /// All families, in the order of the catalogue.
    pub const ALL: [Family; 20] = [
        Family::Enc,
        Family::Syn,
        Family::Tag,
        Family::Mov,
        Family::Num,
        Family::Res,
        Family::Fen,
        Family::Pos,
        Family::Cas,
        Family::Eps,
        Family::Ctr,
        Family::Epd,
        Family::Dup,
        Family::Clk,
        Family::Ann,
        Family::Var,
        Family::Tru,
        Family::Exp,
        Family::Hse,
        Family::Nam,
    ];

    /// The three letters that begin the codes of this family.
    pub const fn letters(self) -> &'static str {
        match self {
            Family::Enc => "ENC",
            Family::Syn => "SYN",
            Family::Tag => "TAG",
            Family::Mov => "MOV",
            Family::Num => "NUM",
            Family::Res => "RES",
            Family::Fen => "FEN",
            Family::Pos => "POS",
            Family::Cas => "CAS",
            Family::Eps => "EPS",
            Family::Ctr => "CTR",
            Family::Epd => "EPD",
            Family::Dup => "DUP",
            Family::Clk => "CLK",
            Family::Ann => "ANN",
            Family::Var => "VAR",
            Family::Tru => "TRU",
            Family::Exp => "EXP",
            Family::Hse => "HSE",
            Family::Nam => "NAM",
        }
    }

    /// What the family is about, in a few words.
    pub const fn title(self) -> &'static str {
        match self {
            Family::Enc => "encoding and bytes",
            Family::Syn => "syntax and game structure",
            Family::Tag => "tag pairs",
            Family::Mov => "moves",
            Family::Num => "move numbers",
            Family::Res => "results",
            Family::Fen => "FEN syntax",
            Family::Pos => "position legality",
            Family::Cas => "castling availability",
            Family::Eps => "en passant target square",
            Family::Ctr => "halfmove clock and fullmove number",
            Family::Epd => "EPD operations",
            Family::Dup => "duplicates",
            Family::Clk => "clock and evaluation comments",
            Family::Ann => "NAGs and variations",
            Family::Var => "variants and Chess960",
            Family::Tru => "what tablebases and engines contradict",
            Family::Exp => "what the settings expect",
            Family::Hse => "house rules",
            Family::Nam => "players and events over all games",
        }
    }

    fn from_letters(letters: &str) -> Option<Family> {
        Family::ALL.into_iter().find(|family| family.letters().eq_ignore_ascii_case(letters))
    }
}

/// The code of a rule, checked at compile time: `code!("MOV03")`.
macro_rules! code {
    ($code:literal) => {
        const { $crate::rules::Code::from_literal($code) }
    };
}

/// The code of a rule, such as `MOV03`. It never changes and is never reused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code {
    family: Family,
    number: u8,
}

impl Code {
    /// Numbers of a family run from 1 to 31.
    const NUMBERS: usize = 32;

    /// The code of rule `number` of `family`.
    ///
    /// # Panics
    /// If `number` is 0 or above 31. Codes are constants, so this happens at compile time.
    pub const fn new(family: Family, number: u8) -> Code {
        assert!(number > 0 && (number as usize) < Code::NUMBERS);
        Code { family, number }
    }

    /// The code written as `text`; the macro `code!` calls this at compile time.
    ///
    /// # Panics
    /// If `text` is not the three letters of a family and two digits from 01 to 31.
    pub const fn from_literal(text: &str) -> Code {
        let [a, b, c, tens @ b'0'..=b'9', ones @ b'0'..=b'9'] = *text.as_bytes() else {
            panic!("a rule code is three letters and two digits")
        };
        let mut index = 0;
        while index < Family::ALL.len() {
            let letters = Family::ALL[index].letters().as_bytes();
            if letters[0] == a && letters[1] == b && letters[2] == c {
                return Code::new(Family::ALL[index], 10 * (tens - b'0') + ones - b'0');
            }
            index += 1;
        }
        panic!("these three letters are not a family of rules")
    }

    /// The family that the rule belongs to.
    pub const fn family(self) -> Family {
        self.family
    }

    /// Number of bytes of a code as text.
    pub const LENGTH: usize = 5;

    /// The code as ASCII text.
    pub const fn text(self) -> [u8; Code::LENGTH] {
        let letters = self.family.letters().as_bytes();
        [letters[0], letters[1], letters[2], b'0' + self.number / 10, b'0' + self.number % 10]
    }

    pub(super) const fn index(self) -> usize {
        self.family as usize * Code::NUMBERS + self.number as usize
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().into_iter().try_for_each(|byte| f.write_char(char::from(byte)))
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not the three letters of a family and two digits.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a rule code: a code is three letters and two digits, such as MOV03")]
pub struct NotACode(String);

impl FromStr for Code {
    type Err = NotACode;

    fn from_str(text: &str) -> Result<Code, NotACode> {
        let parse = || {
            let (letters, digits) = text.split_at_checked(3)?;
            let family = Family::from_letters(letters)?;
            let number: u8 = (digits.len() == 2).then(|| digits.parse().ok())??;
            (number > 0 && (number as usize) < Code::NUMBERS).then_some(Code { family, number })
        };
        parse().ok_or_else(|| NotACode(text.to_owned()))
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Code, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for Code {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Code".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[A-Z]{3}[0-9]{2}$" })
    }
}

/// A set of rules, by code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodeSet([u64; CodeSet::WORDS]);

impl CodeSet {
    /// The empty set.
    pub const EMPTY: CodeSet = CodeSet([0; CodeSet::WORDS]);

    const WORDS: usize = (Family::ALL.len() * Code::NUMBERS).div_ceil(64);

    /// Puts `code` into the set.
    pub fn insert(&mut self, code: Code) {
        self.0[code.index() / 64] |= 1 << (code.index() % 64);
    }

    /// Takes `code` out of the set.
    pub fn remove(&mut self, code: Code) {
        self.0[code.index() / 64] &= !(1 << (code.index() % 64));
    }

    /// Puts all of `others` into the set.
    pub fn extend(&mut self, others: CodeSet) {
        self.0.iter_mut().zip(others.0).for_each(|(own, other)| *own |= other);
    }

    /// Whether `code` is in the set.
    pub fn contains(&self, code: Code) -> bool {
        self.0[code.index() / 64] & (1 << (code.index() % 64)) != 0
    }
}

impl FromIterator<Code> for CodeSet {
    fn from_iter<I: IntoIterator<Item = Code>>(codes: I) -> CodeSet {
        let mut set = CodeSet::EMPTY;
        for code in codes {
            set.insert(code);
        }
        set
    }
}
