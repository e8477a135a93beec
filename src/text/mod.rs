//! Text, whatever it means: spans of bytes, and the wording that people read.

mod encoding;
mod format;
mod span;
pub mod wording;

pub use encoding::{Encoding, readable};
pub use format::Format;
pub use span::Span;
