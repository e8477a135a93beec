//! The positions that a game reaches, on the fast path.

use std::num::NonZeroU32;

use shakmaty::{Color, Setup};

use crate::chess::{
    Board,
    retro::glance::{Position, accept},
};

/// What is done with each position that a replay reaches.
pub(super) trait ReachedPositions {
    /// Whether positions are checked. Those of variations and of games with a FEN tag cannot be.
    const CHECKS: bool;

    /// Called after each ply of `SIDE` (0 is White) in the move `number`. Returns whether the
    /// position is known to have no findings.
    fn accept<const SIDE: usize>(&mut self, board: &Board, number: usize) -> bool;
}

/// Positions are not checked: moves from the starting position reach positions without findings.
pub(super) struct Unchecked;

impl ReachedPositions for Unchecked {
    const CHECKS: bool = false;

    #[inline(always)]
    fn accept<const SIDE: usize>(&mut self, _: &Board, _: usize) -> bool {
        true
    }
}

/// Every position is checked. `examine` is asked about those that the fast path cannot prove to
/// have no findings.
pub(super) struct Checked<F> {
    examine: F,
    /// Plies since the last capture or pawn move.
    clock: u32,
    /// What a capture or a pawn move changes: the number of pieces, and the squares of pawns.
    before: (usize, u64),
}

impl<F: FnMut(Setup) -> bool> Checked<F> {
    /// The positions of a game from the starting position.
    pub fn new(examine: F) -> Checked<F> {
        Checked { examine, clock: 0, before: Self::kept(&Board::default()) }
    }

    fn kept(board: &Board) -> (usize, u64) {
        (board.piece_count(), board.pawns())
    }

    /// The clock after a ply.
    #[inline(always)]
    fn clock_after(&mut self, board: &Board) -> u32 {
        let kept = Self::kept(board);
        self.clock = if kept == self.before { self.clock + 1 } else { 0 };
        self.before = kept;
        self.clock
    }

    /// Leaves the position to `examine`.
    #[cold]
    fn examine(&mut self, board: &Board, counters: (u32, u32), turn: Color) -> bool {
        let (halfmoves, fullmoves) = counters;
        NonZeroU32::new(fullmoves)
            .is_some_and(|fullmoves| (self.examine)(Setup { halfmoves, fullmoves, ..board.setup(turn.is_black()) }))
    }
}

impl<F: FnMut(Setup) -> bool> ReachedPositions for Checked<F> {
    const CHECKS: bool = true;

    #[inline(always)]
    fn accept<const SIDE: usize>(&mut self, board: &Board, number: usize) -> bool {
        let turn = Color::from_white(SIDE == 1);
        let counters = (self.clock_after(board), (number + SIDE) as u32);
        accept(&Position::of_board(board, turn, counters)).is_some() || self.examine(board, counters, turn)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Position as _, san::SanPlus};

    use super::*;
    use crate::{chess::SanWord, text::swar::word};

    fn play(
        board: &mut Board,
        reached: &mut Checked<impl FnMut(Setup) -> bool>,
        token: &str,
        number: usize,
        side: usize,
    ) -> Position {
        let word = word(format!("{token}\0\0\0\0\0\0\0\0").as_bytes(), 0).expect("it is long enough");
        let word = SanWord::of(word, token.len() as u32);
        let is_played = if side == 0 { board.play::<0, false>(word) } else { board.play::<1, false>(word) };
        assert!(is_played, "{token}");
        Position::of_board(board, Color::from_white(side == 1), (reached.clock_after(board), (number + side) as u32))
    }

    /// Random games: castling, double steps, captures en passant, promotions, quiet moves.
    #[test]
    fn positions_are_those_of_shakmaty() {
        let (mut seed, mut clocks) = (18_u64, 0);
        for _ in 0..200 {
            let (mut chess, mut board, mut reached) = (Chess::default(), Board::default(), Checked::new(|_| true));
            for ply in 0..300 {
                let moves = chess.legal_moves();
                if moves.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let played = moves[(seed >> 33) as usize % moves.len()];
                let token = SanPlus::from_move(chess.clone(), played).to_string();
                if token.len() > 7 {
                    break;
                }
                chess.play_unchecked(played);
                let position = play(&mut board, &mut reached, &token, 1 + ply / 2, ply % 2);
                assert_eq!(Some(position), Position::of_chess(&chess), "{token}");
                clocks = clocks.max(reached.clock);
            }
        }
        assert!(clocks > 20, "{clocks}");
    }
}
