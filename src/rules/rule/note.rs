//! Notes: what rules count over a whole input, and the conditions of findings that depend on it.
//!
//! A note is a row of sums, so notes of parts of an input can be added up.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::{Deserialize, Serialize};

use super::{Condition, Conditions, Finding};
use crate::{
    chess::Variant,
    rules::{Code, RULES, facts::PositionFacts, rule},
    text::{ForeignWords, wording::thousands},
};

/// Counts a position by calling a function with each sum that it adds to.
pub type OfPosition = fn(&PositionFacts<'_>, &mut dyn FnMut(usize));

/// What a rule counts over a whole input.
#[derive(Clone, Copy, Debug)]
pub struct Note {
    /// Number of its sums.
    pub sums: usize,
    /// Counts a position: of a line, a FEN tag or a cell. Each sum is one of this note, from 0.
    pub of_position: Option<OfPosition>,
    /// Whether a condition of the rule holds for the input.
    pub holds: fn(&Notes, Condition) -> bool,
    /// Completes the message of a finding that is reported once per input and has this condition.
    /// Returns whether the message says how often the fault was found.
    pub complete: fn(&Notes, Condition, &mut Finding) -> bool,
}

impl Note {
    /// A note that counts nothing: `..Note::DEFAULTS`.
    pub const DEFAULTS: Note = Note { sums: 0, of_position: None, holds: |_, _| true, complete: |_, _, _| false };
}

/// Where the sums of the rule `owner` begin among those of all rules.
pub const fn sums_of(owner: Code) -> usize {
    let (mut at, mut index) = (0, 0);
    while index < RULES.len() && RULES[index].code.index() != owner.index() {
        at += sums(index);
        index += 1;
    }
    at
}

/// Number of sums of a rule.
const fn sums(index: usize) -> usize {
    match RULES[index].note {
        Some(note) => note.sums,
        None => 0,
    }
}

/// Number of sums of all rules.
const SUMS: usize = {
    let (mut all, mut index) = (0, 0);
    while index < RULES.len() {
        all += sums(index);
        index += 1;
    }
    all
};

/// Takes what is counted.
pub trait Sums {
    /// Adds to a sum; `sum` is its place among those of all rules.
    fn count(&mut self, sum: usize, times: u64);
}

/// What one record adds to the sums.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Noted(Vec<(usize, u64)>);

impl Noted {
    /// What a position adds.
    pub fn of_position(facts: &PositionFacts<'_>) -> Noted {
        static OF_POSITIONS: LazyLock<Vec<(usize, OfPosition)>> =
            LazyLock::new(|| RULES.iter().filter_map(|rule| Some((sums_of(rule.code), rule.note?.of_position?))).collect());
        let mut noted = Noted::default();
        for (at, of_position) in &*OF_POSITIONS {
            of_position(facts, &mut |sum| noted.count(at + sum, 1));
        }
        noted
    }
}

impl Sums for Noted {
    fn count(&mut self, sum: usize, times: u64) {
        if times > 0 {
            self.0.push((sum, times));
        }
    }
}

/// What all rules have noted of an input, or of a part of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "SavedNotes", into = "SavedNotes")]
pub struct Notes {
    /// The variant that the user declared. The notes of a part do not have it.
    pub declared: Option<Variant>,
    /// The words beyond ASCII.
    pub words: ForeignWords,
    sums: Box<[u64; SUMS]>,
}

impl Default for Notes {
    fn default() -> Notes {
        Notes { declared: None, words: ForeignWords::default(), sums: Box::new([0; SUMS]) }
    }
}

impl Sums for Notes {
    #[inline(always)]
    fn count(&mut self, sum: usize, times: u64) {
        self.sums[sum] += times;
    }
}

impl Notes {
    /// Adds what a record has shown.
    pub fn note(&mut self, record: &Noted) {
        record.0.iter().for_each(|(sum, times)| self.count(*sum, *times));
    }

    /// Adds the notes of the next part of the input.
    pub fn add(&mut self, next: &Notes) {
        self.words.add(&next.words);
        self.sums.iter_mut().zip(&*next.sums).for_each(|(own, others)| *own += others);
    }

    /// `N` sums from the one at `at` on.
    pub(in crate::rules) fn sums<const N: usize>(&self, at: usize) -> &[u64; N] {
        self.sums[at..].first_chunk().unwrap_or(&[0; N])
    }

    /// Whether all of `conditions` hold for the input.
    pub fn hold_all(&self, conditions: Conditions) -> bool {
        conditions.iter().all(|condition| self.hold(condition))
    }

    /// Whether `condition` holds for the input.
    pub fn hold(&self, condition: Condition) -> bool {
        note_of(condition).is_none_or(|note| (note.holds)(self, condition))
    }

    /// Completes the message of a finding that is reported once per input and was found `times`
    /// times.
    pub fn complete(&self, finding: &mut Finding, times: u64) {
        let mut says_times = false;
        for condition in finding.conditions.iter() {
            says_times |= note_of(condition).is_some_and(|note| (note.complete)(self, condition, finding));
        }
        if times > 1 && !says_times {
            finding.message.push_str(&format!("; {} times in this input, first here", thousands(times)));
        }
    }
}

fn note_of(condition: Condition) -> Option<&'static Note> {
    rule(condition.rule())?.note
}

/// Notes as they are saved: the sums of each rule, without zeros at the end.
#[derive(Serialize, Deserialize)]
struct SavedNotes {
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    sums: BTreeMap<Code, Vec<u64>>,
    #[serde(default, skip_serializing_if = "ForeignWords::is_empty")]
    words: ForeignWords,
}

impl From<Notes> for SavedNotes {
    fn from(notes: Notes) -> SavedNotes {
        let of_rule = |code: Code, note: &Note| {
            let sums = &notes.sums[sums_of(code)..][..note.sums];
            let used = sums.iter().rposition(|sum| *sum > 0)? + 1;
            Some((code, sums[..used].to_vec()))
        };
        let sums = RULES.iter().filter_map(|rule| of_rule(rule.code, rule.note?)).collect();
        SavedNotes { sums, words: notes.words }
    }
}

impl From<SavedNotes> for Notes {
    fn from(saved: SavedNotes) -> Notes {
        let mut notes = Notes { words: saved.words, ..Notes::default() };
        for (code, sums) in saved.sums {
            let own = rule(code).and_then(|rule| rule.note).map_or(0, |note| note.sums);
            let at = sums_of(code);
            notes.sums[at..at + own].iter_mut().zip(sums).for_each(|(own, saved)| *own = saved);
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saved_notes_are_the_same_notes() -> serde_json::Result<()> {
        let mut notes = Notes::default();
        (0..SUMS).for_each(|sum| notes.count(sum, sum as u64 % 3));
        let saved = serde_json::to_string(&notes)?;
        let restored: Notes = serde_json::from_str(&saved)?;
        assert_eq!((restored.sums, restored.words), (notes.sums, notes.words));
        assert_eq!(serde_json::to_string(&Notes::default())?, "{}");
        Ok(())
    }

    #[test]
    fn adding_parts_equals_counting_the_whole() {
        let counted: Vec<usize> = (0..3 * SUMS).map(|number| number * 7 % SUMS).collect();
        let notes = |sums: &[usize]| {
            let mut notes = Notes::default();
            sums.iter().for_each(|sum| notes.count(*sum, 1));
            notes
        };
        for cut in [0, 1, SUMS, 2 * SUMS + 1, counted.len()] {
            let mut all = notes(&counted[..cut]);
            all.add(&notes(&counted[cut..]));
            assert_eq!(all.sums, notes(&counted).sums, "{cut}");
        }
    }
}
