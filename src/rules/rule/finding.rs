//! Findings: one rule broken at one place.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use shakmaty::Bitboard;

use super::Rule;
use crate::rules::{Code, Severity, rule};
use crate::{chess::Arrow, epd::Form, text::Span};

/// How sure a suggested repair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Repair {
    /// Proven: nothing else makes the rest of the record good.
    Certain,
    /// Probable.
    Likely,
}

impl Repair {
    /// The word in the report.
    pub const fn word(self) -> &'static str {
        match self {
            Repair::Certain => "certain",
            Repair::Likely => "likely",
        }
    }
}

/// Bytes to be put in place of others, so that what a finding is about is mended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patch {
    /// The bytes to be replaced: offsets as those of [`Finding::place`].
    pub place: Span,
    /// What stands there.
    pub old: Vec<u8>,
    /// What is to stand there.
    pub new: Vec<u8>,
}

/// How often a finding is written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scope {
    /// At each place.
    #[default]
    Place,
    /// Once per input and value, at the first place, with a count: for what a healthy corpus does throughout.
    Input {
        /// Tells apart findings of one rule that are counted apart; usually empty.
        value: String,
    },
}

/// Something that must be true of the whole input for a finding to stand. It is known only when the input has been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Condition {
    /// Nothing: the finding stands by itself.
    #[default]
    None,
    /// No record of the input is Chess960 or double Chess960, and nobody has said so.
    StandardChess,
    /// No record of the input is Chess960, and some record shows the standard array.
    StandardShown,
    /// No record of the input is Chess960, but none shows the standard array either: men may have been shuffled.
    StandardNotShown,
    /// Neither the halfmove clocks nor the fullmove numbers of the input's positions are fillers.
    CountersReal,
    /// The halfmove clocks of the input's positions are no fillers.
    HalfmoveClockReal,
    /// The fullmove numbers of the input's positions are no fillers.
    FullmoveNumberReal,
    /// The fullmove numbers of the input's positions are fillers.
    FullmovePlaceholder,
    /// Of the Chess960 games whose castling rights tell, no more have two arrays than have one.
    SharedStartUsual,
    /// The input gives some en passant squares that no pawn attacks, and leaves others out.
    EnPassantMixed,
    /// It does not do both.
    EnPassantConsistent,
    /// No other record of the input lacks its termination marker.
    OtherMarkersPresent,
    /// Some other record of the input lacks its termination marker too.
    OtherMarkersMissing,
    /// The input holds both valid and invalid UTF-8 beyond ASCII.
    EncodingMixed,
    /// The input holds bytes beyond ASCII that are not UTF-8, and none that are.
    EncodingLatin,
    /// Of the lines of games in the input, fewer end with LF than with CR LF.
    FewLf,
    /// Some lines of games in the input end with CR LF, and as many or more with LF.
    FewCrLf,
    /// All lines of the input that have operations have them behind bare counters.
    CountersAlwaysBare,
    /// Some lines of the input have operations behind bare counters, others behind four fields.
    CountersSometimesBare,
    /// Where moves of the input can be spelt so, most are not.
    Slip(Form),
    /// Where moves of the input can be spelt so, most are.
    Habit(Form),
}

/// The conditions of a finding, all of which must hold for the whole input: a few at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Conditions([Condition; Conditions::MAX]);

impl Conditions {
    /// None: the finding stands by itself.
    pub const NONE: Conditions = Conditions([Condition::None; Conditions::MAX]);
    /// No finding has more.
    const MAX: usize = 3;

    /// Adds a condition; one that is there already changes nothing.
    ///
    /// # Panics
    /// With debug assertions, where there are three already; without them the new one is left out.
    pub fn add(&mut self, condition: Condition) {
        if condition == Condition::None || self.0.contains(&condition) {
            return;
        }
        match self.0.iter_mut().find(|free| **free == Condition::None) {
            Some(free) => *free = condition,
            None => debug_assert!(false, "a finding has three conditions at most"),
        }
    }

    /// Takes out the conditions that `keep` does not keep.
    pub fn retain(&mut self, keep: impl Fn(Condition) -> bool) {
        let old = std::mem::replace(self, Conditions::NONE);
        old.iter().filter(|condition| keep(*condition)).for_each(|condition| self.add(condition));
    }

    /// The conditions, in the order in which they were added.
    pub fn iter(self) -> impl Iterator<Item = Condition> {
        self.0.into_iter().filter(|condition| *condition != Condition::None)
    }

    /// Whether the finding stands by itself.
    pub fn is_empty(self) -> bool {
        self == Conditions::NONE
    }
}

