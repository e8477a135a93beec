//! Whether the side to move has a legal move, which is cheaper to tell than to list all moves.

use shakmaty::{Chess, Position, attacks};

/// Whether there is a legal move. Without one, it is checkmate or stalemate.
pub fn has_legal_move(position: &Chess) -> bool {
    has_obvious_move(position) || !position.legal_moves().is_empty()
}

/// Whether there is a legal move that can be seen without generating moves. If the side to move is
/// not in check, a piece on no line with its king is not pinned. It can move to any square that it
/// attacks, and a pawn to the next square on its file.
fn has_obvious_move(position: &Chess) -> bool {
    let board = position.board();
    let turn = position.turn();
    let Some(king) = board.king_of(turn).filter(|_| position.checkers().is_empty()) else { return false };
    let ours = board.by_color(turn);
    let free = ours & !attacks::queen_attacks(king, board.occupied());
    let pawns = board.pawns() & free;
    (pawns.shift(turn.fold_wb(8, -8)) & !board.occupied()).any()
        || (free & !pawns & !board.kings()).into_iter().any(|piece| (board.attacks_from(piece) & !ours).any())
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    #[test]
    fn a_move_that_looks_possible_is_legal() {
        for (fen, obvious, legal) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true, true),
            // Kings, and a piece on a line with its king, have to be looked at closely.
            ("7k/8/8/8/8/8/8/K7 w - - 0 1", false, true),
            ("k7/8/8/8/8/8/1R6/K7 w - - 0 1", false, true),
            // The knight is pinned. Another one is not.
            ("7k/8/8/8/8/1r6/1r6/K1N4q w - - 0 1", false, false),
            ("7k/8/8/7N/8/1r6/1r6/K1N4q w - - 0 1", true, true),
            // Stalemate and checkmate.
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", false, false),
            ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", false, false),
            // In check, only a capture helps.
            ("R5k1/1b3ppp/8/8/4b3/8/8/4K3 b - - 0 1", false, true),
        ] {
            let position: Chess = fen.parse::<Fen>().expect(fen).into_position(CastlingMode::Standard).expect(fen);
            assert_eq!(has_obvious_move(&position), obvious, "{fen}");
            assert_eq!(has_legal_move(&position), legal, "{fen}");
            assert_eq!(!position.legal_moves().is_empty(), legal, "{fen}");
        }
    }
}
