//! ENC06: control characters.

use crate::rules::{Check, Findings, Rule, Sample, Severity, Span, Yield, facts::RecordBytes};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("ENC06"),
    name: "control-char",
    severity: Severity::Warning,
    summary: "A control character stands in the text",
    what: "A byte below 20 other than HT, LF, VT, FF and CR, or 7F: one finding for each record and value, at the first one, with the count. \
           Bytes 80 to 9F in a record that is not UTF-8 are the quotes and dashes of Windows-1252, or letters in a code page of DOS, and control characters only by the letter: \
           an info, once per input and value.",
    why: "Readers stop at such a byte (1A ends a file under DOS, 00 ends a string in C), or keep it in names, where nobody sees it.",
    fix: "Delete it; in Windows-1252 text, convert the file to UTF-8.",
    source: "PGN standard 4.1",
    yields: &[Yield::InRecord(code!("ENC01"))],
    fires: &[Sample::Moves("1. e4 {best⟦\u{7}⟧ by test} e5 *"), Sample::Moves("1. e4 e5 *\n⟦\u{1A}⟧")],
    silent: &[Sample::Moves("1. e4 {best\tby test} e5 *")],
    check: Check::Bytes(check),
    ..Rule::DEFAULTS
};

/// What Windows-1252 has from 80 to 9F; U+FFFD where it has nothing.
const WINDOWS: [char; 32] = [
    '€', '\u{FFFD}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{FFFD}', 'Ž', '\u{FFFD}', '\u{FFFD}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{FFFD}', 'ž', 'Ÿ',
];

/// What the code page 850 of DOS has from 80 to 9F; 437 has the same letters.
const DOS: [char; 32] = [
    'Ç', 'ü', 'é', 'â', 'ä', 'à', 'å', 'ç', 'ê', 'ë', 'è', 'ï', 'î', 'ì', 'Ä', 'Å', 'É', 'æ', 'Æ', 'ô', 'ö', 'ò', 'û', 'ù', 'ÿ',
    'Ö', 'Ü', 'ø', '£', 'Ø', '×', 'ƒ',
];

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
    "SUB, the end of file of DOS",
    "ESC",
    "FS",
    "GS",
    "RS",
    "US",
];

fn check(facts: &RecordBytes<'_>, findings: &mut Findings) {
    // For each value: how many there are, and where the first is.
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
            if (byte < 0x20 && !(0x09..=0x0D).contains(&byte)) || byte == 0x7F {
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
        let times = if count == 1 { String::new() } else { format!(", {count} times in this record") };
        let finding = findings.add(&RULE, Span::new(first, first + 1)).found(format!("\\x{byte:02X}"));
        if byte < 0x80 {
            let name = NAMES.get(usize::from(byte)).copied().unwrap_or("DEL");
            finding.message(format!("control character {byte:02X} ({name}) stands in the text{times}"));
        } else {
            let index = usize::from(byte - 0x80);
            let windows = match WINDOWS[index] {
                '\u{FFFD}' => "nothing".to_owned(),
                character => format!("`{character}`"),
            };
            finding
                .severity(Severity::Info)
                .message(format!(
                    "byte {byte:02X} is a control character in ISO 8859-1, {windows} in Windows-1252, `{}` under DOS{times}",
                    DOS[index]
                ))
                .once_per_input_and(format!("{byte:02X}"));
        }
    }
}
