//! Tag pairs and the tag section.

use crate::chess::Span;

/// A tag pair: `[Name "value"]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagPair {
    /// From `[` to one past `]`.
    pub place: Span,
    /// The name.
    pub name: Span,
    /// What stands between the quotes, escapes as written.
    pub value: Span,
}

/// The tag pairs of a game, in the order in which they stand.
#[derive(Clone, Copy, Debug)]
pub struct TagSection<'a> {
    /// What the spans are offsets in.
    pub text: &'a [u8],
    /// The tag pairs that could be read.
    pub pairs: &'a [TagPair],
    /// Where the tag section stands; where there is none, the place before the first token of the game.
    pub place: Span,
}

impl<'a> TagSection<'a> {
    /// The first tag pair of that name; names are case-sensitive.
    pub fn pair(&self, name: &str) -> Option<TagPair> {
        self.pairs.iter().copied().find(|pair| pair.name.of(self.text) == name.as_bytes())
    }

    /// The value of the first tag pair of that name, escapes as written.
    pub fn value(&self, name: &str) -> Option<&'a [u8]> {
        self.pair(name).map(|pair| pair.value.of(self.text))
    }
}
