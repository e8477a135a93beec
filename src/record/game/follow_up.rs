//! Findings that follow from the fault of another one: they are not there once it is repaired.
//!
//! A game with a repair is read again with the repair applied. Findings after the place of the
//! repair that are gone then have the same cause, and only the first one is reported. Other
//! findings that only the repaired game has are not reported, but they are repaired together with
//! the first one. If it has errors that cannot be repaired in this way, there is no repair.

use rustc_hash::FxHashSet;

use super::{
    checks::GameChecks,
    replay::{GameMemory, GameText, replay_game},
};
use crate::{
    record::FastGames,
    rules::{Check, Code, Family, Finding, Findings, MAX_PATCHES, Patch, Severity, apply_yields},
    text::Span,
};

/// Maximum size of a record that is read again, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// Maximum number of times that a record is read again. Repairs that cannot change which moves are
/// played are not tried.
const MAX_TRIALS: usize = 8;

/// Tokens without a space between them. The game was read as repaired already.
const TOKEN_SPACING: Code = code!("SYN11");

/// Faults of brackets, which make it uncertain which moves are in the main line.
const BRACKETS: [Code; 5] = [code!("SYN05"), code!("SYN06"), code!("SYN07"), code!("SYN08"), code!("SYN09")];

/// A game that was read.
#[derive(Clone, Copy)]
pub(super) struct ReadGame<'a> {
    /// The text that it is in.
    pub text: &'a [u8],
    /// Its record there.
    pub record: Span,
    /// Number of findings before those about it.
    pub since: usize,
}

/// Removes the findings about a game that follow from others, and corrects how certain repairs are.
///
/// `memory` is that of the game.
pub(super) fn drop_follow_ups(game: ReadGame<'_>, checks: &GameChecks, memory: &mut GameMemory, findings: &mut Findings) {
    let ReadGame { record, since, .. } = game;
    let is_long = record.end - record.start > MAX_BYTES;
    let list = findings.since(since);
    let is_tried =
        |finding: &Finding| finding.repair.is_some() && finding.rule.changes_moves() && finding.rule.code != TOKEN_SPACING;
    let tried: Vec<usize> = (0..list.len()).filter(|&index| is_tried(&list[index])).collect();
    if tried.is_empty() {
        return;
    }
    // The card of the game is about its tags and moves as they are written.
    let (pairs, main_line) = (std::mem::take(&mut memory.pairs), std::mem::take(&mut memory.main_line));
    let mut follows = vec![false; list.len()];
    let left = if is_long { 0 } else { MAX_TRIALS };
    let mut trials = Trials { game, checks, may_have_none: may_have_none(list, checks), left };
    for index in tried {
        if follows[index] {
            continue;
        }
        match trials.repair(&list[index], list, memory) {
            Ok(settled) => {
                for (other, finding) in list.iter().enumerate().filter(|(other, _)| *other != index) {
                    follows[other] |= settled.explains(&list[index], finding);
                }
                settled.complete(&mut list[index]);
            }
            Err(Unsettled::Contradicted) => list[index].repair = None,
            Err(Unsettled::TooMany) => list[index].doubt(),
        }
    }
    (memory.pairs, memory.main_line) = (pairs, main_line);
    let mut follows = follows.into_iter();
    findings.retain_since(since, |_| !follows.next().unwrap_or(false));
}

/// Reads a game again with repairs.
struct Trials<'a> {
    game: ReadGame<'a>,
    checks: &'a GameChecks,
    /// Whether the fast path can show that nothing is left to report.
    may_have_none: bool,
    /// Number of times that the game may still be read.
    left: usize,
}

/// Why a repair does not settle a game.
enum Unsettled {
    /// The repaired game has errors that cannot be repaired together with it.
    Contradicted,
    /// The game was read too often.
    TooMany,
}

/// A game that was read with a repair, and others that it needs.
struct Settled<'a> {
    repaired: RepairedRecord<'a>,
    after: Vec<Finding>,
    seen: Seen,
}

