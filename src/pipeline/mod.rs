//! From inputs to findings: chunks, threads, order, and conditions on whole inputs.

mod audited_part;
mod bad_records;
mod certified;
mod checks;
mod chunk;
mod digests;
mod emit;
mod expectations;
mod input_piece;
mod line_numbers;
mod once_per_input;
pub(crate) mod one_record;
mod open;
pub(crate) mod outcome;
mod overlapping_repairs;
mod panics;
mod read_ahead;
mod reasons_of_records;
mod record_findings;
#[cfg(test)]
mod report_lines;
mod run;
mod settings;
mod shard;
mod split_on;
mod stream;
mod suppression;
mod task_queue;
mod trial;

pub use bad_records::{BadFinding, BadRecord, DividedInput};
pub use certified::CertifiedPosition;
pub use expectations::{Expectations, ExpectedInputs, ExpectedOfRun, SetAt};
pub use one_record::OneRecord;
pub use outcome::{
    CopySummary, Failure, InputSummary, Pair, Place, Progress, RepairCounts, RuleSummary, RunSummary, SeverityCounts, Sink,
};
pub use run::Audit;
#[cfg(feature = "cli")]
pub use settings::CERTIFY_NODES;
pub use settings::{Options, Settings};
pub use shard::{MergeError, Part, PartEnd, PartFault, Piece, PieceRange, Shard, WholeInput};
pub use split_on::SplitOn;
pub use suppression::{Exception, Known};
