//! Ratings that are far from those that a player has in the other games of an event.
//!
//! A rating that stands between two equal ones in time is a slip, and so is that of the opponent.
//! Others may be those of another list.

use std::{cmp::Reverse, collections::BTreeMap, io};

use jiff::civil::Date;
use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_64;

use super::oddity::{MAX_IN_MEMORY, Oddities, Oddity};
use crate::identity::{
    GameCard, GameDate,
    pairs::{NewPairs, Pairs},
};
use crate::{pgn::KnownTag, spill::Sorter};

/// Minimum difference between two ratings of one player.
const MIN_DIFFERENCE: u16 = 150;

/// Maximum number of days between the games.
const MAX_DAYS: u32 = 60;

/// Maximum number of games of a player in an event that are compared.
const MAX_GAMES: usize = 1 << 9;

/// A rated player in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rated {
    /// The groups of the names of the player and the opponent.
    group: u64,
    opponent: u64,
    event: u64,
    /// Days since year 0.
    day: u32,
    /// The rank of the input, and the place of the card.
    rank: u32,
    at: u64,
    is_black: bool,
    rating: u16,
    opponent_rating: u16,
    fide_id: u32,
}

/// A [`Rated`] as it is sorted: by player, event and day.
type Entry = [u64; 6];

impl Rated {
    /// The players of a game that have ratings, in the order of White and Black. `groups` are those
    /// of their names, and `event` and `at` tell where the game belongs, with the rank of its
    /// input.
    pub fn of(card: &GameCard<'_>, groups: [u64; 2], event: u64, (rank, at): (u64, u64)) -> [Option<Rated>; 2] {
        let Some((day, rank)) = days(GameDate::of(card)).zip(u32::try_from(rank).ok()) else { return [None, None] };
        let rating = |tag| card.tag(tag).trim().parse().ok().filter(|rating| (100..4000).contains(rating));
        let ratings: [Option<u16>; 2] = [KnownTag::WhiteElo, KnownTag::BlackElo].map(rating);
        let ids = [KnownTag::WhiteFideId, KnownTag::BlackFideId].map(|tag| card.tag(tag).trim().parse().unwrap_or(0));
        [0, 1].map(|side| {
            Some(Rated {
                group: groups[side],
                opponent: groups[1 - side],
                event,
                day,
                rank,
                at,
                is_black: side == 1,
                rating: ratings[side]?,
                opponent_rating: ratings[1 - side].unwrap_or(0),
                fide_id: ids[side],
            })
        })
    }

    fn entry(self) -> Entry {
        let Rated { group, opponent, event, day, rank, at, is_black, rating, opponent_rating, fide_id } = self;
        let ratings = u64::from(rating) << 48 | u64::from(opponent_rating) << 32 | u64::from(fide_id);
        [group, event, u64::from(day) << 32 | u64::from(rank), at << 1 | u64::from(is_black), ratings, opponent]
    }

    fn of_entry([group, event, time, place, ratings, opponent]: Entry) -> Rated {
        Rated {
            group,
            opponent,
            event,
            day: (time >> 32) as u32,
            rank: time as u32,
            at: place >> 1,
            is_black: place & 1 == 1,
            rating: (ratings >> 48) as u16,
            opponent_rating: (ratings >> 32) as u16,
            fide_id: ratings as u32,
        }
    }

    fn tag(self) -> KnownTag {
        if self.is_black { KnownTag::BlackElo } else { KnownTag::WhiteElo }
    }
}

/// The number of days from year 0 to a date, if the day is known.
fn days(date: GameDate) -> Option<u32> {
    let of = |number: u8| i8::try_from(number).ok();
    let date = Date::new(i16::try_from(date.year?).ok()?, of(date.month?)?, of(date.day?)?).ok()?;
    u32::try_from((date - Date::constant(0, 1, 1)).get_days()).ok()
}

/// A rating that is far from the usual one of the player.
struct Odd {
    rated: Rated,
    usual: u16,
    /// Number of games with the usual rating.
    games: u64,
    /// Whether the games before and after it have the usual one.
    is_between: bool,
}

/// The rated players of all games.
pub(super) struct Ratings(Sorter<6>);

impl Default for Ratings {
    fn default() -> Ratings {
        Ratings(Sorter::with_limit(MAX_IN_MEMORY))
    }
}

impl Ratings {
    /// Adds a player.
    pub fn add(&mut self, rated: Rated) -> io::Result<()> {
        self.0.push(rated.entry())
    }

