//! Eight bytes at a time.

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = LOW << 7;

/// The eight bytes from `at` on, the first the lowest; `None` near the end of the text.
#[inline(always)]
pub(super) fn word(text: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*text.get(at..)?.first_chunk()?))
}

/// How many bytes from the lowest on are neither blanks nor line breaks, for a word of ASCII; 8 where none is.
#[inline(always)]
pub(super) const fn token_length(word: u64) -> u32 {
    // No byte of ASCII carries into the next.
    let black = (word & !HIGH) + LOW * (0x80 - 0x21);
    let blank = !black & HIGH;
    // Some bit is always set, so that there is no need to ask whether one is.
    ((blank | 1 << 63).trailing_zeros() >> 3) + (blank == 0) as u32
}

/// The lowest `length` bytes of `word`, 1 to 8 of them.
#[inline(always)]
pub(super) const fn lowest(word: u64, length: u32) -> u64 {
    word & (u64::MAX >> ((64_u32.wrapping_sub(8 * length)) & 63))
}

/// Where `byte` is in `word`: the lowest bit set tells the first place.
#[inline(always)]
pub(super) const fn places(word: u64, byte: u8) -> u64 {
    let word = word ^ (LOW * byte as u64);
    word.wrapping_sub(LOW) & !word & HIGH
}

/// Where `word` has bytes below a blank: the lowest bit set tells the first place.
#[inline(always)]
pub(super) const fn places_of_controls(word: u64) -> u64 {
    word.wrapping_sub(LOW * 0x20) & !word & HIGH
}

/// Whether `word` is `others`, but for other digits where `digits` has the low half of a byte. A digit that is 16 or more with
/// what `beyond` adds to it is too high: 6 lets all pass, 10 those below six.
#[inline(always)]
pub(super) const fn has_form(word: u64, digits: u64, beyond: u64, others: u64) -> bool {
    let value = word ^ others;
    (value | ((value & digits) + beyond)) & !digits == 0
}

/// What [`has_form`] adds where every digit will do.
pub(super) const fn any(digits: u64) -> u64 {
    digits & (LOW * 6)
}
