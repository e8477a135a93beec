//! What is written: reports, pages, comparisons, repairs and lists.

mod browser;
mod clean;
mod compare;
mod differences;
mod expectations;
mod fen;
mod files_kept;
mod fix;
mod nightly;
mod nights;
mod overwriting;
mod page;
mod played_nights;
mod read_and_written;
mod report;
mod schema;
mod show;
mod split;
mod streams;
