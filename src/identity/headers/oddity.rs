//! What the headers of other games say against that of one game.

use std::io;

use xxhash_rust::xxh3::xxh3_64;

use crate::identity::{GameCard, group::Context};
use crate::{pgn::KnownTag, spill::Sorter};

/// Maximum number of entries of a kind in memory.
pub(super) const MAX_IN_MEMORY: usize = 1 << 15;

/// What the headers of other games say against that of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// A rating is far from those that the player has in the other games of the event.
    Rating {
        /// White or Black.
        tag: KnownTag,
        /// The usual rating of the player there.
        usual: u16,
        /// Number of games with it.
        games: u64,
        /// Whether the ratings of the two players were exchanged.
        is_exchanged: bool,
    },
    /// The event has another spelling in more games of the year.
    EventSpelling {
        /// The place of the card of a game with that spelling.
        main: u64,
        /// Number of games with that spelling.
        main_games: u64,
        /// Number of games with this spelling.
        games: u64,
    },
    /// A player has another opponent in the same round.
    TwiceInRound {
        /// White or Black.
        tag: KnownTag,
        /// The place of the card of the other game.
        other: u64,
    },
    /// The rating list has another name for the id of a player.
    NameAndId {
        /// WhiteFideId or BlackFideId.
        tag: KnownTag,
        /// The id.
        id: u64,
        /// Number of games with the name and the id.
        games: u64,
        /// Whether the player of the list was a small child in one of them, or not born.
        is_too_young: bool,
        /// Whether other games have another id for the name, as the list has.
        has_own_id: bool,
    },
}

/// An oddity as it is sorted: what it is about, the rank of the input, the place of the card, the
/// kind, and what it says.
pub(super) type OddityRow = [u64; 7];

impl Oddity {
    /// The oddity in a row that was numbered, after the place of the card of its game. The number
    /// is the last one.
    pub(crate) fn of_row([_, at, kind, one, two, three, number]: OddityRow) -> Option<(u64, Oddity, u64)> {
        Some((at, Oddity::of_numbers([kind, one, two, three])?, number))
    }

    /// The numbers in an [`OddityRow`].
    const fn numbers(self) -> [u64; 4] {
        match self {
            Oddity::Rating { tag, usual, games, is_exchanged } => {
                [(tag as u64) << 8 | (is_exchanged as u64) << 1, usual as u64, games, 0]
            }
            Oddity::EventSpelling { main, main_games, games } => [1 << 2, main, main_games, games],
            Oddity::TwiceInRound { tag, other } => [(tag as u64) << 8 | 2 << 2, other, 0, 0],
            Oddity::NameAndId { tag, id, games, is_too_young, has_own_id } => {
                [(tag as u64) << 8 | 3 << 2, id, games, (is_too_young as u64) << 1 | has_own_id as u64]
            }
        }
    }

    /// What [`Oddity::numbers`] says.
    fn of_numbers([kind, one, two, three]: [u64; 4]) -> Option<Oddity> {
        let tag = *KnownTag::ALL.get((kind >> 8) as usize)?;
        match kind >> 2 & 3 {
            0 => Some(Oddity::Rating { tag, usual: one as u16, games: two, is_exchanged: kind & 2 != 0 }),
            1 => Some(Oddity::EventSpelling { main: one, main_games: two, games: three }),
            2 => Some(Oddity::TwiceInRound { tag, other: one }),
            _ => {
                let (is_too_young, has_own_id) = (three & 2 != 0, three & 1 != 0);
                Some(Oddity::NameAndId { tag, id: one, games: two, is_too_young, has_own_id })
            }
        }
    }
}

/// Collects oddities.
pub(super) struct Oddities<'c> {
    context: Context<'c>,
    rows: Sorter<7>,
}

impl<'c> Oddities<'c> {
    pub fn new(context: Context<'c>) -> Oddities<'c> {
        Oddities { context, rows: Sorter::with_limit(MAX_IN_MEMORY) }
    }

    /// The rows.
    pub fn rows(self) -> Sorter<7> {
        self.rows
    }

    /// Adds one that is found in the game whose card is at `at`.
    pub fn push(&mut self, at: u64, oddity: Oddity) -> io::Result<()> {
        let Context { cards, keys, .. } = self.context;
        let bytes = cards.bytes(at)?;
        let card = GameCard::read(&bytes)?;
        let Some(rank) = self.context.rank(card.place.input) else { return Ok(()) };
        let numbers = oddity.numbers();
        let subject = (keys.game)(&card) ^ xxh3_64(&numbers[0].to_le_bytes());
        let [kind, one, two, three] = numbers;
        self.rows.push([subject, rank, at, kind, one, two, three])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oddities_are_read_as_they_were_written() {
        for oddity in [
            Oddity::Rating { tag: KnownTag::Black, usual: 2410, games: 7, is_exchanged: true },
            Oddity::Rating { tag: KnownTag::White, usual: 1, games: 2, is_exchanged: false },
            Oddity::EventSpelling { main: 1 << 40, main_games: 9, games: 3 },
            Oddity::TwiceInRound { tag: KnownTag::White, other: 88 },
            Oddity::NameAndId { tag: KnownTag::BlackFideId, id: 7, games: 2, is_too_young: true, has_own_id: false },
        ] {
            assert_eq!(Oddity::of_numbers(oddity.numbers()), Some(oddity));
        }
    }
}
