//! Inputs: finding, opening and decompressing them, detecting their format, and reading tables.

mod columns;
mod content;
mod encoding;
mod format;
mod growing;
mod input;
mod inputs;
mod map;
mod packed;
mod recognise;
mod table;

pub use columns::{Column, ColumnName, Columns, NoColumn, NotAColumn};
pub use content::{Bytes, Content, OpenError};
pub use encoding::Encoding;
pub use format::Format;
pub use growing::Growing;
pub use input::{Input, Source};
pub use inputs::{InputsError, Wanted};
pub use packed::{Member, Packing, members, spool, text_of};
pub use recognise::{Recognised, recognise};
pub use table::{CellContent, RowEnd, RowReader, Table, Unquoted};
