//! The program and the repository: its help, texts, structure and dependencies.

mod cli;
mod dependencies;
mod library;
mod readme;
mod releases;
mod structure;
mod transcripts;
mod wording;
