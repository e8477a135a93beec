//! TAG23: FIDE ids that contradict other games of the input.

use std::{any::Any, io};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use crate::pgn::tag_pairs;
use crate::rules::Code;
use crate::rules::aggregate::{
    Aggregate, InputFinding, NotedRecord, NotedText, Offset, Put, Shift, Take, restored, same_rule, saved,
};
use crate::rules::prelude::*;
use crate::text::{Encoding, Span, readable};

/// Maximum number of players remembered.
const MAX_PLAYERS: usize = 1 << 20;

/// Maximum number of findings per input.
const MAX_FINDINGS: usize = 10_000;

/// Maximum number of days between two ratings that are compared.
const MAX_DAYS: i32 = 60;

/// Maximum difference of two ratings of one player within that time.
const MAX_RATING_CHANGE: u32 = 400;

/// Minimum similarity (Jaro-Winkler) of two spellings of one word.
const MIN_SIMILARITY: f64 = 0.8;

pub static RULE: Rule = Rule {
    code: code!("TAG23"),
    name: "fide-id-conflict",
    severity: Severity::Info,
    summary: "A FIDE id does not match the player's other games",
    what: "A FIDE id (WhiteFideId, BlackFideId) occurs with two names that have no word in common, \
           not even a similar one. Or one full name has two ids. Or the ratings of two games at \
           most 60 days apart differ by more than 400 points. Each id or name is reported once per \
           input.",
    why: "Games are credited to the wrong player, because ids or namesakes were mixed up. FIDE has \
           sometimes reassigned ids, so this is only a hint.",
    fix: "Look up the player in the FIDE rating list, and correct the id or the name.",
    source: "PGN supplemental tags; FIDE rating list",
    fires: &[
        Sample::Pgn(concat!(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"2020.01.01\"]\n[Round \"1\"]\n[White \"Quill, Ada\"]\n[Black \"?\"]\n[Result \"*\"]\n[WhiteFideId \"1234567\"]\n\n1. e4 *\n\n",
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"2020.01.02\"]\n[Round \"2\"]\n[White \"Raines, Tom\"]\n[Black \"?\"]\n[Result \"*\"]\n[WhiteFideId \"⟦1234567⟧\"]\n\n1. d4 *\n",
        )),
        Sample::Pgn(concat!(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"2020.01.01\"]\n[Round \"1\"]\n[White \"Quill, Ada\"]\n[Black \"?\"]\n[Result \"*\"]\n[WhiteElo \"2100\"]\n[WhiteFideId \"1234567\"]\n\n1. e4 *\n\n",
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"2020.02.01\"]\n[Round \"2\"]\n[White \"?\"]\n[Black \"Quill, A\"]\n[Result \"*\"]\n[BlackElo \"2600\"]\n[BlackFideId \"⟦1234567⟧\"]\n\n1. d4 *\n",
        )),
    ],
    silent: &[Sample::Pgn(concat!(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"2020.01.01\"]\n[Round \"1\"]\n[White \"Quill, Ada\"]\n[Black \"?\"]\n[Result \"*\"]\n[WhiteElo \"2100\"]\n[WhiteFideId \"1234567\"]\n\n1. e4 *\n\n",
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"2021.01.01\"]\n[Round \"2\"]\n[White \"Quil, A\"]\n[Black \"?\"]\n[Result \"*\"]\n[WhiteElo \"2600\"]\n[WhiteFideId \"1234567\"]\n\n1. d4 *\n",
    ))],
    check: Check::GamesOfInput(|| Box::<PlayersOfInput>::default()),
    ..Rule::DEFAULTS
};

/// The players of a part of an input.
#[derive(Debug, Default)]
struct PlayersOfInput {
    /// Those of this part, in order.
    occurrences: Vec<PlayerOccurrence>,
    /// What the parts merged so far have shown.
    players: Players,
}

impl Aggregate for PlayersOfInput {
    fn rule(&self) -> Code {
        RULE.code
    }

    fn part(&self) -> Box<dyn Aggregate> {
        Box::<PlayersOfInput>::default()
    }

    #[cold]
    fn note(&mut self, record: &mut NotedRecord<'_>) {
        if !record.is_game {
            return;
        }
        for occurrence in occurrences(record.bytes(), record.place.start) {
            let (line, column) = (record.locate)(occurrence.place.start);
            self.occurrences.push(PlayerOccurrence {
                line,
                column,
                game: record.ordinal,
                label: (record.label)(),
                place: occurrence.place.shifted(usize::try_from(record.base).unwrap_or(usize::MAX)),
                ..occurrence
            });
        }
    }

