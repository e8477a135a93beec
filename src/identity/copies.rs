//! Finds the copies among the games of a run.
//!
//! Games that share a key are candidates. Each pair of them is judged by its cards. Copies are
//! connected to clusters, and of each cluster one game is kept. Nothing depends on the order of
//! inputs.

use std::{
    borrow::Cow,
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
    io,
};

use rayon::prelude::*;

use super::{
    Certainty, GameCard, GameDate, Hint, Judgement, KeepReason, Player, PlayerName, Ply, SameNames, Shared, Sketch, Spellings,
    Subject, Verdict,
    cards::Cards,
    clusters::Clusters,
    compare_copies, judge_subjects, may_be_versions, pairing_keys,
    players::{FoundPlayers, Players, evidence, find_players},
    positions::{PositionPair, pair_positions},
    search_keys,
};
use crate::{
    pgn::KnownTag,
    spill::{Sorted, Sorter},
};

/// Maximum number of games that are compared if they share only an opening and the surnames, or
/// only the surnames and a year.
const MAX_ALIKE: usize = 64;

/// Maximum number of games with equal moves, or an equal last position, that are all compared with
/// each other. Of more, those with equal tags are compared once.
const MAX_EQUAL: usize = 512;

/// Maximum number of different games with one id. An id of more games is that of an event.
const MAX_OF_ID: usize = 8;

/// Number of games in groups that are compared at the same time.
const AT_ONCE: usize = 1 << 13;

/// Maximum number of pairs in memory.
const MAX_PAIRS: usize = 1 << 20;

/// Maximum number of pairs of positions in memory.
const MAX_POSITIONS: usize = 1 << 18;

/// Maximum number of keys of games with other names of a player in memory, and of pairs that join
/// names.
const MAX_OTHER: usize = 1 << 17;

/// The games or positions that share a key, by the places of their cards.
enum Group {
    Games(Shared, Vec<u64>),
    /// Positions in order, each after the rank of its input.
    Positions(Vec<(u64, u64)>),
}

/// Two related games, by the places of their cards, the lower one first, and a [`Relation`].
type Pair = [u64; 3];

/// How two games are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    /// They are surely copies.
    Copies,
    /// The moves are equal, but the names are not.
    OtherNames,
    /// Another relation.
    Other,
}

impl Relation {
    fn of(judgement: &Judgement<'_>) -> Relation {
        match judgement.verdict {
            _ if judgement.are_copies() => Relation::Copies,
            Verdict::WrongHeader => Relation::OtherNames,
            _ => Relation::Other,
        }
    }
}

/// How many games were not compared, because too many share a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NotCompared {
    /// Number of groups.
    pub groups: u64,
    /// Number of games in them.
    pub games: u64,
}

impl NotCompared {
    const fn add(&mut self, other: NotCompared) {
        self.groups += other.groups;
        self.games += other.games;
    }
}

/// A game and another one to which it is related, by the places of their cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Related {
    /// The game.
    pub game: u64,
    /// The other one.
    pub other: u64,
    /// The number of the cluster that both belong to, from 1; `None` if they are not surely copies.
    pub cluster: Option<u64>,
    /// The game of the cluster that is kept instead of this one, and why. `None` if neither need be
    /// removed.
    pub kept: Option<(u64, KeepReason)>,
}

/// A game that is kept, and its copies, by the places of their cards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptGame {
    /// The game.
    pub game: u64,
    /// The number of the cluster.
    pub cluster: u64,
    /// The other games of the cluster, in the order of the names of the inputs and of the places in
    /// them.
    pub copies: Vec<u64>,
}

/// What was found.
#[derive(Debug)]
pub struct Copies {
    cards: Cards,
    /// The relations to report, in the order of the names of the inputs and of the places in them.
    pub related: Vec<Related>,
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
    /// Games with a name that is not the main one of a player: the rank of the input, and the place
    /// of the card.
    other_spellings: Option<Sorted<2>>,
}

