//! Goes through the games in the order of their keys, and compares those that share one.
//!
//! Groups of few games are compared at the same time, on all threads. Of a group that does not fit
//! in memory, one part after the other is compared with the games that represent the parts before.

use std::{collections::BTreeSet, io};

use rayon::prelude::*;

use super::{
    Hint, Shared,
    group::{Comparing, Comparison, Context, NotCompared, UNLIKE, Unlike, compare_group},
    member::Candidate,
    positions::{EarlierPositions, PositionPair},
};
use crate::spill::{Log, Sorter};

/// Maximum number of games that are compared if they share only an opening and the surnames, or
/// only the surnames and a year.
const MAX_ALIKE: usize = 64;

/// Maximum number of different games with one id. An id of more games is that of an event.
const MAX_OF_ID: usize = 8;

/// Maximum number of games of a group, or of a part of one, in memory.
const MAX_IN_PART: usize = 1 << 11;

/// Number of games in groups that are compared at the same time.
const AT_ONCE: usize = 1 << 12;

/// Maximum number of pairs in memory, and of what says that names are those of one player.
const MAX_PAIRS: usize = 1 << 17;

/// Maximum number of pairs of positions in memory.
const MAX_POSITIONS: usize = 1 << 15;

/// Maximum number of bytes of games with equal moves under unlike names in memory.
const MAX_UNLIKE_BYTES: usize = 1 << 20;

/// Games or positions to be compared.
enum Group {
    /// Games that share a key, and how they are compared.
    Games(Shared, Vec<Candidate>, Comparing),
    /// Positions in order, each after the rank of its input.
    Positions(Vec<(u64, u64)>),
}

/// What comparing a [`Group`] has found.
enum Compared<'c> {
    Games(Comparison<'c>),
    Positions(Vec<PositionPair>),
}

/// What was found among all groups.
pub(super) struct Found {
    pub pairs: Sorter<3>,
    pub positions: Sorter<4>,
    /// What says that names are those of one player.
    pub evidence: Sorter<4>,
    /// Games with equal moves under unlike names: of each group their number, and the places of the
    /// first ones.
    pub unlike: Log,
    pub not_compared: NotCompared,
}

impl Default for Found {
    fn default() -> Found {
        Found {
            pairs: Sorter::with_limit(MAX_PAIRS),
            positions: Sorter::with_limit(MAX_POSITIONS),
            evidence: Sorter::with_limit(MAX_PAIRS),
            unlike: Log::with_limit(MAX_UNLIKE_BYTES),
            not_compared: NotCompared::default(),
        }
    }
}

impl Found {
    /// Adds what was found in a group, or in a part of one.
    fn add(&mut self, comparison: Comparison<'_>) -> io::Result<()> {
        self.not_compared.add(comparison.not_compared);
        comparison.pairs.into_iter().try_for_each(|pair| self.pairs.push(pair))?;
        comparison.evidence.into_iter().try_for_each(|names| self.evidence.push(names))
    }

    /// Adds the games of a group under unlike names.
    fn add_unlike(&mut self, unlike: Unlike) -> io::Result<()> {
        let mut first = unlike.first.into_iter().map(|(_, at)| at);
        match unlike.games {
            0 | 1 => Ok(()),
            2 => {
                let [Some(one), Some(other)] = [first.next(), first.next()] else { return Ok(()) };
                self.pairs.push([one.min(other), one.max(other), UNLIKE])
            }
            games => {
                let bytes: Vec<u8> = std::iter::once(games).chain(first).flat_map(u64::to_le_bytes).collect();
                self.unlike.push([&bytes]).map(|_| ())
            }
        }
    }
}

