//! Clusters: games that copies connect.

use rustc_hash::FxHashMap;

/// Which games are connected, by the places of their cards.
#[derive(Debug, Default)]
pub(super) struct Clusters {
    /// For each game that is connected to others, another one, or itself.
    parents: FxHashMap<u64, u64>,
}

impl Clusters {
    /// Connects two games.
    pub fn connect(&mut self, one: u64, other: u64) {
        let (one, other) = (self.root(one), self.root(other));
        // The lowest place is the root, whatever the order.
        self.parents.insert(one.max(other), one.min(other));
        self.parents.entry(one.min(other)).or_insert(one.min(other));
    }

    /// The game that stands for all that are connected to this one.
    pub fn root(&mut self, game: u64) -> u64 {
        let mut root = game;
        while let Some(parent) = self.parents.get(&root).copied().filter(|parent| *parent != root) {
            root = parent;
        }
        let mut at = game;
        while let Some(parent) = self.parents.get_mut(&at).filter(|parent| **parent != root) {
            at = std::mem::replace(parent, root);
        }
        root
    }

    /// The games of each cluster, in the order of their places.
    pub fn into_members(mut self) -> Vec<Vec<u64>> {
        let mut games: Vec<u64> = self.parents.keys().copied().collect();
        games.sort_unstable();
        let mut members: FxHashMap<u64, Vec<u64>> = FxHashMap::default();
        for game in games {
            let root = self.root(game);
            members.entry(root).or_default().push(game);
        }
        let mut members: Vec<Vec<u64>> = members.into_values().collect();
        members.sort_unstable();
        members
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_connected_in_any_order() {
        let pairs = [(1, 2), (7, 9), (5, 3), (2, 3), (9, 8)];
        for first in 0..pairs.len() {
            let mut clusters = Clusters::default();
            pairs.iter().cycle().skip(first).take(pairs.len()).for_each(|(one, other)| clusters.connect(*other, *one));
            assert_eq!(clusters.root(4), 4);
            assert_eq!(clusters.into_members(), [vec![1, 2, 3, 5], vec![7, 8, 9]]);
        }
    }
}
