//! Glyphs, variations, and positions that are written beside the moves.

family! {
    nag_range,
    nag_undefined,
    rav_repeats_move,
    embedded_fen_mismatch,
}