impl From<Condition> for Conditions {
    fn from(condition: Condition) -> Conditions {
        let mut conditions = Conditions::NONE;
        conditions.add(condition);
        conditions
    }
}

/// One rule broken at one place.
///
/// Rules fill in what is wrong; where in the input that is (line, column, game) and whose it is (label, fingerprint) is
/// added by the pipeline.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Finding {
    /// The rule that is broken.
    #[serde(serialize_with = "code_of", deserialize_with = "rule_of")]
    pub rule: &'static Rule,
    /// At most the rule's own severity.
    pub severity: Severity,
    /// The bytes at fault. Rules give offsets in the bytes they were shown; the pipeline makes them offsets in the input.
    pub place: Span,
    /// Line of `place.start`, from 1.
    pub line: u64,
    /// Column of `place.start` in bytes, from 1.
    pub column: u64,
    /// Ordinal of the record in its input, from 1; 0 where the finding is about the input as a whole.
    pub game: u64,
    /// The ply that the finding is about, from 1.
    pub ply: Option<u32>,
    /// Empty in the main line, otherwise the plies at which variations branch off, `12.15`.
    pub variation: String,
    /// The move as written.
    pub move_text: String,
    /// What stands there.
    pub found: String,
    /// What should stand there, where that is known.
    pub expected: String,
    /// What the finding follows from or hints at.
    pub cause: Option<Code>,
    /// How sure `expected` is as a repair.
    pub repair: Option<Repair>,
    /// The repair, byte by byte.
    pub patch: Option<Box<Patch>>,
    /// The position that the finding is about.
    pub fen: String,
    /// What a person recognises the game by.
    pub game_label: String,
    /// A sentence for people.
    pub message: String,
    /// Identity of the finding, independent of where its record stands.
    pub fingerprint: u64,
    /// Whether somebody has said that it is known already.
    #[serde(skip)]
    pub known: bool,
    /// How often it is written.
    pub scope: Scope,
    /// What must hold for the whole input.
    pub conditions: Conditions,
    /// What to mark on a board that shows `fen`.
    pub marks: Marks,
}

/// What a finding marks on a board. Rules set it; it is never read out of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    /// The squares that the finding is about.
    #[serde(with = "squares")]
    pub squares: Bitboard,
    /// The move as written; several arrows if it can mean several moves.
    pub written: Vec<Arrow>,
    /// The move as it was probably meant; several arrows if several moves are possible.
    pub repaired: Vec<Arrow>,
}

/// A set of squares, serialised as a number with a bit for each square, a1 the lowest.
mod squares {
    use serde::{Deserialize, Deserializer, Serializer};
    use shakmaty::Bitboard;

    pub(super) fn serialize<S: Serializer>(squares: &Bitboard, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(squares.0)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Bitboard, D::Error> {
        u64::deserialize(deserializer).map(Bitboard)
    }
}

fn code_of<S: Serializer>(rule: &&'static Rule, serializer: S) -> Result<S::Ok, S::Error> {
    rule.code.serialize(serializer)
}

fn rule_of<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static Rule, D::Error> {
    let code = Code::deserialize(deserializer)?;
    rule(code).ok_or_else(|| serde::de::Error::custom("unknown rule"))
}

/// `1:13: error MOV01 illegal-move: Ke3 is not legal here`: line, column, severity, code, name and message.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { line, column, severity, rule, message, .. } = self;
        write!(f, "{line}:{column}: {severity} {} {}: {message}", rule.code, rule.name)
    }
}

impl Finding {
    fn new(rule: &'static Rule, place: Span) -> Finding {
        Finding {
            rule,
            severity: rule.severity,
            place,
            line: 0,
            column: 0,
            game: 0,
            ply: None,
            variation: String::new(),
            move_text: String::new(),
            found: String::new(),
            expected: String::new(),
            cause: None,
            repair: None,
            patch: None,
            fen: String::new(),
            game_label: String::new(),
            message: String::new(),
            fingerprint: 0,
            known: false,
            scope: Scope::Place,
            conditions: Conditions::NONE,
            marks: Marks::default(),
        }
    }

    /// Lowers the severity.
    pub fn severity(&mut self, severity: Severity) -> &mut Finding {
        debug_assert!(severity <= self.rule.severity, "{}: above the declared severity", self.rule.code);
        self.severity = severity;
        self
    }

    /// Sets what stands there.
    pub fn found(&mut self, found: impl Into<String>) -> &mut Finding {
        self.found = found.into();
        self
    }

    /// Sets what should stand there.
    pub fn expected(&mut self, expected: impl Into<String>) -> &mut Finding {
        self.expected = expected.into();
        self
    }

