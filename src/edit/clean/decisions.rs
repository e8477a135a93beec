//! What people have decided about pairs of games.
//!
//! The page of a report exports decisions. Each one names both games by their content and by their
//! places, so that it fits the same games in another report, and after repairs.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    path::Path,
};

use serde::Serialize;

use super::{error::CleanError, look::SeenPair};
use crate::{
    format::hash_cell::parse_key,
    review::for_each_row,
    text::wording::{printable_name, quantity, thousands},
};

/// Maximum number of decisions.
const MAX_DECISIONS: usize = 1_000_000;

/// Maximum number of decisions whose games are named.
const MAX_NAMED: usize = 3;

/// The number of a text, and the first byte of a game in its original.
pub(super) type At = (usize, u64);

/// The name of each text, and whether it was edited, by its number.
pub(super) type Texts<'n> = &'n dyn Fn(usize) -> (&'n str, bool);

/// A game that is named by a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Named {
    input: String,
    game: u64,
    digest: u64,
}

/// A decision about two games.
#[derive(Clone, Debug)]
struct Decision {
    games: [Named; 2],
    /// Which of them is removed: the second one if the left one is kept. `None` to keep both.
    removed: Option<usize>,
    /// Where they are, once a pair was found that it fits.
    found: Option<[At; 2]>,
    /// Whether it contradicts another decision.
    contradicts: bool,
    /// Whether the game that it keeps goes aside.
    is_overruled: bool,
}

/// Decisions about pairs of games.
#[derive(Clone, Debug, Default)]
pub struct Decisions {
    list: Vec<Decision>,
}

/// A pair that was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decided {
    /// The place of the pair in the list.
    pub pair: usize,
    /// Which of its games is removed; `None` if both are kept.
    pub removed: Option<usize>,
    /// The numbers of the decisions.
    pub decisions: Vec<usize>,
}

/// How well a decision fits a pair, best last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    EditedPlace,
    Content,
    Place,
    Both,
    Found,
}

impl Decisions {
    /// Reads a file that the page of a report exported.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or if it has anything else.
    pub fn read(path: &Path) -> Result<Decisions, CleanError> {
        let mut list = Vec::new();
        let wrong = |fingerprint: u64, reason: &str| {
            let reason = format!("k{fingerprint:016x}: {reason}");
            CleanError::Decisions { path: path.to_owned(), reason }
        };
        for_each_row(path, &mut |row| {
            let text = |name: &str| String::from_utf8_lossy(row.cell(name)).into_owned();
            let game = |prefix: &str| {
                let [input, game, digest] = ["input", "game", "digest"].map(|name| text(&format!("{prefix}{name}")));
                Some(Named { input, game: game.trim().parse().ok()?, digest: parse_key(&digest)? })
            };
            let removed = match text("keep").trim() {
                "left" => Some(1),
                "right" => Some(0),
                "both" => None,
                _ => return Err(wrong(row.fingerprint, "`keep` is not `left`, `right` or `both`")),
            };
            let (Some(left), Some(right)) = (game(""), game("other_")) else {
                return Err(wrong(row.fingerprint, "it does not name two games by number and digest"));
            };
            if list.len() == MAX_DECISIONS {
                return Err(wrong(
                    row.fingerprint,
                    &format!("there are more than {} decisions", thousands(MAX_DECISIONS as u64)),
                ));
            }
            list.push(Decision { games: [left, right], removed, found: None, contradicts: false, is_overruled: false });
            Ok(())
        })?;
        Ok(Decisions { list })
    }

    /// The digests of all games that decisions are about.
    pub(super) fn digests(&self) -> HashSet<u64> {
        self.list.iter().flat_map(|decision| decision.games.iter().map(|game| game.digest)).collect()
    }

    /// Whether a text that was read under this name, or that has this number, may have a game that
    /// a decision is about and that has another digest now.
    pub(super) fn may_be_in(&self, name: &str, number: Option<usize>) -> bool {
        self.list.iter().any(|decision| match decision.found {
            Some(found) => found.iter().any(|(text, _)| Some(*text) == number),
            None => decision.games.iter().any(|game| game.input == name),
        })
    }

