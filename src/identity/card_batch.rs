//! The cards of consecutive games and positions, as bytes.

use std::io;

use super::{
    CardUse, GameCard, GameDate, GamePlace, NameMemory, PositionCard, Shared,
    candidate_keys::names_order,
    card::Tags,
    card_head::{BYTE, COUNTS, END, GAME, Head, INPUT, LENGTH, LINE, MOVES, TRAITS, content_key, number, set},
    pairings,
    player_in_game::Appearance,
    search_keys,
};
use crate::pgn::KnownTag;

/// The cards of consecutive games and positions.
#[derive(Clone, Debug, Default)]
pub struct CardBatch {
    bytes: Vec<u8>,
    /// Only if copies are looked for, there are keys and players.
    used_for: CardUse,
    /// What candidates for copies are found by: the key, the order of the game among those with
    /// this key, and the place of the card in the bytes.
    pub(super) keys: Vec<(u64, u64, usize)>,
    /// The players, and the places of the cards in the bytes.
    pub(super) players: Vec<(Appearance, usize)>,
    memory: NameMemory,
}

impl CardBatch {
    /// What they are for.
    pub const fn used_for(&self) -> CardUse {
        self.used_for
    }

    /// Takes the cards. The memory of names stays.
    pub fn take(&mut self) -> CardBatch {
        let memory = std::mem::take(&mut self.memory);
        let empty = CardBatch { used_for: self.used_for, memory, ..CardBatch::default() };
        std::mem::replace(self, empty)
    }

    /// No cards, which will have another use. The memory of names stays.
    #[must_use]
    pub fn begin(self, used_for: CardUse) -> CardBatch {
        CardBatch { used_for, memory: self.memory, ..CardBatch::default() }
    }

    /// No cards.
    pub fn new(used_for: CardUse) -> CardBatch {
        CardBatch { used_for, ..CardBatch::default() }
    }

    /// Adds the card of the next game.
    pub fn push(&mut self, card: &GameCard<'_>) {
        if self.used_for == CardUse::Copies {
            let at = self.bytes.len();
            let [white, black] = [KnownTag::White, KnownTag::Black].map(|tag| self.memory.of(card.tag(tag)));
            let (keys, hint) = search_keys(card, pairings(&white.surnames, &black.surnames));
            self.players.extend(Appearance::of(card, [&white, &black]).map(|player| (player, at)));
            let names = names_order([white.group, black.group], GameDate::of(card));
            let order = |key| Shared::of(key).map_or(0, |shared| shared.order(hint, names));
            self.keys.extend(keys.into_iter().map(|key| (key, order(key), at)));
        }
        card.write(&mut self.bytes);
    }

    /// Adds the card of the next position.
    pub fn push_position(&mut self, card: &PositionCard<'_>) {
        if self.used_for == CardUse::Copies {
            self.keys.push((Shared::Position.key(card.key), 0, self.bytes.len()));
        }
        card.write(&mut self.bytes);
    }

    /// Adds the card with these bytes.
    pub fn restore(&mut self, bytes: &[u8]) -> io::Result<()> {
        if PositionCard::is_in(bytes) {
            return PositionCard::read(bytes).map(|card| self.push_position(&card));
        }
        GameCard::read(bytes).map(|card| self.push(&card))
    }

    /// What is known of how many cards there are, for [`CardBatch::truncate`] and
    /// [`CardBatch::locate_since`].
    pub const fn end(&self) -> usize {
        self.bytes.len()
    }

    /// Drops the cards after an earlier [`CardBatch::end`].
    pub fn truncate(&mut self, end: usize) {
        self.bytes.truncate(end);
        let keys = self.keys.partition_point(|(.., at)| *at < end);
        self.keys.truncate(keys);
        let players = self.players.partition_point(|(_, at)| *at < end);
        self.players.truncate(players);
    }

    /// Sets the place of the cards after an earlier [`CardBatch::end`], and for each game the
    /// number of errors in it and whether it has warnings.
    pub fn locate_since(&mut self, end: usize, place: GamePlace, errors: u16, has_warnings: bool) {
        let mut rest = self.bytes.get_mut(end..).unwrap_or_default();
        while let Some((card, after)) = split_card(rest) {
            set_place(card, place);
            let found = u64::from(has_warnings) << 32 | u64::from(errors) << 16;
            // The errors and warnings of an earlier place are replaced.
            set(card, TRAITS, number(card, TRAITS) & !0xFF_FFFF_0000 | found);
            rest = after;
        }
    }

    /// The bytes of each card, which can be moved.
    pub fn cards(&mut self) -> impl Iterator<Item = CardBytes<'_>> {
        let mut rest = &mut self.bytes[..];
        std::iter::from_fn(move || {
            let (card, after) = split_card(std::mem::take(&mut rest))?;
            rest = after;
            Some(CardBytes(card))
        })
    }
}

/// The bytes of a card.
#[derive(Debug)]
pub struct CardBytes<'a>(&'a mut [u8]);

