//! Names of chess variants.

use std::ops::Range;

/// What the Variant tag of a game says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Standard chess from the starting position.
    Standard,
    /// Chess960, including double Fischer random chess.
    Chess960,
    /// Crazyhouse.
    Crazyhouse,
    /// Atomic chess.
    Atomic,
    /// Antichess, also called giveaway: a side without legal moves wins.
    Antichess,
    /// Suicide chess: like antichess, but a side without legal moves does not always win.
    Suicide,
    /// Horde.
    Horde,
    /// Three-check.
    ThreeCheck,
    /// King of the hill.
    KingOfTheHill,
    /// Racing kings.
    RacingKings,
    /// Standard chess from the position in the FEN tag.
    FromPosition,
    /// Standard chess from a position that is set up and need not be reachable: shuffled pieces, or
    /// a numbered starting position of a server (`wild/5`).
    Shuffle,
    /// Any other name.
    Unknown,
}

/// The names in use, normalised: lowercase, without whitespace, hyphens, underscores, periods,
/// slashes and parentheses.
const NAMES: &[(&str, Variant)] = &[
    ("", Variant::Standard),
    ("?", Variant::Standard),
    ("standard", Variant::Standard),
    ("standardchess", Variant::Standard),
    ("normal", Variant::Standard),
    ("normalchess", Variant::Standard),
    ("regular", Variant::Standard),
    ("regularchess", Variant::Standard),
    ("chess", Variant::Standard),
    ("classic", Variant::Standard),
    ("classical", Variant::Standard),
    ("classicalchess", Variant::Standard),
    ("orthodox", Variant::Standard),
    ("orthodoxchess", Variant::Standard),
    ("chess960", Variant::Chess960),
    ("960", Variant::Chess960),
    ("standard960", Variant::Chess960),
    ("fischerandom", Variant::Chess960),
    ("fischerrandom", Variant::Chess960),
    ("fischerandomchess", Variant::Chess960),
    ("fischerrandomchess", Variant::Chess960),
    ("fischerandom960", Variant::Chess960),
    ("fischerrandom960", Variant::Chess960),
    ("fischerrandomchess960", Variant::Chess960),
    ("chess960fischerrandom", Variant::Chess960),
    ("fischerchess", Variant::Chess960),
    ("fischer", Variant::Chess960),
    ("frc", Variant::Chess960),
    ("wildfr", Variant::Chess960),
    ("freestyle", Variant::Chess960),
    ("freestylechess", Variant::Chess960),
    ("chess9lx", Variant::Chess960),
    ("dfrc", Variant::Chess960),
    ("doublefrc", Variant::Chess960),
    ("doublechess960", Variant::Chess960),
    ("doublefischerandom", Variant::Chess960),
    ("doublefischerrandom", Variant::Chess960),
    ("doublefischerrandomchess", Variant::Chess960),
    ("crazyhouse", Variant::Crazyhouse),
    ("crazyhouse960", Variant::Crazyhouse),
    ("crazyhousechess", Variant::Crazyhouse),
    ("zh", Variant::Crazyhouse),
    ("house", Variant::Crazyhouse),
    ("atomic", Variant::Atomic),
    ("atomicchess", Variant::Atomic),
    ("atomic960", Variant::Atomic),
    ("atom", Variant::Atomic),
    ("antichess", Variant::Antichess),
    ("anti", Variant::Antichess),
    ("antichess960", Variant::Antichess),
    ("giveaway", Variant::Antichess),
    ("giveawaychess", Variant::Antichess),
    ("giveaway960", Variant::Antichess),
    ("suicide", Variant::Suicide),
    ("suicidechess", Variant::Suicide),
    ("suicide960", Variant::Suicide),
    ("horde", Variant::Horde),
    ("hordechess", Variant::Horde),
    ("horde960", Variant::Horde),
    ("threecheck", Variant::ThreeCheck),
    ("threecheckchess", Variant::ThreeCheck),
    ("threecheck960", Variant::ThreeCheck),
    ("3check", Variant::ThreeCheck),
    ("3checkchess", Variant::ThreeCheck),
    ("3check960", Variant::ThreeCheck),
    ("3checks", Variant::ThreeCheck),
    ("threechecks", Variant::ThreeCheck),
    ("kingofthehill", Variant::KingOfTheHill),
    ("kingofthehill960", Variant::KingOfTheHill),
    ("koth", Variant::KingOfTheHill),
    ("koth960", Variant::KingOfTheHill),
    ("kinghill", Variant::KingOfTheHill),
    ("racingkings", Variant::RacingKings),
    ("racingkings960", Variant::RacingKings),
    ("racingkingschess", Variant::RacingKings),
    ("racing", Variant::RacingKings),
    ("race", Variant::RacingKings),
    ("fromposition", Variant::FromPosition),
    ("setupposition", Variant::FromPosition),
    ("shuffle", Variant::Shuffle),
    ("shufflechess", Variant::Shuffle),
    ("nocastle", Variant::Shuffle),
    ("nocastling", Variant::Shuffle),
    ("chess324", Variant::Shuffle),
    // Numbers of the Internet Chess Club with rules of their own.
    ("wild9", Variant::Unknown),
    ("wild17", Variant::Unknown),
    ("wild22", Variant::Chess960),
    ("wild23", Variant::Crazyhouse),
    ("wild24", Variant::Unknown),
    ("wild25", Variant::ThreeCheck),
    ("wild26", Variant::Suicide),
    ("wild27", Variant::Atomic),
    ("wild28", Variant::Unknown),
    ("wild30", Variant::Unknown),
];