/// Compares the games and positions with these keys: each key is followed by the order of the game
/// among those with this key, or the number of the input of the position, and by the place of the
/// card.
pub(super) fn compare_candidates(context: Context<'_>, keys: Sorter<3>, found: &mut Found) -> io::Result<()> {
    let mut search = Search { context, found, groups: Vec::new(), waiting: 0 };
    let (mut open, mut games, mut large) = (0, Vec::new(), None);
    for entry in keys.sorted()? {
        let [key, order, at] = entry?;
        if key != open {
            search.end_group(open, &mut games, large.take())?;
            open = key;
        }
        // A name may have two equal keys.
        if games.last().is_some_and(|(last, _)| *last == at) {
            continue;
        }
        games.push((at, order));
        if let Some(shared) = Shared::of(key).filter(|shared| games.len() > max_in_memory(*shared)) {
            large.get_or_insert_with(|| LargeGroup::of(shared)).add(&mut search, &mut games)?;
        }
    }
    search.end_group(open, &mut games, large)?;
    search.compare()
}

/// Maximum number of games of a group that is not a [`LargeGroup`].
const fn max_in_memory(shared: Shared) -> usize {
    match shared {
        Shared::Opening | Shared::Pairing => MAX_ALIKE,
        Shared::Moves | Shared::End | Shared::Id | Shared::Position => MAX_IN_PART,
    }
}

/// The search for copies among games in the order of their keys.
struct Search<'c, 'f> {
    context: Context<'c>,
    found: &'f mut Found,
    /// Groups that are compared when there are enough of them.
    groups: Vec<Group>,
    /// The number of games in them.
    waiting: usize,
}

impl Search<'_, '_> {
    /// Ends a group with its last games, and empties the list.
    fn end_group(&mut self, key: u64, games: &mut Vec<Candidate>, large: Option<LargeGroup>) -> io::Result<()> {
        if let Some(mut large) = large {
            large.add(self, games)?;
            return large.end(self);
        }
        let number = games.len();
        let group = Shared::of(key).filter(|_| number > 1).and_then(|shared| match shared {
            Shared::Position => {
                let rank = |(at, input): &Candidate| Some((self.context.rank(*input)?, *at));
                let mut positions: Vec<(u64, u64)> = games.iter().filter_map(rank).collect();
                // The cards of an input are in the order of its records.
                positions.sort_unstable();
                Some(Group::Positions(positions))
            }
            Shared::End if different_moves(games) == 1 => None,
            Shared::Id if different_moves(games) > MAX_OF_ID => None,
            Shared::Moves | Shared::End | Shared::Id => {
                Some(Group::Games(shared, std::mem::take(games), Comparing::Representatives(0)))
            }
            Shared::Opening | Shared::Pairing => {
                let games = may_be_versions(shared, games);
                (games.len() > 1).then_some(Group::Games(shared, games, Comparing::All))
            }
        });
        games.clear();
        match group {
            Some(group) => self.push(group, number),
            None => Ok(()),
        }
    }

    /// Adds a group of so many games.
    fn push(&mut self, group: Group, games: usize) -> io::Result<()> {
        self.groups.push(group);
        self.waiting += games;
        if self.waiting >= AT_ONCE { self.compare() } else { Ok(()) }
    }

    /// Compares the games of each group.
    fn compare(&mut self) -> io::Result<()> {
        self.waiting = 0;
        let context = self.context;
        let compare = |group| match group {
            Group::Games(shared, games, comparing) => compare_group(context, shared, &games, comparing).map(Compared::Games),
            Group::Positions(positions) => EarlierPositions::default().pair(context, &positions).map(Compared::Positions),
        };
        let compared: Vec<Compared<'_>> = self.groups.par_drain(..).map(compare).collect::<io::Result<_>>()?;
        for compared in compared {
            match compared {
                Compared::Games(mut comparison) => {
                    let unlike = std::mem::take(&mut comparison.unlike);
                    self.found.add(comparison)?;
                    self.found.add_unlike(unlike)?;
                }
                Compared::Positions(pairs) => pairs.into_iter().try_for_each(|pair| self.found.positions.push(pair))?,
            }
        }
        Ok(())
    }
}

/// Number of different moves of games that share a last position or an id.
fn different_moves(games: &[Candidate]) -> usize {
    games.chunk_by(|(_, one), (_, other)| Hint(*one).may_have_moves_of(Hint(*other))).count()
}

