//! A player in a game, in a few numbers that can be sorted.

use super::{GameCard, GameDate, candidate_keys::NameKeys};
use crate::pgn::KnownTag;

/// The tags of a player: name, rating, and id.
pub(super) const TAGS_OF_PLAYERS: [[KnownTag; 3]; 2] =
    [[KnownTag::White, KnownTag::WhiteElo, KnownTag::WhiteFideId], [KnownTag::Black, KnownTag::BlackElo, KnownTag::BlackFideId]];

/// A player in a game: the group of the name, how it is spelled, and what else is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Appearance {
    /// The group of the name.
    pub group: u64,
    /// A hash of the name as it is written.
    pub spelling: u64,
    /// Whether the player has Black.
    pub is_black: bool,
    /// The year of the game.
    pub year: Option<u16>,
    /// The rating of the player.
    pub rating: Option<u16>,
    /// The FIDE id of the player.
    pub fide_id: Option<u32>,
}

/// An appearance as it is sorted: the group, the spelling, the place of the card and the colour,
/// the input, and the rest.
pub(super) type Entry = [u64; 5];

impl Appearance {
    /// The players of a game that are known. `names` are their names.
    pub fn of<'a>(card: &'a GameCard<'_>, names: [&'a NameKeys; 2]) -> impl Iterator<Item = Appearance> {
        let year = GameDate::of(card).year;
        names.into_iter().zip(TAGS_OF_PLAYERS).enumerate().filter(|(_, (name, _))| name.group != 0).map(
            move |(at, (name, [_, rating, id]))| Appearance {
                group: name.group,
                spelling: name.spelling,
                is_black: at == 1,
                year,
                rating: card.tag(rating).trim().parse().ok().filter(|rating| (100..4000).contains(rating)),
                fide_id: card.tag(id).trim().parse().ok().filter(|id| (1..1 << 30).contains(id)),
            },
        )
    }

    /// The numbers of a player in the game of `input` whose card is at `place`.
    pub fn entry(self, input: u64, place: u64) -> Entry {
        let Appearance { group, spelling, is_black, year, rating, fide_id } = self;
        let rest = u64::from(year.unwrap_or(0)) << 48 | u64::from(rating.unwrap_or(0)) << 32 | u64::from(fide_id.unwrap_or(0));
        [group, spelling, place << 1 | u64::from(is_black), input, rest]
    }

    /// The player, the input, and the place of the card.
    pub fn from_entry([group, spelling, place, input, rest]: Entry) -> (Appearance, u64, u64) {
        let some = |number: u16| (number > 0).then_some(number);
        let appearance = Appearance {
            group,
            spelling,
            is_black: place & 1 == 1,
            year: some((rest >> 48) as u16),
            rating: some((rest >> 32) as u16),
            fide_id: Some(rest as u32).filter(|id| *id > 0),
        };
        (appearance, input, place >> 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::NameMemory;

    #[test]
    fn appearances_are_read_as_they_were_written() {
        use KnownTag::{Black, BlackElo, Date, White, WhiteFideId};
        let tags = vec![(White, "Tal, M"), (Black, "NN"), (Date, "1960.03.15"), (BlackElo, "2500"), (WhiteFideId, "900")];
        let card = GameCard { tags, ..GameCard::default() };
        let mut memory = NameMemory::default();
        let [white, black] = ["Tal, M", "NN"].map(|name| memory.of(name));
        let found: Vec<Appearance> = Appearance::of(&card, [&white, &black]).collect();
        let [tal] = found[..] else { panic!("{found:?}") };
        assert_eq!((tal.year, tal.rating, tal.fide_id, tal.is_black), (Some(1960), None, Some(900), false));
        assert_eq!(Appearance::from_entry(tal.entry(7, 1 << 40)), (tal, 7, 1 << 40));
        let rated = Appearance { rating: Some(2700), is_black: true, year: None, fide_id: None, ..tal };
        assert_eq!(Appearance::from_entry(rated.entry(0, 3)), (rated, 0, 3));
    }
}
