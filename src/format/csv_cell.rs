//! CSV cells that spreadsheets do not run as formulas.

use std::borrow::Cow;

/// `text` as a CSV cell. A cell that a spreadsheet would run as a formula gets a leading `'`.
///
/// Spreadsheets run cells that start with `=`, `+`, `-` or `@`, also in full width. Some skip
/// leading whitespace first. Cells that start with `+` or `-` but cannot be formulas stay
/// unchanged, because they are common in chess: the sign alone (an empty FEN field), signs only
/// (`+-`, the null move `--`, the forfeit `-/+`), a plain number (`-0.35`). Text that already looks
/// like a quoted cell gets one more `'`, so that removing one `'` always restores the text.
pub fn spreadsheet_safe(text: &str) -> Cow<'_, str> {
    if needs_quote(text) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// The text of a cell that [`spreadsheet_safe`] made.
pub(crate) fn unquoted(cell: &[u8]) -> &[u8] {
    match cell.strip_prefix(b"'") {
        Some(text) if needs_quote(&String::from_utf8_lossy(text)) => text,
        _ => cell,
    }
}

fn needs_quote(text: &str) -> bool {
    // Fast path: most cells start with another byte.
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

/// Whether there is no operand, so that the text cannot be a formula.
fn has_only_signs(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'+' | b'-' | b'/' | b':' | b'=' | b' '))
}

/// Whether the text consists of digits with at most one decimal point between or before them.
fn is_number(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    !fraction.is_empty() && all_digits(whole) && all_digits(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_quoted() {
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
            assert_eq!(spreadsheet_safe(text), format!("'{text}"), "{text:?}");
        }
    }

    #[test]
    fn chess_notation_is_unchanged() {
        for text in [
            "", "-", "+", "--", "+-", "-/+", "+ -", "-+", "+/=", "-0.35", "+3", "-12", "-.5", "1-0", "1/2-1/2", "e4", "O-O+",
            "Nf3=", "*", "KQkq", "'", "'tis", "' x", " x", "1=2", "a@b", "Q@e4", "…",
        ] {
            assert_eq!(spreadsheet_safe(text), text, "{text:?}");
        }
    }

    #[test]
    fn removing_the_quote_restores_the_text() {
        // A quote before a formula always comes from this function, so original quotes are doubled.
        for text in ["'=1", "''=1", "' =1", "'\tx", "'-A1"] {
            assert_eq!(spreadsheet_safe(text), format!("'{text}"), "{text:?}");
        }
        for text in
            ["=1", "'=1", "''=1", "' =1", "'\tx", "-1", "'-1", "''-1", "'--", "'+", "' x", "'", "''", "'tis", "", "\u{A0}=1"]
        {
            assert_eq!(unquoted(spreadsheet_safe(text).as_bytes()), text.as_bytes(), "{text:?}");
        }
    }
}
