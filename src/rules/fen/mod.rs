//! FEN syntax: the six fields as they are written.

pub mod adjacent_digits;
pub mod bad_piece;
pub mod bad_side;
pub mod board_shape;
pub mod castling_syntax;
pub mod counter_syntax;
pub mod ep_syntax;
pub mod field_count;
pub mod separators;
pub mod trailing_data;
