//! `operand-type`.

use crate::{
    epd::{Closing, Opcode, Operands, Operation, integer},
    rules::{Check, Finding, Findings, Rule, Sample, Severity, Span, Yield, facts::OperationFacts, shown},
};

/// EPD07: an opcode has operands of another number or kind than it takes.
pub static RULE: Rule = Rule {
    code: code!("EPD07"),
    name: "operand-type",
    severity: Severity::Warning,
    summary: "An opcode has operands of another number or kind than it takes",
    what: "`acd`, `acn`, `acs` and `hmvc` take one integer of at least 0, `fmvn`, `rc` and `tcgs` one of at least 1, `ce` one from -32767 to 32766, `dm` and the perft counts `D1`, `D2`, ... one integer; `pm` and `sm` one move; `id` one string; `c0` to `c9`, `v0` to `v9`, `eco` and `nic` one string or nothing; `tcri` and `tcsi` two strings; the draw operations and `resign` nothing. House styles are an info, once per input and opcode: strings without quotes, `dm` of 0 or less, a distance to mate such as `#3` among moves.",
    why: "Readers drop the operation, or the whole record.",
    fix: "Correct the operand; look whether a semicolon is missing before it.",
    source: "PGN standard 1994, section 16.2.5",
    yields: &[Yield::InRecord(code!("EPD03"))],
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - dm ⟦three⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - fmvn ⟦0⟧; hmvc 0;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - pm ⟦e4 e3⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ⟦ce⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - resign ⟦e4⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm ⟦\"e4\"⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - id ⟦e4⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - dm ⟦0⟧;"),
    ],
    silent: &[
        Sample::Positions(r#"4k3/8/8/8/8/8/4P3/4K3 w - - acd 0; acn 12; acs 1; bm e4; c0; ce -35; eco "C20"; hmvc 0; id "x";"#),
        Sample::Positions(r#"4k3/8/8/8/8/8/4P3/4K3 w - - cce 3.5; noop a "b" 3; rc 1; tcri "a@b" "c";"#),
    ],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    for operation in &facts.operations.list {
        // Where a string or an operation never ends, what it holds is not meant for it.
        if operation.kind == Opcode::Other || operation.open_quote.is_some() || operation.closing == Closing::NextOpcode {
            continue;
        }
        match operation.kind.operands() {
            Operands::Any => {}
            Operands::None => nothing(facts, operation, findings),
            Operands::Integer(least, most) => one_integer(facts, operation, (least, most), findings),
            Operands::Move => moves(facts, operation, Some(1), findings),
            Operands::Moves => moves(facts, operation, None, findings),
            Operands::Text => strings(facts, operation, 1, 1, findings),
            Operands::TextOrNone => strings(facts, operation, 0, 1, findings),
            Operands::TwoTexts => strings(facts, operation, 2, 2, findings),
        }
    }
}

fn add<'a>(facts: &OperationFacts<'_>, place: Span, findings: &'a mut Findings) -> &'a mut Finding {
    findings.add(&RULE, place).found(shown(place.of(facts.text)))
}

fn opcode(facts: &OperationFacts<'_>, operation: &Operation) -> String {
    shown(operation.opcode.of(facts.text))
}

fn nothing(facts: &OperationFacts<'_>, operation: &Operation, findings: &mut Findings) {
    if operation.operands.start < operation.operands.end {
        let message = format!("`{}` takes no operand", opcode(facts, operation));
        add(facts, operation.operands, findings).message(message);
    }
}

fn one_integer(facts: &OperationFacts<'_>, operation: &Operation, (least, most): (i64, i64), findings: &mut Findings) {
    let Some(value) = facts.integer(operation) else {
        let message = format!("`{}` takes one integer", opcode(facts, operation));
        add(facts, facts.place_of(operation), findings).expected("an integer").message(message);
        return;
    };
    if value < least || value > most {
        let range = if most == i64::MAX { format!("at least {least}") } else { format!("{least} to {most}") };
        let message = format!("{value} is out of the range of `{}`", opcode(facts, operation));
        add(facts, operation.operands, findings).expected(range).message(message);
    }
    if operation.kind == Opcode::Dm && value <= 0 {
        let message = if value == 0 {
            "`dm 0` is not of the standard: the position holds no mate, or is one"
        } else {
            "a negative `dm` is not of the standard: the side to move is to be mated"
        };
        let value = if value == 0 { "dm 0" } else { "negative dm" };
        add(facts, operation.operands, findings)
            .severity(Severity::Info)
            .once_per_input_and(value)
            .expected("at least 1")
            .message(message);
    }
}

fn moves(facts: &OperationFacts<'_>, operation: &Operation, count: Option<usize>, findings: &mut Findings) {
    for operand in operation.operands(facts.text) {
        let place = operand.place;
        if operand.quoted {
            let place = Span::new(place.start - 1, (place.end + 1).min(operation.operands.end));
            let message = format!("`{}` takes moves, and moves have no quotes", opcode(facts, operation));
            add(facts, place, findings).message(message);
        } else if let [b'#', digits @ ..] = place.of(facts.text)
            && integer(digits).is_some()
        {
            let opcode = opcode(facts, operation);
            let message = format!("a distance to mate stands among the moves of `{opcode}`; `dm` is the operation for it");
            add(facts, place, findings).severity(Severity::Info).once_per_input_and("mate").message(message);
        }
    }
    let Some(count) = count else { return };
    // Numbers and marks that stand apart are no moves.
    let written = operation.move_words(facts.text).filter(|word| word.of(facts.text).iter().any(u8::is_ascii_alphabetic)).count();
    if written != count {
        let message = format!("`{}` takes exactly one move", opcode(facts, operation));
        add(facts, facts.place_of(operation), findings).expected("one move").message(message);
    }
}

fn strings(facts: &OperationFacts<'_>, operation: &Operation, least: usize, most: usize, findings: &mut Findings) {
    let (mut quoted, mut bare) = (0, false);
    for operand in operation.operands(facts.text) {
        quoted += usize::from(operand.quoted);
        bare |= !operand.quoted;
    }
    if bare {
        // Which words belong together cannot be told.
        let name = opcode(facts, operation);
        let message = format!("the string behind `{name}` has no quotes");
        add(facts, operation.operands, findings).severity(Severity::Info).once_per_input_and(name).message(message);
        return;
    }
    if quoted < least || quoted > most {
        let wanted = match (least, most) {
            (2, _) => "two strings",
            (0, _) => "one string or nothing",
            _ => "one string",
        };
        let message = format!("`{}` takes {wanted}", opcode(facts, operation));
        add(facts, facts.place_of(operation), findings).expected(wanted).message(message);
    }
}
