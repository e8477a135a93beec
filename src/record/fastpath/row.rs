//! Rows of tables without quotes: a position, and legal moves from there.

use memchr::{memchr, memchr_iter};
use shakmaty::{File, Rank, Role, Square};

use super::accepted_position::start_shown;
use crate::{
    chess::{
        Board, Pieces, SanWord,
        retro::glance::{accept, position_line},
    },
    rules::StartShown,
    table::{Column, Table},
    text::Span,
};

/// Maximum length of a row. Without it, each row that ends with a carriage return would look for
/// the end of all rows.
const MAX_ROW: usize = 1 << 14;

/// A row of a table without findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcceptedRow {
    /// Start of the next row, in bytes.
    pub next: usize,
    /// What the position shows about the starting position of its game. It fits standard chess.
    pub shown: StartShown,
    /// Halfmove clock and fullmove number, if present.
    pub counters: Option<(u32, u32)>,
    /// Number of plies played from the position.
    pub plies: u32,
}

/// The row at `start` if it is without findings, ends with a line break, has no quotes, and has
/// moves in coordinates or SAN. `read` reads placements like [`Pieces::read`].
#[inline(always)]
pub(super) fn accept_row(
    text: &[u8],
    start: usize,
    table: &Table,
    board: &mut Board,
    read: impl Fn(&[u8]) -> Option<(Pieces, usize)>,
) -> Option<AcceptedRow> {
    let rest = text.get(start..)?;
    let next = start + memchr(b'\n', &rest[..rest.len().min(MAX_ROW)])? + 1;
    let row = &text[start..next - 1];
    let row = row.strip_suffix(b"\r").unwrap_or(row);
    if !is_plain(row) {
        return None;
    }
    let cell = |column: Column| {
        let mut cells = Cells { row, start: 0, ends: memchr_iter(table.delimiter, row) };
        cells.nth(column.0)
    };
    if table.game.is_some() || table.variant.is_some() || table.more_fields > 0 {
        return None;
    }
    if table.width.is_some_and(|width| memchr_iter(table.delimiter, row).count() + 1 != width) {
        return None;
    }
    let fen = cell(table.fen?)?;
    let (position, length) = position_line::read(&row[fen.start..], read)?;
    let view = accept(&position).filter(|view| length == fen.end - fen.start && !view.chess960)?;
    let mut plies = 0;
    if let Some(column) = table.moves {
        let moves = cell(column)?.of(row);
        if !moves.is_empty() {
            let black = position.turn.is_black();
            board.set_up(&position.pieces, position.rights, position.en_passant, black, false);
            plies = if black { play::<1, 0>(board, moves) } else { play::<0, 1>(board, moves) }?;
        }
    }
    Some(AcceptedRow { next, shown: start_shown(&position, &view), counters: position.counters, plies })
}

/// Whether there are only printable ASCII characters and tabs in `row`, and no quotes.
#[inline(always)]
fn is_plain(row: &[u8]) -> bool {
    // No branches within a part, so that the compiler can use vector instructions.
    let is_other = |byte: u8| u8::from(byte.wrapping_sub(b' ') > b'~' - b' ') & u8::from(byte != b'\t') | u8::from(byte == b'"');
    row.chunks(64).all(|part| part.iter().fold(0, |any, &byte| any | is_other(byte)) == 0)
}

/// The cells of a row without quotes.
struct Cells<'a, E> {
    row: &'a [u8],
    /// Where the next cell begins.
    start: usize,
    /// Where cells end, apart from the last one.
    ends: E,
}

impl<E: Iterator<Item = usize>> Iterator for Cells<'_, E> {
    type Item = Span;

    #[inline(always)]
    fn next(&mut self) -> Option<Span> {
        let start = self.start;
        if start > self.row.len() {
            return None;
        }
        let end = self.ends.next().unwrap_or(self.row.len());
        self.start = end + 1;
        Some(Span::new(start, end))
    }
}

/// Plays `moves` with one space between them. `FIRST` begins, 0 for White, and `SECOND` answers.
/// Returns the number of plies.
fn play<const FIRST: usize, const SECOND: usize>(board: &mut Board, moves: &[u8]) -> Option<u32> {
    let mut words = moves.split(|byte| *byte == b' ');
    let mut plies = 0;
    loop {
        let Some(word) = words.next() else { return Some(plies) };
        if !play_word::<FIRST>(board, word) {
            return None;
        }
        let Some(word) = words.next() else { return Some(plies + 1) };
        if !play_word::<SECOND>(board, word) {
            return None;
        }
        plies += 2;
    }
}

