//! Writers of findings: the directory that a run leaves behind.

mod cell;
mod columns;
mod directory;
mod error;
mod run;
mod table;
mod writer;

pub use cell::harmless;
pub use columns::{COLUMNS, FAILURE_COLUMNS, INPUT_COLUMNS, SUMMARY_COLUMNS};
pub use error::ReportError;
pub use run::{Asked, SCHEMA_VERSION, TOOL};
pub use table::Table;
pub use writer::Report;
