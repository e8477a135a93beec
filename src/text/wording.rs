//! Wording for people: numbers, plurals, lists, and text that is safe to print.

/// `text` with control characters and changes of the writing direction escaped, which a terminal or
/// browser would otherwise obey.
pub fn printable(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        let is_control = character.is_control()
            || matches!(character, '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}');
        if is_control { safe.extend(character.escape_default()) } else { safe.push(character) }
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

/// A number with its noun: `1 game`, `2,000 games`.
pub fn quantity(number: impl TryInto<u64>, one: &str, many: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

/// `a`, `a and b`, `a, b and c`.
pub fn join_and(parts: &[impl AsRef<str>]) -> String {
    join(parts, "and")
}

/// `a`, `a or b`, `a, b or c`.
pub fn join_or(parts: &[impl AsRef<str>]) -> String {
    join(parts, "or")
}

fn join(parts: &[impl AsRef<str>], conjunction: &str) -> String {
    let mut text = String::new();
    for (index, part) in parts.iter().enumerate() {
        match index {
            0 => {}
            _ if index + 1 == parts.len() => text.push_str(&format!(" {conjunction} ")),
            _ => text.push_str(", "),
        }
        text.push_str(part.as_ref());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(printable("a\x1b[31mb\u{202E}c\u{9b}\n"), "a\\u{1b}[31mb\\u{202e}c\\u{9b}\\n");
        assert_eq!(printable("Müller – ♔"), "Müller – ♔");
    }

    #[test]
    fn numbers_have_groups_and_nouns() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(quantity(1_u32, "ply", "plies"), "1 ply");
        assert_eq!(quantity(0_usize, "ply", "plies"), "0 plies");
        assert_eq!(quantity(2000_u64, "game", "games"), "2,000 games");
    }

    #[test]
    fn lists_end_in_a_conjunction() {
        let of = |parts: &[&str]| join_and(parts);
        assert_eq!([of(&[]), of(&["a"]), of(&["a", "b"]), of(&["a", "b", "c"])], ["", "a", "a and b", "a, b and c"]);
        assert_eq!(join_or(&["Nbd2".to_owned(), "Nfd2".to_owned()]), "Nbd2 or Nfd2");
    }
}
