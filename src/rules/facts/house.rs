//! The tags of a game, and house rules.

use crate::{
    pgn::{TagPair, TagSection},
    rules::{HouseRules, TagDemand},
};

/// The tags of a game, and house rules.
#[derive(Clone, Copy, Debug)]
pub struct HouseFacts<'a> {
    /// The tags.
    pub tags: &'a TagSection<'a>,
    /// The rules.
    pub rules: &'a HouseRules,
}

impl<'a> HouseFacts<'a> {
    /// Each demand with each tag pair that it is about, and the value of that.
    pub fn demands(&self) -> impl Iterator<Item = (&'a TagDemand, &'a TagPair, &'a [u8])> {
        let text = self.tags.text;
        let facts = *self;
        let pairs = move |demand: &'a TagDemand| facts.pairs(&demand.tag).map(move |pair| (demand, pair, pair.value.of(text)));
        self.rules.tags.iter().flat_map(pairs)
    }

    /// The pairs with this name.
    pub fn pairs<'n>(&self, name: &'n str) -> impl Iterator<Item = &'a TagPair> + use<'a, 'n> {
        let text = self.tags.text;
        self.tags.pairs.iter().filter(move |pair| pair.name.of(text) == name.as_bytes())
    }
}