    /// Decides pairs that an audit has found, whose games are at `places`. `texts` are the
    /// texts of the first audit. Later, games have other ordinals.
    ///
    /// Nothing follows from decisions that contradict each other: two about the same games, or some
    /// that leave none of several games.
    pub(super) fn decide(&mut self, pairs: &[SeenPair], places: &[[At; 2]], texts: Option<Texts<'_>>) -> Vec<Decided> {
        let candidates = Candidates::of(pairs, places, texts);
        let mut verdicts: BTreeMap<[At; 2], PairDecision> = BTreeMap::new();
        for (number, decision) in self.list.iter_mut().enumerate() {
            let own = &*decision;
            let fits = candidates.for_decision(own).into_iter().flat_map(|at| {
                let of = move |turned| Some((own.fit(&pairs[at], places[at], turned, texts)?, at, turned));
                [false, true].into_iter().filter_map(of)
            });
            let best = fits.reduce(|best, next| if next.0 > best.0 { next } else { best });
            let Some((_, pair, turned)) = best else { continue };
            let found = ordered(places[pair], turned);
            decision.found = Some(found);
            for (game, digest) in decision.games.iter_mut().zip(ordered(pairs[pair].digests, turned)) {
                game.digest = digest;
            }
            let removed = decision.removed.map(|side| found[side]);
            let verdict =
                verdicts.entry(sorted(found)).or_insert(PairDecision { pair, removed, decisions: Vec::new(), is_clear: true });
            verdict.is_clear &= verdict.removed == removed;
            verdict.decisions.push(number);
        }
        reject_if_both_are_kept(&mut verdicts);
        leave_one(&mut verdicts);
        for verdict in verdicts.values() {
            verdict.decisions.iter().for_each(|decision| self.list[*decision].contradicts |= !verdict.is_clear);
        }
        let clear = verdicts.into_values().filter(|verdict| verdict.is_clear);
        let side = |verdict: &PairDecision| Some(usize::from(places[verdict.pair][1] == verdict.removed?));
        clear.map(|verdict| Decided { pair: verdict.pair, removed: side(&verdict), decisions: verdict.decisions }).collect()
    }

    /// Notes that the game goes aside that these decisions keep.
    pub(super) fn overrule(&mut self, decisions: &[usize]) {
        decisions.iter().for_each(|number| self.list[*number].is_overruled = true);
    }

    /// The number of decisions that were followed, and the games of those that fit no pair or
    /// contradict others.
    pub(super) fn outcome(&self) -> DecisionsOutcome {
        let named = |decision: &Decision| {
            let [left, right] = decision
                .games
                .each_ref()
                .map(|Named { input, game, .. }| format!("{}, record {}", printable_name(input), thousands(*game)));
            format!("{left} / {right}")
        };
        let of = |is_told: fn(&&Decision) -> bool| self.list.iter().filter(is_told).map(named).collect::<Vec<String>>();
        let unfit = of(|decision| decision.found.is_none());
        let contradictory = of(|decision| decision.contradicts);
        let overruled = of(|decision| decision.is_overruled && !decision.contradicts);
        let followed = (self.list.len() - unfit.len() - contradictory.len() - overruled.len()) as u64;
        DecisionsOutcome { followed, unfit, contradictory, overruled }
    }
}

/// What became of decisions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DecisionsOutcome {
    /// Number of decisions that were followed.
    pub followed: u64,
    /// The games of decisions that fit no pair.
    pub unfit: Vec<String>,
    /// The games of decisions that contradict others.
    pub contradictory: Vec<String>,
    /// The games of decisions that keep a game that goes aside. The other one stays.
    pub overruled: Vec<String>,
}

impl DecisionsOutcome {
    /// What is reported; nothing if there were no decisions.
    pub fn sentences(&self) -> Vec<String> {
        let DecisionsOutcome { followed, unfit, contradictory, overruled } = self;
        let mut sentences = Vec::new();
        let all = followed + (unfit.len() + contradictory.len() + overruled.len()) as u64;
        if all > 0 {
            sentences.push(format!("{} of {} followed", thousands(*followed), quantity(all, "was", "were")));
        }
        let bad = ["keeps a game that goes aside", "keep a game that goes aside"];
        for (games, one, many) in [
            (unfit, "fits no pair", "fit no pair"),
            (contradictory, "contradicts others", "contradict others"),
            (overruled, bad[0], bad[1]),
        ] {
            if games.is_empty() {
                continue;
            }
            let more = games.len().saturating_sub(MAX_NAMED);
            let more = if more > 0 { format!("; {} more are in run.json", thousands(more as u64)) } else { String::new() };
            let named = games[..games.len().min(MAX_NAMED)].join("; ");
            sentences.push(format!("{}: {named}{more}", quantity(games.len() as u64, one, many)));
        }
        sentences
    }
}

impl Decision {
    /// How well it fits a pair whose second game is the left one if the pair is `turned`.
    fn fit(&self, pair: &SeenPair, places: [At; 2], turned: bool, texts: Option<Texts<'_>>) -> Option<Fit> {
        if let Some(found) = self.found {
            return (ordered(places, turned) == found).then_some(Fit::Found);
        }
        let own = self.games.each_ref();
        let digests = ordered(pair.digests, turned);
        let same = own.iter().zip(digests).filter(|(game, digest)| game.digest == *digest).count();
        let seen = ordered([0, 1], turned).map(|side| (pair.texts[side], pair.games[side].game));
        let is_named = |texts: Texts<'_>| {
            own.iter().zip(seen).all(|(named, (text, game))| named.game == game && named.input == texts(text).0)
        };
        let are_edited = |texts: Texts<'_>| seen.iter().all(|(text, _)| texts(*text).1);
        match (same, texts.is_some_and(is_named)) {
            (2, true) => Some(Fit::Both),
            (2, false) => Some(Fit::Content),
            (1, true) => Some(Fit::Place),
            (0, true) => texts.is_some_and(are_edited).then_some(Fit::EditedPlace),
            _ => None,
        }
    }
}

