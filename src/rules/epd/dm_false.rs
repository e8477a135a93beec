//! `dm-false`.

use crate::{
    epd::{Mate, Opcode, integer, search_mate},
    rules::{Check, Findings, Repair, Rule, Sample, Severity, Span, facts::OperationFacts, shown},
};

/// EPD13: the side to move does not mate in as many moves as `dm` says.
pub static RULE: Rule = Rule {
    code: code!("EPD13"),
    name: "dm-false",
    severity: Severity::Error,
    summary: "The side to move does not mate in as many moves as `dm` says",
    what: "`dm` is the number of full moves in which the side to move mates against every defence. Up to 3 moves all moves and all replies are tried: where there is no such mate, that is an error; where there is a shorter one it is a warning, as `dm` counts what is needed when both sides play their best. `bm #3` is read as `dm 3` is. Where more than 200 000 positions would have to be looked at, nothing is said.",
    why: "The position or the number is false, and whoever solves the record is blamed for it.",
    fix: "Compare the position with its source.",
    source: "PGN standard 1994, section 16.2.5.7",
    fires: &[
        Sample::Positions("6k1/5pp1/8/8/8/8/8/K3R3 w - - bm Re8+; dm ⟦1⟧;"),
        Sample::Positions("6k1/5ppp/8/8/8/8/8/K3R3 w - - dm ⟦2⟧;"),
    ],
    silent: &[
        Sample::Positions("6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8#; dm 1;"),
        Sample::Positions("6k1/5pp1/8/8/8/8/8/K3R3 w - - bm Re8+; dm 4;"),
    ],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

/// Mates of so many moves are searched for.
const LONGEST: u32 = 3;
/// So many positions are looked at.
const MOST_NODES: u64 = 200_000;

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    for operation in &facts.operations.list {
        match operation.kind {
            Opcode::Dm => {
                if let Some(moves) = facts.integer(operation) {
                    judge(facts, operation.operands, moves, findings);
                }
            }
            Opcode::Bm => {
                for operand in operation.operands(facts.text) {
                    if let [b'#', digits @ ..] = operand.place.of(facts.text)
                        && let Some(moves) = integer(digits)
                    {
                        judge(facts, operand.place, moves, findings);
                    }
                }
            }
            _ => {}
        }
    }
}

fn judge(facts: &OperationFacts<'_>, place: Span, moves: i64, findings: &mut Findings) {
    let (Some(start), Some(moves)) = (facts.start, u32::try_from(moves).ok().filter(|moves| (1..=LONGEST).contains(moves)))
    else {
        return;
    };
    let found = shown(place.of(facts.text));
    match search_mate(start, moves, MOST_NODES) {
        Mate::In(shortest) if shortest < moves => {
            let finding = findings
                .add(&RULE, place)
                .severity(Severity::Warning)
                .expected(shortest.to_string())
                .message(format!("there is a mate in {shortest} already"));
            finding.repair = Some(Repair::Certain);
            finding.found = found;
        }
        Mate::None => {
            let plural = if moves == 1 { "" } else { "s" };
            findings.add(&RULE, place).message(format!("there is no mate in {moves} move{plural}")).found(found);
        }
        Mate::In(_) | Mate::Unknown => {}
    }
}
