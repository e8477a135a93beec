//! Findings: one rule broken at one place.

use std::{borrow::Cow, fmt};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use shakmaty::Bitboard;

use super::{Condition, Conditions, Rule};
use crate::{
    chess::Arrow,
    oracle::{Inquiry, OracleCounts},
    rules::{Code, Severity, rule},
    text::{Extent, Span, wording::thousands},
};

/// How certain a repair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Certainty {
    /// Probable.
    Likely,
    /// Proven: there is no other reading.
    Certain,
}

impl Certainty {
    /// The word in the report.
    pub const fn as_str(self) -> &'static str {
        match self {
            Certainty::Certain => "certain",
            Certainty::Likely => "likely",
        }
    }
}

/// Replacements of bytes that remove the fault of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repair {
    /// How certain all of them are.
    pub certainty: Certainty,
    /// The replacements; at least one. The first one is at the place of the finding or next to it.
    pub patches: Vec<Patch>,
}

/// A replacement of bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patch {
    /// The bytes to replace; offsets as in [`Finding::place`].
    pub place: Span,
    /// The bytes at this place.
    pub old: Vec<u8>,
    /// Their replacement.
    pub new: Vec<u8>,
}

impl Patch {
    /// Replaces the bytes of `text` at `place`.
    pub fn replace(text: &[u8], place: Span, new: impl Into<Vec<u8>>) -> Patch {
        Patch { place, old: place.of(text).to_vec(), new: new.into() }
    }

    /// Inserts bytes before the byte `at`.
    pub fn insert(at: usize, new: impl Into<Vec<u8>>) -> Patch {
        Patch { place: Span::new(at, at), old: Vec::new(), new: new.into() }
    }

    /// Removes the bytes of `text` at `place`.
    pub fn remove(text: &[u8], place: Span) -> Patch {
        Patch::replace(text, place, Vec::new())
    }

    /// The same without the bytes that do not change at both ends.
    #[must_use]
    pub fn trimmed(&self) -> Patch {
        let Patch { place, old, new } = self;
        let alike = |pairs: &mut dyn Iterator<Item = (&u8, &u8)>| pairs.take_while(|(old, new)| old == new).count();
        let start = alike(&mut old.iter().zip(new));
        let end = alike(&mut old[start..].iter().rev().zip(new[start..].iter().rev()));
        Patch {
            place: Span::new(place.start + start, place.end - end),
            old: old[start..old.len() - end].to_vec(),
            new: new[start..new.len() - end].to_vec(),
        }
    }
}

/// How often a finding is reported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scope {
    /// At each place.
    #[default]
    Place,
    /// Once per input and value, at the first place, with a count: for habits of a whole input.
    Input {
        /// Findings of one rule with different values are counted separately; usually empty.
        value: String,
    },
    /// At each place if there are few findings of this kind in the input. From
    /// [`MIN_GROUPED`] on, they are reported once, at the first place, with a count. Their repairs
    /// are all listed.
    Group {
        /// Findings of one rule with different kinds are counted separately.
        kind: String,
        /// Whether the group is only an info if it concerns nearly all records.
        is_info_if_usual: bool,
    },
    /// At each place, unless half of the records of the input, and at least [`MIN_GROUPED`], have a
    /// finding of this kind. Then they are reported once, at the first place, with the number of
    /// records. Their repairs are all listed.
    Habit {
        /// Findings of one rule with different kinds are counted separately.
        kind: String,
    },
}

impl Scope {
    /// The value or kind of finding, which is counted separately.
    pub fn kind(&self) -> &str {
        match self {
            Scope::Place => "",
            Scope::Input { value: kind } | Scope::Group { kind, .. } | Scope::Habit { kind } => kind,
        }
    }

    /// Whether only the end of the input shows if the finding is reported at its own place.
    pub const fn depends_on_count(&self) -> bool {
        matches!(self, Scope::Group { .. } | Scope::Habit { .. })
    }
}

/// Number of findings of one kind from which they are reported once per input.
pub const MIN_GROUPED: u64 = 20;