/// Other variants that programs and servers offer, normalised as in [`NAMES`].
const ELSEWHERE: &[&str] = &[
    "3d",
    "4playerchess",
    "alice",
    "amazon",
    "berolina",
    "blackkingonly",
    "breakthrough",
    "bughouse",
    "caparandom",
    "capablanca",
    "capahouse",
    "chesspp",
    "chessplusplus",
    "courier",
    "crc",
    "cylinder",
    "duck",
    "duckchess",
    "extinction",
    "fairy",
    "falcon",
    "fogofwar",
    "gothic",
    "grand",
    "hoppelpoppel",
    "janus",
    "knightmate",
    "kriegspiel",
    "lion",
    "losers",
    "loserschess",
    "makruk",
    "noking",
    "placement",
    "royalduck",
    "seirawan",
    "setup",
    "shatranj",
    "sittuyin",
    "spartan",
    "super",
    "superchess",
    "torpedo",
    "twilight",
    "twokings",
    "whitekingonly",
    "wildcastle",
];

/// Games that are not played with the pieces of chess, normalised as in [`NAMES`].
const OTHER_GAMES: &[&str] = &[
    "ataxx",
    "baduk",
    "checkers",
    "chinesechess",
    "chu",
    "draughts",
    "englishdraughts",
    "go",
    "gomoku",
    "internationaldraughts",
    "janggi",
    "japanesechess",
    "koreanchess",
    "minishogi",
    "othello",
    "renju",
    "reversi",
    "russiandraughts",
    "sho",
    "shogi",
    "weiqi",
    "xiangqi",
];

/// Maximum length of a name that is looked up, normalised, in bytes.
const MAX_LENGTH: usize = 32;

/// Runs `look_up` on the normalised `value`. `None` if it is longer than any known name.
fn normalised<T>(value: &[u8], look_up: impl FnOnce(&[u8]) -> T) -> Option<T> {
    let mut buffer = [0; MAX_LENGTH];
    let mut length = 0;
    for byte in value.iter().filter(|byte| !matches!(byte, b' ' | b'\t' | b'-' | b'_' | b'.' | b'/' | b'(' | b')')) {
        *buffer.get_mut(length)? = byte.to_ascii_lowercase();
        length += 1;
    }
    Some(look_up(&buffer[..length]))
}

