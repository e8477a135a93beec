//! Plain ASCII.

#[cfg(target_arch = "x86_64")]
use super::avx2;

/// Whether `text` contains only printable ASCII and the ASCII whitespace from tab to carriage return,
/// which are the characters that PGN allows.
pub fn is_plain_ascii(text: &[u8]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if let Some(is_plain) = avx2::is_plain_ascii(text) {
        return is_plain;
    }
    is_plain_ascii_portable(text)
}

/// The same on every processor.
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