impl Copies {
    /// Shows all players in the order of their names, once.
    ///
    /// # Errors
    /// If a temporary file cannot be read or written, or `take` fails.
    pub fn take_players(&mut self, take: impl FnMut(&Player) -> io::Result<()>) -> io::Result<()> {
        self.players.take().map_or(Ok(()), |players| players.for_each(take))
    }

    /// Hands out each position that equals an earlier one, in the order of the names of the inputs
    /// and of the places in them: the places of its card and of the other one.
    pub fn take_positions(&mut self) -> impl Iterator<Item = io::Result<(u64, u64)>> + use<> {
        let positions = self.positions.take();
        positions.into_iter().flatten().map(|pair| pair.map(|[.., position, other]| (position, other)))
    }

    /// Hands out each game with a name that is not the main one of a player, in the order of the
    /// names of the inputs and of the places in them: the places of their cards.
    pub fn take_other_spellings(&mut self) -> impl Iterator<Item = io::Result<u64>> + use<> {
        let games = self.other_spellings.take();
        games.into_iter().flatten().map(|game| game.map(|[_, place]| place))
    }

    /// The games that are kept, in the order of the names of the inputs and of the places in them.
    ///
    /// # Errors
    /// If a temporary file cannot be read.
    pub fn kept(&self) -> io::Result<Vec<KeptGame>> {
        let mut kept: BTreeMap<u64, KeptGame> = BTreeMap::new();
        for Related { game: copy, cluster, kept: of, .. } in &self.related {
            if let (Some((game, _)), Some(cluster)) = (*of, *cluster) {
                let new = KeptGame { game, cluster, copies: Vec::new() };
                kept.entry(game).or_insert(new).copies.push(*copy);
            }
        }
        let place = self.places();
        let mut kept: Vec<(InputPlace, KeptGame)> =
            kept.into_values().map(|kept| Ok((place(kept.game)?, kept))).collect::<io::Result<_>>()?;
        kept.sort_by_key(|(place, _)| *place);
        Ok(kept.into_iter().map(|(_, kept)| kept).collect())
    }

    /// The bytes of the card at this place, for [`GameCard::read`] or
    /// [`PositionCard::read`](super::PositionCard::read).
    ///
    /// # Errors
    /// If a temporary file cannot be read.
    pub fn card(&self, place: u64) -> io::Result<Cow<'_, [u8]>> {
        self.cards.bytes(place)
    }

    /// The name of an input.
    pub fn input(&self, number: u64) -> &str {
        self.cards.input(number).unwrap_or_default()
    }
}

/// Finds the copies among the games with these cards, search keys and players.
///
/// # Errors
/// If a temporary file cannot be read or written.
pub(super) fn find_copies(
    cards: Cards,
    keys: Sorter<3>,
    players: Sorter<5>,
    spellings: Option<&Spellings>,
) -> io::Result<Copies> {
    let mut finder = Finder {
        ranks: cards.ranks(),
        cards,
        names: SameNames::default(),
        pairs: Sorter::with_limit(MAX_PAIRS),
        positions: Sorter::with_limit(MAX_POSITIONS),
        evidence: Sorter::with_limit(MAX_OTHER),
        other_spellings: Sorter::with_limit(MAX_OTHER),
        not_compared: NotCompared::default(),
    };
    finder.search(keys)?;
    let evidence = std::mem::replace(&mut finder.evidence, Sorter::with_limit(0));
    let FoundPlayers { players, names, games } = find_players(&finder.cards, players, evidence, spellings)?;
    if !names.is_empty() {
        finder.names = names;
        let keys = finder.keys_of_other_names(games)?;
        finder.search(keys)?;
    }
    finder.relate(players)
}

