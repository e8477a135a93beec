//! FEN syntax: how the six fields of a position are written.

pub(crate) mod adjacent_digits;
pub(crate) mod bad_piece;
pub(crate) mod bad_side;
pub(crate) mod board_shape;
pub(crate) mod castling_syntax;
pub(crate) mod counter_syntax;
pub(crate) mod ep_syntax;
pub(crate) mod field_count;
pub(crate) mod separators;
pub(crate) mod trailing_data;

family! {
    field_count, board_shape, bad_piece, adjacent_digits, bad_side, castling_syntax, ep_syntax,
    counter_syntax, separators, trailing_data,
}
/// Whether the text is the beginning of a UCI command.
fn is_engine_command(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    text.starts_with(b"position ") || text.starts_with(b"fen ")
}
