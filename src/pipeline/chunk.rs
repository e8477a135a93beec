//! A chunk: the records that begin in a range of a text, checked one after the other.

use std::{ops::Range, sync::atomic::Ordering};

use rustc_hash::FxHashMap;

use super::{
    checks::InputChecks,
    guard::{guarded, trial},
    lines::Lines,
    once_per_input::OncePerInput,
};
use crate::{
    pgn::guess_start,
    record::{RecordOutcome, RecordReader, Tally, Window, digest, fingerprint, game_label, kind_fingerprint, line_label},
    rules::{
        Code, Finding, Findings, MIN_GROUPED, Scope, Severity,
        aggregate::{Aggregate, NotedRecord},
    },
    table::CellContent,
    text::{Encoding, Format, Span, readable, wording::quantity},
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
    /// Findings in the order of their places, each with the span of its record in the input.
    pub findings: Vec<(Finding, Span)>,
    /// Findings that are reported once per input, and groups of findings that may be, each with the
    /// span of its first record and its count.
    pub repeated: OncePerInput<Span>,
    /// Number of line breaks.
    pub lines: u64,
    /// Start, in the input, of the line with the first record after the chunk.
    pub line_start: u64,
    /// What was collected for rules about the whole input.
    pub aggregates: Vec<Box<dyn Aggregate>>,
    /// Places in the input at which the auditor itself failed, with the reasons.
    pub failures: Vec<(u64, String)>,
}

/// Guesses the start of the first record in `range` from the text around it.
pub(super) fn guess(text: &[u8], range: Range<usize>, format: Format) -> Option<usize> {
    trial("guess", text, range.start);
    match format {
        Format::Pgn => guess_start(text, range.start, range.end),
        Format::Epd => (range.start..range.end.min(text.len()))
            .find(|&at| at == 0 || text[at - 1] == b'\n' || (text[at - 1] == b'\r' && text[at] != b'\n')),
    }
}

/// What the auditor fails on if a record cannot be checked.
const RECORD: &str = "the record that begins here";

/// Checks the records that begin in `range`. The first one is at its start. If this panics between
/// records, the result is a chunk with that failure and nothing else.
pub(super) fn audit_chunk(window: Window<'_>, range: Range<usize>, checks: &InputChecks) -> Chunk {
    guarded("the text from here on", || audit_records(window, range.clone(), checks))
        .unwrap_or_else(|message| Chunk::failed(window, range, message))
}

impl Chunk {
    /// A chunk in which nothing was checked.
    #[cold]
    fn failed(window: Window<'_>, range: Range<usize>, message: String) -> Chunk {
        let mut lines = Lines { at: range.start, base: window.base, line: 0, line_start: window.line_start };
        lines.advance(window.text, range.end);
        let mut tally = Tally::from(range.end);
        tally.counts.bytes = range.len() as u64;
        Chunk {
            start: range.start,
            tally,
            lines: lines.line,
            line_start: lines.line_start,
            failures: vec![(window.base + range.start as u64, message)],
            ..Chunk::default()
        }
    }
}

