//! The table of rules: one line each.

use super::{Code, Rule, cas, ctr, epd, eps, fen, pos, var};

/// All rules, in the order of their codes.
pub static RULES: &[&Rule] = &[
    &fen::field_count::RULE,
    &fen::board_shape::RULE,
    &fen::bad_piece::RULE,
    &fen::adjacent_digits::RULE,
    &fen::bad_side::RULE,
    &fen::castling_syntax::RULE,
    &fen::ep_syntax::RULE,
    &fen::counter_syntax::RULE,
    &fen::separators::RULE,
    &fen::trailing_data::RULE,
    &pos::king_count::RULE,
    &pos::kings_adjacent::RULE,
    &pos::opposite_check::RULE,
    &pos::both_in_check::RULE,
    &pos::back_rank_pawn::RULE,
    &pos::too_many_pawns::RULE,
    &pos::too_many_pieces::RULE,
    &pos::promotion_count::RULE,
    &pos::triple_check::RULE,
    &pos::impossible_double_check::RULE,
    &pos::game_over::RULE,
    &cas::king_not_home::RULE,
    &cas::rook_missing::RULE,
    &cas::shredder_letter::RULE,
    &cas::initial_rights::RULE,
    &eps::ep_wrong_rank::RULE,
    &eps::ep_no_pawn::RULE,
    &eps::ep_occupied::RULE,
    &eps::ep_check_source::RULE,
    &eps::ep_not_capturable::RULE,
    &ctr::ep_clock::RULE,
    &ctr::pawn_check_clock::RULE,
    &ctr::clock_over_plies::RULE,
    &ctr::clock_100::RULE,
    &ctr::clock_150::RULE,
    &ctr::fullmove_zero::RULE,
    &ctr::fullmove_huge::RULE,
    &epd::fen_as_epd::RULE,
    &epd::opcode_syntax::RULE,
    &epd::missing_semicolon::RULE,
    &epd::bad_string::RULE,
    &epd::duplicate_opcode::RULE,
    &epd::illegal_epd_move::RULE,
    &var::chess960_array::RULE,
];

/// The rule with this code.
pub fn rule(code: Code) -> Option<&'static Rule> {
    RULES.binary_search_by_key(&code, |rule| rule.code).ok().map(|index| RULES[index])
}
