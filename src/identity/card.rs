//! What is kept of a game to find its copies.

use std::{borrow::Cow, io};

use arrayvec::ArrayVec;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{
    Ply,
    card_head::{COUNTS, Head, IS_POSITION, LENGTH, number, set},
};
use crate::{
    chess::{pass_turn, position_key_of},
    pgn::KnownTag,
    text::Span,
};

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
    /// Its bytes in the input.
    pub fn span(self) -> Span {
        let at = |byte: u64| usize::try_from(byte).unwrap_or(usize::MAX);
        Span::new(at(self.byte), at(self.end))
    }

    /// Moves the game to where it is in the run: into this input, by so many bytes, after so many
    /// lines and records.
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

/// What cards are for. The less, the faster they are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum CardUse {
    /// To tell games from each other: the keys of the last position and of that after the opening
    /// are 0.
    Keys,
    /// For a list of all games.
    #[default]
    List,
    /// To find copies of games and positions.
    Copies,
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
    /// Number of findings of severity error in it, as far as they do not depend on other games.
    pub errors: u16,
    /// Whether it has findings of severity warning, in the same sense.
    pub has_warnings: bool,
    /// Whether it has comments with words, glyphs or variations.
    pub is_annotated: bool,
    /// Whether moves follow the main line that are illegal, or come after the end of the game.
    pub goes_on: bool,
    /// Whether Black moves first.
    pub black_begins: bool,
    /// The termination marker at the end of the movetext; 0 without one.
    pub marker: u8,
    /// The first three letters of the tag ECO, such as `B90`, in ASCII; zeros without a code. The
    /// keys of games do not depend on them.
    pub eco: [u8; 3],
    /// A digest of comments, glyphs and variations, with their places; 0 without any.
    pub remarks: u64,
    /// A digest of the tags in any order, without the result, the date, and those of the players.
    pub other_tags: u64,
    /// The same of the tags of White, such as the rating. Equal tags of Black have the same digest.
    pub white_tags: u64,
    /// The same of the tags of Black.
    pub black_tags: u64,
    /// A digest of the moves after the main line that could not be replayed; 0 without any.
    pub unread: u64,
}

/// The tags that are kept, if they have a value: all that tell games apart, or make one copy better
/// than another. The keys of games depend on them, and those of earlier reports must stay valid.
pub const KEPT_TAGS: [KnownTag; 25] = [
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
    KnownTag::GameStartTime,
];

/// Maximum number of bytes that are kept of the value of a tag.
const MAX_VALUE: usize = 255;

/// How an unknown value of a tag is written.
pub const fn unknown_value(tag: KnownTag) -> &'static str {
    match tag {
        KnownTag::Date | KnownTag::EventDate | KnownTag::UtcDate => "????.??.??",
        _ => "?",
    }
}

/// Where values of tags are in a game: numbers of bytes from its start.
pub type ValuePlaces = ArrayVec<(KnownTag, u16), { KEPT_TAGS.len() }>;

/// What is kept of a game to find its copies, in about 350 bytes: where it is, its keys, its
/// traits, some of its tags, and its main line.
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
    /// Where the values of kept tags are, in the order of [`KEPT_TAGS`]. Only those are there that
    /// are written exactly as in `tags`, or as [`unknown_value`].
    pub places: ValuePlaces,
    /// The plies of the main line that could be replayed.
    pub plies: Cow<'a, [Ply]>,
}