impl Finder {
    /// The search keys of these games with all names of their players. Notes those with a name that
    /// is not the main one.
    fn keys_of_other_names(&mut self, games: Sorter<1>) -> io::Result<Sorter<3>> {
        let Finder { cards, names, ranks, other_spellings, .. } = self;
        let mut keys = Sorter::with_limit(MAX_OTHER);
        let mut last = None;
        for entry in games.sorted()? {
            let [place] = entry?;
            if last.replace(place) == Some(place) {
                continue;
            }
            let bytes = cards.bytes(place)?;
            let card = GameCard::read(&bytes)?;
            let own = [KnownTag::White, KnownTag::Black].map(|tag| PlayerName::new(card.tag(tag)));
            if own.iter().any(|name| names.main_spelling(name).is_some()) {
                let rank = usize::try_from(card.place.input).ok().and_then(|input| *ranks.get(input)?);
                rank.map_or(Ok(()), |rank| other_spellings.push([rank, place]))?;
            }
            let [white, black] = own.each_ref().map(|name| match names.of(name) {
                [] => std::slice::from_ref(name),
                names => names,
            });
            let pairings: BTreeSet<u64> =
                white.iter().flat_map(|white| black.iter().flat_map(|black| pairing_keys(white, black))).collect();
            let (found, hint) = search_keys(&card, pairings.into_iter());
            found.into_iter().try_for_each(|key| keys.push([key, place, hint.0]))?;
        }
        Ok(keys)
    }

    /// Compares the games that share a key.
    fn search(&mut self, keys: Sorter<3>) -> io::Result<()> {
        let mut groups: Vec<Group> = Vec::new();
        let (mut key, mut games, mut waiting) = (0, Vec::new(), 0);
        for entry in keys.sorted()? {
            let [next, game, hint] = entry?;
            if next != key {
                waiting += self.end_group(key, &mut games, &mut groups);
                key = next;
                if waiting >= AT_ONCE {
                    waiting = 0;
                    self.compare(&mut groups)?;
                }
            }
            // A name may have two equal keys.
            if games.last().is_none_or(|(last, _)| *last != game) {
                games.push((game, Hint(hint)));
            }
        }
        self.end_group(key, &mut games, &mut groups);
        self.compare(&mut groups)
    }
}

/// The related games or positions of a group.
enum Compared<'n> {
    Games(Comparison<'n>),
    Positions(Vec<PositionPair>),
}

/// Compares games, and positions.
struct Finder {
    /// The rank of each input by its name.
    ranks: Vec<Option<u64>>,
    cards: Cards,
    /// Names that are those of one player, when they are known.
    names: SameNames,
    pairs: Sorter<3>,
    positions: Sorter<4>,
    /// What says that names are those of one player.
    evidence: Sorter<3>,
    /// Games with a name that is not the main one of a player: the rank of the input, and the place
    /// of the card.
    other_spellings: Sorter<2>,
    not_compared: NotCompared,
}

impl Finder {
    /// Adds the games with this key to `groups`, as far as their hints do not exclude that they are
    /// related, and empties the list. Returns their number.
    fn end_group(&mut self, key: u64, games: &mut Vec<(u64, Hint)>, groups: &mut Vec<Group>) -> usize {
        let number = games.len();
        let Some(shared) = Shared::of(key).filter(|_| number > 1) else {
            games.clear();
            return 0;
        };
        if shared == Shared::Position {
            let rank = |input: u64| self.ranks.get(usize::try_from(input).ok()?).copied().flatten();
            let mut positions: Vec<(u64, u64)> = games.drain(..).filter_map(|(at, input)| Some((rank(input.0)?, at))).collect();
            // The cards of an input are in the order of its records.
            positions.sort_unstable();
            groups.push(Group::Positions(positions));
            return number;
        }
        if shared == Shared::Opening && number > MAX_ALIKE {
            self.not_compared.add(NotCompared { groups: 1, games: number as u64 });
            games.clear();
            return 0;
        }
        let have_equal_moves = games.iter().all(|(_, hint)| hint.may_have_moves_of(games[0].1));
        let is_candidate = |at: usize, hint: Hint| match shared {
            Shared::Moves | Shared::Id | Shared::Position => true,
            Shared::End => !have_equal_moves,
            Shared::Pairing if number > MAX_ALIKE => true,
            Shared::Opening | Shared::Pairing => {
                let may_fit = |(of, (_, other)): (usize, &(u64, Hint))| {
                    of != at && !hint.may_have_moves_of(*other) && hint.may_have_date_of(*other)
                };
                games.iter().enumerate().any(may_fit)
            }
        };
        let candidates: Vec<u64> =
            games.iter().enumerate().filter(|(at, (_, hint))| is_candidate(*at, *hint)).map(|(_, (game, _))| *game).collect();
        games.clear();
        if candidates.len() < 2 {
            return 0;
        }
        let number = candidates.len();
        groups.push(Group::Games(shared, candidates));
        number
    }

