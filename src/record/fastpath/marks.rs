//! Where bytes of some kinds are, for 32 bytes of a text at a time.

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
    fn special_bytes_are_marked() {
        let mut bytes = [b'a'; MARKED];
        bytes[..12].copy_from_slice(b"\"\\ ~!=\x1F\x7F\x80\xFF\0\n");
        (bytes[30], bytes[31]) = (b'=', b'"');
        let expected = Marks { special: 0b1111_1100_0011 | 1 << 31, equals: 1 << 5 | 1 << 30 };
        assert_eq!(marks(&bytes), expected);
        assert_eq!(last_marks(b"a=\""), Marks { special: u32::MAX << 2, equals: 2 });
    }
}
