//! Findings that follow from the fault of another one: they are not there once it is repaired.
//!
//! A game with a repair is read again with the repair applied. Findings after the place of the
//! repair that are gone then have the same cause, and only the first one is reported. If the
//! repaired game has errors that the game as written does not have, the repair is not certain.
//! Lesser findings that only the repaired game has are not reported, but their repairs are made together
//! with it.

use rustc_hash::FxHashSet;

use super::{GameChecks, GameMemory, replay_game};
use crate::{
    record::FastGames,
    rules::{Certainty, Code, Family, Finding, Findings, MAX_PATCHES, Patch, Severity, apply_yields},
    text::Span,
};

/// Maximum size of a record that is read again, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// Maximum number of repairs per game that are tried. Those that cannot change which moves are played
/// are not tried.
const MAX_REPAIRS: usize = 8;

/// Tokens without a space between them. The game was read as repaired already.
const TOKEN_SPACING: Code = code!("SYN11");

/// Faults of brackets, which make it uncertain which moves are in the main line.
const BRACKETS: [Code; 5] = [code!("SYN05"), code!("SYN06"), code!("SYN07"), code!("SYN08"), code!("SYN09")];

/// Removes the findings since `since` about the record at `record` that follow from others, and
/// corrects how certain repairs are. `is_proven` says that a certain repair of the moves was found, and that the repaired
/// movetext has no errors or warnings.
///
/// `memory` is that of the game, which has been read.
pub(super) fn drop_follow_ups(
    text: &[u8],
    record: Span,
    is_proven: bool,
    checks: &GameChecks,
    memory: &mut GameMemory,
    findings: &mut Findings,
    since: usize,
) {
    let list = findings.since(since);
    // There is nothing else that the repair could explain. Builds with assertions look anyway.
    let is_settled =
        matches!(&*list, [only] if is_proven && only.rule.code.family() == Family::Mov) && !checks.has_spelling_infos();
    if is_settled && record.end - record.start <= MAX_BYTES && !cfg!(debug_assertions) {
        return;
    }
    let is_tried = |finding: &Finding| {
        finding.repair.is_some()
            && finding.rule.changes_moves()
            && finding.rule.code != TOKEN_SPACING
            && (finding.certainty() == Some(Certainty::Certain) || list.len() > 1)
    };
    let tried: Vec<usize> = (0..list.len()).filter(|&index| is_tried(&list[index])).collect();
    if tried.is_empty() {
        return;
    }
    let mut follows = vec![false; list.len()];
    let may_have_none = may_have_none(list, checks);
    for (count, index) in tried.into_iter().enumerate() {
        let Some(patch) = list[index].patches().first().filter(|_| !follows[index]) else { continue };
        if count >= MAX_REPAIRS || record.end - record.start > MAX_BYTES {
            list[index].doubt();
            continue;
        }
        let repaired = repaired(text, record, patch);
        let mut after = Findings::new();
        if !(may_have_none && has_none(&repaired, checks, memory)) {
            replay_game(&repaired, 0, false, checks, None, memory, &mut after);
            apply_yields(&mut after, 0);
        }
        let after = after.all();
        let new = Span::new(patch.place.start - record.start, patch.place.start - record.start + patch.new.len());
        // The place in the repaired record; `None` is any place that the patch changes.
        let identity = |finding: &Finding| (finding.rule.code, moved(finding.place, patch, record.start));
        let is_changed = |place: Span| place.start < new.end && new.start < place.end;
        let identities = |other: &Finding| {
            let changed = is_changed(other.place).then_some((other.rule.code, None));
            [Some((other.rule.code, Some(other.place))), changed].into_iter().flatten()
        };
        let before: FxHashSet<_> = list.iter().map(identity).collect();
        let still_there: FxHashSet<_> = after.iter().flat_map(identities).collect();
        let own = &list[index];
        let is_new = |other: &&Finding| !identities(other).any(|identity| before.contains(&identity));
        // Rules of these families run whatever is selected, so the selection does not matter.
        let contradicts = |other: &Finding| match other.rule.code.family() {
            Family::Mov | Family::Num => {
                other.severity == Severity::Error || (other.severity == Severity::Warning && other.variation == own.variation)
            }
            Family::Syn => other.severity == Severity::Error,
            _ => false,
        };
        if after.iter().filter(is_new).any(contradicts) {
            debug_assert!(!is_settled, "the repair of {} is proven, but {after:?}", list[index].message);
            list[index].doubt();
            continue;
        }
        // Those that are as certain, and at places that the repair does not change.
        let is_gained = |other: &&Finding| other.certainty() >= own.certainty() && !other.rule.changes_moves();
        let placed = |patch: &Patch| {
            let place = original(patch.place, &new, list[index].patches().first()?, record.start)?;
            Some(Patch { place, ..patch.clone() })
        };
        let gained: Vec<Patch> = after
            .iter()
            .filter(is_new)
            .filter(is_gained)
            .filter_map(|other| other.patches().iter().map(placed).collect::<Option<Vec<Patch>>>())
            .flatten()
            .collect();
        let is_gone = |finding: &Finding| {
            finding.place.start >= patch.place.start
                && !finding.rule.layout
                && matches!(
                    finding.rule.code.family(),
                    Family::Syn | Family::Mov | Family::Num | Family::Clk | Family::Ann | Family::Res
                )
                && !still_there.contains(&identity(finding))
        };
        for (other, finding) in list.iter().enumerate().filter(|(other, _)| *other != index) {
            follows[other] |= is_gone(finding);
        }
        for patch in gained {
            let repair = list[index].repair.as_mut();
            if let Some(repair) = repair.filter(|repair| repair.patches.len() < MAX_PATCHES && !repair.patches.contains(&patch)) {
                repair.patches.push(patch);
            }
        }
        if after.iter().any(|other| other.severity > Severity::Info && BRACKETS.contains(&other.rule.code)) {
            list[index].doubt();
        }
    }
    let mut follows = follows.into_iter();
    findings.retain_since(since, |_| !follows.next().unwrap_or(false));
}

