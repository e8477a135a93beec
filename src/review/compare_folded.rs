//! Findings that were counted on one line and have lines of their own now, if a report does not say
//! which ones these are.
//!
//! They are compared by number. If a rule has lost such a line in an input, at most as many
//! findings are new there as the rule has more places than before.

use std::collections::{HashMap, HashSet};

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{
    compare_error::CompareError,
    compare_matches::{Match, Matches},
    reader::{FindingRow, ReportReader},
};

/// The findings that may be taken for old ones.
#[derive(Debug, Default)]
pub(super) struct Unfolded {
    /// Inputs and rules that have lost a finding, if one of the rule stood for several.
    lost: HashSet<u64>,
    /// For each of these rules: number of findings that are not new.
    old: HashMap<Vec<u8>, u64>,
}

fn place(row: &FindingRow<'_>) -> u64 {
    xxh3_64_with_seed(row.cell("input"), xxh3_64_with_seed(row.rule(), 0))
}

impl Unfolded {
    /// Finds them in reports that do not list what is counted on the lines of others.
    pub fn of(before: &ReportReader, after: &ReportReader, matches: &Matches) -> Result<Unfolded, CompareError> {
        let mut unfolded = Unfolded::default();
        if before.has_folded() && after.has_folded() || !matches.has_both_new_and_gone() {
            return Ok(unfolded);
        }
        // For each rule: places before and now.
        let mut places: HashMap<Vec<u8>, [u64; 2]> = HashMap::new();
        let mut has_lines: HashSet<Vec<u8>> = HashSet::new();
        for (report, which) in [(before, 0), (after, 1)] {
            report.for_each_rule(|rule, findings, of_rule| {
                places.entry(rule.to_owned()).or_default()[which] += of_rule;
                if which == 0 && of_rule > findings {
                    has_lines.insert(rule.to_owned());
                }
                Ok::<(), CompareError>(())
            })?;
        }
        if has_lines.is_empty() {
            return Ok(unfolded);
        }
        let mut next = 0;
        before.for_each_finding(|row| {
            if matches.of_old(next, row.fingerprint) == Match::NONE && has_lines.contains(row.rule()) {
                unfolded.lost.insert(place(&row));
            }
            next += 1;
            Ok::<(), CompareError>(())
        })?;
        next = 0;
        after.for_each_finding(|row| {
            if matches.of_new(next, row.fingerprint) == Match::NONE && unfolded.lost.contains(&place(&row)) {
                *unfolded.old.entry(row.rule().to_owned()).or_default() += 1;
            }
            next += 1;
            Ok::<(), CompareError>(())
        })?;
        for (rule, old) in &mut unfolded.old {
            let [before, now] = places.get(rule).copied().unwrap_or_default();
            *old = old.saturating_sub(now.saturating_sub(before));
        }
        Ok(unfolded)
    }

    /// Whether a row without a match is taken for an old finding. Asked once for each.
    pub fn takes(&mut self, row: &FindingRow<'_>) -> bool {
        if !self.lost.contains(&place(row)) {
            return false;
        }
        let Some(left) = self.old.get_mut(row.rule()).filter(|left| **left > 0) else { return false };
        *left -= 1;
        true
    }

    /// Whether an old row without a match may have been such a line.
    pub fn was_line(&self, row: &FindingRow<'_>) -> bool {
        self.old.contains_key(row.rule()) && self.lost.contains(&place(row))
    }
}
