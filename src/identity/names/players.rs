//! Collects the players of a run, and finds names of one player by evidence.
//!
//! Two names are those of one player if their surnames are equal or sound alike, a given name
//! is the same, and games with equal moves are there under both: against two or more opponents, or
//! one of the same event and day. Equal games under names that share nothing have a wrong header.
//! Names that met, or that played in one round of one event, are those of two players.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    io,
    sync::Arc,
};

use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::Xxh3;

use super::{
    clusters::Clusters,
    name::names_are_alike,
    player::{OtherName, PlayerSpelling, SameBecause},
    proposals::Proposals,
};
use crate::identity::{
    GameCard, GameDate, MainSpelling, Player, PlayerName, RatingList, SameNames, Spellings,
    cards::Cards,
    pairs::{NewPairs, Pairs},
    player_in_game::{Appearance, Entry, TAGS_OF_PLAYERS},
};
use crate::{
    pgn::KnownTag,
    spill::{Log, Sorter, WrittenLog},
};

/// Minimum number of opponents with games of equal moves against two names.
const MIN_OPPONENTS: u64 = 2;

/// Maximum number of pairs of names that are joined by evidence.
const MAX_JOINED: usize = 1 << 16;

/// Maximum number of spellings, and of ids, that are listed of a name.
const MAX_LISTED: usize = 64;

/// Maximum number of games in one round of an event that are compared.
const MAX_OF_ROUND: usize = 512;

/// Maximum number of entries in memory.
const MAX_IN_MEMORY: usize = 1 << 16;

/// Maximum number of bytes of players in memory.
const MAX_BYTES: usize = 1 << 22;

/// Two groups of names, the lower one first.
type NamePair = [u64; 2];

const fn pair(one: u64, other: u64) -> NamePair {
    if one < other { [one, other] } else { [other, one] }
}

/// What says that two names are those of one player: the groups of the names, the lower one first,
/// a surname of the opponent, and 1 if the games are of one event and day.
pub(crate) type Evidence = [u64; 4];

/// What two games with equal moves say of two names.
pub(crate) fn evidence([one, other]: [&PlayerName; 2], opponents: [&PlayerName; 2], is_same_game: bool) -> Option<Evidence> {
    let [opponent, other_opponent] = opponents;
    let shared = |key: &u64| other_opponent.surname_keys().any(|other| other == *key);
    let surname = opponent.surname_keys().filter(shared).min().or_else(|| opponent.surname_keys().min())?;
    let [low, high] = pair(one.group(), other.group());
    Some([low, high, surname, u64::from(is_same_game)])
}

/// The players of a run.
#[derive(Debug)]
pub(crate) struct Players {
    rows: WrittenLog,
    /// The beginning of each name, its group, and where its row is.
    order: Sorter<5>,
    same_as: FxHashMap<u64, Vec<OtherName>>,
    may_be: FxHashMap<u64, Vec<String>>,
}

impl Players {
    /// Shows all players in the order of their names.
    pub fn for_each(
        self,
        names: &SameNames,
        list: Option<&RatingList>,
        mut take: impl FnMut(&Player) -> io::Result<()>,
    ) -> io::Result<()> {
        let Players { rows, order, mut same_as, mut may_be } = self;
        let mut buffer = Vec::new();
        for entry in order.sorted()? {
            let [.., group, at] = entry?;
            let mut player: Player = serde_json::from_slice(rows.read(at, &mut buffer)?)?;
            player.same_as = same_as.remove(&group).unwrap_or_default();
            player.may_be = may_be.remove(&group).unwrap_or_default();
            player.main = names.main_of(group).cloned();
            if let (Some(list), [id]) = (list, player.fide_ids.as_slice())
                && let Some(listed) = list.find(u64::from(*id))?
                && names_are_alike(&listed.name, &player.name)
            {
                player.main = Some(MainSpelling { text: listed.name.into(), games: 0, because: SameBecause::Id(*id) });
            }
            player.may_be.retain(|name| !player.same_as.iter().any(|other| other.name == *name));
            take(&player)?;
        }
        Ok(())
    }
}

