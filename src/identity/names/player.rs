//! What a run knows of a player.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::name::has_addition;

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
    /// The rating list has the name for the FIDE id of the player.
    Id(u32),
}

/// The spelling that is the main one of a player, for another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MainSpelling {
    /// The main spelling.
    pub text: Arc<str>,
    /// Number of games with that name.
    pub games: u64,
    /// Why both are names of one player.
    pub because: SameBecause,
}

/// Another name of a player.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OtherName {
    /// The name, folded.
    pub name: String,
    /// Why it is that of the same player.
    pub because: SameBecause,
}

/// A spelling of a name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerSpelling {
    /// How the name is written.
    pub text: String,
    /// Number of games.
    pub games: u64,
    /// The first and the last year of a game.
    pub years: Option<(u16, u16)>,
    /// The lowest and the highest rating.
    pub ratings: Option<(u16, u16)>,
}

/// A name that is the same in all its spellings, and what is known of the player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The name, folded.
    pub name: String,
    /// How it is spelled, the most frequent spelling first. Rare ones may be missing.
    pub spellings: Vec<PlayerSpelling>,
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
    /// The main spelling of the player, if it is that of another name.
    #[serde(skip)]
    pub main: Option<MainSpelling>,
}

impl Player {
    /// The most frequent spelling: if possible, one without a title or a country, and with a comma.
    pub fn main_spelling(&self) -> Option<&str> {
        let spellings = self.spellings.iter().map(|spelling| spelling.text.as_str());
        spellings.min_by_key(|text| (has_addition(text), !text.contains(',')))
    }

    /// The spellings for which another one is proposed, each with that one and why.
    pub fn proposals(&self) -> impl Iterator<Item = (&PlayerSpelling, &str, Option<SameBecause>)> {
        let own = self.main_spelling().map(|text| (text, None));
        let main = self.main.as_ref().map(|main| (&*main.text, Some(main.because))).or(own);
        let others = main.into_iter().flat_map(|main| self.spellings.iter().map(move |spelling| (spelling, main)));
        // Programs of one name are told apart by numbers.
        let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
        let differs = move |text: &str, main: &str| text != main && digits(text) == digits(main);
        others
            .filter(move |(spelling, (main, _))| differs(&spelling.text, main))
            .map(|(spelling, (main, because))| (spelling, main, because))
    }
}
