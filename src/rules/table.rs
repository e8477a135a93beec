//! The table of rules: one line each.

use super::{Code, Rule, mov, res, syn};

/// All rules, in the order of their codes.
pub static RULES: &[&Rule] = &[
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
    &res::extra_marker::RULE,
];

/// The rule with this code.
pub fn rule(code: Code) -> Option<&'static Rule> {
    RULES.binary_search_by_key(&code, |rule| rule.code).ok().map(|index| RULES[index])
}
