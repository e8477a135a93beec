//! The bad records of an input, after its end was read.

use std::{io, iter::Peekable, sync::Arc};

use super::{
    Known,
    reasons_of_records::{Mark, Marks, Reason, Why},
};
use crate::{
    corpus::Stamp,
    rules::{Code, Severity},
    spill::{Sorted, Sorter},
    table::Layout,
};

/// Maximum number of places of findings about a whole input in memory.
const MAX_PLACES: usize = 1 << 16;

/// A bad record, or a stretch of text that belongs to no record or was not checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BadRecord {
    /// Its first byte in the input.
    pub start: u64,
    /// One past its last byte. Whitespace after a record belongs to it.
    pub end: u64,
    /// The ordinal of the record, from 1; 0 if this is no record.
    pub game: u64,
    /// Start of its movetext in the input; 0 if there is none.
    pub movetext: u64,
    /// All findings of the record, also those that do not make it bad.
    pub findings: Vec<BadFinding>,
}

/// A finding of a bad record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadFinding {
    /// Line in the input, from 1.
    pub line: u64,
    /// Column in bytes, from 1.
    pub column: u64,
    /// The rule.
    pub rule: Code,
    /// The severity.
    pub severity: Severity,
    /// The message.
    pub message: String,
}

/// What is said of the records of an input as a whole.
#[derive(Clone, Debug, Default)]
pub struct DividedInput {
    /// Its number in the run, from 0.
    pub number: u64,
    /// How the records are laid out; `None` if there are none.
    pub layout: Option<Layout>,
    /// The header of a table, and what comes before it. It belongs to good and bad records.
    pub header: Vec<u8>,
    /// Number of bytes that were read.
    pub length: u64,
    /// Number of records.
    pub records: u64,
    /// Whether the text was converted from UTF-16.
    pub is_converted: bool,
    /// The state of the file when it was opened, if there is one.
    pub stamp: Option<Stamp>,
}

/// How findings with the same [`Reason`] are shown, after the whole input was read.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShownReason {
    /// The severity with which they are shown.
    pub severity: Severity,
    /// Whether they make their records bad, unless they are known.
    pub moves: bool,
    /// Whether they are known, if they are reported as one.
    pub are_known: Option<bool>,
}

/// What an input shows about its bad records so far.
#[derive(Debug)]
pub(super) struct Division {
    marks: Marks,
    /// The places of findings about the whole input that make their records bad.
    places: Sorter<1>,
    /// In the order of the reasons; `None` for findings that are not shown.
    shown: Vec<Option<ShownReason>>,
}

impl Default for Division {
    fn default() -> Division {
        Division { marks: Marks::of_input(), places: Sorter::with_limit(MAX_PLACES), shown: Vec::new() }
    }
}

impl Division {
    /// Adds the marks of the next chunk. `records` and `lines` are those before it. If its findings
    /// were lost, all of its text from `lost.0` to `lost.1` is bad.
    pub fn add(&mut self, mut marks: Marks, (records, lines): (u64, u64), lost: Option<(u64, u64)>) -> io::Result<()> {
        let Some((start, end)) = lost else { return self.marks.append(marks, records, lines) };
        marks.clear();
        self.marks.append(marks, records, lines)?;
        self.marks.push(Mark::new(Why::Unread, start, end), b"");
        Ok(())
    }

    /// Makes all of the input bad, which has so many bytes and no records.
    pub fn reject(&mut self, length: u64) -> io::Result<()> {
        let marks = std::mem::take(self).marks;
        self.add(marks, (0, 0), Some((0, length)))
    }

    /// Notes that a finding about the whole input at this place makes its record bad.
    pub fn note_place(&mut self, place: u64) -> io::Result<()> {
        self.places.push([place])
    }

    /// Judges the findings of all reasons.
    pub fn judge(&mut self, judge: impl Fn(&Reason) -> Option<ShownReason>) {
        let reasons = self.marks.reasons.as_ref().map(|reasons| reasons.list()).unwrap_or_default();
        self.shown = reasons.iter().map(|reason| judge(reason)).collect();
    }

    /// Hands out the bad records in their order. Returns the layout of the records and the header
    /// of a table.
    pub fn release(self, known: &Known, take: impl FnMut(BadRecord) -> io::Result<()>) -> io::Result<(Option<Layout>, Vec<u8>)> {
        let Division { marks, places, shown } = self;
        let layout = marks.layout;
        let reasons = marks.reasons.as_ref().map(|reasons| reasons.list()).unwrap_or_default();
        let mut release = Release {
            reasons,
            shown,
            known,
            take,
            places: places.sorted()?.peekable(),
            is_enclosed: matches!(layout, Some(Layout::Enclosed { .. })),
            before: (0, 0),
            header: Vec::new(),
            current: None,
            open: None,
        };
        marks.log.written().for_each(|_, bytes| {
            let (mark, text) = Mark::read(bytes)?;
            release.mark(mark, text)
        })?;
        release.flush()?;
        release.close()?;
        Ok((layout, release.header))
    }
}

