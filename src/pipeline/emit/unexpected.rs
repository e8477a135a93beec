//! Expectations of inputs and of the run that are not met.

use std::{collections::BTreeSet, io};

use super::{ledger::Ledger, open_input::OpenInput};
use crate::{
    pipeline::{
        Expectations, ExpectedOfRun, RunSummary,
        digests::Digests,
        expectations::{SetAt, number_of},
    },
    record::kind_fingerprint,
    rules::{
        Finding, Findings,
        exp::{missing_input, other_digest, too_many_findings, unexpected_count},
    },
    text::Span,
};

/// Compares what was read and found with what is expected.
pub(in crate::pipeline) struct Expected<'s> {
    expectations: &'s Expectations,
    /// For each of the inputs that are expected, whether one was read.
    seen: Vec<bool>,
    /// The digests of inputs of which one is expected.
    pub digests: Digests,
}

impl Expected<'_> {
    pub fn of(expectations: &Expectations) -> Expected<'_> {
        Expected { expectations, seen: vec![false; expectations.of_inputs.len()], digests: Digests::new() }
    }

    /// Reports the expectations of an input that are not met.
    pub fn input(&mut self, input: &mut OpenInput, ledger: &mut Ledger<'_>) -> io::Result<()> {
        if self.expectations.is_empty() {
            return Ok(());
        }
        let name = &input.about.name;
        for (seen, (_, expected)) in self.seen.iter_mut().zip(&self.expectations.of_inputs) {
            *seen |= expected.names.is_match(name);
        }
        let mut findings = Findings::new();
        let mut reported = Vec::new();
        for (set_at, quantity, bounds) in self.expectations.of_input(name) {
            let number = number_of(quantity, 1, &input.read.counts);
            if bounds.excludes(number, !input.reported.has_failed) && !reported.contains(&(quantity, bounds)) {
                reported.push((quantity, bounds));
                let set_at = set_at.to_string();
                unexpected_count::report(&mut findings, "the input", (quantity, number, bounds), Some(&set_at));
            }
        }
        let place = SetAt { file: name.clone(), line: 1, byte: 0 };
        report(ledger, input, &place, findings)
    }

    /// Reports the expectations of the run that are not met, at the lines that set it. All inputs
    /// were read.
    pub fn run(&self, ledger: &mut Ledger<'_>) -> io::Result<()> {
        let is_all = ledger.run.failures == 0;
        for ((set_at, expected), is_seen) in self.expectations.of_inputs.iter().zip(&self.seen) {
            let mut findings = Findings::new();
            if !is_seen {
                missing_input::report(&mut findings, &expected.glob);
            }
            report(ledger, &mut OpenInput::named(&set_at.file, None), set_at, findings)?;
        }
        for (set_at, expected) in &self.expectations.of_run {
            let RunSummary { inputs, counts, rules: found, .. } = &ledger.run;
            let mut findings = Findings::new();
            match expected {
                ExpectedOfRun::Count(quantity, bounds) => {
                    let number = number_of(*quantity, *inputs, counts);
                    if bounds.excludes(number, is_all) {
                        unexpected_count::report(&mut findings, "the run", (*quantity, number, *bounds), None);
                    }
                }
                ExpectedOfRun::Digest { file, sha256 } => {
                    let others = self.digests.iter().filter(|(name, found)| name == file && found != sha256);
                    let found: BTreeSet<&str> = others.map(|(_, found)| found.as_str()).collect();
                    if let Some(found) = found.first() {
                        other_digest::report(&mut findings, file, found, sha256);
                    }
                }
                ExpectedOfRun::Findings(name, rules, ceiling) => {
                    let counted = found.iter().filter(|((code, _), _)| rules.contains(*code));
                    let number = counted.map(|(_, found)| found.findings).sum();
                    if ceiling.excludes(number, counts.records(), is_all) {
                        too_many_findings::report(&mut findings, name, (number, counts.records()), *ceiling);
                    }
                }
            }
            report(ledger, &mut OpenInput::named(&set_at.file, None), set_at, findings)?;
        }
        Ok(())
    }
}

/// Reports findings about what is expected. They stay known as long as the same is expected.
fn report(ledger: &mut Ledger<'_>, input: &mut OpenInput, place: &SetAt, mut findings: Findings) -> io::Result<()> {
    let at = Span::new(place.byte, place.byte);
    for finding in findings.all().drain(..) {
        let fingerprint = kind_fingerprint(&finding, &format!("{}\n{}", place.file, finding.expected));
        ledger.finding(input, Finding { place: at, line: place.line, column: 1, fingerprint, ..finding }, None, 1)?;
    }
    Ok(())
}
