//! Moves that are seen to be legal without playing them on a board.
//!
//! Nearly all moves in operations are of this kind, and setting up a board takes longer than a look
//! at the bitboards. Castling, promotions, king moves, en passant captures, moves out of check and
//! checkmates are left to the board.

use shakmaty::{Bitboard, Color, File, Rank, Square, attacks};

use crate::chess::retro::glance::{
    Position,
    material::{BoardView, Lines},
};

/// What the first byte of a move says about its piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mover {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
}

/// Whether the move in the first `length` bytes of `word`, the first one lowest, is plainly a legal
/// move in canonical SAN. `length` is at least 2 and at most 7. `false` proves nothing.
#[inline]
pub(super) fn is_legal(position: &Position, view: &BoardView, word: u64, length: u32) -> bool {
    let marked = (word >> (8 * length - 8)) as u8 == b'+';
    let length = length - u32::from(marked);
    // The last byte is now the highest.
    let end = word << (64 - 8 * length);
    let target = ((end >> 48) as u16).wrapping_sub(u16::from_le_bytes(*b"a1"));
    let captures = (end >> 40) as u8 == b'x';
    if target & !0x0707 != 0 || view.checkers.any() {
        return false;
    }
    let to = Square::new(u32::from(target >> 5 | target) & 63);
    let (pieces, turn) = (&position.pieces, position.turn);
    let (own, other) = (pieces.of(turn), pieces.of(!turn));
    let occupied = own | other;
    if !(if captures { other } else { !occupied }).contains(to) {
        return false;
    }
    let (mover, kind, origins) = match word as u8 {
        b'N' => (Mover::Knight, pieces.knights, attacks::knight_attacks(to)),
        b'B' => (Mover::Bishop, pieces.bishops, attacks::bishop_attacks(to, occupied)),
        b'R' => (Mover::Rook, pieces.rooks, attacks::rook_attacks(to, occupied)),
        b'Q' => (Mover::Queen, pieces.queens, attacks::queen_attacks(to, occupied)),
        b'a'..=b'h' if !Bitboard::BACKRANKS.contains(to) => {
            (Mover::Pawn, pieces.pawns, if captures { attacks::pawn_attacks(!turn, to) } else { pushes(turn, to, occupied) })
        }
        _ => return false,
    };
    let candidates = kind & own & origins;
    let hints = length.wrapping_sub(2 + u32::from(captures) + u32::from(mover != Mover::Pawn));
    let hint = (word >> (8 * u32::from(mover != Mover::Pawn))) as u8;
    let Some(from) = named(mover, candidates, captures, hints, hint) else { return false };
    let (start, bit) = (Bitboard::from(from), Bitboard::from(to));
    let after = (occupied ^ start) | bit;
    let reach = |lines: Lines, sliders: Bitboard| {
        (lines.straight & pieces.straight() & sliders) | (lines.diagonal & pieces.diagonal() & sliders)
    };
    // The other pieces of its kind could be pinned instead, so that canonical SAN would not tell
    // them apart.
    let is_pinned = || reach(Lines::from(*view.kings.get(turn), after), other & !bit).any();
    let seen = candidates & view.lines.get(turn).all();
    if seen.any() && (candidates.more_than_one() || is_pinned()) {
        return false;
    }
    let (king, lines) = (*view.kings.get(!turn), *view.lines.get(!turn));
    // Nothing comes to lie between the target square and the king, or disappears there.
    let attacked = match mover {
        Mover::Pawn => attacks::pawn_attacks(!turn, king),
        Mover::Knight => attacks::knight_attacks(king),
        Mover::Bishop => lines.diagonal,
        Mover::Rook => lines.straight,
        Mover::Queen => lines.all(),
    };
    let is_discovered = || reach(Lines::from(king, after), own & !start).any();
    let check = attacked.contains(to) || (lines.all().contains(from) && is_discovered());
    check == marked && (!check || can_flee(position, king, from, to))
}

/// The squares from which a pawn can advance to `to`, which is empty.
#[inline(always)]
fn pushes(turn: Color, to: Square, occupied: Bitboard) -> Bitboard {
    let to = Bitboard::from(to);
    let behind = |squares: Bitboard| squares.shift(if turn.is_white() { -8 } else { 8 });
    let one = behind(to);
    let middle = behind(to & Bitboard::from_rank(turn.fold_wb(Rank::Fourth, Rank::Fifth))) & !occupied;
    one | behind(middle)
}

/// The piece among `candidates`, all of which can reach the target square, that a canonical move
/// names. `hints` is the number of bytes that tell them apart, and `hint` the first of these.
#[inline(always)]
fn named(mover: Mover, candidates: Bitboard, captures: bool, hints: u32, hint: u8) -> Option<Square> {
    match (mover, hints) {
        (Mover::Pawn, 0) if !captures => candidates.single_square(),
        (Mover::Pawn, 1) if captures => (candidates & file(hint)?).single_square(),
        (Mover::Pawn, _) => None,
        (_, 0) => candidates.single_square(),
        (_, 1) => {
            let by_file = file(hint);
            let hinted = by_file.or_else(|| rank(hint))?;
            let (chosen, others) = ((candidates & hinted).single_square()?, candidates & !hinted);
            // The rank is named only if the file is not enough.
            let is_needed = if by_file.is_some() { others.any() } else { (others & Bitboard::from(chosen.file())).any() };
            is_needed.then_some(chosen)
        }
        _ => None,
    }
}

