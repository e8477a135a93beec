//! The tags of a game, and the rules of the house.

use crate::{
    pgn::{TagPair, TagSection},
    rules::HouseRules,
};

/// The tags of a game, and the rules of the house.
#[derive(Clone, Copy, Debug)]
pub struct HouseFacts<'a> {
    /// The tags.
    pub tags: &'a TagSection<'a>,
    /// The rules.
    pub rules: &'a HouseRules,
}

impl<'a> HouseFacts<'a> {
    /// The pairs with this name.
    pub fn pairs(&self, name: &str) -> impl Iterator<Item = &'a TagPair> {
        let text = self.tags.text;
        self.tags.pairs.iter().filter(move |pair| pair.name.of(text) == name.as_bytes())
    }
}
