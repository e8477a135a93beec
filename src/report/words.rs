//! Text for people: numbers, plurals, and nothing that a terminal or a browser would obey.

use crate::pipeline::{RunSummary, SeverityCounts};

/// Text that may come from an input, made safe to be shown: control characters and those that turn the direction of writing are escaped.
pub fn printable(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        let obeyed = character.is_control()
            || matches!(character, '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}');
        if obeyed { safe.extend(character.escape_default()) } else { safe.push(character) }
    }
    safe
}

/// `1234567` as `1,234,567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 game`, `2,000 games`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

/// `a`, `a and b`, `a, b and c`.
pub fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Bytes in the unit that suits them.
pub fn size(bytes: u64) -> String {
    if bytes < 1000 {
        return counted(bytes, "byte", "bytes");
    }
    indicatif::DecimalBytes(bytes).to_string()
}

/// `1 error and 2 warnings`.
pub fn found(findings: SeverityCounts) -> String {
    let words =
        [(findings.error, "error", "errors"), (findings.warning, "warning", "warnings"), (findings.info, "info", "infos")];
    let parts: Vec<String> =
        words.into_iter().filter(|(count, ..)| *count > 0).map(|(count, one, many)| counted(count, one, many)).collect();
    if parts.is_empty() { "nothing".to_owned() } else { listed(&parts) }
}

/// What was read: records, plies, inputs and bytes.
pub fn read(summary: &RunSummary) -> String {
    let counts = summary.counts;
    let mut parts = Vec::new();
    if counts.games > 0 || counts.positions == 0 {
        parts.push(counted(counts.games, "game", "games"));
    }
    if counts.positions > 0 {
        parts.push(counted(counts.positions, "position", "positions"));
    }
    parts.push(counted(counts.plies, "ply replayed", "plies replayed"));
    format!("{}; {}, {}", listed(&parts), counted(summary.inputs, "input", "inputs"), size(counts.bytes))
}

/// How a run came out, in a sentence without a full stop.
pub fn verdict(summary: &RunSummary) -> String {
    let records = summary.counts.records();
    let text = if summary.findings.total() > 0 {
        let with = thousands(summary.records_with_findings);
        format!("{} in {with} of {}", found(summary.findings), counted(records, "record", "records"))
    } else if records == 0 {
        "No records found".to_owned()
    } else {
        format!("Nothing wrong found in {}", counted(records, "record", "records"))
    };
    if summary.failures > 0 { format!("The audit is not complete. {text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_would_obey() {
        assert_eq!(printable("a\x1b[31mb\u{202E}c\u{9b}\n"), "a\\u{1b}[31mb\\u{202e}c\\u{9b}\\n");
        assert_eq!(printable("Müller – ♔"), "Müller – ♔");
    }

    #[test]
    fn numbers_are_grouped() {
        let of = |number| thousands(number);
        assert_eq!([of(0), of(999), of(1000), of(1234567)], ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(counted(1, "game", "games"), "1 game");
        assert_eq!(counted(0, "game", "games"), "0 games");
        assert_eq!(size(1), "1 byte");
        assert_eq!(size(1_500_000), "1.50 MB");
    }

    #[test]
    fn lists_end_in_and() {
        let of = |parts: &[&str]| listed(&parts.iter().map(|part| part.to_string()).collect::<Vec<_>>());
        assert_eq!([of(&[]), of(&["a"]), of(&["a", "b"]), of(&["a", "b", "c"])], ["", "a", "a and b", "a, b and c"]);
    }
}
