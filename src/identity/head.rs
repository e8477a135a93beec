//! The numbers at the start of the bytes of a card.

/// The numbers at the start of a card: its length in bytes, the place, the keys, the traits, the digests, and how
/// many tags and plies follow.
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

/// Sets a number of the head of a card.
pub fn set(card: &mut [u8], index: usize, number: u64) {
    if let Some(bytes) = card.as_chunks_mut().0.get_mut(index) {
        *bytes = number.to_le_bytes();
    }
}
