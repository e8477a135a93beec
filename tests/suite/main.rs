//! The tests of the crate as its users see it, in one program, so that it is built and linked once.

mod common;

mod acceptance;
mod browser;
mod cli;
mod depth;
mod determinism;
mod differential;
mod encodings;
mod exhaustive;
mod expectations;
mod explain;
mod fast_path_games;
mod fast_path_positions;
mod fen;
mod fields;
mod fingerprints;
mod last_moves;
mod legality;
mod memory;
mod neighbours;
mod operations;
mod packed;
mod page;
mod positions;
mod readme;
mod repair;
mod report;
mod rereading;
mod rules;
mod soundness;
mod streams;
mod structure;
mod tables;
mod transcripts;
mod variants;