impl CardBytes<'_> {
    /// Whether it is the card of a position, and not of a game.
    pub fn is_position(&self) -> bool {
        PositionCard::is_in(self.0)
    }

    /// The game.
    pub fn game(&self) -> io::Result<GameCard<'_>> {
        GameCard::read(self.0)
    }

    /// Number of plies of the main line that could be replayed, if it is a game.
    /// The number of the game, from 1, and the line that it begins in.
    pub fn game_and_line(&self) -> [u64; 2] {
        [GAME, LINE].map(|index| number(self.0, index))
    }

    /// The key of its moves.
    pub fn moves_key(&self) -> u64 {
        number(self.0, MOVES)
    }

    /// The values of these tags of a game; empty if it does not have them.
    pub fn tags<const N: usize>(&self, wanted: [KnownTag; N]) -> io::Result<[&str; N]> {
        let mut values = [""; N];
        for tag in Tags::of(self.0) {
            let (tag, value) = tag.ok_or(io::ErrorKind::InvalidData)?;
            if let Some(at) = wanted.iter().position(|wanted| *wanted == tag) {
                values[at] = str::from_utf8(value).map_err(io::Error::other)?;
            }
        }
        Ok(values)
    }

    pub(super) fn plies(&self) -> u64 {
        number(self.0, COUNTS) >> 16
    }

    /// The number of its input.
    pub(super) fn input(&self) -> u64 {
        number(self.0, INPUT)
    }

    /// Moves the record to where it is in the run: into this input, by so many bytes, after so many
    /// lines and records.
    pub fn place_in(&mut self, input: u64, bytes: i64, lines: u64, records: u64) {
        let of = |index| number(self.0, index);
        let mut place = GamePlace { input: of(INPUT), byte: of(BYTE), end: of(END), line: of(LINE), game: of(GAME) };
        place.place_in(input, bytes, lines, records);
        set_place(self.0, place);
    }

    /// A key that games with the same content share, see [`content_key`].
    pub fn content_key(&self) -> u64 {
        content_key(self.0)
    }

    /// The bytes.
    pub const fn bytes(&self) -> &[u8] {
        self.0
    }
}

/// Splits off the first card.
fn split_card(bytes: &mut [u8]) -> Option<(&mut [u8], &mut [u8])> {
    if bytes.len() < size_of::<Head>() {
        return None;
    }
    let length = usize::try_from(number(bytes, LENGTH)).ok()?;
    bytes.split_at_mut_checked(length.max(size_of::<Head>()))
}

/// Sets the place of a card.
fn set_place(card: &mut [u8], place: GamePlace) {
    let GamePlace { input, byte, end, line, game } = place;
    [(INPUT, input), (BYTE, byte), (END, end), (LINE, line), (GAME, game)]
        .into_iter()
        .for_each(|(at, number)| set(card, at, number));
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::*;
    use crate::{
        identity::{GameKeys, GameTraits, Ply},
        pgn::KnownTag,
    };

    #[test]
    fn cards_are_read_as_they_were_written() {
        let card = GameCard {
            place: GamePlace { input: 3, byte: 1 << 40, end: 1 << 41, line: 7, game: 9 },
            keys: GameKeys { start: 1, opening: 2, end: 3, moves: u64::MAX },
            traits: GameTraits {
                errors: 2,
                has_warnings: true,
                is_annotated: true,
                goes_on: false,
                black_begins: true,
                marker: 3,
                remarks: 4,
                eco: *b"B90",
                other_tags: 5,
                white_tags: 6,
                black_tags: 7,
                unread: u64::MAX,
            },
            tags: vec![(KnownTag::White, "Réti, Richard"), (KnownTag::Fen, "8/8/8/8/8/8/8/8 w - - 0 1")],
            places: [(KnownTag::White, 9), (KnownTag::Date, 0x1234)].into_iter().collect(),
            plies: vec![Ply::new(Square::E2, Square::E4, None), Ply::new(Square::E7, Square::E5, None)].into(),
        };
        let mut batch = CardBatch::default();
        batch.push(&card);
        let first = batch.end();
        batch.push(&GameCard::default());
        let place = GamePlace { input: 0, byte: 5, end: 9, line: 6, game: 7 };
        batch.locate_since(first, place, 8, true);
        let mut cards = batch.cards();
        let own = cards.next().expect("a card");
        assert_eq!(GameCard::read(own.bytes()).expect("a card"), card);
        assert!(GameCard::read(&own.bytes()[..100]).is_err());
        let mut other = cards.next().expect("a card");
        other.place_in(1, -3, 10, 20);
        let expected = GameCard {
            place: GamePlace { input: 1, byte: 2, end: 6, line: 16, game: 27 },
            traits: GameTraits { errors: 8, has_warnings: true, ..GameTraits::default() },
            ..GameCard::default()
        };
        assert_eq!(GameCard::read(other.bytes()).expect("a card"), expected);
        assert!(cards.next().is_none());
        drop(cards);
        batch.truncate(first);
        assert_eq!(batch.cards().count(), 1);
    }

    #[test]
    fn long_values_are_cut_between_characters() {
        let long = "é".repeat(200);
        let mut batch = CardBatch::default();
        batch.push(&GameCard { tags: vec![(KnownTag::Event, &long)], ..GameCard::default() });
        let card = batch.cards().next().expect("a card");
        let read = GameCard::read(card.bytes()).expect("a card");
        assert_eq!(read.tag(KnownTag::Event), &long[..254]);
        assert_eq!(read.tag(KnownTag::Site), "");
    }
}
