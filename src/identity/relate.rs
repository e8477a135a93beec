//! Decides what is reported of copies: for each one that need not be kept, the one that is kept,
//! and games that are related otherwise.
//!
//! All that grows with the number of copies is in sorted runs, but for eight bytes of each game
//! with copies.

use std::{
    borrow::Cow,
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
    io,
};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::{
    Field, GameCard, Judgement, KeepReason, Subject, compare_copies,
    group::{Context, MAX_UNLIKE, OTHER_SPELLING, UNLIKE},
    judge::KIND,
    judge_subjects,
    numbered::number_alike,
};
use crate::identity::names::clusters::{Clusters, Connections, Members};
use crate::spill::{Log, Sorted, Sorter, WrittenLog};

/// Maximum number of entries of a kind in memory.
const MAX_IN_MEMORY: usize = 1 << 15;

/// Maximum number of bytes of games under unlike names in memory.
const MAX_BYTES: usize = 1 << 18;

/// Number of games in clusters, and of related games, that are looked at at the same time.
const AT_ONCE: usize = 1 << 12;

/// Number of the best copies of a game of which another one may be a copy.
const MAX_PARTNERS: usize = 64;

/// What is reported of two related games: the rank of the input and the place of the card of each,
/// the number of the cluster, from 1, or 0, what is kept, the number of the [`Judgement`], and the
/// number among reports that are alike.
pub(super) type Row = [u64; 8];

/// A copy that is kept and another one: the ranks of their inputs, the places of their cards, the
/// number of the cluster, from 1, and that of the [`Judgement`].
pub(super) type KeptRow = [u64; 6];

/// What is kept, in a [`Row`] of a cluster: the place of the card, and the reason.
const fn kept_number(game: u64, reason: KeepReason) -> u64 {
    game << 4 | reason as u64
}

/// What [`kept_number`] says.
pub(super) fn kept_of(number: u64) -> Option<(u64, KeepReason)> {
    Some((number >> 4, *KeepReason::ALL.get((number & 15) as usize)?))
}

/// How the games of a run are related.
#[derive(Debug)]
pub(super) struct Relations {
    pub rows: Sorted<8>,
    pub kept: Sorted<6>,
    /// The kept games, each with the rank of its input before it, and its number among those that
    /// are alike after it.
    pub kept_numbers: Sorted<3>,
    /// Games with equal moves under unlike names: of each group their number, and the places of the
    /// first ones.
    pub unlike: WrittenLog,
    /// For each cluster in a row, its number in reports, from 1.
    pub cluster_numbers: Vec<u32>,
    /// Number of games that are copies of a kept one.
    pub surplus: u64,
    /// For each pair of inputs, by their numbers: how many games both have.
    pub overlap: BTreeMap<(u64, u64), u64>,
}

/// Decides what is reported of games with these relations. `unlike` are games with equal moves
/// under unlike names.
pub(super) fn relate(context: Context<'_>, pairs: Sorter<3>, unlike: Log) -> io::Result<Relations> {
    let mut connections = Connections::default();
    let mut others = Sorter::with_limit(MAX_IN_MEMORY);
    let mut open = Vec::new();
    for pair in pairs.sorted()? {
        let [one, other, judgement] = pair?;
        if judgement >> KIND == 0 {
            connections.push(one, other)?;
        } else if judgement != OTHER_SPELLING {
            others.push([one, other, judgement])?;
        } else if !context.names.is_empty() {
            open.push((one, other));
            if open.len() == AT_ONCE {
                connect_copies(context, &mut open, &mut connections)?;
            }
        }
    }
    connect_copies(context, &mut open, &mut connections)?;
    let (members, clusters) = connections.clusters()?;
    let mut relating = Relating {
        context,
        members,
        clusters,
        rows: Sorter::with_limit(MAX_IN_MEMORY),
        kept: Sorter::with_limit(MAX_IN_MEMORY),
        kept_subjects: Sorter::with_limit(MAX_IN_MEMORY),
        first_rows: Sorter::with_limit(MAX_IN_MEMORY),
        unlike: Log::with_limit(MAX_BYTES),
        open: Vec::new(),
        number: 0,
        surplus: 0,
        overlap: BTreeMap::new(),
    };
    relating.relate_copies()?;
    relating.relate_others(others)?;
    relating.relate_unlike(&unlike.written())?;
    relating.judge_open()?;
    relating.end()
}

