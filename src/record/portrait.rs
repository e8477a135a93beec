//! The portrait of a corpus: how many games there are by year, rating, time control and so on, and
//! how they ended.

use std::{iter, ops::Range};

use memchr::{memchr, memmem};
use serde::{Deserialize, Serialize};

use crate::{identity::Speed, pgn::KnownTag};

/// What games are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// The year in the tag Date.
    Year,
    /// The average of the ratings of both players.
    Rating,
    /// The number of moves: a move is one of White and one of Black.
    Moves,
    /// The speed that the time control gives.
    TimeControl,
    /// The tag Termination.
    Termination,
    /// The titles of the players. A game counts for each title once.
    Title,
    /// The first letter of the tag ECO.
    Eco,
    /// Where the game begins.
    Start,
    /// Whether comments have clocks or times.
    Clocks,
    /// Whether comments have evaluations.
    Evaluations,
    /// For how many players the tags have a FIDE id.
    FideIds,
}

const FIRST_YEAR: usize = 1475;
const LAST_YEAR: usize = 2099;

/// Ratings are counted by hundreds. Others are not known.
const RATINGS: Range<usize> = 1..4100;

/// Moves are counted by tens up to this.
const TENS: usize = 20;

/// Value 0 of most properties.
const UNKNOWN: &str = "unknown";
const NONE: &str = "none";

const SPEEDS: [&str; 8] = [UNKNOWN, "bullet", "blitz", "rapid", "classical", "correspondence", "none", "other"];
/// The words of the PGN standard (9.8.1), and what servers write.
const TERMINATIONS: [&str; 17] = [
    UNKNOWN,
    "normal",
    "time forfeit",
    "abandoned",
    "unterminated",
    "adjudication",
    "rules infraction",
    "death",
    "emergency",
    "checkmate",
    "resignation",
    "agreement",
    "repetition",
    "stalemate",
    "insufficient material",
    "50-move rule",
    OTHER,
];
/// What other texts of the tag contain, in lowercase, and the place of what they mean.
const TERMINATION_WORDS: [(&str, usize); 13] = [
    ("on time", 2),
    ("timeout", 2),
    ("abandon", 3),
    ("adjudicat", 5),
    ("infraction", 6),
    ("mate", 9),
    ("resign", 10),
    ("agree", 11),
    ("repetition", 12),
    ("stalemate", 13),
    ("insufficient", 14),
    ("50-move", 15),
    ("50 move", 15),
];
const OTHER: &str = "other";
const TITLES: [&str; 12] = [NONE, "GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM", "NM", "BOT", OTHER];
const LETTERS: [&str; 7] = [UNKNOWN, "A", "B", "C", "D", "E", OTHER];
const STARTS: [&str; 2] = ["standard", "other position"];
const IS_THERE: [&str; 2] = ["no", "yes"];
const PLAYERS_WITH_IDS: [&str; 3] = ["none", "one player", "both players"];

impl Property {
    /// All properties.
    pub const ALL: [Property; 11] = [
        Property::Year,
        Property::Rating,
        Property::Moves,
        Property::TimeControl,
        Property::Termination,
        Property::Title,
        Property::Eco,
        Property::Start,
        Property::Clocks,
        Property::Evaluations,
        Property::FideIds,
    ];

    /// The names of all properties in tables, in the same order.
    pub const NAMES: [&str; 11] =
        ["year", "rating", "moves", "time_control", "termination", "title", "eco", "start", "clocks", "evaluations", "fide_ids"];

