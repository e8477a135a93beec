//! Halfmove clock and fullmove number.

pub mod clock_100;
pub mod clock_150;
pub mod clock_last_move;
pub mod clock_not_plies;
pub mod clock_over_plies;
pub mod ep_clock;
pub mod fullmove_huge;
pub mod fullmove_zero;
pub mod pawn_check_clock;
pub mod too_few_moves;
