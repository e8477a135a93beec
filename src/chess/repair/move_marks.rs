//! Marks of moves in the text, compared with the board.

use super::plies::WrittenPly;
use crate::chess::{Board, CheckMark, WrittenMove};

const CAPTURE: u8 = 1;
const CHECK: u8 = 1 << 1;
const MATE: u8 = 1 << 2;

/// What a move is by the board: a capture, a check. Checkmate is only looked for where a move is
/// marked as mate.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SeenMarks(u8);

impl SeenMarks {
    /// Those of the last move on the board.
    #[inline(always)]
    pub fn of_last(board: &Board) -> SeenMarks {
        SeenMarks(u8::from(board.has_captured()) | if board.is_check() { CHECK } else { 0 })
    }

    /// The same, of a move after which Black (`black`) or White cannot move if it is in check.
    pub fn with_mate(self, board: &Board, black: bool) -> SeenMarks {
        SeenMarks(if self.0 & CHECK != 0 && !board.can_move(black) { self.0 | MATE } else { self.0 })
    }
}

/// The marks of a move in the text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WrittenMarks {
    /// Marks that are there.
    given: u8,
    /// Marks that are missing if the move is one of a kind that the text marks.
    missing: u8,
    /// Whether the text names squares only. Then no mark is missing, except where it is replaced by
    /// another move.
    names_squares: bool,
}

/// The marks that a text uses. Where the board shows one of them, it is missing unless it is
/// written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UsualMarks(u8);

impl WrittenMarks {
    /// The marks of a ply.
    #[inline]
    fn of(ply: &WrittenPly) -> WrittenMarks {
        let Some(written) = ply.written else { return WrittenMarks::default() };
        let capture = if written.capture { CAPTURE } else { 0 };
        let (mark, missing) = match written.mark {
            CheckMark::None => (0, CAPTURE | CHECK),
            CheckMark::Check | CheckMark::Double => (CHECK, CAPTURE),
            CheckMark::Mate => (MATE, CAPTURE),
        };
        let names_squares = matches!(written.what, WrittenMove::Coordinates { .. });
        WrittenMarks { given: capture | mark, missing, names_squares }
    }

    /// The marks of the plies of a line. Also returns which marks the line uses.
    pub fn of_line(plies: &[WrittenPly], marks: &mut Vec<WrittenMarks>) -> UsualMarks {
        marks.clear();
        marks.extend(plies.iter().map(WrittenMarks::of));
        let given = marks.iter().fold(0, |all, marks| all | marks.given);
        let checks = if given & (CHECK | MATE) != 0 { CHECK } else { 0 };
        UsualMarks(given & CAPTURE | checks)
    }

    /// Whether the move is marked as mate.
    pub const fn is_mate(self) -> bool {
        self.given & MATE != 0
    }

    /// How many marks do not agree with the move that is written.
    #[inline(always)]
    pub const fn disagreements(self, usual: UsualMarks, seen: SeenMarks) -> usize {
        let missing = if self.names_squares { 0 } else { self.missing };
        WrittenMarks { missing, ..self }.disagreements_with_other(usual, seen)
    }

    /// How many marks do not agree with another move in its place.
    #[inline(always)]
    pub const fn disagreements_with_other(self, usual: UsualMarks, seen: SeenMarks) -> usize {
        (self.given & !seen.0 | seen.0 & !self.given & self.missing & usual.0).count_ones() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::WrittenSan, text::Span};

    #[test]
    fn marks_disagree_if_false_or_missing_where_others_are_marked() {
        let read = |token: &str| WrittenPly { place: Span::new(0, 0), written: WrittenSan::read(token.as_bytes()), number: None };
        let mut marks = Vec::new();
        let (capture, check) = (SeenMarks(CAPTURE), SeenMarks(CHECK));
        let (both, mate, nothing) = (SeenMarks(CAPTURE | CHECK), SeenMarks(CHECK | MATE), SeenMarks(0));
        for (others, token, seen, wrong) in [
            ("Nxf3 Nf3+", "Nd4", [nothing, capture, check, both, mate], [0, 1, 1, 2, 1]),
            ("Nf3", "Nd4", [nothing, capture, check, both, mate], [0, 0, 0, 0, 0]),
            ("Nf3", "Nxd4", [nothing, capture, check, both, mate], [1, 0, 1, 0, 1]),
            ("Nf3+", "Nd4", [nothing, capture, check, both, mate], [0, 0, 1, 1, 1]),
            ("Nxf3", "Nd4+", [nothing, capture, check, both, mate], [1, 2, 0, 1, 0]),
            ("Nxf3", "Nd4#", [nothing, capture, check, both, mate], [1, 2, 1, 2, 0]),
            ("Nxf3+", "c3d4", [nothing, capture, check, both, mate], [0, 0, 0, 0, 0]),
        ] {
            let plies: Vec<WrittenPly> = others.split(' ').chain([token]).map(read).collect();
            let usual = WrittenMarks::of_line(&plies, &mut marks);
            let of_token = marks[plies.len() - 1];
            assert_eq!(seen.map(|seen| of_token.disagreements(usual, seen)), wrong, "{token} after {others}");
            let with_other = if token == "c3d4" { [0, 1, 1, 2, 1] } else { wrong };
            assert_eq!(seen.map(|seen| of_token.disagreements_with_other(usual, seen)), with_other, "{token} after {others}");
        }
    }
}
