//! ENC04: text that was decoded wrongly once.

use encoding_rs::WINDOWS_1252;

use crate::rules::{Check, Findings, Repair, Rule, Sample, Severity, Span, facts::RecordBytes, shown};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("ENC04"),
    name: "mojibake",
    severity: Severity::Info,
    summary: "Letters have become others, or are lost, by decoding text in a wrong encoding",
    what: "U+FFFD, which stands for a character that was lost; or characters beyond ASCII whose bytes in Windows-1252 are themselves a letter or a sign in UTF-8: \
           the text was in UTF-8, was read as Windows-1252, and encoded again. Once per input and kind.",
    why: "Names are found under a spelling that nobody has.",
    fix: "Encode the text as Windows-1252 once and take the bytes for UTF-8; what became U+FFFD has to be looked up in the source.",
    source: "PGN standard 4.1",
    fires: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"Schmidt, J⟦Ã¶⟧rg\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"Schmidt, J⟦\u{FFFD}⟧rg\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *\n",
        ),
    ],
    silent: &[Sample::Pgn(
        "[Event \"ÇAĞRI «Ä…» São Ž™\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"voilà\u{A0}»\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *\n",
    )],
    check: Check::Bytes(check),
    ..Rule::DEFAULTS
};

fn check(facts: &RecordBytes<'_>, findings: &mut Findings) {
    let mut start = facts.start;
    let (mut lost, mut twice) = (None, None);
    for chunk in facts.record().utf8_chunks() {
        let text = chunk.valid();
        if !text.is_ascii() {
            lost = lost.or_else(|| text.find('\u{FFFD}').map(|at| start + at));
            twice = twice.or_else(|| encoded_twice(text).map(|(place, meant)| (place.shifted(start), meant)));
        }
        start += text.len() + chunk.invalid().len();
    }
    if let Some(at) = lost {
        findings
            .add(&RULE, Span::new(at, at + '\u{FFFD}'.len_utf8()))
            .found("\u{FFFD}")
            .message("U+FFFD stands where a character was lost when text was decoded in a wrong encoding")
            .once_per_input_and("lost");
    }
    if let Some((place, meant)) = twice {
        let found = shown(place.of(facts.text));
        let message = format!("`{found}` is `{meant}` in UTF-8, taken for Windows-1252 and encoded again");
        let finding = findings.add(&RULE, place).message(message).expected(meant).once_per_input_and("twice").found(found);
        finding.repair = Some(Repair::Likely);
    }
}

/// The first characters that are one character encoded twice, and that character.
fn encoded_twice(text: &str) -> Option<(Span, char)> {
    for (at, lead) in text.char_indices().filter(|(_, character)| !character.is_ascii()) {
        let Some(first) = byte(lead).filter(|byte| (0xC2..=0xF4).contains(byte)) else { continue };
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
        let Some(meant) = std::str::from_utf8(&bytes[..count]).ok().and_then(|meant| meant.chars().next()) else { continue };
        if count == length && is_plain(meant, text[end..].chars().next()) {
            return Some((Span::new(at, end), meant));
        }
    }
    None
}

/// The byte that stands for a character in Windows-1252, or in ISO 8859-1 where that has none.
fn byte(character: char) -> Option<u8> {
    if let '\u{80}'..='\u{9F}' = character {
        return u8::try_from(u32::from(character)).ok();
    }
    let mut buffer = [0; 4];
    let (bytes, _, lost) = WINDOWS_1252.encode(character.encode_utf8(&mut buffer));
    (!lost).then(|| bytes.first().copied()).flatten()
}

/// Whether a character is one of those that names and comments hold, and not what a capital and a sign behind it make by
/// chance: `Ä…` at the end of a word is no `ą`.
fn is_plain(meant: char, after: Option<char>) -> bool {
    match meant {
        '\u{A1}'..='\u{FF}' | '\u{2010}'..='\u{2027}' | '€' | '\u{2654}'..='\u{265F}' => true,
        '\u{100}'..='\u{24F}' | '\u{370}'..='\u{4FF}' | '\u{1E00}'..='\u{1EFF}' => {
            after.is_some_and(|after| after.is_alphabetic())
        }
        _ => false,
    }
}
