//! A chunk: the records that begin in a range of a text, checked one after the other.

use std::{
    io,
    ops::{ControlFlow, Range},
    sync::atomic::Ordering,
};

use memchr::{memchr2, memchr2_iter, memrchr2};

use super::{
    CertifiedPosition,
    checks::InputChecks,
    line_numbers::{Lines, line_start},
    once_per_input::{Folded, OncePerInput},
    panics::{guarded, trial},
    reasons_of_records::{Mark, Marks, Why},
    record_findings::{NotedIn, RecordFindings},
    trial::ReadRecord,
};
use crate::{
    identity::{CardBatch, GamePlace},
    pgn::{BOM, guess_start},
    record::{AcceptedRecord, Counts, ReaderMemory, RecordOutcome, RecordReader, Tally, Window, game_label},
    rules::{
        Finding,
        aggregate::{Aggregate, NotedRecord},
        facts::NamedPosition,
        shown,
        tag::tag_name,
    },
    spill::Queue,
    table::Layout,
    text::{Encoding, Span},
};

/// The result of a chunk. Lines and games are counted from its start.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// Start of its first record in the window.
    pub start: usize,
    /// What was read, up to the first record that begins after the range.
    pub tally: Tally,
    /// Whether more text is needed. The rest of the result is then meaningless.
    pub needs_more: bool,
    /// Findings in the order of their places.
    pub findings: NotedFindings,
    /// Findings that are reported once per input, and groups of findings that may be, each with the
    /// span of its first record and its count.
    pub repeated: OncePerInput<Span>,
    /// Findings that are certainly counted on the lines of others, if they are listed.
    pub folded: Vec<Folded>,
    /// Findings that are reported once per input, which later chunks need only count.
    pub once: Vec<Finding>,
    /// Number of line breaks.
    pub lines: u64,
    /// Start, in the input, of the line with the first record after the chunk.
    pub line_start: u64,
    /// What was collected for rules about the whole input.
    pub aggregates: Vec<Box<dyn Aggregate>>,
    /// The cards of its games and positions, if they are kept. Lines and records are counted from
    /// its start.
    pub cards: CardBatch,
    /// What is proven about its positions, if that is asked for. Lines and records are counted from
    /// its start.
    pub certified: Vec<CertifiedPosition>,
    /// Records that were not checked.
    pub failures: Vec<ChunkFailure>,
    /// Whether the text ends inside a record that is too large. The next chunk looks for its end.
    pub skips: bool,
    /// What shows which records are bad, if that is asked for.
    pub marks: Marks,
}

/// Something in a chunk that was not checked.
#[derive(Debug)]
pub(super) struct ChunkFailure {
    /// What failed, as in [`Failure::stage`](super::Failure).
    pub stage: &'static str,
    /// The place in the input.
    pub byte: u64,
    /// The reason.
    pub message: String,
}

/// Maximum number of findings of a chunk in memory. Many chunks may wait for an earlier one.
pub(super) const MAX_FINDINGS_IN_MEMORY: usize = 4096;

/// The findings of a chunk, each with the span of its record in the input.
#[derive(Debug)]
pub(super) struct NotedFindings {
    queue: Queue<(Finding, Span)>,
    /// The error that kept a finding from being stored.
    failure: Option<io::Error>,
}

impl Default for NotedFindings {
    fn default() -> NotedFindings {
        NotedFindings { queue: Queue::with_limit(MAX_FINDINGS_IN_MEMORY), failure: None }
    }
}

impl NotedFindings {
    fn push(&mut self, finding: (Finding, Span)) {
        if self.failure.is_none() {
            self.failure = self.queue.push(finding).err();
        }
    }

    /// Whether there are none, and none was lost.
    const fn is_empty(&self) -> bool {
        self.queue.is_empty() && self.failure.is_none()
    }

    /// Number of findings in memory, at most [`MAX_FINDINGS_IN_MEMORY`].
    pub const fn in_memory(&self) -> usize {
        self.queue.in_memory()
    }

    /// Hands out all findings in their order.
    pub fn drain(self, mut take: impl FnMut(Finding, Span) -> io::Result<()>) -> io::Result<()> {
        match self.failure {
            Some(error) => Err(error),
            None => self.queue.drain(|(finding, record)| take(finding, record)),
        }
    }
}

