//! Boards drawn as text, for terminals.

use std::fmt::Write;

use anstyle::{Ansi256Color, Style};
use shakmaty::{Color, File, Piece, Rank, Role, Square};

use crate::record::Diagram;

/// A mark on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A finding is about the square.
    Problem,
    /// A piece that gives check, or a king in check.
    Check,
}

impl Mark {
    /// All marks, in the order of the legend.
    pub const ALL: [Mark; 2] = [Mark::Problem, Mark::Check];

    /// The label in the legend.
    pub const fn label(self) -> &'static str {
        match self {
            Mark::Problem => "problem",
            Mark::Check => "check",
        }
    }

    /// The brackets around a marked square.
    const fn brackets(self) -> (char, char) {
        match self {
            Mark::Problem => ('[', ']'),
            Mark::Check => ('(', ')'),
        }
    }
}

/// A diagram, seen from one side.
#[derive(Clone, Debug, Default)]
pub struct BoardView {
    /// The pieces and the marked squares. Arrows are not drawn.
    pub diagram: Diagram,
    /// Whether Black is at the bottom.
    pub flipped: bool,
}

/// How to draw a board as text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Use letters instead of chess symbols: ASCII only.
    pub ascii: bool,
    /// Color the squares with terminal escape sequences.
    pub colors: bool,
}

const LIGHT: Ansi256Color = Ansi256Color(137);
const DARK: Ansi256Color = Ansi256Color(95);
const PROBLEM: Ansi256Color = Ansi256Color(160);
const CHECK: Ansi256Color = Ansi256Color(32);
const WHITE: Ansi256Color = Ansi256Color(231);
const BLACK: Ansi256Color = Ansi256Color(16);
const LABEL: Style = Style::new().dimmed();

impl BoardView {
    /// The mark of a square. A problem takes precedence over a check.
    pub fn mark(&self, square: Square) -> Option<Mark> {
        if self.diagram.marks.squares.contains(square) {
            Some(Mark::Problem)
        } else if self.diagram.checks.contains(square) {
            Some(Mark::Check)
        } else {
            None
        }
    }

    /// The marks that occur.
    pub fn marks(&self) -> impl Iterator<Item = Mark> + '_ {
        Mark::ALL.into_iter().filter(|mark| Square::ALL.iter().any(|square| self.mark(*square) == Some(*mark)))
    }

    /// The ranks from top to bottom.
    pub fn ranks(&self) -> [Rank; 8] {
        let mut ranks = Rank::ALL;
        if !self.flipped {
            ranks.reverse();
        }
        ranks
    }

    /// The files from left to right.
    pub fn files(&self) -> [File; 8] {
        let mut files = File::ALL;
        if self.flipped {
            files.reverse();
        }
        files
    }

    /// The board with coordinates, and a legend if squares are marked.
    pub fn text(&self, look: Look) -> String {
        let label = if look.colors { LABEL } else { Style::new() };
        let mut lines: Vec<String> = Vec::new();
        for rank in self.ranks() {
            let mut line = format!("{label}{}{label:#} ", rank.char());
            for file in self.files() {
                self.draw(Square::from_coords(file, rank), look, &mut line);
            }
            lines.push(line);
        }
        let files: String = self.files().iter().map(|file| format!("  {}", file.char())).collect();
        lines.push(format!(" {label}{files}{label:#}"));
        let legend: Vec<String> = self.marks().map(|mark| legend(mark, look)).collect();
        if !legend.is_empty() {
            lines.extend([String::new(), format!("  {}", legend.join("   "))]);
        }
        lines.iter().fold(String::new(), |text, line| text + line.trim_end() + "\n")
    }

    /// Draws a square in three columns: a piece between spaces or the brackets of its mark.
    fn draw(&self, square: Square, look: Look, line: &mut String) {
        let piece = self.diagram.board.piece_at(square);
        let mark = self.mark(square);
        let symbol = match piece {
            Some(piece) if look.ascii => piece.char(),
            Some(piece) => symbol(piece),
            None if look.ascii => '.',
            None if look.colors => ' ',
            None => '·',
        };
        let (before, after) = mark.map_or((' ', ' '), Mark::brackets);
        // Writing to a string cannot fail.
        let _ = if look.colors {
            let background = if square.is_light() { LIGHT } else { DARK };
            let background = foreground(WHITE).bg_color(Some(mark.map_or(background, color).into()));
            let is_black = piece.is_some_and(|piece| piece.color == Color::Black);
            let style = foreground(if is_black { BLACK } else { WHITE });
            write!(line, "{background}{before}{style}{symbol}{background}{after}{background:#}")
        } else {
            write!(line, "{before}{symbol}{after}")
        };
    }
}

