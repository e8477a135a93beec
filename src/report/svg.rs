//! Boards drawn as SVG: in files of their own, without external fonts, styles or images, and on
//! cards of a page, where all boards share squares and pieces.

use std::fmt::Write;

use askama::Template;
use shakmaty::{Bitboard, Color, Piece, Role, Square};

use super::board::{BoardView, Mark};
use crate::{chess::Arrow, record::Diagram};

/// Width and height of a square. The outlines of the pieces fit this size.
const SIDE: usize = 45;
/// Width of the margin with the rank numbers, and height of the one with the file letters.
const MARGIN: usize = 18;
/// Width of the board with its margin.
const WIDTH: usize = MARGIN + 8 * SIDE;
/// Height of the legend.
const LEGEND: usize = 24;

/// How each board starts.
pub(super) const SVG_START: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" data-generator=\"chess-audit\" ";

const LIGHT: &str = "#f0d9b5";
const DARK: &str = "#b58863";
const PROBLEM: &str = "#d4202a";
const CHECK: &str = "#e08a00";
const LABEL: &str = "#777";

/// Draws a board. `title` is for screen readers, for example the FEN.
pub fn svg(view: &BoardView, title: &str) -> String {
    let marks: Vec<Mark> = view.marks().collect();
    let height = WIDTH + if marks.is_empty() { 0 } else { LEGEND };
    let title = escaped(title);
    let mut svg = format!(
        "{SVG_START}viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n"
    );
    // Writing to a string cannot fail.
    let _ = draw_board(&mut svg, view).and_then(|()| draw_legend(&mut svg, &marks));
    svg.push_str("</svg>\n");
    svg
}

/// The squares from top to bottom and from left to right, and where each is drawn. The sides of
/// squares are as long as said.
fn places(view: &BoardView, side: usize) -> impl Iterator<Item = (usize, usize, Square)> + '_ {
    let ranks = view.ranks().into_iter().enumerate();
    ranks.flat_map(move |(row, rank)| {
        let files = view.files().into_iter().enumerate();
        files.map(move |(column, file)| (column * side, row * side, Square::from_coords(file, rank)))
    })
}

/// The dark squares as one path.
fn dark_squares(view: &BoardView, margin: usize, side: usize) -> String {
    let dark = places(view, side).filter(|(.., square)| square.is_dark());
    dark.map(|(x, y, _)| format!("M{} {y}h{side}v{side}h-{side}z", margin + x)).collect()
}

fn draw_board(svg: &mut String, view: &BoardView) -> std::fmt::Result {
    let places = || places(view, SIDE).map(|(x, y, square)| (MARGIN + x, y, square));
    writeln!(svg, "<rect x=\"{MARGIN}\" width=\"{0}\" height=\"{0}\" fill=\"{LIGHT}\"/>", 8 * SIDE)?;
    writeln!(svg, "<path fill=\"{DARK}\" d=\"{}\"/>", dark_squares(view, MARGIN, SIDE))?;
    for (x, y, square) in places() {
        if let Some(mark) = view.mark(square) {
            draw_mark(svg, mark, x, y)?;
        }
    }
    svg.push_str("<g stroke-width=\"1.4\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n");
    for (x, y, square) in places() {
        if let Some(piece) = view.diagram.board.piece_at(square) {
            let (fill, line, detail) = match piece.color {
                Color::White => ("#fff", "#111", "#111"),
                Color::Black => ("#2b2b2b", "#000", "#eee"),
            };
            let (shape, details) = outline(piece.role);
            writeln!(
                svg,
                "<g transform=\"translate({x} {y})\"><path fill=\"{fill}\" stroke=\"{line}\" d=\"{shape}\"/>\
                 <path fill=\"none\" stroke=\"{detail}\" d=\"{details}\"/></g>"
            )?;
        }
    }
    svg.push_str("</g>\n");
    writeln!(svg, "<g font-family=\"sans-serif\" font-size=\"12\" fill=\"{LABEL}\" text-anchor=\"middle\">")?;
    for (row, rank) in view.ranks().into_iter().enumerate() {
        writeln!(svg, "<text x=\"{}\" y=\"{}\">{}</text>", MARGIN / 2, row * SIDE + SIDE / 2 + 4, rank.char())?;
    }
    for (column, file) in view.files().into_iter().enumerate() {
        writeln!(svg, "<text x=\"{}\" y=\"{}\">{}</text>", MARGIN + column * SIDE + SIDE / 2, WIDTH - 5, file.char())?;
    }
    svg.push_str("</g>\n");
    Ok(())
}

