//! Proofs at a glance: what is clear about a position and its past without a search.
//!
//! A position that passes has no findings. One that does not is examined from the start: `false`
//! and `None` prove nothing.

mod last_move;
pub(crate) mod material;
mod position;
pub(crate) mod position_line;
mod structure;

pub(crate) use position::Position;

use material::BoardView;

/// Accepts a position without findings, and returns what is known about its board.
#[inline(always)]
pub(crate) fn accept(position: &Position) -> Option<BoardView> {
    let view = material::view_if_sound(position)?;
    if can_have_arisen(position, &view) { Some(view) } else { None }
}

/// Whether moves lead to a position that is sound otherwise. `false` proves nothing.
#[inline(always)]
pub(crate) fn can_have_arisen(position: &Position, view: &BoardView) -> bool {
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
