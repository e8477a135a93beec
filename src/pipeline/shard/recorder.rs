//! Keeps what a shard reads.

use std::io::{self, Write};

use base64::{Engine, prelude::BASE64_STANDARD as BASE64};
use rustc_hash::FxHashMap;

use super::{
    Shard,
    check::Planned,
    part_lines::{InputLine, Line, LineWriter, Read, Totals},
};
use crate::{
    corpus::{Skipped, Watch},
    pipeline::{
        Progress, Settings,
        audited_part::{Around, Collected, Prepared},
        chunk::{Chunk, ChunkFailure},
        emit::{CleanInput, Collector, OpenInput, excerpt},
        once_per_input::{Key, OncePerInput, key},
        open::CHANGED_SINCE_PLAN,
        panics::guarded,
        record_findings::RECORD_BEFORE,
    },
    record::Portrait,
    rules::{
        Condition, Finding, MIN_GROUPED, Scope,
        aggregate::{NotedText, Offset},
        variant_shown::{FEW_EXCEPTIONS, MANY_EXCEPTIONS},
    },
    spill::Queue,
    text::Span,
};

/// Maximum number of failures and of further values in memory.
const MAX_IN_MEMORY: usize = 1024;

/// Writes the part of a shard. All chunks of an input become one, so that the part does not depend
/// on how the input was cut.
pub(super) struct Recorder<'a> {
    to: LineWriter<'a>,
    shard: &'a Shard,
    planned: Planned<'a>,
    settings: &'a Settings,
    progress: &'a dyn Progress,
    /// The chunks of the current input.
    read: Option<Prepared>,
    /// Findings that are reported once per input, beyond the number of values that are kept.
    beyond: Queue<(Finding, Around, u64)>,
    skipped: Skipped,
    /// Failures and other facts about the current input.
    facts: Queue<Line>,
    /// Whether one of them is a failure.
    has_failed: bool,
    /// The last planned input that had another size than in the plan, as its index.
    changed: Option<usize>,
    /// The first input that could not be read at all or that changed, and why.
    unread: Option<String>,
}

fn queue<T: serde::Serialize + serde::de::DeserializeOwned>() -> Queue<T> {
    Queue::with_limit(MAX_IN_MEMORY)
}