/// Connects those of `open` games that are copies because names are those of one player.
fn connect_copies(context: Context<'_>, open: &mut Vec<(u64, u64)>, connections: &mut Connections) -> io::Result<()> {
    let judge = |(one, other): (u64, u64)| {
        let judgement = Reader(context).judge(one, other)?;
        Ok(judgement.is_some_and(|found| found.are_copies()).then_some((one, other)))
    };
    let copies: Vec<Option<(u64, u64)>> = open.par_drain(..).map(judge).collect::<io::Result<_>>()?;
    copies.into_iter().flatten().try_for_each(|(one, other)| connections.push(one, other))
}

/// The best copies of one game.
struct Best {
    /// The places of their cards, that of the best one first.
    games: Vec<u64>,
    /// The numbers of the inputs of all copies.
    inputs: BTreeSet<u64>,
}

/// A copy that need not be kept.
struct Surplus {
    game: Reported,
    /// A game of which it surely is a copy.
    partner: Reported,
    /// What the game and that one are.
    judgement: Option<Judgement>,
    /// What the game and the kept one are.
    of_kept: Option<Judgement>,
    /// Why the kept one is better.
    reason: KeepReason,
}

/// Two games that are not surely copies of each other: the places of their cards, what was found
/// when they were compared, see [`Pair`](super::group::Pair), and the group under unlike names,
/// from 1, or
/// 0.
type Others = [u64; 4];

/// A game as it is reported.
#[derive(Clone, Copy)]
struct Reported {
    /// The rank of its input.
    rank: u64,
    /// The place of its card.
    at: u64,
    /// What tells it from others in reports.
    key: u64,
}

/// Reads cards and decides.
struct Relating<'c> {
    context: Context<'c>,
    members: Members,
    clusters: Clusters,
    /// What tells the two games from others, and a [`Row`] without its last number.
    rows: Sorter<8>,
    kept: Sorter<6>,
    /// What tells a kept game from others, the rank of its input, and the place of its card.
    kept_subjects: Sorter<3>,
    /// The first row of each cluster, as the rank of the input and the place of the card, and the
    /// number of the cluster.
    first_rows: Sorter<3>,
    unlike: Log,
    /// Games that are still to be judged.
    open: Vec<Others>,
    /// Number of clusters.
    number: u64,
    surplus: u64,
    overlap: BTreeMap<(u64, u64), u64>,
}

