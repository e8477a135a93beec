//! Tags about which no rule has anything to report, infos included, except for names.

use super::{Header, Memory, NameFaults, bit};
use crate::{
    pgn::KnownTag,
    record::fastpath::game::clocks::Control,
    rules::tag::{have_same_letters, is_known_termination, is_valid_title_or_id, name_fault},
    text::swar::{places, word},
};

/// Maximum number of bytes of a value of the Termination tag that is remembered.
const MAX_TERMINATION: usize = 32;

/// A value of the Termination tag about which no rule has anything to report. It is often the same
/// as in the game before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KnownTermination {
    bytes: [u8; MAX_TERMINATION],
    length: usize,
}

impl KnownTermination {
    /// Whether nothing is reported about this value.
    fn has(&mut self, value: &[u8]) -> bool {
        if self.bytes.get(..self.length) == Some(value) {
            return true;
        }
        let is_known = is_known_termination(value);
        if is_known && let Some(bytes) = self.bytes.get_mut(..value.len()) {
            bytes.copy_from_slice(value);
            self.length = value.len();
        }
        is_known
    }
}

/// Tags with a title, a FIDE id or a board number.
const TITLES_AND_IDS: [KnownTag; 6] =
    [KnownTag::WhiteTitle, KnownTag::BlackTitle, KnownTag::WhiteFideId, KnownTag::BlackFideId, KnownTag::Board, KnownTag::Table];

/// All of them.
const ANY_TITLE_OR_ID: u128 = {
    let (mut all, mut index) = (0, 0);
    while index < TITLES_AND_IDS.len() {
        all |= bit(TITLES_AND_IDS[index]);
        index += 1;
    }
    all
};

/// See [`Header::name_faults`].
#[inline]
pub(super) fn name_faults(text: &[u8], header: &Header, memory: &mut Memory) -> Option<NameFaults> {
    let faults = [KnownTag::White, KnownTag::Black].map(|tag| fault_of_name(text, memory.places[tag as usize & 127]));
    let [Some(white), Some(black)] = faults else { return None };
    are_plain(text, header, memory).then_some([white, black])
}

/// Whether it is clear that no rule reports anything about the tags just read, except for names.
/// Their header was accepted.
#[inline]
fn are_plain(text: &[u8], header: &Header, memory: &mut Memory) -> bool {
    let seen = header.seen;
    if header.first.is_some() || seen & memory.counted != 0 {
        return false;
    }
    let has = |tag: KnownTag| seen & bit(tag) != 0;
    let place = |tag: KnownTag| memory.places[tag as usize & 127];
    let value = |tag: KnownTag| {
        let (start, end) = place(tag);
        text.get(start..end).unwrap_or_default()
    };
    let (white, black) = (value(KnownTag::White), value(KnownTag::Black));
    let are_fields = [value(KnownTag::Event), value(KnownTag::Site), white, black].into_iter().all(is_plain_field);
    if !are_fields || !is_plain_round(value(KnownTag::Round)) || have_same_letters(white, black) {
        return false;
    }
    if [KnownTag::WhiteElo, KnownTag::BlackElo].into_iter().any(|tag| has(tag) && value(tag).is_empty()) {
        return false;
    }
    // Words are read as an unknown time control.
    let has_words = || !matches!(value(KnownTag::TimeControl), b"-" | b"?" | b"");
    if has(KnownTag::TimeControl) && header.control == Control::UNKNOWN && has_words() {
        return false;
    }
    let is_valid = |tag: KnownTag| !has(tag) || is_valid_title_or_id(tag, value(tag));
    if seen & ANY_TITLE_OR_ID != 0 && !TITLES_AND_IDS.into_iter().all(is_valid) {
        return false;
    }
    !has(KnownTag::Termination) || memory.termination.has(value(KnownTag::Termination))
}

