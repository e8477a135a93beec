//! Syntax and game structure.

pub mod empty_input;