fn audit_records(window: Window<'_>, range: Range<usize>, checks: &InputChecks) -> Chunk {
    let tally = Tally::from(range.start);
    let aggregates = checks.aggregates.iter().map(|new| new()).collect();
    let mut chunk = Chunk { start: range.start, tally, aggregates, ..Chunk::default() };
    let start_in_input = window.base + range.start as u64;
    if checks.many_exceptions_from.load(Ordering::Relaxed) < start_in_input {
        chunk.tally.accept_exceptions();
    }
    let mut reader = RecordReader::new(&checks.records);
    let mut findings = Findings::new();
    let mut lines = Lines { at: range.start, base: window.base, line: 0, line_start: window.line_start };
    while chunk.tally.next < range.end {
        // If this panics, the thorough path reads the same record.
        let _ = guarded(RECORD, || reader.accept(window, range.end, &mut chunk.tally));
        let start = chunk.tally.next;
        if start >= range.end {
            break;
        }
        let read = guarded(RECORD, || {
            trial("read", window.text, start);
            reader.read(window, start, &mut findings)
        });
        let record = read.unwrap_or_else(|message| {
            // Only this record is lost.
            reader.reset();
            findings = Findings::new();
            chunk.failures.push((window.base + start as u64, message));
            let after = guess(window.text, start + 1..window.text.len(), checks.records.format);
            let next = after.unwrap_or(window.text.len());
            RecordOutcome { next, end: next, touched_end: next == window.text.len(), ..RecordOutcome::default() }
        });
        if record.needs_more(&window) {
            chunk.needs_more = true;
            return chunk;
        }
        chunk.tally.counts.add(record.counts);
        chunk.tally.evidence.note(&record.evidence);
        note(window, start, &record, checks, &mut findings, &mut lines, &mut chunk);
        chunk.tally.next = record.next;
    }
    if chunk.tally.has_many_exceptions() {
        checks.many_exceptions_from.fetch_min(start_in_input, Ordering::Relaxed);
    }
    let next = chunk.tally.next;
    trial("the chunk", window.text, range.start);
    lines.advance(window.text, next);
    chunk.lines = lines.line;
    chunk.line_start = lines.line_start;
    chunk.tally.counts.bytes = (next - chunk.start) as u64;
    chunk
}

/// Notes the findings of a record and what it shows to the aggregates. If this panics, the findings
/// of the record are lost.
fn note(
    window: Window<'_>,
    start: usize,
    record: &RecordOutcome,
    checks: &InputChecks,
    findings: &mut Findings,
    lines: &mut Lines,
    chunk: &mut Chunk,
) {
    let is_noted = !chunk.aggregates.is_empty() && record.counts.records() > 0;
    if !is_noted && findings.is_empty() {
        return;
    }
    let (earlier, lines_before) = (chunk.findings.len(), lines.clone());
    let noted = guarded(RECORD, || {
        trial("note", window.text, start);
        if is_noted {
            note_aggregates(window, start, record, lines, chunk);
        }
        if !findings.is_empty() {
            note_findings(window, start, record, checks, findings, lines, chunk);
        }
    });
    if let Err(message) = noted {
        chunk.findings.truncate(earlier);
        *findings = Findings::new();
        *lines = lines_before;
        chunk.failures.push((window.base + start as u64, message));
    }
}

/// Shows the last record counted, at `start`, to the aggregates.
fn note_aggregates(window: Window<'_>, start: usize, record: &RecordOutcome, lines: &mut Lines, chunk: &mut Chunk) {
    lines.advance(window.text, start);
    let place = Span::new(start, record.end);
    let label = || {
        let bytes = place.of(window.text);
        game_label(bytes, Encoding::of(bytes))
    };
    for aggregate in &mut chunk.aggregates {
        let mut lines = lines.clone();
        aggregate.note(&mut NotedRecord {
            text: window.text,
            place,
            base: window.base,
            ordinal: chunk.tally.counts.records(),
            is_game: record.counts.games > 0,
            named: record.named,
            locate: &mut |at| {
                lines.advance(window.text, at);
                (lines.line + 1, window.base + at as u64 - lines.line_start + 1)
            },
            label: &label,
        });
    }
}

/// The ordinal that means the last record before a chunk.
pub(super) const RECORD_BEFORE: u64 = u64::MAX;

