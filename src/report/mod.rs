//! Writing reports: tables, the page, printed findings, shards; and drawing boards.

pub mod board;
pub(crate) mod certificates;
pub(crate) mod explanation;
pub(crate) mod games;
pub(crate) mod page;
pub(crate) mod repairs;
pub(crate) mod replaceable_file;
pub(crate) mod schema;
pub(crate) mod shards;
pub(crate) mod stream;
pub(crate) mod svg;
pub(crate) mod writer;

pub use explanation::ExplanationRecord;
pub use games::GameList;
pub use page::DiffPage;
pub use repairs::RepairList;
pub use replaceable_file::{ForeignFile, OwnFile};
pub use schema::{duckdb_views, json_schema};
pub use shards::{Committed, PartSettings, Parts, Plan};
pub use stream::{FindingRecord, Stream, StreamFormat};
pub use svg::svg;
pub use writer::{CompleteReport, Report};
