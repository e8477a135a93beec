//! What is kept of a game to find its copies.

use std::{borrow::Cow, io};

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{Hint, Ply, search_keys};
use crate::pgn::KnownTag;

/// Where a game is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct GamePlace {
    /// The number of its input in the run, from 0.
    pub input: u64,
    /// Its first byte in the input.
    pub byte: u64,
    /// One past its last byte.
    pub end: u64,
    /// The line of that byte.
    pub line: u64,
    /// Its ordinal among the records of the input, from 1.
    pub game: u64,
}

impl GamePlace {
    /// Moves the game to where it is in the run: into this input, by so many bytes, after so many lines and records.
    pub const fn place_in(&mut self, input: u64, bytes: i64, lines: u64, records: u64) {
        *self = GamePlace {
            input,
            byte: self.byte.saturating_add_signed(bytes),
            end: self.end.saturating_add_signed(bytes),
            line: self.line.saturating_add(lines),
            game: self.game.saturating_add(records),
        };
    }
}

/// The hashes by which candidates for copies are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameKeys {
    /// The first position: placement, side to move, castling rights, legal en passant.
    pub start: u64,
    /// The position after [`OPENING_PLIES`], or 0 if the game is shorter.
    pub opening: u64,
    /// The last position.
    pub end: u64,
    /// The first position and all plies of the main line.
    pub moves: u64,
}

/// Number of plies after which an opening is compared.
pub const OPENING_PLIES: usize = 20;

impl GameKeys {
    /// The key of `start` and the main line from there.
    pub fn of_moves(start: u64, plies: &[Ply]) -> u64 {
        xxh3_64_with_seed(Ply::bytes_of(plies), start)
    }
}

/// What else is known of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameTraits {
    /// Number of findings of severity error in it.
    pub errors: u16,
    /// Whether it has comments with words, glyphs or variations.
    pub is_annotated: bool,
    /// Whether moves follow the main line that are illegal, or come after the end of the game.
    pub goes_on: bool,
    /// Whether Black moves first.
    pub black_begins: bool,
}

/// The tags that are kept, if they have a value: all that tell games apart, or make one copy better than another.
pub const KEPT_TAGS: [KnownTag; 24] = [
    KnownTag::White,
    KnownTag::Black,
    KnownTag::Result,
    KnownTag::Date,
    KnownTag::Round,
    KnownTag::Event,
    KnownTag::Site,
    KnownTag::WhiteElo,
    KnownTag::BlackElo,
    KnownTag::WhiteTitle,
    KnownTag::BlackTitle,
    KnownTag::WhiteFideId,
    KnownTag::BlackFideId,
    KnownTag::WhiteType,
    KnownTag::BlackType,
    KnownTag::EventDate,
    KnownTag::UtcDate,
    KnownTag::UtcTime,
    KnownTag::TimeControl,
    KnownTag::GameId,
    KnownTag::Link,
    KnownTag::Board,
    KnownTag::Variant,
    KnownTag::Fen,
];

/// Maximum number of bytes that are kept of the value of a tag.
const MAX_VALUE: usize = 255;

/// What is kept of a game to find its copies, in about 300 bytes: where it is, its keys, its traits, some of its tags, and its
/// main line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameCard<'a> {
    /// Where the game is.
    pub place: GamePlace,
    /// By what it is found.
    pub keys: GameKeys,
    /// What else is known of it.
    pub traits: GameTraits,
    /// Those of [`KEPT_TAGS`] with a value other than `?` or `-`, in their order.
    pub tags: Vec<(KnownTag, &'a str)>,
    /// The plies of the main line that could be replayed.
    pub plies: Cow<'a, [Ply]>,
}

