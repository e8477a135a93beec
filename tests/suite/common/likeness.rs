//! Judges slowly and simply whether two games are copies. It shares nothing with the tested code.

use shakmaty::{Chess, EnPassantMode, Move, Position, fen::Fen};

use super::planted::PlantedGame;

/// What may be reported about two games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The rules that may join the games. If it is empty, no rule may.
    pub codes: &'static [&'static str],
    pub severities: &'static [&'static str],
    /// Whether a finding must join the games.
    pub is_required: bool,
}

const ALL: &[&str] = &["DUP01", "DUP02", "DUP03", "DUP04", "DUP05", "DUP06", "DUP11"];

impl Expected {
    pub const NOTHING: Expected = Expected { codes: &[], severities: &[], is_required: false };
    /// Infos are acceptable, warnings are not.
    pub const NO_WARNING: Expected = Expected { codes: ALL, severities: &["info"], is_required: false };
    /// The definition of the rules does not decide.
    pub const OPEN: Expected = Expected { codes: ALL, severities: &["warning", "info"], is_required: false };

    pub const fn warning(codes: &'static [&'static str]) -> Expected {
        Expected { codes, severities: &["warning"], is_required: true }
    }

    pub const fn info(codes: &'static [&'static str]) -> Expected {
        Expected { codes, severities: &["info"], is_required: true }
    }

    /// The same, but the games need not be joined.
    pub const fn optional(self) -> Expected {
        Expected { is_required: false, ..self }
    }

    pub fn may_warn(&self) -> bool {
        self.severities.contains(&"warning")
    }

    /// Whether a warning makes the two games copies of each other.
    pub fn may_be_copies(&self) -> bool {
        self.may_warn() && self.codes.iter().any(|code| makes_copies(code))
    }
}

/// Whether warnings of a rule say that two games are copies.
pub fn makes_copies(code: &str) -> bool {
    ["DUP01", "DUP03", "DUP04", "DUP05"].contains(&code)
}

/// A reading of a name: the surname, and the initials of the first names.
pub type Reading = (String, String);

/// What is compared of a game.
#[derive(Clone, Debug)]
pub struct Facts {
    pub white: Vec<Reading>,
    pub black: Vec<Reading>,
    pub start: String,
    pub end: String,
    pub plies: Vec<u16>,
    pub date: [Option<u32>; 3],
    pub round: Option<String>,
    pub ids: Vec<String>,
    pub game: PlantedGame,
    is_of_engines: bool,
    has_bare_kings: bool,
}

impl Facts {
    pub fn of(game: &PlantedGame) -> Facts {
        let mut position = game.start();
        let start = without_counters(&position);
        let plies = game.moves.iter().map(|&played| number(played)).collect();
        game.moves.iter().for_each(|&played| position.play_unchecked(played));
        let extra = |names: &[&str]| -> Vec<String> {
            game.extra.iter().filter(|(name, _)| names.contains(name)).map(|(_, value)| value.clone()).collect()
        };
        let mut ids = extra(&["GameId", "Link"]);
        ids.extend(game.site.starts_with("https://").then(|| game.site.clone()));
        Facts {
            white: readings(&game.white),
            black: readings(&game.black),
            start,
            end: without_counters(&position),
            plies,
            date: date(&game.date),
            round: (!["?", "-", ""].contains(&game.round.as_str())).then(|| game.round.clone()),
            ids,
            game: game.clone(),
            is_of_engines: extra(&["WhiteType", "BlackType"]) == ["program", "program"],
            has_bare_kings: position.board().occupied().count() == 2,
        }
    }

    /// By what this game can be like another one.
    pub fn shared(&self) -> Vec<String> {
        let surnames = self.white.iter().chain(&self.black).map(|(surname, _)| format!("name {surname}"));
        let ids = self.ids.iter().map(|id| format!("id {id}"));
        let first = format!("plies {} {:?}", self.start, &self.plies[..self.plies.len().min(8)]);
        surnames.chain(ids).chain([first, format!("end {}", self.end)]).collect()
    }

    fn is_named(&self) -> bool {
        !self.white.is_empty() && !self.black.is_empty()
    }

    fn has_no_slot(&self) -> bool {
        self.round.is_none() && self.date[0].is_none()
    }

    fn is_decisive(&self) -> bool {
        ["1-0", "0-1"].contains(&self.game.result)
    }

