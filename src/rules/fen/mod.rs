//! FEN syntax: how the six fields of a position are written.

family! {
    field_count,
    board_shape,
    bad_piece,
    adjacent_digits,
    bad_side,
    castling_syntax,
    ep_syntax,
    counter_syntax,
    separators,
    trailing_data,
}
/// Whether the text is the beginning of a UCI command.
fn is_engine_command(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    text.starts_with(b"position ") || text.starts_with(b"fen ")
}
