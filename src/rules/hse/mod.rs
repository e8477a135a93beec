//! House rules: what the settings demand of games, besides the standards.

family! {
    required_tag,
    value_not_allowed,
    value_denied,
    game_denied,
}

mod house_rules;

pub use house_rules::{Demand, DeniedGames, HouseRules, Note, TagDemand};
