//! The numbers at the start of the bytes of a card.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// The numbers at the start of a card: its length in bytes, the place, the keys, the traits, the
/// digests, and how many tags and plies follow.
pub type Head = [u64; 17];

/// Indices in a [`Head`].
pub const LENGTH: usize = 0;
pub const INPUT: usize = 1;
pub const BYTE: usize = 2;
pub const END: usize = 3;
pub const LINE: usize = 4;
pub const GAME: usize = 5;
pub const KEY: usize = 6;
pub const MOVES: usize = 9;
pub const TRAITS: usize = 10;
pub const COUNTS: usize = 16;

/// The bit of the traits of a position.
pub const IS_POSITION: u64 = 1 << 3;

/// A number of the head of a card.
pub fn number(card: &[u8], index: usize) -> u64 {
    card.as_chunks().0.get(index).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// A key that games with the same content share: all that is on their cards but where the games and
/// the values of their tags are, and the number of errors.
pub fn content_key(card: &[u8]) -> u64 {
    let places = 3 * (number(card, COUNTS) >> 8 & 0xFF) as usize;
    let content = card.get(size_of::<Head>()..card.len().saturating_sub(places)).unwrap_or_default();
    let traits = card.get((TRAITS + 1) * size_of::<u64>()..COUNTS * size_of::<u64>()).unwrap_or_default();
    // A seed would cost as much as the rest of a long hash.
    xxh3_64_with_seed(traits, xxh3_64(content) ^ number(card, MOVES) ^ number(card, TRAITS) & 0xFFFF)
}

/// Sets a number of the head of a card.
pub fn set(card: &mut [u8], index: usize, number: u64) {
    if let Some(bytes) = card.as_chunks_mut().0.get_mut(index) {
        *bytes = number.to_le_bytes();
    }
}
