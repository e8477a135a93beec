//! Inputs: finding, opening and decompressing them, detecting their format, and reading tables.

#[cfg(unix)]
mod bus_error;
mod bytes;
mod content;
mod cuts;
mod failing;
mod globs;
mod input;
mod input_order;
mod inputs;
mod mmap;
mod pack_as;
#[cfg(feature = "packed")]
mod packed;
#[cfg(not(feature = "packed"))]
#[path = "packed_disabled.rs"]
mod packed;
mod packer;
mod packing;
mod preload;
mod recognise;
mod reread;
mod scan;
mod stream_buffer;
mod utf16;
mod watch;

pub use bytes::{Bytes, BytesReader, spool};
pub use content::{Content, MAX_COPIED, MAX_MEMBER, Members, OpenError, members};
pub use cuts::Cuts;
pub use failing::Failing;
pub use globs::Globs;
pub use input::{Input, Source};
pub use input_order::InputOrder;
pub use inputs::{FoundInputs, InputsError, Wanted, path_of_name};
pub use packed::{Member, RangeWatch};
pub use packer::Packer;
pub use packing::{MAX_LAYERS, Packing, without_packing};
pub use recognise::{HEAD, MAX_HOLE, Recognised, is_hole, nuls_before_text, recognise};
pub use reread::{Finder, Reread};
pub use scan::{Skipped, has_chess_name};
pub use stream_buffer::StreamBuffer;
pub use utf16::{ByteOrder, converted};
pub use watch::{Stamp, Watch};
