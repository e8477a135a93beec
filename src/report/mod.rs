//! Writing and reading reports, and drawing boards.

mod baseline;
mod baseline_update;
pub mod board;
mod cell;
mod certificates;
pub(crate) mod columns;
mod compare;
mod compare_error;
mod compare_games;
pub(crate) mod compare_inputs;
mod compare_matches;
mod compare_text;
mod consulted;
mod csv_error;
mod csv_file;
mod differences;
mod digest;
mod directory;
mod error;
mod explanation;
mod files;
mod fix;
mod games;
pub mod humanize;
mod json;
mod key;
mod nights;
mod output;
mod own_file;
#[cfg(feature = "html")]
mod page;
#[cfg(not(feature = "html"))]
#[path = "page_disabled.rs"]
mod page;
mod paths;
pub(crate) mod reader;
pub(crate) mod repairs;
mod run;
mod run_files;
pub(crate) mod schema;
mod shards;
mod split;
mod stream;
mod svg;
mod table;
mod temporary;
mod trend;
mod writer;

pub use baseline::{Baseline, BaselineEntry, BaselineError};
pub use cell::spreadsheet_safe;
pub use columns::{
    BASELINE_COLUMNS, COLUMNS, COMPARE_COLUMNS, COMPARE_GAMES_COLUMNS, COMPARE_INPUTS_COLUMNS, DIFF_COLUMNS, PARTNER_COLUMNS,
    REPAIR_COLUMNS, SPLIT_COLUMNS,
};
pub use compare::{COMPARE_CSV, COMPARE_MD, Comparison};
pub use compare_games::{COMPARE_GAMES_CSV, GameComparison};
pub use compare_inputs::COMPARE_INPUTS_CSV;
pub use consulted::{EngineRecord, TablesRecord};
pub use differences::{DIFF_CSV, DIFF_HTML, DIFF_MD, DiffFormat, DiffWriter, difference_sentence};
pub use error::ReportError;
pub use explanation::ExplanationRecord;
pub use files::is_report_file;
pub use fix::{Control, DiffStyle, Fix, FixError, FixPlan, FixProgress, Fixed};
pub use games::GameList;
pub use json::{write_json, write_json_pretty};
pub use nights::{HISTORY_CSV, Store, add_to_history, check_history};
pub use output::OutputFile;
pub use own_file::{ForeignFile, OwnFile};
pub use page::DiffPage;
pub use reader::ReportReader;
pub use repairs::RepairList;
pub use run::{RunException, RunLimits, RunRange, RunSettings, RunSettingsFile, SCHEMA_VERSION, SummaryRecord, TOOL};
pub use run_files::{CheckedFiles, FileConflict, PATH, ReadAs, RunFiles};
pub use schema::{duckdb_views, json_schema};
pub use shards::{Committed, PartSettings, Parts, Plan};
pub use split::{Split, SplitCounts, SplitError, SplitFiles, SplitOutput};
pub use stream::{FindingRecord, Stream, StreamFormat};
pub use svg::svg;
pub use table::Table;
pub use temporary::{NewDirectories, remove_temporary_files};
pub use trend::Trend;
pub use writer::{CompleteReport, Report};
