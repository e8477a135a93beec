//! What happened to the games of two corpora, by the keys of the games in their reports.
//!
//! Games with equal content are matched one to one: first inside their input, then over all inputs.
//! Of the others, those of one input that share moves, or players, date and round, are the same
//! game, edited; in another input, the moves are not enough without the players. So are the only
//! two that are left at the same place between their neighbours, if they share the players or the
//! date. The rest was added or removed.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    io::{self, Write},
};

use schemars::JsonSchema;
use serde::Serialize;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::{
    compare_error::CompareError,
    reader::{GameKeyRow, ReportReader},
};
use crate::format::{COMPARE_GAMES_COLUMNS, sentences::TablesAt};
use crate::{
    identity::{Group, IN_SECOND, Unmatched, join, matched},
    spill::{Sorter, temporary_failed},
    text::wording::{printable, quantity, thousands},
};

/// The file with one row per game that differs.
pub const COMPARE_GAMES_CSV: &str = crate::format::files::COMPARE_GAMES_FILE;

/// Maximum number of games that are listed for each change.
const MAX_LISTED: usize = 10;

/// Maximum number of games of each sorter in memory.
const MAX_ENTRIES: usize = 1 << 18;

/// Maximum number of games without a match whose neighbours are compared.
const MAX_LEFT: u64 = 1 << 18;

/// What happened to a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GameChange {
    /// It is nowhere any more.
    Removed,
    /// It is in the same input, edited.
    Changed,
    /// It is there once more: an equal game was there before.
    Copied,
    /// It was nowhere before.
    Added,
    /// It is in another input.
    Moved,
    /// It is there once less: an equal game is still there.
    Deduplicated,
}

impl GameChange {
    /// All changes, in the order of their discriminants.
    pub const ALL: [GameChange; 6] = [
        GameChange::Removed,
        GameChange::Changed,
        GameChange::Copied,
        GameChange::Added,
        GameChange::Moved,
        GameChange::Deduplicated,
    ];

    /// The value in the column `change`.
    pub const fn as_str(self) -> &'static str {
        match self {
            GameChange::Removed => "removed",
            GameChange::Changed => "changed",
            GameChange::Copied => "copied",
            GameChange::Added => "added",
            GameChange::Moved => "moved",
            GameChange::Deduplicated => "deduplicated",
        }
    }

    /// The title of a list of such games.
    const fn title(self) -> &'static str {
        match self {
            GameChange::Removed => "Games that are gone",
            GameChange::Changed => "Games that were edited",
            GameChange::Copied => "Games that are there once more",
            GameChange::Added => "Added games",
            GameChange::Moved => "Games in another input",
            GameChange::Deduplicated => "Copies that are gone",
        }
    }

    /// Whether the place of the game is that in the old report.
    const fn is_about_old(self) -> bool {
        matches!(self, GameChange::Removed | GameChange::Deduplicated)
    }
}

/// Number of games with each change, in the order of [`GameChange::ALL`].
type Counts = [u64; GameChange::ALL.len()];

/// The games of an input in both reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct InputGames {
    /// Number of games before.
    pub before: u64,
    /// Number of games now.
    pub after: u64,
    changes: Counts,
}

impl InputGames {
    /// Whether the input has games in both reports.
    pub const fn are_in_both(&self) -> bool {
        self.before > 0 && self.after > 0
    }

    /// Number of games with this change.
    pub const fn count(&self, change: GameChange) -> u64 {
        self.changes[change as usize]
    }

    /// Whether the games are the same, in any order.
    pub fn are_same(&self) -> bool {
        self.changes == Counts::default()
    }

    /// `1 added, 2 removed`; empty if nothing happened.
    pub fn sentence(&self) -> String {
        sentence(&self.changes)
    }
}

fn sentence(changes: &Counts) -> String {
    let changes = GameChange::ALL.into_iter().zip(changes).filter(|(_, games)| **games > 0);
    changes.map(|(change, games)| format!("{} {}", thousands(*games), change.as_str())).collect::<Vec<_>>().join(", ")
}

/// A game in a list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct ListedGame {
    /// What happened to it.
    change: &'static str,
    /// The input: of the old report, if the game is not there any more.
    input: String,
    /// Its first line there, from 1.
    line: u64,
    /// Players, date and round.
    label: String,
}

