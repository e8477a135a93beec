//! Puts chunks in order, turns places into places in the input, adds up evidence, and reports to
//! the sink.

use std::io;

use rustc_hash::FxHashMap;

use super::{
    Failure, InputSummary, Known, Place, Progress, RuleSummary, RunSummary, Settings, SeverityCounts, Sink,
    chunk::{Chunk, ChunkFailure, RECORD_BEFORE},
    deferred::Deferred,
    guard::{guarded, trial},
    once_per_input::{Key, OncePerInput, key},
    suppression::left_out,
};
use crate::{
    corpus::{Input, Skipped, Watch},
    record::{Counts, Evidence, Excerpt, fingerprint_of, kind_fingerprint},
    rules::{
        Code, CodeSet, Condition, Conditions, Finding, Findings, MIN_GROUPED, Scope, Severity,
        aggregate::{Aggregate, InputFinding, Offset},
    },
    text::{Format, Span},
};

/// Reports the findings of a run to a sink, in order, and counts them.
pub(super) struct Emitter<'a> {
    sink: &'a mut dyn Sink,
    progress: &'a dyn Progress,
    settings: &'a Settings,
    /// Known findings that were not found yet.
    unmet: Known,
    run: RunSummary,
}

/// An input that is being reported.
#[derive(Debug)]
pub(super) struct OpenInput {
    name: String,
    format: Option<Format>,
    /// Whether it was found by a search.
    scanned: bool,
    /// Whether it is reported as not chess if it contains none: it was found by a search, or its
    /// format was not set.
    may_lack_chess: bool,
    counts: Counts,
    findings: SeverityCounts,
    lines: u64,
    evidence: Evidence,
    deferred: Deferred,
    /// What was collected for rules about the whole input; empty before the first chunk.
    aggregates: Vec<Box<dyn Aggregate>>,
    repeated: OncePerInput<Option<Box<Excerpt>>>,
    /// Number of findings with a repair, for each kind of finding that may be grouped.
    patched: FxHashMap<Key, u64>,
    /// Number of excerpts for findings of a rule with the same conditions.
    excerpts: FxHashMap<(Code, Severity, Conditions, bool), u64>,
    /// Number of findings reported per rule and severity, separately for known ones.
    examples: FxHashMap<(Code, Severity, bool), u64>,
    complete: bool,
    /// For each rule: number of findings, and the last record with one.
    rules: FxHashMap<Code, (u64, u64)>,
    last_record: u64,
    /// Rules that are excepted for this input.
    left_out: Option<CodeSet>,
    /// Whether its text was converted from UTF-16.
    pub is_converted: bool,
    /// Whether it was reported not to be chess.
    is_not_chess: bool,
    /// Shows whether it changed since it was opened.
    pub watch: Option<Watch>,
    /// Whether a change was reported. Nothing is reported after it.
    has_changed: bool,
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

    fn new(name: &str, format: Option<Format>) -> OpenInput {
        OpenInput {
            name: name.to_owned(),
            format,
            scanned: false,
            may_lack_chess: false,
            counts: Counts::default(),
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
            last_record: 0,
            left_out: None,
            is_converted: false,
            is_not_chess: false,
            watch: None,
            has_changed: false,
        }
    }

    /// Whether there are so many findings of this kind that they are reported once.
    fn is_in_group(&self, finding: &Finding) -> bool {
        matches!(finding.scope, Scope::Group { .. }) && self.repeated.count(finding) >= MIN_GROUPED
    }

    /// Whether it was read completely, but contains no chess.
    fn lacks_chess(&self) -> bool {
        self.complete && self.may_lack_chess && self.evidence.is_foreign()
    }

    /// Whether the finding may be one of the first `examples` of its rule. Findings with the same
    /// severity and conditions are reported or dropped together. Known findings are counted
    /// separately.
    fn may_be_example(&mut self, finding: &Finding, known: bool, examples: u64) -> bool {
        let taken = self.excerpts.entry((finding.rule.code, finding.severity, finding.conditions, known)).or_insert(0);
        *taken += 1;
        *taken <= examples
    }
}

