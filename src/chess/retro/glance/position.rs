//! A position in regular spelling.

use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Position as _, Square};

use crate::chess::{Board, CASTLING_ROOKS, Pieces};

/// A position in regular spelling. Whether it makes sense is not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) pieces: Pieces,
    pub(crate) turn: Color,
    /// The castling rights `KQkq`, one bit each, `K` lowest.
    pub(crate) rights: u8,
    /// The files of the rooks that may castle, one bit each, of White and Black, if these are
    /// written instead.
    pub(crate) rook_files: [u8; 2],
    pub(crate) en_passant: Option<Square>,
    /// Halfmove clock and fullmove number, each at most 1000.
    pub(crate) counters: Option<(u32, u32)>,
}

impl Position {
    /// The position on the fast board. `counters` are as in [`Position::counters`].
    #[inline(always)]
    pub(crate) fn of_board(board: &Board, turn: Color, counters: (u32, u32)) -> Position {
        Position {
            pieces: board.pieces(),
            turn,
            rights: board.rights(),
            rook_files: [0; 2],
            en_passant: board.en_passant_square(),
            counters: Some(counters),
        }
    }

    /// The same position. `None` if there is no regular spelling of its castling rights and its
    /// move number.
    #[inline]
    pub(crate) fn of_chess(position: &Chess) -> Option<Position> {
        let (roles, colors) = position.board().clone().into_bitboards();
        let castling = position.castles().castling_rights();
        let counters = (position.halfmoves(), position.fullmoves().get());
        let is_regular = castling.is_subset(Bitboard::CORNERS) && counters.0.max(counters.1) < 1000;
        is_regular.then(|| Position {
            pieces: Pieces::of_bitboards(roles, colors),
            turn: position.turn(),
            rights: (0..4).fold(0, |all, right| all | u8::from(castling.contains(CASTLING_ROOKS[right])) << right),
            rook_files: [0; 2],
            en_passant: position.ep_square(EnPassantMode::Always),
            counters: Some(counters),
        })
    }
}
