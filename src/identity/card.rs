//! What is kept of a game to find its copies.

use std::io;

use xxhash_rust::xxh3::xxh3_64;

use super::Ply;
use crate::pgn::KnownTag;

/// Where a game is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct GamePlace {
    /// The number of its input in the run, from 0.
    pub input: u64,
    /// Its first byte in the input.
    pub byte: u64,
    /// The line of that byte.
    pub line: u64,
    /// Its ordinal among the records of the input, from 1.
    pub game: u64,
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
        let mut bytes = Vec::with_capacity(8 + 2 * plies.len());
        bytes.extend_from_slice(&start.to_le_bytes());
        plies.iter().for_each(|ply| bytes.extend_from_slice(&ply.0.to_le_bytes()));
        xxh3_64(&bytes)
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

/// Bytes of a card before its tags and plies.
const HEAD: usize = 80;

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
    pub plies: Vec<Ply>,
}

impl<'a> GameCard<'a> {
    /// The value of a tag; empty if it is not known.
    pub fn tag(&self, tag: KnownTag) -> &'a str {
        self.tags.iter().find(|(known, _)| *known == tag).map_or("", |(_, value)| value)
    }

    /// Adds the card to `bytes`.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        let GameCard { place, keys, traits, tags, plies } = self;
        let GameTraits { errors, is_annotated, goes_on, black_begins } = *traits;
        let flags = u64::from(errors) << 16 | u64::from(black_begins) << 2 | u64::from(goes_on) << 1 | u64::from(is_annotated);
        let counts = (plies.len() as u64) << 8 | tags.len() as u64;
        let GameKeys { start, opening, end, moves } = *keys;
        let head = [place.input, place.byte, place.line, place.game, start, opening, end, moves, flags, counts];
        bytes.extend_from_slice(head.map(u64::to_le_bytes).as_flattened());
        for (tag, value) in tags {
            let value = shortened(value);
            bytes.extend_from_slice(&[*tag as u8, value.len() as u8]);
            bytes.extend_from_slice(value.as_bytes());
        }
        plies.iter().for_each(|ply| bytes.extend_from_slice(&ply.0.to_le_bytes()));
    }

    /// Reads the card at the start of `bytes`. Returns what follows it, too.
    ///
    /// # Errors
    /// If there is no complete card.
    pub fn read(bytes: &'a [u8]) -> io::Result<(GameCard<'a>, &'a [u8])> {
        GameCard::try_read(bytes).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    fn try_read(bytes: &'a [u8]) -> Option<(GameCard<'a>, &'a [u8])> {
        let (head, mut rest) = bytes.split_first_chunk::<HEAD>()?;
        let mut numbers = [0; HEAD / 8];
        for (number, bytes) in numbers.iter_mut().zip(head.as_chunks().0) {
            *number = u64::from_le_bytes(*bytes);
        }
        let [input, byte, line, game, start, opening, end, moves, flags, counts] = numbers;
        let mut tags = Vec::with_capacity((counts & 0xFF) as usize);
        for _ in 0..counts & 0xFF {
            let ([tag, length], after) = rest.split_first_chunk()?;
            let (value, after) = after.split_at_checked(usize::from(*length))?;
            tags.push((*KnownTag::ALL.get(usize::from(*tag))?, str::from_utf8(value).ok()?));
            rest = after;
        }
        let (plies, rest) = rest.split_at_checked(usize::try_from(counts >> 8).ok()?.checked_mul(2)?)?;
        let card = GameCard {
            place: GamePlace { input, byte, line, game },
            keys: GameKeys { start, opening, end, moves },
            traits: GameTraits {
                errors: (flags >> 16) as u16,
                is_annotated: flags & 1 != 0,
                goes_on: flags & 2 != 0,
                black_begins: flags & 4 != 0,
            },
            tags,
            plies: plies.as_chunks().0.iter().map(|ply| Ply(u16::from_le_bytes(*ply))).collect(),
        };
        Some((card, rest))
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
            place: GamePlace { input: 3, byte: 1 << 40, line: 7, game: 9 },
            keys: GameKeys { start: 1, opening: 2, end: 3, moves: u64::MAX },
            traits: GameTraits { errors: 2, is_annotated: true, goes_on: false, black_begins: true },
            tags: vec![(KnownTag::White, "Réti, Richard"), (KnownTag::Fen, "8/8/8/8/8/8/8/8 w - - 0 1")],
            plies: vec![Ply::new(Square::E2, Square::E4, None), Ply::new(Square::E7, Square::E5, None)],
        };
        let mut bytes = Vec::new();
        card.write(&mut bytes);
        GameCard::default().write(&mut bytes);
        let (read, rest) = GameCard::read(&bytes).expect("a card");
        assert_eq!(read, card);
        let (read, rest) = GameCard::read(rest).expect("a card");
        assert_eq!((read, rest), (GameCard::default(), &[][..]));
        assert!(GameCard::read(&bytes[..100]).is_err());
    }

    #[test]
    fn long_values_are_cut_between_characters() {
        let long = "é".repeat(200);
        let card = GameCard { tags: vec![(KnownTag::Event, &long)], ..GameCard::default() };
        let mut bytes = Vec::new();
        card.write(&mut bytes);
        let (read, _) = GameCard::read(&bytes).expect("a card");
        assert_eq!(read.tag(KnownTag::Event), &long[..254]);
        assert_eq!(read.tag(KnownTag::Site), "");
    }
}
