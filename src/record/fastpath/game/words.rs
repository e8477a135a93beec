//! The words of a movetext, and the gaps between them.

use crate::text::swar::word;

/// The end of whitespace and control characters, about which other rules have findings.
#[inline]
pub(super) fn skip_whitespace(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(|&byte| byte <= b' ') {
        at += 1;
    }
    at
}

/// Finds the next token, which is nearly always at `at` or after one space.
#[inline(always)]
pub(super) fn token(text: &[u8], at: usize) -> Option<(usize, u64)> {
    let next = word(text, at)?;
    if next as u8 > b' ' {
        return Some((at, next));
    }
    let next = word(text, at + 1)?;
    if next as u8 > b' ' {
        return Some((at + 1, next));
    }
    let at = gap(text, at)?;
    Some((at, word(text, at)?))
}

/// Finds the next token after a word that ends at `at`, before whitespace or a control character.
#[inline(always)]
pub(super) fn token_after(text: &[u8], at: usize) -> Option<(usize, u64)> {
    let next = word(text, at + 1)?;
    if next as u8 > b' ' {
        return Some((at + 1, next));
    }
    let at = gap(text, at)?;
    Some((at, word(text, at)?))
}

/// The end of more whitespace, which must not contain a blank line.
///
/// The word there is read by the caller, which then has it in a register: to pass it through memory
/// would hold up every token.
#[inline(never)]
pub(super) fn gap(text: &[u8], from: usize) -> Option<usize> {
    if text.get(from..from + 2) == Some(b"\r\n") && text.get(from + 2).is_some_and(|&next| next > b' ') {
        return Some(from + 2);
    }
    let at = skip_whitespace(text, from);
    (line_breaks(text, from, at) < 2).then_some(at)
}

/// Number of line breaks between two places: LF, CR LF, or CR alone. One at the end of the text
/// does not count.
#[inline]
pub(super) fn line_breaks(text: &[u8], from: usize, to: usize) -> usize {
    let breaks = text[from..to].iter().zip(text.get(from + 1..).unwrap_or_default()).filter(|&(byte, next)| match byte {
        b'\n' => true,
        b'\r' => *next != b'\n',
        _ => false,
    });
    breaks.count()
}

/// Skips a numeric annotation glyph up to 255. `length` is that of the token.
pub(super) fn glyph(text: &[u8], at: usize, length: u32) -> Option<usize> {
    let digits = text.get(at + 1..at + length as usize)?;
    let value =
        digits.iter().try_fold(0_u32, |value, byte| byte.is_ascii_digit().then(|| 10 * value + u32::from(byte - b'0')))?;
    ((2..=4).contains(&length) && value <= 255).then_some(at + length as usize)
}

#[cfg(test)]
mod tests {
    use super::line_breaks;

    #[test]
    fn line_breaks_end_before_the_text_does() {
        assert_eq!(line_breaks(b"]\r\n\n1", 1, 4), 2);
        assert_eq!(line_breaks(b"]\n", 1, 2), 0);
        assert_eq!(line_breaks(b"]\n", 2, 2), 0);
    }
}
