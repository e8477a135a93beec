//! What is different between two corpora.
//!
//! Games are matched one to one. First come games with the same content, then games with the same
//! moves, and then games that are likely versions of each other. A game that stays alone is only in
//! one of the corpora. Each corpus is read in the order of the names of its inputs, so the places
//! of cards put games in an order that does not depend on how inputs are given.

use std::{borrow::Cow, cmp::Reverse, collections::BTreeSet, io};

use rayon::prelude::*;
use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{
    agreement::{agreement, closeness, players_key},
    by_keys::{Group, IN_SECOND, Unmatched, for_each_batch, join, matched},
};
use crate::{
    identity::{
        CardBytes, DifferenceKind, DifferenceKinds, GameCard, GameDate, Hint, NameMemory, PlayerName, SameNames, Shared, Subject,
        card_head::{MOVES, content_key, number},
        changes, pairings, search_keys,
    },
    pgn::KnownTag,
    spill::{Log, Sorter, WrittenLog},
};

/// Maximum number of bytes of cards in memory. More would leave the caches of the processor before
/// they are written.
const MAX_BYTES: usize = 1 << 18;

/// Maximum number of entries of each sorter in memory.
const MAX_ENTRIES: usize = 1 << 20;

/// The same of games without an equal one.
const MAX_LEFT: usize = 1 << 19;

/// Number of games that are compared at the same time.
const AT_ONCE: usize = 1 << 13;

/// Maximum number of pairs of games with the same moves that are all compared. Of more, games with
/// the same players are matched in their order.
const MAX_PAIRS: usize = 1 << 12;

/// Maximum number of games that a game is compared with, if they share a key.
const MAX_ALIKE: usize = 512;

/// The kind of a key of headers, which no [`Shared`] has.
const HEADER: u64 = 7;

/// Stands for a game that is not there, and comes before all others: what is new comes first.
const NONE: u64 = 0;

/// What is added to the place of a game, so that none is [`NONE`].
const SOME: u64 = 1;

/// The games of two corpora, to find how they differ.
#[derive(Debug)]
pub struct Corpora {
    cards: Log,
    /// The key of the content of each game, its place, and the key of its moves. The place is that
    /// of its card.
    contents: Sorter<3>,
    /// The names of the inputs of each corpus.
    inputs: [Vec<String>; 2],
    games: [u64; 2],
    /// Whether the second corpus is being read.
    is_in_b: bool,
}

impl Default for Corpora {
    fn default() -> Corpora {
        Corpora {
            cards: Log::with_limit(MAX_BYTES),
            contents: Sorter::with_limit(MAX_ENTRIES).in_parallel(),
            inputs: Default::default(),
            games: [0; 2],
            is_in_b: false,
        }
    }
}

impl Corpora {
    /// Adds the next game of the corpus that is being read.
    pub fn add(&mut self, input: &str, card: &CardBytes<'_>) -> io::Result<()> {
        let side = usize::from(self.is_in_b);
        self.games[side] += 1;
        let place = usize::try_from(card.input()).map_err(io::Error::other)?;
        let inputs = &mut self.inputs[side];
        if inputs.len() <= place {
            inputs.resize(place + 1, String::new());
            inputs[place].push_str(input);
        }
        let card = card.bytes();
        let at = self.cards.push([card])? | if self.is_in_b { IN_SECOND } else { 0 };
        self.contents.push([content_key(card), at, number(card, MOVES)])
    }

    /// Ends the first corpus, and begins the second one.
    pub const fn begin_b(&mut self) {
        self.is_in_b = true;
    }

    /// Matches the games of both corpora.
    pub fn differences(self) -> io::Result<Differences> {
        let Corpora { cards, contents, inputs, games, .. } = self;
        let cards = Cards(cards.written());
        let mut matcher = Matcher { cards: &cards, found: Sorter::with_limit(MAX_ENTRIES), equal: 0 };
        let sorter = || Sorter::with_limit(MAX_LEFT).in_parallel();
        let moves = |_, [.., moves]: &[u64; 3]| Some(*moves);
        let left = matched(contents, 2, sorter, moves, |step, groups| match step {
            0 => Ok(matcher.match_content(groups)),
            _ => matcher.match_moves(groups),
        })?;
        matcher.match_related(left)?;
        let Matcher { found, equal, .. } = matcher;
        Ok(Differences { cards, inputs, found, games, equal })
    }
}

