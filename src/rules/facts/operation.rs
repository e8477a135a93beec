//! Operations of an EPD line.

/// The operations of an EPD line, each with its span.
#[derive(Debug)]
pub struct OperationFacts<'a> {
    /// What the spans are offsets in.
    pub text: &'a [u8],
}