/// One rule broken at one place.
///
/// Rules fill in the fault. The pipeline adds line, column, game, label and fingerprint.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Finding {
    /// The rule that is broken.
    #[serde(serialize_with = "code_of", deserialize_with = "rule_of")]
    pub rule: &'static Rule,
    /// Severity, at most that of the rule.
    pub severity: Severity,
    /// The bytes at fault. Rules use offsets in the text that they get; the pipeline turns them
    /// into offsets in the input.
    pub place: Span,
    /// Line of `place.start`, from 1.
    pub line: u64,
    /// Column of `place.start` in bytes, from 1.
    pub column: u64,
    /// Where the place is for editors. Not known if the line begins before the record, or if the
    /// rule is about the whole input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extent: Option<Extent>,
    /// Ordinal of the record in its input, from 1; 0 if the finding is about the whole input.
    pub game: u64,
    /// The ply that the finding is about, from 1.
    pub ply: Option<u32>,
    /// Empty in the main line, otherwise the plies at which variations branch off, `12.15`.
    pub variation: String,
    /// The move as written.
    pub move_text: String,
    /// The text at this place.
    pub found: String,
    /// The expected text, if known.
    pub expected: String,
    /// The texts that may be meant, if there are several. Then `expected` is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<String>,
    /// The rule that explains the finding: a cause or a hint.
    pub cause: Option<Code>,
    /// What removes the fault. Without it, `expected` is only a hint.
    pub repair: Option<Box<Repair>>,
    /// The ply that the repair changes, from 1, if it is not that of the finding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repair_ply: Option<u32>,
    /// The position that the finding is about.
    pub fen: String,
    /// The label of the record.
    pub game_label: String,
    /// The message.
    pub message: String,
    /// Identity of the finding, independent of the place of its record.
    pub fingerprint: u64,
    /// Whether the finding is known already.
    #[serde(skip)]
    pub known: bool,
    /// Whether another finding of the record says the same. Then this one is dropped.
    #[serde(skip)]
    pub(crate) merged: bool,
    /// How often it is reported.
    pub scope: Scope,
    /// Conditions on the whole input.
    pub conditions: Conditions,
    /// Marks on a board that shows `fen`.
    pub marks: Marks,
    /// The other record, if the finding is about two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partner: Option<Box<Partner>>,
}

/// Whether a copy need be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// It need not be kept.
    No,
    /// The copies contradict each other. Only a person can find out which one is right.
    Check,
}

impl Keep {
    /// The word in the report.
    pub const fn as_str(self) -> &'static str {
        match self {
            Keep::No => "no",
            Keep::Check => "check",
        }
    }
}

/// The other record of a finding about two records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Partner {
    /// What all copies of one game have in common: a short name, or nothing if the two records are
    /// not copies.
    pub cluster: String,
    /// The input of the other record.
    pub input: String,
    /// The ordinal of the other record in its input, from 1.
    pub game: u64,
    /// The line of its first byte, from 1.
    pub line: u64,
    /// Whether the record of the finding need be kept. `None` if nothing is said of it.
    pub keep: Option<Keep>,
    /// Why that copy is kept.
    pub reason: String,
    /// The tags in which the two differ: name, value of the record of the finding, value of the
    /// other one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<(String, String, String)>,
    /// Digests of the content of the record of the finding and of the other one, if both are games.
    #[serde(skip)]
    pub digests: Option<[u64; 2]>,
    /// The record of the finding and the other one as the page shows them. Made only for findings
    /// that may be on the page.
    #[serde(skip)]
    pub boards: Option<Box<[RecordBoard; 2]>>,
}

/// One of two records, to be compared with the other one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordBoard {
    /// Which record and position it is: `This game, after 45 plies`.
    pub title: String,
    /// The position.
    pub fen: String,
    /// Marks on the position.
    pub marks: Marks,
    /// What its header or line says. Both records have the same number of values; those that are
    /// not known are empty.
    pub values: Vec<String>,
}

/// The marks of a finding on a board. Rules set them; they are never derived from a message.
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