impl<'a> GameCard<'a> {
    /// The value of a tag; empty if it is not known.
    pub fn tag(&self, tag: KnownTag) -> &'a str {
        self.tags.iter().find(|(known, _)| *known == tag).map_or("", |(_, value)| value)
    }

    /// Adds the card to `bytes`.
    fn write(&self, bytes: &mut Vec<u8>) {
        let GameCard { place, keys, traits, tags, plies } = self;
        let GameTraits { errors, is_annotated, goes_on, black_begins } = *traits;
        let traits = u64::from(errors) << 16 | u64::from(black_begins) << 2 | u64::from(goes_on) << 1 | u64::from(is_annotated);
        let counts = (plies.len() as u64) << 8 | tags.len() as u64;
        let GamePlace { input, byte, end: end_byte, line, game } = *place;
        let GameKeys { start, opening, end, moves } = *keys;
        let since = bytes.len();
        let head: Head = [0, input, byte, end_byte, line, game, start, opening, end, moves, traits, counts];
        bytes.extend_from_slice(head.map(u64::to_le_bytes).as_flattened());
        for (tag, value) in tags {
            let value = shortened(value);
            bytes.extend_from_slice(&[*tag as u8, value.len() as u8]);
            bytes.extend_from_slice(value.as_bytes());
        }
        bytes.extend_from_slice(Ply::bytes_of(plies));
        let length = (bytes.len() - since) as u64;
        set(&mut bytes[since..], LENGTH, length);
    }

    /// Reads a card.
    ///
    /// # Errors
    /// If the bytes are not those of a card.
    pub fn read(bytes: &'a [u8]) -> io::Result<GameCard<'a>> {
        GameCard::try_read(bytes).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    fn try_read(bytes: &'a [u8]) -> Option<GameCard<'a>> {
        let (head, mut rest) = bytes.split_first_chunk::<{ size_of::<Head>() }>()?;
        let mut numbers = Head::default();
        for (number, bytes) in numbers.iter_mut().zip(head.as_chunks().0) {
            *number = u64::from_le_bytes(*bytes);
        }
        let [_, input, byte, end_byte, line, game, start, opening, end, moves, traits, counts] = numbers;
        let mut tags = Vec::with_capacity((counts & 0xFF) as usize);
        for _ in 0..counts & 0xFF {
            let ([tag, length], after) = rest.split_first_chunk()?;
            let (value, after) = after.split_at_checked(usize::from(*length))?;
            tags.push((*KnownTag::ALL.get(usize::from(*tag))?, str::from_utf8(value).ok()?));
            rest = after;
        }
        let plies = Ply::of_bytes(rest)?;
        (plies.len() as u64 == counts >> 8).then(|| GameCard {
            place: GamePlace { input, byte, end: end_byte, line, game },
            keys: GameKeys { start, opening, end, moves },
            traits: GameTraits {
                errors: (traits >> 16) as u16,
                is_annotated: traits & 1 != 0,
                goes_on: traits & 2 != 0,
                black_begins: traits & 4 != 0,
            },
            tags,
            plies: Cow::Borrowed(plies),
        })
    }
}

/// The cards of consecutive games.
#[derive(Clone, Debug, Default)]
pub struct CardBatch {
    bytes: Vec<u8>,
    /// What candidates for copies are found by: the key, the hint, and the place of the card in the bytes.
    pub(super) keys: Vec<(u64, Hint, usize)>,
}

impl CardBatch {
    /// Adds the card of the next game.
    pub fn push(&mut self, card: &GameCard<'_>) {
        let at = self.bytes.len();
        let (keys, hint) = search_keys(card);
        self.keys.extend(keys.into_iter().map(|key| (key, hint, at)));
        card.write(&mut self.bytes);
    }

    /// Adds the card with these bytes.
    ///
    /// # Errors
    /// If the bytes are not those of a card.
    pub fn restore(&mut self, bytes: &[u8]) -> io::Result<()> {
        GameCard::read(bytes).map(|card| self.push(&card))
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// What is known of how many cards there are, for [`CardBatch::truncate`] and [`CardBatch::locate_since`].
    pub const fn end(&self) -> usize {
        self.bytes.len()
    }

    /// Drops the cards after an earlier [`CardBatch::end`].
    pub fn truncate(&mut self, end: usize) {
        self.bytes.truncate(end);
        let keys = self.keys.partition_point(|(.., at)| *at < end);
        self.keys.truncate(keys);
    }

    /// Sets the place of the cards after an earlier [`CardBatch::end`], and the number of errors in each game.
    pub fn locate_since(&mut self, end: usize, place: GamePlace, errors: u16) {
        let mut rest = self.bytes.get_mut(end..).unwrap_or_default();
        while let Some((card, after)) = split_card(rest) {
            set_place(card, place);
            set(card, TRAITS, number(card, TRAITS) & 0xFFFF | u64::from(errors) << 16);
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
    /// Moves the game to where it is in the run: into this input, by so many bytes, after so many lines and records.
    pub fn place_in(&mut self, input: u64, bytes: i64, lines: u64, records: u64) {
        let of = |index| number(self.0, index);
        let mut place = GamePlace { input: of(INPUT), byte: of(BYTE), end: of(END), line: of(LINE), game: of(GAME) };
        place.place_in(input, bytes, lines, records);
        set_place(self.0, place);
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

/// The numbers at the start of a card: its length in bytes, the place, the keys, the traits, and how many tags and plies follow.
type Head = [u64; 12];

/// Indices in a [`Head`].
const LENGTH: usize = 0;
const INPUT: usize = 1;
const BYTE: usize = 2;
const END: usize = 3;
const LINE: usize = 4;
const GAME: usize = 5;
const TRAITS: usize = 10;

/// A number of the head of a card.
fn number(card: &[u8], index: usize) -> u64 {
    card.as_chunks().0.get(index).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// Sets the place of a card.
fn set_place(card: &mut [u8], place: GamePlace) {
    let GamePlace { input, byte, end, line, game } = place;
    [(INPUT, input), (BYTE, byte), (END, end), (LINE, line), (GAME, game)]
        .into_iter()
        .for_each(|(at, number)| set(card, at, number));
}

/// Sets a number of the head of a card.
fn set(card: &mut [u8], index: usize, number: u64) {
    if let Some(bytes) = card.as_chunks_mut().0.get_mut(index) {
        *bytes = number.to_le_bytes();
    }
}

/// The beginning of a value that is kept.
fn shortened(value: &str) -> &str {
    &value[..value.floor_char_boundary(MAX_VALUE)]
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::*;

    #[test]
    fn cards_are_read_as_they_were_written() {
        let card = GameCard {
            place: GamePlace { input: 3, byte: 1 << 40, end: 1 << 41, line: 7, game: 9 },
            keys: GameKeys { start: 1, opening: 2, end: 3, moves: u64::MAX },
            traits: GameTraits { errors: 2, is_annotated: true, goes_on: false, black_begins: true },
            tags: vec![(KnownTag::White, "Réti, Richard"), (KnownTag::Fen, "8/8/8/8/8/8/8/8 w - - 0 1")],
            plies: vec![Ply::new(Square::E2, Square::E4, None), Ply::new(Square::E7, Square::E5, None)].into(),
        };
        let mut batch = CardBatch::default();
        batch.push(&card);
        let first = batch.end();
        batch.push(&GameCard::default());
        let place = GamePlace { input: 0, byte: 5, end: 9, line: 6, game: 7 };
        batch.locate_since(first, place, 8);
        let mut cards = batch.cards();
        let own = cards.next().expect("a card");
        assert_eq!(GameCard::read(own.bytes()).expect("a card"), card);
        assert!(GameCard::read(&own.bytes()[..100]).is_err());
        let mut other = cards.next().expect("a card");
        other.place_in(1, -3, 10, 20);
        let expected = GameCard {
            place: GamePlace { input: 1, byte: 2, end: 6, line: 16, game: 27 },
            traits: GameTraits { errors: 8, ..GameTraits::default() },
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