/// The cards of both corpora, by the places of the games.
#[derive(Debug)]
struct Cards(WrittenLog);

impl Cards {
    fn get(&self, game: u64) -> io::Result<Cow<'_, [u8]>> {
        self.0.get(game & !IN_SECOND)
    }
}

/// Games with the same moves, matched.
#[derive(Default)]
struct Matched {
    /// Pairs that differ in something else.
    changed: Vec<[u64; 2]>,
    equal: u64,
    rest: Vec<[u64; 3]>,
}

struct Matcher<'c> {
    cards: &'c Cards,
    /// Matched games that differ, and games that are only in one of the corpora.
    found: Sorter<2>,
    equal: u64,
}

impl Matcher<'_> {
    /// Matches games with the same content. Returns the others.
    fn match_content(&mut self, groups: Vec<Group<'_, 3>>) -> Vec<[u64; 3]> {
        let mut rest = Vec::new();
        for Group { first, second, .. } in groups {
            let equal = first.len().min(second.len());
            self.equal += equal as u64;
            rest.extend(first[equal..].iter().chain(&second[equal..]));
        }
        rest
    }

    /// Matches games with the same moves, those first whose headers agree best. Returns the others.
    fn match_moves(&mut self, groups: Vec<Group<'_, 3>>) -> io::Result<Vec<[u64; 3]>> {
        let matched: Vec<Matched> =
            groups.into_par_iter().map(|group| self.cards.match_equal(group)).collect::<io::Result<_>>()?;
        let mut left = Vec::new();
        for Matched { changed, equal, rest } in matched {
            self.equal += equal;
            changed.into_iter().try_for_each(|pair| self.found.push(pair.map(|game| game + SOME)))?;
            left.extend(rest);
        }
        Ok(left)
    }

    /// Matches games that are likely versions of each other, and ends the matching. The others are
    /// only in one of the corpora.
    fn match_related(&mut self, left: Unmatched<3>) -> io::Result<()> {
        let Matcher { cards, found, .. } = self;
        let (mut keys, mut alone) = (Sorter::with_limit(MAX_ENTRIES).in_parallel(), Sorter::with_limit(MAX_ENTRIES));
        let mut games = left.records.sorted()?.map(|game| game.map(|[_, game, _]| game)).peekable();
        while games.peek().is_some() {
            let batch: Vec<u64> = games.by_ref().take(AT_ONCE).collect::<io::Result<_>>()?;
            batch.iter().try_for_each(|game| alone.push([*game]))?;
            if left.number.iter().all(|games| *games > 0) {
                add_keys(cards, batch, &mut keys)?;
            }
        }
        let mut pairs = Sorter::with_limit(MAX_ENTRIES);
        for_each_batch(keys.sorted()?, |groups| {
            let related: Vec<Vec<[u64; 3]>> =
                groups.into_par_iter().map(|group| cards.related(group)).collect::<io::Result<_>>()?;
            related.into_iter().flatten().try_for_each(|pair| pairs.push(pair))
        })?;
        let mut matched: FxHashSet<u64> = FxHashSet::default();
        // The closest pairs come first.
        for pair in pairs.sorted()? {
            let [_, a, b] = pair?;
            if !matched.contains(&a) && !matched.contains(&b) {
                matched.extend([a, b]);
                found.push([a + SOME, b + SOME])?;
            }
        }
        for game in alone.sorted()? {
            let [game] = game?;
            if !matched.contains(&game) {
                found.push(if game >= IN_SECOND { [NONE, game + SOME] } else { [game + SOME, NONE] })?;
            }
        }
        Ok(())
    }
}

