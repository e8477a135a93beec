//! Glyphs, variations, and positions that are written beside the moves.

family! {
    nag_range,
    nag_undefined,
    rav_echo,
    embedded_fen_mismatch,
}
