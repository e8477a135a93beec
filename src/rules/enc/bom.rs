//! ENC05: byte order marks.

use memchr::memmem;

use crate::pgn::BOM;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("ENC05"),
    name: "bom",
    severity: Severity::Warning,
    summary: "The text contains a byte order mark",
    what: "The text contains U+FEFF, the bytes EF BB BF in UTF-8. At the very start of an input it \
           is an info. Anywhere else it is a warning, reported once per record.",
    why: "UTF-8 does not need a byte order mark. In the middle of a file it shows that files were \
           joined, and many readers miss the tag pair after it.",
    fix: "Delete the three bytes.",
    source: "PGN standard 4.1; Unicode standard 23.8",
    repairs: Some(Certainty::Certain),
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
    let leading = facts.at_input_start && facts.start <= BOM.len() && facts.text.starts_with(BOM);
    if leading {
        findings
            .add(&RULE, Span::new(0, BOM.len()))
            .severity(Severity::Info)
            .found("\\u{feff}")
            .message("the input begins with a byte order mark, which UTF-8 does not need")
            .repair(Certainty::Certain, Patch::remove(facts.text, Span::new(0, BOM.len())));
    }
    let from = if leading { facts.start.max(BOM.len()) } else { facts.start };
    let Some(rest) = facts.text.get(from..facts.end) else { return };
    let places = || memmem::find_iter(rest, BOM).map(|at| Span::new(from + at, from + at + BOM.len()));
    let mut marks = places();
    let Some(first) = marks.next() else { return };
    let message = match marks.count() {
        0 => "byte order mark inside the text: files were probably joined here".to_owned(),
        more => format!(
            "byte order mark inside the text, {} times in this record: \
             files were probably joined here",
            more + 1
        ),
    };
    let finding = findings.add(&RULE, first).once_if_usual("").found("\\u{feff}").message(message);
    for mark in places() {
        finding.repair(Certainty::Certain, Patch::remove(facts.text, mark));
    }
}