/// The players, which of their names are those of one player, and the games with those names.
pub(crate) struct FoundPlayers {
    pub players: Players,
    /// For each group of names, its number of games.
    pub counts: Pairs,
    pub names: SameNames,
    /// The places of the cards of the games. A place may be there twice.
    pub games: Sorter<1>,
}

/// Collects the players in games with these cards, and joins names by evidence and by a list of
/// spellings.
pub(crate) fn find_players(
    cards: &Cards,
    entries: Sorter<5>,
    evidence: Sorter<4>,
    spellings: Option<&Spellings>,
) -> io::Result<FoundPlayers> {
    let mut joins = Joins::by_evidence(evidence)?;
    if let Some(spellings) = spellings {
        joins.add_list(spellings);
    }
    let mut finder = Finder {
        cards,
        joins,
        rows: Log::with_limit(MAX_BYTES),
        order: Sorter::with_limit(MAX_IN_MEMORY),
        names: FxHashMap::default(),
        proposals: Proposals::default(),
        counts: NewPairs::default(),
        slots: Sorter::with_limit(MAX_IN_MEMORY),
        games: Sorter::with_limit(MAX_IN_MEMORY),
    };
    let mut open: Option<Gathering> = None;
    for entry in entries.sorted()? {
        let entry: Entry = entry?;
        let (appearance, input, place) = Appearance::from_entry(entry);
        if cards.input(input).is_none() {
            continue;
        }
        let player = match open.take_if(|open| open.group != appearance.group) {
            Some(ended) => {
                finder.end(ended)?;
                open.insert(Gathering::of(appearance.group))
            }
            None => open.get_or_insert_with(|| Gathering::of(appearance.group)),
        };
        player.add(cards, appearance, input, place)?;
        if finder.joins.is_candidate(appearance.group) {
            finder.look_at(appearance, place)?;
        }
    }
    if let Some(ended) = open {
        finder.end(ended)?;
    }
    finder.join()
}

/// A name while its games are counted.
struct Gathering {
    group: u64,
    player: Player,
    /// The spelling and the place of the last game.
    last: (u64, u64),
    ids: BTreeSet<u32>,
    inputs: BTreeSet<u64>,
}

impl Gathering {
    fn of(group: u64) -> Gathering {
        Gathering { group, player: Player::default(), last: (0, u64::MAX), ids: BTreeSet::new(), inputs: BTreeSet::new() }
    }

    fn add(&mut self, cards: &Cards, appearance: Appearance, input: u64, place: u64) -> io::Result<()> {
        let Gathering { player, last, ids, inputs, .. } = self;
        match player.spellings.last_mut().filter(|_| last.0 == appearance.spelling) {
            // A program may play against itself.
            Some(_) if last.1 == place => return Ok(()),
            Some(_) => {}
            None => {
                if player.spellings.len() == 2 * MAX_LISTED {
                    shorten(&mut player.spellings);
                }
                let bytes = cards.bytes(place)?;
                let [name, ..] = TAGS_OF_PLAYERS[usize::from(appearance.is_black)];
                let text = GameCard::read(&bytes)?.tag(name).to_owned();
                player.spellings.push(PlayerSpelling { text, ..PlayerSpelling::default() });
            }
        }
        *last = (appearance.spelling, place);
        player.games += 1;
        let widen = |range: &mut Option<(u16, u16)>, value: Option<u16>| {
            if let Some(value) = value {
                let (low, high) = range.unwrap_or((value, value));
                *range = Some((low.min(value), high.max(value)));
            }
        };
        widen(&mut player.years, appearance.year);
        widen(&mut player.ratings, appearance.rating);
        if let Some(spelling) = player.spellings.last_mut() {
            spelling.games += 1;
            widen(&mut spelling.years, appearance.year);
            widen(&mut spelling.ratings, appearance.rating);
        }
        ids.extend(appearance.fide_id);
        if ids.len() > MAX_LISTED {
            ids.pop_last();
        }
        inputs.insert(input);
        Ok(())
    }

