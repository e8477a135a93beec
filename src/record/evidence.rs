//! Evidence: what records show about their whole input. Evidence of chunks can be added up.

use serde::{Deserialize, Serialize};

use crate::{
    chess::Variant,
    epd::{CanonicalMoves, FormCounts},
    rules::{
        Condition, Conditions, CounterTotals, EnPassantCounts, EnPassantUse, Finding, FormTotals, MANY_EXCEPTIONS, MIN_GROUPED,
        Origin, StartCounts, StartShown,
        enc::{invalid_utf8, line_format::LineEnds, mixed_encoding},
        eps::ep_convention_mixed,
        facts::{LoneCounter, MarkerKind, PositionFacts},
        res::placeholder_marker::MarkerTotals,
        tag::Age,
    },
    text::{ForeignWords, wording::thousands},
};

/// What a position shows about the whole input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PositionEvidence {
    /// What it shows about the starting position of its game.
    pub start: StartShown,
    /// Whether a side has no king.
    pub lacks_king: bool,
    /// Halfmove clock and fullmove number, as fields or operations, if both can be read.
    pub counters: Option<(u64, u64)>,
    /// Whether it is a line without a position.
    pub is_other_line: bool,
    /// What its counters show about an empty halfmove clock.
    pub lone_counter: Option<LoneCounter>,
    /// Whether the castling rights of both colours fit one starting position, in a game declared to
    /// be Chess960.
    pub shared_start: Option<bool>,
    /// The convention that the en passant field follows.
    pub en_passant: Option<EnPassantUse>,
    /// When its game was played.
    pub age: Age,
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
            start: facts.start_shown(),
            lacks_king: facts.lacks_king(),
            counters: facts.halfmove_clock.zip(facts.fullmove_number),
            is_other_line: facts.origin == Origin::Line && !facts.has_placement(),
            lone_counter: facts.lone_counter(),
            shared_start: (facts.origin == Origin::FenTag && facts.declared.chess960).then(|| facts.shared_start()).flatten(),
            en_passant: facts.en_passant_use(),
            age: Age::Unknown,
            operations: OperationEvidence::default(),
        }
    }
}

/// What a record shows about its input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RecordEvidence {
    /// What its position or its tags show, if it has any.
    pub position: Option<PositionEvidence>,
    /// Whether it contains a tag pair, a playable move or a piece placement.
    pub is_chess: bool,
    /// Whether it contains a tag pair or a piece placement, or at least as many moves as other
    /// words.
    pub is_mostly_chess: bool,
    /// Whether it is not mostly chess, and contains more than blank lines and comment lines.
    pub is_foreign: bool,
    /// How its lines end, if that is checked.
    pub line_ends: LineEnds,
    /// The termination marker of a game, and whether it is a mate that the result contradicts.
    pub marker: Option<(Option<MarkerKind>, bool)>,
}

/// Minimum number of positions without a king that show another variant of chess.
const MIN_WITHOUT_KING: u64 = 5;

/// What is known of an input only after it was read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Evidence {
    /// The variant that the user declared. The evidence of a part does not have it.
    #[serde(skip)]
    declared: Option<Variant>,
    starts: StartCounts,
    /// Positions that lack a king.
    without_king: u64,
    counters: CounterTotals,
    /// Lines without a position.
    other_lines: u64,
    /// Positions whose halfmove clock may be empty, and those that show the contrary.
    empty_clocks: u64,
    given_clocks: u64,
    after_counters: bool,
    after_four_fields: bool,
    forms: FormTotals,
    /// Games declared to be Chess960 in which both colours have castling rights that fit one
    /// starting position, and games in which they do not.
    shared_start: u64,
    different_starts: u64,
    en_passant: EnPassantCounts,
    /// Games with a date after 1950, and games with an earlier one.
    recent_dates: u64,
    old_dates: u64,
    is_chess: bool,
    is_mostly_chess: bool,
    is_foreign: bool,
    #[serde(default, skip_serializing_if = "ForeignWords::is_empty")]
    foreign_words: ForeignWords,
    line_ends: LineEnds,
    markers: MarkerTotals,
}

impl Evidence {
    /// Evidence of an input of which nothing was read. The user declared it to be of the variant
    /// `declared`.
    pub fn of_input(declared: Option<Variant>) -> Evidence {
        Evidence { declared, ..Evidence::default() }
    }