    /// The name in tables.
    pub const fn name(self) -> &'static str {
        Property::NAMES[self as usize]
    }

    /// The values that have a fixed name. `None` if they are numbers.
    const fn words(self) -> Option<&'static [&'static str]> {
        match self {
            Property::Year | Property::Rating | Property::Moves => None,
            Property::TimeControl => Some(&SPEEDS),
            Property::Termination => Some(&TERMINATIONS),
            Property::Title => Some(&TITLES),
            Property::Eco => Some(&LETTERS),
            Property::Start => Some(&STARTS),
            Property::Clocks | Property::Evaluations => Some(&IS_THERE),
            Property::FideIds => Some(&PLAYERS_WITH_IDS),
        }
    }

    /// Number of values.
    const fn values(self) -> usize {
        match (self, self.words()) {
            (_, Some(words)) => words.len(),
            (Property::Year, _) => LAST_YEAR - FIRST_YEAR + 2,
            (Property::Rating, _) => RATINGS.end / 100 + 1,
            (_, None) => TENS + 3,
        }
    }

    /// The value with this number.
    fn value(self, number: usize) -> String {
        if let Some(words) = self.words() {
            return words.get(number).copied().unwrap_or(UNKNOWN).to_owned();
        }
        let Some(number) = number.checked_sub(1) else { return UNKNOWN.to_owned() };
        match self {
            Property::Year => (FIRST_YEAR + number).to_string(),
            Property::Rating => format!("{} to {}", 100 * number, 100 * number + 99),
            _ => match number {
                0 => "0".to_owned(),
                1 => "1 to 9".to_owned(),
                number if number > TENS => format!("{} and more", 10 * TENS),
                number => format!("{} to {}", 10 * (number - 1), 10 * number - 1),
            },
        }
    }

    /// The place of its first value among those of all properties.
    const fn first(self) -> usize {
        FIRST_VALUES[self as usize]
    }
}

/// The place of the first value of each property, and the number of all values.
const FIRST_VALUES: [usize; Property::ALL.len() + 1] = {
    let mut firsts = [0; Property::ALL.len() + 1];
    let mut at = 0;
    while at < Property::ALL.len() {
        firsts[at + 1] = firsts[at] + Property::ALL[at].values();
        at += 1;
    }
    firsts
};
const ALL_VALUES: usize = FIRST_VALUES[Property::ALL.len()];

/// Number of games that White won, draws, games that Black won, and others.
type Counts = [u64; 4];

/// Number of games by their result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// White won.
    pub white: u64,
    /// Draws.
    pub draw: u64,
    /// Black won.
    pub black: u64,
    /// The result is not known.
    pub other: u64,
}

impl Results {
    /// Number of games.
    pub const fn games(self) -> u64 {
        self.white.saturating_add(self.draw).saturating_add(self.black).saturating_add(self.other)
    }

    const fn of([white, draw, black, other]: Counts) -> Results {
        Results { white, draw, black, other }
    }
}

/// The games of a part of the corpus, counted by their properties.
#[derive(Clone, Debug, Default)]
pub struct Portrait {
    /// For each value of each property; empty without games.
    counts: Vec<Counts>,
}

/// A value of a property that games have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The number of the value: values follow each other as their numbers do.
    pub number: usize,
    /// The value.
    pub value: String,
    /// Whether it stands for games that do not say.
    pub is_unknown: bool,
    /// The games that have it.
    pub results: Results,
}

impl Portrait {
    /// Whether it has no games.
    pub const fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The values of a property that games have, in their order.
    pub fn counted(&self, property: Property) -> impl Iterator<Item = Counted> {
        let all = (0..property.values()).map(move |number| (number, self.results(property, number)));
        all.filter(|(_, results)| results.games() > 0).map(move |(number, results)| {
            let value = property.value(number);
            Counted { number, is_unknown: number == 0 && [UNKNOWN, NONE].contains(&value.as_str()), value, results }
        })
    }

    /// The games with the value of this number.
    fn results(&self, property: Property, number: usize) -> Results {
        Results::of(self.counts.get(property.first() + number).copied().unwrap_or_default())
    }

    /// All games.
    pub fn all(&self) -> Results {
        // Each game has one value of it.
        let mut all = Counts::default();
        let values = self.counts.iter().skip(Property::Start.first()).take(Property::Start.values());
        values.for_each(|counts| add(&mut all, counts));
        Results::of(all)
    }

    /// Adds the games of another part.
    pub fn add(&mut self, other: &Portrait) {
        if !other.is_empty() {
            self.prepared().iter_mut().zip(&other.counts).for_each(|(sum, counts)| add(sum, counts));
        }
    }