/// The kind of what is wrong with a name, if anything is. `None` for lists of names.
#[inline(always)]
fn fault_of_name(text: &[u8], (start, end): (usize, usize)) -> Option<Option<&'static str>> {
    if is_plain_name(text, (start, end)) {
        return Some(None);
    }
    let name = text.get(start..end)?;
    (!name.contains(&b':')).then(|| name_fault(name).map(|(kind, _)| kind))
}

/// Whether a name has no title before or after it, no brackets, no comma before a letter, and is
/// not a list.
#[inline(always)]
fn is_plain_name(text: &[u8], (start, end): (usize, usize)) -> bool {
    const TITLE_END: u16 = u16::from_le_bytes(*b"M ");
    let Some(first) = word(text, start) else { return false };
    if (first >> 8) as u16 == TITLE_END || (first >> 16) as u16 == TITLE_END {
        return false;
    }
    // All titles of FIDE end with this letter.
    if end > start && text.get(end - 1) == Some(&b'M') {
        return false;
    }
    let mut at = start;
    while at < end {
        // What follows the name may only make the answer more careful.
        let Some(next) = word(text, at) else { return false };
        let comma = places(next, b',');
        if places(next, b'(') | places(next, b':') != 0 {
            return false;
        }
        let after = at + (comma.trailing_zeros() >> 3) as usize + 1;
        if comma != 0 && text.get(after).is_none_or(u8::is_ascii_alphabetic) {
            return false;
        }
        at += 8;
    }
    true
}

/// Whether a value is not empty and has not the length of a date, a result or a rating, or does not
/// begin as these do.
#[inline(always)]
fn is_plain_field(value: &[u8]) -> bool {
    value.first().is_some_and(|first| !(first.is_ascii_digit() || *first == b'?') || !matches!(value.len(), 3 | 4 | 7 | 10))
}

/// Whether a round is unknown or numbers with periods between them, and is too short for a date.
#[inline(always)]
fn is_plain_round(value: &[u8]) -> bool {
    if let b"?" | b"-" = value {
        return true;
    }
    let mut follows_digit = false;
    for byte in value {
        match byte {
            b'0'..=b'9' => follows_digit = true,
            b'.' if follows_digit => follows_digit = false,
            _ => return false,
        }
    }
    follows_digit && value.len() < 10
}

#[cfg(test)]
mod tests {
    use super::{super::read, *};
    use crate::{
        pgn::{TagSection, read_plain_tag},
        rules::{ActiveRules, Findings, Profile, Scope, Selection},
        text::Span,
    };

    /// Values that some rules report in some tags.
    const VALUES: [&str; 52] = [
        "",
        "?",
        "-",
        "0",
        "12",
        "3.1",
        "3..1",
        ".1",
        "1.",
        "2600",
        "2024.05.06",
        "2024.05.1",
        "2024.05.??",
        "2024.13.??",
        "????.??.??",
        "12:30:45",
        "1-0",
        "0-1",
        "1/2-1/2",
        "*",
        "Quill, Ada",
        "Quill,Ada",
        "Quill,",
        "Quill 2,Ada",
        "Much-Too-Long,Ada",
        "Quill, Ada,Ada",
        "GM Quill",
        "WIM Quill",
        "MM Quill",
        "GMQuill",
        "Quill, Ada GM",
        "Quill Ada GM",
        "Quill, GM",
        "Quill (2345)",
        "Quill (BOT)",
        "Quill (ENG)",
        "Quill (England)",
        "Quill: Raines",
        "2345:2400",
        "Stark, Lee",
        "STARK LEE",
        "GM",
        "gm",
        "E04",
        "normal",
        "GUI adjudication",
        "3-fold rep",
        "rules of thumb",
        "a value with which nobody would end a game of chess: illegal move",
        "40/7200:20/3600:900+30",
        "2 hours",
        "Standard",
    ];

    /// The tag section with these pairs, and an empty line after it.
    fn section(pairs: &[(&str, &str)]) -> String {
        pairs.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect::<String>()
            + "\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *\n"
    }

