//! Where records come from: finding inputs, mapping or reading them, recognising what they hold.

mod format;
mod input;

pub use format::Format;
pub use input::{Input, Source};