    /// Compares the games of each group.
    fn compare(&mut self, groups: &mut Vec<Group>) -> io::Result<()> {
        let (cards, names) = (&self.cards, &self.names);
        let compare = |group| match group {
            Group::Games(shared, games) => pairs_of(cards, names, shared, &games).map(Compared::Games),
            Group::Positions(positions) => pair_positions(cards, &positions).map(Compared::Positions),
        };
        let found: Vec<Compared<'_>> = groups.par_drain(..).map(compare).collect::<io::Result<_>>()?;
        for compared in found {
            match compared {
                Compared::Games(Comparison { pairs, evidence, not_compared, .. }) => {
                    self.not_compared.add(not_compared);
                    pairs.into_iter().try_for_each(|pair| self.pairs.push(pair))?;
                    evidence.into_iter().try_for_each(|names| self.evidence.push(names))?;
                }
                Compared::Positions(pairs) => pairs.into_iter().try_for_each(|pair| self.positions.push(pair))?,
            }
        }
        Ok(())
    }

    /// Decides what is reported: for each copy that need not be kept, the one that is kept; and
    /// games that are related otherwise.
    fn relate(self, players: Players) -> io::Result<Copies> {
        let Finder { cards, names, pairs, positions, other_spellings, not_compared, .. } = self;
        let mut clusters = Clusters::default();
        let mut others: BTreeSet<(u64, u64)> = BTreeSet::new();
        // Pairs for which the names were not known to be those of one player before.
        let mut open = Vec::new();
        for pair in pairs.sorted()? {
            let [one, other, relation] = pair?;
            if relation == Relation::Copies as u64 {
                clusters.connect(one, other);
            } else if relation == Relation::OtherNames as u64 && !names.is_empty() {
                open.push((one, other));
            } else {
                others.insert((one, other));
            }
        }
        let judged = open.par_iter().map(|(one, other)| Ok((*one, *other, relation_of(&cards, &names, *one, *other)?)));
        for (one, other, relation) in judged.collect::<io::Result<Vec<_>>>()? {
            match relation {
                Some(Relation::Copies) => clusters.connect(one, other),
                Some(_) => _ = others.insert((one, other)),
                None => {}
            }
        }
        let members = clusters.into_members().into_par_iter().enumerate();
        let clusters: Vec<Cluster> =
            members.map(|(index, games)| Cluster::of(&cards, &names, index as u64, &games)).collect::<io::Result<_>>()?;
        let mut overlap = BTreeMap::new();
        let mut related = Vec::new();
        // For each copy that need not be kept, the one that is.
        let mut kept: BTreeMap<u64, u64> = BTreeMap::new();
        for cluster in clusters {
            for one in &cluster.inputs {
                cluster.inputs.range(one + 1..).for_each(|other| *overlap.entry((*one, *other)).or_insert(0) += 1);
            }
            kept.extend(cluster.surplus.into_iter().map(|game| (game, cluster.best)));
            related.extend(cluster.related);
        }
        // Of copies, only the kept one is compared with other games.
        let of = |at: u64| kept.get(&at).copied().unwrap_or(at);
        let mut reported = BTreeSet::new();
        for (one, other) in others {
            let ends = (of(one).min(of(other)), of(one).max(of(other)));
            if ends.0 != ends.1 && reported.insert(ends) {
                related.push(Related { game: one, other, cluster: None, kept: None });
            }
        }
        let positions = Some(positions.sorted()?);
        let other_spellings = Some(other_spellings.sorted()?);
        let players = Some(players);
        let mut copies =
            Copies { cards, related, overlap, not_compared, short_games: 0, positions, names, players, other_spellings };
        copies.sort()?;
        Ok(copies)
    }
}