/// Guesses the start of the first record in `range` from the text around it.
pub(super) fn guess(text: &[u8], range: Range<usize>, layout: Layout) -> Option<usize> {
    trial("guess", text, range.start);
    match layout {
        Layout::Games => guess_start(text, range.start, range.end),
        Layout::EnclosedGames(delimiter) => delimiter.next_game(text, range.start, range.end).0,
        Layout::Positions | Layout::Enclosed { .. } | Layout::Table(_) => line_start_in(text, range),
    }
}

/// The first start of a line in `range`.
fn line_start_in(text: &[u8], range: Range<usize>) -> Option<usize> {
    let before = range.start.saturating_sub(1);
    if range.start == 0 && !range.is_empty() && !text.is_empty() {
        return Some(0);
    }
    let breaks = memchr2_iter(b'\n', b'\r', text.get(before..range.end.min(text.len()))?).map(|found| before + found);
    let mut starts = breaks.filter(|&at| text[at] == b'\n' || text.get(at + 1) != Some(&b'\n')).map(|at| at + 1);
    starts.find(|start| range.contains(start) && *start < text.len())
}

/// What the auditor fails on if a record cannot be checked.
const RECORD: &str = "the record that begins here";

/// Checks the records that begin in `range`. The first one is at its start; or, with `skips`, where
/// a record seems to begin, because a record that is too large goes on at the start. If this panics
/// between records, the result is a chunk with that failure and nothing else.
pub(super) fn audit_chunk(window: Window<'_>, range: Range<usize>, skips: bool, checks: &InputChecks) -> Chunk {
    audit_in(&mut ReaderMemory::default(), window, range, skips, checks)
}

/// The same as [`audit_chunk`]. `memory` is that of a reader that has finished, and then that of
/// this one.
fn audit_in(memory: &mut ReaderMemory, window: Window<'_>, range: Range<usize>, skips: bool, checks: &InputChecks) -> Chunk {
    guarded("the text from here on", || {
        let mut reader = RecordReader::in_memory(&checks.records, std::mem::take(memory));
        let chunk = ChunkReader::new(&mut reader, window, range.start, checks).read_all(range.clone(), skips);
        *memory = reader.into_memory();
        chunk
    })
    .unwrap_or_else(|message| Chunk::failed(window, range, message))
}

/// Checks the records that begin in `range` of a whole text. The first one is at its start.
pub(super) fn audit_text(text: &[u8], range: Range<usize>, checks: &InputChecks) -> Chunk {
    audit_part(text, range, text.len(), checks)
}

/// The same as [`audit_text`], without reading beyond byte `reach`. If a record seems to go on
/// there, the chunk needs more.
pub(super) fn audit_part(text: &[u8], range: Range<usize>, reach: usize, checks: &InputChecks) -> Chunk {
    let line_start = line_start(text, range.start) as u64;
    let reached = text.get(..reach).unwrap_or(text);
    let window = Window { text: reached, base: 0, line_start, complete: reached.len() == text.len(), is_cut: false };
    audit_chunk(window, range, false, checks)
}

/// Checks all records of a text. `memory` is that of a reader that has finished, and then that of
/// this one.
pub(super) fn audit_whole(text: &[u8], checks: &InputChecks, memory: &mut ReaderMemory) -> Chunk {
    let window = Window { text, base: 0, line_start: 0, complete: true, is_cut: false };
    audit_in(memory, window, 0..text.len(), false, checks)
}

/// The length of whitespace before other text without the blanks on its line. These belong to the
/// other text: what comes next would not begin its line if they stayed without it.
#[cold]
fn without_blanks_of_line(blank: &[u8]) -> usize {
    memrchr2(b'\n', b'\r', blank).map_or(blank.len(), |end| end + 1)
}

impl Chunk {
    /// Whether there is chess in it and nothing to report, apart from what its aggregates have
    /// collected.
    pub fn is_clean(&self) -> bool {
        let Tally { evidence, counts, .. } = &self.tally;
        let has_records = counts.records() > 0 && evidence.is_chess(true);
        has_records && self.findings.is_empty() && self.repeated.is_empty() && self.failures.is_empty()
    }

    /// Notes that the record at `start` of the window was not checked.
    #[cold]
    fn fail(&mut self, stage: &'static str, window: Window<'_>, start: usize, message: String) {
        self.failures.push(ChunkFailure { stage, byte: window.base + start as u64, message });
    }

