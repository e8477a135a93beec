//! Inputs: finding, opening and decompressing them, detecting their format, and reading tables.

mod bytes;
mod content;
mod input;
mod inputs;
mod mmap;
#[cfg(feature = "packed")]
mod packed;
#[cfg(not(feature = "packed"))]
#[path = "packed_disabled.rs"]
mod packed;
mod packing;
mod recognise;
mod refused;
mod stream_buffer;

pub use bytes::{Bytes, spool};
pub use content::{Content, OpenError, members, text_of};
pub use input::{Input, Source};
pub use inputs::{InputsError, Wanted};
pub use packed::Member;
pub use packing::Packing;
pub use recognise::{Recognised, recognise};
pub use stream_buffer::StreamBuffer;