    /// Adds the games of another part, as far as their values are known.
    pub fn add_packed(&mut self, other: &PackedPortrait) {
        if other.is_empty() {
            return;
        }
        let sums = self.prepared();
        for (value, counts) in &other.0 {
            if let Some(sum) = sums.get_mut(usize::from(*value)) {
                add(sum, counts);
            }
        }
    }

    /// The counts of all values.
    fn prepared(&mut self) -> &mut [Counts] {
        if self.is_empty() {
            self.counts = vec![Counts::default(); ALL_VALUES];
        }
        &mut self.counts
    }

    /// Only the values that games have.
    pub fn packed(&self) -> PackedPortrait {
        let values = (0..).zip(&self.counts).filter(|(_, counts)| **counts != Counts::default());
        PackedPortrait(values.map(|(value, counts)| (value, *counts)).collect())
    }

    /// Adds a game.
    #[inline]
    pub fn add_game(&mut self, game: &GameProperties) {
        let counts = self.prepared();
        for value in game.values.into_iter().chain(game.other_title) {
            if let Some(counts) = counts.get_mut(usize::from(value)) {
                counts[game.ending & 3] += 1;
            }
        }
    }
}

/// A portrait without the values that no game has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedPortrait(Vec<(u16, Counts)>);

impl PackedPortrait {
    /// Whether it has no games.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Adds counts. Sums of counts that a damaged file contains may be wrong.
fn add(sum: &mut Counts, counts: &Counts) {
    for (sum, number) in sum.iter_mut().zip(counts) {
        *sum = sum.wrapping_add(*number);
    }
}

/// The properties of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameProperties {
    /// The place of its result in [`Counts`].
    ending: usize,
    /// The places of its values among those of all properties.
    values: [u16; Property::ALL.len()],
    /// The same for the title of Black, if it is another one than that of White.
    other_title: Option<u16>,
}

impl GameProperties {
    /// The properties of a game. `value` returns the value of a tag as it is written, empty if the
    /// game does not have the tag. `plies` is the number of plies of the main line, if it is known.
    #[inline]
    pub fn of<'t>(value: impl Fn(KnownTag) -> &'t [u8], plies: Option<u32>, movetext: &[u8]) -> GameProperties {
        let ending = match value(KnownTag::Result) {
            b"1-0" => 0,
            b"1/2-1/2" => 1,
            b"0-1" => 2,
            _ => 3,
        };
        let ratings =
            [KnownTag::WhiteElo, KnownTag::BlackElo].map(|tag| number(value(tag)).filter(|rating| RATINGS.contains(rating)));
        let rating = match ratings {
            [Some(white), Some(black)] => 1 + (white + black) / 200,
            _ => 0,
        };
        let moves = plies.map_or(0, |plies| match plies.div_ceil(2) as usize {
            0 => 1,
            moves => 2 + (moves / 10).min(TENS),
        });
        let [clocks, evaluations] = remarks(movetext).map(usize::from);
        let ids = [KnownTag::WhiteFideId, KnownTag::BlackFideId].map(|tag| usize::from(number(value(tag)) > Some(0)));
        let [white, black] = [KnownTag::WhiteTitle, KnownTag::BlackTitle].map(|tag| title(value(tag)));
        let other_title = (black != white && black != 0 && white != 0).then_some((Property::Title, black));
        let values = [
            (Property::Year, year(value(KnownTag::Date))),
            (Property::Rating, rating),
            (Property::Moves, moves),
            (Property::TimeControl, speed(value(KnownTag::TimeControl))),
            (Property::Termination, termination(value(KnownTag::Termination))),
            (Property::Title, if white == 0 { black } else { white }),
            (Property::Eco, letter(value(KnownTag::Eco))),
            (Property::Start, usize::from(!value(KnownTag::Fen).is_empty())),
            (Property::Clocks, clocks),
            (Property::Evaluations, evaluations),
            (Property::FideIds, ids[0] + ids[1]),
        ];
        let place = |(property, number): (Property, usize)| (property.first() + number) as u16;
        GameProperties { ending, values: values.map(place), other_title: other_title.map(place) }
    }
}

/// A number without a sign; `None` for anything else.
fn number(text: &[u8]) -> Option<usize> {
    let digits = (1..=9).contains(&text.len()) && text.iter().all(u8::is_ascii_digit);
    digits.then(|| text.iter().fold(0, |number, digit| 10 * number + usize::from(digit - b'0')))
}

