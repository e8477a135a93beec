//! `illegal-epd-move`.

use shakmaty::{Move, san::San};

use super::position_at;
use crate::{
    epd::{MoveWord, Opcode, Resolved},
    rules::{Check, Finding, Findings, Rule, Sample, Severity, Yield, facts::OperationFacts, shown},
};

/// EPD08: a move among the operands is illegal or ambiguous.
pub static RULE: Rule = Rule {
    code: code!("EPD08"),
    name: "illegal-epd-move",
    severity: Severity::Error,
    summary: "A move among the operands is illegal or ambiguous",
    what: "The moves of `bm`, `am`, `pm` and `sm`, and those that a `c0` of the form `Nf3=10, e4=5` gives scores to, are legal in the position, those of `pv` one after the other. How a move is spelt does not matter here: coordinates, missing or false marks of capture and check, and superfluous files and ranks are all understood. A word that no move can be read from is a warning. Not judged where something in the position itself is wrong.",
    why: "The record asks for a move that cannot be played: the position or the move is false.",
    fix: "Compare both with the source; the message says whether the move would be legal for the other side.",
    source: "PGN standard 1994, section 16.2.5",
    yields: &[Yield::InRecord(code!("EPD16"))],
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm ⟦Rf4⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - pv e4 Kd7 ⟦e6⟧;"),
        Sample::Positions("k7/8/8/8/8/5N2/8/KN6 w - - bm ⟦Nd2⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; c0 \"e4=10, ⟦Kd7⟧=3\";"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm ⟦hello⟧;"),
    ],
    silent: &[
        Sample::Positions("4k3/8/8/3p4/4P3/8/8/4K3 w - - am Kd2 exd5; pv exd5 Kd7;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; c0 \"e4=10, Kd7=3 would be for Black\";"),
    ],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    for word in facts.moves {
        match &word.resolved {
            Resolved::Move(_) | Resolved::Null | Resolved::Aside => {}
            Resolved::Unreadable => unreadable(facts, word, findings),
            Resolved::Ambiguous(moves) => ambiguous(facts, word, moves, findings),
            Resolved::Illegal(refusal) => {
                let after = if word.ply > 1 { " after the moves before it" } else { "" };
                let found = found(facts, word);
                let message = format!("`{found}` is not legal{after}: {refusal}");
                add(facts, word, findings).message(message);
            }
        }
    }
}

fn found(facts: &OperationFacts<'_>, word: &MoveWord) -> String {
    shown(word.place.of(facts.text))
}

fn add<'a>(facts: &OperationFacts<'_>, word: &MoveWord, findings: &'a mut Findings) -> &'a mut Finding {
    let finding = findings.add(&RULE, word.place).found(found(facts, word));
    if facts.operation_of(word).kind == Opcode::Pv {
        finding.ply(word.ply);
    }
    finding
}

#[cold]
fn unreadable(facts: &OperationFacts<'_>, word: &MoveWord, findings: &mut Findings) {
    let message = format!("no move can be read from `{}`", found(facts, word));
    add(facts, word, findings).severity(Severity::Warning).message(message);
}

#[cold]
fn ambiguous(facts: &OperationFacts<'_>, word: &MoveWord, moves: &[Move], findings: &mut Findings) {
    let Some(position) = position_at(facts, word) else { return };
    let candidates: Vec<String> = moves.iter().map(|played| San::from_move(&position, *played).to_string()).collect();
    let message = format!("`{}` is ambiguous: {}", found(facts, word), candidates.join(", "));
    add(facts, word, findings).expected(candidates.join(" ")).message(message);
}
