//! What a finding looks like on a board.

use shakmaty::{Bitboard, Board, Color};

use crate::{
    chess::{FenText, fen},
    rules::{Finding, Marks},
    text::Span,
};

/// A board, and what to mark on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagram {
    /// The pieces.
    pub board: Board,
    /// The side to move, if it is known.
    pub turn: Option<Color>,
    /// Pieces that give check, and kings in check.
    pub checks: Bitboard,
    /// The squares and moves that findings are about.
    pub marks: Marks,
}

impl Diagram {
    /// A board with `marks`.
    pub fn new(board: Board, turn: Option<Color>, marks: Marks) -> Diagram {
        Diagram { checks: checks(&board), board, turn, marks }
    }

    /// The diagram of a finding: its position with its marks. `None` if it has no position, or the
    /// piece placement cannot be read.
    pub fn of(finding: &Finding) -> Option<Diagram> {
        Diagram::of_fen(&finding.fen, &finding.marks)
    }

    /// A position with `marks`. `None` if the piece placement cannot be read.
    pub fn of_fen(fen: &str, marks: &Marks) -> Option<Diagram> {
        let text = fen.as_bytes();
        let fields = FenText::split(text, Span::new(0, text.len()), false);
        let (board, _) = fen::read_placement(fields.placement()?.of(text));
        let turn = fields.turn().and_then(|turn| fen::read_turn(turn.of(text)));
        Some(Diagram::new(board?, turn, marks.clone()))
    }
}

/// The pieces that give check, to either king, and the kings in check. A side with several kings is
/// skipped.
fn checks(board: &Board) -> Bitboard {
    let of = |color: Color| {
        let Some(king) = board.king_of(color) else { return Bitboard::EMPTY };
        let checkers = fen::checkers(board, king, color);
        if checkers.is_empty() { checkers } else { checkers.with(king) }
    };
    of(Color::White) | of(Color::Black)
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::*;
    use crate::{
        chess::Arrow,
        rules::{Findings, mov::illegal_move},
    };

    fn diagram(fen: &str) -> Option<Diagram> {
        let mut findings = Findings::new();
        let arrow = Arrow { from: Square::E1, to: Square::E3 };
        Diagram::of(findings.add(&illegal_move::RULE, Span::default()).fen(fen).squares(Square::E3).written([arrow]))
    }

    #[test]
    fn position_and_marks_are_drawn() {
        let drawn = diagram("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").expect("a board");
        assert_eq!((drawn.board.occupied().count(), drawn.turn), (3, Some(Color::White)));
        assert_eq!(drawn.checks, Bitboard::from(Square::E1) | Bitboard::from(Square::E2));
        assert_eq!(drawn.marks.squares, Bitboard::from(Square::E3));
        assert_eq!(drawn.marks.written.len(), 1);
    }

    #[test]
    fn only_the_piece_placement_must_be_readable() {
        for fen in ["4k3/8/8/8/8/8/8/8", "kk6/8/8/8/8/8/8/8 x KQxx e9 -1 zero", "4k3/8/8/8/8/8/8/RQ~B4K[Qn] w - - 3+2 0 1"] {
            assert!(diagram(fen).is_some(), "{fen}");
        }
        for fen in ["", " ", "4k3/8/8 w - - 0 1", "xx", "4k3/8/8/8/8/8/8/4K2x w - - 0 1"] {
            assert!(diagram(fen).is_none(), "{fen}");
        }
    }
}
