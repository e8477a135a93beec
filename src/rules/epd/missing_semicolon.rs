//! `missing-semicolon`.

use crate::{
    epd::Closing,
    rules::{Check, Findings, Repair, Rule, Sample, Severity, Span, Yield, facts::OperationFacts, shown},
};

/// EPD03: an operation is not closed by a semicolon.
pub static RULE: Rule = Rule {
    code: code!("EPD03"),
    name: "missing-semicolon",
    severity: Severity::Error,
    summary: "An operation is not closed by a semicolon",
    what: "Every operation ends with `;`. Where an opcode stands among the moves or numbers of another operation, two operations run into each other, and that is an error. A last operation that ends with the line is a warning. Dialects are an info, once per input: a semicolon before the first operation, as in `;D1 20 ;D2 400`, and six fields with operations that have no semicolon at all.",
    why: "Readers take the next operation for operands of this one.",
    fix: "Put the semicolon.",
    source: "PGN standard 1994, section 16.2.4",
    yields: &[Yield::InRecord(code!("EPD02"))],
    fires: &[
        Sample::Positions(r#"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4⟦⟧ id "x";"#),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; dm 30⟦⟧"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ⟦;⟧ bm e4; id x"),
    ],
    silent: &[Sample::Positions(r#"4k3/8/8/8/8/8/4P3/4K3 w - - bm e3 e4; id "x; bm";"#)],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let list = &facts.operations.list;
    if let Some(place) = facts.operations.leading_semicolon {
        findings.add(&RULE, place).severity(Severity::Info).once_per_input_and("leading").found(";").message(
            "a semicolon stands before the first operation: semicolons separate operations here instead of closing them",
        );
    }
    let bare = facts.fen.count() == 6
        && facts.operations.leading_semicolon.is_none()
        && list.iter().all(|operation| operation.closing != Closing::Semicolon);
    for operation in list {
        let end = operation.operands.end.max(operation.opcode.end);
        let place = Span::new(end, end);
        let opcode = shown(operation.opcode.of(facts.text));
        match operation.closing {
            Closing::Semicolon => {}
            Closing::NextOpcode if !bare => {
                let finding =
                    findings.add(&RULE, place).expected(";").message(format!("the operation `{opcode}` runs into the next one"));
                finding.repair = Some(Repair::Likely);
            }
            Closing::LineEnd if !bare && facts.operations.leading_semicolon.is_none() && operation.open_quote.is_none() => {
                let finding = findings
                    .add(&RULE, place)
                    .severity(Severity::Warning)
                    .expected(";")
                    .message(format!("the last operation, `{opcode}`, is not closed"));
                finding.repair = Some(Repair::Certain);
            }
            Closing::NextOpcode | Closing::LineEnd => {}
        }
    }
    if bare && let Some(last) = list.last().filter(|last| last.open_quote.is_none()) {
        let end = last.operands.end.max(last.opcode.end);
        findings
            .add(&RULE, Span::new(end, end))
            .severity(Severity::Info)
            .once_per_input_and("bare")
            .expected(";")
            .message("operations stand behind six fields without a semicolon");
    }
}