/// The text around `place`. `record` and `place` are spans in the input.
fn excerpt(text: &[u8], base: u64, record: Span, place: Span) -> Excerpt {
    let base = usize::try_from(base).unwrap_or(usize::MAX);
    let here = |span: Span| Span::new(span.start.saturating_sub(base), span.end.saturating_sub(base));
    Excerpt::of(text, here(record), here(place))
}

/// Share of the records, in percent, from which a fault that a whole collection may have on purpose
/// is usual there.
const USUAL_PERCENT: u64 = 95;

/// The message about a text without chess.
const NOT_CHESS: &str = "the text contains no tag pair, no playable move and no piece placement";

impl<'a> Emitter<'a> {
    pub fn new(sink: &'a mut dyn Sink, progress: &'a dyn Progress, settings: &'a Settings) -> Emitter<'a> {
        Emitter { sink, progress, settings, unmet: settings.known.clone(), run: RunSummary::default() }
    }

    /// Reports the next chunk of `input`. `text` begins at byte `base` of the input.
    pub fn chunk(&mut self, input: &mut OpenInput, chunk: Chunk, text: &[u8], base: u64) -> io::Result<()> {
        let (start, counts, lines) = (base + chunk.start as u64, chunk.tally.counts, chunk.lines);
        // The text of the chunk may be that of before the change, or of after it, or zeros.
        if self.reports_change(input, Some(start))? {
            return Ok(());
        }
        let reported = guarded("the findings from here on", || self.findings(input, chunk, text, base));
        // What was read is counted even if its findings are lost.
        input.counts.add(counts);
        input.lines += lines;
        self.progress.advanced(counts);
        reported.unwrap_or_else(|message| self.failure(input, "report", Some(start), message))
    }

    /// Reports the findings and failures of a chunk, and takes what it shows about the input.
    fn findings(&mut self, input: &mut OpenInput, chunk: Chunk, text: &[u8], base: u64) -> io::Result<()> {
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
        let excerpt = |record: Span, place: Span| Some(Box::new(excerpt(text, base, record, place)));
        let Settings { examples, known, .. } = self.settings;
        input.evidence.add(&chunk.tally.evidence);
        // A text without chess gets no findings. Findings before the first sign of chess wait until
        // the input is closed.
        if input.may_lack_chess && !input.evidence.is_chess() {
            input.deferred.hold();
        }
        for (finding, record, times) in chunk.repeated.into_findings() {
            let place = finding.place;
            let around = || if *examples > 0 { excerpt(record, place) } else { None };
            input.repeated.add(moved(finding), around, times);
        }
        chunk.findings.drain(|finding, record| {
            if matches!(finding.scope, Scope::Group { .. }) && finding.patch.is_some() {
                // Later findings of the group do not have to wait, so that millions of repairs need
                // no temporary file. Only the order of the findings decides which ones wait.
                let count = input.patched.entry(key(&finding)).or_default();
                *count += 1;
                if *count > MIN_GROUPED {
                    return self.repair(input, moved(finding));
                }
            } else if input.is_in_group(&finding) {
                return Ok(());
            }
            let is_known = known.contains(&finding.fingerprint);
            // Whether a finding belongs to a large group is known only at the end.
            let may_be_grouped = matches!(finding.scope, Scope::Group { .. }) && *examples > 0;
            let is_needed = may_be_grouped || input.may_be_example(&finding, is_known, *examples);
            let around = if is_needed { excerpt(record, finding.place) } else { None };
            match input.deferred.take((moved(finding), around))? {
                Some((finding, around)) => self.finding(input, finding, around.as_deref()),
                None => Ok(()),
            }
        })?;
        for ChunkFailure { stage, byte, message } in chunk.failures {
            self.failure(input, stage, Some(byte), message)?;
        }
        if input.aggregates.is_empty() {
            input.aggregates = chunk.aggregates;
        } else {
            for (aggregate, next) in input.aggregates.iter_mut().zip(chunk.aggregates) {
                aggregate.merge(next, Offset { lines, records })?;
            }
        }
        Ok(())
    }

    /// Reports that the input changed while it was read. Returns whether it did.
    fn reports_change(&mut self, input: &mut OpenInput, byte: Option<u64>) -> io::Result<bool> {
        if let Some(change) = input.watch.as_ref().and_then(Watch::change)
            && !std::mem::replace(&mut input.has_changed, true)
        {
            self.report_failure(input, "read", byte, change.to_string())?;
        }
        Ok(input.has_changed)
    }

    /// Reports a failure of the auditor on `input`. If the input changed, that is the reason.
    pub fn failure(&mut self, input: &mut OpenInput, stage: &'static str, byte: Option<u64>, message: String) -> io::Result<()> {
        if self.reports_change(input, byte)? { Ok(()) } else { self.report_failure(input, stage, byte, message) }
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

    /// Counts files that were skipped on purpose.
    pub fn skipped(&mut self, skipped: Skipped) {
        self.run.skipped.add(skipped);
    }

    /// Reports an input without chess. A file that the user has named should contain chess, so that
    /// is a failure with this `message`. For a file that was found by a search, it is a finding.
    pub fn not_chess(&mut self, input: &mut OpenInput, message: &str) -> io::Result<()> {
        if input.scanned {
            input.is_not_chess = true;
            self.run.not_chess += 1;
            self.about_input(input, |findings| crate::rules::report_not_chess(findings, message))
        } else {
            self.failure(input, "recognise", None, message.to_owned())
        }
    }

    /// Reports findings about the input as a whole, at its first byte.
    pub fn about_input(&mut self, input: &mut OpenInput, report: impl FnOnce(&mut Findings)) -> io::Result<()> {
        let mut findings = Findings::new();
        report(&mut findings);
        for finding in findings.all().drain(..) {
            let fingerprint = kind_fingerprint(&finding, &finding.found);
            self.finding(input, Finding { line: 1, column: 1, fingerprint, ..finding }, None)?;
        }
        Ok(())
    }

    /// Closes an input: reports what was known only at its end, and the summary.
    pub fn close(&mut self, mut input: Box<OpenInput>) -> io::Result<()> {
        self.reports_change(&mut input, None)?;
        let reported = guarded("this input", || {
            trial("close", input.name.as_bytes(), 0);
            self.end(&mut input)
        });
        reported.unwrap_or_else(|message| self.failure(&mut input, "report", None, message))?;
        self.summarize(*input)
    }

    /// Reports the findings that waited, and the repeated ones with their counts.
    fn end(&mut self, input: &mut OpenInput) -> io::Result<()> {
        if input.lacks_chess() {
            input.counts = Counts { bytes: input.counts.bytes, ..Counts::default() };
            (input.deferred, input.repeated) = (Deferred::default(), OncePerInput::of_input());
            input.aggregates.clear();
            let message = if input.scanned {
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
            self.about_input(input, crate::rules::report_empty_input)?;
        }
        let mut evidence = Evidence::of_input(self.settings.variant);
        evidence.add(&input.evidence);
        std::mem::take(&mut input.deferred).release(&evidence, |(finding, around)| {
            if input.is_in_group(&finding) {
                self.repair(input, finding)
            } else {
                self.finding(input, finding, around.as_deref())
            }
        })?;
        for aggregate in std::mem::take(&mut input.aggregates) {
            aggregate.report(&mut |InputFinding { finding, subject }| {
                let fingerprint = fingerprint_of(&finding, subject);
                self.finding(input, Finding { fingerprint, ..finding }, None)
            })?;
        }
        let mut repeated = std::mem::take(&mut input.repeated).into_findings();
        repeated.retain(|(finding, ..)| evidence.holds_all(finding.conditions));
        repeated.sort_by_key(|(finding, ..)| (finding.place, finding.rule.code));
        // The first of many exceptions is reported for all of them, whatever their rules.
        let mut has_exception = false;
        repeated.retain(|(finding, ..)| {
            let is_exception = finding.conditions.iter().any(|condition| condition == Condition::ManyExceptions);
            !(is_exception && std::mem::replace(&mut has_exception, true))
        });
        for (mut finding, around, times) in repeated {
            if let Scope::Group { is_info_if_usual, .. } = finding.scope {
                if times < MIN_GROUPED {
                    continue;
                }
                if is_info_if_usual && times * 100 >= input.counts.records() * USUAL_PERCENT {
                    finding.severity = Severity::Info;
                }
            }
            evidence.complete(&mut finding, times);
            self.finding(input, finding, around.as_deref())?;
        }
        Ok(())
    }

    /// Reports the summary of an input.
    fn summarize(&mut self, input: OpenInput) -> io::Result<()> {
        let summary = InputSummary {
            name: input.name,
            format: input.format,
            counts: input.counts,
            findings: input.findings,
            rules: input.rules.into_iter().map(|(code, (findings, _))| (code, findings)).collect(),
            complete: input.complete,
            is_not_chess: input.is_not_chess,
        };
        self.run.counts.add(input.counts);
        self.run.inputs += 1;
        self.sink.input(&summary)
    }

    /// Lists the repair of a finding that belongs to a group, which is reported itself.
    fn repair(&mut self, input: &mut OpenInput, mut finding: Finding) -> io::Result<()> {
        if self.is_admitted(input, &mut finding) { self.sink.repair(&input.name, &finding) } else { Ok(()) }
    }

    /// Whether the user wants to see the finding. Sets its severity.
    fn is_admitted(&self, input: &mut OpenInput, finding: &mut Finding) -> bool {
        let left_out = *input.left_out.get_or_insert_with(|| left_out(&self.settings.exceptions, &input.name));
        self.settings.selection.admits(finding) && !left_out.contains(finding.rule.code)
    }

    fn finding(&mut self, input: &mut OpenInput, finding: Finding, around: Option<&Excerpt>) -> io::Result<()> {
        let byte = finding.place.start as u64;
        let reported = guarded("the finding at this place", || self.report(input, finding, around));
        reported.unwrap_or_else(|message| self.failure(input, "report", Some(byte), message))
    }

    fn report(&mut self, input: &mut OpenInput, mut finding: Finding, around: Option<&Excerpt>) -> io::Result<()> {
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
        let rows = input.rules.get(&rule).map_or(0, |(rows, _)| *rows);
        if self.settings.max_rows.is_none_or(|max| rows < max) {
            self.sink.finding(&input.name, finding)?;
        }
        // Not before: if the sink panics, there is no row, and the totals must fit the rows.
        self.count(input, finding);
        Ok(())
    }

    /// Counts a finding that the sink has received.
    fn count(&mut self, input: &mut OpenInput, finding: &Finding) {
        if finding.known {
            self.unmet.remove(&finding.fingerprint);
            self.run.known.add(finding.severity);
        }
        let place = || Place { input: input.name.clone(), line: finding.line, column: finding.column, game: finding.game };
        let rule = self.run.rules.entry(finding.rule.code).or_insert_with(|| RuleSummary {
            findings: 0,
            by_severity: SeverityCounts::default(),
            severity: finding.severity,
            records: 0,
            inputs: 0,
            first: place(),
            new: SeverityCounts::default(),
            first_new: None,
        });
        rule.findings += 1;
        rule.by_severity.add(finding.severity);
        if !finding.known {
            rule.new.add(finding.severity);
            rule.first_new.get_or_insert_with(place);
        }
        rule.severity = rule.severity.max(finding.severity);
        let (rows, last_record) = input.rules.entry(finding.rule.code).or_insert((0, 0));
        rule.inputs += u64::from(*rows == 0);
        *rows += 1;
        if finding.game > 0 && *last_record != finding.game {
            *last_record = finding.game;
            rule.records += 1;
        }
        if finding.game > input.last_record {
            input.last_record = finding.game;
            self.run.records_with_findings += 1;
        }
        input.findings.add(finding.severity);
        self.run.findings.add(finding.severity);
        self.progress.found(1);
        *input.examples.entry((finding.rule.code, finding.severity, finding.known)).or_insert(0) += 1;
    }

    /// The summary of the run.
    pub fn finish(mut self, interrupted: bool) -> RunSummary {
        self.run.interrupted = interrupted;
        self.run.unmet = self.unmet;
        self.run
    }
}