    /// Notes what a record shows, and its text.
    pub fn note(&mut self, record: &RecordEvidence, text: &[u8]) {
        self.foreign_words.note(text);
        if let Some(position) = &record.position {
            self.note_position(position);
        }
        self.is_chess |= record.is_chess;
        self.is_mostly_chess |= record.is_mostly_chess;
        self.is_foreign |= record.is_foreign;
        self.line_ends.add(record.line_ends);
        if let Some((marker, is_mate)) = record.marker {
            self.markers.note(marker, is_mate);
        }
    }

    fn note_position(&mut self, evidence: &PositionEvidence) {
        self.starts.note(evidence.start);
        self.without_king += u64::from(evidence.lacks_king);
        if let Some((clock, number)) = evidence.counters {
            self.counters.note(clock, number);
        }
        self.other_lines += u64::from(evidence.is_other_line);
        self.empty_clocks += u64::from(evidence.lone_counter == Some(LoneCounter::AfterGap));
        self.given_clocks += u64::from(evidence.lone_counter == Some(LoneCounter::Clock));
        self.shared_start += u64::from(evidence.shared_start == Some(true));
        self.different_starts += u64::from(evidence.shared_start == Some(false));
        if let Some(seen) = evidence.en_passant {
            self.en_passant.note(seen);
        }
        self.note_age(evidence.age);
        if evidence.operations != OperationEvidence::default() {
            self.note_operations(&evidence.operations);
        }
    }

    #[inline]
    fn note_age(&mut self, age: Age) {
        self.recent_dates += u64::from(age == Age::Recent);
        self.old_dates += u64::from(age == Age::Old);
    }

    /// Notes what the operations of a line show.
    pub fn note_operations(&mut self, operations: &OperationEvidence) {
        self.after_counters |= operations.after_counters;
        self.after_four_fields |= operations.after_four_fields;
        self.forms.note(&operations.forms);
    }

    /// Notes the moves in the operations of a line that the fast path has accepted.
    #[inline]
    pub fn note_accepted_operations(&mut self, moves: CanonicalMoves) {
        self.after_four_fields = true;
        self.forms.note_canonical(moves);
    }

    /// Notes the text of an accepted record that is not all ASCII.
    #[cold]
    pub fn note_accepted_text(&mut self, text: &[u8]) {
        self.foreign_words.note(text);
    }

    /// Notes a position that the fast path has accepted: what it shows about the starting position
    /// of its game, and its halfmove clock and fullmove number.
    #[inline]
    pub fn note_accepted_position(&mut self, start: StartShown, counters: Option<(u32, u32)>) {
        (self.is_chess, self.is_mostly_chess) = (true, true);
        self.starts.note(start);
        if let Some((clock, number)) = counters {
            self.counters.note(u64::from(clock), u64::from(number));
        }
    }

    /// Notes a game that the fast path has accepted. `first` is what its FEN tag shows. Without
    /// one, it begins in the standard starting position. `age` is what its Date tag shows, and
    /// `marker` the last byte of its termination marker.
    #[inline]
    pub fn note_accepted_game(&mut self, first: Option<(StartShown, (u32, u32))>, age: Age, marker: u8) {
        self.note_age(age);
        self.markers.note_standard(marker);
        match first {
            None => self.starts.note(StartShown::Standard),
            Some((shown, counters)) => self.note_accepted_position(shown, Some(counters)),
        }
        (self.is_chess, self.is_mostly_chess) = (true, true);
    }

    /// Notes the line endings of an accepted game.
    pub fn note_line_ends(&mut self, ends: LineEnds) {
        self.line_ends.add(ends);
    }

    /// Adds the evidence of another part of the input.
    pub fn add(&mut self, other: &Evidence) {
        self.declared = self.declared.or(other.declared);
        self.starts.add(other.starts);
        self.without_king += other.without_king;
        self.counters.add(&other.counters);
        self.other_lines += other.other_lines;
        self.empty_clocks += other.empty_clocks;
        self.given_clocks += other.given_clocks;
        self.after_counters |= other.after_counters;
        self.after_four_fields |= other.after_four_fields;
        self.forms.add(other.forms);
        self.shared_start += other.shared_start;
        self.different_starts += other.different_starts;
        self.en_passant.add(other.en_passant);
        self.recent_dates += other.recent_dates;
        self.old_dates += other.old_dates;
        self.is_chess |= other.is_chess;
        self.is_mostly_chess |= other.is_mostly_chess;
        self.is_foreign |= other.is_foreign;
        self.foreign_words.add(&other.foreign_words);
        self.line_ends.add(other.line_ends);
        self.markers.add(other.markers);
    }

