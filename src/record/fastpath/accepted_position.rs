//! Accepts positions without findings.

use shakmaty::{Bitboard, Chess};

use crate::{
    chess::{
        Pieces,
        retro::glance::{Position, accept, material::BoardView, position_line},
    },
    rules::StartShown,
};

/// What a position without findings shows about the starting position of its game.
#[inline(always)]
pub(super) fn start_shown(position: &Position, view: &BoardView) -> StartShown {
    match position.rights {
        _ if view.chess960 => StartShown::OnlyChess960,
        0 => StartShown::Nothing,
        rights => StartShown::by_rights(&position.pieces, [rights & 3 != 0, rights >> 2 != 0], rights == 15),
    }
}

pub(super) const HOME_PAWNS: Bitboard = Bitboard(0xFF00 | 0xFF << 48);

/// A position in which a game starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct AcceptedStart {
    pub(super) position: Position,
    /// What it shows about the starting position of its game.
    pub(super) shown: StartShown,
    /// Halfmove clock and fullmove number.
    pub(super) counters: (u32, u32),
}

impl AcceptedStart {
    /// The position in these fields if it has no findings as the start of a game. `None` proves
    /// nothing.
    pub(in crate::record) fn accept(fields: &[u8]) -> Option<AcceptedStart> {
        let (position, length) = position_line::read(fields, Pieces::read)?;
        let view = accept(&position).filter(|view| length == fields.len() && !view.chess960)?;
        // It may be a starting position of Chess960.
        let counters = position.counters.filter(|counters| counters.1 > 0 && position.pieces.pawns != HOME_PAWNS)?;
        Some(AcceptedStart { position, shown: start_shown(&position, &view), counters })
    }

    /// The same for a game that is declared as Chess960 and begins in one of its starting
    /// positions, with all castling rights.
    pub(super) fn accept_chess960(fields: &[u8]) -> Option<AcceptedStart> {
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
        is_accepted.then_some(AcceptedStart { position, shown: StartShown::DeclaredChess960, counters: (0, 1) })
    }
}

/// Whether these fields contain a position without findings. `false` proves nothing.
pub(in crate::record) fn accepts_fields(fields: &[u8]) -> bool {
    accepts_fields_with(fields, None)
}

/// As [`accepts_fields`]. `counters` are given elsewhere: the halfmove clock and the fullmove
/// number.
pub(in crate::record) fn accepts_fields_with(fields: &[u8], counters: Option<(u32, u32)>) -> bool {
    position_line::read(fields, Pieces::read).is_some_and(|(position, length)| {
        let position = Position { counters: position.counters.or(counters), ..position };
        length == fields.len() && accept(&position).is_some()
    })
}

/// Whether this position, reached by moves, has no findings. `false` proves nothing.
pub(in crate::record) fn accepts_reached(position: &Chess) -> bool {
    Position::of_chess(position).and_then(|position| accept(&position)).is_some_and(|view| !view.chess960)
}
