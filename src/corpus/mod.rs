//! Inputs: finding, opening and decompressing them, detecting their format, and reading tables.

mod content;
mod input;
mod inputs;
mod mmap;
mod packed;
mod recognise;
mod spill;

pub use content::{Bytes, Content, OpenError};
pub use input::{Input, Source};
pub use inputs::{InputsError, Wanted};
pub use packed::{Member, Packing, members, spool, text_of};
pub use recognise::{Recognised, recognise};
pub use spill::SpillBuffer;
