//! Keeps what a shard reads.

use std::io::{self, Write};

use base64::{Engine, prelude::BASE64_STANDARD as BASE64};
use rustc_hash::FxHashMap;

use super::{
    Shard,
    check::Planned,
    part_lines::{InputLine, Line, LineWriter, Totals},
};
use crate::{
    corpus::Skipped,
    pipeline::{
        Progress, Settings,
        audited_part::{Around, Collected, Prepared, ReadPart},
        chunk::{Chunk, ChunkFailure},
        emit::{CleanInput, Collector, OpenInput, excerpt},
        once_per_input::{Key, folded, key},
        open::CHANGED_SINCE_PLAN,
        panics::guarded,
        record_findings::{RECORD_BEFORE, moved},
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
    prepared: Option<Prepared>,
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
            prepared: None,
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
        if let Some(change) = input.file.new_change() {
            self.unread.get_or_insert_with(|| format!("{}: {change}", input.about.name));
            self.has_failed = true;
            self.facts.push(Line::Changed { byte, message: change })?;
        }
        Ok(input.file.has_changed)
    }

    fn note_failure(&mut self, stage: &str, byte: Option<u64>, message: String) -> io::Result<()> {
        self.has_failed = true;
        self.facts.push(Line::Failure { stage: stage.to_owned(), byte, message })
    }

    /// Adds what a chunk contains, apart from its failures.
    fn add(&mut self, input: &mut OpenInput, chunk: Chunk, text: &[u8], base: u64, offset: Offset) -> io::Result<()> {
        let Settings { examples, known, games, .. } = self.settings;
        let prepared = self.prepared.get_or_insert_default();
        let Chunk { tally, findings, mut repeated, folded: on_lines, aggregates, mut cards, certified, .. } = chunk;
        on_lines.into_iter().try_for_each(|finding| prepared.folded.push(finding))?;
        for mut card in cards.cards() {
            card.place_in(0, 0, offset.lines, offset.records);
            prepared.cards.push(BASE64.encode(card.bytes()))?;
        }
        for position in certified {
            prepared.certified.push(position.after(offset.lines, offset.records))?;
        }
        prepared.read.evidence.add(&tally.evidence);
        input.read.portrait.add(&tally.portrait);
        let around = |record: Span, place: Span| Some(Box::new(excerpt(text, base, record, place)));
        let moved = |finding: Finding| match finding.game {
            // The record is in an earlier part.
            RECORD_BEFORE if offset.records == 0 => Finding { game: RECORD_BEFORE, ..moved(finding, offset) },
            _ => moved(finding, offset),
        };
        // Number of findings of a group in this chunk.
        let mut in_groups: FxHashMap<Key, u64> = FxHashMap::default();
        findings.drain(|finding, record| {
            let place = finding.place;
            let is_needed = if matches!(finding.scope, Scope::Input { .. }) {
                // Only its repair is listed.
                false
            } else if matches!(finding.scope, Scope::Group { .. }) {
                let in_chunk = in_groups.entry(key(&finding)).or_default();
                *in_chunk += 1;
                if finding.repair.is_some() {
                    !input.deferred.has_enough_repairs(&finding)
                } else if input.deferred.repeated.count(&finding) + *in_chunk >= MIN_GROUPED {
                    // The group is large, whatever the other parts contain.
                    let counted = if games.is_some() { folded(&finding) } else { None };
                    return counted.map_or(Ok(()), |finding| prepared.folded.push(finding));
                } else {
                    true
                }
            } else {
                let is_known = known.contains(&finding.fingerprint);
                input.deferred.may_be_example(&finding, is_known, *examples)
            };
            let around = if is_needed && *examples > 0 { around(record, place) } else { None };
            prepared.findings.push((moved(finding), around))
        })?;
        for (finding, times) in repeated.take_counted() {
            if input.deferred.repeated.has_room(&finding) {
                input.deferred.repeated.count_more(&finding, times);
            } else {
                self.beyond.push((finding, None, times))?;
            }
        }
        for (finding, record, times) in repeated.into_findings() {
            let place = finding.place;
            if input.deferred.repeated.has_room(&finding) {
                let around = || if *examples > 0 { around(record, place) } else { None };
                input.deferred.repeated.add(moved(finding), around, times);
            } else {
                self.beyond.push((moved(finding), None, times))?;
            }
        }
        if prepared.read.collecting.is_empty() {
            prepared.read.collecting = aggregates.iter().map(|aggregate| aggregate.rule()).collect();
        }
        for aggregate in aggregates {
            let rule = aggregate.rule();
            let put = &mut |value| prepared.collected.push(Collected { rule, offset, value });
            aggregate.save(NotedText { text, base }, put)?;
        }
        Ok(())
    }

    /// Notes the size of the file of the input. If it is not the size in the plan, another file was
    /// read, and a failure replaces everything about it. Returns `None` if that was done before,
    /// for another member of an archive.
    fn compared(&mut self, input: &mut OpenInput) -> io::Result<Option<InputLine>> {
        let index = self.planned.next(&input.about.name).map_err(io::Error::other)?;
        let about = input.about.clone();
        let (planned, range) = match self.shard {
            Shard::Inputs(inputs) => (inputs.get(index), None),
            Shard::Piece(piece) => (None, Some(piece.range)),
        };
        let Some(planned) = planned else { return Ok(Some(InputLine { about, size: input.file.size, range })) };
        if self.changed == Some(index) {
            self.discard(input);
            return Ok(None);
        }
        let size = input.file.size.or_else(|| planned.input.size_on_disk());
        let is_as_planned = planned.size.is_none_or(|expected| size == Some(expected));
        if is_as_planned || (size.is_none() && self.has_failed) {
            return Ok(Some(InputLine { about, size, range }));
        }
        self.changed = Some(index);
        self.discard(input);
        let mut replaced = *OpenInput::of(&planned.input, None);
        self.unread.get_or_insert_with(|| format!("{}: {CHANGED_SINCE_PLAN}", planned.input.name));
        self.note_failure("read", Some(0), CHANGED_SINCE_PLAN.to_owned())?;
        std::mem::swap(input, &mut replaced);
        Ok(Some(InputLine { about: input.about.clone(), size: None, range }))
    }

    /// Forgets what was read of the input.
    fn discard(&mut self, input: &mut OpenInput) {
        (self.prepared, self.beyond, self.facts, self.has_failed) = (None, queue(), queue(), false);
        input.deferred.forget();
        input.read.portrait = Portrait::default();
    }

    /// Writes the input and everything about it.
    fn write(&mut self, input: &mut OpenInput) -> io::Result<()> {
        let Some(line) = self.compared(input)? else { return Ok(()) };
        self.to.write(&Line::Input(Box::new(line)))?;
        if let Some(prepared) = self.prepared.take() {
            let Prepared { mut read, findings, folded, cards, certified, collected, .. } = prepared;
            let has_many_exceptions = read.evidence.has_many_exceptions();
            // How many of these are found depends on how the chunks were checked at the same time.
            let depends = |finding: &Finding, on: Condition| has_many_exceptions && finding.conditions.has(on);
            read.portrait = input.read.portrait.packed();
            self.to.write(&Line::Read(Box::new(read)))?;
            let mut has_exception = false;
            let repeated = std::mem::take(&mut input.deferred.repeated).into_findings();
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
            folded.drain(|finding| to.write(&Line::Folded(finding)))?;
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
        let begin = || Prepared { read: ReadPart { start, ..ReadPart::default() }, ..Prepared::default() };
        let read = &self.prepared.get_or_insert_with(begin).read;
        let offset = Offset { lines: read.lines, records: read.counts.records() };
        let added = guarded("the findings from here on", || self.add(input, chunk, text, base, offset));
        let read = &mut self.prepared.get_or_insert_default().read;
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
            self.unread.get_or_insert_with(|| format!("{}: {message}", input.about.name));
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