/// `1:13: error MOV01 illegal-move: Ke3 is not legal here`: line, column, severity, code, name and
/// message.
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
            extent: None,
            game: 0,
            ply: None,
            variation: String::new(),
            move_text: String::new(),
            found: String::new(),
            expected: String::new(),
            alternatives: Vec::new(),
            cause: None,
            repair: None,
            repair_ply: None,
            fen: String::new(),
            game_label: String::new(),
            message: String::new(),
            fingerprint: 0,
            known: false,
            merged: false,
            scope: Scope::Place,
            conditions: Conditions::NONE,
            marks: Marks::default(),
            partner: None,
        }
    }

    /// Lowers the severity.
    pub fn severity(&mut self, severity: Severity) -> &mut Finding {
        debug_assert!(severity <= self.rule.severity, "{}: above the declared severity", self.rule.code);
        self.severity = severity;
        self
    }

    /// The text at this place; `None` if the finding is not about a text.
    pub fn found_text(&self) -> Option<&str> {
        (!self.found.is_empty()).then_some(self.found.as_str())
    }

    /// The expected text; `None` if it is not known. It is empty if the text at this place should
    /// be removed.
    pub fn expected_text(&self) -> Option<&str> {
        let removes = || self.repair.as_ref().is_some_and(|repair| repair.patches.iter().all(|patch| patch.new.is_empty()));
        (!self.expected.is_empty() || removes()).then_some(self.expected.as_str())
    }

    /// Sets the text at this place.
    pub fn found(&mut self, found: impl Into<String>) -> &mut Finding {
        self.found = found.into();
        self
    }

    /// Sets the expected text.
    pub fn expected(&mut self, expected: impl Into<String>) -> &mut Finding {
        self.expected = expected.into();
        self
    }

    /// Sets the texts that may be meant. If there is only one, it is expected.
    pub fn alternatives(&mut self, mut texts: Vec<String>) -> &mut Finding {
        self.expected = if texts.len() == 1 { texts.pop().unwrap_or_default() } else { String::new() };
        self.alternatives = texts;
        self
    }

    /// The expected text, or all that may be meant, for people.
    pub fn what_is_expected(&self) -> Cow<'_, str> {
        if self.alternatives.is_empty() { (&*self.expected).into() } else { self.alternatives.join(" or ").into() }
    }

    /// The path of the variation: the plies at which variations branch off, each with a slash, as
    /// in `33/37/`.
    pub fn variation_path(&self) -> String {
        self.variation.split_terminator('.').flat_map(|ply| [ply, "/"]).collect()
    }

    /// Sets the message.
    pub fn message(&mut self, message: impl Into<String>) -> &mut Finding {
        self.message = message.into();
        self
    }

    /// Adds a replacement of bytes that repairs the fault. All those of a finding are as certain as
    /// the least certain one. Those beyond [`MAX_PATCHES`] are left out.
    pub fn repair(&mut self, certainty: Certainty, patch: Patch) -> &mut Finding {
        match &mut self.repair {
            None => self.repair = Some(Box::new(Repair { certainty, patches: vec![patch] })),
            Some(repair) => {
                repair.certainty = repair.certainty.min(certainty);
                if repair.patches.len() < MAX_PATCHES {
                    repair.patches.push(patch);
                }
            }
        }
        self
    }

    /// Lowers the certainty of the repair, if there is one.
    pub fn doubt(&mut self) {
        if let Some(repair) = &mut self.repair {
            repair.certainty = Certainty::Likely;
        }
    }

    /// How certain the repair is, if there is one.
    pub fn certainty(&self) -> Option<Certainty> {
        self.repair.as_ref().map(|repair| repair.certainty)
    }

    /// The replacements of bytes of the repair, in the order in which they were added.
    pub fn patches(&self) -> &[Patch] {
        self.repair.as_ref().map_or(&[], |repair| &repair.patches)
    }

    /// Moves all places by what `moved` does to them.
    pub fn move_places(&mut self, moved: impl Fn(Span) -> Span) {
        self.place = moved(self.place);
        for patch in self.repair.iter_mut().flat_map(|repair| &mut repair.patches) {
            patch.place = moved(patch.place);
        }
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

    /// Reports the finding only if `condition` holds for the whole input, in addition to earlier
    /// conditions.
    pub fn only_if(&mut self, condition: impl Into<Option<Condition>>) -> &mut Finding {
        condition.into().into_iter().for_each(|condition| self.conditions.add(condition));
        self
    }

    /// Reports the finding once per input, with a count.
    pub fn once_per_input(&mut self) -> &mut Finding {
        self.once_per_input_and(String::new())
    }

    /// Reports the finding once per input and `value`, with a count.
    pub fn once_per_input_and(&mut self, value: impl Into<String>) -> &mut Finding {
        self.scope = Scope::Input { value: value.into() };
        self
    }

    /// Reports the findings of this rule and `kind` once per input if there are many, with a count.
    pub fn grouped(&mut self, kind: impl Into<String>) -> &mut Finding {
        self.scope = Scope::Group { kind: kind.into(), is_info_if_usual: false };
        self
    }

    /// As [`Finding::grouped`]. If the group concerns nearly all records, it is only an info.
    pub fn grouped_or_usual(&mut self, kind: impl Into<String>) -> &mut Finding {
        self.scope = Scope::Group { kind: kind.into(), is_info_if_usual: true };
        self
    }

    /// Reports the findings of this rule and `kind` once per input if half of the records have one,
    /// with their number. A kind is a class of faults, not a fact that differs from record to
    /// record.
    pub fn once_if_usual(&mut self, kind: impl Into<String>) -> &mut Finding {
        self.scope = Scope::Habit { kind: kind.into() };
        self
    }
}

