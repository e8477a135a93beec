//! En passant target square.

pub mod ep_check_source;
pub mod ep_convention_mixed;
pub mod ep_no_pawn;
pub mod ep_not_capturable;
pub mod ep_occupied;
pub mod ep_prior_check;
pub mod ep_wrong_rank;