    /// Finds the odd ratings: one of each player.
    pub fn find(self, found: &mut Oddities<'_>) -> io::Result<()> {
        let mut usual = Sorter::with_limit(MAX_IN_MEMORY);
        // The odd ones, each with the usual rating and the number of games after it.
        let mut odd: Sorter<8> = Sorter::with_limit(MAX_IN_MEMORY);
        let mut end = |games: &mut Vec<Rated>| -> io::Result<()> {
            let games = std::mem::take(games);
            let Some((rating, number)) = usual_rating(&games) else { return Ok(()) };
            usual.push([event_key(games[0].group, games[0].event), u64::from(rating)])?;
            for Odd { rated, usual, games, is_between } in odd_ones(&games, rating, number) {
                let [group, event, time, place, ratings, opponent] = rated.entry();
                let said = u64::from(usual) << 1 | u64::from(is_between);
                odd.push([group, time & 0xFFFF_FFFF, place, event, ratings, opponent, said, games])?;
            }
            Ok(())
        };
        let mut games: Vec<Rated> = Vec::new();
        for entry in self.0.sorted()? {
            let rated = Rated::of_entry(entry?);
            if games.last().is_some_and(|last| (last.group, last.event) != (rated.group, rated.event)) {
                end(&mut games)?;
            }
            if games.len() < MAX_GAMES {
                games.push(rated);
            }
        }
        end(&mut games)?;
        let usual = pairs(usual)?;
        let mut last = None;
        // The games with exchanged ratings, each of which is named once.
        let mut exchanged: FxHashSet<u64> = FxHashSet::default();
        for entry in odd.sorted()? {
            let [group, rank, place, event, ratings, opponent, said, games] = entry?;
            let rated = Rated::of_entry([group, event, rank, place, ratings, opponent]);
            let (own, is_between) = ((said >> 1) as u16, said & 1 == 1);
            let usual_of_opponent = usual.find(event_key(opponent, event))?.map(|(_, usual)| usual as u16);
            let has_opponents = usual_of_opponent == Some(rated.rating);
            // Each player is named once.
            if !(is_between || has_opponents) || last.replace(group) == Some(group) {
                continue;
            }
            let is_exchanged = has_opponents && rated.opponent_rating == own;
            if !is_exchanged || exchanged.len() < MAX_IN_MEMORY && exchanged.insert(rated.at) {
                found.push(rated.at, Oddity::Rating { tag: rated.tag(), usual: own, games, is_exchanged })?;
            }
        }
        Ok(())
    }
}

/// Pairs to be looked up. Each has its first number once.
fn pairs(entries: Sorter<2>) -> io::Result<Pairs> {
    let mut pairs = NewPairs::default();
    for entry in entries.sorted()? {
        let [first, second] = entry?;
        pairs.push(first, second)?;
    }
    Ok(pairs.written())
}

/// A key of a player in an event.
fn event_key(group: u64, event: u64) -> u64 {
    xxh3_64([group, event].map(u64::to_le_bytes).as_flattened())
}

/// The rating of a player that most games have, and their number. `None` if no two games agree, or
/// if as many have another one.
fn usual_rating(games: &[Rated]) -> Option<(u16, u64)> {
    let mut numbers: BTreeMap<u16, u64> = BTreeMap::new();
    games.iter().for_each(|game| *numbers.entry(game.rating).or_insert(0) += 1);
    let mut numbers: Vec<(u64, u16)> = numbers.into_iter().map(|(rating, games)| (games, rating)).collect();
    numbers.sort_by_key(|number| Reverse(*number));
    match numbers[..] {
        [(games, rating)] | [(games, rating), (0, _), ..] if games > 1 => Some((rating, games)),
        [(games, rating), (second, _), ..] if games > 1 && games > second => Some((rating, games)),
        _ => None,
    }
}

/// The games of a player in an event, in the order of days, whose rating is far from the usual one.
fn odd_ones(games: &[Rated], usual: u16, number: u64) -> impl Iterator<Item = Odd> {
    let is_odd = move |game: &Rated| game.rating.abs_diff(usual) >= MIN_DIFFERENCE;
    let has_usual = move |game: &Rated, other: &Rated| {
        let is_same_player = game.fide_id == 0 || other.fide_id == 0 || game.fide_id == other.fide_id;
        other.rating == usual && game.day.abs_diff(other.day) <= MAX_DAYS && is_same_player
    };
    games.iter().enumerate().filter(move |(_, game)| is_odd(game)).filter_map(move |(at, game)| {
        let before = at.checked_sub(1).is_some_and(|before| has_usual(game, &games[before]));
        let after = games.get(at + 1).is_some_and(|after| has_usual(game, after));
        let is_near = games.iter().any(|other| has_usual(game, other));
        is_near.then_some(Odd { rated: *game, usual, games: number, is_between: before && after })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rated(day: u32, rating: u16) -> Rated {
        Rated { day, rating, ..Rated::default() }
    }

    #[test]
    fn rated_players_are_read_as_they_were_written() {
        let rated = Rated {
            group: 1,
            opponent: 2,
            event: 3,
            day: 700_000,
            rank: 9,
            at: 1 << 40,
            is_black: true,
            rating: 2700,
            opponent_rating: 2400,
            fide_id: 12,
        };
        assert_eq!(Rated::of_entry(rated.entry()), rated);
    }

    #[test]
    fn a_rating_between_two_equal_ones_is_odd() {
        let odd = |games: &[Rated]| -> Vec<(u32, bool)> {
            let Some((usual, number)) = usual_rating(games) else { return Vec::new() };
            odd_ones(games, usual, number).map(|odd| (odd.rated.day, odd.is_between)).collect()
        };
        assert_eq!(odd(&[rated(1, 2400), rated(2, 2600), rated(3, 2400)]), [(2, true)]);
        assert_eq!(odd(&[rated(1, 2400), rated(2, 2400), rated(3, 2600)]), [(3, false)]);
        assert_eq!(odd(&[rated(1, 2400), rated(2, 2500), rated(3, 2400)]), []);
        assert_eq!(odd(&[rated(1, 2400), rated(2, 2600)]), []);
        assert_eq!(odd(&[rated(1, 2400), rated(2, 2400), rated(90, 2600), rated(200, 2400)]), []);
        let ids = [1, 2, 1].map(|fide_id| fide_id);
        let games = [rated(1, 2400), rated(2, 2600), rated(3, 2400)];
        let games: Vec<Rated> = games.into_iter().zip(ids).map(|(game, fide_id)| Rated { fide_id, ..game }).collect();
        assert_eq!(odd(&games), []);
    }

    #[test]
    fn days_are_counted() {
        let date = |text| days(GameDate::new(text));
        assert_eq!(date("2000.03.01").zip(date("2000.02.28")).map(|(one, other)| one - other), Some(2));
        assert_eq!(date("2000.02.30"), None);
        assert_eq!(date("2000.02.??"), None);
    }
}
