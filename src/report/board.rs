//! A board drawn as text, for terminals.

use std::fmt::Write;

use anstyle::{Ansi256Color, Style};
use shakmaty::{Bitboard, Board, Color, File, Piece, Rank, Role, Square};

/// What is special about a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A finding is about it.
    AtFault,
    /// A man that gives check, or a king in check.
    Check,
}

impl Mark {
    /// All marks, in the order of a legend.
    pub const ALL: [Mark; 2] = [Mark::AtFault, Mark::Check];

    /// What a legend says.
    pub const fn as_str(self) -> &'static str {
        match self {
            Mark::AtFault => "at fault",
            Mark::Check => "check",
        }
    }

    /// The signs around a marked square.
    const fn signs(self) -> (char, char) {
        match self {
            Mark::AtFault => ('[', ']'),
            Mark::Check => ('(', ')'),
        }
    }
}

/// A board to be drawn, and what is special about its squares.
#[derive(Clone, Debug, Default)]
pub struct Diagram {
    /// The men.
    pub board: Board,
    /// Squares that findings are about.
    pub at_fault: Bitboard,
    /// Men that give check, and the kings they check.
    pub checks: Bitboard,
    /// Whether Black is at the bottom.
    pub flipped: bool,
}

/// How a board is drawn as text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Letters instead of chess symbols: ASCII alone.
    pub ascii: bool,
    /// Squares in colours, as escape sequences for terminals.
    pub colors: bool,
}

const LIGHT: Ansi256Color = Ansi256Color(137);
const DARK: Ansi256Color = Ansi256Color(95);
const FAULT: Ansi256Color = Ansi256Color(160);
const CHECK: Ansi256Color = Ansi256Color(32);
const WHITE: Ansi256Color = Ansi256Color(231);
const BLACK: Ansi256Color = Ansi256Color(16);
const LABEL: Style = Style::new().dimmed();

impl Diagram {
    /// The mark of a square; a fault is more than a check.
    pub fn mark(&self, square: Square) -> Option<Mark> {
        if self.at_fault.contains(square) {
            Some(Mark::AtFault)
        } else if self.checks.contains(square) {
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

    /// The board with ranks and files at its edges, and a legend if squares are marked. Each line ends with a line feed.
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

    /// Three columns: a man between blanks or the signs of its mark.
    fn draw(&self, square: Square, look: Look, line: &mut String) {
        let man = self.board.piece_at(square);
        let mark = self.mark(square);
        let symbol = match man {
            Some(man) if look.ascii => man.char(),
            Some(man) => symbol(man),
            None if look.ascii => '.',
            None if look.colors => ' ',
            None => '·',
        };
        let (before, after) = mark.map_or((' ', ' '), Mark::signs);
        // Text grows without fail.
        let _ = if look.colors {
            let ground = ink(WHITE).bg_color(Some(mark.map_or(if square.is_light() { LIGHT } else { DARK }, color).into()));
            let men = ink(if man.is_some_and(|man| man.color == Color::Black) { BLACK } else { WHITE });
            write!(line, "{ground}{before}{men}{symbol}{ground}{after}{ground:#}")
        } else {
            write!(line, "{before}{symbol}{after}")
        };
    }
}

const fn ink(color: Ansi256Color) -> Style {
    Style::new().fg_color(Some(anstyle::Color::Ansi256(color)))
}

fn legend(mark: Mark, look: Look) -> String {
    let (before, after) = mark.signs();
    let style = if look.colors { ink(WHITE).bg_color(Some(color(mark).into())) } else { Style::new() };
    format!("{style}{before} {after}{style:#} {}", mark.as_str())
}

const fn color(mark: Mark) -> Ansi256Color {
    match mark {
        Mark::AtFault => FAULT,
        Mark::Check => CHECK,
    }
}

/// The chess symbol of a man.
pub const fn symbol(man: Piece) -> char {
    match (man.color, man.role) {
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
    use super::*;

    const ASCII: Look = Look { ascii: true, colors: false };

    #[test]
    fn the_initial_array() {
        let diagram = Diagram { board: Board::new(), ..Diagram::default() };
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
        assert_eq!(diagram.text(Look::default()), expected);
    }

    fn marked() -> Diagram {
        Diagram {
            board: Board::from_ascii_board_fen(b"4k3/8/8/8/8/8/4R3/4K3").expect("a placement"),
            at_fault: Bitboard::from(Square::E2) | Bitboard::from(Square::H1),
            checks: Bitboard::from(Square::E8) | Bitboard::from(Square::E2),
            flipped: true,
        }
    }

    #[test]
    fn marks_have_signs_and_a_legend() {
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

  [ ] at fault   ( ) check
";
        assert_eq!(marked().text(ASCII), expected);
    }

    #[test]
    fn colors_change_no_letter() {
        let colored = marked().text(Look { ascii: true, colors: true });
        assert!(colored.contains('\u{1b}'));
        let plain = anstream::adapter::strip_str(&colored).to_string();
        let trimmed: Vec<&str> = plain.lines().map(str::trim_end).collect();
        assert_eq!(trimmed, marked().text(ASCII).lines().collect::<Vec<_>>());
    }
}