/// Adds the keys by which versions of these games are found, each with the game and its hint.
fn add_keys(cards: &Cards, games: Vec<u64>, keys: &mut Sorter<3>) -> io::Result<()> {
    let keys_of = |names: &mut NameMemory, game| -> io::Result<Vec<[u64; 3]>> {
        let bytes = cards.get(game)?;
        let card = GameCard::read(&bytes)?;
        let [white, black] = [KnownTag::White, KnownTag::Black].map(|tag| names.of(card.tag(tag)).surnames);
        let (found, hint) = search_keys(&card, pairings(&white, &black));
        let kinds = [Shared::End, Shared::Pairing, Shared::Id].map(Some);
        let found = found.into_iter().filter(|key| kinds.contains(&Shared::of(*key))).chain(header_key(&card));
        // A game may have a key twice.
        let found: BTreeSet<u64> = found.collect();
        Ok(found.into_iter().map(|key| [key, game, hint.0]).collect())
    };
    let found: Vec<Vec<[u64; 3]>> = games.into_par_iter().map_init(NameMemory::default, keys_of).collect::<io::Result<_>>()?;
    found.into_iter().flatten().try_for_each(|entry| keys.push(entry))
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

impl Cards {
    /// The bytes of these games.
    fn bytes(&self, games: &[[u64; 3]]) -> io::Result<Vec<Cow<'_, [u8]>>> {
        games.iter().map(|[_, game, _]| self.get(*game)).collect()
    }

    /// Matches games with the same moves.
    fn match_equal(&self, group: Group<'_, 3>) -> io::Result<Matched> {
        let (mut matched, mut left) = (Matched::default(), [group.first.to_vec(), group.second.to_vec()]);
        let number_of_pairs = |[a, b]: &[Vec<[u64; 3]>; 2]| a.len().saturating_mul(b.len());
        for level in [2, 1, 0] {
            if number_of_pairs(&left) > MAX_PAIRS {
                left = self.match_in_order(left, level, &mut matched)?;
            }
        }
        if number_of_pairs(&left) <= MAX_PAIRS {
            left = self.match_best(left, &mut matched)?;
        }
        matched.rest = left.concat();
        Ok(matched)
    }

    /// Matches games with the same moves by comparing all of them. Returns the others.
    fn match_best(&self, [a, b]: [Vec<[u64; 3]>; 2], matched: &mut Matched) -> io::Result<[Vec<[u64; 3]>; 2]> {
        let (bytes, other_bytes) = (self.bytes(&a)?, self.bytes(&b)?);
        let (cards, other_cards) = (GameCard::read_all(&bytes)?, GameCard::read_all(&other_bytes)?);
        let [games, other_games] = [&cards, &other_cards].map(|cards| cards.iter().map(Subject::new).collect::<Vec<_>>());
        let mut pairs = Vec::new();
        for (at, one) in games.iter().enumerate() {
            for (other_at, other) in other_games.iter().enumerate() {
                pairs.extend(agreement(one, other).map(|agreement| (Reverse(agreement), at, other_at)));
            }
        }
        pairs.sort_unstable();
        let mut left = [vec![true; a.len()], vec![true; b.len()]];
        for (_, at, other_at) in pairs {
            if left[0][at] && left[1][other_at] {
                (left[0][at], left[1][other_at]) = (false, false);
                matched.add([a[at][1], b[other_at][1]], &cards[at], &other_cards[other_at]);
            }
        }
        let mut sides = [a, b];
        for (games, left) in sides.iter_mut().zip(left) {
            let mut left = left.into_iter();
            games.retain(|_| left.next() == Some(true));
        }
        Ok(sides)
    }

    /// Matches games with the same moves and the same key of this level, in their order. Returns
    /// the others.
    fn match_in_order(&self, [a, b]: [Vec<[u64; 3]>; 2], level: usize, matched: &mut Matched) -> io::Result<[Vec<[u64; 3]>; 2]> {
        let keyed = |games: Vec<[u64; 3]>| -> io::Result<Vec<(u64, [u64; 3])>> {
            let key = |game: [u64; 3]| Ok((players_key(&GameCard::read(&self.get(game[1])?)?, level), game));
            let mut keyed: Vec<_> = games.into_iter().map(key).collect::<io::Result<_>>()?;
            keyed.sort_unstable();
            Ok(keyed)
        };
        let (pairs, left) = join(&keyed(a)?, &keyed(b)?, |(key, _)| *key);
        for [(_, one), (_, other)] in pairs {
            let (bytes, other_bytes) = (self.get(one[1])?, self.get(other[1])?);
            matched.add([one[1], other[1]], &GameCard::read(&bytes)?, &GameCard::read(&other_bytes)?);
        }
        Ok(left.map(|games| {
            let mut games: Vec<[u64; 3]> = games.into_iter().map(|(_, game)| game).collect();
            games.sort_unstable();
            games
        }))
    }

    /// The pairs of games of a group that are likely versions of each other: how far they are from
    /// each other, and both places.
    fn related(&self, group: Group<'_, 3>) -> io::Result<Vec<[u64; 3]>> {
        if !group.is_in_both() {
            return Ok(Vec::new());
        }
        let Group { key, first, second } = group;
        let (bytes, other_bytes) = (self.bytes(first)?, self.bytes(second)?);
        let (cards, other_cards) = (GameCard::read_all(&bytes)?, GameCard::read_all(&other_bytes)?);
        let [games, other_games] = [&cards, &other_cards].map(|cards| cards.iter().map(Subject::new).collect::<Vec<_>>());
        let (shared, no_names) = (Shared::of(key), SameNames::default());
        let mut pairs = Vec::new();
        for ([_, at, hint], one) in first.iter().zip(&games) {
            let may_fit = |([_, _, other_hint], other): &(&[u64; 3], &Subject<'_, '_>)| match shared {
                Some(Shared::Pairing) => {
                    Hint(*hint).may_have_date_of(Hint(*other_hint)) && one.may_be_related_to(other, &no_names)
                }
                _ => true,
            };
            for ([_, other_at, _], other) in second.iter().zip(&other_games).filter(may_fit).take(MAX_ALIKE) {
                pairs.extend(closeness(one, other, shared.is_none()).map(|closeness| [!closeness, *at, *other_at]));
            }
        }
        Ok(pairs)
    }
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
    cards: Cards,
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
    pub changes: DifferenceKinds,
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
    /// Number of games with each change, in the order of [`DifferenceKind::ALL`].
    pub by_change: [u64; DifferenceKind::ALL.len()],
}

