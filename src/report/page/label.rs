//! Names and numbers in charts and addresses.

/// Maximum length of the name of an input in a chart, in characters.
const MAX_BAR_LABEL: usize = 44;

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