    fn merge(&mut self, next: Box<dyn Aggregate>, _: NotedText<'_>, offset: Offset) -> io::Result<()> {
        debug_assert!(self.occurrences.is_empty());
        let next: PlayersOfInput = same_rule(next)?;
        for occurrence in next.occurrences {
            let (line, game) = (occurrence.line + offset.lines, occurrence.game + offset.records);
            self.players.add(PlayerOccurrence { line, game, ..occurrence });
        }
        Ok(())
    }

    fn may_report_alone(&self) -> bool {
        let mut players = Players::default();
        self.occurrences.iter().for_each(|occurrence| players.add(occurrence.clone()));
        !players.findings.is_empty()
    }

    fn save(self: Box<Self>, _: NotedText<'_>, put: &mut Put<'_>) -> io::Result<()> {
        self.occurrences.iter().try_for_each(|occurrence| put(saved(occurrence)?))
    }

    fn restore(&mut self, saved: Value, shift: Shift) -> io::Result<()> {
        let occurrence: PlayerOccurrence = restored(saved)?;
        let (line, game) = (shift.line(occurrence.line), shift.record(occurrence.game));
        self.players.add(PlayerOccurrence { place: shift.span(occurrence.place), line, game, ..occurrence });
        Ok(())
    }

    fn report(self: Box<Self>, take: &mut Take<'_>) -> io::Result<()> {
        self.players.findings.into_iter().try_for_each(take)
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// A player with a FIDE id in one game.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct PlayerOccurrence {
    id: u32,
    name: String,
    elo: Option<u32>,
    /// The number of the day (see [`day_of`]), if the date is known.
    day: Option<i32>,
    /// The id: offsets in the text at first, later in the input.
    place: Span,
    line: u64,
    column: u64,
    game: u64,
    label: String,
}

/// The players of a game that have FIDE ids, in the order of their places.
fn occurrences(record: &[u8], start: usize) -> Vec<PlayerOccurrence> {
    let encoding = Encoding::of(record);
    let mut names = [String::new(), String::new()];
    let mut elos = [None, None];
    let mut ids: [Option<(u32, Span)>; 2] = [None, None];
    let mut day = None;
    for pair in tag_pairs(record, 0) {
        let value = pair.value.of(record);
        let digits = std::str::from_utf8(value).ok().and_then(|value| value.trim().parse::<u32>().ok());
        match pair.name.of(record) {
            b"White" => names[0] = readable(value, encoding).into_owned(),
            b"Black" => names[1] = readable(value, encoding).into_owned(),
            b"WhiteElo" => elos[0] = digits,
            b"BlackElo" => elos[1] = digits,
            b"WhiteFideId" => ids[0] = digits.map(|id| (id, pair.value)),
            b"BlackFideId" => ids[1] = digits.map(|id| (id, pair.value)),
            b"Date" => day = day_of(value),
            _ => {}
        }
    }
    // The same id for both players is TAG10.
    if let [Some((white, _)), Some((black, _))] = ids
        && white == black
    {
        return Vec::new();
    }
    let mut found: Vec<PlayerOccurrence> = Vec::new();
    for ((id, name), elo) in ids.into_iter().zip(names).zip(elos) {
        let Some((id, place)) = id.filter(|(id, _)| *id > 0) else { continue };
        let place = place.shifted(start);
        let elo = elo.filter(|elo| (1000..4000).contains(elo));
        found.push(PlayerOccurrence { id, name, elo, day, place, line: 0, column: 0, game: 0, label: String::new() });
    }
    found.sort_by_key(|occurrence| occurrence.place);
    found
}

/// A complete date as a day number. Numbers of one year are consecutive; a new year may skip one.
fn day_of(date: &[u8]) -> Option<i32> {
    let text = std::str::from_utf8(date).ok()?;
    let mut fields = text.split('.');
    let year = fields.next()?.parse::<i16>().ok()?;
    let month = fields.next()?.parse::<i8>().ok()?;
    let day = fields.next()?.parse::<i8>().ok()?;
    let date = jiff::civil::Date::new(year, month, day).ok()?;
    Some(i32::from(date.year()) * 366 + i32::from(date.day_of_year()))
}

/// What is known about an id.
#[derive(Debug)]
struct Known {
    name: String,
    /// The last rating and its day.
    rated: Option<(u32, i32)>,
    is_reported: bool,
}

/// The players of an input.
#[derive(Debug, Default)]
struct Players {
    ids: FxHashMap<u32, Known>,
    /// The first id of each name.
    names: FxHashMap<String, u32>,
    reported_names: FxHashSet<String>,
    findings: Vec<InputFinding>,
}

impl Players {
    /// Adds the next occurrence, in the order of the games.
    fn add(&mut self, occurrence: PlayerOccurrence) {
        let message = self.conflict(&occurrence);
        if let Some(message) = message.filter(|_| self.findings.len() < MAX_FINDINGS) {
            let PlayerOccurrence { id, name, day, place, line, column, game, label, .. } = occurrence;
            let mut findings = Findings::new();
            let finding = findings.add(&RULE, place).found(id.to_string()).message(message).clone();
            self.findings.push(InputFinding {
                finding: Finding { line, column, game, game_label: label, ..finding },
                subject: xxh3_64(format!("{id} {name} {day:?}").as_bytes()),
            });
        }
    }

