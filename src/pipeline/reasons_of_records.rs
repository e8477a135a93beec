//! What a chunk notes about its records, so that the end of the input shows which of them are bad.

use std::{
    io,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

use rustc_hash::FxHashMap;

use super::{
    SplitOn,
    once_per_input::{Key, key},
};
use crate::{
    record::kind_fingerprint,
    rules::{Conditions, Finding, Rule, Scope, Severity},
    spill::Log,
    table::Layout,
};

/// Maximum number of bytes of marks of a chunk in memory.
const MAX_IN_CHUNK: usize = 1 << 16;

/// Maximum number of bytes of marks of an input in memory.
const MAX_IN_INPUT: usize = 1 << 20;

/// Maximum number of stretches in a chunk that may be bad.
const MAX_STRETCHES: usize = 1 << 12;

/// Maximum number of different reasons in an input. Records with further ones are bad.
const MAX_REASONS: usize = 1 << 16;

/// What a mark says about a stretch of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// It belongs to no record, or was not checked.
    Unread,
    /// It goes where the stretch before it goes.
    Follows,
    /// It is a record that rules about the whole input have seen.
    Noted,
    /// It is, or comes before, the header of a table.
    Header,
    /// It is a piece of a line, with or without a position, at the end of its line or not.
    Piece { has_position: bool, ends_line: bool },
    /// What precedes the next marks: the records before them are `start`, the lines `end`.
    Offset,
    /// It is a record with a finding of this number among the [`Reasons`].
    Finding(u32),
}

impl Why {
    const fn number(self) -> u64 {
        match self {
            Why::Finding(index) => index as u64,
            Why::Unread => u64::MAX,
            Why::Follows => u64::MAX - 1,
            Why::Noted => u64::MAX - 2,
            Why::Header => u64::MAX - 3,
            Why::Offset => u64::MAX - 4,
            Why::Piece { has_position, ends_line } => u64::MAX - 8 + 2 * has_position as u64 + ends_line as u64,
        }
    }

    fn of(number: u64) -> Why {
        match u64::MAX - number {
            0 => Why::Unread,
            1 => Why::Follows,
            2 => Why::Noted,
            3 => Why::Header,
            4 => Why::Offset,
            piece @ 5..=8 => Why::Piece { has_position: piece < 7, ends_line: piece % 2 == 1 },
            _ => u32::try_from(number).map_or(Why::Unread, Why::Finding),
        }
    }
}

/// A mark on a stretch of text of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub why: Why,
    pub start: u64,
    pub end: u64,
    /// The record, counted from the start of the chunk; 0 if it is none.
    pub game: u64,
    /// Start of the movetext in the input; 0 if there is none.
    pub movetext: u64,
    /// The line of the finding, counted from the start of the chunk.
    pub line: u64,
    /// The column of the finding.
    pub column: u64,
    /// The fingerprint of the finding.
    pub fingerprint: u64,
}

impl Mark {
    /// A mark that is not about a finding.
    pub const fn new(why: Why, start: u64, end: u64) -> Mark {
        Mark { why, start, end, game: 0, movetext: 0, line: 0, column: 0, fingerprint: 0 }
    }

    /// Number of numbers in a mark.
    const NUMBERS: usize = 8;

    /// Number of bytes of a mark.
    const SIZE: usize = Mark::NUMBERS * size_of::<u64>();

    fn to_bytes(self) -> [u8; Mark::SIZE] {
        let Mark { why, start, end, game, movetext, line, column, fingerprint } = self;
        let mut bytes = [0; Mark::SIZE];
        let numbers = [why.number(), start, end, game, movetext, line, column, fingerprint];
        bytes.as_chunks_mut().0.iter_mut().zip(numbers).for_each(|(bytes, number)| *bytes = number.to_le_bytes());
        bytes
    }

    /// The mark in these bytes, and the text after it.
    pub fn read(bytes: &[u8]) -> io::Result<(Mark, &[u8])> {
        let (head, text) = bytes.split_first_chunk::<{ Mark::SIZE }>().ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut numbers = [0; Mark::NUMBERS];
        numbers.iter_mut().zip(head.as_chunks().0).for_each(|(number, bytes)| *number = u64::from_le_bytes(*bytes));
        let [why, start, end, game, movetext, line, column, fingerprint] = numbers;
        Ok((Mark { why: Why::of(why), start, end, game, movetext, line, column, fingerprint }, text))
    }
}

/// The marks of a chunk.
#[derive(Debug)]
pub(super) struct Marks {
    pub log: Log,
    /// How the records are laid out, if marks are made.
    pub layout: Option<Layout>,
    pub reasons: Option<Arc<Reasons>>,
    /// The stretches of a chunk that are probably bad, in their order.
    probably_bad: Vec<Range<u64>>,
    failure: Option<io::Error>,
}

impl Default for Marks {
    fn default() -> Marks {
        let log = Log::with_limit(MAX_IN_CHUNK);
        Marks { log, layout: None, reasons: None, probably_bad: Vec::new(), failure: None }
    }
}

impl Marks {
    /// No marks yet. Marks are made only if there are `reasons`.
    pub fn of(layout: Layout, reasons: Option<&Arc<Reasons>>) -> Marks {
        Marks { layout: reasons.map(|_| layout), reasons: reasons.cloned(), ..Marks::default() }
    }