    /// Notes that this part of the window belongs to no record or was not checked.
    fn mark_unread(&mut self, window: Window<'_>, part: Range<usize>) {
        self.mark(window, Why::Unread, part, b"");
    }

    fn mark(&mut self, window: Window<'_>, why: Why, part: Range<usize>, text: &[u8]) {
        if !part.is_empty() {
            self.marks.push(Mark::new(why, window.base + part.start as u64, window.base + part.end as u64), text);
        }
    }

    /// Marks what is no record. Returns the extent of a record, without text after it that does not
    /// belong to it.
    fn mark_extent(&mut self, window: Window<'_>, start: usize, record: &RecordOutcome, layout: Layout) -> Range<usize> {
        let text = window.text.get(start..record.next).unwrap_or_default();
        let is_record = record.counts.records() > 0;
        if matches!(layout, Layout::Enclosed { .. }) {
            let begins_line = start == 0 || matches!(window.text.get(start - 1), Some(b'\n' | b'\r'));
            let ends_line = record.next == window.text.len() || text.ends_with(b"\n") || text.ends_with(b"\r");
            let why = match begins_line && is_blank(text) {
                true => Why::Follows,
                false => Why::Piece { has_position: is_record, ends_line },
            };
            let game = if is_record { self.tally.counts.records() } else { 0 };
            let at = |place: usize| window.base + place as u64;
            self.marks.push(Mark { game, ..Mark::new(why, at(start), at(record.next)) }, b"");
        } else if let Some(line) = record.continues {
            self.mark(window, Why::Follows, start..record.next, b"");
            return line.start.min(start)..record.next;
        } else if is_record {
            let rest = window.text.get(record.end..record.next).unwrap_or_default();
            let mut own = rest.len() - trim_blank(rest).len();
            if own < rest.len() && memchr2(b'\n', b'\r', &rest[..own]).is_none() {
                // What begins on the last line of the record stays with it, so that both files have
                // whole lines.
                own += memchr2(b'\n', b'\r', &rest[own..]).unwrap_or(rest.len() - own);
                own += rest[own..].len() - trim_blank(&rest[own..]).len();
            }
            if own < rest.len() {
                own = without_blanks_of_line(&rest[..own]);
            }
            return start..if own == rest.len() { record.next } else { record.end + own };
        } else if matches!(layout, Layout::Table(table) if window.is_before_rows(start, &table)) {
            self.mark(window, Why::Header, start..record.next, text);
        } else if is_blank(text) {
            self.mark(window, Why::Follows, start..record.next, b"");
        } else {
            self.mark_unread(window, start..record.next);
        }
        start..record.next
    }

    /// Goes on where the next record seems to begin in `range`. A record that is too large goes on
    /// at its start.
    fn skip(&mut self, window: Window<'_>, range: Range<usize>, layout: Layout) {
        let certain = window.certain(range.clone());
        self.needs_more = certain.is_empty() && range.start == self.start;
        let next = guess(window.text, certain.clone(), layout);
        self.skips = next.is_none() && !(window.complete && certain.end == window.text.len());
        self.tally.next = next.unwrap_or(certain.end);
        self.mark_unread(window, certain.start..self.tally.next);
    }

    /// A chunk in which nothing was checked.
    #[cold]
    fn failed(window: Window<'_>, range: Range<usize>, message: String) -> Chunk {
        let mut lines = Lines { at: range.start, base: window.base, line: 0, line_start: window.line_start };
        lines.advance(window.text, range.end);
        let mut tally = Tally::from(range.end);
        tally.counts = Counts::of_text(window.text.get(range.clone()).unwrap_or_default());
        Chunk {
            start: range.start,
            tally,
            lines: lines.line,
            line_start: lines.line_start,
            failures: vec![ChunkFailure { stage: "rule", byte: window.base + range.start as u64, message }],
            ..Chunk::default()
        }
    }
}

/// The records of a chunk, read one after the other.
struct ChunkReader<'a, 'r> {
    reader: &'a mut RecordReader<'r>,
    window: Window<'a>,
    checks: &'a InputChecks,
    /// The lines up to the last place that was asked for.
    lines: Lines,
    findings: RecordFindings,
    chunk: Chunk,
}

