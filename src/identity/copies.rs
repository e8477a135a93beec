//! Finds the copies among the games of a run.
//!
//! Games that share a key are candidates, which are compared by their cards. Copies are connected
//! to clusters, and of each cluster one game is kept. Nothing depends on the order of inputs.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    io,
    sync::Arc,
};

use super::{
    GameCard, GameDate, Judgement, KeepReason, ListedPlayer, NotCompared, Player, PlayerName, RatingList, RecordKeys, SameNames,
    Shared, Spellings,
    candidate_keys::names_order,
    candidates::{Found, compare_candidates},
    cards::Cards,
    group::Context,
    numbered::number_alike,
    pairing_keys,
    pairs::Pairs,
    relate::{KeptRow, Relations, Row, kept_of, relate},
    search_keys,
};
use crate::identity::{
    headers::{oddities::find_oddities, oddity::Oddity},
    names::players::{FoundPlayers, Players, find_players},
};
use crate::{
    pgn::KnownTag,
    spill::{Sorted, Sorter, WrittenLog},
};

/// Maximum number of keys of games with other names of a player in memory, and of such games.
const MAX_OTHER: usize = 1 << 15;

/// Maximum number of copies from which the tags of a kept game are completed.
const MAX_COPIES: usize = 1 << 11;

/// A record and its number among those that are alike, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbered<T> {
    /// The record.
    pub record: T,
    /// The number.
    pub number: u64,
}

/// A game and another one to which it is related, by the places of their cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Related {
    /// The game.
    pub game: u64,
    /// The other game.
    pub other: u64,
    /// What they are; `None` if they are nothing that is reported.
    pub judgement: Option<Judgement>,
    /// The number of the cluster that both belong to, from 1; `None` if they are not surely copies.
    pub cluster: Option<u64>,
    /// The game of the cluster that is kept instead of this one, and why. `None` if neither need be
    /// removed.
    pub kept: Option<(u64, KeepReason)>,
    /// The group of games with equal moves under unlike names, see [`Copies::unlike`]. These are
    /// the first two.
    pub unlike: Option<u64>,
}

/// A game that is kept, and its copies, by the places of their cards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptGame {
    /// The game.
    pub game: u64,
    /// The number of the cluster.
    pub cluster: u64,
    /// The games of the cluster that surely are copies of it, in the order of the names of the
    /// inputs and of the places in them. Of many, the first ones. None if the header of any
    /// contradicts.
    pub copies: Vec<u64>,
}

/// Lists about players that were read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lists<'l> {
    /// Spellings of names.
    pub spellings: Option<&'l Spellings>,
    /// FIDE's rating list.
    pub players: Option<&'l Arc<RatingList>>,
}

/// What was found.
#[derive(Debug)]
pub struct Copies {
    cards: Cards,
    rows: Option<Sorted<8>>,
    kept: Option<(Sorted<6>, Sorted<3>)>,
    unlike: WrittenLog,
    /// For each cluster in rows, its number in reports.
    cluster_numbers: Arc<[u32]>,
    /// Number of clusters.
    pub clusters: u64,
    /// Number of games that are copies of a kept one.
    pub surplus: u64,
    /// For each pair of inputs, by their numbers: how many games both have.
    pub overlap: BTreeMap<(u64, u64), u64>,
    /// What was not compared.
    pub not_compared: NotCompared,
    /// Number of games with too few plies to be told from others.
    pub short_games: u64,
    positions: Option<Sorted<4>>,
    /// Names that are those of one player.
    pub names: SameNames,
    players: Option<Players>,
    /// For each group of names, its number of games.
    counts: Pairs,
    /// Games with a name that is not the main one of a player: the rank of the input, the place of
    /// the card, and the number among those that are alike.
    other_spellings: Option<Sorted<3>>,
    oddities: Option<Sorted<7>>,
    rating_list: Option<Arc<RatingList>>,
}

impl Copies {
    /// Shows all players in the order of their names, once.
    pub fn take_players(&mut self, take: impl FnMut(&Player) -> io::Result<()>) -> io::Result<()> {
        self.players.take().map_or(Ok(()), |players| players.for_each(&self.names, self.rating_list.as_deref(), take))
    }

