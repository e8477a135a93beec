//! Reads position lines and rows while they are without findings, for any processor.

use super::{
    accepted_position::start_shown,
    marks,
    operations::{self, AcceptedOperations, LineWithOperations},
    row::{self, AcceptedRow},
};
use crate::{
    chess::{
        Board, Pieces,
        retro::glance::{can_have_arisen, material, position_line},
    },
    rules::StartShown,
    table::Table,
    text::Span,
};

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

/// Like [`accept_lines`], without instructions that only some processors have.
pub fn accept_lines_portable(text: &[u8], start: usize, take: impl FnMut(AcceptedLine) -> bool) {
    accept_lines_generic(text, start, Pieces::read, operations_portable, take);
}

/// [`operations::read`] on any processor.
#[inline(never)]
pub(super) fn operations_portable(line: LineWithOperations<'_>) -> Option<(usize, AcceptedOperations)> {
    operations::read(line, marks::marks)
}

/// Like [`accept_lines`], for the processor features of the caller. `read` reads placements like
/// [`Pieces::read`], and `operations` reads operations like [`operations_portable`].
#[inline(always)]
pub(super) fn accept_lines_generic(
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
pub(super) fn accept_rows_generic(
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
pub(super) struct FastLines {
    /// For the moves in operations.
    pub(super) board: Board,
}

impl FastLines {
    /// The line at `start`, if it is without findings.
    #[inline(always)]
    pub(super) fn accept(
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
