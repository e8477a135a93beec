//! What is different between two corpora.
//!
//! Games are matched one to one. First come games with the same content, then games with the same
//! moves, and then games that are likely versions of each other. A game that stays alone is only in
//! one of the corpora. Each corpus is read in the order of the names of its inputs, so the places
//! of cards put games in an order that does not depend on how inputs are given.

use std::{borrow::Cow, cmp::Reverse, io};

use rayon::prelude::*;
use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{
    CardBytes, Certainty, GameCard, GameChange, GameChanges, GameDate, Hint, NameMemory, PlayerName, SameNames, Shared, Subject,
    Verdict,
    card_head::{MOVES, content_key, number},
    changes, common_beginning, judge_subjects, pairings, search_keys,
};
use crate::{
    pgn::KnownTag,
    spill::{Log, Sorter, WrittenLog},
};

/// Maximum number of bytes of cards in memory. More would leave the caches of the processor before
/// they are written.
const MAX_BYTES: usize = 1 << 18;

/// Maximum number of entries of each sorter in memory.
const MAX_ENTRIES: usize = 1 << 20;

/// Number of games that are compared at the same time.
const AT_ONCE: usize = 1 << 13;

/// Maximum number of pairs of games with the same moves that are all compared. Of more, games with
/// the same players are matched in their order.
const MAX_PAIRS: usize = 1 << 12;

/// Maximum number of games that a game is compared with, if they share a key.
const MAX_ALIKE: usize = 512;

/// Up to here, different players play the same moves.
const THEORY: usize = 40;

/// Minimum number of plies that different players do not play by chance, if anything else agrees.
const MIN_MOVES: usize = 24;

/// The kind of a key of headers, which no [`Shared`] has.
const HEADER: u64 = 7;

/// Stands for a game that is not there, and comes after all others.
const NONE: u64 = u64::MAX;

/// The games of two corpora, to find how they differ.
#[derive(Debug)]
pub struct Corpora {
    cards: Log,
    /// The key of the content of each game, where its card is, and the key of its moves.
    contents: Sorter<3>,
    /// The names of the inputs of each corpus.
    inputs: [Vec<String>; 2],
    games: [u64; 2],
    /// Where the cards of the second corpus begin, if it was begun.
    start_of_b: Option<u64>,
}

impl Default for Corpora {
    fn default() -> Corpora {
        Corpora {
            cards: Log::with_limit(MAX_BYTES),
            contents: Sorter::with_limit(MAX_ENTRIES).in_parallel(),
            inputs: Default::default(),
            games: [0; 2],
            start_of_b: None,
        }
    }
}

impl Corpora {
    /// Adds the next game of the corpus that is being read.
    pub fn add(&mut self, input: &str, card: &CardBytes<'_>) -> io::Result<()> {
        let side = usize::from(self.start_of_b.is_some());
        self.games[side] += 1;
        let place = usize::try_from(card.input()).map_err(io::Error::other)?;
        let inputs = &mut self.inputs[side];
        if inputs.len() <= place {
            inputs.resize(place + 1, String::new());
            inputs[place].push_str(input);
        }
        let card = card.bytes();
        let at = self.cards.push([card])?;
        self.contents.push([content_key(card), at, number(card, MOVES)])
    }

    /// Ends the first corpus, and begins the second one.
    pub fn begin_b(&mut self) {
        self.start_of_b = Some(self.cards.end());
    }

    /// Matches the games of both corpora.
    pub fn differences(self) -> io::Result<Differences> {
        let Corpora { cards, contents, inputs, games, start_of_b } = self;
        let start_of_b = start_of_b.unwrap_or(cards.end());
        let mut matcher = Matcher {
            games: Games { cards: cards.written(), start_of_b },
            rest: [(); 2].map(|()| Sorter::with_limit(MAX_ENTRIES)),
            alone: [0; 2],
            found: Sorter::with_limit(MAX_ENTRIES),
            equal: 0,
        };
        let by_moves = matcher.match_content(contents)?;
        matcher.match_moves(by_moves)?;
        let (Games { cards, .. }, found, equal) = matcher.match_related()?;
        Ok(Differences { cards, inputs, found, games, equal })
    }
}

/// The cards of both corpora.
struct Games {
    cards: WrittenLog,
    start_of_b: u64,
}

