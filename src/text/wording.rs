//! Wording for people: numbers, plurals, lists, and text that is safe to print.

use std::borrow::Cow;

/// Whether a terminal or browser shows the character, and does not obey it: it is neither a control
/// character nor invisible, and does not change the writing direction.
pub const fn is_printable(character: char) -> bool {
    !matches!(
        character,
        '\0'..='\x1F' | '\x7F'..='\u{9F}' | '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}'
    )
}

/// Whether all characters of `text` are printable, see [`is_printable`].
fn is_all_printable(text: &str) -> bool {
    // Without branches, so that the compiler can use vector instructions for the usual text.
    let is_ascii = text.bytes().fold(true, |all, byte| all & (byte.wrapping_sub(b' ') <= b'~' - b' '));
    is_ascii || text.chars().all(is_printable)
}

/// `text` with all characters escaped that are not printable, see [`is_printable`].
pub fn printable(text: &str) -> Cow<'_, str> {
    if is_all_printable(text) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_printable(character) { safe.push(character) } else { safe.extend(character.escape_default()) }
    }
    Cow::Owned(safe)
}

/// The name of an input with all characters escaped as `\u{1b}` that are not printable.
///
/// A backslash before `u{` is escaped too, so that the name can be restored: every `\u{…}` in the
/// result stands for the character with that number.
pub fn printable_name(name: &str) -> Cow<'_, str> {
    if is_all_printable(name) && !name.contains("\\u{") {
        return Cow::Borrowed(name);
    }
    let mut safe = String::with_capacity(name.len() + 16);
    for (at, character) in name.char_indices() {
        if is_printable(character) && !name[at..].starts_with("\\u{") {
            safe.push(character);
        } else {
            safe.extend(character.escape_unicode());
        }
    }
    Cow::Owned(safe)
}

/// The name that [`printable_name`] has escaped.
pub fn restored_name(name: &str) -> String {
    let mut parts = name.split("\\u{");
    let mut restored = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let character = part.split_once('}').and_then(|(digits, rest)| {
            let character = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)?;
            Some((character, rest))
        });
        match character {
            Some((character, rest)) => {
                restored.push(character);
                restored.push_str(rest);
            }
            None => {
                restored.push_str("\\u{");
                restored.push_str(part);
            }
        }
    }
    restored
}

/// `1234567` as `1,234,567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    if number < 1_000 {
        return digits;
    }
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
    [thousands(number).as_str(), " ", if number == 1 { one } else { many }].concat()
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
        push_separator(&mut text, index, parts.len(), conjunction);
        text.push_str(part.as_ref());
    }
    text
}

/// Adds what comes before part `index` (from 0) of a list of `count` parts.
pub fn push_separator(text: &mut String, index: usize, count: usize, conjunction: &str) {
    match index {
        0 => {}
        _ if index + 1 == count => text.extend([" ", conjunction, " "]),
        _ => text.push_str(", "),
    }
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
    fn names_can_be_restored() {
        for (name, safe) in [
            ("a\\b/Müller.pgn", "a\\b/Müller.pgn"),
            ("a\x1b[2J\n\u{9b}.pgn", "a\\u{1b}[2J\\u{a}\\u{9b}.pgn"),
            ("\u{202E}ngp.a", "\\u{202e}ngp.a"),
            ("a\\u{1b}.pgn", "a\\u{5c}u{1b}.pgn"),
        ] {
            assert_eq!(printable_name(name), safe);
            assert_eq!(restored_name(safe), name);
        }
        for unknown in ["\\u{", "\\u{}", "\\u{110000}", "\\u{d800}a", "\\u{1b"] {
            assert_eq!(restored_name(unknown), unknown);
        }
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
