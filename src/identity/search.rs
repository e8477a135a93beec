//! How candidates for copies are found: games that share a key.

use arrayvec::ArrayVec;
use xxhash_rust::xxh3::xxh3_64;

use super::{GameCard, GameDate, GameIds, PlayerName, pairing_key};
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
    /// The position after 20 plies, and the surnames of White and of Black.
    Opening,
    /// The surnames of White and of Black.
    Pairing,
    /// An id or a link.
    Id,
    /// The position of a position line.
    Position,
}

impl Shared {
    const ALL: [Shared; 6] = [Shared::Moves, Shared::End, Shared::Opening, Shared::Pairing, Shared::Id, Shared::Position];

    /// A key of this kind: its lowest bits tell the kind.
    pub(super) const fn key(self, hash: u64) -> u64 {
        hash & !7 | self as u64
    }

    /// The kind of a key.
    pub fn of(key: u64) -> Option<Shared> {
        Shared::ALL.get((key & 7) as usize).copied()
    }
}

/// A hint that tells most games with a common key apart, so that few cards have to be read: a hash of the moves, and the year
/// in the lowest bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hint(pub u64);

impl Hint {
    const YEAR: u64 = 0xFFFF;

    fn of(card: &GameCard<'_>) -> Hint {
        Hint(card.keys.moves & !Hint::YEAR | u64::from(GameDate::of(card).year.unwrap_or(0)))
    }

    /// The year, or 0 if it is not known.
    pub const fn year(self) -> u64 {
        self.0 & Hint::YEAR
    }

    /// Whether the moves may be equal.
    pub const fn may_have_moves_of(self, other: Hint) -> bool {
        (self.0 ^ other.0) & !Hint::YEAR == 0
    }

    /// Whether the dates may be compatible.
    pub const fn may_have_date_of(self, other: Hint) -> bool {
        self.year() == 0 || other.year() == 0 || self.year().abs_diff(other.year()) <= 1
    }
}

/// Maximum number of surnames of a player. Further ones are left out.
const MAX_SURNAMES: usize = 6;

/// Keys of the surnames of a player.
type Surnames = ArrayVec<u64, MAX_SURNAMES>;

/// Number of names that are remembered.
const REMEMBERED: usize = 256;

/// The surnames of players, by a hash of their names. Games that follow each other often have the same players.
#[derive(Clone, Debug, Default)]
pub struct SurnameMemory(Vec<(u64, Surnames)>);

impl SurnameMemory {
    /// The surnames in the value of a tag.
    fn of(&mut self, name: &str) -> Surnames {
        let hash = xxh3_64(name.as_bytes());
        if self.0.is_empty() {
            self.0.resize(REMEMBERED, (0, Surnames::new()));
        }
        let (known, surnames) = &mut self.0[hash as usize % REMEMBERED];
        if *known != hash {
            *known = hash;
            *surnames = PlayerName::new(name).surname_keys().take(MAX_SURNAMES).collect();
        }
        surnames.clone()
    }
}

/// The keys by which a game is found, and its hint.
pub fn search_keys(card: &GameCard<'_>, memory: &mut SurnameMemory) -> (ArrayVec<u64, MAX_KEYS>, Hint) {
    let keys = card.keys;
    let hint = Hint::of(card);
    let mut found = ArrayVec::new();
    // Keys beyond the maximum are left out.
    let mut add = |shared: Shared, hash: u64| {
        if !found.is_full() {
            found.push(shared.key(hash));
        }
    };
    if card.plies.is_empty() {
        return (found, hint);
    }
    add(Shared::Moves, keys.moves);
    if card.plies.len() >= MIN_PLIES_OF_END {
        add(Shared::End, keys.end);
    }
    GameIds::of(card).keys().for_each(|key| add(Shared::Id, key));
    let (white, black) = (memory.of(card.tag(KnownTag::White)), memory.of(card.tag(KnownTag::Black)));
    for (white, black) in white.iter().flat_map(|white| black.iter().map(move |black| (*white, *black))) {
        let key = pairing_key(white, black);
        add(Shared::Pairing, key);
        if keys.opening != 0 {
            add(Shared::Opening, keys.opening.rotate_left(32) ^ key);
        }
    }
    (found, hint)
}