fn year(date: &[u8]) -> usize {
    let year = date.get(..4).and_then(number).filter(|_| date.get(4).is_none_or(|next| *next == b'.'));
    year.filter(|year| (FIRST_YEAR..=LAST_YEAR).contains(year)).map_or(0, |year| year - FIRST_YEAR + 1)
}

fn letter(eco: &[u8]) -> usize {
    match eco {
        [letter @ b'A'..=b'E', b'0'..=b'9', b'0'..=b'9', ..] => usize::from(letter - b'A') + 1,
        b"" | b"?" | b"-" => 0,
        _ => LETTERS.len() - 1,
    }
}

/// The number of a word, without regard to case, among words of which the last one stands for all
/// others. Number 0 is for no word.
fn word(text: &[u8], words: &[&str]) -> usize {
    match text {
        b"" | b"?" | b"-" => 0,
        text => words.iter().position(|word| word.as_bytes().eq_ignore_ascii_case(text)).unwrap_or(words.len() - 1),
    }
}

fn termination(text: &[u8]) -> usize {
    let number = word(text, &TERMINATIONS);
    if number < TERMINATIONS.len() - 1 { number } else { described(text) }
}

/// The number of a termination that a text describes.
#[cold]
fn described(text: &[u8]) -> usize {
    let text = text.to_ascii_lowercase();
    let has = |words: &&(&str, usize)| memmem::find(&text, words.0.as_bytes()).is_some();
    // A stalemate is no checkmate.
    TERMINATION_WORDS.iter().rev().find(has).map_or(TERMINATIONS.len() - 1, |(_, number)| *number)
}

fn title(text: &[u8]) -> usize {
    word(text, &TITLES)
}

/// Least number of seconds for one move in correspondence chess.
const DAY: usize = 24 * 60 * 60;

/// The number of the speed that a TimeControl tag gives.
fn speed(text: &[u8]) -> usize {
    match text {
        b"" | b"?" => return 0,
        b"-" => return SPEEDS.len() - 2,
        _ => {}
    }
    if text.strip_prefix(b"1/").and_then(number).is_some_and(|seconds| seconds >= DAY) {
        return 5;
    }
    match str::from_utf8(text).ok().and_then(Speed::of_time_control) {
        Some(Speed::Bullet) => 1,
        Some(Speed::Blitz) => 2,
        Some(Speed::Rapid) => 3,
        Some(Speed::Classical) => 4,
        None => SPEEDS.len() - 1,
    }
}

/// Number of comments in which clocks and evaluations are looked for. Before them, there may be
/// moves from an opening book.
const MAX_COMMENTS: usize = 40;

/// Whether comments have clocks or times, and whether they have evaluations: what the first one has
/// that has any of them.
fn remarks(movetext: &[u8]) -> [bool; 2] {
    let mut at = 0;
    for _ in 0..MAX_COMMENTS {
        let Some(open) = memchr(b'{', &movetext[at..]).map(|open| at + open + 1) else { break };
        let close = memchr(b'}', &movetext[open..]).map_or(movetext.len(), |close| open + close);
        let found = remark(&movetext[open..close]);
        if found != [false; 2] {
            return found;
        }
        at = close;
    }
    [false; 2]
}

/// The same for a comment, without its braces.
fn remark(comment: &[u8]) -> [bool; 2] {
    let mut commands =
        iter::successors(memchr(b'[', comment), |open| Some(open + 1 + memchr(b'[', &comment[open + 1..])?)).peekable();
    if commands.peek().is_none() {
        return engine_remark(comment);
    }
    commands.fold([false; 2], |[has_time, has_evaluation], open| {
        let command = &comment[open..];
        let is_time = [&b"[%clk"[..], b"[%emt", b"[%egt"].iter().any(|name| command.starts_with(name));
        [has_time || is_time, has_evaluation || command.starts_with(b"[%eval")]
    })
}

