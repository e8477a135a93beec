//! Boards drawn as SVG, without external fonts, styles or images.

use std::fmt::Write;

use shakmaty::{Color, Role, Square};

use super::board::{BoardView, Mark};

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

fn draw_board(svg: &mut String, view: &BoardView) -> std::fmt::Result {
    let places = || {
        let ranks = view.ranks().into_iter().enumerate();
        ranks.flat_map(|(row, rank)| {
            let files = view.files().into_iter().enumerate();
            files.map(move |(column, file)| (MARGIN + column * SIDE, row * SIDE, Square::from_coords(file, rank)))
        })
    };
    writeln!(svg, "<rect x=\"{MARGIN}\" width=\"{0}\" height=\"{0}\" fill=\"{LIGHT}\"/>", 8 * SIDE)?;
    let dark: String =
        places().filter(|(.., square)| square.is_dark()).map(|(x, y, _)| format!("M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z")).collect();
    writeln!(svg, "<path fill=\"{DARK}\" d=\"{dark}\"/>")?;
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
pub(super) const fn outline(role: Role) -> (&'static str, &'static str) {
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

#[cfg(test)]
mod tests {
    use shakmaty::{Bitboard, Board};

    use super::*;
    use crate::{record::Diagram, rules::Marks};

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
}
