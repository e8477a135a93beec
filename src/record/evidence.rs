//! Evidence: what records show about their whole input. Evidence of chunks can be added up.

use serde::{Deserialize, Serialize};

use crate::{
    epd::CanonicalMoves,
    rules::{
        Noted, Notes, StartCounts, StartShown,
        enc::line_format::LineEnds,
        epd::{fen_as_epd::note_after_four_fields, non_san_move::note_canonical},
        facts::PositionFacts,
        placeholders::note_counters,
        res::placeholder_marker::note_standard_marker,
        tag::{Age, date_implausible::note_age},
        variant_shown::note_start,
    },
};

/// What a position shows about the whole input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionEvidence {
    /// What it shows about the starting position of its game.
    pub start: StartShown,
    /// What else it adds to the notes of rules.
    pub noted: Noted,
}

impl PositionEvidence {
    /// What a position shows.
    pub fn of(facts: &PositionFacts<'_>) -> PositionEvidence {
        PositionEvidence { start: facts.start_shown(), noted: Noted::of_position(facts) }
    }
}

/// What a record shows about its input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordEvidence {
    /// What its position or its tags show, if it has any.
    pub position: Option<PositionEvidence>,
    /// What the rest adds to the notes of rules.
    pub noted: Noted,
    /// Whether it contains a tag pair, a playable move or a piece placement.
    pub is_chess: bool,
    /// Whether it contains a tag pair or a piece placement, or at least as many moves as other
    /// words.
    pub is_mostly_chess: bool,
    /// Whether it is not mostly chess, and contains more than blank lines and comment lines.
    pub is_foreign: bool,
}

/// What is known of an input only after it was read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// What rules have noted.
    pub notes: Notes,
    is_chess: bool,
    is_mostly_chess: bool,
    is_foreign: bool,
}

impl Evidence {
    /// Notes what a record shows, and its text.
    pub fn note(&mut self, record: &RecordEvidence, text: &[u8]) {
        self.notes.words.note(text);
        if let Some(position) = &record.position {
            note_start(&mut self.notes, position.start);
            self.notes.note(&position.noted);
        }
        self.notes.note(&record.noted);
        self.is_chess |= record.is_chess;
        self.is_mostly_chess |= record.is_mostly_chess;
        self.is_foreign |= record.is_foreign;
    }

    /// Notes the moves in the operations of a line that the fast path has accepted.
    #[inline]
    pub fn note_accepted_operations(&mut self, moves: CanonicalMoves) {
        note_after_four_fields(&mut self.notes);
        note_canonical(&mut self.notes, moves);
    }

    /// Notes the text of an accepted record that is not all ASCII.
    #[cold]
    pub fn note_accepted_text(&mut self, text: &[u8]) {
        self.notes.words.note(text);
    }

    /// Notes a position that the fast path has accepted: what it shows about the starting position
    /// of its game, and its halfmove clock and fullmove number.
    #[inline]
    pub fn note_accepted_position(&mut self, start: StartShown, counters: Option<(u32, u32)>) {
        (self.is_chess, self.is_mostly_chess) = (true, true);
        note_start(&mut self.notes, start);
        if let Some((clock, number)) = counters {
            note_counters(&mut self.notes, u64::from(clock), u64::from(number));
        }
    }

    /// Notes a game that the fast path has accepted. `first` is what its FEN tag shows. Without
    /// one, it begins in the standard starting position. `age` is what its Date tag shows, and
    /// `marker` the last byte of its termination marker.
    #[inline]
    pub fn note_accepted_game(&mut self, first: Option<(StartShown, (u32, u32))>, age: Age, marker: u8) {
        note_age(&mut self.notes, age);
        note_standard_marker(&mut self.notes, marker);
        match first {
            None => note_start(&mut self.notes, StartShown::Standard),
            Some((shown, counters)) => self.note_accepted_position(shown, Some(counters)),
        }
        (self.is_chess, self.is_mostly_chess) = (true, true);
    }

    /// Notes the line endings of an accepted game.
    pub fn note_line_ends(&mut self, ends: LineEnds) {
        ends.note(&mut self.notes);
    }

    /// Adds the evidence of the next part of the input.
    pub fn add(&mut self, next: &Evidence) {
        self.notes.add(&next.notes);
        self.is_chess |= next.is_chess;
        self.is_mostly_chess |= next.is_mostly_chess;
        self.is_foreign |= next.is_foreign;
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

    /// Whether most of the records that show something are Chess960.
    pub fn is_chess960(&self) -> bool {
        StartCounts::of(&self.notes).is_chess960()
    }

    /// Whether there are so many positions that fit only Chess960 that only the first is reported.
    pub fn has_many_exceptions(&self) -> bool {
        StartCounts::of(&self.notes).has_many_exceptions()
    }
}
