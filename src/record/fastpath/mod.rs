//! Accepts records without findings quickly: no facts, no explanations, no allocations.
//!
//! What is accepted here has no findings of severity error or warning under any condition, whatever
//! the rest of the input is: [`examine_line_to`](super::examine_line_to) would report none. If
//! asked to, [`FastGames`] accepts only games that have no infos either. Positions with castling
//! rights that fit only Chess960 are accepted and noted. What is not accepted, for whatever reason,
//! is examined on the thorough path. This path gives up early and never says what is wrong. Tests
//! compare the two.

mod avx2;
pub(crate) mod game;
mod last_move;
mod marks;
mod material;
mod operations;
mod plain_move;
mod position_line;
mod row;
mod structure;

pub use game::{AcceptedBeginning, FastGames, Infos};
pub use operations::AcceptedOperations;
use operations::LineWithOperations;
pub use row::AcceptedRow;
use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Position as _, Square};

use self::material::BoardView;
use crate::{
    chess::{Board, CASTLING_ROOKS, Pieces},
    rules::{RULES, Rule, Selection, Severity, StartShown},
    table::Table,
    text::Span,
};

/// A position in regular spelling. Whether it makes sense is not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position {
    pieces: Pieces,
    turn: Color,
    /// The castling rights `KQkq`, one bit each, `K` lowest.
    rights: u8,
    /// The files of the rooks that may castle, one bit each, of White and Black, if these are
    /// written instead.
    rook_files: [u8; 2],
    en_passant: Option<Square>,
    /// Halfmove clock and fullmove number, each at most 1000.
    counters: Option<(u32, u32)>,
}

impl Position {
    /// The position on the fast board. `counters` are as in [`Position::counters`].
    #[inline(always)]
    fn of_board(board: &Board, turn: Color, counters: (u32, u32)) -> Position {
        Position {
            pieces: board.pieces(),
            turn,
            rights: board.rights(),
            rook_files: [0; 2],
            en_passant: board.en_passant_square(),
            counters: Some(counters),
        }
    }

    /// The same position. `None` if there is no regular spelling of its castling rights and its
    /// move number.
    fn of_chess(position: &Chess) -> Option<Position> {
        let (roles, colors) = position.board().clone().into_bitboards();
        let castling = position.castles().castling_rights();
        let counters = (position.halfmoves(), position.fullmoves().get());
        let is_regular = castling.is_subset(Bitboard::CORNERS) && counters.0.max(counters.1) < 1000;
        is_regular.then(|| Position {
            pieces: Pieces::of_bitboards(roles, colors),
            turn: position.turn(),
            rights: (0..4).fold(0, |all, right| all | u8::from(castling.contains(CASTLING_ROOKS[right])) << right),
            rook_files: [0; 2],
            en_passant: position.ep_square(EnPassantMode::Always),
            counters: Some(counters),
        })
    }
}

/// A position line without findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcceptedLine {
    /// Start of the next line, in bytes.
    pub next: usize,
    /// What it shows about the starting position of its game.
    pub start: StartShown,
    /// Halfmove clock and fullmove number, if present.
    pub counters: Option<(u32, u32)>,
    /// What its operations show, if it has any.
    pub operations: Option<AcceptedOperations>,
}

/// Whether `selection` shows only findings about positions that [`accept_lines`] rules out.
pub fn fast_lines_suffice(selection: &Selection) -> bool {
    RULES.iter().all(|rule| !rule.check.is_about_positions() || !selection.shows_infos(rule))
}

/// The least severe findings about games that `selection` shows. `None` if [`FastGames`] cannot
/// rule them out.
pub fn least_severe_about_games(selection: &Selection) -> Option<Severity> {
    let is_about_games = |rule: &Rule| !rule.check.is_about_positions() && !rule.check.is_about_inputs();
    let mut about_games = RULES.iter().copied().filter(|rule| is_about_games(rule) && selection.shows_infos(rule)).peekable();
    let shows_infos = about_games.peek().is_some();
    let shows_layout = about_games.any(|rule| rule.layout);
    (!shows_layout).then_some(if shows_infos { Severity::Info } else { Severity::Warning })
}