    /// Completes the message of a finding that is reported once per input and was found `times`
    /// times. Not all exceptions are found, but all are counted.
    pub fn complete(&self, finding: &mut Finding, times: u64) {
        if finding.rule.code == ep_convention_mixed::RULE.code {
            finding.message = self.en_passant.to_string();
        }
        let is_about_encoding = [invalid_utf8::RULE.code, mixed_encoding::RULE.code].contains(&finding.rule.code);
        if let Some(encoding) = is_about_encoding.then(|| self.foreign_words.probable_encoding()).flatten() {
            let is_mixed = finding.rule.code == mixed_encoding::RULE.code;
            let and_utf8 = if is_mixed { "UTF-8 and " } else { "" };
            finding.message.push_str(&format!(", probably {and_utf8}{encoding}"));
        }
        if finding.conditions.iter().any(|condition| condition == Condition::ManyExceptions) {
            let count = thousands(self.only_chess960());
            finding.message.push_str(&format!("; {count} positions of this input fit only Chess960"));
        } else if times > 1 {
            finding.message.push_str(&format!("; {} times in this input, first here", thousands(times)));
        }
    }

    /// Whether the input is chess. In a text of any name that was found by a search, a record has
    /// to be mostly chess, because texts next to games mention moves. In others, any sign of chess
    /// is enough.
    pub const fn is_chess(&self, has_any_name: bool) -> bool {
        if has_any_name { self.is_mostly_chess } else { self.is_chess }
    }

    /// Whether the input contains text, but no chess.
    pub const fn is_foreign(&self, has_any_name: bool) -> bool {
        self.is_foreign && !self.is_chess(has_any_name)
    }

    /// Number of positions without tags that fit only Chess960.
    pub const fn only_chess960(&self) -> u64 {
        self.starts.only_chess960()
    }

    fn is_chess960(&self) -> bool {
        self.declared.map_or_else(|| self.starts.is_chess960(), |declared| declared == Variant::Chess960)
    }

    fn lacks_kings(&self) -> bool {
        self.without_king >= MIN_WITHOUT_KING && self.without_king * 2 > self.starts.records()
    }

    fn has_many_other_lines(&self) -> bool {
        self.other_lines >= MIN_GROUPED && self.other_lines * 5 >= self.starts.records()
    }

    fn shows_standard_start(&self) -> bool {
        !self.is_chess960() && (self.declared == Some(Variant::Standard) || self.starts.shows_standard())
    }

    /// Whether all of `conditions` hold, if this is the evidence of the whole input.
    pub fn holds_all(&self, conditions: Conditions) -> bool {
        conditions.iter().all(|condition| self.holds(condition))
    }

