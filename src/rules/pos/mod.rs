//! Position legality.

pub mod back_rank_pawn;
pub mod both_in_check;
pub mod game_over;
pub mod impossible_double_check;
pub mod king_count;
pub mod kings_adjacent;
pub mod no_last_move;
pub mod opposite_check;
pub mod promotion_count;
pub mod too_many_pawns;
pub mod too_many_pieces;
pub mod triple_check;
