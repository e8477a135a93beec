//! The players of an input: which of them bear an id that elsewhere belongs to another is seen when games are put in order.

use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    pgn::{line_end, read_tag},
    record::{decoded, fingerprint_of},
    rules::{Finding, Findings, report_identity_drift},
    text::{Encoding, Span},
};

/// So many players are remembered; of those beyond nothing is said.
const MOST_PLAYERS: usize = 1 << 20;

/// So many findings are told of an input.
const MOST_FINDINGS: usize = 10_000;

/// So many lines of a record are looked at for tags.
const MOST_LINES: usize = 200;

/// Ratings of one player, this many days apart at most, differ
const NEAR_DAYS: i32 = 60;
/// by no more than this.
const MOST_POINTS: u32 = 400;

/// A player with an id, in a game.
#[derive(Clone, Debug)]
pub(super) struct Sighting {
    id: u32,
    name: String,
    elo: Option<u32>,
    /// Days since some day, where the date is known.
    day: Option<i32>,
    /// The id, in the window at first, then in the input.
    pub place: Span,
    pub line: u64,
    pub column: u64,
    pub game: u64,
    pub label: String,
}

/// The players of a game that bear ids, in the order of these.
pub(super) fn sightings(record: &[u8], start: usize) -> Vec<Sighting> {
    let encoding = Encoding::of(record);
    let mut names = [String::new(), String::new()];
    let mut elos = [None, None];
    let mut ids: [Option<(u32, Span)>; 2] = [None, None];
    let mut day = None;
    let mut at = 0;
    let mut seen = false;
    for _ in 0..MOST_LINES {
        let Some(line) = record.get(at..).filter(|rest| !rest.is_empty()).map(|_| line_end(record, at)) else { break };
        let text = record[at..line].trim_ascii_start();
        if text.first() == Some(&b'[') {
            seen = true;
            if let Some(pair) = read_tag(record, line - text.len()).pair {
                let value = pair.value.of(record);
                let digits = std::str::from_utf8(value).ok().and_then(|value| value.trim().parse::<u32>().ok());
                match pair.name.of(record) {
                    b"White" => names[0] = decoded(value, encoding),
                    b"Black" => names[1] = decoded(value, encoding),
                    b"WhiteElo" => elos[0] = digits,
                    b"BlackElo" => elos[1] = digits,
                    b"WhiteFideId" => ids[0] = digits.map(|id| (id, pair.value)),
                    b"BlackFideId" => ids[1] = digits.map(|id| (id, pair.value)),
                    b"Date" => day = day_of(value),
                    _ => {}
                }
            }
        } else if seen && !text.is_empty() {
            break;
        }
        at = line + 1;
    }
    // One id for both is the business of another rule.
    if let [Some((white, _)), Some((black, _))] = ids
        && white == black
    {
        return Vec::new();
    }
    let mut found: Vec<Sighting> = Vec::new();
    for ((id, name), elo) in ids.into_iter().zip(names).zip(elos) {
        let Some((id, place)) = id.filter(|(id, _)| *id > 0) else { continue };
        let place = place.shifted(start);
        let elo = elo.filter(|elo| (1000..4000).contains(elo));
        found.push(Sighting { id, name, elo, day, place, line: 0, column: 0, game: 0, label: String::new() });
    }
    found.sort_by_key(|sighting| sighting.place);
    found
}

/// A whole date as a number of days.
fn day_of(date: &[u8]) -> Option<i32> {
    let text = std::str::from_utf8(date).ok()?;
    let mut fields = text.split('.');
    let year = fields.next()?.parse::<i16>().ok()?;
    let month = fields.next()?.parse::<i8>().ok()?;
    let day = fields.next()?.parse::<i8>().ok()?;
    let date = jiff::civil::Date::new(year, month, day).ok()?;
    Some(i32::from(date.year()) * 366 + i32::from(date.day_of_year()))
}

/// What is known of an id.
#[derive(Debug)]
struct Known {
    name: String,
    /// The last rating with its day.
    rated: Option<(u32, i32)>,
    told: bool,
}

/// The players of an input.
#[derive(Debug, Default)]
pub(super) struct Players {
    ids: FxHashMap<u32, Known>,
    /// The first id of each name.
    names: FxHashMap<String, u32>,
    told_names: FxHashSet<String>,
    findings: Vec<Finding>,
}

