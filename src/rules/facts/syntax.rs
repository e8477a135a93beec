//! What the scanner could not make sense of.

use crate::rules::Span;

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyntaxFaultKind {
    /// Text that is no tag pair, comment or movetext, before a tag section.
    StrayText,
}

/// Something that the scanner could not make sense of.
#[derive(Clone, Debug)]
pub struct SyntaxFault<'a> {
    /// What the spans are offsets in.
    pub text: &'a [u8],
    /// Where it is.
    pub place: Span,
    /// What it is.
    pub kind: SyntaxFaultKind,
}
