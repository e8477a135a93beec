//! Cells that a spreadsheet cannot take for formulas.

use std::borrow::Cow;

/// `text` as a cell that a spreadsheet shows rather than runs: what it would take for a formula gets a `'` put before it.
///
/// Spreadsheets run cells that begin with `=`, `+`, `-` or `@` (in full width as well), some of them after skipping blanks, tabs and line
/// ends. What begins with `+` or `-` and cannot be a formula stays as it is, because chess is full of it: the sign alone (an
/// empty FEN field), signs only (`+-`, the null move `--`, the forfeit `-/+`), a plain number (`-0.35`). Text that already looks
/// like a cell made harmless gets one more `'`, so that taking one away always gives back what was there.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if needs_quote(text) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

fn needs_quote(text: &str) -> bool {
    // Nearly every cell begins with something else: one look at one byte.
    match text.as_bytes().first() {
        Some(b'=' | b'+' | b'-' | b'@' | b'\'' | b'\t' | b'\r' | b'\n' | b' ' | 0xEF) => {}
        _ => return false,
    }
    let text = text.trim_start_matches('\'');
    if text.starts_with(['\t', '\r', '\n']) {
        return true;
    }
    let text = text.trim_start();
    let mut characters = text.chars();
    match characters.next() {
        Some('=' | '@' | '＝' | '＠' | '＋' | '－') => true,
        Some('+' | '-') => !has_only_signs(text) && !is_number(characters.as_str()),
        _ => false,
    }
}

/// No operand, no formula.
fn has_only_signs(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'+' | b'-' | b'/' | b':' | b'=' | b' '))
}

/// Digits with at most one point between or before them.
fn is_number(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    !fraction.is_empty() && all_digits(whole) && all_digits(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_made_harmless() {
        for text in [
            "=1+1",
            "@SUM(A1)",
            "+A1",
            "-A1",
            "-1+2",
            "+cmd|' /C calc'!A0",
            "\t=1",
            "\r=1",
            "\n",
            "\tx",
            " =1",
            "  -A1",
            "＝1",
            "-2.",
            "--A1",
            "-1e5",
            "+e4",
        ] {
            assert_eq!(harmless(text), format!("'{text}"), "{text:?}");
        }
    }

    #[test]
    fn chess_is_left_alone() {
        for text in [
            "", "-", "+", "--", "+-", "-/+", "+ -", "-+", "+/=", "-0.35", "+3", "-12", "-.5", "1-0", "1/2-1/2", "e4", "O-O+",
            "Nf3=", "*", "KQkq", "'", "'tis", "' x", " x", "1=2", "a@b", "Q@e4", "…",
        ] {
            assert_eq!(harmless(text), text, "{text:?}");
        }
    }

    #[test]
    fn taking_the_quote_away_gives_back_what_was_there() {
        // Whatever a reader sees with a quote before something dangerous was quoted by us, also where it began with a quote.
        for text in ["'=1", "''=1", "' =1", "'\tx", "'-A1"] {
            assert_eq!(harmless(text), format!("'{text}"), "{text:?}");
        }
    }
}
