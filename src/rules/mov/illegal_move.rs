//! MOV01: moves that are not legal.

use super::refused;
use crate::chess::IllegalMove;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV01"),
    name: "illegal-move",
    severity: Severity::Error,
    summary: "The move is not legal in the position reached",
    what: "No legal move fits the piece, target square, disambiguation and promotion written. A \
           missing or wrong `x`, `+` or `#` does not matter here, and neither does superfluous \
           disambiguation. Castling, ambiguous moves, promotions and variations have their own \
           rules. After a null move the position is uncertain, and this is a warning. If the first \
           move captures en passant and only the en passant square of the FEN tag is missing, \
           that is said, and the game is played on.",
    why: "The game cannot be replayed from here: a move is missing, extra or wrong, at this place \
          or earlier. Sometimes the illegal move was really played and nobody noticed.",
    fix: "Compare with the score sheet or another source. Check the earlier moves as well.",
    source: "PGN standard 8.2.3; FIDE Laws 3.10.2",
    repairs: Some(Certainty::Certain),
    fires: &[
        Sample::Moves("1. e4 e5 2. ⟦Ke3⟧ *"),
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. ⟦exd5!?⟧ *"),
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"6k1/8/8/3pP3/8/8/8/4K3 w - - 0 30\"]", moves: "30. ⟦exd6⟧ *" },
        Sample::Moves("1. e4 e5 2. ⟦Nf6⟧ *"),
        Sample::Moves("1. d4 e6 2. Nc3 Bb4 3. Bd2 Nf6 4. Bg5 a6 5. ⟦Ne4+⟧ *"),
        Sample::Moves("1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. e3 O-O 5. ⟦Ne4⟧ *"),
        // Neither a capture by a pawn nor one by the bishop.
        Sample::Moves("1. e4 e5 2. ⟦bxc4⟧ *"),
    ],
    silent: &[
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"6k1/8/8/3pP3/8/8/8/4K3 w - d6 0 30\"]", moves: "30. exd6 *" },
        Sample::Moves("1. e4 e5 2. Ke2 *"),
        Sample::Moves("1. e4 e5 2. Nf3 {2. Ke3 is illegal} *"),
    ],
    check: Check::Unplayable(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Unplayable<'_>, findings: &mut Findings) {
    if facts.in_variation || has_its_own_rule(facts.reason) {
        return;
    }
    refused(&RULE, facts, findings, |token, reason| format!("{token} is not legal here: {reason}"));
}

/// Whether another rule reports moves that cannot be played for this reason.
fn has_its_own_rule(reason: &IllegalMove) -> bool {
    matches!(
        reason,
        IllegalMove::GameOver { .. }
            | IllegalMove::Castling(_)
            | IllegalMove::Ambiguous { .. }
            | IllegalMove::PromotionMissing
            | IllegalMove::PromotionImpossible { .. }
            | IllegalMove::NullInCheck { .. }
    )
}
