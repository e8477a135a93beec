//! Tests of eight bytes at a time (SIMD within a register).

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = LOW << 7;

/// The eight bytes at `at`, first byte lowest. `None` near the end of the text.
#[inline(always)]
pub fn word(text: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*text.get(at..)?.first_chunk()?))
}

/// The eight bytes at `at`, first byte lowest. NUL bytes take the place of those after the end of
/// the text.
#[inline(always)]
pub fn padded_word(text: &[u8], at: usize) -> u64 {
    word(text, at).unwrap_or_else(|| last_word(text.get(at..).unwrap_or_default()))
}

#[cold]
fn last_word(rest: &[u8]) -> u64 {
    rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// The number of leading bytes above a space: those before whitespace or a control character. 8 if
/// all are.
#[inline(always)]
pub fn token_length(word: u64) -> u32 {
    #[cfg(target_arch = "x86_64")]
    return super::sse2::token_length(word);
    #[cfg(not(target_arch = "x86_64"))]
    portable_token_length(word)
}

/// [`token_length`] on every processor.
#[cfg(any(test, not(target_arch = "x86_64")))]
pub const fn portable_token_length(word: u64) -> u32 {
    // ASCII bytes do not carry into the next byte.
    let visible = ((word & !HIGH) + LOW * (0x80 - 0x21)) | word;
    (!visible & HIGH).trailing_zeros() / 8
}

/// The number of leading bytes above a space, 16 if all are.
#[inline(always)]
pub fn name_length(bytes: &[u8; 16]) -> u32 {
    #[cfg(target_arch = "x86_64")]
    return super::sse2::name_length(bytes);
    #[cfg(not(target_arch = "x86_64"))]
    portable_name_length(bytes)
}

/// [`name_length`] on every processor.
#[cfg(any(test, not(target_arch = "x86_64")))]
pub fn portable_name_length(bytes: &[u8; 16]) -> u32 {
    leading(bytes, portable_token_length)
}

/// The number of leading bytes before a quotation mark, a backslash or a control character, 32 if
/// there is none.
#[inline(always)]
pub fn value_length(bytes: &[u8; 32]) -> u32 {
    #[cfg(target_arch = "x86_64")]
    return super::sse2::value_length(bytes);
    #[cfg(not(target_arch = "x86_64"))]
    portable_value_length(bytes)
}

/// [`value_length`] on every processor.
#[cfg(any(test, not(target_arch = "x86_64")))]
pub fn portable_value_length(bytes: &[u8; 32]) -> u32 {
    leading(bytes, |word| (places(word, b'"') | places(word, b'\\') | places_of_controls(word)).trailing_zeros() / 8)
}

/// The number of leading bytes, if `of_word` counts those of a word, up to 8.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn leading(bytes: &[u8], of_word: fn(u64) -> u32) -> u32 {
    let lengths = bytes.as_chunks().0.iter().map(|word| of_word(u64::from_le_bytes(*word)));
    let mut before = 0;
    for length in lengths {
        before += length;
        if length < 8 {
            break;
        }
    }
    before
}

/// The lowest `length` bytes of `word`, from 1 to 8.
#[inline(always)]
pub const fn lowest(word: u64, length: u32) -> u64 {
    word & (u64::MAX >> ((64_u32.wrapping_sub(8 * length)) & 63))
}

/// The places of `byte` in `word`: the lowest set bit gives the first one.
#[inline(always)]
pub const fn places(word: u64, byte: u8) -> u64 {
    let word = word ^ (LOW * byte as u64);
    word.wrapping_sub(LOW) & !word & HIGH
}

/// The places of control characters in `word`: the lowest set bit gives the first one.
#[cfg(any(test, not(target_arch = "x86_64")))]
const fn places_of_controls(word: u64) -> u64 {
    word.wrapping_sub(LOW * 0x20) & !word & HIGH
}

/// The places of bytes that are not digits in `word`: one bit each.
#[inline(always)]
pub const fn places_of_others(word: u64) -> u64 {
    let value = word ^ (LOW * b'0' as u64);
    // The lower seven bits carry into the highest one from 10 on, and never into the next byte.
    (((value & !HIGH) + LOW * (0x80 - 10)) | value) & HIGH
}

/// Whether `word` is `others`, apart from digits where `digits` has the low half of a byte. A digit
/// is too high if it is at least 16 after adding its `limits`: 6 allows all digits, 10 allows 0 to
/// 5.
#[inline(always)]
pub const fn has_form(word: u64, digits: u64, limits: u64, others: u64) -> bool {
    let value = word ^ others;
    (value | ((value & digits) + limits)) & !digits == 0
}

/// The `limits` of [`has_form`] that allow every digit.
pub const fn any_digit(digits: u64) -> u64 {
    digits & (LOW * 6)
}

/// The value of the first `digits` bytes of `word`, from 1 to 8, which are digits.
#[inline(always)]
pub const fn number(word: u64, digits: u32) -> u64 {
    // Zeros come first. Then neighbours are combined: two digits, four, eight.
    let value = (word & (LOW * 0x0F)) << ((64_u32.wrapping_sub(8 * digits)) & 63);
    let value = (value.wrapping_mul(10 << 8 | 1) >> 8) & 0x00FF_00FF_00FF_00FF;
    let value = (value.wrapping_mul(100 << 16 | 1) >> 16) & 0x0000_FFFF_0000_FFFF;
    value.wrapping_mul(10_000 << 32 | 1) >> 32
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
                    assert_eq!(Some(places(u64::from_le_bytes(bytes), byte).trailing_zeros() as usize / 8), first, "{bytes:?}");
                }
            }
        }
    }

    #[test]
    fn words_end_with_the_text() {
        assert_eq!(padded_word(b"0123456789", 1).to_le_bytes(), *b"12345678");
        assert_eq!(padded_word(b"0123456789", 7).to_le_bytes(), *b"789\0\0\0\0\0");
        assert_eq!((padded_word(b"0123456789", 10), padded_word(b"0123456789", 11)), (0, 0));
    }

    #[test]
    fn numbers_of_all_lengths_are_read() {
        for digits in 1..=8 {
            for value in [0, 1, 7, 12, 99, 345, 6789, 54_321, 909_090, 1_234_567, 87_654_321, 99_999_999] {
                let value = value % 10_u64.pow(digits);
                let text = format!("{value:0width$},:]9999999", width = digits as usize);
                assert_eq!(word(text.as_bytes(), 0).map(|word| number(word, digits)), Some(value), "{text}");
            }
        }
    }
}
