//! What the records of an input show about the starting positions of their games: whether the input
//! is standard chess or Chess960.

use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Board};

use super::{Condition, Severity};

/// The severity of a finding that assumes the standard starting position, by what the input shows.
/// The user may not have said that the games are Chess960, so without evidence it is a warning.
pub const IF_STANDARD_START: [(Severity, Condition); 2] =
    [(Severity::Error, Condition::StandardShown), (Severity::Warning, Condition::StandardNotShown)];

/// From how many records on exceptions are reported once per input.
pub const MANY_EXCEPTIONS: u64 = 20;

/// Minimum number of records for each one that fits only Chess960, in an input that shows the
/// standard starting position.
const MIN_RECORDS_PER_EXCEPTION: u64 = 20;

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

    /// What a board with all four castling rights of standard chess shows.
    #[inline]
    pub fn by_all_rights(pawns: Bitboard, bishops: Bitboard, queens: Bitboard, colors: [Bitboard; 2]) -> StartShown {
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
pub struct StartCounts([u64; 6]);

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

    /// Whether the input is Chess960: most of the records that show something do. One record
    /// without tags is not enough.
    pub const fn is_chess960(self) -> bool {
        let chess960 = self.of(StartShown::OnlyChess960) + self.of(StartShown::DeclaredChess960);
        let standard = self.of(StartShown::FitsStandard) + self.of(StartShown::OnlyStandard) + self.of(StartShown::Standard);
        chess960 > standard && (self.of(StartShown::DeclaredChess960) > 0 || chess960 > 1)
    }

    /// Whether the games of the input began in the standard starting position: it occurs, or most
    /// records with castling rights can be explained by no other one. More than a few records that
    /// are Chess960, or fit only Chess960, leave that open.
    pub fn shows_standard(self) -> bool {
        let chess960 = self.of(StartShown::OnlyChess960) + self.of(StartShown::DeclaredChess960);
        if chess960 * MIN_RECORDS_PER_EXCEPTION > self.records() {
            return false;
        }
        let others =
            self.of(StartShown::FitsStandard) + self.of(StartShown::OnlyChess960) + self.of(StartShown::DeclaredChess960);
        !self.is_chess960() && (self.of(StartShown::Standard) > 0 || self.of(StartShown::OnlyStandard) > others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(placement: &str) -> StartShown {
        let board = Board::from_ascii_board_fen(placement.as_bytes()).expect("it is a board");
        StartShown::by_all_rights(board.pawns(), board.bishops(), board.queens(), [board.white(), board.black()])
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
    fn most_records_decide() {
        use StartShown::{DeclaredChess960, FitsStandard, Nothing, OnlyChess960, OnlyStandard, Standard};
        let counts = |shown: &[(StartShown, usize)]| {
            let mut counts = StartCounts::default();
            shown.iter().flat_map(|(shown, times)| std::iter::repeat_n(*shown, *times)).for_each(|shown| counts.note(shown));
            (counts.is_chess960(), counts.shows_standard())
        };
        assert_eq!(counts(&[]), (false, false));
        assert_eq!(counts(&[(Nothing, 9), (FitsStandard, 9)]), (false, false));
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
