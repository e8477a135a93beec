//! A chess engine that speaks UCI: processes, questions, answers, and a cache on disk.
//!
//! [`Engines`] is a pool of processes. [`Engines::ask`] may be called from several threads and
//! blocks until a process is free. The answer does not depend on the process that gives it, nor on
//! what was asked before: each process has one thread and a hash table of a fixed size, and starts
//! a new game before each position. Nothing is started before the first question that the cache
//! cannot answer.
//!
//! An engine that dies, hangs, floods its output or answers what cannot be true is an
//! [`EngineError`], never an answer. After [`MAX_FAILURES`] failures, the engine is given up.

pub(crate) mod answer;
mod bounded_line;
mod cache;
mod client;
mod error;
#[cfg(target_os = "linux")]
mod parent_death;
pub(crate) mod pool;
mod process;
mod program;
mod protocol;
mod question;
mod settings;

pub use answer::{Answer, Score};
pub use error::EngineError;
pub use pool::{EngineCounts, Engines};
pub use program::find_program;
pub use question::{Limit, Question};
pub use settings::EngineSettings;
