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
