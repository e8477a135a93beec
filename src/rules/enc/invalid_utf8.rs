//! ENC02: inputs in another encoding than UTF-8.

use crate::rules::prelude::*;
use crate::rules::{Note, Notes};

pub static RULE: Rule = Rule {
    code: code!("ENC02"),
    name: "invalid-utf8",
    severity: Severity::Info,
    summary: "The input is not UTF-8, but in another encoding",
    what: "The input contains words that are not UTF-8, and no words beyond ASCII that certainly \
           are. It is in another encoding, such as Windows-1252. If the words show which one, it is \
           named. Reported once per input. For inputs that mix both, see ENC03.",
    why: "The PGN standard of 1994 specifies ISO 8859-1, but most tools now expect UTF-8. They \
           show wrong characters in names or reject the file.",
    fix: "Convert the file from its encoding to UTF-8, for example with \
          `iconv -f WINDOWS-1252 -t UTF-8`.",
    source: "PGN standard 4.1",
    fires: &[Sample::PgnBytes(
        b"[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"Helbich, J\xE2\x9F\xA6\xE1\xE2\x9F\xA7n\"]\n[Black \"?\"]\n\
          [Result \"*\"]\n\n1. e4 e5 *\n",
    )],
    silent: &[Sample::Game { tags: "[White \"Helbich, Ján\"]", moves: "1. e4 e5 *" }],
    check: Check::Bytes(check),
    note: Some(&Note { holds: |notes, _| notes.words.has_others() && !notes.words.are_mixed(), complete, ..Note::DEFAULTS }),
    ..Rule::DEFAULTS
};

/// Some words of the input are not UTF-8, and none beyond ASCII certainly are.
pub const ENCODING_LATIN: Condition = Condition::new(RULE.code, 0);

fn complete(notes: &Notes, _: Condition, finding: &mut Finding) -> bool {
    if let Some(encoding) = notes.words.probable_encoding() {
        finding.message.push_str(&format!(", probably {encoding}"));
    }
    false
}

fn check(facts: &RecordBytes<'_>, findings: &mut Findings) {
    let Some(place) = super::first_invalid(facts) else { return };
    let found = shown(place.of(facts.text));
    let message = format!("`{found}` is not UTF-8: the input is in another encoding");
    findings.add(&RULE, place).found(found).message(message).once_per_input().only_if(ENCODING_LATIN);
}