/// Sorts the findings of a record, drops those not selected, and fills in label, place and
/// fingerprint.
#[cold]
fn note_findings(
    window: Window<'_>,
    start: usize,
    record: &RecordOutcome,
    checks: &InputChecks,
    findings: &mut Findings,
    lines: &mut Lines,
    chunk: &mut Chunk,
) {
    let mut list = std::mem::take(findings.all());
    let beyond = findings.take_beyond();
    if let Some(last) = list.last_mut().filter(|_| beyond > 0) {
        let more = quantity(beyond, "more finding", "more findings");
        let verb = if beyond == 1 { "is" } else { "are" };
        last.message.push_str(&format!("; {more} in this record {verb} not listed"));
    }
    list.sort_by(|a, b| (a.place, a.rule.code, &a.variation, &a.message).cmp(&(b.place, b.rule.code, &b.variation, &b.message)));
    let admitted = |mut finding: Finding| {
        let is_info = finding.severity == Severity::Info;
        checks.selection.admits(&mut finding).then_some((finding, is_info))
    };
    let list: Vec<(Finding, bool)> = list.into_iter().filter_map(admitted).collect();
    if list.is_empty() {
        return;
    }
    let ordinal = match (record.counts.records(), record.continues) {
        (0, None) => 0,
        (0, Some(_)) if chunk.tally.counts.records() == 0 => RECORD_BEFORE,
        _ => chunk.tally.counts.records(),
    };
    let base = usize::try_from(window.base).unwrap_or(usize::MAX);
    let bytes = Span::new(start, record.next).shifted(base);
    let text = &window.text[start..record.next];
    let encoding = Encoding::of(text);
    let label = match checks.records.format {
        Format::Pgn => game_label(text, encoding),
        Format::Epd => match &record.label {
            Some(CellContent::Plain(place)) => readable(place.of(window.text), encoding),
            Some(CellContent::Unquoted(content)) => readable(&content.bytes, encoding),
            None => line_label(record.continues.map_or(text, |line| line.of(window.text)), encoding),
        },
    };
    // Stray text after a game is hashed only for findings in that text.
    let (own, whole) = match record.continues {
        None => {
            let own = digest([&window.text[start..record.end]]);
            let rest = window.text.get(record.end..record.next);
            let is_blank = rest.is_some_and(|rest| rest.trim_ascii().is_empty());
            (own, if is_blank { own } else { digest([text]) })
        }
        Some(line) => {
            let both = digest([line.of(window.text), text]);
            (both, both)
        }
    };
    // Number of findings of a rule at each ply about the same words: the ordinal tells them apart.
    // Other words have their own count, and so have infos, so that the profile does not matter.
    let mut alike: FxHashMap<(Code, bool, Option<u32>, String, u64), usize> = FxHashMap::default();
    for (mut finding, is_info) in list {
        let field = digest([window.text.get(finding.place.start..finding.place.end).unwrap_or_default()]);
        let alike = alike.entry((finding.rule.code, is_info, finding.ply, finding.variation.clone(), field)).or_insert(0);
        let earlier = std::mem::replace(alike, *alike + 1);
        lines.advance(window.text, finding.place.start);
        finding.line = lines.line + 1;
        finding.column = window.base + finding.place.start as u64 - lines.line_start + 1;
        finding.game = ordinal;
        finding.game_label.clone_from(&label);
        let digest = if finding.place.start < record.end { own } else { whole };
        let fingerprint = fingerprint(&finding, digest, field, (is_info, earlier));
        finding.fingerprint = fingerprint;
        finding.place = finding.place.shifted(base);
        for patch in finding.patch.as_deref_mut().into_iter().chain(&mut finding.further_patches) {
            patch.place = patch.place.shifted(base);
        }
        match &finding.scope {
            Scope::Place => chunk.findings.push((finding, bytes)),
            Scope::Input { .. } => {
                chunk.repeated.add(finding, || bytes, 1);
            }
            Scope::Group { kind, .. } => {
                let fingerprint = kind_fingerprint(&finding, kind);
                let count = chunk.repeated.add(Finding { fingerprint, patch: None, ..finding.clone() }, || bytes, 1);
                // Of a large group, only the repairs are needed.
                if count < MIN_GROUPED || finding.patch.is_some() {
                    chunk.findings.push((finding, bytes));
                }
            }
        }
    }
}
