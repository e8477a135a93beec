//! Position legality.

use shakmaty::Bitboard;

use super::facts::{PositionFacts, role_name};
use crate::text::wording::join_and;

pub(crate) mod back_rank_pawn;
pub(crate) mod both_in_check;
pub(crate) mod caged_king;
pub(crate) mod caged_piece;
pub(crate) mod caged_promotions;
pub(crate) mod game_over;
pub(crate) mod impossible_double_check;
pub(crate) mod king_count;
pub(crate) mod kings_adjacent;
pub(crate) mod no_last_move;
pub(crate) mod opposite_check;
pub(crate) mod pawn_captures;
pub(crate) mod pawn_structure;
pub(crate) mod promotion_count;
pub(crate) mod promotions_vs_captures;
pub(crate) mod proof_kernel;
pub(crate) mod side_to_move_parity;
pub(crate) mod too_many_pawns;
pub(crate) mod too_many_pieces;
pub(crate) mod triple_check;

family! {
    king_count, kings_adjacent, opposite_check, both_in_check, back_rank_pawn, too_many_pawns,
    too_many_pieces, promotion_count, triple_check, impossible_double_check, no_last_move,
    pawn_structure, pawn_captures, promotions_vs_captures, caged_piece, caged_promotions,
    caged_king, side_to_move_parity, game_over, proof_kernel,
}

/// ` (bishop on a8 and bishop on h8)`, if exactly `count` pieces are candidates; otherwise nothing.
fn named(facts: &PositionFacts<'_>, candidates: Bitboard, count: u32) -> String {
    if candidates.count() as u32 != count {
        return String::new();
    }
    let Some(board) = &facts.board else { return String::new() };
    let name = |square| board.role_at(square).map(|role| format!("{} on {square}", role_name(role)));
    let names: Vec<String> = candidates.into_iter().filter_map(name).collect();
    format!(" ({})", join_and(&names))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::squares_marked;

    #[test]
    fn squares_at_fault_are_marked() {
        for (code, line, squares) in [
            ("POS01", "kk6/8/8/8/8/8/8/8 w - - 0 1", "a8 b8"),
            ("POS02", "8/8/8/8/8/8/8/R4kK1 w - - 0 1", "f1 g1"),
            ("POS03", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2 e8"),
            ("POS04", "4k3/8/8/8/8/8/4R3/K2r4 w - - 0 1", "a1 d1 e2 e8"),
            ("POS05", "p3k3/8/8/8/8/8/8/3PK3 w - - 0 1", "d1 a8"),
            ("POS06", "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "a2 b2 c2 d2 e2 f2 g2 h2 a3"),
            ("POS08", "4k3/8/8/8/8/8/PPPPPPPP/Q2QK3 w - - 0 1", "a1 d1"),
            ("POS10", "8/8/R3k2R/8/8/4K3/8/8 b - - 0 1", "a6 e6 h6"),
            ("POS11", "8/8/8/8/R3k3/8/8/K3R3 b - - 0 40", "e1 a4 e4"),
            ("POS12", "4k3/8/8/8/8/P7/PP6/4K3 w - - 0 40", "a2 b2 a3"),
            ("POS13", "rnbqkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR w - - 0 1", "a2 a3"),
            ("POS15", "r3k1nr/pppppppp/8/8/8/4B3/1P1PP1P1/R3K2R w KQkq - 0 40", "e3"),
            ("POS18", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", ""),
        ] {
            assert_eq!(squares_marked(code, line), squares, "{code} in {line}");
        }
    }
}
