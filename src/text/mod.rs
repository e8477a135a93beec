//! Text without chess meaning: spans of bytes, encodings, and wording for people.

mod ascii;
mod bounded;
mod encoding;
mod format;
mod span;
pub mod wording;

pub use ascii::is_plain_ascii;
pub use bounded::Bounded;
pub use encoding::{Encoding, readable};
pub use format::Format;
pub use span::Span;