impl<'a> Trials<'a> {
    /// Reads the game with the repair of `own`, and those of other slips that only then show.
    /// `list` are the findings about the game as it is written.
    fn repair(&mut self, own: &Finding, list: &[Finding], memory: &mut GameMemory) -> Result<Settled<'a>, Unsettled> {
        let mut repaired = RepairedRecord::new(self.game.text, self.game.record);
        let mut patches = own.patches().to_vec();
        loop {
            if self.left == 0 {
                return Err(Unsettled::TooMany);
            }
            self.left -= 1;
            if !repaired.make(patches) {
                return Err(Unsettled::Contradicted);
            }
            let mut after = Findings::new();
            if !(self.may_have_none && has_none(&repaired.text, self.checks, memory)) {
                let game = GameText { text: &repaired.text, start: 0, complete: false };
                replay_game(game, self.checks, memory, &mut after);
                apply_yields(&mut after, 0);
            }
            let after = std::mem::take(after.all());
            let seen = Seen::new(&repaired, list, &after);
            let Some(further) = after.iter().find(|other| seen.is_new(other) && contradicts(own, other)) else {
                return Ok(Settled { repaired, after, seen });
            };
            // Another slip, which is repaired together with this one.
            let is_repaired = further.rule.changes_moves() && further.certainty() >= own.certainty();
            match repaired.as_written(further).filter(|_| is_repaired) {
                Some(more) => patches = more,
                None => return Err(Unsettled::Contradicted),
            }
        }
    }
}

impl Settled<'_> {
    /// Whether `finding` is gone once `own` is repaired, and comes after it.
    fn explains(&self, own: &Finding, finding: &Finding) -> bool {
        own.patches().first().is_some_and(|patch| finding.place.start >= patch.place.start)
            && !matches!(finding.rule.check, Check::Layout(_))
            && matches!(
                finding.rule.code.family(),
                Family::Syn | Family::Mov | Family::Num | Family::Clk | Family::Ann | Family::Res
            )
            && self.seen.is_gone(&self.repaired, finding)
    }

    /// Adds to the repair of `own` those of what only the repaired game has: those that are as
    /// certain, at places that do not change.
    fn complete(self, own: &mut Finding) {
        let Settled { repaired, after, seen } = self;
        let is_gained = |other: &&Finding| seen.is_new(other) && other.certainty() >= own.certainty();
        let gained: Vec<Patch> =
            after.iter().filter(is_gained).filter_map(|other| repaired.as_written(other)).flatten().collect();
        if let Some(repair) = &mut own.repair {
            let mut places: FxHashSet<Span> = repair.patches.iter().map(|patch| patch.place).collect();
            let further = repaired.made.into_iter().chain(gained).filter(|patch| places.insert(patch.place));
            repair.patches.extend(further);
            repair.patches.truncate(MAX_PATCHES);
        }
        if after.iter().any(|other| other.severity > Severity::Info && BRACKETS.contains(&other.rule.code)) {
            own.doubt();
        }
    }
}

/// Whether the fast path can show that a repaired game has none of the findings in `list`. It does
/// not rule out infos, and does not ask oracles.
fn may_have_none(list: &[Finding], checks: &GameChecks) -> bool {
    list.iter().all(|finding| finding.severity > Severity::Info)
        && checks.oracles.is_empty()
        && !checks.reached.is_any()
        && !checks.has_spelling_infos()
}

/// Whether the fast path accepts the game that is all of `text`. Then it has no errors and no
/// warnings.
fn has_none(text: &[u8], checks: &GameChecks, memory: &mut GameMemory) -> bool {
    let games = memory.repaired_games.get_or_insert_with(|| Box::new(FastGames::within(&checks.limits)));
    let game = games.accept_last(text, 0, |games, text, start| games.accept(text, start, &checks.rules));
    game.is_some_and(|game| game.next == text.len())
}

/// Whether a finding in the repaired game contradicts the repair of `own`. Rules of these families
/// run whatever is selected, so the selection does not matter.
fn contradicts(own: &Finding, other: &Finding) -> bool {
    match other.rule.code.family() {
        Family::Mov | Family::Num => {
            other.severity == Severity::Error || (other.severity == Severity::Warning && other.variation == own.variation)
        }
        Family::Syn => other.severity == Severity::Error,
        _ => false,
    }
}

/// A rule and a place in the repaired record; `None` is any place that a repair changes.
type Identity = (Code, Option<Span>);

/// The findings before and after a repair.
struct Seen {
    before: FxHashSet<Identity>,
    after: FxHashSet<Identity>,
    changed: Vec<Span>,
}