    fn utc_time(&self) -> Option<&String> {
        self.game.extra.iter().find(|(name, _)| *name == "UTCTime").map(|(_, value)| value)
    }
}

fn without_counters(position: &Chess) -> String {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// A ply as a number: from, to and promotion.
pub fn number(played: Move) -> u16 {
    let from = played.from().map_or(0, |square| square as u16);
    from | (played.to() as u16) << 6 | played.promotion().map_or(0, |role| role as u16) << 12
}

/// All readings of a name. There are none if the name is not known.
pub fn readings(name: &str) -> Vec<Reading> {
    let mut readings: Vec<Reading> = ["a", "ae"].iter().filter_map(|umlaut| reading(&folded(name, umlaut))).collect();
    readings.dedup();
    readings
}

fn reading(folded: &str) -> Option<Reading> {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
    let initials = |words: &[String]| words.iter().filter_map(|word| word.chars().next()).collect::<String>();
    if let Some((before, after)) = folded.split_once(',') {
        let surname = words(before).join(" ");
        return (!surname.is_empty()).then(|| (surname, initials(&words(after))));
    }
    let mut words = words(folded);
    let last = words.iter().rposition(|word| word.chars().count() > 1)?;
    let surname = words.remove(last);
    Some((surname, initials(&words)))
}

/// A name in small ASCII letters, spaces and commas, without what is in brackets.
fn folded(name: &str, umlaut: &str) -> String {
    let mut folded = String::new();
    let mut depth = 0;
    for letter in name.to_lowercase().chars() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ if depth > 0 => {}
            'a'..='z' | ',' => folded.push(letter),
            'ä' => folded.push_str(umlaut),
            _ => folded.push_str(plain(letter).unwrap_or(" ")),
        }
    }
    folded
}

/// A letter of the planted names without its diacritics.
pub fn plain(letter: char) -> Option<&'static str> {
    Some(match letter {
        'á' | 'ä' => "a",
        'é' => "e",
        'ö' | 'ø' => "o",
        'ü' => "u",
        'ñ' => "n",
        'š' => "s",
        'ł' => "l",
        'đ' => "d",
        'ß' => "ss",
        'þ' => "th",
        'æ' => "ae",
        _ => return None,
    })
}

/// Whether two names can be of one player.
pub fn are_compatible(a: &[Reading], b: &[Reading]) -> bool {
    a.iter().any(|(surname, initials)| {
        b.iter().any(|(other_surname, other_initials)| {
            let shares = initials.chars().any(|initial| other_initials.contains(initial));
            surname == other_surname && (initials.is_empty() || other_initials.is_empty() || shares)
        })
    })
}

fn date(text: &str) -> [Option<u32>; 3] {
    let mut parts = text.split('.').map(|part| part.parse().ok());
    std::array::from_fn(|_| parts.next().flatten())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dates {
    Compatible,
    OneYearApart,
    OtherYear,
    OtherDay,
}

fn compare_dates(a: [Option<u32>; 3], b: [Option<u32>; 3]) -> Dates {
    let differs = |part: usize| matches!((a[part], b[part]), (Some(a), Some(b)) if a != b);
    match (a[0], b[0]) {
        (Some(a), Some(b)) if a.abs_diff(b) == 1 => Dates::OneYearApart,
        _ if differs(0) => Dates::OtherYear,
        _ if differs(1) || differs(2) => Dates::OtherDay,
        _ => Dates::Compatible,
    }
}

/// Rounds contradict if both are known and differ; `5` is compatible with `05` and `5.2`.
fn rounds_contradict(a: Option<&str>, b: Option<&str>) -> bool {
    let parts = |round: &str| round.split('.').map(|part| part.trim_start_matches('0').to_owned()).collect::<Vec<_>>();
    match (a.map(parts), b.map(parts)) {
        (Some(a), Some(b)) => a.iter().zip(&b).any(|(a, b)| a != b),
        _ => false,
    }
}

/// The edit distances of `a` from the nearest beginning of `b`, and of either from that of the
/// other.
pub fn distances_to_beginning(a: &[u16], b: &[u16]) -> [usize; 2] {
    let mut matrix = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            matrix[i][j] = match (i, j) {
                (0, _) | (_, 0) => i + j,
                _ => {
                    let substituted = matrix[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    substituted.min(matrix[i - 1][j] + 1).min(matrix[i][j - 1] + 1)
                }
            };
        }
    }
    let of_a = matrix[a.len()].iter().copied().min().unwrap_or_default();
    let of_b = matrix.iter().map(|row| row[b.len()]).min().unwrap_or_default();
    [of_a, of_a.min(of_b)]
}

