//! Where records come from: finding inputs, mapping or reading them, recognising what they hold.

mod content;
mod format;
mod input;
mod inputs;
mod map;
mod recognise;

pub use content::{Bytes, Content, OpenError};
pub use format::Format;
pub use input::{Input, Source};
pub use inputs::{InputsError, Wanted};
pub use recognise::{Column, Recognised, recognise};
