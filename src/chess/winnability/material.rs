//! Which pieces can checkmate at all, wherever they are.

use shakmaty::Color;

use super::position::SearchPosition;

pub(super) const DARK_SQUARES: u64 = 0xAA55_AA55_AA55_AA55;

/// Whether the pieces on the board rule out that `winner` ever checkmates.
///
/// * A pawn, a rook or a queen may checkmate a bare king.
/// * So may two knights, or a knight and a bishop. One knight alone needs a piece of the other side
///   that takes a square from its king: any but a queen, which would always capture or interpose.
/// * Bishops on squares of one colour need a knight, a pawn or a bishop on squares of the other
///   colour. Rooks and queens do not help.
pub(super) fn is_insufficient(position: &SearchPosition, winner: Color) -> bool {
    let SearchPosition { pawns, knights, diagonal, straight, .. } = *position;
    let (own, other) = (position.of(winner), position.of(!winner));
    if own & (pawns | straight) != 0 {
        return false;
    }
    if own & knights != 0 {
        // All but kings and queens.
        let helpers = other & (pawns | knights | (diagonal ^ straight));
        return own.count_ones() <= 2 && helpers == 0;
    }
    let bishops = diagonal & !straight;
    own & bishops == 0 || ((bishops & DARK_SQUARES == 0 || bishops & !DARK_SQUARES == 0) && (pawns | knights) == 0)
}