impl Relating<'_> {
    /// Decides which game of each cluster is kept.
    fn relate_copies(&mut self) -> io::Result<()> {
        let members = self.clusters.members()?;
        let (mut waiting, mut open): (Vec<Vec<u32>>, Vec<u32>) = (Vec::new(), Vec::new());
        let (mut root, mut games) = (0, 0);
        for entry in members.sorted()? {
            let [of, game] = entry?;
            if of != root && !open.is_empty() {
                games += open.len();
                waiting.push(std::mem::take(&mut open));
                if games >= AT_ONCE {
                    games = 0;
                    self.end_clusters(&mut waiting)?;
                }
            }
            root = of;
            open.push(u32::try_from(game).map_err(io::Error::other)?);
        }
        waiting.push(open);
        waiting.retain(|cluster| !cluster.is_empty());
        self.end_clusters(&mut waiting)
    }

    /// Notes what is reported of these clusters.
    fn end_clusters(&mut self, waiting: &mut Vec<Vec<u32>>) -> io::Result<()> {
        let reader = Reader(self.context);
        let of = |numbers: &Vec<u32>| {
            let best = reader.best_of(&self.members, numbers)?;
            // Of a large cluster, not everything fits in memory.
            let surplus = if numbers.len() > AT_ONCE { None } else { Some(reader.surplus(&self.members, &best, numbers)?) };
            Ok((best, surplus))
        };
        let clusters: Vec<(Best, Option<Vec<Surplus>>)> = waiting.par_iter().map(of).collect::<io::Result<_>>()?;
        for ((best, surplus), numbers) in clusters.into_iter().zip(waiting.drain(..)) {
            self.number += 1;
            for one in &best.inputs {
                best.inputs.range(one + 1..).for_each(|other| *self.overlap.entry((*one, *other)).or_insert(0) += 1);
            }
            let kept = reader.reported(best.games[0])?;
            self.kept_subjects.push([kept.key, kept.rank, kept.at])?;
            let mut first = None;
            match surplus {
                Some(surplus) => self.end_cluster(kept, surplus, &mut first)?,
                None => {
                    for part in numbers.chunks(AT_ONCE) {
                        let surplus = reader.surplus(&self.members, &best, part)?;
                        self.end_cluster(kept, surplus, &mut first)?;
                    }
                }
            }
            if let Some((rank, at)) = first {
                self.first_rows.push([rank, at, self.number])?;
            }
            if let Some(kept) = self.members.number_of(kept.at)? {
                numbers.into_iter().for_each(|game| self.clusters.keep(game, kept));
            }
        }
        Ok(())
    }

    /// Notes what is reported of copies of a game that is kept, and the first one of its cluster.
    fn end_cluster(&mut self, kept: Reported, surplus: Vec<Surplus>, first: &mut Option<(u64, u64)>) -> io::Result<()> {
        self.surplus += surplus.len() as u64;
        for Surplus { game, partner, judgement, of_kept, reason } in surplus {
            let place = (game.rank, game.at);
            *first = Some(first.map_or(place, |first| first.min(place)));
            self.kept.push([kept.rank, kept.at, game.rank, game.at, self.number, Judgement::number(of_kept)])?;
            self.push([game, partner], self.number, kept_number(kept.at, reason), 0, judgement)?;
        }
        Ok(())
    }

    /// The game that is kept for the one whose card is at `place`.
    fn kept_for(&self, place: u64) -> io::Result<u64> {
        let number = self.members.number_of(place)?;
        number.map_or(Ok(place), |number| Ok(self.members.get(self.clusters.kept(number))?.0))
    }

    /// Notes what is reported of games that are not surely copies of each other. Of copies, only
    /// the kept one is compared with other games.
    fn relate_others(&mut self, others: Sorter<3>) -> io::Result<()> {
        let mut by_kept = Sorter::with_limit(MAX_IN_MEMORY);
        for entry in others.sorted()? {
            let [one, other, found] = entry?;
            let (kept, other_kept) = (self.kept_for(one)?, self.kept_for(other)?);
            if kept != other_kept {
                by_kept.push([kept.min(other_kept), kept.max(other_kept), one, other, found])?;
            }
        }
        let mut last = None;
        for entry in by_kept.sorted()? {
            let [kept, other_kept, one, other, found] = entry?;
            if last.replace((kept, other_kept)) != Some((kept, other_kept)) {
                self.push_others([one, other, found, 0])?;
            }
        }
        Ok(())
    }

    /// Notes what is reported of games that are not surely copies of each other.
    fn push_others(&mut self, others: Others) -> io::Result<()> {
        self.open.push(others);
        if self.open.len() == AT_ONCE { self.judge_open() } else { Ok(()) }
    }

    /// Judges the open games, and notes what is reported of them.
    fn judge_open(&mut self) -> io::Result<()> {
        let reader = Reader(self.context);
        let judge = |others: Others| Ok((others, reader.judge_others(others)?));
        let judged: Vec<_> = self.open.par_drain(..).map(judge).collect::<io::Result<_>>()?;
        judged
            .into_iter()
            .try_for_each(|([_, _, found, unlike], (games, judgement))| self.push(games, 0, unlike, found >> KIND, judgement))
    }

    /// Notes what is reported of groups of games under unlike names.
    fn relate_unlike(&mut self, unlike: &WrittenLog) -> io::Result<()> {
        let reader = Reader(self.context);
        unlike.for_each(|_, bytes| {
            let mut numbers = bytes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
            let number = numbers.next().unwrap_or(0);
            let listed = numbers.len();
            let mut games = BTreeSet::new();
            for at in numbers {
                let game = reader.reported(self.kept_for(at)?)?;
                games.insert((game.rank, game.at));
            }
            // If all are listed, it is known how many are copies of each other.
            let number = if listed < MAX_UNLIKE { games.len() as u64 } else { number };
            let places: Vec<u64> = games.into_iter().map(|(_, at)| at).collect();
            let [one, other, ..] = places[..] else { return Ok(()) };
            let unlike = if places.len() > 2 {
                let bytes: Vec<u8> = std::iter::once(&number).chain(&places).flat_map(|number| number.to_le_bytes()).collect();
                self.unlike.push([&bytes])? + 1
            } else {
                0
            };
            self.push_others([one, other, UNLIKE, unlike])
        })
    }

    /// Puts all in an order that does not depend on that of the inputs.
    fn end(self) -> io::Result<Relations> {
        let mut cluster_numbers = vec![0; usize::try_from(self.number).map_err(io::Error::other)? + 1];
        for (number, entry) in (1..).zip(self.first_rows.sorted()?) {
            let [.., cluster] = entry?;
            cluster_numbers[cluster as usize] = number;
        }
        Ok(Relations {
            rows: number_alike(self.rows, MAX_IN_MEMORY)?.sorted()?,
            kept: self.kept.sorted()?,
            kept_numbers: number_alike(self.kept_subjects, MAX_IN_MEMORY)?.sorted()?,
            unlike: self.unlike.written(),
            cluster_numbers,
            surplus: self.surplus,
            overlap: self.overlap,
        })
    }

    /// Adds what is reported of two games. `kind` is that of their pair.
    fn push(
        &mut self,
        [game, other]: [Reported; 2],
        cluster: u64,
        kept: u64,
        kind: u64,
        judgement: Option<Judgement>,
    ) -> io::Result<()> {
        let subject = xxh3_64([game.key, other.key, kind].map(u64::to_le_bytes).as_flattened());
        self.rows.push([subject, game.rank, game.at, other.rank, other.at, cluster, kept, Judgement::number(judgement)])
    }
}

