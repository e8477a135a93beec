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
//!
//! ```no_run
//! use std::time::Duration;
//!
//! use chess_audit::oracle::engine::{Engines, EngineSettings, Limit, Question};
//! use shakmaty::Chess;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let engines = Engines::new(EngineSettings::of("/usr/games/stockfish"))?;
//! let answer = engines.ask(&Question::new(Chess::default(), Limit::Nodes(100_000)))?;
//! println!("{:?} {:?}", answer.score, answer.best_move);
//! engines.close();
//! # Ok(())
//! # }
//! ```

mod answer;
mod cache;
mod client;
mod error;
mod line;
#[cfg(target_os = "linux")]
mod parent_death;
mod pool;
mod process;
mod program;
mod protocol;
mod question;
mod settings;

pub use answer::{Answer, MateLine, Score};
pub use error::{Command, EngineError, Fault, Lie};
pub use pool::{EngineCounts, Engines, MAX_FAILURES};
pub use program::find_program;
pub use question::{Limit, Question};
pub use settings::EngineSettings;
