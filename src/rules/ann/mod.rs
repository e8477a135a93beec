//! Annotations: glyphs, variations, and positions in comments and tags.

pub(crate) mod embedded_fen_mismatch;
pub(crate) mod nag_range;
pub(crate) mod nag_undefined;
pub(crate) mod rav_repeats_move;

family! {
    nag_range, nag_undefined, rav_repeats_move, embedded_fen_mismatch,
}
