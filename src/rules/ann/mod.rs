//! Annotations: glyphs, variations, and positions in comments and tags.

family! {
    nag_range,
    nag_undefined,
    rav_repeats_move,
    embedded_fen_mismatch,
}
