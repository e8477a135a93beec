//! Audits chess corpora: replays PGN games, checks FEN and EPD positions, and says what is wrong,
//! exactly where, why, and what was probably meant.
//!
//! ```
//! # fn main() -> Result<(), chess_audit::AuditError> {
//! for finding in chess_audit::audit_pgn(b"1. e4 e5 2. Ke3 *")? {
//!     println!("{finding}"); // 1:13: error MOV01 illegal-move: Ke3 is not legal here: ...
//! }
//! # Ok(())
//! # }
//! ```
//!
//! [`audit_pgn`], [`audit_epd`] and [`audit_fen`] audit a text in memory; [`Auditor`] does the same
//! with settings. Files of any size, compressed or not, are audited by the program, on all
//! processors. How the code is built is described in `src/README.md`.
//!
//! Features, on by default:
//!
//! | feature | adds |
//! |---|---|
//! | `cli` | the program `chess-audit`; it turns on `packed` |
//! | `packed` | reading compressed files and archives; without it, they are audit failures |
//!
//! Without them, the library needs no C compiler: use `default-features = false`.
//!
//! # Units
//!
//! Bytes count from 0. Lines, columns and plies count from 1, and columns count bytes. All places
//! are in the decompressed text. The library never prints or exits, and does not read the
//! environment. On Windows, [`use_temporary_directory`] keeps it from that.
#![warn(missing_docs)]
// `.clippy.toml` names what only the command line may call.
#![warn(clippy::dbg_macro, clippy::disallowed_methods, clippy::exit, clippy::print_stderr, clippy::print_stdout)]
#![cfg_attr(test, allow(clippy::disallowed_methods, clippy::print_stderr, clippy::print_stdout))]
// The auditor of texts in memory uses only a part of the rooms.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]

#[macro_use]
mod rules;

mod auditor;
mod chess;
#[cfg(feature = "cli")]
#[doc(hidden)]
#[allow(clippy::disallowed_methods, clippy::print_stderr, clippy::print_stdout)]
pub mod cli;
mod corpus;
#[cfg(feature = "cli")]
mod edit;
mod epd;
#[cfg(feature = "cli")]
mod format;
mod identity;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
mod oracle;
mod pgn;
mod pipeline;
mod record;
#[cfg(feature = "cli")]
mod report;
#[cfg(feature = "cli")]
mod review;
mod spill;
mod table;
mod text;

pub use auditor::{AuditError, Auditor, NotADay, audit_epd, audit_fen, audit_pgn};
pub use chess::{Variant, retro::Effort};
pub use rules::{Finding, Profile, Rule, Severity, UnknownRule};
pub use spill::use_temporary_directory;
