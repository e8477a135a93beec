//! EPD03: operations without a semicolon.

use crate::{
    epd::Closing,
    rules::{Check, Findings, Rule, Sample, Severity, Span, Yield, facts::OperationFacts, shown},
};

pub static RULE: Rule = Rule {
    code: code!("EPD03"),
    name: "missing-semicolon",
    severity: Severity::Error,
    summary: "An operation does not end with a semicolon",
    what: "Every operation ends with `;`. An opcode among the moves or numbers of another \
           operation is an error, and a last operation that ends with the line is a warning. Two \
           dialects are infos, reported once per input: a semicolon before the first operation, \
           as in `;D1 20 ;D2 400`, and operations after six fields without any semicolon.",
    why: "Parsers read the next operation as operands of this one.",
    fix: "Add the missing semicolon.",
    source: "PGN standard 16.2.4",
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
        findings
            .add(&RULE, place)
            .severity(Severity::Info)
            .once_per_input_and("leading")
            .found(";")
            .message("a semicolon comes before the first operation: here semicolons separate operations instead of ending them");
    }
    let is_without_semicolons = facts.fen.count() == 6
        && facts.operations.leading_semicolon.is_none()
        && list.iter().all(|operation| operation.closing != Closing::Semicolon);
    for operation in list {
        let end = operation.operands.end.max(operation.opcode.end);
        let place = Span::new(end, end);
        let opcode = shown(operation.opcode.of(facts.text));
        match operation.closing {
            Closing::Semicolon => {}
            Closing::NextOpcode if !is_without_semicolons => {
                let _finding = findings
                    .add(&RULE, place)
                    .expected(";")
                    .message(format!("`;` is missing between the operation `{opcode}` and the next one"));
            }
            Closing::LineEnd
                if !is_without_semicolons && facts.operations.leading_semicolon.is_none() && operation.open_quote.is_none() =>
            {
                let _finding = findings
                    .add(&RULE, place)
                    .severity(Severity::Warning)
                    .expected(";")
                    .message(format!("`;` is missing after the last operation, `{opcode}`"));
            }
            Closing::NextOpcode | Closing::LineEnd => {}
        }
    }
    if is_without_semicolons && let Some(last) = list.last().filter(|last| last.open_quote.is_none()) {
        let end = last.operands.end.max(last.opcode.end);
        findings
            .add(&RULE, Span::new(end, end))
            .severity(Severity::Info)
            .once_per_input_and("bare")
            .expected(";")
            .message("operations follow six fields without any semicolon");
    }
}
