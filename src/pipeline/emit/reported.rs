//! What was reported of an input.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    pipeline::{RuleSummary, SeverityCounts},
    rules::{Code, Finding, Severity},
};

/// What was reported of an input, or of one that is reported again because of its copies.
#[derive(Debug, Default)]
pub(in crate::pipeline) struct Reported {
    /// Number of findings.
    pub findings: SeverityCounts,
    /// For each rule and severity: number of findings, and the last record with one.
    rules: FxHashMap<(Code, Severity), (u64, u64)>,
    /// Number of findings per rule and severity, separately for known ones.
    examples: FxHashMap<(Code, Severity, bool), u64>,
    /// The records with findings.
    pub records: Records,
    /// Fingerprints of its findings that are reported once per input.
    pub shared: FxHashSet<u64>,
    /// Whether there was a failure, so that it was not checked completely.
    pub has_failed: bool,
    /// Whether it was reported not to be chess.
    pub is_not_chess: bool,
}

impl Reported {
    /// Number of findings of each rule and severity, and the records with findings.
    pub fn into_totals(self) -> (impl Iterator<Item = ((Code, Severity), u64)>, Records) {
        (self.rules.into_iter().map(|(key, (findings, _))| (key, findings)), self.records)
    }

    /// Number of findings of a rule.
    pub fn rows(&self, rule: Code) -> u64 {
        let rows_of = |severity| self.rules.get(&(rule, severity)).map_or(0, |(findings, _)| *findings);
        Severity::ALL.into_iter().map(rows_of).sum()
    }

    /// Number of findings like this one that may have been examples.
    pub fn examples(&self, finding: &Finding) -> u64 {
        self.examples.get(&(finding.rule.code, finding.severity, finding.known)).copied().unwrap_or(0)
    }

    /// Counts a finding, also in what the run has found for its rule. Returns whether it is the
    /// first one of its record.
    pub fn count(&mut self, finding: &Finding, of_rule: &mut RuleSummary) -> bool {
        let Finding { game, severity, known, .. } = *finding;
        let rule = finding.rule.code;
        self.findings.add(severity);
        *self.examples.entry((rule, severity, known)).or_insert(0) += 1;
        let (findings, last_record) = self.rules.entry((rule, severity)).or_insert((0, 0));
        of_rule.inputs += u64::from(*findings == 0);
        *findings += 1;
        of_rule.records += u64::from(game > 0 && std::mem::replace(last_record, game) != game);
        game > 0 && self.records.insert(game)
    }
}

/// Ordinals of records, a bit for each.
#[derive(Clone, Debug, Default)]
pub(in crate::pipeline) struct Records(Vec<u64>);

impl Records {
    /// Adds a record. Returns whether it was not there before.
    pub fn insert(&mut self, ordinal: u64) -> bool {
        let Ok(word) = usize::try_from(ordinal / 64) else { return true };
        if word >= self.0.len() {
            self.0.resize((word + 1).next_power_of_two(), 0);
        }
        let bit = 1 << (ordinal % 64);
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_record_is_new_once() {
        let mut records = Records::default();
        let new = [1, 64, 1, 63, 1000, 64, 1000].map(|ordinal| records.insert(ordinal));
        assert_eq!(new, [true, true, false, true, true, false, false]);
    }
}