/// Where a game is: the rank of its input by the name, and its first byte there.
type InputPlace = (u64, u64);

/// Copies of one game.
struct Cluster {
    /// The numbers of the inputs that they are in.
    inputs: BTreeSet<u64>,
    /// The place of the card of the copy to keep.
    best: u64,
    /// Those of the other copies.
    surplus: Vec<u64>,
    /// For each of these, what is reported.
    related: Vec<Related>,
}

impl Cluster {
    /// Decides which of these games is kept. `games` is not empty.
    fn of(cards: &Cards, names: &SameNames, number: u64, games: &[u64]) -> io::Result<Cluster> {
        let bytes: Vec<Cow<'_, [u8]>> = games.iter().map(|at| cards.bytes(*at)).collect::<io::Result<_>>()?;
        let read: Vec<GameCard<'_>> = bytes.iter().map(|bytes| GameCard::read(bytes)).collect::<io::Result<_>>()?;
        let inputs = read.iter().map(|card| card.place.input).collect();
        let mut members: Vec<(u64, Subject<'_, '_>)> = games.iter().copied().zip(read.iter().map(Subject::new)).collect();
        let compare = |one: &Subject<'_, '_>, other: &Subject<'_, '_>| {
            compare_copies(one.card, other.card, |input| cards.input(input).unwrap_or_default())
        };
        members.sort_by(|(_, one), (_, other)| compare(one, other).0);
        let (best, best_subject) = &members[0];
        let mut related = Vec::new();
        for (index, (game, subject)) in members.iter().enumerate().skip(1) {
            // The kept copy, if this is surely a copy of it, or else the best one of which it is.
            let is_copy = |(_, other): &&(u64, Subject<'_, '_>)| {
                judge_subjects(subject, other, names).is_some_and(|found| found.are_copies())
            };
            let Some((other, _)) = members[..index].iter().chain(&members[index + 1..]).find(is_copy) else { continue };
            let reason = compare(best_subject, subject).1;
            related.push(Related { game: *game, other: *other, cluster: Some(number), kept: Some((*best, reason)) });
        }
        let surplus = members[1..].iter().map(|(game, _)| *game).collect();
        Ok(Cluster { inputs, best: *best, surplus, related })
    }
}

impl Copies {
    /// Tells for a game, by the place of its card, where it is.
    fn places(&self) -> impl Fn(u64) -> io::Result<InputPlace> + Sync {
        let ranks = self.cards.ranks();
        move |game| {
            let bytes = self.cards.bytes(game)?;
            let place = GameCard::read(&bytes)?.place;
            Ok((ranks.get(place.input as usize).copied().flatten().unwrap_or_default(), place.byte))
        }
    }

    /// Puts relations and the numbers of clusters in an order that does not depend on that of the
    /// inputs.
    fn sort(&mut self) -> io::Result<()> {
        let place = self.places();
        let keyed = |relation: &Related| {
            let (of, other) = (place(relation.game)?, place(relation.other)?);
            // Without a copy to keep, the later game is reported.
            Ok(if relation.cluster.is_none() && of < other {
                (other, of, Related { game: relation.other, other: relation.game, ..*relation })
            } else {
                (of, other, *relation)
            })
        };
        let mut keyed: Vec<(InputPlace, InputPlace, Related)> = self.related.par_iter().map(keyed).collect::<io::Result<_>>()?;
        keyed.par_sort_by_key(|(of, other, _)| (*of, *other));
        let mut numbers: BTreeMap<u64, u64> = BTreeMap::new();
        let related = keyed
            .into_iter()
            .map(|(.., relation)| {
                let next = numbers.len() as u64 + 1;
                let cluster = relation.cluster.map(|cluster| *numbers.entry(cluster).or_insert(next));
                Related { cluster, ..relation }
            })
            .collect();
        drop(place);
        self.related = related;
        Ok(())
    }
}

