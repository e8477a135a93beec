//! Text, whatever it means: spans of bytes, and the wording that people read.

mod span;
pub mod wording;

pub use span::Span;
