//! Castling availability.

pub mod chess960_asymmetric;
pub mod initial_rights;
pub mod inner_rook_ambiguous;
pub mod king_not_home;
pub mod rook_missing;
pub mod shredder_letter;
