//! Puts chunks in order, adds up what their inputs show, and reports what depends on the whole
//! input.

mod collector;
mod copies;
mod deferred;
mod drafts;
mod input_end;
mod ledger;
mod open_input;
mod reported;
mod unexpected;
mod verdict;

use std::io;

use base64::{Engine, prelude::BASE64_STANDARD as BASE64};
use rayon::ThreadPool;

pub(super) use self::{
    collector::{CleanInput, Collector},
    copies::findings_about_two,
    open_input::{InputDescription, OpenInput},
};
use self::{
    copies::Comparison,
    input_end::end,
    ledger::Ledger,
    unexpected::Expected,
    verdict::{divide, divide_early, is_divided_early},
};
use super::{
    Progress, RunSummary, Settings, Sink,
    audited_part::{Around, Collected, Prepared, ReadPart},
    chunk::{Chunk, ChunkFailure},
    panics::{guarded, trial},
    record_findings::moved,
};
use crate::{
    corpus::Skipped,
    identity::CardBatch,
    record::{Counts, Evidence, Excerpt},
    rules::{
        Check, Code, Finding, MIN_GROUPED, Scope,
        aggregate::{Aggregate, NotedText, Offset, Shift},
        report_not_text, rule,
    },
    text::Span,
};

/// Reports the findings of a run to a sink, in order, and counts them.
pub(super) struct Emitter<'a> {
    ledger: Ledger<'a>,
    pub expected: Expected<'a>,
    /// The games read so far, if they are compared with each other.
    comparison: Option<Box<Comparison>>,
    /// The cards of a game that was saved elsewhere, with the memory of names of those before it.
    saved: CardBatch,
    /// Whether the sink learns early which records are probably bad.
    divides_early: bool,
}

/// The text around `place`. `record` and `place` are spans in the input.
pub(super) fn excerpt(text: &[u8], base: u64, record: Span, place: Span) -> Excerpt {
    let base = usize::try_from(base).unwrap_or(usize::MAX);
    let here = |span: Span| Span::new(span.start.saturating_sub(base), span.end.saturating_sub(base));
    Excerpt::of(text, here(record), here(place))
}

/// The finding with its places moved.
fn placed(mut finding: Finding, shift: Shift) -> Finding {
    if shift.bytes != 0 {
        finding.move_places(|place| shift.span(place));
    }
    finding
}

/// An empty aggregate of the rule, if it collects anything.
fn new_aggregate(code: Code) -> Option<Box<dyn Aggregate>> {
    match rule(code)?.check {
        Check::GamesOfInput(new) | Check::PositionsOfInput(new) => Some(new()),
        _ => None,
    }
}