const fn foreground(color: Ansi256Color) -> Style {
    Style::new().fg_color(Some(anstyle::Color::Ansi256(color)))
}

fn legend(mark: Mark, look: Look) -> String {
    let (before, after) = mark.brackets();
    let style = if look.colors { foreground(WHITE).bg_color(Some(color(mark).into())) } else { Style::new() };
    format!("{style}{before} {after}{style:#} {}", mark.label())
}

const fn color(mark: Mark) -> Ansi256Color {
    match mark {
        Mark::Problem => PROBLEM,
        Mark::Check => CHECK,
    }
}

/// The chess symbol of a piece.
pub const fn symbol(piece: Piece) -> char {
    match (piece.color, piece.role) {
        (Color::White, Role::King) => '♔',
        (Color::White, Role::Queen) => '♕',
        (Color::White, Role::Rook) => '♖',
        (Color::White, Role::Bishop) => '♗',
        (Color::White, Role::Knight) => '♘',
        (Color::White, Role::Pawn) => '♙',
        (Color::Black, Role::King) => '♚',
        (Color::Black, Role::Queen) => '♛',
        (Color::Black, Role::Rook) => '♜',
        (Color::Black, Role::Bishop) => '♝',
        (Color::Black, Role::Knight) => '♞',
        (Color::Black, Role::Pawn) => '♟',
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Bitboard, Board};

    use super::*;
    use crate::rules::Marks;

    const ASCII: Look = Look { ascii: true, colors: false };

    #[test]
    fn starting_position_is_drawn() {
        let view = BoardView { diagram: Diagram { board: Board::new(), ..Diagram::default() }, flipped: false };
        let expected = "\
8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜
7  ♟  ♟  ♟  ♟  ♟  ♟  ♟  ♟
6  ·  ·  ·  ·  ·  ·  ·  ·
5  ·  ·  ·  ·  ·  ·  ·  ·
4  ·  ·  ·  ·  ·  ·  ·  ·
3  ·  ·  ·  ·  ·  ·  ·  ·
2  ♙  ♙  ♙  ♙  ♙  ♙  ♙  ♙
1  ♖  ♘  ♗  ♕  ♔  ♗  ♘  ♖
   a  b  c  d  e  f  g  h
";
        assert_eq!(view.text(Look::default()), expected);
    }

    fn marked() -> BoardView {
        let board = Board::from_ascii_board_fen(b"4k3/8/8/8/8/8/4R3/4K3").expect("a placement");
        let squares = Bitboard::from(Square::E2) | Bitboard::from(Square::H1);
        BoardView { diagram: Diagram::new(board, None, Marks { squares, ..Marks::default() }), flipped: true }
    }

    #[test]
    fn marks_have_brackets_and_a_legend() {
        let expected = "\
1 [.] .  .  K  .  .  .  .
2  .  .  . [R] .  .  .  .
3  .  .  .  .  .  .  .  .
4  .  .  .  .  .  .  .  .
5  .  .  .  .  .  .  .  .
6  .  .  .  .  .  .  .  .
7  .  .  .  .  .  .  .  .
8  .  .  . (k) .  .  .  .
   h  g  f  e  d  c  b  a

  [ ] problem   ( ) check
";
        assert_eq!(marked().text(ASCII), expected);
    }

    /// The text without colours: the sequences from an escape character to `m`.
    fn without_colors(colored: &str) -> String {
        let mut parts = colored.split('\u{1b}');
        let first = parts.next().unwrap_or_default();
        let others = parts.filter_map(|part| part.split_once('m')).map(|(_, text)| text);
        std::iter::once(first).chain(others).collect()
    }

    #[test]
    fn colors_do_not_change_the_text() {
        let colored = marked().text(Look { ascii: true, colors: true });
        assert!(colored.contains('\u{1b}'));
        let plain = without_colors(&colored);
        let trimmed: Vec<&str> = plain.lines().map(str::trim_end).collect();
        assert_eq!(trimmed, marked().text(ASCII).lines().collect::<Vec<_>>());
    }
}
