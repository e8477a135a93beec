//! A game that is kept of several copies.

use crate::{identity::GameCard, pgn::KnownTag};

/// A game that is kept, and tags that are more complete in its copies.
#[derive(Clone, Copy, Debug)]
pub struct KeptFacts<'a> {
    /// The game.
    pub game: &'a GameCard<'a>,
    /// The tags.
    pub better: &'a [BetterTag<'a>],
}

/// A tag that is more complete in a copy of a game.
#[derive(Clone, Copy, Debug)]
pub struct BetterTag<'a> {
    /// The tag.
    pub tag: KnownTag,
    /// Its value in the copy.
    pub value: &'a str,
    /// The copy.
    pub copy: &'a GameCard<'a>,
    /// Whether a copy with this value need not be kept.
    pub is_surplus: bool,
    /// The name of its input, if that is another one.
    pub copy_input: Option<&'a str>,
}