impl Collector for Emitter<'_> {
    fn chunk(&mut self, input: &mut OpenInput, chunk: Chunk, text: &[u8], base: u64) -> io::Result<()> {
        let start = base + chunk.start as u64;
        // The text of the chunk may be that of before the change, or of after it, or zeros.
        if self.ledger.reports_change(input, Some(start))? {
            return Ok(());
        }
        let Chunk { tally, findings, mut repeated, folded, lines, aggregates, cards, certified, failures, mut marks, .. } = chunk;
        let counted = repeated.take_counted();
        let before = input.read.offset();
        let is_complete = self.part(input, (start, tally.counts, lines), |emitter, input| {
            let around = |record: Span, place: Span| Some(Box::new(excerpt(text, base, record, place)));
            input.read.portrait.add(&tally.portrait);
            emitter.begin_part(input, &tally.evidence);
            for (finding, record, times) in repeated.into_findings() {
                let place = finding.place;
                emitter.repeated(input, finding, || around(record, place), times);
            }
            findings.drain(|finding, record| {
                let place = finding.place;
                emitter.found(input, finding, || around(record, place))
            })?;
            folded.into_iter().try_for_each(|[finding, line]| emitter.ledger.sink.folded(finding, line))?;
            counted.iter().for_each(|(finding, times)| input.deferred.repeated.count_more(finding, *times));
            emitter.games(&input.about.name, cards, Shift { offset: before, bytes: 0 })?;
            for position in certified {
                emitter.ledger.sink.certified(&input.about.name, &position.after(before.lines, before.records))?;
            }
            for ChunkFailure { stage, byte, message } in failures {
                emitter.ledger.failure(input, stage, Some(byte), message)?;
            }
            if input.read.aggregates.is_empty() {
                input.read.aggregates = aggregates.iter().map(|aggregate| aggregate.part()).collect();
            }
            let mut parts = input.read.aggregates.iter_mut().zip(aggregates);
            parts.try_for_each(|(aggregate, next)| aggregate.merge(next, NotedText { text, base }, before))
        })?;
        if self.ledger.settings.split.is_none() {
            return Ok(());
        }
        let end = start + tally.counts.bytes;
        if is_complete && self.divides_early {
            divide_early(self.ledger.sink, start..end, marks.take_probably_bad(), (text, base))?;
        }
        let lost = (!is_complete).then_some((start, end));
        input.division.get_or_insert_default().add(marks, (before.records, before.lines), lost)
    }

    fn failure(&mut self, input: &mut OpenInput, stage: &'static str, byte: Option<u64>, message: String) -> io::Result<()> {
        self.ledger.failure(input, stage, byte, message)
    }

    fn skipped(&mut self, skipped: Skipped) {
        self.ledger.run.skipped.add(skipped);
    }

    fn not_chess(&mut self, input: &mut OpenInput, message: &str) -> io::Result<()> {
        self.ledger.not_chess(input, message)
    }

    fn foreign(&mut self, input: &mut OpenInput, kind: &str) -> io::Result<()> {
        self.ledger.about_input(input, |findings| report_not_text(findings, kind))
    }

    fn takes_all_chunks(&self) -> bool {
        let settings = self.ledger.settings;
        // Even without findings, there may be text that belongs to no record.
        settings.split.is_some() || settings.cards().is_some() || settings.options.certify.is_some()
    }

    fn clean(&mut self, input: CleanInput) -> io::Result<()> {
        let CleanInput { about, counts, portrait, is_chess960 } = input;
        self.ledger.run.portrait.add_packed(&portrait);
        self.ledger.progress.advanced(counts);
        let mut input = OpenInput::described(about);
        input.read.counts = counts;
        input.read.is_chess960 = self.ledger.reads_as_chess960(is_chess960);
        self.expected.input(&mut input, &mut self.ledger)?;
        self.summarize(input, true)
    }

    fn close(&mut self, mut input: Box<OpenInput>) -> io::Result<()> {
        self.ledger.reports_change(&mut input, None)?;
        let reported = guarded("this input", || {
            trial("close", input.about.name.as_bytes(), 0);
            end(&mut self.ledger, &mut input)
        });
        reported.unwrap_or_else(|message| self.ledger.failure(&mut input, "report", None, message))?;
        self.expected.input(&mut input, &mut self.ledger)?;
        if let Some(division) = input.division.take() {
            divide(&mut self.ledger, &input, *division)?;
        }
        let counts = !input.file.has_changed && !input.reported.is_not_chess;
        if counts {
            self.ledger.run.portrait.add(&input.read.portrait);
        }
        self.summarize(*input, counts)
    }
}