    /// Hands out the related games, once, in the order of the names of the inputs and of the places
    /// in them.
    pub fn take_related(&mut self) -> impl Iterator<Item = io::Result<Numbered<Related>>> + use<> {
        let numbers = Arc::clone(&self.cluster_numbers);
        let number_of = move |cluster: u64| Some(u64::from(*numbers.get(usize::try_from(cluster).ok()?)?));
        self.rows.take().into_iter().flatten().map(move |row| {
            let [_, game, _, other, cluster, kept, judgement, number]: Row = row?;
            let is_copy = cluster > 0;
            let record = Related {
                game,
                other,
                judgement: Judgement::of_number(judgement),
                cluster: number_of(cluster).filter(|_| is_copy),
                kept: kept_of(kept).filter(|_| is_copy),
                unlike: kept.checked_sub(1).filter(|_| !is_copy),
            };
            Ok(Numbered { record, number })
        })
    }

    /// Hands out the games that are kept, once, in the order of the names of the inputs and of the
    /// places in them.
    pub fn take_kept(&mut self) -> impl Iterator<Item = io::Result<Numbered<KeptGame>>> + use<> {
        let cluster_numbers = Arc::clone(&self.cluster_numbers);
        let (rows, numbers) = self.kept.take().map_or((None, None), |(rows, numbers)| (Some(rows), Some(numbers)));
        let mut rows = rows.into_iter().flatten().peekable();
        numbers.into_iter().flatten().map(move |kept| {
            let [_, game, number] = kept?;
            let mut record = KeptGame { game, ..KeptGame::default() };
            let (mut copies, mut has_contradiction) = (0, false);
            while let Some(row) = rows.next_if(|row| row.as_ref().is_ok_and(|row| row[1] == game)) {
                let [_, _, _, copy, cluster, judgement]: KeptRow = row?;
                let judgement = Judgement::of_number(judgement);
                record.cluster = cluster_numbers.get(cluster as usize).copied().unwrap_or(0).into();
                if copies < MAX_COPIES {
                    copies += 1;
                    has_contradiction |= judgement.is_some_and(|found| !found.contradictions.is_empty());
                    record.copies.extend(judgement.filter(Judgement::are_copies).map(|_| copy));
                }
            }
            // Only a person can find out which header is right.
            if has_contradiction {
                record.copies.clear();
            }
            match rows.next_if(Result::is_err) {
                Some(Err(error)) => Err(error),
                _ => Ok(Numbered { record, number }),
            }
        })
    }

    /// Hands out each position that equals an earlier one, once, in the order of the names of the
    /// inputs and of the places in them: the places of its card and of the other one.
    pub fn take_positions(&mut self) -> impl Iterator<Item = io::Result<Numbered<(u64, u64)>>> + use<> {
        let positions = self.positions.take().into_iter().flatten();
        positions.map(|pair| pair.map(|[_, position, other, number]| Numbered { record: (position, other), number }))
    }

    /// Hands out what headers say against games, once, in the order of the names of the inputs and
    /// of the places in them: the place of the card, and what it is.
    pub fn take_oddities(&mut self) -> impl Iterator<Item = io::Result<Numbered<(u64, Oddity)>>> + use<> {
        let read = |row| Oddity::of_row(row).map(|(at, oddity, number)| Numbered { record: (at, oddity), number });
        self.oddities.take().into_iter().flatten().filter_map(move |row| row.map(read).transpose())
    }

    /// Hands out each game with a name that is not the main one of a player, once, in the order of
    /// the names of the inputs and of the places in them: the places of their cards.
    pub fn take_other_spellings(&mut self) -> impl Iterator<Item = io::Result<Numbered<u64>>> + use<> {
        let games = self.other_spellings.take().into_iter().flatten();
        games.map(|game| game.map(|[_, record, number]| Numbered { record, number }))
    }

    /// A group of games with equal moves under unlike names: their number, and the places of the
    /// cards of the first ones, in the order of the names of the inputs and of the places in them.
    pub fn unlike(&self, group: u64) -> io::Result<(u64, Vec<u64>)> {
        let bytes = self.unlike.get(group)?;
        let mut numbers = bytes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
        Ok((numbers.next().unwrap_or(0), numbers.collect()))
    }

    /// The number of games of players with this name, in all its spellings.
    pub fn games_of(&self, name: &PlayerName) -> io::Result<u64> {
        Ok(self.counts.find(name.group())?.map_or(0, |(_, games)| games))
    }

