//! Reading reports: comparing them, baselines, nights.

pub(crate) mod baseline;
pub(crate) mod baseline_update;
pub(crate) mod compare;
pub(crate) mod compare_error;
pub(crate) mod compare_folded;
pub(crate) mod compare_games;
pub(crate) mod compare_inputs;
pub(crate) mod compare_list;
pub(crate) mod compare_matches;
pub(crate) mod compare_tables;
pub(crate) mod compare_text;
pub(crate) mod differences;
pub(crate) mod nights;
pub(crate) mod reader;

pub use baseline::{Baseline, BaselineEntry, BaselineError};
pub use compare::{COMPARE_CSV, COMPARE_MD, Comparison};
pub use compare_games::{COMPARE_GAMES_CSV, GameComparison};
pub use compare_inputs::COMPARE_INPUTS_CSV;
pub use compare_tables::CompareTables;
pub use differences::{DIFF_CSV, DIFF_HTML, DIFF_MD, DiffFormat, DiffWriter, difference_sentence};
pub use nights::{HISTORY_CSV, NightPage, Store, Threshold, add_to_history, check_history, finding_key};
pub use reader::ReportReader;
pub(crate) use reader::{ReadError, for_each_row};
