//! Tries the likely repairs of a record: the record is read again with them. Those that would add
//! an error, or change how many records there are, are withdrawn.

use std::ops::{ControlFlow, Range};

use super::checks::InputChecks;
use crate::{
    record::{ReaderMemory, RecordOutcome, RecordReader, Tally, Window},
    rules::{Certainty, Family, Finding, Findings, Patch, Severity},
};

/// Numbers of bytes after a record that are read with it, one after the other, until it is certain
/// where it ends.
const CONTEXTS: [usize; 3] = [2 << 10, 32 << 10, 1 << 20];

/// Maximum length of a record that is read again. A longer one has no likely repairs.
const MAX_BYTES: usize = 1 << 20;

/// Maximum number of times that a record is read again. Repairs that were not tried by then are
/// withdrawn.
const MAX_TRIALS: usize = 32;

/// A record that was read on the thorough path.
pub(super) struct ReadRecord<'a> {
    /// The text that it is in.
    pub window: Window<'a>,
    /// Where it begins there.
    pub start: usize,
    /// The record with the whitespace after it.
    pub extent: Range<usize>,
    /// The result of reading it.
    pub outcome: &'a RecordOutcome,
}

/// What was read of a record, and of the lines that continue it.
struct Reading {
    records: u64,
    errors: usize,
    next: usize,
}

/// A record that is read again.
struct Trial<'a> {
    record: &'a ReadRecord<'a>,
    checks: &'a InputChecks,
    memory: &'a mut ReaderMemory,
    /// Start of the text that is read.
    from: usize,
    /// What the record contains as it is.
    before: Reading,
    /// Number of times that it is still read.
    left: usize,
}

/// Withdraws the likely repairs of the findings of a record that would do harm. Those that are
/// certain are made with them. Breaks if more text is needed to know.
pub(super) fn withdraw_harmful<T>(
    findings: &mut [(Finding, T)],
    record: &ReadRecord<'_>,
    checks: &InputChecks,
    memory: &mut ReaderMemory,
) -> ControlFlow<()> {
    let of = |wanted| {
        let repairs = findings.iter().enumerate().filter(move |(_, (finding, _))| finding.certainty() == Some(wanted));
        repairs.map(|(index, _)| index).collect::<Vec<_>>()
    };
    let (likely, mut kept) = (of(Certainty::Likely), of(Certainty::Certain));
    if likely.is_empty() {
        return ControlFlow::Continue(());
    }
    let places = findings.iter().flat_map(|(finding, _)| finding.patches()).map(|patch| patch.place.start);
    let begins = record.outcome.continues.map_or(record.start, |line| line.start);
    let from = places.fold(begins, usize::min);
    let before = Reading { records: 0, errors: 0, next: 0 };
    let mut trial = Trial { record, checks, memory, from, before, left: MAX_TRIALS };
    if record.outcome.next - from <= MAX_BYTES
        && let Some(before) = trial.before(findings)?
    {
        trial.before = before;
        trial.keep_harmless(findings, &likely, &mut kept)?;
    }
    for index in likely.into_iter().filter(|index| !kept.contains(index)) {
        let finding = &mut findings[index].0;
        (finding.repair, finding.repair_ply) = (None, None);
    }
    ControlFlow::Continue(())
}

