//! ENC01: an input that is no text.

use crate::rules::{Check, Findings, Rule, Sample, Severity, Span};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("ENC01"),
    name: "not-text",
    severity: Severity::Error,
    summary: "The input is UTF-16, or an archive of a kind that is not unpacked",
    what: "The input begins with the byte order mark of UTF-16, or with the signature of an archive that cannot be unpacked here. \
           Archives of a known kind are unpacked, and a NUL byte alone is ENC06.",
    why: "PGN, FEN and EPD are text with one byte per ASCII character; no program that reads them sees a game in such a file.",
    fix: "Save the file as UTF-8, or unpack it first.",
    source: "PGN standard 4.1",
    fires: &[Sample::PgnBytes(b"\xE2\x9F\xA6\xFF\xFE\xE2\x9F\xA7[\0E\0v\0e\0n\0t\0 \0\"\0?\0\"\0]\0\n\0\n\0*\0\n\0")],
    silent: &[Sample::PgnBytes(
        b"[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n*\n",
    )],
    check: Check::Input,
    ..Rule::DEFAULTS
};

/// Notes that the input is no text but `what`: `UTF-16`, or the kind of archive.
pub fn report(findings: &mut Findings, what: &str) {
    let utf16 = what.starts_with("UTF-16");
    let message = if utf16 {
        format!("the input is {what}: save it as UTF-8")
    } else {
        format!("the input is an archive ({what}) that cannot be unpacked here: unpack it first")
    };
    findings.add(&RULE, Span::new(0, if utf16 { 2 } else { 4 })).found(what).message(message);
}
