//! `bad-string`.

use crate::rules::{Check, Findings, Rule, Sample, Severity, Span, facts::OperationFacts, shown};

/// EPD04: a string is never closed, or too long.
pub static RULE: Rule = Rule {
    code: code!("EPD04"),
    name: "bad-string",
    severity: Severity::Error,
    summary: "A string is never closed, or too long",
    what: "A string ends with the quote that closes it, before the end of the line; that it does not is an error. A string of more than 255 bytes is a warning, a record of more than 1024 bytes an info, once per input. In a table, a quoted cell is closed by a quote behind which the cell ends, within 1 MiB; where it is not, that is an error, and the rest of the line is not read.",
    why: "The rest of the line is swallowed, or cut off.",
    fix: "Close the string.",
    source: "PGN standard 1994, section 16.2.3",
    fires: &[Sample::Positions(r#"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id ⟦"⟧abc;"#)],
    silent: &[Sample::Positions(r#"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id "a\"bc;";"#)],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

/// Notes that the cell of a table that opens with the quote at `place` is never closed.
pub fn report_open_cell(findings: &mut Findings, place: Span) {
    findings
        .add(&RULE, place)
        .found("\"")
        .message("the quoted cell that begins here is never closed; it and the rest of its line are not examined");
}

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let mut first = true;
    for operation in &facts.operations.list {
        if let Some(place) = operation.open_quote {
            findings.add(&RULE, place).found("\"").message(format!(
                "the string that begins here, an operand of `{}`, is never closed",
                shown(operation.opcode.of(facts.text))
            ));
            continue;
        }
        for operand in operation.operands(facts.text).filter(|operand| operand.quoted) {
            let length = operand.place.end - operand.place.start;
            if length > 255 {
                findings
                    .add(&RULE, operand.place)
                    .severity(Severity::Warning)
                    .found(shown(operand.place.of(facts.text)))
                    .expected("at most 255 bytes")
                    .message(format!("the string has {length} bytes"));
            }
        }
        let place = Span::new(facts.fen.position().start, operation.operands.end);
        if first && place.end - place.start > 1024 {
            first = false;
            findings.add(&RULE, place).severity(Severity::Info).once_per_input().message("the record has more than 1024 bytes");
        }
    }
}
