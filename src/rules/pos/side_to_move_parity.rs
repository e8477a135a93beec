//! POS18: move parity shows that the other side is to move.

use crate::chess::retro::Structure;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("POS18"),
    name: "side-to-move-parity",
    severity: Severity::Error,
    summary: "Move parity shows that the other side is to move",
    what: "If all 32 pieces and pawns are on the board and all pawns are at home, only knights and \
        rooks can have moved. Their squares then show whether the number of plies is even or odd, \
        and so which side is to move. Like POS15, the rule assumes the standard starting position.",
    why: "The side to move was lost. The most common case is the starting position with Black to \
        move.",
    fix: "Correct the side to move.",
    source: "FIDE Laws 1.1, 3.6",
    repairs: Some(Certainty::Likely),
    reachability: true,
    fires: &[Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR ⟦b⟧ KQkq - 0 1")],
    silent: &[Sample::Positions("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1")],
    check: Check::Structure(check),
    ..Rule::DEFAULTS
};

/// The rooks can only have moved between their corners and the squares next to them. Each move
/// changes the parity of the side's knights on light squares plus its rooks next to their corners,
/// and both sides start with the same parity. So White is to move if the parities are equal,
/// otherwise Black.
fn check(facts: &PositionFacts<'_>, structure: &Structure, findings: &mut Findings) {
    let Some(turn) = structure.turn_by_tempo().filter(|turn| facts.turn == Some(!*turn)) else { return };
    let place = facts.fen.turn().unwrap_or(facts.place);
    let finding = findings.add(&RULE, place).found((!turn).char()).expected(turn.char());
    finding.repair(Certainty::Likely, Patch::replace(facts.text, place, turn.char().to_string()));
    finding
        .message(format!("only knights and rooks can have moved, and their squares show that {} is to move", color_name(turn)));
}
