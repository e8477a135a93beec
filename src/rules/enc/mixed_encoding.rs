//! ENC03: inputs in two encodings.

use crate::rules::prelude::*;
use crate::rules::{Note, Notes};

pub static RULE: Rule = Rule {
    code: code!("ENC03"),
    name: "mixed-encoding",
    severity: Severity::Warning,
    summary: "UTF-8 and another encoding are mixed in one input",
    what: "Some words of the input beyond ASCII are UTF-8, and others are not. A few bytes that \
           happen to be valid in both encodings do not count. Reported once per input, at the first \
           byte that is not UTF-8. The other encoding is named if the words show it.",
    why: "No single encoding fits the whole input. Every program reads some of the names wrong.",
    fix: "Convert the original files to UTF-8 one by one, then join them again.",
    source: "PGN standard 4.1",
    fires: &[Sample::PgnBytes(
        b"[Event \"Sample\"]\n[Site \"Malm\xC3\xB6\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"Helbich, J\xE2\x9F\xA6\xE1\xE2\x9F\xA7n\"]\n\
          [Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *\n",
    )],
    silent: &[Sample::Game {
        tags: "[Site \"Malmö\"]\n[White \"Helbich, Ján\"]",
        moves: "1. e4 e5 *",
    }],
    check: Check::Bytes(check),
    note: Some(&Note { holds: |notes, _| notes.words.are_mixed(), complete, ..Note::DEFAULTS }),
    ..Rule::DEFAULTS
};

/// Some words of the input beyond ASCII are UTF-8, and others are not.
pub const ENCODING_MIXED: Condition = Condition::new(RULE.code, 0);

fn complete(notes: &Notes, _: Condition, finding: &mut Finding) -> bool {
    if let Some(encoding) = notes.words.probable_encoding() {
        finding.message.push_str(&format!(", probably UTF-8 and {encoding}"));
    }
    false
}

fn check(facts: &RecordBytes<'_>, findings: &mut Findings) {
    let Some(place) = super::first_invalid(facts) else { return };
    let found = shown(place.of(facts.text));
    let message = format!(
        "`{found}` is not UTF-8, but other words of the input are: \
         files in different encodings were joined"
    );
    findings.add(&RULE, place).found(found).message(message).once_per_input().only_if(ENCODING_MIXED);
}