    /// The first contradiction about each id.
    fn conflict(&mut self, occurrence: &PlayerOccurrence) -> Option<String> {
        let PlayerOccurrence { id, name, .. } = occurrence;
        let rated = occurrence.elo.zip(occurrence.day);
        let has_room = self.ids.len() < MAX_PLAYERS;
        let Some(known) = self.ids.get_mut(id) else {
            if has_room {
                self.ids.insert(*id, Known { name: name.clone(), rated, is_reported: false });
            }
            return self.other_id(occurrence);
        };
        let previous = known.rated;
        known.rated = rated.or(previous);
        if known.is_reported {
            return None;
        }
        if !are_related(&known.name, name) {
            known.is_reported = true;
            return Some(format!("FIDE id {id} belongs to `{name}` here, but to `{}` elsewhere in this input", known.name));
        }
        if let (Some((elo, day)), Some((other_elo, other_day))) = (rated, previous)
            && elo.abs_diff(other_elo) > MAX_RATING_CHANGE
            && (day - other_day).abs() <= MAX_DAYS
        {
            known.is_reported = true;
            return Some(format!(
                "`{name}` (FIDE id {id}) is rated {elo} here, but {other_elo} in a game at most {MAX_DAYS} days away"
            ));
        }
        None
    }

    /// The contradiction if the same full name had another id before, once for each name.
    fn other_id(&mut self, occurrence: &PlayerOccurrence) -> Option<String> {
        let key = words(&occurrence.name).join(" ");
        // Many players share a family name with or without an initial.
        if words(&occurrence.name).iter().filter(|word| word.chars().count() > 2).count() < 2 {
            return None;
        }
        match self.names.get(&key) {
            Some(first) if *first != occurrence.id && self.reported_names.insert(key.clone()) => {
                Some(format!("`{}` has FIDE id {} here, but {first} elsewhere in this input", occurrence.name, occurrence.id))
            }
            Some(_) => None,
            None => {
                if self.names.len() < MAX_PLAYERS {
                    self.names.insert(key, occurrence.id);
                }
                None
            }
        }
    }
}

/// The words of a name in lowercase.
fn words(name: &str) -> Vec<String> {
    name.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Whether two names may belong to one player: they have a similar word, or one of them has no word
/// of more than two letters.
fn are_related(one: &str, other: &str) -> bool {
    let long = |name: &str| words(name).into_iter().filter(|word| word.chars().count() > 2).collect::<Vec<_>>();
    let (one, other) = (long(one), long(other));
    one.is_empty()
        || other.is_empty()
        || one.iter().any(|word| other.iter().any(|similar| strsim::jaro_winkler(word, similar) >= MIN_SIMILARITY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_a_similar_word_are_related() {
        for (one, other) in [("Carlsen, Magnus", "Carlsen,M"), ("Yusupov, Artur", "Jusupow, A"), ("Li, Bo", "Li, B"), ("", "X")] {
            assert!(are_related(one, other), "{one} / {other}");
        }
        assert!(!are_related("Carlsen, Magnus", "Nakamura, Hikaru"));
    }

    #[test]
    fn a_player_with_two_ids_is_reported_once() {
        let mut players = Players::default();
        for (id, game) in [(1, 1), (2, 2), (2, 3), (3, 4)] {
            let occurrence = PlayerOccurrence {
                id,
                name: "Quill, Ada".to_owned(),
                elo: None,
                day: None,
                place: Span::new(0, 1),
                line: 1,
                column: 1,
                game,
                label: String::new(),
            };
            players.add(occurrence);
        }
        let findings: Vec<Finding> = players.findings.into_iter().map(|found| found.finding).collect();
        assert_eq!(findings.iter().map(|finding| finding.game).collect::<Vec<_>>(), [2]);
        assert_eq!(findings[0].message, "`Quill, Ada` has FIDE id 2 here, but 1 elsewhere in this input");
    }
}