/// The same for what an engine remarks: `+0.15/12 0.5s` (cutechess, fastchess, fishtest), `0.43`,
/// or `d=17, mt=3076, wv=0.62` (TCEC). Rules need the exact values (`read_engine_remark`); here,
/// any form that has some counts.
fn engine_remark(comment: &[u8]) -> [bool; 2] {
    let comment = comment.trim_ascii();
    let has = |names: [&str; 2]| names.iter().any(|name| memmem::find(comment, name.as_bytes()).is_some());
    if comment.get(1) == Some(&b'=') || comment.get(2) == Some(&b'=') {
        return [has(["tl=", "mt="]), has(["wv=", "ev="])];
    }
    let mut words = comment.split(|byte| *byte == b' ').filter(|word| !word.is_empty());
    let Some(first) = words.next() else { return [false; 2] };
    let digits = first.strip_prefix(b"+").or_else(|| first.strip_prefix(b"-")).unwrap_or(first);
    let is_number = digits.first().is_some_and(u8::is_ascii_digit)
        && digits.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'/'))
        && (digits.len() < first.len() || memchr(b'.', digits).is_some_and(|point| point + 1 < digits.len()));
    let is_mate = digits.len() < first.len() && digits.first() == Some(&b'M');
    if !is_number && !is_mate {
        return [false; 2];
    }
    let is_time = |word: &[u8]| {
        let digits = word.trim_ascii_end().strip_suffix(b",").unwrap_or(word);
        let digits = digits.strip_suffix(b"s").unwrap_or(digits);
        !digits.is_empty() && digits.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
    };
    [words.next().is_some_and(is_time), true]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The portrait of a game with these tags.
    fn portrait(tags: &[(KnownTag, &'static str)], plies: Option<u32>, movetext: &str) -> Portrait {
        let value = |tag| tags.iter().find(|(name, _)| *name == tag).map_or(&b""[..], |(_, value)| value.as_bytes());
        let mut portrait = Portrait::default();
        portrait.add_game(&GameProperties::of(value, plies, movetext.as_bytes()));
        portrait
    }

    fn values(portrait: &Portrait, property: Property) -> Vec<String> {
        portrait.counted(property).map(|counted| counted.value).collect()
    }

    #[test]
    fn games_are_counted_by_what_their_tags_say() {
        use KnownTag::{
            BlackElo, BlackTitle, Date, Eco, Fen, Result, Termination, TimeControl, WhiteElo, WhiteFideId, WhiteTitle,
        };
        use Property as Of;
        let value = |of, tags: &[_]| values(&portrait(tags, None, ""), of).join(", ");
        assert_eq!(value(Of::Year, &[(Date, "1972.07.??")]), "1972");
        for date in ["????.??.??", "", "197", "1972/07/11", "1200.01.01", "2100.01.01"] {
            assert_eq!(value(Of::Year, &[(Date, date)]), "unknown", "{date}");
        }
        assert_eq!(value(Of::Rating, &[(WhiteElo, "2698"), (BlackElo, "2701")]), "2600 to 2699");
        assert_eq!(value(Of::Rating, &[(WhiteElo, "4000"), (BlackElo, "4099")]), "4000 to 4099");
        for other in ["", "?", "0", "-5", "4100", "9999"] {
            assert_eq!(value(Of::Rating, &[(WhiteElo, "2698"), (BlackElo, other)]), "unknown", "{other}");
        }
        for (text, expected) in [
            ("60+0", "bullet"),
            ("180", "blitz"),
            ("900+10", "rapid"),
            ("40/7200:3600", "classical"),
            ("1/259200", "correspondence"),
            ("-", "none"),
            ("?", "unknown"),
            ("G60", "other"),
        ] {
            assert_eq!(value(Of::TimeControl, &[(TimeControl, text)]), expected, "{text}");
        }
        assert_eq!(value(Of::Termination, &[(Termination, "Time forfeit")]), "time forfeit");
        for (text, expected) in [
            ("Carlsen won by resignation", "resignation"),
            ("Carlsen won on time", "time forfeit"),
            ("Game drawn by stalemate", "stalemate"),
            ("GUI adjudication", "adjudication"),
            ("won", "other"),
        ] {
            assert_eq!(value(Of::Termination, &[(Termination, text)]), expected, "{text}");
        }
        assert_eq!(value(Of::Title, &[(WhiteTitle, "GM"), (BlackTitle, "GM")]), "GM");
        assert_eq!(value(Of::Title, &[(WhiteTitle, "GM"), (BlackTitle, "WIM")]), "GM, WIM");
        assert_eq!(value(Of::Title, &[(BlackTitle, "LM")]), "other");
        assert_eq!(value(Of::Title, &[(WhiteTitle, "-")]), "none");
        assert_eq!(value(Of::Eco, &[(Eco, "B90")]), "B");
        assert_eq!(value(Of::Eco, &[(Eco, "b90")]), "other");
        assert_eq!(value(Of::Start, &[(Fen, "8/8/8/8/8/8/8/8 w - - 0 1")]), "other position");
        assert_eq!(value(Of::FideIds, &[(WhiteFideId, "1503014")]), "one player");
        let all = portrait(&[(Result, "1/2-1/2")], None, "").all();
        assert_eq!((all, all.games()), (Results { draw: 1, ..Results::default() }, 1));
    }

    #[test]
    fn lengths_are_counted_in_moves() {
        let value = |plies| values(&portrait(&[], plies, ""), Property::Moves).join(", ");
        let values = [None, Some(0), Some(1), Some(18), Some(19), Some(80), Some(399), Some(9999)].map(value);
        assert_eq!(
            values,
            ["unknown", "0", "1 to 9", "1 to 9", "10 to 19", "40 to 49", "200 and more", "200 and more"].map(str::to_owned)
        );
    }

    #[test]
    fn clocks_and_evaluations_are_found_in_comments() {
        for (movetext, clocks, evaluations) in [
            ("1. e4 {[%clk 0:10:00]} e5 *", true, false),
            ("1. e4 { [%eval 0.3] [%clk 0:10:00] } e5 *", true, true),
            ("1. e4 {book} e5 {+0.31/12 0.5s} *", true, true),
            ("1. e4 {d=17, mt=3076, wv=0.62} *", true, true),
            ("1. e4 { ev=0,d=1,tl=02:00:00 } *", true, true),
            ("1. e4 {+0.31/12, 3.4s, book} *", false, false),
            ("1. e4 {-0.02/29 238 (Kd3)} *", true, true),
            ("1. e4 { 0.43 } *", false, true),
            ("1. e4 {+M12/20 0.1s} *", true, true),
            ("1. e4 {1965} e5 {2.Nf3 was better} 2. d4 {1. d4} *", false, false),
            ("1. e4 {- the usual move} e5 {a=b} *", false, false),
            ("1. e4 {a good move [!]} *", false, false),
            ("1. e4 {[%csl Re4]} *", false, false),
            ("1. e4 {", false, false),
            ("1. e4 *", false, false),
        ] {
            assert_eq!(remarks(movetext.as_bytes()), [clocks, evaluations], "{movetext}");
        }
    }

    #[test]
    fn parts_are_added_and_saved() {
        let one = portrait(&[(KnownTag::Date, "1972.07.11"), (KnownTag::Result, "1-0")], Some(82), "1. d4 *");
        let other = portrait(&[(KnownTag::Date, "1972.07.13"), (KnownTag::Result, "0-1")], Some(112), "1. d4 *");
        let mut sum = Portrait::default();
        assert!(sum.is_empty());
        [&one, &other].into_iter().for_each(|part| sum.add(part));
        let years: Vec<Counted> = sum.counted(Property::Year).collect();
        let results = Results { white: 1, black: 1, ..Results::default() };
        assert_eq!(years, [Counted { number: 498, value: "1972".to_owned(), is_unknown: false, results }]);
        let saved = serde_json::to_string(&sum.packed()).expect("a text");
        let packed: PackedPortrait = serde_json::from_str(&saved).expect("a portrait");
        let mut restored = Portrait::default();
        restored.add_packed(&packed);
        assert_eq!(restored.counts, sum.counts);
        restored.add_packed(&PackedPortrait(vec![(u16::MAX, [1; 4])]));
        assert_eq!(restored.counts, sum.counts, "unknown values do not count");
    }
}
