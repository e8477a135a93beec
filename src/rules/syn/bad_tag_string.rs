//! SYN03: malformed values of tag pairs.

use memchr::memmem;

use crate::pgn::{TagFault, TagPair, line_end, read_tag};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("SYN03"),
    name: "bad-tag-string",
    severity: Severity::Warning,
    summary: "The value of a tag pair is malformed",
    what: "The value of a tag pair contains an unescaped quote or backslash, a tab or a line \
           break, or it is longer than 255 characters. Escaped quotes and backslashes are allowed.",
    why: "Readers end the value at the first quote and lose the rest, or reject the whole tag \
           pair.",
    fix: "Put a backslash before each quote and backslash inside the value. Replace tabs and line \
           breaks with spaces.",
    source: "PGN standard 4.3, 7",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Pgn(game!("First", "1-0", "[Annotator \"Misha ⟦\"⟧Tal\" Nekhemevich\"]\n", "1. e4 e5 2. Nf3 1-0")),
        Sample::Pgn(game!("First", "1-0", "[Annotator \"C:⟦\\⟧Tal\"]\n", "1. e4 e5 2. Nf3 1-0")),
        Sample::Pgn(game!("First", "1-0", "[Annotator \"Misha⟦\n⟧Tal\"]\n", "1. e4 e5 2. Nf3 1-0")),
    ],
    silent: &[Sample::Pgn(game!("First", "1-0", "[Annotator \"Misha \\\"Tal\\\" Nekhemevich\"]\n", "1. e4 e5 2. Nf3 1-0"))],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    let SyntaxFaultKind::Tag(TagFault::String(why)) = facts.kind else { return };
    let pair = pair_around(facts.text, facts.place);
    // The rules about positions report a backslash in a FEN, and how to repair it.
    if pair.is_some_and(|pair| pair.name.of(facts.text).eq_ignore_ascii_case(b"FEN")) {
        return;
    }
    let finding = findings.add(&RULE, facts.place).once_if_usual(why);
    finding.message(why);
    let Some(pair) = pair else {
        finding.found(shown(facts.place.of(facts.text)));
        return;
    };
    let value = pair.value.of(facts.text);
    let name = shown(pair.name.of(facts.text));
    finding.found(format!("\"{}\"", shown(value))).message(format!("{name} tag: {why}"));
    if let Some(escaped) = escaped(value) {
        finding.expected(format!("\"{}\"", String::from_utf8_lossy(&escaped)));
        // A header in the value shows that a line was lost, not that quotes are not escaped.
        if memmem::find(value, b"[Event ").is_none() {
            finding.repair(Certainty::Likely, Patch::replace(facts.text, pair.value, escaped));
        }
    }
}

/// The tag pair, on the line of `place`, that contains `place`.
fn pair_around(text: &[u8], place: Span) -> Option<TagPair> {
    let line = text.get(..place.start)?.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |at| at + 1);
    let end = line_end(text, place.start);
    let mut at = line;
    while at < end {
        let open = at + text[at..end].iter().position(|&byte| byte == b'[')?;
        let read = read_tag(text, open);
        if place.start < read.end {
            return read.pair;
        }
        at = read.end.max(open + 1);
    }
    None
}

/// The value with its quotes and backslashes escaped, and with spaces in place of tabs and line
/// breaks; `None` if that does not repair it.
pub(super) fn escaped(value: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::with_capacity(value.len() + 2);
    let mut bytes = value.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => {
                text.push(b'\\');
                text.push(bytes.next_if(|next| matches!(next, b'"' | b'\\')).unwrap_or(b'\\'));
            }
            b'"' => text.extend_from_slice(b"\\\""),
            b'\r' if bytes.peek() == Some(&b'\n') => {}
            b'\t' | b'\n' | b'\r' => text.push(b' '),
            control if control.is_ascii_control() => return None,
            other => text.push(other),
        }
    }
    (text.len() <= 255 && text != value).then_some(text)
}
