//! The table of rules: one line each.

use super::{Code, Rule};

/// All rules, in the order of their codes.
pub static RULES: &[&Rule] = &[];

/// The rule with this code.
pub fn rule(code: Code) -> Option<&'static Rule> {
    RULES.binary_search_by_key(&code, |rule| rule.code).ok().map(|index| RULES[index])
}