/// What may be reported about two games.
pub fn judge(a: &Facts, b: &Facts) -> Expected {
    let (a, b) = if a.plies.len() <= b.plies.len() { (a, b) } else { (b, a) };
    let related = if a.start == b.start { judge_moves(a, b) } else { Expected::NOTHING };
    if related != Expected::NOTHING || !a.is_named() || !b.is_named() {
        return related;
    }
    let same_slot = is_same_slot(a, b);
    if a.ids.iter().any(|id| b.ids.contains(id)) {
        return match same_slot {
            true => Expected { codes: &["DUP06", "DUP11"], severities: &["warning", "info"], is_required: true },
            false => Expected::warning(&["DUP06"]),
        };
    }
    if !same_slot {
        return Expected::NOTHING;
    }
    match common(a, b) < 20 {
        true => Expected::info(&["DUP11"]),
        false => Expected::info(&["DUP11"]).optional(),
    }
}

fn is_same_slot(a: &Facts, b: &Facts) -> bool {
    let players = are_compatible(&a.white, &b.white) && are_compatible(&a.black, &b.black);
    let is_dated = a.date == b.date && a.date.iter().all(Option::is_some);
    players && is_dated && a.game.event == b.game.event && a.round.is_some() && a.round == b.round
}

fn common(a: &Facts, b: &Facts) -> usize {
    a.plies.iter().zip(&b.plies).take_while(|(a, b)| a == b).count()
}

/// Judges two games from the same position. The first is not longer than the second.
fn judge_moves(a: &Facts, b: &Facts) -> Expected {
    let common = common(a, b);
    let is_beginning = common == a.plies.len();
    if !a.is_named() || !b.is_named() || a.game.fen.is_some() && is_beginning {
        return if is_beginning { Expected::NO_WARNING } else { Expected::NOTHING };
    }
    let same = are_compatible(&a.white, &b.white) && are_compatible(&a.black, &b.black);
    let swapped = are_compatible(&a.white, &b.black) && are_compatible(&a.black, &b.white);
    match () {
        () if a.plies == b.plies && same => judge_same(a, b),
        () if a.plies == b.plies && swapped => judge_swapped(a, b),
        () if a.plies == b.plies => judge_others(a, b),
        () if same => judge_versions(a, b, common),
        () => Expected::NOTHING,
    }
}

/// The severities of equal moves: an info if they may be a repetition. It is open if only one game
/// has neither round nor date.
fn severities(a: &Facts, b: &Facts, unless_repeated: &'static [&'static str]) -> &'static [&'static str] {
    let agree = a.ids.iter().any(|id| b.ids.contains(id)) || a.utc_time().is_some() && a.utc_time() == b.utc_time();
    match () {
        () if agree => unless_repeated,
        () if a.is_of_engines || b.is_of_engines || a.has_no_slot() && b.has_no_slot() => &["info"],
        () if a.has_no_slot() || b.has_no_slot() => &["warning", "info"],
        () => unless_repeated,
    }
}

fn judge_same(a: &Facts, b: &Facts) -> Expected {
    let plies = a.plies.len();
    if plies < 10 {
        return Expected::NO_WARNING;
    }
    let dates = compare_dates(a.date, b.date);
    if dates == Dates::OtherDay {
        return Expected::OPEN;
    }
    let rounds = rounds_contradict(a.round.as_deref(), b.round.as_deref());
    let results = a.game.result != b.game.result && a.game.result != "*" && b.game.result != "*";
    let ratings = (0..2).any(|side| {
        let (a, b) = (a.game.ratings[side], b.game.ratings[side]);
        a != b && a != 0 && b != 0
    });
    let is_short_draw = plies < 24 && a.game.result == "1/2-1/2" && !results;
    if is_short_draw && (dates != Dates::Compatible || rounds) {
        return Expected::NO_WARNING;
    }
    let year = dates == Dates::OtherYear || dates == Dates::OneYearApart && plies < 30;
    let codes: &[&str] = match () {
        () if results || rounds || ratings || year => &["DUP03"],
        () if dates == Dates::OneYearApart => &["DUP01", "DUP03"],
        () => &["DUP01"],
    };
    let severities = severities(a, b, &["warning"]);
    // Engines repeat whole games in other rounds. That is the only kind of info that is not
    // required.
    let is_repeat = severities == ["info"] && (rounds || year);
    match is_repeat {
        true => Expected { codes: &["DUP01", "DUP03"], severities, is_required: false },
        false => Expected { codes, severities, is_required: true },
    }
}