impl Games {
    /// The bytes of these cards.
    fn bytes(&self, games: &[u64]) -> io::Result<Vec<Cow<'_, [u8]>>> {
        games.iter().map(|at| self.cards.get(*at)).collect()
    }

    /// Whether a game is in the second corpus.
    const fn is_in_b(&self, game: u64) -> bool {
        game >= self.start_of_b
    }
}

/// Games that share a key, by the places of their cards, with their hints.
#[derive(Default)]
struct Group {
    key: u64,
    a: Vec<(u64, Hint)>,
    b: Vec<(u64, Hint)>,
}

/// Games with the same moves, matched.
#[derive(Default)]
struct Matched {
    /// Pairs that differ in something else.
    changed: Vec<[u64; 2]>,
    equal: u64,
    rest: Vec<u64>,
}

struct Matcher {
    games: Games,
    /// The games that are not matched yet, twice.
    rest: [Sorter<1>; 2],
    /// Their numbers in each corpus.
    alone: [u64; 2],
    /// Matched games that differ, and games that are only in one of the corpora.
    found: Sorter<2>,
    equal: u64,
}

impl Matcher {
    /// Matches games with the same content. Returns the others: the key of the moves, and the
    /// place.
    fn match_content(&mut self, contents: Sorter<3>) -> io::Result<Sorter<2>> {
        let mut others = Sorter::with_limit(MAX_ENTRIES).in_parallel();
        let (mut key, mut group): (u64, Vec<[u64; 2]>) = (0, Vec::new());
        let entries = contents.sorted()?.map(Some).chain([None]);
        for entry in entries {
            let entry = entry.transpose()?;
            if entry.is_none_or(|[next, ..]| next != key) {
                let (a, b) = group.split_at(group.partition_point(|[_, at]| !self.games.is_in_b(*at)));
                let equal = a.len().min(b.len());
                self.equal += equal as u64;
                a[equal..].iter().chain(&b[equal..]).try_for_each(|entry| others.push(*entry))?;
                group.clear();
            }
            if let Some([next, at, moves]) = entry {
                key = next;
                group.push([moves, at]);
            }
        }
        Ok(others)
    }

    /// Matches games with the same moves, those first whose headers agree best.
    fn match_moves(&mut self, by_moves: Sorter<2>) -> io::Result<()> {
        let entries = by_moves.sorted()?.map(|entry| entry.map(|[key, at]| [key, at, 0]));
        for_each_batch(entries, self.games.start_of_b, |groups| {
            let games = &self.games;
            let matched: Vec<Matched> =
                groups.into_par_iter().map(|group| games.match_equal(group)).collect::<io::Result<_>>()?;
            for Matched { changed, equal, rest } in matched {
                self.equal += equal;
                changed.into_iter().try_for_each(|pair| self.found.push(pair))?;
                for game in rest {
                    self.alone[usize::from(self.games.is_in_b(game))] += 1;
                    self.rest.iter_mut().try_for_each(|rest| rest.push([game]))?;
                }
            }
            Ok(())
        })
    }

    /// Matches games that are likely versions of each other, and ends the matching. The others are
    /// only in one of the corpora.
    fn match_related(self) -> io::Result<(Games, Sorter<2>, u64)> {
        let Matcher { games, rest: [first, second], alone, mut found, equal } = self;
        let mut matched: FxHashSet<u64> = FxHashSet::default();
        if alone.iter().all(|games| *games > 0) {
            let mut pairs = Sorter::with_limit(MAX_ENTRIES);
            for_each_batch(keys_of(&games, first)?.sorted()?, games.start_of_b, |groups| {
                let related: Vec<Vec<[u64; 3]>> =
                    groups.into_par_iter().map(|group| games.related(&group)).collect::<io::Result<_>>()?;
                related.into_iter().flatten().try_for_each(|pair| pairs.push(pair))
            })?;
            // The closest pairs come first.
            for pair in pairs.sorted()? {
                let [_, a, b] = pair?;
                if !matched.contains(&a) && !matched.contains(&b) {
                    matched.extend([a, b]);
                    found.push([a, b])?;
                }
            }
        }
        for game in second.sorted()? {
            let [game] = game?;
            if !matched.contains(&game) {
                found.push(if games.is_in_b(game) { [NONE, game] } else { [game, NONE] })?;
            }
        }
        Ok((games, found, equal))
    }
}

