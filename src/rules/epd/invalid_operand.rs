//! EPD07: operands of the wrong number or kind.

use crate::epd::{Closing, Opcode, Operand, Operands, Operation, Resolved, Spelling, integer};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EPD07"),
    name: "invalid-operand",
    severity: Severity::Warning,
    summary: "An opcode has the wrong number or kind of operands",
    what: "The standard fixes the operands of each opcode. For example, `hmvc` takes one integer \
           of at least 0, `pm` one move, `id` one string and `resign` nothing. Strings without \
           quotes, a `dm` of 0 or less, and a mate distance such as `#3` among moves are infos, \
           reported once per input. A `bm` or `am` without any move is an info. If 20 or more \
           records have the same fault, it is reported once per input.",
    why: "Parsers drop the operation or the whole record.",
    fix: "Correct the operands. Check for a missing semicolon before them.",
    source: "PGN standard 16.2.5",
    repairs: Some(Certainty::Certain),
    yields: &in_record([code!("EPD03")]),
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - dm ⟦three⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - fmvn ⟦0⟧; hmvc 0;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - pm ⟦e4 e3⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ⟦ce⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ⟦bm⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - resign ⟦e4⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm ⟦\"e4\"⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - id ⟦e4⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - dm ⟦0⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - dm 40 ⟦0 30⟧"),
    ],
    silent: &[
        Sample::Positions(r#"4k3/8/8/8/8/8/4P3/4K3 w - - acd 0; acn 12; acs 1; bm e4; c0; ce -35; eco "C20"; hmvc 0; id "x";"#),
        Sample::Positions(r#"4k3/8/8/8/8/8/4P3/4K3 w - - cce 3.5; noop a "b" 3; rc 1; tcri "a@b" "c";"#),
    ],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

/// The operands of each opcode are in [`Opcode::operands`]:
///
/// - one integer of at least 0: `acd`, `acn`, `acs`, `hmvc`, and the perft counts `D1`, `D2`, ...;
/// - one integer of at least 1: `fmvn`, `rc`, `tcgs`; any integer: `dm`; -32767 to 32766: `ce`;
/// - one move: `pm`, `sm`; any number of moves: `am`, `bm`, `pv`;
/// - one string: `id`; one string or nothing: `c0` to `c9`, `v0` to `v9`, `eco`, `nic`;
/// - two strings: `tcri`, `tcsi`;
/// - nothing: `draw_accept`, `draw_claim`, `draw_offer`, `draw_reject`, `resign`.
///
/// Infos are reported once per input and kind, those about strings once per input and opcode.
pub(super) fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    for operation in &facts.operations.list {
        // A string or an operation that does not end contains operands of other operations.
        if operation.kind == Opcode::Other || operation.open_quote.is_some() || operation.closing == Closing::NextOpcode {
            continue;
        }
        if let Some(counters) = counters_after(facts, operation) {
            report_counters(facts, operation, counters, findings);
            continue;
        }
        match operation.kind.operands() {
            Operands::Any => {}
            Operands::None => check_none(facts, operation, findings),
            Operands::Integer(min, max) => check_integer(facts, operation, (min, max), findings),
            Operands::Move => check_moves(facts, operation, Some(1), findings),
            Operands::Moves => check_moves(facts, operation, None, findings),
            Operands::Text => check_strings(facts, operation, 1, 1, findings),
            Operands::TextOrNone => check_strings(facts, operation, 0, 1, findings),
            Operands::TwoTexts => check_strings(facts, operation, 2, 2, findings),
        }
    }
}

/// The counters of the position, if they come after the operands of an operation: `dm 40 0 1`.
pub(super) fn counters_after(facts: &OperationFacts<'_>, operation: &Operation) -> Option<Span> {
    if facts.fen.count() != 4 || matches!(operation.kind, Opcode::Other | Opcode::Pv) {
        return None;
    }
    let mut operands = operation.operands(facts.text);
    let first = operands.next()?;
    let [.., clock, number] = operands.collect::<Vec<_>>()[..] else { return None };
    let value = |operand: Operand| integer(operand.place.of(facts.text)).filter(|_| !operand.quoted);
    let is_own = match operation.kind.operands() {
        Operands::Integer(..) => integer(first.place.of(facts.text)).is_some(),
        Operands::Move | Operands::Moves => !first.quoted,
        Operands::Text | Operands::TextOrNone => first.quoted,
        Operands::TwoTexts | Operands::None | Operands::Any => false,
    };
    let are_counters = value(clock)? >= 0 && value(number)? >= 1;
    (is_own && are_counters).then(|| Span::new(clock.place.start, number.place.end))
}

/// Reports counters after an operation. The repair makes operations of them.
fn report_counters(facts: &OperationFacts<'_>, operation: &Operation, counters: Span, findings: &mut Findings) {
    let (found, opcode) = (shown(counters.of(facts.text)), opcode(facts, operation));
    let message = format!("`{found}` after `{opcode}` are the counters of the position, which come before all operations");
    let finding = add(facts, counters, findings).grouped(format!("counters after {opcode}")).message(message);
    if let Some((clock, number)) = found.split_once(' ') {
        let before = facts.text[..counters.start].trim_ascii_end().len();
        let end = if operation.closing == Closing::Semicolon { "" } else { ";" };
        let operations = format!("; fmvn {}; hmvc {clock}{end}", number.trim_ascii_start());
        finding.repair(Certainty::Likely, Patch::replace(facts.text, Span::new(before, counters.end), operations));
    }
}

fn add<'a>(facts: &OperationFacts<'_>, place: Span, findings: &'a mut Findings) -> &'a mut Finding {
    findings.add(&RULE, place).found(shown(place.of(facts.text)))
}

fn opcode(facts: &OperationFacts<'_>, operation: &Operation) -> String {
    shown(operation.opcode.of(facts.text))
}

fn check_none(facts: &OperationFacts<'_>, operation: &Operation, findings: &mut Findings) {
    if operation.operands.start < operation.operands.end {
        let opcode = opcode(facts, operation);
        let message = format!("`{opcode}` takes no operands");
        add(facts, operation.operands, findings).grouped(opcode).message(message);
    }
}

fn check_integer(facts: &OperationFacts<'_>, operation: &Operation, (min, max): (i64, i64), findings: &mut Findings) {
    let Some(value) = facts.integer(operation) else {
        let opcode = opcode(facts, operation);
        let message = format!("`{opcode}` takes one integer");
        add(facts, facts.place_of(operation), findings).grouped(opcode).expected("an integer").message(message);
        return;
    };
    if value < min || value > max {
        let range = if max == i64::MAX { format!("at least {min}") } else { format!("{min} to {max}") };
        let message = format!("`{value}` is outside the range of `{}`: {range}", opcode(facts, operation));
        add(facts, operation.operands, findings).expected(range).message(message);
    }
    if operation.kind == Opcode::Dm && value <= 0 {
        let message = if value == 0 {
            "`dm 0` is not standard: it means that there is no mate, or that the position is checkmate"
        } else {
            "a negative `dm` is not standard: it means that the side to move will be mated"
        };
        let value = if value == 0 { "dm 0" } else { "negative dm" };
        add(facts, operation.operands, findings)
            .severity(Severity::Info)
            .once_per_input_and(value)
            .expected("at least 1")
            .message(message);
    }
}

fn check_moves(facts: &OperationFacts<'_>, operation: &Operation, count: Option<usize>, findings: &mut Findings) {
    for operand in operation.operands(facts.text) {
        let place = operand.place;
        if operand.quoted {
            let place = Span::new(place.start - 1, (place.end + 1).min(operation.operands.end));
            let message = format!("`{}` takes moves, which are written without quotes", opcode(facts, operation));
            let finding = add(facts, place, findings).grouped(opcode(facts, operation)).message(message);
            let is_certain = are_sans(facts, operand.place);
            let certainty = if is_certain { Certainty::Certain } else { Certainty::Likely };
            for quote in [Span::new(place.start, place.start + 1), Span::new(operand.place.end, place.end)] {
                finding.repair(certainty, Patch::remove(facts.text, quote));
            }
        } else if let [b'#', digits @ ..] = place.of(facts.text)
            && integer(digits).is_some()
        {
            let opcode = opcode(facts, operation);
            let message = format!("a mate distance is among the moves of `{opcode}`: it belongs in `dm`");
            add(facts, place, findings).severity(Severity::Info).once_per_input_and("mate").message(message);
        }
    }
    let is_empty = operation.operands.start == operation.operands.end;
    if is_empty && matches!(operation.kind, Opcode::Am | Opcode::Bm) {
        let opcode = opcode(facts, operation);
        let message = format!("`{opcode}` has no moves");
        add(facts, operation.opcode, findings).severity(Severity::Info).grouped(opcode).message(message);
    }
    let Some(count) = count else { return };
    // Numbers and separate marks are not moves.
    let written = operation.move_words(facts.text).filter(|word| word.of(facts.text).iter().any(u8::is_ascii_alphabetic)).count();
    if written != count {
        let message = format!("`{}` takes exactly one move", opcode(facts, operation));
        add(facts, facts.place_of(operation), findings).expected("one move").message(message);
    }
}

fn check_strings(facts: &OperationFacts<'_>, operation: &Operation, min: usize, max: usize, findings: &mut Findings) {
    let (mut quoted, mut has_unquoted) = (0, false);
    for operand in operation.operands(facts.text) {
        quoted += usize::from(operand.quoted);
        has_unquoted |= !operand.quoted;
    }
    if has_unquoted {
        // It is not known which words form a string.
        let name = opcode(facts, operation);
        let message = format!("the string after `{name}` has no quotes");
        let finding = add(facts, operation.operands, findings).severity(Severity::Info).once_per_input_and(name).message(message);
        if let Some((certainty, patch)) = in_quotes(facts, operation).filter(|_| max == 1) {
            finding.repair(certainty, patch);
        }
        return;
    }
    if quoted < min || quoted > max {
        let wanted = match (min, max) {
            (2, _) => "two strings",
            (0, _) => "one string or nothing",
            _ => "one string",
        };
        let opcode = opcode(facts, operation);
        let message = format!("`{opcode}` takes {wanted}");
        add(facts, facts.place_of(operation), findings).grouped(opcode).expected(wanted).message(message);
    }
}

/// Whether the words at `place` are legal moves in SAN, so that nothing else is wrong with them.
fn are_sans(facts: &OperationFacts<'_>, place: Span) -> bool {
    let first = facts.moves.partition_point(|word| word.place.start < place.start);
    let mut words = facts.moves[first..].iter().take_while(|word| word.place.end <= place.end).peekable();
    words.peek().is_some() && words.all(|word| matches!(word.resolved, Resolved::Move(_)) && word.spelling == Spelling::San)
}

/// The operands as one string. Only a single word, or words before a closing quote, are certainly
/// one. A semicolon inside the string makes an operation without operands of its end.
fn in_quotes(facts: &OperationFacts<'_>, operation: &Operation) -> Option<(Certainty, Patch)> {
    let place = operation.operands;
    let written = place.of(facts.text);
    let content = written.strip_suffix(b"\"").unwrap_or(written);
    // Another character in place of a quote.
    let is_quoted = !content.first().is_some_and(u8::is_ascii_alphanumeric);
    if is_quoted || content.contains(&b'"') || content.ends_with(b"\\") {
        return None;
    }
    let next = facts.operations.list.iter().find(|other| other.opcode.start > place.end);
    let is_cut = next.is_some_and(|next| next.operands.start >= next.operands.end);
    let is_certain = content.len() < written.len() || !(content.contains(&b' ') || is_cut);
    let certainty = if is_certain { Certainty::Certain } else { Certainty::Likely };
    Some((certainty, Patch::replace(facts.text, place, [b"\"", content, b"\""].concat())))
}
