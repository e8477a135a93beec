//! Position legality.

family! {
    king_count,
    kings_adjacent,
    opposite_check,
    both_in_check,
    back_rank_pawn,
    too_many_pawns,
    too_many_pieces,
    promotion_count,
    triple_check,
    impossible_double_check,
    no_last_move,
    pawn_structure,
    pawn_captures,
    promotions_vs_captures,
    caged_piece,
    caged_promotions,
    caged_king,
    side_to_move_parity,
    game_over,
    proof_kernel,
}