/// Whether the fast path can show that a repaired game has none of the findings in `list`. It does not rule out
/// infos, and does not ask oracles.
fn may_have_none(list: &[Finding], checks: &GameChecks) -> bool {
    list.iter().all(|finding| finding.severity > Severity::Info)
        && checks.oracles.is_empty()
        && !checks.reached.is_any()
        && !checks.has_spelling_infos()
}

/// Whether the fast path accepts the game that is all of `text`. Then it has no errors and no warnings.
fn has_none(text: &[u8], checks: &GameChecks, memory: &mut GameMemory) -> bool {
    let games = memory.repaired_games.get_or_insert_with(|| Box::new(FastGames::within(&checks.limits)));
    let game = games.accept_last(text, 0, |games, text, start| games.accept(text, start, &checks.rules));
    game.is_some_and(|game| game.next == text.len())
}

/// The record with a patch applied.
fn repaired(text: &[u8], record: Span, patch: &Patch) -> Vec<u8> {
    let (before, after) = (record.start..patch.place.start, patch.place.end..record.end);
    [text.get(before).unwrap_or_default(), &patch.new, text.get(after).unwrap_or_default()].concat()
}

/// The place in the repaired record. `None` if the patch changes it.
fn moved(place: Span, patch: &Patch, start: usize) -> Option<Span> {
    let old = patch.place;
    if place.end <= old.start {
        return Some(Span::new(place.start - start, place.end - start));
    }
    let shift = |at: usize| (at + patch.new.len() + old.start).checked_sub(old.end + start);
    (place.start >= old.end).then(|| Some(Span::new(shift(place.start)?, shift(place.end)?))).flatten()
}

/// The place in the record as written of a place in the repaired one, where `new` are the bytes of the
/// repair. `None` if they touch.
fn original(place: Span, new: &Span, patch: &Patch, start: usize) -> Option<Span> {
    if place.end <= new.start && place != *new {
        return Some(place.shifted(start));
    }
    let shift = |at: usize| (at + patch.place.end + start).checked_sub(new.end + start);
    (place.start >= new.end).then(|| Some(Span::new(shift(place.start)?, shift(place.end)?))).flatten()
}