/// The keys by which versions of these games are found, with the places of the cards and hints.
fn keys_of(games: &Games, rest: Sorter<1>) -> io::Result<Sorter<3>> {
    let mut keys = Sorter::with_limit(MAX_ENTRIES).in_parallel();
    let mut rest = rest.sorted()?.map(|entry| entry.map(|[game]| game)).peekable();
    while rest.peek().is_some() {
        let batch: Vec<u64> = rest.by_ref().take(AT_ONCE).collect::<io::Result<_>>()?;
        let found: Vec<Vec<[u64; 3]>> = batch
            .into_par_iter()
            .map_init(NameMemory::default, |names, game| {
                let bytes = games.cards.get(game)?;
                let card = GameCard::read(&bytes)?;
                let [white, black] = [KnownTag::White, KnownTag::Black].map(|tag| names.of(card.tag(tag)).surnames);
                let (found, hint) = search_keys(&card, pairings(&white, &black));
                let kinds = [Shared::End, Shared::Pairing, Shared::Id].map(Some);
                let found = found.into_iter().filter(|key| kinds.contains(&Shared::of(*key))).chain(header_key(&card));
                Ok(found.map(|key| [key, game, hint.0]).collect())
            })
            .collect::<io::Result<_>>()?;
        found.into_iter().flatten().try_for_each(|entry| keys.push(entry))?;
    }
    Ok(keys)
}

/// A key that games with the same header share, if it tells games apart.
fn header_key(card: &GameCard<'_>) -> Option<u64> {
    let [white, black] = [KnownTag::White, KnownTag::Black].map(|tag| PlayerName::new(card.tag(tag)));
    let date = card.tag(KnownTag::Date);
    let is_occasion_known = GameDate::new(date).is_known() || !card.tag(KnownTag::Round).is_empty();
    if white.is_unknown() && black.is_unknown() || !is_occasion_known {
        return None;
    }
    let numbers = [white.words_key(), black.words_key(), card.traits.other_tags, card.keys.start].map(u64::to_le_bytes);
    Some(xxh3_64_with_seed(date.as_bytes(), xxh3_64_with_seed(numbers.as_flattened(), 0)) | HEADER)
}

/// Hands out the games that share a key, in batches.
fn for_each_batch(
    entries: impl Iterator<Item = io::Result<[u64; 3]>>,
    start_of_b: u64,
    mut take: impl FnMut(Vec<Group>) -> io::Result<()>,
) -> io::Result<()> {
    let (mut groups, mut waiting): (Vec<Group>, usize) = (Vec::new(), 0);
    for entry in entries {
        let [key, at, hint] = entry?;
        let is_next = groups.last().is_none_or(|last| last.key != key);
        if is_next && waiting >= AT_ONCE {
            waiting = 0;
            take(std::mem::take(&mut groups))?;
        }
        if is_next {
            groups.push(Group { key, ..Group::default() });
        }
        let Some(group) = groups.last_mut() else { continue };
        let side = if at < start_of_b { &mut group.a } else { &mut group.b };
        // A game may have a key twice.
        if side.last().is_none_or(|(last, _)| *last != at) {
            side.push((at, Hint(hint)));
            waiting += 1;
        }
    }
    take(groups)
}

/// A game with its players.
struct Named<'c, 'a> {
    card: &'c GameCard<'a>,
    white: PlayerName,
    black: PlayerName,
}

impl<'c, 'a> Named<'c, 'a> {
    fn new(card: &'c GameCard<'a>) -> Named<'c, 'a> {
        let [white, black] = [KnownTag::White, KnownTag::Black].map(|tag| PlayerName::new(card.tag(tag)));
        Named { card, white, black }
    }

    /// A key that games with the same players share, and, above level 0, the same date, and, above
    /// level 1, the same round.
    fn key(&self, level: usize) -> u64 {
        let players = [self.white.words_key(), self.black.words_key()].map(u64::to_le_bytes);
        let tags = [KnownTag::Date, KnownTag::Round];
        tags[..level]
            .iter()
            .fold(xxh3_64_with_seed(players.as_flattened(), 0), |key, tag| xxh3_64_with_seed(self.card.tag(*tag).as_bytes(), key))
    }

