//! A night: what is new since the last one.

use jiff::civil::Date;

use super::{night_id::NightId, open_findings::OpenFindings};
use crate::{
    format::trend::Trend,
    pipeline::SeverityCounts,
    review::{
        compare::{Comparison, FindingChange},
        compare_inputs::InputChange,
        reader::ReadError,
    },
    rules::Severity,
};

/// What makes a night worth a mail.
#[derive(Clone, Copy, Debug)]
pub struct Threshold {
    /// New findings of this severity or higher; `None`: no findings.
    pub severity: Option<Severity>,
    /// Lost records are none.
    pub may_shrink: bool,
    /// Findings that are open since earlier nights count, too.
    pub with_open: bool,
}

/// A night that was audited: what is new, lost, copied and still open. Mail, page, history and exit
/// code say what is here.
#[derive(Debug)]
pub struct Night {
    pub(super) id: NightId,
    /// What there is: records, inputs, and findings that are not known, and known ones.
    pub(super) records: u64,
    pub(super) inputs: u64,
    pub(super) unknown: SeverityCounts,
    pub(super) known: SeverityCounts,
    /// The last good report, if there is one.
    pub(super) compared: Option<(NightId, Comparison)>,
    /// Later reports that cannot be compared, and why.
    pub(super) unreadable: Vec<ReadError>,
    /// Whether there was no night before.
    pub(super) is_first: bool,
    pub(super) open: OpenFindings,
    /// Whether the last report does not say since when its findings are open.
    pub(super) are_dates_lost: bool,
    pub(super) threshold: Threshold,
}

impl Night {
    /// Whether there is an earlier report that can be read.
    pub const fn is_compared(&self) -> bool {
        self.compared.is_some()
    }

    /// Whether there are new findings, or expectations are not met, or inputs were copied, or
    /// records were lost, or that is not known because earlier reports are gone or damaged. In the
    /// first night, all findings are new that are not known.
    pub fn has_news(&self) -> bool {
        let Threshold { severity, may_shrink, .. } = self.threshold;
        let reaches = |counts: SeverityCounts| severity.is_some_and(|severity| counts.at_least(severity) > 0);
        let Some((_, comparison)) = &self.compared else {
            return !self.is_first || reaches(self.unknown);
        };
        let inputs = &comparison.inputs;
        let lost = inputs.lost_records() > 0 || inputs.uncompared() > 0;
        let has_new = severity.is_some_and(|severity| comparison.new_at_least(severity) > 0) || reaches(self.open.broken);
        let has_copies = inputs.count(InputChange::Copied) > 0;
        has_new || has_copies || !may_shrink && lost || !self.unreadable.is_empty() || self.fails_as_open()
    }

    /// Whether findings that are open since earlier nights are reason enough.
    pub(super) fn fails_as_open(&self) -> bool {
        let Threshold { severity, with_open, .. } = self.threshold;
        with_open && severity.is_some_and(|severity| self.open.earlier().at_least(severity) > 0)
    }

    /// Whether there is mail: there is news, or nothing to compare with.
    pub fn has_mail(&self) -> bool {
        self.has_news() || !self.is_compared()
    }

    /// Reports that could not be compared, and why.
    pub fn unreadable(&self) -> &[ReadError] {
        &self.unreadable
    }

    /// Findings that are new, and lost records, if there is an earlier report.
    pub(super) fn changes(&self) -> Option<(u64, u64)> {
        let (_, comparison) = self.compared.as_ref()?;
        let new = [FindingChange::New, FindingChange::Version].map(|change| comparison.of_change(change).total());
        Some((new.iter().sum(), comparison.inputs.lost_records()))
    }

    /// What the page says of it, once. `trend` has the nights before.
    pub fn page(&mut self, trend: Trend) -> NightPage {
        let [new, known] = self.open.take_keys();
        let followed = self.open.followed().map(|(counts, _)| counts).unwrap_or_default();
        NightPage {
            trend,
            last: self.compared.as_ref().map(|(last, _)| last.date),
            has_news: self.has_news(),
            sentence: self.sentence(),
            facts: self.facts(),
            new_findings: self.open.new_counts,
            followed,
            new,
            known,
        }
    }
}

/// What the page says of a night.
#[derive(Debug)]
pub struct NightPage {
    /// The nights before, and the date of this one.
    pub trend: Trend,
    /// The date of the night with which it was compared.
    pub last: Option<Date>,
    /// Whether the night fails.
    pub has_news: bool,
    /// What is new and lost, without a full stop.
    pub sentence: String,
    /// More about it: sentences.
    pub facts: Vec<String>,
    /// Number of new findings.
    pub new_findings: SeverityCounts,
    /// Number of findings that are known although the baseline does not have them.
    pub followed: SeverityCounts,
    /// The findings that are new, by [`finding_key`](super::finding_key). Sorted.
    pub new: Vec<u64>,
    /// Those that are known although the baseline does not have them. Sorted.
    pub known: Vec<u64>,
}
