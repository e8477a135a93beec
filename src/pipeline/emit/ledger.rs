//! What is counted and reported: findings, rules, rows, examples, repairs, failures.

use std::io;

use super::open_input::OpenInput;
use crate::{
    chess::Variant,
    corpus::has_chess_name,
    pipeline::{Failure, Place, Progress, RuleSummary, RunSummary, Settings, Sink, once_per_input::folded, panics::guarded},
    record::{Excerpt, is_reported_once, kind_fingerprint},
    rules::{Finding, Findings, report_not_chess},
};

/// Maximum number of faults that are counted over all inputs.
const MAX_SHARED: usize = 10_000;

/// Reports to a sink, and counts what it has received.
pub(in crate::pipeline) struct Ledger<'a> {
    pub sink: &'a mut dyn Sink,
    pub progress: &'a dyn Progress,
    pub settings: &'a Settings,
    pub run: RunSummary,
}

impl<'a> Ledger<'a> {
    pub fn new(sink: &'a mut dyn Sink, progress: &'a dyn Progress, settings: &'a Settings) -> Ledger<'a> {
        let run = RunSummary { unmet: settings.known.clone(), ..RunSummary::default() };
        Ledger { sink, progress, settings, run }
    }

    /// Whether an input is read as Chess960, if its records show that it is.
    pub fn reads_as_chess960(&self, is_shown: bool) -> bool {
        self.settings.variant.map_or(is_shown, |declared| declared == Variant::Chess960)
    }

    /// Reports a failure of the auditor on `input`. If the input changed, that is the reason.
    pub fn failure(&mut self, input: &mut OpenInput, stage: &'static str, byte: Option<u64>, message: String) -> io::Result<()> {
        if self.reports_change(input, byte)? { Ok(()) } else { self.report_failure(input, stage, byte, message) }
    }

    /// Reports that the input changed while it was read, once. Returns whether it did.
    pub fn reports_change(&mut self, input: &mut OpenInput, byte: Option<u64>) -> io::Result<bool> {
        if let Some(change) = input.file.new_change() {
            self.report_failure(input, "read", byte, change)?;
        }
        Ok(input.file.has_changed)
    }

    /// Reports a failure of the auditor on `input`, whether the input changed or not.
    pub fn report_failure(
        &mut self,
        input: &mut OpenInput,
        stage: &'static str,
        byte: Option<u64>,
        message: String,
    ) -> io::Result<()> {
        input.reported.has_failed = true;
        self.run.failures += 1;
        self.sink.failure(&Failure { input: input.about.name.clone(), byte, stage, message })
    }

    /// Reports findings about the input as a whole, at its first byte.
    pub fn about_input(&mut self, input: &mut OpenInput, report: impl FnOnce(&mut Findings)) -> io::Result<()> {
        let mut findings = Findings::new();
        report(&mut findings);
        for finding in findings.all().drain(..) {
            let fingerprint = kind_fingerprint(&finding, &finding.found);
            self.finding_with_repair(input, Finding { line: 1, column: 1, fingerprint, ..finding }, None)?;
        }
        Ok(())
    }

    /// Reports an input without chess. A file that the user has named should contain chess, so that
    /// is a failure. For a file that was found by a search, it is a finding.
    pub fn not_chess(&mut self, input: &mut OpenInput, message: &str) -> io::Result<()> {
        if !input.about.scanned {
            return self.failure(input, "recognise", None, message.to_owned());
        }
        input.reported.is_not_chess = true;
        self.run.not_chess += 1;
        let should_be_chess = has_chess_name(&input.about.name);
        self.about_input(input, |findings| report_not_chess(findings, message, should_be_chess))
    }

    /// Lists the repair of a finding, if it has one.
    fn repair(&mut self, input: &OpenInput, mut finding: Finding) -> io::Result<()> {
        if finding.repair.is_some() && input.about.admits(self.settings, &mut finding) {
            self.sink.repair(&input.about.name, &finding)
        } else {
            Ok(())
        }
    }

    /// Lists the repair of a finding that is reported with others, under the fingerprint of their
    /// finding.
    pub fn repair_of_group(&mut self, input: &OpenInput, finding: Finding) -> io::Result<()> {
        let fingerprint = input.deferred.repeated.fingerprint(&finding).unwrap_or(finding.fingerprint);
        self.repair(input, Finding { fingerprint, ..finding })
    }

    /// Lists a finding that is counted on the line of another one, if such are listed.
    pub fn folded(&mut self, finding: &Finding) -> io::Result<()> {
        let counted = if self.settings.games.is_some() { folded(finding) } else { None };
        counted.map_or(Ok(()), |[finding, line]| self.sink.folded(finding, line))
    }

    /// Reports a finding at its place, and lists its repair.
    pub fn finding_with_repair(&mut self, input: &mut OpenInput, finding: Finding, around: Option<&Excerpt>) -> io::Result<()> {
        if self.settings.repairs && finding.repair.is_some() {
            self.repair(input, finding.clone())?;
        }
        self.finding(input, finding, around, 1)
    }

    /// Reports a finding that stands for `times` places.
    pub fn finding(&mut self, input: &mut OpenInput, finding: Finding, around: Option<&Excerpt>, times: u64) -> io::Result<()> {
        let byte = finding.place.start as u64;
        let reported = guarded("the finding at this place", || self.report(input, finding, around, times));
        reported.unwrap_or_else(|message| self.failure(input, "report", Some(byte), message))
    }

    fn report(&mut self, input: &mut OpenInput, mut finding: Finding, around: Option<&Excerpt>, times: u64) -> io::Result<()> {
        if !input.about.admits(self.settings, &mut finding) {
            return Ok(());
        }
        finding.known = self.settings.known.contains(&finding.fingerprint);
        if input.reported.examples(&finding) < self.settings.examples {
            self.sink.example(&input.about.name, &finding, around)?;
        }
        if self.settings.options.max_rows.is_none_or(|max| input.reported.rows(finding.rule.code) < max) {
            self.sink.finding(&input.about.name, &finding)?;
        }
        // Not before: if the sink panics, there is no row, and the totals must fit the rows.
        self.count(input, &finding, times);
        self.run.repairs.add(finding.certainty(), times * finding.patches().len() as u64);
        Ok(())
    }

    /// Counts a finding that the sink has received, and that stands for `times` places.
    fn count(&mut self, input: &mut OpenInput, finding: &Finding, times: u64) {
        let run = &mut self.run;
        let place = || Place { input: input.about.name.clone(), line: finding.line, column: finding.column, game: finding.game };
        let rule = run.rules.entry((finding.rule.code, finding.severity)).or_insert_with(|| RuleSummary {
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
        run.records_with_findings += u64::from(input.reported.count(finding, rule));
        if finding.known {
            run.unmet.remove(&finding.fingerprint);
            run.known.add(finding.severity);
        } else {
            rule.new += 1;
            rule.first_new.get_or_insert_with(place);
        }
        run.findings.add(finding.severity);
        if is_reported_once(finding) && (run.shared.len() < MAX_SHARED || run.shared.contains_key(&finding.fingerprint)) {
            let fault = run.shared.entry(finding.fingerprint).or_default();
            fault.places += times;
            fault.inputs += u64::from(input.reported.shared.insert(finding.fingerprint));
        }
        match input.deferred.waiting.checked_sub(1) {
            Some(fewer) => input.deferred.waiting = fewer,
            None => self.progress.found(1),
        }
    }
}