impl Players {
    /// Takes the next sighting, in the order of the games.
    pub fn add(&mut self, sighting: Sighting) {
        let message = self.drift(&sighting);
        if let Some(message) = message.filter(|_| self.findings.len() < MOST_FINDINGS) {
            let mut findings = Findings::new();
            report_identity_drift(&mut findings, sighting.place, &sighting.id.to_string(), message);
            let hash = xxh3_64(format!("{} {} {:?}", sighting.id, sighting.name, sighting.day).as_bytes());
            for mut finding in findings.all().drain(..) {
                (finding.line, finding.column, finding.game) = (sighting.line, sighting.column, sighting.game);
                finding.fingerprint = fingerprint_of(&finding, hash);
                finding.game_label.clone_from(&sighting.label);
                self.findings.push(finding);
            }
        }
    }

    /// What does not go with what is known, once for each id.
    fn drift(&mut self, sighting: &Sighting) -> Option<String> {
        let Sighting { id, name, .. } = sighting;
        let rated = sighting.elo.zip(sighting.day);
        let room = self.ids.len() < MOST_PLAYERS;
        let Some(known) = self.ids.get_mut(id) else {
            if room {
                self.ids.insert(*id, Known { name: name.clone(), rated, told: false });
            }
            return self.other_id(sighting);
        };
        let before = known.rated;
        known.rated = rated.or(before);
        if known.told {
            return None;
        }
        if !are_related(&known.name, name) {
            known.told = true;
            return Some(format!(
                "the FIDE id {id} stands beside `{name}` here, and beside `{}` elsewhere in this input",
                known.name
            ));
        }
        if let (Some((now, day)), Some((then, other_day))) = (rated, before)
            && now.abs_diff(then) > MOST_POINTS
            && (day - other_day).abs() <= NEAR_DAYS
        {
            known.told = true;
            return Some(format!(
                "{name} is rated {now} here, and {then} in a game of this input that is at most {NEAR_DAYS} days away"
            ));
        }
        None
    }

    /// Whether the player had another id before.
    fn other_id(&mut self, sighting: &Sighting) -> Option<String> {
        let key = words(&sighting.name).join(" ");
        // A surname alone, or one with an initial, is that of many.
        if words(&sighting.name).iter().filter(|word| word.chars().count() > 2).count() < 2 {
            return None;
        }
        match self.names.get(&key) {
            Some(first) if *first != sighting.id && self.told_names.insert(key.clone()) => {
                Some(format!("{} has the FIDE id {} here, and {first} elsewhere in this input", sighting.name, sighting.id))
            }
            Some(_) => None,
            None => {
                if self.names.len() < MOST_PLAYERS {
                    self.names.insert(key, sighting.id);
                }
                None
            }
        }
    }

    /// All findings, in the order of their places.
    pub fn into_findings(self) -> Vec<Finding> {
        self.findings
    }
}

/// The words of a name, in small letters.
fn words(name: &str) -> Vec<String> {
    name.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Whether two names may be those of one player: a word of one is nearly a word of the other, or nothing can be said.
fn are_related(one: &str, other: &str) -> bool {
    let long = |name: &str| words(name).into_iter().filter(|word| word.chars().count() > 2).collect::<Vec<_>>();
    let (one, other) = (long(one), long(other));
    one.is_empty()
        || other.is_empty()
        || one.iter().any(|word| other.iter().any(|similar| strsim::jaro_winkler(word, similar) >= 0.8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_related_by_any_word() {
        for (one, other) in [("Carlsen, Magnus", "Carlsen,M"), ("Yusupov, Artur", "Jusupow, A"), ("Li, Bo", "Li, B"), ("", "X")] {
            assert!(are_related(one, other), "{one} / {other}");
        }
        assert!(!are_related("Carlsen, Magnus", "Nakamura, Hikaru"));
    }

    #[test]
    fn a_player_with_two_ids_is_told_once() {
        let mut players = Players::default();
        for (id, game) in [(1, 1), (2, 2), (2, 3), (3, 4)] {
            let sighting = Sighting {
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
            players.add(sighting);
        }
        let told = players.into_findings();
        assert_eq!(told.iter().map(|finding| finding.game).collect::<Vec<_>>(), [2]);
        assert_eq!(told[0].message, "Quill, Ada has the FIDE id 2 here, and 1 elsewhere in this input");
    }
}
