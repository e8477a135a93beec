//! POS17: the king is on a square that it cannot reach.

use shakmaty::{Bitboard, Rank, attacks};

use crate::chess::retro::Structure;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("POS17"),
    name: "caged-king",
    severity: Severity::Error,
    summary: "The king is on a square that it cannot reach",
    what: "No path leads the king to its square. It must start on the home square or on a square \
        where castling puts the king. It cannot cross squares that are occupied by unmoved pieces \
        (see POS15) or attacked by unmoved enemy pawns. Nor can it change places with the queen if \
        neither can ever have been on a third square. Like POS15, the rule assumes the standard \
        starting position.",
    why: "The position cannot occur in a game.",
    fix: "Correct the piece placement.",
    source: "FIDE Laws 3.8, 3.9",
    reachability: true,
    fires: &[
        Sample::Positions("⟦K⟧3k1nr/pppppppp/8/8/8/8/8/8 w k - 0 40"),
        Sample::Positions("r1b⟦k⟧qbnr/pppppppp/2n5/3P4/8/8/PPP1PPPP/RNBQKBNR b KQ - 0 2"),
        // The input shows the standard starting position.
        Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n⟦K⟧3k1nr/pppppppp/8/8/8/8/8/8 w k - 0 40"),
    ],
    silent: &[Sample::Positions("K3k1nr/2pppppp/8/8/8/8/8/6N1 b k - 3 40")],
    check: Check::Structure(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, structure: &Structure, findings: &mut Findings) {
    let Some((color, square)) = structure.caged_king().and_then(|color| Some((color, (*facts.kings.get(color))?))) else {
        return;
    };
    let queens = facts.board.as_ref().map_or(Bitboard::EMPTY, |board| board.by_piece(color.queen()));
    let is_with_queen = square.rank() == color.fold_wb(Rank::First, Rank::Eighth)
        && (attacks::king_attacks(square) & queens & Bitboard::from_rank(square.rank())).any();
    findings
        .add(&RULE, facts.square_place(square))
        .found(square.to_string())
        .message(format!(
            "unmoved pieces and their attacks block every path of the {} king to \
             {square}{}",
            color.fold_wb("white", "black"),
            if is_with_queen { "; nor can it have changed places with the queen" } else { "" }
        ))
        .squares(square);
}