impl<'a, 'r> ChunkReader<'a, 'r> {
    fn new(reader: &'a mut RecordReader<'r>, window: Window<'a>, start: usize, checks: &'a InputChecks) -> ChunkReader<'a, 'r> {
        let tally = Tally::from(start);
        let aggregates = checks.aggregates.iter().map(|aggregate| aggregate.part()).collect();
        let marks = Marks::of(checks.records.layout, checks.reasons.as_ref());
        let lines = Lines { at: start, base: window.base, line: 0, line_start: window.line_start };
        let chunk = Chunk { start, tally, aggregates, marks, ..Chunk::default() };
        ChunkReader { reader, window, checks, lines, findings: RecordFindings::default(), chunk }
    }

    /// Reads the records that begin in `range`.
    fn read_all(mut self, range: Range<usize>, skips: bool) -> Chunk {
        let start_in_input = self.window.base + range.start as u64;
        if !self.checks.records.reports_all && self.checks.many_exceptions_from.load(Ordering::Relaxed) < start_in_input {
            self.chunk.tally.accept_exceptions();
        }
        self.reader.note_known(|| self.checks.known_before(start_in_input));
        if skips {
            self.chunk.skip(self.window, range.clone(), self.checks.records.layout);
        }
        while self.chunk.tally.next < range.end && !self.chunk.skips && !self.chunk.needs_more {
            // The fast path does not look at positions one by one.
            if self.checks.certify.is_none() {
                self.accept(range.end);
                self.take_counted();
            }
            if self.chunk.tally.next >= range.end || self.read().is_break() {
                break;
            }
        }
        if self.chunk.needs_more {
            return self.chunk;
        }
        let ChunkReader { reader, window, checks, mut lines, mut chunk, .. } = self;
        chunk.cards = reader.cards().take();
        chunk.once = reader.known().cloned().collect();
        if chunk.tally.has_many_exceptions() {
            checks.many_exceptions_from.fetch_min(start_in_input, Ordering::Relaxed);
        }
        let next = chunk.tally.next;
        trial("the chunk", window.text, range.start);
        lines.advance(window.text, next);
        chunk.lines = lines.line;
        chunk.line_start = lines.line_start;
        let Counts { bytes, crc32, .. } = Counts::of_text(&window.text[chunk.start..next]);
        (chunk.tally.counts.bytes, chunk.tally.counts.crc32) = (bytes, crc32);
        chunk
    }

    /// Passes over records that the fast path accepts, up to one that it does not, or to `end`.
    fn accept(&mut self, end: usize) {
        let ChunkReader { reader, window, checks, lines, chunk, .. } = self;
        let (window, checks) = (*window, *checks);
        // Positions that are accepted one after the other are a line each.
        let are_lines = checks.records.layout == Layout::Positions;
        if are_lines {
            lines.advance(window.text, chunk.tally.next);
        }
        // If this panics, the thorough path reads the same record.
        let Chunk { tally, aggregates, marks, .. } = chunk;
        let from = tally.next;
        let mut in_line = tally.counts.records() + 1;
        let accepted = guarded(RECORD, || {
            reader.accept(window, end, tally, |AcceptedRecord { place, ordinal, is_noted, named, card }| {
                if are_lines {
                    lines.pass(ordinal - in_line, place.start);
                    in_line = ordinal;
                } else {
                    lines.advance(window.text, place.start);
                }
                if let Some((cards, since)) = card {
                    cards.locate_since(since, game_place(window, place, lines, ordinal), 0, false);
                }
                if is_noted {
                    mark_noted(window, place, ordinal, checks, marks);
                    note_aggregates(window, &Noted { place, ordinal, is_game: named.is_none(), named }, lines, aggregates);
                }
            })
        });
        if let Ok(line_breaks) = accepted {
            let Tally { next, counts, .. } = &chunk.tally;
            if !are_lines {
                lines.pass_counted(window.text, from..*next, line_breaks);
            } else if window.text[..*next].ends_with(b"\n") {
                lines.pass(counts.records() + 1 - in_line, *next);
            }
        }
    }

    /// Takes what the fast path has only counted.
    fn take_counted(&mut self) {
        for (finding, times) in self.reader.take_counted() {
            let mut finding = finding.clone();
            if self.checks.selection.admits(&mut finding) {
                self.chunk.repeated.count_more(&finding, times);
            }
        }
        for (name, times) in self.reader.take_counted_tags() {
            self.chunk.repeated.count_again(tag_name::RULE.code, &shown(name), times);
        }
    }

