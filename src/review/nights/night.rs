//! A night: its number and date, and what is new since the last one.

use std::{fmt, str::FromStr};

use jiff::civil::Date;

use crate::{
    pipeline::RunSummary,
    review::{compare::Comparison, reader::ReadError},
    rules::Severity,
};

/// The number and the date of a night: the name of its report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NightId {
    /// The number, from 1.
    pub number: u64,
    /// The date.
    pub date: Date,
}

impl fmt::Display for NightId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:05}-{}", self.number, self.date)
    }
}

impl FromStr for NightId {
    type Err = ();

    fn from_str(name: &str) -> Result<NightId, ()> {
        let (number, date) = name.split_once('-').ok_or(())?;
        let night = NightId { number: number.parse().map_err(|_| ())?, date: date.parse().map_err(|_| ())? };
        // Another spelling is another directory.
        if night.to_string() == name { Ok(night) } else { Err(()) }
    }
}

/// A night that was audited: what is new since the last one.
#[derive(Debug)]
pub struct Night<'a> {
    pub(super) id: NightId,
    pub(super) summary: &'a RunSummary,
    /// The last good report, if there is one.
    pub(super) compared: Option<(NightId, Comparison)>,
    /// Later reports that cannot be compared, and why.
    pub(super) unreadable: Vec<ReadError>,
    /// Whether there was no night before.
    pub(super) is_first: bool,
}

impl Night<'_> {
    /// Whether there is an earlier report that can be read.
    pub const fn is_compared(&self) -> bool {
        self.compared.is_some()
    }

    /// Whether there are new findings of this severity or higher, or records were lost and
    /// `may_shrink` does not allow it, or that is not known because earlier reports are gone or
    /// damaged. In the first night, all findings are new that are not known.
    pub fn has_news(&self, severity: Option<Severity>, may_shrink: bool) -> bool {
        let Some((_, comparison)) = &self.compared else {
            let unknown = self.summary.findings.without(self.summary.known);
            return !self.is_first || severity.is_some_and(|severity| unknown.at_least(severity) > 0);
        };
        let lost = comparison.inputs.lost_records() > 0 || comparison.inputs.uncompared() > 0;
        let has_new = severity.is_some_and(|severity| comparison.new_at_least(severity) > 0);
        has_new || !may_shrink && lost || !self.unreadable.is_empty()
    }

    /// Reports that could not be compared, and why.
    pub fn unreadable(&self) -> &[ReadError] {
        &self.unreadable
    }
}
