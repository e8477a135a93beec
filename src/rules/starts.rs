//! What the records of an input show about the starting positions of their games: whether the input
//! is standard chess or Chess960.

use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Board};

use super::{Condition, Finding, Severity};
use crate::chess::Pieces;

/// The severity of a finding that assumes the standard starting position, by what the input shows.
/// The user may not have said that the games are Chess960, so without evidence it is a warning.
pub const IF_STANDARD_START: [(Severity, Condition); 2] =
    [(Severity::Error, Condition::StandardShown), (Severity::Warning, Condition::StandardNotShown)];

/// Makes `finding`, which assumes the standard starting position, hold under `condition`. Without
/// evidence for that starting position, the message says what it assumes.
pub fn assume_standard_start(finding: &mut Finding, severity: Severity, condition: Condition) {
    finding.severity(severity).only_if(condition);
    if condition == Condition::StandardNotShown {
        let message = &finding.message;
        finding.message = format!(
            "in games from the standard starting position, {message}; if this is Chess960, check with `--variant chess960`"
        );
    }
}

/// From how many records on exceptions are reported once per input.
pub const MANY_EXCEPTIONS: u64 = 20;

/// Minimum number of records for each one that fits only Chess960, in an input that shows the
/// standard starting position.
const MIN_RECORDS_PER_EXCEPTION: u64 = 20;

/// Minimum number of records with castling rights that show the standard starting position if all
/// fit it. Of the starting positions of Chess960, one in 53 has king and rooks on the same squares.
const MANY_RIGHTS: u64 = 20;

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

/// How many records show what about their starting positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartCounts([u64; 8]);

impl StartCounts {
    /// Notes what a record shows.
    #[inline]
    pub const fn note(&mut self, shown: StartShown) {
        self.0[shown as usize] += 1;
    }

    /// Adds the counts of another part.
    pub fn add(&mut self, other: StartCounts) {
        self.0.iter_mut().zip(other.0).for_each(|(own, others)| *own += others);
    }

    /// Number of records.
    pub fn records(self) -> u64 {
        self.0.iter().sum()
    }

    const fn of(self, shown: StartShown) -> u64 {
        self.0[shown as usize]
    }

    /// Number of records without tags that fit only Chess960.
    pub const fn only_chess960(self) -> u64 {
        self.of(StartShown::OnlyChess960)
    }

    /// Number of records that speak for Chess960.
    const fn chess960(self) -> u64 {
        self.of(StartShown::OnlyChess960) + self.of(StartShown::OtherBackRank) + self.of(StartShown::DeclaredChess960)
    }

    /// Whether the input is Chess960: most of the records that show something do. One record
    /// without tags is not enough.
    pub const fn is_chess960(self) -> bool {
        let chess960 = self.chess960();
        let standard = self.of(StartShown::FitsStandard)
            + self.of(StartShown::OnlyOtherPieces)
            + self.of(StartShown::OnlyStandard)
            + self.of(StartShown::Standard);
        chess960 > standard && (self.of(StartShown::DeclaredChess960) > 0 || chess960 > 1)
    }

    /// Whether the games of the input began in the standard starting position: it occurs, or most
    /// records with castling rights can be explained by no other one, or there are many rights and
    /// all fit it. More than a few records that are Chess960, or fit only Chess960, leave that
    /// open.
    pub fn shows_standard(self) -> bool {
        let chess960 = self.chess960();
        if self.is_chess960() || chess960 * MIN_RECORDS_PER_EXCEPTION > self.records() {
            return false;
        }
        let other_pieces = self.of(StartShown::OnlyOtherPieces);
        let fitting = self.of(StartShown::FitsStandard) + self.of(StartShown::OnlyStandard);
        self.of(StartShown::Standard) > 0
            || self.of(StartShown::OnlyStandard) > self.of(StartShown::FitsStandard) + other_pieces + chess960
            || fitting >= MANY_RIGHTS.max((other_pieces + chess960) * MIN_RECORDS_PER_EXCEPTION)
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

    #[test]
    fn most_records_decide() {
        use StartShown::{
            DeclaredChess960, FitsStandard, Nothing, OnlyChess960, OnlyOtherPieces, OnlyStandard, OtherBackRank, Standard,
        };
        let counts = |shown: &[(StartShown, usize)]| {
            let mut counts = StartCounts::default();
            shown.iter().flat_map(|(shown, times)| std::iter::repeat_n(*shown, *times)).for_each(|shown| counts.note(shown));
            (counts.is_chess960(), counts.shows_standard())
        };
        assert_eq!(counts(&[]), (false, false));
        assert_eq!(counts(&[(Nothing, 90), (FitsStandard, 19)]), (false, false));
        assert_eq!(counts(&[(Nothing, 90), (FitsStandard, 20)]), (false, true));
        assert_eq!(counts(&[(FitsStandard, 19), (OnlyOtherPieces, 1)]), (false, false));
        assert_eq!(counts(&[(FitsStandard, 20), (OnlyOtherPieces, 1)]), (false, true));
        assert_eq!(counts(&[(FitsStandard, 39), (OnlyOtherPieces, 1), (OnlyChess960, 1)]), (false, false));
        assert_eq!(counts(&[(FitsStandard, 40), (OnlyOtherPieces, 1), (OnlyChess960, 1)]), (false, true));
        assert_eq!(counts(&[(OtherBackRank, 1)]), (false, false));
        assert_eq!(counts(&[(OtherBackRank, 2), (FitsStandard, 1)]), (true, false));
        assert_eq!(counts(&[(OtherBackRank, 2), (FitsStandard, 38)]), (false, false));
        // A defect is no sign of Chess960 by itself.
        assert_eq!(counts(&[(OnlyOtherPieces, 9)]), (false, false));
        assert_eq!(counts(&[(OnlyChess960, 1)]), (false, false));
        assert_eq!(counts(&[(OnlyChess960, 2)]), (true, false));
        assert_eq!(counts(&[(DeclaredChess960, 1)]), (true, false));
        assert_eq!(counts(&[(OnlyChess960, 2), (FitsStandard, 2)]), (false, false));
        assert_eq!(counts(&[(OnlyChess960, 2), (FitsStandard, 1), (Standard, 1)]), (false, false));
        assert_eq!(counts(&[(OnlyChess960, 2), (FitsStandard, 36), (Standard, 1)]), (false, false));
        assert_eq!(counts(&[(OnlyChess960, 2), (FitsStandard, 37), (Standard, 1)]), (false, true));
        assert_eq!(counts(&[(OnlyChess960, 3), (Standard, 1)]), (true, false));
        assert_eq!(counts(&[(OnlyStandard, 3), (FitsStandard, 2)]), (false, true));
        assert_eq!(counts(&[(OnlyStandard, 2), (FitsStandard, 2)]), (false, false));
    }
}
