//! Evidence: what records show about their whole input. Evidence of chunks can be added up.

use crate::{
    epd::FormCounts,
    rules::{
        Condition, Conditions, CounterTotals, EnPassantCounts, EnPassantUse, Finding, FormTotals, Origin,
        enc::line_format::LineEnds, eps::ep_convention_mixed, facts::PositionFacts,
    },
};

/// What a position shows about the whole input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PositionEvidence {
    /// The position is declared to be Chess960, or castling rights fit a starting position of
    /// Chess960 or double Chess960 but not the standard one.
    pub chess960: bool,
    /// Castling rights are claimed that fit the standard starting position.
    pub standard: bool,
    /// Halfmove clock and fullmove number, as fields or operations, if both can be read.
    pub counters: Option<(u64, u64)>,
    /// Whether the castling rights of both colours fit one starting position, in a game declared to
    /// be Chess960.
    pub shared_start: Option<bool>,
    /// The convention that the en passant field follows.
    pub en_passant: Option<EnPassantUse>,
    /// What the operations show.
    pub operations: OperationEvidence,
}

/// What the operations of a line show about the whole input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OperationEvidence {
    /// They follow bare counters.
    pub after_counters: bool,
    /// They follow four fields.
    pub after_four_fields: bool,
    /// How moves are spelled.
    pub forms: FormCounts,
}

impl PositionEvidence {
    /// What a position shows.
    pub fn of(facts: &PositionFacts<'_>) -> PositionEvidence {
        PositionEvidence {
            chess960: facts.only_chess960 || facts.is_other_start || facts.declared.chess960,
            standard: facts.shows_standard_start(),
            counters: facts.halfmove_clock.zip(facts.fullmove_number),
            shared_start: (facts.origin == Origin::FenTag && facts.declared.chess960).then(|| facts.shared_start()).flatten(),
            en_passant: facts.en_passant_use(),
            operations: OperationEvidence::default(),
        }
    }
}

/// What is known of an input only after it was read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Evidence {
    chess960: bool,
    standard: bool,
    counters: CounterTotals,
    after_counters: bool,
    after_four_fields: bool,
    forms: FormTotals,
    /// Games declared to be Chess960 in which both colours have castling rights that fit one
    /// starting position, and games in which they do not.
    shared_start: u64,
    different_starts: u64,
    en_passant: EnPassantCounts,
    /// Records without a termination marker.
    pub markers_missing: u64,
    /// Whether there is UTF-8 beyond ASCII.
    pub multibyte: bool,
    /// Whether there are bytes that are not UTF-8.
    pub not_utf8: bool,
    /// How the lines of games end, if that is checked.
    pub line_ends: LineEnds,
}

impl Evidence {
    /// Evidence of an input of which nothing was read. `chess960` says that the user declared it to
    /// be Chess960.
    pub fn of_input(chess960: bool) -> Evidence {
        Evidence { chess960, ..Evidence::default() }
    }

    /// Notes what a position shows.
    pub fn note(&mut self, evidence: PositionEvidence) {
        self.chess960 |= evidence.chess960;
        self.standard |= evidence.standard;
        if let Some(counters) = evidence.counters {
            self.counters.note(counters);
        }
        self.shared_start += u64::from(evidence.shared_start == Some(true));
        self.different_starts += u64::from(evidence.shared_start == Some(false));
        if let Some(seen) = evidence.en_passant {
            self.en_passant.note(seen);
        }
        let operations = evidence.operations;
        if operations != OperationEvidence::default() {
            self.after_counters |= operations.after_counters;
            self.after_four_fields |= operations.after_four_fields;
            self.forms.note(&operations.forms);
        }
    }

    /// Notes what a position shows: whether its castling rights fit only Chess960, or the standard
    /// starting position, and its halfmove clock and fullmove number.
    #[inline]
    pub fn note_position(&mut self, chess960: bool, standard: bool, counters: Option<(u32, u32)>) {
        self.chess960 |= chess960;
        self.standard |= standard;
        if let Some((clock, number)) = counters {
            self.counters.note((u64::from(clock), u64::from(number)));
        }
    }

    /// Adds the evidence of another part of the input.
    pub fn add(&mut self, other: Evidence) {
        self.chess960 |= other.chess960;
        self.standard |= other.standard;
        self.counters.add(other.counters);
        self.after_counters |= other.after_counters;
        self.after_four_fields |= other.after_four_fields;
        self.forms.add(other.forms);
        self.shared_start += other.shared_start;
        self.different_starts += other.different_starts;
        self.en_passant.add(other.en_passant);
        self.markers_missing += other.markers_missing;
        self.multibyte |= other.multibyte;
        self.not_utf8 |= other.not_utf8;
        self.line_ends.add(other.line_ends);
    }

    /// Completes the message of a finding that is reported once per input and describes the whole
    /// input.
    pub fn complete(&self, finding: &mut Finding) {
        if finding.rule.code == ep_convention_mixed::RULE.code {
            finding.message = self.en_passant.to_string();
        }
    }

    /// Whether all of `conditions` hold, if this is the evidence of the whole input.
    pub fn holds_all(&self, conditions: Conditions) -> bool {
        conditions.iter().all(|condition| self.holds(condition))
    }

