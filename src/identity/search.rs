//! How candidates for copies are found: games that share a key.

use arrayvec::ArrayVec;

use super::{GameCard, PlayerName, id_keys, pairing_keys};
use crate::pgn::KnownTag;

/// Minimum number of plies with which equal last positions make games candidates.
const MIN_PLIES_OF_END: usize = 16;

/// Maximum number of keys of a game. Names with more surnames have fewer of them.
const MAX_KEYS: usize = 24;

/// What two games have in common that share a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared {
    /// The first position and all moves.
    Moves,
    /// The last position.
    End,
    /// The position after 20 plies, and a surname.
    Opening,
    /// The surnames of White and of Black.
    Pairing,
    /// An id or a link.
    Id,
}

impl Shared {
    const ALL: [Shared; 5] = [Shared::Moves, Shared::End, Shared::Opening, Shared::Pairing, Shared::Id];

    /// A key of this kind: its lowest bits tell the kind.
    const fn key(self, hash: u64) -> u64 {
        hash & !7 | self as u64
    }

    /// The kind of a key.
    pub fn of(key: u64) -> Option<Shared> {
        Shared::ALL.get((key & 7) as usize).copied()
    }
}

/// The keys by which a game is found.
pub fn search_keys(card: &GameCard<'_>) -> ArrayVec<u64, MAX_KEYS> {
    let keys = card.keys;
    let mut found = ArrayVec::new();
    // Keys beyond the maximum are left out.
    let mut add = |shared: Shared, hash: u64| drop(found.try_push(shared.key(hash)));
    if card.plies.is_empty() {
        return found;
    }
    add(Shared::Moves, keys.moves);
    if card.plies.len() >= MIN_PLIES_OF_END {
        add(Shared::End, keys.end);
    }
    id_keys(card).for_each(|key| add(Shared::Id, key));
    let [white, black] = [KnownTag::White, KnownTag::Black].map(|tag| PlayerName::new(card.tag(tag)));
    pairing_keys(&white, &black).for_each(|key| add(Shared::Pairing, key));
    if keys.opening != 0 {
        let surnames = white.surname_keys().chain(black.surname_keys());
        surnames.for_each(|surname| add(Shared::Opening, keys.opening.rotate_left(32) ^ surname));
    }
    found
}
