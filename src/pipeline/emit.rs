//! Puts chunks in order, turns places into places in the input, adds up evidence, and reports to
//! the sink.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    ops::Range,
};

use base64::{Engine, prelude::BASE64_STANDARD as BASE64};
use rayon::ThreadPool;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    CopySummary, DividedInput, ExpectedOfRun, Failure, InputSummary, Known, Place, Progress, RuleSummary, RunSummary, Settings,
    SeverityCounts, Sink, SplitOn,
    audited_part::{Around, Collected, Prepared, SavedInput},
    bad_records::{BadFinding, BadRecord, Division, Verdict},
    chunk::{Chunk, ChunkFailure},
    copies::{CopyReporter, RECORD_KEYS},
    deferred::Deferred,
    digests::Digests,
    expectations::{SetAt, number_of},
    once_per_input::{Key, OncePerInput, habit, key},
    panics::{guarded, trial},
    reasons_of_records::Reason,
    record_findings::RECORD_BEFORE,
    records::Records,
    suppression::left_out,
};
use crate::{
    corpus::{Input, Skipped, Watch, has_chess_name},
    identity::{CardBatch, Games},
    record::{Counts, Evidence, Excerpt, PackedPortrait, Portrait, Tally, fingerprint_of, is_reported_once, kind_fingerprint},
    rules::{
        Check, Code, CodeSet, Finding, Findings, Keep, MIN_GROUPED, Rule, Scope, Severity,
        aggregate::{Aggregate, InputFinding, NotedText, Offset, Shift},
        ctr::too_few_moves,
        dup::{better_header, other_spelling},
        exp::{missing_input, other_digest, too_many_findings, unexpected_count},
        report_not_text, rule,
        variant_shown::MANY_EXCEPTIONS,
    },
    text::{Format, Span, wording::thousands},
};

/// Receives what a run reads. One machine reports it at once. A shard keeps it for the report that
/// is merged from all shards.
pub(super) trait Collector {
    /// Takes the next chunk of `input`. `text` begins at byte `base` of the input.
    fn chunk(&mut self, input: &mut OpenInput, chunk: Chunk, text: &[u8], base: u64) -> io::Result<()>;

    /// Takes a failure of the auditor on `input`. If the input changed, that is the reason.
    fn failure(&mut self, input: &mut OpenInput, stage: &'static str, byte: Option<u64>, message: String) -> io::Result<()>;

    /// Counts files that were skipped on purpose.
    fn skipped(&mut self, skipped: Skipped);

    /// Takes an input without chess. A file that the user has named should contain chess, so that
    /// is a failure with this `message`. For a file that was found by a search, it is a finding.
    fn not_chess(&mut self, input: &mut OpenInput, message: &str) -> io::Result<()>;

    /// Takes an input that is not text that can be read: UTF-32, or an archive.
    fn foreign(&mut self, input: &mut OpenInput, kind: &str) -> io::Result<()>;

    /// Whether it takes all chunks, even those of inputs about which there is nothing to report.
    fn takes_all_chunks(&self) -> bool;

    /// Takes an input about which there is nothing to report, instead of its chunks.
    fn clean(&mut self, input: CleanInput) -> io::Result<()>;

    /// Closes an input: what was known only at its end can be reported, and the summary.
    fn close(&mut self, input: Box<OpenInput>) -> io::Result<()>;
}

/// Reports the findings of a run to a sink, in order, and counts them.
pub(super) struct Emitter<'a> {
    sink: &'a mut dyn Sink,
    progress: &'a dyn Progress,
    settings: &'a Settings,
    /// Known findings that were not found yet.
    unmet: Known,
    run: RunSummary,
    /// The games read so far, if they are compared with each other.
    games: Option<Box<Games>>,
    /// The summaries of the inputs read so far, if findings about them may follow.
    finished: Vec<(InputSummary, Records)>,
    /// Whether the sink learns early which records are probably bad.
    divides_early: bool,
    /// For each of the inputs that are expected, whether one was read.
    seen: Vec<bool>,
    /// The digests of inputs of which one is expected.
    pub digests: Digests,
}

/// An input about which there is nothing to report.
#[derive(Debug)]
pub(super) struct CleanInput {
    name: String,
    format: Option<Format>,
    counts: Counts,
    portrait: PackedPortrait,
}

impl CleanInput {
    /// The input, if there is nothing to report about it. `chunk` is all of it.
    pub fn of(input: &OpenInput, chunk: &Chunk) -> Option<CleanInput> {
        let OpenInput { name, format, .. } = input;
        let is_clean = guarded("this input", || {
            trial("close", name.as_bytes(), 0);
            chunk.is_clean() && !chunk.aggregates.iter().any(|aggregate| aggregate.may_report_alone())
        });
        is_clean.unwrap_or(false).then(|| {
            let Tally { counts, portrait, .. } = &chunk.tally;
            CleanInput { name: name.clone(), format: *format, counts: *counts, portrait: portrait.packed() }
        })
    }
}