    fn end(self) -> Player {
        let Gathering { mut player, ids, inputs, .. } = self;
        shorten(&mut player.spellings);
        player.name = player.spellings.first().map(|first| PlayerName::folded(&first.text)).unwrap_or_default();
        player.fide_ids = ids.into_iter().collect();
        player.inputs = inputs.len() as u64;
        player
    }
}

/// Keeps the most frequent spellings.
fn shorten(spellings: &mut Vec<PlayerSpelling>) {
    spellings.sort_by(|one, other| (Reverse(one.games), &one.text).cmp(&(Reverse(other.games), &other.text)));
    spellings.truncate(MAX_LISTED);
}

/// Which names may be joined.
#[derive(Default)]
struct Joins {
    /// For each pair of names, why they are those of one player.
    pairs: BTreeMap<NamePair, SameBecause>,
    /// The number of each name in a pair.
    candidates: FxHashMap<u64, u32>,
    /// Names that are connected by pairs, by their numbers.
    connected: Clusters,
    /// The number of the player in the list of spellings, for each name there.
    listed: FxHashMap<u64, usize>,
    /// The main name of each player there.
    listed_main: Vec<Option<(u64, String)>>,
    /// Pairs of names of two players.
    refuted: FxHashSet<NamePair>,
}

impl Joins {
    fn by_evidence(evidence: Sorter<4>) -> io::Result<Joins> {
        let mut joins = Joins::default();
        let mut evidence = evidence.sorted()?.peekable();
        while let Some(entry) = evidence.next() {
            let [one, other, mut opponent, mut same_game] = entry?;
            let mut opponents = 1;
            while let Some(entry) = evidence.next_if(|entry| entry.as_ref().is_ok_and(|entry| entry[..2] == [one, other])) {
                let [.., next, is_same_game] = entry?;
                opponents += u64::from(next != opponent);
                opponent = next;
                same_game = same_game.max(is_same_game);
            }
            let because = match opponents {
                MIN_OPPONENTS.. => SameBecause::EqualGames(opponents),
                _ if same_game == 1 => SameBecause::SameGame,
                _ => continue,
            };
            if joins.pairs.len() < MAX_JOINED {
                joins.add([one, other], because);
            }
        }
        Ok(joins)
    }

    /// Adds the names of each player of a list.
    fn add_list(&mut self, list: &Spellings) {
        self.listed_main.clone_from(&list.main);
        for (number, names) in list.players.iter().enumerate() {
            for name in names {
                self.listed.insert(*name, number);
                if *name != names[0] {
                    self.add(pair(names[0], *name), SameBecause::List);
                }
            }
        }
    }

    /// Why two names are those of one player.
    fn because(&self, one: u64, other: u64) -> SameBecause {
        let is_listed = self.listed.contains_key(&one) && self.listed.get(&one) == self.listed.get(&other);
        let direct = if is_listed { Some(SameBecause::List) } else { self.pairs.get(&pair(one, other)).copied() };
        direct.unwrap_or(SameBecause::ThirdName)
    }

    fn add(&mut self, pair: NamePair, because: SameBecause) {
        self.pairs.insert(pair, because);
        let [one, other] = pair.map(|name| *self.candidates.entry(name).or_insert_with(|| self.connected.add()));
        self.connected.connect(one, other);
    }

    fn is_candidate(&self, name: u64) -> bool {
        self.candidates.contains_key(&name)
    }

    /// Whether two different names are connected by pairs.
    fn are_connected(&mut self, one: u64, other: u64) -> bool {
        let numbers = self.candidates.get(&one).zip(self.candidates.get(&other));
        numbers.is_some_and(|(one, other)| one != other && self.connected.root(*one) == self.connected.root(*other))
    }

    /// Notes that two names are those of two players.
    fn refute(&mut self, one: u64, other: u64) {
        if self.are_connected(one, other) {
            self.refuted.insert(pair(one, other));
        }
    }