    /// Reads the next record on the thorough path. Stops where more text is needed.
    fn read(&mut self) -> ControlFlow<()> {
        let window = self.window;
        let layout = self.checks.records.layout;
        let start = self.chunk.tally.next;
        let cards = self.reader.cards().end();
        let record = self.read_guarded(start);
        if record.needs_more(&window) {
            self.chunk.needs_more = true;
            return ControlFlow::Break(());
        }
        if let Some(reason) = &record.too_large {
            self.chunk.fail("read", window, start, format!("the record that begins here was not checked: {reason}"));
            self.chunk.mark_unread(window, start..record.next);
            self.chunk.tally.next = record.next;
            self.reader.cards().truncate(cards);
            if record.goes_on {
                self.chunk.skip(window, record.next..window.text.len(), layout);
            }
            return ControlFlow::Continue(());
        }
        if let Some(reason) = &record.oracle_failure {
            let message = format!("claims in the record that begins here were not checked: {reason}");
            self.chunk.fail("oracle", window, start, message);
        }
        self.chunk.tally.evidence.note(&record.evidence, &window.text[start..record.next]);
        let is_whole_line = layout == Layout::Positions && window.text.ends_with(b"\n");
        if let Some(cut) = record.cut(&window, start).filter(|_| !is_whole_line) {
            // Nothing is said about it.
            self.findings.retain_before(cut);
            if cut == start {
                self.chunk.mark_unread(window, start..record.next);
                self.chunk.tally.next = record.next;
                self.reader.cards().truncate(cards);
                return ControlFlow::Break(());
            }
        }
        self.chunk.tally.counts.add(record.counts);
        record.properties.iter().for_each(|game| self.chunk.tally.portrait.add_game(game));
        if self.reader.cards().end() > cards {
            self.lines.advance(window.text, start);
            let (errors, has_warnings) = self.findings.worst();
            let place = game_place(window, Span::new(start, record.end), &self.lines, self.chunk.tally.counts.records());
            self.reader.cards().locate_since(cards, place, errors, has_warnings);
        }
        let extent = match self.checks.reasons {
            Some(_) => self.chunk.mark_extent(window, start, &record, layout),
            None => start..record.next,
        };
        let extent_end = extent.end;
        self.note(&ReadRecord { window, start, extent, outcome: &record });
        if self.chunk.needs_more {
            return ControlFlow::Break(());
        }
        if let Some(nodes) = self.checks.certify.filter(|_| record.counts.positions > 0) {
            self.certify(start, nodes);
        }
        if record.counts.records() > 0 && record.continues.is_none() {
            self.chunk.mark_unread(window, extent_end..record.next);
        }
        self.chunk.tally.next = record.next;
        ControlFlow::Continue(())
    }

    /// Certifies the position in the line at `start`.
    fn certify(&mut self, start: usize, nodes: u64) {
        let text = self.window.text.get(start..).unwrap_or_default();
        let end = memchr2(b'\n', b'\r', text).unwrap_or(text.len());
        let line = &text[..end];
        self.lines.advance(self.window.text, start);
        let ordinal = self.chunk.tally.counts.records();
        let line = line.strip_prefix(BOM).unwrap_or(line);
        let Some(certified) = CertifiedPosition::of(line, self.lines.line + 1, ordinal, nodes) else { return };
        if let Some(error) = certified.certificate.internal_error() {
            self.chunk.fail("rule", self.window, start, error);
        }
        self.chunk.tally.counts.certificates.count(&certified.certificate);
        self.chunk.certified.push(certified);
    }

    /// Reads the record at `start`. If that panics, only this record is lost.
    fn read_guarded(&mut self, start: usize) -> RecordOutcome {
        let window = self.window;
        let cards = self.reader.cards().end();
        let read = guarded(RECORD, || {
            trial("read", window.text, start);
            self.reader.read(window, start, self.findings.found())
        });
        read.unwrap_or_else(|message| {
            self.reader.reset();
            self.reader.cards().truncate(cards);
            self.findings = RecordFindings::default();
            self.chunk.fail("rule", window, start, message);
            let after = guess(window.text, start + 1..window.text.len(), self.checks.records.layout);
            let next = after.unwrap_or(window.text.len());
            self.chunk.mark_unread(window, start..next);
            RecordOutcome { next, end: next, touched_end: next == window.text.len(), ..RecordOutcome::default() }
        })
    }

