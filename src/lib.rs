//! Audits chess corpora: PGN games are replayed, FEN and EPD positions are held against the laws of chess, and whatever is
//! wrong is reported with its exact place, the reason and, where it can be known, what was meant.
//!
//! The floors of the crate, each importing only from those below it:
//!
//! | floor | knows |
//! |---|---|
//! | [`report`] | how findings are written down |
//! | [`pipeline`] | chunks, threads, order, what holds for a whole input |
//! | [`rules`], [`corpus`] | what is wrong with a record; where inputs come from |
//! | [`pgn`], [`epd`] | the tokens and fields of a record, each with its span |
//! | [`chess`] | FEN and SAN as written, resolving a written move, explaining why it cannot be played |
//!
//! Bytes are 0-based, lines and columns 1-based and counted in bytes, plies counted from 1.
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
//! The library never prints, exits or reads the environment.

#[macro_use]
pub mod rules;

pub mod chess;
pub mod corpus;
pub mod epd;
pub mod pgn;
pub mod pipeline;
pub mod record;
pub mod report;
pub mod table;
pub mod text;