impl Judgement<'_> {
    /// Whether the games are surely copies of one game, so that one of them can be removed.
    pub fn are_copies(&self) -> bool {
        let is_copy = match self.verdict {
            Verdict::SameGame | Verdict::SameGameContradicts | Verdict::Beginning | Verdict::Version => true,
            Verdict::WrongHeader | Verdict::SameId | Verdict::TwoGamesOneSlot => false,
        };
        is_copy && self.certainty == Certainty::Likely
    }
}

/// A game of a group.
struct Member<'c, 'a> {
    at: u64,
    card: &'c GameCard<'a>,
    /// What its card says, read when it is needed.
    subject: OnceCell<Subject<'c, 'a>>,
    sketch: OnceCell<Sketch>,
}

impl<'c, 'a> Member<'c, 'a> {
    /// Its moves and its tags.
    fn content(&self) -> (u64, &'c [(KnownTag, &'a str)]) {
        (self.card.keys.moves, &self.card.tags)
    }

    fn subject(&self) -> &Subject<'c, 'a> {
        self.subject.get_or_init(|| Subject::new(self.card))
    }

    fn moves(&self) -> (&[Ply], Sketch) {
        (&self.card.plies, *self.sketch.get_or_init(|| Sketch::of(&self.card.plies)))
    }

    /// Whether the games may be versions of each other, or in one place of an event. Their players
    /// have surnames in common.
    fn may_be_related_to(&self, other: &Member<'c, 'a>, names: &SameNames) -> bool {
        let [date, other_date] = [self, other].map(|member| member.card.tag(KnownTag::Date));
        let are_on_one_day = !date.is_empty() && date == other_date && !date.contains('?');
        (are_on_one_day || may_be_versions(self.moves(), other.moves()))
            && self.subject().may_be_related_to(other.subject(), names)
    }

    /// The year, or 0 if it is not known.
    fn year(&self) -> u16 {
        GameDate::of(self.card).year.unwrap_or(0)
    }
}

/// How two games are related if names are those of one player.
fn relation_of(cards: &Cards, names: &SameNames, one: u64, other: u64) -> io::Result<Option<Relation>> {
    let (bytes, other_bytes) = (cards.bytes(one)?, cards.bytes(other)?);
    let (card, other_card) = (GameCard::read(&bytes)?, GameCard::read(&other_bytes)?);
    Ok(judge_subjects(&Subject::new(&card), &Subject::new(&other_card), names).as_ref().map(Relation::of))
}

/// Compares the games of a group.
fn pairs_of<'n>(cards: &Cards, names: &'n SameNames, shared: Shared, games: &[u64]) -> io::Result<Comparison<'n>> {
    let bytes: Vec<Cow<'_, [u8]>> = games.iter().map(|at| cards.bytes(*at)).collect::<io::Result<_>>()?;
    let read: Vec<GameCard<'_>> = bytes.iter().map(|bytes| GameCard::read(bytes)).collect::<io::Result<_>>()?;
    let members = games.iter().zip(&read).filter(|(_, card)| cards.input(card.place.input).is_some());
    let members: Vec<Member<'_, '_>> =
        members.map(|(at, card)| Member { at: *at, card, subject: OnceCell::new(), sketch: OnceCell::new() }).collect();
    let mut comparison =
        Comparison { shared, names, pairs: Vec::new(), evidence: Vec::new(), not_compared: NotCompared::default() };
    match shared {
        Shared::Pairing if members.len() > MAX_ALIKE => comparison.by_year(members),
        Shared::Id => {
            let different: BTreeSet<u64> = members.iter().map(|member| member.card.keys.moves).collect();
            if different.len() <= MAX_OF_ID {
                comparison.by_tags(members);
            }
        }
        _ => comparison.by_tags(members),
    }
    Ok(comparison)
}