/// The games that may be versions of another one, as far as their hints tell.
fn may_be_versions(shared: Shared, games: &[Candidate]) -> Vec<Candidate> {
    let hints: Vec<Hint> = games.iter().map(|(_, order)| shared.hint(*order)).collect();
    let is_candidate = |at: usize| {
        let may_fit =
            |(of, other): (usize, &Hint)| of != at && !hints[at].may_have_moves_of(*other) && hints[at].may_have_date_of(*other);
        hints.iter().enumerate().any(may_fit)
    };
    games.iter().enumerate().filter(|(at, _)| is_candidate(*at)).map(|(_, game)| *game).collect()
}

/// A group that does not fit in memory, or is too large to compare all its games with each other.
enum LargeGroup {
    /// Games that share an opening. They are not compared.
    Opening(Different),
    /// Games of one pairing.
    Pairing(Years),
    /// Other games.
    Parts(Parts),
    /// Positions: the ranks of their inputs, and the places of their cards.
    Positions(Sorter<2>),
}

impl LargeGroup {
    fn of(shared: Shared) -> LargeGroup {
        match shared {
            Shared::Opening => LargeGroup::Opening(Different::default()),
            Shared::Pairing => LargeGroup::Pairing(Years::default()),
            Shared::Moves | Shared::End | Shared::Id => LargeGroup::Parts(Parts::of(shared)),
            Shared::Position => LargeGroup::Positions(Sorter::with_limit(MAX_POSITIONS)),
        }
    }

    /// Adds games, and empties the list.
    fn add(&mut self, search: &mut Search<'_, '_>, games: &mut Vec<Candidate>) -> io::Result<()> {
        match self {
            LargeGroup::Opening(different) => {
                games.iter().for_each(|(_, order)| different.add(Shared::Opening.hint(*order)));
            }
            LargeGroup::Pairing(years) => {
                for (at, order) in games.iter() {
                    years.add(search, *at, Shared::Pairing.hint(*order))?;
                }
            }
            LargeGroup::Parts(parts) => parts.add(search, games)?,
            LargeGroup::Positions(positions) => {
                for (at, input) in games.iter() {
                    search.context.rank(*input).map_or(Ok(()), |rank| positions.push([rank, *at]))?;
                }
            }
        }
        games.clear();
        Ok(())
    }

    fn end(self, search: &mut Search<'_, '_>) -> io::Result<()> {
        match self {
            LargeGroup::Opening(different) => search.found.not_compared.add(NotCompared::group_of(different.games)),
            LargeGroup::Pairing(years) => years.end(search)?,
            LargeGroup::Parts(parts) => parts.end(search)?,
            LargeGroup::Positions(positions) => {
                let mut earlier = EarlierPositions::default();
                let mut part = Vec::new();
                let mut pair = |part: &mut Vec<(u64, u64)>| {
                    let pairs = earlier.pair(search.context, part)?;
                    part.clear();
                    pairs.into_iter().try_for_each(|pair| search.found.positions.push(pair))
                };
                for entry in positions.sorted()? {
                    let [rank, at] = entry?;
                    part.push((rank, at));
                    if part.len() == MAX_IN_PART {
                        pair(&mut part)?;
                    }
                }
                pair(&mut part)?;
            }
        }
        Ok(())
    }
}

/// Counts games with different moves. Of those that follow each other, equal ones count once.
#[derive(Clone, Copy, Default)]
struct Different {
    games: u64,
    last: Option<Hint>,
}

impl Different {
    fn add(&mut self, hint: Hint) {
        let before = self.last.replace(hint);
        self.games += u64::from(before.is_none_or(|before| !before.may_have_moves_of(hint)));
    }
}

/// The games of one pairing, by year. Those of a year are compared with each other and with those
/// of the next year.
#[derive(Default)]
struct Years {
    before: Option<Year>,
    last: Option<Year>,
}

/// The games of a year.
struct Year {
    /// The year; 0 if it is not known.
    year: u64,
    /// The first of them.
    games: Vec<Candidate>,
    number: u64,
    different: Different,
}

