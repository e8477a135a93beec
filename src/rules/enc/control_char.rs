//! ENC06: control characters.

use memchr::memchr;

use crate::rules::prelude::*;
use crate::rules::{Conditions, MAX_PATCHES, Note};

pub static RULE: Rule = Rule {
    code: code!("ENC06"),
    name: "control-char",
    severity: Severity::Warning,
    summary: "The text contains a control character",
    what: "The text contains a byte below 0x20 that is not a tab, a line break, a vertical tab or \
           a form feed, or the byte 0x7F. Each value is reported once per record, with its count. \
           In text that is not UTF-8, bytes 0x80 to 0x9F are an info, reported once per input and \
           value. They are usually quotes and dashes of Windows-1252, or letters of a DOS code \
           page. NULs are what a crash or a buffer leaves. They can be deleted, unless two words \
           would be joined. Other control characters inside a name are usually letters of a DOS \
           code page that lost their highest bit, such as `ö` that became 0x14. They are restored if \
           other words of the input are in such a code page. If 20 or more records have NUL at line ends, this is reported once per \
           input.",
    why: "Some readers stop at such a byte: 0x1A ends a file in DOS, and 0x00 ends a string in C. \
           Others keep it in names, where nobody sees it.",
    fix: "Delete the character, or write the letter that it was. Convert Windows-1252 text to UTF-8.",
    source: "PGN standard 4.1",
    repairs: Some(Certainty::Certain),
    // A control character in a piece placement is a wrong piece.
    yields: &in_record([code!("ENC01"), code!("FEN03")]),
    fires: &[
        Sample::Moves("1. e4 {best⟦\u{7}⟧ by test} e5 *"),
        Sample::Moves("1. e4 e5 *\n⟦\u{1A}⟧"),
        Sample::Moves("1. e4 e5 *\n⟦\0⟧\0\0\0\0\0\0\0"),
    ],
    silent: &[Sample::Moves("1. e4 {best\tby test} e5 *")],
    check: Check::Bytes(check),
    note: Some(&Note { holds: |notes, condition| (condition == DOS_LETTERS_SHOWN) == notes.words.show_dos(), ..Note::DEFAULTS }),
    ..Rule::DEFAULTS
};

/// Most words of the input beyond ASCII that are not UTF-8 have letters of a DOS code page.
const DOS_LETTERS_SHOWN: Condition = Condition::new(RULE.code, 0);

/// They have not.
const DOS_LETTERS_MISSING: Condition = Condition::new(RULE.code, 1);

/// The characters 0x80 to 0x9F of Windows-1252; U+FFFD is unassigned.
const WINDOWS: [char; 32] = [
    '€', '\u{FFFD}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{FFFD}', 'Ž', '\u{FFFD}', '\u{FFFD}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{FFFD}', 'ž', 'Ÿ',
];

/// The characters 0x80 to 0x9F of the DOS code page 850. Code page 437 has other signs at 0x9B,
/// 0x9D and 0x9E.
const DOS: [char; 32] = [
    'Ç', 'ü', 'é', 'â', 'ä', 'à', 'å', 'ç', 'ê', 'ë', 'è', 'ï', 'î', 'ì', 'Ä', 'Å', 'É', 'æ', 'Æ', 'ô', 'ö', 'ò', 'û', 'ù', 'ÿ',
    'Ö', 'Ü', 'ø', '£', 'Ø', '×', 'ƒ',
];

/// The names of the control characters 0x00 to 0x1F.
const NAMES: [&str; 32] = [
    "NUL",
    "SOH",
    "STX",
    "ETX",
    "EOT",
    "ENQ",
    "ACK",
    "BEL",
    "BS",
    "HT",
    "LF",
    "VT",
    "FF",
    "CR",
    "SO",
    "SI",
    "DLE",
    "DC1",
    "DC2",
    "DC3",
    "DC4",
    "NAK",
    "SYN",
    "ETB",
    "CAN",
    "EM",
    "SUB, end of file in DOS",
    "ESC",
    "FS",
    "GS",
    "RS",
    "US",
];