impl<'a> Emitter<'a> {
    pub fn new(sink: &'a mut dyn Sink, progress: &'a dyn Progress, settings: &'a Settings) -> Emitter<'a> {
        Emitter {
            ledger: Ledger::new(sink, progress, settings),
            expected: Expected::of(&settings.expectations),
            comparison: settings.options.duplicates.then(Box::default),
            saved: CardBatch::new(settings.cards().unwrap_or_default()),
            divides_early: is_divided_early(settings),
        }
    }

    /// Reports the next part of `input`, which begins at byte `start`. Returns whether nothing was
    /// lost.
    fn part(
        &mut self,
        input: &mut OpenInput,
        (start, counts, lines): (u64, Counts, u64),
        report: impl FnOnce(&mut Emitter<'a>, &mut OpenInput) -> io::Result<()>,
    ) -> io::Result<bool> {
        let reported = guarded("the findings from here on", || report(self, input));
        // What was read is counted even if its findings are lost.
        input.read.counts.add(counts);
        input.read.lines += lines;
        self.ledger.progress.advanced(counts);
        match reported {
            Ok(reported) => reported.map(|()| true),
            Err(message) => self.ledger.failure(input, "report", Some(start), message).map(|()| false),
        }
    }

    /// Takes the games of a part of an input, which has this name.
    fn games(&mut self, input: &str, mut cards: CardBatch, Shift { bytes, offset: before }: Shift) -> io::Result<()> {
        for mut card in cards.cards() {
            card.place_in(self.ledger.run.inputs, bytes, before.lines, before.records);
            if self.ledger.settings.games.is_some() && !card.is_position() {
                self.ledger.sink.game(input, &card)?;
            }
        }
        match &mut self.comparison {
            Some(comparison) => comparison.add(cards),
            None => Ok(()),
        }
    }

    /// Takes the game of an input, which has this name, whose card was saved elsewhere.
    fn saved_game(&mut self, input: &str, card: &str, shift: Shift) -> io::Result<()> {
        let damaged = |error| io::Error::new(io::ErrorKind::InvalidData, error);
        self.saved.restore(&BASE64.decode(card).map_err(damaged)?)?;
        let cards = self.saved.take();
        self.games(input, cards, shift)
    }

    /// Reports the next part of `input`, which was prepared elsewhere. Its places move by `bytes`.
    pub fn prepared(&mut self, input: &mut OpenInput, prepared: Prepared, bytes: i64) -> io::Result<()> {
        if input.file.has_changed {
            return Ok(());
        }
        let Prepared { read, repeated, findings, folded, cards, certified, collected } = prepared;
        let ReadPart { start, counts, portrait, lines, evidence, collecting } = read;
        let shift = Shift { offset: input.read.offset(), bytes };
        self.part(input, (shift.byte(start), counts, lines), |emitter, input| {
            input.read.portrait.add_packed(&portrait);
            emitter.begin_part(input, &evidence);
            repeated.drain(|(finding, around, times)| {
                emitter.repeated(input, placed(finding, shift), || around, times);
                Ok(())
            })?;
            findings.drain(|(finding, around)| emitter.found(input, placed(finding, shift), || around))?;
            folded.drain(|[finding, line]| emitter.ledger.sink.folded(finding, line))?;
            cards.drain(|card| emitter.saved_game(&input.about.name, &card, shift))?;
            let Offset { lines, records } = shift.offset;
            certified.drain(|position| emitter.ledger.sink.certified(&input.about.name, &position.after(lines, records)))?;
            if input.read.aggregates.is_empty() {
                input.read.aggregates = collecting.into_iter().filter_map(new_aggregate).collect();
            }
            collected.drain(|Collected { rule, offset, value }| {
                let shift = Shift { offset: shift.offset.plus(offset), ..shift };
                match input.read.aggregates.iter_mut().find(|aggregate| aggregate.rule() == rule) {
                    Some(aggregate) => aggregate.restore(value, shift),
                    None => Err(io::Error::new(io::ErrorKind::InvalidData, format!("{rule} collects nothing from this input"))),
                }
            })
        })
        .map(drop)
    }

    /// Takes what the next part shows about the input, before its findings.
    fn begin_part(&self, input: &mut OpenInput, evidence: &Evidence) {
        input.read.evidence.add(evidence);
        // A text without chess gets no findings. Findings before the first sign of chess wait until
        // the input is closed.
        if input.about.may_lack_chess && !input.read.evidence.is_chess(input.about.has_any_name()) {
            input.deferred.hold();
        }
    }

    /// Takes a finding of the next part that is reported once per input.
    fn repeated(&self, input: &mut OpenInput, finding: Finding, around: impl FnOnce() -> Around, times: u64) {
        let around = || if self.ledger.settings.examples > 0 { around() } else { None };
        input.deferred.repeated.add(moved(finding, input.read.offset()), around, times);
    }

    /// Reports a finding of the next part, or lets it wait for the end of the input.
    fn found(&mut self, input: &mut OpenInput, finding: Finding, around: impl FnOnce() -> Around) -> io::Result<()> {
        let Settings { examples, known, .. } = self.ledger.settings;
        let is_only_repaired = match finding.scope {
            Scope::Place | Scope::Habit { .. } => false,
            // It is reported with the input.
            Scope::Input { .. } => true,
            Scope::Group { .. } if finding.repair.is_some() => input.deferred.has_enough_repairs(&finding),
            Scope::Group { .. } if input.deferred.repeated.count(&finding) >= MIN_GROUPED => return self.ledger.folded(&finding),
            Scope::Group { .. } => false,
        };
        let offset = input.read.offset();
        // Those that need not wait do not, so that millions of repairs need no temporary file. Only
        // the order of the findings decides which ones wait.
        if is_only_repaired && input.deferred.may_pass(&finding) {
            self.ledger.folded(&finding)?;
            return self.ledger.repair_of_group(input, moved(finding, offset));
        }
        let is_known = known.contains(&finding.fingerprint);
        // Whether a finding belongs to a large group is known only at the end.
        let may_be_grouped = matches!(finding.scope, Scope::Group { .. }) && *examples > 0;
        let is_needed = may_be_grouped || input.deferred.may_be_example(&finding, is_known, *examples);
        let around = if is_needed && !is_only_repaired { around() } else { None };
        match input.deferred.take(moved(finding, offset), around)? {
            Some((finding, around)) => self.ledger.finding_with_repair(input, finding, around.as_deref()),
            // Its finding is counted with the input.
            None if is_only_repaired => Ok(()),
            None => {
                input.deferred.waiting += 1;
                self.ledger.progress.found(1);
                Ok(())
            }
        }
    }

    /// Reports that the input changed while it was read. Nothing is reported after that.
    pub fn changed(&mut self, input: &mut OpenInput, byte: Option<u64>, message: String) -> io::Result<()> {
        if std::mem::replace(&mut input.file.has_changed, true) {
            return Ok(());
        }
        self.ledger.report_failure(input, "read", byte, message)
    }

    /// Counts an input. Reports its summary, or keeps it if findings about it may follow. `counts`
    /// says whether its games are compared with others.
    fn summarize(&mut self, input: OpenInput, counts: bool) -> io::Result<()> {
        let (summary, records) = input.into_summary();
        let run = &mut self.ledger.run;
        run.counts.add(summary.counts);
        // Inputs are no parts of one text.
        run.counts.crc32 = 0;
        run.inputs += 1;
        match &mut self.comparison {
            Some(comparison) => {
                comparison.end_input((summary, records), self.ledger.settings, counts);
                Ok(())
            }
            None => self.ledger.sink.input(&summary),
        }
    }

    /// Compares all games with each other, if that was asked for, and reports the copies. Then it
    /// reports the summaries of the inputs.
    pub fn copies(&mut self, pool: Option<&ThreadPool>) -> io::Result<()> {
        self.comparison.take().map_or(Ok(()), |comparison| comparison.report(&mut self.ledger, pool))
    }

    /// Reports the expectations of the run that are not met. All inputs were read.
    pub fn expect_of_run(&mut self) -> io::Result<()> {
        self.expected.run(&mut self.ledger)
    }

    /// The summary of the run.
    pub fn finish(self, interrupted: bool) -> RunSummary {
        RunSummary { interrupted, ..self.ledger.run }
    }
}