/// Pairs that decisions may fit, by what they are found by.
struct Candidates {
    of_digests: HashMap<u64, Vec<usize>>,
    of_places: HashMap<[At; 2], Vec<usize>>,
    of_names: HashMap<(String, u64), Vec<usize>>,
}

impl Candidates {
    fn of(pairs: &[SeenPair], places: &[[At; 2]], texts: Option<Texts<'_>>) -> Candidates {
        let (mut of_digests, mut of_places, mut of_names) = (HashMap::new(), HashMap::new(), HashMap::new());
        for (number, (pair, places)) in pairs.iter().zip(places).enumerate() {
            for (side, digest) in pair.digests.into_iter().enumerate() {
                of_digests.entry(digest).or_insert_with(Vec::new).push(number);
                if let Some(texts) = texts {
                    let (name, _) = texts(pair.texts[side]);
                    of_names.entry((name.to_owned(), pair.games[side].game)).or_insert_with(Vec::new).push(number);
                }
            }
            of_places.entry(sorted(*places)).or_insert_with(Vec::new).push(number);
        }
        Candidates { of_digests, of_places, of_names }
    }

    /// The places of the pairs in the list, in order.
    fn for_decision(&self, decision: &Decision) -> BTreeSet<usize> {
        if let Some(found) = decision.found {
            return self.of_places.get(&sorted(found)).into_iter().flatten().copied().collect();
        }
        let of_game = |Named { input, game, digest }: &Named| {
            [self.of_digests.get(digest), self.of_names.get(&(input.clone(), *game))]
                .into_iter()
                .flatten()
                .flatten()
                .copied()
                .collect::<Vec<_>>()
        };
        decision.games.iter().flat_map(of_game).collect()
    }
}

fn sorted(mut places: [At; 2]) -> [At; 2] {
    places.sort_unstable();
    places
}

/// What decisions say about a pair.
struct PairDecision {
    /// Its place in the list.
    pair: usize,
    /// The game that is removed.
    removed: Option<At>,
    /// The numbers of the decisions.
    decisions: Vec<usize>,
    /// Whether they say the same.
    is_clear: bool,
}

/// Rejects verdicts that remove a game of a pair of which both are kept, and those about the pair.
fn reject_if_both_are_kept(verdicts: &mut BTreeMap<[At; 2], PairDecision>) {
    let clear = || verdicts.iter().filter(|(_, verdict)| verdict.is_clear);
    let kept: HashSet<At> = clear().filter(|(_, verdict)| verdict.removed.is_none()).flat_map(|(both, _)| *both).collect();
    let removed: HashSet<At> = clear().filter_map(|(_, verdict)| verdict.removed).filter(|at| kept.contains(at)).collect();
    for (both, verdict) in verdicts {
        let is_about = match verdict.removed {
            Some(at) => removed.contains(&at),
            None => both.iter().any(|at| removed.contains(at)),
        };
        verdict.is_clear &= !is_about;
    }
}

/// Rejects verdicts that remove a game although no game is left that is kept instead.
fn leave_one(verdicts: &mut BTreeMap<[At; 2], PairDecision>) {
    let is_open = |both: &[At; 2], verdict: &PairDecision, stays: &HashSet<At>| {
        verdict.is_clear && verdict.removed.is_some_and(|removed| both.iter().all(|at| *at == removed || !stays.contains(at)))
    };
    let clear = || verdicts.values().filter(|verdict| verdict.is_clear);
    let removed: HashSet<At> = clear().filter_map(|verdict| verdict.removed).collect();
    let mut stays: HashSet<At> = verdicts.keys().flatten().copied().filter(|at| !removed.contains(at)).collect();
    loop {
        // A game that is removed in favour of one that stays counts as one that stays.
        let found = verdicts.iter().filter(|(both, verdict)| verdict.is_clear && !is_open(both, verdict, &stays));
        let found: Vec<At> = found.filter_map(|(_, verdict)| verdict.removed).filter(|at| !stays.contains(at)).collect();
        if found.is_empty() {
            break;
        }
        stays.extend(found);
    }
    for (both, verdict) in verdicts {
        verdict.is_clear &= !is_open(both, verdict, &stays);
    }
}

fn ordered<T>([one, other]: [T; 2], turned: bool) -> [T; 2] {
    if turned { [other, one] } else { [one, other] }
}