/// Maximum number of bytes of a record that a repair removes. It lists each of them.
const MAX_REMOVED_BYTES: usize = 1 << 16;

/// Whether it is a control character of ASCII, other than tab and the line breaks. It has no
/// branches, so that the compiler can test many bytes with one instruction.
const fn is_ascii_control(byte: u8) -> bool {
    ((byte < 0x20) & (byte.wrapping_sub(0x09) > 0x0D - 0x09)) | (byte == 0x7F)
}

/// Whether there is one in the text.
fn has_ascii_control(text: &[u8]) -> bool {
    text.chunks(256).any(|part| part.iter().fold(0, |any, &byte| any | u8::from(is_ascii_control(byte))) != 0)
}

fn check(facts: &RecordBytes<'_>, findings: &mut Findings) {
    if std::str::from_utf8(facts.record()).is_ok() && !has_ascii_control(facts.record()) {
        return;
    }
    // For each value: its count and its first place.
    let mut seen = [(0_usize, 0_usize); 256];
    let mut note = |byte: u8, at: usize| {
        let (count, first) = &mut seen[usize::from(byte)];
        if *count == 0 {
            *first = at;
        }
        *count += 1;
    };
    let mut at = facts.start;
    for chunk in facts.record().utf8_chunks() {
        for byte in chunk.valid().bytes() {
            if is_ascii_control(byte) {
                note(byte, at);
            }
            at += 1;
        }
        for &byte in chunk.invalid() {
            if (0x80..=0x9F).contains(&byte) {
                note(byte, at);
            }
            at += 1;
        }
    }
    let mut places: Vec<(usize, u8, usize)> =
        (0..=u8::MAX).zip(seen).filter(|(_, (count, _))| *count > 0).map(|(byte, (count, first))| (first, byte, count)).collect();
    places.sort_unstable();
    for (first, byte, count) in places {
        let times = if count == 1 { String::new() } else { format!(", {} in this record", quantity(count, "time", "times")) };
        let finding = findings.add(&RULE, Span::new(first, first + 1)).found(format!("\\x{byte:02X}"));
        if byte < 0x80 {
            let name = NAMES.get(usize::from(byte)).copied().unwrap_or("DEL");
            finding.message(format!("the text contains the control character 0x{byte:02X} ({name}){times}"));
            let is_break = |byte: Option<&u8>| matches!(byte, Some(b'\n' | b'\r'));
            let before = first.checked_sub(1).and_then(|before| facts.text.get(before));
            if byte == 0 && (is_break(facts.text.get(first + 1)) || is_break(before)) {
                finding.grouped("NUL at line ends");
            }
            match damaged_letters(facts, byte) {
                Letters::None => remove(finding, facts, byte),
                Letters::Some => {}
                Letters::All(letter) => {
                    finding.only_if(DOS_LETTERS_MISSING);
                    let mut restored = finding.clone();
                    restored.conditions = Conditions::default();
                    restored.only_if(DOS_LETTERS_SHOWN).expected(letter.to_string());
                    restored.message.push_str(&format!(": probably `{letter}` of a DOS code page without its highest bit"));
                    restore(&mut restored, facts, byte);
                    findings.all().push(restored);
                }
            }
        } else {
            let index = usize::from(byte - 0x80);
            let windows = match WINDOWS[index] {
                '\u{FFFD}' => "unassigned".to_owned(),
                character => format!("`{character}`"),
            };
            finding
                .severity(Severity::Info)
                .message(format!(
                    "byte 0x{byte:02X} is a control character in ISO 8859-1, {windows} in Windows-1252 \
                     and `{}` in DOS code page 850{times}",
                    DOS[index]
                ))
                .once_per_input_and(format!("{byte:02X}"));
        }
    }
}

/// Which occurrences of a control character may be letters that lost their highest bit.
enum Letters {
    None,
    Some,
    /// All of them, and which letter that is in DOS.
    All(char),
}

/// The places of a byte in a record.
fn places<'a>(facts: &RecordBytes<'a>, byte: u8) -> impl Iterator<Item = usize> + use<'a> {
    memchr::memchr_iter(byte, facts.record())
}