/// An input that is being reported.
#[derive(Debug)]
pub(super) struct OpenInput {
    pub name: String,
    pub format: Option<Format>,
    /// Whether it was found by a search.
    pub scanned: bool,
    /// Whether it is reported as not chess if it contains none: it was found by a search, or its
    /// format was not set.
    pub may_lack_chess: bool,
    counts: Counts,
    pub portrait: Portrait,
    findings: SeverityCounts,
    lines: u64,
    evidence: Evidence,
    deferred: Deferred,
    /// What was collected for rules about the whole input; empty before the first chunk.
    aggregates: Vec<Box<dyn Aggregate>>,
    pub repeated: OncePerInput<Option<Box<Excerpt>>>,
    /// Number of findings with a repair, for each kind of finding that may be grouped.
    pub patched: FxHashMap<Key, u64>,
    /// Number of excerpts for findings of one key, separately for known ones.
    excerpts: FxHashMap<(Key, bool), u64>,
    /// Number of findings reported per rule and severity, separately for known ones.
    examples: FxHashMap<(Code, Severity, bool), u64>,
    pub complete: bool,
    /// For each rule and severity: number of findings, and the last record with one.
    rules: FxHashMap<(Code, Severity), (u64, u64)>,
    /// The records with findings.
    records: Records,
    /// Number of findings that wait for the end of the input. The progress counts them already.
    waiting: u64,
    /// Fingerprints of its findings that are reported once per input.
    shared: FxHashSet<u64>,
    /// Rules that are excepted for this input.
    left_out: Option<CodeSet>,
    /// Whether its text was converted from UTF-16.
    pub is_converted: bool,
    /// Whether it was reported not to be chess.
    is_not_chess: bool,
    /// The size of its file when that was opened, or of the archive that contains it, if known.
    pub stored_size: Option<u64>,
    /// Shows whether it changed since it was opened.
    pub watch: Option<Watch>,
    /// Whether a change was reported. Nothing is reported after it.
    pub has_changed: bool,
    /// What shows which of its records are bad, if that is asked for.
    division: Option<Box<Division>>,
}

impl OpenInput {
    /// An input, read in `format` if it can be read.
    pub fn of(input: &Input, format: Option<Format>) -> Box<OpenInput> {
        let may_lack_chess = input.scanned || input.format.is_none();
        OpenInput { scanned: input.scanned, may_lack_chess, ..OpenInput::new(&input.name, format) }.into()
    }

    /// A text in memory.
    pub fn of_text(format: Format) -> Box<OpenInput> {
        OpenInput::new("", Some(format)).into()
    }

    /// One record of an input, after this number of lines.
    pub fn of_record(input: &Input, format: Format, lines: u64) -> Box<OpenInput> {
        OpenInput { lines, ..OpenInput::new(&input.name, Some(format)) }.into()
    }

    /// An input that was opened elsewhere.
    pub fn of_saved(saved: &SavedInput) -> Box<OpenInput> {
        let SavedInput { name, format, scanned, may_lack_chess, is_converted } = saved;
        let (scanned, may_lack_chess, is_converted) = (*scanned, *may_lack_chess, *is_converted);
        OpenInput { scanned, may_lack_chess, is_converted, ..OpenInput::new(name, *format) }.into()
    }

    /// What is known of the input itself.
    pub fn saved(&self) -> SavedInput {
        SavedInput {
            name: self.name.clone(),
            format: self.format,
            scanned: self.scanned,
            may_lack_chess: self.may_lack_chess,
            is_converted: self.is_converted,
        }
    }

    fn new(name: &str, format: Option<Format>) -> OpenInput {
        OpenInput {
            name: name.to_owned(),
            format,
            scanned: false,
            may_lack_chess: false,
            counts: Counts::default(),
            portrait: Portrait::default(),
            findings: SeverityCounts::default(),
            lines: 0,
            evidence: Evidence::default(),
            deferred: Deferred::default(),
            aggregates: Vec::new(),
            repeated: OncePerInput::of_input(),
            patched: FxHashMap::default(),
            excerpts: FxHashMap::default(),
            examples: FxHashMap::default(),
            complete: true,
            rules: FxHashMap::default(),
            records: Records::default(),
            waiting: 0,
            shared: FxHashSet::default(),
            left_out: None,
            is_converted: false,
            is_not_chess: false,
            stored_size: None,
            watch: None,
            has_changed: false,
            division: None,
        }
    }

    /// Its summary, and the records with findings.
    fn into_summary(self) -> (InputSummary, Records) {
        let summary = InputSummary {
            name: self.name,
            format: self.format,
            counts: self.counts,
            findings: self.findings,
            rules: self.rules.into_iter().map(|(key, (findings, _))| (key, findings)).collect(),
            complete: self.complete,
            is_not_chess: self.is_not_chess,
        };
        (summary, self.records)
    }

    /// Whether there are so many findings of this kind that they are reported once.
    fn is_in_group(&self, finding: &Finding) -> bool {
        matches!(finding.scope, Scope::Group { .. }) && self.repeated.count(finding) >= MIN_GROUPED
    }

    /// Whether it was found by a search, and its name does not say that it contains chess.
    fn has_any_name(&self) -> bool {
        self.scanned && !has_chess_name(&self.name)
    }

    /// Whether the finding is reported with others of its kind, after the whole input was read.
    fn is_folded(&self, finding: &Finding) -> bool {
        self.is_habit(&finding.scope, self.repeated.count(finding)) || self.is_in_group(finding)
    }

    /// Whether findings of this scope that `times` records have are reported as a habit.
    fn is_habit(&self, scope: &Scope, times: u64) -> bool {
        matches!(scope, Scope::Habit { .. }) && self.is_share(times, HABIT_PERCENT)
    }

    /// Whether nearly all records have what `times` of them have.
    fn is_usual(&self, times: u64) -> bool {
        self.is_share(times, USUAL_PERCENT)
    }

    /// Whether `times` of the records are many, and so many of 100.
    fn is_share(&self, times: u64, percent: u64) -> bool {
        times >= MIN_GROUPED && times * 100 >= self.counts.records() * percent
    }

    /// Whether it was read completely, but contains no chess.
    fn lacks_chess(&self) -> bool {
        self.complete && self.may_lack_chess && self.evidence.is_foreign(self.has_any_name())
    }

    /// Whether the finding may be one of the first `examples` of its rule. Findings with the same
    /// key are reported or dropped together. Known findings are counted separately.
    pub fn may_be_example(&mut self, finding: &Finding, known: bool, examples: u64) -> bool {
        let taken = self.excerpts.entry((key(finding), known)).or_insert(0);
        *taken += 1;
        *taken <= examples
    }
}