fn judge_swapped(a: &Facts, b: &Facts) -> Expected {
    match a.plies.len() {
        0..10 => Expected::NO_WARNING,
        10..24 => Expected::OPEN,
        _ => Expected { codes: &["DUP03"], severities: severities(a, b, &["warning"]), is_required: true },
    }
}

fn judge_others(a: &Facts, b: &Facts) -> Expected {
    let plies = a.plies.len();
    let is_decisive = a.is_decisive() && b.is_decisive();
    let is_open = (40..60).contains(&plies) && a.is_decisive() != b.is_decisive();
    let severities = match () {
        () if plies < 24 => return Expected::NOTHING,
        () if is_open => &["warning", "info"],
        () => severities(a, b, if plies >= 60 || plies >= 40 && is_decisive { &["warning"] } else { &["info"] }),
    };
    let is_required = !a.is_of_engines && !b.is_of_engines;
    Expected { codes: &["DUP02"], severities, is_required }
}

/// Judges games of the same players with different moves. The first `common` plies agree.
fn judge_versions(a: &Facts, b: &Facts, common: usize) -> Expected {
    let plies = a.plies.len();
    match compare_dates(a.date, b.date) {
        Dates::OneYearApart if common >= 20 => return Expected::OPEN,
        Dates::Compatible => {}
        _ => return Expected::NOTHING,
    }
    let rounds = rounds_contradict(a.round.as_deref(), b.round.as_deref());
    let is_candidate = common >= 20 || a.date[0] == b.date[0] || a.end == b.end;
    let required = |expected: Expected| if is_candidate { expected } else { expected.optional() };
    if common == plies {
        return match plies {
            0..8 => Expected::NOTHING,
            _ if rounds => Expected::OPEN,
            8..20 if [a, b].iter().any(|facts| facts.game.result == "1/2-1/2") => Expected::info(&["DUP04"]).optional(),
            8..20 => required(Expected::info(&["DUP04"])),
            _ => required(Expected::warning(&["DUP04"])),
        };
    }
    let limit = (plies / 12).clamp(2, 12);
    let [distance, nearest] = if plies >= 24 { distances_to_beginning(&a.plies, &b.plies) } else { [usize::MAX; 2] };
    let is_same_end = a.end == b.end && plies >= 20 && b.plies.len() - plies <= 2;
    let is_near = distance <= limit;
    match () {
        () if rounds && is_near && distance <= 2 && plies >= 60 => required(Expected::info(&["DUP05"])),
        () if rounds && (is_near || is_same_end) && plies >= 60 => Expected::NO_WARNING,
        () if rounds => Expected::NOTHING,
        () if is_near && distance <= 2 => required(Expected::warning(&["DUP05"])),
        () if is_same_end && !a.has_bare_kings => {
            required(Expected { codes: &["DUP05"], severities: &["warning", "info"], is_required: true })
        }
        () if is_near => required(Expected::info(&["DUP05"])),
        () if nearest <= limit => Expected::OPEN,
        () => Expected::NOTHING,
    }
}

/// Whether the first copy is to be kept rather than the second. `None` if the tags decide
/// otherwise.
pub fn is_better(a: &Facts, b: &Facts) -> Option<bool> {
    let known = |date: [Option<u32>; 3]| date.iter().flatten().count();
    let ratings = |facts: &Facts| facts.game.ratings.iter().filter(|rating| **rating != 0).count();
    let values = |facts: &Facts| {
        [
            usize::from(facts.game.result != "*"),
            facts.plies.len(),
            usize::from(facts.game.is_annotated),
            known(facts.date),
            facts.round.as_ref().map_or(0, |_| facts.game.round.split('.').count()),
            facts.ids.len(),
            ratings(facts),
        ]
    };
    let (a, b) = (values(a), values(b));
    (a != b).then(|| a > b)
}