/// Whether a control character in a value or comment is next to letters: without it, the word would
/// lose one. NULs have other causes.
fn damaged_letters(facts: &RecordBytes<'_>, byte: u8) -> Letters {
    let record = facts.record();
    let letter = DOS.get(usize::from(byte)).copied().filter(|_| byte != 0);
    let at = |place: Option<usize>| place.and_then(|place| record.get(place)).copied().unwrap_or(b' ');
    let (mut is_letter, mut in_words, mut all) = (letter.is_some_and(|letter| letter.is_alphabetic() && letter != 'ƒ'), 0, 0);
    for place in places(facts, byte).take(MAX_PATCHES) {
        let (before, after) = (at(place.checked_sub(1)), at(Some(place + 1)));
        // A capital letter begins a word, or the whole word is in capitals.
        let is_small_word = before.is_ascii_lowercase() || !(before.is_ascii_alphabetic() || after.is_ascii_alphabetic());
        is_letter &= !(is_small_word && letter.is_some_and(char::is_uppercase));
        in_words += usize::from((before.is_ascii_alphabetic() || after.is_ascii_alphabetic()) && is_in_text(record, place));
        all += 1;
    }
    match letter {
        _ if in_words == 0 || byte == 0 => Letters::None,
        Some(letter) if in_words == all && is_letter => Letters::All(letter),
        _ => Letters::Some,
    }
}

/// Whether a place in a record is in quotes or in a comment.
fn is_in_text(record: &[u8], place: usize) -> bool {
    let before = &record[..place];
    let line = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    let quotes = before[line..].iter().filter(|byte| **byte == b'"').count();
    let is_in_comment = || memchr::memrchr2(b'{', b'}', before).is_some_and(|brace| before[brace] == b'{');
    quotes % 2 == 1 || is_in_comment()
}

/// Repairs the finding: sets the highest bit of the character wherever it is.
fn restore(finding: &mut Finding, facts: &RecordBytes<'_>, byte: u8) {
    for place in places(facts, byte).take(MAX_PATCHES) {
        let place = Span::new(place, place + 1).shifted(facts.start);
        finding.repair(Certainty::Likely, Patch::replace(facts.text, place, [byte | 0x80]));
    }
    // What is left would be reported again.
    if places(facts, byte).nth(MAX_PATCHES).is_some() {
        finding.repair = None;
    }
}

/// Repairs the finding: removes the control character wherever it is. A mark for the end of the
/// text follows all of it, and NULs at line ends are padding. Elsewhere, the character may have
/// replaced another one.
fn remove(finding: &mut Finding, facts: &RecordBytes<'_>, byte: u8) {
    let record = facts.record();
    let is_text = |other: &u8| *other != byte && !other.is_ascii_whitespace();
    let text_end = record.iter().rposition(is_text).map_or(0, |last| last + 1);
    let is_break = |other: Option<&u8>| matches!(other, Some(b'\n' | b'\r'));
    let (mut at, mut removed) = (0, 0);
    for _ in 0..MAX_PATCHES {
        let Some(start) = memchr(byte, &record[at..]).map(|found| at + found) else { return };
        at = start + record[start..].iter().take_while(|other| **other == byte).count();
        removed += at - start;
        let is_word = |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b',' | b'"' | b'{' | b'}');
        let is_graphic = |other: Option<&u8>| other.is_some_and(is_word);
        let joins =
            byte == 0 && is_graphic(record.get(at)) && is_graphic(start.checked_sub(1).and_then(|before| record.get(before)));
        if removed > MAX_REMOVED_BYTES || joins {
            break;
        }
        let is_at_break = || is_break(record.get(at)) || is_break(start.checked_sub(1).and_then(|before| record.get(before)));
        let is_padding = matches!(byte, 0x00 | 0x1A) && (start >= text_end || byte == 0x00 && is_at_break());
        let certainty = if is_padding { Certainty::Certain } else { Certainty::Likely };
        finding.repair(certainty, Patch::remove(facts.text, Span::new(start, at).shifted(facts.start)));
    }
    // What is left would be reported again, and NULs may have separated two words.
    finding.repair = None;
}
