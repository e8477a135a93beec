//! `illegal-epd-move`.

use shakmaty::{Position, san::San};

use crate::{
    epd::{Resolved, resolve},
    rules::{Check, Code, Family, Findings, Rule, Sample, Severity, Span, facts::OperationFacts, shown},
};

/// EPD08: a move among the operands is illegal or ambiguous.
pub static RULE: Rule = Rule {
    code: Code::new(Family::Epd, 8),
    name: "illegal-epd-move",
    severity: Severity::Error,
    summary: "A move among the operands is illegal or ambiguous",
    what: "The moves of `bm`, `am`, `pm` and `sm` are legal in the position, those of `pv` one after the other. How a move is spelt does not matter here: coordinates, missing or false marks of capture and check, and superfluous files and ranks are all understood. A word that no move can be read from is a warning. Not judged where something in the position itself is wrong.",
    why: "The record asks for a move that cannot be played: the position or the move is false.",
    fix: "Compare both with the source; the hint says whether the move would be legal for the other side.",
    source: "PGN standard 1994, section 16.2.5",
    reachability: false,
    yields: &[],
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm ⟦Rf4⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - pv e4 Kd7 ⟦e6⟧;"),
        Sample::Positions("k7/8/8/8/8/5N2/8/KN6 w - - bm ⟦Nd2⟧;"),
    ],
    silent: &[
        Sample::Positions("4k3/8/8/3p4/4P3/8/8/4K3 w - - bm e4d5; pv exd5+ Kd7; am ed5 Ke1-d2;"),
        Sample::Positions("r3k2r/8/4p3/8/8/8/8/R3K2R w KQkq - bm 0-0, e1a1;"),
    ],
    check: Check::Operations(check),
};

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let Some(start) = facts.start else { return };
    for operation in &facts.operations.list {
        let opcode = operation.opcode.of(facts.text);
        let line = match opcode {
            b"bm" | b"am" | b"pm" | b"sm" => false,
            b"pv" => true,
            _ => continue,
        };
        if operation.open_quote.is_some() {
            continue;
        }
        let mut position = start.clone();
        'operands: for operand in operation.operands(facts.text) {
            let mut at = operand.place.start;
            for word in operand.place.of(facts.text).split(|byte| matches!(byte, b',' | b' ' | b'\t' | 0)) {
                let place = Span::new(at, at + word.len());
                at = place.end + 1;
                if word.is_empty() {
                    continue;
                }
                match resolve(&position, word) {
                    Resolved::Aside => {}
                    Resolved::Move(played) => {
                        if line {
                            position.play_unchecked(played);
                        }
                    }
                    Resolved::Null if line => break 'operands,
                    Resolved::Null => {}
                    Resolved::Unreadable => {
                        let found = shown(word);
                        findings
                            .add(&RULE, place)
                            .severity(Severity::Warning)
                            .message(format!("no move can be read from `{found}`"))
                            .found(found);
                        if line {
                            break 'operands;
                        }
                    }
                    Resolved::Ambiguous(moves) => {
                        let candidates: Vec<String> =
                            moves.iter().map(|played| San::from_move(&position, *played).to_string()).collect();
                        let found = shown(word);
                        findings
                            .add(&RULE, place)
                            .message(format!("`{found}` is ambiguous: {}", candidates.join(", ")))
                            .found(found)
                            .expected(candidates.join(" "));
                        if line {
                            break 'operands;
                        }
                    }
                    Resolved::Illegal(refusal) => {
                        let found = shown(word);
                        let after = if line && position.board() != start.board() { " after the moves before it" } else { "" };
                        let message = format!("`{found}` is not legal{after}: {refusal}");
                        findings.add(&RULE, place).message(message).found(found);
                        if line {
                            break 'operands;
                        }
                    }
                }
            }
        }
    }
}
