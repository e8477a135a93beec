//! Boards as small SVG images. All pieces of one kind are markers at the points of one invisible
//! line, so that each piece takes four bytes.

use shakmaty::{Bitboard, Color, Piece, Role, Square};

use crate::{chess, record::Diagram, report::svg::outline};

/// The outline of a piece, defined once per page.
#[derive(Debug)]
pub(super) struct PieceOutline {
    pub id: String,
    pub color: &'static str,
    pub shape: &'static str,
    pub lines: &'static str,
}

/// A board for the template. A square is one unit wide, and a8 is at the origin.
#[derive(Debug)]
pub(super) struct Board {
    pub label: String,
    pub problems: String,
    pub checks: String,
    /// The class of each kind of piece, and the points of its line.
    pub pieces: Vec<(String, String)>,
    pub arrows: Vec<Arrow>,
}

/// A move on a board.
#[derive(Debug)]
pub(super) struct Arrow {
    pub class: &'static str,
    pub path: String,
}

/// The outlines of all pieces.
pub(super) fn piece_outlines() -> Vec<PieceOutline> {
    let outline_of = |piece: Piece| {
        let (shape, lines) = outline(piece.role);
        let color = if piece.color == Color::White { "white" } else { "black" };
        PieceOutline { id: class(piece), color, shape, lines }
    };
    kinds().map(outline_of).collect()
}

/// All kinds of pieces.
fn kinds() -> impl Iterator<Item = Piece> {
    [Color::White, Color::Black].into_iter().flat_map(|color| Role::ALL.map(|role| role.of(color)))
}

fn class(piece: Piece) -> String {
    format!("{}{}", piece.color.char(), piece.role.char())
}

/// Column and row of a square.
fn coordinates(square: Square) -> (u32, u32) {
    (u32::from(square.file()), 7 - u32::from(square.rank()))
}

/// The dark squares as one path.
pub(super) fn dark_squares() -> String {
    squares(Bitboard::DARK_SQUARES)
}

fn squares(squares: Bitboard) -> String {
    squares.into_iter().map(coordinates).map(|(x, y)| format!("M{x} {y}h1v1h-1z")).collect()
}

/// The same, with room for a frame inside each square.
fn frames(squares: Bitboard) -> String {
    squares.into_iter().map(coordinates).map(|(x, y)| format!("M{x}.04 {y}.04h.92v.92h-.92z")).collect()
}

fn points(squares: Bitboard) -> String {
    let points: Vec<String> = squares.into_iter().map(coordinates).map(|(x, y)| format!("{x},{y}")).collect();
    points.join(" ")
}

/// The rank numbers and file letters, next to the squares: x, y and text.
pub(super) fn labels() -> Vec<(String, String, char)> {
    let ranks = (0..8).map(|row| ("-.2".to_owned(), format!("{row}.61"), char::from(b'8' - row)));
    let files = (0..8).map(|file| (format!("{file}.5"), "8.31".to_owned(), char::from(b'a' + file)));
    ranks.chain(files).collect()
}

impl From<&Diagram> for Board {
    fn from(diagram: &Diagram) -> Board {
        let pieces =
            kinds().map(|piece| (class(piece), points(diagram.board.by_piece(piece)))).filter(|(_, points)| !points.is_empty());
        let arrow = |class| move |arrow: &chess::Arrow| Arrow { class, path: path(*arrow) };
        let written = diagram.marks.written.iter().map(arrow("written"));
        Board {
            label: label(diagram),
            problems: frames(diagram.marks.squares),
            checks: points(diagram.checks),
            pieces: pieces.collect(),
            arrows: written.chain(diagram.marks.repaired.iter().map(arrow("suggested"))).collect(),
        }
    }
}

/// A line from the center of a square to near the center of another one.
fn path(arrow: chess::Arrow) -> String {
    let center = |square: Square| {
        let (x, y) = coordinates(square);
        (f64::from(x) + 0.5, f64::from(y) + 0.5)
    };
    let ((x1, y1), (x2, y2)) = (center(arrow.from), center(arrow.to));
    let length = (x2 - x1).hypot(y2 - y1).max(0.1);
    // The line ends early, because the arrowhead extends beyond it.
    let part = (length - 0.35).max(0.0) / length;
    format!("M{x1} {y1}L{:.2} {:.2}", x1 + (x2 - x1) * part, y1 + (y2 - y1) * part)
}

/// The text for screen readers.
fn label(diagram: &Diagram) -> String {
    let mut text = match diagram.turn {
        Some(Color::White) => "Board, White to move".to_owned(),
        Some(Color::Black) => "Board, Black to move".to_owned(),
        None => "Board".to_owned(),
    };
    let list = |squares: Bitboard| squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ");
    let moves =
        |arrows: &[chess::Arrow]| arrows.iter().map(|arrow| format!("{}-{}", arrow.from, arrow.to)).collect::<Vec<_>>().join(" ");
    let parts = [
        ("problem", list(diagram.marks.squares)),
        ("check", list(diagram.checks)),
        ("move as written", moves(&diagram.marks.written)),
        ("suggested move", moves(&diagram.marks.repaired)),
    ];
    for (name, content) in parts.iter().filter(|(_, content)| !content.is_empty()) {
        text.push_str(&format!("; {name}: {content}"));
    }
    for color in [Color::White, Color::Black] {
        let pieces = Role::ALL.into_iter().rev().filter_map(|role| named(role, diagram.board.by_piece(role.of(color))));
        let pieces: Vec<String> = pieces.collect();
        if !pieces.is_empty() {
            let side = color.fold_wb("White", "Black");
            text.push_str(&format!("; {side}: {}", pieces.join(", ")));
        }
    }
    text
}

/// `knights b1 g1`; `None` if there are none.
fn named(role: Role, squares: Bitboard) -> Option<String> {
    let name = match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    };
    let list: String = squares.into_iter().map(|square| format!(" {square}")).collect();
    let plural = if squares.more_than_one() { "s" } else { "" };
    squares.any().then(|| format!("{name}{plural}{list}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Marks;

    #[test]
    fn white_is_at_the_bottom() {
        let diagram = Diagram {
            board: shakmaty::Board::from_ascii_board_fen(b"4k3/8/8/8/8/8/PP6/4K3").expect("a placement"),
            turn: Some(Color::White),
            checks: Bitboard::from(Square::E8) | Bitboard::from(Square::H1),
            marks: Marks {
                squares: Bitboard::from(Square::A1),
                written: vec![chess::Arrow { from: Square::A2, to: Square::A4 }],
                repaired: vec![chess::Arrow { from: Square::E1, to: Square::D2 }],
            },
        };
        let board = Board::from(&diagram);
        assert_eq!(
            board.label,
            "Board, White to move; problem: a1; check: h1 e8; move as written: a2-a4; suggested move: e1-d2; \
             White: king e1, pawns a2 b2; Black: king e8"
        );
        assert_eq!(board.problems, "M0.04 7.04h.92v.92h-.92z");
        assert_eq!(board.checks, "7,7 4,0");
        let pieces: Vec<String> = board.pieces.iter().map(|(piece, points)| format!("{piece} {points}")).collect();
        assert_eq!(pieces, ["wp 0,6 1,6", "wk 4,7", "bk 4,0"]);
        assert_eq!(board.arrows[0].path, "M0.5 6.5L0.50 4.85");
        assert_eq!(board.arrows[1].class, "suggested");
    }
}
