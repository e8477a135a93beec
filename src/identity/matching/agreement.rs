//! How well two games of two corpora agree, of which one may be a version of the other.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::{
    identity::{GameCard, PlayerName, Relation, SameNames, Subject, common_beginning, judge_subjects},
    pgn::KnownTag,
};

/// Up to here, different players play the same moves.
const THEORY: usize = 40;

/// Minimum number of plies that different players do not play by chance, if anything else agrees.
const MIN_MOVES: usize = 24;

/// A key that games with the same players share, and, above level 0, the same date, and, above
/// level 1, the same round.
pub(super) fn players_key(card: &GameCard<'_>, level: usize) -> u64 {
    let players = [KnownTag::White, KnownTag::Black].map(|tag| PlayerName::new(card.tag(tag)).words_key().to_le_bytes());
    let tags = [KnownTag::Date, KnownTag::Round];
    tags[..level]
        .iter()
        .fold(xxh3_64_with_seed(players.as_flattened(), 0), |key, tag| xxh3_64_with_seed(card.tag(*tag).as_bytes(), key))
}

/// How well the headers of two games with the same moves agree. `None` if they may be two
/// games.
pub(super) fn agreement(one: &Subject<'_, '_>, other: &Subject<'_, '_>) -> Option<u64> {
    let player = |one: &PlayerName, other: &PlayerName| match () {
        () if one.has_same_words(other) || one.is_unknown() && other.is_unknown() => 16,
        () if one.may_be(other) => 12,
        () if one.is_unknown() || other.is_unknown() => 4,
        () => 0,
    };
    let straight = [player(&one.white, &other.white), player(&one.black, &other.black)];
    let swapped = [player(&one.white, &other.black), player(&one.black, &other.white)];
    let is_swapped = straight == [0, 0] && swapped.iter().all(|found| *found >= 12);
    let players = if is_swapped { [8, 8] } else { straight };
    let has_same = |tag| !one.card.tag(tag).is_empty() && one.card.tag(tag) == other.card.tag(tag);
    let has_same_occasion = has_same(KnownTag::Date) || has_same(KnownTag::Event) && has_same(KnownTag::Round);
    let count = |min: u64| players.iter().filter(|found| **found >= min).count();
    let (same, not_different) = (count(8), count(1));
    let is_accepted = match one.card.plies.len() {
        THEORY.. => true,
        MIN_MOVES.. => not_different > 0 || has_same_occasion,
        0 => same == 2 && has_same_occasion,
        _ => same == 2 || not_different > 0 && has_same_occasion,
    };
    let tags = [(KnownTag::Date, 8), (KnownTag::Round, 4), (KnownTag::Event, 4), (KnownTag::Site, 2), (KnownTag::Result, 2)];
    let tags = tags.into_iter().filter(|(tag, _)| has_same(*tag)).map(|(_, weight)| weight);
    let (traits, other_traits) = (one.card.traits, other.card.traits);
    let has_same_digests = [
        traits.other_tags == other_traits.other_tags,
        traits.white_tags == other_traits.white_tags,
        traits.black_tags == other_traits.black_tags,
        traits.remarks == other_traits.remarks,
    ];
    let digests = has_same_digests.into_iter().map(|is_same| if is_same { 4 } else { 0 });
    is_accepted.then(|| players.into_iter().chain(tags).chain(digests).sum())
}
/// How close two versions of a game are. `None` if nothing says that they are versions of one game.
pub(super) fn closeness(one: &Subject<'_, '_>, other: &Subject<'_, '_>, has_same_header: bool) -> Option<u64> {
    let (plies, other_plies) = (&one.card.plies, &other.card.plies);
    let common = common_beginning(plies, other_plies);
    let judged = judge_subjects(one, other, &SameNames::default()).map(|judgement| match judgement.relation {
        Relation::SameGame | Relation::SameGameContradicts => 7,
        Relation::Beginning | Relation::Version if judgement.is_likely() => 6,
        Relation::Beginning | Relation::Version => 5,
        Relation::WrongHeader | Relation::SameId => 4,
        Relation::TwoGamesOneSlot => 2,
    });
    // Without a round, only equal moves show which game of a pairing it is.
    let has_round = !one.card.tag(KnownTag::Round).is_empty();
    let by_header = has_same_header && (has_round || 2 * common >= plies.len().min(other_plies.len()));
    let class: u64 = judged.max(by_header.then_some(3))?;
    let agreement = agreement(one, other).unwrap_or(0);
    Some(class << 32 | agreement << 16 | common.min(0xFFFF) as u64)
}
