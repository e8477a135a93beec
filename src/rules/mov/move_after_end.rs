//! MOV06: moves after checkmate and stalemate.

use shakmaty::{Bitboard, Position};

use super::refused;
use crate::chess::IllegalMove;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV06"),
    name: "move-after-end",
    severity: Severity::Error,
    summary: "A move follows checkmate or stalemate",
    what: "The main line continues after a move that checkmates or stalemates the side to move.",
    why: "The game was over. Two games were merged, or an earlier move is wrong.",
    fix: "Compare with another source, and remove what does not belong to the game.",
    source: "FIDE Laws 5.1.1 and 5.2.1",
    fires: &[Sample::Moves("1. f3 e5 2. g4 Qh4# 3. ⟦e3⟧ 0-1")],
    silent: &[Sample::Moves("1. f3 e5 2. g4 Qh4# 0-1"), Sample::Moves("1. f3 e5 2. g4 Qh4# (2... Nc6 3. e3) 0-1")],
    check: Check::Unplayable(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Unplayable<'_>, findings: &mut Findings) {
    if facts.in_variation || !matches!(facts.reason, IllegalMove::GameOver { .. }) {
        return;
    }
    let king = facts.before.board().king_of(facts.before.turn());
    refused(&RULE, facts, findings, |token, reason| format!("{token} comes after the end of the game: {reason}"))
        .squares(facts.before.checkers() | king.map_or(Bitboard::EMPTY, Bitboard::from));
}