    /// What is wrong with the names of an accepted header, and the values of all findings about it.
    /// `None` if it is not accepted.
    fn judge(text: &str, memory: &mut Memory, rules: &ActiveRules) -> Option<(Option<NameFaults>, Vec<Scope>)> {
        let text = text.as_bytes();
        let header = read(text, 0, memory)?.0;
        let (mut pairs, mut at, mut findings) = (Vec::new(), 0, Findings::new());
        while text[at] == b'[' {
            let pair = read_plain_tag(text, at)?;
            pairs.push(pair);
            at = pair.place.end + 1;
        }
        rules.tags(&TagSection::new(text, &pairs, &[], Span::new(0, at)), &mut findings);
        let scopes = findings.all().iter().map(|finding| finding.scope.clone()).collect();
        Some((header.name_faults(text, memory), scopes))
    }

    #[test]
    fn rules_report_nothing_about_plain_tags() {
        let rules = ActiveRules::of(&Selection::of(Profile::Strict));
        let roster = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
        let usual = ["Match", "Oslo", "2024.05.06", "1", "Raines, Tom", "Stark, Lee", "*"];
        let (mut memory, mut plain, mut named, mut reported, mut others) = (Memory::default(), 0, 0, 0, 0);
        for name in KnownTag::ALL.iter().map(|tag| tag.name()).chain(["Evnt", "Other"]) {
            for first in VALUES {
                for second in ["", "Black", "WhiteElo", "WhiteTitle", "Variant"] {
                    let mut pairs: Vec<(&str, &str)> = roster.into_iter().zip(usual).collect();
                    for (name, value) in [(name, first), (second, if second == "Black" { "Stark, Lee" } else { "-" })] {
                        match pairs.iter_mut().find(|(known, _)| *known == name) {
                            Some(pair) => pair.1 = value,
                            None if name.is_empty() => {}
                            None => pairs.push((name, value)),
                        }
                    }
                    let text = section(&pairs);
                    match judge(&text, &mut memory, &rules) {
                        Some((Some(faults), findings)) => {
                            let kinds = faults.into_iter().flatten();
                            let expected: Vec<Scope> = kinds.map(|kind| Scope::Input { value: kind.to_owned() }).collect();
                            assert_eq!(findings, expected, "{text}");
                            plain += 1;
                            named += usize::from(faults != [None; 2]);
                        }
                        Some((None, findings)) if findings.is_empty() => others += 1,
                        Some((None, _)) => reported += 1,
                        None => {}
                    }
                }
            }
        }
        assert!(plain > 5000 && named > 50 && reported > 300 && others < 500, "{plain} {named} {reported} {others}");
    }

    #[test]
    fn usual_tags_are_plain() {
        let rules = ActiveRules::of(&Selection::of(Profile::Strict));
        for (name, value) in [
            ("Event", "27th Open"),
            ("Site", "?"),
            ("Site", "https://lichess.org/abcdefgh"),
            ("Round", "?"),
            ("Round", "-"),
            ("Round", "12.3.4"),
            ("White", "Quill, Ada"),
            ("White", "de Quill, A.B."),
            ("White", "GMQuill"),
            ("White", "Houdini 1.5a"),
            ("WhiteElo", "-"),
            ("BlackElo", "2345"),
            ("WhiteTitle", "GM"),
            ("BlackFideId", "4000041"),
            ("TimeControl", "40/7200:20/3600:900+30"),
            ("TimeControl", "-"),
            ("Termination", "GUI adjudication"),
            ("Termination", "Normal"),
            ("Annotator", ""),
        ] {
            let mut pairs = vec![
                ("Event", "Match"),
                ("Site", "Oslo"),
                ("Date", "2024.05.06"),
                ("Round", "1"),
                ("White", "Raines, Tom"),
                ("Black", "Stark, Lee"),
                ("Result", "*"),
            ];
            pairs.retain(|(known, _)| *known != name);
            pairs.push((name, value));
            let mut memory = Memory::default();
            let text = section(&pairs);
            assert_eq!(judge(&text, &mut memory, &rules), Some((Some([None; 2]), Vec::new())), "{name} {value}");
        }
    }
}
