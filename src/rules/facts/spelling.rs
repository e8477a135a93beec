//! A name of a player that has another main spelling.

use crate::{
    identity::{GameCard, MainSpelling},
    pgn::KnownTag,
};

/// A player in a game.
#[derive(Clone, Copy, Debug)]
pub struct SpellingFacts<'a> {
    /// The game.
    pub game: &'a GameCard<'a>,
    /// White or Black.
    pub tag: KnownTag,
    /// The main spelling of the name.
    pub main: &'a MainSpelling,
}
