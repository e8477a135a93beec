//! Positions as written.

/// A position as written, and what it means as far as it can be read.
#[derive(Debug)]
pub struct PositionFacts<'a> {
    /// What the spans are offsets in.
    pub text: &'a [u8],
}
