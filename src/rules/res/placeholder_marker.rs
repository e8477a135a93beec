//! Placeholder markers: what the termination markers of a whole input show.
//!
//! Books of openings and collections of problems end all their lines with the same marker. Then it
//! says nothing about one of them.

use shakmaty::{Color, KnownOutcome, Outcome};

use crate::pgn::MarkerKind;
use crate::rules::prelude::*;
use crate::rules::stated_result::Stated;
use crate::rules::{Code, MIN_GROUPED, Note, Notes, Sums, sums_of};

/// Minimum number of mates that contradict a win that all games share.
const MIN_MATES: u64 = 3;

/// The rule that notes markers: mate-result-mismatch.
const OWNER: Code = code!("RES05");

/// Where its sums begin.
const AT: usize = sums_of(OWNER);

/// Kinds of markers: White wins, Black wins, a draw, `*`, `0-0`, none, penalty.
const KINDS: usize = 7;

/// The kinds that say nothing about a game if all of an input share one.
const INDECISIVE: [usize; 3] = [2, 3, 4];

/// The termination markers of the input are real results.
pub const MARKERS_REAL: Condition = Condition::new(OWNER, 0);

/// All games of the input have the same termination marker, which is a placeholder.
pub const MARKERS_PLACEHOLDER: Condition = Condition::new(OWNER, 1);

/// Games with each kind of marker, and mates that the result contradicts.
pub(super) static NOTE: Note = Note { sums: KINDS + 1, holds, ..Note::DEFAULTS };

/// Notes the marker of a game, and whether it is a mate that the result contradicts.
pub fn note_marker(notes: &mut impl Sums, marker: Option<MarkerKind>, is_mate: bool) {
    let kind = match marker {
        None => 5,
        Some(MarkerKind::Penalty) => 6,
        Some(MarkerKind::DoubleForfeit) => 4,
        Some(MarkerKind::Standard(outcome) | MarkerKind::Misspelled(outcome)) => match outcome {
            Outcome::Known(KnownOutcome::Decisive { winner: Color::White }) => 0,
            Outcome::Known(KnownOutcome::Decisive { winner: Color::Black }) => 1,
            Outcome::Known(KnownOutcome::Draw) => 2,
            Outcome::Unknown => 3,
        },
    };
    notes.count(AT + kind, 1);
    notes.count(AT + KINDS, u64::from(is_mate));
}

/// Notes a marker of the standard, whose last byte this is.
#[inline(always)]
pub fn note_standard_marker(notes: &mut impl Sums, last: u8) {
    let kind = match last {
        b'0' => 0,
        b'1' => 1,
        b'2' => 2,
        _ => 3,
    };
    notes.count(AT + kind, 1);
}

fn holds(notes: &Notes, condition: Condition) -> bool {
    (condition == MARKERS_PLACEHOLDER) == are_placeholders(notes.sums(AT))
}

/// Whether the markers are placeholders: many games share one, and it is indecisive or contradicted
/// by several mates.
fn are_placeholders(sums: &[u64; KINDS + 1]) -> bool {
    let (games, mates) = (&sums[..KINDS], sums[KINDS]);
    let mut used = (0..KINDS).filter(|kind| games[*kind] > 0);
    let (Some(kind), None) = (used.next(), used.next()) else { return false };
    games[kind] >= MIN_GROUPED && (INDECISIVE.contains(&kind) || kind < INDECISIVE[0] && mates >= MIN_MATES)
}

/// Makes the findings of `rule` since `since` depend on the markers of the input: if these are
/// placeholders, one info counts the findings. A Result tag with another result is no placeholder.
pub(super) fn unless_placeholder(rule: &'static Rule, stated: Stated, findings: &mut Findings, since: usize) {
    let Some((_, marker)) = stated.marker else { return };
    let is_other = |tag: MarkerKind| tag.outcome() != Some(Outcome::Unknown) && tag.outcome() != marker.outcome();
    if stated.tag.is_some_and(|(_, tag)| is_other(tag)) {
        return;
    }
    for index in since..findings.len() {
        let Some(finding) = findings.all().get_mut(index) else { return };
        let copy = finding.clone();
        finding.only_if(MARKERS_REAL);
        let info = findings.add(rule, copy.place);
        *info = copy;
        info.only_if(MARKERS_PLACEHOLDER).severity(Severity::Info).once_per_input();
        info.message.push_str("; all games of this input have this marker, so it says nothing about one of them");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::marker_of_token;

    fn totals(marker: &str, games: u64, mates: u64) -> Notes {
        let mut notes = Notes::default();
        let kind = if marker == "0-0" { Some(MarkerKind::DoubleForfeit) } else { marker_of_token(marker.as_bytes()) };
        (0..games).for_each(|game| note_marker(&mut notes, kind, game < mates));
        notes
    }

    #[test]
    fn a_marker_that_all_games_share_may_be_a_placeholder() {
        for (marker, games, mates, expected) in [
            ("*", 19, 0, false),
            ("*", 20, 0, true),
            ("1/2", 20, 1, true),
            ("0-0", 20, 1, true),
            ("1-0", 30, 1, false),
            ("1-0", 30, 2, false),
            ("0-1", 30, 3, true),
            // Games without a marker share none.
            ("", 30, 0, false),
        ] {
            assert_eq!(totals(marker, games, mates).hold(MARKERS_PLACEHOLDER), expected, "{marker} {games} {mates}");
        }
        let mut mixed = totals("1-0", 30, 3);
        mixed.add(&totals("0-1", 1, 0));
        assert!(mixed.hold(MARKERS_REAL));
        let mut accepted = totals("1/2", 1, 1);
        (0..20).for_each(|_| note_standard_marker(&mut accepted, b'2'));
        assert!(accepted.hold(MARKERS_PLACEHOLDER));
        note_standard_marker(&mut accepted, b'*');
        assert!(accepted.hold(MARKERS_REAL));
    }
}
