//! The numbers of the last nights as lines.

use crate::{
    format::trend::{NightTotals, Trend},
    pipeline::{RunSummary, SeverityCounts},
    text::wording::{join_and, thousands},
};

/// The size of a line in pixels, and the space around it for marks.
const SIZE: [f64; 2] = [160.0, 32.0];
const SPACE: f64 = 4.0;

/// One of the numbers of the last nights.
pub(super) struct TrendLine {
    pub name: &'static str,
    /// Number of nights.
    pub nights: usize,
    /// The number of this night.
    pub last: String,
    /// The points of the line, as in SVG.
    pub points: String,
    pub jumps: Vec<Jump>,
    /// The same in words.
    pub text: String,
}

/// A night in which a number jumped.
pub(super) struct Jump {
    pub x: String,
    pub y: String,
    pub text: String,
}

/// The lines for errors, warnings, infos, and games and positions. None in the first night.
pub(super) fn lines(trend: Option<&Trend>, summary: &RunSummary) -> Vec<TrendLine> {
    let Some(Trend { nights, date }) = trend.filter(|trend| !trend.nights.is_empty()) else { return Vec::new() };
    let findings = summary.findings.without(summary.known);
    let tonight = NightTotals { date: *date, findings, records: summary.counts.records() };
    let nights: Vec<NightTotals> = nights.iter().copied().chain([tonight]).collect();
    let of_findings = |name, of: fn(SeverityCounts) -> u64| line(name, &nights, |night| of(night.findings));
    vec![
        of_findings("errors", |findings| findings.error),
        of_findings("warnings", |findings| findings.warning),
        of_findings("infos", |findings| findings.info),
        line("games and positions", &nights, |night| night.records),
    ]
}

fn line(name: &'static str, nights: &[NightTotals], of: impl Fn(&NightTotals) -> u64) -> TrendLine {
    let numbers: Vec<u64> = nights.iter().map(of).collect();
    let (least, most) = (numbers.iter().min().copied().unwrap_or(0), numbers.iter().max().copied().unwrap_or(0));
    let [width, height] = SIZE;
    let step = (width - 2.0 * SPACE) / numbers.len().saturating_sub(1).max(1) as f64;
    // A line without changes is in the middle.
    let share = |number: u64| if most == least { 0.5 } else { (number - least) as f64 / (most - least) as f64 };
    let point = |(night, number): (usize, &u64)| {
        let (x, y) = (SPACE + step * night as f64, height - SPACE - share(*number) * (height - 2.0 * SPACE));
        (format!("{x:.1}"), format!("{y:.1}"))
    };
    let points: Vec<(String, String)> = numbers.iter().enumerate().map(point).collect();
    let jumped = jumps(&numbers);
    let jumps: Vec<Jump> = (1..numbers.len())
        .filter(|night| jumped[*night])
        .map(|night| {
            let (x, y) = points[night].clone();
            let (before, after) = (numbers[night - 1], numbers[night]);
            Jump { x, y, text: format!("{}: from {} to {}", nights[night].date, thousands(before), thousands(after)) }
        })
        .collect();
    let last = thousands(numbers.last().copied().unwrap_or(0));
    let mut text = format!("{name}: {last} now, from {} to {} in {} nights", thousands(least), thousands(most), numbers.len());
    if !jumps.is_empty() {
        let jumps: Vec<String> = jumps.iter().map(|jump| jump.text.clone()).collect();
        text.push_str(&format!("; jumps on {}", join_and(&jumps)));
    }
    let points = points.iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ");
    TrendLine { name, nights: numbers.len(), last, points, jumps, text }
}

/// Which numbers are a jump: their change is more than four times the median change.
fn jumps(numbers: &[u64]) -> Vec<bool> {
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
