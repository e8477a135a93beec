//! EPD operations.

pub mod bad_string;
pub mod duplicate_opcode;
pub mod fen_as_epd;
pub mod illegal_epd_move;
pub mod missing_semicolon;
pub mod opcode_syntax;
