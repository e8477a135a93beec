//! What a run knows of a player.

use serde::{Deserialize, Serialize};

/// Why a name is that of the player with another name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SameBecause {
    /// So many opponents have games with equal moves against both.
    EqualGames(u64),
    /// A game of one event and day has equal moves against one opponent.
    SameGame,
    /// A list of spellings says so.
    List,
    /// Both are names of the player with a third name.
    ThirdName,
}

/// Another name of a player.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OtherName {
    /// The name, folded.
    pub name: String,
    /// Why it is that of the same player.
    pub because: SameBecause,
}

/// A name that is the same in all its spellings, and what is known of the player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The name, folded.
    pub name: String,
    /// How it is spelled, and in how many games, the most frequent spelling first. Rare ones may be
    /// missing.
    pub spellings: Vec<(String, u64)>,
    /// Number of games.
    pub games: u64,
    /// The first and the last year of a game.
    pub years: Option<(u16, u16)>,
    /// The lowest and the highest rating.
    pub ratings: Option<(u16, u16)>,
    /// The lowest FIDE ids.
    pub fide_ids: Vec<u32>,
    /// Number of inputs with games.
    pub inputs: u64,
    /// Other names of the player.
    #[serde(skip)]
    pub same_as: Vec<OtherName>,
    /// Names that may be those of the player, although no games say so: the surname is equal, and
    /// the given name is an initial or another spelling.
    #[serde(skip)]
    pub may_be: Vec<String>,
}
