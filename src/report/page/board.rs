//! Boards in few bytes: a man is drawn as a marker at the points of a line that is itself not drawn, so that each takes four bytes.

use shakmaty::{Bitboard, Color, Piece, Role, Square};

use crate::{record::Drawing, report::svg::outline};

/// The drawing of a man, defined once.
#[derive(Debug)]
pub(super) struct Man {
    pub id: String,
    pub color: &'static str,
    pub shape: &'static str,
    pub lines: &'static str,
}

/// A board as the template draws it, a square being one unit wide and a8 at the origin.
#[derive(Debug)]
pub(super) struct Board {
    pub label: String,
    pub at_fault: String,
    pub checks: String,
    pub men: Vec<(String, String)>,
    pub arrows: Vec<Arrow>,
}

/// A move on a board.
#[derive(Debug)]
pub(super) struct Arrow {
    pub class: &'static str,
    pub path: String,
}

/// All men.
pub(super) fn men() -> Vec<Man> {
    let of = |color: Color| Role::ALL.map(|role| role.of(color));
    let man = |man: Piece| {
        let (shape, lines) = outline(man.role);
        let color = if man.color == Color::White { "white" } else { "black" };
        Man { id: class(man), color, shape, lines }
    };
    of(Color::White).into_iter().chain(of(Color::Black)).map(man).collect()
}

fn class(man: Piece) -> String {
    format!("{}{}", man.color.char(), man.role.char())
}

/// Column and row of a square.
fn at(square: Square) -> (u32, u32) {
    (u32::from(square.file()), 7 - u32::from(square.rank()))
}

/// The dark squares as one path.
pub(super) fn dark_squares() -> String {
    squares(Bitboard::DARK_SQUARES)
}

fn squares(squares: Bitboard) -> String {
    squares.into_iter().map(at).map(|(x, y)| format!("M{x} {y}h1v1h-1z")).collect()
}

/// The same with room for a frame within each square.
fn frames(squares: Bitboard) -> String {
    squares.into_iter().map(at).map(|(x, y)| format!("M{x}.04 {y}.04h.92v.92h-.92z")).collect()
}

fn points(squares: Bitboard) -> String {
    let points: Vec<String> = squares.into_iter().map(at).map(|(x, y)| format!("{x},{y}")).collect();
    points.join(" ")
}

/// Letters and numbers at the edge of the board: where, and which.
pub(super) fn edge() -> Vec<(String, String, char)> {
    let ranks = (0..8).map(|row| ("0.04".to_owned(), format!("{row}.22"), char::from(b'8' - row)));
    let files = (0..8).map(|file| (format!("{file}.84"), "7.95".to_owned(), char::from(b'a' + file)));
    ranks.chain(files).collect()
}

impl From<&Drawing> for Board {
    fn from(drawing: &Drawing) -> Board {
        let kinds = [Color::White, Color::Black].into_iter().flat_map(|color| Role::ALL.map(|role| role.of(color)));
        let men = kinds.map(|man| (class(man), points(drawing.board.by_piece(man)))).filter(|(_, points)| !points.is_empty());
        let arrow = |class| move |&(from, to): &(Square, Square)| Arrow { class, path: path(from, to) };
        let written = drawing.written.iter().map(arrow("written"));
        Board {
            label: label(drawing),
            at_fault: frames(drawing.at_fault),
            checks: points(drawing.checks),
            men: men.collect(),
            arrows: written.chain(drawing.repaired.iter().map(arrow("repaired"))).collect(),
        }
    }
}

/// From the middle of a square to near the middle of another one.
fn path(from: Square, to: Square) -> String {
    let middle = |square: Square| {
        let (x, y) = at(square);
        (f64::from(x) + 0.5, f64::from(y) + 0.5)
    };
    let ((x1, y1), (x2, y2)) = (middle(from), middle(to));
    let length = (x2 - x1).hypot(y2 - y1).max(0.1);
    // The head of the arrow reaches a little further.
    let part = (length - 0.35).max(0.0) / length;
    format!("M{x1} {y1}L{:.2} {:.2}", x1 + (x2 - x1) * part, y1 + (y2 - y1) * part)
}

/// What a screen reader says.
fn label(drawing: &Drawing) -> String {
    let mut text = match drawing.turn {
        Some(Color::White) => "Board, White to move".to_owned(),
        Some(Color::Black) => "Board, Black to move".to_owned(),
        None => "Board".to_owned(),
    };
    let list = |squares: Bitboard| squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ");
    let moves = |moves: &[(Square, Square)]| moves.iter().map(|(from, to)| format!("{from}-{to}")).collect::<Vec<_>>().join(" ");
    let parts = [
        ("at fault", list(drawing.at_fault)),
        ("check", list(drawing.checks)),
        ("as written", moves(&drawing.written)),
        ("as repaired", moves(&drawing.repaired)),
    ];
    for (name, what) in parts.iter().filter(|(_, what)| !what.is_empty()) {
        text.push_str(&format!("; {name}: {what}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_drawn_from_white_s_side() {
        let drawing = Drawing {
            board: shakmaty::Board::from_ascii_board_fen(b"4k3/8/8/8/8/8/PP6/4K3").expect("a placement"),
            turn: Some(Color::White),
            at_fault: Bitboard::from(Square::A1),
            checks: Bitboard::from(Square::E8) | Bitboard::from(Square::H1),
            written: vec![(Square::A2, Square::A4)],
            repaired: vec![(Square::E1, Square::D2)],
        };
        let board = Board::from(&drawing);
        assert_eq!(board.label, "Board, White to move; at fault: a1; check: h1 e8; as written: a2-a4; as repaired: e1-d2");
        assert_eq!(board.at_fault, "M0.04 7.04h.92v.92h-.92z");
        assert_eq!(board.checks, "7,7 4,0");
        let men: Vec<String> = board.men.iter().map(|(man, points)| format!("{man} {points}")).collect();
        assert_eq!(men, ["wp 0,6 1,6", "wk 4,7", "bk 4,0"]);
        assert_eq!(board.arrows[0].path, "M0.5 6.5L0.50 4.85");
        assert_eq!(board.arrows[1].class, "repaired");
    }
}
