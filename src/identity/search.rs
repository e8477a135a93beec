//! How candidates for copies are found: games that share a key.

use super::GameCard;

/// Number of plies from which equal last positions make games candidates.
const MIN_PLIES_OF_END: usize = 16;

/// What two games have in common that share a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared {
    /// The first position and all moves.
    Moves,
    /// The last position.
    End,
    /// The position after 20 plies, and a surname.
    Opening,
    /// The surnames of White and of Black, in any order.
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
pub fn search_keys(card: &GameCard<'_>) -> impl Iterator<Item = u64> + use<> {
    let keys = card.keys;
    let end = (card.plies.len() >= MIN_PLIES_OF_END).then(|| Shared::End.key(keys.end));
    [Shared::Moves.key(keys.moves)].into_iter().chain(end)
}
