//! How candidates for copies are found: games that share a key.

use arrayvec::ArrayVec;
use xxhash_rust::xxh3::xxh3_64;

use super::{GameCard, GameDate, GameIds, PlayerName, pairing_key};

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

    /// The order of games with a common key: `names` of those with equal moves, the year of those
    /// of one pairing, and the moves of others.
    pub(super) fn order(self, hint: Hint, names: u64) -> u64 {
        match self {
            Shared::Moves => names,
            Shared::Opening | Shared::Pairing => hint.0.rotate_left(48),
            Shared::End | Shared::Id | Shared::Position => hint.0,
        }
    }

    /// The hint of a game with this order; without meaning for games with equal moves.
    pub(super) fn hint(self, order: u64) -> Hint {
        match self {
            Shared::Opening | Shared::Pairing => Hint(order.rotate_right(48)),
            _ => Hint(order),
        }
    }
}

/// The order of games with equal moves: by the groups of the names of White and Black, and by date.
pub fn names_order(groups: [u64; 2], date: GameDate) -> u64 {
    const DATE: u64 = 0x1F_FFFF;
    let [year, month, day] = [date.year.unwrap_or(0), date.month.unwrap_or(0).into(), date.day.unwrap_or(0).into()];
    pairing_key(groups[0], groups[1]) & !DATE | (u64::from(year) << 9 | u64::from(month) << 5 | u64::from(day)) & DATE
}

/// A hint that tells most games with a common key apart, so that few cards have to be read: a hash
/// of the moves, and the year in the lowest bits.
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

    /// The hash of the moves.
    pub const fn moves(self) -> u64 {
        self.0 & !Hint::YEAR
    }

    /// Whether the moves may be equal.
    pub const fn may_have_moves_of(self, other: Hint) -> bool {
        self.moves() == other.moves()
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
const REMEMBERED: usize = 4096;

/// What games are found by of a name.
#[derive(Clone, Debug, Default)]
pub struct NameKeys {
    /// A hash of the name as it is written.
    pub spelling: u64,
    /// The group of the name, see [`PlayerName::group`].
    pub group: u64,
    /// Keys of the surnames.
    pub surnames: Surnames,
}

/// The keys of names. Games that follow each other often have the same players.
#[derive(Clone, Debug, Default)]
pub struct NameMemory(Vec<NameKeys>);

impl NameMemory {
    /// The keys of the name in the value of a tag.
    pub fn of(&mut self, text: &str) -> NameKeys {
        let spelling = xxh3_64(text.as_bytes());
        if self.0.is_empty() {
            self.0.resize(REMEMBERED, NameKeys::default());
        }
        let known = &mut self.0[spelling as usize % REMEMBERED];
        if known.spelling != spelling {
            let name = PlayerName::new(text);
            *known = NameKeys { spelling, group: name.group(), surnames: name.surname_keys().take(MAX_SURNAMES).collect() };
        }
        known.clone()
    }
}

/// The keys of the pairs of surnames of White and Black.
pub fn pairings(white: &[u64], black: &[u64]) -> impl Iterator<Item = u64> {
    white.iter().flat_map(|white| black.iter().map(|black| pairing_key(*white, *black)))
}

/// The keys by which a game is found, and its hint. `pairings` are the keys of its pairs of
/// surnames.
pub fn search_keys(card: &GameCard<'_>, pairings: impl Iterator<Item = u64>) -> (ArrayVec<u64, MAX_KEYS>, Hint) {
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
    for key in pairings {
        add(Shared::Pairing, key);
        if keys.opening != 0 {
            add(Shared::Opening, keys.opening.rotate_left(32) ^ key);
        }
    }
    (found, hint)
}