/// Reads cards.
#[derive(Clone, Copy)]
struct Reader<'c>(Context<'c>);

impl Reader<'_> {
    fn of(&self, card: &GameCard<'_>, at: u64) -> Reported {
        Reported { rank: self.0.rank(card.place.input).unwrap_or_default(), at, key: (self.0.keys.game)(card) }
    }

    /// The game whose card is at `at`.
    fn reported(&self, at: u64) -> io::Result<Reported> {
        let bytes = self.0.cards.bytes(at)?;
        Ok(self.of(&GameCard::read(&bytes)?, at))
    }

    /// What the games with these cards are.
    fn judge(&self, one: u64, other: u64) -> io::Result<Option<Judgement>> {
        let (bytes, other_bytes) = (self.0.cards.bytes(one)?, self.0.cards.bytes(other)?);
        let (card, other_card) = (GameCard::read(&bytes)?, GameCard::read(&other_bytes)?);
        Ok(judge_subjects(&Subject::new(&card), &Subject::new(&other_card), self.0.names))
    }

    /// Two games in the order in which they are reported, and what they are: the later one first,
    /// or the earlier one of a group of games under unlike names.
    fn judge_others(&self, [one, other, found, unlike]: Others) -> io::Result<([Reported; 2], Option<Judgement>)> {
        let [one, other] = [self.reported(one)?, self.reported(other)?];
        let is_later = (one.rank, one.at) > (other.rank, other.at);
        let games = if is_later == (unlike == 0) { [one, other] } else { [other, one] };
        // Names of one player were not known when games were compared. With other colours, the
        // names that contradict depend on the order.
        let is_final = |found: &Judgement| self.0.names.is_empty() && !found.contradictions.contains(Field::Colours);
        let judgement = match Judgement::of_number(found).filter(is_final) {
            None => self.judge(games[0].at, games[1].at)?,
            found => found,
        };
        Ok((games, judgement))
    }

    fn compare(&self, one: &GameCard<'_>, other: &GameCard<'_>) -> (Ordering, KeepReason) {
        compare_copies(one, other, |input| self.0.cards.named(input))
    }

    /// The best of the games with these numbers. There is one at least.
    fn best_of(&self, members: &Members, numbers: &[u32]) -> io::Result<Best> {
        let mut best = Best { games: Vec::new(), inputs: BTreeSet::new() };
        for part in numbers.chunks(AT_ONCE) {
            let mut games = std::mem::take(&mut best.games);
            for number in part {
                games.push(members.get(*number)?.0);
            }
            let bytes: Vec<Cow<'_, [u8]>> = games.iter().map(|at| self.0.cards.bytes(*at)).collect::<io::Result<_>>()?;
            let cards = games.iter().zip(&bytes).map(|(at, bytes)| Ok((*at, GameCard::read(bytes)?)));
            let mut cards: Vec<(u64, GameCard<'_>)> = cards.collect::<io::Result<_>>()?;
            best.inputs.extend(cards.iter().map(|(_, card)| card.place.input));
            cards.sort_by(|(_, one), (_, other)| self.compare(one, other).0);
            best.games = cards.iter().map(|(at, _)| *at).take(MAX_PARTNERS).collect();
        }
        Ok(best)
    }

    /// What is reported of the games with these numbers, apart from the best one: each with the
    /// kept one, if it surely is a copy of it, or else with the best one of which it is.
    fn surplus(&self, members: &Members, best: &Best, numbers: &[u32]) -> io::Result<Vec<Surplus>> {
        let (cards, names) = (self.0.cards, self.0.names);
        let bytes: Vec<Cow<'_, [u8]>> = best.games.iter().map(|at| cards.bytes(*at)).collect::<io::Result<_>>()?;
        let best_cards = GameCard::read_all(&bytes)?;
        let partners: Vec<(u64, Subject<'_, '_>)> = best.games.iter().copied().zip(best_cards.iter().map(Subject::new)).collect();
        let mut surplus = Vec::with_capacity(numbers.len());
        for number in numbers {
            let (at, copy) = members.get(*number)?;
            if at == best.games[0] {
                continue;
            }
            let bytes = cards.bytes(at)?;
            let card = GameCard::read(&bytes)?;
            let subject = Subject::new(&card);
            let of_kept = judge_subjects(&subject, &partners[0].1, names);
            let mut judged = partners.iter().filter(|(other, _)| *other != at).map(|(other, partner)| {
                let judgement = if *other == best.games[0] { of_kept } else { judge_subjects(&subject, partner, names) };
                (self.of(partner.card, *other), judgement)
            });
            let (partner, judgement) = match judged.find(|(_, judgement)| judgement.is_some_and(|found| found.are_copies())) {
                Some(found) => found,
                None => (self.reported(copy)?, self.judge(at, copy)?),
            };
            let reason = self.compare(&best_cards[0], &card).1;
            surplus.push(Surplus { game: self.of(&card, at), partner, judgement, of_kept, reason });
        }
        Ok(surplus)
    }
}
