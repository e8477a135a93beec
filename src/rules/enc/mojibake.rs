//! ENC04: text that was decoded with the wrong encoding.

use encoding_rs::WINDOWS_1252;

use crate::rules::MAX_PATCHES;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("ENC04"),
    name: "mojibake",
    severity: Severity::Info,
    summary: "Text was decoded with the wrong encoding",
    what: "The text contains U+FFFD, which replaces a character that could not be decoded. Or it \
           contains UTF-8 that was decoded as Windows-1252 and encoded again, such as `Ã¶` for \
           `ö`. Each of the two kinds is reported once per input.",
    why: "Names are misspelled, so searches do not find them.",
    fix: "Restore the text from its source. Double encoding can also be undone: encode the text as \
           Windows-1252 and decode the bytes as UTF-8.",
    source: "PGN standard 4.1",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Game { tags: "[White \"Schmidt, J⟦Ã¶⟧rg\"]", moves: "1. e4 e5 *" },
        Sample::Game { tags: "[White \"Schmidt, J⟦�⟧rg\"]", moves: "1. e4 e5 *" },
        Sample::Game { tags: "[White \"Petrovic, Mi⟦Å¡⟧a\"]", moves: "1. e4 e5 *" },
    ],
    silent: &[Sample::Game { tags: "[Event \"ÇAĞRI «Ä…» São Ž™\"]\n[White \"voilà »\"]", moves: "1. e4 e5 *" }],
    check: Check::Bytes(check),
    ..Rule::DEFAULTS
};

/// Reports the first U+FFFD and the first double-encoded character of a record.
fn check(facts: &RecordBytes<'_>, findings: &mut Findings) {
    let mut start = facts.start;
    let (mut lost, mut twice) = (None, None);
    for chunk in facts.record().utf8_chunks() {
        let text = chunk.valid();
        if !text.is_ascii() {
            lost = lost.or_else(|| text.find('\u{FFFD}').map(|at| start + at));
            twice = twice.or_else(|| encoded_twice(text).next().map(|(place, meant)| (place.shifted(start), meant)));
        }
        start += text.len() + chunk.invalid().len();
    }
    if let Some(at) = lost {
        findings
            .add(&RULE, Span::new(at, at + '\u{FFFD}'.len_utf8()))
            .found("\u{FFFD}")
            .message("U+FFFD replaces a character that was lost by decoding with the wrong encoding")
            .once_per_input_and("lost");
    }
    if let Some((place, meant)) = twice {
        let found = shown(place.of(facts.text));
        let message = format!(
            "`{found}` is probably `{meant}`: \
             UTF-8 was decoded as Windows-1252 and encoded again"
        );
        let finding = findings.add(&RULE, place).message(message).expected(meant).once_per_input_and("twice").found(found);
        for patch in decoded(facts) {
            finding.repair(Certainty::Likely, patch);
        }
    }
}

/// Decodes all characters that were encoded twice. Empty if the text would still contain some.
fn decoded(facts: &RecordBytes<'_>) -> Vec<Patch> {
    let mut start = facts.start;
    let mut patches = Vec::new();
    for chunk in facts.record().utf8_chunks() {
        let text = chunk.valid();
        let (mut copied, mut after) = (0, String::new());
        for (place, meant) in encoded_twice(text) {
            after.push_str(&text[copied..place.start]);
            after.push(meant);
            copied = place.end;
            patches.push(Patch::replace(facts.text, place.shifted(start), meant.to_string()));
            if patches.len() > MAX_PATCHES {
                return Vec::new();
            }
        }
        after.push_str(&text[copied..]);
        if copied > 0 && encoded_twice(&after).next().is_some() {
            return Vec::new();
        }
        start += text.len() + chunk.invalid().len();
    }
    patches
}

/// The characters that were encoded twice, each with its place.
fn encoded_twice(text: &str) -> impl Iterator<Item = (Span, char)> {
    let mut end_of_last = 0;
    text.char_indices().filter(|(_, character)| !character.is_ascii()).filter_map(move |(at, lead)| {
        let first = byte(lead).filter(|byte| at >= end_of_last && (0xC2..=0xF4).contains(byte))?;
        let length = match first {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            _ => 4,
        };
        let rest = &text[at..];
        let mut bytes = [0; 4];
        let mut end = at;
        let mut count = 0;
        for (own, character) in bytes.iter_mut().zip(rest.chars()).take(length) {
            let Some(encoded) = byte(character) else { break };
            (*own, end, count) = (encoded, end + character.len_utf8(), count + 1);
        }
        let meant = std::str::from_utf8(&bytes[..count]).ok().and_then(|meant| meant.chars().next())?;
        if count != length || !is_common(meant, text[end..].chars().next()) {
            return None;
        }
        end_of_last = end;
        Some((Span::new(at, end), meant))
    })
}

/// The byte of a character in Windows-1252, or in ISO 8859-1 if Windows-1252 does not have it.
fn byte(character: char) -> Option<u8> {
    if let '\u{80}'..='\u{9F}' = character {
        return u8::try_from(u32::from(character)).ok();
    }
    let mut buffer = [0; 4];
    let (bytes, _, lost) = WINDOWS_1252.encode(character.encode_utf8(&mut buffer));
    (!lost).then(|| bytes.first().copied()).flatten()
}

/// Whether a character is common in names and comments. A capital letter followed by a sign can be
/// valid UTF-8 by chance: `Ä…` at the end of a word is not `ą`.
fn is_common(meant: char, after: Option<char>) -> bool {
    match meant {
        '\u{A1}'..='\u{FF}' | '\u{2010}'..='\u{2027}' | '€' | '\u{2654}'..='\u{265F}' => true,
        '\u{100}'..='\u{24F}' | '\u{370}'..='\u{4FF}' | '\u{1E00}'..='\u{1EFF}' => {
            after.is_some_and(|after| after.is_alphabetic())
        }
        _ => false,
    }
}
