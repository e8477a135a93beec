//! Tags about which no rule has anything to report, infos included, except for names.

use super::{Header, Memory, NameFaults};
use crate::{
    pgn::KnownTag,
    record::fastpath::game::clocks::Control,
    rules::{
        Waking,
        facts::TagValues,
        tag::{have_same_letters, name_fault},
    },
    text::swar::{places, word},
};

impl Header {
    /// What rules report about the names of the players, if it is clear that they report nothing
    /// else about the tags, infos included. The tags are those just read with `memory`.
    #[inline]
    pub(in crate::record::fastpath::game) fn name_faults(
        &self,
        text: &[u8],
        memory: &mut Memory,
        waking: &Waking,
    ) -> Option<NameFaults> {
        let faults = [KnownTag::White, KnownTag::Black].map(|tag| fault_of_name(text, memory.places[tag as usize & 127]));
        let [Some(white), Some(black)] = faults else { return None };
        are_plain(text, self, memory, waking).then_some([white, black])
    }
}

/// Whether it is clear that no rule reports anything about the tags just read, except for names.
/// Their header was accepted.
#[inline]
fn are_plain(text: &[u8], header: &Header, memory: &mut Memory, waking: &Waking) -> bool {
    let seen = header.seen;
    if header.first.is_some() || seen & memory.counted != 0 {
        return false;
    }
    let values = TagValues { text, seen, places: &memory.places };
    if waking.infos_by_tags(&values) || have_same_letters(values.of(KnownTag::White), values.of(KnownTag::Black)) {
        return false;
    }
    // Words are read as an unknown time control.
    let has_words = || !matches!(values.of(KnownTag::TimeControl), b"-" | b"?" | b"");
    if values.has(KnownTag::TimeControl) && header.control == Control::UNKNOWN && has_words() {
        return false;
    }
    !values.has(KnownTag::Termination) || memory.termination.has(values.of(KnownTag::Termination))
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
