//! What the headers of other games say against that of a game.

use crate::identity::{GameCard, ListedPlayer, Oddity};

/// A game with an oddity.
#[derive(Clone, Copy, Debug)]
pub struct OddityFacts<'a> {
    /// The game.
    pub game: &'a GameCard<'a>,
    /// What is odd.
    pub oddity: Oddity,
    /// The other game of which the oddity tells, and the name of its input if that is another one.
    pub other: Option<(&'a GameCard<'a>, Option<&'a str>)>,
    /// The player of the rating list that the oddity is about.
    pub listed: Option<&'a ListedPlayer>,
}