/// A record whose marks are being read.
#[derive(Default)]
struct Current {
    record: BadRecord,
    is_bad: bool,
    /// Of a line with pieces: whether a piece has a position, and whether the last one ends the
    /// line.
    has_position: bool,
    is_complete: bool,
}

/// Reads the marks of an input in their order.
struct Release<'k, T> {
    reasons: Vec<Arc<Reason>>,
    shown: Vec<Option<ShownReason>>,
    known: &'k Known,
    take: T,
    places: Peekable<Sorted<1>>,
    /// Whether records are pieces of lines, which are good or bad as a whole.
    is_enclosed: bool,
    /// Records and lines before the marks of the chunk.
    before: (u64, u64),
    header: Vec<u8>,
    current: Option<Current>,
    /// The last bad record. Later marks may extend it.
    open: Option<BadRecord>,
}

impl<T: FnMut(BadRecord) -> io::Result<()>> Release<'_, T> {
    fn mark(&mut self, mark: Mark, text: &[u8]) -> io::Result<()> {
        match mark.why {
            Why::Offset => self.before = (mark.start, mark.end),
            Why::Header => self.header.extend_from_slice(text),
            Why::Follows => {
                self.flush()?;
                if let Some(open) = self.open.as_mut().filter(|open| open.end == mark.start) {
                    open.end = mark.end;
                }
            }
            Why::Piece { has_position, ends_line } => {
                if self.current.as_ref().is_some_and(|current| current.is_complete) {
                    self.flush()?;
                }
                let current = self.current.get_or_insert_default();
                if current.record.end == 0 {
                    current.record.start = mark.start;
                }
                current.record.end = mark.end;
                if has_position && current.record.game == 0 {
                    current.record.game = mark.game + self.before.0;
                }
                current.has_position |= has_position;
                current.is_complete = ends_line;
            }
            Why::Unread | Why::Noted | Why::Finding(_) => self.about_record(mark, text)?,
        }
        Ok(())
    }

    fn about_record(&mut self, mark: Mark, text: &[u8]) -> io::Result<()> {
        let is_same = |current: &Current| (current.record.start, current.record.end) == (mark.start, mark.end);
        if !self.is_enclosed && !self.current.as_ref().is_some_and(is_same) {
            self.flush()?;
        }
        let is_bad = match mark.why {
            Why::Noted => self.has_place(mark.start, mark.end)?,
            _ => mark.why == Why::Unread,
        };
        let (records, lines) = self.before;
        let current = self.current.get_or_insert_with(|| {
            let record = BadRecord { start: mark.start, end: mark.end, ..BadRecord::default() };
            Current { record, ..Current::default() }
        });
        current.is_bad |= is_bad;
        if mark.game > 0 {
            // The ordinal that means the last record before the chunk.
            current.record.game = if mark.game == u64::MAX { records } else { mark.game + records };
        }
        current.record.movetext = current.record.movetext.max(mark.movetext);
        let Why::Finding(index) = mark.why else { return Ok(()) };
        let index = index as usize;
        let (Some(reason), Some(Some(shown))) = (self.reasons.get(index), self.shown.get(index)) else { return Ok(()) };
        let is_known = shown.are_known.unwrap_or_else(|| self.known.contains(&mark.fingerprint));
        current.is_bad |= shown.moves && !is_known;
        current.record.findings.push(BadFinding {
            line: mark.line + lines,
            column: mark.column,
            rule: reason.rule.code,
            severity: shown.severity,
            message: String::from_utf8_lossy(text).into_owned(),
        });
        Ok(())
    }

    /// Whether a place of a finding about the whole input is in this range. Ranges are asked about
    /// in their order.
    fn has_place(&mut self, start: u64, end: u64) -> io::Result<bool> {
        let mut has_place = false;
        while let Some(place) = self.places.next_if(|place| place.as_ref().map_or(true, |[place]| *place < end)) {
            has_place |= place?[0] >= start;
        }
        Ok(has_place)
    }

    /// Decides on the record whose marks were read.
    fn flush(&mut self) -> io::Result<()> {
        let Some(current) = self.current.take() else { return Ok(()) };
        if !current.is_bad && (current.has_position || !self.is_enclosed) {
            return Ok(());
        }
        let record = current.record;
        let is_stray = |record: &BadRecord| record.game == 0 && record.findings.is_empty();
        match &mut self.open {
            // A line can continue an earlier record.
            Some(open) if record.start < open.end => {
                open.start = open.start.min(record.start);
                open.end = open.end.max(record.end);
                open.game = open.game.max(record.game);
                open.findings.extend(record.findings);
            }
            Some(open) if record.start == open.end && is_stray(open) && is_stray(&record) => open.end = record.end,
            _ => {
                self.close()?;
                self.open = Some(record);
            }
        }
        Ok(())
    }

    fn close(&mut self) -> io::Result<()> {
        self.open.take().map_or(Ok(()), |record| (self.take)(record))
    }
}
