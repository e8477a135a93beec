//! Which games of a group represent the others, so that not all are compared with each other.

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use super::{
    PlayerName, SameNames,
    member::{Content, Member},
};
use crate::pgn::KnownTag;

/// Maximum number of games of a group that represent others.
const MAX_GAMES: usize = 1 << 11;

/// Maximum number of games with a name in common that represent others.
const MAX_ALIKE: usize = 32;

/// Up to this number of them are copies of each other.
const MAX_COPIES: usize = 8;

/// The key of all games.
const ALL: u64 = 0;

/// The key of games whose names do not tell their players.
const UNNAMED: u64 = 1;

/// Games of a group, by their indices, and how they are found.
pub(super) struct Representatives<'n, 'c, 'a> {
    names: &'n SameNames,
    /// Whether the names do not matter.
    has_id: bool,
    by_content: FxHashMap<Content<'c, 'a>, usize>,
    by_key: FxHashMap<u64, Alike>,
    games: Vec<usize>,
}

/// Games with a key in common.
#[derive(Default)]
struct Alike {
    games: Vec<usize>,
    /// Number of further ones.
    left_out: u64,
}

impl<'n, 'c, 'a> Representatives<'n, 'c, 'a> {
    /// No games. They share an id, whatever the names, if `has_id` is set.
    pub fn new(names: &'n SameNames, has_id: bool) -> Representatives<'n, 'c, 'a> {
        let (by_content, by_key) = Default::default();
        Representatives { names, has_id, by_content, by_key, games: Vec::new() }
    }

    /// The game with equal moves and tags.
    pub fn equal_to(&self, member: &Member<'c, 'a>) -> Option<usize> {
        self.by_content.get(&member.content()).copied()
    }

    /// The games that represent others with which this one is to be compared, in their order, and
    /// the number of those that are left out.
    pub fn candidates(&self, member: &Member<'c, 'a>) -> (Vec<usize>, u64) {
        let (mut found, mut left_out) = (Vec::new(), 0);
        let (keys, is_unnamed) = self.keys(member);
        for key in keys.into_iter().chain([if is_unnamed { ALL } else { UNNAMED }]) {
            if let Some(alike) = self.by_key.get(&key) {
                found.extend_from_slice(&alike.games);
                left_out = left_out.max(alike.left_out);
            }
        }
        found.sort_unstable();
        found.dedup();
        (found, left_out)
    }

    /// Adds a game; `is_copy` says whether it is a copy of one that was added before.
    pub fn add(&mut self, at: usize, member: &Member<'c, 'a>, is_copy: bool) {
        let (mut keys, is_unnamed) = self.keys(member);
        keys.push(ALL);
        keys.extend(is_unnamed.then_some(UNNAMED));
        let has_room = self.games.len() < MAX_GAMES;
        let max = if is_copy { MAX_COPIES } else { MAX_ALIKE };
        let mut is_added = false;
        for key in keys {
            let alike = self.by_key.entry(key).or_default();
            if has_room && alike.games.len() < max {
                alike.games.push(at);
                is_added = true;
            } else if !is_copy {
                alike.left_out += 1;
            }
        }
        if is_added {
            self.games.push(at);
        }
        if has_room {
            self.by_content.insert(member.content(), at);
        }
    }

    /// The games that represent others, in their order.
    pub fn games(&self) -> impl Iterator<Item = usize> {
        self.games.iter().copied()
    }

    /// The keys of the names, and of the day with the round. Also whether the names do not tell the
    /// players.
    fn keys(&self, member: &Member<'c, 'a>) -> (Vec<u64>, bool) {
        let subject = member.subject();
        let players = [&subject.white, &subject.black];
        let of_player = |name: &PlayerName| {
            let others = self.names.of(name).iter().flat_map(PlayerName::surname_keys);
            name.surname_keys().chain(others).collect::<Vec<u64>>()
        };
        let mut keys: Vec<u64> = players.iter().filter(|name| !name.is_unknown()).flat_map(|name| of_player(name)).collect();
        let round = member.card.tag(KnownTag::Round);
        if subject.date.parts() == 3 && !round.is_empty() {
            keys.push(xxh3_64(format!("{:?} {round}", subject.date).as_bytes()));
        }
        let is_unnamed = self.has_id || players.iter().any(|name| name.is_unknown()) || players[0].has_same_words(players[1]);
        (keys, is_unnamed)
    }
}
