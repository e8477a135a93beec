//! `tempo-parity`.

use crate::{
    chess::{color_name, retro::Structure},
    rules::{Check, Findings, Repair, Rule, Sample, Severity, facts::PositionFacts},
};

/// POS18: the other side is to move.
pub static RULE: Rule = Rule {
    code: code!("POS18"),
    name: "tempo-parity",
    severity: Severity::Error,
    summary: "Only knights and rooks have moved, and the other side must be to move",
    what: "With all 32 men on the board and all pawns at home only knights have moved, and rooks between their corners and the squares beside. Each such move changes the parity of the side's knights on light squares plus its rooks beside their corners; both sides began with the same. So White is to move where the parities are the same, Black where they differ. For the standard array only, as POS15.",
    why: "The side to move was lost: the initial array with Black to move is the commonest case.",
    fix: "Correct the side to move.",
    source: "Laws of Chess, articles 1.1 and 3.6",
    reachability: true,
    fires: &[Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR ⟦b⟧ KQkq - 0 1")],
    silent: &[Sample::Positions("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1")],
    check: Check::Structure(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, structure: &Structure, findings: &mut Findings) {
    let Some(turn) = structure.turn_by_tempo().filter(|turn| facts.turn == Some(!*turn)) else { return };
    let place = facts.fen.turn().unwrap_or(facts.place);
    let finding = findings.add(&RULE, place).found((!turn).char()).expected(turn.char());
    finding.message(format!(
        "only knights and rooks can have moved, and after any number of such moves it is {}'s turn here",
        color_name(turn)
    ));
    finding.repair = Some(Repair::Likely);
}