impl Years {
    /// Adds a game of the last year, or of a later one.
    fn add(&mut self, search: &mut Search<'_, '_>, at: u64, hint: Hint) -> io::Result<()> {
        let year = hint.year();
        if self.last.as_ref().is_none_or(|last| last.year != year) {
            let last = self.last.replace(Year { year, games: Vec::new(), number: 0, different: Different::default() });
            let before = std::mem::replace(&mut self.before, last);
            before.map_or(Ok(()), |before| before.end(search, self.before.as_ref()))?;
        }
        if let Some(last) = &mut self.last {
            last.number += 1;
            last.different.add(hint);
            if last.games.len() < MAX_ALIKE {
                last.games.push((at, 0));
            }
        }
        Ok(())
    }

    fn end(self, search: &mut Search<'_, '_>) -> io::Result<()> {
        self.before.map_or(Ok(()), |before| before.end(search, self.last.as_ref()))?;
        self.last.map_or(Ok(()), |last| last.end(search, None))
    }
}

impl Year {
    fn end(self, search: &mut Search<'_, '_>, next: Option<&Year>) -> io::Result<()> {
        if self.number > MAX_ALIKE as u64 {
            search.found.not_compared.add(NotCompared::group_of(self.different.games));
            return Ok(());
        }
        let own = self.games.len();
        let next = next.filter(|next| self.year > 0 && next.year == self.year + 1).map_or(&[][..], |next| &next.games);
        if own + next.len() < 2 {
            return Ok(());
        }
        let games = [&self.games, next].concat();
        let number = games.len();
        search.push(Group::Games(Shared::Pairing, games, Comparing::First(own)), number)
    }
}

/// A group of which one part after the other is compared with games that represent the parts
/// before.
struct Parts {
    shared: Shared,
    representatives: Vec<Candidate>,
    unlike: Unlike,
    /// Number of games so far that share the last position, if all have equal moves. They need not
    /// be compared with each other.
    with_equal_moves: u64,
    /// The moves of games with one id, up to one more than it can have.
    different: BTreeSet<u64>,
}

impl Parts {
    const fn of(shared: Shared) -> Parts {
        Parts {
            shared,
            representatives: Vec::new(),
            unlike: Unlike { games: 0, first: BTreeSet::new() },
            with_equal_moves: 0,
            different: BTreeSet::new(),
        }
    }

    /// Compares the next games.
    fn add(&mut self, search: &mut Search<'_, '_>, games: &[Candidate]) -> io::Result<()> {
        if self.shared != Shared::Moves && self.different.len() <= MAX_OF_ID {
            self.different.extend(games.iter().map(|(_, order)| Hint(*order).moves()).take(MAX_IN_PART));
        }
        match self.shared {
            Shared::Id if self.different.len() > MAX_OF_ID => return Ok(()),
            Shared::End if self.different.len() == 1 => {
                if self.representatives.is_empty() {
                    let counts = |(at, _): &&Candidate| search.context.counts(*at);
                    self.representatives = games.iter().filter(counts).copied().collect();
                } else {
                    self.with_equal_moves += games.len() as u64;
                }
                return Ok(());
            }
            _ => {}
        }
        if self.with_equal_moves > 0 {
            let left_out = std::mem::take(&mut self.with_equal_moves);
            let pairs = left_out * games.len() as u64;
            search.found.not_compared.add(NotCompared { groups: 1, games: left_out, pairs });
        }
        let known = self.representatives.len();
        let mut all = std::mem::take(&mut self.representatives);
        all.extend_from_slice(games);
        let mut comparison = compare_group(search.context, self.shared, &all, Comparing::Representatives(known))?;
        self.representatives = std::mem::take(&mut comparison.representatives);
        self.unlike.add(std::mem::take(&mut comparison.unlike));
        search.found.add(comparison)
    }

    fn end(self, search: &mut Search<'_, '_>) -> io::Result<()> {
        search.found.add_unlike(self.unlike)
    }
}
