//! The card of a game or position: what is kept of it to find its copies.

use std::{borrow::Cow, sync::LazyLock};

use memchr::{memchr, memchr3};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::remark_digest::{marker, remarks};
use crate::{
    identity::{CardBatch, GameCard, GameTraits, KEPT_TAGS, MainLine, PositionCard, ValuePlaces, unknown_value},
    pgn::{KnownTag, WrittenTag},
    text::{Encoding, is_readable, readable},
};

/// The place of each tag among [`KEPT_TAGS`]; 255 if it is not kept.
const PLACES: [u8; KnownTag::ALL.len()] = {
    let mut places = [u8::MAX; KnownTag::ALL.len()];
    let mut at = 0;
    while at < KEPT_TAGS.len() {
        places[KEPT_TAGS[at] as usize] = at as u8;
        at += 1;
    }
    places
};

/// Adds the card of the game in `record` to `cards`. Its place is not known yet. `movetext` is
/// where its tags end. `is_in_place` says whether the record is part of the input as it is,
/// so that its tags can be changed there.
pub(super) fn write_card<'t>(
    record: &[u8],
    written_tags: impl Iterator<Item = WrittenTag<'t>>,
    movetext: usize,
    line: &MainLine,
    is_in_place: bool,
    cards: &mut CardBatch,
) {
    let mut tags = [const { Cow::Borrowed("") }; KEPT_TAGS.len()];
    // Validated once, not for each tag.
    let header = record.get(..movetext).and_then(|header| str::from_utf8(header).ok()).unwrap_or_default();
    // 0 if the place of the value is not known.
    let mut offsets = [0; KEPT_TAGS.len()];
    // A bit for each that the game has, by their places in KEPT_TAGS.
    const { assert!(KEPT_TAGS.len() <= u32::BITS as usize) };
    let mut present = 0_u32;
    let encoding = Encoding::of(record);
    let (mut other_tags, mut white_tags, mut black_tags) = (0_u64, 0_u64, 0_u64);
    let mut eco = [0; 3];
    for WrittenTag { tag, name, value: place } in written_tags {
        let written = place.of(record);
        let kept =
            tag.map(|tag| usize::from(PLACES[tag as usize])).filter(|kept| tags.get(*kept).is_some_and(|value| value.is_empty()));
        let offset = if is_in_place { u16::try_from(place.start).unwrap_or(0) } else { 0 };
        if is_unknown(written) {
            if let Some(kept) = kept.filter(|kept| written == unknown_value(KEPT_TAGS[*kept]).as_bytes()) {
                offsets[kept] = offset;
                present |= 1 << kept;
            }
            continue;
        }
        if tag == Some(KnownTag::Eco) {
            eco = eco_code(written);
        }
        let value = match header.get(place.start..place.end) {
            Some(value) if is_readable(written) => Cow::Borrowed(value),
            _ => readable(written, encoding),
        };
        if !matches!(tag, Some(KnownTag::White | KnownTag::Black | KnownTag::Result | KnownTag::Date)) {
            let known = tag.filter(|tag| tag.name().as_bytes() == name);
            let (about, seed) = known.map_or_else(|| digest_of(name), |tag| DIGESTS[tag as usize]);
            let digest = match about {
                About::White => &mut white_tags,
                About::Black => &mut black_tags,
                About::Game => &mut other_tags,
            };
            *digest = digest.wrapping_add(xxh3_64_with_seed(value.trim().as_bytes(), seed));
        }
        if let Some(kept) = kept {
            // The card keeps up to 255 bytes.
            let is_whole = value.as_bytes() == written && u8::try_from(written.len()).is_ok();
            offsets[kept] = if is_whole { offset } else { 0 };
            tags[kept] = value;
            present |= 1 << kept;
        }
    }
    let movetext = &record[movetext..];
    let remarks = remarks(movetext, encoding, line.goes_on.then_some(line.plies.len()));
    let (mut kept, mut places) = (Vec::with_capacity(KEPT_TAGS.len()), ValuePlaces::new());
    while present != 0 {
        let at = present.trailing_zeros() as usize;
        present &= present - 1;
        if !tags[at].is_empty() {
            kept.push((KEPT_TAGS[at], &*tags[at]));
        }
        if offsets[at] > 0 {
            places.push((KEPT_TAGS[at], offsets[at]));
        }
    }
    cards.push(&GameCard {
        keys: line.keys(cards.used_for()),
        traits: GameTraits {
            errors: 0,
            has_warnings: false,
            is_annotated: remarks.digest != 0 && is_annotated(movetext),
            goes_on: line.goes_on,
            black_begins: line.first.black_begins,
            marker: marker(movetext),
            eco,
            remarks: remarks.digest,
            other_tags,
            white_tags,
            black_tags,
            unread: remarks.unread,
        },
        tags: kept,
        places,
        plies: Cow::Borrowed(&line.plies),
        ..GameCard::default()
    });
}

