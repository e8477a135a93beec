//! ENC01: inputs that are not plain text.

use crate::rules::prelude::*;

/// A sample without faults, in ASCII.
const TEXT: &[u8] =
    b"[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n*\n";

/// The same sample in UTF-16, after the marks of a place and `mark`.
const fn wide<const LENGTH: usize>(mark: &[u8]) -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    let before = "⟦⟧".as_bytes();
    let mut at = 0;
    while at < before.len() {
        bytes[at] = before[at];
        at += 1;
    }
    let mut of_mark = 0;
    while of_mark < mark.len() {
        bytes[at] = mark[of_mark];
        (at, of_mark) = (at + 1, of_mark + 1);
    }
    let mut of_text = 0;
    while of_text < TEXT.len() {
        bytes[at] = TEXT[of_text];
        (at, of_text) = (at + 2, of_text + 1);
    }
    bytes
}

static WITH_MARK: [u8; 8 + 2 * TEXT.len()] = wide(b"\xFF\xFE");
static WITHOUT_MARK: [u8; 6 + 2 * TEXT.len()] = wide(b"");

pub static RULE: Rule = Rule {
    code: code!("ENC01"),
    name: "not-text",
    severity: Severity::Error,
    summary: "The input is UTF-16, UTF-32 or an unsupported archive",
    what: "UTF-16 is a warning: it is converted to UTF-8 and checked. Lines, columns and bytes then \
           refer to the converted text. Without a byte order mark, nearly every other byte must be \
           NUL. UTF-32 and unsupported archives are errors. They are not checked. Single NUL bytes \
           are ENC06.",
    why: "PGN, FEN and EPD use one byte per ASCII character. Programs that read these formats find \
           no games in such a file.",
    fix: "Save the file as UTF-8, or unpack the archive first. `chess-audit fix` writes UTF-8.",
    source: "PGN standard 4.1",
    fires: &[
        Sample::PgnBytes(b"\xE2\x9F\xA6\xE2\x9F\xA7\xFF\xFE\0\0[\0\0\0E\0\0\0"),
        Sample::PgnBytes(&WITH_MARK),
        Sample::PgnBytes(&WITHOUT_MARK),
    ],
    silent: &[Sample::PgnBytes(TEXT)],
    check: Check::Input,
    ..Rule::DEFAULTS
};

/// Reports that the input is not plain text. `what` is the encoding or the type of archive.
pub fn report(findings: &mut Findings, what: &str) {
    let is_text = what.starts_with("UTF");
    let message = if is_text {
        format!("the input is {what}: save it as UTF-8")
    } else {
        format!("the input is a {what} archive that cannot be unpacked here: unpack it first")
    };
    findings.add(&RULE, Span::new(0, if is_text { 0 } else { 4 })).found(what).message(message);
}

/// Reports that the input was converted from UTF-16.
pub fn report_converted(findings: &mut Findings) {
    findings
        .add(&RULE, Span::new(0, 0))
        .severity(Severity::Warning)
        .found("UTF-16")
        .message("the input is UTF-16; it was converted to UTF-8 for the audit");
}