    /// The player with this id in the rating list.
    pub fn listed(&self, id: u64) -> io::Result<Option<ListedPlayer>> {
        self.rating_list.as_ref().map_or(Ok(None), |list| list.find(id))
    }

    /// The bytes of the card at this place, for [`GameCard::read`] or
    /// [`PositionCard::read`](super::PositionCard::read).
    pub fn card(&self, place: u64) -> io::Result<Cow<'_, [u8]>> {
        self.cards.bytes(place)
    }

    /// The name of an input.
    pub fn input(&self, number: u64) -> &str {
        self.cards.input(number).unwrap_or_default()
    }
}

/// Finds the copies among the games with these cards, search keys and players.
pub(super) fn find_copies(
    cards: Cards,
    search_keys: Sorter<3>,
    players: Sorter<5>,
    lists: Lists<'_>,
    keys: RecordKeys,
) -> io::Result<Copies> {
    let (ranks, no_names) = (cards.ranks(), SameNames::default());
    let context = Context { cards: &cards, ranks: &ranks, names: &no_names, keys };
    let mut found = Found::default();
    compare_candidates(context, search_keys, &mut found)?;
    let evidence = std::mem::replace(&mut found.evidence, Sorter::with_limit(0));
    let FoundPlayers { players, counts, names, games } = find_players(&cards, players, evidence, lists.spellings)?;
    let context = Context { names: &names, ..context };
    let mut other_spellings = Sorter::with_limit(MAX_OTHER);
    if !names.is_empty() {
        let search_keys = keys_of_other_names(context, games, &mut other_spellings)?;
        compare_candidates(context, search_keys, &mut found)?;
    }
    let oddities = find_oddities(context, lists.players.map(|list| &**list))?;
    let Found { pairs, positions, unlike, not_compared, .. } = found;
    let Relations { rows, kept, kept_numbers, unlike, cluster_numbers, surplus, overlap } = relate(context, pairs, unlike)?;
    Ok(Copies {
        rows: Some(rows),
        kept: Some((kept, kept_numbers)),
        unlike,
        clusters: cluster_numbers.len() as u64 - 1,
        cluster_numbers: cluster_numbers.into(),
        surplus,
        overlap,
        not_compared,
        short_games: 0,
        positions: Some(number_alike(positions, MAX_OTHER)?.sorted()?),
        names,
        players: Some(players),
        counts,
        oddities: Some(oddities),
        rating_list: lists.players.cloned(),
        other_spellings: Some(number_alike(other_spellings, MAX_OTHER)?.sorted()?),
        cards,
    })
}

/// The search keys of these games with all names of their players. Notes those with a name that is
/// not the main one: what tells each from others, the rank of its input, and the place of its card.
fn keys_of_other_names(context: Context<'_>, games: Sorter<1>, other_spellings: &mut Sorter<3>) -> io::Result<Sorter<3>> {
    let Context { cards, names, keys, .. } = context;
    let mut search = Sorter::with_limit(MAX_OTHER);
    let mut last = None;
    for entry in games.sorted()? {
        let [place] = entry?;
        if last.replace(place) == Some(place) {
            continue;
        }
        let bytes = cards.bytes(place)?;
        let card = GameCard::read(&bytes)?;
        let own = [KnownTag::White, KnownTag::Black].map(|tag| PlayerName::new(card.tag(tag)));
        if own.iter().any(|name| names.main_spelling(name).is_some())
            && let Some(rank) = context.rank(card.place.input)
        {
            other_spellings.push([(keys.game)(&card), rank, place])?;
        }
        // Games under compatible names were compared before.
        let has_other = |name: &PlayerName| names.of(name).iter().any(|other| !other.may_be(name));
        if !own.iter().any(has_other) {
            continue;
        }
        let [white, black] = own.each_ref().map(|name| match names.of(name) {
            [] => std::slice::from_ref(name),
            names => names,
        });
        let pairings: BTreeSet<u64> =
            white.iter().flat_map(|white| black.iter().flat_map(|black| pairing_keys(white, black))).collect();
        let (found, hint) = search_keys(&card, pairings.into_iter());
        let order = names_order(own.each_ref().map(PlayerName::group), GameDate::of(&card));
        for key in found {
            let order = Shared::of(key).map_or(0, |shared| shared.order(hint, order));
            search.push([key, order, place])?;
        }
    }
    Ok(search)
}
