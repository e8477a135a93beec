//! Text, whatever it means: spans of bytes, and the wording that people read.

mod ascii;
mod encoding;
mod format;
mod span;
pub mod wording;

pub use ascii::is_plain_ascii;
pub use encoding::Encoding;
pub use format::Format;
pub use span::Span;