/// What happened to the games of two reports that both have their keys.
#[derive(Clone, Debug, Default)]
pub struct GameComparison {
    /// By the hash of the name of each input; that of the old name, if it was renamed.
    inputs: HashMap<u64, InputGames>,
    /// Number of games that went from one input to another.
    moves: BTreeMap<(u64, u64), u64>,
    changes: Counts,
    /// Number of games of inputs that both reports have. Only these are listed: games of an input
    /// that is new or gone are as many as it has.
    in_both: Counts,
    /// The first of them.
    listed: Vec<Vec<ListedGame>>,
    /// The games of each report that do not have an equal one in the other, or not as often: their
    /// [`game_id`], and that of the game of the old report that was edited, or [`NO_GAME`]. Sorted.
    unequal: [Vec<(u64, u64)>; 2],
}

/// Stands for no game where there is the identity of one.
const NO_GAME: u64 = 0;

/// What the other report has for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counterpart {
    /// An equal game.
    Equal,
    /// The same game, edited, which has this identity in the old report.
    Edited(u64),
    /// None.
    None,
}

/// The identity of a game in its report: its number in the input with this hash of its name.
pub(super) fn game_id(input: u64, number: &[u8]) -> u64 {
    xxh3_64_with_seed(number, input)
}

/// A game as it is matched: a key, its place, the hash of the old name of its input, the hash of
/// its moves, those of the players and of the date and the round, 0 if unknown, in halves, and of
/// its id on a server.
type Entry = [u64; 7];

/// Where in an entry the input is.
const INPUT: usize = 2;

/// What is known of a game beside its content.
struct Header {
    moves: u64,
    players: [u64; 2],
    date: u64,
    round: u64,
}

/// A key that versions of a game share; `None` if too little is known of the game.
type SameKey = fn(&Header) -> Option<[u64; 4]>;

/// What makes an edited game the same game, the surest first, and whether that is enough if it is
/// in another input.
const SAME: [(SameKey, bool); 5] = [
    (|game| game.with_players([game.moves, 0]), false),
    (|game| game.with_players([known(game.date)?, known(game.round)?]), false),
    (|game| Some([game.moves, 0, 0, 1]), false),
    (|game| game.with_players([game.moves, 0]), true),
    (|game| game.with_players([known(game.date)?, known(game.round)?]), true),
];

fn known(hash: u64) -> Option<u64> {
    (hash != 0).then_some(hash)
}

impl Header {
    fn with_players(&self, [one, other]: [u64; 2]) -> Option<[u64; 4]> {
        let [white, black] = self.players;
        Some([known(white)?, known(black)?, one, other])
    }
}

/// The entry of a game, whose key is its content.
fn entry(row: &GameKeyRow<'_>, place: u64, input: u64) -> Entry {
    let hash = |name: &str| match row.cell(name) {
        b"" | b"?" | b"-" => 0,
        value => u64::from((xxh3_64(value) as u32).max(1)),
    };
    let (players, when) = (hash("White") << 32 | hash("Black"), hash("Date") << 32 | hash("Round"));
    [row.digest, place, input, row.moves, players, when, hash("online_id")]
}

/// The key of a game in a step after that of contents.
fn same_key(step: usize, [_, _, input, moves, players, when, _]: &Entry) -> Option<u64> {
    let [date, round] = halves(*when);
    let (key, is_over_inputs) = SAME[step - 1];
    let key = key(&Header { moves: *moves, players: halves(*players), date, round })?;
    Some(xxh3_64_with_seed(&key.map(u64::to_le_bytes).concat(), if is_over_inputs { 0 } else { *input }))
}

const fn halves(pair: u64) -> [u64; 2] {
    [pair >> 32, pair & u32::MAX as u64]
}

/// Whether two games have the same players, or the same date.
fn share_players_or_date([.., players, when, id]: &Entry, [.., other_players, other_when, other_id]: &Entry) -> bool {
    let has_players = halves(*players).iter().all(|player| *player != 0);
    let [date, other_date] = [halves(*when)[0], halves(*other_when)[0]];
    // Two games on a server have two ids.
    let may_be_one = *id == 0 || *other_id == 0 || id == other_id;
    may_be_one && (has_players && players == other_players || date != 0 && date == other_date)
}

/// Notes what happened to each game.
#[derive(Default)]
struct Matcher {
    comparison: GameComparison,
    /// What happened to each game of the old report, and of the new one; `None`: nothing.
    rows: [Vec<Option<GameChange>>; 2],
    /// The first game of each input in these lists, and the hash of the old name of the input.
    inputs: [Vec<(usize, u64)>; 2],
    /// The places of edited games, before and after.
    edited: Vec<(u64, u64)>,
    /// The places of games of the old report of which the new one has an equal one, but not as
    /// often.
    surplus: HashSet<u64>,
}

