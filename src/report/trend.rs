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

/// Which numbers are a jump: their change is more than four times the median change.
pub(super) fn jumps(numbers: &[u64]) -> Vec<bool> {
    let changes: Vec<u64> = numbers.windows(2).map(|pair| pair[0].abs_diff(pair[1])).collect();
    let mut sorted = changes.clone();
    sorted.sort_unstable();
    // The lower one of two in the middle.
    let median = sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or_default();
    let is_jump = |change: u64| change > median.saturating_mul(4);
    std::iter::once(false).chain(changes.into_iter().map(is_jump)).take(numbers.len()).collect()
}

#[cfg(test)]
mod tests {
    use super::jumps;

    fn places(numbers: &[u64]) -> Vec<usize> {
        jumps(numbers).iter().enumerate().filter(|(_, jump)| **jump).map(|(place, _)| place).collect()
    }

    #[test]
    fn jumps_are_changes_that_are_out_of_the_ordinary() {
        assert_eq!(places(&[]), [0; 0]);
        assert_eq!(places(&[7]), [0; 0]);
        // Where nothing changes, any change is one.
        assert_eq!(places(&[5, 5, 5, 6, 6]), [3]);
        assert_eq!(places(&[10, 12, 14, 16, 25, 24]), [4]);
        assert_eq!(places(&[10, 12, 14, 16, 24, 22]), [0; 0], "four times is none");
        assert_eq!(places(&[100, 90, 80, 0, 10]), [3]);
        assert_eq!(places(&[0, u64::MAX, 0]), [0; 0]);
    }
}