impl Variant {
    /// The variant that the value of a Variant tag names, in any case and with any separators. A
    /// value without meaning (empty, `?`, `-`) is standard chess.
    pub fn named(value: &[u8]) -> Variant {
        let look_up = |name: &[u8]| {
            let name = rated_or_not(name);
            let known = NAMES.iter().find(|(known, _)| known.as_bytes() == name).map(|(_, variant)| *variant);
            known.or(is_numbered_start(name).then_some(Variant::Shuffle))
        };
        normalised(value, look_up).flatten().unwrap_or(Variant::Unknown)
    }

    /// Whether the moves of the game follow the Laws of Chess, Chess960 castling included.
    pub const fn follows_laws(self) -> bool {
        matches!(self, Variant::Standard | Variant::Chess960 | Variant::FromPosition | Variant::Shuffle)
    }

    /// The name for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Standard => "Standard",
            Variant::Chess960 => "Chess960",
            Variant::Crazyhouse => "Crazyhouse",
            Variant::Atomic => "Atomic",
            Variant::Antichess => "Antichess",
            Variant::Suicide => "Suicide",
            Variant::Horde => "Horde",
            Variant::ThreeCheck => "Three-check",
            Variant::KingOfTheHill => "King of the Hill",
            Variant::RacingKings => "Racing Kings",
            Variant::FromPosition => "From Position",
            Variant::Shuffle => "Shuffle",
            Variant::Unknown => "unknown",
        }
    }
}

/// Whether `value` names Chess960 in which the two sides can have different starting positions.
pub fn is_double_chess960(value: &[u8]) -> bool {
    let double = |name: &[u8]| name == b"dfrc" || name.starts_with(b"double");
    Variant::named(value) == Variant::Chess960 && normalised(value, double).unwrap_or(false)
}

/// Whether `value` names a known variant that [`Variant`] does not have, such as bughouse or shogi.
pub fn variant_played_elsewhere(value: &[u8]) -> bool {
    normalised(value, |name| ELSEWHERE.iter().any(|known| known.as_bytes() == name) || is_numbered_start(rated_or_not(name)))
        .unwrap_or(false)
        || names_other_game(value)
}

/// Whether `value` names a game that is not played with the pieces of chess, such as shogi or
/// draughts.
pub fn names_other_game(value: &[u8]) -> bool {
    normalised(value, |name| OTHER_GAMES.iter().any(|known| known.as_bytes() == name)).unwrap_or(false)
}

/// The normalised name of a starting position of a server without the `u` of unrated games.
fn rated_or_not(name: &[u8]) -> &[u8] {
    name.strip_prefix(b"u").filter(|rest| rest.starts_with(b"wild")).unwrap_or(name)
}

/// Whether a normalised name is the number of a starting position of a server: `wild8a`.
fn is_numbered_start(name: &[u8]) -> bool {
    let digits = name.strip_prefix(b"wild").map(|number| number.strip_suffix(b"a").unwrap_or(number));
    digits.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
}

