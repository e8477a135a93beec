//! What a report is: its tables, columns and files, and how they are written.

pub(crate) mod columns;
pub(crate) mod consulted;
pub(crate) mod csv_cell;
pub(crate) mod csv_error;
pub(crate) mod csv_file;
pub(crate) mod digest;
pub(crate) mod directory;
pub(crate) mod error;
pub(crate) mod files;
pub(crate) mod hash_cell;
pub(crate) mod json;
pub(crate) mod output;
pub(crate) mod own_directory;
pub(crate) mod paths;
pub(crate) mod run;
pub(crate) mod run_files;
pub mod sentences;
pub(crate) mod table;
pub(crate) mod temporary;
pub(crate) mod trend;

pub use columns::{
    BASELINE_COLUMNS, COLUMNS, COMPARE_COLUMNS, COMPARE_GAMES_COLUMNS, COMPARE_INPUTS_COLUMNS, DIFF_COLUMNS, PARTNER_COLUMNS,
    REPAIR_COLUMNS, SPLIT_COLUMNS,
};
pub use consulted::{EngineRecord, TablesRecord};
pub use csv_cell::spreadsheet_safe;
pub use error::ReportError;
pub use files::is_report_file;
pub use json::{write_json, write_json_pretty};
pub use output::OutputFile;
pub use run::{RatingListRecord, RunException, RunLimits, RunRange, RunSettings, RunSettingsFile, SCHEMA_VERSION, TOOL};
pub use run_files::{CheckedFiles, FileConflict, PATH, ReadAs, RunFiles};
pub use table::Table;
pub use temporary::{NewDirectories, remove_temporary_files};
pub use trend::Trend;
