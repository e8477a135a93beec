//! Clusters: games that copies connect, or names that evidence connects.

use std::io;

use crate::identity::pairs::{NewPairs, Pairs};
use crate::spill::Sorter;

/// Maximum number of connections in memory.
const MAX_IN_MEMORY: usize = 1 << 17;

/// Pairs of games that are surely copies of each other, by the places of their cards.
#[derive(Debug)]
pub(crate) struct Connections(Sorter<2>);

impl Default for Connections {
    fn default() -> Connections {
        Connections(Sorter::with_limit(MAX_IN_MEMORY))
    }
}

impl Connections {
    /// Adds two copies.
    pub fn push(&mut self, one: u64, other: u64) -> io::Result<()> {
        self.0.push([one, other])?;
        self.0.push([other, one])
    }

    /// The games that have copies, and their clusters.
    pub fn clusters(self) -> io::Result<(Members, Clusters)> {
        let mut games = NewPairs::default();
        // Each copy, and the number of the other one.
        let mut numbered: Sorter<2> = Sorter::with_limit(MAX_IN_MEMORY);
        let mut last = None;
        for entry in self.0.sorted()? {
            let [game, copy] = entry?;
            if last.replace(game) != Some(game) {
                games.push(game, copy)?;
            }
            numbered.push([copy, u64::from(games.len() - 1)])?;
        }
        let mut clusters = Clusters { parents: (0..games.len()).collect() };
        // All games with copies come in the same order again, so they have the same numbers.
        let (mut last, mut next) = (None, 0_u32);
        for entry in numbered.sorted()? {
            let [game, copy] = entry?;
            next += u32::from(last.replace(game) != Some(game));
            clusters.connect(next - 1, u32::try_from(copy).map_err(io::Error::other)?);
        }
        Ok((Members(games.written()), clusters))
    }
}

/// The games that have copies. Their numbers, from 0, are in the order of the places of their
/// cards.
#[derive(Debug)]
pub(crate) struct Members(Pairs);

impl Members {
    /// The place of the card of a game, and that of a game of which it surely is a copy.
    pub fn get(&self, number: u32) -> io::Result<(u64, u64)> {
        self.0.get(number)
    }

    /// The number of the game whose card is at `place`, if it has copies.
    pub fn number_of(&self, place: u64) -> io::Result<Option<u32>> {
        Ok(self.0.find(place)?.map(|(number, _)| number))
    }
}

/// Which games are connected, by their numbers. It takes four bytes for each game.
#[derive(Debug, Default)]
pub(crate) struct Clusters {
    /// For each game another one to which it is connected, or itself.
    parents: Vec<u32>,
}

impl Clusters {
    /// Adds a game that is connected to no other one, and returns its number.
    pub fn add(&mut self) -> u32 {
        let number = self.parents.len() as u32;
        self.parents.push(number);
        number
    }

    /// Connects two games.
    pub fn connect(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        // The lowest number is the root, whatever the order.
        self.parents[one.max(other) as usize] = one.min(other);
    }

    /// The game that stands for all that are connected to this one.
    pub fn root(&mut self, game: u32) -> u32 {
        let mut at = game;
        while self.parents[at as usize] != at {
            let parent = self.parents[at as usize];
            self.parents[at as usize] = self.parents[parent as usize];
            at = parent;
        }
        at
    }

    /// The games of all clusters: the lowest number of the cluster, and that of the game.
    pub fn members(&mut self) -> io::Result<Sorter<2>> {
        let mut members = Sorter::with_limit(MAX_IN_MEMORY);
        for game in 0..self.parents.len() as u32 {
            members.push([u64::from(self.root(game)), u64::from(game)])?;
        }
        Ok(members)
    }

    /// Notes which game of its cluster is kept. From then on, only [`Clusters::kept`] is asked.
    pub fn keep(&mut self, game: u32, kept: u32) {
        self.parents[game as usize] = kept;
    }

    /// The game that is kept of the cluster of this one.
    pub fn kept(&self, game: u32) -> u32 {
        self.parents[game as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_connected_in_any_order() -> io::Result<()> {
        let pairs = [(10, 20), (70, 90), (50, 30), (20, 30), (90, 80)];
        for first in 0..pairs.len() {
            let mut connections = Connections::default();
            let rotated = pairs.iter().cycle().skip(first).take(pairs.len());
            rotated.for_each(|(one, other)| connections.push(*other, *one).expect("a connection"));
            let (members, mut clusters) = connections.clusters()?;
            let found = clusters.members()?.sorted()?.collect::<io::Result<Vec<_>>>()?;
            assert_eq!(found, [[0, 0], [0, 1], [0, 2], [0, 3], [4, 4], [4, 5], [4, 6]]);
            let games = (0..7).map(|number| Ok(members.get(number)?.0)).collect::<io::Result<Vec<_>>>()?;
            assert_eq!(games, [10, 20, 30, 50, 70, 80, 90]);
            assert_eq!(members.get(3)?, (50, 30));
            assert_eq!((members.number_of(80)?, members.number_of(40)?), (Some(5), None));
        }
        Ok(())
    }
}
