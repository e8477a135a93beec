//! ENC01: inputs that are not plain text.

use crate::rules::{Check, Findings, Rule, Sample, Severity, Span};

pub static RULE: Rule = Rule {
    code: code!("ENC01"),
    name: "not-text",
    severity: Severity::Error,
    summary: "The input is UTF-16 or an unsupported archive",
    what: "The input is text in UTF-16 or UTF-32, or an archive of a type that cannot be unpacked. \
           Archives of supported types are unpacked and checked. Single NUL bytes are ENC06.",
    why: "PGN, FEN and EPD use one byte per ASCII character. Programs that read these formats find \
           no games in such a file.",
    fix: "Save the file as UTF-8, or unpack the archive first.",
    source: "PGN standard 4.1",
    fires: &[Sample::PgnBytes(b"\xE2\x9F\xA6\xFF\xFE\xE2\x9F\xA7[\0E\0v\0e\0n\0t\0 \0\"\0?\0\"\0]\0\n\0\n\0*\0\n\0")],
    silent: &[Sample::PgnBytes(
        b"[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n*\n",
    )],
    check: Check::Input,
    ..Rule::DEFAULTS
};

/// Reports that the input is not plain text. `what` is `UTF-16` or the type of archive.
pub fn report(findings: &mut Findings, what: &str) {
    let utf16 = what.starts_with("UTF-16");
    let message = if utf16 {
        format!("the input is {what}: save it as UTF-8")
    } else {
        format!("the input is a {what} archive that cannot be unpacked here: unpack it first")
    };
    findings.add(&RULE, Span::new(0, if utf16 { 2 } else { 4 })).found(what).message(message);
}