/// Plays a move in coordinates, such as `e2e4` and `e7e8q`, or in SAN.
fn play_word<const SIDE: usize>(board: &mut Board, word: &[u8]) -> bool {
    if let [from_file @ b'a'..=b'h', from_rank @ b'1'..=b'8', file @ b'a'..=b'h', rank @ b'1'..=b'8', promotion @ ..] = word {
        let square =
            |file: u8, rank: u8| Square::from_coords(File::new(u32::from(file - b'a')), Rank::new(u32::from(rank - b'1')));
        let promotion = match promotion {
            [] => None,
            b"q" => Some(Role::Queen),
            b"r" => Some(Role::Rook),
            b"b" => Some(Role::Bishop),
            b"n" => Some(Role::Knight),
            _ => return false,
        };
        return board.play_squares::<SIDE>(square(*from_file, *from_rank), square(*file, *rank), promotion);
    }
    let mut bytes = [0; 8];
    let Some(start) = bytes.get_mut(..word.len()).filter(|bytes| (1..8).contains(&bytes.len())) else { return false };
    start.copy_from_slice(word);
    board.play::<SIDE, false>(SanWord::of(u64::from_le_bytes(bytes), word.len() as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::table::{LastCell, TagColumns};

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const MIDDLE: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
    fn table() -> Table {
        Table {
            delimiter: b',',
            header: None,
            width: None,
            fen: Some(Column(1)),
            more_fields: 0,
            game: None,
            moves: Some(Column(3)),
            moves_asked: false,
            last: LastCell::Unknown,
            tags: TagColumns::default(),
            variant: None,
            has_variants: false,
            label: None,
        }
    }

    /// The number of plies in a row that is accepted.
    fn plies(table: &Table, row: &str) -> Option<u32> {
        let accepted = accept_row(row.as_bytes(), 0, table, &mut Board::default(), Pieces::read)?;
        assert_eq!(accepted.next, row.find('\n').expect("a line break") + 1, "{row}");
        Some(accepted.plies)
    }

    #[test]
    fn cells_are_found() {
        for end in ["\n", "\r\n", ",x,y\n", ",\nnext\n"] {
            assert_eq!(plies(&table(), &format!("a,{START},,e2e4 e7e5 g1f3{end}")), Some(3), "{end:?}");
        }
        assert_eq!(plies(&table(), &format!("a,{START},,\n")), Some(0), "no moves");
        let four = Table { width: Some(4), ..table() };
        for (end, expected) in [("", Some(1)), (",", None), (",x", None)] {
            assert_eq!(plies(&four, &format!("a,{START},,e2e4{end}\n")), expected, "{end:?}");
        }
        let bare = Table { moves: None, ..table() };
        assert_eq!(plies(&bare, &format!("a,{START}\n")), Some(0));
        let tabs = Table { delimiter: b'\t', fen: Some(Column(2)), moves: Some(Column(0)), ..table() };
        assert_eq!(plies(&tabs, &format!("e2e4\t,\t{START}\n")), Some(1));
        for row in [
            format!("a,{START}\n"),
            format!("a,{START},b\n"),
            format!("a, {START},,e2e4\n"),
            format!("a,{START} ,,e2e4\n"),
            format!("a,{START},\"\",e2e4\n"),
            format!("ä,{START},,e2e4\n"),
            format!("a\u{b},{START},,e2e4\n"),
            format!("a\r,{START},,e2e4\n"),
            format!("a,{START},,e2e4"),
            "\n".to_owned(),
            ",,,\n".to_owned(),
        ] {
            assert_eq!(plies(&table(), &row), None, "{row:?}");
        }
    }

    #[test]
    fn only_legal_moves_are_played() {
        let plies = |moves: &str| plies(&table(), &format!("a,{MIDDLE},,{moves}\n"));
        assert_eq!(plies("h5f7"), Some(1));
        assert_eq!(plies("h5f7 e8f7"), None, "the queen is defended: that was checkmate");
        assert_eq!(plies("h5e5 f8e7 g1f3 e8g8 e1g1"), Some(5));
        assert_eq!(plies("Qxe5+ Be7 Nf3 O-O"), Some(4));
        for moves in [
            "e8g8", "c6b4", "e1g1", "h5h8", "h5e8", "a7a5", "e4e5", "d2d4q", "e1f3", "h5f7 ", " h5f7", "h5f7  a", "h5f7+", "a1a1",
        ] {
            assert_eq!(plies(moves), None, "{moves}");
        }
    }
}
