//! Castling rights: which rooks their letters mean, and what they prove.

use shakmaty::{Bitboard, Color, File, Rank, Square, attacks};

use super::{ClaimedRight, Origin, PositionFacts};
use crate::chess::fen::RightReading;

impl PositionFacts<'_> {
    /// The rooks between the king and the one that `K` or `Q` means. The letter may be meant for
    /// one of them. On the standard squares of king and rook there is no doubt.
    pub fn inner_rooks(&self, right: ClaimedRight) -> Bitboard {
        let color = right.letter.color();
        let (Some(board), Some(king), RightReading::Chess960(outermost), None) =
            (&self.board, *self.kings.get(color), right.reading, right.letter.rook_file())
        else {
            return Bitboard::EMPTY;
        };
        let back = Bitboard::from_rank(color.fold_wb(Rank::First, Rank::Eighth));
        board.rooks() & board.by_color(color) & back & attacks::between(king, outermost)
    }

    /// The inner rook that is meant, if the rights of the other side show it.
    ///
    /// This needs a game of Chess960 (not double Chess960) with both kings on one file. Both sides
    /// have one starting position there, so a right of the other side can show that the starting
    /// square of the rook is an inner one.
    pub fn inner_rook_meant(&self, right: ClaimedRight) -> Option<Square> {
        if !self.has_one_start() {
            return None;
        }
        let color = right.letter.color();
        let (king, other_king) = ((*self.kings.get(color))?, (*self.kings.get(!color))?);
        let rook = right.reading.rook()?;
        let is_same_side = |other: &Square| (other.file() < other_king.file()) == (rook.file() < king.file());
        let others = self.rights().filter(|other| other.letter.color() != color);
        let other = others.filter_map(|other| other.reading.rook()).find(is_same_side)?;
        let meant = Square::from_coords(other.file(), rook.rank());
        (king.file() == other_king.file() && self.inner_rooks(right).contains(meant)).then_some(meant)
    }

    /// Whether both sides have the same starting position: the FEN tag belongs to a game that is
    /// declared to be Chess960, but not double Chess960.
    pub fn has_one_start(&self) -> bool {
        self.origin == Origin::FenTag && self.declared.chess960 && !self.declared.double_chess960
    }

    /// Whether the right fits only Chess960, and nothing declares the position to be Chess960. File
    /// letters are the notation of Chess960, so they declare it.
    pub fn is_exception(&self, right: ClaimedRight) -> bool {
        let fits_only_chess960 = matches!(right.reading, RightReading::Chess960(_)) && right.letter.rook_file().is_none();
        fits_only_chess960 && !self.declared.chess960
    }

    /// Whether the castling rights of both colours fit one starting position shared by both sides.
    /// `None` if only one colour has rights, or if some rights fit nothing on the board.
    pub fn shared_start(&self) -> Option<bool> {
        self.shared_start_with(|right| right.reading.rook())
    }

    /// The same if each right means this rook.
    fn shared_start_with(&self, rook_of: impl Fn(ClaimedRight) -> Option<Square>) -> Option<bool> {
        let files = |color: Color| {
            let king = self.kings.get(color).map(Square::file)?;
            let (mut left, mut right) = (None, None);
            for claimed in self.rights().filter(|claimed| claimed.letter.color() == color) {
                let rook = rook_of(claimed)?.file();
                *(if rook < king { &mut left } else { &mut right }) = Some(rook);
            }
            (left.is_some() || right.is_some()).then_some((king, left, right))
        };
        let (white, black) = (files(Color::White)?, files(Color::Black)?);
        let agree = |one: Option<File>, other: Option<File>| one.zip(other).is_none_or(|(one, other)| one == other);
        Some(white.0 == black.0 && agree(white.1, black.1) && agree(white.2, black.2))
    }

    /// Kings and rooks that have not moved because they have a castling right.
    ///
    /// Rights that are reported as wrong prove nothing: those that fit no starting position (CAS01,
    /// CAS02), exceptions if they are not trusted, and those of both sides if they contradict each
    /// other (CAS05). A letter that can mean two rooks (CAS04) proves that the king has not moved,
    /// and the rook only if it is clear which one is meant.
    pub(super) fn unmoved(&self) -> Bitboard {
        let meant = |right: ClaimedRight| self.inner_rook_meant(right).or(right.reading.rook());
        if self.has_one_start() && self.shared_start_with(meant) == Some(false) {
            return Bitboard::EMPTY;
        }
        let mut unmoved = Bitboard::EMPTY;
        for right in self.rights().filter(|right| self.trusts_exceptions || !self.is_exception(*right)) {
            let (Some(king), Some(rook)) = (*self.kings.get(right.letter.color()), meant(right)) else { continue };
            unmoved.add(king);
            if self.inner_rooks(right).is_empty() || Some(rook) != right.reading.rook() {
                unmoved.add(rook);
            }
        }
        unmoved
    }

    /// The position as it is if the input is standard chess: rights that fit only Chess960 are
    /// stale. `None` if it has none of them.
    pub fn without_exceptions(&self) -> Option<PositionFacts<'_>> {
        let has_exceptions = self.rights().any(|right| self.is_exception(right));
        has_exceptions.then(|| {
            let mut facts = self.clone();
            facts.trusts_exceptions = false;
            facts
        })
    }
}