/// What a tag is about.
#[derive(Clone, Copy)]
enum About {
    White,
    Black,
    Game,
}

/// What each tag is about, and the seed of the digest of its value.
static DIGESTS: LazyLock<[(About, u64); KnownTag::ALL.len()]> =
    LazyLock::new(|| std::array::from_fn(|at| digest_of(KnownTag::ALL[at].name().as_bytes())));

/// What a tag with this name is about, and the seed of the digest of its value. Both players have
/// the same seeds.
fn digest_of(name: &[u8]) -> (About, u64) {
    let (about, name) = match (name.strip_prefix(b"White"), name.strip_prefix(b"Black")) {
        (Some(name), _) => (About::White, name),
        (_, Some(name)) => (About::Black, name),
        _ => (About::Game, name),
    };
    (about, xxh3_64(name))
}

/// Adds the card of the position in `line` to `cards`, if it has one. Its place is not known yet.
pub(super) fn write_position_card(line: &[u8], cards: &mut CardBatch) {
    if let Some(card) = PositionCard::of_line(line) {
        cards.push_position(&card);
    }
}

/// The code of an opening that the tag ECO begins with.
fn eco_code(value: &[u8]) -> [u8; 3] {
    match value.trim_ascii().first_chunk() {
        Some(code @ [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']) => *code,
        _ => [0; 3],
    }
}

/// Whether the value of a tag says that something is not known.
fn is_unknown(value: &[u8]) -> bool {
    value.iter().all(|byte| matches!(byte, b'?' | b'-' | b'.' | b' '))
}

/// Whether a movetext has comments with words, glyphs or variations. Commands such as clocks do not
/// count.
fn is_annotated(movetext: &[u8]) -> bool {
    let mut at = 0;
    while let Some(found) = memchr3(b'{', b'(', b'$', &movetext[at..]) {
        let open = at + found;
        if movetext[open] != b'{' {
            return true;
        }
        let close = memchr(b'}', &movetext[open..]).map_or(movetext.len(), |length| open + length);
        if has_words(&movetext[open + 1..close]) {
            return true;
        }
        at = close;
    }
    false
}

/// Whether a comment contains a word of more than a letter outside commands.
fn has_words(comment: &[u8]) -> bool {
    let mut rest = comment;
    loop {
        let open = memchr(b'[', rest).unwrap_or(rest.len());
        if rest[..open].windows(3).any(|letters| letters.iter().all(|byte| byte.is_ascii_alphabetic() || *byte >= 0x80)) {
            return true;
        }
        let Some(close) = rest.get(open..).and_then(|command| memchr(b']', command)) else { return false };
        rest = &rest[open + close + 1..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{TagPair, tag_pairs};

    fn write(game: &str, is_in_place: bool, cards: &mut CardBatch) {
        let record = game.as_bytes();
        let tags: Vec<TagPair> = tag_pairs(record, 0).collect();
        let movetext = tags.last().map_or(0, |last| last.place.end);
        let tags = tags.iter().map(|pair| pair.written(record, 0));
        write_card(record, tags, movetext, &MainLine::default(), is_in_place, cards);
    }

    /// The traits of a game that was read without errors.
    fn traits(game: &str) -> GameTraits {
        let mut cards = CardBatch::default();
        write(game, true, &mut cards);
        let card = cards.cards().next().expect("a card");
        GameCard::read(card.bytes()).expect("a card").traits
    }

    #[test]
    fn places_of_values_are_those_of_what_is_written() {
        use KnownTag::{Black, Date, Event, Result, Round, Site, White};
        let game = "[Event \"A \\\"B\\\"\"]\n[Date \"????.??.??\"] [White \"Réti, R\"]\n[Round \"?\"]\n[Black \"?\"]\n\
                    [Black \"Tal, M\"]\n[Site \"-\"]\n\n*\n";
        let written = |is_in_place| {
            let mut cards = CardBatch::default();
            write(game, is_in_place, &mut cards);
            let card = cards.cards().next().expect("a card");
            let card = GameCard::read(card.bytes()).expect("a card");
            [Event, Date, White, Round, Black, Site, Result].map(|tag| {
                let (place, value) = card.written(tag)?;
                assert_eq!(place.of(game.as_bytes()), value.as_bytes(), "{tag:?}");
                Some(value.to_owned())
            })
        };
        let known = |value: &str| Some(value.to_owned());
        let expected = [None, known("????.??.??"), known("Réti, R"), known("?"), known("Tal, M"), None, None];
        assert_eq!(written(true), expected);
        assert_eq!(written(false), [const { None }; 7]);
    }

    #[test]
    fn other_tags_are_compared_in_any_order() {
        let one = traits("[White \"A\"]\n[Round \"1\"]\n[ECO \"B00\"]\n[Annotator \"?\"]\n\n1. e4 1-0\n");
        let same = traits("[ECO  \" B00\"]\r\n[Round \"1\"]\r\n[White \"B\"]\r\n[Result \"1-0\"]\r\n\r\n1. e4\r\n1-0\r\n\r\n");
        assert_eq!(one, same);
        assert_eq!(one.marker, 1);
        for other in ["[Round \"2\"]\n[ECO \"B00\"]", "[Round \"B00\"]\n[ECO \"1\"]", "[Round \"1\"]"] {
            assert_ne!(one.other_tags, traits(&format!("{other}\n\n1. e4 1-0\n")).other_tags, "{other}");
        }
    }

    #[test]
    fn tags_of_the_players_are_compared_in_both_colours() {
        let one = traits("[White \"A\"]\n[WhiteElo \"2700\"]\n[BlackTitle \"GM\"]\n\n1. e4 *\n");
        let swapped = traits("[Black \"A\"]\n[BlackElo \"2700\"]\n[WhiteTitle \"GM\"]\n\n1. e4 *\n");
        assert_eq!((one.white_tags, one.black_tags), (swapped.black_tags, swapped.white_tags));
        assert_ne!(one.white_tags, one.black_tags);
        assert_eq!(one.other_tags, 0);
    }

    #[test]
    fn commands_are_no_annotations() {
        for (movetext, expected) in [
            ("1. e4 {[%clk 0:10:00]} e5 {[%emt 0:01] [%eval 0.3]} *", false),
            ("1. e4 {+0.31/12 0.5s} *", false),
            ("1. e4 {[%clk 0:10:00] good move} *", true),
            ("1. e4 $1 *", true),
            ("1. e4 (1. d4) *", true),
            ("1. e4 e5 {", false),
            ("1. e4 {хорошо} *", true),
        ] {
            assert_eq!(is_annotated(movetext.as_bytes()), expected, "{movetext}");
        }
    }
}
