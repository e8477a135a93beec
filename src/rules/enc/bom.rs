//! ENC05: byte order marks.

use memchr::memmem;

use crate::rules::{Check, Findings, Rule, Sample, Severity, Span, facts::RecordBytes};

/// U+FEFF in UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("ENC05"),
    name: "bom",
    severity: Severity::Warning,
    summary: "A byte order mark stands in the text",
    what: "U+FEFF, in UTF-8 the bytes EF BB BF. At the very start of an input it is an info; anywhere else a warning, \
           one for each record, at the first mark in it.",
    why: "UTF-8 needs none. Within a file it shows that files were joined, and many readers do not see the tag pair that follows it.",
    fix: "Delete the three bytes.",
    source: "PGN standard 4.1; Unicode standard 23.8",
    fires: &[
        Sample::Pgn(
            "⟦\u{FEFF}⟧[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *\n",
        ),
        Sample::Moves("1. e4 {⟦\u{FEFF}⟧best by test} e5 *"),
    ],
    silent: &[Sample::Moves("1. e4 {best by tést} e5 *")],
    check: Check::Bytes(check),
    ..Rule::DEFAULTS
};

fn check(facts: &RecordBytes<'_>, findings: &mut Findings) {
    let leading = facts.at_input_start && facts.start <= MARK.len() && facts.text.starts_with(MARK);
    if leading {
        findings
            .add(&RULE, Span::new(0, MARK.len()))
            .severity(Severity::Info)
            .found("\\u{feff}")
            .message("the input begins with a byte order mark, which UTF-8 does not need");
    }
    let from = if leading { facts.start.max(MARK.len()) } else { facts.start };
    let Some(rest) = facts.text.get(from..facts.end) else { return };
    let mut marks = memmem::find_iter(rest, MARK);
    let Some(first) = marks.next() else { return };
    let message = match marks.count() {
        0 => "a byte order mark stands within the text: files were joined here".to_owned(),
        more => format!("a byte order mark stands within the text, {} in this record: files were joined here", more + 1),
    };
    let start = from + first;
    findings.add(&RULE, Span::new(start, start + MARK.len())).found("\\u{feff}").message(message);
}
