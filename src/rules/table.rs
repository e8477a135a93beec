//! The table of rules: one line each.

use super::{Code, Rule, cas, ctr, enc, epd, eps, fen, mov, num, pos, res, syn, tag, var};

/// All rules, in the order of their codes.
#[rustfmt::skip]
pub static RULES: &[&Rule] = &[
    &enc::not_text::RULE,
    &enc::invalid_utf8::RULE,
    &enc::mixed_encoding::RULE,
    &enc::bom::RULE,
    &enc::control_char::RULE,
    &syn::stray_text::RULE,
    &syn::bad_tag_pair::RULE,
    &syn::bad_tag_string::RULE,
    &syn::tag_in_movetext::RULE,
    &syn::unclosed_comment::RULE,
    &syn::stray_brace::RULE,
    &syn::unclosed_rav::RULE,
    &syn::stray_rav_close::RULE,
    &syn::unknown_token::RULE,
    &syn::split_token::RULE,
    &syn::truncated_file::RULE,
    &syn::empty_input::RULE,
    &tag::missing_roster::RULE,
    &tag::duplicate_tag::RULE,
    &tag::date_format::RULE,
    &tag::date_impossible::RULE,
    &tag::elo_value::RULE,
    &tag::setup_fen_pair::RULE,
    &mov::illegal_move::RULE,
    &mov::illegal_castling::RULE,
    &mov::ambiguous_move::RULE,
    &mov::promotion_missing::RULE,
    &mov::promotion_impossible::RULE,
    &mov::move_after_end::RULE,
    &mov::null_move::RULE,
    &mov::illegal_in_variation::RULE,
    &mov::check_mark_missing::RULE,
    &mov::check_mark_false::RULE,
    &mov::mate_mark_missing::RULE,
    &mov::mate_mark_false::RULE,
    &mov::capture_mark_missing::RULE,
    &mov::capture_mark_false::RULE,
    &mov::disambiguation_form::RULE,
    &mov::castling_letters::RULE,
    &mov::ep_suffix::RULE,
    &mov::lowercase_piece::RULE,
    &mov::suffix_form::RULE,
    &num::wrong_number::RULE,
    &num::dots_side::RULE,
    &res::missing_marker::RULE,
    &res::extra_marker::RULE,
    &res::bad_marker::RULE,
    &res::tag_marker_mismatch::RULE,
    &res::mate_result::RULE,
    &res::stalemate_result::RULE,
    &res::finished_but_star::RULE,
    &res::dead_decisive::RULE,
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
    &pos::no_last_move::RULE,
    &pos::game_over::RULE,
    &cas::king_not_home::RULE,
    &cas::rook_missing::RULE,
    &cas::shredder_letter::RULE,
    &cas::initial_rights::RULE,
    &eps::ep_wrong_rank::RULE,
    &eps::ep_no_pawn::RULE,
    &eps::ep_occupied::RULE,
    &eps::ep_check_source::RULE,
    &eps::ep_prior_check::RULE,
    &eps::ep_not_capturable::RULE,
    &ctr::ep_clock::RULE,
    &ctr::pawn_check_clock::RULE,
    &ctr::clock_last_move::RULE,
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
    &var::unknown_variant::RULE,
    &var::fen_required::RULE,
    &var::chess960_array::RULE,
    &var::chess960_undeclared::RULE,
];

/// The rule with this code.
pub fn rule(code: Code) -> Option<&'static Rule> {
    RULES.binary_search_by_key(&code, |rule| rule.code).ok().map(|index| RULES[index])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_are_unique_and_in_order() {
        assert!(RULES.windows(2).all(|pair| pair[0].code < pair[1].code));
        let mut names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
