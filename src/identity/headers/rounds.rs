//! Players with two opponents in one round.

use std::io;

use super::oddity::{MAX_IN_MEMORY, Oddities, Oddity};
use crate::identity::{GameCard, PlayerName, group::Context};
use crate::{pgn::KnownTag, spill::Sorter};

/// Of so many rounds of an event, one may have a player twice. In more of them, a round has several
/// games.
const ROUNDS_OF_ONE: u64 = 10;

/// Maximum number of games of a player in one round that are compared with the first one.
const MAX_GAMES: usize = 8;

/// Maximum number of players of an event who are noted.
const MAX_NOTED: usize = 1 << 10;

/// The players of all games: event, round, group of the name, and the place of the card with the
/// colour.
pub(super) struct Rounds(Sorter<4>);

impl Default for Rounds {
    fn default() -> Rounds {
        Rounds(Sorter::with_limit(MAX_IN_MEMORY))
    }
}

/// What was found of an event.
#[derive(Default)]
struct Event {
    rounds: u64,
    rounds_with_two: u64,
    found: Vec<[u64; 2]>,
}

impl Rounds {
    /// Adds a game: the keys of the event and the round, the groups of the names of the players,
    /// and the place of the card.
    pub fn add(&mut self, [event, round]: [u64; 2], [white, black]: [u64; 2], at: u64) -> io::Result<()> {
        self.0.push([event, round, white, at << 1])?;
        self.0.push([event, round, black, at << 1 | 1])
    }

    /// Finds the players with two opponents in one round.
    pub fn find(self, context: Context<'_>, found: &mut Oddities<'_>) -> io::Result<()> {
        let mut event = Event::default();
        let mut last: Option<[u64; 3]> = None;
        let (mut games, mut has_two) = (Vec::new(), false);
        for entry in self.0.sorted()? {
            let [of, round, group, place] = entry?;
            let is_next = |parts: usize| last.is_none_or(|last| last[..parts] != [of, round, group][..parts]);
            if is_next(3) {
                has_two |= end_player(context, &games, &mut event)?;
                games.clear();
            }
            if is_next(2) {
                event.rounds_with_two += u64::from(std::mem::take(&mut has_two));
            }
            if is_next(1) {
                std::mem::take(&mut event).end(found)?;
            }
            event.rounds += u64::from(is_next(2));
            last = Some([of, round, group]);
            if games.len() < MAX_GAMES {
                games.push(place);
            }
        }
        has_two |= end_player(context, &games, &mut event)?;
        event.rounds_with_two += u64::from(has_two);
        event.end(found)
    }
}

impl Event {
    /// Notes what was found, unless it is usual in the event.
    fn end(self, found: &mut Oddities<'_>) -> io::Result<()> {
        if self.rounds_with_two * ROUNDS_OF_ONE > self.rounds {
            return Ok(());
        }
        self.found.into_iter().try_for_each(|[place, other]| {
            let tag = if place & 1 == 1 { KnownTag::Black } else { KnownTag::White };
            found.push(place >> 1, Oddity::TwiceInRound { tag, other: other >> 1 })
        })
    }
}

/// Notes the games of a player in a round, each by the place of the card and the colour, that have
/// another opponent than the first one. Returns whether there are any.
fn end_player(context: Context<'_>, games: &[u64], event: &mut Event) -> io::Result<bool> {
    if games.len() < 2 {
        return Ok(false);
    }
    // Not the order of the inputs.
    let mut games = games.to_vec();
    games.sort_by_cached_key(|place| {
        let rank = context.cards.bytes(place >> 1).and_then(|bytes| Ok(context.rank(GameCard::read(&bytes)?.place.input)));
        (rank.ok(), *place)
    });
    let Some((first, others)) = games.split_first() else { return Ok(false) };
    let mut has_two = false;
    for other in others {
        if are_two_games(context, *first, *other)? {
            has_two = true;
            if event.found.len() < MAX_NOTED {
                event.found.push([*other, *first]);
            }
        }
    }
    Ok(has_two)
}

/// Whether a player has different opponents in two games, each by the place of the card and the
/// colour. The moves and the ids tell, too.
fn are_two_games(context: Context<'_>, one: u64, other: u64) -> io::Result<bool> {
    let [bytes, other_bytes] = [context.cards.bytes(one >> 1)?, context.cards.bytes(other >> 1)?];
    let [card, other_card] = [GameCard::read(&bytes)?, GameCard::read(&other_bytes)?];
    let of =
        |card: &GameCard<'_>, is_black: bool| PlayerName::new(card.tag(if is_black { KnownTag::Black } else { KnownTag::White }));
    let id = |card: &GameCard<'_>, is_black: bool| {
        card.tag(if is_black { KnownTag::BlackFideId } else { KnownTag::WhiteFideId }).trim().to_owned()
    };
    let [is_black, other_is_black] = [one & 1 == 1, other & 1 == 1];
    let (opponent, other_opponent) = (of(&card, !is_black), of(&other_card, !other_is_black));
    let (own_id, other_id) = (id(&card, is_black), id(&other_card, other_is_black));
    let are_two_players = !own_id.is_empty() && !other_id.is_empty() && own_id != other_id;
    Ok(!are_two_players && card.keys.moves != other_card.keys.moves && !context.names.may_be(&opponent, &other_opponent))
}