/// The text around `place`. `record` and `place` are spans in the input.
pub(super) fn excerpt(text: &[u8], base: u64, record: Span, place: Span) -> Excerpt {
    let base = usize::try_from(base).unwrap_or(usize::MAX);
    let here = |span: Span| Span::new(span.start.saturating_sub(base), span.end.saturating_sub(base));
    Excerpt::of(text, here(record), here(place))
}

/// Hands out findings in their order, each with the text around it or where that is.
type Drain<'a, R> = Box<dyn FnOnce(&mut dyn FnMut(Finding, R) -> io::Result<()>) -> io::Result<()> + 'a>;

/// Hands out findings that are reported once per input, each also with its count.
type DrainCounted<'a, R> = Box<dyn FnOnce(&mut dyn FnMut(Finding, R, u64) -> io::Result<()>) -> io::Result<()> + 'a>;

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

/// Share of the records, in percent, from which a fault of form is reported once. At least
/// [`MIN_GROUPED`] records must have it.
const HABIT_PERCENT: u64 = 50;

/// Share of the records, in percent, from which a fault that is grouped is only an info. At least
/// [`MIN_GROUPED`] records must have it.
const USUAL_PERCENT: u64 = 95;

/// The end of a message about a fault that many records of an input have: their cause, if known.
fn why_usual(rule: &Rule) -> &'static str {
    if rule.code == too_few_moves::RULE.code { ": the move numbers probably count from a set-up position" } else { "" }
}

/// Maximum number of faults that are counted over all inputs.
const MAX_SHARED: usize = 10_000;

/// The message about a text with any name that was found by a search and is not mostly chess.
const HARDLY_CHESS: &str = "the text contains no tag pair, no piece placement and hardly any moves";

/// The message about a text without any sign of chess.
const NOT_CHESS: &str = "the text contains no tag pair, no playable move and no piece placement";

impl Collector for Emitter<'_> {
    fn chunk(&mut self, input: &mut OpenInput, chunk: Chunk, text: &[u8], base: u64) -> io::Result<()> {
        let start = base + chunk.start as u64;
        // The text of the chunk may be that of before the change, or of after it, or zeros.
        if self.reports_change(input, Some(start))? {
            return Ok(());
        }
        let Chunk { tally, findings, mut repeated, lines, aggregates, cards, certified, failures, mut marks, .. } = chunk;
        let counted = repeated.take_counted();
        let before = (input.counts.records(), input.lines);
        let is_complete = self.part(input, (start, tally.counts, lines), |emitter, input| {
            let around = |record: Span, place: Span| Some(Box::new(excerpt(text, base, record, place)));
            let before = Offset { lines: input.lines, records: input.counts.records() };
            let repeated: DrainCounted<'_, Span> = Box::new(|take| {
                repeated.into_findings().into_iter().try_for_each(|(finding, record, times)| take(finding, record, times))
            });
            let findings: Drain<'_, Span> = Box::new(|take| findings.drain(take));
            input.portrait.add(&tally.portrait);
            emitter.findings(input, &tally.evidence, repeated, findings, &around)?;
            counted.iter().for_each(|(finding, times)| input.repeated.count_more(finding, *times));
            emitter.games(&input.name, cards, Shift { offset: before, bytes: 0 })?;
            for position in certified {
                emitter.sink.certified(&input.name, &position.after(before.lines, before.records))?;
            }
            for ChunkFailure { stage, byte, message } in failures {
                emitter.failure(input, stage, Some(byte), message)?;
            }
            if input.aggregates.is_empty() {
                input.aggregates = aggregates.iter().map(|aggregate| aggregate.part()).collect();
            }
            let mut parts = input.aggregates.iter_mut().zip(aggregates);
            parts.try_for_each(|(aggregate, next)| aggregate.merge(next, NotedText { text, base }, before))
        })?;
        if self.settings.split.is_none() {
            return Ok(());
        }
        let end = start + tally.counts.bytes;
        if is_complete && self.divides_early {
            self.divide_early(start..end, marks.take_probably_bad(), text, base)?;
        }
        let lost = (!is_complete).then_some((start, end));
        input.division.get_or_insert_default().add(marks, before, lost)
    }

    fn failure(&mut self, input: &mut OpenInput, stage: &'static str, byte: Option<u64>, message: String) -> io::Result<()> {
        if self.reports_change(input, byte)? { Ok(()) } else { self.report_failure(input, stage, byte, message) }
    }

    fn skipped(&mut self, skipped: Skipped) {
        self.run.skipped.add(skipped);
    }

    fn not_chess(&mut self, input: &mut OpenInput, message: &str) -> io::Result<()> {
        if input.scanned {
            input.is_not_chess = true;
            self.run.not_chess += 1;
            let should_be_chess = has_chess_name(&input.name);
            self.about_input(input, |findings| crate::rules::report_not_chess(findings, message, should_be_chess))
        } else {
            self.failure(input, "recognise", None, message.to_owned())
        }
    }

    fn foreign(&mut self, input: &mut OpenInput, kind: &str) -> io::Result<()> {
        self.about_input(input, |findings| report_not_text(findings, kind))
    }

    fn takes_all_chunks(&self) -> bool {
        // Even without findings, there may be text that belongs to no record.
        self.settings.split.is_some() || self.settings.keeps_cards() || self.settings.options.certify.is_some()
    }

    fn clean(&mut self, input: CleanInput) -> io::Result<()> {
        let CleanInput { name, format, counts, portrait } = input;
        self.run.portrait.add_packed(&portrait);
        self.progress.advanced(counts);
        if !self.settings.expectations.is_empty() {
            let mut input = OpenInput { counts, ..OpenInput::new(&name, format) };
            self.expect(&mut input)?;
            let (summary, records) = input.into_summary();
            return self.summarize(summary, true, records);
        }
        let summary = InputSummary {
            name,
            format,
            counts,
            findings: SeverityCounts::default(),
            rules: BTreeMap::new(),
            complete: true,
            is_not_chess: false,
        };
        self.summarize(summary, true, Records::default())
    }

    fn close(&mut self, mut input: Box<OpenInput>) -> io::Result<()> {
        self.reports_change(&mut input, None)?;
        let reported = guarded("this input", || {
            trial("close", input.name.as_bytes(), 0);
            self.end(&mut input)
        });
        reported.unwrap_or_else(|message| self.failure(&mut input, "report", None, message))?;
        self.expect(&mut input)?;
        if let Some(division) = input.division.take() {
            self.divide(&input, *division)?;
        }
        let counts = !input.has_changed && !input.is_not_chess;
        if counts {
            self.run.portrait.add(&input.portrait);
        }
        let (summary, records) = input.into_summary();
        self.summarize(summary, counts, records)
    }
}

