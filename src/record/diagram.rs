//! What a finding looks like on the board.

use std::borrow::Cow;

use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, Move, Position, Role, Square, attacks, fen::Fen};

use super::explain::{explain_line, named};
use crate::{
    chess::{WrittenMove, WrittenSan, resolve},
    rules::{Declared, Family, Finding},
};

/// No position takes more bytes.
const MAX_FEN: usize = 200;

/// A move as written that could be made by more men than this has no arrows.
const MAX_ARROWS: usize = 4;

/// The board of a finding, and what is to be seen on it.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// The men.
    pub board: Board,
    /// Who is to move.
    pub turn: Option<Color>,
    /// The squares that the finding is about.
    pub at_fault: Bitboard,
    /// Men that give check, and the kings they check.
    pub checks: Bitboard,
    /// The move as written, from where to where; several where it may mean several.
    pub written: Vec<(Square, Square)>,
    /// The move as it should be.
    pub repaired: Vec<(Square, Square)>,
}

impl Drawing {
    /// Draws a finding; `None` where it is about no position, or about one whose piece placement cannot be read.
    pub fn of(finding: &Finding) -> Option<Drawing> {
        if finding.fen.is_empty() || finding.fen.len() > MAX_FEN {
            return None;
        }
        let explanation = explain_line(finding.fen.as_bytes(), Declared::default())?;
        let mut drawing = Drawing {
            board: explanation.facts.board.clone()?,
            turn: explanation.facts.turn,
            checks: explanation.checks(),
            ..Drawing::default()
        };
        drawing.at_fault = match finding.rule.code.family() {
            Family::Mov | Family::Res | Family::Epd | Family::Num => named(&finding.message),
            Family::Tag | Family::Enc | Family::Syn | Family::Clk | Family::Ann | Family::Dup => Bitboard::EMPTY,
            _ => {
                let alike = |other: &&Finding| other.rule.code == finding.rule.code && other.found == finding.found;
                match explanation.findings.iter().find(alike) {
                    Some(found) => explanation.squares_of(found),
                    None => named(&finding.message) | named(&finding.found),
                }
            }
        };
        if let Some(position) = position(&finding.fen) {
            let moved = matches!(finding.rule.code.family(), Family::Mov | Family::Epd | Family::Syn | Family::Ann);
            let written = if finding.move_text.is_empty() { &finding.found } else { &finding.move_text };
            if moved {
                drawing.written = arrows(&position, written);
                drawing.repaired = finding
                    .expected
                    .split(" or ")
                    .flat_map(|expected| legal_arrow(&position, expected))
                    .take(MAX_ARROWS)
                    .collect();
            }
        }
        if drawing.repaired == drawing.written {
            // The same move, in another spelling.
            drawing.repaired.clear();
        }
        Some(drawing)
    }
}

#[allow(clippy::result_large_err, reason = "the errors are those of shakmaty")]
fn position(fen: &str) -> Option<Chess> {
    // Positions of an EPD line lack the counters.
    let fen = if fen.split_ascii_whitespace().count() == 4 { Cow::Owned(format!("{fen} 0 1")) } else { Cow::Borrowed(fen) };
    let parsed: Fen = fen.parse().ok()?;
    let read = parsed.into_position::<Chess>(CastlingMode::Chess960);
    read.or_else(|error| error.ignore_too_much_material()).or_else(|error| error.ignore_impossible_check()).ok()
}

fn ends(played: Move) -> Option<(Square, Square)> {
    match played {
        Move::Castle { king, rook } => {
            let side = if king < rook { shakmaty::CastlingSide::KingSide } else { shakmaty::CastlingSide::QueenSide };
            Some((king, Square::from_coords(side.king_to_file(), king.rank())))
        }
        other => Some((other.from()?, other.to())),
    }
}

/// The arrow of a move that can be played.
fn legal_arrow(position: &Chess, text: &str) -> Option<(Square, Square)> {
    let written = WrittenSan::read(text.trim().as_bytes())?;
    ends(resolve(position, position.checkers(), &written)?.played)
}

/// The arrows of a move as written: that of the move that it means; else one from every man that looks at the square; else from
/// the only man of that kind, though it cannot go there.
fn arrows(position: &Chess, text: &str) -> Vec<(Square, Square)> {
    if let Some(arrow) = legal_arrow(position, text) {
        return vec![arrow];
    }
    let Some(written) = WrittenSan::read(text.trim().as_bytes()) else { return Vec::new() };
    let (board, us) = (position.board(), position.turn());
    let (role, file, rank, to) = match written.what {
        WrittenMove::Coordinates { from, to, .. } => return vec![(from, to)],
        WrittenMove::Castle(side) => {
            let king = board.king_of(us);
            return king.map(|king| (king, Square::from_coords(side.king_to_file(), king.rank()))).into_iter().collect();
        }
        WrittenMove::Normal { role, file, rank, to, .. } => (role, file, rank, to),
        WrittenMove::Null | WrittenMove::Drop { .. } => return Vec::new(),
    };
    let named = |color: Color| {
        let men = board.by_piece(role.of(color));
        let men = file.map_or(men, |file| men & Bitboard::from_file(file));
        rank.map_or(men, |rank| men & Bitboard::from_rank(rank))
    };
    let looking = |color: Color| {
        let men = named(color);
        if role == Role::Pawn && !written.capture {
            return men & Bitboard::from_file(to.file());
        }
        men.into_iter().filter(|from| attacks::attacks(*from, role.of(color), board.occupied()).contains(to)).collect()
    };
    // A move at the wrong turn is shown with the man of the side that can make it.
    let sets = [(looking(us), MAX_ARROWS), (looking(us.other()), MAX_ARROWS), (named(us), 1)];
    let chosen = sets.into_iter().find(|(men, most)| men.any() && men.count() <= *most).map(|(men, _)| men).unwrap_or_default();
    chosen.into_iter().filter(|from| *from != to).map(|from| (from, to)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(fen: &str, text: &str) -> String {
        let position = position(fen).expect("a position");
        let arrows: Vec<String> = arrows(&position, text).iter().map(|(from, to)| format!("{from}{to}")).collect();
        arrows.join(" ")
    }

    #[test]
    fn moves_have_arrows_whether_they_can_be_played_or_not() {
        let pinned = "rnbq1rk1/pppp1ppp/4pn2/8/1bPP4/2N1P3/PP3PPP/R1BQKBNR w KQ - 1 5";
        assert_eq!(seen(pinned, "Ne4"), "c3e4", "pinned");
        assert_eq!(seen(pinned, "Nf3"), "g1f3");
        assert_eq!(seen(pinned, "Nf6"), "", "two men, neither of which looks there, nor one of the other side");
        assert_eq!(seen(pinned, "O-O"), "e1g1");
        assert_eq!(seen(pinned, "d7d5"), "d7d5");
        assert_eq!(seen(pinned, "Qxd8"), "d1d8", "the only queen, though something is in its way");
        assert_eq!(seen(pinned, "xx"), "");
        let ambiguous = "r1bqkb1r/pp3ppp/2n1pn2/2pp4/3P4/2PBPN2/PP3PPP/RNBQK2R w KQkq - 1 6";
        assert_eq!(seen(ambiguous, "Nd2"), "b1d2 f3d2");
        assert_eq!(seen(ambiguous, "Nxd4"), "f3d4", "a man of its own stands there");
    }

    #[test]
    fn positions_of_epd_lines_lack_counters() {
        assert!(position("4k3/8/8/8/8/8/4P3/4K3 w - -").is_some());
        assert!(position("4k3/8/8/8/8/8/4P3/8 w - -").is_none());
    }
}