impl Trial<'_> {
    /// What the record contains as it is. It has been read, but for lines that continue it. Oracles
    /// are not asked again.
    fn before<T>(&mut self, findings: &[(Finding, T)]) -> ControlFlow<(), Option<Reading>> {
        let outcome = self.record.outcome;
        if outcome.continues.is_some() || is_continued(self.record.window.text, outcome.next) {
            return self.reading(&[]);
        }
        let is_error = |finding: &Finding| finding.severity == Severity::Error && finding.rule.code.family() != Family::Tru;
        let errors = findings.iter().filter(|(finding, _)| is_error(finding)).count();
        ControlFlow::Continue(Some(Reading { records: outcome.counts.records(), errors, next: outcome.next - self.from }))
    }

    /// Adds to `kept` those of `candidates` that do no harm together with it: all of them, or those
    /// of each half.
    fn keep_harmless<T>(&mut self, findings: &[(Finding, T)], candidates: &[usize], kept: &mut Vec<usize>) -> ControlFlow<()> {
        if candidates.is_empty() || self.left == 0 {
            return ControlFlow::Continue(());
        }
        self.left -= 1;
        let together = kept.iter().chain(candidates);
        let mut patches: Vec<&Patch> = together.flat_map(|index| findings[*index].0.patches()).collect();
        patches.sort_by_key(|patch| patch.place);
        // Of alternatives, only one is made.
        patches.dedup_by(|next, last| next.place.start < last.place.end || next.place == last.place);
        let next = patches
            .iter()
            .filter(|patch| patch.place.start <= self.record.outcome.next)
            .fold(self.before.next, |next, patch| (next + patch.new.len()).saturating_sub(patch.old.len()));
        let after = self.reading(&patches)?;
        let is_harmless =
            |after: Reading| after.next == next && after.records == self.before.records && after.errors <= self.before.errors;
        if after.is_some_and(is_harmless) {
            kept.extend(candidates);
        } else if candidates.len() > 1 {
            let (one, other) = candidates.split_at(candidates.len() / 2);
            self.keep_harmless(findings, one, kept)?;
            self.keep_harmless(findings, other, kept)?;
        }
        ControlFlow::Continue(())
    }

    /// Reads the record with these replacements. `None` if it is not certain where it ends. Breaks
    /// if more text shows that.
    fn reading(&mut self, patches: &[&Patch]) -> ControlFlow<(), Option<Reading>> {
        let window = self.record.window;
        for context in CONTEXTS {
            let end = self.record.outcome.next.saturating_add(context).min(window.text.len());
            let is_whole = end == window.text.len();
            let text = patched(&window.text[self.from..end], self.from, patches);
            let base = window.base + self.from as u64;
            let (complete, is_cut) = (window.complete && is_whole, window.is_cut && is_whole);
            let reading = self.read(Window { text: &text, base, complete, is_cut, ..window });
            match reading {
                None if !is_whole => {}
                None if !window.complete => return ControlFlow::Break(()),
                _ => return ControlFlow::Continue(reading),
            }
        }
        ControlFlow::Continue(None)
    }

    /// Reads the record in a part of the text, and the lines that continue it. `None` if it is not
    /// certain where it ends.
    fn read(&mut self, window: Window<'_>) -> Option<Reading> {
        let mut reader = RecordReader::in_memory(&self.checks.trials, std::mem::take(self.memory));
        let mut at = self.record.start - self.from;
        let mut accepted = Tally::from(at);
        reader.accept(window, at + 1, &mut accepted, |_| {});
        let mut reading = (accepted.next > at).then(|| {
            at = accepted.next;
            Reading { records: accepted.counts.records(), errors: 0, next: at }
        });
        let mut findings = Findings::new();
        let is_certain = loop {
            if reading.is_some() && !is_continued(window.text, at) {
                break true;
            }
            let outcome = reader.read(window, at, &mut findings);
            if outcome.needs_more(&window) || outcome.too_large.is_some() {
                break false;
            }
            let (records, next) = (outcome.counts.records(), outcome.next);
            let reading = reading.get_or_insert(Reading { records, errors: 0, next });
            for mut finding in findings.all().drain(..) {
                let is_shown = self.checks.selection.admits(&mut finding);
                reading.errors += usize::from(is_shown && finding.severity == Severity::Error);
            }
            at = next;
        };
        *self.memory = reader.into_memory();
        reading.filter(|_| is_certain)
    }
}

/// Whether the line at `at` may be a count of moves from the position before it.
fn is_continued(text: &[u8], at: usize) -> bool {
    text.get(at..).is_some_and(|rest| rest.starts_with(b"perft"))
}

/// A text that begins at `from` of its window, with replacements in the order of their places.
fn patched(text: &[u8], from: usize, patches: &[&Patch]) -> Vec<u8> {
    let mut patched = Vec::with_capacity(text.len());
    let mut at = 0;
    for patch in patches {
        let (start, end) = (patch.place.start - from, patch.place.end - from);
        patched.extend_from_slice(text.get(at..start).unwrap_or_default());
        patched.extend_from_slice(&patch.new);
        at = end;
    }
    patched.extend_from_slice(text.get(at..).unwrap_or_default());
    patched
}
