//! Placeholder markers: what the termination markers of a whole input show.
//!
//! Books of openings and collections of problems end all their lines with the same marker. Then it
//! says nothing about one of them.

use serde::{Deserialize, Serialize};
use shakmaty::{Color, KnownOutcome, Outcome};

use crate::{
    pgn::MarkerKind,
    rules::{Condition, Findings, MIN_GROUPED, Rule, Severity, stated::Stated},
};

/// Minimum number of mates that contradict a win that all games share.
const MIN_MATES: u64 = 3;

/// Markers that say nothing about a game if all of an input share one: `*`, a draw, `0-0`.
const INDECISIVE: [u8; 3] = [1 << 2, 1 << 3, 1 << 4];

/// The termination markers of an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkerTotals {
    games: u64,
    /// A bit for each kind of marker, and for games without one.
    kinds: u8,
    /// Mates that the result contradicts.
    mates: u64,
}

impl MarkerTotals {
    /// Notes the marker of a game, and whether it is a mate that the result contradicts.
    pub fn note(&mut self, marker: Option<MarkerKind>, is_mate: bool) {
        self.games += 1;
        self.mates += u64::from(is_mate);
        self.kinds |= match marker {
            None => 1 << 5,
            Some(MarkerKind::Penalty) => 1 << 6,
            Some(MarkerKind::DoubleForfeit) => 1 << 4,
            Some(MarkerKind::Standard(outcome) | MarkerKind::Misspelled(outcome)) => match outcome {
                Outcome::Known(KnownOutcome::Decisive { winner: Color::White }) => 1,
                Outcome::Known(KnownOutcome::Decisive { winner: Color::Black }) => 1 << 1,
                Outcome::Known(KnownOutcome::Draw) => 1 << 2,
                Outcome::Unknown => 1 << 3,
            },
        };
    }

    /// Notes a marker of the standard, whose last byte this is.
    #[inline]
    pub const fn note_standard(&mut self, last: u8) {
        self.games += 1;
        self.kinds |= match last {
            b'0' => 1,
            b'1' => 1 << 1,
            b'2' => 1 << 2,
            _ => 1 << 3,
        };
    }

    /// Adds the totals of another part of the input.
    pub const fn add(&mut self, other: MarkerTotals) {
        self.games += other.games;
        self.kinds |= other.kinds;
        self.mates += other.mates;
    }

    /// Whether the markers are placeholders: many games share one, and it is indecisive or
    /// contradicted by several mates.
    pub fn are_placeholders(self) -> bool {
        let is_shared = self.games >= MIN_GROUPED && self.kinds.is_power_of_two();
        let is_win = self.kinds < INDECISIVE[0];
        is_shared && (INDECISIVE.contains(&self.kinds) || (is_win && self.mates >= MIN_MATES))
    }
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
        finding.only_if(Condition::MarkersReal);
        let info = findings.add(rule, copy.place);
        *info = copy;
        info.only_if(Condition::MarkersPlaceholder).severity(Severity::Info).once_per_input();
        info.message.push_str("; all games of this input have this marker, so it says nothing about one of them");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::marker_of_token;

    fn totals(marker: &str, games: u64, mates: u64) -> MarkerTotals {
        let mut totals = MarkerTotals::default();
        let kind = if marker == "0-0" { Some(MarkerKind::DoubleForfeit) } else { marker_of_token(marker.as_bytes()) };
        (0..games).for_each(|game| totals.note(kind, game < mates));
        totals
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
            assert_eq!(totals(marker, games, mates).are_placeholders(), expected, "{marker} {games} {mates}");
        }
        let mut mixed = totals("1-0", 30, 3);
        mixed.add(totals("0-1", 1, 0));
        assert!(!mixed.are_placeholders());
        let mut accepted = totals("1/2", 1, 1);
        (0..20).for_each(|_| accepted.note_standard(b'2'));
        assert!(accepted.are_placeholders());
        accepted.note_standard(b'*');
        assert!(!accepted.are_placeholders());
    }
}
