//! Inputs: finding, opening and decompressing them, detecting their format, and reading tables.

#[cfg(unix)]
mod bus_error;
mod bytes;
mod content;
mod cuts;
mod disk_use;
mod failing;
mod globs;
mod input;
mod inputs;
mod mmap;
#[cfg(feature = "packed")]
mod packed;
#[cfg(not(feature = "packed"))]
#[path = "packed_disabled.rs"]
mod packed;
mod packing;
mod preload;
mod preload_files;
mod recognise;
mod scan;
mod stream_buffer;
mod utf16;
mod watch;

pub use bytes::{Bytes, BytesReader, spool};
pub use content::{Content, MAX_COPIED, MAX_MEMBER, Members, OpenError, members, text_of};
pub use cuts::Cuts;
pub use failing::Failing;
pub use globs::Globs;
pub use input::{Input, Source};
pub use inputs::{FoundInputs, InputsError, Wanted};
pub use packed::{Member, RangeEnd, RangeWatch, Seen, SumState};
pub use packing::Packing;
pub use preload::{Pace, Preload};
pub use preload_files::FilePreload;
pub use recognise::{HEAD, Recognised, recognise};
pub use scan::Skipped;
pub use stream_buffer::StreamBuffer;
pub use utf16::converted;
pub use watch::{FileChange, Watch};