impl<'a> Emitter<'a> {
    pub fn new(sink: &'a mut dyn Sink, progress: &'a dyn Progress, settings: &'a Settings) -> Emitter<'a> {
        let games = settings.options.duplicates.then(Box::default);
        // With known findings or copies that are moved, the guess would be wrong too often.
        let may_guess = |on: SplitOn| !(settings.options.duplicates && on.concerns_copies(&settings.selection));
        let divides_early = settings.known.is_empty() && settings.split.is_some_and(may_guess);
        Emitter {
            sink,
            progress,
            settings,
            unmet: settings.known.clone(),
            run: RunSummary::default(),
            games,
            finished: Vec::new(),
            divides_early,
            seen: vec![false; settings.expectations.of_inputs.len()],
            digests: Digests::new(),
        }
    }

    /// Hands out a part of an input, divided as is probably right. `text` begins at byte `base`.
    fn divide_early(&mut self, part: Range<u64>, bad: Option<Vec<Range<u64>>>, text: &[u8], base: u64) -> io::Result<()> {
        let Some(bad) = bad else { return Ok(()) };
        let mut at = part.start;
        let mut hand_out = |is_bad, end: u64| {
            let end = end.clamp(at, part.end);
            let [from, to] = [at, end].map(|place| usize::try_from(place - base).unwrap_or(usize::MAX));
            let start = std::mem::replace(&mut at, end);
            match text.get(from..to) {
                Some(text) if !text.is_empty() => self.sink.probably(is_bad, start, text),
                _ => Ok(()),
            }
        };
        for stretch in bad {
            hand_out(false, stretch.start)?;
            hand_out(true, stretch.end)?;
        }
        hand_out(false, part.end)
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
        input.counts.add(counts);
        input.lines += lines;
        self.progress.advanced(counts);
        match reported {
            Ok(reported) => reported.map(|()| true),
            Err(message) => self.failure(input, "report", Some(start), message).map(|()| false),
        }
    }

    /// Takes the games of a part of an input, which has this name.
    fn games(&mut self, input: &str, mut cards: CardBatch, Shift { bytes, offset: before }: Shift) -> io::Result<()> {
        for mut card in cards.cards() {
            card.place_in(self.run.inputs, bytes, before.lines, before.records);
            if self.settings.games && !card.is_position() {
                self.sink.game(input, &card)?;
            }
        }
        match &mut self.games {
            Some(games) => games.add(cards),
            None => Ok(()),
        }
    }

    /// Takes the game of an input, which has this name, whose card was saved elsewhere.
    fn saved_game(&mut self, input: &str, card: &str, shift: Shift) -> io::Result<()> {
        let damaged = |error| io::Error::new(io::ErrorKind::InvalidData, error);
        let mut cards = CardBatch::new(self.settings.options.duplicates);
        cards.restore(&BASE64.decode(card).map_err(damaged)?)?;
        self.games(input, cards, shift)
    }

    /// Reports the next part of `input`, which was prepared elsewhere. Its places move by `bytes`.
    pub fn prepared(&mut self, input: &mut OpenInput, prepared: Prepared, bytes: i64) -> io::Result<()> {
        if input.has_changed {
            return Ok(());
        }
        let Prepared { start, counts, portrait, lines, evidence, repeated, findings, cards, certified, collecting, collected } =
            prepared;
        let shift = Shift { offset: Offset { lines: input.lines, records: input.counts.records() }, bytes };
        self.part(input, (shift.byte(start), counts, lines), |emitter, input| {
            let repeated: DrainCounted<'_, Around> =
                Box::new(|take| repeated.drain(|(finding, around, times)| take(placed(finding, shift), around, times)));
            let findings: Drain<'_, Around> =
                Box::new(|take| findings.drain(|(finding, around)| take(placed(finding, shift), around)));
            input.portrait.add_packed(&portrait);
            emitter.findings(input, &evidence, repeated, findings, &|around, _| around)?;
            cards.drain(|card| emitter.saved_game(&input.name, &card, shift))?;
            let Offset { lines, records } = shift.offset;
            certified.drain(|position| emitter.sink.certified(&input.name, &position.after(lines, records)))?;
            if input.aggregates.is_empty() {
                input.aggregates = collecting.into_iter().filter_map(new_aggregate).collect();
            }
            collected.drain(|Collected { rule, offset, value }| {
                let shift = Shift { offset: shift.offset.plus(offset), ..shift };
                match input.aggregates.iter_mut().find(|aggregate| aggregate.rule() == rule) {
                    Some(aggregate) => aggregate.restore(value, shift),
                    None => Err(io::Error::new(io::ErrorKind::InvalidData, format!("{rule} collects nothing from this input"))),
                }
            })
        })
        .map(drop)
    }

    /// Reports the findings of a part, and takes what it shows about the input.
    fn findings<R>(
        &mut self,
        input: &mut OpenInput,
        evidence: &Evidence,
        repeated: DrainCounted<'_, R>,
        findings: Drain<'_, R>,
        around_of: &dyn Fn(R, Span) -> Around,
    ) -> io::Result<()> {
        let records = input.counts.records();
        let lines = input.lines;
        let moved = |mut finding: Finding| {
            finding.line += lines;
            finding.game = match finding.game {
                0 => 0,
                RECORD_BEFORE => records,
                game => game + records,
            };
            finding
        };
        let Settings { examples, known, .. } = self.settings;
        input.evidence.add(evidence);
        // A text without chess gets no findings. Findings before the first sign of chess wait until
        // the input is closed.
        if input.may_lack_chess && !input.evidence.is_chess(input.has_any_name()) {
            input.deferred.hold();
        }
        repeated(&mut |finding, record, times| {
            let place = finding.place;
            let around = || if *examples > 0 { around_of(record, place) } else { None };
            input.repeated.add(moved(finding), around, times);
            Ok(())
        })?;
        findings(&mut |finding, record| {
            let is_only_repaired = match finding.scope {
                Scope::Place | Scope::Habit { .. } => false,
                // It is reported with the input.
                Scope::Input { .. } => true,
                Scope::Group { .. } if finding.repair.is_some() => {
                    let count = input.patched.entry(key(&finding)).or_default();
                    *count += 1;
                    *count > MIN_GROUPED
                }
                Scope::Group { .. } if input.is_in_group(&finding) => return Ok(()),
                Scope::Group { .. } => false,
            };
            // Those that need not wait do not, so that millions of repairs need no temporary file.
            // Only the order of the findings decides which ones wait.
            if is_only_repaired && input.deferred.may_pass(&finding) {
                return self.repair_of_group(input, moved(finding));
            }
            let is_known = known.contains(&finding.fingerprint);
            // Whether a finding belongs to a large group is known only at the end.
            let may_be_grouped = matches!(finding.scope, Scope::Group { .. }) && *examples > 0;
            let is_needed = may_be_grouped || input.may_be_example(&finding, is_known, *examples);
            let around = if is_needed && !is_only_repaired { around_of(record, finding.place) } else { None };
            match input.deferred.take((moved(finding), around))? {
                Some((finding, around)) => self.finding_with_repair(input, finding, around.as_deref()),
                // Its finding is counted with the input.
                None if is_only_repaired => Ok(()),
                None => {
                    input.waiting += 1;
                    self.progress.found(1);
                    Ok(())
                }
            }
        })
    }

    /// Reports that the input changed while it was read. Returns whether it did.
    fn reports_change(&mut self, input: &mut OpenInput, byte: Option<u64>) -> io::Result<bool> {
        if let Some(change) = input.watch.as_ref().and_then(Watch::change) {
            self.changed(input, byte, change.to_string())?;
        }
        Ok(input.has_changed)
    }

    /// Reports that the input changed while it was read. Nothing is reported after that.
    pub fn changed(&mut self, input: &mut OpenInput, byte: Option<u64>, message: String) -> io::Result<()> {
        if std::mem::replace(&mut input.has_changed, true) {
            return Ok(());
        }
        self.report_failure(input, "read", byte, message)
    }

    fn report_failure(
        &mut self,
        input: &mut OpenInput,
        stage: &'static str,
        byte: Option<u64>,
        message: String,
    ) -> io::Result<()> {
        input.complete = false;
        self.run.failures += 1;
        self.sink.failure(&Failure { input: input.name.clone(), byte, stage, message })
    }

    /// Reports findings about the input as a whole, at its first byte.
    fn about_input(&mut self, input: &mut OpenInput, report: impl FnOnce(&mut Findings)) -> io::Result<()> {
        let mut findings = Findings::new();
        report(&mut findings);
        for finding in findings.all().drain(..) {
            let fingerprint = kind_fingerprint(&finding, &finding.found);
            self.finding_with_repair(input, Finding { line: 1, column: 1, fingerprint, ..finding }, None)?;
        }
        Ok(())
    }

    /// Reports what is expected of an input and is not so.
    fn expect(&mut self, input: &mut OpenInput) -> io::Result<()> {
        let expectations = &self.settings.expectations;
        for (seen, (_, expected)) in self.seen.iter_mut().zip(&expectations.of_inputs) {
            *seen |= expected.names.is_match(&input.name);
        }
        let name = input.name.clone();
        let mut reported = Vec::new();
        for (set_at, quantity, bounds) in expectations.of_input(&name) {
            let number = number_of(quantity, 1, &input.counts);
            if bounds.excludes(number, input.complete) && !reported.contains(&(quantity, bounds)) {
                reported.push((quantity, bounds));
                let place = SetAt { file: name.clone(), line: 1, byte: 0 };
                let set_at = set_at.to_string();
                self.unexpected(input, &place, |findings| {
                    unexpected_count::report(findings, "the input", (quantity, number, bounds), Some(&set_at));
                })?;
            }
        }
        Ok(())
    }

    /// Reports what is expected of the run and is not so, at the lines that set it. All inputs were
    /// read.
    pub fn expect_of_run(&mut self) -> io::Result<()> {
        let expectations = &self.settings.expectations;
        let is_all = self.run.failures == 0;
        let digests = std::mem::take(&mut self.digests);
        for ((set_at, expected), is_seen) in expectations.of_inputs.iter().zip(std::mem::take(&mut self.seen)) {
            if !is_seen {
                self.unexpected_of_run(set_at, |findings| missing_input::report(findings, &expected.glob))?;
            }
        }
        for (set_at, expected) in &expectations.of_run {
            match expected {
                ExpectedOfRun::Count(quantity, bounds) => {
                    let number = number_of(*quantity, self.run.inputs, &self.run.counts);
                    if bounds.excludes(number, is_all) {
                        self.unexpected_of_run(set_at, |findings| {
                            unexpected_count::report(findings, "the run", (*quantity, number, *bounds), None);
                        })?;
                    }
                }
                ExpectedOfRun::Digest { file, sha256 } => {
                    let others = digests.iter().filter(|(name, found)| name == file && found != sha256);
                    let found: BTreeSet<&str> = others.map(|(_, found)| found.as_str()).collect();
                    if let Some(found) = found.first() {
                        self.unexpected_of_run(set_at, |findings| other_digest::report(findings, file, found, sha256))?;
                    }
                }
                ExpectedOfRun::Findings(name, rules, ceiling) => {
                    let counted = self.run.rules.iter().filter(|((code, _), _)| rules.contains(*code));
                    let number = counted.map(|(_, found)| found.findings).sum();
                    let records = self.run.counts.records();
                    if ceiling.excludes(number, records, is_all) {
                        self.unexpected_of_run(set_at, |findings| {
                            too_many_findings::report(findings, name, (number, records), *ceiling);
                        })?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Reports findings about the run at the line that sets what is expected.
    fn unexpected_of_run(&mut self, set_at: &SetAt, report: impl FnOnce(&mut Findings)) -> io::Result<()> {
        self.unexpected(&mut OpenInput::new(&set_at.file, None), set_at, report)
    }

    /// Reports findings about what is expected. They stay known as long as the same is expected.
    fn unexpected(&mut self, input: &mut OpenInput, place: &SetAt, report: impl FnOnce(&mut Findings)) -> io::Result<()> {
        let mut findings = Findings::new();
        report(&mut findings);
        let at = Span::new(place.byte, place.byte);
        for finding in findings.all().drain(..) {
            let fingerprint = kind_fingerprint(&finding, &format!("{}\n{}", place.file, finding.expected));
            self.finding(input, Finding { place: at, line: place.line, column: 1, fingerprint, ..finding }, None, 1)?;
        }
        Ok(())
    }

    /// Reports the findings that waited, and the repeated ones with their counts.
    fn end(&mut self, input: &mut OpenInput) -> io::Result<()> {
        if input.lacks_chess() {
            let Counts { bytes, crc32, .. } = input.counts;
            input.counts = Counts { bytes, crc32, ..Counts::default() };
            (input.deferred, input.repeated) = (Deferred::default(), OncePerInput::of_input());
            input.aggregates.clear();
            if let Some(division) = &mut input.division {
                division.reject(input.counts.bytes)?;
            }
            let message = if input.has_any_name() {
                HARDLY_CHESS.to_owned()
            } else if input.scanned {
                NOT_CHESS.to_owned()
            } else {
                format!("{NOT_CHESS}; set its format with `--format` to read it anyway")
            };
            return self.not_chess(input, &message);
        }
        if input.is_converted {
            self.about_input(input, crate::rules::report_converted)?;
        }
        if input.complete && input.counts.records() == 0 && input.format.is_some() {
            let is_archive = input.name.to_ascii_lowercase().ends_with(".zip");
            self.about_input(input, |findings| crate::rules::report_empty_input(findings, is_archive))?;
        }
        let mut evidence = input.evidence.clone();
        evidence.notes.declared = self.settings.variant;
        input.repeated.join_habits(|conditions| evidence.notes.hold_all(conditions));
        std::mem::take(&mut input.deferred).release(&evidence, |(finding, around)| {
            let is_folded = matches!(finding.scope, Scope::Input { .. }) || input.is_folded(&finding);
            if is_folded && !self.settings.repairs {
                Ok(())
            } else if is_folded {
                self.repair_of_group(input, finding)
            } else {
                self.finding_with_repair(input, finding, around.as_deref())
            }
        })?;
        self.judge(input, &evidence);
        for aggregate in std::mem::take(&mut input.aggregates) {
            aggregate.report(&mut |InputFinding { finding, subject }| {
                let fingerprint = fingerprint_of(&finding, subject);
                let finding = Finding { fingerprint, ..finding };
                self.note_bad_place(input, &finding)?;
                self.finding_with_repair(input, finding, None)
            })?;
        }
        let mut repeated = std::mem::take(&mut input.repeated).into_findings();
        repeated.retain(|(finding, ..)| evidence.notes.hold_all(finding.conditions));
        repeated.sort_by_key(|(finding, ..)| (finding.place, finding.rule.code));
        // The first of many exceptions is reported for all of them, whatever their rules.
        let mut has_exception = false;
        repeated.retain(|(finding, ..)| {
            let is_exception = finding.conditions.has(MANY_EXCEPTIONS);
            !(is_exception && std::mem::replace(&mut has_exception, true))
        });
        let mut habits = FxHashSet::default();
        for (mut finding, around, times) in repeated {
            if let Scope::Group { is_info_if_usual, .. } = finding.scope {
                if times < MIN_GROUPED {
                    continue;
                }
                if is_info_if_usual && input.is_usual(times) {
                    finding.severity = Severity::Info;
                }
            }
            if let Scope::Habit { .. } = finding.scope {
                let is_new = habits.insert(habit(&finding));
                if !is_new || !input.is_habit(&finding.scope, times) {
                    continue;
                }
                let (times, records) = (thousands(times), thousands(input.counts.records()));
                finding.message.push_str(&format!("; in {times} of {records} records of this input, first here"));
                finding.message.push_str(why_usual(finding.rule));
            } else {
                evidence.notes.complete(&mut finding, times);
            }
            // The repairs of all places are listed already.
            self.finding(input, finding, around.as_deref(), times)?;
        }
        Ok(())
    }

    /// Judges what findings say about their records. They are still counted, and `evidence` is that
    /// of the whole input.
    fn judge(&self, input: &mut OpenInput, evidence: &Evidence) {
        let Some(on) = self.settings.split else { return };
        let Some(mut division) = input.division.take() else { return };
        let left_out = *input.left_out.get_or_insert_with(|| left_out(&self.settings.exceptions, &input.name));
        division.judge(|reason: &Reason| {
            let Reason { rule, severity, conditions, counted } = reason;
            let mut severity = *severity;
            let mut are_known = None;
            if let Some((key, scope, fingerprint)) = counted {
                let times = input.repeated.count_of(key);
                let is_group = matches!(scope, Scope::Group { .. });
                if matches!(scope, Scope::Group { is_info_if_usual: true, .. }) && times >= MIN_GROUPED && input.is_usual(times) {
                    severity = Severity::Info;
                }
                if if is_group { times >= MIN_GROUPED } else { input.is_habit(scope, times) } {
                    are_known = Some(self.settings.known.contains(fingerprint));
                }
            }
            let is_reported = evidence.notes.hold_all(*conditions) && !left_out.contains(rule.code);
            let severity = self.settings.selection.severity_shown(rule.code, severity).filter(|_| is_reported)?;
            Some(Verdict { severity, moves: on.moves(rule, severity), are_known })
        });
        input.division = Some(division);
    }

    /// Notes that a finding about the whole input makes a record bad, if it does.
    fn note_bad_place(&self, input: &mut OpenInput, finding: &Finding) -> io::Result<()> {
        let Some(on) = self.settings.split.filter(|_| finding.game > 0) else { return Ok(()) };
        let mut finding = finding.clone();
        let moves = self.is_admitted(input, &mut finding)
            && on.moves(finding.rule, finding.severity)
            && !self.settings.known.contains(&finding.fingerprint);
        match &mut input.division {
            Some(division) if moves => division.note_place(finding.place.start as u64),
            _ => Ok(()),
        }
    }

    /// Shows the sink which records of the input are bad.
    fn divide(&mut self, input: &OpenInput, division: Division) -> io::Result<()> {
        let Settings { known, .. } = self.settings;
        let sink = &mut *self.sink;
        let (layout, header) = division.release(|fingerprint| known.contains(&fingerprint), |record| sink.bad_record(&record))?;
        let records = input.counts.records();
        let divided = DividedInput {
            number: self.run.inputs,
            layout: layout.filter(|_| records > 0 || !header.is_empty()),
            header,
            length: input.counts.bytes,
            records,
            is_converted: input.is_converted,
            stamp: input.watch.as_ref().map(Watch::stamp),
        };
        sink.divided(&input.name, divided)
    }

    /// Reports the summary of an input, or keeps it if findings about it may follow. `counts` says
    /// whether its games are compared with others.
    fn summarize(&mut self, summary: InputSummary, counts: bool, records: Records) -> io::Result<()> {
        self.run.counts.add(summary.counts);
        // Inputs are no parts of one text.
        self.run.counts.crc32 = 0;
        self.run.inputs += 1;
        let Some(games) = &mut self.games else { return self.sink.input(&summary) };
        games.end_input(counts.then(|| summary.name.clone()));
        self.finished.push((summary, records));
        Ok(())
    }

    /// Compares all games with each other, if that was asked for, and reports the copies. Then it
    /// reports the summaries of the inputs.
    pub fn copies(&mut self, pool: Option<&ThreadPool>) -> io::Result<()> {
        let Some(games) = self.games.take() else { return Ok(()) };
        let spellings = self.settings.spellings.as_deref();
        let mut copies = match pool {
            Some(pool) => pool.install(|| games.copies(spellings, RECORD_KEYS))?,
            None => games.copies(spellings, RECORD_KEYS)?,
        };
        copies.take_players(|player| self.sink.player(player))?;
        let positions = copies.take_positions();
        let spellings = copies.take_other_spellings();
        let oddities = copies.take_oddities();
        let selection = &self.settings.selection;
        let related = copies.take_related();
        let mut kept = copies.take_kept().take_while(|_| selection.runs(&better_header::RULE)).fuse();
        let mut spellings = spellings.take_while(|_| selection.runs(&other_spelling::RULE)).fuse();
        let mut reporter = CopyReporter::new(&copies, related, selection, pool);
        let mut open: Option<(u64, OpenInput)> = None;
        let (mut positions, mut oddities) = (positions.fuse(), oddities.fuse());
        while let Some((number, findings)) = if let Some(found) = reporter.next()? {
            Some(found)
        } else if let Some(kept) = kept.next() {
            Some(reporter.kept(&kept?)?)
        } else if let Some(game) = spellings.next() {
            Some(reporter.spellings(game?)?)
        } else if let Some(oddity) = oddities.next() {
            Some(reporter.oddities(oddity?)?)
        } else {
            positions.next().map(|pair| reporter.positions(pair?)).transpose()?
        } {
            if open.as_ref().is_none_or(|(of, _)| *of != number) {
                self.end_copies(open.take());
                open = Some((number, OpenInput::new(copies.input(number), None)));
            }
            let Some((_, input)) = &mut open else { continue };
            if let Some((_, records)) = self.finished.get_mut(number as usize) {
                input.records = std::mem::take(records);
            }
            for mut finding in findings {
                if let Some(copy) = self.surplus_copy(&finding, input) {
                    self.sink.surplus_copy(number, &copy)?;
                }
                let is_known = self.settings.known.contains(&finding.fingerprint);
                if self.is_admitted(input, &mut finding) && input.may_be_example(&finding, is_known, self.settings.examples) {
                    reporter.add_boards(&mut finding)?;
                }
                self.finding_with_repair(input, finding, None)?;
            }
            if let Some((_, records)) = self.finished.get_mut(number as usize) {
                *records = std::mem::take(&mut input.records);
            }
        }
        self.end_copies(open);
        self.run.copies = Some(CopySummary::of(&copies, reporter.to_check()));
        std::mem::take(&mut self.finished).into_iter().try_for_each(|(summary, _)| self.sink.input(&summary))
    }

    /// The game of a finding, if that makes it bad: it is a copy that need not be kept.
    fn surplus_copy(&self, finding: &Finding, input: &mut OpenInput) -> Option<BadRecord> {
        let on = self.settings.split?;
        let partner = finding.partner.as_ref().filter(|partner| partner.keep == Some(Keep::No))?;
        let mut finding = finding.clone();
        let moves = self.is_admitted(input, &mut finding)
            && on.moves(finding.rule, finding.severity)
            && !self.settings.known.contains(&finding.fingerprint);
        if !moves {
            return None;
        }
        let mut message = finding.message;
        if !partner.reason.is_empty() {
            message += &format!("; another copy is kept: {}", partner.reason);
        }
        let (line, column, rule, severity) = (finding.line, finding.column, finding.rule.code, finding.severity);
        Some(BadRecord {
            start: finding.place.start as u64,
            end: finding.place.end as u64,
            game: finding.game,
            movetext: 0,
            findings: vec![BadFinding { line, column, rule, severity, message }],
        })
    }

    /// Adds the copies in an input to its summary.
    fn end_copies(&mut self, input: Option<(u64, OpenInput)>) {
        let Some((number, input)) = input else { return };
        if let Some((summary, _)) = self.finished.get_mut(number as usize) {
            summary.findings.add_all(input.findings);
            for (key, (findings, _)) in input.rules {
                *summary.rules.entry(key).or_insert(0) += findings;
            }
        }
    }

    /// Lists the repair of a finding, if it has one.
    fn repair(&mut self, input: &mut OpenInput, mut finding: Finding) -> io::Result<()> {
        if finding.repair.is_some() && self.is_admitted(input, &mut finding) {
            self.sink.repair(&input.name, &finding)
        } else {
            Ok(())
        }
    }

    /// Lists the repair of a finding that is reported with others, under the fingerprint of their
    /// finding.
    fn repair_of_group(&mut self, input: &mut OpenInput, finding: Finding) -> io::Result<()> {
        let fingerprint = input.repeated.fingerprint(&finding).unwrap_or(finding.fingerprint);
        self.repair(input, Finding { fingerprint, ..finding })
    }

    /// Reports a finding at its place, and lists its repair.
    fn finding_with_repair(&mut self, input: &mut OpenInput, finding: Finding, around: Option<&Excerpt>) -> io::Result<()> {
        if self.settings.repairs && finding.repair.is_some() {
            self.repair(input, finding.clone())?;
        }
        self.finding(input, finding, around, 1)
    }

    /// Whether the user wants to see the finding. Sets its severity.
    fn is_admitted(&self, input: &mut OpenInput, finding: &mut Finding) -> bool {
        let left_out = *input.left_out.get_or_insert_with(|| left_out(&self.settings.exceptions, &input.name));
        self.settings.selection.admits(finding) && !left_out.contains(finding.rule.code)
    }

    /// Reports a finding that stands for `times` places.
    fn finding(&mut self, input: &mut OpenInput, finding: Finding, around: Option<&Excerpt>, times: u64) -> io::Result<()> {
        let byte = finding.place.start as u64;
        let reported = guarded("the finding at this place", || self.report(input, finding, around, times));
        reported.unwrap_or_else(|message| self.failure(input, "report", Some(byte), message))
    }

    fn report(&mut self, input: &mut OpenInput, mut finding: Finding, around: Option<&Excerpt>, times: u64) -> io::Result<()> {
        if !self.is_admitted(input, &mut finding) {
            return Ok(());
        }
        finding.known = self.settings.known.contains(&finding.fingerprint);
        let finding = &finding;
        let rule = finding.rule.code;
        let examples = input.examples.get(&(rule, finding.severity, finding.known)).copied().unwrap_or(0);
        if examples < self.settings.examples {
            self.sink.example(&input.name, finding, around)?;
        }
        let rows_of = |severity| input.rules.get(&(rule, severity)).map_or(0, |(rows, _)| *rows);
        let rows: u64 = Severity::ALL.into_iter().map(rows_of).sum();
        if self.settings.options.max_rows.is_none_or(|max| rows < max) {
            self.sink.finding(&input.name, finding)?;
        }
        // Not before: if the sink panics, there is no row, and the totals must fit the rows.
        self.count(input, finding, times);
        self.run.repairs.add(finding.certainty(), times * finding.patches().len() as u64);
        Ok(())
    }

    /// Counts a finding that the sink has received, and that stands for `times` places.
    fn count(&mut self, input: &mut OpenInput, finding: &Finding, times: u64) {
        if finding.known {
            self.unmet.remove(&finding.fingerprint);
            self.run.known.add(finding.severity);
        }
        let place = || Place { input: input.name.clone(), line: finding.line, column: finding.column, game: finding.game };
        let key = (finding.rule.code, finding.severity);
        let rule = self.run.rules.entry(key).or_insert_with(|| RuleSummary {
            findings: 0,
            records: 0,
            inputs: 0,
            places: 0,
            first: place(),
            new: 0,
            first_new: None,
        });
        rule.findings += 1;
        rule.places += times;
        if !finding.known {
            rule.new += 1;
            rule.first_new.get_or_insert_with(place);
        }
        let (rows, last_record) = input.rules.entry(key).or_insert((0, 0));
        rule.inputs += u64::from(*rows == 0);
        *rows += 1;
        if finding.game > 0 && *last_record != finding.game {
            *last_record = finding.game;
            rule.records += 1;
        }
        if finding.game > 0 && input.records.insert(finding.game) {
            self.run.records_with_findings += 1;
        }
        if is_reported_once(finding) && (self.run.shared.len() < MAX_SHARED || self.run.shared.contains_key(&finding.fingerprint))
        {
            let fault = self.run.shared.entry(finding.fingerprint).or_default();
            fault.places += times;
            fault.inputs += u64::from(input.shared.insert(finding.fingerprint));
        }
        input.findings.add(finding.severity);
        self.run.findings.add(finding.severity);
        match input.waiting.checked_sub(1) {
            Some(fewer) => input.waiting = fewer,
            None => self.progress.found(1),
        }
        *input.examples.entry((finding.rule.code, finding.severity, finding.known)).or_insert(0) += 1;
    }

    /// The summary of the run.
    pub fn finish(mut self, interrupted: bool) -> RunSummary {
        self.run.interrupted = interrupted;
        self.run.unmet = self.unmet;
        self.run
    }
}
