//! House rules: what the settings demand of games, besides the standards.

pub(crate) mod game_denied;
mod house_rules;
pub(crate) mod required_tag;
pub(crate) mod value_denied;
pub(crate) mod value_not_allowed;

family! {
    required_tag, value_not_allowed, value_denied, game_denied,
}

pub use house_rules::{Demand, DeniedGames, HouseNote, HouseRules, TagDemand};
