//! Tests of eight bytes at a time with SSE2, which all x86-64 processors have.

#![allow(unsafe_code)]

use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_cvtsi64_si128, _mm_max_epu8, _mm_movemask_epi8, _mm_set1_epi8};

/// The number of leading bytes above a space: those before whitespace or a control character. 8 if all are.
#[inline(always)]
pub fn token_length(word: u64) -> u32 {
    // SAFETY: these instructions belong to the architecture and do not access memory.
    unsafe {
        let space = _mm_set1_epi8(b' '.cast_signed());
        let bytes = _mm_cvtsi64_si128(word.cast_signed());
        // The bytes after the word are 0.
        let places = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(bytes, space), space));
        places.trailing_zeros()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::swar::portable_token_length;

    #[test]
    fn lengths_are_the_same_on_every_processor() {
        for byte in 0..=u8::MAX {
            for other in [b'a', b' ', 0x7F, 0x80, 0xFF] {
                for place in 0..8 {
                    let mut bytes = [other; 8];
                    bytes[place] = byte;
                    let length = bytes.iter().position(|byte| *byte <= b' ').unwrap_or(8) as u32;
                    let word = u64::from_le_bytes(bytes);
                    assert_eq!([token_length(word), portable_token_length(word)], [length; 2], "{bytes:?}");
                }
            }
        }
    }
}
