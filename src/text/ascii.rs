//! Plain ASCII.

#[cfg(target_arch = "x86_64")]
use super::avx2;

/// Whether `text` contains only printable ASCII and the ASCII whitespace from tab to carriage
/// return, which are the characters that PGN allows.
pub fn is_plain_ascii(text: &[u8]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if let Some(is_plain) = avx2::is_plain_ascii(text) {
        return is_plain;
    }
    is_plain_ascii_portable(text)
}

/// The number of line breaks of a text that contains only printable ASCII, LF, and CR before LF.
/// `None` for any other text.
pub fn count_plain_lines(text: &[u8]) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if let Some(lines) = avx2::count_plain_lines(text) {
        return lines;
    }
    count_plain_lines_portable(text)
}

/// The same on every processor.
fn count_plain_lines_portable(text: &[u8]) -> Option<usize> {
    let mut lines = 0;
    // No branches within a part, so that the compiler can use vector instructions.
    for start in (0..text.len()).step_by(255) {
        let part = &text[start..text.len().min(start + 255)];
        let is_plain = |byte: u8, next: u8| {
            let is_cr_lf = u8::from(byte == b'\r') & u8::from(next == b'\n');
            u8::from(byte == b'\n') | u8::from(byte.wrapping_sub(b' ') <= b'~' - b' ') | is_cr_lf
        };
        let next = text[start + 1..].iter().chain(&[0]);
        let (plain, breaks) = part
            .iter()
            .zip(next)
            .fold((1, 0), |(plain, breaks), (byte, next)| (plain & is_plain(*byte, *next), breaks + u8::from(*byte == b'\n')));
        if plain == 0 {
            return None;
        }
        lines += usize::from(breaks);
    }
    Some(lines)
}

/// [`is_plain_ascii`] on every processor.
fn is_plain_ascii_portable(text: &[u8]) -> bool {
    // No branches within a part, so that the compiler can use vector instructions.
    let is_other =
        |byte: u8| u8::from(byte.wrapping_sub(b' ') > b'~' - b' ') & u8::from(byte.wrapping_sub(b'\t') > b'\r' - b'\t');
    text.chunks(256).all(|part| part.iter().fold(0, |any, &byte| any | is_other(byte)) == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_plain_texts_are_counted() {
        for (pattern, byte) in [&b"1. e4\ne5 "[..], b"1. e4\r\ne5 "].into_iter().flat_map(|p| (0..=u8::MAX).map(move |b| (p, b)))
        {
            for length in (0..100_usize).chain([255, 256, 8_160, 8_161, 8_192, 20_000]) {
                for at in [0, length / 3, length.saturating_sub(2), length.saturating_sub(1)] {
                    let mut text: Vec<u8> = pattern.iter().copied().cycle().take(length).collect();
                    text.iter_mut().skip(at).take(1).for_each(|changed| *changed = byte);
                    let is_plain = |(at, byte): (usize, &u8)| {
                        matches!(byte, b'\n' | b' '..=b'~') || *byte == b'\r' && text.get(at + 1) == Some(&b'\n')
                    };
                    let lines = text.iter().filter(|byte| **byte == b'\n').count();
                    let expected = text.iter().enumerate().all(is_plain).then_some(lines);
                    assert_eq!(count_plain_lines(&text), expected, "{byte} at {at} of {length}");
                    assert_eq!(count_plain_lines_portable(&text), expected, "{byte} at {at} of {length}, on every processor");
                }
            }
        }
    }

    #[test]
    fn agrees_with_a_plain_test_for_every_byte() {
        for byte in 0..=u8::MAX {
            let expected = matches!(byte, b' '..=b'~' | b'\t'..=b'\r');
            assert_eq!(is_plain_ascii(&[byte]), expected, "{byte}");
            let mut text = vec![b'x'; 600];
            text[599] = byte;
            assert_eq!(is_plain_ascii(&text), expected, "{byte} in the last part");
            assert_eq!(is_plain_ascii_portable(&text), expected, "{byte} in the last part, on every processor");
            for length in 1..100 {
                for at in [0, length / 2, length - 1] {
                    let mut text = vec![b'x'; length];
                    text[at] = byte;
                    assert_eq!(is_plain_ascii(&text), expected, "{byte} at {at} of {length}");
                }
            }
        }
        assert!(is_plain_ascii(b""));
    }
}