/// A finding of a record that is looked up again, because more of the text may belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FindingId(usize);

/// Maximum number of replacements of a finding.
pub const MAX_PATCHES: usize = 10_000;

/// Maximum number of findings kept per record, to limit its memory. Further ones are only counted.
const MAX_FINDINGS_PER_RECORD: usize = 10_000;

/// Collects the findings of one record.
#[derive(Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
    /// Receives further findings, and counts them.
    beyond: Option<(Box<Finding>, u64)>,
    /// Why the record cannot be checked, if it cannot.
    too_large: Option<Box<str>>,
    /// Why an oracle could not be asked, if one could not.
    oracle_failure: Option<Box<str>>,
    /// Number of positions for which a search was given up.
    left_open: u64,
}

impl Findings {
    /// No findings.
    pub const fn new() -> Findings {
        Findings { list: Vec::new(), beyond: None, too_large: None, oracle_failure: None, left_open: 0 }
    }

    /// Adds a finding of `rule` at `place`, and returns it to be filled in.
    #[cold]
    pub fn add(&mut self, rule: &'static Rule, place: Span) -> &mut Finding {
        if self.is_full() {
            let beyond = self.beyond.get_or_insert_with(|| (Box::new(Finding::new(rule, place)), 0));
            *beyond.0 = Finding::new(rule, place);
            beyond.1 += 1;
            return &mut beyond.0;
        }
        self.list.push(Finding::new(rule, place));
        let last = self.list.len() - 1;
        &mut self.list[last]
    }

    /// Number of findings, which is also a mark for [`Findings::since`].
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are no findings.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether further findings are only counted.
    pub const fn is_full(&self) -> bool {
        self.list.len() >= MAX_FINDINGS_PER_RECORD
    }

    /// The findings added since [`Findings::len`] was `mark`.
    pub fn since(&mut self, mark: usize) -> &mut [Finding] {
        let mark = mark.min(self.list.len());
        &mut self.list[mark..]
    }

    /// The first finding since [`Findings::len`] was `mark`, if there is one.
    pub fn first_since(&self, mark: usize) -> Option<FindingId> {
        (self.list.len() > mark).then_some(FindingId(mark))
    }

    /// The findings from one mark to another.
    pub fn between(&mut self, from: usize, to: usize) -> impl Iterator<Item = (FindingId, &mut Finding)> {
        self.list.iter_mut().enumerate().take(to).skip(from).map(|(index, finding)| (FindingId(index), finding))
    }

    /// The findings since [`Findings::len`] was `mark` and before another one.
    pub fn before(&self, id: FindingId, mark: usize) -> &[Finding] {
        self.list.get(mark..id.0).unwrap_or_default()
    }

    /// The findings after another one.
    pub fn after(&mut self, id: FindingId) -> &mut [Finding] {
        self.since(id.0 + 1)
    }

    /// The finding.
    pub fn get(&mut self, id: FindingId) -> Option<&mut Finding> {
        self.list.get_mut(id.0)
    }

