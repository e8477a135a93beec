//! PGN, byte by byte: every token with its span, and where a game begins and ends.

mod tags;

pub use tags::{TagPair, TagSection};
