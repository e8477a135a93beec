//! How the findings of the last nights have changed, for the page.

use jiff::civil::Date;

use crate::pipeline::SeverityCounts;

/// The numbers of a night.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NightTotals {
    /// Its date.
    pub date: Date,
    /// Findings that are not in the baseline.
    pub findings: SeverityCounts,
    /// Number of games and positions.
    pub records: u64,
}

/// The last nights, the earliest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trend {
    /// The nights before the one that is audited.
    pub nights: Vec<NightTotals>,
    /// The date of the night that is audited.
    pub date: Date,
}