    /// Keeps only those findings since `mark` for which `keep` is true. Earlier ones are not
    /// touched.
    pub fn retain_since(&mut self, mark: usize, mut keep: impl FnMut(&Finding) -> bool) {
        let mut earlier = mark;
        self.list.retain(|finding| {
            let is_earlier = earlier > 0;
            earlier = earlier.saturating_sub(1);
            is_earlier || keep(finding)
        });
    }

    /// Number of findings beyond the maximum since the last call.
    pub fn take_beyond(&mut self) -> u64 {
        self.beyond.take().map_or(0, |(_, count)| count)
    }

    /// Notes that the record contains more than `maximum` of `things` and is too large to be
    /// checked. Its findings do not count.
    #[cold]
    pub fn give_up(&mut self, maximum: usize, things: &str) {
        self.too_large.get_or_insert_with(|| format!("it contains more than {} {things}", thousands(maximum as u64)).into());
    }

    /// Notes that a search about the position was given up.
    #[cold]
    pub const fn leave_open(&mut self) {
        self.left_open += 1;
    }

    /// Number of positions for which a search was given up since the last call.
    pub const fn take_left_open(&mut self) -> u64 {
        std::mem::replace(&mut self.left_open, 0)
    }

    /// Why the record is too large to be checked, if it is. Forgets it.
    pub fn take_too_large(&mut self) -> Option<Box<str>> {
        self.too_large.take()
    }

    /// Ends the questions about this record. Returns how often oracles were asked. If one of them
    /// failed, that is noted.
    pub fn end_inquiry(&mut self, inquiry: Inquiry<'_>) -> OracleCounts {
        let (counts, failure) = inquiry.end();
        if let Some(reason) = failure {
            self.oracle_failure.get_or_insert_with(|| reason.into());
        }
        counts
    }

    /// Takes the reason why an oracle could not be asked, if there is one.
    pub fn take_oracle_failure(&mut self) -> Option<Box<str>> {
        self.oracle_failure.take()
    }

    /// All findings.
    pub fn all(&mut self) -> &mut Vec<Finding> {
        &mut self.list
    }
}

/// Maximum number of characters in a text for a report.
const MAX_CHARACTERS: usize = 120;

/// Number of bytes that [`shown`] looks at. They are more than [`MAX_CHARACTERS`] characters,
/// because a character has four bytes at most.
pub const MAX_SHOWN: usize = 4 * MAX_CHARACTERS + 4;

/// Bytes as text for a report: UTF-8 as it is, other bytes as `\xE1`, control characters escaped,
/// cut after 120 characters.
pub fn shown(bytes: &[u8]) -> String {
    // The rest of a long text is not even looked at.
    let bytes = &bytes[..bytes.len().min(MAX_SHOWN)];
    if bytes.len() <= MAX_CHARACTERS
        && bytes.iter().all(|byte| matches!(byte, b' '..=b'~'))
        && let Ok(text) = str::from_utf8(bytes)
    {
        return text.to_owned();
    }
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
            if count == MAX_CHARACTERS {
                text.push('…');
                return text;
            }
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
    fn long_text_is_cut() {
        for (part, as_shown) in
            [(&b"x"[..], "x"), ("\u{2654}".as_bytes(), "\u{2654}"), ("\u{10FFFF}".as_bytes(), "\u{10FFFF}"), (b"\xE1", "\\xE1")]
        {
            assert_eq!(shown(&part.repeat(120)), as_shown.repeat(120));
            for count in [121, 5000] {
                assert_eq!(shown(&part.repeat(count)), as_shown.repeat(120) + "…");
            }
        }
    }

    #[test]
    fn earlier_findings_are_kept() {
        static RULE: Rule = Rule { code: code!("MOV01"), ..Rule::DEFAULTS };
        for (mark, kept) in [(0, vec![4]), (1, vec![0, 4]), (2, vec![0, 2, 4]), (9, vec![0, 2, 4])] {
            let mut findings = Findings::new();
            for at in [0, 2, 4] {
                findings.add(&RULE, Span::new(at, at));
            }
            findings.retain_since(mark, |finding| finding.place.start > 3);
            let places: Vec<usize> = findings.all().iter().map(|finding| finding.place.start).collect();
            assert_eq!(places, kept, "since {mark}");
        }
    }
}