impl Matcher {
    fn note(&mut self, [_, place, input, ..]: &Entry, change: GameChange) {
        let is_new = *place >= IN_SECOND;
        if let Some(row) = self.rows[usize::from(is_new)].get_mut((place & !IN_SECOND) as usize) {
            *row = Some(change);
        }
        // A game that was changed or moved is there twice, and counts where it is now.
        if is_new || change.is_about_old() {
            self.comparison.changes[change as usize] += 1;
            let input = self.comparison.inputs.entry(*input).or_default();
            input.changes[change as usize] += 1;
            self.comparison.in_both[change as usize] += u64::from(input.are_in_both());
        }
    }

    /// Matches games with the same content: first those of one input, then the others. Returns
    /// those that the old report has more often: one of them may have been edited.
    fn match_equal(&mut self, group: Group<'_, 7>) -> Vec<Entry> {
        let (_, [old, new]) = group.join_by(INPUT);
        let (moved, left) = join(&old, &new, |_| ());
        for [old, new] in moved {
            self.note(&old, GameChange::Moved);
            self.note(&new, GameChange::Moved);
            *self.comparison.moves.entry((old[INPUT], new[INPUT])).or_default() += 1;
        }
        let [old, new] = left;
        new.iter().for_each(|game| self.note(game, GameChange::Copied));
        self.surplus.extend(old.iter().map(|game| game[1]));
        old
    }

    /// Matches games that are the same, edited. Returns the others.
    fn match_edited(&mut self, group: Group<'_, 7>) -> Vec<Entry> {
        let (pairs, left) = join(group.first, group.second, |_| ());
        pairs.iter().for_each(|[old, new]| self.pair(old, new));
        left.concat()
    }

    /// Notes that a game is another one, edited.
    fn pair(&mut self, old: &Entry, new: &Entry) {
        [old, new].into_iter().for_each(|game| self.note(game, GameChange::Changed));
        self.edited.push((old[1], new[1] & !IN_SECOND));
    }

    /// Notes what happened to the games of which no other one is a version by its moves or header.
    fn note_left(&mut self, left: Unmatched<7>) -> io::Result<()> {
        let number = left.number.iter().sum::<u64>();
        let games = left.records.sorted()?;
        let note = |matcher: &mut Matcher, game: &Entry| {
            let change = match game[1] {
                IN_SECOND.. => GameChange::Added,
                place if matcher.surplus.contains(&place) => GameChange::Deduplicated,
                _ => GameChange::Removed,
            };
            matcher.note(game, change);
        };
        if number <= MAX_LEFT {
            let games = self.match_between_neighbours(games.collect::<io::Result<_>>()?);
            games.iter().for_each(|game| note(self, game));
            return Ok(());
        }
        for game in games {
            note(self, &game?);
        }
        Ok(())
    }

    /// Matches games that are the only ones left between the same neighbours. `left` are all games
    /// without a match. Returns the others.
    fn match_between_neighbours(&mut self, left: Vec<Entry>) -> Vec<Entry> {
        let (surplus, left): (Vec<Entry>, Vec<Entry>) = left.into_iter().partition(|game| self.surplus.contains(&game[1]));
        let copies: HashSet<u64> = surplus.iter().map(|game| game[1]).collect();
        let mut by_place: HashMap<u64, Entry> = left.into_iter().map(|game| (game[1], game)).collect();
        // For each input and number of matched games before it, the game that is left there.
        let mut gaps: HashMap<(u64, u64), [Vec<u64>; 2]> = HashMap::new();
        for (is_new, rows) in self.rows.iter().enumerate() {
            let ends = self.inputs[is_new].iter().skip(1).map(|(start, _)| *start).chain([rows.len()]);
            for ((start, input), end) in self.inputs[is_new].iter().zip(ends) {
                let mut before = 0;
                for (at, change) in rows.iter().enumerate().take(end).skip(*start) {
                    let place = at as u64 | if is_new == 1 { IN_SECOND } else { 0 };
                    match change {
                        _ if copies.contains(&place) => {}
                        _ if by_place.contains_key(&place) => gaps.entry((*input, before)).or_default()[is_new].push(place),
                        None | Some(GameChange::Changed) => before += 1,
                        Some(_) => {}
                    }
                }
            }
        }
        let mut pairs: Vec<(u64, u64)> = gaps
            .into_values()
            .filter_map(|gap| match [&*gap[0], &*gap[1]] {
                [[old], [new]] => Some((*old, *new)),
                _ => None,
            })
            .collect();
        pairs.sort_unstable();
        for (old, new) in pairs {
            let both = by_place.get(&old).copied().zip(by_place.get(&new).copied());
            if let Some((one, other)) = both.filter(|(one, other)| share_players_or_date(one, other)) {
                self.pair(&one, &other);
                by_place.remove(&old);
                by_place.remove(&new);
            }
        }
        let mut left: Vec<Entry> = by_place.into_values().chain(surplus).collect();
        left.sort_unstable_by_key(|game| game[1]);
        left
    }
}

