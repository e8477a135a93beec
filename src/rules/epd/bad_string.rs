//! EPD04: strings that are unclosed or too long.

use crate::epd::{Closing, Opcode};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EPD04"),
    name: "bad-string",
    severity: Severity::Error,
    summary: "A string is unclosed or too long",
    what: "A string without a closing quote on its line is an error. The lines that follow \
           it up to the next quote are its rest, unless they begin with a position. A string of more than 255 \
           bytes is a warning. A record of more than 1024 bytes is an info, reported once per \
           input. In a table, a quoted cell without a closing quote within 1 MiB is an error, and \
           the rest of its line is not checked.",
    why: "Parsers read the rest of the line as part of the string, or cut it off.",
    fix: "Add the closing quote, or shorten the string.",
    source: "PGN standard 16.2.3",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Positions(r#"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id ⟦"⟧abc;"#),
        // An editor has broken the line.
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; c0 ⟦\"⟧e3 draws, but\na8/Q wins\"; id \"1\";"),
    ],
    silent: &[Sample::Positions(r#"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id "a\"bc;";"#)],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

/// Maximum length of a string in bytes.
const MAX_STRING: usize = 255;
/// Maximum length of a record in bytes.
const MAX_RECORD: usize = 1024;

/// Whether a finding is about a string without a closing quote.
pub fn is_unclosed(finding: &Finding) -> bool {
    finding.rule.code == RULE.code && finding.severity == RULE.severity
}

/// Reports a quoted cell of a table without a closing quote. `place` is its opening quote.
pub fn report_open_cell(findings: &mut Findings, place: Span) {
    findings
        .add(&RULE, place)
        .found("\"")
        .message("the quoted cell has no closing quote: it and the rest of its line are not checked");
}

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let mut is_reported = false;
    for operation in &facts.operations.list {
        if let Some(place) = operation.open_quote {
            findings
                .add(&RULE, place)
                .once_if_usual("quote")
                .found("\"")
                .repair(Certainty::Likely, closing_quote(facts.text, Span::new(place.end, operation.operands.end)))
                .message(format!("a string after `{}` has no closing quote", shown(operation.opcode.of(facts.text))));
            continue;
        }
        for operand in operation.operands(facts.text).filter(|operand| operand.quoted) {
            let length = operand.place.end - operand.place.start;
            if length > MAX_STRING {
                findings
                    .add(&RULE, operand.place)
                    .severity(Severity::Warning)
                    .once_if_usual("length")
                    .found(shown(operand.place.of(facts.text)))
                    .expected("at most 255 bytes")
                    .message(format!("the string has {}, more than {MAX_STRING}", quantity(length, "byte", "bytes")));
            }
        }
        let semicolon = usize::from(operation.closing == Closing::Semicolon);
        let place = Span::new(facts.fen.position().start, operation.operands.end + semicolon);
        if !is_reported && place.end - place.start > MAX_RECORD {
            is_reported = true;
            let message = format!("the record has more than {}", quantity(MAX_RECORD, "byte", "bytes"));
            findings.add(&RULE, place).severity(Severity::Info).once_per_input().message(message);
        }
    }
}

/// Inserts the closing quote of the string at `place`: before the first semicolon after which an
/// operation or nothing follows, or at the end.
fn closing_quote(text: &[u8], place: Span) -> Patch {
    let string = place.of(text);
    let ends_string = |at: &usize| {
        let rest = string[at + 1..].trim_ascii_start();
        let word = rest.split(|byte| byte.is_ascii_whitespace() || *byte == b';').next().unwrap_or_default();
        rest.is_empty() || Opcode::read(word) != Opcode::Other
    };
    let end = memchr::memchr_iter(b';', string).find(ends_string).unwrap_or(string.len());
    Patch::insert(place.start + end, *b"\"")
}