    /// Notes the findings of a record and what it shows to the aggregates. If this panics, the
    /// findings of the record are lost.
    fn note(&mut self, record: &ReadRecord<'_>) {
        let ChunkReader { checks, lines, findings, chunk, .. } = self;
        let &ReadRecord { window, start, ref extent, outcome } = record;
        let is_noted = !chunk.aggregates.is_empty() && outcome.counts.records() > 0;
        if !is_noted && findings.found().is_empty() {
            return;
        }
        let lines_before = lines.clone();
        let done = guarded(RECORD, || {
            trial("note", window.text, start);
            if is_noted {
                let ordinal = chunk.tally.counts.records();
                lines.advance(window.text, start);
                mark_noted(window, Span::new(extent.start, extent.end), ordinal, checks, &mut chunk.marks);
                let (is_game, named) = (outcome.counts.games > 0, outcome.named);
                let noted = Noted { place: Span::new(start, outcome.end), ordinal, is_game, named };
                note_aggregates(window, &noted, lines, &mut chunk.aggregates);
            }
            if !findings.found().is_empty() {
                let Chunk { repeated, folded, marks, .. } = chunk;
                let to = NotedIn { repeated, folded, marks, records: chunk.tally.counts.records() };
                chunk.needs_more = findings.note(record, checks, lines, to).is_break();
            }
        });
        match done {
            Ok(()) => findings.take_noted().for_each(|finding| chunk.findings.push(finding)),
            Err(message) => {
                *findings = RecordFindings::default();
                *lines = lines_before;
                chunk.fail("rule", window, start, message);
                chunk.mark_unread(window, start..outcome.next);
            }
        }
    }
}

/// Where the record at `place` is, counted from the start of the chunk, as `lines` are.
fn game_place(window: Window<'_>, place: Span, lines: &Lines, ordinal: u64) -> GamePlace {
    // A position line is read up to the next one.
    let length = place.of(window.text).trim_ascii_end().len();
    let [byte, end] = [place.start, place.start + length].map(|at| window.base + at as u64);
    GamePlace { input: 0, byte, end, line: lines.line + 1, game: ordinal }
}

/// Marks a record that rules about the whole input see, if they can make it bad.
fn mark_noted(window: Window<'_>, place: Span, ordinal: u64, checks: &InputChecks, marks: &mut Marks) {
    if checks.reasons.as_ref().is_some_and(|reasons| reasons.are_noted) {
        let at = |place: usize| window.base + place as u64;
        // Only whole blank lines, because a space may belong to the next record.
        let after = window.text.get(place.end..).unwrap_or_default();
        let blank = &after[..after.len() - trim_blank(after).len()];
        let lines = blank.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |line_break| line_break + 1);
        let end = if place.of(window.text).ends_with(b"\n") { place.end } else { place.end + lines };
        marks.push(Mark { game: ordinal, ..Mark::new(Why::Noted, at(place.start), at(end)) }, b"");
    }
}

/// Without whitespace at its start.
fn trim_blank(text: &[u8]) -> &[u8] {
    let is_text = |byte: &u8| !(byte.is_ascii_whitespace() || *byte == 0x0B);
    text.iter().position(is_text).map_or(&[], |start| &text[start..])
}

fn is_blank(text: &[u8]) -> bool {
    trim_blank(text.strip_prefix(BOM).unwrap_or(text)).is_empty()
}

/// What rules about the whole input see of a record, as in [`NotedRecord`].
struct Noted {
    place: Span,
    ordinal: u64,
    is_game: bool,
    named: Option<NamedPosition>,
}

/// Shows a record to the aggregates. `lines` are those up to its start.
fn note_aggregates(window: Window<'_>, noted: &Noted, lines: &Lines, aggregates: &mut [Box<dyn Aggregate>]) {
    let &Noted { place, ordinal, is_game, named } = noted;
    let label = || {
        let bytes = place.of(window.text);
        game_label(bytes, Encoding::of(bytes))
    };
    for aggregate in aggregates {
        let mut after = None;
        aggregate.note(&mut NotedRecord {
            text: window.text,
            place,
            base: window.base,
            ordinal,
            is_game,
            named,
            locate: &mut |at| {
                // A position with a name is one line.
                if named.is_some() {
                    return lines.locate(at);
                }
                let after = after.get_or_insert_with(|| lines.clone());
                after.advance(window.text, at);
                after.locate(at)
            },
            label: &label,
        });
    }
}