/// The comparison of the games of a group.
struct Comparison<'n> {
    shared: Shared,
    /// Names that are those of one player. If there are some, only games with such names are
    /// compared, and the others were compared before.
    names: &'n SameNames,
    pairs: Vec<Pair>,
    /// What says that names are those of one player.
    evidence: Vec<[u64; 3]>,
    not_compared: NotCompared,
}

impl Comparison<'_> {
    /// Compares two games.
    fn compare<'c, 'a>(&mut self, one: &Member<'c, 'a>, other: &Member<'c, 'a>) {
        let (keys, other_keys) = (one.card.keys, other.card.keys);
        let is_weak = matches!(self.shared, Shared::Opening | Shared::Pairing);
        let shares_more = match self.shared {
            Shared::Moves | Shared::Id | Shared::Position => false,
            Shared::End | Shared::Opening | Shared::Pairing => keys.moves == other_keys.moves,
        };
        // Another group contains such a pair.
        if shares_more || is_weak && (keys.end == other_keys.end || !one.may_be_related_to(other, self.names)) {
            return;
        }
        let (one, other) = if one.at < other.at { (one, other) } else { (other, one) };
        let (subject, other_subject) = (one.subject(), other.subject());
        let was_compared = || subject.white.may_be(&other_subject.white) && subject.black.may_be(&other_subject.black);
        if !self.names.is_empty() && was_compared() {
            return;
        }
        if let Some(judgement) = judge_subjects(subject, other_subject, self.names) {
            let relation = Relation::of(&judgement);
            self.pairs.push([one.at, other.at, relation as u64]);
            if relation == Relation::OtherNames && self.names.is_empty() {
                let names = subject.other_spelling(other_subject);
                self.evidence.extend(names.and_then(|[names, opponents]| evidence(names, opponents)));
            }
        }
    }

    /// Compares all games with each other. Of many, those with equal moves and tags are compared
    /// once.
    fn by_tags<'c, 'a>(&mut self, mut members: Vec<Member<'c, 'a>>) {
        if members.len() > MAX_EQUAL {
            members.sort_by(|one, other| one.content().cmp(&other.content()).then(one.at.cmp(&other.at)));
            let mut first = Vec::new();
            let mut rest = members.into_iter().peekable();
            while let Some(mut last) = rest.next() {
                let mut equal = Vec::new();
                while let Some(next) = rest.next_if(|next| next.content() == last.content()) {
                    self.compare(&last, &next);
                    equal.push(std::mem::replace(&mut last, next));
                }
                equal.push(last);
                first.push(equal.swap_remove(0));
            }
            members = first;
        }
        if members.len() > MAX_EQUAL {
            self.not_compared.add(NotCompared { groups: 1, games: members.len() as u64 });
        }
        for (index, one) in members.iter().enumerate() {
            members[index + 1..].iter().take(MAX_EQUAL).for_each(|other| self.compare(one, other));
        }
    }

    /// Compares the games of each year with each other and with those of the next year.
    fn by_year<'c, 'a>(&mut self, mut members: Vec<Member<'c, 'a>>) {
        members.sort_by_key(|member| (member.year(), member.at));
        for years in members.chunk_by(|one, other| one.year() == other.year()) {
            let year = years[0].year();
            let start = members.partition_point(|member| member.year() <= year);
            let end = members.partition_point(|member| member.year() <= year + 1);
            let next = if year == 0 { &[] } else { &members[start..end] };
            if years.len() > MAX_ALIKE {
                self.not_compared.add(NotCompared { groups: 1, games: years.len() as u64 });
                continue;
            }
            for (index, one) in years.iter().enumerate() {
                years[index + 1..].iter().chain(next.iter().take(MAX_ALIKE)).for_each(|other| self.compare(one, other));
            }
        }
    }
}