/// The variant that the name of an event gives, and the bytes that name it: a starting position of
/// a server (`ICS rated wild/5 match`), shuffled pieces, or odds. `None` for other events.
pub fn variant_of_event(event: &[u8]) -> Option<(Range<usize>, Variant)> {
    const WORDS: [&str; 3] = ["handicap", "odds", "shuffle"];
    let mut start = 0;
    event.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'/').find_map(|word| {
        let place = start..start + word.len();
        start = place.end + 1;
        if WORDS.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes())) {
            return Some((place, Variant::Shuffle));
        }
        let rated = word.strip_prefix(b"u").unwrap_or(word);
        let is_numbered = matches!(rated, [w, i, l, d, b'/', _, ..] if [*w, *i, *l, *d].eq_ignore_ascii_case(b"wild"));
        is_numbered.then(|| (place, Variant::named(word)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_use_are_known() {
        for (value, variant) in [
            ("Standard", Variant::Standard),
            ("normal", Variant::Standard),
            ("", Variant::Standard),
            ("chess 960", Variant::Chess960),
            ("chess-960", Variant::Chess960),
            ("FischeRandom", Variant::Chess960),
            ("wild/fr", Variant::Chess960),
            ("Three-check", Variant::ThreeCheck),
            ("King of the Hill", Variant::KingOfTheHill),
            ("Anti-chess", Variant::Antichess),
            ("suicide", Variant::Suicide),
            ("3-Check", Variant::ThreeCheck),
            ("From Position", Variant::FromPosition),
            ("Foochess", Variant::Unknown),
            ("no-king", Variant::Unknown),
            ("bughouse", Variant::Unknown),
        ] {
            assert_eq!(Variant::named(value.as_bytes()), variant, "{value}");
        }
        assert_eq!(Variant::named(&[b'x'; 10_000]), Variant::Unknown);
        assert_eq!(Variant::named(b"Chess960\xE1"), Variant::Unknown);
    }

    #[test]
    fn names_for_messages_are_known() {
        for (_, variant) in NAMES {
            assert_eq!(Variant::named(variant.name().as_bytes()), *variant);
        }
    }

    #[test]
    fn no_name_is_listed_twice_or_too_long() {
        let mut names: Vec<&str> =
            NAMES.iter().map(|(name, _)| *name).chain(ELSEWHERE.iter().chain(OTHER_GAMES).copied()).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(names.iter().all(|name| name.len() <= MAX_LENGTH));
    }

    #[test]
    fn double_chess960_has_names_of_its_own() {
        assert!([&b"DFRC"[..], b"Double FRC", b"double chess960"].into_iter().all(is_double_chess960));
        assert!(![&b"Chess960"[..], b"fischerandom", b"doublechess", b""].into_iter().any(is_double_chess960));
    }

    #[test]
    fn events_name_starting_positions() {
        for (event, found) in [
            ("ICS rated wild/5 match", Some(("wild/5", Variant::Shuffle))),
            ("ICS unrated Wild/8a match", Some(("Wild/8a", Variant::Shuffle))),
            ("ICS rated wild/fr match", Some(("wild/fr", Variant::Chess960))),
            ("ICS rated wild/1 match", Some(("wild/1", Variant::Shuffle))),
            ("ICC uwild/11", Some(("uwild/11", Variant::Shuffle))),
            ("ICC wild/22", Some(("wild/22", Variant::Chess960))),
            ("ICC uwild/22", Some(("uwild/22", Variant::Chess960))),
            ("ICC wild/24", Some(("wild/24", Variant::Unknown))),
            ("ICC wild/27", Some(("wild/27", Variant::Atomic))),
            ("Match at knight odds, 1858", Some(("odds", Variant::Shuffle))),
            ("Shuffle Masters", Some(("Shuffle", Variant::Shuffle))),
            ("Wild Coast Open", None),
            ("wild/", None),
            ("wild", None),
            ("Oddsson Memorial", None),
            ("", None),
        ] {
            let read = variant_of_event(event.as_bytes()).map(|(place, variant)| (&event[place], variant));
            assert_eq!(read, found, "{event}");
        }
    }

    #[test]
    fn other_games_are_not_typing_errors() {
        assert!(variant_played_elsewhere(b"White king only"));
        assert!(variant_played_elsewhere(b"wild/1"));
        assert!(!variant_played_elsewhere(b"wild"));
        assert!(!variant_played_elsewhere(b"Foochess"));
        assert!(!variant_played_elsewhere(b"Chess960"));
        assert!(variant_played_elsewhere(b"Chinese Chess") && names_other_game(b"Chinese Chess"));
        assert!(!names_other_game(b"bughouse") && !names_other_game(b"chess"));
    }
}