/// Draws a frame for a problem and a ring for a check, so that they differ without colours too.
fn draw_mark(svg: &mut String, mark: Mark, x: usize, y: usize) -> std::fmt::Result {
    match mark {
        Mark::Problem => writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"{2}\" height=\"{2}\" fill=\"{PROBLEM}\" fill-opacity=\".35\" stroke=\"{PROBLEM}\" stroke-width=\"4\"/>",
            x + 2,
            y + 2,
            SIDE - 4
        ),
        Mark::Check => writeln!(
            svg,
            "<circle cx=\"{}.5\" cy=\"{}.5\" r=\"20\" fill=\"{CHECK}\" fill-opacity=\".35\" stroke=\"{CHECK}\" stroke-width=\"3.5\"/>",
            x + SIDE / 2,
            y + SIDE / 2
        ),
    }
}

fn draw_legend(svg: &mut String, marks: &[Mark]) -> std::fmt::Result {
    for (index, mark) in marks.iter().enumerate() {
        let x = MARGIN + index * 100;
        write!(svg, "<g transform=\"translate({x} {}) scale(.36)\">", WIDTH + 4)?;
        draw_mark(svg, *mark, 0, 0)?;
        writeln!(
            svg,
            "</g><text x=\"{}\" y=\"{}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"{LABEL}\">{}</text>",
            x + 22,
            WIDTH + 16,
            mark.label()
        )?;
    }
    Ok(())
}

/// The outline of a piece on a square of 45 by 45, and the lines inside it.
const fn outline(role: Role) -> (&'static str, &'static str) {
    match role {
        Role::Pawn => (
            "M22.5 9a5.4 5.4 0 0 1 3.4 9.6c3 1.6 4.6 4.2 4.6 7.4 0 2.4-.9 4.3-2.3 5.7 3.5 1.2 5.3 3.5 5.3 6.8h-22c0-3.3 1.8-5.6 5.3-6.8-1.4-1.4-2.3-3.3-2.3-5.7 0-3.2 1.6-5.8 4.6-7.4a5.4 5.4 0 0 1 3.4-9.6z",
            "M17 31.7h11",
        ),
        Role::Rook => ("M11 38.5v-4h3l2-15.5-3.5-3V9h5v3h3V9h4v3h3V9h5v7l-3.5 3 2 15.5h3v4z", "M14 34.5h17M16 19h13"),
        Role::Bishop => (
            "M22.5 5.5a2.7 2.7 0 0 1 1.6 4.9c4.6 3.6 7.9 8.4 7.9 13 0 2.7-1.4 5-3.5 6.6l1 3.5c4 .3 6 2 6 5h-26c0-3 2-4.7 6-5l1-3.5c-2.1-1.6-3.5-3.9-3.5-6.6 0-4.6 3.3-9.4 7.9-13a2.7 2.7 0 0 1 1.6-4.9z",
            "M22.5 16v8M18.5 20h8M16.5 30h12M15.5 33.5h14",
        ),
        Role::Knight => (
            "M14.5 38.5c0-7 5.5-9.5 6.5-15.5-3 3-5.5 3.5-7.5 5.5-2.5 2-5.5 0-5-3 .5-3.5 4.5-7.5 6-12l-.5-5 4 3c9.5-1 17 7 17 27z",
            "M17 16.8v.6M11.5 25.2v.4M24 15c4.5 4 6.5 11 6.5 20",
        ),
        Role::Queen => (
            "M11.5 38.5c0-3 .7-5.5 2-7.5l-4.7-15.5a2.2 2.2 0 1 1 1.8-.2l5.7 8.7-.3-11.8a2.2 2.2 0 1 1 1.6-.1l4.9 10.9 4.9-10.9a2.2 2.2 0 1 1 1.6.1l-.3 11.8 5.7-8.7a2.2 2.2 0 1 1 1.8.2l-4.7 15.5c1.3 2 2 4.5 2 7.5z",
            "M13.5 31h18M12.2 34.7h20.6",
        ),
        Role::King => (
            "M21.5 13v-2.5h-2.5v-2h2.5v-2.5h2v2.5h2.5v2h-2.5v2.5c2 .4 3.1 2.3 2.5 5 4-3.5 11-2.5 11 4 0 4-3.5 6.5-5 9 1 2.5 1.5 5 1.5 7.5h-22c0-2.5.5-5 1.5-7.5-1.5-2.5-5-5-5-9 0-6.5 7-7.5 11-4-.6-2.7.5-4.6 2.5-5z",
            "M13 31h19M12 34.7h21M22.5 31c0-5 1-9.5 3.5-13M22.5 31c0-5-1-9.5-3.5-13",
        ),
    }
}

