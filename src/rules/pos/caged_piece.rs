//! POS15: a piece is on a square that it cannot reach.

use crate::chess::retro::Structure;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("POS15"),
    name: "caged-piece",
    severity: Severity::Error,
    summary: "A piece is on a square that it cannot reach",
    what: "Some squares were blocked for the whole game: those of pawns on their second rank, of \
        kings and rooks with a castling right, and of bishops locked in by two unmoved pawns. The \
        piece cannot have come from its home square past them, nor from a promotion square. The \
        rule assumes the standard starting position: it is off in Chess960 inputs, and a warning \
        if castling rights in the input do not show that starting position.",
    why: "The position cannot occur in a game.",
    fix: "Correct the piece placement.",
    source: "FIDE Laws 3.1 to 3.8",
    reachability: true,
    fires: &[
        Sample::Positions("r3k1nr/pppppppp/8/8/8/4⟦B⟧3/1P1PP1P1/R3K2R w KQkq - 0 40"),
        // The input shows the standard starting position.
        Sample::Positions(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nr3k1nr/pppppppp/8/8/8/4⟦B⟧3/1P1PP1P1/R3K2R w KQkq - 0 40",
        ),
        Sample::Positions(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nrnbqk1nr/pppppppp/8/⟦b⟧7/8/8/PPPPPPPP/RNBQKBNR w KQkq - 2 2",
        ),
        // Impossible from every starting position.
        Sample::Positions("rnbqkb1r/pppppppp/8/8/8/4⟦Q⟧3/PPPPPPPP/RNB1KBNR b - - 0 5"),
    ],
    silent: &[Sample::Positions("r3k1nr/pppp1ppp/8/8/8/4B3/1P1PP1P1/R3K1NR b KQkq - 3 40")],
    check: Check::Structure(check),
    ..Rule::DEFAULTS
};

/// A rook can also have come from the square where castling puts it.
fn check(facts: &PositionFacts<'_>, structure: &Structure, findings: &mut Findings) {
    let Some((color, role, square)) = structure.caged_piece() else { return };
    findings
        .add(&RULE, facts.square_place(square))
        .found(square.to_string())
        .message({
            let color_word = color.fold_wb("white", "black");
            let piece = role_name(role);
            let pawns = facts.board.as_ref().map_or(0, |board| board.by_piece(color.pawn()).count());
            if pawns == 8 {
                format!(
                    "unmoved pieces block every path of the {color_word} {piece} from its home square to {square}, and it is not \
                     promoted, because all eight pawns are there"
                )
            } else {
                format!(
                    "unmoved pieces block every path of the {color_word} {piece} to {square}, from its home square and from all \
                     promotion squares"
                )
            }
        })
        .squares(square);
}
