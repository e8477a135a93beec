//! Arrows on a board: a move from one square to another.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use shakmaty::{Bitboard, Board, CastlingSide, Chess, Color, Move, Position, Role, Square, attacks};

use super::{WrittenMove, WrittenSan, resolve};

/// Maximum number of arrows for one written move.
const MAX_ARROWS: usize = 4;

/// A move from one square to another, to be drawn on a board. Serialised as `e2e4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// Where the piece is.
    pub from: Square,
    /// The target square.
    pub to: Square,
}

impl Arrow {
    /// The arrow of a legal move. Castling is drawn as the move of the king. A drop has no arrow.
    pub fn of(played: Move) -> Option<Arrow> {
        Some(match played {
            Move::Castle { king, rook } => {
                let side = if king < rook { CastlingSide::KingSide } else { CastlingSide::QueenSide };
                Arrow { from: king, to: Square::from_coords(side.king_to_file(), king.rank()) }
            }
            other => Arrow { from: other.from()?, to: other.to() },
        })
    }

    /// The arrows of a move as written in `position`.
    ///
    /// A legal move has one arrow. Otherwise there is one for each piece of the kind that attacks
    /// the target square: those of the side to move, or if there are none, those of the other side.
    /// If there are none either, the only piece of that kind has an arrow. There is no arrow at all
    /// if there would be more than four, because they would explain nothing.
    pub fn of_written(position: &Chess, written: &WrittenSan) -> Vec<Arrow> {
        if let Some(arrow) = resolve(position, position.checkers(), written).and_then(|resolved| Arrow::of(resolved.played)) {
            return vec![arrow];
        }
        Arrow::of_illegal(position.board(), position.turn(), written)
    }

    /// The arrows of a move that `us` cannot play.
    ///
    /// Each piece of the named kind that attacks the target square has one, first those of the side
    /// to move, then those of the other side. If there is none, the only piece of that kind has
    /// one. More than four arrows explain nothing: then there are none. No arrow starts on an empty
    /// square.
    pub fn of_illegal(board: &Board, us: Color, written: &WrittenSan) -> Vec<Arrow> {
        let (role, file, rank, to) = match written.what {
            WrittenMove::Coordinates { from, to, .. } => {
                let is_drawn = board.occupied().contains(from) && from != to;
                return is_drawn.then_some(Arrow { from, to }).into_iter().collect();
            }
            WrittenMove::Castle(side) => {
                let king = board.king_of(us);
                let arrow = |king: Square| Arrow { from: king, to: Square::from_coords(side.king_to_file(), king.rank()) };
                return king.map(arrow).filter(|arrow| arrow.from != arrow.to).into_iter().collect();
            }
            WrittenMove::Normal { role, file, rank, to, .. } => (role, file, rank, to),
            WrittenMove::Null | WrittenMove::Drop { .. } => return Vec::new(),
        };
        let named = |color: Color| {
            let pieces = board.by_piece(role.of(color));
            let pieces = file.map_or(pieces, |file| pieces & Bitboard::from_file(file));
            rank.map_or(pieces, |rank| pieces & Bitboard::from_rank(rank))
        };
        let attacking = |color: Color| {
            let pieces = named(color);
            if role == Role::Pawn && !written.capture {
                return pieces & Bitboard::from_file(to.file());
            }
            pieces.into_iter().filter(|from| attacks::attacks(*from, role.of(color), board.occupied()).contains(to)).collect()
        };
        let candidates = [(attacking(us), MAX_ARROWS), (attacking(us.other()), MAX_ARROWS), (named(us), 1)];
        let chosen = candidates.into_iter().find(|(pieces, max)| pieces.any() && pieces.count() <= *max);
        let (pieces, _) = chosen.unwrap_or_default();
        pieces.into_iter().filter(|from| *from != to).map(|from| Arrow { from, to }).collect()
    }
}

impl fmt::Display for Arrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

/// The text is not two squares.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not two squares, such as e2e4")]
pub struct NotAnArrow(String);

impl FromStr for Arrow {
    type Err = NotAnArrow;

    fn from_str(text: &str) -> Result<Arrow, NotAnArrow> {
        let read = || {
            let (from, to) = text.split_at_checked(2)?;
            Some(Arrow { from: from.parse().ok()?, to: to.parse().ok()? })
        };
        read().ok_or_else(|| NotAnArrow(text.to_owned()))
    }
}

impl Serialize for Arrow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Arrow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Arrow, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn arrows(fen: &str, text: &str) -> String {
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let written = WrittenSan::read(text.as_bytes()).expect("a move");
        let arrows: Vec<String> = Arrow::of_written(&position, &written).iter().map(Arrow::to_string).collect();
        arrows.join(" ")
    }

    #[test]
    fn legal_and_illegal_moves_have_arrows() {
        let pinned = "rnbq1rk1/pppp1ppp/4pn2/8/1bPP4/2N1P3/PP3PPP/R1BQKBNR w KQ - 1 5";
        assert_eq!(arrows(pinned, "Ne4"), "c3e4", "a pinned knight");
        assert_eq!(arrows(pinned, "Nf3"), "g1f3");
        assert_eq!(arrows(pinned, "Nf6"), "", "no knight of either side attacks f6, and there are two");
        assert_eq!(arrows(pinned, "O-O"), "e1g1");
        assert_eq!(arrows(pinned, "d7d5"), "d7d5");
        assert_eq!(arrows(pinned, "d6d5"), "", "d6 is empty");
        assert_eq!(arrows(pinned, "Qxd8"), "d1d8", "the only queen, although something is in its way");
        let ambiguous = "r1bqkb1r/pp3ppp/2n1pn2/2pp4/3P4/2PBPN2/PP3PPP/RNBQK2R w KQkq - 1 6";
        assert_eq!(arrows(ambiguous, "Nd2"), "b1d2 f3d2");
        assert_eq!(arrows(ambiguous, "Nxd4"), "f3d4", "its own pawn is on d4");
    }

    #[test]
    fn arrows_are_two_squares() {
        let arrow = Arrow { from: Square::E2, to: Square::E4 };
        assert_eq!(arrow.to_string().parse::<Arrow>().unwrap(), arrow);
        assert!("e2".parse::<Arrow>().is_err() && "é24".parse::<Arrow>().is_err());
    }
}
