//! What the headers of all games say against one of them: a rating that is not that of the player,
//! an event in another spelling, and a player with two opponents in one round.

use std::io;

use rayon::prelude::*;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::{
    event_names::EventNames,
    fide_ids::{FideIds, WithId, players_with_ids},
    oddity::{MAX_IN_MEMORY, Oddities},
    ratings::{Rated, Ratings},
    rounds::Rounds,
};
use crate::identity::{GameCard, GameDate, GameIds, PlayerName, RatingList, group::Context, has_engine, numbered::number_alike};
use crate::{pgn::KnownTag, spill::Sorted, text::Span};

/// Number of games that are looked at at the same time.
const AT_ONCE: usize = 1 << 12;

/// Finds the oddities of all games.
pub(crate) fn find_oddities(context: Context<'_>, list: Option<&RatingList>) -> io::Result<Sorted<7>> {
    let (mut ratings, mut events, mut rounds) = (Ratings::default(), EventNames::default(), Rounds::default());
    let mut ids = FideIds::default();
    let mut add = |places: &mut Vec<(u64, Span)>, bytes: &mut Vec<u8>| -> io::Result<()> {
        let batch = || places.par_iter().map(|(at, place)| (*at, place.of(bytes)));
        if let Some(list) = list {
            let read = |(at, bytes): (u64, &[u8])| with_ids(context, list, at, bytes);
            let read: Vec<[Option<WithId>; 2]> = batch().map(read).collect::<io::Result<_>>()?;
            read.into_iter().flatten().flatten().try_for_each(|player| ids.add(player))?;
        }
        let read: Vec<Option<Header>> = batch()
            .map_init(Event::default, |event, (at, bytes)| Header::read(context, event, at, bytes))
            .collect::<io::Result<_>>()?;
        places.clear();
        bytes.clear();
        for header in read.into_iter().flatten() {
            let Header { rank, at, event, folded_event, slot, players, rated } = header;
            events.add([folded_event, event], (rank, at))?;
            rated.into_iter().flatten().try_for_each(|rated| ratings.add(rated))?;
            if let Some(slot) = slot {
                rounds.add(slot, players, at)?;
            }
        }
        Ok(())
    };
    let (mut places, mut all) = (Vec::new(), Vec::new());
    context.cards.for_each(|at, bytes| {
        places.push((at, Span::new(all.len(), all.len() + bytes.len())));
        all.extend_from_slice(bytes);
        if places.len() == AT_ONCE { add(&mut places, &mut all) } else { Ok(()) }
    })?;
    add(&mut places, &mut all)?;
    let mut found = Oddities::new(context);
    ratings.find(&mut found)?;
    events.find(&mut found)?;
    rounds.find(context, &mut found)?;
    ids.find(&mut found)?;
    number_alike(found.rows(), MAX_IN_MEMORY)?.sorted()
}

/// The players of a game whose ids are in the list.
fn with_ids(context: Context<'_>, list: &RatingList, at: u64, bytes: &[u8]) -> io::Result<[Option<WithId>; 2]> {
    let Ok(card) = GameCard::read(bytes) else { return Ok([None; 2]) };
    let Some(rank) = context.rank(card.place.input) else { return Ok([None; 2]) };
    players_with_ids(list, &card, (rank, at))
}

/// What is read of the header of a game.
struct Header {
    /// The rank of the input, and the place of the card.
    rank: u64,
    at: u64,
    /// A hash of the event as it is written, and one that spellings of it share.
    event: u64,
    folded_event: u64,
    /// The event, site, year and round, if all are known, and so is the day.
    slot: Option<[u64; 2]>,
    /// The groups of the names.
    players: [u64; 2],
    rated: [Option<Rated>; 2],
}

impl Header {
    /// Reads the header of a game over the board. `None` if it has no event or no year.
    fn read(context: Context<'_>, last: &mut Event, at: u64, bytes: &[u8]) -> io::Result<Option<Header>> {
        let Ok(card) = GameCard::read(bytes) else { return Ok(None) };
        let Some(rank) = context.rank(card.place.input) else { return Ok(None) };
        let date = GameDate::of(&card);
        let event = card.tag(KnownTag::Event).trim();
        let Some(year) = date.year.filter(|_| !event.is_empty()) else { return Ok(None) };
        let is_online = !card.tag(KnownTag::UtcTime).is_empty() || !GameIds::of(&card).as_slice().is_empty();
        let [white, black] = [KnownTag::White, KnownTag::Black].map(|tag| PlayerName::remembered(card.tag(tag)));
        let groups = [&white, &black].map(|player| player.group());
        let is_of_people = !is_online && !has_engine(&card, [&white, &black]);
        let are_known = is_of_people && groups.iter().all(|group| *group != 0) && groups[0] != groups[1];
        let site = card.tag(KnownTag::Site).trim();
        last.read(event, site, year);
        let round = card.tag(KnownTag::Round).trim();
        let is_slot = are_known && date.parts() == 3 && !site.is_empty() && !round.is_empty();
        Ok(Some(Header {
            rank,
            at,
            event: xxh3_64(event.as_bytes()),
            folded_event: last.folded,
            slot: is_slot.then(|| [last.place, xxh3_64(round.as_bytes())]),
            players: groups,
            rated: if are_known { Rated::of(&card, groups, last.place, (rank, at)) } else { [None, None] },
        }))
    }
}

/// A key of texts, in any case, and a year.
/// The event of the game that was read last. The next game is often of the same one.
#[derive(Default)]
struct Event {
    event: String,
    site: String,
    year: u16,
    /// A key of the event in this year, in all spellings.
    folded: u64,
    /// A key of the event at this site in this year.
    place: u64,
}

impl Event {
    fn read(&mut self, event: &str, site: &str, year: u16) {
        if (&*self.event, &*self.site, self.year) != (event, site, year) {
            let (folded, place) = (folded(event, year), hash([event, site], year));
            *self = Event { event: event.to_owned(), site: site.to_owned(), year, folded, place };
        }
    }
}

fn hash<const N: usize>(texts: [&str; N], year: u16) -> u64 {
    let mut hasher = Xxh3::new();
    for text in texts {
        hasher.update(text.to_lowercase().as_bytes());
        hasher.update(&[0]);
    }
    hasher.update(&year.to_le_bytes());
    hasher.digest()
}

/// A key of the event that does not depend on case, parentheses, hyphens, periods and commas.
/// Between digits they are kept: `1-2` is not `12`.
fn folded(event: &str, year: u16) -> u64 {
    let mut text = String::with_capacity(event.len());
    let mut is_after_mark = false;
    for letter in event.chars().flat_map(char::to_lowercase) {
        if matches!(letter, '(' | ')' | '-' | '.' | ',') || letter.is_whitespace() {
            is_after_mark = true;
            continue;
        }
        if is_after_mark && letter.is_ascii_digit() && text.ends_with(|last: char| last.is_ascii_digit()) {
            text.push('-');
        }
        is_after_mark = false;
        text.push(letter);
    }
    hash([&text], year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_an_event_share_a_key() {
        for (one, other) in
            [("Linares (Open)", "LINARES OPEN"), ("Ch URS, 1.liga", "ch URS 1 liga"), ("Wijk-aan-Zee", "Wijk aan Zee")]
        {
            assert_eq!(folded(one, 1990), folded(other, 1990), "{one}");
        }
        for (one, other) in [("Group 1-2", "Group 12"), ("Group A", "Group B"), ("Open 1990", "Open 1991")] {
            assert_ne!(folded(one, 1990), folded(other, 1990), "{one}");
        }
        assert_ne!(folded("Open", 1990), folded("Open", 1991));
    }
}