    /// How well the headers of two games with the same moves agree. `None` if they may be two
    /// games.
    fn agreement(&self, other: &Named<'_, '_>) -> Option<u64> {
        let player = |one: &PlayerName, other: &PlayerName| match () {
            () if one.has_same_words(other) || one.is_unknown() && other.is_unknown() => 16,
            () if one.may_be(other) => 12,
            () if one.is_unknown() || other.is_unknown() => 4,
            () => 0,
        };
        let straight = [player(&self.white, &other.white), player(&self.black, &other.black)];
        let swapped = [player(&self.white, &other.black), player(&self.black, &other.white)];
        let is_swapped = straight == [0, 0] && swapped.iter().all(|found| *found >= 12);
        let players = if is_swapped { [8, 8] } else { straight };
        let has_same = |tag| !self.card.tag(tag).is_empty() && self.card.tag(tag) == other.card.tag(tag);
        let has_same_occasion = has_same(KnownTag::Date) || has_same(KnownTag::Event) && has_same(KnownTag::Round);
        let count = |min: u64| players.iter().filter(|found| **found >= min).count();
        let (same, not_different) = (count(8), count(1));
        let is_accepted = match self.card.plies.len() {
            THEORY.. => true,
            MIN_MOVES.. => not_different > 0 || has_same_occasion,
            0 => same == 2 && has_same_occasion,
            _ => same == 2 || not_different > 0 && has_same_occasion,
        };
        let tags = [(KnownTag::Date, 8), (KnownTag::Round, 4), (KnownTag::Event, 4), (KnownTag::Site, 2), (KnownTag::Result, 2)];
        let tags = tags.into_iter().filter(|(tag, _)| has_same(*tag)).map(|(_, weight)| weight);
        let (traits, other_traits) = (self.card.traits, other.card.traits);
        let has_same_digests = [
            traits.other_tags == other_traits.other_tags,
            traits.white_tags == other_traits.white_tags,
            traits.black_tags == other_traits.black_tags,
            traits.remarks == other_traits.remarks,
        ];
        let digests = has_same_digests.into_iter().map(|is_same| if is_same { 4 } else { 0 });
        is_accepted.then(|| players.into_iter().chain(tags).chain(digests).sum())
    }
}

impl Games {
    /// Matches games with the same moves.
    fn match_equal(&self, group: Group) -> io::Result<Matched> {
        let [mut a, mut b] = [group.a, group.b].map(|games| games.into_iter().map(|(game, _)| game).collect::<Vec<u64>>());
        let mut matched = Matched::default();
        if a.is_empty() || b.is_empty() {
            matched.rest = a.into_iter().chain(b).collect();
            return Ok(matched);
        }
        for level in [2, 1, 0] {
            if a.len().saturating_mul(b.len()) > MAX_PAIRS {
                self.match_in_order(&mut a, &mut b, level, &mut matched)?;
            }
        }
        if a.len().saturating_mul(b.len()) <= MAX_PAIRS {
            self.match_best(&mut a, &mut b, &mut matched)?;
        }
        matched.rest = a.into_iter().chain(b).collect();
        Ok(matched)
    }