    /// Whether `condition` holds, if this is the evidence of the whole input.
    pub fn holds(&self, condition: Condition) -> bool {
        match condition {
            Condition::None => true,
            Condition::StandardChess => !self.chess960,
            Condition::StandardShown => !self.chess960 && self.standard,
            Condition::StandardNotShown => !self.chess960 && !self.standard,
            Condition::CountersReal => !self.counters.clock_is_placeholder() && !self.counters.number_is_placeholder(),
            Condition::HalfmoveClockReal => !self.counters.clock_is_placeholder(),
            Condition::FullmoveNumberReal => !self.counters.number_is_placeholder(),
            Condition::FullmovePlaceholder => self.counters.number_is_placeholder(),
            Condition::SharedStartUsual => self.shared_start >= self.different_starts,
            Condition::EnPassantMixed => self.en_passant.is_mixed(),
            Condition::EnPassantConsistent => !self.en_passant.is_mixed(),
            Condition::OtherMarkersPresent => self.markers_missing <= 1,
            Condition::OtherMarkersMissing => self.markers_missing > 1,
            Condition::EncodingMixed => self.multibyte && self.not_utf8,
            Condition::EncodingLatin => !self.multibyte && self.not_utf8,
            Condition::FewLf => self.line_ends.lf < self.line_ends.cr_lf,
            Condition::FewCrLf => self.line_ends.lf >= self.line_ends.cr_lf,
            Condition::CountersAlwaysBare => !self.after_four_fields,
            Condition::CountersSometimesBare => self.after_four_fields,
            Condition::Slip(form) => !self.forms.is_habit(form),
            Condition::Habit(form) => self.forms.is_habit(form),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::EnPassantUse;

    fn totals(counters: &[(u64, u64)]) -> Evidence {
        let mut totals = Evidence::default();
        for &counters in counters {
            totals.note(PositionEvidence { counters: Some(counters), ..PositionEvidence::default() });
        }
        totals
    }

    /// Whether halfmove clock and fullmove number are placeholders.
    fn placeholders(counters: &[(u64, u64)]) -> (bool, bool) {
        let totals = totals(counters);
        let (clock, number) = (!totals.holds(Condition::HalfmoveClockReal), totals.holds(Condition::FullmovePlaceholder));
        assert_eq!(totals.holds(Condition::FullmoveNumberReal), !number);
        assert_eq!(totals.holds(Condition::CountersReal), !clock && !number);
        (clock, number)
    }

    #[test]
    fn placeholders_are_found_column_by_column() {
        assert_eq!(placeholders(&[]), (false, false));
        for default in [(0, 1), (1, 0), (0, 0), (1, 1)] {
            assert_eq!(placeholders(&[default]), (true, true), "{default:?}");
            assert_eq!(placeholders(&[default, (0, 1)]), (true, true), "{default:?}");
            assert_eq!(placeholders(&[default, (3, 9)]), (false, false), "{default:?}");
        }
        // Two defaults, however often, show no more than one.
        assert_eq!(placeholders(&(0..50).map(|n| (n % 2, 1 - n % 2)).collect::<Vec<_>>()), (true, true));
        assert_eq!(placeholders(&[(3, 9)]), (false, false));
        assert_eq!(placeholders(&[(0, 9); 19]), (false, false));
        assert_eq!(placeholders(&[(0, 9); 20]), (true, true));
        let varying = |clock: fn(u64) -> u64, number: fn(u64) -> u64| {
            placeholders(&(0..20).map(|n| (clock(n), number(n))).collect::<Vec<_>>())
        };
        assert_eq!(varying(|n| n % 2, |n| n), (false, false));
        assert_eq!(varying(|_| 0, |n| n), (true, false));
        assert_eq!(varying(|n| n, |_| 1), (false, true));
    }

    #[test]
    fn adding_parts_equals_reading_the_whole() {
        let mut all: Vec<PositionEvidence> = [(0, 1), (0, 1), (0, 2)]
            .map(|counters| PositionEvidence { counters: Some(counters), ..PositionEvidence::default() })
            .to_vec();
        all[0].en_passant = Some(EnPassantUse::Unattacked);
        all[2].en_passant = Some(EnPassantUse::LeftOut);
        all[0].shared_start = Some(false);
        all[1].shared_start = Some(true);
        all[2].shared_start = Some(false);
        let sum = |records: &[PositionEvidence]| {
            let mut totals = Evidence::default();
            records.iter().for_each(|evidence| totals.note(*evidence));
            totals
        };
        for cut in 0..=all.len() {
            let mut total = sum(&all[..cut]);
            total.add(sum(&all[cut..]));
            assert!(total.holds(Condition::CountersReal), "cut at {cut}");
            assert!(total.holds(Condition::EnPassantMixed), "cut at {cut}");
            assert!(!total.holds(Condition::SharedStartUsual), "cut at {cut}");
        }
    }

    #[test]
    fn conditions_follow_from_the_records() {
        let is_consistent = |en_passant| {
            let mut totals = Evidence::default();
            totals.note(PositionEvidence { en_passant: Some(en_passant), ..PositionEvidence::default() });
            totals.holds(Condition::EnPassantConsistent) && !totals.holds(Condition::EnPassantMixed)
        };
        assert!([EnPassantUse::Unattacked, EnPassantUse::LeftOut, EnPassantUse::Illegal].into_iter().all(is_consistent));
        assert!(Evidence::default().holds(Condition::StandardChess));
        assert!(!Evidence::of_input(true).holds(Condition::StandardChess));
        assert!(Evidence::default().holds(Condition::SharedStartUsual));
    }
}
