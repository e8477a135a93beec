//! The position after many moves, without playing each of them.

use shakmaty::{Bitboard, Board, CastlingMode, Chess, File, FromSetup, Move, Position, Rank, Role, Setup, Square};

/// The position after legal moves of standard chess from the starting position.
///
/// The moves are only noted on bitboards. Playing each of them takes several times as long.
pub fn position_after(moves: &[Move]) -> Chess {
    let known = setup_after(moves).and_then(|setup| Chess::from_setup(setup, CastlingMode::Standard).ok());
    known.unwrap_or_else(|| {
        let mut position = Chess::default();
        moves.iter().for_each(|played| position.play_unchecked(*played));
        position
    })
}

fn setup_after(moves: &[Move]) -> Option<Setup> {
    let Setup { board, mut turn, .. } = Setup::initial();
    let (mut roles, mut colors) = board.into_bitboards();
    let (mut touched, mut zeroing) = (Bitboard::EMPTY, 0);
    for (number, played) in moves.iter().enumerate() {
        match *played {
            Move::Normal { role, from, capture, to, promotion } => {
                let (start, end) = (Bitboard::from(from), Bitboard::from(to));
                if let Some(captured) = capture {
                    *colors.get_mut(!turn) ^= end;
                    *roles.get_mut(captured) ^= end;
                }
                *colors.get_mut(turn) ^= start | end;
                *roles.get_mut(role) ^= start;
                *roles.get_mut(promotion.unwrap_or(role)) ^= end;
                touched |= start | end;
            }
            Move::EnPassant { from, to } => {
                let both = Bitboard::from(from) | Bitboard::from(to);
                let captured = Bitboard::from(Square::from_coords(to.file(), from.rank()));
                *colors.get_mut(turn) ^= both;
                *colors.get_mut(!turn) ^= captured;
                *roles.get_mut(Role::Pawn) ^= both | captured;
            }
            Move::Castle { king, rook } => {
                let side = played.castling_side()?;
                let moved = |from: Square, file| Bitboard::from(from) | Bitboard::from(Square::from_coords(file, from.rank()));
                let (kings, rooks) = (moved(king, side.king_to_file()), moved(rook, side.rook_to_file()));
                *colors.get_mut(turn) ^= kings ^ rooks;
                *roles.get_mut(Role::King) ^= kings;
                *roles.get_mut(Role::Rook) ^= rooks;
                touched |= kings | rooks;
            }
            Move::Put { .. } => return None,
        }
        if played.is_zeroing() {
            zeroing = number + 1;
        }
        turn = !turn;
    }
    let mut castling_rights = Bitboard::CORNERS & !touched;
    for rank in [Rank::First, Rank::Eighth] {
        if touched.contains(Square::from_coords(File::E, rank)) {
            castling_rights &= !Bitboard::from_rank(rank);
        }
    }
    let ep_square = match moves.last() {
        Some(Move::Normal { role: Role::Pawn, from, to, .. }) if u32::from(*from).abs_diff(u32::from(*to)) == 16 => {
            Some(Square::new(u32::midpoint(u32::from(*from), u32::from(*to))))
        }
        _ => None,
    };
    Some(Setup {
        board: Board::try_from_bitboards(roles, colors).ok()?,
        turn,
        castling_rights,
        ep_square,
        halfmoves: u32::try_from(moves.len() - zeroing).ok()?,
        fullmoves: u32::try_from(moves.len() / 2 + 1).ok()?.try_into().ok()?,
        ..Setup::initial()
    })
}

#[cfg(test)]
mod tests {
    use shakmaty::EnPassantMode;

    use super::*;

    #[test]
    fn moves_lead_to_the_same_position_as_if_they_were_played() {
        let mut state = 7_usize;
        let (mut castled, mut captured, mut promoted, mut checked) = (0, 0, 0, 0);
        for _ in 0..300 {
            let (mut position, mut moves) = (Chess::default(), Vec::new());
            for _ in 0..200 {
                let legal = position.legal_moves();
                state = state.wrapping_mul(0x5DEE_CE66D).wrapping_add(11) & 0xFFFF_FFFF_FFFF;
                // Rare moves are preferred.
                let is_rare = |played: &&Move| played.is_castle() || played.is_en_passant() || played.is_promotion();
                let Some(played) = legal.iter().find(is_rare).or_else(|| legal.get((state >> 17) % legal.len().max(1))) else {
                    break;
                };
                castled += usize::from(played.is_castle());
                captured += usize::from(played.is_en_passant());
                promoted += usize::from(played.is_promotion());
                position.play_unchecked(*played);
                moves.push(*played);
                let (meant, expected) = (position_after(&moves), position.to_setup(EnPassantMode::Always));
                assert_eq!(meant.to_setup(EnPassantMode::Always), expected, "{moves:?}");
                let setup = setup_after(&moves).expect("standard moves");
                assert!(Chess::from_setup(setup, CastlingMode::Standard).is_ok(), "{moves:?}");
                checked += 1;
            }
        }
        assert!(
            castled > 100 && captured > 20 && promoted > 100 && checked > 10_000,
            "{castled} {captured} {promoted} {checked}"
        );
    }
}