    /// The names of each player, in groups. The pairs with the best evidence come first.
    fn players(&self) -> Vec<Vec<u64>> {
        let mut pairs: Vec<(&NamePair, &SameBecause)> = self.pairs.iter().collect();
        pairs.sort_by_key(|(pair, because)| (strength(**because), **pair));
        let mut player_of: FxHashMap<u64, usize> = FxHashMap::default();
        let mut players: Vec<Vec<u64>> = Vec::new();
        for ([one, other], _) in pairs {
            let [one, other] = [one, other].map(|name| {
                *player_of.entry(*name).or_insert_with(|| {
                    players.push(vec![*name]);
                    players.len() - 1
                })
            });
            let is_refuted = |name: &u64| players[other].iter().any(|other| self.refuted.contains(&pair(*name, *other)));
            if one == other || players[one].iter().any(is_refuted) {
                continue;
            }
            let joined = std::mem::take(&mut players[other]);
            for name in &joined {
                player_of.insert(*name, one);
            }
            players[one].extend(joined);
        }
        players.retain(|names| names.len() > 1);
        players
    }
}

/// The order in which reasons count.
fn strength(because: SameBecause) -> Reverse<u64> {
    Reverse(match because {
        SameBecause::Id(_) | SameBecause::List => u64::MAX,
        SameBecause::EqualGames(opponents) => opponents,
        SameBecause::SameGame => 1,
        SameBecause::ThirdName => 0,
    })
}

/// A name that may be joined with others.
#[derive(Default)]
struct KnownName {
    folded: String,
    /// The most frequent spelling.
    spelling: String,
    /// See [`Player::main_spelling`].
    standard: String,
    games: u64,
}

impl KnownName {
    fn of(player: &Player) -> KnownName {
        KnownName {
            folded: player.name.clone(),
            spelling: player.spellings.first().map(|first| first.text.clone()).unwrap_or_default(),
            standard: player.main_spelling().unwrap_or_default().to_owned(),
            games: player.games,
        }
    }
}

/// Collects players.
struct Finder<'c> {
    cards: &'c Cards,
    joins: Joins,
    rows: Log,
    order: Sorter<5>,
    /// The names that may be joined.
    names: FxHashMap<u64, KnownName>,
    proposals: Proposals,
    counts: NewPairs,
    /// Rounds of events, the names that played there, and the places of the cards, with the colour.
    slots: Sorter<3>,
    games: Sorter<1>,
}

impl Finder<'_> {
    /// Adds a player of whom all games were counted.
    fn end(&mut self, ended: Gathering) -> io::Result<()> {
        let group = ended.group;
        let player = ended.end();
        if self.joins.is_candidate(group) {
            self.names.insert(group, KnownName::of(&player));
        }
        if let Some(spelling) = player.spellings.first() {
            self.proposals.add(group, &spelling.text)?;
        }
        self.counts.push(group, player.games)?;
        let at = self.rows.push([&serde_json::to_vec(&player)?])?;
        let mut start = [0; 24];
        start.iter_mut().zip(player.name.bytes()).for_each(|(to, byte)| *to = byte);
        let [first, second, third] = [0, 8, 16].map(|at| start[at..].first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes)));
        self.order.push([first, second, third, group, at])
    }

    /// Looks for what refutes that a name is that of another player.
    fn look_at(&mut self, appearance: Appearance, place: u64) -> io::Result<()> {
        let bytes = self.cards.bytes(place)?;
        let card = GameCard::read(&bytes)?;
        self.joins.refute(appearance.group, opponent(&card, appearance.is_black).group());
        if let Some(slot) = slot_of(&card) {
            self.slots.push([slot, appearance.group, place << 1 | u64::from(appearance.is_black)])?;
        }
        self.games.push([place])
    }

    /// Joins the names that nothing refutes.
    fn join(self) -> io::Result<FoundPlayers> {
        let Finder { cards, mut joins, rows, order, names, proposals, counts, slots, games } = self;
        slots.sorted()?.for_each_group(MAX_OF_ROUND, |entries, _| {
            for (at, one) in entries.iter().enumerate() {
                for other in &entries[at + 1..] {
                    if joins.are_connected(one[1], other[1]) && are_two_games(cards, one[2], other[2])? {
                        joins.refute(one[1], other[1]);
                    }
                }
            }
            Ok(())
        })?;
        let mut same_names = SameNames::default();
        let mut same_as: FxHashMap<u64, Vec<OtherName>> = FxHashMap::default();
        for player in joins.players() {
            let known: Vec<(u64, &KnownName)> =
                player.into_iter().filter_map(|group| Some((group, names.get(&group)?))).collect();
            if known.len() < 2 {
                continue;
            }
            for (one, _) in &known {
                let others = known
                    .iter()
                    .filter(|(other, _)| other != one)
                    .map(|(other, name)| OtherName { name: name.folded.clone(), because: joins.because(*one, *other) });
                let mut others: Vec<OtherName> = others.collect();
                others.sort();
                same_as.insert(*one, others);
            }
            same_names.add(known.iter().map(|(_, name)| PlayerName::new(&name.spelling)).collect());
            add_main_spelling(&known, &joins, &mut same_names);
        }
        Ok(FoundPlayers {
            players: Players { rows: rows.written(), order, same_as, may_be: proposals.find()? },
            counts: counts.written(),
            names: same_names,
            games,
        })
    }
}

