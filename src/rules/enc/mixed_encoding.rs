//! ENC03: an input in two encodings.

use crate::rules::{Check, Condition, Findings, Rule, Sample, Severity, facts::RecordBytes, shown};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("ENC03"),
    name: "mixed-encoding",
    severity: Severity::Warning,
    summary: "Some text of the input is UTF-8 and some is in an 8-bit encoding",
    what: "The input holds at least one character of more than one byte in valid UTF-8, and at least one byte above 7F that is not UTF-8. \
           Reported once per input, at the first such byte.",
    why: "No single encoding reads all of it: whichever a program takes, some names come out wrong.",
    fix: "Files of different encodings were joined: convert them to UTF-8 one by one, then join them.",
    source: "PGN standard 4.1",
    fires: &[Sample::PgnBytes(
        b"[Event \"Sample\"]\n[Site \"Malm\xC3\xB6\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"Helbich, J\xE2\x9F\xA6\xE1\xE2\x9F\xA7n\"]\n\
          [Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *\n",
    )],
    silent: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"Malmö\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"Helbich, Ján\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *\n",
    )],
    check: Check::Bytes(check),
    ..Rule::DEFAULTS
};

fn check(facts: &RecordBytes<'_>, findings: &mut Findings) {
    let Some(place) = super::first_invalid(facts) else { return };
    let found = shown(place.of(facts.text));
    let message = format!("`{found}` is not UTF-8, while other text of the input is: files of different encodings were joined");
    findings.add(&RULE, place).found(found).message(message).once_per_input().only_if(Condition::EncodingMixed);
}
