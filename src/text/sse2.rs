//! Tests of eight bytes at a time with SSE2, which all x86-64 processors have.

#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m128i, _mm_cmpeq_epi8, _mm_cvtsi64_si128, _mm_loadu_si128, _mm_max_epu8, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128,
    _mm_set1_epi8,
};

/// The number of leading bytes above a space: those before whitespace or a control character. 8 if
/// all are.
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

/// The number of leading bytes above a space, 16 if all are.
#[inline(always)]
pub fn name_length(bytes: &[u8; 16]) -> u32 {
    let bytes = load(bytes);
    // SAFETY: these instructions belong to the architecture and do not access memory.
    unsafe {
        let space = _mm_set1_epi8(b' '.cast_signed());
        let places = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(bytes, space), space));
        (places | 1 << 16).trailing_zeros()
    }
}

/// The number of leading bytes before a quotation mark, a backslash or a control character, 32 if
/// there is none.
#[inline(always)]
pub fn value_length(bytes: &[u8; 32]) -> u32 {
    let stops = |half: usize| {
        let bytes = load(&bytes.as_chunks().0[half]);
        // SAFETY: these instructions belong to the architecture and do not access memory.
        unsafe {
            let [quote, backslash, control] = [b'"', b'\\', b' ' - 1].map(|byte| _mm_set1_epi8(byte.cast_signed()));
            let marks = _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash));
            let controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, control), bytes);
            _mm_movemask_epi8(_mm_or_si128(marks, controls)) as u32
        }
    };
    (stops(0) | stops(1) << 16).trailing_zeros()
}

#[inline(always)]
fn load(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: 16 bytes are read from an array of 16, at any alignment.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::swar::{portable_name_length, portable_token_length, portable_value_length};

    #[test]
    fn names_and_values_are_the_same_on_every_processor() {
        for (byte, other) in (0..=u8::MAX).flat_map(|byte| [b'a', b' ', b'"', 0x7F, 0x80, 0xFF].map(|other| (byte, other))) {
            for place in 0..32 {
                let mut bytes = [other; 32];
                bytes[place] = byte;
                let ends_value = |byte: &u8| matches!(byte, b'"' | b'\\' | ..b' ');
                let length = bytes.iter().position(ends_value).unwrap_or(32) as u32;
                assert_eq!([value_length(&bytes), portable_value_length(&bytes)], [length; 2], "{bytes:?}");
                let Some(name) = bytes.first_chunk() else { continue };
                let length = name.iter().position(|byte| *byte <= b' ').unwrap_or(16) as u32;
                assert_eq!([name_length(name), portable_name_length(name)], [length; 2], "{name:?}");
            }
        }
    }

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
