//! Charts of bars, and the names and numbers in charts and addresses.

use crate::text::wording::thousands;

/// Height of a bar with its label, in pixels.
const BAR_HEIGHT: usize = 38;

/// Maximum length of the name of an input in a chart, in characters.
const MAX_BAR_LABEL: usize = 44;

/// A part of a whole as a bar.
pub(super) struct Share {
    pub text: String,
    pub percent: String,
}

/// Bars, one below the other.
pub(super) struct Chart {
    pub id: &'static str,
    pub title: &'static str,
    pub is_log: bool,
    pub height: usize,
    pub bars: Vec<Bar>,
    /// What is left out.
    pub more: Option<String>,
}

pub(super) struct Bar {
    pub href: Option<String>,
    pub label: String,
    pub total: String,
    pub y: usize,
    pub parts: Vec<BarPart>,
}

/// A part of a bar or column: where it starts, and its length.
pub(super) struct BarPart {
    pub class: &'static str,
    pub start: String,
    pub length: String,
}

/// What a bar stands for: its address and label, a number, and the parts of that.
pub(super) type Row = (Option<String>, String, u64, Vec<(&'static str, u64)>);

impl Chart {
    /// A chart of these rows. If the scale is logarithmic, so are the bars, but not their parts.
    pub fn new(id: &'static str, title: &'static str, rows: Vec<Row>, is_log: bool, more: Option<String>) -> Chart {
        let max = rows.iter().map(|(_, _, total, _)| *total).max().unwrap_or(1);
        let scale = |number: u64| if is_log { logarithm(number) } else { number };
        let bar = |(index, (href, label, total, parts)): (usize, Row)| {
            let width =
                |part: u64| u64::try_from(u128::from(scale(total)) * u128::from(part) / u128::from(total)).unwrap_or(u64::MAX);
            let parts = parts.into_iter().map(|(class, part)| (class, width(part)));
            Bar { href, label, total: thousands(total), y: index * BAR_HEIGHT, parts: bar_parts(parts, scale(max)) }
        };
        let bars: Vec<Bar> = rows.into_iter().enumerate().map(bar).collect();
        Chart { id, title, is_log, height: bars.len() * BAR_HEIGHT, bars, more }
    }
}

/// Parts one after the other, in percent of `whole`, without empty ones.
pub(super) fn bar_parts(parts: impl IntoIterator<Item = (&'static str, u64)>, whole: u64) -> Vec<BarPart> {
    let mut start = 0;
    let part = |(class, length): (&'static str, u64)| {
        let [start_at, length_is] = [start, length].map(|number| percent(number, whole));
        start += length;
        BarPart { class, start: start_at, length: length_is }
    };
    parts.into_iter().filter(|(_, length)| *length > 0).map(part).collect()
}

/// Truncates a long name at its start, because names usually differ at their end.
pub(super) fn tail(name: &str) -> String {
    let count = name.chars().count();
    if count <= MAX_BAR_LABEL {
        return name.to_owned();
    }
    let end: String = name.chars().skip(count + 1 - MAX_BAR_LABEL).collect();
    format!("…{end}")
}

/// A percentage with two decimals. Integer arithmetic gives the same result on all machines.
pub(super) fn percent(part: u64, whole: u64) -> String {
    let hundredths = u128::from(part) * 10_000 / u128::from(whole.max(1));
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// `text` in an address. Only letters, digits and the bytes in `plain` are not encoded.
pub(super) fn percent_encoded(text: &str, plain: &[u8]) -> String {
    let encode = |byte: u8| match byte {
        byte if byte.is_ascii_alphanumeric() || plain.contains(&byte) => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(encode).collect()
}

/// The logarithm of a number plus one, times 1024, between powers of two as a straight line.
/// Integer arithmetic gives the same result on all machines.
pub(super) fn logarithm(number: u64) -> u64 {
    let number = number.saturating_add(1);
    let power = number.ilog2();
    let rest = (u128::from(number - (1 << power)) * 1024) >> power;
    u64::from(power) * 1024 + u64::try_from(rest).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_truncated_at_the_start() {
        assert_eq!(tail("a.pgn"), "a.pgn");
        let truncated = tail(&format!("{}/a.pgn", "x".repeat(100)));
        assert!(truncated.starts_with('…') && truncated.ends_with("x/a.pgn") && truncated.chars().count() == MAX_BAR_LABEL);
    }

    #[test]
    fn percentages_are_exact() {
        assert_eq!(
            [percent(0, 7), percent(7, 7), percent(1, 3), percent(u64::MAX, u64::MAX)],
            ["0.00", "100.00", "33.33", "100.00"]
        );
    }

    #[test]
    fn logarithms_grow() {
        assert_eq!([logarithm(0), logarithm(1), logarithm(2), logarithm(3)], [0, 1024, 1536, 2048]);
        assert_eq!(logarithm(u64::MAX), logarithm(u64::MAX - 1));
    }
}
