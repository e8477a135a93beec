//! Castling availability.

pub mod initial_rights;
pub mod king_not_home;
pub mod rook_missing;
pub mod shredder_letter;