impl<'a> Recorder<'a> {
    pub fn new(to: &'a mut dyn Write, shard: &'a Shard, settings: &'a Settings, progress: &'a dyn Progress) -> Recorder<'a> {
        Recorder {
            to: LineWriter::new(to),
            shard,
            planned: Planned::of(shard),
            settings,
            progress,
            read: None,
            beyond: queue(),
            skipped: Skipped::default(),
            facts: queue(),
            has_failed: false,
            changed: None,
            unread: None,
        }
    }

    /// Writes what does not belong to an input. Returns the first input that could not be read at
    /// all or that changed, and why, and what was written.
    pub fn finish(mut self) -> io::Result<(Option<String>, Totals)> {
        if self.skipped.total() > 0 {
            self.to.write(&Line::Skipped(self.skipped))?;
        }
        Ok((self.unread, self.to.totals()))
    }

    /// Notes that the input changed while it was read. Returns whether it did.
    fn notes_change(&mut self, input: &mut OpenInput, byte: Option<u64>) -> io::Result<bool> {
        if let Some(change) = input.watch.as_ref().and_then(Watch::change)
            && !std::mem::replace(&mut input.has_changed, true)
        {
            self.unread.get_or_insert_with(|| format!("{}: {change}", input.name));
            self.has_failed = true;
            self.facts.push(Line::Changed { byte, message: change.to_string() })?;
        }
        Ok(input.has_changed)
    }

    fn note_failure(&mut self, stage: &str, byte: Option<u64>, message: String) -> io::Result<()> {
        self.has_failed = true;
        self.facts.push(Line::Failure { stage: stage.to_owned(), byte, message })
    }

    /// Adds what a chunk contains, apart from its failures.
    fn add(&mut self, input: &mut OpenInput, chunk: Chunk, text: &[u8], base: u64, offset: Offset) -> io::Result<()> {
        let Settings { examples, known, .. } = self.settings;
        let read = self.read.get_or_insert_default();
        let Chunk { tally, findings, mut repeated, aggregates, mut cards, certified, .. } = chunk;
        for mut card in cards.cards() {
            card.place_in(0, 0, offset.lines, offset.records);
            read.cards.push(BASE64.encode(card.bytes()))?;
        }
        for position in certified {
            read.certified.push(position.after(offset.lines, offset.records))?;
        }
        read.evidence.add(&tally.evidence);
        input.portrait.add(&tally.portrait);
        let around = |record: Span, place: Span| Some(Box::new(excerpt(text, base, record, place)));
        let moved = |mut finding: Finding| {
            finding.line += offset.lines;
            finding.game = match finding.game {
                0 => 0,
                // The record is in an earlier part.
                RECORD_BEFORE if offset.records == 0 => RECORD_BEFORE,
                RECORD_BEFORE => offset.records,
                game => game + offset.records,
            };
            finding
        };
        // Number of findings of a group in this chunk.
        let mut in_groups: FxHashMap<Key, u64> = FxHashMap::default();
        findings.drain(|finding, record| {
            let place = finding.place;
            let is_needed = if matches!(finding.scope, Scope::Input { .. }) {
                // Only its repair is listed.
                false
            } else if matches!(finding.scope, Scope::Group { .. }) {
                let kind = key(&finding);
                let in_chunk = in_groups.entry(kind.clone()).or_default();
                *in_chunk += 1;
                if finding.repair.is_some() {
                    let patched = input.patched.entry(kind).or_default();
                    *patched += 1;
                    *patched <= MIN_GROUPED
                } else if input.repeated.count(&finding) + *in_chunk >= MIN_GROUPED {
                    // The group is large, whatever the other parts contain.
                    return Ok(());
                } else {
                    true
                }
            } else {
                let is_known = known.contains(&finding.fingerprint);
                input.may_be_example(&finding, is_known, *examples)
            };
            let around = if is_needed && *examples > 0 { around(record, place) } else { None };
            read.findings.push((moved(finding), around))
        })?;
        for (finding, times) in repeated.take_counted() {
            if input.repeated.has_room(&finding) {
                input.repeated.count_more(&finding, times);
            } else {
                self.beyond.push((finding, None, times))?;
            }
        }
        for (finding, record, times) in repeated.into_findings() {
            let place = finding.place;
            if input.repeated.has_room(&finding) {
                let around = || if *examples > 0 { around(record, place) } else { None };
                input.repeated.add(moved(finding), around, times);
            } else {
                self.beyond.push((moved(finding), None, times))?;
            }
        }
        if read.collecting.is_empty() {
            read.collecting = aggregates.iter().map(|aggregate| aggregate.rule()).collect();
        }
        for aggregate in aggregates {
            let rule = aggregate.rule();
            let put = &mut |value| read.collected.push(Collected { rule, offset, value });
            aggregate.save(NotedText { text, base }, put)?;
        }
        Ok(())
    }

    /// Notes the size of the file of the input. If it is not the size in the plan, another file was
    /// read, and a failure replaces everything about it. Returns `None` if that was done before,
    /// for another member of an archive.
    fn compared(&mut self, input: &mut OpenInput) -> io::Result<Option<InputLine>> {
        let index = self.planned.next(&input.name).map_err(io::Error::other)?;
        let saved = input.saved();
        let (planned, range) = match self.shard {
            Shard::Inputs(inputs) => (inputs.get(index), None),
            Shard::Piece(piece) => (None, Some(piece.range)),
        };
        let Some(planned) = planned else { return Ok(Some(InputLine { saved, size: input.stored_size, range })) };
        if self.changed == Some(index) {
            self.discard(input);
            return Ok(None);
        }
        let size = input.stored_size.or_else(|| planned.input.size_on_disk());
        let is_as_planned = planned.size.is_none_or(|expected| size == Some(expected));
        if is_as_planned || (size.is_none() && self.has_failed) {
            return Ok(Some(InputLine { saved, size, range }));
        }
        self.changed = Some(index);
        self.discard(input);
        let mut replaced = *OpenInput::of(&planned.input, None);
        self.unread.get_or_insert_with(|| format!("{}: {CHANGED_SINCE_PLAN}", planned.input.name));
        self.note_failure("read", Some(0), CHANGED_SINCE_PLAN.to_owned())?;
        std::mem::swap(input, &mut replaced);
        Ok(Some(InputLine { saved: input.saved(), size: None, range }))
    }

    /// Forgets what was read of the input.
    fn discard(&mut self, input: &mut OpenInput) {
        (self.read, self.beyond, self.facts, self.has_failed) = (None, queue(), queue(), false);
        input.repeated = OncePerInput::of_input();
        input.portrait = Portrait::default();
    }

    /// Writes the input and everything about it.
    fn write(&mut self, input: &mut OpenInput) -> io::Result<()> {
        let Some(line) = self.compared(input)? else { return Ok(()) };
        self.to.write(&Line::Input(Box::new(line)))?;
        if let Some(read) = self.read.take() {
            let Prepared { start, counts, lines, evidence, findings, cards, certified, collecting, collected, .. } = read;
            let has_many_exceptions = evidence.has_many_exceptions();
            // How many of these are found depends on how the chunks were checked at the same time.
            let depends = |finding: &Finding, on: Condition| has_many_exceptions && finding.conditions.has(on);
            let portrait = input.portrait.packed();
            self.to.write(&Line::Read(Box::new(Read { start, counts, portrait, lines, evidence, collecting })))?;
            let mut has_exception = false;
            let repeated = std::mem::take(&mut input.repeated).into_findings();
            for (finding, around, times) in repeated {
                let is_exception = depends(&finding, MANY_EXCEPTIONS);
                if !(is_exception && std::mem::replace(&mut has_exception, true)) {
                    let times = if is_exception { 1 } else { times };
                    self.to.write(&Line::Repeated(Box::new((finding, around, times))))?;
                }
            }
            let to = &mut self.to;
            std::mem::replace(&mut self.beyond, queue()).drain(|repeated| to.write(&Line::Repeated(Box::new(repeated))))?;
            findings.drain(|finding| {
                let is_left_out = depends(&finding.0, FEW_EXCEPTIONS);
                if is_left_out { Ok(()) } else { to.write(&Line::Finding(Box::new(finding))) }
            })?;
            cards.drain(|card| to.write(&Line::Card(card)))?;
            certified.drain(|position| to.write(&Line::Certified(Box::new(position))))?;
            collected.drain(|collected| to.write(&Line::Collected(collected)))?;
        }
        let to = &mut self.to;
        std::mem::replace(&mut self.facts, queue()).drain(|fact| to.write(&fact))?;
        self.has_failed = false;
        self.to.write(&Line::Close)
    }
}