    /// No marks of an input yet.
    pub fn of_input() -> Marks {
        Marks { log: Log::with_limit(MAX_IN_INPUT), ..Marks::default() }
    }

    /// Drops all marks.
    pub fn clear(&mut self) {
        self.log = Log::with_limit(MAX_IN_CHUNK);
    }

    /// Adds a mark, with the message of a finding or the bytes of a header.
    pub fn push(&mut self, mark: Mark, text: &[u8]) {
        if self.reasons.is_some() && self.failure.is_none() {
            self.failure = self.log.push([&mark.to_bytes(), text]).err();
            self.guess(mark);
        }
    }

    /// Notes whether a stretch is probably bad, before the end of the input shows whether it is.
    fn guess(&mut self, Mark { why, start, end, .. }: Mark) {
        let is_bad = matches!(why, Why::Unread | Why::Finding(_));
        let has_room = self.probably_bad.len() <= MAX_STRETCHES;
        match self.probably_bad.last_mut() {
            Some(last) if is_bad && start <= last.end => last.end = last.end.max(end),
            Some(last) if why == Why::Follows && start == last.end => last.end = end,
            _ if is_bad && has_room => self.probably_bad.push(start..end),
            _ => {}
        }
    }

    /// The stretches of a chunk that are probably bad, in their order. `None` if they are too many,
    /// or whole lines or headers matter.
    pub fn take_probably_bad(&mut self) -> Option<Vec<Range<u64>>> {
        let is_simple = matches!(self.layout, Some(Layout::Games | Layout::Positions));
        let stretches = std::mem::take(&mut self.probably_bad);
        (is_simple && stretches.len() <= MAX_STRETCHES).then_some(stretches)
    }

    /// Adds the marks of the next chunk, after what precedes them.
    pub fn append(&mut self, next: Marks, records: u64, lines: u64) -> io::Result<()> {
        let Marks { log, layout, reasons, failure, .. } = next;
        if let Some(error) = failure {
            return Err(error);
        }
        self.layout = layout.or(self.layout);
        self.reasons = reasons.or(self.reasons.take());
        if log.end() > 0 {
            self.push(Mark::new(Why::Offset, records, lines), b"");
            self.log.append(log)?;
        }
        self.failure.take().map_or(Ok(()), Err)
    }
}

/// Why findings make records bad, or not: what is the same for many findings.
#[derive(Debug)]
pub(super) struct Reason {
    pub rule: &'static Rule,
    pub severity: Severity,
    pub conditions: Conditions,
    /// Whether it depends on the number of such findings how they are reported: their key, their
    /// scope, and the fingerprint of the finding that stands for all of them.
    pub counted: Option<(Key, Scope, u64)>,
}

/// The reasons in an input, shared by its chunks.
#[derive(Debug)]
pub(super) struct Reasons {
    pub on: SplitOn,
    /// Whether records that rules about whole inputs have seen are marked.
    pub are_noted: bool,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    list: Vec<Arc<Reason>>,
    places: FxHashMap<(Key, bool), u32>,
}

impl Reasons {
    pub fn new(on: SplitOn, are_noted: bool) -> Reasons {
        Reasons { on, are_noted, known: Mutex::default() }
    }

    /// What a mark for this finding says.
    pub fn of(&self, finding: &Finding) -> Why {
        let is_counted = finding.scope.depends_on_count();
        let (code, kind, severity, conditions) = key(finding);
        let own = (code, if is_counted { kind } else { String::new() }, severity, conditions);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let Known { list, places } = &mut *known;
        if let Some(index) = places.get(&(own.clone(), is_counted)) {
            return Why::Finding(*index);
        }
        let index = u32::try_from(list.len()).ok().filter(|_| list.len() < MAX_REASONS);
        let Some(index) = index else { return Why::Unread };
        let counted = is_counted.then(|| (own.clone(), finding.scope.clone(), kind_fingerprint(finding, finding.scope.kind())));
        list.push(Arc::new(Reason { rule: finding.rule, severity, conditions, counted }));
        places.insert((own, is_counted), index);
        Why::Finding(index)
    }

    /// All reasons so far, in the order of their numbers.
    pub fn list(&self) -> Vec<Arc<Reason>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).list.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read_as_they_were_written() -> io::Result<()> {
        let pieces = [(false, false), (false, true), (true, false), (true, true)];
        let pieces = pieces.map(|(has_position, ends_line)| Why::Piece { has_position, ends_line });
        let others = [Why::Unread, Why::Follows, Why::Noted, Why::Header, Why::Offset, Why::Finding(0), Why::Finding(u32::MAX)];
        for why in pieces.into_iter().chain(others) {
            let mark = Mark { game: 3, movetext: 4, line: 5, column: 6, fingerprint: u64::MAX, ..Mark::new(why, 1, 2) };
            let bytes = [&mark.to_bytes()[..], b"text"].concat();
            assert_eq!(Mark::read(&bytes)?, (mark, &b"text"[..]), "{why:?}");
        }
        assert!(Mark::read(b"short").is_err());
        Ok(())
    }
}