impl Seen {
    fn new(repaired: &RepairedRecord, before: &[Finding], after: &[Finding]) -> Seen {
        Seen {
            before: before.iter().map(|finding| (finding.rule.code, repaired.place_of(finding.place))).collect(),
            after: after.iter().flat_map(|finding| identities(&repaired.changed, finding)).collect(),
            changed: repaired.changed.clone(),
        }
    }

    /// Whether the record as written does not have this finding of the repaired one.
    fn is_new(&self, other: &Finding) -> bool {
        !identities(&self.changed, other).any(|identity| self.before.contains(&identity))
    }

    /// Whether the repaired record does not have this finding of the record as written.
    fn is_gone(&self, repaired: &RepairedRecord, finding: &Finding) -> bool {
        !self.after.contains(&(finding.rule.code, repaired.place_of(finding.place)))
    }
}

/// What a finding in the repaired record is recognised by. `changed` are the new bytes there.
fn identities(changed: &[Span], finding: &Finding) -> impl Iterator<Item = Identity> + use<> {
    let (code, place) = (finding.rule.code, finding.place);
    let near = changed.partition_point(|changed| changed.end <= place.start);
    let is_changed = changed.get(near).is_some_and(|changed| changed.start < place.end);
    [Some((code, Some(place))), is_changed.then_some((code, None))].into_iter().flatten()
}

/// A record with repairs.
struct RepairedRecord<'a> {
    /// The input as written, and the record in it.
    input: &'a [u8],
    record: Span,
    /// The record as repaired.
    text: Vec<u8>,
    /// The replacements that were made, in the order of their places, which do not overlap.
    made: Vec<Patch>,
    /// For each of them, the new bytes in the repaired record.
    changed: Vec<Span>,
}

impl<'a> RepairedRecord<'a> {
    /// The record without repairs.
    fn new(input: &'a [u8], record: Span) -> RepairedRecord<'a> {
        RepairedRecord { input, record, text: Vec::new(), made: Vec::new(), changed: Vec::new() }
    }

    /// Makes more replacements. Returns whether that is possible.
    fn make(&mut self, patches: Vec<Patch>) -> bool {
        self.made.extend(patches);
        self.made.sort_by_key(|patch| (patch.place.start, patch.place.end));
        self.made.dedup();
        self.text.clear();
        self.changed.clear();
        let mut at = self.record.start;
        for patch in &self.made {
            let Some(between) = self.input.get(at..patch.place.start).filter(|_| patch.place.end <= self.record.end) else {
                return false;
            };
            self.text.extend_from_slice(between);
            let start = self.text.len();
            self.text.extend_from_slice(&patch.new);
            self.changed.push(Span::new(start, self.text.len()));
            at = patch.place.end;
        }
        self.text.extend_from_slice(self.input.get(at..self.record.end).unwrap_or_default());
        true
    }

    /// Where the text after the first `count` replacements begins: in the input, and in the
    /// repaired record.
    fn after(&self, count: usize) -> (usize, usize) {
        let last = count.checked_sub(1).and_then(|last| Some((self.made.get(last)?, self.changed.get(last)?)));
        last.map_or((self.record.start, 0), |(made, changed)| (made.place.end, changed.end))
    }

    /// The place in the repaired record of a place in the input. `None` if it was changed.
    fn place_of(&self, place: Span) -> Option<Span> {
        let (written, repaired) = self.after(self.made.partition_point(|patch| patch.place.start < place.end));
        let moved = |at: usize| Some(at.checked_sub(written)? + repaired);
        Some(Span::new(moved(place.start)?, moved(place.end)?))
    }

    /// The replacements of a finding in the repaired record, with their places in the input. `None`
    /// if they touch bytes that were changed.
    fn as_written(&self, finding: &Finding) -> Option<Vec<Patch>> {
        let written = |patch: &Patch| {
            let place = patch.place;
            let before = self.changed.partition_point(|changed| changed.end <= place.start);
            if self.changed.get(before).is_some_and(|changed| changed.start < place.end || *changed == place) {
                return None;
            }
            let (written, repaired) = self.after(before);
            let moved = |at: usize| Some(at.checked_sub(repaired)? + written);
            Some(Patch { place: Span::new(moved(place.start)?, moved(place.end)?), ..patch.clone() })
        };
        finding.patches().iter().map(written).collect()
    }
}
