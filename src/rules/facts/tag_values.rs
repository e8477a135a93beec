//! The values of the tags of a game, as the fast path reads them.

use crate::pgn::KnownTag;

/// The values of the tags of a game.
#[derive(Clone, Copy, Debug)]
pub struct TagValues<'a> {
    /// The text with the game.
    pub text: &'a [u8],
    /// The tags that the game has, one bit each.
    pub seen: u128,
    /// The places of the values, as start and end. Those of tags that this game does not have are
    /// of another game.
    pub places: &'a [(usize, usize); 128],
}

impl<'a> TagValues<'a> {
    /// The bits of these tags; all bits without tags.
    pub fn bits(tags: &[KnownTag]) -> u128 {
        if tags.is_empty() { u128::MAX } else { tags.iter().fold(0, |bits, tag| bits | 1 << *tag as u32) }
    }

    /// Whether the game has the tag.
    #[inline(always)]
    pub const fn has(&self, tag: KnownTag) -> bool {
        self.seen & 1 << tag as u32 != 0
    }

    /// The place of its value. Empty if the game does not have the tag.
    #[inline(always)]
    pub fn place(&self, tag: KnownTag) -> (usize, usize) {
        if self.has(tag) { self.places[tag as usize & 127] } else { (0, 0) }
    }

    /// Its value. Empty if the game does not have the tag.
    #[inline(always)]
    pub fn of(&self, tag: KnownTag) -> &'a [u8] {
        let (start, end) = self.place(tag);
        self.text.get(start..end).unwrap_or_default()
    }
}