/// Reads lines from `start` while each contains a position without findings of severity error or
/// warning, and nothing else. Passes each of them to `take`, which returns whether to continue. A
/// line that is not passed may still be free of findings.
pub fn accept_lines(text: &[u8], start: usize, take: impl FnMut(AcceptedLine) -> bool) {
    avx2::accept_lines(text, start, take);
}

/// Like [`accept_lines`], without instructions that only some processors have.
pub fn accept_lines_portable(text: &[u8], start: usize, take: impl FnMut(AcceptedLine) -> bool) {
    accept_lines_generic(text, start, Pieces::read, operations_portable, take);
}

/// [`operations::read`] on any processor.
#[inline(never)]
fn operations_portable(line: LineWithOperations<'_>) -> Option<(usize, AcceptedOperations)> {
    operations::read(line, marks::marks)
}

/// Reads rows of `table` from `start` while each is without findings of severity error or warning
/// and in regular spelling, as [`accept_lines`] does. The first one must come after the names of
/// columns.
pub fn accept_rows(text: &[u8], start: usize, table: &Table, take: impl FnMut(AcceptedRow) -> bool) {
    avx2::accept_rows(text, start, table, take);
}

/// Like [`accept_lines`], for the processor features of the caller. `read` reads placements like
/// [`Pieces::read`], and `operations` reads operations like [`operations_portable`].
#[inline(always)]
fn accept_lines_generic(
    text: &[u8],
    mut start: usize,
    read: impl Fn(&[u8]) -> Option<(Pieces, usize)>,
    operations: impl Fn(LineWithOperations<'_>) -> Option<(usize, AcceptedOperations)>,
    mut take: impl FnMut(AcceptedLine) -> bool,
) {
    // No closures around the hot code: they would be compiled without the features of the caller.
    let mut lines = FastLines { board: Board::default() };
    while let Some(line) = lines.accept(text, start, &read, &operations) {
        if !take(line) {
            return;
        }
        start = line.next;
    }
}

/// Like [`accept_rows`]. See [`accept_lines_generic`].
#[inline(always)]
fn accept_rows_generic(
    text: &[u8],
    mut start: usize,
    table: &Table,
    read: impl Fn(&[u8]) -> Option<(Pieces, usize)>,
    mut take: impl FnMut(AcceptedRow) -> bool,
) {
    let mut board = Board::default();
    while let Some(row) = row::accept_row(text, start, table, &mut board, &read) {
        if !take(row) {
            return;
        }
        start = row.next;
    }
}

/// Reads position lines one after the other.
struct FastLines {
    /// For the moves in operations.
    board: Board,
}

impl FastLines {
    /// The line at `start`, if it is without findings.
    #[inline(always)]
    fn accept(
        &mut self,
        text: &[u8],
        start: usize,
        read: impl Fn(&[u8]) -> Option<(Pieces, usize)>,
        operations: impl Fn(LineWithOperations<'_>) -> Option<(usize, AcceptedOperations)>,
    ) -> Option<AcceptedLine> {
        let line = text.get(start..)?;
        let (position, length) = position_line::read(line, read)?;
        let after_fields = line.get(length..)?;
        let rest = if operations::may_begin(after_fields) { None } else { Some(position_line::after_line(after_fields)?) };
        let view = material::view_if_sound(&position)?;
        if !can_have_arisen(&position, &view) {
            return None;
        }
        let (next, operations) = match rest {
            Some(rest) => (text.len() - rest.len(), None),
            None if view.chess960 => return None,
            None => {
                let fields = Span::new(start, start + length);
                let line = LineWithOperations { text, fields, position: &position, view: &view, board: &mut self.board };
                let (next, shown) = operations(line)?;
                (next, Some(shown))
            }
        };
        let (shown, counters) = (start_shown(&position, &view), position.counters);
        Some(AcceptedLine { next, start: shown, counters, operations })
    }
}

/// What a position without findings shows about the starting position of its game.
#[inline(always)]
fn start_shown(position: &Position, view: &BoardView) -> StartShown {
    match position.rights {
        _ if view.chess960 => StartShown::OnlyChess960,
        0 => StartShown::Nothing,
        rights => StartShown::by_rights(&position.pieces, [rights & 3 != 0, rights >> 2 != 0], rights == 15),
    }
}

const HOME_PAWNS: Bitboard = Bitboard(0xFF00 | 0xFF << 48);

/// A position in which a game starts.
#[derive(Clone, Copy, Debug)]
struct FirstPosition {
    position: Position,
    /// What it shows about the starting position of its game.
    shown: StartShown,
    /// Halfmove clock and fullmove number.
    counters: (u32, u32),
}

impl FirstPosition {
    /// The position in these fields if it has no findings as the start of a game. `None` proves
    /// nothing.
    fn accept(fields: &[u8]) -> Option<FirstPosition> {
        let (position, length) = position_line::read(fields, Pieces::read)?;
        let view = accept(&position).filter(|view| length == fields.len() && !view.chess960)?;
        // It may be a starting position of Chess960.
        let counters = position.counters.filter(|counters| counters.1 > 0 && position.pieces.pawns != HOME_PAWNS)?;
        Some(FirstPosition { position, shown: start_shown(&position, &view), counters })
    }

    /// The same for a game that is declared as Chess960 and begins in one of its starting
    /// positions, with all castling rights.
    fn accept_chess960(fields: &[u8]) -> Option<FirstPosition> {
        let (mut position, length) = position_line::read(fields, Pieces::read)?;
        let Pieces { pawns, knights, bishops, rooks, queens, kings, white, black, .. } = position.pieces;
        let pieces = [kings, queens, rooks, bishops, knights];
        let is_start = pawns == HOME_PAWNS
            && white == Bitboard(0xFFFF)
            && black == Bitboard(0xFFFF << 48)
            && pieces.map(|kind| (kind & white).count()) == [1, 1, 2, 2, 2]
            && pieces.iter().all(|kind| kind.flip_vertical() == *kind)
            && (bishops & white & Bitboard::DARK_SQUARES).count() == 1;
        if !is_start || length != fields.len() {
            return None;
        }
        // All rooks of White are on the first rank, so their squares are files.
        let [first, king, last] = [(rooks & white).first()?, kings.first()?, (rooks & white).last()?];
        let files = 1 << first as u8 | 1 << last as u8;
        let has_rights = (position.rights == 15 && position.rook_files == [0; 2]) || position.rook_files == [files; 2];
        let begins = position.turn.is_white() && position.counters == Some((0, 1)) && position.en_passant.is_none();
        let is_accepted = first < king && king < last && has_rights && begins;
        (position.rights, position.rook_files) = (15, [0; 2]);
        is_accepted.then_some(FirstPosition { position, shown: StartShown::DeclaredChess960, counters: (0, 1) })
    }
}

/// Whether these fields contain a position without findings. `false` proves nothing.
pub(super) fn accepts_fields(fields: &[u8]) -> bool {
    accepts_fields_with(fields, None)
}

/// As [`accepts_fields`]. `counters` are given elsewhere: the halfmove clock and the fullmove
/// number.
pub(super) fn accepts_fields_with(fields: &[u8], counters: Option<(u32, u32)>) -> bool {
    position_line::read(fields, Pieces::read).is_some_and(|(position, length)| {
        let position = Position { counters: position.counters.or(counters), ..position };
        length == fields.len() && accept(&position).is_some()
    })
}

/// Whether this position, reached by moves, has no findings. `false` proves nothing.
pub(super) fn accepts_reached(position: &Chess) -> bool {
    Position::of_chess(position).and_then(|position| accept(&position)).is_some_and(|view| !view.chess960)
}

/// Accepts a position without findings, and returns what is known about its board.
#[inline(always)]
fn accept(position: &Position) -> Option<BoardView> {
    let view = material::view_if_sound(position)?;
    if can_have_arisen(position, &view) { Some(view) } else { None }
}

/// Whether moves lead to a position that is sound otherwise. `false` proves nothing.
#[inline(always)]
fn can_have_arisen(position: &Position, view: &BoardView) -> bool {
    if structure::is_undeveloped(&position.pieces) {
        return last_move::is_opening(position, view);
    }
    // Closures would be compiled without the features of the caller.
    let pawns = match structure::simple_origin(position, view) {
        Some(pawns) => pawns,
        None => match structure::examined_origin(position, view) {
            Some(pawns) => pawns,
            None => return false,
        },
    };
    last_move::is_explained(position, view, pawns)
}