/// Adds the main spelling of a player with these names, and which names have another one. A list
/// decides, or else the number of games. A name without a first name, or without an initial in
/// common, can be that of another player, so only a list says something of it.
fn add_main_spelling(names: &[(u64, &KnownName)], joins: &Joins, same_names: &mut SameNames) {
    let name_of = |name: &KnownName| PlayerName::new(&name.standard);
    let is_full = |name: &KnownName| name_of(name).has_given_name();
    let listed = |group: u64| joins.listed_main.get(*joins.listed.get(&group)?)?.as_ref();
    let rank = |(group, name): &&(u64, &KnownName)| {
        let main = listed(*group);
        (
            main.is_some(),
            main.is_some_and(|(main, _)| main == group),
            is_full(name),
            name.games,
            name.standard.contains(','),
            Reverse(name.standard.clone()),
        )
    };
    let Some((best, best_name)) = names.iter().max_by_key(rank) else { return };
    let (main, text) = listed(*best).map_or((*best, &best_name.standard), |(main, text)| (*main, text));
    let games = names.iter().find(|(group, _)| *group == main).map_or(0, |(_, name)| name.games);
    let text: Arc<str> = text.as_str().into();
    for (group, name) in names.iter().filter(|(group, _)| *group != main) {
        let because = joins.because(*group, main);
        let is_alike = || is_full(best_name) && is_full(name) && name_of(best_name).has_initial_of(&name_of(name));
        if because == SameBecause::List || is_alike() {
            same_names.add_main(*group, MainSpelling { text: Arc::clone(&text), games, because });
        }
    }
}

/// The name of the opponent of a player.
fn opponent(card: &GameCard<'_>, is_black: bool) -> PlayerName {
    PlayerName::new(card.tag(if is_black { KnownTag::White } else { KnownTag::Black }))
}

/// A key of the round of the event in which a game was played, if it is known.
fn slot_of(card: &GameCard<'_>) -> Option<u64> {
    let [event, site, round] = [KnownTag::Event, KnownTag::Site, KnownTag::Round].map(|tag| card.tag(tag).trim());
    let year = GameDate::of(card).year?;
    if round.is_empty() || event.is_empty() && site.is_empty() {
        return None;
    }
    let mut hasher = Xxh3::new();
    for text in [event, site, round] {
        hasher.update(text.to_lowercase().as_bytes());
        hasher.update(&[0]);
    }
    hasher.update(&year.to_le_bytes());
    Some(hasher.digest())
}