/// Escapes text for elements and attributes. Characters that XML does not allow are removed.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\u{FFFE}' | '\u{FFFF}' => {}
            character if character.is_control() => {}
            character => safe.push(character),
        }
    }
    safe
}

/// What the boards of a page share.
#[derive(Template)]
#[template(path = "pieces.html", config = "src/report/page/askama.toml")]
pub(super) struct SharedParts {
    dark_squares: String,
    /// The rank numbers and file letters: x, y and text.
    labels: Vec<(String, String, char)>,
    /// The class of each kind of piece, its color, its shape and the lines in it.
    pieces: Vec<(String, &'static str, &'static str, &'static str)>,
}

impl SharedParts {
    pub(super) fn new() -> SharedParts {
        let ranks = (0..8).map(|row| ("-.2".to_owned(), format!("{row}.61"), char::from(b'8' - row)));
        let files = (0..8).map(|file| (format!("{file}.5"), "8.31".to_owned(), char::from(b'a' + file)));
        let piece = |piece: Piece| {
            let (shape, lines) = outline(piece.role);
            (class(piece), piece.color.fold_wb("white", "black"), shape, lines)
        };
        SharedParts {
            dark_squares: dark_squares(&BoardView::default(), 0, 1),
            labels: ranks.chain(files).collect(),
            pieces: kinds().map(piece).collect(),
        }
    }
}

/// All kinds of pieces.
fn kinds() -> impl Iterator<Item = Piece> {
    [Color::White, Color::Black].into_iter().flat_map(|color| Role::ALL.map(|role| role.of(color)))
}

fn class(piece: Piece) -> String {
    String::from_iter([piece.color.char(), piece.role.char()])
}

/// The board of a card: an image for a page with [`SharedParts`]. A square is one unit wide, and
/// a8 is at the origin. All pieces of one kind are markers at the points of one invisible line, so
/// that each takes four bytes.
pub(super) fn card_board(diagram: &Diagram) -> String {
    let mut svg = String::with_capacity(2048);
    svg.push_str("<svg class=\"board\" viewBox=\"-.4 0 8.4 8.4\" role=\"img\" aria-label=\"");
    describe(&mut svg, diagram);
    svg.push_str("\"><use href=\"#squares\"/>");
    let marks = &diagram.marks;
    if marks.squares.any() {
        svg.push_str("<path class=\"problem\" d=\"");
        for (x, y) in marks.squares.into_iter().map(coordinates) {
            svg.extend(["M", x, ".04 ", y, ".04h.92v.92h-.92z"]);
        }
        svg.push_str("\"/>");
    }
    draw_points(&mut svg, "check", diagram.checks);
    kinds().for_each(|piece| draw_points(&mut svg, &class(piece), diagram.board.by_piece(piece)));
    marks.written.iter().for_each(|arrow| draw_arrow(&mut svg, "written", *arrow));
    marks.repaired.iter().for_each(|arrow| draw_arrow(&mut svg, "suggested", *arrow));
    svg.push_str("</svg>");
    svg
}

/// Column and row of a square.
fn coordinates(square: Square) -> (&'static str, &'static str) {
    const DIGITS: [&str; 8] = ["0", "1", "2", "3", "4", "5", "6", "7"];
    (DIGITS[square.file() as usize], DIGITS[7 - square.rank() as usize])
}

/// A line through squares, of which only the markers are seen.
fn draw_points(svg: &mut String, class: &str, squares: Bitboard) {
    if squares.any() {
        svg.extend(["<polyline class=\"", class, "\" points=\""]);
        for (x, y) in squares.into_iter().map(coordinates) {
            svg.extend([x, ",", y, " "]);
        }
        svg.truncate(svg.len() - 1);
        svg.push_str("\"/>");
    }
}

/// A line from the center of a square to near the center of another one.
fn draw_arrow(svg: &mut String, class: &str, arrow: Arrow) {
    let center = |square: Square| (square.file() as u8 as f64 + 0.5, 7.5 - square.rank() as u8 as f64);
    let ((x1, y1), (x2, y2)) = (center(arrow.from), center(arrow.to));
    let length = (x2 - x1).hypot(y2 - y1).max(0.1);
    // The line ends early, because the arrowhead extends beyond it.
    let part = (length - 0.35).max(0.0) / length;
    let [x2, y2] = [x1 + (x2 - x1) * part, y1 + (y2 - y1) * part];
    // Writing to a string cannot fail.
    let _ = write!(svg, "<path class=\"{class}\" d=\"M{x1} {y1}L{x2:.2} {y2:.2}\"/>");
}

/// Describes a board for screen readers.
fn describe(text: &mut String, diagram: &Diagram) {
    text.push_str(diagram.turn.map_or("Board", |turn| turn.fold_wb("Board, White to move", "Board, Black to move")));
    let marks = &diagram.marks;
    for (name, squares) in [("; problem:", marks.squares), ("; check:", diagram.checks)] {
        list(text, name, squares);
    }
    for (name, arrows) in [("; move as written:", &marks.written), ("; suggested move:", &marks.repaired)] {
        text.push_str(if arrows.is_empty() { "" } else { name });
        // Writing to a string cannot fail.
        let _ = arrows.iter().try_for_each(|arrow| write!(text, " {}-{}", arrow.from, arrow.to));
    }
    for color in Color::ALL {
        let mut before = color.fold_wb("; White:", "; Black:");
        for role in Role::ALL.into_iter().rev() {
            let squares = diagram.board.by_piece(role.of(color));
            if squares.any() {
                text.push_str(before);
                before = ",";
                let [one, many] = names(role);
                list(text, if squares.more_than_one() { many } else { one }, squares);
            }
        }
    }
}

/// `name a1 b2`, if there are squares.
fn list(text: &mut String, name: &str, squares: Bitboard) {
    text.push_str(if squares.any() { name } else { "" });
    squares.into_iter().for_each(|square| text.extend([' ', square.file().char(), square.rank().char()]));
}

const fn names(role: Role) -> [&'static str; 2] {
    match role {
        Role::Pawn => [" pawn", " pawns"],
        Role::Knight => [" knight", " knights"],
        Role::Bishop => [" bishop", " bishops"],
        Role::Rook => [" rook", " rooks"],
        Role::Queen => [" queen", " queens"],
        Role::King => [" king", " kings"],
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Board;

    use super::*;
    use crate::rules::Marks;

    fn view(board: Board, squares: Bitboard, checks: Bitboard) -> BoardView {
        let marks = Marks { squares, ..Marks::default() };
        BoardView { diagram: Diagram { board, checks, marks, turn: None }, flipped: false }
    }

    /// Checks that all elements are closed in the right order, attributes have quotes, and there is
    /// only one root.
    fn assert_well_formed(xml: &str) {
        let mut open = Vec::new();
        let mut rest = xml;
        while let Some((before, from)) = rest.split_once('<') {
            assert!(!before.contains('>'), "{before}");
            let (tag, after) = from.split_once('>').expect("a tag ends");
            rest = after;
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name));
            } else if !tag.ends_with('/') {
                open.push(tag.split(' ').next().expect("a name"));
            }
            assert!(!open.is_empty() || rest.trim().is_empty(), "one root");
        }
        assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
    }

    #[test]
    fn boards_are_well_formed() {
        let plain = view(Board::new(), Bitboard::EMPTY, Bitboard::EMPTY);
        let marked = BoardView { flipped: true, ..view(Board::new(), Bitboard::FULL, Bitboard::from(Square::E1)) };
        for drawn in [svg(&plain, ""), svg(&marked, "<b> & \"c\" \u{1b}")] {
            assert_well_formed(&drawn);
            assert_eq!(drawn.matches("<g transform=\"translate(").count(), if drawn.contains("problem") { 33 } else { 32 });
        }
        assert!(svg(&marked, "<b> & \"c\" \u{1b}").contains("<title>&lt;b&gt; &amp; &quot;c&quot; </title>"));
        assert!(!svg(&plain, "").contains("problem"), "no legend without marks");
    }

    #[test]
    fn marks_are_on_the_right_squares() {
        let one = |flipped, squares, checks| svg(&BoardView { flipped, ..view(Board::empty(), squares, checks) }, "");
        // a1 is at the bottom left, or at the top right if the board is flipped.
        let a1 = Bitboard::from(Square::A1);
        assert!(one(false, a1, Bitboard::EMPTY).contains("<rect x=\"20\" y=\"317\""));
        assert!(one(true, a1, Bitboard::EMPTY).contains("<rect x=\"335\" y=\"2\""));
        assert!(one(false, Bitboard::EMPTY, a1).contains("<circle cx=\"40.5\" cy=\"337.5\""));
    }

    #[test]
    fn boards_of_cards_have_white_at_the_bottom() {
        let arrow = |from, to| vec![Arrow { from, to }];
        let diagram = Diagram {
            board: Board::from_ascii_board_fen(b"4k3/8/8/8/8/8/PP6/4K3").expect("a placement"),
            turn: Some(Color::White),
            checks: Bitboard::from(Square::E8) | Bitboard::from(Square::H1),
            marks: Marks {
                squares: Bitboard::from(Square::A1),
                written: arrow(Square::A2, Square::A4),
                repaired: arrow(Square::E1, Square::D2),
            },
        };
        let board = card_board(&diagram);
        assert_well_formed(&board);
        for part in [
            "aria-label=\"Board, White to move; problem: a1; check: h1 e8; move as written: a2-a4; suggested move: e1-d2; \
             White: king e1, pawns a2 b2; Black: king e8\"",
            "<path class=\"problem\" d=\"M0.04 7.04h.92v.92h-.92z\"/><polyline class=\"check\" points=\"7,7 4,0\"/>",
            "<polyline class=\"wp\" points=\"0,6 1,6\"/><polyline class=\"wk\" points=\"4,7\"/><polyline class=\"bk\" points=\"4,0\"/>",
            "<path class=\"written\" d=\"M0.5 6.5L0.50 4.85\"/><path class=\"suggested\"",
        ] {
            assert!(board.contains(part), "{board}");
        }
        let plain = card_board(&Diagram { board: Board::empty(), ..Diagram::default() });
        assert!(plain.contains("aria-label=\"Board\"") && !plain.contains("polyline"), "{plain}");
    }
}
