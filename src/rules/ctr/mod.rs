//! The halfmove clock and the fullmove number.

pub(crate) mod clock_below_plies;
pub(crate) mod clock_last_move;
pub(crate) mod clock_over_plies;
pub(crate) mod ep_clock;
pub(crate) mod fifty_move_rule;
pub(crate) mod fullmove_implausible;
pub(crate) mod fullmove_zero;
pub(crate) mod pawn_check_clock;
pub(crate) mod seventy_five_move_rule;
pub(crate) mod too_few_moves;

family! {
    ep_clock, pawn_check_clock, clock_last_move, clock_over_plies, clock_below_plies, too_few_moves,
    fifty_move_rule, seventy_five_move_rule, fullmove_zero, fullmove_implausible,
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::squares_marked;

    #[test]
    fn pawns_and_pieces_that_moved_last_are_marked() {
        for (code, line, squares) in [
            ("CTR01", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 1 30", "e3"),
            ("CTR02", "4k3/8/8/8/4p3/5K2/8/8 w - - 3 60", "e4"),
            ("CTR03", "4R3/R3k3/8/8/8/8/8/4K3 b - - 3 60", "e8"),
            ("CTR04", "4k3/8/8/8/8/8/4P3/4K3 w - - 90 40", ""),
            ("CTR10", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "d5"),
        ] {
            assert_eq!(squares_marked(code, line), squares, "{code} in {line}");
        }
    }
}
