//! Ids of players that FIDE's rating list gives to others.

use std::io;

use rustc_hash::FxHashSet;

use super::oddity::{MAX_IN_MEMORY, Oddities, Oddity};
use crate::identity::{GameCard, GameDate, PlayerName, RatingList, names::name::names_are_alike};
use crate::{pgn::KnownTag, spill::Sorter};

/// Maximum number of games with one id that are looked at.
const MAX_GAMES: usize = 1 << 12;

/// Maximum number of names that are remembered.
const MAX_NAMED: usize = 1 << 20;

/// Minimum age of a player in years.
const MIN_AGE: u16 = 4;

/// Both names may be those of the player.
const IS_NAME: u64 = 1;
/// A part of the name sounds like one of the player's, or the names cannot be compared.
const IS_ALIKE: u64 = 2;
/// The player of the list was not born, or a small child.
const IS_TOO_YOUNG: u64 = 4;

/// A player with an id: the id, the group of the name, the rank of the input, the place of the card
/// with 1 for Black in the lowest bit, and what the list says.
pub(super) type WithId = [u64; 5];

/// The tags of both players: id and name.
const TAGS: [[KnownTag; 2]; 2] = [[KnownTag::WhiteFideId, KnownTag::White], [KnownTag::BlackFideId, KnownTag::Black]];

/// The players of a game whose ids are in the list. `rank` and `at` say where the game is.
pub(super) fn players_with_ids(
    list: &RatingList,
    card: &GameCard<'_>,
    (rank, at): (u64, u64),
) -> io::Result<[Option<WithId>; 2]> {
    let year = GameDate::of(card).year;
    let of = |[id_tag, tag]: [KnownTag; 2], is_black: u64| {
        let (Ok(id), text) = (card.tag(id_tag).trim().parse::<u64>(), card.tag(tag)) else { return Ok(None) };
        let (name, Some(listed)) = (PlayerName::new(text), list.find(id)?) else { return Ok(None) };
        if name.is_unknown() {
            return Ok(None);
        }
        let is_too_young = year.zip(listed.born).is_some_and(|(year, born)| year < born + MIN_AGE);
        let mut says = if is_too_young { IS_TOO_YOUNG } else { 0 };
        if name.may_be(&PlayerName::new(&listed.name)) {
            says |= IS_NAME | IS_ALIKE;
        } else if !is_latin(text) || !is_latin(&listed.name) || names_are_alike(text, &listed.name) {
            says |= IS_ALIKE;
        }
        Ok::<_, io::Error>(Some([id, name.group(), rank, at << 1 | is_black, says]))
    };
    Ok([of(TAGS[0], 0)?, of(TAGS[1], 1)?])
}

/// Whether all letters of a name are Latin ones, with or without accents.
fn is_latin(name: &str) -> bool {
    PlayerName::folded(name).is_ascii()
}

/// The players with ids of all games.
pub(super) struct FideIds {
    players: Sorter<5>,
    /// Names that are those of the list for an id.
    named: FxHashSet<u64>,
}

impl Default for FideIds {
    fn default() -> FideIds {
        FideIds { players: Sorter::with_limit(MAX_IN_MEMORY), named: FxHashSet::default() }
    }
}

impl FideIds {
    /// Adds a player.
    pub fn add(&mut self, player: WithId) -> io::Result<()> {
        let [_, group, .., says] = player;
        if says & IS_NAME != 0 && self.named.len() < MAX_NAMED {
            self.named.insert(group);
        }
        self.players.push(player)
    }

    /// Finds names that share nothing with the one that the list has for their id. Each is reported
    /// once.
    pub fn find(self, found: &mut Oddities<'_>) -> io::Result<()> {
        let FideIds { players, named } = self;
        let mut found_here: Vec<(u64, Oddity)> = Vec::new();
        players.sorted()?.for_each_group(MAX_GAMES, |players, _| {
            for games in players.chunk_by(|one, other| one[1] == other[1]) {
                let [id, group, _, place, says] = games[0];
                if says & IS_ALIKE != 0 {
                    continue;
                }
                let is_too_young = games.iter().any(|[.., says]| says & IS_TOO_YOUNG != 0);
                let [tag, _] = TAGS[(place & 1) as usize];
                let (games, has_own_id) = (games.len() as u64, named.contains(&group));
                found_here.push((place >> 1, Oddity::NameAndId { tag, id, games, is_too_young, has_own_id }));
            }
            found_here.drain(..).try_for_each(|(at, oddity)| found.push(at, oddity))
        })
    }
}
