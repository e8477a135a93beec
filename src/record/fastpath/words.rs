//! Eight bytes of a text at a time, as words whose lowest byte is the first one.

/// A byte in all eight places.
pub(super) const fn all(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The highest bit of each byte.
const HIGH: u64 = all(0x80);

/// The eight bytes at `at`. NUL bytes fill up what is missing at the end of the text.
#[inline(always)]
pub(super) fn word_at(text: &[u8], at: usize) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    rest.first_chunk().map_or_else(|| last_word(rest), |bytes| u64::from_le_bytes(*bytes))
}

#[cold]
fn last_word(rest: &[u8]) -> u64 {
    rest.iter().take(8).rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// The lowest byte of `word` that is `byte`, marked by its highest bit. Bytes above it may be marked too.
#[inline(always)]
pub(super) const fn equal(word: u64, byte: u8) -> u64 {
    let differs = word ^ all(byte);
    differs.wrapping_sub(all(1)) & !differs & HIGH
}

/// The index of the lowest byte that is marked; 8 if none is.
#[inline(always)]
pub(super) const fn first_marked(marks: u64) -> usize {
    marks.trailing_zeros() as usize / 8
}

/// Number of bytes that are marked at once.
pub(super) const MARKED: usize = 32;

/// Where bytes of some kinds are, one bit for each byte, the first one lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marks {
    /// Bytes that are not printable ASCII, quotes and backslashes.
    pub special: u32,
    /// Equals signs.
    pub equals: u32,
}

/// Marks bytes on any processor.
pub(super) fn marks(bytes: &[u8; MARKED]) -> Marks {
    let bits = |of: fn(u8) -> bool| bytes.iter().rev().fold(0, |bits, byte| bits << 1 | u32::from(of(*byte)));
    let special = bits(|byte| !matches!(byte, b' '..=b'~') || matches!(byte, b'"' | b'\\'));
    Marks { special, equals: bits(|byte| byte == b'=') }
}

/// Marks the bytes at the end of a text. What is missing is special.
#[cold]
pub(super) fn last_marks(rest: &[u8]) -> Marks {
    let mut bytes = [0; MARKED];
    bytes.iter_mut().zip(rest).for_each(|(byte, own)| *byte = *own);
    marks(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_found_at_every_place() {
        for place in 0..8 {
            for byte in 0..=u8::MAX {
                // What is above must not matter, whatever it is.
                for above in [b'a', byte, byte.wrapping_add(1), byte.wrapping_sub(1), 0, 0xFF] {
                    let mut bytes = [b'a'; 8];
                    bytes[place..].fill(above);
                    bytes[place] = byte;
                    let first = bytes.iter().position(|other| *other == byte);
                    assert_eq!(Some(first_marked(equal(u64::from_le_bytes(bytes), byte))), first, "{bytes:?}");
                }
            }
        }
    }

    #[test]
    fn special_bytes_are_marked() {
        let mut bytes = [b'a'; MARKED];
        bytes[..12].copy_from_slice(b"\"\\ ~!=\x1F\x7F\x80\xFF\0\n");
        (bytes[30], bytes[31]) = (b'=', b'"');
        let expected = Marks { special: 0b1111_1100_0011 | 1 << 31, equals: 1 << 5 | 1 << 30 };
        assert_eq!(marks(&bytes), expected);
        assert_eq!(last_marks(b"a=\""), Marks { special: u32::MAX << 2, equals: 2 });
    }

    #[test]
    fn words_end_with_the_text() {
        assert_eq!(word_at(b"0123456789", 1).to_le_bytes(), *b"12345678");
        assert_eq!(word_at(b"0123456789", 7).to_le_bytes(), *b"789\0\0\0\0\0");
        assert_eq!((word_at(b"0123456789", 10), word_at(b"0123456789", 11)), (0, 0));
    }
}
