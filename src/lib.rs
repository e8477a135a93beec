//! Audits chess corpora: replays PGN games, checks FEN and EPD positions, and says what is wrong, exactly where, why, and what
//! was probably meant.
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
//! [`audit_pgn`], [`audit_epd`] and [`audit_fen`] audit a text in memory; [`Auditor`] does the same with settings. [`pipeline`]
//! audits files of any size, compressed or not, on all processors; [`corpus`] finds them, [`report`] writes what was found, and
//! [`rules`] is the catalogue.
//!
//! Features, all of them on by default:
//!
//! | feature | adds |
//! |---|---|
//! | `cli` | the program `chess-audit`; it turns on `html` and `packed` |
//! | `html` | `report.html`; without it, reports have no page |
//! | `packed` | reading compressed files and archives; without it, they are audit failures |
//!
//! Without them, the library needs no C compiler: use `default-features = false`.
//!
//! # The house
//!
//! ```text
//! cli -> report -> pipeline -> record -> rules -> oracle, pgn, epd, table -> chess -> text
//!                  pipeline -> corpus -> table, pgn
//! ```
//!
//! A module imports only from modules to its right. A test checks that, file by file.
//!
//! | module | owns |
//! |---|---|
//! | `text` | spans, encodings, wording for people |
//! | `chess` | FEN and SAN as written, boards, retro-analysis, repair; `shakmaty` is the authority on the rules of chess |
//! | [`oracle`] | what tablebases prove, and what engines find |
//! | `pgn`, `epd`, `table` | every token or field of a text, with its span |
//! | `identity` | whether two games are the same: what is kept of each, names of players, and how games are compared |
//! | [`rules`] | the catalogue: one file per rule, with its texts, samples, check, and aggregate if it is about a whole input |
//! | `record` | one record in, findings out: the fast path, the thorough path, and what explains a finding |
//! | [`corpus`] | where inputs come from: directories, archives, memory maps, decompression |
//! | [`pipeline`] | chunks, threads, order, what is known only at the end of an input |
//! | [`report`] | tables, pages and streams of findings |
//!
//! # Data flow
//!
//! ```text
//! inputs -> map or decompress -> chunks cut at record starts -> in parallel: accept or examine each record -> in order: report
//! ```
//!
//! **Fast and thorough path.** Most records are without fault. The fast path proves that no rule has anything to say about a record. It
//! allocates nothing, explains nothing, and gives up at the first doubt. Then the thorough path reads the record again, gathers
//! facts and runs the rules. The fast path may give up as often as it likes, but it never accepts a record in which the thorough
//! path would find something. Tests hold one against the other.
//!
//! **Why results do not depend on where an input is cut.** The start of a chunk is a guess made from the text around it. The worker
//! of a chunk owns the records that begin in its range and reads on until the first record that begins at or after the guessed
//! start of the next chunk. If that is not where the guess was, the next chunk alone is read again from the true start. So the
//! result is the same for every chunk size and number of threads. What rules collect over a whole input can be merged, part by part.
//!
//! **Who owns what.** A [`Finding`] is made by a rule, which knows offsets in the text that it was shown. The replay adds the ply
//! and the position, the chunk adds line, column, label and fingerprint, and the pipeline adds what precedes the chunk. Findings
//! that depend on the whole input wait until it has been read.
//!
//! # Units
//!
//! Bytes count from 0. Lines, columns and plies count from 1, and columns count bytes. All places are in the decompressed text.
//! The library never prints, exits or reads the environment.
#![warn(missing_docs)]

#[macro_use]
pub mod rules;

mod auditor;
#[doc(hidden)]
pub mod chess;
pub mod corpus;
#[doc(hidden)]
pub mod epd;
#[doc(hidden)]
pub mod identity;
pub mod oracle;
pub mod pgn;
pub mod pipeline;
#[doc(hidden)]
pub mod record;
pub mod report;
#[doc(hidden)]
pub mod spill;
pub mod table;
pub mod text;

pub use auditor::{AuditError, Auditor, NotADay, audit_epd, audit_fen, audit_pgn};
pub use chess::Variant;
pub use rules::{Finding, Profile, Rule, Severity};
