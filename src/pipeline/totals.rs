//! What is known of an input only when it has been read: counts that can be added up over chunks.

use crate::{
    epd::{Form, FormCounts},
    rules::{Condition, Conditions, OperationEvidence, PositionEvidence},
};

/// A column constant over this many records is a filler, whatever it holds.
const CONSTANT_IS_FILLER: u64 = 20;

/// The counters of an input's positions.
#[derive(Clone, Copy, Debug, Default)]
struct Counters {
    records: u64,
    first: Option<(u64, u64)>,
    halfmoves_vary: bool,
    fullmoves_vary: bool,
}

impl Counters {
    fn note(&mut self, counters: (u64, u64)) {
        self.add(Counters { records: 1, first: Some(counters), ..Counters::default() });
    }

    fn add(&mut self, other: Counters) {
        self.records += other.records;
        self.halfmoves_vary |= other.halfmoves_vary;
        self.fullmoves_vary |= other.fullmoves_vary;
        match (self.first, other.first) {
            (Some(own), Some(others)) => {
                self.halfmoves_vary |= own.0 != others.0;
                self.fullmoves_vary |= own.1 != others.1;
            }
            (None, others) => self.first = others,
            (Some(_), None) => {}
        }
    }

    /// A column is filler when it is constant over 20 records, or, in fewer, when it holds what writers put there who know
    /// nothing of counters.
    fn are_filler(self) -> bool {
        if self.records >= CONSTANT_IS_FILLER {
            return !self.halfmoves_vary || !self.fullmoves_vary;
        }
        !self.halfmoves_vary && !self.fullmoves_vary && matches!(self.first, Some((0, 1) | (1, 0) | (0, 0)))
    }
}

/// The spelling of an input's moves: for each form, how often it could have been chosen, and how often it was.
#[derive(Clone, Copy, Debug, Default)]
struct Forms([(u64, u64); Form::ALL.len()]);

impl Forms {
    fn note(&mut self, counts: &FormCounts) {
        for form in Form::ALL {
            let (could, was) = counts.of(form);
            let own = &mut self.0[form as usize];
            *own = (own.0 + u64::from(could), own.1 + u64::from(was));
        }
    }

    fn add(&mut self, other: Forms) {
        for (own, others) in self.0.iter_mut().zip(other.0) {
            *own = (own.0 + others.0, own.1 + others.1);
        }
    }

    /// Whether the form is chosen more often than not.
    const fn is_habit(&self, form: Form) -> bool {
        let (could, was) = self.0[form as usize];
        was * 2 > could
    }
}

/// What is known of an input only when it has been read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    chess960: bool,
    standard: bool,
    counters: Counters,
    behind_counters: bool,
    behind_four_fields: bool,
    forms: Forms,
    /// Records without a termination marker.
    pub markers_missing: u64,
    /// Whether there is UTF-8 beyond ASCII.
    pub multibyte: bool,
    /// Whether there are bytes that are not UTF-8.
    pub not_utf8: bool,
}

impl Totals {
    /// Notes what a position tells.
    pub fn note(&mut self, evidence: PositionEvidence) {
        self.chess960 |= evidence.chess960;
        self.standard |= evidence.standard;
        if let Some(counters) = evidence.counters {
            self.counters.note(counters);
        }
        let operations = evidence.operations;
        if operations != OperationEvidence::default() {
            self.behind_counters |= operations.behind_counters;
            self.behind_four_fields |= operations.behind_four_fields;
            self.forms.note(&operations.forms);
        }
    }

    /// Adds what another part of the input tells.
    pub fn add(&mut self, other: Totals) {
        self.chess960 |= other.chess960;
        self.standard |= other.standard;
        self.counters.add(other.counters);
        self.behind_counters |= other.behind_counters;
        self.behind_four_fields |= other.behind_four_fields;
        self.forms.add(other.forms);
        self.markers_missing += other.markers_missing;
        self.multibyte |= other.multibyte;
        self.not_utf8 |= other.not_utf8;
    }

    /// Whether all of `conditions` hold for an input of which this is all there is to know.
    pub fn hold_all(&self, conditions: Conditions) -> bool {
        conditions.iter().all(|condition| self.hold(condition))
    }

    /// Whether `condition` holds for an input of which this is all there is to know.
    pub fn hold(&self, condition: Condition) -> bool {
        match condition {
            Condition::None => true,
            Condition::StandardChess => !self.chess960,
            Condition::StandardShown => !self.chess960 && self.standard,
            Condition::StandardNotShown => !self.chess960 && !self.standard,
            Condition::CountersTrusted => !self.counters.are_filler(),
            Condition::CountersFiller => self.counters.are_filler(),
            Condition::MarkersKept => self.markers_missing <= 1,
            Condition::MarkersDropped => self.markers_missing > 1,
            Condition::EncodingMixed => self.multibyte && self.not_utf8,
            Condition::EncodingLatin => !self.multibyte && self.not_utf8,
            Condition::CountersAlwaysBare => !self.behind_four_fields,
            Condition::CountersSometimesBare => self.behind_four_fields,
            Condition::Slip(form) => !self.forms.is_habit(form),
            Condition::Habit(form) => self.forms.is_habit(form),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(counters: &[(u64, u64)]) -> Totals {
        let mut totals = Totals::default();
        for &counters in counters {
            totals.note(PositionEvidence { counters: Some(counters), ..PositionEvidence::default() });
        }
        totals
    }

    #[test]
    fn fillers() {
        assert!(totals(&[(0, 1)]).hold(Condition::CountersFiller));
        assert!(totals(&[(0, 1), (0, 1)]).hold(Condition::CountersFiller));
        assert!(totals(&[(3, 9)]).hold(Condition::CountersTrusted));
        assert!(totals(&[(0, 1), (3, 9)]).hold(Condition::CountersTrusted));
        assert!(totals(&[(0, 9); 20]).hold(Condition::CountersFiller));
        assert!(totals(&(0..20).map(|n| (n % 2, n)).collect::<Vec<_>>()).hold(Condition::CountersTrusted));
    }

    #[test]
    fn adding_up_parts_is_the_same_as_reading_on() {
        let all = [(0, 1), (0, 1), (0, 2)];
        for cut in 0..=all.len() {
            let mut sum = totals(&all[..cut]);
            sum.add(totals(&all[cut..]));
            assert!(sum.hold(Condition::CountersTrusted), "cut at {cut}");
        }
    }
}