/// Whether two players, each by the place of the card and the colour, have different opponents.
/// Copies of one game are there under both names.
fn are_two_games(cards: &Cards, one: u64, other: u64) -> io::Result<bool> {
    let [bytes, other_bytes] = [cards.bytes(one >> 1)?, cards.bytes(other >> 1)?];
    let [card, other_card] = [GameCard::read(&bytes)?, GameCard::read(&other_bytes)?];
    let [name, other_name] = [opponent(&card, one & 1 == 1), opponent(&other_card, other & 1 == 1)];
    let is_known = !name.is_unknown() && !other_name.is_unknown();
    Ok(is_known && !name.may_be(&other_name) && card.keys.moves != other_card.keys.moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{CardBatch, CardUse, Copies, GameKeys, GamePlace, Games, Lists, Ply, RecordKeys};

    /// Players, event and round, the number of the main line, and its length. All games are of one
    /// year.
    type Played = (&'static str, &'static str, &'static str, &'static str, u16, u16);

    /// The copies among these games, each of which is in an input of its own.
    fn copies(games: &[Played]) -> io::Result<Copies> {
        copies_with(games, None)
    }

    fn copies_with(games: &[Played], spellings: Option<&Spellings>) -> io::Result<Copies> {
        let mut all = Games::default();
        for (at, (white, black, event, round, line, plies)) in games.iter().enumerate() {
            let plies: Vec<Ply> = (0..*plies).map(|ply| Ply::numbered(line * 200 + ply)).collect();
            let keys = GameKeys { moves: GameKeys::of_moves(0, &plies), opening: u64::from(*line), end: at as u64, start: 0 };
            let tags = [
                (KnownTag::White, *white),
                (KnownTag::Black, *black),
                (KnownTag::Result, "1-0"),
                (KnownTag::Date, "1974.??.??"),
                (KnownTag::Round, *round),
                (KnownTag::Event, *event),
            ];
            let tags = tags.into_iter().filter(|(_, value)| !value.is_empty()).collect();
            let place = GamePlace { input: at as u64, ..GamePlace::default() };
            let mut batch = CardBatch::new(CardUse::Copies);
            batch.push(&GameCard { place, keys, tags, plies: plies.into(), ..GameCard::default() });
            all.add(batch)?;
            all.end_input(Some((0, format!("{:02}.pgn", line))));
        }
        all.copies(Lists { spellings, players: None }, RecordKeys { game: |card| card.keys.moves, position: |_| 0 })
    }

    /// For each name, the other names of its player, and why.
    fn same_as(games: &[Played]) -> io::Result<Vec<(String, Vec<OtherName>)>> {
        let mut found = Vec::new();
        copies(games)?.take_players(|player| {
            if !player.same_as.is_empty() {
                found.push((player.name.clone(), player.same_as.clone()));
            }
            Ok(())
        })?;
        Ok(found)
    }

    const KORCHNOI: &str = "Korchnoi, Viktor";
    const KORTCHNOI: &str = "Kortchnoi, Viktor";

    /// Games that show that both are one player.
    const EVIDENCE: [Played; 4] = [
        (KORCHNOI, "Karpov, Anatoly", "Moscow", "1", 1, 50),
        (KORTCHNOI, "Karpov, A", "Moscow", "1", 1, 50),
        ("Spassky, B", KORCHNOI, "Moscow", "2", 2, 30),
        ("Spassky, Boris", KORTCHNOI, "Moscow", "2", 2, 30),
    ];

    #[test]
    fn equal_games_against_two_opponents_join_names() -> io::Result<()> {
        let other = |name: &str| OtherName { name: name.to_owned(), because: SameBecause::EqualGames(2) };
        let expected = [
            ("korchnoi viktor".to_owned(), vec![other("kortchnoi viktor")]),
            ("kortchnoi viktor".to_owned(), vec![other("korchnoi viktor")]),
        ];
        assert_eq!(same_as(&EVIDENCE)?, expected);
        let mut reversed = EVIDENCE;
        reversed.reverse();
        assert_eq!(same_as(&reversed)?, expected);
        assert_eq!(same_as(&EVIDENCE[..2])?, []);
        // Both games are against one opponent, or too short.
        for (at, game) in [(2, ("Karpov, A", KORCHNOI, "", "", 2, 30)), (2, ("Spassky, B", KORCHNOI, "", "", 2, 20))] {
            let mut games = EVIDENCE;
            games[at] = game;
            games[at + 1] = (game.0, KORTCHNOI, "", "", 2, game.5);
            assert_eq!(same_as(&games)?, [], "{game:?}");
        }
        Ok(())
    }

    #[test]
    fn names_that_met_or_played_in_one_round_are_two_players() -> io::Result<()> {
        for game in [
            (KORTCHNOI, KORCHNOI, "", "", 9, 30),
            // Another opponent in a round in which the other name played.
            (KORTCHNOI, "Tal, Mihail", "Moscow", "1", 9, 30),
        ] {
            assert_eq!(same_as(&[&EVIDENCE[..], &[game]].concat())?, [], "{game:?}");
        }
        // The same opponent, or another event.
        for game in [(KORTCHNOI, "Karpov", "Moscow", "1", 9, 30), (KORTCHNOI, "Tal, Mihail", "Riga", "1", 9, 30)] {
            assert_eq!(same_as(&[&EVIDENCE[..], &[game]].concat())?.len(), 2, "{game:?}");
        }
        Ok(())
    }

    #[test]
    fn a_third_name_joins_two_others_unless_they_met() -> io::Result<()> {
        const THIRD: &str = "Kortschnoj, Viktor";
        let third = [
            (THIRD, "Karpov, A", "", "", 1, 50),
            ("Spassky, B", THIRD, "", "", 2, 30),
            (THIRD, "Tal, M", "", "", 3, 50),
            (KORCHNOI, "Tal, M", "", "", 3, 50),
            (THIRD, "Hort, V", "", "", 4, 50),
            (KORCHNOI, "Hort, V", "", "", 4, 50),
            // Evidence that the third name is that of the second one.
            ("Geller, E", KORTCHNOI, "", "", 5, 50),
            ("Geller, E", THIRD, "", "", 5, 50),
        ];
        let games = [&EVIDENCE[2..], &third[2..], &[(KORTCHNOI, "Karpov, A", "", "", 1, 50), third[0]]].concat();
        let names = |games: &[Played]| Ok::<_, io::Error>(same_as(games)?.into_iter().map(|(name, _)| name).collect::<Vec<_>>());
        assert_eq!(names(&games)?, ["korchnoi viktor", "kortchnoi viktor", "kortschnoj viktor"]);
        assert!(
            same_as(&games)?[0].1.contains(&OtherName { name: "kortchnoi viktor".to_owned(), because: SameBecause::ThirdName })
        );
        let met = [&games[..], &[(KORTCHNOI, KORCHNOI, "", "", 9, 30)]].concat();
        assert_eq!(same_as(&met)?.iter().map(|(_, others)| others.len()).collect::<Vec<_>>(), [1, 1]);
        Ok(())
    }

    #[test]
    fn games_under_both_names_are_copies() -> io::Result<()> {
        let related = |games: &[Played]| Ok::<_, io::Error>(copies(games)?.surplus);
        assert_eq!(related(&EVIDENCE[..2])?, 0);
        assert_eq!(related(&EVIDENCE)?, 2);
        // A beginning, and a game with an initial.
        let beginning = [(KORCHNOI, "Tal, M", "", "7", 7, 61), (KORTCHNOI, "Tal, Mihail", "", "7", 7, 58)];
        let initial = [(KORCHNOI, "Hort, V", "", "8", 8, 61), ("Kortchnoi, V", "Hort, V", "", "8", 8, 61)];
        assert_eq!(related(&[&beginning[..], &initial].concat())?, 0);
        assert_eq!(related(&[&EVIDENCE[..], &beginning, &initial].concat())?, 4);
        Ok(())
    }

    #[test]
    fn a_list_of_spellings_joins_names() -> io::Result<()> {
        let list =
            Spellings::read(b"@PLAYER\nKortchnoi, Viktor\n= Kortschnoj, V\n= Korchnoi, Viktor\n").map_err(io::Error::other)?;
        let mut copies = copies_with(&EVIDENCE[..2], Some(&list))?;
        assert_eq!(copies.surplus, 1);
        let mut reasons = Vec::new();
        copies.take_players(|player| {
            reasons.extend(player.same_as.iter().map(|other| other.because));
            Ok(())
        })?;
        assert_eq!(reasons, [SameBecause::List; 2]);
        // They met, so the list is wrong.
        let met = [&EVIDENCE[..2], &[(KORTCHNOI, KORCHNOI, "", "", 9, 30)]].concat();
        assert_eq!(copies_with(&met, Some(&list))?.surplus, 0);
        Ok(())
    }

    /// The main spellings of these names, with the number of its games.
    fn main_spellings(games: &[Played], spellings: Option<&Spellings>, names: &[&str]) -> io::Result<Vec<Option<(String, u64)>>> {
        let copies = copies_with(games, spellings)?;
        let main =
            |name: &&str| copies.names.main_spelling(&PlayerName::new(name)).map(|main| (main.text.to_string(), main.games));
        Ok(names.iter().map(main).collect())
    }

    #[test]
    fn the_main_spelling_is_that_of_most_games_or_of_the_list() -> io::Result<()> {
        let names = [KORCHNOI, KORTCHNOI, "Korchnoi, V"];
        let some = |text: &str, games| Some((text.to_owned(), games));
        // Both have two games, so the first in order is the main one.
        assert_eq!(main_spellings(&EVIDENCE, None, &names)?, [None, some(KORCHNOI, 2), None]);
        // The spelling with a comma is the one in standard form.
        let more = [("Viktor Kortchnoi", "Tal, M", "", "", 7, 30), ("Viktor Kortchnoi", "Hort, V", "", "", 8, 30)];
        let games = [&EVIDENCE[..], &more].concat();
        assert_eq!(main_spellings(&games, None, &names)?, [some(KORTCHNOI, 4), None, None]);
        let list = |text: &str| Spellings::read(format!("@PLAYER\n{text}").as_bytes()).map_err(io::Error::other);
        let listed = list("Korchnoi, Viktor\n= Kortchnoi, Viktor\n")?;
        assert_eq!(main_spellings(&games, Some(&listed), &names)?, [None, some(KORCHNOI, 2), None]);
        let other = list("Kortschnoi, Viktor\n= Kortchnoi, Viktor\n= Korchnoi, Viktor\n")?;
        let main = some("Kortschnoi, Viktor", 0);
        assert_eq!(main_spellings(&games, Some(&other), &names)?, [main.clone(), main, None]);
        Ok(())
    }

    #[test]
    fn names_without_a_first_name_or_a_common_initial_have_no_main_spelling() -> io::Result<()> {
        let games = EVIDENCE.map(|(white, black, event, round, line, plies)| {
            let short = |name| if name == KORTCHNOI { "Kortchnoi, V" } else { name };
            (short(white), short(black), event, round, line, plies)
        });
        assert_eq!(same_as(&games)?.len(), 2);
        assert_eq!(main_spellings(&games, None, &[KORCHNOI, "Kortchnoi, V"])?, [None, None]);
        let list = Spellings::read(b"@PLAYER\nKorchnoi, Viktor\n= Kortchnoi, V\n").map_err(io::Error::other)?;
        let main = main_spellings(&games, Some(&list), &[KORCHNOI, "Kortchnoi, V"])?;
        assert_eq!(main, [None, Some((KORCHNOI.to_owned(), 2))]);
        let games = EVIDENCE.map(|(white, black, event, round, line, plies)| {
            let other = |name| if name == KORTCHNOI { "Larsen, Bent" } else { name };
            (other(white), other(black), event, round, line, plies)
        });
        // Equal games under names that share nothing have a wrong header.
        assert_eq!(same_as(&games)?, []);
        Ok(())
    }

    #[test]
    fn players_are_counted() -> io::Result<()> {
        let mut players = Vec::new();
        copies(&[EVIDENCE[0], EVIDENCE[1], ("GM KARPOV, Anatoly", "NN", "", "", 3, 10)])?.take_players(|player| {
            players.push((player.name.clone(), player.games, player.inputs, player.spellings.len(), player.years));
            Ok(())
        })?;
        let years = Some((1974, 1974));
        assert_eq!(
            players,
            [
                ("karpov a".to_owned(), 1, 1, 1, years),
                ("karpov anatoly".to_owned(), 2, 2, 2, years),
                ("korchnoi viktor".to_owned(), 1, 1, 1, years),
                ("kortchnoi viktor".to_owned(), 1, 1, 1, years),
            ]
        );
        Ok(())
    }
}