impl DifferenceCounts {
    /// Number of games with this change.
    pub const fn of(&self, change: DifferenceKind) -> u64 {
        self.by_change[change as usize]
    }

    /// Whether the corpora have the same games.
    pub fn are_equal(&self) -> bool {
        self.by_change.iter().all(|games| *games == 0)
    }
}

impl Differences {
    /// Shows all games that differ: those that are only in the second corpus, in its order, and
    /// then the others in the order of the first one.
    pub fn for_each(self, mut take: impl FnMut(&GameDifference<'_>) -> io::Result<()>) -> io::Result<DifferenceCounts> {
        let Differences { cards, inputs, found, games: [games_a, games_b], equal } = self;
        let mut counts = DifferenceCounts { games_a, games_b, equal, ..DifferenceCounts::default() };
        for pair in found.sorted()? {
            let bytes = pair?.map(|game| game.checked_sub(SOME).map(|game| cards.get(game)).transpose());
            let [bytes, other_bytes] = bytes;
            let (bytes, other_bytes) = (bytes?, other_bytes?);
            let [card, other] = [&bytes, &other_bytes].map(|bytes| bytes.as_deref().map(GameCard::read).transpose());
            let (card, other) = (card?, other?);
            let mut found = DifferenceKinds::new();
            match (&card, &other) {
                (Some(card), Some(other)) => {
                    found = changes(card, other);
                    if found.is_empty() {
                        counts.equal += 1;
                        continue;
                    }
                    counts.changed += 1;
                }
                (Some(_), None) => found.push(DifferenceKind::OnlyInA),
                (None, _) => found.push(DifferenceKind::OnlyInB),
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