impl<'a> GameCard<'a> {
    /// The value of a tag; empty if it is not known.
    pub fn tag(&self, tag: KnownTag) -> &'a str {
        self.tags.iter().find(|(known, _)| *known == tag).map_or("", |(_, value)| value)
    }

    /// The place of the value of a tag in the input, and the value as it is written there. `None`
    /// if the place is not known.
    pub fn written(&self, tag: KnownTag) -> Option<(Span, &'a str)> {
        let (_, offset) = self.places.iter().find(|(known, _)| *known == tag)?;
        let value = match self.tag(tag) {
            "" => unknown_value(tag),
            value => value,
        };
        let start = self.place.span().start.checked_add(usize::from(*offset))?;
        Some((Span::new(start, start + value.len()), value))
    }

    /// The position after so many plies of the main line. `None` if it cannot be replayed as chess.
    pub fn position_after(&self, plies: usize) -> Option<Chess> {
        let mut position = match self.tag(KnownTag::Fen) {
            "" => Chess::default(),
            fen => fen.parse::<Fen>().ok()?.into_position(CastlingMode::Chess960).ok()?,
        };
        // Variants have keys of their own.
        if position_key_of(&position) != self.keys.start {
            return None;
        }
        for ply in self.plies.get(..plies)? {
            if *ply == Ply::NULL {
                position = pass_turn(&position)?;
            } else {
                position.play_unchecked(ply.played_in(&position)?);
            }
        }
        Some(position)
    }

    /// Adds the card to `bytes`.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        let GameCard { place, keys, traits, tags, places, plies } = self;
        let GameTraits {
            errors,
            has_warnings,
            is_annotated,
            goes_on,
            black_begins,
            marker,
            eco,
            remarks,
            other_tags,
            white_tags,
            black_tags,
            unread,
        } = *traits;
        let flags = u64::from(black_begins) << 2 | u64::from(goes_on) << 1 | u64::from(is_annotated);
        let [one, two, three] = eco;
        let eco = u64::from_le_bytes([0, 0, 0, 0, 0, one, two, three]);
        let traits = eco | u64::from(has_warnings) << 32 | u64::from(errors) << 16 | u64::from(marker) << 8 | flags;
        let counts = (plies.len() as u64) << 16 | (places.len() as u64) << 8 | tags.len() as u64;
        let GamePlace { input, byte, end: end_byte, line, game } = *place;
        let GameKeys { start, opening, end, moves } = *keys;
        let since = bytes.len();
        let head: Head = [
            0, input, byte, end_byte, line, game, start, opening, end, moves, traits, remarks, other_tags, white_tags,
            black_tags, unread, counts,
        ];
        bytes.extend_from_slice(head.map(u64::to_le_bytes).as_flattened());
        for (tag, value) in tags {
            let value = shortened(value);
            bytes.extend_from_slice(&[*tag as u8, value.len() as u8]);
            bytes.extend_from_slice(value.as_bytes());
        }
        bytes.extend_from_slice(Ply::bytes_of(plies));
        for (tag, offset) in places {
            let [low, high] = offset.to_le_bytes();
            bytes.extend_from_slice(&[*tag as u8, low, high]);
        }
        let length = (bytes.len() - since) as u64;
        set(&mut bytes[since..], LENGTH, length);
    }

    /// Reads a card.
    pub fn read(bytes: &'a [u8]) -> io::Result<GameCard<'a>> {
        GameCard::try_read(bytes).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    /// Reads several cards.
    pub fn read_all(bytes: &'a [Cow<'_, [u8]>]) -> io::Result<Vec<GameCard<'a>>> {
        bytes.iter().map(|bytes| GameCard::read(bytes)).collect()
    }

    fn try_read(bytes: &'a [u8]) -> Option<GameCard<'a>> {
        let (head, _) = bytes.split_first_chunk::<{ size_of::<Head>() }>()?;
        let mut numbers = Head::default();
        for (number, bytes) in numbers.iter_mut().zip(head.as_chunks().0) {
            *number = u64::from_le_bytes(*bytes);
        }
        let [
            _,
            input,
            byte,
            end_byte,
            line,
            game,
            start,
            opening,
            end,
            moves,
            traits,
            remarks,
            other_tags,
            white_tags,
            black_tags,
            unread,
            counts,
        ] = numbers;
        if traits & IS_POSITION != 0 {
            return None;
        }
        let mut tags = Vec::with_capacity((counts & 0xFF) as usize);
        let mut written = Tags::of(bytes);
        for tag in written.by_ref() {
            let (tag, value) = tag?;
            tags.push((tag, str::from_utf8(value).ok()?));
        }
        let rest = written.rest;
        let plies = usize::try_from(counts >> 16).ok()?;
        let (plies, rest) = rest.split_at_checked(plies.checked_mul(size_of::<Ply>())?)?;
        let plies = Ply::of_bytes(plies)?;
        let (written, []) = rest.as_chunks() else { return None };
        let mut places = ValuePlaces::new();
        for [tag, low, high] in written {
            places.try_push((*KnownTag::ALL.get(usize::from(*tag))?, u16::from_le_bytes([*low, *high]))).ok()?;
        }
        (places.len() as u64 == counts >> 8 & 0xFF).then_some(GameCard {
            place: GamePlace { input, byte, end: end_byte, line, game },
            keys: GameKeys { start, opening, end, moves },
            traits: GameTraits {
                errors: (traits >> 16) as u16,
                has_warnings: traits >> 32 & 1 != 0,
                is_annotated: traits & 1 != 0,
                goes_on: traits & 2 != 0,
                black_begins: traits & 4 != 0,
                marker: (traits >> 8) as u8,
                eco: [40, 48, 56].map(|bits| (traits >> bits) as u8),
                remarks,
                other_tags,
                white_tags,
                black_tags,
                unread,
            },
            tags,
            places,
            plies: Cow::Borrowed(plies),
        })
    }
}

/// The tags on the card of a game. An item is `None`, and the last one, if they are damaged.
pub(super) struct Tags<'a> {
    left: u64,
    rest: &'a [u8],
}

impl<'a> Tags<'a> {
    /// Those on the card with these bytes.
    pub fn of(card: &'a [u8]) -> Tags<'a> {
        Tags { left: number(card, COUNTS) & 0xFF, rest: card.get(size_of::<Head>()..).unwrap_or_default() }
    }

    fn read(&mut self) -> Option<(KnownTag, &'a [u8])> {
        let ([tag, length], after) = self.rest.split_first_chunk()?;
        let (value, after) = after.split_at_checked(usize::from(*length))?;
        self.rest = after;
        Some((*KnownTag::ALL.get(usize::from(*tag))?, value))
    }
}

impl<'a> Iterator for Tags<'a> {
    type Item = Option<(KnownTag, &'a [u8])>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let tag = self.read();
        if tag.is_none() {
            self.left = 0;
        }
        Some(tag)
    }
}

/// The beginning of a value that is kept.
fn shortened(value: &str) -> &str {
    &value[..value.floor_char_boundary(MAX_VALUE)]
}