/// The squares of a file, `a` to `h`.
#[inline(always)]
fn file(letter: u8) -> Option<Bitboard> {
    matches!(letter, b'a'..=b'h').then(|| Bitboard::from(File::new(u32::from(letter - b'a'))))
}

/// The squares of a rank, `1` to `8`.
#[inline(always)]
fn rank(digit: u8) -> Option<Bitboard> {
    matches!(digit, b'1'..=b'8').then(|| Bitboard::from(Rank::new(u32::from(digit - b'1'))))
}

/// Whether the king on `king`, which the piece moved from `from` to `to` has put in check, can
/// flee.
#[inline(never)]
fn can_flee(position: &Position, king: Square, from: Square, to: Square) -> bool {
    let (pieces, turn) = (&position.pieces, position.turn);
    let (start, bit) = (Bitboard::from(from), Bitboard::from(to));
    let moved = |kind: Bitboard| if kind.contains(from) { (kind ^ start) | bit } else { kind & !bit };
    let own = (pieces.of(turn) ^ start) | bit;
    let other = pieces.of(!turn) & !bit;
    let (knights, pawns, kings) = (moved(pieces.knights) & own, moved(pieces.pawns) & own, pieces.kings & own);
    let (straight, diagonal) = (moved(pieces.straight()) & own, moved(pieces.diagonal()) & own);
    // The king does not shield the squares behind it.
    let others = (own | other).without(king);
    (attacks::king_attacks(king) & !other).into_iter().any(|flight| {
        let attackers = (attacks::knight_attacks(flight) & knights)
            | (attacks::pawn_attacks(!turn, flight) & pawns)
            | (attacks::king_attacks(flight) & kings)
            | (attacks::rook_attacks(flight, others) & straight)
            | (attacks::bishop_attacks(flight, others) & diagonal);
        attackers.is_empty()
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen, san::SanPlus};

    use super::*;
    use crate::chess::{
        Pieces,
        retro::glance::{material, position_line},
    };

    const POSITIONS: [&str; 13] = [
        "r1bq1r1k/p1pnbpp1/1p2p3/6p1/3PB3/5N2/PPPQ1PPP/2KR3R w - -",
        "2kr2r1/ppq1bp1p/4pn2/2p1n1pb/4P1P1/2P2N1P/PPBNQP2/R1B1R1K1 b - -",
        "r4rk1/1b1n1pb1/3p2p1/1p1Pq1Bp/2p1P3/2P2RNP/1PBQ2P1/5R1K w - -",
        "8/3r4/pr1Pk1p1/8/7P/6P1/3R3K/5R2 w - -",
        "r3k2r/pbppqpb1/1pn3p1/7p/1N2p1n1/1PP4N/PB1P2PP/2QRKR2 w kq -",
        // A pinned knight, which makes disambiguation superfluous, and pinned pieces that can
        // capture.
        "4k3/4r3/8/8/8/N3N3/8/4K3 w - -",
        "6k1/8/8/8/1b5q/8/3B1P2/4K3 w - -",
        // Discovered checks by a knight, a pawn and a bishop.
        "4k3/8/8/4N3/8/8/8/4RK2 w - -",
        "8/1B4k1/8/3P4/8/8/1P3P2/B3K3 w - -",
        "q1b4K/8/8/8/8/8/6k1/8 b - -",
        // More than two pieces of a kind, on shared files and ranks.
        "7k/8/1N6/8/1N3N2/8/8/4K3 w - -",
        "4k3/P6p/8/3pP3/R6R/8/R5p1/4K3 w - d6",
        // A mate on the back rank.
        "6k1/5ppp/8/8/8/8/8/4R1K1 w - -",
    ];

    #[test]
    fn only_canonical_moves_are_legal() {
        let (mut accepted, mut all) = (0, 0);
        for fields in POSITIONS {
            let (position, _) = position_line::read(fields.as_bytes(), Pieces::read).expect("a position");
            let view = material::view_if_sound(&position).expect("a sound position");
            let chess: Chess = fields.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("legal");
            let moves = chess.legal_moves();
            let canonical: BTreeSet<String> =
                moves.iter().map(|played| SanPlus::from_move(chess.clone(), *played).to_string()).collect();
            let hints = ["", "a", "b", "c", "d", "e", "f", "g", "h", "1", "2", "3", "4", "5", "6", "7", "8", "?"];
            for piece in ["", "N", "B", "R", "Q", "K", "n", "P"] {
                for (hint, mark) in hints.iter().flat_map(|hint| ["", "+", "#", "!"].map(|mark| (hint, mark))) {
                    for (takes, square) in Square::ALL.into_iter().flat_map(|square| [("", square), ("x", square)]) {
                        let word = format!("{piece}{hint}{takes}{square}{mark}");
                        let mut bytes = [0; 8];
                        bytes[..word.len()].copy_from_slice(word.as_bytes());
                        if is_legal(&position, &view, u64::from_le_bytes(bytes), word.len() as u32) {
                            assert!(canonical.contains(&word), "{word} in {fields}");
                            accepted += 1;
                        }
                    }
                }
            }
            all += canonical.iter().filter(|san| !san.starts_with(['K', 'O']) && !san.contains('=')).count();
        }
        assert!(accepted * 10 > all * 7, "only {accepted} of {all} moves");
    }
}