impl GameComparison {
    /// Compares the games of two reports, and writes a row for each difference to `rows`. Returns
    /// `None` if a report does not have the keys of its games. `old_name` turns the hash of the
    /// name of an input of the new report into that of its old name.
    pub(super) fn of(
        before: &ReportReader,
        after: &ReportReader,
        old_name: impl Fn(u64) -> u64,
        rows: impl Write,
    ) -> Result<Option<GameComparison>, CompareError> {
        let failed = |error: csv::Error| CompareError::Write { path: COMPARE_GAMES_CSV.into(), source: error.into() };
        let mut writer = csv::Writer::from_writer(rows);
        writer.write_record(COMPARE_GAMES_COLUMNS).map_err(failed)?;
        writer.flush().map_err(|error| failed(error.into()))?;
        if !(before.has_game_keys() && after.has_game_keys()) {
            return Ok(None);
        }
        let old_name_of = |row: &GameKeyRow<'_>, is_new: bool| {
            let name = xxh3_64(row.cell("input"));
            if is_new { old_name(name) } else { name }
        };
        let temporary = |error| CompareError::Temporary(temporary_failed(error));
        let mut games = Sorter::with_limit(MAX_ENTRIES);
        let mut matcher = Matcher::default();
        for (is_new, report) in [(false, before), (true, after)] {
            report.for_each_game(|row| {
                let name = old_name_of(&row, is_new);
                let (rows, inputs) = (&mut matcher.rows[usize::from(is_new)], &mut matcher.inputs[usize::from(is_new)]);
                if inputs.last().is_none_or(|(_, last)| *last != name) {
                    inputs.push((rows.len(), name));
                }
                let place = rows.len() as u64 | if is_new { IN_SECOND } else { 0 };
                rows.push(None);
                let input = matcher.comparison.inputs.entry(name).or_default();
                *(if is_new { &mut input.after } else { &mut input.before }) += 1;
                games.push(entry(&row, place, name)).map_err(temporary)
            })?;
        }
        let unmatched = matched(
            games,
            1 + SAME.len(),
            || Sorter::with_limit(MAX_ENTRIES),
            same_key,
            |step, groups| {
                if step == 0 {
                    return Ok(groups.into_iter().flat_map(|group| matcher.match_equal(group)).collect());
                }
                Ok(groups.into_iter().flat_map(|group| matcher.match_edited(group)).collect())
            },
        );
        matcher.note_left(unmatched.map_err(temporary)?).map_err(temporary)?;
        let Matcher { mut comparison, rows, mut edited, .. } = matcher;
        comparison.listed = vec![Vec::new(); GameChange::ALL.len()];
        if comparison.changes == Counts::default() {
            return Ok(Some(comparison));
        }
        edited.sort_unstable();
        for (is_new, report) in [(false, before), (true, after)] {
            let mut changes = rows[usize::from(is_new)].iter();
            let mut unequal = Vec::new();
            let mut pairs = edited.iter_mut();
            let old_name_of = |row: &GameKeyRow<'_>| old_name_of(row, is_new);
            report.for_each_game(|row| {
                let Some(change) = changes.next().copied().flatten() else { return Ok(()) };
                if change != GameChange::Moved {
                    let id = game_id(xxh3_64(row.cell("input")), row.cell("game"));
                    let pair = if change == GameChange::Changed { pairs.next() } else { None };
                    // Of the old report, the places give way to the identities.
                    let old_id = pair.map(|(old, _)| {
                        if !is_new {
                            *old = id;
                        }
                        *old
                    });
                    unequal.push((id, old_id.unwrap_or(NO_GAME)));
                }
                if change.is_about_old() == is_new {
                    return Ok(());
                }
                if comparison.input(old_name_of(&row)).are_in_both() {
                    comparison.list(change, &row);
                }
                // Reports of earlier versions do not have all columns.
                let cells = COMPARE_GAMES_COLUMNS[1..].iter().map(|column| row.written(column));
                writer.write_record(std::iter::once(change.as_str().as_bytes()).chain(cells)).map_err(failed)
            })?;
            unequal.sort_unstable();
            comparison.unequal[usize::from(is_new)] = unequal;
            edited.sort_unstable_by_key(|(_, new)| *new);
        }
        writer.flush().map_err(|error| failed(error.into()))?;
        Ok(Some(comparison))
    }

    /// What the old report has for a game of the new one, or the new one for a game of the old one.
    pub(super) fn counterpart(&self, id: u64, is_new: bool) -> Counterpart {
        let unequal = &self.unequal[usize::from(is_new)];
        match unequal.binary_search_by_key(&id, |(id, _)| *id).map(|at| unequal[at].1) {
            Err(_) => Counterpart::Equal,
            Ok(NO_GAME) => Counterpart::None,
            Ok(old) => Counterpart::Edited(old),
        }
    }

    fn list(&mut self, change: GameChange, row: &GameKeyRow<'_>) {
        let listed = &mut self.listed[change as usize];
        if listed.len() >= MAX_LISTED {
            return;
        }
        let text = |name: &str| String::from_utf8_lossy(row.cell(name)).into_owned();
        let or_unknown = |name: &str| Some(text(name)).filter(|value| !value.is_empty()).unwrap_or_else(|| "?".to_owned());
        let mut label = format!("{} - {}", or_unknown("White"), or_unknown("Black"));
        let when = [("", "Date"), ("round ", "Round")].map(|(what, name)| (what, text(name)));
        for (what, value) in when.iter().filter(|(_, value)| !value.is_empty()) {
            label.push_str(&format!(", {what}{value}"));
        }
        listed.push(ListedGame {
            change: change.as_str(),
            input: text("input"),
            line: text("line").parse().unwrap_or_default(),
            label,
        });
    }

    /// The games of an input, by the hash of its old name.
    pub(super) fn input(&self, name: u64) -> InputGames {
        self.inputs.get(&name).copied().unwrap_or_default()
    }

    /// The hashes of two old names, and how many games went from the first input to the second.
    pub(super) fn moves(&self) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        self.moves.iter().map(|((from, to), games)| (*from, *to, *games))
    }

    /// `1 removed, 2 changed`; `None` if the games are the same.
    pub fn sentence(&self) -> Option<String> {
        let sentence = sentence(&self.changes);
        (!sentence.is_empty()).then_some(sentence)
    }

    /// The first games of each change, for JSON.
    pub(super) fn first(&self) -> Vec<&ListedGame> {
        self.listed.iter().flatten().collect()
    }

    /// The number of games of each change, for JSON.
    pub(super) fn counts(&self) -> BTreeMap<&'static str, u64> {
        GameChange::ALL.into_iter().zip(self.changes).map(|(change, games)| (change.as_str(), games)).collect()
    }

    /// Lists of the first games; empty if the games are the same. The tables are in `at`.
    pub(super) fn text(&self, at: TablesAt<'_>) -> String {
        let mut text = String::new();
        for (change, listed) in GameChange::ALL.into_iter().zip(&self.listed).filter(|(_, listed)| !listed.is_empty()) {
            text.push_str(&format!("\n{}:\n\n", change.title()));
            for ListedGame { input, line, label, .. } in listed {
                text.push_str(&format!("{}:{line}: {}\n", printable(input), printable(label)));
            }
            text.push_str(&at.more(self.in_both[change as usize] - listed.len() as u64, COMPARE_GAMES_CSV));
        }
        text
    }

    /// A section of Markdown with the first games; empty if the games are the same.
    pub(super) fn markdown(&self, escaped: impl Fn(&str) -> String) -> String {
        let Some(sentence) = self.sentence() else { return String::new() };
        let mut text = format!("\n## Games\n\n{sentence}.\n");
        for (change, listed) in GameChange::ALL.into_iter().zip(&self.listed).filter(|(_, listed)| !listed.is_empty()) {
            let total = quantity(self.in_both[change as usize], "game", "games");
            text.push_str(&format!("\n{} ({total}):\n\n", change.title()));
            for ListedGame { input, line, label, .. } in listed {
                text.push_str(&format!("* {}:{line}: {}\n", escaped(input), escaped(label)));
            }
        }
        text
    }
}
