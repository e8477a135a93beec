//! A key that equal positions share, and different ones almost never.

use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Position, Square};
use xxhash_rust::xxh3::xxh3_64;

use super::Pieces;

/// A hash of a position: its pieces, the side to move, the rooks that may castle, and the square of
/// a legal en passant capture.
pub fn position_key(pieces: &Pieces, turn: Color, castling_rooks: Bitboard, en_passant: Option<Square>) -> u64 {
    let Pieces { pawns, knights, bishops, rooks, queens, kings, white, black, .. } = *pieces;
    let mut bytes = [0; 9 * 8 + 2];
    let sets = [pawns, knights, bishops, rooks, queens, kings, white, black, castling_rooks];
    for (place, squares) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(sets) {
        *place = squares.0.to_le_bytes();
    }
    bytes[72] = turn as u8;
    // 0 means none: a pawn never passes a1.
    bytes[73] = en_passant.map_or(0, |square| square as u8);
    xxh3_64(&bytes)
}

/// The same of a position that can be played.
pub fn position_key_of(position: &Chess) -> u64 {
    let (roles, colors) = position.board().clone().into_bitboards();
    let pieces = Pieces::of_bitboards(roles, colors);
    position_key(&pieces, position.turn(), position.castles().castling_rights(), position.ep_square(EnPassantMode::Legal))
}