impl Collector for Recorder<'_> {
    fn chunk(&mut self, input: &mut OpenInput, chunk: Chunk, text: &[u8], base: u64) -> io::Result<()> {
        let start = base + chunk.start as u64;
        if self.notes_change(input, Some(start))? {
            return Ok(());
        }
        let (counts, lines) = (chunk.tally.counts, chunk.lines);
        let mut chunk = chunk;
        let failures = std::mem::take(&mut chunk.failures);
        let read = self.read.get_or_insert_with(|| Prepared { start, ..Prepared::default() });
        let offset = Offset { lines: read.lines, records: read.counts.records() };
        let added = guarded("the findings from here on", || self.add(input, chunk, text, base, offset));
        let read = self.read.get_or_insert_default();
        read.counts.add(counts);
        read.lines += lines;
        self.progress.advanced(counts);
        match added {
            Ok(added) => added?,
            Err(message) => return self.failure(input, "report", Some(start), message),
        }
        for ChunkFailure { stage, byte, message } in failures {
            self.failure(input, stage, Some(byte), message)?;
        }
        Ok(())
    }

    fn failure(&mut self, input: &mut OpenInput, stage: &'static str, byte: Option<u64>, message: String) -> io::Result<()> {
        if self.notes_change(input, byte)? {
            return Ok(());
        }
        if byte.is_none() {
            self.unread.get_or_insert_with(|| format!("{}: {message}", input.name));
        }
        self.note_failure(stage, byte, message)
    }

    fn skipped(&mut self, skipped: Skipped) {
        self.skipped.add(skipped);
    }

    fn not_chess(&mut self, _: &mut OpenInput, message: &str) -> io::Result<()> {
        self.facts.push(Line::NotChess(message.to_owned()))
    }

    fn foreign(&mut self, _: &mut OpenInput, kind: &str) -> io::Result<()> {
        self.facts.push(Line::Foreign(kind.to_owned()))
    }

    fn takes_all_chunks(&self) -> bool {
        true
    }

    fn clean(&mut self, _: CleanInput) -> io::Result<()> {
        Err(io::Error::other("a shard takes all chunks"))
    }

    fn close(&mut self, mut input: Box<OpenInput>) -> io::Result<()> {
        self.notes_change(&mut input, None)?;
        self.write(&mut input)
    }
}
