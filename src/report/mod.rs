//! Writers: the directory that a run leaves behind, and boards with what is wrong on them.

pub mod board;
mod cell;
mod columns;
mod directory;
mod error;
mod explanation;
mod page;
mod run;
mod svg;
mod table;
pub mod words;
mod writer;

pub use cell::harmless;
pub use columns::{COLUMNS, FAILURE_COLUMNS, INPUT_COLUMNS, SUMMARY_COLUMNS};
pub use error::ReportError;
pub use explanation::ExplanationRecord;
pub use run::{Asked, SCHEMA_VERSION, TOOL};
pub use svg::svg;
pub use table::Table;
pub use writer::Report;
