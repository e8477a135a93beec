//! What cells contain, judged by their contents alone.

use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

use crate::{
    chess::{WrittenSan, fen::is_placement, resolve},
    pgn::{Lexer, Token, is_movetext, opens_tag_pair},
};

/// Values that programs write into empty cells.
const EMPTY_VALUES: [&[u8]; 15] =
    [b"", b"-", b"--", b"?", b"null", b"none", b"nil", b"nan", b"na", b"n/a", b"#n/a", b"<na>", b"\\n", b"unknown", b"undefined"];

/// Number of words of a cell that show whether it contains moves.
const WORDS: usize = 6;

/// What a cell contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// A game: tag pairs, or movetext that begins with move 1.
    Game,
    /// Movetext that begins with another number, such as a part of a game.
    Part,
    /// Moves from the starting position, without numbers.
    Moves,
    /// Something else.
    Other,
}

/// Whether the cell has no value: it is blank, or contains what programs write instead.
pub fn is_empty_value(cell: &[u8]) -> bool {
    let cell = cell.trim_ascii();
    EMPTY_VALUES.iter().any(|empty| cell.eq_ignore_ascii_case(empty))
}

/// Whether the cell begins with a piece placement.
pub(super) fn is_position(cell: &[u8]) -> bool {
    is_placement(cell.split(u8::is_ascii_whitespace).next().unwrap_or_default())
}

/// Whether the cell contains four to six fields of a position and nothing else.
pub(super) fn is_whole_position(cell: &[u8]) -> bool {
    let mut fields = cell.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    fields.next().is_some_and(is_placement)
        && matches!(fields.next(), Some(b"w" | b"b"))
        && fields.nth(1).is_some()
        && fields.by_ref().take(2).all(|counter| counter.iter().all(u8::is_ascii_digit))
        && fields.next().is_none()
}

/// Whether the cell contains a placement, perhaps with a side to move, and nothing else.
pub(super) fn is_short_position(cell: &[u8]) -> bool {
    let mut fields = cell.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    fields.next().is_some_and(is_placement) && matches!(fields.next(), None | Some(b"w" | b"b")) && fields.next().is_none()
}

/// Whether the cell contains one field of a position after its first one: the side to move, the
/// castling rights, the en passant square and the counters.
pub(super) fn is_field(number: usize, cell: &[u8]) -> bool {
    match number {
        1 => matches!(cell, b"w" | b"b"),
        2 => {
            cell == b"-"
                || (1..=4).contains(&cell.len()) && cell.iter().all(|byte| matches!(byte | 0x20, b'k' | b'q' | b'a'..=b'h'))
        }
        3 => matches!(cell, b"-" | [b'a'..=b'h', b'1'..=b'8']),
        _ => !cell.is_empty() && cell.iter().all(u8::is_ascii_digit),
    }
}

/// Whether the cell contains a game, or moves.
pub(super) fn is_moves(cell: &[u8]) -> bool {
    matches!(content_of(cell), Content::Game | Content::Moves)
}

/// Whether the cell contains moves and nothing else but numbers and markers.
pub(super) fn is_all_moves(cell: &[u8]) -> bool {
    let mut lexer = Lexer::new(cell, 0);
    let mut moves = 0;
    loop {
        match lexer.next() {
            Token::Word if WrittenSan::read(lexer.token()).is_some() => moves += 1,
            Token::End => return moves > 0,
            Token::Number { .. } | Token::Marker(_) | Token::Comment | Token::Nag | Token::Glyph => {}
            _ => return false,
        }
    }
}

/// Whether the cell contains moves, the first of which can be played from a position.
pub(super) fn is_line_from(position: &[u8], cell: &[u8]) -> bool {
    let first = cell.split(|byte| byte.is_ascii_whitespace() || *byte == b',').find(|word| !word.is_empty());
    let is_played = |start: Chess| {
        let written = first.and_then(WrittenSan::read)?;
        resolve(&start, start.checkers(), &written)
    };
    is_all_moves(cell) && start_of(position).and_then(is_played).is_some()
}

/// Whether a byte separates the moves of a line. Programs write lists with brackets and quotes.
pub const fn separates_moves(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, 0 | b',' | b';' | b'|' | b'[' | b']' | b'\'' | b'"')
}

/// Whether the first move of the cell can be played from the starting position. `None` if there is
/// no move.
pub(super) fn begins_in_start(cell: &[u8]) -> Option<bool> {
    let start = Chess::default();
    let first = cell.split(|byte| separates_moves(*byte)).find_map(WrittenSan::read)?;
    Some(resolve(&start, start.checkers(), &first).is_some())
}

/// Whether the moves of a cell lead from one position to another. `None` if there are no moves, or
/// one of the positions cannot be read.
pub(super) fn lead(from: &[u8], moves: &[u8], to: &[u8]) -> Option<bool> {
    let (mut position, to) = (start_of(from)?, Fen::from_ascii(to).ok()?);
    let mut plies = 0;
    for written in moves.split(|byte| separates_moves(*byte)).filter_map(WrittenSan::read) {
        let Some(found) = resolve(&position, position.checkers(), &written) else { return Some(false) };
        position.play_unchecked(found.played);
        plies += 1;
    }
    let to = to.as_setup();
    (plies > 0).then(|| *position.board() == to.board && position.turn() == to.turn)
}

/// The position of a cell, if moves can be played from it.
fn start_of(cell: &[u8]) -> Option<Chess> {
    Fen::from_ascii(cell).ok()?.into_position(CastlingMode::Chess960).ok()
}

/// What the cell contains.
pub(super) fn content_of(cell: &[u8]) -> Content {
    let cell = cell.trim_ascii();
    if opens_tag_pair(cell, 0) {
        return Content::Game;
    }
    let mut lexer = Lexer::new(cell, 0);
    let begins = loop {
        match lexer.next() {
            Token::Comment => {}
            Token::End => return Content::Other,
            _ => break lexer.start,
        }
    };
    let movetext = &cell[begins..];
    if is_movetext(movetext) {
        return if movetext.starts_with(b"1.") { Content::Game } else { Content::Part };
    }
    let mut position = Chess::default();
    let mut plies = 0;
    for word in cell.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).take(WORDS) {
        let Some(found) = WrittenSan::read(word).and_then(|written| resolve(&position, position.checkers(), &written)) else {
            return Content::Other;
        };
        position.play_unchecked(found.played);
        plies += 1;
    }
    if plies > 1 { Content::Moves } else { Content::Other }
}