    /// Whether `condition` holds, if this is the evidence of the whole input.
    pub fn holds(&self, condition: Condition) -> bool {
        match condition {
            Condition::None => true,
            Condition::KingsUsual => !self.lacks_kings(),
            Condition::KingsMissing => self.lacks_kings(),
            Condition::StandardChess => !self.is_chess960(),
            Condition::Chess960 => self.is_chess960(),
            Condition::StandardShown => self.shows_standard_start(),
            Condition::StandardNotShown => !self.is_chess960() && !self.shows_standard_start(),
            Condition::FewExceptions => self.only_chess960() < MANY_EXCEPTIONS,
            Condition::ManyExceptions => self.only_chess960() >= MANY_EXCEPTIONS,
            Condition::CountersReal => !self.holds(Condition::CountersPlaceholder),
            Condition::CountersPlaceholder => self.counters.clock_is_placeholder() || self.counters.number_is_placeholder(),
            Condition::HalfmoveClockReal => !self.counters.clock_is_placeholder(),
            Condition::FullmoveNumberReal => !self.counters.number_is_placeholder(),
            Condition::FullmovePlaceholder => self.counters.number_is_placeholder(),
            Condition::ManyOtherLines => self.has_many_other_lines(),
            Condition::FewOtherLines => !self.has_many_other_lines(),
            Condition::ClocksEmpty => self.empty_clocks > self.given_clocks,
            Condition::ClocksGiven => self.empty_clocks <= self.given_clocks,
            Condition::SharedStartUsual => self.shared_start >= self.different_starts,
            Condition::DatesRecent => self.recent_dates > self.old_dates,
            Condition::DatesNotOld => self.recent_dates >= self.old_dates,
            Condition::EnPassantMixed => self.en_passant.is_mixed(),
            Condition::EnPassantConsistent => !self.en_passant.is_mixed(),
            Condition::EncodingMixed => self.foreign_words.are_mixed(),
            Condition::EncodingLatin => self.foreign_words.has_others() && !self.foreign_words.are_mixed(),
            Condition::DosLettersShown => self.foreign_words.show_dos(),
            Condition::DosLettersMissing => !self.foreign_words.show_dos(),
            Condition::FewLf => self.line_ends.lf < self.line_ends.cr_lf,
            Condition::FewCrLf => self.line_ends.lf >= self.line_ends.cr_lf,
            Condition::CountersAlwaysBare => !self.after_four_fields,
            Condition::CountersSometimesBare => self.after_four_fields,
            Condition::MarkersReal => !self.markers.are_placeholders(),
            Condition::MarkersPlaceholder => self.markers.are_placeholders(),
            Condition::Slip(form) => !self.forms.is_habit(form),
            Condition::Habit(form) => self.forms.is_habit(form),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::EnPassantUse;

    #[test]
    fn adding_parts_equals_reading_the_whole() {
        let mut all: Vec<PositionEvidence> = [(0, 1), (0, 1), (0, 2)]
            .map(|counters| PositionEvidence { counters: Some(counters), ..PositionEvidence::default() })
            .to_vec();
        all[0].lone_counter = Some(LoneCounter::AfterGap);
        all[1].lone_counter = Some(LoneCounter::Clock);
        all[2].lone_counter = Some(LoneCounter::AfterGap);
        all[0].en_passant = Some(EnPassantUse::Unattacked);
        all[2].en_passant = Some(EnPassantUse::LeftOut);
        all[0].age = Age::Old;
        (all[1].age, all[2].age) = (Age::Recent, Age::Recent);
        all[0].shared_start = Some(false);
        all[1].shared_start = Some(true);
        all[2].shared_start = Some(false);
        let sum = |records: &[PositionEvidence]| {
            let mut totals = Evidence::default();
            records.iter().for_each(|position| totals.note_position(position));
            totals
        };
        for cut in 0..=all.len() {
            let mut total = sum(&all[..cut]);
            total.add(&sum(&all[cut..]));
            assert!(total.holds(Condition::CountersReal), "cut at {cut}");
            assert!(total.holds(Condition::EnPassantMixed), "cut at {cut}");
            assert!(total.holds(Condition::DatesRecent), "cut at {cut}");
            assert!(!total.holds(Condition::SharedStartUsual), "cut at {cut}");
            assert!(total.holds(Condition::ClocksEmpty) && !total.holds(Condition::ClocksGiven), "cut at {cut}");
        }
    }

    #[test]
    fn conditions_follow_from_the_records() {
        let is_consistent = |en_passant| {
            let mut totals = Evidence::default();
            totals.note_position(&PositionEvidence { en_passant: Some(en_passant), ..PositionEvidence::default() });
            totals.holds(Condition::EnPassantConsistent) && !totals.holds(Condition::EnPassantMixed)
        };
        assert!([EnPassantUse::Unattacked, EnPassantUse::LeftOut, EnPassantUse::Illegal].into_iter().all(is_consistent));
        assert!(Evidence::default().holds(Condition::StandardChess));
        assert!(!Evidence::of_input(Some(Variant::Chess960)).holds(Condition::StandardChess));
        assert!(Evidence::of_input(Some(Variant::Standard)).holds(Condition::StandardShown));
        assert!(Evidence::default().holds(Condition::SharedStartUsual));
        assert!(Evidence::default().holds(Condition::DatesNotOld) && !Evidence::default().holds(Condition::DatesRecent));
    }
}
