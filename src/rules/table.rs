//! The table of rules: one line each.

use super::{Code, Rule, enc, mov, num, res, syn, tag, var};

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
    &var::unknown_variant::RULE,
    &var::fen_required::RULE,
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