    /// Sets the sentence for people.
    pub fn message(&mut self, message: impl Into<String>) -> &mut Finding {
        self.message = message.into();
        self
    }

    /// Sets the position.
    pub fn fen(&mut self, fen: impl Into<String>) -> &mut Finding {
        self.fen = fen.into();
        self
    }

    /// Marks squares, in addition to those marked before.
    pub fn squares(&mut self, squares: impl Into<Bitboard>) -> &mut Finding {
        self.marks.squares |= squares.into();
        self
    }

    /// Draws the move as written.
    pub fn written(&mut self, arrows: impl IntoIterator<Item = Arrow>) -> &mut Finding {
        self.marks.written.extend(arrows);
        self
    }

    /// Draws the move as it was probably meant.
    pub fn repaired(&mut self, arrows: impl IntoIterator<Item = Arrow>) -> &mut Finding {
        self.marks.repaired.extend(arrows);
        self
    }

    /// Sets the ply, from 1.
    pub fn ply(&mut self, ply: u32) -> &mut Finding {
        self.ply = Some(ply);
        self
    }

    /// Says that the finding stands only if `condition` holds for the whole input, with all others that were said before.
    pub fn only_if(&mut self, condition: Condition) -> &mut Finding {
        self.conditions.add(condition);
        self
    }

    /// Says that the finding is written once per input, with a count.
    pub fn once_per_input(&mut self) -> &mut Finding {
        self.once_per_input_and(String::new())
    }

    /// Says that the finding is written once per input and `value`, with a count.
    pub fn once_per_input_and(&mut self, value: impl Into<String>) -> &mut Finding {
        self.scope = Scope::Input { value: value.into() };
        self
    }
}

/// So many findings of one record are kept; of the others only the number, so that no record takes more than its share of
/// memory.
const MAX_FINDINGS_PER_RECORD: usize = 10_000;

/// Collects the findings of one record.
#[derive(Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
    /// Where findings go that are one too many, and how many there were.
    beyond: Option<(Box<Finding>, u64)>,
}

impl Findings {
    /// Nothing found yet.
    pub const fn new() -> Findings {
        Findings { list: Vec::new(), beyond: None }
    }

    /// Notes that `rule` is broken at `place`, and hands out the finding to be filled in.
    #[cold]
    pub fn add(&mut self, rule: &'static Rule, place: Span) -> &mut Finding {
        if self.list.len() >= MAX_FINDINGS_PER_RECORD {
            let beyond = self.beyond.get_or_insert_with(|| (Box::new(Finding::new(rule, place)), 0));
            *beyond.0 = Finding::new(rule, place);
            beyond.1 += 1;
            return &mut beyond.0;
        }
        self.list.push(Finding::new(rule, place));
        let last = self.list.len() - 1;
        &mut self.list[last]
    }

    /// How many there are: a mark, to be given to [`Findings::since`].
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Those added since [`Findings::len`] was `mark`.
    pub fn since(&mut self, mark: usize) -> &mut [Finding] {
        let mark = mark.min(self.list.len());
        &mut self.list[mark..]
    }

    /// How many were one too many since this was last asked: they are counted, not kept.
    pub fn take_beyond(&mut self) -> u64 {
        self.beyond.take().map_or(0, |(_, count)| count)
    }

    /// All of them.
    pub fn all(&mut self) -> &mut Vec<Finding> {
        &mut self.list
    }
}

/// Bytes as text for a report: UTF-8 as it is, other bytes as `\xE1`, control characters escaped, cut after 120 characters.
pub fn shown(bytes: &[u8]) -> String {
    const MAX_CHARACTERS: usize = 120;
    let mut text = String::new();
    let mut count = 0;
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            if count == MAX_CHARACTERS {
                text.push('…');
                return text;
            }
            count += 1;
            if character.is_control()
                || matches!(character, '\u{A0}' | '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
            {
                text.extend(character.escape_default());
            } else {
                text.push(character);
            }
        }
        for byte in chunk.invalid() {
            count += 1;
            text.push_str(&format!("\\x{byte:02X}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_a_set() {
        let mut conditions = Conditions::from(Condition::StandardChess);
        conditions.add(Condition::None);
        conditions.add(Condition::CountersReal);
        conditions.add(Condition::StandardChess);
        assert_eq!(conditions.iter().collect::<Vec<_>>(), [Condition::StandardChess, Condition::CountersReal]);
        conditions.retain(|condition| condition == Condition::CountersReal);
        assert_eq!(conditions, Condition::CountersReal.into());
        assert!(Conditions::from(Condition::None).is_empty() && !conditions.is_empty());
    }
}
