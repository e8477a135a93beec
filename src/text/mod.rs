//! Text without chess meaning: spans of bytes, encodings, and wording for people.

mod ascii;
#[cfg(target_arch = "x86_64")]
mod avx2;
mod bounded;
mod code_units;
mod comment_search;
mod encoding;
mod foreign_words;
mod format;
mod guard;
mod line_ends;
mod names;
mod regular;
mod span;
#[cfg(target_arch = "x86_64")]
mod sse2;
pub mod swar;
pub mod wording;

pub use ascii::{count_plain_lines, is_plain_ascii};
pub use bounded::Bounded;
pub use code_units::{Extent, Extents, code_units};
pub use comment_search::{next_bracket, next_bracket_after_names};
pub use encoding::{Encoding, is_readable, readable};
pub use foreign_words::ForeignWords;
pub use format::Format;
pub use guard::guarded;
pub use line_ends::LineEndBytes;
pub use names::Names;
pub(crate) use regular::open_at_once;
pub use regular::{NotRegular, open_once, open_regular};
pub use span::Span;