    /// Matches games with the same moves by comparing all of them. Only those without a match stay.
    fn match_best(&self, a: &mut Vec<u64>, b: &mut Vec<u64>, matched: &mut Matched) -> io::Result<()> {
        let (bytes, other_bytes) = (self.bytes(a)?, self.bytes(b)?);
        let [cards, other_cards] = [&bytes, &other_bytes]
            .map(|bytes| bytes.iter().map(|bytes| GameCard::read(bytes)).collect::<io::Result<Vec<GameCard<'_>>>>());
        let (cards, other_cards) = (cards?, other_cards?);
        let [games, other_games] = [&cards, &other_cards].map(|cards| cards.iter().map(Named::new).collect::<Vec<_>>());
        let mut pairs = Vec::new();
        for (at, one) in games.iter().enumerate() {
            for (other_at, other) in other_games.iter().enumerate() {
                pairs.extend(one.agreement(other).map(|agreement| (Reverse(agreement), at, other_at)));
            }
        }
        pairs.sort_unstable();
        let (mut left, mut other_left) = (vec![true; a.len()], vec![true; b.len()]);
        for (_, at, other_at) in pairs {
            if left[at] && other_left[other_at] {
                (left[at], other_left[other_at]) = (false, false);
                matched.add([a[at], b[other_at]], &cards[at], &other_cards[other_at]);
            }
        }
        let (mut left, mut other_left) = (left.into_iter(), other_left.into_iter());
        a.retain(|_| left.next() == Some(true));
        b.retain(|_| other_left.next() == Some(true));
        Ok(())
    }

    /// Matches games with the same moves and the same key of this level, in their order. Only those
    /// without a match stay.
    fn match_in_order(&self, a: &mut Vec<u64>, b: &mut Vec<u64>, level: usize, matched: &mut Matched) -> io::Result<()> {
        let keyed = |games: &[u64]| -> io::Result<Vec<(u64, u64)>> {
            let key = |game: &u64| Ok((Named::new(&GameCard::read(&self.cards.get(*game)?)?).key(level), *game));
            let mut keyed: Vec<(u64, u64)> = games.iter().map(key).collect::<io::Result<_>>()?;
            keyed.sort_unstable();
            Ok(keyed)
        };
        let (mut ones, mut others) = (keyed(a)?.into_iter().peekable(), keyed(b)?.into_iter().peekable());
        a.clear();
        b.clear();
        while let (Some((key, one)), Some((other_key, other))) = (ones.peek().copied(), others.peek().copied()) {
            if key == other_key {
                let (bytes, other_bytes) = (self.cards.get(one)?, self.cards.get(other)?);
                matched.add([one, other], &GameCard::read(&bytes)?, &GameCard::read(&other_bytes)?);
            }
            if key <= other_key {
                a.extend(ones.next().filter(|_| key != other_key).map(|(_, game)| game));
            }
            if key >= other_key {
                b.extend(others.next().filter(|_| key != other_key).map(|(_, game)| game));
            }
        }
        a.extend(ones.map(|(_, game)| game));
        b.extend(others.map(|(_, game)| game));
        a.sort_unstable();
        b.sort_unstable();
        Ok(())
    }

    /// The pairs of games of a group that are likely versions of each other: how far they are from
    /// each other, and both places.
    fn related(&self, group: &Group) -> io::Result<Vec<[u64; 3]>> {
        let Group { key, a, b } = group;
        if a.is_empty() || b.is_empty() {
            return Ok(Vec::new());
        }
        let places = |games: &[(u64, Hint)]| games.iter().map(|(game, _)| *game).collect::<Vec<u64>>();
        let (bytes, other_bytes) = (self.bytes(&places(a))?, self.bytes(&places(b))?);
        let [cards, other_cards] = [&bytes, &other_bytes]
            .map(|bytes| bytes.iter().map(|bytes| GameCard::read(bytes)).collect::<io::Result<Vec<GameCard<'_>>>>());
        let (cards, other_cards) = (cards?, other_cards?);
        let [games, other_games] = [&cards, &other_cards].map(|cards| cards.iter().map(Subject::new).collect::<Vec<_>>());
        let (shared, no_names) = (Shared::of(*key), SameNames::default());
        let mut pairs = Vec::new();
        for ((at, hint), one) in a.iter().zip(&games) {
            let may_fit = |((_, other_hint), other): &(&(u64, Hint), &Subject<'_, '_>)| match shared {
                Some(Shared::Pairing) => hint.may_have_date_of(*other_hint) && one.may_be_related_to(other, &no_names),
                _ => true,
            };
            for ((other_at, _), other) in b.iter().zip(&other_games).filter(may_fit).take(MAX_ALIKE) {
                pairs.extend(closeness(one, other, shared.is_none()).map(|closeness| [!closeness, *at, *other_at]));
            }
        }
        Ok(pairs)
    }
}

/// How close two versions of a game are. `None` if nothing says that they are versions of one game.
fn closeness(one: &Subject<'_, '_>, other: &Subject<'_, '_>, has_same_header: bool) -> Option<u64> {
    let (plies, other_plies) = (&one.card.plies, &other.card.plies);
    let common = common_beginning(plies, other_plies);
    let judged = judge_subjects(one, other, &SameNames::default()).map(|judgement| match judgement.verdict {
        Verdict::SameGame | Verdict::SameGameContradicts => 7,
        Verdict::Beginning | Verdict::Version if judgement.certainty == Certainty::Likely => 6,
        Verdict::Beginning | Verdict::Version => 5,
        Verdict::WrongHeader | Verdict::SameId => 4,
        Verdict::TwoGamesOneSlot => 2,
    });
    // Without a round, only equal moves show which game of a pairing it is.
    let has_round = !one.card.tag(KnownTag::Round).is_empty();
    let by_header = has_same_header && (has_round || 2 * common >= plies.len().min(other_plies.len()));
    let class: u64 = judged.max(by_header.then_some(3))?;
    let agreement = Named { card: one.card, white: one.white.clone(), black: one.black.clone() }
        .agreement(&Named { card: other.card, white: other.white.clone(), black: other.black.clone() })
        .unwrap_or(0);
    Some(class << 32 | agreement << 16 | common.min(0xFFFF) as u64)
}

impl Matched {
    /// Adds two games that are matched.
    fn add(&mut self, pair: [u64; 2], one: &GameCard<'_>, other: &GameCard<'_>) {
        if changes(one, other).is_empty() {
            self.equal += 1;
        } else {
            self.changed.push(pair);
        }
    }
}

/// How two corpora differ.
#[derive(Debug)]
pub struct Differences {
    cards: WrittenLog,
    inputs: [Vec<String>; 2],
    found: Sorter<2>,
    games: [u64; 2],
    equal: u64,
}

/// A game, and the name of its input.
#[derive(Clone, Copy, Debug)]
pub struct GameVersion<'a> {
    /// The name of its input.
    pub input: &'a str,
    /// The card of the game.
    pub card: &'a GameCard<'a>,
}

/// A game that is only in one of two corpora, or that is different in both.
#[derive(Clone, Debug)]
pub struct GameDifference<'a> {
    /// The game in the first corpus.
    pub a: Option<GameVersion<'a>>,
    /// The game in the second corpus.
    pub b: Option<GameVersion<'a>>,
    /// What changed, at least one thing.
    pub changes: GameChanges,
}

