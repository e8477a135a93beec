//! MOV02: castling that is not legal.

use shakmaty::{Bitboard, Position};

use super::refused;
use crate::chess::IllegalMove;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV02"),
    name: "illegal-castling",
    severity: Severity::Error,
    summary: "Castling is not legal here",
    what: "The king or the rook has moved, the castling right never existed, or a piece is in \
           between. Or the king is in check, or passes through or reaches an attacked square. An \
           attacked rook does not matter, and neither does an attacked square that only the rook \
           passes. After a null move the position is uncertain, and this is a warning.",
    why: "The game cannot be replayed from here. Some readers castle anyway and show positions \
          that never occurred.",
    fix: "Compare with another source. Often the other side of castling was meant, or an earlier \
          move is missing.",
    source: "FIDE Laws 3.8.2",
    repairs: Some(Certainty::Certain),
    fires: &[
        Sample::Moves("1. e4 e5 2. ⟦O-O⟧ *"),
        Sample::Moves("1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Nf3 Nc6 5. Bc4 Bc5 6. ⟦O-O⟧ *"),
        Sample::Moves("1. e4 b6 2. Nf3 Ba6 3. g3 Nc6 4. Bg2 e6 5. ⟦O-O⟧ *"),
    ],
    silent: &[
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *"),
        Sample::Moves("1. c4 d6 2. Nc3 Bf5 3. b3 Nf6 4. Bb2 e6 5. e3 Be7 6. Qe2 O-O 7. O-O-O *"),
    ],
    check: Check::Unplayable(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Unplayable<'_>, findings: &mut Findings) {
    if facts.in_variation || !matches!(facts.reason, IllegalMove::Castling(_)) {
        return;
    }
    let king = facts.before.board().king_of(facts.before.turn());
    refused(&RULE, facts, findings, |token, reason| format!("{token} is not legal here: {reason}"))
        .squares(king.map_or(Bitboard::EMPTY, Bitboard::from));
}
