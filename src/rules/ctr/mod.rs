//! Halfmove clock and fullmove number.

family! {
    ep_clock,
    pawn_check_clock,
    clock_last_move,
    clock_over_plies,
    clock_not_plies,
    too_few_moves,
    clock_100,
    clock_150,
    fullmove_zero,
    fullmove_huge,
}