/// How many games differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DifferenceCounts {
    /// Number of games in the first corpus.
    pub games_a: u64,
    /// Number of games in the second corpus.
    pub games_b: u64,
    /// Number of games that are equal in both.
    pub equal: u64,
    /// Number of games that are in both, and differ.
    pub changed: u64,
    /// Number of games with each change, in the order of [`GameChange::ALL`].
    pub by_change: [u64; GameChange::ALL.len()],
}

impl DifferenceCounts {
    /// Number of games with this change.
    pub const fn of(&self, change: GameChange) -> u64 {
        self.by_change[change as usize]
    }

    /// Whether the corpora have the same games.
    pub fn are_equal(&self) -> bool {
        self.by_change.iter().all(|games| *games == 0)
    }
}

impl Differences {
    /// Shows all games that differ: in the order of the first corpus, and then those that are only
    /// in the second one, in its order.
    pub fn for_each(self, mut take: impl FnMut(&GameDifference<'_>) -> io::Result<()>) -> io::Result<DifferenceCounts> {
        let Differences { cards, inputs, found, games: [games_a, games_b], equal } = self;
        let mut counts = DifferenceCounts { games_a, games_b, equal, ..DifferenceCounts::default() };
        for pair in found.sorted()? {
            let bytes = pair?.map(|game| (game != NONE).then(|| cards.get(game)).transpose());
            let [bytes, other_bytes] = bytes;
            let (bytes, other_bytes) = (bytes?, other_bytes?);
            let [card, other] = [&bytes, &other_bytes].map(|bytes| bytes.as_deref().map(GameCard::read).transpose());
            let (card, other) = (card?, other?);
            let mut found = GameChanges::new();
            match (&card, &other) {
                (Some(card), Some(other)) => {
                    found = changes(card, other);
                    if found.is_empty() {
                        counts.equal += 1;
                        continue;
                    }
                    counts.changed += 1;
                }
                (Some(_), None) => found.push(GameChange::OnlyInA),
                (None, _) => found.push(GameChange::OnlyInB),
            }
            found.iter().for_each(|change| counts.by_change[*change as usize] += 1);
            let version = |side: usize, card| {
                let name = |card: &GameCard<'_>| inputs[side].get(usize::try_from(card.place.input).ok()?).map(String::as_str);
                Option::map(card, |card| GameVersion { input: name(card).unwrap_or_default(), card })
            };
            take(&GameDifference { a: version(0, card.as_ref()), b: version(1, other.as_ref()), changes: found })?;
        }
        Ok(counts)
    }
}
