//! What a record shows about the starting position of its game.

use shakmaty::{Bitboard, Board};

use crate::chess::Pieces;

/// What a record shows about the starting position of its game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StartShown {
    /// Nothing.
    #[default]
    Nothing,
    /// It has castling rights. They fit the standard starting position, but another one may explain
    /// the record too.
    FitsStandard,
    /// It has castling rights, and only the standard starting position explains it.
    OnlyStandard,
    /// The game begins in the standard starting position, or that is the position of the record.
    Standard,
    /// Its castling rights fit the standard starting position. But the back rank of a side with
    /// rights is complete, and one of Chess960. Games of standard chess seldom lead to that.
    OtherBackRank,
    /// It has castling rights that fit the standard starting position, but that one cannot explain
    /// the rest of the record. Another one can.
    OnlyOtherPieces,
    /// Its castling rights fit a starting position of Chess960 or double Chess960, but not the
    /// standard one. Or it is such a starting position.
    OnlyChess960,
    /// Its tags say that it is Chess960, or the game begins in one of the 959 other starting
    /// positions.
    DeclaredChess960,
}

impl StartShown {
    /// Whether the record shows Chess960.
    pub const fn is_chess960(self) -> bool {
        matches!(self, StartShown::OnlyChess960 | StartShown::DeclaredChess960)
    }

    /// What a board shows on which White, Black or both have castling rights of standard chess.
    /// `has_all` is whether these are all four.
    #[inline]
    pub fn by_rights(pieces: &Pieces, [white, black]: [bool; 2], has_all: bool) -> StartShown {
        let has_other = |own: Bitboard, rank: Bitboard| rank.is_subset(own) && has_other_back_rank(pieces, rank);
        if white && has_other(pieces.white, Bitboard(0xFF)) || black && has_other(pieces.black, Bitboard(0xFF << 56)) {
            StartShown::OtherBackRank
        } else if has_all {
            StartShown::by_all_rights(pieces.pawns, pieces.bishops, pieces.queens, [pieces.white, pieces.black])
        } else {
            StartShown::FitsStandard
        }
    }

    /// The same with all four rights, if no back rank is one of Chess960.
    #[inline]
    fn by_all_rights(pawns: Bitboard, bishops: Bitboard, queens: Bitboard, colors: [Bitboard; 2]) -> StartShown {
        // With these pawns, the bishops have not moved. With the bishops, the king and three pawns
        // around it, the queen has not moved either. Knights began on the squares that are left.
        const PAWNS: Bitboard = Bitboard(0x005E_0000_0000_5E00);
        const BISHOPS: Bitboard = Bitboard(0x2400_0000_0000_0024);
        const QUEENS: Bitboard = Bitboard(0x0800_0000_0000_0008);
        let [white, black] = colors.map(|color| color & (PAWNS | BISHOPS | QUEENS));
        let is_home = PAWNS.is_subset(pawns) && BISHOPS.is_subset(bishops) && QUEENS.is_subset(queens);
        if !(is_home && white.is_subset(Bitboard::SOUTH) && black.is_subset(Bitboard::NORTH)) {
            StartShown::FitsStandard
        } else if colors[0] | colors[1] == Board::new().occupied() && colors[0] == Bitboard::SOUTH & Board::new().occupied() {
            StartShown::Standard
        } else {
            StartShown::OnlyStandard
        }
    }
}

/// Whether the pieces on the complete back rank `rank` are those of a side at the start, with
/// bishops and queen on other files than in the standard starting position. King and rooks have
/// castling rights, so they are in order. Knights, and a rook without a right, may have moved.
fn has_other_back_rank(pieces: &Pieces, rank: Bitboard) -> bool {
    let here = [pieces.bishops, pieces.queens, pieces.rooks, pieces.knights, pieces.kings].map(|kind| kind & rank);
    let standard = Board::new();
    here.map(Bitboard::count) == [2, 1, 2, 2, 1]
        && (here[0] & Bitboard::LIGHT_SQUARES).count() == 1
        && here[..2] != [standard.bishops(), standard.queens()].map(|kind| kind & rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(placement: &str) -> Pieces {
        let board = Board::from_ascii_board_fen(placement.as_bytes()).expect("it is a board");
        let (roles, colors) = board.into_bitboards();
        Pieces::of_bitboards(roles, colors)
    }

    fn shown(placement: &str) -> StartShown {
        StartShown::by_rights(&pieces(placement), [true; 2], true)
    }

    #[test]
    fn only_the_standard_starting_position_locks_in_these_pieces() {
        assert_eq!(shown("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"), StartShown::Standard);
        assert_eq!(shown("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R"), StartShown::OnlyStandard);
        assert_eq!(shown("rnbqkbnr/pppppppp/8/8/8/7P/PPPPPPP1/RNBQKBNR"), StartShown::OnlyStandard);
        // The queen and a bishop may have changed places.
        assert_eq!(shown("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"), StartShown::FitsStandard);
        assert_eq!(shown("rnbqkbnr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR"), StartShown::FitsStandard);
    }

    #[test]
    fn a_complete_back_rank_shows_where_its_pieces_began() {
        let by = |placement: &str, sides| StartShown::by_rights(&pieces(placement), sides, false);
        let black = "rnbkqbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
        assert_eq!(by(black, [true, false]), StartShown::FitsStandard);
        let mixed = "rbnqknbr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
        assert_eq!((by(mixed, [true, false]), by(mixed, [false, true])), (StartShown::FitsStandard, StartShown::OtherBackRank));
        assert_eq!((by(mixed, [true; 2]), shown(mixed)), (StartShown::OtherBackRank, StartShown::OtherBackRank));
        // Two queens, bishops on squares of one colour, a piece of the other side, moved knights.
        for incomplete in ["RQBQKBNR", "RNBQKNBR", "RNbQKBNR", "NRBQKBNR"].map(|rank| format!("r3k3/8/8/8/8/8/8/{rank}")) {
            assert_eq!(by(&incomplete, [true, false]), StartShown::FitsStandard, "{incomplete}");
        }
    }
}
